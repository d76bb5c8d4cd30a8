//! `manifest.json`: what a version consists of, and the check against it.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::number;
use crate::edge::fs::{Doing as _, FileKind, Fs, IfThere as _, StorageError, read_ours};
use crate::edge::journal::{self, JournalError, TRANSCRIPT, hex, is_kept};
use crate::fault::Fault;
use crate::fault::line::INTERNAL;
use crate::fault::{Message, Text, texts};

/// Name of the manifest in a version folder.
pub const MANIFEST: &str = "manifest.json";

const FORMAT: u32 = 1;
const NOTE: &str = "Digests show damage, not forgery: whoever can change a file can change its \
                    digest here too. The commit that holds this folder vouches for it.";

/// What a version consists of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of this format: 1.
    pub v: u32,
    /// Number of the version: `N` of `vN`.
    pub version: u32,
    /// Hash of the transcript's last line.
    pub head: String,
    /// What the digests are worth, for people.
    pub note: String,
    /// Every file but this one and what a repair left aside, by path with `/` between parts.
    pub files: BTreeMap<String, FileDigest>,
}

/// A file's digest and size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileDigest {
    /// SHA-256, 64 lower-case hexadecimal digits.
    pub sha256: String,
    /// Bytes.
    pub size: u64,
}

impl Manifest {
    pub(super) fn of(
        fs: &dyn Fs,
        dir: &Path,
        tree: &Tree,
        version: u32,
        head: &str,
    ) -> Result<Self, Fault> {
        let files = tree
            .members()
            .map(|rel| Ok((rel.clone(), FileDigest::of(fs, &dir.join(rel))?)))
            .collect::<Result<_, Fault>>()?;
        Ok(Self {
            v: FORMAT,
            version,
            head: head.to_owned(),
            note: NOTE.to_owned(),
            files,
        })
    }

    /// As it is written: indented, one member a line, so that git shows what changed.
    ///
    /// # Errors
    /// It has no JSON form; nothing is published with a manifest that is not whole.
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, Fault> {
        let mut bytes = serde_json::to_vec_pretty(self).map_err(|error| {
            let what = format!("the manifest has no JSON form: {error}");
            INTERNAL.with(&[("what", &what)])
        })?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

impl FileDigest {
    fn of(fs: &dyn Fs, path: &Path) -> Result<Self, StorageError> {
        let bytes = fs.read(path).doing("read", path)?;
        Ok(Self {
            sha256: hex(&Sha256::digest(&bytes)),
            size: bytes.len() as u64,
        })
    }
}

/// What a folder holds; paths relative to it, `/` between parts, sorted.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// Regular files.
    pub files: Vec<String>,
    /// Folders, outer before inner; the top itself left out.
    pub folders: Vec<String>,
    /// Links and other things no run makes; never followed.
    pub odd: Vec<String>,
}

impl Tree {
    pub(super) fn of(fs: &dyn Fs, dir: &Path) -> Result<Self, StorageError> {
        let mut tree = Self::default();
        let mut todo = vec![String::new()];
        while let Some(folder) = todo.pop() {
            let path = dir.join(&folder);
            let names = fs.list(&path).doing("list", &path)?;
            for name in names {
                let rel = match folder.as_str() {
                    "" => name,
                    above => format!("{above}/{name}"),
                };
                let path = dir.join(&rel);
                let found = fs.metadata(&path).doing("look at", &path)?;
                match found.kind {
                    FileKind::File => tree.files.push(rel),
                    FileKind::Dir => {
                        tree.folders.push(rel.clone());
                        todo.push(rel);
                    }
                    FileKind::Other => tree.odd.push(rel),
                }
            }
        }
        for list in [&mut tree.files, &mut tree.folders, &mut tree.odd] {
            list.sort_unstable();
        }
        Ok(tree)
    }

    /// Files that are part of a version.
    fn members(&self) -> impl Iterator<Item = &String> {
        self.files
            .iter()
            .filter(|rel| *rel != MANIFEST && !is_kept(rel))
    }
}

/// Something in a version that is not as it was published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// The manifest is missing, cannot be read, or is of a later format.
    Manifest {
        /// What is wrong.
        detail: Message,
    },
    /// A file of the manifest is gone.
    Missing {
        /// Its path.
        path: String,
    },
    /// A file has other bytes.
    Changed {
        /// Its path.
        path: String,
    },
    /// A file, or a link, that was not published.
    Extra {
        /// Its path.
        path: String,
    },
    /// The transcript is damaged, or ends elsewhere than the manifest says.
    Transcript {
        /// What is wrong, with the place.
        detail: Message,
    },
}

impl Problem {
    /// The file it is about, by path in the version's folder.
    pub fn path(&self) -> &str {
        match self {
            Self::Manifest { .. } => MANIFEST,
            Self::Missing { path } | Self::Changed { path } | Self::Extra { path } => path,
            Self::Transcript { .. } => TRANSCRIPT,
        }
    }

    /// What is wrong, in one sentence.
    pub fn message(&self) -> Message {
        match self {
            Self::Manifest { detail } => NAMED.fill(&[("path", &MANIFEST), ("detail", detail)]),
            Self::Missing { path } => IS_MISSING.fill(&[("path", path)]),
            Self::Changed { path } => WAS_CHANGED.fill(&[("path", path)]),
            Self::Extra { path } => NOT_PUBLISHED.fill(&[("path", path)]),
            Self::Transcript { detail } => NAMED.fill(&[("path", &TRANSCRIPT), ("detail", detail)]),
        }
    }
}

texts! {
    NAMED: "`{path}`: {detail}", "`{path}`：{detail}";
    IS_MISSING: "`{path}` is missing", "缺少 `{path}`";
    WAS_CHANGED: "`{path}` was changed", "`{path}` 被改动过";
    NOT_PUBLISHED: "`{path}` was not published", "`{path}` 不在发布的文件之中";
    NO_FILE: "it is no file", "它不是文件";
    MISSING: "it is missing", "它不存在";
    OTHER_VERSION: "it is that of v{said}, the folder is called v{n}", "它属于 v{said}，而目录名为 v{n}";
    OTHER_FORMAT: "it has format {found}, this program reads format {own}", "它的格式为 {found}，本程序读取格式 {own}";
    REWRITTEN: "it is not as it was written: its note, order or spacing", "它与写入时不同：说明文字、顺序或空白被改动";
    TWO_RUNS: "two branches each made a {n}, and git left both; keep yours with `git restore --source=HEAD --staged --worktree {path}`, or theirs with `--source=MERGE_HEAD`, and give it the feedback of the other: aitc revise {n} \"…\" (`aitc plan --series NAME` counts apart from now on)", "两个分支各自做出了 {n}，git 把两者都留了下来；用 `git restore --source=HEAD --staged --worktree {path}` 保留您的，或用 `--source=MERGE_HEAD` 保留对方的，再把另一个的反馈交给它：aitc revise {n} \"……\"（今后可用 `aitc plan --series NAME` 分开计数）";
    UNREADABLE: "it cannot be read: {why}", "无法读取：{why}";
    DAMAGED: "line {line} (byte {offset}): {what}", "第 {line} 行（字节 {offset}）：{what}";
    TORN: "line {line} (byte {offset}): {bytes} bytes without a newline at the end", "第 {line} 行（字节 {offset}）：末尾有 {bytes} 字节没有换行";
    EMPTY: "it is empty", "它是空的";
    OTHER_END: "it ends in {found}, the manifest says {said}", "它以 {found} 结尾，而清单写的是 {said}";
}

/// What the check of a version showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifyReport {
    /// Files that are part of it.
    pub files: usize,
    /// Good lines of the transcript; 0 if it is damaged.
    pub lines: u64,
    /// Hash of its last line; empty if it is damaged.
    pub head: String,
    /// Everything found, in order: manifest, files by path, transcript.
    pub problems: Vec<Problem>,
}

impl VerifyReport {
    /// Is everything as it was published?
    pub fn is_clean(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Holds a version folder against its manifest, and its transcript against its own hashes.
///
/// Only files below `dir` are opened, whatever the manifest names, and no link is followed.
///
/// # Errors
/// What the storage says; what is wrong with the version is no error but in the report.
pub fn verify(fs: &dyn Fs, dir: &Path) -> Result<VerifyReport, Fault> {
    let tree = Tree::of(fs, dir)?;
    let mut problems = Vec::new();
    let manifest = match read_manifest(fs, dir)? {
        Ok(manifest) => Some(manifest),
        Err(detail) => {
            problems.push(Problem::Manifest { detail });
            None
        }
    };
    if let Some(manifest) = &manifest {
        // A folder of another name is no version but a copy for whoever asks.
        let name = dir.file_name().map(|name| name.to_string_lossy());
        let n = name.and_then(|name| number(&name));
        if let Some(n) = n.filter(|n| *n != manifest.version) {
            let detail = OTHER_VERSION.fill(&[("said", &manifest.version), ("n", &n)]);
            problems.push(Problem::Manifest { detail });
        }
        let whole = Manifest {
            note: NOTE.to_owned(),
            ..manifest.clone()
        };
        let path = dir.join(MANIFEST);
        if fs.read(&path).doing("read", &path)? != whole.to_bytes()? {
            let detail = REWRITTEN.into();
            problems.push(Problem::Manifest { detail });
        }
        compare(fs, dir, &tree, manifest, &mut problems)?;
    }
    let (lines, head) = match check_transcript(fs, dir, manifest.as_ref())? {
        Ok(good) => good,
        Err(detail) => {
            // That it is not there is told once, by the files.
            let path = TRANSCRIPT.to_owned();
            if !problems.contains(&Problem::Missing { path }) {
                problems.push(Problem::Transcript { detail });
            }
            (0, String::new())
        }
    };
    Ok(VerifyReport {
        files: tree.members().count(),
        lines,
        head,
        problems,
    })
}

/// What keeps a version from being one: no manifest that can be read, or that of another
/// transcript, as two branches leave it that made the same version. `head` is the hash of
/// the transcript's last line.
pub fn disagrees(fs: &dyn Fs, dir: &Path, head: &str) -> Result<Option<Problem>, StorageError> {
    let detail = match read_manifest(fs, dir)? {
        Ok(manifest) if manifest.head == head => return Ok(None),
        Ok(manifest) => OTHER_END.fill(&[("found", &head), ("said", &manifest.head)]),
        Err(detail) => return Ok(Some(Problem::Manifest { detail })),
    };
    Ok(Some(Problem::Transcript { detail }))
}

/// Has a file of a version, by its path in the folder, other bytes than were published?
/// Not known, and so not told, without a manifest that can be read.
pub fn is_changed(fs: &dyn Fs, dir: &Path, rel: &str) -> Result<bool, StorageError> {
    let manifest = read_manifest(fs, dir)?.ok();
    match manifest
        .as_ref()
        .and_then(|manifest| manifest.files.get(rel))
    {
        Some(published) => is_other(fs, &dir.join(rel), published),
        None => Ok(false),
    }
}

/// Has a file other bytes? One of another length is not read to tell.
fn is_other(fs: &dyn Fs, path: &Path, published: &FileDigest) -> Result<bool, StorageError> {
    let found = fs.metadata(path).doing("look at", path)?;
    Ok(found.len != published.size || FileDigest::of(fs, path)? != *published)
}

/// The manifest, or in words why there is none to compare with.
fn read_manifest(fs: &dyn Fs, dir: &Path) -> Result<Result<Manifest, Message>, StorageError> {
    let bytes = match read_ours(fs, &dir.join(MANIFEST))? {
        Some(Ok(bytes)) => bytes,
        Some(Err(why)) => return Ok(Err(why)),
        None => return Ok(Err(MISSING.into())),
    };
    Ok(match serde_json::from_slice::<Manifest>(&bytes) {
        Ok(manifest) if manifest.v == FORMAT => Ok(manifest),
        Ok(manifest) => Err(OTHER_FORMAT.fill(&[("found", &manifest.v), ("own", &FORMAT)])),
        Err(_) if is_merge(&bytes) => Err(two_runs(dir)),
        Err(error) => Err(UNREADABLE.fill(&[("why", &error)])),
    })
}

/// Did git leave both sides of a merge in it?
fn is_merge(bytes: &[u8]) -> bool {
    let lines = bytes.split(|byte| *byte == b'\n');
    lines.into_iter().any(|line| line.starts_with(b"<<<<<<< "))
}

/// Advice when two branches made the same version.
fn two_runs(dir: &Path) -> Message {
    let name = dir.file_name().unwrap_or_default().to_string_lossy();
    TWO_RUNS.fill(&[("n", &name), ("path", &dir.display())])
}

/// Is it a file, or in words why not?
fn is_file(fs: &dyn Fs, path: &Path) -> Result<Result<(), Text>, StorageError> {
    let found = fs.metadata(path).if_there().doing("look at", path)?;
    Ok(match found.map(|found| found.kind) {
        Some(FileKind::File) => Ok(()),
        Some(_) => Err(NO_FILE),
        None => Err(MISSING),
    })
}

fn compare(
    fs: &dyn Fs,
    dir: &Path,
    tree: &Tree,
    manifest: &Manifest,
    problems: &mut Vec<Problem>,
) -> Result<(), StorageError> {
    let mut found = BTreeMap::new();
    for rel in tree.members() {
        let problem = match manifest.files.get(rel) {
            None => Some(Problem::Extra { path: rel.clone() }),
            Some(digest) => is_other(fs, &dir.join(rel), digest)?
                .then(|| Problem::Changed { path: rel.clone() }),
        };
        found.insert(rel, problem);
    }
    for rel in &tree.odd {
        found.insert(rel, Some(Problem::Extra { path: rel.clone() }));
    }
    for rel in manifest.files.keys() {
        found
            .entry(rel)
            .or_insert_with(|| Some(Problem::Missing { path: rel.clone() }));
    }
    problems.extend(found.into_values().flatten());
    Ok(())
}

/// Lines and head of the transcript, or in words what is wrong with it.
fn check_transcript(
    fs: &dyn Fs,
    dir: &Path,
    manifest: Option<&Manifest>,
) -> Result<Result<(u64, String), Message>, Fault> {
    let path = dir.join(TRANSCRIPT);
    if let Err(none) = is_file(fs, &path)? {
        return Ok(Err(none.into()));
    }
    let summary = match journal::read(fs, &path, &mut |_| Ok(())) {
        Ok(summary) => summary,
        // The path stands in front of the words already.
        Err(JournalError::Damaged {
            line, offset, what, ..
        }) => {
            return Ok(Err(DAMAGED.fill(&[
                ("line", &line),
                ("offset", &offset),
                ("what", &what.message()),
            ])));
        }
        Err(JournalError::Other(fault)) => return Err(fault),
    };
    if let Some(torn) = summary.torn {
        return Ok(Err(TORN.fill(&[
            ("line", &torn.seq),
            ("offset", &torn.offset),
            ("bytes", &torn.bytes),
        ])));
    }
    Ok(match manifest {
        _ if summary.lines == 0 => Err(EMPTY.into()),
        Some(manifest) if manifest.head != summary.head => {
            Err(OTHER_END.fill(&[("found", &summary.head), ("said", &manifest.head)]))
        }
        _ => Ok((summary.lines, summary.head)),
    })
}
