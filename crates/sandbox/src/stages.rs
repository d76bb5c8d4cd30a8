//! Stages: processes of this program between the caller of a trial and its command, and their
//! communication.

use std::io::{self, PipeReader, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};

use rustix::process::{Resource, Rlimit, Signal, setrlimit};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Exit;

/// The first argument of a stage; the second is its name.
pub(crate) const STAGE: &str = "__trial-stage";

/// Returns that the command's program could not be started.
pub(crate) fn not_started(program: &str, error: &io::Error) -> Exit {
    // The file exists, so it is a script whose interpreter is missing.
    let is_script = program.contains('/') && Path::new(program).exists();
    Exit::NotStarted {
        why: format!("`{program}`: {error}"),
        missing: error.kind() == io::ErrorKind::NotFound && !is_script,
    }
}

impl From<ExitStatus> for Exit {
    fn from(status: ExitStatus) -> Self {
        match (status.signal(), status.code()) {
            // The signal for a file larger than the total disk limit.
            (Some(signal), _) if signal == Signal::XFSZ.as_raw() => Self::Disk,
            (Some(signal), _) => Self::Signal(signal),
            (None, code) => Self::Code(code.unwrap_or(-1)),
        }
    }
}

pub(crate) struct Running {
    child: Child,
    /// Whether killing the child kills everything.
    takes_all: bool,
    /// Connection to the monitoring stage; it closes when the caller dies, which ends the trial.
    line: UnixStream,
    /// The output of the command.
    pub output: PipeReader,
}

impl Running {
    /// Starts the first stage, which receives messages on its standard input. `takes_all`: killing
    /// it, however it ends, ends everything.
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

    /// Kills everything, which also ends the output.
    pub fn kill(&mut self) {
        // Either is sufficient: killing the first stage kills everything, and the monitoring stage
        // ends when the connection closes.
        if self.takes_all {
            let _ = self.child.kill();
        }
        // Fails if it is already closed.
        let _ = self.line.shutdown(std::net::Shutdown::Both);
    }

    /// Waits for the last process and returns how the command ended.
    pub fn end(mut self) -> io::Result<Exit> {
        let mut told = String::new();
        let heard = self.line.read_to_string(&mut told);
        let status = self.child.wait()?;
        heard?;
        read_result(&told).unwrap_or_else(|_| {
            let why = format!("the sandbox ended without a word ({status})");
            Err(io::Error::other(why))
        })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
        let _ = self.child.wait();
    }
}

/// Returns a command that runs a stage of this program.
pub(crate) fn stage(program: &Path, name: &str) -> Command {
    let mut command = Command::new(program);
    command.args([STAGE, name]);
    command
}

/// Returns the stage's end of the connection, which is its standard input.
pub(crate) fn line() -> io::Result<UnixStream> {
    Ok(UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// Runs a stage, and sends how the command ended, or why the sandbox could not be set up.
pub(crate) fn run_stage(stage: impl FnOnce(&mut UnixStream) -> io::Result<Exit>) -> io::Result<()> {
    let mut line = line()?;
    let told = stage(&mut line).map_err(|error| error.to_string());
    Ok(serde_json::to_writer(&mut line, &told)?)
}

/// Reads what a stage sent at its end.
pub(crate) fn read_result(text: &str) -> io::Result<io::Result<Exit>> {
    let told: Result<Exit, String> = serde_json::from_str(text)?;
    Ok(told.map_err(io::Error::other))
}

/// Sets limits of this process, each no higher than it has already.
pub(crate) fn limit(limits: &[(Resource, u64)]) -> io::Result<()> {
    for (resource, most) in limits {
        let has = rustix::process::getrlimit(*resource).maximum;
        let most = Some(has.map_or(*most, |has| has.min(*most)));
        let limit = Rlimit {
            current: most,
            maximum: most,
        };
        setrlimit(*resource, limit)?;
    }
    Ok(())
}

pub(crate) fn send(line: &mut UnixStream, message: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_vec(message)?;
    line.write_all(&(text.len() as u64).to_le_bytes())?;
    line.write_all(&text)
}

/// Reads one message and nothing after it: the next stage reads the next message.
pub(crate) fn receive<T: DeserializeOwned>(line: &mut UnixStream) -> io::Result<T> {
    let mut length = [0; 8];
    line.read_exact(&mut length)?;
    let mut text = Vec::new();
    line.take(u64::from_le_bytes(length))
        .read_to_end(&mut text)?;
    Ok(serde_json::from_slice(&text)?)
}
