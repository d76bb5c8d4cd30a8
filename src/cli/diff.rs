//! `aitc diff`: what changed between versions, by meaning.

use clap::Args;

use super::open::{self, Opened};
use super::{CliError, Context, Exit};
use crate::check;
use crate::fault::plans::VERSION_FIRST;
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
    let newer = open::open_plan(args.newer, context)?;
    let revised = newer
        .state
        .previous
        .as_ref()
        .map(|previous| previous.version);
    // The latest alone is meant as what is new: nobody compares it with itself.
    let is_other = |older: &u32| args.newer.is_some() || *older != newer.version;
    // What it revises, else whatever stands before it.
    let before = match args.older.filter(is_other).or(revised) {
        Some(n) => n,
        None => earlier(&newer, context)?,
    };
    let older = open::open_plan(Some(before), context)?;
    let diff = check::diff(&older.state, &newer.state);
    let style = context.style_out(context.lang(None));
    let text = check::render(&diff, style.color, style.lang);
    context.print(&text, &json!({"v": 1, "diff": diff}))?;
    Ok(if args.exit_code && !diff.is_empty() {
        Exit::Found
    } else {
        Exit::Done
    })
}

/// The latest version before `newer`.
fn earlier(newer: &Opened, context: &Context) -> Result<u32, CliError> {
    let all = open::recorded(open::find_all(context)?, context)?;
    let before = all
        .into_iter()
        .rev()
        .find(|found| found.version < newer.version);
    before
        .map(|found| found.version)
        .ok_or_else(|| VERSION_FIRST.with(&[("n", &newer.version)]))
}
