//! What this machine can do.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::{Bounds, Copies, Ended, Exit, Readable, TreeCopy, Trial, run};

/// How trials are confined on this machine; a trial has shown that it works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Means {
    /// What keeps the machine away from a trial.
    pub wall: Wall,
    /// The program that is its own inner stage.
    pub(crate) stage: PathBuf,
}

/// What keeps the machine away from a trial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wall {
    /// Bubblewrap, the program at this path.
    Bubblewrap(PathBuf),
    /// Namespaces of our own.
    Namespaces,
    /// The sandbox of macOS, put up by `sandbox-exec` at this path.
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

/// Why no trial can run on this machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Missing {
    /// This system is none that trials run on.
    #[error("trials run on Linux and macOS only")]
    System,
    /// What was tried, and what came of it.
    #[error("{0}")]
    Refused(String),
}

/// What this machine can do, proved by a harmless trial in a temporary folder.
///
/// # Errors
/// Without a sandbox.
pub fn means() -> Result<Means, Missing> {
    let stage = std::env::current_exe().map_err(|error| Missing::Refused(error.to_string()))?;
    means_through(&stage)
}

/// The same for another program that calls [`crate::inner_main`] first.
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

/// Our own namespaces first: what a trial writes over dependencies and builds goes to its
/// copy there, and bubblewrap can only forbid it. Distributions allow bubblewrap what they
/// forbid others, and root needs neither its help nor a user namespace.
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

/// Writes in the copy, fails to write in the system and to read what is beside the tree, and
/// sees no network but its own.
const HARMLESS: &str = "echo ok > proof && ! (: > /usr/aitc-proof) 2>/dev/null && \
    ! cat \"$0\" 2>/dev/null && \
    { test ! -e /proc/net/dev || test \"$(grep -c : /proc/net/dev)\" = 1; } && cat proof";

impl Wall {
    /// Runs a harmless trial behind it, with the stages of `stage`, a program that calls
    /// [`crate::inner_main`] first.
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

fn try_once(means: &Means) -> Result<Ended, Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let copies = Copies::open(&folder.path().join("copies"))?;
    let tree = folder.path().join("tree");
    std::fs::create_dir(&tree)?;
    let beside = folder.path().join("beside");
    std::fs::write(&beside, "private")?;
    let trial = Trial {
        copy: TreeCopy::new(&copies, &tree, &[], &[])?,
        command: &["/bin/sh", "-c", HARMLESS, &beside.to_string_lossy()].map(str::to_owned),
        bounds: &Bounds {
            time: Duration::from_secs(20),
            ..Bounds::default()
        },
        readable: &Readable::detect(&[]),
        means,
    };
    Ok(run(trial, &AtomicBool::new(false))?)
}
