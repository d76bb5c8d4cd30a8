//! `aitc questions`: what waits for the human.

use clap::Args;

use super::{CliError, Context, Exit, hints, open};
use crate::edge::inbox::{Inbox, MessageBody};
use crate::fault::Text;
use crate::view;

const ANSWERED: Text = Text(
    "{ids} answered, and not taken up yet: `aitc resume v{n}`, unless the run goes on",
    "{ids} 已有答案，尚未采用：如讨论没有在进行，请运行 `aitc resume v{n}`",
);

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
    let text = hints::on_run(&text, opened.version, context);
    context.print(&text, &view::questions_json(&opened.state, args.all))?;
    tell_answered(&opened, context)
}

/// Says which of the questions that wait have an answer in the run's inbox.
///
/// # Errors
/// The inbox cannot be read.
pub fn tell_answered(opened: &open::Opened, context: &Context) -> Result<Exit, CliError> {
    if !opened.draft {
        return Ok(Exit::Done);
    }
    let sent = Inbox::at(open::files(), &opened.folder).peek()?;
    let is_answered = |id| {
        let mut bodies = sent.iter().map(|message| &message.body);
        bodies.any(|body| matches!(body, MessageBody::Answer { question, .. } if *question == id))
    };
    let waiting = opened.state.waiting_questions().map(|question| question.id);
    let answered = waiting.filter(|id| is_answered(*id));
    let ids: Vec<String> = answered.map(|id| id.to_string()).collect();
    if !ids.is_empty() {
        let ids = ids.join(", ");
        context.notice(&ANSWERED.fill(&[("ids", &ids), ("n", &opened.version)]));
    }
    Ok(Exit::Done)
}
