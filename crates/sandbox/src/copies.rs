//! Temporary copies of a tree, and the folder that contains them.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{DirBuilder, File, FileTimes, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{Mode, OFlags, openat, readlinkat};
use rustix::io::Errno;

use crate::readable::names_a_credential;

/// The file in a copy's folder that its owner locks.
const LOCK: &str = "lock";

/// Maximum number of files in a copy, and of bytes in total: a larger tree cannot be used for
/// trials.
const FILES: usize = 200_000;
const BYTES: u64 = 8 << 30;
/// Maximum number of files laid over a copy, and of bytes of their texts in total.
const LAID_FILES: usize = 200;
const LAID_BYTES: usize = 4 << 20;
/// How many characters of an edit that does not fit are quoted.
const EXCERPT: usize = 80;

/// The parts of a copy that a trial may write. `cargo` is cargo's home if the user has it outside
/// the home folder; `over` receives what is written over folders of the tree.
pub(crate) const WRITTEN: [&str; 6] = ["tree", "home", "tmp", "shm", "cargo", "over"];

/// Untracked folders that commands need: their dependencies.
const DEPENDENCIES: [&str; 7] = [
    ".nox",
    ".tox",
    ".venv",
    ".yarn",
    "node_modules",
    "vendor",
    "venv",
];
/// Untracked folders with build results: with them a build can continue where it was.
const BUILT: [&str; 3] = ["_build", "build", "target"];

/// An untracked folder of the tree that a trial can read.
#[derive(Debug)]
pub(crate) struct UntrackedFolder {
    /// Path relative to the root.
    pub path: PathBuf,
    /// Whether it contains build results, which are useful only if they can be written.
    pub built: bool,
    /// The folder of the copy that receives what is written over it.
    pub over: PathBuf,
}

/// Why a copy could not be made.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// A path that is not beneath the tree, or leads through a symbolic link.
    #[error("`{}` is not a path beneath the tree", .0.display())]
    Outside(PathBuf),
    /// A file in a folder of dependencies or build results, which git does not track.
    #[error("`{}` lies in a folder that git does not track; let the command write it", .0.display())]
    Covered(PathBuf),
    /// An edit of a file does not fit the file as it is in the copy.
    #[error("an edit of `{}` does not fit: {why}", .path.display())]
    Edit {
        /// The file.
        path: PathBuf,
        /// Which edit, and what is wrong with it.
        why: String,
    },
    /// The copy would have too many files or bytes.
    #[error("{0}")]
    TooLarge(&'static str),
    /// A file could not be read or written.
    #[error("`{}`: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the file system.
        source: io::Error,
    },
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> CopyError {
    |source| CopyError::Io {
        path: path.to_owned(),
        source,
    }
}

/// A file that replaces one of the copy or is added to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Laid {
    /// Path relative to the root of the tree.
    pub path: PathBuf,
    /// The whole content; `None` for the content of the file in the copy.
    pub text: Option<String>,
    /// Edits of that content, made in order.
    pub edits: Vec<Edit>,
}

/// A replacement of one place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The text that is replaced; it occurs exactly once.
    pub old: String,
    /// The text in its place.
    pub new: String,
}

impl Laid {
    fn bytes(&self) -> usize {
        let edits = self.edits.iter().map(|it| it.old.len() + it.new.len());
        self.text.as_ref().map_or(0, String::len) + edits.sum::<usize>()
    }

    /// Returns the content to write; `to` is the file in the copy.
    fn content(&self, to: &Path) -> Result<String, String> {
        let mut text = match (&self.text, to.symlink_metadata()) {
            (Some(text), _) => text.clone(),
            // A link is not followed: it could lead anywhere.
            (None, Ok(file)) if file.is_file() && file.len() <= LAID_BYTES as u64 => {
                std::fs::read_to_string(to).map_err(|error| error.to_string())?
            }
            (None, _) => return Err("the copy has no such file of at most 4 MiB".to_owned()),
        };
        // Whoever writes an edit does not see how the lines end.
        let crlf = text.matches("\r\n").count();
        let is_crlf = crlf > 0 && crlf == text.matches('\n').count();
        for edit in &self.edits {
            let [old, new] = [&edit.old, &edit.new].map(|part| match is_crlf {
                true => part.replace("\r\n", "\n").replace('\n', "\r\n"),
                false => part.clone(),
            });
            let found = text.matches(old.as_str()).count();
            if found != 1 {
                let line = old.trim().lines().next().unwrap_or_default();
                let begin: String = line.chars().take(EXCERPT).collect();
                return Err(format!(
                    "its `old`, which begins `{begin}`, occurs {found} times, not once"
                ));
            }
            text = text.replacen(old.as_str(), &new, 1);
        }
        Ok(text)
    }
}

/// The folder that contains copies. The owner of a copy locks it, and the lock is released when the
/// owner dies, so that the next process that opens the folder removes what a killed one left.
#[derive(Debug)]
pub struct Copies {
    folder: PathBuf,
}

impl Copies {
    /// Opens the folder, creating it with access for its owner only, and removes copies that nobody
    /// has locked.
    ///
    /// # Errors
    /// The folder cannot be created or read.
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

    /// Locks the folder while copies are created or removed.
    fn folder_lock(&self) -> io::Result<File> {
        let folder_lock = File::create(self.folder.join("door"))?;
        folder_lock.lock()?;
        Ok(folder_lock)
    }

    fn clean(&self) -> io::Result<()> {
        let _folder_lock = self.folder_lock()?;
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
        let _folder_lock = self.folder_lock()?;
        let holder = tempfile::Builder::new()
            .prefix("copy-")
            .tempdir_in(&self.folder)?
            .keep();
        let lock = File::create(holder.join(LOCK))?;
        lock.lock()?;
        Ok((holder, lock))
    }
}

/// A copy of a tree with its own home, `/tmp` and `/dev/shm`; removed when dropped.
#[derive(Debug)]
pub struct TreeCopy {
    holder: PathBuf,
    root: PathBuf,
    untracked: Vec<UntrackedFolder>,
    _lock: File,
}

impl TreeCopy {
    /// Copies `files`, paths relative to `root` of regular files and links, then writes `laid` over
    /// them in order. Missing files, special files and files with names of credentials are left
    /// out. The copy shares blocks with the tree if the file system supports it.
    ///
    /// # Errors
    /// A path leads out of the tree, an edit does not fit, the copy would be too large, or a file
    /// cannot be read or written.
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
            untracked: Vec::new(),
            _lock: lock,
        };
        for part in WRITTEN.into_iter().chain(["nothing", "root"]) {
            let path = copy.part(part);
            std::fs::create_dir(&path).map_err(at(&path))?;
        }
        let empty = copy.part("empty");
        File::create(&empty).map_err(at(&empty))?;
        copy.fill(files)?;
        copy.untracked = copy.find_untracked(files)?;
        copy.lay(laid)?;
        Ok(copy)
    }

    /// Returns the tree's folder; the trial sees the copy at the same path.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the folder of the copy, for a program that is confined in another way.
    #[must_use]
    pub fn tree(&self) -> PathBuf {
        self.part("tree")
    }

    /// A folder for temporary files beside the copy.
    #[must_use]
    pub fn temporary(&self) -> PathBuf {
        self.part("tmp")
    }

    /// Returns the path of a part: one of [`WRITTEN`], `nothing` and `empty` to cover what must not
    /// be read, or `root` to build the view on.
    pub(crate) fn part(&self, name: &str) -> PathBuf {
        self.holder.join(name)
    }

    /// Returns untracked folders of the tree that a trial can read.
    pub(crate) fn untracked(&self) -> &[UntrackedFolder] {
        &self.untracked
    }

    /// Makes a user the owner of all parts that may be written.
    pub(crate) fn chown_to(&self, user: u32, group: u32) -> io::Result<()> {
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
        let mut source = SourceTree::open(&self.root).map_err(at(&self.root))?;
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

    /// Finds folders of dependencies and build results beside tracked files that contain no tracked
    /// file themselves. Links are not followed: they could lead anywhere.
    fn find_untracked(&self, files: &[PathBuf]) -> Result<Vec<UntrackedFolder>, CopyError> {
        let folders: BTreeSet<&Path> = files.iter().flat_map(|it| it.ancestors().skip(1)).collect();
        let mut found: Vec<UntrackedFolder> = Vec::new();
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
                found.push(UntrackedFolder {
                    path,
                    built: BUILT.contains(name),
                    over,
                });
            }
        }
        Ok(found)
    }

    /// Returns whether every part of this path in the copy is a folder or does not exist. Until the
    /// trial starts, only the owner of the copy writes to it.
    pub(crate) fn is_plain(&self, path: &Path) -> bool {
        let mut place = self.part("tree");
        path.components().all(|part| {
            place.push(part);
            place.symlink_metadata().map_or(true, |it| it.is_dir())
        })
    }

    fn lay(&self, laid: &[Laid]) -> Result<(), CopyError> {
        let bytes: usize = laid.iter().map(Laid::bytes).sum();
        if laid.len() > LAID_FILES || bytes > LAID_BYTES {
            return Err(CopyError::TooLarge(
                "a trial lays down at most 200 files and 4 MiB",
            ));
        }
        for one in laid {
            let path = &one.path;
            let folder = path.parent().unwrap_or(Path::new(""));
            let covered = self.untracked.iter().any(|it| path.starts_with(&it.path));
            if !is_beneath(path) || !self.is_plain(folder) {
                return Err(CopyError::Outside(path.clone()));
            } else if covered {
                return Err(CopyError::Covered(path.clone()));
            }
            let to = self.part("tree").join(path);
            let text = one.content(&to).map_err(|why| CopyError::Edit {
                path: path.clone(),
                why,
            })?;
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
        // If this fails, the next opening of the folder removes the rest.
        let _ = remove(&self.holder);
    }
}

/// Returns whether the path consists of names only, none of them `.git`.
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

/// Reads a tree without following links, even if another process changes it meanwhile.
struct SourceTree {
    root: rustix::fd::OwnedFd,
    /// The folder of the previous file; the next file is usually in it too.
    last: Option<(PathBuf, rustix::fd::OwnedFd)>,
}

const FOLDER: OFlags = OFlags::DIRECTORY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

impl SourceTree {
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

    /// Copies the file or link at `path`, at most `most` bytes, and returns its size. A missing
    /// path, or one that is neither file nor link, is left out.
    fn copy(&mut self, path: &Path, to: &Path, most: u64) -> io::Result<u64> {
        let name = path.file_name().unwrap_or_default();
        let folder = match self.enter(path.parent().unwrap_or(Path::new(""))) {
            Ok(folder) => folder,
            // Removed meanwhile, or a link in place of a listed folder.
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
    // `io::copy` uses `copy_file_range`, which shares blocks if the file system can. If the file
    // grows meanwhile, only its original length is copied.
    let bytes = io::copy(&mut from.take(about.len()), &mut file)?;
    let runs = about.permissions().mode() & 0o111 != 0;
    file.set_permissions(Permissions::from_mode(mode(runs)))?;
    file.set_times(FileTimes::new().set_modified(about.modified()?))?;
    Ok(bytes)
}

/// Treats a file that another process removed meanwhile as removed.
fn gone_or(removed: io::Result<()>) -> io::Result<()> {
    removed.or_else(|error| match error.kind() {
        // The owner of a process that still writes there was killed: the next start removes the
        // rest.
        io::ErrorKind::NotFound | io::ErrorKind::DirectoryNotEmpty => Ok(()),
        _ => Err(error),
    })
}

/// Removes a folder, whatever depth and permissions its content has: nested folders are moved to
/// the top before they are read.
fn remove(holder: &Path) -> io::Result<()> {
    let open = Permissions::from_mode(0o700);
    let mut lifted = 0_u64;
    let mut waiting = vec![holder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            if !entry.file_type()?.is_dir() {
                // The lock is removed last: without it another process would treat the folder as
                // abandoned.
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
                    // A folder from an interrupted removal may have this name.
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
    // Once the lock is gone, another process may remove the rest.
    gone_or(std::fs::remove_file(holder.join(LOCK)))?;
    gone_or(std::fs::remove_dir(holder))
}
