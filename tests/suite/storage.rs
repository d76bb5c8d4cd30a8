//! Storage: the state of the disk after failures at any point.

mod faults;
mod inbox;
mod journal;
mod lock;
mod verify;
mod versions;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use aitc::edge::fs::{Fs, RealFs};
use aitc::edge::journal::Journal;
use aitc::edge::store::{Draft, Outputs};
use aitc::fault::Fault;

use crate::support::sample::rounds;

fn real() -> Arc<dyn Fs> {
    Arc::new(RealFs)
}

/// An empty workspace and its outputs.
fn desk() -> (tempfile::TempDir, Outputs) {
    let dir = tempfile::tempdir().unwrap();
    let outputs = Outputs::at(real(), dir.path());
    (dir, outputs)
}

/// The code of the error.
#[track_caller]
fn refused<T>(result: Result<T, Fault>) -> &'static str {
    result.err().unwrap().code
}

/// Writes a journal and a few files, as a run does; returns the head.
fn fill(fs: Arc<dyn Fs>, draft: &Draft) -> Result<String, Fault> {
    let mut journal = Journal::create(fs, &draft.transcript_path())?;
    for entry in rounds(0, 3) {
        journal.add(&entry)?;
        journal.commit()?;
        draft.write("state.md", format!("round {}\n", entry.seq).as_bytes())?;
    }
    draft.write("speeches/PP_speak_r1.txt", b"I agree\n")?;
    draft.write("questions.md", b"# Questions\n")?;
    draft.write("feedback.md", b"smaller\n")?;
    draft.remove("feedback.md")?;
    Ok(journal.head().to_owned())
}

/// A complete small run: take a number, write, publish.
fn run(fs: Arc<dyn Fs>, workspace: &Path) -> Result<PathBuf, Fault> {
    let draft = Outputs::at(fs.clone(), workspace).reserve()?;
    let head = fill(fs, &draft)?;
    match draft.publish(&head)? {
        (version, None) => Ok(version),
        (_, Some(unsynced)) => Err(unsynced),
    }
}

fn names(dir: &Path) -> Vec<String> {
    RealFs.list(dir).unwrap()
}
