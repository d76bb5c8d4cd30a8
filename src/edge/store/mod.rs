//! Versions and drafts of a workspace: plans in `.ai-tools-chain/planning_outputs/`, and
//! in it a folder for each other format and for each series. Each of them counts its own.
//!
//! A run works in `vN.draft/`, whose making takes the number; one rename that
//! refuses to replace makes it `vN/`. So a version is there whole or not at
//! all, and never changes.

pub mod by_hand;
mod draft;
mod manifest;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fault::storage::{DRAFT_MISSING, PATH_UNFIT};
use crate::fault::{Fault, Text, texts};

pub use draft::{Draft, SAYING};
pub use manifest::{
    FileDigest, MANIFEST, Manifest, Problem, VerifyReport, disagrees, is_changed, verify,
};

use super::fs::{Doing as _, FileKind, Fs, IfThere as _, StorageError};
use crate::machine::Version;

/// Folder of a workspace that belongs to `aitc`.
pub const HOME: &str = ".ai-tools-chain";

/// Folder in it with the plans, and with the folders of other formats.
const OUTPUTS: &str = "planning_outputs";

const DRAFT: &str = ".draft";

/// The last number a version can have: what looks like a greater one was not made by
/// `aitc`, and nobody can count on from the greatest there is.
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

/// Names and texts of the files for git, each below [`HOME`].
pub const FOR_GIT: [(&str, &str); 2] =
    [(".gitignore", GITIGNORE), (".gitattributes", GITATTRIBUTES)];

texts! {
    NO_NUMBER_LEFT: "no number is left after it for another version", "在它之后已没有可用的版本号";
}

/// The outputs of a workspace: versions, drafts, and the way to a new number.
#[derive(Clone)]
pub struct Outputs {
    fs: Arc<dyn Fs>,
    home: PathBuf,
    /// The folders from `home` down to the one that holds the versions.
    folders: Vec<PathBuf>,
    root: PathBuf,
}

impl Outputs {
    /// Those of planning workshops; nothing is read or made yet.
    pub fn at(fs: Arc<dyn Fs>, workspace: &Path) -> Self {
        Self::of(fs, workspace, Version::plan(1))
    }

    /// Those that are counted together with `version`, in a folder of their own; nothing is
    /// read or made yet.
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

    /// The folder of `aitc` in the workspace, which holds versions of every format.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The folder with all versions and drafts.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Numbers of published versions, ascending; none if the folder is missing.
    pub fn versions(&self) -> Result<Vec<u32>, Fault> {
        self.numbers("")
    }

    /// Numbers of drafts, ascending; none if the folder is missing.
    pub fn drafts(&self) -> Result<Vec<u32>, Fault> {
        self.numbers(DRAFT)
    }

    fn numbers(&self, ending: &str) -> Result<Vec<u32>, Fault> {
        let names = self.fs.list(&self.root).if_there();
        let names = names.doing("list", &self.root)?.unwrap_or_default();
        let mut numbers: Vec<u32> = names
            .iter()
            .filter_map(|name| number(name.strip_suffix(ending)?))
            .collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// Folder of version `n`, there or not.
    pub fn version_dir(&self, n: u32) -> PathBuf {
        self.root.join(format!("v{n}"))
    }

    /// Folder of the draft for version `n`, there or not.
    pub fn draft_dir(&self, n: u32) -> PathBuf {
        self.root.join(format!("v{n}{DRAFT}"))
    }

    /// File that the run for version `n` holds locked; it lies outside the draft.
    pub fn lock_path(&self, n: u32) -> PathBuf {
        self.root.join(format!(".v{n}.lock"))
    }

    /// The number above all versions and drafts.
    pub fn next(&self) -> Result<u32, Fault> {
        let taken = [self.versions()?, self.drafts()?].concat();
        Ok(taken.into_iter().max().unwrap_or(0) + 1)
    }

    /// Takes the next number above all versions and drafts, for this run alone.
    ///
    /// Makes the folders that are missing, and what is said to git about them.
    ///
    /// # Errors
    /// A folder on the way is a link; else what the storage says.
    pub fn take(&self) -> Result<Draft, Fault> {
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
                Err(error) => return Err(StorageError::doing("create", &dir)(error).into()),
            }
            // Another run may have published this very number since we looked.
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
    /// `NoDraft` if there is none, A folder on the way is a link;
    /// else what the storage says.
    pub fn open_draft(&self, n: u32) -> Result<Draft, Fault> {
        let dir = self.draft_dir(n);
        for folder in self.folders.iter().chain([&dir]) {
            if !self.is_folder(folder)? {
                return Err(DRAFT_MISSING.with(&[("path", &dir.display())]));
            }
        }
        Ok(Draft::new(self.clone(), n))
    }

    /// Makes the folders and the files for git, each only if missing.
    ///
    /// # Errors
    /// As [`Outputs::take`].
    pub fn prepare(&self) -> Result<(), Fault> {
        for folder in &self.folders {
            if !self.is_folder(folder)? {
                self.fs.create_dir_all(folder).doing("create", folder)?;
                self.sync(folder.parent().unwrap_or(folder))?;
            }
        }
        for (name, text) in FOR_GIT {
            self.provide(name, text)?;
        }
        Ok(())
    }

    /// Writes a file of [`HOME`] unless there is one; whole or not at all.
    fn provide(&self, name: &str, text: &str) -> Result<(), Fault> {
        let path = self.home.join(name);
        if self.fs.exists(&path).doing("look at", &path)? {
            return Ok(());
        }
        let tmp = self
            .home
            .join(format!("{name}.{}.tmp", uuid::Uuid::now_v7()));
        if let Err(error) = self.fs.write_new(&tmp, text.as_bytes()) {
            // The first error is what counts; half a file is of no use.
            let _ = self.fs.remove(&tmp);
            return Err(StorageError::doing("write", &tmp)(error).into());
        }
        match self.fs.rename_new(&tmp, &path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                self.fs.remove(&tmp).doing("remove", &tmp)?;
            }
            result => result.doing("write", &path)?,
        }
        Ok(())
    }

    /// Is it there, and a folder? A link could lead out of the workspace and is refused.
    fn is_folder(&self, path: &Path) -> Result<bool, Fault> {
        let found = self.fs.metadata(path).if_there().doing("look at", path)?;
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

/// `7` of `v7`; nothing else that begins with `v` is a version.
fn number(name: &str) -> Option<u32> {
    let digits = name.strip_prefix('v')?;
    let plain = digits.bytes().all(|b| b.is_ascii_digit()) && !digits.starts_with('0');
    digits.parse().ok().filter(|n| plain && *n <= LAST)
}

/// A path that nothing may be written to.
fn unfit(path: &Path, why: Text) -> Fault {
    PATH_UNFIT.with(&[("path", &path.display()), ("why", &why)])
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
