//! `aitc say`: sends a message to a running workshop.

use std::path::PathBuf;

use clap::Args;

use super::{Context, Exit, Fault, answer, debate, message, requirement, versions};
use crate::edge::inbox::MessageBody;
use crate::fault::texts;
use crate::machine::{Version, intervention};

texts! {
    WORDS: "text", "要说的话";
    EXAMPLE: "aitc say \"Leave the mobile app out of it\"", "aitc say \"不要涉及移动应用\"";
}

/// Say something to a running workshop; the next speaker hears it
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    aitc say \"Leave the mobile app out of it\"\n  \
    aitc say \"/answer Q-1 rows\"   answer a waiting question\n  \
    aitc say /vote                 let the members vote on the end\n  \
    aitc say /skip                 skip the current debate, or the next one\n  \
    aitc say \"/reopen C-3 why\"    reopen an agreed item\n  \
    aitc say \"/auto-exit on\"      end at a limit or a standstill without asking")]
pub struct SayArgs {
    /// What to say; `-` reads standard input
    text: Option<String>,
    /// Read the text from FILE
    #[arg(short, long = "file", value_name = "FILE|-")]
    files: Vec<PathBuf>,
    /// Which run; needed only if several are unfinished
    #[arg(long, value_name = "vN")]
    run: Option<Version>,
}

/// Sends the text to the run.
pub fn run(args: &SayArgs, context: &Context) -> Result<Exit, Fault> {
    let text = requirement::gather(WORDS, args.text.as_deref(), &args.files, EXAMPLE, context)?;
    deliver(args.run, text, context)?.done(context)
}

/// Sends a text to a run; an answer or a request for a debate is recognised by its first word.
///
/// # Errors
/// The run would refuse it, no run receives it, or it cannot be sent.
pub fn deliver(
    run: Option<Version>,
    text: String,
    context: &Context,
) -> Result<message::SentMessage, Fault> {
    if let Some((question, words)) = intervention::answered(&text) {
        let said = answer::GivenAnswer::parse(words);
        return answer::deliver(run, Some(question), &said, context);
    }
    if let Some(topic) = intervention::topic(&text) {
        return debate::ask(run, &topic, context);
    }
    let text = requirement::present(WORDS, text, EXAMPLE)?;
    let found = message::target(run, "say \"…\"", context)?;
    let opened = versions::read(found.clone(), context)?;
    message::goes_on(&opened.state)?;
    intervention::read(&text, &opened.state.inputs)?;
    message::send(&found, MessageBody::Say { text }, context)
}
