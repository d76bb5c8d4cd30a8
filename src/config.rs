//! Configuration: layers of settings, their order of precedence, and the origin of each value.
//!
//! A [`Layer`] contains the settings of one source: flags, `AITC_*` variables, the project's file,
//! the user's file. [`Config::resolve`] merges them, highest precedence first; a setting that no
//! layer has gets its built-in value. Everything here works on text: the caller reads files and
//! variables.
//!
//! One table (`config/keys.txt`) lists the keys with their kinds, ranges, aliases and variables;
//! every source is checked against it in the same way.

mod address;
mod built_in;
pub mod edit;
mod frozen;
mod keys;
mod kind;
mod layer;
mod lookup;
pub mod nudges;
mod outside;
mod profile;
mod resolve;
mod schema;
mod variables;

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;

use crate::fault::{Exit, Fault, Tell, Text};
use crate::machine::Usd;
use crate::machine::similarity::Score;

pub use address::without_secrets;
pub use built_in::built_in;
pub use frozen::unfit;
pub use keys::{KEYS, Key, PRICE_KEYS, PROVIDER_KEYS, Place, about};
pub use kind::Kind;
pub use layer::{Layer, is_forbidden, parse};
pub use lookup::find;
pub use profile::with_profile;
pub use resolve::{Config, ProviderSettings, Retry};
pub use schema::schema;
pub use variables::{PRICES, provider_variable};

/// Maximum size of a configuration file, in bytes.
pub const MAX_BYTES: usize = 16 * 1024;

/// Path of the project's file, relative to the workspace's root.
pub const PROJECT_FILE: &str = ".ai-tools-chain/config.yaml";

/// The file that a text is from; it decides which keys are allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The project's file. It comes with a clone, so it may set only harmless keys.
    Project {
        /// Path as the user knows it.
        path: String,
        /// The user's own file, named in the error for a key that belongs there.
        user_file: String,
    },
    /// The user's own file, or the one named with `--config`.
    User {
        /// Path as the user knows it.
        path: String,
    },
}

impl Source {
    /// Path as the user knows it.
    pub fn path(&self) -> &str {
        match self {
            Self::Project { path, .. } | Self::User { path } => path,
        }
    }
}

/// Where a setting came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[schemars(rename = "SettingOrigin")]
pub enum Origin {
    /// A line of a file.
    File {
        /// Path as the user knows it.
        path: String,
        /// One-based line.
        line: u64,
    },
    /// A variable.
    #[serde(rename = "variable")]
    Env {
        /// Its name.
        name: String,
    },
    /// A flag.
    Flag {
        /// With its dashes.
        name: &'static str,
    },
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, line } => write!(f, "{path}:{line}"),
            Self::Env { name } => f.write_str(name),
            Self::Flag { name } => f.write_str(name),
        }
    }
}

impl Origin {
    /// A configuration error at this place.
    pub(crate) fn wrong(self, fault: Fault) -> ConfigError {
        ConfigError {
            origin: self,
            fault,
        }
    }
}

/// A setting that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.told())]
pub struct ConfigError {
    /// The place of the setting.
    pub origin: Origin,
    /// What is wrong, why that matters, what to do; without the place.
    pub fault: Fault,
}

impl Tell for ConfigError {
    /// The fault with its place; a wrong value of a flag becomes a command-line error.
    fn told(&self) -> Fault {
        let what = Text("{origin}: {what}", "{origin}：{what}")
            .fill(&[("origin", &self.origin), ("what", self.fault.what())]);
        let fault = self.fault.clone().saying(what);
        match self.origin {
            Origin::Flag { .. } => fault.ending(Exit::Usage),
            Origin::File { .. } | Origin::Env { .. } => fault,
        }
    }
}

/// One value, as checked against its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A text, or a word of a fixed list.
    Text(String),
    /// A count.
    Number(u64),
    /// A ratio, in thousandths.
    Ratio(Score),
    /// A number in hundredths.
    Hundredths(u32),
    /// A list of texts.
    Texts(Vec<String>),
    /// An amount of US dollars.
    Usd(Usd),
}

impl fmt::Display for Value {
    /// Formats the value as on a command line: lists with commas.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Number(number) => write!(f, "{number}"),
            Self::Ratio(score) => write!(f, "{}", ratio(*score)),
            Self::Hundredths(number) => write!(f, "{}", f64::from(*number) / 100.0),
            Self::Usd(usd) => write!(f, "{}", usd.dollars()),
            Self::Texts(texts) => f.write_str(&texts.join(",")),
        }
    }
}

impl Value {
    /// Parses a number from 0 to 2 with at most two decimals; a third would be lost without notice.
    fn temperature(text: &str) -> Option<Self> {
        let hundredths = text.parse::<f64>().ok()? * 100.0;
        let is_whole = (hundredths - hundredths.round()).abs() < 1e-6;
        let fits = is_whole && (0.0..=200.0).contains(&hundredths);
        fits.then(|| Self::Hundredths(hundredths.round() as u32))
    }

    /// The value as JSON: text, number, or list of texts.
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Text(text) => text.as_str().into(),
            Self::Number(number) => (*number).into(),
            Self::Ratio(score) => ratio(*score).into(),
            Self::Hundredths(number) => (f64::from(*number) / 100.0).into(),
            Self::Usd(usd) => usd.dollars().into(),
            Self::Texts(texts) => texts.clone().into(),
        }
    }
}

/// A score as a ratio from 0 to 1.
fn ratio(score: Score) -> f64 {
    // Exact: thousandths are small integers.
    score.thousandths() as f64 / 1000.0
}

/// A value and where it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The value.
    pub value: Value,
    /// Where it came from.
    pub origin: Origin,
}

#[cfg(test)]
mod tests;
