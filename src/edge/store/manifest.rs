//! `manifest.json`: the list of a version's files, and the check against it.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::number;
use crate::edge::file_names::{MANIFEST, TRANSCRIPT, is_kept};
use crate::edge::fs::{FileKind, Fs, IfExists as _, IoContext as _, read_ours};
use crate::edge::journal::{self, JournalError, hex};
use crate::fault::Fault;
use crate::fault::line::INTERNAL;
use crate::fault::{Message, Text, texts, values};

const FORMAT: u32 = 1;
const NOTE: &str = "Digests show damage, not forgery: whoever can change a file can change its \
                    digest here too. The commit that holds this folder vouches for it.";

/// The content of a version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of this format: 1.
    pub v: u32,
    /// Number of the version: `N` of `vN`.
    pub version: u32,
    /// Hash of the transcript's last line.
    pub head: String,
    /// A note for people on what the digests prove.
    pub note: String,
    /// Digests of every file except this one and files set aside by a repair, by path with `/`
    /// between parts.
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
        tree: &FolderContents,
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

    /// The file's content: indented, one member per line, so that git shows changes well.
    ///
    /// # Errors
    /// It has no JSON form; a version is never published with an incomplete manifest.
    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, Fault> {
        let mut bytes = serde_json::to_vec_pretty(self).map_err(|error| {
            let what = format!("the manifest has no JSON form: {error}");
            INTERNAL.with(values![what])
        })?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

impl FileDigest {
    fn of(fs: &dyn Fs, path: &Path) -> Result<Self, Fault> {
        let bytes = fs.read(path).doing("read", path)?;
        Ok(Self {
            sha256: hex(&Sha256::digest(&bytes)),
            size: bytes.len() as u64,
        })
    }
}

/// The content of a folder; paths relative to it, with `/` between parts, sorted.
#[derive(Debug, Default)]
pub(super) struct FolderContents {
    /// Regular files.
    pub files: Vec<String>,
    /// Folders, outer before inner, without the folder itself.
    pub folders: Vec<String>,
    /// Links and other entries that a run never creates; never followed.
    pub odd: Vec<String>,
}

impl FolderContents {
    pub(super) fn of(fs: &dyn Fs, dir: &Path) -> Result<Self, Fault> {
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

    fn members(&self) -> impl Iterator<Item = &String> {
        self.files
            .iter()
            .filter(|rel| *rel != MANIFEST && !is_kept(rel))
    }
}

/// A difference between a version and its published form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file concerned, by path in the version's folder.
    pub path: String,
    /// What is wrong, in one sentence.
    pub message: Message,
    /// Whether it is a file, or a link, that was not published.
    pub is_extra: bool,
}

impl Problem {
    fn of(path: &str, told: Text) -> Self {
        Self {
            path: path.to_owned(),
            message: told.fill(values![path]),
            is_extra: told == NOT_PUBLISHED,
        }
    }

    /// With the manifest or the transcript; `detail` says what is wrong.
    fn with(path: &str, detail: Message) -> Self {
        Self {
            path: path.to_owned(),
            message: NAMED.fill(values![path, detail]),
            is_extra: false,
        }
    }
}

texts! {
    NAMED: "`{path}`: {detail}", "`{path}`：{detail}";
    IS_MISSING: "`{path}` is missing", "缺少 `{path}`";
    WAS_CHANGED: "`{path}` was changed", "`{path}` 被改动过";
    NOT_PUBLISHED: "`{path}` was not published", "`{path}` 不在发布的文件之中";
    NO_FILE: "it is not a file", "它不是文件";
    MISSING: "it is missing", "它不存在";
    OTHER_VERSION: "it is that of v{said}, the folder is called v{n}", "它属于 v{said}，而目录名为 v{n}";
    OTHER_FORMAT: "it has format {found}, this program reads format {own}", "它的格式为 {found}，本程序读取格式 {own}";
    REWRITTEN: "it is not as it was written: its note, order or spacing", "它与写入时不同：说明文字、顺序或空白被改动";
    TWO_RUNS: "two branches each made a {n}, and git left both; keep yours with `git restore --source=HEAD --staged --worktree {path}`, or theirs with `--source=MERGE_HEAD`, and give it the feedback of the other: aitc revise {n} \"…\" (`aitc plan --series NAME` counts apart from now on)", "两个分支各自生成了 {n}，git 把两者都留了下来；用 `git restore --source=HEAD --staged --worktree {path}` 保留自己的，或用 `--source=MERGE_HEAD` 保留对方的，再用另一方的反馈修订它：aitc revise {n} \"……\"（今后可用 `aitc plan --series NAME` 分开计数）";
    UNREADABLE: "it cannot be read: {why}", "无法读取：{why}";
    DAMAGED: "line {line} (byte {offset}): {what}", "第 {line} 行（字节 {offset}）：{what}";
    TORN: "line {line} (byte {offset}): {bytes} bytes without a newline at the end", "第 {line} 行（字节 {offset}）：末尾有 {bytes} 字节没有换行";
    EMPTY: "it is empty", "它是空的";
    OTHER_END: "it ends in {found}, the manifest says {said}", "它以 {found} 结尾，而清单写的是 {said}";
}

/// The result of verifying a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifyReport {
    /// Number of valid lines of the transcript; 0 if it is damaged.
    pub lines: u64,
    /// All problems, in order: manifest, files by path, transcript.
    pub problems: Vec<Problem>,
}

/// Compares a version folder with its manifest, and its transcript with the transcript's own
/// hashes.
///
/// Only files below `dir` are opened, whatever the manifest names, and links are not followed.
///
/// # Errors
/// The storage's error; problems of the version are not errors but in the report.
pub fn verify(fs: &dyn Fs, dir: &Path) -> Result<VerifyReport, Fault> {
    let tree = FolderContents::of(fs, dir)?;
    let mut problems = Vec::new();
    let manifest = match read_manifest(fs, dir)? {
        Ok(manifest) => Some(manifest),
        Err(detail) => {
            problems.push(Problem::with(MANIFEST, detail));
            None
        }
    };
    if let Some(manifest) = &manifest {
        // A folder with another name is a copy, so its number need not match.
        let name = dir.file_name().map(|name| name.to_string_lossy());
        let n = name.and_then(|name| number(&name));
        if let Some(n) = n.filter(|n| *n != manifest.version) {
            let detail = OTHER_VERSION.fill(values![said = manifest.version, n]);
            problems.push(Problem::with(MANIFEST, detail));
        }
        let whole = Manifest {
            note: NOTE.to_owned(),
            ..manifest.clone()
        };
        let path = dir.join(MANIFEST);
        if fs.read(&path).doing("read", &path)? != whole.to_bytes()? {
            let detail = REWRITTEN.into();
            problems.push(Problem::with(MANIFEST, detail));
        }
        compare(fs, dir, &tree, manifest, &mut problems)?;
    }
    let lines = match check_transcript(fs, dir, manifest.as_ref())? {
        Ok(lines) => lines,
        Err(detail) => {
            // A missing transcript is already reported with the files.
            if !problems.contains(&Problem::of(TRANSCRIPT, IS_MISSING)) {
                problems.push(Problem::with(TRANSCRIPT, detail));
            }
            0
        }
    };
    Ok(VerifyReport { lines, problems })
}

/// Why a folder is not a valid version: the manifest cannot be read, or belongs to another
/// transcript, as when two branches made the same version and were merged. `head` is the hash of
/// the transcript's last line.
pub fn disagrees(fs: &dyn Fs, dir: &Path, head: &str) -> Result<Option<Problem>, Fault> {
    let detail = match read_manifest(fs, dir)? {
        Ok(manifest) if manifest.head == head => return Ok(None),
        Ok(manifest) => OTHER_END.fill(values![found = head, said = manifest.head]),
        Err(detail) => return Ok(Some(Problem::with(MANIFEST, detail))),
    };
    Ok(Some(Problem::with(TRANSCRIPT, detail)))
}

/// Whether a file differs; reads it only if the size is the same.
fn is_other(fs: &dyn Fs, path: &Path, published: &FileDigest) -> Result<bool, Fault> {
    let found = fs.metadata(path).doing("look at", path)?;
    Ok(found.len != published.size || FileDigest::of(fs, path)? != *published)
}

fn read_manifest(fs: &dyn Fs, dir: &Path) -> Result<Result<Manifest, Message>, Fault> {
    let bytes = match read_ours(fs, &dir.join(MANIFEST))? {
        Some(Ok(bytes)) => bytes,
        Some(Err(why)) => return Ok(Err(why)),
        None => return Ok(Err(MISSING.into())),
    };
    Ok(match serde_json::from_slice::<Manifest>(&bytes) {
        Ok(manifest) if manifest.v == FORMAT => Ok(manifest),
        Ok(manifest) => Err(OTHER_FORMAT.fill(values![found = manifest.v, own = FORMAT])),
        Err(_) if is_merge(&bytes) => Err(two_runs(dir)),
        Err(error) => Err(UNREADABLE.fill(values![why = error])),
    })
}

/// Whether git left both sides of a merge conflict in it.
fn is_merge(bytes: &[u8]) -> bool {
    let lines = bytes.split(|byte| *byte == b'\n');
    lines.into_iter().any(|line| line.starts_with(b"<<<<<<< "))
}

/// Advice if two branches made the same version.
fn two_runs(dir: &Path) -> Message {
    let name = dir.file_name().unwrap_or_default().to_string_lossy();
    TWO_RUNS.fill(values![n = name, path = dir.display()])
}

/// Whether the path is a file; the error says why not.
fn is_file(fs: &dyn Fs, path: &Path) -> Result<Result<(), Text>, Fault> {
    let found = fs.metadata(path).if_exists().doing("look at", path)?;
    Ok(match found.map(|found| found.kind) {
        Some(FileKind::File) => Ok(()),
        Some(_) => Err(NO_FILE),
        None => Err(MISSING),
    })
}

fn compare(
    fs: &dyn Fs,
    dir: &Path,
    tree: &FolderContents,
    manifest: &Manifest,
    problems: &mut Vec<Problem>,
) -> Result<(), Fault> {
    let mut found = BTreeMap::new();
    for rel in tree.members() {
        let problem = match manifest.files.get(rel) {
            None => Some(Problem::of(rel, NOT_PUBLISHED)),
            Some(digest) => {
                is_other(fs, &dir.join(rel), digest)?.then(|| Problem::of(rel, WAS_CHANGED))
            }
        };
        found.insert(rel, problem);
    }
    for rel in &tree.odd {
        found.insert(rel, Some(Problem::of(rel, NOT_PUBLISHED)));
    }
    for rel in manifest.files.keys() {
        found
            .entry(rel)
            .or_insert_with(|| Some(Problem::of(rel, IS_MISSING)));
    }
    problems.extend(found.into_values().flatten());
    Ok(())
}

/// Number of lines of the transcript, or in words what is wrong with it.
fn check_transcript(
    fs: &dyn Fs,
    dir: &Path,
    manifest: Option<&Manifest>,
) -> Result<Result<u64, Message>, Fault> {
    let path = dir.join(TRANSCRIPT);
    if let Err(none) = is_file(fs, &path)? {
        return Ok(Err(none.into()));
    }
    let summary = match journal::read(fs, &path, &mut |_| Ok(())) {
        Ok(summary) => summary,
        // The caller adds the path, so leave it out here.
        Err(JournalError::Damaged {
            line, offset, what, ..
        }) => {
            return Ok(Err(DAMAGED.fill(values![
                line,
                offset,
                what = what.message()
            ])));
        }
        Err(JournalError::Other(fault)) => return Err(fault),
    };
    if let Some(torn) = summary.torn(None) {
        return Ok(Err(TORN.fill(values![
            line = torn.seq,
            offset = torn.offset,
            bytes = torn.bytes
        ])));
    }
    Ok(match manifest {
        _ if summary.lines == 0 => Err(EMPTY.into()),
        Some(manifest) if manifest.head != summary.head => {
            Err(OTHER_END.fill(values![found = summary.head, said = manifest.head]))
        }
        _ => Ok(summary.lines),
    })
}
