//! `aitc repair`: a damaged tail cut and kept aside.

use clap::Args;

use super::open::{self, Found};
use super::{CliError, Context, Exit};
use crate::driver::Replay;
use crate::edge::fs::RealFs;
use crate::edge::journal::{self, TRANSCRIPT};
use crate::edge::lock::RunLock;
use serde_json::json;

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
        return Err(CliError::usage(
            format!("`{path}` is published"),
            "a published version is never changed",
            format!("take it from git: git checkout -- {path}"),
        ));
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
        (_, true) => format!("{path}: nothing to repair, {} lines", done.lines),
        (Some(kept), _) => format!(
            "{path}: {} bytes cut, kept in {kept}; {} lines stay",
            done.cuts, done.lines
        ),
        (None, _) => format!(
            "{path}: {} bytes would be cut; {} lines stay",
            done.cuts, done.lines
        ),
    };
    let document = json!({
        "v": 1, "path": path, "lines": done.lines, "cut": done.cuts, "kept": kept,
        "damage": done.damage.as_ref().map(ToString::to_string), "dry_run": args.dry_run,
    });
    context.print(&text, &document)?;
    Ok(Exit::Done)
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
    if !dry_run {
        open::discard(&found.folder)?;
    }
    let text = if dry_run {
        format!("{path}: nothing was recorded; it would be removed")
    } else {
        format!("{path}: nothing was recorded; removed")
    };
    let document =
        json!({"v": 1, "path": path, "lines": 0, "removed": !dry_run, "dry_run": dry_run});
    context.print(&text, &document)?;
    Ok(Exit::Done)
}
