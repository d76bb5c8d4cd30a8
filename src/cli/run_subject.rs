//! The subject of a run: a requirement, and the version it revises with its feedback.

use super::order::{DecidedRow, RunTask};
use super::{Context, Fault, requirement, threads, versions};
use crate::artifact;
use crate::fault::line::{
    DECIDE_ANSWER, DECIDE_ROW, DECIDE_TWICE, FEEDBACK_LONG, INTERNAL, TEXT_TOO_LARGE,
    WRITER_MISSING,
};
use crate::fault::{Message, Text, texts, values};
use crate::machine::{
    AnswerSource, Event, FeedbackId, FeedbackItem, Format, Inputs, Lang, PreviousVersion, Series,
    State, split_feedback,
};
use crate::redact::Redactor;
use crate::ui::human::understood;

texts! {
    COMMENTS: "all open comments together", "全部未解决的评论合起来";
    NO_ANSWER: "none that it does not follow already", "没有其他答案可选";
}

/// The requirement of a run, and what it revises.
pub struct RunSubject {
    /// The kind of meeting it is for.
    pub format: Format,
    /// The series of the version it revises.
    pub series: Option<Series>,
    /// The requirement, word for word.
    pub requirement: String,
    /// The version it revises.
    pub previous: Option<PreviousVersion>,
    /// The feedback on it; may be empty.
    pub feedback: String,
    /// Points of feedback that choose an answer of its “What you decide”.
    pub decided: Vec<String>,
    /// Points of feedback made of its open threads, each with the thread's id before it.
    pub threads: Vec<(String, String)>,
    /// The language of its documents, unless another one is set.
    pub lang: Lang,
}

/// Returns the language of a text; for a text without a letter, the user's.
pub fn written_in(text: &str, context: &Context) -> Lang {
    if text.contains(char::is_alphabetic) {
        Lang::of(text)
    } else {
        context.lang(None)
    }
}

/// Returns the subject of an order's run.
///
/// # Errors
/// The revised version does not exist, or was changed by hand.
pub fn about(work: &RunTask, context: &Context) -> Result<RunSubject, Fault> {
    match work {
        RunTask::New {
            requirement,
            format,
        } => Ok(RunSubject {
            format: *format,
            series: None,
            lang: written_in(requirement, context),
            requirement: requirement.clone(),
            previous: None,
            feedback: String::new(),
            decided: Vec::new(),
            threads: Vec::new(),
        }),
        RunTask::Revision {
            from,
            feedback,
            decided,
            requirement,
        } => {
            let opened = versions::read(versions::find_to_go_on(*from, context)?, context)?;
            if !opened.draft {
                versions::untampered(&opened)?;
            }
            let decided = decided_of(&opened.state, decided)?;
            let threads = match opened.version.format.is_workshop() {
                true => bounded(threads::points(threads::Plan::of(&opened), context)?)?,
                false => Vec::new(),
            };
            Ok(RunSubject {
                format: opened.state.inputs.format,
                series: opened.version.series,
                requirement: requirement
                    .clone()
                    .unwrap_or_else(|| opened.state.task.requirement.clone()),
                previous: Some(PreviousVersion::of(&opened.state, &opened.head)),
                feedback: feedback.clone(),
                decided,
                threads,
                lang: opened.state.inputs.doc_lang,
            })
        }
        RunTask::Resumption { .. } => {
            let what = "a resumed run is about what its transcript says";
            Err(INTERNAL.with(values![what]))
        }
    }
}

/// Returns the threads, if they are not more than feedback may be.
fn bounded(threads: Vec<(String, String)>) -> Result<Vec<(String, String)>, Fault> {
    let all: usize = threads.iter().map(|(_, text)| text.len()).sum();
    if all > requirement::MAX_BYTES {
        let size = format!("{} KiB", requirement::MAX_BYTES / 1024);
        let values = values![name = COMMENTS, size, what = requirement::FEEDBACK];
        return Err(TEXT_TOO_LARGE.with(values));
    }
    Ok(threads)
}

/// Returns the points of feedback that choose these answers of a plan's open decisions, one for
/// each row.
fn decided_of(state: &State, choices: &[DecidedRow]) -> Result<Vec<String>, Fault> {
    let rows = artifact::decide(state);
    let lang = state.inputs.doc_lang;
    let point = |(row, letter): &DecidedRow| {
        let found = row.checked_sub(1).and_then(|at| rows.get(at));
        let Some(found) = found else {
            let values = values![n = state.inputs.run(), row, rows = rows.len()];
            return Err(DECIDE_ROW.with(values));
        };
        found.taken(*letter, lang).ok_or_else(|| {
            let letters = ('a'..='z').filter(|letter| found.taken(*letter, lang).is_some());
            let letters: Vec<String> = letters.map(|letter| format!("`{letter}`")).collect();
            let there = match letters.is_empty() {
                true => NO_ANSWER.into(),
                false => Text::COMMA.join(&letters),
            };
            DECIDE_ANSWER.with(values![row, letter, there])
        })
    };
    let mut taken: Vec<DecidedRow> = Vec::new();
    for (row, letter) in choices {
        match taken.iter().find(|(known, _)| known == row) {
            None => taken.push((*row, *letter)),
            Some((_, known)) if known == letter => {}
            Some((_, known)) => {
                let values = values![row, letter = known, other = letter];
                return Err(DECIDE_TWICE.with(values));
            }
        }
    }
    taken.iter().map(point).collect()
}

/// Maximum number of points of feedback: each becomes an issue, and every member is given all of
/// them.
const MAX_POINTS: usize = 200;

/// The first event of the run.
///
/// # Errors
/// The feedback has more points than a run can hold, or no member writes a document of the version
/// that is revised.
pub fn user_input(about: RunSubject, inputs: Inputs, redactor: &Redactor) -> Result<Event, Fault> {
    let counters = about
        .previous
        .as_ref()
        .map(|previous| previous.counters.clone())
        .unwrap_or_default();
    let content = redactor.redact(&about.requirement);
    let mut feedback = split_feedback(&redactor.redact(&about.feedback), &counters);
    let last = feedback.last().map(|item| item.id.0);
    let first = last.unwrap_or(counters.feedback).saturating_add(1);
    let decided = about.decided.iter().map(|text| (None, text));
    let threads = about.threads.iter().map(|(id, text)| (Some(id), text));
    let more = decided.chain(threads).zip(first..);
    feedback.extend(more.map(|((thread, text), n)| FeedbackItem {
        thread: thread.cloned(),
        ..FeedbackItem::said(FeedbackId(n), redactor.redact(text))
    }));
    if let Some(previous) = &about.previous {
        let kinds = previous.documents.keys();
        let unwritten = kinds.filter(|kind| inputs.roles.writer(**kind).is_none());
        let unwritten: Vec<Message> = unwritten.map(|kind| kind.name().into()).collect();
        if !unwritten.is_empty() {
            let documents = Message::joined(&unwritten, Text::COMMA);
            return Err(WRITER_MISSING.with(values![documents]));
        }
        let change = previous.requirement_change(&content, &feedback, inputs.doc_lang);
        feedback.extend(change);
    }
    if feedback.len() > MAX_POINTS {
        return Err(FEEDBACK_LONG.with(values![n = feedback.len(), most = MAX_POINTS]));
    }
    let previous = about
        .previous
        .map(|previous| less_answered(previous, &feedback));
    Ok(Event::UserInput {
        content,
        run_id: crate::edge::env::new_run_id(),
        inputs: Box::new(inputs),
        from: previous.map(Box::new),
        feedback,
    })
}

/// Returns what a revision takes over from the previous version, with the questions answered that
/// the feedback answers by their ids.
fn less_answered(mut previous: PreviousVersion, feedback: &[FeedbackItem]) -> PreviousVersion {
    for item in feedback {
        let Some((question, words)) = previous.answered_by(&item.text) else {
            continue;
        };
        // A number that matches no option is no answer.
        let Ok(answer) = understood(question, words, AnswerSource::Feedback) else {
            continue;
        };
        let text = match answer.source {
            // A declined question has no answer.
            AnswerSource::Declined => continue,
            AnswerSource::Recommended => question.recommended.clone(),
            _ => answer.text,
        };
        let id = question.id;
        previous.answer(id, answer.source, &text);
    }
    previous
}
