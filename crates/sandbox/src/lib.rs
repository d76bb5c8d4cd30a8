//! A sandbox for trials: runs one command, without a shell, in a temporary copy of a tree.
//!
//! A trial can read the system, toolchains and dependency caches, and can write only its copy and a
//! home of its own. It has no network. It ends, with all processes it started, when it exceeds a
//! limit, when it is stopped, or when the program that runs it dies.
//!
//! ```text
//! means()      the sandbox of this machine, verified by a harmless trial
//! Copies       the folder of all copies; copies left by killed programs are removed
//! TreeCopy     one copy: the listed files, and files laid over them
//! run()        runs a command in a copy -> how it ended, head and tail of its output
//! ```
//!
//! The inner stages are the calling program itself, started again: its `main` has to call
//! [`inner_main`] first.
#![allow(clippy::disallowed_methods)]
// Compiled only where trials can run.
#![cfg_attr(not(target_os = "linux"), allow(dead_code))]

use std::process::ExitCode;

mod copies;
mod disk;
mod limits;
#[cfg(target_os = "linux")]
mod linux;
mod means;
mod output;
mod readable;
mod result;
mod run;
mod seatbelt;
mod stages;
mod view;

pub use copies::{Copies, CopyError, Edit, Laid, TreeCopy};
pub use limits::Limits;
pub use means::{Means, Missing, Wall, means, means_through};
pub use readable::Readable;
pub use result::{Exit, TrialResult};
pub use run::{Trial, run};

/// Runs an inner stage of a trial if this process was started as one. `main` calls it before
/// anything else and returns the code it returns; in an ordinary process it does nothing.
#[must_use]
pub fn inner_main() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != stages::STAGE {
        return None;
    }
    // Files that were open at the start must not be passed to a trial.
    close_fds::set_fds_cloexec(3, &[]);
    let name = arguments.next()?;
    let name = name.to_str()?;
    #[cfg(target_os = "linux")]
    let done = linux::run(name).or_else(|| seatbelt::run(name))?;
    #[cfg(not(target_os = "linux"))]
    let done = seatbelt::run(name)?;
    Some(match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    })
}
