//! Questions for the user, as a page and one by one.

use schemars::JsonSchema;
use serde::Serialize;

use super::layout::{Mark, labelled, listed, marked};
use super::text::{self, say};
use super::{Style, clean};
use crate::fault::values;
use crate::machine::{AnswerSource, Find, Format, Question, QuestionId, QuestionStatus, State};

/// An answer that no process has taken up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// To which question.
    pub question: QuestionId,
    /// The answer; `None` if the question is declined.
    pub words: Option<String>,
}

/// One question with why it matters, what waits for it, and its options, of
/// which the recommended one is marked. Ends in a line break.
pub fn question_text(state: &State, question: &Question, style: &Style) -> String {
    let who = clean(state.inputs.roles.code(&question.asked_by));
    let values = values![who, text = clean(question.current_text())];
    let asked = format!("{} {}", question.id, say(style, text::ASKS, values));
    let mut lines = vec![marked(Mark::Asked, &asked, style)];
    lines.extend(dialogue(question, style));
    lines.push(labelled(text::WHY, &clean(question.current_why()), style));
    if let Some(issue) = question.blocks.and_then(|id| state.ledger.find(id)) {
        let text = format!("{} {}", issue.id, clean(&issue.title));
        lines.push(labelled(text::HOLDS_UP, &text, style));
    }
    let found = state.found_for(question.id);
    if !found.is_empty() {
        lines.push(labelled(text::LOOKED_AT, &places(found), style));
    }
    let recommended = clean(question.current_recommended());
    let options = question.current_options();
    let numbered = options.iter().zip(1..).map(|(option, n)| {
        let option = clean(option);
        let is_recommended = option == recommended;
        let mark = is_recommended.then(|| text::aside(text::RECOMMENDED, style.lang));
        format!("{n}. {option}{}", mark.unwrap_or_default())
    });
    lines.extend(listed(text::OPTIONS, numbered, style));
    if !options.iter().any(|option| clean(option) == recommended) {
        lines.push(labelled(text::ADVISED, &recommended, style));
    }
    if let QuestionStatus::Closed { source, answer } = &question.status {
        let source = text::name_of("source", source);
        let text = clean(answer) + &text::aside(source, style.lang);
        lines.push(marked(Mark::Answered, &text, style));
    }
    lines.join("\n") + "\n"
}

/// Places that were looked at for a question, the first few by name.
pub(super) fn places(finds: &[Find]) -> String {
    const SHOWN: usize = 3;
    let shown: Vec<String> = finds.iter().take(SHOWN).map(Find::place).collect();
    let more = if finds.len() > SHOWN { ", …" } else { "" };
    clean(&shown.join(", ")) + more
}

/// The prompt before a typed answer.
pub fn answer_prompt(style: &Style) -> &'static str {
    text::PROMPT.of(style.lang)
}

/// The earlier dialogue, if there was more than the question.
fn dialogue(question: &Question, style: &Style) -> Vec<String> {
    let is_closed = matches!(question.status, QuestionStatus::Closed { .. });
    // One exchange that closed a question is shown by its answer.
    let told = if is_closed { 1 } else { 0 };
    if question.dialogue.len() <= told {
        return Vec::new();
    }
    let mut lines = Vec::new();
    for (n, exchange) in question.dialogue.iter().enumerate() {
        if exchange.question != question.current_text() {
            lines.push(labelled(text::ASKED, &clean(&exchange.question), style));
        }
        let reply = match exchange.source {
            AnswerSource::Declined if n > 0 => text::DECLINED_FURTHER.of(style.lang).to_owned(),
            _ => clean(&exchange.reply),
        };
        lines.push(labelled(text::REPLIED, &reply, style));
    }
    lines
}

/// The questions that wait, or all of them; those of `sent` have an answer that no process
/// has taken up.
pub fn questions_text(state: &State, all: bool, sent: &[Sent], style: &Style) -> String {
    let sent_to = |question: &Question| sent_to(state, sent, question.id);
    let is_sent = |question: &Question| sent_to(question).is_some();
    let shown: Vec<_> = chosen(state, all)
        .map(|question| {
            let mut text = question_text(state, question, style);
            if let Some(sent) = sent_to(question) {
                let declined = text::name_of("source", &AnswerSource::Declined).of(style.lang);
                let told = sent.words.as_deref().map_or(declined.into(), clean)
                    + &text::aside(text::NOT_TAKEN_UP, style.lang);
                text += &format!("{}\n", marked(Mark::Answered, &told, style));
            }
            text
        })
        .collect();
    if shown.is_empty() {
        return text::NO_QUESTIONS.of(style.lang).to_owned();
    }
    let waits = state.questions.waiting().find(|one| !is_sent(one));
    let unclosed = waits.or_else(|| state.questions.waiting().next());
    let next = unclosed.filter(|_| state.inputs.format.goes_on() || state.ending.stop.is_none());
    let next = next.map(|question| {
        let command = match state.ending.stop {
            None if is_sent(question) => format!("aitc resume {}", state.inputs.run()),
            None => format!("aitc answer {} \"…\"", question.id),
            Some(_) => format!("aitc revise {} \"{}: …\"", state.inputs.run(), question.id),
        };
        labelled(text::NEXT, &command, style)
    });
    shown.into_iter().chain(next).collect::<Vec<_>>().join("\n")
}

/// Questions and what was answered, for programs: those that wait, or all.
pub fn questions_document(state: &State, all: bool, sent: &[Sent]) -> QuestionsDocument {
    let questions = chosen(state, all).map(|question| question_document(state, question, sent));
    QuestionsDocument {
        v: 1,
        version: state.inputs.version,
        format: state.inputs.format,
        questions: questions.collect(),
    }
}

fn question_document(state: &State, question: &Question, sent: &[Sent]) -> QuestionDocument {
    let found = state.found_for(question.id).iter();
    let sent = sent_to(state, sent, question.id);
    QuestionDocument {
        question: question.clone(),
        looked_at: found.map(Find::place).collect(),
        asked_now: question.current_text().to_owned(),
        answer_waits: sent.is_some(),
        answer_sent: sent.and_then(|sent| sent.words.clone()),
    }
}

/// `aitc questions --json`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuestionsDocument {
    /// Version of this format.
    pub v: u32,
    /// `N` of `vN`.
    pub version: u32,
    /// The kind of meeting.
    pub format: Format,
    /// Those that wait, or all.
    pub questions: Vec<QuestionDocument>,
}

/// A question and what is asked right now.
#[derive(Serialize, JsonSchema)]
pub struct QuestionDocument {
    /// The question.
    #[serde(flatten)]
    pub question: Question,
    /// Places that were looked at before it was asked, such as `docs/limits.md:3-5`.
    pub looked_at: Vec<String>,
    /// The question, or the follow-up that waits: nobody has to know the states of one.
    pub asked_now: String,
    /// Whether there is an answer that no process has taken up.
    pub answer_waits: bool,
    /// What it says, as it was sent; absent if there is none, or if it declines.
    pub answer_sent: Option<String>,
}

/// Questions that wait for the user: none once the discussion has ended, nor one of `sent`.
pub(super) fn waiting<'a>(
    state: &'a State,
    sent: &'a [QuestionId],
) -> impl Iterator<Item = &'a Question> {
    let questions = state.questions.waiting();
    questions.filter(|one| state.ending.stop.is_none() && !sent.contains(&one.id))
}

/// An answer that was sent but not read yet.
fn sent_to<'a>(state: &State, sent: &'a [Sent], id: QuestionId) -> Option<&'a Sent> {
    let mut waiting = state.questions.waiting();
    let waits = state.ending.stop.is_none() && waiting.any(|one| one.id == id);
    // The last one is what is meant.
    sent.iter().rev().find(|one| waits && one.question == id)
}

/// Questions whose answer was `sent` and is not taken up.
pub(super) fn answered<'a>(
    state: &'a State,
    sent: &'a [QuestionId],
) -> impl Iterator<Item = &'a Question> {
    let questions = state.questions.waiting();
    questions.filter(|one| state.ending.stop.is_none() && sent.contains(&one.id))
}

/// Questions that the end of the discussion left without an answer.
pub(super) fn left_open(state: &State) -> impl Iterator<Item = &Question> {
    let questions = state.questions.waiting();
    questions.filter(|_| state.ending.stop.is_some())
}

fn chosen(state: &State, all: bool) -> impl Iterator<Item = &Question> {
    let waits = |question: &&Question| matches!(question.status, QuestionStatus::Waiting { .. });
    state
        .questions
        .asked
        .iter()
        .filter(move |question| all || waits(question))
}
