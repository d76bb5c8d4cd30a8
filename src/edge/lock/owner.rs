//! The second guard, for file systems without locks: a file that only one process can make.
//!
//! It names who holds the run and is renewed while that goes on. One whose process is gone
//! from this machine, or that nobody has renewed for long, is left over and taken away.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use rustix::process::{Pid, test_kill_process};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Holder;
use crate::edge::clock::timestamp;
use crate::edge::doors;
use crate::edge::fs::{Fs as _, RealFs};

/// How often it is renewed.
const RENEWED_EVERY: Duration = Duration::from_secs(10);
/// After so long without that it is left over; clocks of two machines may differ by some.
const LEFT_AFTER: SignedDuration = SignedDuration::from_mins(3);

/// What stands in the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Told {
    #[serde(flatten)]
    holder: Holder,
    /// Of this taking alone.
    id: String,
    /// When it was last renewed, RFC 3339 in UTC.
    renewed: String,
}

/// A run held by such a file, until this is dropped.
#[derive(Debug)]
pub(super) struct Owner {
    path: PathBuf,
    id: String,
    renewal: Option<(Sender<()>, JoinHandle<()>)>,
}

/// Where the file of a lock file lies; git ignores it as it does the other.
fn beside(lock: &Path) -> PathBuf {
    lock.with_extension("owner.lock")
}

impl Owner {
    /// Takes the run whose lock file is `lock`, or says who holds it.
    pub fn take(lock: &Path) -> io::Result<Result<Self, Holder>> {
        const TRIES: u32 = 10;
        let path = beside(lock);
        let told = Told {
            holder: Holder::this_process(),
            id: Uuid::now_v7().to_string(),
            renewed: timestamp(),
        };
        for _ in 0..TRIES {
            match RealFs.write_new(&path, &serde_json::to_vec(&told)?) {
                Ok(()) => return Ok(Ok(Self::renewing(path, told))),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
            let found = match doors::own_bytes(&path) {
                Ok(found) => found,
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            match read(&found) {
                Some(other) if is_held(&other) => return Ok(Err(other.holder)),
                // Half of one: whoever makes it is at it, or died over it.
                None if is_young(&path) => return Ok(Err(Holder::unknown())),
                _ => remove_left_over(&path, &found)?,
            }
        }
        Ok(Err(Holder::unknown()))
    }

    /// Does somebody hold the run whose lock file is `lock` in this way?
    pub fn is_there(lock: &Path) -> bool {
        let found = doors::own_bytes(&beside(lock));
        let told = found.ok().and_then(|found| read(&found));
        told.is_some_and(|told| is_held(&told))
    }

    fn renewing(path: PathBuf, mut told: Told) -> Self {
        let (stop, stopped) = channel();
        let (at, id) = (path.clone(), told.id.clone());
        let renewal = std::thread::spawn(move || {
            while stopped.recv_timeout(RENEWED_EVERY) == Err(RecvTimeoutError::Timeout) {
                told.renewed = timestamp();
                // One that cannot be renewed now is at the next turn; one that is another's by
                // now is left alone.
                if is_own(&at, &told.id) {
                    let _ = replace(&at, &told);
                }
            }
        });
        Self {
            path,
            id,
            renewal: Some((stop, renewal)),
        }
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        if let Some((stop, renewal)) = self.renewal.take() {
            drop(stop);
            let _ = renewal.join();
        }
        if is_own(&self.path, &self.id) {
            let _ = RealFs.remove(&self.path);
        }
    }
}

fn read(bytes: &[u8]) -> Option<Told> {
    serde_json::from_slice(bytes).ok()
}

fn is_own(path: &Path, id: &str) -> bool {
    let found = doors::own_bytes(path);
    found.is_ok_and(|found| read(&found).is_some_and(|told| told.id == id))
}

fn is_held(told: &Told) -> bool {
    let own = Holder::this_process();
    let pid = i32::try_from(told.holder.pid).ok().and_then(Pid::from_raw);
    let is_gone = || pid.is_some_and(|pid| test_kill_process(pid) == Err(rustix::io::Errno::SRCH));
    let is_left = told
        .renewed
        .parse::<Timestamp>()
        .is_ok_and(|renewed| Timestamp::now().duration_since(renewed) > LEFT_AFTER);
    let is_gone_here = told.holder.host == own.host && is_gone();
    !is_left && !is_gone_here
}

fn is_young(path: &Path) -> bool {
    let changed = path.metadata().and_then(|found| found.modified());
    let age = changed.ok().and_then(|changed| changed.elapsed().ok());
    age.is_none_or(|age| age < RENEWED_EVERY)
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

fn replace(path: &Path, told: &Told) -> io::Result<()> {
    let fresh = path.with_extension(format!("{}.tmp", told.id));
    let _ = RealFs.remove(&fresh);
    RealFs.write_new(&fresh, &serde_json::to_vec(told)?)?;
    RealFs.rename(&fresh, path)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn written(path: &Path, host: &str, pid: u32, renewed: &str) {
        let holder = Holder {
            pid,
            host: host.to_owned(),
            since: renewed.to_owned(),
        };
        let (id, renewed) = ("x".to_owned(), renewed.to_owned());
        let told = Told {
            holder,
            id,
            renewed,
        };
        std::fs::write(beside(path), serde_json::to_vec(&told).unwrap()).unwrap();
    }

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
        let (here, now) = (Holder::this_process().host, timestamp());
        let long_ago = "2020-01-01T00:00:00.000Z";
        for (host, pid, renewed, is_held) in [
            (here.as_str(), std::process::id(), now.as_str(), true),
            (&here, i32::MAX as u32, &now, false),
            ("elsewhere", i32::MAX as u32, &now, true),
            ("elsewhere", 1, long_ago, false),
            (&here, std::process::id(), long_ago, false),
        ] {
            written(&lock, host, pid, renewed);
            assert_eq!(Owner::is_there(&lock), is_held, "{host} {pid} {renewed}");
            assert_eq!(
                Owner::take(&lock).unwrap().is_err(),
                is_held,
                "{host} {pid}"
            );
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
