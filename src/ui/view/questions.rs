//! Questions for the user, as a page and one by one.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::Style;
use super::lines::page;
use super::text;
use crate::machine::{Excerpt, Format, Question, QuestionId, QuestionStatus, State};

/// An answer that was sent to the run but not taken up by a process yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentAnswer {
    /// The question.
    pub question: QuestionId,
    /// The answer; `None` if the user declines to answer.
    pub words: Option<String>,
}

/// One question with its reason, the issue that waits for it, and its options, with the recommended
/// one marked. Ends in a line break.
pub fn question_text(state: &State, question: &Question, style: &Style) -> String {
    let about = json!({"questions": [facts(state, question, &[])], "next": null});
    page("questions", about, state, style) + "\n"
}

/// Values for a question on a page.
fn facts(state: &State, question: &Question, sent: &[SentAnswer]) -> Value {
    let holds_up = question.blocks.and_then(|id| state.ledger.find(id));
    let mut facts = json!(question_document(state, question, sent));
    facts["why_now"] = question.current_why().into();
    facts["options_now"] = question.current_options().into();
    facts["recommended_now"] = question.current_recommended().into();
    facts["holds_up"] = json!(holds_up);
    // If a single exchange closed the question, only the answer is shown.
    facts["is_dialogue"] = (question.dialogue.len() > usize::from(question.is_closed())).into();
    facts
}

/// The prompt for a typed answer.
pub fn answer_prompt(style: &Style) -> &'static str {
    text::PROMPT.of(style.lang)
}

/// The waiting questions, or all of them. Those in `sent` have an answer that no process has taken
/// up.
pub fn questions_text(state: &State, all: bool, sent: &[SentAnswer], style: &Style) -> String {
    let is_sent = |question: &Question| sent_to(state, sent, question.id).is_some();
    let waits = state.questions.waiting().find(|one| !is_sent(one));
    let unclosed = waits.or_else(|| state.questions.waiting().next());
    let goes_on = state.inputs.format.goes_on() || state.ending.stop.is_none();
    let next = unclosed.filter(|_| goes_on).map(|question| {
        let (id, run) = (question.id, state.inputs.run());
        match state.ending.stop {
            None if is_sent(question) => format!("aitc resume {run}"),
            None => format!("aitc answer {id} \"…\""),
            Some(_) => format!("aitc revise {run} \"{id}: …\""),
        }
    });
    let shown: Vec<_> = chosen(state, all)
        .map(|one| facts(state, one, sent))
        .collect();
    let next = next.filter(|_| !shown.is_empty());
    page(
        "questions",
        json!({"questions": shown, "next": next}),
        state,
        style,
    )
}

/// Questions and answers, for programs: the waiting ones, or all.
pub fn questions_document(state: &State, all: bool, sent: &[SentAnswer]) -> QuestionsDocument {
    let questions = chosen(state, all).map(|question| question_document(state, question, sent));
    QuestionsDocument {
        v: 1,
        version: state.inputs.version,
        format: state.inputs.format,
        questions: questions.collect(),
    }
}

fn question_document(state: &State, question: &Question, sent: &[SentAnswer]) -> QuestionDocument {
    let found = state.found_for(question.id).iter();
    let sent = sent_to(state, sent, question.id);
    QuestionDocument {
        question: question.clone(),
        looked_at: found.map(Excerpt::place).collect(),
        asked_now: question.current_text().to_owned(),
        answer_waits: sent.is_some(),
        answer_sent: sent.and_then(|sent| sent.words.clone()),
    }
}

/// `aitc questions --json`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuestionsDocument {
    /// Version of the format of this document.
    pub v: u32,
    /// Number of the version: `N` of `vN`.
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

/// Questions that wait for the user. Empty once the discussion has ended; those in `sent` are left
/// out.
pub(super) fn waiting<'a>(
    state: &'a State,
    sent: &'a [QuestionId],
) -> impl Iterator<Item = &'a Question> {
    let questions = state.questions.waiting();
    questions.filter(|one| state.ending.stop.is_none() && !sent.contains(&one.id))
}

/// The answer that was sent to this question and not taken up yet.
fn sent_to<'a>(state: &State, sent: &'a [SentAnswer], id: QuestionId) -> Option<&'a SentAnswer> {
    let mut waiting = state.questions.waiting();
    let waits = state.ending.stop.is_none() && waiting.any(|one| one.id == id);
    // If several were sent, the last one counts.
    sent.iter().rev().find(|one| waits && one.question == id)
}

/// Questions with an answer in `sent` that was not taken up yet.
pub(super) fn answered<'a>(
    state: &'a State,
    sent: &'a [QuestionId],
) -> impl Iterator<Item = &'a Question> {
    let questions = state.questions.waiting();
    questions.filter(|one| state.ending.stop.is_none() && sent.contains(&one.id))
}

/// Questions that were still unanswered when the discussion ended.
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
