//! Programs of the user's that take the terminal over: a pager, an editor.

use std::io;
use std::process::{Child, Command, ExitStatus};

use tokio::signal::unix::{SignalKind, signal};

/// A command line of the user's, for the shell; `arguments` come behind it.
pub(super) fn line(line: &str, arguments: &[&str]) -> Command {
    // `$@` keeps an argument with spaces one argument.
    let line = match arguments {
        [] => line.to_owned(),
        _ => format!("{line} \"$@\""),
    };
    let mut command = Command::new("sh");
    command.args(["-c", &line, "sh"]).args(arguments);
    command
}

/// Runs it to its end; `feed` may write to it first. None: there is no such program.
///
/// # Errors
/// It cannot be started or waited for.
pub(super) fn run(
    mut command: Command,
    feed: impl FnOnce(&mut Child),
) -> io::Result<Option<ExitStatus>> {
    // Ctrl-C belongs to the program as long as it runs.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let _entered = runtime.enter();
    let _interrupt = signal(SignalKind::interrupt())?;
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

/// Returns whether a shell says with this status that there is no such program, or that it cannot
/// be run.
fn is_missing(status: ExitStatus) -> bool {
    matches!(status.code(), Some(126 | 127))
}
