//! `aitc diff`: what changed between versions, by meaning.

use clap::Args;

use super::{CliError, Context, Exit, open};
use crate::check;
use serde_json::json;

/// Compare two versions by meaning
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc diff v1 v2\n  aitc diff --exit-code --json")]
pub struct DiffArgs {
    /// The older version; the one before the newer, if left out
    #[arg(value_name = "vA", value_parser = open::version)]
    older: Option<u32>,
    /// The newer version; the latest, if left out
    #[arg(value_name = "vB", value_parser = open::version)]
    newer: Option<u32>,
    /// End with code 12 if something changed
    #[arg(long)]
    exit_code: bool,
}

/// Prints what changed on stdout.
pub fn run(args: &DiffArgs, context: &Context) -> Result<Exit, CliError> {
    let newer = open::open(args.newer, context)?;
    let before = match args.older {
        Some(n) => Some(n),
        // What it revises, else whatever stands before it.
        None => newer
            .state
            .previous
            .as_ref()
            .map(|previous| previous.version),
    };
    let older = open::open(
        Some(before.unwrap_or(newer.version.saturating_sub(1))),
        context,
    )?;
    let diff = check::diff(&older.state, &newer.state);
    let color = context.style_out(context.lang(None)).color;
    context.print(&check::render(&diff, color), &json!({"v": 1, "diff": diff}))?;
    Ok(if args.exit_code && !diff.is_empty() {
        Exit::Found
    } else {
        Exit::Done
    })
}
