//! Notes of the engine on an answer: what it left out or refused.

use serde::Serialize;

use super::event::{Note, Refusal, Rule};
use crate::fault::recorded;
use crate::reply::Contribution;

const TITLE_CHARS: usize = 120;

pub(super) fn note(about: &str, text: &str) -> Note {
    debug_assert!(recorded::is_known(text), "no Chinese for `{text}`");
    Note::new(line(about), text)
}

/// Returns a note on something that is left out, with its full text, so that no word of an answer
/// is lost.
pub(super) fn left_out(about: &str, text: &str, said: &str) -> Note {
    Note {
        said: words_beyond(about, said),
        ..note(about, text)
    }
}

/// Returns the text, unless its line in `about` already contains all of it.
pub(super) fn words_beyond(about: &str, said: &str) -> Option<String> {
    let said = said.trim();
    (!said.is_empty() && line(about) != said).then(|| said.to_owned())
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
        (
            "positions",
            !answer.positions.is_empty(),
            whole(&answer.positions),
        ),
        (
            "corrections",
            !answer.corrections.is_empty(),
            whole(&answer.corrections),
        ),
        (
            "questions",
            !answer.questions.is_empty(),
            whole(&answer.questions),
        ),
        (
            "new_issues",
            !answer.new_issues.is_empty(),
            whole(&answer.new_issues),
        ),
        ("coach", answer.coach.is_some(), whole(&answer.coach)),
    ];
    let filled = parts.into_iter().filter(|(_, is_filled, _)| *is_filled);
    filled
        .map(|(name, _, said)| left_out(name, text, &said))
        .collect()
}

/// Returns a part of an answer with all its fields, as JSON.
pub(super) fn whole(part: &impl Serialize) -> String {
    serde_json::to_string(part).unwrap_or_default()
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

pub(super) fn refusal(rule: Rule, about: &str, detail: &str) -> Refusal {
    Refusal {
        rule,
        about: folded(about),
        detail: detail.to_owned(),
        said: None,
    }
}

/// Returns the whole text on one line.
pub(super) fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
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
