//! A similarity score that compares the same on every machine.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How alike two texts are, from 0 to 1 in thousandths; written as a number such as `0.853`.
///
/// Whole thousandths, so that a comparison with a threshold never hangs on the
/// last bit of a machine's arithmetic.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema)]
#[schemars(with = "f64", extend("minimum" = 0, "maximum" = 1))]
pub struct Score(u16);

impl Score {
    /// Nothing in common.
    pub const ZERO: Self = Self(0);
    /// Identical.
    pub const ONE: Self = Self(1000);

    /// From thousandths; values above 1000 count as 1000.
    pub const fn from_thousandths(thousandths: u16) -> Self {
        Self(if thousandths > 1000 {
            1000
        } else {
            thousandths
        })
    }

    /// From a ratio, rounded to thousandths; values below 0 and NaN become 0, values above 1 become
    /// 1.
    pub fn from_ratio(ratio: f64) -> Self {
        // `as` saturates, and turns NaN into 0.
        Self((ratio.clamp(0.0, 1.0) * 1000.0).round() as u16)
    }

    /// Returns the thousandths, 0 to 1000: the unit of a guard's `value` and `limit`.
    pub fn thousandths(self) -> u64 {
        self.0.into()
    }

    /// Returns the ratio, 0 to 1.
    pub fn ratio(self) -> f64 {
        f64::from(self.0) / 1000.0
    }

    /// Returns the mean, rounded to thousandths; `None` if there are no scores.
    pub fn mean(scores: impl IntoIterator<Item = Self>) -> Option<Self> {
        let (sum, count) = scores
            .into_iter()
            .fold((0_u64, 0_u64), |(sum, count), score| {
                (sum + score.thousandths(), count + 1)
            });
        let mean = (sum + count / 2).checked_div(count)?;
        Some(Self::from_ratio(mean as f64 / 1000.0))
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.ratio())
    }
}

impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.ratio())
    }
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let ratio = f64::deserialize(deserializer)?;
        if (0.0..=1.0).contains(&ratio) {
            Ok(Self::from_ratio(ratio))
        } else {
            Err(serde::de::Error::custom(format!(
                "a similarity lies between 0 and 1, not at {ratio}"
            )))
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_clamped_and_rounded() {
        let of = |ratio| Score::from_ratio(ratio).thousandths();
        assert_eq!([of(-0.2), of(0.0), of(0.8534), of(1.7)], [0, 0, 853, 1000]);
        assert_eq!(of(f64::NAN), 0);
        assert_eq!(Score::from_thousandths(1001), Score::ONE);
    }

    #[test]
    fn every_score_survives_json() {
        for thousandths in 0..=1000 {
            let score = Score::from_thousandths(thousandths);
            let text = serde_json::to_string(&score).unwrap();
            assert_eq!(serde_json::from_str::<Score>(&text).unwrap(), score);
        }
        assert!(serde_json::from_str::<Score>("1.001").is_err());
        assert!(serde_json::from_str::<Score>("-0.1").is_err());
    }

    #[test]
    fn a_mean_is_rounded_and_none_of_nothing() {
        let mean = |all: &[u16]| {
            Score::mean(all.iter().copied().map(Score::from_thousandths)).map(Score::thousandths)
        };
        assert_eq!(mean(&[]), None);
        assert_eq!(mean(&[1000, 999]), Some(1000));
        assert_eq!(mean(&[0, 500, 1000]), Some(500));
    }
}
