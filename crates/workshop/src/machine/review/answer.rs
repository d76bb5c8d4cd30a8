//! Turns an answer into an event of the review.

use super::event::{Amendment, FindingVerdicts, PlanReviewed};
use super::record::Writing;
use crate::ids::FindingId;
use crate::machine::decide::parse_id;
use crate::machine::event::{Event, Note, Receipt};
use crate::machine::notes::{line, note, unused};
use crate::machine::state::State;
use crate::reply::{Contribution, Document, FindingAnswer, Synthesis};

/// Maximum number of findings accepted from one review.
const MAX_FINDINGS: usize = 12;

const NOT_ASKED: &str = "a review takes in findings alone; left out";
const UNCHANGED: &str =
    "was said to be fixed, but the document is the same; it counts as not fixed";

/// Returns the event of a member's findings in the finished plan or synthesis.
pub(in crate::machine) fn reviewed(receipt: Receipt, mut answer: Contribution) -> Event {
    let mut notes = Vec::new();
    let mut findings = Vec::new();
    for mut found in std::mem::take(&mut answer.findings) {
        found.about = line(&found.about);
        if found.text.trim().is_empty() {
            let text = "the text is empty; left out";
            notes.push(note(&found.about, text));
        } else if findings.len() >= MAX_FINDINGS {
            let text = "more findings than one review may have; left out";
            notes.push(note(&found.about, text));
        } else {
            findings.push(found);
        }
    }
    notes.extend(beside(&answer));
    Event::Review(PlanReviewed {
        member: receipt.call.member.clone(),
        receipt,
        output: answer.analysis,
        findings,
        notes,
    })
}

/// Returns the event of an amended document with its notes.
///
/// # Errors
/// A reminder to the writer, given once: a finding is not mentioned, or is claimed as fixed while
/// the document is unchanged.
pub(in crate::machine) fn amended(
    state: &State,
    receipt: Receipt,
    (content, mut notes): (Document, Vec<Note>),
    given: Vec<FindingAnswer>,
) -> Result<Event, String> {
    let kind = content.kind();
    let before = state.documents.written.get(&kind).map(|one| &one.content);
    let content = Some(content).filter(|content| Some(content) != before);
    if content.is_none() {
        notes.clear();
    }
    let amended = Amendment {
        receipt,
        kind: kind.into(),
        content,
        synthesis: None,
        findings: given,
        notes,
    };
    answered(state, amended)
}

/// Returns the event of a synthesis that a team's lead has amended.
///
/// # Errors
/// As [`amended`].
pub(in crate::machine) fn amended_synthesis(
    state: &State,
    receipt: Receipt,
    synthesis: Synthesis,
    given: Vec<FindingAnswer>,
) -> Result<Event, String> {
    let before = state.synthesis();
    let synthesis = Some(synthesis).filter(|words| Some(words) != before.as_ref());
    let amended = Amendment {
        receipt,
        kind: Writing::Synthesis,
        content: None,
        synthesis,
        findings: given,
        notes: Vec::new(),
    };
    answered(state, amended)
}

/// Reads the writer's answers to the findings it was given. A fix claimed a second time for an
/// unchanged document counts as declined.
fn answered(state: &State, mut amended: Amendment) -> Result<Event, String> {
    let call = &amended.receipt.call;
    let put = state.review.put_by(call).map(|one| one.id).collect();
    let (given, notes) = (std::mem::take(&mut amended.findings), &mut amended.notes);
    let text = "no finding that was put to its writer has this id; left out";
    let (mut findings, unspoken) = matched(put, given, |one| &mut one.finding, text, notes);
    let is_first = !state.calls.was_rejected(call);
    if let (true, Some(ids)) = (is_first, &unspoken) {
        return Err(format!(
            "`findings` leaves out {ids}: say of every finding what became of it"
        ));
    }
    if amended.content.is_none() && amended.synthesis.is_none() {
        for answer in findings.iter_mut().filter(|answer| answer.mended) {
            if is_first {
                return Err(format!(
                    "`{}` is said to be fixed, but the document is the same: change it, or decline the finding",
                    answer.finding
                ));
            }
            answer.mended = false;
            notes.push(note(&answer.finding, UNCHANGED));
        }
    }
    amended.findings = findings;
    Ok(Event::Amendment(amended))
}

/// Returns the event that says whether a finder's declined findings still hold.
///
/// # Errors
/// A reminder to the finder, given once: a finding is not mentioned.
pub(in crate::machine) fn judged(
    state: &State,
    receipt: Receipt,
    mut answer: Contribution,
) -> Result<Event, String> {
    let member = receipt.call.member.clone();
    let asked: Vec<FindingId> = state.review.put_back_to(&member).map(|f| f.id).collect();
    let mut notes: Vec<Note> = Vec::new();
    let given = std::mem::take(&mut answer.verdicts);
    let text = "no finding that was put back has this id; left out";
    let (verdicts, unspoken) = matched(asked, given, |one| &mut one.finding, text, &mut notes);
    if let (false, Some(ids)) = (state.calls.was_rejected(&receipt.call), &unspoken) {
        return Err(format!(
            "`verdicts` leaves out {ids}: say of each whether you uphold it"
        ));
    }
    notes.extend(beside(&answer));
    Ok(Event::Verdicts(FindingVerdicts {
        member,
        receipt,
        output: answer.analysis,
        verdicts,
        notes,
    }))
}

/// Returns notes on the parts of an answer that a review does not accept.
fn beside(answer: &Contribution) -> Vec<Note> {
    let rest = [
        ("notes", answer.notes.is_empty()),
        ("evidence", answer.evidence.is_empty()),
    ];
    let rest = rest.into_iter().filter(|(_, is_empty)| !is_empty);
    let rest = rest.map(|(name, _)| note(name, NOT_ASKED));
    unused(answer, NOT_ASKED).into_iter().chain(rest).collect()
}

/// Returns the first answer to each finding that was put, and the findings without one; `None` if
/// there are none. The other answers are left out, with a note each.
fn matched<T>(
    mut put: Vec<FindingId>,
    given: Vec<T>,
    finding: fn(&mut T) -> &mut String,
    text: &str,
    notes: &mut Vec<Note>,
) -> (Vec<T>, Option<String>) {
    let mut kept = Vec::new();
    for mut answer in given {
        let named = finding(&mut answer);
        let id = parse_id::<FindingId>(named);
        match put.iter().position(|one| Some(*one) == id) {
            Some(at) => {
                *named = put.remove(at).to_string();
                kept.push(answer);
            }
            None => notes.push(note(named, text)),
        }
    }
    let unspoken: Vec<String> = put.iter().map(ToString::to_string).collect();
    (kept, (!unspoken.is_empty()).then(|| unspoken.join(", ")))
}
