//! Turns an answer into an event of the review.

use std::collections::BTreeSet;

use super::event::{Amended, Judged, Reviewed};
use super::record::{Finding, Writing};
use crate::call::CallId;
use crate::ids::FindingId;
use crate::machine::decide::parse_id;
use crate::machine::event::{Event, Note, Receipt};
use crate::machine::notes::{left_out, line, note, unused, whole};
use crate::machine::state::State;
use crate::reply::{Contribution, Document, FindingAnswer, FindingVerdict, Synthesis};

/// Maximum number of findings accepted from one review.
const MAX_FINDINGS: usize = 12;

const NOT_ASKED: &str = "a review takes in findings alone; left out";
const UNCHANGED: &str = "was said to be mended, and the document is the same; it is not mended";

/// Returns the event of a member's findings in the finished plan or synthesis.
pub(in crate::machine) fn reviewed(receipt: Receipt, mut answer: Contribution) -> Event {
    let mut notes = Vec::new();
    let mut findings = Vec::new();
    for mut found in std::mem::take(&mut answer.findings) {
        found.about = line(&found.about);
        if found.text.trim().is_empty() {
            let text = "the text is empty; left out";
            notes.push(left_out(&found.about, text, &whole(&found)));
        } else if findings.len() >= MAX_FINDINGS {
            let text = "more findings than one review may have; left out";
            notes.push(left_out(&found.about, text, &whole(&found)));
        } else {
            findings.push(found);
        }
    }
    notes.extend(beside(&answer));
    Event::Review(Reviewed {
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
    let changed = content.is_some();
    let findings = answers(state, &receipt.call, changed, given, &mut notes)?;
    Ok(Event::Amendment(Amended {
        receipt,
        kind: kind.into(),
        content,
        synthesis: None,
        findings,
        notes,
    }))
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
    let mut notes = Vec::new();
    let changed = synthesis.is_some();
    let findings = answers(state, &receipt.call, changed, given, &mut notes)?;
    Ok(Event::Amendment(Amended {
        receipt,
        kind: Writing::Synthesis,
        content: None,
        synthesis,
        findings,
        notes,
    }))
}

/// Returns the writer's answers to the findings it was given. A fix claimed a second time for an
/// unchanged document counts as declined.
fn answers(
    state: &State,
    call: &CallId,
    changed: bool,
    given: Vec<FindingAnswer>,
    notes: &mut Vec<Note>,
) -> Result<Vec<FindingAnswer>, String> {
    let put: Vec<&Finding> = state.review.put_by(call).collect();
    let mut findings: Vec<FindingAnswer> = Vec::new();
    for answer in given {
        let id = parse_id::<FindingId>(&answer.finding);
        let known = put.iter().find(|one| Some(one.id) == id);
        match known {
            Some(one) if findings.iter().all(|had| had.finding != one.id.to_string()) => {
                findings.push(FindingAnswer {
                    finding: one.id.to_string(),
                    ..answer
                });
            }
            _ => {
                let text = "no finding that was put to its writer has this id; left out";
                notes.push(left_out(&answer.finding, text, &whole(&answer)));
            }
        }
    }
    let is_first = !state.calls.was_rejected(call);
    let spoken: BTreeSet<&str> = findings.iter().map(|one| one.finding.as_str()).collect();
    let unspoken = unspoken(put.iter().map(|one| one.id), &spoken);
    if let (true, Some(ids)) = (is_first, &unspoken) {
        return Err(format!(
            "`findings` leaves out {ids}: say of every finding what became of it"
        ));
    }
    if !changed {
        for answer in findings.iter_mut().filter(|answer| answer.mended) {
            if is_first {
                return Err(format!(
                    "`{}` is said to be mended, and the document is the same: change it, or decline the finding",
                    answer.finding
                ));
            }
            answer.mended = false;
            notes.push(note(&answer.finding, UNCHANGED));
        }
    }
    Ok(findings)
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
    let mut verdicts: Vec<FindingVerdict> = Vec::new();
    for verdict in std::mem::take(&mut answer.verdicts) {
        let id = parse_id::<FindingId>(&verdict.finding).filter(|id| asked.contains(id));
        match id {
            Some(id) if verdicts.iter().all(|had| had.finding != id.to_string()) => {
                let finding = id.to_string();
                verdicts.push(FindingVerdict { finding, ..verdict });
            }
            _ => {
                let text = "no finding that was put back has this id; left out";
                notes.push(left_out(&verdict.finding, text, &whole(&verdict)));
            }
        }
    }
    let spoken: BTreeSet<&str> = verdicts.iter().map(|one| one.finding.as_str()).collect();
    let unspoken = unspoken(asked.iter().copied(), &spoken);
    if let (false, Some(ids)) = (state.calls.was_rejected(&receipt.call), &unspoken) {
        return Err(format!(
            "`verdicts` leaves out {ids}: say of each whether you uphold it"
        ));
    }
    notes.extend(beside(&answer));
    Ok(Event::Verdicts(Judged {
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
        ("notes", !answer.notes.is_empty(), whole(&answer.notes)),
        (
            "evidence",
            !answer.evidence.is_empty(),
            whole(&answer.evidence),
        ),
    ];
    let rest = rest.into_iter().filter(|(_, is_filled, _)| *is_filled);
    let rest = rest.map(|(name, _, said)| left_out(name, NOT_ASKED, &said));
    unused(answer, NOT_ASKED).into_iter().chain(rest).collect()
}

/// Returns those of the ids that are not in `spoken`; `None` if all are.
fn unspoken(ids: impl Iterator<Item = FindingId>, spoken: &BTreeSet<&str>) -> Option<String> {
    let ids: Vec<String> = ids
        .map(|id| id.to_string())
        .filter(|id| !spoken.contains(id.as_str()))
        .collect();
    (!ids.is_empty()).then(|| ids.join(", "))
}
