//! The sandboxes available on this machine.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::{Copies, Exit, Limits, Readable, TreeCopy, Trial, TrialResult, run};

/// How trials are confined on this machine; verified by a trial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Means {
    /// The mechanism that isolates a trial.
    pub wall: Wall,
    /// The program that runs the inner stages.
    pub(crate) stage: PathBuf,
}

/// The mechanism that isolates a trial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wall {
    /// Bubblewrap, the program at this path.
    Bubblewrap(PathBuf),
    /// Namespaces created by this crate.
    Namespaces,
    /// The macOS sandbox, started by `sandbox-exec` at this path.
    SandboxExec(PathBuf),
}

impl fmt::Display for Wall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bubblewrap(program) => write!(f, "bubblewrap ({})", program.display()),
            Self::Namespaces => f.write_str("namespaces"),
            Self::SandboxExec(program) => write!(f, "{}", program.display()),
        }
    }
}

/// Why trials cannot run on this machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    /// Trials do not run on this system.
    #[error("trials run on Linux and macOS only")]
    System,
    /// The mechanisms that were tried, and their errors.
    #[error("{0}")]
    Refused(String),
}

/// Finds the sandbox of this machine and verifies it with a harmless trial in a temporary folder.
///
/// # Errors
/// No sandbox works.
pub fn means() -> Result<Means, Missing> {
    let stage = std::env::current_exe().map_err(|error| Missing::Refused(error.to_string()))?;
    means_through(&stage)
}

/// As [`means`], with another program that calls [`crate::inner_main`] first.
///
/// # Errors
/// As [`means`].
pub fn means_through(stage: &Path) -> Result<Means, Missing> {
    let walls = walls();
    if walls.is_empty() {
        return Err(Missing::System);
    }
    let mut tried = Vec::new();
    for wall in walls {
        match wall.prove(stage) {
            Ok(means) => return Ok(means),
            Err(why) => tried.push(format!("{wall}: {why}")),
        }
    }
    Err(Missing::Refused(tried.join("; ")))
}

/// Our own namespaces come first, because there a trial can write over dependencies and build
/// results (the changes go to its copy), while bubblewrap can only forbid it. Some distributions
/// allow only bubblewrap to create user namespaces; root needs neither.
fn walls() -> Vec<Wall> {
    if cfg!(target_os = "macos") {
        return vec![Wall::SandboxExec("/usr/bin/sandbox-exec".into())];
    } else if cfg!(not(target_os = "linux")) {
        return Vec::new();
    }
    let bubblewrap = ["/usr/bin/bwrap", "/usr/local/bin/bwrap"]
        .into_iter()
        .map(PathBuf::from)
        .filter(|it| it.is_file() && !rustix::process::geteuid().is_root());
    let mut walls = vec![Wall::Namespaces];
    walls.extend(bubblewrap.map(Wall::Bubblewrap));
    walls
}

/// Writes in the copy, fails to write in the system and to read beside the tree, and sees no
/// network but its own.
const HARMLESS: &str = "echo ok > proof && ! (: > /usr/aitc-proof) 2>/dev/null && \
    ! cat \"$0\" 2>/dev/null && \
    { test ! -e /proc/net/dev || test \"$(grep -c : /proc/net/dev)\" = 1; } && cat proof";

impl Wall {
    /// Verifies the mechanism with a harmless trial, using the stages of `stage`, a program that
    /// calls [`crate::inner_main`] first.
    ///
    /// # Errors
    /// Why it does not work on this machine.
    pub fn prove(&self, stage: &Path) -> Result<Means, String> {
        let means = Means {
            wall: self.clone(),
            stage: stage.to_owned(),
        };
        let ended = try_once(&means).map_err(|error| error.to_string())?;
        match ended.exit {
            Exit::Code(0) if ended.head == "ok\n" => Ok(means),
            exit => Err(format!("{exit:?} {}", ended.head.trim())),
        }
    }
}

fn try_once(means: &Means) -> Result<TrialResult, Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let copies = Copies::open(&folder.path().join("copies"))?;
    let tree = folder.path().join("tree");
    std::fs::create_dir(&tree)?;
    let beside = folder.path().join("beside");
    std::fs::write(&beside, "private")?;
    let trial = Trial {
        copy: TreeCopy::new(&copies, &tree, &[], &[])?,
        command: &["/bin/sh", "-c", HARMLESS, &beside.to_string_lossy()].map(str::to_owned),
        limits: &Limits {
            time: Duration::from_secs(20),
            ..Limits::default()
        },
        readable: &Readable::detect(&[]),
        means,
    };
    Ok(run(trial, &AtomicBool::new(false))?)
}
