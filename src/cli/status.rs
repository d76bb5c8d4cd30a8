//! `aitc status`: how far a run is.

use clap::Args;

use super::questions::{sent, tell_answered};
use super::text::Text;
use super::{CliError, Context, Exit, hints, open};
use crate::edge::lock::RunLock;
use crate::edge::store::Outputs;
use crate::ui::view;

/// What can be done with a run that goes on.
const SAY: &str = "aitc say \"…\"";
const RUNS: Text = Text(
    "a process is at work on v{n}, and goes on by itself; `aitc stop` ends the discussion",
    "有进程正在运行 v{n}，会自行继续；`aitc stop` 结束讨论",
);

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
    let sent = sent(&opened)?;
    let text = view::status_text(&opened.state, &opened.path, &sent, &style);
    let mut document = view::status_document(&opened.state, &opened.path, &sent);
    // Nobody takes up a run that is going on; its members are spoken to.
    let outputs = Outputs::of(open::files(), &context.root, opened.state.inputs.format);
    let runs = opened.draft && RunLock::is_held(&outputs.lock_path(opened.version))?;
    let text = match runs {
        true => text.replace(&format!("aitc resume v{}", opened.version), SAY),
        false => text,
    };
    if runs && document.next == format!("aitc resume v{}", opened.version) {
        document.next = SAY.to_owned();
    }
    let text = hints::on_run(&text, opened.version, context);
    if open::are_several(context) {
        document.next = hints::of_run(&document.next, opened.version);
    }
    context.print(&context.hinted(text), &document)?;
    if runs {
        context.notice(&RUNS.fill(&[("n", &opened.version)]));
    }
    tell_answered(&opened, &sent, context);
    Ok(Exit::Done)
}
