//! Runs a program, with all processes that it starts, to its end.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};

use crate::edge::model::sse::MAX_STREAM;

/// Maximum number of bytes kept from the end of standard error.
const MAX_STDERR: usize = 16 << 10;

/// Interval for checking whether the program has stopped.
const GLANCE: Duration = Duration::from_millis(500);

/// The program to start, and its folder.
pub(super) struct CommandSpec {
    pub(super) argv: Vec<String>,
    /// Variables in addition to those of this process.
    pub(super) variables: Vec<(String, String)>,
    pub(super) folder: PathBuf,
}

pub(super) struct ProcessOutput {
    pub(super) status: ExitStatus,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
}

/// Why a program has no result.
pub(super) enum ProcessFailure {
    Start(io::Error),
    /// Its output could not be read.
    Io(io::Error),
    /// It stopped, as a program does that reads from the terminal in the background.
    Asks,
    /// It printed more than this number of bytes.
    TooLarge(usize),
}

/// Runs a program to its end. Dropping the future kills it, with everything it started.
pub(super) async fn run(
    program: &CommandSpec,
    prompt: &str,
) -> Result<ProcessOutput, ProcessFailure> {
    let mut child = start(program).map_err(ProcessFailure::Start)?;
    let group = Group::of(&child);
    tokio::select! {
        ended = to_its_end(&mut child, &group, prompt) => ended,
        () = group.stops() => Err(ProcessFailure::Asks),
    }
}

async fn to_its_end(
    child: &mut Child,
    group: &Group,
    prompt: &str,
) -> Result<ProcessOutput, ProcessFailure> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let write = async {
        if let Some(mut stdin) = stdin {
            // A program may not need the whole prompt, so write errors are ignored.
            let _ = stdin.write_all(prompt.as_bytes()).await;
            let _ = stdin.shutdown().await;
        }
    };
    let read = async {
        let read = read_all(stdout).await;
        if read.is_err() {
            group.kill();
        }
        read
    };
    let wait = async {
        let status = child.wait().await;
        // Remaining processes would keep the pipes open.
        group.kill();
        group.forget();
        status
    };
    let ((), stdout, stderr, status) = tokio::join!(write, read, last(stderr), wait);
    Ok(ProcessOutput {
        stdout: stdout?,
        stderr,
        status: status.map_err(ProcessFailure::Io)?,
    })
}

fn start(wanted: &CommandSpec) -> io::Result<Child> {
    let (program, arguments) = wanted
        .argv
        .split_first()
        .ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(&wanted.folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("AITC_") {
            command.env_remove(name);
        }
    }
    // Some programs use this variable instead of asking the system.
    command.env("PWD", &wanted.folder).env_remove("OLDPWD");
    let variables = wanted.variables.iter();
    command.envs(variables.map(|(name, value)| (name, value)));
    command.process_group(0);
    command.spawn()
}

/// Reads everything, up to the maximum size of an answer.
async fn read_all(stream: Option<impl AsyncRead + Unpin>) -> Result<Vec<u8>, ProcessFailure> {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        let mut capped = stream.take(MAX_STREAM as u64 + 1);
        capped
            .read_to_end(&mut bytes)
            .await
            .map_err(ProcessFailure::Io)?;
    }
    if bytes.len() > MAX_STREAM {
        return Err(ProcessFailure::TooLarge(MAX_STREAM));
    }
    Ok(bytes)
}

/// Reads everything and keeps only the end.
async fn last(stream: Option<impl AsyncRead + Unpin>) -> Vec<u8> {
    let mut kept = Vec::new();
    let Some(mut stream) = stream else {
        return kept;
    };
    let mut piece = vec![0; 8 << 10];
    while let Ok(count @ 1..) = stream.read(&mut piece).await {
        kept.extend_from_slice(&piece[..count]);
        if kept.len() > 2 * MAX_STDERR {
            kept.drain(..kept.len() - MAX_STDERR);
        }
    }
    kept
}

/// The process group of a program; killed if it is dropped before the program has ended.
struct Group {
    leader: Option<rustix::process::Pid>,
    is_over: AtomicBool,
}

impl Group {
    fn of(child: &Child) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        Self {
            leader: id.and_then(rustix::process::Pid::from_raw),
            is_over: AtomicBool::new(false),
        }
    }

    fn kill(&self) {
        if let Some(leader) = self.leader
            && !self.is_over.load(Ordering::Relaxed)
        {
            // Fails if the group is empty, which is fine.
            let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::KILL);
        }
    }

    /// Completes when the program has stopped: it reads from the terminal in the background, and
    /// would only continue if the user brought it to the foreground.
    async fn stops(&self) {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let Some(leader) = self.leader else {
            return std::future::pending().await;
        };
        let options = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        loop {
            tokio::time::sleep(GLANCE).await;
            let seen = waitid(WaitId::Pid(leader), options);
            if seen.is_ok_and(|seen| seen.is_some_and(|it| it.stopped())) {
                return;
            }
        }
    }

    /// Marks the group as ended; its id may soon be reused.
    fn forget(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

/// An empty folder in which a program is started; removed when dropped.
pub(super) fn empty_folder() -> io::Result<TempDir> {
    let mode = Permissions::from_mode(0o700);
    let mut folder = tempfile::Builder::new();
    folder.prefix("aitc-").permissions(mode).tempdir()
}
