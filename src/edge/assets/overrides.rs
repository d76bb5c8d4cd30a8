//! Reads files of a workspace that override built-in ones, and nothing outside the workspace.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use super::unfit;
use crate::edge::safe_open::{self, FileUse};
use crate::fault::settings::ASSET_UNREADABLE;
use crate::fault::{Fault, said_by_system, texts, values};
use crate::redact::secrets;

const DEEPEST: usize = 8;
/// Maximum number of files in one folder and its subfolders.
const MOST: usize = 1000;

texts! {
    NOT_UTF8: "it is not UTF-8 text; save it as UTF-8", "它不是 UTF-8 文本；请保存为 UTF-8";
    TOO_MANY: "it holds more than {most} files; remove some", "其中的文件超过 {most} 个；请移除一些";
}

/// Files below a folder of the workspace by relative name, sorted.
///
/// Hidden files are skipped. A link that points outside the workspace is an error: no outside file
/// may reach a prompt through a cloned repository.
pub(super) fn files_below(workspace: &Path, folder: &str) -> Result<BTreeSet<String>, Fault> {
    let mut files = BTreeSet::new();
    collect(workspace, folder, "", DEEPEST, &mut files)?;
    Ok(files)
}

fn collect(
    workspace: &Path,
    folder: &str,
    below: &str,
    deepest: usize,
    files: &mut BTreeSet<String>,
) -> Result<(), Fault> {
    let shown = format!("{folder}{below}");
    let names = match safe_open::place_beneath(workspace, Path::new(&shown)) {
        Ok(place) if place.is_dir() => safe_open::names_in(&place),
        Ok(_) => {
            // A file in place of the folder itself is ignored.
            if let Some(name) = below.strip_prefix('/') {
                files.insert(name.to_owned());
            }
            return Ok(());
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound && below.is_empty() => {
            return Ok(());
        }
        Err(error) => Err(error),
    };
    let names = names.map_err(|error| refused(&shown, error))?;
    if files.len() + names.len() > MOST {
        let what = TOO_MANY.fill(values![most = MOST]);
        return Err(unfit(&shown, &what));
    }
    let visible = names.iter().filter(|name| !name.starts_with('.'));
    for name in visible.filter(|_| deepest > 0) {
        collect(
            workspace,
            folder,
            &format!("{below}/{name}"),
            deepest - 1,
            files,
        )?;
    }
    Ok(())
}

/// The error for a file or folder that cannot be read.
pub(super) fn refused(shown: &str, error: io::Error) -> Fault {
    let cause = said_by_system(&error);
    match safe_open::is_refusal(&error) {
        true => unfit(shown, &cause),
        false => ASSET_UNREADABLE.with(values![path = shown, cause]),
    }
}

/// The text of a file of the workspace; `shown` is its path in errors.
pub(super) fn read_text(workspace: &Path, shown: &str, kind: FileUse) -> Result<String, Fault> {
    let bytes = safe_open::beneath(workspace, Path::new(shown), kind);
    as_text(shown, bytes.map_err(|error| refused(shown, error))?)
}

/// Decodes the text of a file, which must not contain a secret.
pub(super) fn as_text(shown: &str, bytes: Vec<u8>) -> Result<String, Fault> {
    let text = String::from_utf8(bytes).map_err(|_| unfit(shown, &NOT_UTF8))?;
    match secrets(&text).first() {
        None => Ok(text),
        Some(secret) => {
            let line = text[..secret.start].matches('\n').count() + 1;
            let what = HOLDS_SECRET.fill(values![kind = secret.kind]);
            Err(unfit(&format!("{shown}:{line}"), &what))
        }
    }
}

texts! {
    /// The text is frozen into every transcript and repeated unchanged, so secrets in it cannot be
    /// removed as in later inputs.
    HOLDS_SECRET: "it holds what looks like a secret ({kind}), and all of it is written into transcripts; take it out", "其中似乎含有机密（{kind}），而全文会写入记录；请将其移除";
}
