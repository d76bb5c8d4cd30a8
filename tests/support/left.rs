//! The states that crashes leave: copies of a folder made during a single run, instead of a run for
//! each crash.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::binary::copy;

/// Operations that change no file.
const READS: [&str; 8] = [
    "exists",
    "list",
    "metadata",
    "open_read",
    "read",
    "sync",
    "sync_dir",
    "sync_file",
];

/// A folder as a crash leaves it.
pub struct Left {
    /// A copy of it, in which the next process can continue.
    pub folder: tempfile::TempDir,
    /// The position of the crash, such as `before append (117)`.
    pub at: String,
    /// The test's counter at that time.
    pub noted: usize,
}

/// Keeps a copy of a folder for each state in which a crash may leave it: before an operation, and
/// with half the bytes of a write.
///
/// Reads and syncs change nothing, so a crash during them leaves the same state as one before the
/// next change, and a single copy is enough. A process started in the copy sees only the folder,
/// like one started after a real crash.
#[derive(Clone)]
pub struct Kept {
    folder: PathBuf,
    noted: Arc<dyn Fn() -> usize + Send + Sync>,
    left: Arc<Mutex<Vec<Left>>>,
}

impl Kept {
    /// Watches `folder`; `noted` returns the test's counter of what the run does outside of it.
    pub fn of(folder: &Path, noted: impl Fn() -> usize + Send + Sync + 'static) -> Self {
        Self {
            folder: folder.to_owned(),
            noted: Arc::new(noted),
            left: Arc::default(),
        }
    }

    /// Called before operation `n`; `written` is what it adds to which file.
    pub fn before(&self, n: usize, name: &str, written: Option<(&Path, &[u8])>) {
        if READS.contains(&name) {
            return;
        }
        self.keep(format!("before {name} ({n})"));
        if let Some((path, bytes)) = written {
            let copy = self.keep(format!("in the middle of {name} ({n})"));
            let path = copy.join(path.strip_prefix(&self.folder).unwrap());
            let file = std::fs::File::options()
                .append(true)
                .create(true)
                .open(path);
            file.unwrap().write_all(&bytes[..bytes.len() / 2]).unwrap();
        }
    }

    fn keep(&self, at: String) -> PathBuf {
        let folder = tempfile::tempdir().unwrap();
        copy(&self.folder, folder.path());
        let path = folder.path().to_owned();
        let noted = (self.noted)();
        self.left.lock().unwrap().push(Left { folder, at, noted });
        path
    }

    /// All copies, including one of the final state.
    pub fn all(self) -> Vec<Left> {
        self.keep("at the end".to_owned());
        std::mem::take(&mut *self.left.lock().unwrap())
    }
}
