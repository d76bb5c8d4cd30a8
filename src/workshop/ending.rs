//! The one place that decides how a discussion ends.
//!
//! Fed with the state alone: rounds, `active_ms` of the entries, tokens. Only
//! an empty list of blocking issues is agreement.

use super::event::{Event, StopReason};
use super::state::{Stage, State};

const MS_PER_MINUTE: u64 = 60_000;

/// A warning or an ending that is due now, if any.
pub fn decide(state: &State) -> Option<Event> {
    if state.stage == Stage::Between {
        if state.round > 0 && round_was_whole(state) && state.ledger.blocking().next().is_none() {
            return Some(fired(StopReason::Consensus, 0, 0));
        }
        let rounds = u64::from(state.round);
        let limit = u64::from(max_rounds(state));
        if rounds >= limit {
            return Some(fired(StopReason::RoundLimit, rounds, limit));
        }
        let minutes = state.active_ms / MS_PER_MINUTE;
        let minutes_limit = u64::from(state.inputs.limits.max_duration_minutes);
        if minutes >= minutes_limit {
            return Some(fired(StopReason::TimeLimit, minutes, minutes_limit));
        }
    }
    warning(state)
}

/// Is time up in the middle of a round? What was said is summed up, nobody else is asked.
pub fn cuts_round_short(state: &State) -> bool {
    let limit = u64::from(state.inputs.limits.max_duration_minutes) * MS_PER_MINUTE;
    state.active_ms >= limit && state.speeches_of(state.round).next().is_some()
}

/// Rounds allowed: small work gets one, and a second if something blocking is left.
pub fn max_rounds(state: &State) -> u32 {
    let limit = state.inputs.limits.max_rounds;
    if state.inputs.light {
        limit.min(2)
    } else {
        limit
    }
}

/// Agreement needs everybody to have had their turn.
fn round_was_whole(state: &State) -> bool {
    state.next_speakers().is_empty()
}

fn warning(state: &State) -> Option<Event> {
    let limits = &state.inputs.limits;
    let rounds = u64::from(state.round);
    let minutes = state.active_ms / MS_PER_MINUTE;
    let due = [
        (
            StopReason::RoundLimit,
            rounds,
            u64::from(limits.warn_at_rounds),
            u64::from(max_rounds(state)),
        ),
        (
            StopReason::TimeLimit,
            minutes,
            u64::from(limits.warn_at_minutes),
            u64::from(limits.max_duration_minutes),
        ),
    ];
    due.into_iter()
        .find(|(guard, value, warn_at, limit)| {
            value >= warn_at && value < limit && !state.warned.contains(guard)
        })
        .map(|(guard, value, _, limit)| Event::GuardWarned {
            guard,
            value,
            limit,
        })
}

fn fired(guard: StopReason, value: u64, limit: u64) -> Event {
    Event::GuardFired {
        guard,
        value,
        limit,
    }
}
