//! Opens files safely: every file is opened here and nowhere else.
//!
//! A cloned repository may contain anything: links to private files, to `/dev/zero` or to a pipe,
//! files without an end. So a workspace's file has to be inside its root, must be a regular file,
//! is read up to a maximum size, and opening it never blocks.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, open, openat, statat};
#[cfg(target_os = "linux")]
use rustix::fs::{ResolveFlags, openat2};
use rustix::io::Errno;

use super::file_names::{CALLS, HOME, INBOX, MANIFEST, REVIEW, TRANSCRIPT, is_kept};
use crate::artifact::QUESTIONS_FILE;
use crate::fault::{Message, OpenRefusal, texts, values};

/// What a file is used for; determines its maximum size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileUse {
    /// Settings, answers and nudges: `config.yaml`, `team.yaml`, `--answers`, `diligence.md`.
    Settings,
    /// A role of a workspace.
    Role,
    /// A template of a workspace.
    Template,
    /// A requirement, feedback, or any text file named by an argument.
    Words,
    /// Requirements of a batch, one per line.
    Batch,
    /// Certificates of a provider.
    Certificates,
    /// `.gitignore`, `.ignore`, `.aitcignore`, `.git/info/exclude`.
    Ignore,
    /// Files of git that name a commit, and objects of it.
    Git,
    /// The index of a git pack.
    PackIndex,
    /// The system's lists of sockets.
    Sockets,
    /// Cached data derived from files, in the user's cache folder.
    Cached,
    /// A file searched in the repository; a larger one is considered data.
    Searched,
    /// A file that a member asks to see.
    Looked,
    /// A recorded answer of a model.
    Recorded,
    /// A message to a running workshop.
    Message,
    /// A reply given by hand.
    Reply,
    /// Answers filled in by the user, and prompts to be answered by hand.
    Page,
    /// The manifest of a version.
    Manifest,
    /// A document, report or speech of a version, and any other file that `aitc` writes.
    Document,
    /// A transcript, and the parts cut off it.
    Transcript,
}

impl FileUse {
    /// Maximum size in bytes.
    pub const fn most(self) -> usize {
        match self {
            Self::Settings => crate::config::MAX_BYTES,
            Self::Role => crate::role::MAX_ROLE_BYTES,
            Self::Template | Self::Words => 256 << 10,
            Self::Searched
            | Self::Ignore
            | Self::Certificates
            | Self::Message
            | Self::Reply
            | Self::Looked => 1 << 20,
            Self::Page => 4 << 20,
            Self::Git | Self::Recorded | Self::Manifest | Self::Sockets => 16 << 20,
            Self::Batch | Self::Document | Self::Cached => 64 << 20,
            Self::Transcript | Self::PackIndex => 256 << 20,
        }
    }

    /// The kind of a file of a version or draft, by its name and its folder.
    fn of(path: &Path) -> Self {
        let text = |part: Option<&std::ffi::OsStr>| {
            part.map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default()
        };
        let name = text(path.file_name());
        match text(path.parent().and_then(Path::file_name)).as_str() {
            _ if name == TRANSCRIPT || is_kept(&name) => Self::Transcript,
            _ if name == MANIFEST => Self::Manifest,
            _ if name == QUESTIONS_FILE => Self::Page,
            INBOX => Self::Message,
            CALLS => Self::Page,
            folder if folder.ends_with(REVIEW) => Self::Message,
            _ => Self::Document,
        }
    }
}

texts! {
    LEADS_OUT: "it points outside the workspace; copy the file instead of linking it", "它指向工作区之外；请复制文件，不要使用链接";
    LINK: "it is a link, and none is followed here; copy what it leads to instead", "它是链接，而这里不跟随链接；请改为复制它指向的内容";
    pub(super) NO_FILE: "it is not a regular file; replace it with one", "它不是普通文件；请换成普通文件";
    TOO_LARGE: "it is larger than {most}", "它超过 {most}";
}

/// Reads a file beneath `root`. Links are followed if they stay inside.
///
/// # Errors
/// The path leads out of `root`, is not a regular file or exceeds the size of its kind (all as
/// [`OpenRefusal`]); otherwise the system's error.
pub fn beneath(root: &Path, rel: &Path, kind: FileUse) -> io::Result<Vec<u8>> {
    read_whole(regular(inside(root, rel)?)?, kind)
}

/// Opens a regular file beneath `root` and returns its length, to be read in part.
pub fn file_beneath(root: &Path, rel: &Path) -> io::Result<(File, u64)> {
    regular(inside(root, rel)?)
}

/// The canonical path of a file or folder beneath `root`.
///
/// # Errors
/// The path leads out of `root`; otherwise the system's error.
pub fn place_beneath(root: &Path, rel: &Path) -> io::Result<PathBuf> {
    let real = root.join(rel).canonicalize()?;
    match real.starts_with(root.canonicalize()?) {
        true => Ok(real),
        false => Err(refused(LEADS_OUT.into())),
    }
}

/// Whether the file was refused because of its kind or place, not because of an error of the
/// system.
pub fn is_refusal(error: &io::Error) -> bool {
    let own = error.get_ref();
    own.is_some_and(|own| own.is::<OpenRefusal>())
}

/// Reads a file that the user names, wherever it is: at most the size of its kind plus one byte, so
/// that the caller notices a larger file. The output of another program (`<(...)` of a shell) is
/// read to its end.
///
/// # Errors
/// It is not a regular file; otherwise the system's error.
pub fn read_named(path: &Path, kind: FileUse) -> io::Result<Vec<u8>> {
    let handed = ["/dev/fd/", "/proc/self/fd/", "/dev/stdin", "/dev/null"];
    let is_handed = handed.iter().any(|way| path.starts_with(way));
    let file = match is_handed {
        true => File::open(path)?,
        false => file_named(path)?,
    };
    read_at_most(file, kind.most())
}

/// Opens a regular file that the user names, to be read in parts.
///
/// # Errors
/// It is not a regular file; otherwise the system's error.
pub(super) fn file_named(path: &Path) -> io::Result<File> {
    Ok(regular(open(path, READ, Mode::empty())?)?.0)
}

/// Reads to the end, but at most `most` bytes plus one.
pub fn read_at_most(source: impl Read, most: usize) -> io::Result<Vec<u8>> {
    of_length(source, 0, most)
}

/// As [`read_at_most`], from a source of about `length` bytes.
pub fn of_length(source: impl Read, length: u64, most: usize) -> io::Result<Vec<u8>> {
    let likely = usize::try_from(length).map_or(most, |length| length.min(most));
    let mut bytes = Vec::with_capacity(likely + 1);
    source.take(most as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens one of our own files for reading; follows no link from [`HOME`] on.
pub(super) fn own(path: &Path) -> io::Result<File> {
    let (file, length) = regular(walked(path, READ)?)?;
    bounded(length, FileUse::of(path))?;
    Ok(file)
}

pub(super) fn own_bytes(path: &Path) -> io::Result<Vec<u8>> {
    read_whole(regular(walked(path, READ)?)?, FileUse::of(path))
}

/// Opens one of our own files for writing with `flags`, which may create it.
pub(super) fn own_to_write(path: &Path, flags: OFlags) -> io::Result<File> {
    Ok(regular(walked(path, flags | WAITS_FOR_NOBODY)?)?.0)
}

/// Creates a new file.
///
/// # Errors
/// `AlreadyExists`; otherwise the system's error.
pub(super) fn created(path: &Path) -> io::Result<File> {
    File::create_new(path)
}

pub(super) fn own_to_sync(path: &Path) -> io::Result<File> {
    Ok(walked(path, READ)?.into())
}

/// Names in one of our own folders, sorted by bytes.
pub(super) fn names(path: &Path) -> io::Result<Vec<String>> {
    list_names(walked(path, READ | OFlags::DIRECTORY)?)
}

/// Names in a folder that the user names, sorted by bytes.
pub(super) fn names_in(path: &Path) -> io::Result<Vec<String>> {
    list_names(open(path, READ | OFlags::DIRECTORY, Mode::empty())?)
}

/// Type and length of one of our own files; links are not followed.
pub(super) fn look(path: &Path) -> io::Result<(FileType, u64)> {
    let (base, rel) = split(path);
    let (dir, name) = descend(base, rel)?;
    let found = statat(&dir, name, AtFlags::SYMLINK_NOFOLLOW)?;
    let length = u64::try_from(found.st_size).unwrap_or_default();
    Ok((FileType::from_raw_mode(found.st_mode), length))
}

const WAITS_FOR_NOBODY: OFlags = OFlags::NONBLOCK
    .union(OFlags::CLOEXEC)
    .union(OFlags::NOCTTY);
const READ: OFlags = OFlags::RDONLY.union(WAITS_FOR_NOBODY);
const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::CLOEXEC);
const MODE: Mode = Mode::from_raw_mode(0o644);

fn refused(why: Message) -> io::Error {
    OpenRefusal(why).into()
}

/// Opens a path beneath `root`. The path is made canonical first and then opened without following
/// links, so that a link created meanwhile has no effect.
fn inside(root: &Path, rel: &Path) -> io::Result<OwnedFd> {
    #[cfg(target_os = "linux")]
    if let Some(opened) = at_once(root, rel) {
        return Ok(opened);
    }
    let root = root.canonicalize()?;
    let real = place_beneath(&root, rel)?;
    let rel = real.strip_prefix(&root).unwrap_or(&real);
    let (dir, name) = descend(&root, rel)?;
    at(&dir, name, READ)
}

/// The same in one system call, if the path contains no link. `None` if the call is not supported
/// or fails: opening step by step then gives the precise error.
#[cfg(target_os = "linux")]
fn at_once(root: &Path, rel: &Path) -> Option<OwnedFd> {
    let below = match rel.is_absolute() {
        true => rel.strip_prefix(root).ok()?,
        false => rel,
    };
    let root = open(root, FOLDER, Mode::empty()).ok()?;
    without_links(&root, below, READ)
}

#[cfg(target_os = "linux")]
fn without_links(dir: &OwnedFd, rel: &Path, flags: OFlags) -> Option<OwnedFd> {
    let how = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    openat2(dir, rel, flags, Mode::empty(), how).ok()
}

fn walked(path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    let (base, rel) = split(path);
    let (dir, name) = descend(base, rel)?;
    at(&dir, name, flags)
}

/// Splits into the workspace and the path inside it if the path is in [`HOME`], otherwise into
/// folder and name.
fn split(path: &Path) -> (&Path, &Path) {
    let is_home = |folder: &&Path| folder.file_name().is_some_and(|name| name == HOME);
    let home = path.ancestors().find(is_home).unwrap_or(path);
    let base = home.parent().unwrap_or(home);
    let rel = path.strip_prefix(base).unwrap_or(path);
    match base.as_os_str().is_empty() {
        true => (Path::new("."), rel),
        false => (base, rel),
    }
}

/// Opens the folder that contains the last part of `rel`; every part before it must be a folder.
fn descend<'p>(base: &Path, rel: &'p Path) -> io::Result<(OwnedFd, &'p Path)> {
    let mut dir = open(base, FOLDER, Mode::empty())?;
    #[cfg(target_os = "linux")]
    if let (Some(above), Some(name)) = (rel.parent(), rel.file_name())
        && above.components().next().is_some()
        && rel
            .components()
            .all(|part| matches!(part, Component::Normal(_)))
        && let Some(dir) = without_links(&dir, above, FOLDER)
    {
        return Ok((dir, Path::new(name)));
    }
    let mut parts = rel.components().peekable();
    while let Some(part) = parts.next() {
        let name = match part {
            Component::Normal(name) => Path::new(name),
            Component::CurDir => continue,
            _ => return Err(refused(LEADS_OUT.into())),
        };
        if parts.peek().is_none() {
            return Ok((dir, name));
        }
        dir = at(&dir, name, FOLDER)?;
    }
    Ok((dir, Path::new(".")))
}

fn at(dir: &OwnedFd, name: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    match openat(dir, name, flags | OFlags::NOFOLLOW, MODE) {
        Err(Errno::LOOP | Errno::MLINK) => Err(refused(LINK.into())),
        // A folder was expected, but the name is a link or a file.
        Err(Errno::NOTDIR) if is_link(dir, name) => Err(refused(LINK.into())),
        // A pipe without a reader, or a device without a driver.
        Err(Errno::NXIO | Errno::NODEV) => Err(refused(NO_FILE.into())),
        opened => Ok(opened?),
    }
}

fn is_link(dir: &OwnedFd, name: &Path) -> bool {
    let found = statat(dir, name, AtFlags::SYMLINK_NOFOLLOW);
    found.is_ok_and(|found| FileType::from_raw_mode(found.st_mode) == FileType::Symlink)
}

/// Requires a regular file and returns its length.
fn regular(opened: impl Into<File>) -> io::Result<(File, u64)> {
    let file = opened.into();
    let found = file.metadata()?;
    if found.is_file() {
        Ok((file, found.len()))
    } else if found.is_dir() {
        Err(Errno::ISDIR.into())
    } else {
        Err(refused(NO_FILE.into()))
    }
}

fn bounded(length: u64, kind: FileUse) -> io::Result<()> {
    match length > kind.most() as u64 {
        true => Err(too_large(kind)),
        false => Ok(()),
    }
}

fn too_large(kind: FileUse) -> io::Error {
    let most = match kind.most() {
        most if most >= 1 << 20 => format!("{} MiB", most >> 20),
        most => format!("{} KiB", most >> 10),
    };
    refused(TOO_LARGE.fill(values![most]))
}

fn read_whole((file, length): (File, u64), kind: FileUse) -> io::Result<Vec<u8>> {
    bounded(length, kind)?;
    // The file may grow while it is read.
    let bytes = of_length(file, length, kind.most())?;
    match bytes.len() > kind.most() {
        true => Err(too_large(kind)),
        false => Ok(bytes),
    }
}

fn list_names(folder: OwnedFd) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in Dir::new(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name != "." && name != ".." {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names)
}
