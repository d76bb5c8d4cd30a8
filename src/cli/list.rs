//! `aitc list`: every version and draft.

use clap::Args;

use super::{CliError, Context, Exit, open};
use crate::view::{self, VersionLine};

/// List all versions and drafts
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc list\n  aitc list --json")]
pub struct ListArgs {}

/// Prints them on stdout, oldest first.
pub fn run(_: &ListArgs, context: &Context) -> Result<Exit, CliError> {
    let opened = open::open_all(context)?;
    let lines: Vec<VersionLine> = opened
        .iter()
        .map(|one| VersionLine::of(&one.state, one.draft, &one.path))
        .collect();
    let style = context.style_out(context.lang(None));
    context.print(&view::list_text(&lines, &style), &view::list_json(&lines))?;
    Ok(Exit::Done)
}
