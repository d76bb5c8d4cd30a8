//! Runs programs of the user's that take over the terminal: a pager, an editor.

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::SIGINT;

/// A command that runs the user's command `line` in a shell, followed by `arguments`.
pub(super) fn line(line: &str, arguments: &[&str]) -> Command {
    // `"$@"` passes each argument unchanged, even with spaces.
    let line = match arguments {
        [] => line.to_owned(),
        _ => format!("{line} \"$@\""),
    };
    let mut command = Command::new("sh");
    command.args(["-c", &line, "sh"]).args(arguments);
    command
}

/// Runs the command to its end; `feed` may first write to its input. `None` if the program does not
/// exist.
///
/// # Errors
/// It cannot be started or waited for.
pub(super) fn run(
    mut command: Command,
    feed: impl FnOnce(&mut Child),
) -> io::Result<Option<ExitStatus>> {
    // While the program runs, Ctrl-C is meant for it and must not end this process.
    signal_hook::flag::register(SIGINT, Arc::<AtomicBool>::default())?;
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    feed(&mut child);
    child
        .wait()
        .map(|status| (!is_missing(status)).then_some(status))
}

/// Whether this exit status of a shell means that the program does not exist or cannot be executed.
fn is_missing(status: ExitStatus) -> bool {
    matches!(status.code(), Some(126 | 127))
}
