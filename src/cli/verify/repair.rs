//! `aitc verify --repair`: a damaged end cut and kept aside.

use schemars::JsonSchema;
use serde::Serialize;

use super::VerifyDocument;

use crate::cli::versions::{self, FoundVersion};
use crate::cli::{CliError, Context, Exit};
use crate::driver::Replay;
use crate::edge::fs::RealFs;
use crate::edge::journal::{self, RepairReport, TRANSCRIPT};
use crate::edge::lock::RunLock;
use crate::fault::plans::{NOTHING_WHOLE, VERSION_PUBLISHED};
use crate::fault::storage::{TRANSCRIPT_DAMAGED, TRANSCRIPT_REFUSED};
use crate::fault::{Message, texts, values};
use crate::machine::Version;

texts! {
    NOTHING: "{path}: nothing to repair, {n} lines", "{path}：无需修复，共 {n} 行";
    CUT: "{path}: {bytes} bytes cut, kept in {kept}; {n} lines stay", "{path}：切下 {bytes} 字节，另存于 {kept}；保留 {n} 行";
    REMOVED: "{path}: nothing was recorded; removed", "{path}：没有任何记录；已移除";
    THEN_RESUME: "{offer}; then: aitc resume {n}", "{offer}；然后：aitc resume {n}";
    EMPTY: "nothing was recorded; `aitc verify {n} --repair` removes the draft", "没有任何记录；`aitc verify {n} --repair` 可移除该草稿";
    OFFER: "`aitc verify {n} --repair` keeps a copy of the transcript and cuts the last {bytes} bytes, from line {line} on; {lines} lines stay", "`aitc verify {n} --repair` 会先保存会议记录的副本，再切下从第 {line} 行起的 {bytes} 字节；保留 {lines} 行";
}

/// What was repaired.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RepairedDocument {
    /// Folder of the draft.
    path: String,
    /// Lines that stay.
    lines: u64,
    /// Bytes cut.
    cut: u64,
    /// Where they are kept.
    kept: Option<String>,
    /// What was wrong.
    damage: Option<String>,
    /// Whether the draft was removed, since nothing was recorded in it.
    removed: bool,
}

/// A fault of a damaged transcript, with what a repair would cut and the command for it.
pub fn offered(fault: CliError, found: &FoundVersion) -> CliError {
    let is_damage = [TRANSCRIPT_DAMAGED.code, TRANSCRIPT_REFUSED.code].contains(&fault.code);
    match offer(found) {
        Ok(Some(offer)) if is_damage => {
            fault.fixed_by(THEN_RESUME.fill(values![offer, n = found.version]))
        }
        // The damage itself is what counts.
        _ => fault,
    }
}

/// What a repair of a damaged draft would cut, and the command for it; none of a published
/// version, which is never changed, and where there is nothing to cut.
pub fn offer(found: &FoundVersion) -> Result<Option<Message>, CliError> {
    if !found.draft {
        return Ok(None);
    }
    // A transcript of a later program is damaged for this one alone.
    let Ok(report) = repair(found, true) else {
        return Ok(None);
    };
    Ok((!report.is_clean()).then(|| {
        OFFER.fill(values![
            n = found.version,
            bytes = report.cuts,
            line = report.lines + 1,
            lines = report.lines
        ])
    }))
}

/// What is to be done with a draft in which nothing was recorded; none of any other.
pub fn left_empty(found: &FoundVersion, context: &Context) -> Result<Option<Message>, CliError> {
    if !versions::is_empty(&found.folder)? {
        return Ok(None);
    }
    all_lost(found, context)?;
    Ok(Some(EMPTY.fill(values![n = found.version])))
}

/// Returns whether the draft holds nothing that was said.
///
/// # Errors
/// Something lies there beside a transcript without a whole line.
fn all_lost(found: &FoundVersion, context: &Context) -> Result<(), CliError> {
    let kept = versions::leftovers(&found.folder);
    match kept.is_empty() {
        true => Ok(()),
        false => {
            let path = versions::shown(&found.folder, context);
            Err(NOTHING_WHOLE.with(values![path, kept = kept.join(", ")]))
        }
    }
}

/// Repairs the transcript of a draft and says what was done. A published
/// version is never changed.
pub fn run(version: Option<Version>, context: &Context) -> Result<Exit, CliError> {
    let found = damaged(version, context)?;
    let path = versions::shown(&found.folder, context);
    if !found.draft {
        return Err(VERSION_PUBLISHED.with(values![path, n = found.version]));
    }
    // Held until the end: nobody may write while the tail is cut.
    let _lock = RunLock::acquire(&versions::lock_path(found.version, context))?;
    if versions::is_empty(&found.folder)? {
        return remove(&found, context);
    }
    let done = repair(&found, false)?;
    let kept = done
        .kept
        .as_deref()
        .map(|kept| versions::shown(kept, context));
    let text = if kept.is_some() { CUT } else { NOTHING };
    let places = values![
        path,
        n = done.lines,
        bytes = done.cuts,
        kept = kept.as_deref().unwrap_or_default()
    ];
    let lang = context.lang(None);
    let text = text.with(lang, places);
    let damage = done.damage.as_ref().map(|damage| damage.message());
    let document = RepairedDocument {
        path,
        lines: done.lines,
        cut: done.cuts,
        kept,
        damage: damage.map(|damage| damage.of(lang).to_owned()),
        removed: false,
    };
    context.done(&text, &VerifyDocument::Repaired(document))
}

fn repair(found: &FoundVersion, dry_run: bool) -> Result<RepairReport, CliError> {
    let mut replay = Replay::default();
    let transcript = found.folder.join(TRANSCRIPT);
    Ok(journal::repair(
        &RealFs,
        &transcript,
        dry_run,
        &mut |entry| replay.take(&entry),
    )?)
}

/// What to repair: the version named, else the latest draft, empty ones too.
fn damaged(version: Option<Version>, context: &Context) -> Result<FoundVersion, CliError> {
    let drafts = versions::unfinished(&versions::find_all(context)?, version);
    match versions::latest(&drafts) {
        Some(draft) => Ok(draft.clone()),
        None => versions::find(version, context),
    }
}

/// A draft without a line has nothing to keep.
fn remove(found: &FoundVersion, context: &Context) -> Result<Exit, CliError> {
    let path = versions::shown(&found.folder, context);
    all_lost(found, context)?;
    versions::discard(&found.folder)?;
    let text = REMOVED.with(context.lang(None), values![path]);
    let document = RepairedDocument {
        path,
        lines: 0,
        cut: 0,
        kept: None,
        damage: None,
        removed: true,
    };
    context.done(&text, &VerifyDocument::Repaired(document))
}
