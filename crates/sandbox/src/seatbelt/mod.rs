//! A trial on macOS, in that system's sandbox.
//!
//! ```text
//! aitc ── hold ── sandbox-exec ──exec── confined ──exec── the command
//! ```
//!
//! `hold` monitors memory and processes, and kills the remaining ones when the command has ended or
//! the caller is gone. `confined` starts its own session, sets its limits and executes the command.
//! There are no views here: copy and home keep their real paths.
//!
//! It is compiled on every system, so that everything except the sandbox itself can be tested
//! without a Mac.

mod family;
mod profile;

use std::fs::Metadata;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Resource, WaitId, WaitIdOptions, setsid, waitid};
use serde::{Deserialize, Serialize};

use crate::readable::{CARGO, names_a_credential};
use crate::stages::{Running, limit, not_started, read_result, receive, run_stage, send, stage};
use crate::{Exit, Limits, Trial};
use family::Family;

#[derive(Debug, Serialize, Deserialize)]
struct Orders {
    program: PathBuf,
    stage: PathBuf,
    profile: String,
    command: Vec<String>,
    environment: Vec<(String, PathBuf)>,
    folder: PathBuf,
    limits: Limits,
}

/// Starts the trial in the sandbox of `program`, which is `sandbox-exec`.
pub(crate) fn start(program: &Path, trial: &Trial<'_>) -> io::Result<Running> {
    let copy = &trial.copy;
    // The sandbox would confine root too, but root has many rights that the profile does not
    // mention.
    if cfg!(target_os = "macos") && rustix::process::geteuid().is_root() {
        return Err(io::Error::other("not as root"));
    }
    for untracked in copy.untracked() {
        let (from, to) = (
            copy.root().join(&untracked.path),
            copy.tree().join(&untracked.path),
        );
        // A folder that is too large or cannot be read is left out.
        if clone(&from, &to, &mut Left::default()).is_err() {
            std::fs::remove_dir_all(&to)?;
            std::fs::create_dir(&to)?;
        }
    }
    let environment = link_caches(trial)?;
    let orders = Orders {
        program: program.to_owned(),
        stage: trial.means.stage.clone(),
        profile: profile::of(trial)?,
        command: trial.command.to_vec(),
        environment,
        folder: copy.tree(),
        limits: trial.limits.clone(),
    };
    let mut running = Running::start(stage(&trial.means.stage, "hold"), false)?;
    running.send(&orders)?;
    Ok(running)
}

/// Entries and bytes that the copy of an untracked folder may still have.
struct Left {
    entries: u64,
    bytes: u64,
}

impl Default for Left {
    fn default() -> Self {
        Self {
            entries: 200_000,
            bytes: 8 << 30,
        }
    }
}

impl Left {
    fn take(&mut self, about: &Metadata) -> io::Result<()> {
        let left = (
            self.entries.checked_sub(1),
            self.bytes.checked_sub(about.len()),
        );
        let (Some(entries), Some(bytes)) = left else {
            return Err(io::ErrorKind::FileTooLarge.into());
        };
        (self.entries, self.bytes) = (entries, bytes);
        Ok(())
    }
}

/// Copies a folder without masked files. Blocks are shared if the file system supports it.
fn clone(from: &Path, to: &Path, left: &mut Left) -> io::Result<()> {
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if names_a_credential(&path) {
            continue;
        }
        let about = entry.metadata()?;
        left.take(&about)?;
        if about.is_dir() {
            std::fs::create_dir(&to)?;
            clone(&path, &to, left)?;
        } else if about.is_symlink() {
            symlink(std::fs::read_link(&path)?, &to)?;
        } else if about.is_file() {
            std::fs::copy(&path, &to)?;
            let file = std::fs::File::options().append(true).open(&to);
            // A file that cannot be written keeps the time of the copy.
            if let Ok(file) = file {
                file.set_modified(about.modified()?)?;
            }
        }
    }
    Ok(())
}

/// Links caches into the home where tools look for them, and returns variables with their paths.
fn link_caches(trial: &Trial<'_>) -> io::Result<Vec<(String, PathBuf)>> {
    let (copy, readable) = (&trial.copy, trial.readable);
    let home = copy.part("home");
    for folder in readable.folders() {
        if let Ok(rest) = folder.strip_prefix(readable.home()) {
            link(folder, &home.join(rest))?;
        }
    }
    let mut moved = vec![("HOME", home), ("TMPDIR", copy.temporary())];
    if let Some(cargo) = readable.cargo() {
        let own = copy.part("cargo");
        for part in CARGO.iter().filter(|it| cargo.join(it).is_dir()) {
            link(&cargo.join(part), &own.join(part))?;
        }
        moved.push(("CARGO_HOME", own));
    }
    let mut environment = readable.environment()?;
    for (name, value) in &mut environment {
        if let Some((_, to)) = moved.iter().find(|(moved, _)| moved == name) {
            value.clone_from(to);
        }
    }
    Ok(environment)
}

fn link(to: &Path, at: &Path) -> io::Result<()> {
    if let Some(folder) = at.parent() {
        std::fs::create_dir_all(folder)?;
    }
    symlink(to, at)
}

/// Runs the stage of this name, if it is one of these.
pub(crate) fn run(name: &str) -> Option<io::Result<()>> {
    match name {
        "hold" => Some(run_stage(hold)),
        "confined" => Some(run_stage(confined)),
        _ => None,
    }
}

fn hold(line: &mut UnixStream) -> io::Result<Exit> {
    let orders: Orders = receive(line)?;
    let (mut ours, theirs) = UnixStream::pair()?;
    let inner = stage(&orders.stage, "confined");
    // Dropping the command closes this process's copy of the child's end of the socket.
    let mut child = Command::new(&orders.program)
        .arg("-p")
        .arg(&orders.profile)
        .arg(&orders.stage)
        .args(inner.get_args())
        .env_clear()
        .stdin(OwnedFd::from(theirs))
        .spawn()?;
    let mut family = Family::of(child.id());
    let passed =
        send(&mut ours, &orders).and_then(|()| watch(&orders.limits, line, &child, &mut family));
    // The command is waited for last: until then its process id cannot be reused.
    family.end()?;
    let status = child.wait()?;
    if let Some(told) = passed? {
        return Ok(told);
    }
    let mut why = String::new();
    ours.read_to_string(&mut why)?;
    match why.is_empty() {
        true => Ok(status.into()),
        false => read_result(&why)?,
    }
}

/// Interval at which the socket and the command are checked, and the number of ticks between checks
/// of all processes.
const TICK: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 50_000_000,
};
const LOOK: Duration = Duration::from_millis(250);

/// Waits until the command ends or exceeds a limit.
fn watch(
    limits: &Limits,
    line: &UnixStream,
    child: &Child,
    family: &mut Family,
) -> io::Result<Option<Exit>> {
    let ended = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let mut looked = Instant::now();
    loop {
        let mut fds = [PollFd::from_borrowed_fd(line.as_fd(), PollFlags::IN)];
        poll(&mut fds, Some(&TICK))?;
        if !fds[0].revents().is_empty() {
            return Err(io::Error::other("whoever started the trial is gone"));
        } else if waitid(WaitId::Pid(Pid::from_child(child)), ended)?.is_some() {
            return Ok(None);
        } else if looked.elapsed() >= LOOK {
            let used = family.look()?;
            looked = Instant::now();
            if used.memory > limits.memory {
                return Ok(Some(Exit::Memory));
            } else if used.processes > limits.processes {
                return Ok(Some(Exit::Processes));
            }
        }
    }
}

/// Executes the command; returns the error if that fails.
fn confined(line: &mut UnixStream) -> io::Result<Exit> {
    let orders: Orders = receive(line)?;
    setsid()?;
    limit(&[
        (Resource::Core, 0),
        (Resource::Fsize, orders.limits.disk),
        (Resource::Nofile, 8192),
    ])?;
    let error = Command::new(&orders.command[0])
        .args(&orders.command[1..])
        .env_clear()
        .envs(orders.environment.iter().map(|(name, value)| (name, value)))
        .current_dir(&orders.folder)
        .stdin(Stdio::null())
        .exec();
    Ok(not_started(&orders.command[0], &error))
}
