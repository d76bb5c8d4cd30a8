//! `aitc questions`: what waits for the human.

use clap::Args;

use super::{CliError, Context, Exit, open};
use crate::view;

/// Show the questions that wait for you
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc questions\n  aitc questions v2 --all --json")]
pub struct QuestionsArgs {
    /// Which run; the latest, if left out
    #[arg(value_name = "vN", value_parser = open::version)]
    version: Option<u32>,
    /// Show those that were answered too
    #[arg(long)]
    all: bool,
}

/// Prints them on stdout.
pub fn run(args: &QuestionsArgs, context: &Context) -> Result<Exit, CliError> {
    let opened = open::open(args.version, context)?;
    let style = context.style_out(context.lang(None));
    let text = view::questions_text(&opened.state, args.all, &style);
    context.print(&text, &view::questions_json(&opened.state, args.all))?;
    Ok(Exit::Done)
}
