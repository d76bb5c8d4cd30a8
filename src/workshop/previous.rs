//! From a finished run to what its revision takes over, and from the user's
//! words to points of feedback.

use super::ids::FeedbackId;
use super::inputs::{Counters, FeedbackItem, Previous};
use super::question::{Question, QuestionStatus};
use super::shown::shown;
use super::state::State;

impl Previous {
    /// What a revision of this run takes over. `head` is the hash of its
    /// transcript's last line.
    pub fn of(state: &State, head: &str) -> Self {
        Self {
            version: state.inputs.version,
            run_id: state.run_id.clone(),
            head: head.to_owned(),
            requirement: state.requirement.clone(),
            consensus: state.draft.standing().cloned().collect(),
            issues: state.ledger.iter().cloned().collect(),
            questions: state
                .questions
                .iter()
                // Whether to go on was a matter of that run alone.
                .filter(|q| !state.ending.diligence.forced.contains_key(&q.id))
                .map(carried)
                .collect(),
            assumptions: state.assumptions.clone(),
            documents: state
                .documents
                .iter()
                .map(|(kind, record)| (*kind, record.content.clone()))
                .collect(),
            counters: state.counters.clone(),
        }
    }
}

/// A question as the next version takes it over: an answer stays, and what
/// nobody has answered yet is to be put to the human.
fn carried(question: &Question) -> Question {
    let status = match &question.status {
        QuestionStatus::Raised => QuestionStatus::Passed { follow_up: None },
        QuestionStatus::Waiting { follow_up } => QuestionStatus::Passed {
            follow_up: follow_up.clone(),
        },
        other => other.clone(),
    };
    Question {
        status,
        ..question.clone()
    }
}

/// Splits the user's feedback into points: list items, lines, and sentences of
/// a line. Ids go on from `counters`.
pub fn split_feedback(text: &str, counters: &Counters) -> Vec<FeedbackItem> {
    shown(text)
        .lines()
        .map(|line| line.trim().trim_start_matches(is_bullet).trim())
        .flat_map(sentences)
        .filter(|point| point.chars().any(char::is_alphanumeric))
        .zip(counters.feedback.saturating_add(1)..)
        .map(|(point, n)| FeedbackItem {
            id: FeedbackId(n),
            text: point.trim_end_matches([';', '；']).to_owned(),
        })
        .collect()
}

fn is_bullet(c: char) -> bool {
    matches!(c, '-' | '*' | '+' | '•' | '·' | '#' | ' ')
}

/// Sentences of a line; a full stop only ends one before a space, so that
/// numbers, versions and file names stay whole.
fn sentences(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let spaced = chars.peek().is_none_or(|(_, next)| next.is_whitespace());
        let ends = matches!(c, '。' | '；' | '！' | '？')
            || (matches!(c, '.' | ';' | '!' | '?') && spaced);
        if ends {
            let end = at + c.len_utf8();
            parts.push(line[start..end].trim());
            start = end;
        }
    }
    parts.push(line[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}
