//! Answers with a list or text that is too long: the answer is returned once; after that it is cut,
//! with a note.

use super::event::{Event, LedgerRule, Note};
use super::notes::refusal;
use super::state::State;
use crate::call::CallId;
use crate::reply::{Length, MAX_LIST, MAX_TEXT_CHARS, Truncation};

/// Returns an answer to its member if a list or text is too long, unless one was returned before.
///
/// # Errors
/// What is too long, as text for the retry.
pub(super) fn put_back(state: &State, call: &CallId, cuts: &[Truncation]) -> Result<(), String> {
    match cuts.first() {
        Some(Truncation { field, had }) if !state.calls.was_rejected(call) => Err(match had {
            Length::Entries(n) => {
                format!("`{field}` has {n} entries, and at most {MAX_LIST} are read")
            }
            Length::Characters(n) => {
                format!("`{field}` has {n} characters, and at most {MAX_TEXT_CHARS} are read")
            }
        }),
        _ => Ok(()),
    }
}

/// Adds notes to an event on what was cut from its answer. The coach's are added to the refusals.
/// An event without a place for either has a list with a much lower limit of its own, which has its
/// own note.
pub(super) fn tell(event: &mut Event, cuts: &[Truncation]) {
    let text = |cut: &Truncation| match cut.had {
        Length::Entries(n) => format!("{n} entries; the last {} are left out", n - MAX_LIST),
        Length::Characters(n) => {
            let rest = n - MAX_TEXT_CHARS;
            format!("{n} characters; the last {rest} are left out")
        }
    };
    match event {
        Event::CoachInitialJudgment { refused, .. } | Event::ConsensusSummary { refused, .. } => {
            let told = cuts
                .iter()
                .map(|cut| refusal(LedgerRule::TooLong, &cut.field, &text(cut)));
            refused.extend(told);
        }
        Event::Speaking { notes, .. }
        | Event::ClarificationRelayed { notes, .. }
        | Event::VoteCast { notes, .. }
        | Event::Document { notes, .. }
        | Event::Report { notes, .. } => note(notes, cuts, text),
        Event::Review(reviewed) => note(&mut reviewed.notes, cuts, text),
        Event::Amendment(amended) => note(&mut amended.notes, cuts, text),
        Event::Verdicts(judged) => note(&mut judged.notes, cuts, text),
        Event::ExpertArgument(argument) => note(&mut argument.notes, cuts, text),
        Event::DebateStarted(started) => note(&mut started.notes, cuts, text),
        Event::DebateRoundSummary(summary) => note(&mut summary.notes, cuts, text),
        Event::DebateResolved(resolved) => note(&mut resolved.notes, cuts, text),
        Event::ExpertStep(step) => note(&mut step.notes, cuts, text),
        Event::ExpertResult(result) => note(&mut result.notes, cuts, text),
        _ => {}
    }
}

fn note(notes: &mut Vec<Note>, cuts: &[Truncation], text: impl Fn(&Truncation) -> String) {
    notes.extend(cuts.iter().map(|cut| Note::new(&cut.field, text(cut))));
}
