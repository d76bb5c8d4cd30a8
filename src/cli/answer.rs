//! `aitc answer`: answer a question of a run.

use std::path::PathBuf;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::versions::{self, FoundVersion, Opened};
use super::{Context, Exit, Fault, message, requirement};
use crate::edge::inbox::{Inbox, MessageBody};
use crate::fault::plans::{QUESTION_NONE, QUESTION_NOT_WAITING};
use crate::fault::{texts, values};
use crate::machine::{AnswerSource, QuestionId, Version, intervention};
use crate::ui::human::understood;

texts! {
    ANSWER: "answer", "答案";
    EXAMPLE: "aitc answer Q-1 \"Only administrators may export\"", "aitc answer Q-1 \"只有管理员可以导出\"";
    SENT: "sent; {n} is running and will read it", "已发送；{n} 正在运行，会读取它";
    REPLACED: "it replaces the earlier answer to {id}, which had not been used yet", "它替换了先前对 {id} 的回答，先前的还没有被采用";
}

/// Answer a waiting question
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    aitc answer Q-1 \"Only administrators may export\"\n  \
    aitc answer Q-2 --recommended\n  \
    aitc answer --recommended --all")]
pub struct AnswerArgs {
    /// Which question, such as `Q-1`
    #[arg(value_name = "Q-N", required_unless_present = "all")]
    question: Option<QuestionId>,
    /// The answer; `-` reads standard input
    text: Option<String>,
    /// Read the answer from FILE
    #[arg(short, long = "file", value_name = "FILE|-")]
    files: Vec<PathBuf>,
    /// Take the recommended answer
    #[arg(long, conflicts_with_all = ["text", "files", "decline"])]
    recommended: bool,
    /// Every waiting question
    #[arg(long, requires = "recommended", conflicts_with = "question")]
    all: bool,
    /// Do not answer; the recommended answer is recorded as an assumption
    #[arg(long, conflicts_with_all = ["text", "files"])]
    decline: bool,
    /// Which run; needed only if several are waiting
    #[arg(long, value_name = "vN")]
    run: Option<Version>,
}

/// What the user says to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GivenAnswer {
    /// An answer in words.
    Text(String),
    /// The recommended answer.
    Recommended,
    /// The user gives no answer.
    Declined,
}

/// Sends the answer to the run.
pub fn run(args: &AnswerArgs, context: &Context) -> Result<Exit, Fault> {
    let said = if args.recommended {
        GivenAnswer::Recommended
    } else if args.decline {
        GivenAnswer::Declined
    } else {
        let text = args.text.as_deref();
        GivenAnswer::Text(requirement::gather(
            ANSWER,
            text,
            &args.files,
            EXAMPLE,
            context,
        )?)
    };
    deliver(args.run, args.question, &said, context)?.done(context)
}

impl GivenAnswer {
    /// Reads what was typed after `/answer Q-1`: nothing takes the recommended answer, `-`
    /// declines.
    pub fn parse(words: &str) -> Self {
        match words {
            "" => Self::Recommended,
            "-" => Self::Declined,
            words => Self::Text(words.to_owned()),
        }
    }
}

/// Returns the error that the question is not waiting; it names the nearest one that is.
pub fn not_waiting(opened: &Opened, id: QuestionId) -> Fault {
    let waiting = opened.state.questions.waiting().map(|q| q.id);
    let near = waiting.min_by_key(|one| one.0.abs_diff(id.0));
    let fault = QUESTION_NOT_WAITING.with(values![question = id, n = opened.version]);
    fault.meaning(near.map(|near| format!("aitc answer {near} \"…\"")))
}

/// Sends `said` to one question of a run, or to all that wait.
///
/// # Errors
/// The question is not waiting, none is, or the message cannot be sent.
pub fn deliver(
    version: Option<Version>,
    question: Option<QuestionId>,
    said: &GivenAnswer,
    context: &Context,
) -> Result<message::SentMessage, Fault> {
    let opened = waiting_run(version, question, context)?;
    let waiting: Vec<QuestionId> = opened.state.questions.waiting().map(|q| q.id).collect();
    let runs = versions::is_running(opened.version, context)?;
    let inbox = Inbox::at(versions::file_system(), &opened.folder);
    // A running process takes an answer at once; otherwise the latest answer counts.
    let mut earlier = match runs {
        true => Vec::new(),
        false => waiting_answers(&inbox, &waiting)?,
    };
    let is_answered = |id: &QuestionId| earlier.iter().any(|(_, answered)| answered == id);
    let chosen = match question {
        Some(id) if waiting.contains(&id) => vec![id],
        Some(id) => return Err(not_waiting(&opened, id)),
        None => waiting.into_iter().filter(|id| !is_answered(id)).collect(),
    };
    if let GivenAnswer::Text(text) = said {
        let asked = opened.state.questions.waiting();
        for question in asked.filter(|one| chosen.contains(&one.id)) {
            understood(question, text, AnswerSource::Command)?;
        }
    }
    earlier.retain(|(_, id)| chosen.contains(id));
    for id in &chosen {
        let body = MessageBody::Answer {
            question: *id,
            text: match said {
                GivenAnswer::Text(text) => text.clone(),
                GivenAnswer::Recommended | GivenAnswer::Declined => String::new(),
            },
            recommended: *said == GivenAnswer::Recommended,
            declined: *said == GivenAnswer::Declined,
        };
        inbox.send(message::without_secrets(body, context))?;
    }
    for (message, id) in earlier {
        inbox.delete(&message)?;
        context.notice(&REPLACED.fill(values![id]));
    }
    let next = (!runs).then(|| context.hinted(format!("aitc resume {}", opened.version)));
    let text = next
        .clone()
        .unwrap_or_else(|| SENT.with(context.lang(None), values![n = opened.version]));
    let document = AnswerDocument {
        version: opened.version.number,
        answered: chosen,
        running: runs,
        next,
    };
    message::SentMessage::of(text, &document)
}

/// `aitc answer --json`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerDocument {
    /// Number of the version: `N` of `vN`.
    version: u32,
    /// Ids of the questions that were answered.
    answered: Vec<QuestionId>,
    /// Whether the run is going on right now and takes them in.
    running: bool,
    /// The command that goes on; null if it runs.
    next: Option<String>,
}

/// Messages in the inbox that answer one of `questions`.
fn waiting_answers(
    inbox: &Inbox,
    questions: &[QuestionId],
) -> Result<Vec<(String, QuestionId)>, Fault> {
    let answers = inbox.peek()?.into_iter();
    let answers = answers.filter_map(|message| match message.body {
        MessageBody::Answer { question, .. } => Some((message.id, question)),
        _ => None,
    });
    let waits = |(_, id): &(String, QuestionId)| questions.contains(id);
    Ok(answers.filter(waits).collect())
}

/// Returns the draft that waits for answers: the one named, else the only one.
fn waiting_run(
    version: Option<Version>,
    question: Option<QuestionId>,
    context: &Context,
) -> Result<Opened, Fault> {
    let asks = |opened: &Opened| {
        let is_over = intervention::is_over(&opened.state);
        opened.state.questions.waiting().next().is_some() && !is_over
    };
    let rank =
        |found: &FoundVersion| Ok(asks(&versions::read(found.clone(), context)?).then_some(0));
    let example = |run: &str| match question {
        Some(id) => format!("aitc answer {id} \"…\" --run {run}"),
        None => format!("aitc answer --recommended --all --run {run}"),
    };
    let opened = match versions::the_run(version, &rank, &example, context)? {
        Some(found) => versions::read(found, context)?,
        // If the version does not exist, that is the error.
        None if version.is_some() => versions::open(version, context)?,
        None => return Err(QUESTION_NONE.with(&[])),
    };
    match asks(&opened) {
        true => Ok(opened),
        false => Err(QUESTION_NONE.with(&[])),
    }
}
