//! When a debate is held: what asks for one, and what stands against it.

use super::divergence::Divergence;
use super::motion::{DebateConfig, MAX_DEBATES, Motion, Trigger};
use super::plain;
use super::record::Debate;
use crate::workshop::ending;
use crate::workshop::ids::{DebateId, IssueId};
use crate::workshop::state::{Stage, State};

/// Initial issues up to which work is small: no debate is held by itself.
pub const MAX_SMALL_ISSUES: usize = 2;

/// Is this small work: `--light`, or at most two initial issues?
pub fn is_small_work(state: &State) -> bool {
    state.inputs.light || state.initial_issues <= MAX_SMALL_ISSUES
}

/// What the next debate is about, if one is due now. Only between rounds, with
/// no other going on; the caller has seen to questions and guards.
pub(super) fn motion(state: &State) -> Option<Motion> {
    if state.stage != Stage::Between || state.open_debate().is_some() || !has_room(state) {
        return None;
    }
    let found = state
        .divergence
        .as_ref()
        .filter(|d| is_still_open(state, d));
    found
        .map(|divergence| about_divergence(state, divergence))
        .or_else(|| review(state))
}

/// The debate that would be opened now, with the id it would get.
pub fn due_motion(state: &State) -> Option<(DebateId, Motion)> {
    Some((state.counters.clone().next_debate(), motion(state)?))
}

/// Are divergences looked for in the round that is being summed up?
pub fn looks_for_divergence(state: &State) -> bool {
    state.inputs.limits.debates.divergence
        && has_room(state)
        && !is_small_work(state)
        // A conclusion needs a round in which stances are taken on it.
        && state.round < ending::max_rounds(state)
}

/// Was the issue debated in this run?
pub(super) fn was_debated(state: &State, issue: IssueId) -> bool {
    let mut debates = state.debates.iter();
    debates.any(|debate| debate.motion.about == Some(issue))
}

/// May one more debate be held? Every debate counts, however it came about.
pub(super) fn has_room(state: &State) -> bool {
    let most = state.inputs.limits.debates.max.min(MAX_DEBATES);
    state.debates.len() < most as usize
}

/// Is the discussion's time up, or its end decided? A debate that goes on is
/// then ruled on at once.
pub(super) fn is_time_up(state: &State) -> bool {
    if state.ending.decided.is_some() {
        return true;
    }
    let minutes = u64::from(state.inputs.limits.max_duration_minutes);
    state.active_ms >= minutes * 60_000
}

fn is_still_open(state: &State, divergence: &Divergence) -> bool {
    let issue = state.ledger.find(divergence.issue);
    issue.is_some_and(|issue| issue.is_open())
}

fn about_divergence(state: &State, divergence: &Divergence) -> Motion {
    let participants = divergence.sides.iter().map(|side| side.member.clone());
    Motion {
        debate_config: DebateConfig {
            topic: divergence.question.clone(),
            participants: participants.collect(),
            max_rounds: state.inputs.limits.debates.rounds,
            skip: false,
        },
        about: Some(divergence.issue),
        sides: divergence.sides.clone(),
        trigger: divergence.trigger,
    }
}

/// The review of the first issue list, before round 1.
fn review(state: &State) -> Option<Motion> {
    let wanted = state.inputs.limits.debates.review && !is_small_work(state);
    let held = |debate: &Debate| debate.motion.trigger == Trigger::Review;
    if !wanted || state.round > 0 || state.debates.iter().any(held) {
        return None;
    }
    let members = state.inputs.roles.members.iter();
    Some(Motion {
        debate_config: DebateConfig {
            topic: plain::review(state.inputs.doc_lang).to_owned(),
            participants: members.map(|role| role.id.clone()).collect(),
            max_rounds: state.inputs.limits.debates.rounds,
            skip: false,
        },
        about: None,
        sides: Vec::new(),
        trigger: Trigger::Review,
    })
}
