//! `aitc status`: how far a run is.

use clap::Args;

use super::questions::tell_answered;
use super::{CliError, Context, Exit, hints, open};
use crate::view;

/// Show how far a run is, and what it waits for
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc status\n  aitc status v2 --json")]
pub struct StatusArgs {
    /// Which version; the latest, if left out
    #[arg(value_name = "vN", value_parser = open::version)]
    version: Option<u32>,
}

/// Prints it on stdout.
pub fn run(args: &StatusArgs, context: &Context) -> Result<Exit, CliError> {
    let opened = open::open(args.version, context)?;
    let style = context.style_out(context.lang(None));
    let text = view::status_text(&opened.state, &opened.path, &style);
    let text = hints::on_run(&text, opened.version, context);
    let mut document = view::status_json(&opened.state, &opened.path);
    if open::are_several(context)
        && let Some(next) = document["next"].as_str()
    {
        document["next"] = hints::of_run(next, opened.version).into();
    }
    context.print(&context.hinted(text), &document)?;
    tell_answered(&opened, context)
}
