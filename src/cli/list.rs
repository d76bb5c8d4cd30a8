//! `aitc list`: every version and draft.

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::{CliError, Context, Exit, open, questions};
use crate::ui::view::{self, VersionLine};

/// List all versions and drafts
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc list\n  aitc list --json")]
pub struct ListArgs {}

/// Prints them on stdout, oldest first; one that cannot be read is told on
/// stderr, and the code is then that of its trouble.
pub fn run(_: &ListArgs, context: &Context) -> Result<Exit, CliError> {
    let mut exit = Exit::Done;
    let mut lines = Vec::new();
    for found in open::recorded(open::find_all(context)?, context)? {
        match open::read(found, context) {
            Ok(one) => {
                let sent = questions::sent(&one)?;
                lines.push(VersionLine::of(&one.state, one.draft, &one.path, &sent));
            }
            Err(error) => {
                context.notice(error.what());
                exit = error.exit;
            }
        }
    }
    let style = context.style_out(context.lang(None));
    // Where all that is there cannot be read it would be wrong to say that nothing is.
    let text = match lines.is_empty() && exit != Exit::Done {
        true => String::new(),
        false => view::list_text(&lines, &style),
    };
    let document = ListDocument {
        v: 1,
        versions: lines,
    };
    context.print(&text, &document)?;
    Ok(exit)
}

/// `aitc list --json`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListDocument {
    /// Version of this format.
    v: u32,
    /// Versions and drafts, oldest first.
    versions: Vec<VersionLine>,
}
