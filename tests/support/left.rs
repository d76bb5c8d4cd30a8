//! What a crash leaves: copies of a folder from one run, in place of a run for each crash.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::binary::copy;

/// Operations that leave every file as it is.
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
    /// A copy of it, for the next process to go on in.
    pub folder: tempfile::TempDir,
    /// Where the crash came, such as `before append (117)`.
    pub at: String,
    /// How much the test had noted by then.
    pub noted: usize,
}

/// Keeps a copy of a folder for each way in which a crash may leave it: as it is before an
/// operation, and with half the bytes of one that writes some.
///
/// Reading and syncing change nothing, so a crash at any of these leaves what one at the next
/// change does: there is one copy for all of them. A process that starts in the copy knows
/// nothing but the folder, as one that starts after the crash.
#[derive(Clone)]
pub struct Kept {
    folder: PathBuf,
    noted: Arc<dyn Fn() -> usize + Send + Sync>,
    left: Arc<Mutex<Vec<Left>>>,
}

impl Kept {
    /// Of `folder`; `noted` says how much the test has noted of what the run does outside it.
    pub fn of(folder: &Path, noted: impl Fn() -> usize + Send + Sync + 'static) -> Self {
        Self {
            folder: folder.to_owned(),
            noted: Arc::new(noted),
            left: Arc::default(),
        }
    }

    /// Operation `n` is next; `written` is what it adds to which file.
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

    /// All that was kept, and the folder as it is in the end.
    pub fn all(self) -> Vec<Left> {
        self.keep("at the end".to_owned());
        std::mem::take(&mut *self.left.lock().unwrap())
    }
}
