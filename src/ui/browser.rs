//! The user's browser.

use std::process::{Command, Stdio};

/// Opens an address with the platform's usual command; false if that command cannot be started.
pub fn open(url: &str) -> bool {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[url]),
        _ => ("xdg-open", &[url]),
    };
    let mut command = Command::new(program);
    command.args(arguments);
    // Keeps messages of the browser out of this terminal.
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // The command may run as long as the browser does, so its end is not waited for.
    command.spawn().is_ok()
}
