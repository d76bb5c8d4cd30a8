//! `aitc debate`: ask for a debate in a running workshop.

use std::path::PathBuf;

use clap::Args;

use super::versions::FoundVersion;
use super::{Context, Exit, Fault, message, requirement, versions};
use crate::edge::inbox::{Inbox, MessageBody};
use crate::fault::plans::{
    DEBATE_NO_RESULT, DEBATE_NO_ROOM, DEBATE_NOT_OPEN, DEBATE_TOO_LATE, SAID_TOO_LATE,
};
use crate::fault::{texts, values};
use crate::machine::debate::{self, Unheld};
use crate::machine::intervention;
use crate::machine::{State, Version};

texts! {
    WHAT: "topic", "题目";
    EXAMPLE: "aitc debate \"Which columns belong in the export?\"", "aitc debate \"导出应当包含哪些列？\"";
    NO_PHASE: "there is no such phase", "没有这个阶段";
    NO_RESULT: "the phase has no result yet", "该阶段还没有结果";
    DEBATED: "the result was debated, or is going to be", "该结果已经辩论过，或已排队等待辩论";
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
    #[arg(long, value_name = "vN", value_parser = versions::version)]
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
pub fn ask(run: Option<Version>, topic: &str, context: &Context) -> Result<message::Told, Fault> {
    let topic = requirement::present(WHAT, topic.to_owned(), EXAMPLE)?;
    let found = message::target(run, "debate \"…\"", context)?;
    let opened = versions::read(found.clone(), context)?;
    room(&opened.state, &topic, found.version)?;
    let coming = debates_coming(&found, &opened.state)?;
    if debate::room(&opened.state) <= coming {
        return Err(no_room(&opened.state, found.version));
    }
    let on_one_line = intervention::topic(&intervention::debate_about(&topic));
    let topic = on_one_line.unwrap_or(topic);
    message::send(&found, MessageBody::Debate { topic }, context)
}

/// Checks whether one more debate may be asked for, according to the transcript.
fn room(state: &State, topic: &str, version: Version) -> Result<(), Fault> {
    Err(match debate::refusal(state, topic) {
        None | Some(Unheld::NoDebate | Unheld::NotAsked) => return Ok(()),
        Some(Unheld::NotOpen) => {
            let id = topic.split_whitespace().next().unwrap_or_default();
            DEBATE_NOT_OPEN.with(values![n = version, id])
        }
        Some(why @ (Unheld::NoPhase | Unheld::NoResult | Unheld::Debated)) => {
            let id = topic.split_whitespace().next().unwrap_or_default();
            let why = match why {
                Unheld::NoPhase => NO_PHASE,
                Unheld::NoResult => NO_RESULT,
                _ => DEBATED,
            };
            DEBATE_NO_RESULT.with(values![n = version, id, why])
        }
        Some(Unheld::NoRoom) => no_room(state, version),
        Some(Unheld::Over) => SAID_TOO_LATE.with(values![n = version]),
        Some(Unheld::Ending | Unheld::Voting) => DEBATE_TOO_LATE.with(values![n = version]),
    })
}

fn no_room(state: &State, version: Version) -> Fault {
    DEBATE_NO_ROOM.with(values![n = version, most = debate::most(state)])
}

/// Returns the number of requests for a debate that the run has not read yet.
fn debates_coming(found: &FoundVersion, state: &State) -> Result<usize, Fault> {
    let waiting = Inbox::at(versions::files(), &found.folder).peek()?;
    let coming = waiting.iter().filter(|message| {
        let is_debate = match &message.body {
            MessageBody::Debate { .. } => true,
            MessageBody::Typed { line: text } | MessageBody::Say { text } => {
                intervention::topic(text).is_some()
            }
            MessageBody::Answer { .. } | MessageBody::Stop => false,
        };
        is_debate && !state.run.messages.contains(&message.id)
    });
    Ok(coming.count())
}
