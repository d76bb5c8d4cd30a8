//! One writer per run: a lock file beside the draft.
//!
//! The operating system drops the lock when the process dies, however it dies,
//! so a lock is never stale. Where the file system has no locks a second guard holds
//! (`owner`), and that is told.

mod owner;

use std::fs::{File, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::fault::Fault;
use crate::fault::plans::RUN_HELD;

use rustix::fs::OFlags;
use serde::{Deserialize, Serialize};

use owner::Owner;

use super::clock::timestamp;
use super::doors;
use super::fs::{Doing as _, IfThere as _, StorageError};

/// Who holds a run; the content of the lock file, as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Its process id; 0 if unknown.
    pub pid: u32,
    /// Name of its machine.
    pub host: String,
    /// Since when, RFC 3339 in UTC.
    pub since: String,
}

impl Holder {
    /// One that cannot be named.
    fn unknown() -> Self {
        Self {
            pid: 0,
            host: "unknown".to_owned(),
            since: "unknown".to_owned(),
        }
    }

    /// The run is held by it; the command line's exit code 9.
    fn told(&self) -> Fault {
        RUN_HELD.with(&[
            ("pid", &self.pid),
            ("host", &self.host),
            ("since", &self.since),
        ])
    }

    fn this_process() -> Self {
        Self {
            pid: std::process::id(),
            host: rustix::system::uname()
                .nodename()
                .to_string_lossy()
                .into_owned(),
            since: timestamp(),
        }
    }
}

/// A run held by this process; dropping it sets the run free and removes the file.
#[derive(Debug)]
pub struct RunLock {
    file: File,
    path: PathBuf,
    /// Where the file system has no locks.
    owner: Option<Owner>,
}

impl RunLock {
    /// Takes the lock file at `path` ([`Outputs::lock_path`](super::store::Outputs::lock_path)),
    /// whose folder exists, without waiting.
    ///
    /// # Errors
    /// Another process, or another lock of this one, has it; else what the storage says.
    pub fn acquire(path: &Path) -> Result<Self, Fault> {
        // More tries than runs could end meanwhile; where file and name never seem
        // the same (some layered file systems), the lock itself has to do.
        const TRIES: u32 = 100;
        let mut tries = 0;
        loop {
            tries += 1;
            let mut file =
                doors::own_to_write(path, OFlags::RDWR | OFlags::CREATE).doing("open", path)?;
            let owner = match file.try_lock() {
                Ok(()) => None,
                Err(TryLockError::WouldBlock) => return Err(held(&mut file)),
                Err(TryLockError::Error(error)) if lockless(&error) => {
                    Some(Owner::take(path).doing("lock", path)??)
                }
                Err(TryLockError::Error(error)) => {
                    return Err(StorageError::doing("lock", path)(error).into());
                }
            };
            // The holder before may have removed the file between our two steps:
            // then we hold a file nobody else can find.
            if !is_at(&file, path).doing("look at", path)? && tries < TRIES {
                continue;
            }
            write_holder(&mut file).doing("write", path)?;
            return Ok(Self {
                file,
                path: path.to_owned(),
                owner,
            });
        }
    }

    /// Does a process hold the lock file at `path`?
    pub fn is_held(path: &Path) -> Result<bool, Fault> {
        let Some(file) = doors::own(path).if_there().doing("open", path)? else {
            return Ok(false);
        };
        // A shared lock, given up at once: it only meets the one of a writer.
        Ok(match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => true,
            Err(TryLockError::Error(error)) if lockless(&error) => Owner::is_there(path),
            _ => false,
        })
    }

    /// Who wrote itself into the lock file at `path` last, whether it still works or not.
    pub fn holder(path: &Path) -> Option<Holder> {
        let mut file = doors::own(path).ok()?;
        read_holder(&mut file)
    }

    /// Does the file system itself keep others out? Else a file of ours does.
    pub fn is_enforced(&self) -> bool {
        self.owner.is_none()
    }
}

impl Drop for RunLock {
    fn drop(&mut self) {
        // Only while locked, or it might be somebody else's by now. A file that
        // stays behind is ignored by git and taken over by the next run.
        if self.is_enforced() && is_at(&self.file, &self.path).unwrap_or(false) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

fn write_holder(file: &mut File) -> io::Result<()> {
    let mut text = serde_json::to_vec(&Holder::this_process())?;
    text.push(b'\n');
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&text)
}

fn read_holder(file: &mut File) -> Option<Holder> {
    file.seek(SeekFrom::Start(0)).ok()?;
    serde_json::from_slice(&doors::taken(file, 4096).ok()?).ok()
}

/// Reads who holds the file; whoever just took it has not written that yet.
fn held(file: &mut File) -> Fault {
    const TRIES: u32 = 10;
    for _ in 0..TRIES {
        if let Some(holder) = read_holder(file) {
            return holder.told();
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    Holder::unknown().told()
}

/// Is the open file the one of that name?
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let open = file.metadata()?;
    let there = std::fs::symlink_metadata(path).if_there()?;
    Ok(there.is_some_and(|there| (there.dev(), there.ino()) == (open.dev(), open.ino())))
}

/// Does the error say that this file system has no locks?
fn lockless(error: &io::Error) -> bool {
    const ENOLCK: i32 = rustix::io::Errno::NOLCK.raw_os_error();
    error.kind() == io::ErrorKind::Unsupported || error.raw_os_error() == Some(ENOLCK)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// A lock on a file that was removed, or replaced by a new one, is worth nothing.
    #[test]
    fn a_removed_file_is_not_the_one_of_that_name() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lock");
        let file = File::create(&path).unwrap();
        assert!(is_at(&file, &path).unwrap());
        std::fs::remove_file(&path).unwrap();
        assert!(!is_at(&file, &path).unwrap());
        let _new = File::create(&path).unwrap();
        assert!(!is_at(&file, &path).unwrap());
    }
}
