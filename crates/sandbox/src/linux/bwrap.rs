//! Bubblewrap, which replaces the first stage and builds the view.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Orders, STAGE, ViewEntry};

/// Path of the stage's program in the view.
const INSIDE: &str = "/run/stage";

pub(super) fn command(program: &Path, stage: &Path, orders: &Orders) -> Command {
    let mut command = Command::new(program);
    command.args([
        "--unshare-all",
        "--unshare-user",
        "--die-with-parent",
        "--new-session",
        "--as-pid-1",
        "--hostname",
        "trial",
        "--clearenv",
        "--dev",
        "/dev",
        "--proc",
        "/proc",
    ]);
    for (at, shown) in &orders.view {
        let (way, from): (_, &PathBuf) = match shown {
            // It is already there as an empty folder of the copy.
            ViewEntry::Over { built: true, .. } => continue,
            ViewEntry::Read(from) | ViewEntry::Over { from, .. } => ("--ro-bind", from),
            ViewEntry::Write(from) => ("--bind", from),
            ViewEntry::Link(text) => ("--symlink", text),
        };
        command.arg(way).arg(from).arg(at);
    }
    command.arg("--ro-bind").arg(stage).arg(INSIDE);
    for made in ["/proc", "/dev", "/"] {
        command.args(["--remount-ro", made]);
    }
    command.args(["--", INSIDE, STAGE, "init"]);
    command
}
