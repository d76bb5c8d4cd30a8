//! Figures that the ending guards compute from the recorded measurements.
//!
//! Every figure is the minimum over members: four members that repeat themselves and one with a new
//! argument have a high mean, but the discussion is still going on.

use super::{Measurement, Score};
use crate::machine::state::State;

/// A figure over members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LowestScore {
    /// Score of the member that says the most that is new.
    pub min: Score,
    /// Threshold of the measure that was used.
    pub threshold: Score,
}

impl LowestScore {
    fn over(scores: &[Score], threshold: Score) -> Option<Self> {
        Some(Self {
            min: scores.iter().copied().min()?,
            threshold,
        })
    }

    /// Returns whether every member reaches the threshold.
    pub fn is_reached(&self) -> bool {
        self.min >= self.threshold
    }
}

/// Returns how closely each member repeated in the last round what it said in each of the
/// `lookback - 1` rounds before (`lookback` is 2 to 6 and counts the last round).
///
/// `None` if there were fewer rounds, if the last one was not measured, or if a member that spoke
/// in it did not speak in one of the others.
pub fn steadiness(state: &State, lookback: u32) -> Option<LowestScore> {
    let measured = state.discussion.measurements.get(&state.round)?;
    let first = (state.round + 1).checked_sub(lookback.max(2))?;
    if first == 0 || measured.members.len() != state.discussion.speeches_of(state.round).count() {
        return None;
    }
    let scores: Option<Vec<Score>> = measured
        .members
        .iter()
        .map(|member| {
            let within = || member.own.iter().filter(|own| own.round >= first);
            let whole = within().count() as u32 == state.round - first;
            whole.then(|| within().map(|own| own.score).min()).flatten()
        })
        .collect();
    let thresholds = state.inputs.rules.similarity.thresholds(&measured.measure);
    LowestScore::over(&scores?, thresholds.consensus)
}

fn echo_of(state: &State, measured: &Measurement) -> Option<LowestScore> {
    let scores: Option<Vec<Score>> = measured
        .members
        .iter()
        .map(|member| member.echo.as_ref().map(|echo| echo.score))
        .collect();
    let thresholds = state.inputs.rules.similarity.thresholds(&measured.measure);
    LowestScore::over(&scores?, thresholds.silence)
}

/// Returns how many consecutive rounds up to the last one say the same: 0 before the first round, 1
/// if the last one says something new, 3 if it and the one before it each only repeat the previous
/// round.
pub fn alike_rounds(state: &State) -> u32 {
    let repeats = (1..=state.round)
        .rev()
        .map_while(|round| {
            let measured = state.discussion.measurements.get(&round)?;
            echo_of(state, measured).filter(LowestScore::is_reached)
        })
        .count() as u32;
    (repeats + 1).min(state.round)
}
