//! A lock file beside the draft, so that only one process writes a run.
//!
//! The operating system releases the lock when the process dies, so a lock is never stale. On a
//! file system without locks the user is told, and the journal still notices another writer.

use std::fs::{File, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::fault::plans::RUN_HELD;
use crate::fault::{Fault, values};

use rustix::fs::OFlags;
use serde::{Deserialize, Serialize};

use super::clock::timestamp;
use super::fs::{IfExists as _, IoContext as _, failed};
use super::safe_open;

/// The process that has locked a run; the content of the lock file, as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Its process id; 0 if unknown.
    pub pid: u32,
    /// Name of its machine.
    pub host: String,
    /// Time of locking, RFC 3339 in UTC.
    pub since: String,
}

impl Holder {
    fn unknown() -> Self {
        Self {
            pid: 0,
            host: "unknown".to_owned(),
            since: "unknown".to_owned(),
        }
    }

    /// The fault that this holder has locked the run; exit code 9.
    fn told(&self) -> Fault {
        RUN_HELD.with(values![
            pid = self.pid,
            host = self.host,
            since = self.since
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

/// The lock of a run by this process; dropping it unlocks the run and removes the file.
#[derive(Debug)]
pub struct RunLock {
    file: File,
    path: PathBuf,
    is_enforced: bool,
}

impl RunLock {
    /// Locks the file at `path` ([`Outputs::lock_path`](super::store::Outputs::lock_path)), whose
    /// folder must exist, without waiting.
    ///
    /// # Errors
    /// Another process, or another lock of this one, has locked it; otherwise the storage's error.
    pub fn acquire(path: &Path) -> Result<Self, Fault> {
        // More attempts than the number of runs that could end meanwhile. On some layered file
        // systems the open file never appears to be the one with its name; there the lock alone has
        // to suffice.
        const TRIES: u32 = 100;
        let mut tries = 0;
        loop {
            tries += 1;
            let mut file =
                safe_open::own_to_write(path, OFlags::RDWR | OFlags::CREATE).doing("open", path)?;
            let is_enforced = match file.try_lock() {
                Ok(()) => true,
                Err(TryLockError::WouldBlock) => return Err(holder_fault(&mut file)),
                Err(TryLockError::Error(error)) if lockless(&error) => false,
                Err(TryLockError::Error(error)) => {
                    return Err(failed("lock", path)(error));
                }
            };
            // The previous holder may have removed the file between our two steps; then no other
            // process would see our lock.
            if !is_at(&file, path).doing("look at", path)? && tries < TRIES {
                continue;
            }
            write_holder(&mut file).doing("write", path)?;
            return Ok(Self {
                file,
                path: path.to_owned(),
                is_enforced,
            });
        }
    }

    /// Whether a process has locked the file at `path`.
    pub fn is_held(path: &Path) -> Result<bool, Fault> {
        let Some(file) = safe_open::own(path).if_exists().doing("open", path)? else {
            return Ok(false);
        };
        // A shared lock, released at once: it conflicts only with a writer's.
        let locked = file.try_lock_shared();
        Ok(matches!(locked, Err(TryLockError::WouldBlock)))
    }

    /// Whether the file system enforces the lock; otherwise the lock has no effect.
    pub fn is_enforced(&self) -> bool {
        self.is_enforced
    }
}

impl Drop for RunLock {
    fn drop(&mut self) {
        // Only while locked; afterwards it may be another process's file. A file that stays behind
        // is ignored by git and reused by the next run.
        if self.is_enforced && is_at(&self.file, &self.path).unwrap_or(false) {
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
    serde_json::from_slice(&safe_open::read_at_most(file, 4096).ok()?).ok()
}

/// Reads the holder; it may just have locked the file and not written its details yet.
fn holder_fault(file: &mut File) -> Fault {
    const TRIES: u32 = 10;
    for _ in 0..TRIES {
        if let Some(holder) = read_holder(file) {
            return holder.told();
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    Holder::unknown().told()
}

/// Whether the open file is the one with this name.
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let open = file.metadata()?;
    let there = std::fs::symlink_metadata(path).if_exists()?;
    Ok(there.is_some_and(|there| (there.dev(), there.ino()) == (open.dev(), open.ino())))
}

/// Whether the error says that the file system has no locks.
fn lockless(error: &io::Error) -> bool {
    const ENOLCK: i32 = rustix::io::Errno::NOLCK.raw_os_error();
    error.kind() == io::ErrorKind::Unsupported || error.raw_os_error() == Some(ENOLCK)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// A lock on a file that was removed or replaced has no effect.
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
