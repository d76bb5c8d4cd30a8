//! `aitc say`: say something to a running workshop.

use std::path::PathBuf;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::text::Text;
use super::versions::{self, Found};
use super::{CliError, Context, Exit, answer, debate, internal, models, requirement};
use crate::edge::inbox::{Inbox, MessageBody};
use crate::fault::plans::SAID_TOO_LATE;
use crate::machine::{State, Version, intervention};

const WORDS: Text = Text("text", "要说的话");
const EXAMPLE: Text = Text(
    "aitc say \"Leave the mobile app out of it\"",
    "aitc say \"不要涉及移动应用\"",
);
const SENT: Text = Text(
    "sent; {n} is running and takes it in at the next turn",
    "已发送；{n} 正在运行，将在下一次发言前采用",
);

/// Say something to a running workshop; the next speaker hears it
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    aitc say \"Leave the mobile app out of it\"\n  \
    aitc say \"/answer Q-1 rows\"   answer a question that waits\n  \
    aitc say /vote                 let the members vote on the end\n  \
    aitc say /skip                 leave out the debate that goes on, or the next one\n  \
    aitc say \"/reopen C-3 why\"    put what was agreed in question again\n  \
    aitc say \"/auto-exit on\"      end at limits without asking")]
pub struct SayArgs {
    /// What to say; `-` reads standard input
    text: Option<String>,
    /// Read the text from FILE
    #[arg(short, long = "file", value_name = "FILE|-")]
    files: Vec<PathBuf>,
    /// Which run; needed only if several are unfinished
    #[arg(long, value_name = "vN", value_parser = versions::version)]
    run: Option<Version>,
}

/// Puts the text where the run finds it.
pub fn run(args: &SayArgs, context: &Context) -> Result<Exit, CliError> {
    let text = requirement::gather(WORDS, args.text.as_deref(), &args.files, EXAMPLE, context)?;
    deliver(args.run, text, context)?.done(context)
}

/// Says it to a run; an answer or the wish for a debate is told apart by its first word.
///
/// # Errors
/// It would be refused there, nobody takes it in, or it cannot be sent.
pub fn deliver(run: Option<Version>, text: String, context: &Context) -> Result<Told, CliError> {
    if let Some((question, words)) = intervention::answered(&text) {
        let said = answer::Said::typed(words);
        return answer::deliver(run, Some(question), &said, context);
    }
    if let Some(topic) = intervention::topic(&text) {
        return debate::ask(run, &topic, context);
    }
    let text = requirement::present(WORDS, text, EXAMPLE)?;
    let found = target(run, "say \"…\"", context)?;
    let opened = versions::read(found.clone(), context)?;
    goes_on(&opened.state)?;
    intervention::read(&text, &opened.state.inputs)?;
    send(&found, MessageBody::Say { text }, context)
}

/// Can what is said to this run still change anything?
pub fn goes_on(state: &State) -> Result<(), CliError> {
    match intervention::is_over(state) {
        true => Err(SAID_TOO_LATE.with(&[("n", &state.inputs.run())])),
        false => Ok(()),
    }
}

/// What came of something that was said to a run.
pub struct Told {
    /// For people: who takes it in, or the command that has it taken in.
    pub text: String,
    /// For programs.
    document: serde_json::Value,
}

impl Told {
    /// Of a document.
    ///
    /// # Errors
    /// It has no JSON form.
    pub fn of(text: String, document: &impl Serialize) -> Result<Self, CliError> {
        let document = serde_json::to_value(document);
        let document = document.map_err(|error| internal(&error.into()))?;
        Ok(Self { text, document })
    }

    /// Prints it.
    ///
    /// # Errors
    /// As [`Context::print`].
    pub fn done(self, context: &Context) -> Result<Exit, CliError> {
        context.done(&context.hinted(self.text), &self.document)
    }
}

/// Sends a message to a run and says who takes it in.
pub fn send(found: &Found, body: MessageBody, context: &Context) -> Result<Told, CliError> {
    // A draft may be committed: no secret lies in it, not even until the run looks.
    let body = without_secrets(body, context);
    let id = Inbox::at(versions::files(), &found.folder).send(body)?;
    let runs = versions::is_running(found.version, context)?;
    let next = (!runs).then(|| format!("aitc resume {}", found.version));
    let text = next
        .clone()
        .unwrap_or_else(|| SENT.with(context.lang(None), &[("n", &found.version.to_string())]));
    let document = SayDocument {
        version: found.version.number,
        message: id,
        running: runs,
        next,
    };
    Told::of(text, &document)
}

/// `aitc say --json`, and that of `debate` and `stop`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SayDocument {
    /// `N` of `vN`.
    version: u32,
    /// Id of the message, its file's name without `.json`.
    message: String,
    /// Does the run go on right now, and take it in?
    running: bool,
    /// The command that goes on; null if it runs.
    next: Option<String>,
}

/// The message less every secret in it.
pub fn without_secrets(body: MessageBody, context: &Context) -> MessageBody {
    let redactor = models::redactor_of(context);
    let clean = |text: String| redactor.redact(&text);
    match body {
        MessageBody::Say { text } => MessageBody::Say { text: clean(text) },
        MessageBody::Typed { line } => MessageBody::Typed { line: clean(line) },
        MessageBody::Debate { topic } => MessageBody::Debate {
            topic: clean(topic),
        },
        MessageBody::Stop => MessageBody::Stop,
        MessageBody::Answer {
            question,
            text,
            recommended,
            declined,
        } => MessageBody::Answer {
            question,
            text: clean(text),
            recommended,
            declined,
        },
    }
}

/// The run that is meant: the one named, else the only one that is running, else
/// the only one that is unfinished. `command` is what was typed, as an example repeats it.
pub fn target(
    version: Option<Version>,
    command: &str,
    context: &Context,
) -> Result<Found, CliError> {
    let all = versions::find_all(context)?;
    let drafts = versions::recorded(versions::unfinished(&all, version), context)?;
    if drafts.len() > 1 {
        let mut running = Vec::new();
        for found in &drafts {
            if versions::is_running(found.version, context)? {
                running.push(found.clone());
            }
        }
        if let [only] = &running[..] {
            return Ok(only.clone());
        }
    }
    versions::the_one(drafts, &all, version, |name| {
        format!("aitc {command} --run {name}")
    })
}
