//! Reads what a workspace puts in place of built-in files, and nothing outside it.
#![allow(clippy::disallowed_methods)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::AssetError;
use crate::fault::{Message, Text};
use crate::redact::secrets;

/// What is said of a file that a link fetches from elsewhere.
pub(super) const LEADS_OUT: Text = Text(
    "it leads out of the workspace; copy the file instead of linking it",
    "它指向工作区之外；请复制文件，不要使用链接",
);
const NOT_UTF8: Text = Text(
    "it is no UTF-8 text; save it as UTF-8",
    "它不是 UTF-8 文本；请保存为 UTF-8",
);

/// Files below a folder of the workspace by relative name, in order of names.
///
/// Hidden files are passed over. A link that leads out of the workspace is an
/// error: nothing outside may reach a prompt through a cloned repository.
pub(super) fn files_below(
    workspace: &Path,
    folder: &str,
) -> Result<Vec<(String, PathBuf)>, AssetError> {
    let base = workspace.join(folder);
    if !base.is_dir() {
        return Ok(Vec::new());
    }
    let root = workspace
        .canonicalize()
        .map_err(|source| AssetError::Read {
            path: folder.to_owned(),
            source,
        })?;
    let walk = walkdir::WalkDir::new(&base)
        .follow_links(true)
        .max_depth(8)
        .into_iter()
        .filter_entry(|entry| {
            entry.depth() == 0 || !entry.file_name().to_string_lossy().starts_with('.')
        });
    let mut files = BTreeMap::new();
    for entry in walk {
        let entry = entry.map_err(|error| AssetError::Read {
            path: folder.to_owned(),
            source: error.into(),
        })?;
        if !entry.file_type().is_file() {
            continue;
        }
        let relative = entry.path().strip_prefix(&base).unwrap_or(entry.path());
        let name = relative.to_string_lossy().replace('\\', "/");
        let inside = entry
            .path()
            .canonicalize()
            .is_ok_and(|real| real.starts_with(&root));
        if !inside {
            return Err(AssetError::Unfit {
                path: format!("{folder}/{name}"),
                what: LEADS_OUT.into(),
            });
        }
        files.insert(name, entry.into_path());
    }
    Ok(files.into_iter().collect())
}

/// The text of a file of at most `limit` bytes; `shown` names it in errors.
pub(super) fn read_text(path: &Path, shown: &str, limit: u64) -> Result<String, AssetError> {
    let read = |source| AssetError::Read {
        path: shown.to_owned(),
        source,
    };
    let unfit = |what: Message| AssetError::Unfit {
        path: shown.to_owned(),
        what,
    };
    if path.metadata().map_err(read)?.len() > limit {
        let what = Text(
            "it is larger than {limit} bytes; shorten it",
            "它超过 {limit} 字节；请缩短",
        );
        return Err(unfit(what.fill(&[("limit", &limit)])));
    }
    let text = String::from_utf8(std::fs::read(path).map_err(read)?);
    let text = text.map_err(|_| unfit(NOT_UTF8.into()))?;
    match secrets(&text).first() {
        None => Ok(text),
        Some(secret) => Err(AssetError::Unfit {
            path: format!("{shown}:{}", text[..secret.start].matches('\n').count() + 1),
            what: HOLDS_SECRET.fill(&[("kind", &secret.kind)]),
        }),
    }
}

/// The text is frozen into every transcript and said again word for word: nothing
/// can be taken out of it as is done with what comes in later.
const HOLDS_SECRET: Text = Text(
    "it holds what looks like a secret ({kind}), and all of it is written into transcripts; take it out",
    "其中似乎含有机密（{kind}），而全文会写入记录；请将其移除",
);
