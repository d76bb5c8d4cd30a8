//! `aitc repair`: a damaged tail cut and kept aside.

use clap::Args;

use super::{CliError, Context, Exit, open};
use crate::edge::fs::RealFs;
use crate::edge::journal::{self, TRANSCRIPT};
use crate::edge::lock::RunLock;
use crate::edge::store::Outputs;
use serde_json::json;

/// Cut a damaged tail off a transcript and keep it aside
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc repair --dry-run\n  aitc repair v2")]
pub struct RepairArgs {
    /// Which version; the latest, if left out
    #[arg(value_name = "vN", value_parser = open::version)]
    version: Option<u32>,
    /// Say what would be done
    #[arg(long)]
    dry_run: bool,
}

/// Repairs the transcript of a draft and says what was done. A published
/// version is never changed.
pub fn run(args: &RepairArgs, context: &Context) -> Result<Exit, CliError> {
    let found = open::find(args.version, context)?;
    let path = open::shown(&found.folder, context);
    if !found.draft {
        return Err(CliError::usage(
            format!("`{path}` is published"),
            "a published version is never changed",
            format!("take it from git: git checkout -- {path}"),
        ));
    }
    let lock = Outputs::at(open::files(), &context.root).lock_path(found.version);
    // Held until the end: nobody may write while the tail is cut.
    let _lock = if args.dry_run {
        None
    } else {
        Some(RunLock::acquire(&lock)?)
    };
    let mut state = None;
    let transcript = found.folder.join(TRANSCRIPT);
    let done = journal::repair(&RealFs, &transcript, args.dry_run, &mut |entry| {
        open::take_in(&mut state, &entry)
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
