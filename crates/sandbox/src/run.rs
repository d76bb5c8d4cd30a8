//! Runs a trial from start to end.

use std::io::{self, Read};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::disk::Disk;
use crate::output::Output;
use crate::stages::Running;
use crate::{Exit, Limits, Means, Readable, TreeCopy, TrialResult, Wall};

/// A command to run in a copy.
#[derive(Debug)]
pub struct Trial<'a> {
    /// The copy it runs in; removed afterwards.
    pub copy: TreeCopy,
    /// Program and arguments, without a shell. The working directory is the root of the copy.
    pub command: &'a [String],
    /// Its resource limits.
    pub limits: &'a Limits,
    /// What it may read besides the copy.
    pub readable: &'a Readable,
    /// How it is confined.
    pub means: &'a Means,
}

/// Interval at which stop, time and disk are checked.
const TICK: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 50_000_000,
};

/// Maximum time to wait for the output of killed processes.
const GRACE: Duration = Duration::from_secs(10);

/// Runs the command and waits for its end; setting `stop` ends it early. On return, every process
/// that the command started has ended, and the copy is removed.
///
/// # Errors
/// The sandbox could not be set up, and the command has not run. A command that could not be
/// started, or failed, is reported as [`TrialResult`].
pub fn run(trial: Trial<'_>, stop: &AtomicBool) -> io::Result<TrialResult> {
    if trial.command.is_empty() {
        let why = "no command is given".to_owned();
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    let limits = trial.limits;
    let mut disk = Disk::watch(&trial.copy, limits.disk)?;
    let mut running = start(&trial)?;
    let begun = Instant::now();
    let mut output = Output::new(limits.kept);
    let mut ours = None;
    let mut over = None;
    loop {
        wait(&running)?;
        let open = drain(&mut running, &mut output, limits.output)?;
        if !open || over.is_some_and(|at: Instant| at.elapsed() > GRACE) {
            break;
        }
        let passed = if stop.load(Ordering::Relaxed) {
            Some(Exit::Stopped)
        } else if output.seen > limits.output {
            Some(Exit::Output)
        } else if begun.elapsed() > limits.time {
            Some(Exit::Time)
        } else if disk.is_over()? {
            Some(Exit::Disk)
        } else {
            None
        };
        if ours.is_none() && passed.is_some() {
            ours = passed;
            over = Some(Instant::now());
            running.kill();
        }
    }
    let took = begun.elapsed();
    let told = running.end();
    let exit = match ours {
        Some(exit) => exit,
        None => told?,
    };
    let (head, tail, left_out) = output.parts();
    Ok(TrialResult {
        exit,
        head,
        tail,
        left_out,
        took,
    })
}

fn start(trial: &Trial<'_>) -> io::Result<Running> {
    match &trial.means.wall {
        Wall::SandboxExec(program) => crate::seatbelt::start(program, trial),
        #[cfg(target_os = "linux")]
        _ => crate::linux::start(trial),
        #[cfg(not(target_os = "linux"))]
        _ => Err(io::ErrorKind::Unsupported.into()),
    }
}

fn wait(running: &Running) -> io::Result<()> {
    let mut fds = [PollFd::from_borrowed_fd(
        running.output.as_fd(),
        PollFlags::IN,
    )];
    match poll(&mut fds, Some(&TICK)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(other) => Err(other.into()),
    }
}

/// Reads available output, at most a mebibyte at a time; returns whether more may come.
fn drain(running: &mut Running, output: &mut Output, most: u64) -> io::Result<bool> {
    let mut piece = [0; 64 << 10];
    for _ in 0..16 {
        match running.output.read(&mut piece) {
            Ok(0) => return Ok(false),
            Ok(n) => output.push(&piece[..n]),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        if output.seen > most {
            break;
        }
    }
    Ok(true)
}
