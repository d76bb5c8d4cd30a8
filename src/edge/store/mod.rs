//! Versions and drafts of a workspace: plans in `.ai-tools-chain/planning_outputs/`, and a folder
//! inside it for each other format and for each series. Each folder has its own numbers.
//!
//! A run works in `vN.draft/`, whose creation reserves the number; a rename that never replaces
//! makes it `vN/`. So a version is always complete and never changes.

pub mod by_hand;
mod draft;
mod manifest;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fault::storage::{DRAFT_MISSING, PATH_UNFIT};
use crate::fault::{Fault, Text, texts, values};

pub use draft::{Draft, SAYING};
pub use manifest::{FileDigest, Manifest, Problem, VerifyReport, disagrees, verify};

use super::fs::{FileKind, Fs, IfExists as _, IoContext as _, WriteMode, failed, write_atomically};
use crate::edge::file_names::HOME;
use crate::machine::Version;

/// Folder inside it with the plans and the folders of other formats.
const OUTPUTS: &str = "planning_outputs";

const DRAFT: &str = ".draft";

/// The largest number of a version. A folder with a larger one was not made by `aitc`, and
/// continuing from it could overflow.
const LAST: u32 = 999_999_999;

const GITIGNORE: &str = "\
# Made by aitc. Versions and drafts may be committed; these files may not.
/planning_outputs/**/.v*.lock
/planning_outputs/**/planning_transcript.torn-*
/planning_outputs/**/planning_transcript.damaged-*
/planning_outputs/**/saying.json
*.tmp
";

const GITATTRIBUTES: &str = "\
# Made by aitc. Digests are over bytes: no line ends may be changed,
# two transcripts are never merged line by line, and of a thread both sides are kept.
/planning_outputs/** -text
planning_transcript.jsonl -merge
/planning_outputs/**/v*.review/*.yaml merge=union
";

/// Names and contents of the files for git, each below [`HOME`].
pub const FOR_GIT: [(&str, &str); 2] =
    [(".gitignore", GITIGNORE), (".gitattributes", GITATTRIBUTES)];

texts! {
    NO_NUMBER_LEFT: "no number is left after it for another version", "在它之后已没有可用的版本号";
}

/// The versions and drafts of one format or series in a workspace.
#[derive(Clone)]
pub struct Outputs {
    fs: Arc<dyn Fs>,
    home: PathBuf,
    /// The folders from `home` down to the one with the versions.
    folders: Vec<PathBuf>,
    root: PathBuf,
}

impl Outputs {
    /// The outputs of planning workshops; does not access the disk.
    pub fn at(fs: Arc<dyn Fs>, workspace: &Path) -> Self {
        Self::of(fs, workspace, Version::plan(1))
    }

    /// The outputs that share a folder and numbers with `version`; does not access the disk.
    pub fn of(fs: Arc<dyn Fs>, workspace: &Path, version: Version) -> Self {
        let home = workspace.join(HOME);
        let plans = home.join(OUTPUTS);
        let root = version.folder().map(|folder| plans.join(folder));
        let mut folders = vec![home.clone(), plans.clone()];
        folders.extend(root.clone());
        Self {
            fs,
            home,
            folders,
            root: root.unwrap_or(plans),
        }
    }

    /// The folder of `aitc` in the workspace, for versions of every format.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The folder with all versions and drafts.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Numbers of published versions, ascending; empty if the folder is missing.
    pub fn versions(&self) -> Result<Vec<u32>, Fault> {
        self.numbers("")
    }

    /// Numbers of drafts, ascending; empty if the folder is missing.
    pub fn drafts(&self) -> Result<Vec<u32>, Fault> {
        self.numbers(DRAFT)
    }

    fn numbers(&self, ending: &str) -> Result<Vec<u32>, Fault> {
        let names = self.fs.list(&self.root).if_exists();
        let names = names.doing("list", &self.root)?.unwrap_or_default();
        let mut numbers: Vec<u32> = names
            .iter()
            .filter_map(|name| number(name.strip_suffix(ending)?))
            .collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// Path of version `n`, which may not exist.
    pub fn version_dir(&self, n: u32) -> PathBuf {
        self.root.join(format!("v{n}"))
    }

    /// Path of the draft for version `n`, which may not exist.
    pub fn draft_dir(&self, n: u32) -> PathBuf {
        self.root.join(format!("v{n}{DRAFT}"))
    }

    /// Path of the lock file of the run for version `n`, outside the draft.
    pub fn lock_path(&self, n: u32) -> PathBuf {
        self.root.join(format!(".v{n}.lock"))
    }

    /// The number after all versions and drafts.
    pub fn next(&self) -> Result<u32, Fault> {
        let taken = [self.versions()?, self.drafts()?].concat();
        Ok(taken.into_iter().max().unwrap_or(0) + 1)
    }

    /// Reserves the next number for this run.
    ///
    /// Creates missing folders and the files for git.
    ///
    /// # Errors
    /// A folder of the path is a link; otherwise the storage's error.
    pub fn reserve(&self) -> Result<Draft, Fault> {
        self.prepare()?;
        loop {
            let n = self.next()?;
            if n > LAST {
                return Err(unfit(&self.version_dir(LAST), NO_NUMBER_LEFT));
            }
            let dir = self.draft_dir(n);
            match self.fs.create_dir(&dir) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(failed("create", &dir)(error)),
            }
            // Another run may have published this number meanwhile.
            let version = self.version_dir(n);
            let is_published = self.fs.exists(&version).doing("look at", &version)?;
            if is_published {
                self.fs.remove_dir_all(&dir).doing("remove", &dir)?;
                continue;
            }
            self.sync(&self.root)?;
            return Ok(Draft::new(self.clone(), n));
        }
    }

    /// Opens the draft for version `n`.
    ///
    /// # Errors
    /// [`DRAFT_MISSING`] if there is none; a folder of the path is a link; otherwise the storage's error.
    pub fn open_draft(&self, n: u32) -> Result<Draft, Fault> {
        let dir = self.draft_dir(n);
        for folder in self.folders.iter().chain([&dir]) {
            if !self.is_folder(folder)? {
                return Err(DRAFT_MISSING.with(values![path = dir.display()]));
            }
        }
        Ok(Draft::new(self.clone(), n))
    }

    /// Creates the missing folders and files for git.
    ///
    /// # Errors
    /// As [`Outputs::reserve`].
    pub fn prepare(&self) -> Result<(), Fault> {
        for folder in &self.folders {
            if !self.is_folder(folder)? {
                self.fs.create_dir_all(folder).doing("create", folder)?;
                self.sync(folder.parent().unwrap_or(folder))?;
            }
        }
        for (name, text) in FOR_GIT {
            let path = self.home.join(name);
            if !self.fs.exists(&path).doing("look at", &path)? {
                write_atomically(&*self.fs, &path, text.as_bytes(), WriteMode::New)?;
            }
        }
        Ok(())
    }

    /// Whether it exists and is a folder. A link is refused, because it could lead out of the
    /// workspace.
    fn is_folder(&self, path: &Path) -> Result<bool, Fault> {
        let found = self.fs.metadata(path).if_exists().doing("look at", path)?;
        match found.map(|found| found.kind) {
            None => Ok(false),
            Some(FileKind::Dir) => Ok(true),
            Some(_) => Err(unfit(path, Text("it is no folder", "它不是目录"))),
        }
    }

    fn sync(&self, folder: &Path) -> Result<(), Fault> {
        self.fs.sync_dir(folder).doing("sync", folder)?;
        Ok(())
    }
}

/// Parses `v7` as 7; any other name is not a version.
fn number(name: &str) -> Option<u32> {
    let digits = name.strip_prefix('v')?;
    let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
    digits.parse().ok().filter(|n| plain && *n <= LAST)
}

/// The error for a path that must not be written.
fn unfit(path: &Path, why: Text) -> Fault {
    PATH_UNFIT.with(values![path = path.display(), why])
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn only_plain_numbers_are_versions() {
        assert_eq!(number("v12"), Some(12));
        assert_eq!(number("v999999999"), Some(super::LAST));
        for name in [
            "v0",
            "v01",
            "v",
            "v+1",
            "1",
            "v1.draft",
            "v1000000000",
            "v4294967295",
            "v99999999999",
            "V1",
        ] {
            assert_eq!(number(name), None, "{name}");
        }
    }
}
