//! What the operating system allows this process.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Raises the number of files this process may have open as far as it may raise
/// it itself, and says how many that are; `None` if there is no limit.
pub fn raise_open_files() -> Option<u64> {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: maximum,
        maximum,
    };
    // Refused, for instance in a container: then what was allowed holds.
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => maximum,
        Err(_) => current,
    }
}
