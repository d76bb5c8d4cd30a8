//! Runs trials in the sandbox of this machine.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, UNIX_EPOCH};

use sandbox::{
    Copies, Edit, Exit, Laid, Limits, Means, Missing, Readable, TreeCopy, Trial, TrialResult,
};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use super::journal::hex;
use super::knowledge::files_of;
use super::locked;
use super::ports::{TrialAnswer, Trials, UNSAID};
use crate::clean::clean_page;
use crate::fault::{Fault, Message, Text, said_by_system, texts, values};
use crate::machine::{TrialBound, TrialEnd, TrialJob, TrialOutcome};
use crate::reply::TrialEdit;

texts! {
    NO_TREE: "the tree cannot be read: {why}", "无法读取代码树：{why}";
    ELSEWHERE: "trials run on Linux and macOS only", "试运行只支持 Linux 和 macOS";
    ON_LINUX: "run aitc on Linux, such as in a virtual machine or in WSL 2", "在 Linux 上运行 aitc，例如虚拟机或 WSL 2";
    NO_SANDBOX: "this machine has no sandbox to run one in: {why}", "本机没有可运行它的沙箱：{why}";
}
const INSTALL: Text = if cfg!(target_os = "macos") {
    Text(
        "run aitc as an ordinary user, not within another sandbox",
        "以普通用户运行 aitc，且不在另一个沙箱里",
    )
} else {
    Text(
        "install bubblewrap, or let users make namespaces (sysctl user.max_user_namespaces)",
        "安装 bubblewrap，或允许用户创建命名空间（sysctl user.max_user_namespaces）",
    )
};
texts! {
    BOTH: "{why}; {fix}", "{why}；{fix}";
    /// The message to a member when the user has refused.
    pub SAID_NO: "the user does not let anything be run", "用户不允许运行任何内容";
}

/// The folder of copies in the user's cache.
const COPIES: &str = "trials";
/// The folder in the user's cache that has a file for each run with trials allowed.
const ALLOWED: &str = "trials-allowed";

/// The user's decision about trials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Consent {
    /// They may run.
    Yes,
    /// They may not run; the reason is for the member that wants a trial.
    No(Message),
    /// Not decided yet.
    Ask,
}

/// Saves permanently that trials may run; returns a notice for the user.
pub type SaveConsent = Box<dyn Fn() -> Result<Message, Fault> + Send + Sync>;

/// Returns whether the user of this machine allowed trials in a run. The answer is in the user's
/// cache, where no repository and no draft can put it.
pub fn is_allowed(run_id: &str, cache: Option<&Path>) -> bool {
    allowed(run_id, cache).is_some_and(|file| file.exists())
}

/// Keeps for the rest of a run whether the user allows trials in it.
///
/// # Errors
/// The cache cannot be written, or there is none.
pub fn allow(on: bool, run_id: &str, cache: Option<&Path>) -> io::Result<()> {
    let file = allowed(run_id, cache).ok_or(io::ErrorKind::NotFound)?;
    match (on, file.parent()) {
        (true, Some(folder)) => {
            std::fs::create_dir_all(folder)?;
            NamedTempFile::new_in(folder)?.persist(file)?;
            Ok(())
        }
        _ if file.exists() => std::fs::remove_file(file),
        _ => Ok(()),
    }
}

/// The file that exists if trials are allowed in a run.
fn allowed(run_id: &str, cache: Option<&Path>) -> Option<PathBuf> {
    // A transcript may contain any id, even a path.
    uuid::Uuid::try_parse(run_id).ok()?;
    Some(cache?.join(ALLOWED).join(run_id))
}

/// A tree to copy.
#[derive(Debug, Clone)]
pub struct TrialTree {
    /// Path of the folder.
    pub root: PathBuf,
    /// Additional folders that the user lets trials read.
    pub readable: Vec<PathBuf>,
    /// The user's cache, which contains the copies.
    pub cache: Option<PathBuf>,
}

impl TrialTree {
    /// A copy with these files laid over it. Copies left by killed programs are removed first.
    ///
    /// # Errors
    /// The reason in words if there is no copy.
    pub fn copy(&self, laid: &[Laid]) -> Result<TreeCopy, String> {
        let cache = self.cache.as_ref().ok_or("there is no cache folder")?;
        let told = |error: io::Error| error.to_string();
        let copies = Copies::open(&cache.join(COPIES)).map_err(told)?;
        let files = files_of(&self.root).map_err(told)?;
        let copy = TreeCopy::new(&copies, &self.root, &files, laid);
        copy.map_err(|error| error.to_string())
    }

    /// The files on this machine that may be read besides a copy.
    pub fn readable(&self) -> Readable {
        Readable::detect(&self.readable)
    }
}

/// Runs trials in copies of one tree, with the user's consent.
pub struct Sandboxed {
    tree: TrialTree,
    consent: Mutex<Consent>,
    keep: SaveConsent,
}

impl Sandboxed {
    /// Creates it; the caller has determined `consent`.
    pub fn new(tree: TrialTree, consent: Consent, keep: SaveConsent) -> Self {
        // Removes copies of a killed program now instead of before the next trial; an error is
        // reported by the next trial.
        let left = tree.cache.as_ref().map(|cache| cache.join(COPIES));
        let _ = left
            .filter(|left| left.exists())
            .map(|left| Copies::open(&left));
        Self {
            tree,
            consent: Mutex::new(consent),
            keep,
        }
    }

    fn consent(&self) -> Consent {
        locked(&self.consent).clone()
    }

    fn say(&self, consent: Consent) {
        *locked(&self.consent) = consent;
    }
}

/// The sandbox of this machine, detected once.
fn means() -> &'static Result<Means, Missing> {
    static FOUND: OnceLock<Result<Means, Missing>> = OnceLock::new();
    FOUND.get_or_init(sandbox::means)
}

/// Why this machine has no sandbox; `None` if it has one.
pub fn unavailable() -> Option<Message> {
    let (why, fix) = explain_missing(means().as_ref().err()?);
    Some(BOTH.fill(values![why, fix]))
}

/// Why a machine has no sandbox, and the remedy.
pub fn explain_missing(missing: &Missing) -> (Message, Text) {
    match missing {
        Missing::System => (ELSEWHERE.into(), ON_LINUX),
        Missing::Refused(why) => (NO_SANDBOX.fill(values![why]), INSTALL),
    }
}

impl Trials for Sandboxed {
    fn asks(&self) -> bool {
        self.consent() == Consent::Ask && unavailable().is_none()
    }

    fn tree(&self) -> Result<String, Message> {
        match (self.consent(), unavailable()) {
            (Consent::No(why), _) | (_, Some(why)) => Err(why),
            (Consent::Ask, None) => Err(UNSAID.into()),
            (Consent::Yes, None) => state(&self.tree.root, &self.tree.readable)
                .map_err(|error| NO_TREE.fill(values![why = said_by_system(&error)])),
        }
    }

    fn answered(&self, answer: TrialAnswer) -> Result<Option<Message>, Fault> {
        match answer {
            TrialAnswer::Elsewhere => {}
            TrialAnswer::Nobody => self.say(Consent::No(UNSAID.into())),
            TrialAnswer::No => self.say(Consent::No(SAID_NO.into())),
            TrialAnswer::Yes => self.say(Consent::Yes),
            TrialAnswer::Always => {
                self.say(Consent::Yes);
                return (self.keep)().map(Some);
            }
        }
        Ok(None)
    }

    fn run(&self, job: &TrialJob, stop: &AtomicBool) -> TrialOutcome {
        let ended = self.ended(job, stop).unwrap_or_else(|why| TrialResult {
            exit: Exit::NotStarted {
                why,
                missing: false,
            },
            head: String::new(),
            tail: String::new(),
            left_out: 0,
            took: Duration::ZERO,
        });
        TrialOutcome {
            end: match ended.exit {
                Exit::Code(code) => TrialEnd::Exited { code },
                Exit::Signal(signal) => TrialEnd::Signalled { signal },
                Exit::NotStarted { why, missing } => TrialEnd::Failed {
                    why,
                    missing: missing.then(|| job.command[0].clone()),
                },
                Exit::Time => bounded(TrialBound::Time),
                Exit::Memory => bounded(TrialBound::Memory),
                Exit::Processes => bounded(TrialBound::Processes),
                Exit::Output => bounded(TrialBound::Output),
                Exit::Disk => bounded(TrialBound::Disk),
                Exit::Stopped => TrialEnd::Lost,
            },
            head: clean_page(&ended.head),
            tail: clean_page(&ended.tail),
            left_out: ended.left_out,
            duration_ms: u64::try_from(ended.took.as_millis()).unwrap_or(u64::MAX),
        }
    }
}

impl Sandboxed {
    /// Runs the command; the error says why it could not start.
    fn ended(&self, job: &TrialJob, stop: &AtomicBool) -> Result<TrialResult, String> {
        let means = means().as_ref().map_err(ToString::to_string)?;
        let edit = |edit: &TrialEdit| Edit {
            old: edit.old.clone(),
            new: edit.new.clone(),
        };
        let laid = job.files.iter().map(|file| Laid {
            path: PathBuf::from(&file.path),
            text: file.text.clone(),
            edits: file.edits.iter().map(edit).collect(),
        });
        let laid: Vec<Laid> = laid.collect();
        let trial = Trial {
            copy: self.tree.copy(&laid)?,
            command: &job.command,
            limits: &Limits::default(),
            readable: &self.tree.readable(),
            means,
        };
        sandbox::run(trial, stop).map_err(|error| error.to_string())
    }
}

fn bounded(by: TrialBound) -> TrialEnd {
    TrialEnd::Bounded { by }
}

/// Digest of the state of a tree and of the readable folders: names, sizes and modification times
/// of their files.
fn state(root: &Path, readable: &[PathBuf]) -> io::Result<String> {
    let mut digest = Sha256::new();
    for path in files_of(root)? {
        digest.update(path.as_os_str().as_encoded_bytes());
        add(&root.join(&path), &mut digest)?;
    }
    for named in readable {
        for entry in walkdir::WalkDir::new(named).sort_by_file_name() {
            // What cannot be read now could not be read by a trial either.
            let Ok(entry) = entry else { continue };
            digest.update(entry.path().as_os_str().as_encoded_bytes());
            add(entry.path(), &mut digest)?;
        }
    }
    Ok(hex(&digest.finalize()))
}

fn add(file: &Path, digest: &mut Sha256) -> io::Result<()> {
    // A file that was removed meanwhile changes the state.
    if let Ok(found) = file.symlink_metadata() {
        let changed = found.modified()?.duration_since(UNIX_EPOCH);
        let changed = changed.map_or(0, |since| since.as_nanos());
        digest.update(found.len().to_le_bytes());
        digest.update(changed.to_le_bytes());
    }
    digest.update([0]);
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn what_may_be_read_besides_is_part_of_the_state() {
        let (tree, named) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(tree.path().join("a.txt"), "a").unwrap();
        let state = |readable: &[PathBuf]| state(tree.path(), readable).unwrap();
        let alone = state(&[]);
        let besides = [named.path().to_owned()];
        let empty = state(&besides);
        assert_ne!(alone, empty, "it names another folder");
        std::fs::create_dir(named.path().join("data")).unwrap();
        std::fs::write(named.path().join("data/rows.csv"), "1").unwrap();
        let filled = state(&besides);
        assert_ne!(empty, filled);
        assert_eq!(filled, state(&besides));
    }
}
