//! The next actions of a debate: calls, or events that need no model.

use super::debates;
use super::due;
use super::event::{DebateResolved, DebateRoundSummary, DebateStarted};
use super::motion::{DebateObjection, Motion, NoRulingReason};
use super::record::{Debate, DebateStep};
use crate::call::{CallId, DebatePart, Purpose, Scope};
use crate::ids::DebateId;
use crate::machine::action::Action;
use crate::machine::event::Event;
use crate::machine::next::{ask, side_by_side};
use crate::machine::next_attempt::{NextAttempt, next_try};
use crate::machine::state::{Stage, State};
use crate::reply::{Decision, Ruling, Stance};
use crate::role::RoleId;
use crate::words::{name_of, word};

/// Returns the next actions of the debate in progress; `None` if there is none.
pub(in crate::machine) fn going_on(state: &State) -> Option<Vec<Action>> {
    let debate = state.open_debate()?;
    let id = debate.id;
    Some(match next(state, debate) {
        DebateStep::Argue { round, places } => argue(state, debate, round, &places),
        DebateStep::Summarise { round } => one(
            call(state, id, DebatePart::Summary, RoleId::coach(), round),
            || {
                Event::DebateRoundSummary(DebateRoundSummary {
                    receipt: None,
                    debate: id,
                    debate_round: round,
                    output: word("plain.summary").of(state.inputs.doc_lang).to_owned(),
                    ruling: None,
                    notes: Vec::new(),
                })
            },
        ),
        DebateStep::Rule => one(
            call(state, id, DebatePart::Ruling, RoleId::coach(), 1),
            || without_model(state, debate, NoRulingReason::NoReply),
        ),
        DebateStep::Resolve(ruling) => Action::recorded(resolved(state, debate, ruling, None)),
        DebateStep::Skip => Action::recorded(without_model(state, debate, NoRulingReason::Skipped)),
        DebateStep::Done => Vec::new(),
    })
}

/// Returns the actions that open a debate the user asked for; the guards wait for it.
pub(in crate::machine) fn begin_wanted(state: &State) -> Option<Vec<Action>> {
    if let Some(voided) = debates::void(state) {
        return Some(Action::recorded(Event::DebateVoided(voided)));
    }
    due::is_wanted(state).then(|| begin(state)).flatten()
}

/// Returns the actions that open a due debate; `None` if none is due.
pub(in crate::machine) fn begin(state: &State) -> Option<Vec<Action>> {
    let motion = due::motion(state)?;
    let id = next_id(state);
    if motion.debate_config.skip {
        return Some(Action::recorded(opened_plainly(state, id, motion)));
    }
    let opening = call(state, id, DebatePart::Opening, RoleId::coach(), 1);
    Some(one(opening, || opened_plainly(state, id, motion)))
}

/// Returns the action that ends a debate cut off by the end of the discussion.
pub(in crate::machine) fn at_closing(state: &State) -> Option<Action> {
    let debate = state
        .open_debate()
        .filter(|_| state.stage >= Stage::Writing)?;
    let event = without_model(state, debate, NoRulingReason::Ended);
    Some(Action::record(event))
}

/// What comes next, the time that is left considered: when it is up, the ruling is due;
/// nothing but the end where the user has had enough.
pub(super) fn next(state: &State, debate: &Debate) -> DebateStep {
    if state.debates.skips && debate.is_open() {
        return DebateStep::Skip;
    }
    match debate.next() {
        DebateStep::Argue { .. } | DebateStep::Summarise { .. } if due::is_time_up(state) => {
            DebateStep::Rule
        }
        step => step,
    }
}

pub(super) fn next_id(state: &State) -> DebateId {
    state.run.counters.clone().next_debate()
}

/// Returns the participants that still object, by their last position in the debate or else on its
/// issue, in speaking order.
pub(super) fn dissent(state: &State, debate: &Debate) -> Vec<DebateObjection> {
    let issue = debate.motion.about.and_then(|id| state.ledger.find(id));
    let participants = debate.participants().iter().enumerate();
    participants
        .filter_map(|(place, member)| {
            let here = debate.latest_of(place).map(|p| (p.stance, &p.why));
            let before = || issue?.latest_of(member).map(|p| (p.stance, &p.why));
            let (stance, why) = here.or_else(before)?;
            (stance == Stance::Object).then(|| DebateObjection {
                member: member.clone(),
                why: why.clone(),
            })
        })
        .collect()
}

pub(super) fn resolved(
    state: &State,
    debate: &Debate,
    ruling: Ruling,
    plain: Option<NoRulingReason>,
) -> Event {
    Event::DebateResolved(DebateResolved {
        receipt: None,
        debate: debate.id,
        decision: ruling.decision,
        rationale: ruling.rationale,
        conclusion: ruling.conclusion,
        dissent: dissent(state, debate),
        plain,
        output: String::new(),
        notes: Vec::new(),
    })
}

fn without_model(state: &State, debate: &Debate, why: NoRulingReason) -> Event {
    let (lang, config) = (state.inputs.doc_lang, &debate.motion.debate_config);
    let ruling = Ruling {
        decision: Decision::Shelve,
        rationale: name_of("unruled", &why).of(lang).to_owned(),
        conclusion: word("plain.conclusion").with(lang, &[("topic", &config.topic)]),
    };
    resolved(state, debate, ruling, Some(why))
}

fn opened_plainly(state: &State, id: DebateId, motion: Motion) -> Event {
    let config = &motion.debate_config;
    let words = match config.skip {
        true => "plain.passed_over",
        false => "plain.opening",
    };
    Event::DebateStarted(DebateStarted {
        receipt: None,
        debate: id,
        output: word(words).with(state.inputs.doc_lang, &[("topic", &config.topic)]),
        motion,
        ruling: None,
        notes: Vec::new(),
    })
}

/// The arguments that are still to come, side by side.
fn argue(state: &State, debate: &Debate, round: u32, places: &[usize]) -> Vec<Action> {
    let (id, part) = (debate.id, DebatePart::Argument);
    let members = places
        .iter()
        .filter_map(|at| debate.participants().get(*at));
    let calls = members.map(|member| first_call(state, id, part, member.clone(), round));
    side_by_side(calls.map(|call| ask(state, &call)).collect())
}

fn one(call: Result<CallId, String>, otherwise: impl FnOnce() -> Event) -> Vec<Action> {
    match call {
        Ok(call) => vec![Action::Call(call)],
        Err(_) => Action::recorded(otherwise()),
    }
}

/// Returns the next attempt of a debate call; an error says why there is none.
fn call(
    state: &State,
    debate: DebateId,
    part: DebatePart,
    member: RoleId,
    turn: u32,
) -> Result<CallId, String> {
    let first = first_call(state, debate, part, member, turn);
    match next_try(state, &first) {
        NextAttempt::Call(call) => Ok(call),
        NextAttempt::Unusable(_, why) | NextAttempt::Away(_, why) => Err(why),
    }
}

fn first_call(
    state: &State,
    debate: DebateId,
    part: DebatePart,
    member: RoleId,
    turn: u32,
) -> CallId {
    CallId::new(
        Scope::Debate(debate.0),
        Purpose::Debate(part),
        member,
        state.round,
        turn,
    )
}
