//! What comes next in a review, read off the state.

use super::event::{Amended, Judged, ReviewClosed, Reviewed};
use super::record::{AMENDED_FOR_CHECK, AMENDED_FOR_REVIEW, MissedPart};
use crate::machine::action::Action;
use crate::machine::call::{CallId, Purpose, Scope};
use crate::machine::event::Event;
use crate::machine::state::{Stage, State};
use crate::reply::DocumentKind;
use crate::role::RoleId;

/// A step of the review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Due {
    /// The engine checks the plan.
    Check,
    /// Calls that may run side by side.
    Calls(Vec<CallId>),
    /// Nothing is left to do.
    Close,
}

/// What is due; none where no review goes on.
pub(super) fn due(state: &State) -> Option<Due> {
    if state.stage != Stage::Reviewing {
        return None;
    }
    let review = &state.review;
    if review.checks == 0 {
        return Some(Due::Check);
    }
    if !review.heard {
        let missing = state.inputs.roles.members.iter().map(|role| &role.id);
        let missing = missing.filter(|id| !has_reviewed(state, id));
        let calls = missing.map(|id| call(state, Purpose::Review, id, 1));
        return Some(Due::Calls(calls.collect()));
    }
    for pass in [AMENDED_FOR_REVIEW, AMENDED_FOR_CHECK] {
        let calls = amendments(state, pass);
        if !calls.is_empty() {
            return Some(Due::Calls(calls));
        }
        let amended = review.amended.values().any(|amended| *amended == pass);
        if amended && review.checks == pass {
            return Some(Due::Check);
        }
    }
    let finders = state.inputs.roles.members.iter().map(|role| &role.id);
    let disputed = finders
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

/// Has a member reviewed the plan, or failed to?
pub(super) fn has_reviewed(state: &State, member: &RoleId) -> bool {
    let review = &state.review;
    review.waiting.contains_key(member) || review.missed(member, MissedPart::Review)
}

/// Documents that have findings and whose predecessors are through.
fn amendments(state: &State, pass: u32) -> Vec<CallId> {
    let review = &state.review;
    let is_through = |kind: &DocumentKind| {
        let amended = review.amended.get(kind).copied().unwrap_or_default();
        amended >= pass || review.put_to(*kind, pass).next().is_none()
    };
    // A document that is left as it is stands between two others: what it rests on counts
    // at any remove, or a prompt would depend on which amendment came back first.
    let dag = state.document_dag();
    let kinds = state.document_kinds();
    let waits = |kind: &DocumentKind| {
        kinds
            .iter()
            .any(|one| dag.rests_on(kind, one) && !is_through(one))
    };
    let ready = dag.ready(is_through);
    let ready = ready.into_iter().filter(|kind| !waits(kind));
    let calls = ready.filter_map(|kind| {
        let writer = &state.inputs.roles.writer(kind)?.id;
        Some(call(state, Purpose::Document(kind), writer, pass + 1))
    });
    calls.collect()
}

fn call(state: &State, purpose: Purpose, member: &RoleId, turn: u32) -> CallId {
    CallId {
        scope: Scope::Root,
        purpose,
        member: member.clone(),
        round: state.round,
        turn,
        look: 0,
        ask: 0,
        attempt: 1,
    }
}

/// What is to be done next; `ask` makes an action of a call.
pub(in crate::machine) fn actions(state: &State, ask: impl Fn(CallId) -> Action) -> Vec<Action> {
    match due(state) {
        None => Vec::new(),
        Some(Due::Check) => vec![Action::CheckPlan],
        Some(Due::Calls(calls)) => calls.into_iter().map(ask).collect(),
        Some(Due::Close) => {
            let closed = ReviewClosed::of(state, None);
            vec![Action::Record(Box::new(Event::ReviewClosed(closed)))]
        }
    }
}

/// May this call of the review be started?
pub(in crate::machine) fn is_due(state: &State, call: &CallId) -> bool {
    matches!(due(state), Some(Due::Calls(calls)) if calls.contains(&call.unlooked()))
}

/// What is recorded of a call that brought nothing usable, by its first attempt.
pub(in crate::machine) fn missed(call: &CallId, reason: &str) -> Event {
    let (member, reason) = (call.member.clone(), Some(reason.to_owned()));
    match call.purpose {
        Purpose::Document(kind) => Event::Amendment(Amended {
            receipt: None,
            kind,
            content: None,
            findings: Vec::new(),
            notes: Vec::new(),
            missed: reason,
        }),
        Purpose::Verdict => Event::Verdicts(Judged {
            receipt: None,
            member,
            output: String::new(),
            verdicts: Vec::new(),
            notes: Vec::new(),
            missed: reason,
        }),
        _ => Event::Review(Reviewed {
            receipt: None,
            member,
            output: String::new(),
            findings: Vec::new(),
            notes: Vec::new(),
            missed: reason,
        }),
    }
}
