//! Messages to a run: finding the run, and sending. The run receives them in `ui/human/mail.rs`.

use schemars::JsonSchema;
use serde::Serialize;

use super::versions::{self, FoundVersion};
use super::{Context, Exit, Fault, internal, key};
use crate::edge::inbox::{Inbox, MessageBody};
use crate::fault::plans::SAID_TOO_LATE;
use crate::fault::{texts, values};
use crate::machine::{State, Version, intervention};

texts! {
    SENT: "sent; {n} is running and will read it before the next turn", "已发送；{n} 正在运行，将在下一次发言前读取";
}

/// Checks whether a message to this run can still change anything.
pub fn goes_on(state: &State) -> Result<(), Fault> {
    match intervention::is_over(state) {
        true => Err(SAID_TOO_LATE.with(values![n = state.inputs.run()])),
        false => Ok(()),
    }
}

/// The result of a message to a run.
pub struct SentMessage {
    /// For people: that the run reads it, or the command that makes it do so.
    pub text: String,
    /// For programs.
    document: serde_json::Value,
}

impl SentMessage {
    /// Creates it with a document.
    ///
    /// # Errors
    /// The document has no JSON form.
    pub fn of(text: String, document: &impl Serialize) -> Result<Self, Fault> {
        let document = serde_json::to_value(document);
        let document = document.map_err(|error| internal(&error.into()))?;
        Ok(Self { text, document })
    }

    /// Prints it.
    ///
    /// # Errors
    /// As [`Context::print`].
    pub fn done(self, context: &Context) -> Result<Exit, Fault> {
        context.done(&context.hinted(self.text), &self.document)
    }
}

/// Sends a message to a run and returns what happens with it.
pub fn send(
    found: &FoundVersion,
    body: MessageBody,
    context: &Context,
) -> Result<SentMessage, Fault> {
    // A draft may be committed, so it must not contain a secret, even before the run reads it.
    let body = without_secrets(body, context);
    let id = Inbox::at(versions::file_system(), &found.folder).send(body)?;
    let runs = versions::is_running(found.version, context)?;
    let next = (!runs).then(|| context.hinted(format!("aitc resume {}", found.version)));
    let text = next
        .clone()
        .unwrap_or_else(|| SENT.with(context.lang(None), values![n = found.version]));
    let document = SayDocument {
        version: found.version.number,
        message: id,
        running: runs,
        next,
    };
    SentMessage::of(text, &document)
}

/// `aitc say --json`, and that of `debate` and `stop`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SayDocument {
    /// Number of the version: `N` of `vN`.
    version: u32,
    /// Id of the message, its file's name without `.json`.
    message: String,
    /// Whether the run is going on right now and takes it in.
    running: bool,
    /// The command that goes on; null if it runs.
    next: Option<String>,
}

/// Returns the message without secrets.
pub fn without_secrets(body: MessageBody, context: &Context) -> MessageBody {
    let redactor = key::redactor_of(context);
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

/// Finds the run: the one named, else the only one that is running, else the only one that is
/// unfinished. `command` is what was typed, for the example in the error.
pub fn target(
    version: Option<Version>,
    command: &str,
    context: &Context,
) -> Result<FoundVersion, Fault> {
    let is_running = |found: &FoundVersion| {
        versions::is_running(found.version, context).map(|runs| Some(runs.into()))
    };
    let example = |name: &str| format!("aitc {command} --run {name}");
    let found = versions::the_run(version, &is_running, &example, context)?;
    found.ok_or_else(|| versions::no_run(version, context))
}
