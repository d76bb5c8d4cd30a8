//! A trial on Linux: the stages, and how they speak with whoever runs the trial.
//!
//! ```text
//! aitc ── enclose ── init (1) ── enter ──exec── the command
//!      └─ bwrap ──── init (1) ── enter ──exec── the command
//! ```
//!
//! `enclose` leaves the namespaces of the machine; bubblewrap does the same where it is used.
//! `init` is process 1 of the new one: it builds the view (unless bubblewrap has), watches
//! memory and processes, and when it ends everything ends. `enter` gives up all rights, puts
//! up the second walls and becomes the command. All are this program once more, each told
//! what to do over its standard input.

mod bwrap;
mod enclose;
mod enter;
mod idmap;
mod init;
mod used;
mod view;
mod walls;

use std::io::{self, PipeReader, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::view::{Shown, View};
use crate::{Bounds, Exit, Trial, Wall};

/// The first argument of a process that is a stage; the second says which.
const STAGE: &str = "__trial-stage";

/// Everything the stages have to know.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Orders {
    /// The process that runs the trial.
    parent: i32,
    /// Build the namespaces and the view; bubblewrap has done it otherwise.
    build: bool,
    /// Use a user namespace: an ordinary user has no rights without.
    as_user: bool,
    /// Whom the command runs as, where it is not whoever started it.
    run_as: Option<(u32, u32)>,
    /// An empty folder to build the view on.
    base: PathBuf,
    view: View,
    command: Vec<String>,
    environment: Vec<(String, PathBuf)>,
    folder: PathBuf,
    bounds: Bounds,
    /// Threads of the user outside, where the kernel counts them in.
    threads: u64,
}

/// What `init` tells at the end.
#[derive(Debug, Serialize, Deserialize)]
enum Told {
    /// The sandbox could not be set up.
    Failed(String),
    NotStarted(String),
    Code(i32),
    Signal(i32),
    Memory,
    Processes,
    Disk,
}

/// A trial that runs.
pub(crate) struct Running {
    child: Child,
    /// Its end, held by `init` too, is what says that whoever runs the trial is alive.
    line: UnixStream,
    /// What the command prints.
    pub output: PipeReader,
}

/// Starts the trial.
pub(crate) fn start(trial: &Trial<'_>) -> io::Result<Running> {
    let orders = orders(trial)?;
    let (line, theirs) = UnixStream::pair()?;
    let (read, write) = io::pipe()?;
    rustix::io::ioctl_fionbio(&read, true)?;
    let mut command = match &trial.means.wall {
        Wall::Namespaces => stage(&trial.means.stage, "enclose"),
        Wall::Bubblewrap(program) => bwrap::command(program, &trial.means.stage, &orders),
    };
    let child = command
        .env_clear()
        .current_dir("/")
        .stdin(OwnedFd::from(theirs))
        .stdout(write.try_clone()?)
        .stderr(write)
        .spawn()?;
    drop(command);
    let mut running = Running {
        child,
        line,
        output: read,
    };
    if orders.build {
        send(&mut running.line, &orders)?;
    }
    send(&mut running.line, &orders)?;
    Ok(running)
}

impl Running {
    /// Ends everything; its output ends then too.
    pub fn kill(&mut self) {
        // Either is enough: the first stage takes `init` with it, and `init` hears that
        // nobody listens.
        let _ = self.child.kill();
        let _ = self.line.shutdown(std::net::Shutdown::Both);
    }

    /// Waits for the last process and says how the command ended.
    pub fn end(mut self) -> io::Result<Exit> {
        let mut told = String::new();
        let heard = self.line.read_to_string(&mut told);
        let status = self.child.wait()?;
        heard?;
        match serde_json::from_str(&told) {
            Ok(Told::Failed(why)) => Err(io::Error::other(why)),
            Ok(Told::NotStarted(why)) => Ok(Exit::NotStarted(why)),
            Ok(Told::Code(code)) => Ok(Exit::Code(code)),
            Ok(Told::Signal(signal)) => Ok(Exit::Signal(signal)),
            Ok(Told::Memory) => Ok(Exit::Memory),
            Ok(Told::Processes) => Ok(Exit::Processes),
            Ok(Told::Disk) => Ok(Exit::Disk),
            Err(_) => Err(io::Error::other(format!(
                "the sandbox ended without a word ({status})"
            ))),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
        let _ = self.child.wait();
    }
}

/// This program as one of the stages.
fn stage(program: &Path, name: &str) -> Command {
    let mut command = Command::new(program);
    command.args([STAGE, name]);
    command
}

/// See [`crate::inner_main`].
pub(crate) fn inner_main() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != STAGE {
        return None;
    }
    // What was open when the program was started is not for a trial.
    close_fds::set_fds_cloexec(3, &[]);
    let done = match arguments.next()?.to_str()? {
        "enclose" => enclose::run(),
        "init" => init::run(),
        "enter" => enter::run(),
        "idmap" => idmap::run(),
        _ => return None,
    };
    Some(if done.is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The other end of the line: what stages have as standard input.
fn line() -> io::Result<UnixStream> {
    use std::os::fd::AsFd;
    Ok(UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?))
}

fn send(line: &mut UnixStream, message: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_vec(message)?;
    line.write_all(&(text.len() as u64).to_le_bytes())?;
    line.write_all(&text)
}

/// Reads one message and not a byte beyond it: the next stage reads the next one.
fn receive<T: DeserializeOwned>(line: &mut UnixStream) -> io::Result<T> {
    let mut length = [0; 8];
    line.read_exact(&mut length)?;
    let mut text = Vec::new();
    line.take(u64::from_le_bytes(length))
        .read_to_end(&mut text)?;
    Ok(serde_json::from_slice(&text)?)
}

/// The user and group `nobody`.
const NOBODY: u32 = 65534;

fn orders(trial: &Trial<'_>) -> io::Result<Orders> {
    let copy = &trial.copy;
    let root_user = rustix::process::geteuid().is_root();
    // In a namespace that knows no such user, root is a user like any other.
    let run_as = (root_user && knows_nobody()).then_some((NOBODY, NOBODY));
    if run_as.is_some() {
        copy.give_to(NOBODY, NOBODY)?;
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
        bounds: trial.bounds.clone(),
        threads: threads_counted_in()?,
    })
}

/// Threads of the user outside: before Linux 5.14 they count against the bound of a trial.
fn threads_counted_in() -> io::Result<u64> {
    let system = rustix::system::uname();
    let release = system.release().to_string_lossy();
    let mut numbers = release.split(['.', '-']).map(|it| it.parse().unwrap_or(0));
    if (numbers.next(), numbers.next()) >= (Some(5), Some(14)) {
        return Ok(0);
    }
    let own = rustix::process::geteuid().as_raw();
    let mut threads = 0;
    for entry in std::fs::read_dir("/proc")? {
        let path = entry?.path();
        if path.metadata().is_ok_and(|it| it.uid() == own) {
            threads += std::fs::read_dir(path.join("task")).map_or(0, Iterator::count) as u64;
        }
    }
    Ok(threads)
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
