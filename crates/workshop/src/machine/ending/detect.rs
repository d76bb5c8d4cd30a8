//! Detects rounds that repeat or converge. A detection is only a sign; agreement is counted
//! elsewhere.

use super::EndCause;
use crate::machine::event::{StopReason, StopSign};
use crate::machine::issue::IssueRecord;
use crate::machine::similarity;
use crate::machine::state::State;

/// Returns what the last round shows, with the figure and its threshold, the most reliable sign
/// first, for the `wanted` guards only: a journal of thousands of rounds calls this after each.
pub(super) fn found(state: &State, wanted: impl Fn(StopReason) -> bool) -> Option<EndCause> {
    let rules = &state.inputs.rules.ending;
    let alike = || repeated(state).or_else(|| converged(state));
    (rules.consensus_enabled && wanted(StopReason::Similarity))
        .then(alike)
        .flatten()
        .or_else(|| {
            (rules.silence_enabled && wanted(StopReason::Silence))
                .then(|| silent(state))
                .flatten()
        })
}

/// Detects that every member repeats what it said in the rounds before.
fn repeated(state: &State) -> Option<EndCause> {
    let figures = similarity::steadiness(state, state.inputs.rules.ending.lookback_rounds)?;
    figures.is_reached().then(|| {
        let (min, threshold) = (figures.min.thousandths(), figures.threshold.thousandths());
        let sign = Some(StopSign::Repetition);
        EndCause::new(StopReason::Similarity, sign, (min, threshold))
    })
}

/// Detects that the speeches no longer express disagreement, that nobody objects on an open issue,
/// and that somebody supports a text on each blocking one. Words never outweigh a stance and never
/// replace a missing one.
fn converged(state: &State) -> Option<EndCause> {
    let opposed = |issue: &IssueRecord| !issue.objectors().is_empty();
    let unsupported = |issue: &IssueRecord| issue.supporters().is_empty();
    if state.ledger.open().any(opposed) || state.ledger.blocking().any(unsupported) {
        return None;
    }
    let keywords = state.ending.keywords.as_deref()?;
    let lookback = state.inputs.rules.ending.lookback_rounds;
    let words = similarity::convergence(state, keywords, lookback)?;
    words.is_reached().then(|| {
        let figures = (words.agreeing.into(), words.speaking.into());
        EndCause::new(StopReason::Similarity, Some(StopSign::Convergence), figures)
    })
}

fn silent(state: &State) -> Option<EndCause> {
    let alike = u64::from(similarity::alike_rounds(state));
    let limit = u64::from(state.inputs.rules.ending.consecutive_similar_rounds);
    let sign = Some(StopSign::Standstill);
    (alike >= limit).then(|| EndCause::new(StopReason::Silence, sign, (alike, limit)))
}
