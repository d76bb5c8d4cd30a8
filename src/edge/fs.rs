//! All file operations of a run, behind a trait, so that tests can fail or stop at each one.
//!
//! The trait has no notion of journals or versions; it offers the operations of an operating system
//! that a run needs. Files are opened by [`safe_open`]: no link is followed, and sizes are limited.

use std::fs::{DirBuilder, File};
use std::io::{self, Read, Seek as _, SeekFrom, Write};
use std::path::Path;

use super::safe_open;

use crate::fault::storage::{FULL, MISSING, OTHER, PERMISSION, READ_ONLY};
use crate::fault::{Fault, FaultKind, Message, said_by_system, values};

use rustix::fs::{CWD, FileType, OFlags, RenameFlags, renameat_with};
use rustix::io::Errno;
use uuid::Uuid;

/// The file operations that a run needs.
///
/// Every method returns the operating system's error unchanged.
pub trait Fs: Send + Sync {
    /// Creates a folder and its parents; an existing one is fine.
    fn create_dir_all(&self, path: &Path) -> io::Result<()>;
    /// Creates one folder, atomically: this reserves a version number.
    ///
    /// # Errors
    /// `AlreadyExists` if anything has that name.
    fn create_dir(&self, path: &Path) -> io::Result<()>;
    /// Reads a whole file; for small ones.
    ///
    /// # Errors
    /// `NotFound`, or another error of the operating system.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// Opens a file for reading in parts, unbuffered.
    ///
    /// # Errors
    /// `NotFound`, or another error of the operating system.
    fn open_read(&self, path: &Path) -> io::Result<Box<dyn Read + Send>>;
    /// Opens a file for reading from byte `start` on; reads nothing if the file is shorter.
    fn open_read_from(&self, path: &Path, start: u64) -> io::Result<Box<dyn Read + Send>> {
        let mut file = self.open_read(path)?;
        io::copy(&mut file.by_ref().take(start), &mut io::sink())?;
        Ok(file)
    }
    /// Names in a folder, sorted by bytes.
    ///
    /// # Errors
    /// `NotFound` if the folder does not exist.
    fn list(&self, path: &Path) -> io::Result<Vec<String>>;
    /// Type and size of a name; links are not followed.
    ///
    /// # Errors
    /// `NotFound` if nothing has that name.
    fn metadata(&self, path: &Path) -> io::Result<Metadata>;
    /// Whether anything has that name; links are not followed.
    fn exists(&self, path: &Path) -> io::Result<bool>;
    /// Opens a file for appending; creates it with mode 0644 if missing.
    ///
    /// # Errors
    /// Any error of the operating system; a link is refused.
    fn open_append(&self, path: &Path) -> io::Result<Box<dyn AppendFile>>;
    /// Creates a new file with mode 0644 and writes `bytes`, without sync.
    ///
    /// # Errors
    /// `AlreadyExists` if anything has that name.
    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;
    /// Truncates a file to `len` bytes and syncs it.
    fn truncate(&self, path: &Path, len: u64) -> io::Result<()>;
    /// Syncs a file's content and metadata to disk.
    fn sync_file(&self, path: &Path) -> io::Result<()>;
    /// Syncs a folder's list of names to disk.
    fn sync_dir(&self, path: &Path) -> io::Result<()>;
    /// Renames, replacing an existing file.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Renames without replacing.
    ///
    /// # Errors
    /// `AlreadyExists` if anything has the new name. On file systems without such an operation, at
    /// least a folder that is not empty is never replaced.
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file or link.
    ///
    /// # Errors
    /// `NotFound`, or another error of the operating system.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Removes a folder with its content.
    ///
    /// # Errors
    /// `NotFound`, or another error of the operating system.
    fn remove_dir_all(&self, path: &Path) -> io::Result<()>;
}

/// A file open for appending.
pub trait AppendFile: Send {
    /// Appends bytes.
    ///
    /// # Errors
    /// Any error of the operating system. Part of the bytes may have been written, so the caller
    /// treats the tail as torn.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Syncs the appended bytes to disk (`fdatasync`).
    ///
    /// # Errors
    /// Any error of the operating system. The bytes appended since the last success may or may not
    /// be on disk.
    fn sync(&mut self) -> io::Result<()>;
}

/// Type of a directory entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Dir,
    /// A link, pipe, socket or device, which a run never creates or reads.
    Other,
}

/// Metadata of a name, without opening it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metadata {
    /// Its type.
    pub kind: FileKind,
    /// Size in bytes; meaningful for files only.
    pub len: u64,
}

/// The real file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealFs;

impl Fs for RealFs {
    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).create(path)
    }

    fn create_dir(&self, path: &Path) -> io::Result<()> {
        std::fs::create_dir(path)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        safe_open::own_bytes(path)
    }

    fn open_read(&self, path: &Path) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(safe_open::own(path)?))
    }

    fn open_read_from(&self, path: &Path, start: u64) -> io::Result<Box<dyn Read + Send>> {
        let mut file = safe_open::own(path)?;
        file.seek(SeekFrom::Start(start))?;
        Ok(Box::new(file))
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        safe_open::names(path)
    }

    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        let (kind, len) = safe_open::look(path)?;
        let kind = match kind {
            FileType::RegularFile => FileKind::File,
            FileType::Directory => FileKind::Dir,
            _ => FileKind::Other,
        };
        Ok(Metadata { kind, len })
    }

    fn exists(&self, path: &Path) -> io::Result<bool> {
        Ok(safe_open::look(path).if_exists()?.is_some())
    }

    fn open_append(&self, path: &Path) -> io::Result<Box<dyn AppendFile>> {
        let append = OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE;
        Ok(Box::new(RealAppend(safe_open::own_to_write(path, append)?)))
    }

    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let create = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        safe_open::own_to_write(path, create)?.write_all(bytes)
    }

    fn truncate(&self, path: &Path, len: u64) -> io::Result<()> {
        let file = safe_open::own_to_write(path, OFlags::WRONLY)?;
        file.set_len(len)?;
        file.sync_all()
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        safe_open::own_to_sync(path)?.sync_all()
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        safe_open::own_to_sync(path)?.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::rename(from, to)
    }

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => rename_checked(from, to),
            result => Ok(result?),
        }
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        std::fs::remove_file(path)
    }

    fn remove_dir_all(&self, path: &Path) -> io::Result<()> {
        std::fs::remove_dir_all(path)
    }
}

/// Fallback for file systems without an atomic check: checks, then renames.
///
/// Another process may create the name in between. Even then a folder that is not empty makes the
/// rename fail, and versions are never empty.
fn rename_checked(from: &Path, to: &Path) -> io::Result<()> {
    if RealFs.exists(to)? {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    std::fs::rename(from, to)
}

struct RealAppend(File);

impl AppendFile for RealAppend {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.0.sync_data()
    }
}

/// Adds operation, such as `write`, and path to an operating system's error; exit code 11.
pub fn failed(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Fault {
    use io::ErrorKind::{
        FileTooLarge, NotFound, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull,
    };
    move |cause| {
        let kind = match cause.kind() {
            StorageFull | QuotaExceeded | FileTooLarge => FULL,
            ReadOnlyFilesystem => READ_ONLY,
            PermissionDenied => PERMISSION,
            NotFound => MISSING,
            _ => OTHER,
        };
        failed_as(kind, doing, path, &cause)
    }
}

/// As [`failed`], in the words of `kind`, which must have the placeholders of storage errors.
pub(super) fn failed_as(kind: FaultKind, doing: &str, path: &Path, cause: &io::Error) -> Fault {
    let cause = said_by_system(cause);
    kind.with(values![doing = verb(doing), path = path.display(), cause])
}

/// Reads a small file of our own. The inner error says why it is refused: its type or its size.
/// `None` if nothing has that name.
///
/// # Errors
/// The storage's error.
pub fn read_ours(fs: &dyn Fs, path: &Path) -> Result<Option<Result<Vec<u8>, Message>>, Fault> {
    use io::ErrorKind::{IsADirectory, NotADirectory};
    match fs.read(path).if_exists() {
        Ok(bytes) => Ok(bytes.map(Ok)),
        Err(error) if safe_open::is_refusal(&error) => Ok(Some(Err(said_by_system(&error)))),
        Err(error) if matches!(error.kind(), IsADirectory | NotADirectory) => {
            Ok(Some(Err(safe_open::NO_FILE.into())))
        }
        Err(error) => Err(failed("read", path)(error)),
    }
}

/// How [`write_atomically`] writes a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteMode {
    /// Replaces an existing one, without sync.
    Unsynced,
    /// Replaces an existing one and syncs.
    Synced,
    /// Syncs, and leaves an existing one as it is.
    New,
}

/// Writes a file under another name beside it and renames it, so that it is always complete.
///
/// # Errors
/// The storage's error; the file is unchanged then.
pub fn write_atomically(
    fs: &dyn Fs,
    path: &Path,
    bytes: &[u8],
    how: WriteMode,
) -> Result<(), Fault> {
    // Another process may write the same file.
    let unfinished = path.with_extension(format!("{}.tmp", Uuid::now_v7()));
    let synced = || match how {
        WriteMode::Unsynced => Ok(()),
        WriteMode::Synced | WriteMode::New => fs.sync_file(&unfinished),
    };
    let renamed = || match how {
        WriteMode::New => fs.rename_new(&unfinished, path),
        WriteMode::Unsynced | WriteMode::Synced => fs.rename(&unfinished, path),
    };
    let written = fs.write_new(&unfinished, bytes);
    let written = written.and_then(|()| synced()).and_then(|()| renamed());
    if written.is_err() {
        // It only takes space, perhaps on a full disk; the first error is reported.
        let _ = fs.remove(&unfinished);
    }
    match written {
        Err(error) if how == WriteMode::New && error.kind() == io::ErrorKind::AlreadyExists => {}
        result => result.doing("write", path)?,
    }
    match path.parent().filter(|_| how != WriteMode::Unsynced) {
        Some(folder) => fs.sync_dir(folder).doing("sync", folder),
        None => Ok(()),
    }
}

/// Treats a missing file as `None` rather than an error.
pub trait IfExists<T> {
    /// Returns `None` if nothing has that name.
    ///
    /// # Errors
    /// Any other error.
    fn if_exists(self) -> io::Result<Option<T>>;
}

impl<T> IfExists<T> for io::Result<T> {
    fn if_exists(self) -> io::Result<Option<T>> {
        match self {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            result => result.map(Some),
        }
    }
}

/// Adds operation and path to an operating system's error.
pub trait IoContext<T> {
    /// As [`failed`].
    ///
    /// # Errors
    /// The original error.
    fn doing(self, doing: &'static str, path: &Path) -> Result<T, Fault>;
}

impl<T> IoContext<T> for io::Result<T> {
    fn doing(self, doing: &'static str, path: &Path) -> Result<T, Fault> {
        self.map_err(failed(doing, path))
    }
}

fn verb(doing: &str) -> Message {
    let zh = match doing {
        "append to" => "追加写入",
        "create" | "make" => "创建",
        "create a folder in" => "新建子目录，位置",
        "cut" => "截短",
        "encode a message for" => "写入消息文件",
        "list" => "列出",
        "lock" => "锁定",
        "look at" => "查看",
        "open" => "打开",
        "publish" => "发布",
        "put aside" => "移开",
        "read" => "读取",
        "remove" => "移除",
        "sync" => "写盘",
        "write" => "写入",
        _ => doing,
    };
    Message {
        en: doing.to_owned(),
        zh: zh.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Both implementations of renaming refuse an existing folder.
    #[test]
    fn a_rename_never_replaces() {
        for rename in [
            |from: &Path, to: &Path| RealFs.rename_new(from, to),
            rename_checked,
        ] {
            let dir = tempfile::tempdir().unwrap();
            let (from, to) = (dir.path().join("from"), dir.path().join("to"));
            for folder in [&from, &to] {
                RealFs.create_dir(folder).unwrap();
                RealFs.write_new(&folder.join("file"), b"x").unwrap();
            }
            let error = rename(&from, &to).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
            RealFs.remove_dir_all(&to).unwrap();
            rename(&from, &to).unwrap();
            assert!(RealFs.exists(&to.join("file")).unwrap());
        }
    }

    #[test]
    fn links_are_not_appended_to() {
        let dir = tempfile::tempdir().unwrap();
        let (link, outside) = (dir.path().join("link"), dir.path().join("outside"));
        RealFs.write_new(&outside, b"").unwrap();
        std::os::unix::fs::symlink(&outside, &link).unwrap();
        assert!(RealFs.open_append(&link).is_err());
        assert!(RealFs.truncate(&link, 0).is_err());
        assert_eq!(RealFs.metadata(&link).unwrap().kind, FileKind::Other);
    }
}
