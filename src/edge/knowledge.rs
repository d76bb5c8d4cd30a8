//! The survey: finds the files of the repository, and the passages of the knowledge folders, that
//! fit a requirement.
//!
//! The survey is made once at the start, with further searches for what members raise, and is
//! recorded: everything later reads the record. The walk (`walk`) obeys `.gitignore` as git does,
//! follows no links, opens no file that looks like a secret, and is limited in files and bytes, so
//! that it ends on any tree. A file or folder that cannot be read is skipped and reported: a survey
//! is useful without it, and even without a hit.

mod cache;
mod history;
mod look;
mod manifests;
pub mod map;
mod names;
pub mod parse;
mod places;
mod secret;
mod survey;
mod walk;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{io, iter};

use super::safe_open::{self, FileUse};
use crate::clean::clean_page;
use crate::fault::{Message, said_by_system, texts, values};
use crate::machine::inquiry::MAX_FINDS;
use crate::machine::{Excerpt, Inquiry, Survey, TopicSearch};
pub use history::{NoCommit, between};
pub use look::EvidenceCheck;
use map::Query;
use secret::looks_secret;
pub use walk::is_ignored_by_git;
use walk::{FolderWalk, SearchPath};

/// Maximum number of files examined in a folder.
const MAX_FILES: usize = 100_000;
/// Maximum number of bytes read of the repository, and again of all knowledge folders together.
const MAX_TOTAL: usize = 64 * 1024 * 1024;

const MAX_UNREAD: usize = 5;

texts! {
    UNREAD: "left out of the search: {path}: {why}", "检索时略去了 {path}：{why}";
    MORE_UNREAD: "left out of the search: {n} more that cannot be read", "检索时略去了另外 {n} 处无法读取的内容";
    UNNAMED: "left out, as their names cannot be shown: {n}", "略去了名称无法显示的文件：{n} 个";
    FIRST_FILES: "of all files only the first {n} are looked at", "只查看前 {n} 个文件";
}

/// The result of a search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchResult {
    /// The findings.
    pub survey: Survey,
    /// Notices for the user about what could not be read and why: the first few paths, then the
    /// number of others.
    pub unread: Vec<Message>,
}

/// A file that may be read.
struct ReadableFile {
    /// Path as shown: relative to the root of the repository.
    name: String,
    path: PathBuf,
    /// The folder that all reads are confined to.
    within: Arc<Path>,
    /// Whether it is in the repository and not in a knowledge folder.
    is_own: bool,
    /// Whether it is within the limits of all files together.
    is_read: bool,
}

impl ReadableFile {
    /// Its text; `None` if it is larger than `most` bytes, binary, or beyond the limits.
    fn text(&self, most: usize) -> io::Result<Option<String>> {
        match self.is_read {
            true => text_of(&self.within, &self.path, most),
            false => Ok(None),
        }
    }
}

/// A file with its text; the text is empty if it was not read.
struct Candidate {
    /// Path as shown.
    path: String,
    text: String,
}

/// Folders with third-party or generated content.
const SKIPPED: [&str; 10] = [
    ".yarn",
    "target",
    "node_modules",
    "vendor",
    "dist",
    "build",
    "__pycache__",
    "venv",
    "coverage",
    "third_party",
];

/// Where and how to search.
#[derive(Clone, Copy)]
pub struct Search<'a> {
    /// Root of the repository.
    pub root: &'a Path,
    /// Additional folders, as given; relative paths are relative to `root`.
    pub knowledge: &'a [PathBuf],
    /// Removes secrets from a text, before it is cut.
    pub redact: &'a dyn Fn(&str) -> String,
    /// Whether the user has interrupted; polled for every file.
    pub stop: &'a dyn Fn() -> bool,
    /// The user's cache folder; `None` disables the cache.
    pub cache: Option<&'a Path>,
}

impl<'a> Search<'a> {
    /// A search of the repository alone, without redaction or cache.
    pub fn of(root: &'a Path) -> Self {
        Self {
            root,
            knowledge: &[],
            redact: &str::to_owned,
            stop: &|| false,
            cache: None,
        }
    }
}

impl Search<'_> {
    /// Searches the same files as the survey, for the words of each topic and its reason; `None` if
    /// it was stopped. Finds that the survey shows completely are left out, and no member gets more
    /// than its share.
    ///
    /// Deterministic for the same files. Never fails, and reports nothing: what cannot be read was
    /// reported by the survey.
    pub fn inquire(
        &self,
        survey: Option<&Survey>,
        raised: &[Inquiry<'_>],
    ) -> Option<InquiryResult> {
        let mut unread = UnreadPaths::default();
        let all = self.files(self.folders(), &mut unread);
        let (own, further): (Vec<_>, Vec<_>) = all.into_iter().partition(|file| file.is_own);
        let mut files = self.texts(own, &mut unread);
        files.extend(self.texts(further, &mut unread));
        let is_new = |find: &Excerpt| survey.is_none_or(|survey| !shows(survey, find));
        let redact = |text: &str| self.cleared(text);
        let mut looked: Vec<TopicSearch> = raised
            .iter()
            .map(|one| {
                let query = Query::of(&one.texts.join("\n"));
                TopicSearch {
                    id: one.id,
                    terms: query.words(),
                    finds: places::best(&files, &query, &is_new, &redact, self.stop),
                }
            })
            .collect();
        if (self.stop)() {
            return None;
        }
        share(&mut looked, raised);
        Some(InquiryResult {
            files: u32::try_from(files.len()).unwrap_or(u32::MAX),
            looked,
        })
    }

    /// The text without secrets, and without characters that hide or control. It is the whole text,
    /// before anything is cut: half a secret would not be recognised.
    fn cleared(&self, text: &str) -> String {
        clean_page(&(self.redact)(text))
    }

    /// The repository, then the knowledge folders.
    fn folders(&self) -> impl Iterator<Item = &Path> {
        let knowledge = self.knowledge.iter().map(PathBuf::as_path);
        iter::once(Path::new("")).chain(knowledge)
    }

    /// The files below these folders that may be read, sorted by path in each. A folder may be
    /// inside another one; its files are listed once.
    fn files<'f>(
        &self,
        folders: impl Iterator<Item = &'f Path>,
        unread: &mut UnreadPaths,
    ) -> Vec<ReadableFile> {
        let mut files = Vec::new();
        let mut known = HashSet::new();
        for folder in folders {
            let place = match SearchPath::of(self.root, folder) {
                Ok(place) => place,
                Err(error) => {
                    // Without the separator that an empty folder leaves at the end.
                    let path: PathBuf = self.root.join(folder).components().collect();
                    unread.note(self.root, &path, &said_by_system(&error));
                    continue;
                }
            };
            let within: Arc<Path> = place.root.as_path().into();
            let mut walk = FolderWalk::of(&place);
            while !(self.stop)()
                && let Some((entry, name)) = walk.next_file(self.root, unread)
            {
                if known.insert(name.clone()) {
                    files.push(ReadableFile {
                        name,
                        path: entry.into_path(),
                        within: Arc::clone(&within),
                        is_own: folder == Path::new(""),
                        is_read: true,
                    });
                }
            }
        }
        files
    }

    /// Reads these files. One that is too large, binary or unreadable can still be found by its
    /// name.
    fn texts(&self, files: Vec<ReadableFile>, unread: &mut UnreadPaths) -> Vec<Candidate> {
        let mut left = MAX_TOTAL;
        let files = files.into_iter().take_while(|_| !(self.stop)());
        let texts = files.map(|file| {
            let text = file.text(FileUse::Searched.most().min(left));
            let text = text.unwrap_or_else(|error| {
                unread.note(self.root, &file.path, &said_by_system(&error));
                None
            });
            let text = text.unwrap_or_default();
            left -= text.len().min(left);
            Candidate {
                path: file.name,
                text: without_private_keys(text),
            }
        });
        texts.collect()
    }
}

/// All files that a copy of the tree needs, sorted, relative to its root: the files that the survey
/// sees, and all tracked files.
///
/// # Errors
/// The folder cannot be read.
pub fn files_of(root: &Path) -> io::Result<Vec<PathBuf>> {
    let place = SearchPath::of(root, Path::new(""))?;
    let mut walk = FolderWalk::all_tracked(&place);
    let mut unread = UnreadPaths::default();
    let mut files = Vec::new();
    while let Some((entry, _)) = walk.next_file(root, &mut unread) {
        let inside = entry.path().strip_prefix(root);
        files.extend(inside.ok().map(Path::to_owned));
    }
    Ok(files)
}

/// The result of a search for topics.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InquiryResult {
    /// Number of files searched.
    pub files: u32,
    /// One result for each topic, in the given order.
    pub looked: Vec<TopicSearch>,
}

/// Replaces every line of a private key. Excerpts of a file could contain a part of a key that
/// would not be recognised any more. The number of lines does not change.
fn without_private_keys(text: String) -> String {
    const MARKS: [&str; 2] = ["PRIVATE KEY-----", "PRIVATE KEY BLOCK-----"];
    let is_marked = |text: &str| MARKS.iter().any(|mark| text.contains(mark));
    if !is_marked(&text) {
        return text;
    }
    let is_key = |line: &str| {
        let line = line.trim();
        let fits = |c: char| c.is_ascii_alphanumeric() || "+/=".contains(c);
        // Also matches the headers of an encrypted key.
        line.is_empty() || line.contains(": ") || (line.len() >= 24 && line.chars().all(fits))
    };
    let mut within = false;
    let lines = text.split_inclusive('\n').map(|line| {
        let (begins, ends) = (line.contains("-----BEGIN "), line.contains("-----END "));
        let of_key = is_marked(line) || (within && (ends || is_key(line)));
        // The last line of a key may be short; the next line is its end, or normal text.
        let last = within && !of_key && line.trim().ends_with('=');
        within = (within || (begins && is_marked(line))) && !ends && of_key;
        match of_key || last {
            true if line.ends_with('\n') => "[redacted: private key]\n",
            true => "[redacted: private key]",
            false => line,
        }
    });
    lines.collect()
}

/// Whether the survey shows all lines of the find.
fn shows(survey: &Survey, find: &Excerpt) -> bool {
    let hits = survey.hits.iter().filter(|hit| hit.path == find.path);
    let is_in_block = hits
        .flat_map(|hit| &hit.blocks)
        .any(|block| block.from <= find.from && find.to <= block.to);
    let in_passage = survey
        .knowledge
        .iter()
        .any(|passage| passage.path == find.path && passage.text.contains(&find.text));
    is_in_block || in_passage
}

/// Limits each member to the finds of one inquiry: the best find of each of its topics, then the
/// second of each, and so on.
fn share(looked: &mut [TopicSearch], raised: &[Inquiry<'_>]) {
    let mut left = BTreeMap::new();
    let mut kept = vec![0; looked.len()];
    for rank in 0..MAX_FINDS {
        for ((one, raised), kept) in looked.iter().zip(raised).zip(&mut kept) {
            let left = left.entry(raised.by).or_insert(MAX_FINDS);
            if *left > 0 && one.finds.len() > rank {
                *kept += 1;
                *left -= 1;
            }
        }
    }
    for (one, kept) in looked.iter_mut().zip(kept) {
        one.finds.truncate(kept);
    }
}

/// Paths that could not be read: the first few, and the number of others.
#[derive(Default)]
struct UnreadPaths {
    first: Vec<Message>,
    more: usize,
    /// Number of files whose names cannot be shown.
    unnamed: usize,
    /// Whether there are more files than are examined.
    is_cut: bool,
}

impl UnreadPaths {
    fn note(&mut self, root: &Path, path: &Path, why: &Message) {
        let path = match path.strip_prefix(root) {
            Ok(inside) if !inside.as_os_str().is_empty() => inside,
            _ => path,
        };
        let told = UNREAD.fill(values![path = path.display(), why]);
        if self.first.contains(&told) {
            return;
        }
        if self.first.len() < MAX_UNREAD {
            self.first.push(told);
        } else {
            self.more += 1;
        }
    }

    fn into_notices(mut self) -> Vec<Message> {
        if self.more > 0 {
            self.first.push(MORE_UNREAD.fill(values![n = self.more]));
        }
        let left_out = self.left_out();
        self.first.extend(left_out);
        self.first
    }

    /// Notices about readable files that were not examined.
    fn left_out(&self) -> Vec<Message> {
        let unnamed = (self.unnamed > 0).then(|| UNNAMED.fill(values![n = self.unnamed]));
        let cut = self
            .is_cut
            .then(|| FIRST_FILES.fill(values![n = MAX_FILES]));
        unnamed.into_iter().chain(cut).collect()
    }
}

/// The path relative to the root with `/` between its parts; paths outside are unchanged. `None`
/// for a name that cannot be shown exactly, because it would look like another file's.
fn relative(root: &Path, path: &Path) -> Option<String> {
    let path = path.strip_prefix(root).unwrap_or(path);
    let parts: Option<Vec<&str>> = path.iter().map(|part| part.to_str()).collect();
    let name = parts?.join("/").replace("//", "/");
    let is_plain = |c: char| {
        !c.is_control() && (c.is_ascii() || !clean_page(c.encode_utf8(&mut [0; 4])).is_empty())
    };
    (!name.is_empty() && name.chars().all(is_plain)).then_some(name)
}

/// The text of a file of at most `most` bytes; `None` if it is larger or binary.
fn text_of(root: &Path, path: &Path, most: usize) -> io::Result<Option<String>> {
    let (file, length) = safe_open::file_beneath(root, path)?;
    if length > most as u64 {
        return Ok(None);
    }
    // The file may grow while it is read.
    let bytes = safe_open::of_length(file, length, most)?;
    let is_text = bytes.len() <= most && !bytes.contains(&0);
    Ok(is_text.then(|| String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests;
