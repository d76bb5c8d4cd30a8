//! Prices given by the user, and the cost of tokens. Prices are never guessed.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::chat::Usage;

const NANOS: u64 = 1_000_000_000;
const MILLION: u128 = 1_000_000;

/// An amount of US dollars in whole billionths; at most one million dollars.
///
/// Integers make sums independent of order and machine. In JSON it is a number of dollars.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, JsonSchema)]
#[schemars(with = "f64", description = "US dollars.", extend("minimum" = 0))]
pub struct Usd(u64);

impl Usd {
    /// The largest amount: a JSON number represents every smaller one exactly.
    pub const MAX: Self = Self(1_000_000 * NANOS);

    /// From billionths of a dollar; amounts above [`Usd::MAX`] become [`Usd::MAX`].
    pub fn from_nanos(nanos: u64) -> Self {
        Self(nanos).min(Self::MAX)
    }

    /// Returns billionths of a dollar.
    pub fn nanos(self) -> u64 {
        self.0
    }

    /// Returns the sum, at most [`Usd::MAX`].
    pub fn saturating_add(self, other: Self) -> Self {
        Self::from_nanos(self.0.saturating_add(other.0))
    }

    /// Returns dollars, for JSON and for people.
    pub fn dollars(self) -> f64 {
        self.0 as f64 / NANOS as f64
    }
}

impl fmt::Display for Usd {
    /// Two decimals, or as many as are needed for the first two significant digits; rounded up.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut unit = NANOS / 100;
        let mut places = 2;
        while places < 9 && self.0 < unit * 10 && !self.0.is_multiple_of(unit) {
            unit /= 10;
            places += 1;
        }
        let shown = self.0.div_ceil(unit) * unit;
        let rest = (shown % NANOS) / unit;
        write!(f, "{}.{rest:0places$}", shown / NANOS)
    }
}

/// A text that is not an amount of dollars.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an amount of dollars such as `2.50`, with at most nine decimals and up to 1000000")]
pub struct BadUsd;

impl FromStr for Usd {
    type Err = BadUsd;

    fn from_str(text: &str) -> Result<Self, BadUsd> {
        let text = text.trim();
        let (whole, rest) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if !digits(whole) || !digits(rest) || rest.len() > 9 {
            return Err(BadUsd);
        }
        let whole: u64 = whole.parse().map_err(|_| BadUsd)?;
        let rest: u64 = format!("{rest:0<9}").parse().map_err(|_| BadUsd)?;
        let nanos = whole.checked_mul(NANOS).and_then(|n| n.checked_add(rest));
        nanos
            .map(Self)
            .filter(|amount| *amount <= Self::MAX)
            .ok_or(BadUsd)
    }
}

impl Serialize for Usd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.dollars())
    }
}

impl<'de> Deserialize<'de> for Usd {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let dollars = f64::deserialize(deserializer)?;
        if (0.0..=Self::MAX.dollars()).contains(&dollars) {
            return Ok(Self((dollars * NANOS as f64).round() as u64));
        }
        Err(serde::de::Error::custom(BadUsd))
    }
}

/// What a model's tokens cost, in dollars per million.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Price {
    /// US dollars for a million tokens sent.
    pub input: Usd,
    /// Of tokens sent that the provider had cached; none: as the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_input: Option<Usd>,
    /// US dollars for a million tokens written, reasoning included.
    pub output: Usd,
}

impl Price {
    /// Returns the cost of `usage`, rounded up.
    pub fn cost(&self, usage: &Usage) -> Usd {
        let cached = usage.cached_input.min(usage.input);
        let cost = times(usage.input - cached, self.input)
            + times(cached, self.cached_input.unwrap_or(self.input))
            + times(usage.output, self.output);
        Usd::from_nanos(u64::try_from(cost.div_ceil(MILLION)).unwrap_or(u64::MAX))
    }

    /// Returns the maximum cost of this many tokens: no input is cached, and a cache price above
    /// the usual one, as some providers charge for writing, counts.
    pub fn most(&self, input: u64, output: u64) -> Usd {
        let dearest = Self {
            input: self.input.max(self.cached_input.unwrap_or_default()),
            cached_input: None,
            output: self.output,
        };
        dearest.cost(&Usage {
            input,
            output,
            ..Usage::default()
        })
    }
}

/// Returns billionths of a dollar times one million.
fn times(tokens: u64, price: Usd) -> u128 {
    u128::from(tokens) * u128::from(price.0)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn usd(text: &str) -> Usd {
        text.parse().unwrap()
    }

    #[test]
    fn amounts_are_read_and_shown() {
        for (text, shown) in [
            ("2.5", "2.50"),
            ("0", "0.00"),
            ("12", "12.00"),
            ("0.004", "0.004"),
            ("0.0123", "0.013"),
            ("0.000000001", "0.000000001"),
            ("1.005", "1.01"),
            ("0.995", "1.00"),
        ] {
            assert_eq!(usd(text).to_string(), shown, "{text}");
        }
        for text in [
            "",
            ".",
            "-1",
            "1e3",
            "1,5",
            "1.0000000001",
            "1000001",
            "$1",
            "NaN",
        ] {
            assert_eq!(text.parse::<Usd>(), Err(BadUsd), "{text}");
        }
    }

    #[test]
    fn cached_tokens_have_their_own_price_and_parts_of_a_cent_round_up() {
        let price = Price {
            input: usd("2"),
            cached_input: Some(usd("0.5")),
            output: usd("8"),
        };
        let usage = Usage {
            input: 1_000_000,
            cached_input: 400_000,
            output: 250_000,
            reasoning: 250_000,
            estimated: false,
        };
        assert_eq!(price.cost(&usage), usd("3.4"));
        let one = Usage {
            output: 1,
            ..Usage::default()
        };
        let cheap = Price {
            output: usd("0.000000001"),
            ..price
        };
        assert_eq!(cheap.cost(&one).nanos(), 1);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn json_keeps_every_amount(nanos in 0..=Usd::MAX.nanos()) {
            let amount = Usd::from_nanos(nanos);
            let json = serde_json::to_string(&amount).unwrap();
            prop_assert_eq!(serde_json::from_str::<Usd>(&json).unwrap(), amount);
        }

        #[test]
        fn the_most_is_never_less_than_the_cost(
            input in 0..10_000_000_u64, cached in 0..20_000_000_u64, output in 0..1_000_000_u64,
            prices in (0..1000_u64, prop::option::of(0..1000_u64), 0..1000_u64),
        ) {
            let price = Price {
                input: Usd::from_nanos(prices.0 * 10_000_000),
                cached_input: prices.1.map(|p| Usd::from_nanos(p * 10_000_000)),
                output: Usd::from_nanos(prices.2 * 10_000_000),
            };
            let usage = Usage { input, cached_input: cached, output, ..Usage::default() };
            prop_assert!(price.cost(&usage) <= price.most(input, output));
        }
    }
}
