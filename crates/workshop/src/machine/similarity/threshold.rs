//! The score from which something is noted, for each measure.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Score;
use super::lexical::LEXICAL;

/// From which score on something is noted. A threshold belongs to its measure:
/// the same number means other things elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
    pub const LEXICAL: Self = Self {
        consensus: Score::from_thousandths(750),
        silence: Score::from_thousandths(850),
        duplicate: Score::from_thousandths(600),
    };

    /// The usual thresholds for embeddings; models differ, so they can be configured.
    pub const EMBEDDINGS: Self = Self {
        consensus: Score::from_thousandths(850),
        silence: Score::from_thousandths(900),
        duplicate: Score::from_thousandths(900),
    };

    /// Returns the built-in thresholds of a measure, by its name.
    pub fn of(measure: &str) -> Self {
        if measure == LEXICAL {
            Self::LEXICAL
        } else {
            Self::EMBEDDINGS
        }
    }
}

/// How similarity is measured in a run; never a URL, key or host.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SimilarityChoice {
    /// Provider whose embeddings endpoint is asked; absent for the lexical measure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Embeddings model as the provider knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Threshold of repetition in place of the measure's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub consensus: Option<Score>,
    /// Threshold of silence in place of the measure's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silence: Option<Score>,
    /// Threshold of near-duplicate issues in place of the measure's own.
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
    /// Returns the embeddings endpoint and model to ask, if both are named.
    pub fn embeddings(&self) -> Option<(&str, &str)> {
        Some((self.provider.as_deref()?, self.model.as_deref()?))
    }

    /// Returns the thresholds for figures of the named measure.
    ///
    /// Configured thresholds apply to the configured measure; a lexical figure that replaces one of
    /// a failed endpoint is compared with the built-in lexical thresholds.
    pub fn thresholds(&self, measure: &str) -> Thresholds {
        let built_in = Thresholds::of(measure);
        if self.embeddings().is_some() && measure == LEXICAL {
            return built_in;
        }
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
    fn a_threshold_that_was_set_holds_for_the_measure_that_was_chosen() {
        let set = Some(Score::from_thousandths(930));
        let mut choice = SimilarityChoice {
            consensus: set,
            ..SimilarityChoice::default()
        };
        assert_eq!(choice.thresholds(LEXICAL).consensus.thousandths(), 930);
        assert_eq!(
            choice.thresholds(LEXICAL).silence,
            Thresholds::LEXICAL.silence
        );

        choice.provider = Some("ollama".to_owned());
        choice.model = Some("e5".to_owned());
        let embedded = choice.thresholds("embeddings:e5");
        assert_eq!(embedded.consensus.thousandths(), 930);
        assert_eq!(embedded.silence.thousandths(), 900);
        assert_eq!(choice.thresholds(LEXICAL), Thresholds::LEXICAL);
    }
}
