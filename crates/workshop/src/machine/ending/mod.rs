//! The only place that decides how a discussion ends.
//!
//! It reads nothing but the state: rounds, `active_ms` of the entries, tokens, recorded similarity
//! figures. It returns what is due: an event ([`due`], [`overrides`]) or a question to the user
//! ([`asks`]). Only an empty list of blocking issues counts as agreement.

mod detect;
mod rules;
mod state;
mod transition;

pub use rules::{EndingRules, MarkerRules};
pub use state::{EndCause, EndingState, Stop};

use std::time::Duration;

use super::budget::{self, Reserve};
use super::event::{Event, FailureKind, StopReason, StopSign};
use super::state::{CallHistory, Stage, State};
use super::team::TeamWork;
use super::{debate, proposal, vote};
use crate::call::{CallId, Purpose, Scope};

const MS_PER_MINUTE: u64 = 60_000;

/// Returns the end if it must not wait: it is already decided or the time is up, and there is no
/// round to summarise.
pub fn overrides(state: &State) -> Option<Event> {
    let Some(decided) = state.ending.decided else {
        return cut_at_the_first_word(state);
    };
    let is_due = match state.stage {
        Stage::Judging => true,
        Stage::Between => is_pending(state),
        Stage::Speaking | Stage::Summarising => !has_to_be_summed_up(state),
        _ => false,
    };
    is_due.then(|| carried_out(state, decided))
}

/// Returns the end of a discussion whose time was up before anybody spoke in this round; the
/// results of earlier rounds are kept.
fn cut_at_the_first_word(state: &State) -> Option<Event> {
    let is_speaking = state.stage == Stage::Speaking && state.round > 1;
    let goes_on = !is_speaking || said_something(state) || !time_is_up(state);
    let cut = |(turn, member)| {
        let speech = CallId::new(Scope::Root, Purpose::Speech, member, state.round, turn);
        let history = state
            .calls
            .troubled
            .get(&state.grounding.looks.due(&speech));
        history.is_some_and(|it| it.failures > 0 && it.last_kind == Some(FailureKind::Timeout))
    };
    (!goes_on && state.next_speakers().into_iter().any(cut))
        .then(|| Event::DiscussionEnded(EndCause::now(state, StopReason::TimeLimit)))
}

/// Returns whether the time limit is reached and applies without asking the user.
fn time_is_up(state: &State) -> bool {
    is_reached(state, StopReason::TimeLimit) && is_obeyed(state, StopReason::TimeLimit)
}

/// Returns whether the coach can still summarise the current round. A team's results need no
/// summary: the lead combines them.
pub fn has_to_be_summed_up(state: &State) -> bool {
    let goes_on = match state.stage {
        Stage::Speaking => said_something(state),
        Stage::Summarising => state.team.is_none(),
        _ => false,
    };
    goes_on && !has_no_summary(state)
}

/// Returns the event about the ending that is due now, if any.
pub fn due(state: &State) -> Option<Event> {
    proposal::due(state)
        .or_else(|| vote::result(state))
        .or_else(|| ended(state))
        .or_else(|| warning(state))
}

/// Returns what the user must be asked before anything else happens: whether to apply a limit, or
/// whether to confirm a proposal.
pub fn asks(state: &State) -> Option<StopReason> {
    if state.ending.decided.is_some() || !state.ending.attended || debate::comes_first(state) {
        return None;
    }
    if state.ending.proposal.as_ref().is_some_and(|p| p.on_record)
        && state.inputs.rules.ending.marker.require_confirmation
    {
        return Some(StopReason::Proposal);
    }
    let between = state.stage == Stage::Between;
    let speaking = state.stage == Stage::Speaking && said_something(state);
    let reached = |guard| is_reached(state, guard) && !is_obeyed(state, guard);
    if between && reached(StopReason::RoundLimit) {
        return Some(StopReason::RoundLimit);
    }
    ((between || speaking) && reached(StopReason::TimeLimit)).then_some(StopReason::TimeLimit)
}

/// Returns by how much a limit is extended if the user continues, in rounds or minutes.
pub fn extension(state: &State, guard: StopReason) -> u64 {
    let limits = &state.inputs.rules.limits;
    let gap = |limit: u32, warn_at: u32| u64::from(limit.saturating_sub(warn_at).max(1));
    match guard {
        StopReason::RoundLimit => gap(limits.max_rounds, limits.warn_at_rounds),
        StopReason::TimeLimit => gap(limits.max_duration_minutes, limits.warn_at_minutes),
        _ => 0,
    }
}

/// Returns how much longer the discussion may run after `active_ms` milliseconds of work; zero once
/// the time is up, `None` if the user is asked about the time limit.
pub fn time_left(state: &State, active_ms: u64) -> Option<Duration> {
    let (_, minutes) = figures(state, StopReason::TimeLimit);
    let left = minutes
        .saturating_mul(MS_PER_MINUTE)
        .saturating_sub(active_ms);
    is_obeyed(state, StopReason::TimeLimit).then(|| Duration::from_millis(left))
}

/// Returns whether the round must be cut short: the speeches so far are summarised, and nobody else
/// is called.
pub fn cuts_round_short(state: &State) -> bool {
    (state.ending.decided.is_some() || time_is_up(state)) && said_something(state)
}

/// Returns the maximum number of rounds. Small work gets one, and a second if a blocking issue is
/// still open; the user may have granted more.
pub fn max_rounds(state: &State) -> u32 {
    let limit = state.inputs.rules.limits.max_rounds;
    // A layer of a team is not a round of discussion: small work has as many as it needs.
    let limit = if state.inputs.light && state.team.is_none() {
        limit.min(2)
    } else {
        limit
    };
    limit.saturating_add(u32::try_from(state.ending.granted_rounds).unwrap_or(u32::MAX))
}

/// Returns the current figure of a guard, and its limit.
pub fn figures(state: &State, guard: StopReason) -> (u64, u64) {
    match guard {
        StopReason::RoundLimit => (u64::from(state.round), u64::from(max_rounds(state))),
        StopReason::TimeLimit => (
            state.run.active_ms / MS_PER_MINUTE,
            u64::from(state.inputs.rules.limits.max_duration_minutes)
                .saturating_add(state.ending.granted_minutes),
        ),
        StopReason::Proposal => (state.ledger.blocking().count() as u64, 0),
        _ => (0, 0),
    }
}

/// Returns the end of the run if the user has not answered for too long.
pub fn silence_of_the_user(state: &State) -> Option<Event> {
    let minutes = u64::from(state.inputs.rules.ending.user_timeout_minutes);
    let waits = state.questions.waiting().next().is_some();
    (waits && state.ending.auto_exit).then(|| {
        let (reason, sign) = (StopReason::Silence, Some(StopSign::Unanswered));
        Event::DiscussionEnded(EndCause::new(reason, sign, (minutes, minutes)))
    })
}

/// Returns the end that a call of the discussion would cause because its estimated cost, together
/// with the closing calls, does not fit the budget; `None` if the call may be made.
///
/// Tokens are checked before money.
pub fn ceiling(state: &State, reserve: Reserve) -> Option<Event> {
    let (unit, figures) = budget::passed_by_discussion(state, reserve)?;
    Some(Event::DiscussionEnded(EndCause {
        unit: Some(unit),
        ..EndCause::new(StopReason::Budget, None, figures)
    }))
}

pub(super) fn is_reached(state: &State, guard: StopReason) -> bool {
    let (value, limit) = figures(state, guard);
    value >= limit
}

/// Returns whether a limit applies without asking the user.
fn is_obeyed(state: &State, guard: StopReason) -> bool {
    let rules = &state.inputs.rules.ending;
    let by_flag =
        rules.firm.contains(&guard) || (guard == StopReason::RoundLimit && state.inputs.light);
    !state.ending.attended || state.ending.auto_exit || by_flag
}

/// Returns the end that a guard causes between two rounds.
pub(super) fn ended(state: &State) -> Option<Event> {
    if state.stage != Stage::Between || debate::comes_first(state) {
        return None;
    }
    if is_agreed(state) {
        return Some(completed(state));
    }
    if let Some(decided) = state.ending.decided {
        return Some(carried_out(state, decided));
    }
    for guard in [StopReason::RoundLimit, StopReason::TimeLimit] {
        if is_reached(state, guard) && is_obeyed(state, guard) {
            return Some(Event::DiscussionEnded(EndCause::now(state, guard)));
        }
    }
    if !state.ending.auto_exit || asks(state).is_some() {
        return None;
    }
    detect::found(state, |_| true).map(Event::DiscussionEnded)
}

/// Returns whether no blocking issue is open, everybody has spoken, and the members have seen every
/// message of the user. In a team: whether every phase has ended.
fn is_agreed(state: &State) -> bool {
    if let Some(team) = &state.team {
        // The lead sees the user's last messages when it closes.
        return team.is_done();
    }
    let heard = state.ending.unheard.is_empty() || state.ending.decided.is_some();
    state.round > 0
        && heard
        && state.next_speakers().is_empty()
        && state.ledger.blocking().next().is_none()
}

/// Returns the end of a finished discussion. A team with phases that gave no result ends
/// incomplete; an agreement among models known to be too small does not count as one.
fn completed(state: &State) -> Event {
    let team = state.team.as_ref();
    Event::DiscussionEnded(match team.map_or(0, TeamWork::without_result) {
        0 if !state.inputs.rules.ending.may_not_agree.is_empty() => {
            EndCause::now(state, StopReason::SmallModel)
        }
        0 => EndCause::now(state, StopReason::Consensus),
        nothing => {
            let phases = team.map_or(0, |team| team.plan.work().count());
            let figures = (nothing as u64, phases as u64);
            EndCause::new(StopReason::Incomplete, None, figures)
        }
    })
}

fn said_something(state: &State) -> bool {
    state.discussion.speeches_of(state.round).next().is_some()
}

/// Returns whether a question is pending. An end that is already decided does not wait for the
/// answer.
pub fn is_pending(state: &State) -> bool {
    state.questions.pending().next().is_some()
}

/// Returns whether the coach gave no usable summary after a nudge or all its retries. An end that
/// is already decided does not wait for further attempts.
fn has_no_summary(state: &State) -> bool {
    state.calls.troubled.iter().any(|(call, history)| {
        let spent = history.rejections + history.cuts;
        let idle = history.last_nudged.is_some() || spent >= CallHistory::MAX_REJECTIONS;
        idle && call.purpose == Purpose::Summary && call.round == state.round
    })
}

fn warning(state: &State) -> Option<Event> {
    let is_new = |guard| !state.ending.warned.contains(&guard);
    let limits = [StopReason::RoundLimit, StopReason::TimeLimit];
    let near = limits.into_iter().find_map(|guard| {
        let end = EndCause::now(state, guard);
        let is_near = end.value >= warns_at(state, guard)? && end.value < end.limit;
        (is_near && is_new(guard)).then_some(end)
    });
    let looks = state.stage == Stage::Between && state.round > 0;
    near.or_else(|| detect::found(state, |guard| looks && is_new(guard)))
        .map(Event::GuardWarned)
}

/// Returns the figure at which a warning is due: the configured one if it is below the limit;
/// otherwise four fifths of the limit. If the user granted an extension: half an extension before
/// the limit. `None` for a limit of one or two, where a warning would come at once.
fn warns_at(state: &State, guard: StopReason) -> Option<u64> {
    let limits = &state.inputs.rules.limits;
    let (told, granted) = match guard {
        StopReason::RoundLimit => (limits.warn_at_rounds, state.ending.granted_rounds),
        StopReason::TimeLimit => (limits.warn_at_minutes, state.ending.granted_minutes),
        _ => return None,
    };
    let (_, limit) = figures(state, guard);
    if granted > 0 {
        return Some(limit.saturating_sub(extension(state, guard).div_ceil(2)));
    }
    if u64::from(told) < limit {
        return Some(told.into());
    }
    (limit > 2).then(|| limit - (limit / 5).max(1))
}

fn carried_out(state: &State, decided: EndCause) -> Event {
    // The summary that followed a proposal may have settled issues that were open then.
    Event::DiscussionEnded(match decided.reason {
        StopReason::Proposal => EndCause::now(state, StopReason::Proposal),
        _ => decided,
    })
}
