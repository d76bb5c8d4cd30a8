//! What the discussion looks like from outside: rounds that repeat themselves.
//! Found, never concluded from: agreement is counted elsewhere.

use crate::workshop::event::{Sign, StopReason};
use crate::workshop::issue::IssueRecord;
use crate::workshop::similarity::{self, Keywords};
use crate::workshop::state::State;

/// A detector that found something, with its figure and threshold.
pub(super) struct Found {
    /// Which guard it belongs to.
    pub guard: StopReason,
    /// What it is a sign of.
    pub sign: Sign,
    /// The figure that the sign counts.
    pub value: u64,
    /// What it was held against.
    pub limit: u64,
}

/// What the last round looks like, the surest sign first.
pub(super) fn found(state: &State) -> Vec<Found> {
    let rules = &state.inputs.ending;
    let mut found = Vec::new();
    if rules.consensus_enabled {
        found.extend(repeated(state).or_else(|| converged(state)));
    }
    if rules.silence_enabled {
        found.extend(silent(state));
    }
    found
}

/// Every member says what it said in the rounds before.
fn repeated(state: &State) -> Option<Found> {
    let figures = similarity::steadiness(state, state.inputs.ending.lookback_rounds)?;
    figures.is_reached().then(|| Found {
        guard: StopReason::Similarity,
        sign: Sign::Repetition,
        value: figures.min.thousandths(),
        limit: figures.threshold.thousandths(),
    })
}

/// Disagreement has gone from the words, and nobody stands against an open issue:
/// words never outweigh a stance.
fn converged(state: &State) -> Option<Found> {
    let stands = |issue: &IssueRecord| !issue.objectors().is_empty();
    if state.ledger.open().any(stands) {
        return None;
    }
    // A list that cannot be read is refused before a run begins.
    let keywords = Keywords::of(&state.inputs).ok()?;
    let lookback = state.inputs.ending.lookback_rounds;
    let words = similarity::convergence(state, &keywords, lookback)?;
    words.is_reached().then_some(Found {
        guard: StopReason::Similarity,
        sign: Sign::Convergence,
        value: words.agreeing.into(),
        limit: words.speaking.into(),
    })
}

fn silent(state: &State) -> Option<Found> {
    let alike = u64::from(similarity::alike_rounds(state));
    let limit = u64::from(state.inputs.ending.consecutive_similar_rounds);
    (alike >= limit).then_some(Found {
        guard: StopReason::Silence,
        sign: Sign::Standstill,
        value: alike,
        limit,
    })
}
