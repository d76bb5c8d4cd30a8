//! `aitc debate`: ask for a debate in a running workshop.

use std::path::PathBuf;

use clap::Args;

use super::{Context, Exit, Fault, message, requirement, versions};
use crate::edge::inbox::MessageBody;
use crate::fault::plans::DEBATE_REFUSED;
use crate::fault::{texts, values};
use crate::machine::debate;
use crate::machine::{Version, intervention};
use crate::words::name_of;

texts! {
    WHAT: "topic", "题目";
    EXAMPLE: "aitc debate \"Which columns belong in the export?\"", "aitc debate \"导出应当包含哪些列？\"";
}

/// Ask for a debate in a running workshop; it takes place before the next round
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    aitc debate \"Which columns belong in the export?\"\n  \
    aitc debate I-3                on an open issue, with what members propose for it")]
pub struct DebateArgs {
    /// What to debate; `-` reads standard input
    topic: Option<String>,
    /// Read the topic from FILE
    #[arg(short, long = "file", value_name = "FILE|-")]
    files: Vec<PathBuf>,
    /// Which run; needed only if several are unfinished
    #[arg(long, value_name = "vN")]
    run: Option<Version>,
}

/// Asks for a debate about the given topic.
pub fn run(args: &DebateArgs, context: &Context) -> Result<Exit, Fault> {
    let topic = requirement::gather(WHAT, args.topic.as_deref(), &args.files, EXAMPLE, context)?;
    ask(args.run, &topic, context)?.done(context)
}

/// Sends the topic to the run, unless it would be refused there.
///
/// # Errors
/// The run would refuse it, no run receives it, or it cannot be sent.
pub fn ask(
    run: Option<Version>,
    topic: &str,
    context: &Context,
) -> Result<message::SentMessage, Fault> {
    let topic = requirement::present(WHAT, topic.to_owned(), EXAMPLE)?;
    let found = message::target(run, "debate \"…\"", context)?;
    let state = versions::read(found.clone(), context)?.state;
    message::goes_on(&state)?;
    if let Some(why) = debate::refusal(&state, &topic) {
        let why = name_of("unheld", &why).fill(values![n = debate::most(&state)]);
        return Err(DEBATE_REFUSED.with(values![n = found.version, why]));
    }
    let on_one_line = intervention::topic(&intervention::debate_about(&topic));
    let topic = on_one_line.unwrap_or(topic);
    message::send(&found, MessageBody::Debate { topic }, context)
}
