//! A trial on Linux: the stages, and how they communicate with the process that runs the trial.
//!
//! ```text
//! aitc ── enclose ── init (1) ── enter ──exec── the command
//!      └─ bwrap ──── init (1) ── enter ──exec── the command
//! ```
//!
//! `enclose` leaves the namespaces of the machine; if bubblewrap is used, it does that. `init` is
//! process 1 of the new PID namespace: it builds the view (unless bubblewrap has), monitors memory
//! and processes, and its end ends all others. `enter` gives up all privileges, sets up Landlock
//! and seccomp, and executes the command. All stages are this program again; each receives its
//! orders on standard input.

mod bwrap;
mod enclose;
mod enter;
mod idmap;
mod init;
mod usage;
mod view;
mod walls;

use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::stages::{Running, STAGE, line, receive, send, stage};
use crate::view::ViewEntry;
use crate::{Limits, Trial, Wall};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Orders {
    /// The process that runs the trial.
    parent: i32,
    /// Whether to build the namespaces and the view; otherwise bubblewrap has done it.
    build: bool,
    /// Whether to use a user namespace: an ordinary user has no privileges without one.
    as_user: bool,
    /// User and group that run the command, if they differ from the caller's.
    run_as: Option<(u32, u32)>,
    /// An empty folder to build the view on.
    base: PathBuf,
    view: Vec<(PathBuf, ViewEntry)>,
    command: Vec<String>,
    environment: Vec<(String, PathBuf)>,
    folder: PathBuf,
    limits: Limits,
}

pub(crate) fn start(trial: &Trial<'_>) -> io::Result<Running> {
    let orders = orders(trial)?;
    let command = match &trial.means.wall {
        Wall::Bubblewrap(program) => bwrap::command(program, &trial.means.stage, &orders),
        _ => stage(&trial.means.stage, "enclose"),
    };
    let mut running = Running::start(command, true)?;
    if orders.build {
        running.send(&orders)?;
    }
    running.send(&orders)?;
    Ok(running)
}

/// Runs the stage of this name, if it is one of these.
pub(crate) fn run(name: &str) -> Option<io::Result<()>> {
    match name {
        "enclose" => Some(enclose::run()),
        "init" => Some(init::run()),
        "enter" => Some(enter::run()),
        "idmap" => Some(idmap::run()),
        _ => None,
    }
}

const NOBODY: u32 = 65534;

fn orders(trial: &Trial<'_>) -> io::Result<Orders> {
    let copy = &trial.copy;
    let root_user = rustix::process::geteuid().is_root();
    // In a user namespace without `nobody`, root has no more privileges than any user.
    let run_as = (root_user && knows_nobody()).then_some((NOBODY, NOBODY));
    if run_as.is_some() {
        copy.chown_to(NOBODY, NOBODY)?;
    }
    Ok(Orders {
        parent: rustix::process::getpid().as_raw_pid(),
        build: matches!(trial.means.wall, Wall::Namespaces),
        as_user: run_as.is_none(),
        run_as,
        base: copy.part("root"),
        view: crate::view::of(copy, trial.readable, run_as.is_some()),
        command: trial.command.to_vec(),
        environment: trial.readable.environment()?,
        folder: copy.root().to_owned(),
        limits: trial.limits.clone(),
    })
}

fn knows_nobody() -> bool {
    let map = std::fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    map.lines().any(|line| {
        let mut numbers = line.split_whitespace().map(str::parse::<u64>);
        let (Some(Ok(first)), Some(Ok(_)), Some(Ok(many))) =
            (numbers.next(), numbers.next(), numbers.next())
        else {
            return false;
        };
        (first..first.saturating_add(many)).contains(&u64::from(NOBODY))
    })
}
