//! The next step of a review, derived from the state.

use super::event::ReviewClosed;
use super::record::{
    AMENDED_FOR_CHECK, AMENDED_FOR_REVIEW, MissedPart, NoReviewReason, Review, Writing,
};
use crate::call::{CallId, Purpose, Scope};
use crate::machine::action::Action;
use crate::machine::event::Event;
use crate::machine::next::{ask, side_by_side};
use crate::machine::state::{Stage, State};
use crate::machine::team::TeamWork;
use crate::role::RoleId;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ReviewStep {
    /// The engine checks the plan.
    Check,
    /// Calls that may run in parallel.
    Calls(Vec<CallId>),
    /// Nothing is left to do.
    Close,
}

/// Returns the next step; `None` if no review is in progress.
pub(super) fn due(state: &State) -> Option<ReviewStep> {
    if state.stage != Stage::Reviewing {
        return None;
    }
    let review = &state.review;
    // The engine checks documents only.
    if review.checks == 0 && state.team.is_none() {
        return Some(ReviewStep::Check);
    }
    if !review.heard {
        let missing = reviewers(state).filter(|id| !has_reviewed(review, id));
        let calls = missing.map(|id| call(state, Purpose::Review, id, 1));
        return Some(ReviewStep::Calls(calls.collect()));
    }
    for pass in [AMENDED_FOR_REVIEW, AMENDED_FOR_CHECK] {
        let calls = amendments(state, pass);
        if !calls.is_empty() {
            return Some(ReviewStep::Calls(calls));
        }
        let amended = review.amended.values().any(|amended| *amended == pass);
        if amended && review.checks == pass {
            return Some(ReviewStep::Check);
        }
    }
    let disputed = reviewers(state)
        .filter(|id| !review.judged.contains(*id) && review.put_back_to(id).next().is_some());
    let calls: Vec<CallId> = disputed
        .map(|id| call(state, Purpose::Verdict, id, 1))
        .collect();
    Some(if calls.is_empty() {
        ReviewStep::Close
    } else {
        ReviewStep::Calls(calls)
    })
}

/// Returns the reviewers, in the order of the members: everybody, or in a team those whose work is
/// part of the synthesis.
pub(super) fn reviewers(state: &State) -> impl Iterator<Item = &RoleId> {
    let contributors = state.team.as_ref().map(TeamWork::contributors);
    let members = state.inputs.roles.members.iter().map(|role| &role.id);
    members.filter(move |id| contributors.as_ref().is_none_or(|all| all.contains(id)))
}

/// Returns whether a member gave a review or failed to.
pub(super) fn has_reviewed(review: &Review, member: &RoleId) -> bool {
    review.waiting.contains_key(member) || review.missed(member, MissedPart::Review)
}

/// Returns whether this amendment is back, or nothing was to be amended.
fn is_through(review: &Review, writing: Writing, pass: u32) -> bool {
    let amended = review.amended.get(&writing).copied().unwrap_or_default();
    amended >= pass || review.put_to(writing, pass).next().is_none()
}

/// Returns the call for the report.
pub(in crate::machine) fn words_call(state: &State) -> CallId {
    call(state, Purpose::Report, &state.inputs.roles.coach.id, 1)
}

/// Returns the calls to amend documents with findings to fix whose predecessors are done.
fn amendments(state: &State, pass: u32) -> Vec<CallId> {
    let is_through = |writing| is_through(&state.review, writing, pass);
    // An unchanged document may lie between two others. Each kind names all that come before it;
    // otherwise a prompt would depend on which amendment came back first.
    let documents = state
        .document_dag()
        .ready(|kind| is_through(Writing::Document(*kind)))
        .into_iter()
        .map(Writing::Document);
    let synthesis = Some(Writing::Synthesis).filter(|it| !is_through(*it));
    let calls = documents.chain(synthesis).filter_map(|writing| {
        let writer = writing.writer(state)?;
        Some(call(state, writing.purpose(), writer, pass + 1))
    });
    calls.collect()
}

fn call(state: &State, purpose: Purpose, member: &RoleId, turn: u32) -> CallId {
    CallId::new(Scope::Root, purpose, member.clone(), state.round, turn)
}

/// What is to be done next.
pub(in crate::machine) fn actions(state: &State) -> Vec<Action> {
    match due(state) {
        None => Vec::new(),
        Some(ReviewStep::Check) => vec![Action::CheckPlan],
        Some(ReviewStep::Calls(calls)) => {
            side_by_side(calls.iter().map(|call| ask(state, call)).collect())
        }
        Some(ReviewStep::Close) => {
            let closed = ReviewClosed::of(state, None);
            Action::recorded(Event::ReviewClosed(closed))
        }
    }
}

/// Returns whether this call of the review may be started.
pub(in crate::machine) fn is_due(state: &State, call: &CallId) -> bool {
    matches!(due(state), Some(ReviewStep::Calls(calls)) if calls.contains(&call.unlooked()))
}

/// Why a call of the review was not made below a cap.
const NO_ROOM: &str = "it was not asked, since the budget has no room for it";

/// Returns the event that is recorded in place of a call that does not fit the budget cap. The call
/// counts as missing, and the findings of others are amended as far as the budget allows. If nobody
/// has reviewed yet, there is no review.
pub fn without_room(state: &State, call: &CallId) -> Event {
    let is_begun = state.review.heard || !state.review.waiting.is_empty();
    if is_begun {
        return Event::CallGivenUp {
            call: call.unlooked(),
            reason: NO_ROOM.to_owned(),
        };
    }
    Event::ReviewClosed(ReviewClosed::of(state, Some(NoReviewReason::Budget)))
}
