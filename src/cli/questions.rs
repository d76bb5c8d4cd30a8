//! `aitc questions`: shows the questions that wait for the user.

use std::path::Path;

use clap::Args;

use super::{Context, Exit, Fault, hints, versions};
use crate::artifact;
use crate::edge::fs::{IfExists as _, IoContext as _};
use crate::edge::inbox::{Inbox, MessageBody};
use crate::edge::ports::UserAnswer;
use crate::fault::plans::QUESTIONS_FILE;
use crate::fault::{LineError, Text, texts, values};
use crate::machine::{AnswerSource, Question, QuestionId, State, Version};
use crate::ui::human::understood;
use crate::ui::view::{self, QuestionsDocument, SentAnswer};

texts! {
    ANSWERED: "{ids} answered, and not taken up yet: `aitc resume {n}`, unless the run goes on", "{ids} 已有回答，尚未读取：如果没有进程在运行它，请执行 `aitc resume {n}`";
    NOT_UTF8: "not valid UTF-8", "不是有效的 UTF-8";
}

/// Show the questions waiting for you
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc questions\n  aitc questions v2 --all --json")]
pub struct QuestionsArgs {
    /// Which run; default: the latest
    #[arg(value_name = "vN")]
    version: Option<Version>,
    /// Show answered questions too
    #[arg(long)]
    all: bool,
}

/// Prints them on stdout.
pub fn run(args: &QuestionsArgs, context: &Context) -> Result<Exit, Fault> {
    let opened = versions::open(args.version, context)?;
    let style = context.style_out(context.lang(None));
    let sent = answers_sent(&opened)?;
    let text = view::questions_text(&opened.state, args.all, &sent, &style);
    let text = hints::on_run(&text, opened.version, context);
    let document = view::questions_document(&opened.state, args.all, &sent);
    context.print(&text, &document)?;
    tell_answered(&opened, &ids_of(&sent), context);
    Ok(Exit::Done)
}

/// Returns the waiting questions, for programs.
///
/// # Errors
/// The inbox cannot be read.
pub fn document(opened: &versions::Opened) -> Result<QuestionsDocument, Fault> {
    let sent = answers_sent(opened)?;
    Ok(view::questions_document(&opened.state, false, &sent))
}

/// Returns the waiting questions that have an answer in the run's inbox.
///
/// # Errors
/// The inbox cannot be read.
pub fn sent(opened: &versions::Opened) -> Result<Vec<QuestionId>, Fault> {
    answers_sent(opened).map(|sent| ids_of(&sent))
}

fn ids_of(sent: &[SentAnswer]) -> Vec<QuestionId> {
    let mut ids: Vec<_> = sent.iter().map(|one| one.question).collect();
    ids.dedup();
    ids
}

/// Returns the answers in the run's inbox to waiting questions, in the order of the questions.
fn answers_sent(opened: &versions::Opened) -> Result<Vec<SentAnswer>, Fault> {
    if !opened.draft {
        return Ok(Vec::new());
    }
    let messages = Inbox::at(versions::file_system(), &opened.folder).peek()?;
    let waiting = opened.state.questions.waiting();
    let sent = waiting.flat_map(|question| {
        let bodies = messages.iter().map(|message| &message.body);
        bodies.filter_map(move |body| sent_to(question, body))
    });
    Ok(sent.collect())
}

/// Returns the answer in a message, if it contains one.
fn sent_to(asked: &Question, body: &MessageBody) -> Option<SentAnswer> {
    let MessageBody::Answer {
        question,
        text,
        recommended,
        declined,
    } = body
    else {
        return None;
    };
    if *question != asked.id {
        return None;
    }
    let as_recommended = || Some(asked.current_recommended().to_owned());
    let words = match (recommended, declined) {
        (true, _) => as_recommended(),
        (_, true) => None,
        // A number means an option, a word one of the other two.
        _ => match understood(asked, text, AnswerSource::Command) {
            Ok(answer) if answer.source == AnswerSource::Recommended => as_recommended(),
            Ok(answer) if answer.source == AnswerSource::Declined => None,
            Ok(answer) => Some(answer.text),
            Err(_) => Some(text.clone()),
        },
    };
    Some(SentAnswer {
        question: asked.id,
        words,
    })
}

/// Reports which waiting questions have an answer, and when it is used.
pub fn tell_answered(opened: &versions::Opened, sent: &[QuestionId], context: &Context) {
    let ids: Vec<String> = sent.iter().map(|id| id.to_string()).collect();
    if !ids.is_empty() {
        let ids = Text::COMMA.join(&ids);
        context.notice(&ANSWERED.fill(values![ids, n = opened.version]));
    }
}

/// Returns the answers in the draft's `questions.md`.
///
/// # Errors
/// The file cannot be read, or contains text that would be lost or is no answer.
pub fn filled_in(
    folder: &Path,
    state: &State,
    context: &Context,
) -> Result<Vec<UserAnswer>, Fault> {
    let path = folder.join(artifact::QUESTIONS_FILE);
    let bytes = versions::file_system()
        .read(&path)
        .if_exists()
        .doing("read", &path)?;
    let Some(bytes) = bytes else {
        return Ok(Vec::new());
    };
    let shown = versions::display_path(&path, context);
    let told = |error: LineError| error.of(QUESTIONS_FILE, &shown);
    let text = String::from_utf8(bytes).map_err(|_| told(LineError::new(1, NOT_UTF8)))?;
    let read = artifact::read_questions(&text).map_err(told)?;
    if let Some(page) = artifact::questions_page(state)? {
        artifact::nothing_misplaced(state, &text, &page).map_err(told)?;
    }
    let mut answers = Vec::new();
    for (id, answer) in read {
        let Some(question) = state.questions.waiting().find(|one| one.id == id) else {
            continue;
        };
        let understood = understood(question, &answer, AnswerSource::QuestionsFile);
        answers.push(understood.map_err(|none| {
            let line = artifact::answer_line(&text, id);
            told(LineError::new(line, none.what().clone()))
        })?);
    }
    Ok(answers)
}
