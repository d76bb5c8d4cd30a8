//! Review files beside a version: threads and approvals, a small file each in `vN.review/`.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use super::clock::timestamp;
use super::fs::{
    FileKind, Fs, IfExists as _, IoContext as _, WriteMode, failed, read_ours, write_atomically,
};
use super::journal::hex;
use super::lock::RunLock;
use crate::edge::file_names::{MANIFEST, REVIEW};
use crate::fault::plans::{APPROVAL_FILE, RUN_HELD, THREAD_FILE, THREAD_OF_OTHER, THREAD_UNKNOWN};
use crate::fault::{Fault, Message, Text, texts, values};
use crate::machine::shown;
use crate::thread::{
    self, Approval, MAX_FILE, MAX_NAME, MAX_TEXT, Thread, ThreadReply, ThreadStatus,
};
use crate::yaml::{self, Tree};

const ENDING: &str = ".yaml";
/// A suffix that users may write by mistake; such files are reported, not ignored.
const NEAR_ENDING: &str = ".yml";
/// Prefix of the names of approvals.
const APPROVED: &str = "approved-";
/// Maximum length of a thread's id in characters.
const MAX_ID: usize = 64;
/// Maximum number of files read for a version.
pub const MAX_THREADS: usize = 500;

texts! {
    NO_FOLDER: "it is not a folder", "它不是目录";
    TOO_LARGE: "it is larger than 512 KiB", "它大于 512 KiB";
    NOT_UTF8: "it is not valid UTF-8", "它不是有效的 UTF-8";
    MANY: "it may hold {most} files at most", "其中最多可有 {most} 个文件";
    NO_NAME: "the name before `.yaml` must consist of letters, digits, `-` and `_`", "`.yaml` 之前的文件名应由字母、数字、`-` 和 `_` 组成";
    NONE: "none", "无";
    NO_APPROVAL: "it needs `by`, `time` and `digest`, a line each", "应有 `by`、`time`、`digest`，每行一个";
}

/// The review folder of one version.
pub struct ReviewFolder<'f> {
    fs: &'f dyn Fs,
    folder: PathBuf,
}

/// The content of the folder.
#[derive(Debug, Default)]
pub struct Contents {
    /// Threads, ordered by file name.
    pub threads: Vec<Thread>,
    /// Approvals, ordered by file name.
    pub approvals: Vec<Approval>,
}

impl<'f> ReviewFolder<'f> {
    /// The folder for the version; does not access the disk.
    pub fn of(fs: &'f dyn Fs, version: &Path) -> Self {
        let name = version.file_name().unwrap_or_default().to_string_lossy();
        Self {
            fs,
            folder: version.with_file_name(format!("{name}{REVIEW}")),
        }
    }

    /// Path of a thread's file.
    pub fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}{ENDING}"))
    }

    /// Path of the folder, which may not exist.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Reads all files.
    ///
    /// # Errors
    /// A file is neither a thread nor an approval, or cannot be read: a judgement must not be based
    /// on a part of the files.
    pub fn read(&self) -> Result<Contents, Fault> {
        let mut found = Contents::default();
        let names = self.names()?;
        for name in names {
            let id = name.strip_suffix(ENDING).unwrap_or_default();
            let path = self.folder.join(&name);
            let wrong = |line: u64, what: &dyn crate::fault::MessageValue| {
                let place = format!("{}:{line}", self.shown_path(&name));
                THREAD_FILE.with(values![place, what])
            };
            if !is_id(id) {
                return Err(wrong(1, &NO_NAME));
            }
            let text = self.text(&path)?.map_err(|what| wrong(1, &what))?;
            if id.starts_with(APPROVED) {
                found.approvals.push(self.approval(&name, &text)?);
                continue;
            }
            let thread = thread::parse(id, &text);
            found
                .threads
                .push(thread.map_err(|error| wrong(error.line, &error.what))?);
        }
        Ok(found)
    }

    fn names(&self) -> Result<Vec<String>, Fault> {
        let folder = self.fs.metadata(&self.folder).if_exists();
        let kind = folder.doing("look at", &self.folder)?.map(|it| it.kind);
        match kind {
            None => return Ok(Vec::new()),
            Some(FileKind::Dir) => {}
            Some(_) => {
                let place = self.shown_path("");
                return Err(THREAD_FILE.with(values![place, what = NO_FOLDER]));
            }
        }
        let mut names = self.fs.list(&self.folder).doing("list", &self.folder)?;
        let is_ours = |name: &str| name.ends_with(ENDING) || name.ends_with(NEAR_ENDING);
        names.retain(|name| is_ours(name) && !name.starts_with('.'));
        match names.len() > MAX_THREADS {
            true => Err(self.full()),
            false => Ok(names),
        }
    }

    fn full(&self) -> Fault {
        let what = MANY.fill(values![most = MAX_THREADS]);
        THREAD_FILE.with(values![place = self.shown_path(""), what])
    }

    /// Keeps other processes from writing, by a lock file beside the folder: a reply is added to
    /// the thread as it was read, and would overwrite another one that came meanwhile.
    fn lock(&self) -> Result<RunLock, Fault> {
        const TRIES: u32 = 500;
        const PAUSE: Duration = Duration::from_millis(20);
        let name = self.folder.file_name().unwrap_or_default();
        let name = format!(".{}.lock", name.to_string_lossy());
        let path = self.folder.with_file_name(name);
        let mut tries = 0;
        loop {
            tries += 1;
            match RunLock::acquire(&path) {
                Err(fault) if fault.code == RUN_HELD.code && tries < TRIES => {
                    std::thread::sleep(PAUSE)
                }
                result => return result,
            }
        }
    }

    fn text(&self, path: &Path) -> Result<Result<String, Message>, Fault> {
        let Some(read) = read_ours(self.fs, path)? else {
            return Err(failed("read", path)(ErrorKind::NotFound.into()));
        };
        Ok(read.and_then(|bytes| match bytes.len() > MAX_FILE {
            true => Err(TOO_LARGE.into()),
            false => String::from_utf8(bytes).map_err(|_| NOT_UTF8.into()),
        }))
    }

    fn approval(&self, name: &str, text: &str) -> Result<Approval, Fault> {
        let place = self.shown_path(name);
        let wrong =
            |what: &dyn crate::fault::MessageValue| APPROVAL_FILE.with(values![place, what]);
        let node = yaml::read(text, MAX_FILE).map_err(|error| wrong(&error.message()))?;
        let Tree::Map(pairs) = node.value else {
            return Err(wrong(&NO_APPROVAL));
        };
        let value = |key: &str, most: usize| {
            let pair = pairs.iter().find(|(name, ..)| name == key);
            let text = match pair.map(|(.., node)| &node.value) {
                Some(Tree::Text(text)) => shown(text),
                _ => String::new(),
            };
            Some(text).filter(|text| !text.is_empty() && text.chars().count() <= most)
        };
        match (
            value("by", MAX_NAME),
            value("time", MAX_NAME),
            value("digest", 64),
        ) {
            (Some(by), Some(time), Some(digest)) => Ok(Approval {
                file: name.to_owned(),
                by,
                time,
                digest,
                note: value("note", MAX_TEXT),
            }),
            _ => Err(wrong(&NO_APPROVAL)),
        }
    }

    /// The path in errors: the folder's name and the file's.
    fn shown_path(&self, name: &str) -> String {
        let folder = self.folder.file_name().unwrap_or_default();
        format!("{}/{name}", folder.to_string_lossy())
    }

    /// Writes a new thread, with a new id and the current time if it has none; an existing thread
    /// of that id is not changed.
    ///
    /// # Errors
    /// The thread is invalid, there are too many files, or the storage's error.
    pub fn add(&self, mut thread: Thread) -> Result<Thread, Fault> {
        if thread.time.is_empty() {
            thread.time = timestamp();
        }
        if thread.id.is_empty() {
            thread.id = new_id();
        }
        let text = thread.to_yaml();
        thread::parse(&thread.id, &text).map_err(|error| {
            let place = format!(
                "{}:{}",
                self.shown_path(&format!("{}{ENDING}", thread.id)),
                error.line
            );
            THREAD_FILE.with(values![place, what = error.what])
        })?;
        let _held = self.lock()?;
        self.write(&thread.id, &text, true)?;
        Ok(thread)
    }

    /// Adds a reply, with the current time if it has none, and returns the updated thread.
    ///
    /// # Errors
    /// There is no such thread, only its author may withdraw it, its file is invalid, or the
    /// storage's error.
    pub fn reply(&self, id: &str, mut reply: ThreadReply) -> Result<Thread, Fault> {
        let _held = self.lock()?;
        let path = self.path(id);
        let known = is_id(id) && !id.starts_with(APPROVED);
        let there = known && self.fs.exists(&path).doing("look at", &path)?;
        if !there {
            let ids: Vec<String> = self.read()?.threads.into_iter().map(|it| it.id).collect();
            let ids = match ids.is_empty() {
                true => NONE.into(),
                false => Text::COMMA.join(&ids),
            };
            return Err(THREAD_UNKNOWN.with(values![id, ids]));
        }
        let place = self.shown_path(&format!("{id}{ENDING}"));
        let wrong = |line: u64, what: &dyn crate::fault::MessageValue| {
            let place = format!("{place}:{line}");
            THREAD_FILE.with(values![place, what])
        };
        let text = self.text(&path)?.map_err(|what| wrong(1, &what))?;
        let said = thread::parse(id, &text).map_err(|error| wrong(error.line, &error.what))?;
        // Authors are compared by name, which is all that is known about them.
        if reply.state == Some(ThreadStatus::Withdrawn) && said.author != reply.author {
            return Err(THREAD_OF_OTHER.with(values![
                id,
                author = said.author,
                name = reply.author
            ]));
        }
        if reply.time.is_empty() {
            // The reply comes last, even if another machine's clock was ahead.
            let last = said.replies.into_iter().next_back();
            reply.time = last
                .map_or_else(String::new, |last| last.time)
                .max(timestamp());
        }
        let (thread, text) =
            thread::with_reply(id, &text, reply).map_err(|error| wrong(error.line, &error.what))?;
        self.write(id, &text, false)?;
        Ok(thread)
    }

    /// Writes an approval of the version with this digest, with the current time, and returns it.
    ///
    /// # Errors
    /// There are too many files already, or the storage's error.
    pub fn approve(&self, by: &str, digest: &str, note: Option<&str>) -> Result<Approval, Fault> {
        let id = format!("{APPROVED}{}", new_id());
        let approval = Approval {
            file: format!("{id}{ENDING}"),
            by: by.to_owned(),
            time: timestamp(),
            digest: digest.to_owned(),
            note: note.map(str::to_owned),
        };
        let line = |value: &str| serde_json::Value::from(value).to_string();
        let mut text = format!(
            "by: {}\ntime: {}\ndigest: {}\n",
            line(by),
            line(&approval.time),
            line(digest)
        );
        if let Some(note) = note {
            text.push_str(&format!("note: {}\n", line(note)));
        }
        let _held = self.lock()?;
        self.write(&id, &text, true)?;
        Ok(approval)
    }

    /// Writes a file atomically; a new one never replaces another, and never exceeds the number of
    /// files that are read.
    fn write(&self, id: &str, text: &str, is_new: bool) -> Result<(), Fault> {
        let (fs, folder) = (self.fs, &self.folder);
        if is_new && self.names()?.len() == MAX_THREADS {
            return Err(self.full());
        }
        fs.create_dir_all(folder).doing("create", folder)?;
        let how = if is_new {
            WriteMode::New
        } else {
            WriteMode::Synced
        };
        write_atomically(fs, &self.path(id), text.as_bytes(), how)
    }
}

/// Digest of a version: that of its manifest, which contains those of its files; `None` without a
/// manifest.
///
/// # Errors
/// The storage's error.
pub fn digest(fs: &dyn Fs, version: &Path) -> Result<Option<String>, Fault> {
    let path = version.join(MANIFEST);
    let bytes = fs.read(&path).if_exists().doing("read", &path)?;
    Ok(bytes.map(|bytes| hex(&Sha256::digest(bytes))))
}

/// Whether this is a valid id of a thread.
pub fn is_id(id: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    (1..=MAX_ID).contains(&id.len()) && id.bytes().all(is_plain)
}

/// Six random letters and digits, so that two branches do not create the same file.
fn new_id() -> String {
    const SIGNS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let drawn = Uuid::now_v7();
    // The last bytes of the UUID are random, the first are the time.
    let bytes = &drawn.as_bytes()[8..];
    let mut left = u64::from_be_bytes(bytes.try_into().unwrap_or_default());
    let signs = std::iter::repeat_with(|| {
        let sign = SIGNS[(left % 32) as usize];
        left /= 32;
        char::from(sign)
    });
    signs.take(6).collect()
}
