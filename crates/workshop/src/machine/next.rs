//! The next actions, derived from the state.

use super::action::{Action, GiveUp};
use super::call::{CallId, Purpose, Scope};
use super::carry;
use super::debate;
use super::event::Event;
use super::evidence;
use super::format::Format;
use super::inquiry::{self, Topic};
use super::question::{Question, QuestionStatus};
use super::review;
use super::similarity;
use super::state::{CallHistory, Stage, State};
use super::tries::{Try, next_try};
use super::vote::Ballot;
use super::{diligence, ending, proposal, team, vote};
use crate::ids::QuestionId;
use crate::role::RoleId;

/// Returns the next actions. Several calls in one list may run in parallel; the list is empty only
/// once the run is published.
pub fn next_actions(state: &State) -> Vec<Action> {
    if let Some(end) = debate::at_closing(state) {
        return vec![end];
    }
    if let Some(event) = proposal::at_closing(state) {
        return Action::recorded(event);
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
        Stage::Judging => {
            vec![call(
                state,
                Scope::Root,
                Purpose::Judgment,
                RoleId::coach(),
                1,
            )]
        }
        Stage::Between | Stage::Speaking | Stage::Summarising => {
            clarification(state).unwrap_or_else(|| discussion(state))
        }
        Stage::Closing => documents(state),
        Stage::Reporting => vec![opening_words(state)],
        Stage::Reviewing => side_by_side(review::actions(state, |call| of_review(state, &call))),
        Stage::Complete => vec![Action::Publish],
        Stage::Published => Vec::new(),
    }
}

fn discussion(state: &State) -> Vec<Action> {
    if let Some(actions) = debate::going_on(state) {
        return actions;
    }
    if let Some(actions) = team::revision(state) {
        return actions;
    }
    if let Some(actions) = debate::begin_wanted(state) {
        return actions;
    }
    if let Some(event) = ending::decide(state) {
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
        _ => measurement(state)
            .map(|action| vec![action])
            .unwrap_or_else(|| {
                let turn = state.inputs.roles.members.len() as u32 + 1;
                vec![call(
                    state,
                    Scope::Root,
                    Purpose::Summary,
                    RoleId::coach(),
                    turn,
                )]
            }),
    }
}

/// Returns the action that compares the round with earlier ones before the coach summarises:
/// computed directly, or by an embeddings endpoint.
fn measurement(state: &State) -> Option<Action> {
    if !similarity::is_due(state) {
        return None;
    }
    if state.inputs.similarity.embeddings().is_some() {
        return Some(Action::Measure);
    }
    let measurement = similarity::Lexical::recent(|memo| similarity::measure(state, memo));
    (!measurement.is_empty()).then(|| Action::record(Event::SimilarityMeasured { measurement }))
}

/// Keeps only calls if there are any, since they may run in parallel; otherwise only the first
/// action.
fn side_by_side(mut actions: Vec<Action>) -> Vec<Action> {
    if actions.iter().any(|a| matches!(a, Action::Call(_))) {
        actions.retain(|a| matches!(a, Action::Call(_)));
    } else {
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
    let with = |wanted: fn(&Question) -> bool| {
        state
            .questions
            .asked
            .iter()
            .filter(move |question| wanted(question))
    };
    let unlooked: Vec<Topic> = inquiry::due(state).map(|raised| raised.id).collect();
    if !unlooked.is_empty() {
        return Some(vec![Action::Inquire(unlooked)]);
    }
    let raised = with(|q| q.status == QuestionStatus::Raised && !q.asked_by.is_coach()).next();
    if let Some(first) = raised {
        let scope = Scope::Question(first.id.0);
        return Some(vec![call(state, scope, Purpose::Relay, RoleId::coach(), 1)]);
    }
    let passed = with(|q| {
        matches!(
            q.status,
            QuestionStatus::Passed { .. } | QuestionStatus::Raised
        )
    })
    .next();
    if let Some(question) = passed {
        return Some(vec![Action::record(Event::UserClarificationNeeded {
            id: question.id,
            asked: question.current_text().to_owned(),
            issue: question.blocks,
        })]);
    }
    if let Some(question) = with(|q| q.status == QuestionStatus::Replied).next() {
        return Some(vec![call(
            state,
            Scope::Question(question.id.0),
            Purpose::FollowUp,
            question.asked_by.clone(),
            question.dialogue.len() as u32,
        )]);
    }
    let waiting: Vec<QuestionId> = state.questions.waiting().map(|q| q.id).collect();
    (!waiting.is_empty()).then(|| vec![Action::AskHuman(waiting)])
}

/// Returns the actions for every document whose predecessors exist: one that nothing affects is
/// carried over, the others are written.
fn documents(state: &State) -> Vec<Action> {
    let ready = state.next_documents();
    let mut carried = ready.iter().filter_map(|kind| carry::due(state, *kind));
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

/// Returns the action for the report's opening words.
fn opening_words(state: &State) -> Action {
    let words = review::words_call(state);
    call(
        state,
        Scope::Root,
        Purpose::Report,
        words.member,
        words.turn,
    )
}

/// Returns the action for a call of the review. If it gives nothing usable, the review continues
/// without it, except for the opening words, without which there is no report.
fn of_review(state: &State, call: &CallId) -> Action {
    if call.purpose == Purpose::Report && state.team.is_none() {
        return opening_words(state);
    }
    let first = &state.grounding.looks.due(call);
    let history = state.calls.troubled.get(first);
    match history.and_then(CallHistory::hopeless) {
        Some(reason) => Action::record(review::missed(first, reason)),
        None => match next_try(state, first) {
            Try::Call(call) => Action::Call(call),
            Try::Away(call, _) | Try::Unusable(call, _) => {
                Action::GiveUp(GiveUp::ProviderUnavailable { call })
            }
        },
    }
}

/// Returns the next attempt of a call, or what to do after the last one.
fn call(state: &State, scope: Scope, purpose: Purpose, member: RoleId, turn: u32) -> Action {
    let first = CallId::new(scope, purpose, member, state.round, turn);
    let first = state.grounding.looks.due(&first);
    let history = state.calls.troubled.get(&first);
    if is_skippable(purpose)
        && let Some(reason) = history.and_then(CallHistory::hopeless)
    {
        return Action::record(Event::ClarificationSkipped {
            reason: reason.to_owned(),
            call: first,
        });
    }
    if let Some(unjudged) = debate::unjudged(state, &first) {
        return Action::record(Event::DivergenceUnjudged(unjudged));
    }
    let (call, reason) = match next_try(state, &first) {
        Try::Call(call) => return Action::Call(call),
        Try::Away(call, _) => return Action::GiveUp(GiveUp::ProviderUnavailable { call }),
        Try::Unusable(call, why) => (call, why),
    };
    if purpose == Purpose::Judgment && state.inputs.format == Format::Team {
        return Action::record(team::without_plan(state, &reason));
    }
    // One missing speaker per round can be named as a gap; two would be no discussion.
    if purpose == Purpose::Speech && may_pass_over(state) {
        return Action::record(Event::PassedOver {
            turn,
            member: call.member,
            reason,
            phase_id: None,
        });
    }
    if purpose == Purpose::Vote {
        return Action::record(Event::VoteCast {
            receipt: None,
            member: call.member,
            ballot: Ballot::Abstain,
            why: "no usable answer".to_owned(),
            output: String::new(),
            notes: Vec::new(),
        });
    }
    Action::GiveUp(GiveUp::UnusableReply { call })
}

/// Returns whether a dialogue can continue without a usable answer to such a call. The question
/// then goes to the user, whose reply counts.
pub(super) fn is_skippable(purpose: Purpose) -> bool {
    matches!(purpose, Purpose::Relay | Purpose::FollowUp)
}

/// Returns whether one more member of this round may be skipped.
pub(super) fn may_pass_over(state: &State) -> bool {
    state.speakers(state.round).len() > 1 && state.passed_over_in(state.round).next().is_none()
}
