//! A trial on macOS, behind the sandbox of that system.
//!
//! ```text
//! aitc ── hold ── sandbox-exec ──exec── confined ──exec── the command
//! ```
//!
//! `hold` watches memory and processes, and ends what is left when the command has ended or
//! nobody listens any more. `confined` begins a session of its own, limits itself and becomes
//! the command. There are no views here: the copy stands where it stands, and so does the home.
//!
//! It is compiled on every system, so that all but the walls can be tried without a Mac.

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
use rustix::process::{Pid, Resource, Rlimit, WaitId, WaitIdOptions, setrlimit, setsid, waitid};
use serde::{Deserialize, Serialize};

use crate::readable::{CARGO, names_a_credential};
use crate::stages::{Running, Told, line, receive, send, stage};
use crate::{Bounds, Trial};
use family::Family;

/// Everything the stages have to know.
#[derive(Debug, Serialize, Deserialize)]
struct Orders {
    program: PathBuf,
    stage: PathBuf,
    profile: String,
    command: Vec<String>,
    environment: Vec<(String, PathBuf)>,
    folder: PathBuf,
    bounds: Bounds,
}

/// Starts the trial, confined by `program`, which is `sandbox-exec`.
pub(crate) fn start(program: &Path, trial: &Trial<'_>) -> io::Result<Running> {
    let copy = &trial.copy;
    // Root is held by the same walls, and much that they do not speak of is root's.
    if cfg!(target_os = "macos") && rustix::process::geteuid().is_root() {
        return Err(io::Error::other("not as root"));
    }
    for beside in copy.beside() {
        let (from, to) = (
            copy.root().join(&beside.path),
            copy.tree().join(&beside.path),
        );
        // What is too large, or cannot be read, is not there.
        if clone(&from, &to, &mut Left::default()).is_err() {
            std::fs::remove_dir_all(&to)?;
            std::fs::create_dir(&to)?;
        }
    }
    let environment = furnish(trial)?;
    let orders = Orders {
        program: program.to_owned(),
        stage: trial.means.stage.clone(),
        profile: profile::of(trial)?,
        command: trial.command.to_vec(),
        environment,
        folder: copy.tree(),
        bounds: trial.bounds.clone(),
    };
    let mut running = Running::start(stage(&trial.means.stage, "hold"), false)?;
    running.send(&orders)?;
    Ok(running)
}

/// Entries and bytes a folder beside the tracked files may have still.
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

/// Copies a folder, without what is masked. Blocks are shared where the file system can.
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
            // One that may not be written keeps the time of the copy.
            if let Ok(file) = file {
                file.set_modified(about.modified()?)?;
            }
        }
    }
    Ok(())
}

/// Puts links to caches where tools look for them in a home, and tells where that is.
fn furnish(trial: &Trial<'_>) -> io::Result<Vec<(String, PathBuf)>> {
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

/// The stage of this name, if it is one of these.
pub(crate) fn run(name: &str) -> Option<io::Result<()>> {
    match name {
        "hold" => Some(tell(hold)),
        "confined" => Some(tell(confined)),
        _ => None,
    }
}

fn tell(stage: impl FnOnce(&mut UnixStream) -> io::Result<Told>) -> io::Result<()> {
    let mut line = line()?;
    let told = stage(&mut line).unwrap_or_else(|error| Told::Failed(error.to_string()));
    Ok(serde_json::to_writer(&mut line, &told)?)
}

fn hold(line: &mut UnixStream) -> io::Result<Told> {
    let orders: Orders = receive(line)?;
    let (mut ours, theirs) = UnixStream::pair()?;
    let inner = stage(&orders.stage, "confined");
    // The end of the line that is theirs closes here with the command that is dropped.
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
        send(&mut ours, &orders).and_then(|()| watch(&orders.bounds, line, &child, &mut family));
    // The command is waited for last: as long as it is not, nobody has its number.
    family.end()?;
    let status = child.wait()?;
    if let Some(told) = passed? {
        return Ok(told);
    }
    let mut why = String::new();
    ours.read_to_string(&mut why)?;
    match why.is_empty() {
        true => Ok(status.into()),
        false => Ok(serde_json::from_str(&why)?),
    }
}

/// How often the line and the command are looked at, and how often all processes are.
const TICK: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 50_000_000,
};
const LOOK: Duration = Duration::from_millis(250);

/// Waits for the end of the command, or for what it must not do.
fn watch(
    bounds: &Bounds,
    line: &UnixStream,
    child: &Child,
    family: &mut Family,
) -> io::Result<Option<Told>> {
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
            if used.memory > bounds.memory {
                return Ok(Some(Told::Memory));
            } else if used.processes > bounds.processes {
                return Ok(Some(Told::Processes));
            }
        }
    }
}

/// Becomes the command; says why not.
fn confined(line: &mut UnixStream) -> io::Result<Told> {
    let orders: Orders = receive(line)?;
    setsid()?;
    for (resource, most) in [
        (Resource::Core, 0),
        (Resource::Fsize, orders.bounds.disk),
        (Resource::Nofile, 8192),
    ] {
        let has = rustix::process::getrlimit(resource).maximum;
        let most = Some(has.map_or(most, |has| has.min(most)));
        let limit = Rlimit {
            current: most,
            maximum: most,
        };
        setrlimit(resource, limit)?;
    }
    let error = Command::new(&orders.command[0])
        .args(&orders.command[1..])
        .env_clear()
        .envs(orders.environment.iter().map(|(name, value)| (name, value)))
        .current_dir(&orders.folder)
        .stdin(Stdio::null())
        .exec();
    Ok(Told::not_started(&orders.command[0], &error))
}
