//! The user's browser.

use std::process::{Command, Stdio};

/// Opens an address with the usual command of the platform; false if there is none.
pub fn open(url: &str) -> bool {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[url]),
        _ => ("xdg-open", &[url]),
    };
    let mut command = Command::new(program);
    command.args(arguments);
    // What a browser has to say is not for this terminal.
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // It may stay as long as the browser does; nobody waits for it.
    command.spawn().is_ok()
}
