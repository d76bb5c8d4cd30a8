//! The lock for file systems without locks: a file that only one process can create.
//!
//! It names the process that has locked the run. If that process no longer runs on this machine,
//! the file is removed; whether a process of another machine runs is unknown here.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::{Pid, test_kill_process};
use uuid::Uuid;

use super::Holder;
use crate::edge::doors;
use crate::edge::fs::{Fs as _, IfThere as _, RealFs};
use crate::fault::Fault;
use crate::fault::plans::RUN_HELD_BY_FILE;

/// A run locked by such a file, until this is dropped.
#[derive(Debug)]
pub(super) struct Owner {
    path: PathBuf,
    /// The content that this process wrote into it.
    name: Vec<u8>,
}

/// A file without a complete name is being written, or stale if it is older than this.
const YOUNG: Duration = Duration::from_secs(10);

/// Path of the file for a lock file; git ignores both.
fn beside(lock: &Path) -> PathBuf {
    lock.with_extension("owner.lock")
}

impl Owner {
    /// Locks the run whose lock file is `lock`; the inner error names the holder and the file.
    pub fn take(lock: &Path) -> io::Result<Result<Self, Fault>> {
        const TRIES: u32 = 10;
        let path = beside(lock);
        let name = serde_json::to_vec(&Holder::this_process())?;
        for _ in 0..TRIES {
            match RealFs.write_new(&path, &name) {
                Ok(()) => return Ok(Ok(Self { path, name })),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
            match doors::own_bytes(&path).if_there()? {
                Some(found) if is_left_over(&path, &found) => remove_left_over(&path, &found)?,
                Some(found) => {
                    let holder = serde_json::from_slice(&found);
                    return Ok(Err(told(
                        holder.unwrap_or_else(|_| Holder::unknown()),
                        &path,
                    )));
                }
                None => {}
            }
        }
        Ok(Err(told(Holder::unknown(), &path)))
    }

    /// Whether the run with the lock file `lock` is locked in this way.
    pub fn is_there(lock: &Path) -> bool {
        let path = beside(lock);
        doors::own_bytes(&path).is_ok_and(|found| !is_left_over(&path, &found))
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        // Somebody may have removed it by hand, and another process created its own.
        if doors::own_bytes(&self.path).is_ok_and(|found| found == self.name) {
            let _ = RealFs.remove(&self.path);
        }
    }
}

/// The fault that the run is locked by that process. It may be stale, which only the user can find
/// out: another process may have its id by now, or the machine another name.
fn told(holder: Holder, path: &Path) -> Fault {
    RUN_HELD_BY_FILE.with(&[
        ("pid", &holder.pid),
        ("host", &holder.host),
        ("since", &holder.since),
        ("path", &path.display()),
    ])
}

fn is_left_over(path: &Path, found: &[u8]) -> bool {
    let is_gone = |pid| test_kill_process(pid) == Err(rustix::io::Errno::SRCH);
    let Ok(holder) = serde_json::from_slice::<Holder>(found) else {
        let changed = path.metadata().and_then(|about| about.modified());
        let age = changed.ok().and_then(|changed| changed.elapsed().ok());
        return age.is_some_and(|age| age > YOUNG);
    };
    let pid = i32::try_from(holder.pid).ok().and_then(Pid::from_raw);
    holder.host == Holder::this_process().host && pid.is_some_and(is_gone)
}

/// Removes a stale file. Another process may have done so meanwhile and created its own, so the
/// removed file is compared and restored if it differs.
fn remove_left_over(path: &Path, found: &[u8]) -> io::Result<()> {
    let aside = path.with_extension(format!("{}.tmp", Uuid::now_v7()));
    match RealFs.rename(path, &aside) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        renamed => renamed?,
    }
    if doors::own_bytes(&aside)? != found {
        match RealFs.rename_new(&aside, path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            renamed => return renamed,
        }
    }
    RealFs.remove(&aside)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::lang::Lang;

    #[test]
    fn one_holds_it_and_what_is_left_over_is_taken_away() {
        let dir = tempfile::tempdir().unwrap();
        let lock = dir.path().join(".v1.lock");
        let owner = Owner::take(&lock).unwrap().unwrap();
        assert!(Owner::is_there(&lock));
        let other = Owner::take(&lock).unwrap().unwrap_err();
        assert_eq!(other.code, "E-run-held-by-file");
        let file = format!("remove the file: rm {}", beside(&lock).display());
        assert!(other.text(Lang::En).contains(&file), "{other}");
        drop(owner);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
        let here = Holder::this_process().host;
        for (host, pid, is_held) in [
            (here.as_str(), std::process::id(), true),
            (&here, i32::MAX as u32, false),
            ("elsewhere", i32::MAX as u32, true),
        ] {
            let (host, since) = (host.to_owned(), String::new());
            let told = serde_json::to_vec(&Holder { pid, host, since }).unwrap();
            std::fs::write(beside(&lock), told).unwrap();
            assert_eq!(Owner::is_there(&lock), is_held, "{pid}");
            assert_eq!(Owner::take(&lock).unwrap().is_err(), is_held, "{pid}");
        }
        // An incomplete file is being written; later it is stale.
        for (age, is_held) in [(0, true), (60, false)] {
            std::fs::write(beside(&lock), "{\"pid\": ").unwrap();
            let made = std::time::SystemTime::now() - Duration::from_secs(age);
            let file = std::fs::File::options().write(true).open(beside(&lock));
            file.unwrap().set_modified(made).unwrap();
            assert_eq!(Owner::take(&lock).unwrap().is_err(), is_held, "{age}");
        }
        // A file that was removed by hand and created by another process must not be removed.
        let owner = Owner::take(&lock).unwrap().unwrap();
        std::fs::write(beside(&lock), "another's").unwrap();
        drop(owner);
        assert!(beside(&lock).exists());
    }

    #[test]
    fn raced_by_many_one_holds_it_at_a_time() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        let dir = tempfile::tempdir().unwrap();
        let lock = dir.path().join(".v1.lock");
        let (holders, got) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        if let Ok(owner) = Owner::take(&lock).unwrap() {
                            assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                            got.fetch_add(1, Ordering::SeqCst);
                            std::thread::yield_now();
                            holders.fetch_sub(1, Ordering::SeqCst);
                            drop(owner);
                        }
                    }
                });
            }
        });
        assert!(got.into_inner() > 0);
    }
}
