//! The second guard, for file systems without locks: a file that only one process can make.
//!
//! It names who holds the run. One whose process is gone from this machine is left over and
//! taken away; whether a process of another machine lives cannot be told from here.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use rustix::process::{Pid, test_kill_process};
use uuid::Uuid;

use super::Holder;
use crate::edge::doors;
use crate::edge::fs::{Fs as _, IfThere as _, RealFs};

/// A run held by such a file, until this is dropped.
#[derive(Debug)]
pub(super) struct Owner(PathBuf);

/// Where the file of a lock file lies; git ignores it as it does the other.
fn beside(lock: &Path) -> PathBuf {
    lock.with_extension("owner.lock")
}

impl Owner {
    /// Takes the run whose lock file is `lock`, or says who holds it.
    pub fn take(lock: &Path) -> io::Result<Result<Self, Holder>> {
        const TRIES: u32 = 10;
        let path = beside(lock);
        let told = serde_json::to_vec(&Holder::this_process())?;
        for _ in 0..TRIES {
            match RealFs.write_new(&path, &told) {
                Ok(()) => return Ok(Ok(Self(path))),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
            match doors::own_bytes(&path).if_there()? {
                Some(found) if is_left_over(&found) => remove_left_over(&path, &found)?,
                Some(found) => {
                    let holder = serde_json::from_slice(&found);
                    return Ok(Err(holder.unwrap_or_else(|_| Holder::unknown())));
                }
                None => {}
            }
        }
        Ok(Err(Holder::unknown()))
    }

    /// Does somebody hold the run whose lock file is `lock` in this way?
    pub fn is_there(lock: &Path) -> bool {
        doors::own_bytes(&beside(lock)).is_ok_and(|found| !is_left_over(&found))
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        let _ = RealFs.remove(&self.0);
    }
}

/// Half of one is none: whoever makes it is at it.
fn is_left_over(found: &[u8]) -> bool {
    let is_gone = |pid| test_kill_process(pid) == Err(rustix::io::Errno::SRCH);
    serde_json::from_slice(found).is_ok_and(|holder: Holder| {
        let pid = i32::try_from(holder.pid).ok().and_then(Pid::from_raw);
        holder.host == Holder::this_process().host && pid.is_some_and(is_gone)
    })
}

/// Takes a file away that nobody holds. Another may have done so and made its own
/// meanwhile: what was taken away is looked at again, and put back.
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

    #[test]
    fn one_holds_it_and_what_is_left_over_is_taken_away() {
        let dir = tempfile::tempdir().unwrap();
        let lock = dir.path().join(".v1.lock");
        let owner = Owner::take(&lock).unwrap().unwrap();
        assert!(Owner::is_there(&lock));
        let other = Owner::take(&lock).unwrap().unwrap_err();
        assert_eq!(other.pid, std::process::id());
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
