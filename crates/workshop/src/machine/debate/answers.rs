//! Turns a checked answer of a debate into an event.

use super::due;
use super::event::{DebateResolved, DebateRoundSummary, DebateStarted, ExpertArgument};
use super::record::Debate;
use super::steps;
use crate::call::DebatePart;
use crate::machine::decide::{flips, settle_texts};
use crate::machine::event::{Event, Note, Receipt};
use crate::machine::notes::{note, unused, words_of_its_own};
use crate::machine::state::State;
use crate::reply::{CoachPart, Contribution, Decision, Position, Ruling, Stance};
use crate::role::RoleId;

/// Returns the event that an answer in a debate becomes.
///
/// # Errors
/// What the answer lacks, as text for the retry.
pub(in crate::machine) fn event_of(
    state: &State,
    part: DebatePart,
    receipt: Receipt,
    answer: Contribution,
) -> Result<Event, String> {
    if part != DebatePart::Ruling && answer.analysis.trim().is_empty() {
        return Err("`analysis` is empty: say it in a few sentences".to_owned());
    }
    let gone = || "this debate does not go on".to_owned();
    if part == DebatePart::Argument {
        let debate = state.open_debate().ok_or_else(gone)?;
        return Ok(argument(state, debate, receipt, answer));
    }
    let motion = match part {
        DebatePart::Opening => Some(due::motion(state).ok_or_else(gone)?),
        _ => None,
    };
    let (output, ruling, notes) = spoken(answer);
    if let Some(motion) = motion {
        return Ok(Event::DebateStarted(DebateStarted {
            debate: steps::next_id(state),
            motion,
            output,
            ruling,
            notes,
            receipt: Some(receipt),
        }));
    }
    let debate = state.open_debate().ok_or_else(gone)?;
    if part == DebatePart::Summary {
        return Ok(Event::DebateRoundSummary(DebateRoundSummary {
            debate: debate.id,
            debate_round: receipt.call.turn,
            output,
            ruling,
            notes,
            receipt: Some(receipt),
        }));
    }
    let ruling = ruling.ok_or(
        "`coach.ruling` is null or lacks rationale or conclusion: a ruling is what is asked for",
    )?;
    Ok(Event::DebateResolved(DebateResolved {
        decision: ruling.decision,
        output: words_of_its_own(&output, &[&ruling.rationale, &ruling.conclusion]),
        rationale: ruling.rationale,
        conclusion: ruling.conclusion,
        debate: debate.id,
        dissent: steps::dissent(state, debate),
        plain: None,
        notes,
        receipt: Some(receipt),
    }))
}

/// Returns the opening or summary, the ruling, and notes on everything else in the coach's answer.
fn spoken(mut answer: Contribution) -> (String, Option<Ruling>, Vec<Note>) {
    let mut notes = Vec::new();
    let mut coach = answer.coach.take().unwrap_or_default();
    let given = coach.ruling.take();
    let is_given = given.is_some();
    let ruling = given.and_then(ruled);
    if is_given && ruling.is_none() {
        let text = "a ruling needs its reason and its text; left out";
        notes.push(note("coach.ruling", text));
    }
    answer.coach = (coach != CoachPart::default()).then_some(coach);
    let text = "the coach opens a debate, sums it up and rules; left out";
    notes.extend(unused(&answer, text));
    (answer.analysis, ruling, notes)
}

/// Returns the ruling if it has a rationale and a conclusion; a shelved question needs no
/// conclusion.
fn ruled(mut ruling: Ruling) -> Option<Ruling> {
    ruling.rationale = ruling.rationale.trim().to_owned();
    ruling.conclusion = ruling.conclusion.trim().to_owned();
    let says = !ruling.conclusion.is_empty() || ruling.decision == Decision::Shelve;
    (says && !ruling.rationale.is_empty()).then_some(ruling)
}

/// Builds the event of an argument: one position on the subject of the debate, nothing new opened.
fn argument(state: &State, debate: &Debate, receipt: Receipt, mut answer: Contribution) -> Event {
    let mut notes = Vec::new();
    if answer.coach.take().is_some() {
        let text = "only the coach fills in this part; left out";
        notes.push(note("coach", text));
    }
    for asked in answer.questions.drain(..) {
        notes.push(note(&asked.question, "a debate asks nobody; left out"));
    }
    for new in answer.new_issues.drain(..) {
        notes.push(note(&new.title, "a debate opens no issue; left out"));
    }
    let given = std::mem::take(&mut answer.positions);
    let member = &receipt.call.member;
    answer.positions = position(state, debate, member, given, &mut notes)
        .into_iter()
        .collect();
    Event::ExpertArgument(ExpertArgument {
        debate: debate.id,
        debate_round: receipt.call.turn,
        output: answer.analysis.clone(),
        argument: answer,
        notes,
        receipt,
    })
}

/// Returns the member's last position on the subject of the debate. A position that reverses an
/// earlier one without a reason is left out.
fn position(
    state: &State,
    debate: &Debate,
    member: &RoleId,
    given: Vec<Position>,
    notes: &mut Vec<Note>,
) -> Option<Position> {
    let subject = debate.subject();
    let (mut on_it, mut beside): (Vec<_>, Vec<_>) =
        given.into_iter().partition(|p| debate.is_about(&p.issue));
    if on_it.is_empty() {
        (on_it, beside) = beside.into_iter().partition(|p| debate.is_named(&p.issue));
    }
    for position in beside {
        let text = format!("the debate is about {subject}; the position is left out");
        notes.push(note(&position.issue, &text));
    }
    let mut position = on_it.pop()?;
    for _ in &on_it {
        let text = "given twice; the last one counts";
        notes.push(note(&subject, text));
    }
    let filled = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    position.issue.clone_from(&subject);
    position.changed_because = filled(position.changed_because);
    match debate.motion.about.and_then(|id| state.ledger.find(id)) {
        Some(issue) => notes.extend(settle_texts(state, issue, (member, false), &mut position)),
        None => {
            position.proposal = filled(position.proposal);
            (position.backs, position.against) = (None, None);
        }
    }
    if turns_round(state, debate, member, &position) && position.changed_because.is_none() {
        let text = "the stance flipped without a reason; the earlier one counts";
        notes.push(note(&subject, text));
        return None;
    }
    Some(position)
}

/// Returns whether the position reverses what the member said before, in the debate or on its
/// issue.
pub(super) fn turns_round(state: &State, debate: &Debate, member: &RoleId, now: &Position) -> bool {
    if let Some(issue) = debate.motion.about.and_then(|id| state.ledger.find(id)) {
        // The ledger holds the arguments of earlier rounds of the debate.
        return flips(issue, member, now);
    }
    let place = debate.participants().iter().position(|p| p == member);
    let before = place.and_then(|place| debate.latest_of(place));
    before
        .is_some_and(|earlier| (earlier.stance == Stance::Object) != (now.stance == Stance::Object))
}
