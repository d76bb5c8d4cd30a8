//! Throwaway copies of a tree, and the folder they stand in.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{DirBuilder, File, FileTimes, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{Mode, OFlags, openat, readlinkat};
use rustix::io::Errno;

use crate::readable::names_a_credential;

/// The file in a copy's folder that its owner holds.
const LOCK: &str = "lock";

/// Files of a copy at most, and bytes in all: a tree beyond them is no place for a trial.
const FILES: usize = 200_000;
const BYTES: u64 = 8 << 30;
/// Files laid over a copy at most, and bytes of their texts in all.
const LAID_FILES: usize = 200;
const LAID_BYTES: usize = 4 << 20;

/// The parts of a copy that a trial writes in; `cargo` is its home, where the user has it
/// elsewhere than in the home folder, and `over` what is written over folders of the tree.
pub(crate) const WRITTEN: [&str; 6] = ["tree", "home", "tmp", "shm", "cargo", "over"];

/// Folders git does not track and a command needs: what it depends on.
const DEPENDENCIES: [&str; 7] = [
    ".nox",
    ".tox",
    ".venv",
    ".yarn",
    "node_modules",
    "vendor",
    "venv",
];
/// The same for what is built already: with it a build goes on from there.
const BUILT: [&str; 3] = ["_build", "build", "target"];

/// An untracked folder of the tree that a trial sees.
#[derive(Debug)]
pub(crate) struct Beside {
    /// From the root.
    pub path: PathBuf,
    /// Is it built, and so of use only where it can be written?
    pub built: bool,
    /// The folder of the copy for what is written over it.
    pub over: PathBuf,
}

/// Why there is no copy.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// A path that is not beneath the tree, or leads through a link.
    #[error("`{}` is not a path beneath the tree", .0.display())]
    Outside(PathBuf),
    /// A file in a folder of dependencies or builds, which git does not track.
    #[error("`{}` lies in a folder that git does not track; let the command write it", .0.display())]
    Covered(PathBuf),
    /// More files or bytes than a copy may have.
    #[error("{0}")]
    TooLarge(&'static str),
    /// The file system refused.
    #[error("`{}`: {source}", .path.display())]
    Io {
        /// What was read or written.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> CopyError {
    |source| CopyError::Io {
        path: path.to_owned(),
        source,
    }
}

/// A text that stands in the copy in place of, or besides, what the tree has there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Laid {
    /// From the root of the tree.
    pub path: PathBuf,
    /// The whole file.
    pub text: String,
}

/// The folder copies stand in. Each is held by a lock its owner's death releases, so that
/// whoever opens the folder next removes what a killed program left.
#[derive(Debug)]
pub struct Copies {
    folder: PathBuf,
}

impl Copies {
    /// Opens the folder, creating it for its owner only, and removes what nobody holds.
    ///
    /// # Errors
    /// Where the folder cannot be created or read.
    pub fn open(folder: &Path) -> io::Result<Self> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)?;
        let copies = Self {
            folder: folder.canonicalize()?,
        };
        copies.clean()?;
        Ok(copies)
    }

    /// Held while copies are claimed or looked through.
    fn door(&self) -> io::Result<File> {
        let door = File::create(self.folder.join("door"))?;
        door.lock()?;
        Ok(door)
    }

    fn clean(&self) -> io::Result<()> {
        let _door = self.door()?;
        for entry in std::fs::read_dir(&self.folder)? {
            let holder = entry?.path();
            if !holder.is_dir()
                || File::open(holder.join(LOCK)).is_ok_and(|it| it.try_lock().is_err())
            {
                continue;
            }
            gone_or(remove(&holder))?;
        }
        Ok(())
    }

    fn claim(&self) -> io::Result<(PathBuf, File)> {
        let _door = self.door()?;
        let holder = tempfile::Builder::new()
            .prefix("copy-")
            .tempdir_in(&self.folder)?
            .keep();
        let lock = File::create(holder.join(LOCK))?;
        lock.lock()?;
        Ok((holder, lock))
    }
}

/// One copy of a tree with a home, `/tmp` and `/dev/shm` of its own; removed when dropped.
#[derive(Debug)]
pub struct TreeCopy {
    holder: PathBuf,
    root: PathBuf,
    beside: Vec<Beside>,
    _lock: File,
}

impl TreeCopy {
    /// Copies `files`, paths from `root` of regular files and links, and lays `laid` over them
    /// in their order. Files that are gone, special files and files named for credentials are
    /// left out. Blocks are shared with the tree where the file system can.
    ///
    /// # Errors
    /// Where a path leads out of the tree, a bound of the copy is passed, or a file cannot be
    /// read or written.
    pub fn new(
        copies: &Copies,
        root: &Path,
        files: &[PathBuf],
        laid: &[Laid],
    ) -> Result<Self, CopyError> {
        let root = root.canonicalize().map_err(at(root))?;
        if root.parent().is_none() {
            return Err(CopyError::Outside(root));
        }
        let (holder, lock) = copies.claim().map_err(at(&copies.folder))?;
        let mut copy = Self {
            holder,
            root,
            beside: Vec::new(),
            _lock: lock,
        };
        for part in WRITTEN.into_iter().chain(["nothing", "root"]) {
            let path = copy.part(part);
            std::fs::create_dir(&path).map_err(at(&path))?;
        }
        let empty = copy.part("empty");
        File::create(&empty).map_err(at(&empty))?;
        copy.fill(files)?;
        copy.beside = copy.look_beside(files)?;
        copy.lay(laid)?;
        Ok(copy)
    }

    /// The folder of the tree, here and in the trial.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder the copy stands in, for a program that is confined by other means.
    #[must_use]
    pub fn tree(&self) -> PathBuf {
        self.part("tree")
    }

    /// A folder beside it for temporary files.
    #[must_use]
    pub fn temporary(&self) -> PathBuf {
        self.part("tmp")
    }

    /// A part of the copy: one of [`WRITTEN`], `nothing` and `empty`
    /// to cover what is not to be read, `root` to build the view on.
    pub(crate) fn part(&self, name: &str) -> PathBuf {
        self.holder.join(name)
    }

    /// Untracked folders of the tree that a trial sees.
    pub(crate) fn beside(&self) -> &[Beside] {
        &self.beside
    }

    /// Makes a user the owner of all that is to be written.
    pub(crate) fn give_to(&self, user: u32, group: u32) -> io::Result<()> {
        let mut waiting = WRITTEN.map(|it| self.part(it)).to_vec();
        while let Some(path) = waiting.pop() {
            std::os::unix::fs::lchown(&path, Some(user), Some(group))?;
            if path.symlink_metadata()?.is_dir() {
                for entry in std::fs::read_dir(&path)? {
                    waiting.push(entry?.path());
                }
            }
        }
        Ok(())
    }

    fn fill(&self, files: &[PathBuf]) -> Result<(), CopyError> {
        if files.len() > FILES {
            return Err(CopyError::TooLarge("the tree has more than 200,000 files"));
        }
        let mut source = Source::open(&self.root).map_err(at(&self.root))?;
        let tree = self.part("tree");
        let mut left = BYTES;
        for path in files {
            if !is_beneath(path) {
                return Err(CopyError::Outside(path.clone()));
            }
            if names_a_credential(path) {
                continue;
            }
            let to = tree.join(path);
            left -= match source.copy(path, &to, left) {
                Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                    return Err(CopyError::TooLarge("the tree has more than 8 GiB"));
                }
                copied => copied.map_err(at(path))?,
            };
        }
        Ok(())
    }

    /// Folders of dependencies and builds beside tracked files, none of whose files is tracked.
    /// Links are not followed: a tree could lead a trial anywhere with them.
    fn look_beside(&self, files: &[PathBuf]) -> Result<Vec<Beside>, CopyError> {
        let folders: BTreeSet<&Path> = files.iter().flat_map(|it| it.ancestors().skip(1)).collect();
        let mut found: Vec<Beside> = Vec::new();
        for folder in &folders {
            for name in DEPENDENCIES.iter().chain(&BUILT) {
                let path = folder.join(name);
                let there = self.root.join(&path);
                let is_here = there.is_dir() && there.canonicalize().is_ok_and(|it| it == there);
                if !is_here || folders.contains(path.as_path()) || !self.is_plain(folder) {
                    continue;
                }
                let over = self.part("over").join(found.len().to_string());
                for place in [
                    self.part("tree").join(&path),
                    over.join("upper"),
                    over.join("work"),
                ] {
                    std::fs::create_dir_all(&place).map_err(at(&place))?;
                }
                found.push(Beside {
                    path,
                    built: BUILT.contains(name),
                    over,
                });
            }
        }
        Ok(found)
    }

    /// Is every part of this path in the copy a folder, or not there? Nobody but its owner
    /// writes in a copy that has not been run.
    pub(crate) fn is_plain(&self, path: &Path) -> bool {
        let mut place = self.part("tree");
        path.components().all(|part| {
            place.push(part);
            place.symlink_metadata().map_or(true, |it| it.is_dir())
        })
    }

    fn lay(&self, laid: &[Laid]) -> Result<(), CopyError> {
        let bytes: usize = laid.iter().map(|it| it.text.len()).sum();
        if laid.len() > LAID_FILES || bytes > LAID_BYTES {
            return Err(CopyError::TooLarge(
                "a trial lays down at most 200 files and 4 MiB",
            ));
        }
        for Laid { path, text } in laid {
            let folder = path.parent().unwrap_or(Path::new(""));
            let covered = self.beside.iter().any(|it| path.starts_with(&it.path));
            if !is_beneath(path) || !self.is_plain(folder) {
                return Err(CopyError::Outside(path.clone()));
            } else if covered {
                return Err(CopyError::Covered(path.clone()));
            }
            let to = self.part("tree").join(path);
            let written = || {
                std::fs::create_dir_all(self.part("tree").join(folder))?;
                let was = match to.symlink_metadata() {
                    Ok(was) if was.is_dir() => return Err(Errno::ISDIR.into()),
                    // A link is replaced, not followed.
                    Ok(was) => {
                        std::fs::remove_file(&to)?;
                        was.permissions().mode() & 0o100
                    }
                    Err(_) => 0,
                };
                let mut file = File::create_new(&to)?;
                file.write_all(text.as_bytes())?;
                file.set_permissions(Permissions::from_mode(mode(was != 0)))
            };
            written().map_err(at(path))?;
        }
        Ok(())
    }
}

impl Drop for TreeCopy {
    fn drop(&mut self) {
        // What cannot be removed now is removed when the folder is opened next.
        let _ = remove(&self.holder);
    }
}

/// Nothing but names, none of them `.git`.
fn is_beneath(path: &Path) -> bool {
    path.components().next().is_some()
        && path.components().all(|it| match it {
            Component::Normal(name) => name != OsStr::new(".git"),
            _ => false,
        })
}

fn mode(runs: bool) -> u32 {
    if runs { 0o755 } else { 0o644 }
}

/// A tree that is read without following any link, whoever changes it meanwhile.
struct Source {
    root: rustix::fd::OwnedFd,
    /// The folder of the file before, which is most often that of the next one too.
    last: Option<(PathBuf, rustix::fd::OwnedFd)>,
}

const FOLDER: OFlags = OFlags::DIRECTORY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

impl Source {
    fn open(root: &Path) -> io::Result<Self> {
        let root = rustix::fs::open(root, FOLDER, Mode::empty())?;
        Ok(Self { root, last: None })
    }

    fn enter(&mut self, folder: &Path) -> rustix::io::Result<&rustix::fd::OwnedFd> {
        if folder.as_os_str().is_empty() {
            return Ok(&self.root);
        }
        if self.last.as_ref().is_none_or(|(path, _)| path != folder) {
            let mut here = openat(&self.root, ".", FOLDER, Mode::empty())?;
            for part in folder.components() {
                here = openat(&here, part.as_os_str(), FOLDER, Mode::empty())?;
            }
            self.last = Some((folder.to_owned(), here));
        }
        Ok(self.last.as_ref().map_or(&self.root, |(_, folder)| folder))
    }

    /// Copies the file or link at `path` and says how many bytes it has, `most` at most; what
    /// is not there, or neither file nor link, is left out.
    fn copy(&mut self, path: &Path, to: &Path, most: u64) -> io::Result<u64> {
        let name = path.file_name().unwrap_or_default();
        let folder = match self.enter(path.parent().unwrap_or(Path::new(""))) {
            Ok(folder) => folder,
            // Gone meanwhile, or a link where the list has a folder.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Ok(0),
            Err(other) => return Err(other.into()),
        };
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let opened = openat(folder, name, flags, Mode::empty());
        if let Some(parent) = to.parent() {
            std::fs::create_dir_all(parent)?;
        }
        match opened {
            Ok(file) => copy_file(&File::from(file), to, most),
            Err(Errno::LOOP | Errno::MLINK) => {
                let target = readlinkat(folder, name, Vec::new())?;
                std::os::unix::fs::symlink(OsStr::new(&*target.to_string_lossy()), to)?;
                Ok(0)
            }
            Err(Errno::NOENT | Errno::NXIO) => Ok(0),
            Err(other) => Err(other.into()),
        }
    }
}

fn copy_file(from: &File, to: &Path, most: u64) -> io::Result<u64> {
    let about = from.metadata()?;
    if !about.is_file() {
        return Ok(0);
    } else if about.len() > most {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let mut file = File::create_new(to)?;
    // `copy_file_range` beneath it shares blocks where the file system can. A file that grows
    // meanwhile is taken as it was.
    let bytes = io::copy(&mut from.take(about.len()), &mut file)?;
    let runs = about.permissions().mode() & 0o111 != 0;
    file.set_permissions(Permissions::from_mode(mode(runs)))?;
    file.set_times(FileTimes::new().set_modified(about.modified()?))?;
    Ok(bytes)
}

/// Files that somebody removed meanwhile count as removed.
fn gone_or(removed: io::Result<()>) -> io::Result<()> {
    removed.or_else(|error| match error.kind() {
        // What still writes there had its owner killed: the next start removes it.
        io::ErrorKind::NotFound | io::ErrorKind::DirectoryNotEmpty => Ok(()),
        _ => Err(error),
    })
}

/// Removes a folder however deep what a trial left in it is, and whatever rights it took from
/// itself: folders are lifted to the top before they are entered.
fn remove(holder: &Path) -> io::Result<()> {
    let open = Permissions::from_mode(0o700);
    let mut lifted = 0_u64;
    let mut waiting = vec![holder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            if !entry.file_type()?.is_dir() {
                // The lock goes last: without it another program takes the folder for left.
                if folder != holder || entry.file_name() != LOCK {
                    std::fs::remove_file(entry.path())?;
                }
                continue;
            }
            std::fs::set_permissions(entry.path(), open.clone())?;
            if folder == holder {
                waiting.push(entry.path());
            } else {
                let to = loop {
                    let to = holder.join(format!("lifted-{lifted}"));
                    lifted += 1;
                    // One that was not removed the last time may stand there.
                    if to.symlink_metadata().is_err() {
                        break to;
                    }
                };
                std::fs::rename(entry.path(), &to)?;
                waiting.push(to);
            }
        }
        if folder != holder {
            std::fs::remove_dir(&folder)?;
        }
    }
    // Without the lock another program may remove the rest.
    gone_or(std::fs::remove_file(holder.join(LOCK)))?;
    gone_or(std::fs::remove_dir(holder))
}
