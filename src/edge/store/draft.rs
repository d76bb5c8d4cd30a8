//! The working folder of a run, `vN.draft/`.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use sha2::{Digest, Sha256};

use super::Outputs;
use super::manifest::{FolderContents, Manifest};
use crate::artifact::QUESTIONS_FILE;
use crate::edge::file_names::{INBOX, MANIFEST, TRANSCRIPT};
use crate::edge::fs::{
    FileKind, Fs, IfExists as _, IoContext as _, WriteMode, failed, write_atomically,
};
use crate::edge::journal::chain_head;
use crate::edge::locked;
use crate::edge::safe_open::is_refusal;
use crate::fault::Text;
use crate::fault::storage::{PATH_UNFIT, TRANSCRIPT_OTHER_END, VERSION_EXISTS};
use crate::fault::{Fault, values};

/// Suffix of files being written.
const TMP: &str = ".tmp";
/// Partial answers of running calls, as a JSON object of texts by call; not part of a version.
pub const SAYING: &str = "saying.json";

/// The working folder of one run; its existence reserves the version number.
pub struct Draft {
    outputs: Outputs,
    version: u32,
    dir: PathBuf,
    known: Mutex<WrittenSoFar>,
}

/// Content on disk as written or read by this process, to avoid reading it again.
#[derive(Default)]
struct WrittenSoFar {
    digests: BTreeMap<String, [u8; 32]>,
    folders: BTreeSet<PathBuf>,
}

impl Draft {
    pub(super) fn new(outputs: Outputs, version: u32) -> Self {
        let dir = outputs.draft_dir(version);
        Self {
            outputs,
            version,
            dir,
            known: Mutex::default(),
        }
    }

    /// The reserved number: `N` of `vN`.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Path of the folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Path of the journal.
    pub fn transcript_path(&self) -> PathBuf {
        self.dir.join(TRANSCRIPT)
    }

    /// The file system of its files.
    pub fn fs(&self) -> &dyn Fs {
        &*self.outputs.fs
    }

    /// Writes a derived file if its content differs; returns whether it did.
    ///
    /// The file is replaced atomically but not synced: derived files can be made again until they
    /// are published. The content on disk is read at most once, so a change by somebody else is
    /// overwritten only when this process writes different content.
    ///
    /// # Errors
    /// [`PATH_UNFIT`] for a path through a link; otherwise the storage's error.
    pub fn write(&self, rel: &str, bytes: &[u8]) -> Result<bool, Fault> {
        let mut known = locked(&self.known);
        let digest = <[u8; 32]>::from(Sha256::digest(bytes));
        let path = self.dir.join(rel);
        let same = match known.digests.get(rel) {
            Some(there) => *there == digest,
            None => self.has_content(&path, bytes)?,
        };
        if !same {
            self.make_folders(&mut known, rel)?;
            write_atomically(self.fs(), &path, bytes, WriteMode::Unsynced)?;
        }
        known.digests.insert(rel.to_owned(), digest);
        Ok(!same)
    }

    /// Whether there is a file with this path, whatever its content.
    pub fn holds_file(&self, rel: &str) -> Result<bool, Fault> {
        let path = self.dir.join(rel);
        let there = self.fs().exists(&path);
        there.doing("look at", &path)
    }

    /// Removes a derived file; a missing one is fine.
    pub fn remove(&self, rel: &str) -> Result<(), Fault> {
        let mut known = locked(&self.known);
        known.digests.remove(rel);
        for folder in folders_of(rel) {
            if !self.outputs.is_folder(&self.dir.join(folder))? {
                return Ok(());
            }
        }
        self.discard(&self.dir.join(rel))
    }

    /// Publishes the draft as the version `vN`. Returns its folder, and the storage's error if the
    /// rename might be lost in a power failure.
    ///
    /// `questions.md`, `saying.json`, the inbox and unfinished files are removed; torn tails are
    /// kept. The manifest is written, every file and folder is synced, and one rename that never
    /// replaces publishes it. `head` is the hash of the run's last line. After a crash it can be
    /// called again and starts over.
    ///
    /// # Errors
    /// `vN` exists; the transcript does not end with `head`; the draft contains a link; otherwise
    /// the storage's error. The draft is kept.
    pub fn publish(self, head: &str) -> Result<(PathBuf, Option<Fault>), Fault> {
        let target = self.outputs.version_dir(self.version);
        let exists = || VERSION_EXISTS.with(values![path = target.display()]);
        let fs = self.fs();
        if fs.exists(&target).doing("look at", &target)? {
            return Err(exists());
        }
        let (_, found) = chain_head(fs, &self.transcript_path())?;
        if found != head {
            return Err(TRANSCRIPT_OTHER_END.with(values![expected = head, found]));
        }
        self.tidy()?;
        self.seal(head)?;
        // A message sent meanwhile created the inbox again.
        self.drop_inbox()?;
        match fs.rename_new(&self.dir, &target) {
            Err(error) if is_taken(&error) => return Err(exists()),
            result => result.doing("publish", &self.dir)?,
        }
        let root = self.outputs.root();
        let unsynced = fs.sync_dir(root).err().map(failed("sync", root));
        Ok((target, unsynced))
    }

    /// Removes files that are not part of a version.
    fn tidy(&self) -> Result<(), Fault> {
        for name in [QUESTIONS_FILE, SAYING] {
            self.discard(&self.dir.join(name))?;
        }
        self.drop_inbox()?;
        let tree = FolderContents::of(self.fs(), &self.dir)?;
        for rel in tree.files.iter().filter(|rel| rel.ends_with(TMP)) {
            self.discard(&self.dir.join(rel))?;
        }
        Ok(())
    }

    fn drop_inbox(&self) -> Result<(), Fault> {
        let inbox = self.dir.join(INBOX);
        let removed = self.fs().remove_dir_all(&inbox).if_exists();
        removed.doing("remove", &inbox)?;
        Ok(())
    }

    /// Writes the manifest and syncs everything, inner folders first.
    fn seal(&self, head: &str) -> Result<(), Fault> {
        let fs = self.fs();
        let tree = FolderContents::of(fs, &self.dir)?;
        if let Some(rel) = tree.odd.first() {
            let why = Text(
                "it is neither a file nor a folder",
                "它既不是文件也不是目录",
            );
            return Err(PATH_UNFIT.with(values![path = rel, why]));
        }
        let manifest = Manifest::of(fs, &self.dir, &tree, self.version, head)?;
        let path = self.dir.join(MANIFEST);
        write_atomically(fs, &path, &manifest.to_bytes()?, WriteMode::Unsynced)?;
        let files = tree.files.iter().filter(|rel| *rel != MANIFEST);
        for rel in files.map(String::as_str).chain([MANIFEST]) {
            let path = self.dir.join(rel);
            fs.sync_file(&path).doing("sync", &path)?;
        }
        for rel in tree.folders.iter().rev() {
            self.outputs.sync(&self.dir.join(rel))?;
        }
        self.outputs.sync(&self.dir)
    }

    fn discard(&self, path: &Path) -> Result<(), Fault> {
        self.fs().remove(path).if_exists().doing("remove", path)?;
        Ok(())
    }

    fn has_content(&self, path: &Path, bytes: &[u8]) -> Result<bool, Fault> {
        let found = match self.fs().metadata(path) {
            Ok(found) => found,
            // A link in the path is reported when the folders are created.
            Err(error) if error.kind() == io::ErrorKind::NotFound || is_refusal(&error) => {
                return Ok(false);
            }
            Err(error) => return Err(failed("look at", path)(error)),
        };
        if found.kind != FileKind::File || found.len != bytes.len() as u64 {
            return Ok(false);
        }
        let there = self.fs().read(path).doing("read", path)?;
        Ok(there == bytes)
    }

    fn make_folders(&self, known: &mut WrittenSoFar, rel: &str) -> Result<(), Fault> {
        for folder in folders_of(rel) {
            let path = self.dir.join(folder);
            if known.folders.contains(&path) {
                continue;
            }
            if !self.outputs.is_folder(&path)? {
                self.fs().create_dir(&path).doing("create", &path)?;
            }
            known.folders.insert(path);
        }
        Ok(())
    }
}

/// Folders above a relative path, outermost first.
fn folders_of(rel: &str) -> impl Iterator<Item = &str> {
    rel.match_indices('/').filter_map(|(at, _)| rel.get(..at))
}

/// Whether a rename failed because the target exists, with and without `RENAME_NOREPLACE`.
fn is_taken(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty
    )
}
