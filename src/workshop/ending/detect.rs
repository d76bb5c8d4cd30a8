//! What the discussion looks like from outside: rounds that repeat themselves.
//! Found, never concluded from: agreement is counted elsewhere.

use super::words;
use crate::reply::Contribution;
use crate::workshop::event::StopReason;
use crate::workshop::similarity;
use crate::workshop::state::State;

/// A detector that found something, with its figure and threshold.
pub(super) struct Found {
    /// Which guard it belongs to.
    pub guard: StopReason,
    /// The figure: thousandths of likeness, members that agree in words, or rounds.
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
        value: figures.min.thousandths(),
        limit: figures.threshold.thousandths(),
    })
}

/// Disagreement has gone from the words, and nobody stands against an open issue.
fn converged(state: &State) -> Option<Found> {
    let lookback = state.inputs.ending.lookback_rounds;
    let first = (state.round + 1).checked_sub(lookback).filter(|n| *n > 0)?;
    let objected = state
        .ledger
        .open()
        .any(|issue| !issue.objectors().is_empty());
    let disagreed = (first..state.round).any(|round| {
        state
            .speeches_of(round)
            .any(|speech| words::disagrees(&said(&speech.speech)))
    });
    if objected || !disagreed {
        return None;
    }
    let last: Vec<String> = state
        .speeches_of(state.round)
        .map(|speech| said(&speech.speech))
        .collect();
    if last.iter().any(|text| words::disagrees(text)) {
        return None;
    }
    let more = &state.inputs.ending.convergence_indicator;
    let agree = last.iter().filter(|text| words::agrees(text, more)).count();
    // More than half say so: one voice is no discussion that has converged.
    (agree * 2 > last.len()).then_some(Found {
        guard: StopReason::Similarity,
        value: agree as u64,
        limit: last.len() as u64,
    })
}

fn silent(state: &State) -> Option<Found> {
    let alike = u64::from(similarity::alike_rounds(state));
    let limit = u64::from(state.inputs.ending.consecutive_similar_rounds);
    (alike >= limit).then_some(Found {
        guard: StopReason::Silence,
        value: alike,
        limit,
    })
}

/// The words of a speech: its text and the reasons it gives.
fn said(speech: &Contribution) -> String {
    let reasons = speech
        .positions
        .iter()
        .map(|position| position.why.as_str());
    std::iter::once(speech.analysis.as_str())
        .chain(reasons)
        .collect::<Vec<_>>()
        .join("\n")
}
