//! Lists of an answer that were too long: what was not kept is told of.

use super::event::{Event, Note, Rule};
use super::remark::refusal;
use crate::reply::{Cut, MAX_LIST};

/// Notes on an event which of its answer's lists were cut. A coach's go with what was refused
/// of it. Where an event has no place for either, the list has a bound of its own far below,
/// which is told of.
pub(super) fn tell(event: &mut Event, cuts: &[Cut]) {
    let text = |cut: &Cut| {
        let (entries, left_out) = (cut.entries, cut.entries - MAX_LIST);
        format!("{entries} entries; the last {left_out} are left out")
    };
    match event {
        Event::CoachInitialJudgment { refused, .. } | Event::ConsensusSummary { refused, .. } => {
            let told = cuts
                .iter()
                .map(|cut| refusal(Rule::ListGrew, &cut.list, &text(cut)));
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

fn note(notes: &mut Vec<Note>, cuts: &[Cut], text: impl Fn(&Cut) -> String) {
    notes.extend(cuts.iter().map(|cut| Note {
        about: cut.list.clone(),
        text: text(cut),
        said: None,
    }));
}
