//! `planning_transcript.jsonl`: the record for people and the journal the run is rebuilt from.
//!
//! A line is an [`Entry`] as JSON. Its last member `h` is the SHA-256 of the previous line's `h`
//! (nothing for the first) and of this line's bytes without `h`. So any changed byte is detected;
//! the hashes do not prove that the journal is authentic.
//!
//! One step of a run is one append and one sync, whatever the number of lines. Bytes after the last
//! newline are a torn tail: the process or the machine died while writing them, before anybody
//! relied on them. They are saved in another file and cut. A complete line that is invalid is
//! damage: it is reported with its place, never skipped.

mod chain;
mod error;
mod repair;
mod scan;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use chain::{MAX_LINE, hex};
pub use error::{Damage, JournalError};
pub use repair::{RepairReport, repair};
use scan::scan;
pub use scan::{Scan, chain_head};

use error::failed;

use super::fs::{AppendFile, Fs, IoContext as _};
use crate::fault::line::INTERNAL;
use crate::fault::storage::{TRANSCRIPT_CLOSED, TRANSCRIPT_EXISTS, TRANSCRIPT_FOREIGN};
use crate::fault::values;
use crate::machine::Entry;

/// The bytes after the last newline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TornTail {
    /// Number that the torn line would have had.
    pub seq: u64,
    /// Byte offset of its start, from 0.
    pub offset: u64,
    /// Length in bytes.
    pub bytes: u64,
    /// File in which it was saved; `None` if nothing was cut.
    pub kept: Option<PathBuf>,
}

/// Receives one entry at a time; an error, in words, stops the reading.
pub type Visit<'a> = &'a mut dyn FnMut(Entry) -> Result<(), String>;

/// A journal open for writing.
pub struct Journal {
    fs: Arc<dyn Fs>,
    path: PathBuf,
    file: Box<dyn AppendFile>,
    head: String,
    seq: u64,
    len: u64,
    added: Vec<u8>,
    poisoned: bool,
}

impl Journal {
    /// Creates a new, empty journal.
    ///
    /// # Errors
    /// A journal exists, so that two runs never share one even without a lock; otherwise the
    /// storage's error.
    pub fn create(fs: Arc<dyn Fs>, path: &Path) -> Result<Self, JournalError> {
        if let Err(error) = fs.write_new(path, b"") {
            return Err(match error.kind() {
                io::ErrorKind::AlreadyExists => TRANSCRIPT_EXISTS
                    .with(values![path = path.display()])
                    .into(),
                _ => failed("create", path)(error),
            });
        }
        let folder = folder_of(path);
        fs.sync_dir(folder).doing("sync", folder)?;
        Self::at_end(fs, path, Scan::default())
    }

    /// Opens an existing journal and replays it: every entry is passed to `visit`.
    ///
    /// A torn tail is saved beside the journal as `planning_transcript.torn-<seq>` (an existing
    /// file is never overwritten) and then cut.
    ///
    /// # Errors
    /// `Damaged` with the place of the first invalid line, also if `visit` refused it; nothing is
    /// changed then. Otherwise the storage's error.
    pub fn open(
        fs: Arc<dyn Fs>,
        path: &Path,
        visit: Visit<'_>,
    ) -> Result<(Self, Option<TornTail>), JournalError> {
        let scan = scan(&*fs, path, Scan::default(), visit)?;
        let torn = repair::cut_tail(&*fs, path, &scan)?;
        Ok((Self::at_end(fs, path, scan)?, torn))
    }

    fn at_end(fs: Arc<dyn Fs>, path: &Path, scan: Scan) -> Result<Self, JournalError> {
        let file = fs.open_append(path).map_err(failed("open", path))?;
        Ok(Self {
            fs,
            path: path.to_owned(),
            file,
            head: scan.head,
            seq: scan.lines,
            len: scan.len,
            added: Vec::new(),
            poisoned: false,
        })
    }

    /// Encodes an entry and keeps the line in memory until [`commit`](Self::commit).
    ///
    /// # Errors
    /// Its number is not the next one, it cannot be encoded, or a commit has failed. Nothing is
    /// added then.
    pub fn add(&mut self, entry: &Entry) -> Result<(), JournalError> {
        self.check_alive()?;
        let bad = |why: String| {
            let what = format!("entry {} cannot be written: {why}", entry.seq);
            INTERNAL.with(values![what])
        };
        if entry.seq != self.seq + 1 {
            return Err(bad(format!("number {} is due", self.seq + 1)).into());
        }
        self.head = chain::encode(&self.head, entry, &mut self.added).map_err(bad)?;
        self.seq = entry.seq;
        Ok(())
    }

    /// Writes all added lines with one append and one sync; does nothing if there are none.
    ///
    /// # Errors
    /// The storage's error, or the file was changed by another process. After any error every later
    /// commit fails, because the state of the tail is unknown until the journal is opened again.
    pub fn commit(&mut self) -> Result<(), JournalError> {
        self.check_alive()?;
        if self.added.is_empty() {
            return Ok(());
        }
        let result = self.write_added();
        self.poisoned = result.is_err();
        result
    }

    fn write_added(&mut self) -> Result<(), JournalError> {
        self.check_len()?;
        self.file
            .append(&self.added)
            .doing("append to", &self.path)?;
        self.file.sync().doing("sync", &self.path)?;
        self.len += self.added.len() as u64;
        // Release the buffer: a thousand runs of one process may be waiting now.
        self.added = Vec::new();
        // Two writers may both have passed the first check; this one stops both.
        self.check_len()
    }

    fn check_alive(&self) -> Result<(), JournalError> {
        if self.poisoned {
            let path = self.path.display();
            return Err(TRANSCRIPT_CLOSED.with(values![path]).into());
        }
        Ok(())
    }

    /// Looks up the file by path, so that a moved journal is noticed too.
    fn check_len(&self) -> Result<(), JournalError> {
        let found = self
            .fs
            .metadata(&self.path)
            .map_err(failed("look at", &self.path))?
            .len;
        if found != self.len {
            let other = TRANSCRIPT_FOREIGN.with(values![
                path = self.path.display(),
                expected = self.len,
                found
            ]);
            return Err(other.into());
        }
        Ok(())
    }

    /// Hash of the last added line, 64 hexadecimal digits; empty if there is none.
    pub fn head(&self) -> &str {
        &self.head
    }

    /// Number of the last added line; 0 if there is none.
    pub fn seq(&self) -> u64 {
        self.seq
    }
}

/// Reads a journal without changing it, for published versions and `verify`.
///
/// # Errors
/// As [`Journal::open`]; a torn tail is reported, not cut.
pub fn read(fs: &dyn Fs, path: &Path, visit: Visit<'_>) -> Result<Scan, JournalError> {
    scan(fs, path, Scan::default(), visit)
}

/// Follows a journal that another process writes: each call reads the new entries.
#[derive(Debug, Default)]
pub struct JournalFollower {
    read: Scan,
}

impl JournalFollower {
    /// Passes every new entry to `visit`. The path may differ from the last time, because a journal
    /// moves when its run is published.
    ///
    /// # Errors
    /// As [`read`]; stop reading after an error.
    pub fn more(&mut self, fs: &dyn Fs, path: &Path, visit: Visit<'_>) -> Result<(), JournalError> {
        self.read = scan(fs, path, std::mem::take(&mut self.read), visit)?;
        // An incomplete line is read again once it is complete.
        self.read.tail.clear();
        Ok(())
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(path)
}
