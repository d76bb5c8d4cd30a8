//! `aitc repair`: a damaged tail cut and kept aside.

use clap::Args;

use super::open::{self, Found};
use super::text::Text;
use super::{CliError, Context, Exit};
use crate::driver::Replay;
use crate::edge::fs::RealFs;
use crate::edge::journal::{self, TRANSCRIPT};
use crate::edge::lock::RunLock;
use crate::fault::plans::{NOTHING_WHOLE, VERSION_PUBLISHED};
use schemars::JsonSchema;
use serde::Serialize;

const NOTHING: Text = Text(
    "{path}: nothing to repair, {n} lines",
    "{path}：无需修复，共 {n} 行",
);
const CUT: Text = Text(
    "{path}: {bytes} bytes cut, kept in {kept}; {n} lines stay",
    "{path}：切下 {bytes} 字节，另存于 {kept}；保留 {n} 行",
);
const WOULD_CUT: Text = Text(
    "{path}: {bytes} bytes would be cut; {n} lines stay",
    "{path}：将切下 {bytes} 字节；保留 {n} 行",
);
const REMOVED: Text = Text(
    "{path}: nothing was recorded; removed",
    "{path}：没有任何记录；已移除",
);
const WOULD_REMOVE: Text = Text(
    "{path}: nothing was recorded; it would be removed",
    "{path}：没有任何记录；将被移除",
);

/// Cut a damaged tail off a draft's transcript, or remove an empty draft
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc repair --dry-run\n  aitc repair v2")]
pub struct RepairArgs {
    /// Which draft; the latest, if left out
    #[arg(value_name = "vN", value_parser = open::version)]
    version: Option<u32>,
    /// Say what would be done
    #[arg(long)]
    dry_run: bool,
}

/// Repairs the transcript of a draft and says what was done. A published
/// version is never changed.
pub fn run(args: &RepairArgs, context: &Context) -> Result<Exit, CliError> {
    let found = damaged(args.version, context)?;
    let path = open::shown(&found.folder, context);
    if !found.draft {
        return Err(VERSION_PUBLISHED.with(&[("path", &path), ("n", &found.version)]));
    }
    let lock = found.lock_path(context);
    // Held until the end: nobody may write while the tail is cut.
    let _lock = if args.dry_run {
        None
    } else {
        Some(RunLock::acquire(&lock)?)
    };
    if open::is_empty(&found.folder)? {
        return remove(&found, args.dry_run, context);
    }
    let mut replay = Replay::default();
    let transcript = found.folder.join(TRANSCRIPT);
    let done = journal::repair(&RealFs, &transcript, args.dry_run, &mut |entry| {
        replay.take(&entry)
    })?;
    let kept = done.kept.as_deref().map(|kept| open::shown(kept, context));
    let text = match (&kept, done.is_clean()) {
        (_, true) => NOTHING,
        (Some(_), _) => CUT,
        (None, _) => WOULD_CUT,
    };
    let places = [
        ("path", path.as_str()),
        ("n", &done.lines.to_string()),
        ("bytes", &done.cuts.to_string()),
        ("kept", kept.as_deref().unwrap_or_default()),
    ];
    let lang = context.lang(None);
    let text = text.with(lang, &places);
    let damage = done.damage.as_ref().map(|damage| damage.message());
    let document = RepairDocument::Cut(CutDocument {
        v: 1,
        path: &path,
        lines: done.lines,
        cut: done.cuts,
        kept,
        damage: damage.map(|damage| damage.of(lang).to_owned()),
        dry_run: args.dry_run,
    });
    context.print(&text, &document)?;
    Ok(Exit::Done)
}

/// `aitc repair --json`.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum RepairDocument<'a> {
    /// A transcript was looked at.
    Cut(CutDocument<'a>),
    /// A draft without a line was removed.
    Removed(RemovedDocument<'a>),
}

/// A transcript was looked at.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CutDocument<'a> {
    v: u32,
    path: &'a str,
    /// Lines that stay.
    lines: u64,
    /// Bytes cut.
    cut: u64,
    /// Where they are kept.
    kept: Option<String>,
    /// What was wrong.
    damage: Option<String>,
    dry_run: bool,
}

/// A draft without a line was removed.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RemovedDocument<'a> {
    v: u32,
    path: &'a str,
    lines: u64,
    removed: bool,
    dry_run: bool,
}

/// What to repair: the version named, else the latest draft, empty ones too.
fn damaged(version: Option<u32>, context: &Context) -> Result<Found, CliError> {
    let drafts = open::find_all(context)?;
    let fits = |found: &Found| found.draft && version.is_none_or(|n| n == found.version);
    match drafts.into_iter().rev().find(fits) {
        Some(draft) => Ok(draft),
        None => open::find(version, context),
    }
}

/// A draft without a line has nothing to keep.
fn remove(found: &Found, dry_run: bool, context: &Context) -> Result<Exit, CliError> {
    let path = open::shown(&found.folder, context);
    let kept = open::leftovers(&found.folder);
    if !kept.is_empty() {
        return Err(NOTHING_WHOLE.with(&[("path", &path), ("kept", &kept.join(", "))]));
    }
    if !dry_run {
        open::discard(&found.folder)?;
    }
    let text = if dry_run { WOULD_REMOVE } else { REMOVED };
    let text = text.with(context.lang(None), &[("path", &path)]);
    let document = RepairDocument::Removed(RemovedDocument {
        v: 1,
        path: &path,
        lines: 0,
        removed: !dry_run,
        dry_run,
    });
    context.print(&text, &document)?;
    Ok(Exit::Done)
}
