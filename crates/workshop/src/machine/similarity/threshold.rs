//! From which score on something is noted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Score;

/// From which score on something is noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thresholds {
    /// A member says the same as in its earlier rounds.
    pub consensus: Score,
    /// A round says nothing that the one before did not say.
    pub silence: Score,
    /// Two open issues may be one.
    pub duplicate: Score,
}

impl Thresholds {
    /// Calibrated on `fixtures/similarity/pairs.jsonl`; the figures are in
    /// `docs/design/similarity.md`.
    pub const BUILT_IN: Self = Self {
        consensus: Score::from_thousandths(750),
        silence: Score::from_thousandths(850),
        duplicate: Score::from_thousandths(600),
    };
}

/// What a run sets of its own for similarity.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SimilarityChoice {
    /// Threshold of repetition in place of the built-in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consensus: Option<Score>,
    /// Threshold of silence in place of the built-in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silence: Option<Score>,
    /// Threshold of near-duplicate issues in place of the built-in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duplicate: Option<Score>,
    /// Words that point to agreement, beside those of `keywords.yaml`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agreement_words: Vec<String>,
    /// Words that point to disagreement, beside those of `keywords.yaml`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub disagreement_words: Vec<String>,
}

impl SimilarityChoice {
    /// Returns whether nothing was chosen.
    pub fn is_built_in(&self) -> bool {
        *self == Self::default()
    }

    /// The thresholds: those that were set, and the built-in ones.
    pub fn thresholds(&self) -> Thresholds {
        let built_in = Thresholds::BUILT_IN;
        Thresholds {
            consensus: self.consensus.unwrap_or(built_in.consensus),
            silence: self.silence.unwrap_or(built_in.silence),
            duplicate: self.duplicate.unwrap_or(built_in.duplicate),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_that_was_set_replaces_the_built_in_one() {
        let choice = SimilarityChoice {
            consensus: Some(Score::from_thousandths(930)),
            ..SimilarityChoice::default()
        };
        let thresholds = choice.thresholds();
        assert_eq!(thresholds.consensus.thousandths(), 930);
        assert_eq!(thresholds.silence, Thresholds::BUILT_IN.silence);
    }
}
