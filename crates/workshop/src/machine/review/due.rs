//! The next step of a review, derived from the state.

use super::event::ReviewClosed;
use super::record::{
    AMENDED_FOR_CHECK, AMENDED_FOR_REVIEW, Finding, MissedPart, Review, Unreviewed, Writing,
};
use crate::call::{CallId, Purpose, Scope};
use crate::machine::action::Action;
use crate::machine::event::Event;
use crate::machine::next::{ask, side_by_side};
use crate::machine::state::{Stage, State};
use crate::machine::team::TeamWork;
use crate::reply::DocumentKind;
use crate::role::RoleId;

/// A step of the review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Due {
    /// The engine checks the plan.
    Check,
    /// Calls that may run in parallel.
    Calls(Vec<CallId>),
    /// Nothing is left to do.
    Close,
}

/// Returns the next step; `None` if no review is in progress.
pub(super) fn due(state: &State) -> Option<Due> {
    if state.stage != Stage::Reviewing {
        return None;
    }
    let review = &state.review;
    // The engine checks documents only.
    if review.checks == 0 && state.team.is_none() {
        return Some(Due::Check);
    }
    if !review.heard {
        let missing = reviewers(state).filter(|id| !has_reviewed(review, id));
        let calls = missing.map(|id| call(state, Purpose::Review, id, 1));
        return Some(Due::Calls(calls.collect()));
    }
    for pass in [AMENDED_FOR_REVIEW, AMENDED_FOR_CHECK] {
        let calls = amendments(state, pass);
        let is_last = calls.len() == unwritten(state, pass).count();
        let words = || pass == AMENDED_FOR_REVIEW && is_last && may_write_words(state);
        if calls.is_empty() && is_writing_words(state) {
            return Some(Due::Calls(vec![words_call(state)]));
        }
        if !calls.is_empty() {
            // The call for the report's words comes first, so that it starts whatever the limit of
            // parallel calls is.
            let words = words().then(|| words_call(state));
            return Some(Due::Calls(words.into_iter().chain(calls).collect()));
        }
        let amended = review.amended.values().any(|amended| *amended == pass);
        if amended && review.checks == pass {
            return Some(Due::Check);
        }
    }
    let disputed = reviewers(state)
        .filter(|id| !review.judged.contains(*id) && review.put_back_to(id).next().is_some());
    let calls: Vec<CallId> = disputed
        .map(|id| call(state, Purpose::Verdict, id, 1))
        .collect();
    Some(if calls.is_empty() {
        Due::Close
    } else {
        Due::Calls(calls)
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

/// Returns the documents, or the synthesis, with findings to fix in this pass that are not back
/// yet.
fn unwritten(state: &State, pass: u32) -> impl Iterator<Item = Writing> {
    let documents = state.document_kinds().into_iter().map(Writing::Document);
    let all = documents.chain([Writing::Synthesis]);
    all.filter(move |writing| !is_through(&state.review, *writing, pass))
}

/// Returns the findings that writers are still fixing while the report's opening words are written.
pub fn being_mended(state: &State) -> Vec<&Finding> {
    let waits = |finding: &&Finding| {
        let pass = finding.pass;
        let mut documents = finding.documents.iter();
        documents.any(|it| !is_through(&state.review, *it, pass))
    };
    match state.stage {
        Stage::Reviewing => state.review.findings.iter().filter(waits).collect(),
        _ => Vec::new(),
    }
}

/// Returns whether the report's opening words may be written in parallel with the last amendments.
/// They may not if a finder will be asked whether a finding holds, nor if they contain the whole
/// plan, which does not exist before.
fn may_write_words(state: &State) -> bool {
    let mut findings = state.review.findings.iter();
    let is_early = state.team.is_none() && !state.writes_one_text();
    is_early && state.documents.report.is_none() && !findings.any(Finding::is_disputed)
}

/// Returns whether the report's opening words were requested in parallel with amendments and are
/// still missing.
fn is_writing_words(state: &State) -> bool {
    let call = words_call(state);
    let is_asked = state.calls.open.keys().any(|open| open.unlooked() == call);
    let is_repeated = || may_write_words(state) && state.calls.troubled.contains_key(&call);
    state.team.is_none() && (is_asked || is_repeated())
}

/// Returns the call for the report's opening words: the first one, or the one that rewrites them.
pub(in crate::machine) fn words_call(state: &State) -> CallId {
    let turn = if state.documents.report.is_none() {
        1
    } else {
        2
    };
    call(state, Purpose::Report, &state.inputs.roles.coach.id, turn)
}

/// Returns the calls to amend documents with findings to fix whose predecessors are done.
fn amendments(state: &State, pass: u32) -> Vec<CallId> {
    let is_through = |writing| is_through(&state.review, writing, pass);
    // An unchanged document may lie between two others. Indirect dependencies therefore count too;
    // otherwise a prompt would depend on which amendment came back first.
    let dag = state.document_dag();
    let kinds = state.document_kinds();
    let is_written = |kind: &DocumentKind| is_through(Writing::Document(*kind));
    let waits = |kind: &DocumentKind| {
        kinds
            .iter()
            .any(|one| dag.rests_on(kind, one) && !is_written(one))
    };
    let ready = dag.ready(is_written);
    let documents = ready.into_iter().filter(|kind| !waits(kind));
    let documents = documents.map(Writing::Document);
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
        Some(Due::Check) => vec![Action::CheckPlan],
        Some(Due::Calls(calls)) => {
            side_by_side(calls.iter().map(|call| ask(state, call)).collect())
        }
        Some(Due::Close) => {
            let closed = ReviewClosed::of(state, None);
            Action::recorded(Event::ReviewClosed(closed))
        }
    }
}

/// Returns whether this call of the review may be started.
pub(in crate::machine) fn is_due(state: &State, call: &CallId) -> bool {
    matches!(due(state), Some(Due::Calls(calls)) if calls.contains(&call.unlooked()))
}

/// Why a call of the review was not made below a cap.
const NO_ROOM: &str = "it was not asked, since the budget has no room for it";

/// Returns the event that is recorded in place of a call that does not fit the budget cap. The call
/// counts as missing, and the findings of others are amended as far as the budget allows. If nobody
/// has reviewed yet, there is no review; if the report's opening words do not fit, the review ends.
pub fn without_room(state: &State, call: &CallId) -> Event {
    let is_begun = state.review.heard || !state.review.waiting.is_empty();
    let is_words = state.team.is_none() && call.purpose == Purpose::Report;
    if is_begun && !is_words {
        return Event::CallGivenUp {
            call: call.unlooked(),
            reason: NO_ROOM.to_owned(),
        };
    }
    Event::ReviewClosed(ReviewClosed::of(state, Some(Unreviewed::Budget)))
}
