//! Stages: processes of this program that stand between whoever runs a trial and its command,
//! and how they speak with one another.

use std::io::{self, PipeReader, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitCode, ExitStatus};

use rustix::process::Signal;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Exit;

/// The first argument of a process that is a stage; the second says which.
pub(crate) const STAGE: &str = "__trial-stage";

/// What a stage tells at the end.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Told {
    /// The sandbox could not be set up.
    Failed(String),
    NotStarted {
        why: String,
        missing: bool,
    },
    Code(i32),
    Signal(i32),
    Memory,
    Processes,
    Disk,
}

impl Told {
    /// This program could not be started.
    pub fn not_started(program: &str, error: &io::Error) -> Self {
        // A script is there whose interpreter is not.
        let is_script = program.contains('/') && Path::new(program).exists();
        Self::NotStarted {
            why: format!("`{program}`: {error}"),
            missing: error.kind() == io::ErrorKind::NotFound && !is_script,
        }
    }
}

impl From<ExitStatus> for Told {
    fn from(status: ExitStatus) -> Self {
        match (status.signal(), status.code()) {
            // What a file larger than all that may be written brings.
            (Some(signal), _) if signal == Signal::XFSZ.as_raw() => Self::Disk,
            (Some(signal), _) => Self::Signal(signal),
            (None, code) => Self::Code(code.unwrap_or(-1)),
        }
    }
}

/// A trial that runs.
pub(crate) struct Running {
    child: Child,
    /// Does everything end with the child?
    takes_all: bool,
    /// Its end, held by the stage that watches too, is what says that whoever runs the trial
    /// is alive.
    line: UnixStream,
    /// What the command prints.
    pub output: PipeReader,
}

impl Running {
    /// Starts the first stage, which hears what is sent over its standard input. `takes_all`:
    /// everything ends with it, however it ends.
    pub fn start(mut command: Command, takes_all: bool) -> io::Result<Self> {
        let (line, theirs) = UnixStream::pair()?;
        let (read, write) = io::pipe()?;
        rustix::io::ioctl_fionbio(&read, true)?;
        let child = command
            .env_clear()
            .current_dir("/")
            .stdin(OwnedFd::from(theirs))
            .stdout(write.try_clone()?)
            .stderr(write)
            .spawn()?;
        Ok(Self {
            child,
            takes_all,
            line,
            output: read,
        })
    }

    pub fn send(&mut self, message: &impl Serialize) -> io::Result<()> {
        send(&mut self.line, message)
    }

    /// Ends everything; its output ends then too.
    pub fn kill(&mut self) {
        // Either is enough where both are done: the first stage takes all with it, and the one
        // that watches hears that nobody listens.
        if self.takes_all {
            let _ = self.child.kill();
        }
        // One that is closed already has been heard of.
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
            Ok(Told::NotStarted { why, missing }) => Ok(Exit::NotStarted { why, missing }),
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
pub(crate) fn stage(program: &Path, name: &str) -> Command {
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
    let name = arguments.next()?;
    let name = name.to_str()?;
    #[cfg(target_os = "linux")]
    let done = crate::linux::run(name).or_else(|| crate::seatbelt::run(name))?;
    #[cfg(not(target_os = "linux"))]
    let done = crate::seatbelt::run(name)?;
    Some(match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    })
}

/// The other end of the line: what stages have as standard input.
pub(crate) fn line() -> io::Result<UnixStream> {
    Ok(UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?))
}

pub(crate) fn send(line: &mut UnixStream, message: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_vec(message)?;
    line.write_all(&(text.len() as u64).to_le_bytes())?;
    line.write_all(&text)
}

/// Reads one message and not a byte beyond it: the next stage reads the next one.
pub(crate) fn receive<T: DeserializeOwned>(line: &mut UnixStream) -> io::Result<T> {
    let mut length = [0; 8];
    line.read_exact(&mut length)?;
    let mut text = Vec::new();
    line.take(u64::from_le_bytes(length))
        .read_to_end(&mut text)?;
    Ok(serde_json::from_slice(&text)?)
}
