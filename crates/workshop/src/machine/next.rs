//! The next actions, derived from the state.

use super::action::{Action, GiveUp};
use super::carry_over;
use super::debate;
use super::event::Event;
use super::evidence;
use super::format::Format;
use super::inquiry::{self, InquiryId};
use super::next_attempt::{NextAttempt, next_try};
use super::question::{Question, QuestionStatus};
use super::review;
use super::similarity;
use super::state::{Stage, State};
use super::{diligence, ending, team, vote};
use crate::call::{CallId, DebatePart, Purpose, Scope};
use crate::ids::QuestionId;
use crate::role::RoleId;

/// Returns the next actions. Several calls in one list may run in parallel. The list is empty once
/// the last line is recorded; what is left then is to write the files and to name the version.
pub fn next_actions(state: &State) -> Vec<Action> {
    if let Some(end) = debate::at_closing(state) {
        return vec![end];
    }
    if let Some(event) = ending::overrides(state).or_else(|| diligence::switch_off(state)) {
        return Action::recorded(event);
    }
    if !evidence::due(state).is_empty() {
        return vec![Action::Verify];
    }
    match state.stage {
        Stage::Opening => vec![Action::Survey],
        // A coach without a usable answer leads to a question even before the first round.
        Stage::Judging if diligence::asks(state) => clarification(state).unwrap_or_default(),
        Stage::Judging => vec![coach(state, Purpose::Judgment, 1)],
        Stage::Between | Stage::Speaking | Stage::Summarising => {
            clarification(state).unwrap_or_else(|| discussion(state))
        }
        Stage::Writing => documents(state),
        Stage::Reporting => vec![ask(state, &review::words_call(state))],
        Stage::Reviewing => review::actions(state),
        Stage::Complete => vec![Action::Complete],
        Stage::Published => Vec::new(),
    }
}

fn discussion(state: &State) -> Vec<Action> {
    if let Some(actions) = debate::going_on(state) {
        return actions;
    }
    if let Some(first) = team::revision_due(state) {
        return vec![ask(state, &first)];
    }
    if let Some(actions) = debate::begin_wanted(state) {
        return actions;
    }
    if let Some(event) = ending::due(state) {
        return Action::recorded(event);
    }
    let voters = vote::due_from(state);
    if !voters.is_empty() {
        let turn = state.ending.votes.0;
        let ask = |member| call(state, Scope::Root, Purpose::Vote, member, turn);
        return side_by_side(voters.into_iter().map(ask).collect());
    }
    if let Some(guard) = ending::asks(state) {
        return vec![Action::AskEnd(guard)];
    }
    if let Some(actions) = team::due(state) {
        return actions;
    }
    match state.stage {
        Stage::Speaking if !ending::cuts_round_short(state) => {
            let mut speakers = state.next_speakers();
            if !state.is_blind_round() {
                speakers.truncate(1);
            }
            let actions = speakers
                .into_iter()
                .map(|(turn, member)| call(state, Scope::Root, Purpose::Speech, member, turn))
                .collect();
            side_by_side(actions)
        }
        Stage::Between => debate::begin(state).unwrap_or_else(|| {
            let issues = state.ledger.open().map(|issue| issue.id).collect();
            vec![Action::record(Event::RoundStarted { issues })]
        }),
        _ => vec![measurement(state).unwrap_or_else(|| {
            let turn = state.inputs.roles.members.len() as u32 + 1;
            coach(state, Purpose::Summary, turn)
        })],
    }
}

/// Returns the action that compares the round with earlier ones before the coach summarises:
/// computed directly, or by an embeddings endpoint.
fn measurement(state: &State) -> Option<Action> {
    if !similarity::is_due(state) {
        return None;
    }
    if state.inputs.rules.similarity.embeddings().is_some() {
        return Some(Action::Measure);
    }
    let measurement = similarity::Lexical::recent(|memo| similarity::measure(state, memo));
    (!measurement.is_empty()).then(|| Action::record(Event::SimilarityMeasured { measurement }))
}

/// Only calls run side by side: they come first, then what is recorded, one at a time.
pub(super) fn side_by_side(mut actions: Vec<Action>) -> Vec<Action> {
    if actions.iter().any(|a| matches!(a, Action::Call(_))) {
        actions.retain(|a| matches!(a, Action::Call(_)));
    } else {
        actions.sort_by_key(|action| !matches!(action, Action::Record(_)));
        actions.truncate(1);
    }
    actions
}

/// Returns the clarification that comes before anything else, if there is one; none once the end is
/// decided, which leaves open questions unanswered.
fn clarification(state: &State) -> Option<Vec<Action>> {
    if state.ending.decided.is_some() {
        return None;
    }
    let first = |wanted: fn(&Question) -> bool| {
        let mut asked = state.questions.asked.iter();
        asked.find(|question| wanted(question))
    };
    let unlooked: Vec<InquiryId> = inquiry::due(state).map(|raised| raised.id).collect();
    if !unlooked.is_empty() {
        return Some(vec![Action::Inquire(unlooked)]);
    }
    let raised = first(|q| q.status == QuestionStatus::Raised && !q.asked_by.is_coach());
    if let Some(question) = raised {
        let scope = Scope::Question(question.id.0);
        return Some(vec![call(state, scope, Purpose::Relay, RoleId::coach(), 1)]);
    }
    let passed = first(|q| {
        matches!(
            q.status,
            QuestionStatus::Passed { .. } | QuestionStatus::Raised
        )
    });
    if let Some(question) = passed {
        return Some(vec![Action::record(Event::UserClarificationNeeded {
            id: question.id,
            asked: question.current_text().to_owned(),
            issue: question.blocks,
        })]);
    }
    if let Some(question) = first(|q| q.status == QuestionStatus::Replied) {
        return Some(vec![call(
            state,
            Scope::Question(question.id.0),
            Purpose::FollowUp,
            question.asked_by.clone(),
            question.dialogue.len() as u32,
        )]);
    }
    let waiting: Vec<QuestionId> = state.questions.waiting().map(|q| q.id).collect();
    (!waiting.is_empty()).then(|| vec![Action::AskUser(waiting)])
}

/// Returns the actions for every document whose predecessors exist: one that nothing affects is
/// carried over, the others are written.
fn documents(state: &State) -> Vec<Action> {
    let ready = state.next_documents();
    let mut carried = ready
        .iter()
        .filter_map(|kind| carry_over::due(state, *kind));
    if let Some(event) = carried.next() {
        return Action::recorded(event);
    }
    let actions = ready
        .into_iter()
        .filter_map(|kind| {
            let writer = state.inputs.roles.writer(kind)?.id.clone();
            Some(call(state, Scope::Root, Purpose::Document(kind), writer, 1))
        })
        .collect();
    side_by_side(actions)
}

/// The next try of a call of the coach in the root dialogue.
fn coach(state: &State, purpose: Purpose, turn: u32) -> Action {
    call(state, Scope::Root, purpose, RoleId::coach(), turn)
}

/// The next try of a call, or what to do when it has been tried often enough.
fn call(state: &State, scope: Scope, purpose: Purpose, member: RoleId, turn: u32) -> Action {
    ask(
        state,
        &CallId::new(scope, purpose, member, state.round, turn),
    )
}

/// The same, for a call by its first try.
pub(super) fn ask(state: &State, first: &CallId) -> Action {
    let first = state.grounding.looks.due(first);
    let (call, reason, is_away) = match next_try(state, &first) {
        NextAttempt::Call(call) => return Action::Call(call),
        NextAttempt::Unusable(call, why) => (call, why, false),
        NextAttempt::Away(call, why) => (call, why, true),
    };
    if goes_on_without(state, &first, is_away) {
        return Action::record(Event::CallGivenUp {
            call: first,
            reason,
        });
    }
    Action::GiveUp(match is_away {
        true => GiveUp::ProviderUnavailable { call },
        false => GiveUp::UnusableReply { call },
    })
}

/// Returns whether the run goes on without an answer to a call. A provider that is away is no
/// fault of the call, and most wait for it.
fn goes_on_without(state: &State, first: &CallId, is_away: bool) -> bool {
    let history = state.calls.troubled.get(first);
    // Others may still succeed where this one is refused.
    let is_hopeless = || !is_away || history.is_some_and(|it| it.hopeless().is_some());
    match first.purpose {
        Purpose::Debate(DebatePart::Argument) => true,
        // In a team it only says what divides results.
        Purpose::Summary => state.team.is_some(),
        // The question is the user's then, and the user's reply counts.
        Purpose::Relay | Purpose::FollowUp => is_hopeless(),
        Purpose::Review | Purpose::Verdict => is_hopeless(),
        Purpose::Document(_) => first.amends() && is_hopeless(),
        Purpose::Report => first.amends() && state.team.is_some() && is_hopeless(),
        Purpose::Step | Purpose::Vote => !is_away,
        Purpose::Judgment => !is_away && state.inputs.format == Format::Team,
        // One silent member a round is a loss that can be named; two are no discussion.
        Purpose::Speech => !is_away && may_pass_over(state),
        Purpose::Debate(_) => false,
    }
}

/// Returns whether one more member of this round may be passed over.
fn may_pass_over(state: &State) -> bool {
    state.speakers(state.round).len() > 1 && state.passed_over_in(state.round).next().is_none()
}
