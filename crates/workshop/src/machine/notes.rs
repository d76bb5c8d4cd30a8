//! Notes of the engine on an answer: what it left out or refused.

use super::event::{LedgerRefusal, LedgerRule, Note};
pub(super) use crate::clean::folded;
use crate::fault::recorded;
use crate::reply::Contribution;

const TITLE_CHARS: usize = 120;

pub(super) fn note(about: &str, text: &str) -> Note {
    debug_assert!(recorded::is_known(text), "no Chinese for `{text}`");
    Note::new(line(about), text)
}

/// Returns what a coach would be refused as a note on a member's answer.
pub(super) fn of_refusal(refused: &LedgerRefusal) -> Note {
    note(&refused.about, &refused.detail)
}

/// Returns the text, or an empty one if one of the others says the same.
pub(super) fn words_of_its_own(text: &str, others: &[&str]) -> String {
    let text = text.trim();
    let says_so = others.iter().any(|other| other.trim() == text);
    if says_so {
        String::new()
    } else {
        text.to_owned()
    }
}

/// Returns a note on every non-empty part of an answer, except its `analysis`; a caller removes the
/// parts it uses before.
pub(super) fn unused(answer: &Contribution, text: &str) -> Vec<Note> {
    let parts = [
        ("positions", answer.positions.is_empty()),
        ("corrections", answer.corrections.is_empty()),
        ("questions", answer.questions.is_empty()),
        ("new_issues", answer.new_issues.is_empty()),
        ("coach", answer.coach.is_none()),
    ];
    let filled = parts.into_iter().filter(|(_, is_empty)| !is_empty);
    filled.map(|(name, _)| note(name, text)).collect()
}

/// Returns a title of one line and the detail; a title that is cut is put in full before the
/// detail.
pub(super) fn titled(title: &str, detail: &str) -> (String, String) {
    let (short, detail) = (line(title), detail.trim());
    if short == title.trim() || detail.contains(title.trim()) {
        return (short, detail.to_owned());
    }
    let detail = format!("{}\n\n{detail}", title.trim());
    (short, detail.trim_end().to_owned())
}

pub(super) fn refusal(rule: LedgerRule, about: &str, detail: &str) -> LedgerRefusal {
    LedgerRefusal {
        rule,
        about: folded(about),
        detail: detail.to_owned(),
    }
}

/// Returns the first line of a text, cut to the length of a title.
pub(super) fn line(text: &str) -> String {
    let first = text.trim().lines().next().unwrap_or_default().trim();
    let mut cut: String = first.chars().take(TITLE_CHARS).collect();
    if first.chars().count() > TITLE_CHARS {
        cut.push('…');
    }
    cut
}
