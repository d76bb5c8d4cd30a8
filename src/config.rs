//! Configuration: layers of settings, their order of precedence, and the origin of each value.
//!
//! A [`Layer`] contains the settings of one source: flags, `AITC_*` variables, the project's file,
//! the user's file. [`Config::resolve`] merges them, highest precedence first; a setting that no
//! layer has gets its built-in value. Everything here works on text: the caller reads files and
//! variables.
//!
//! One table (`config/keys.txt`) lists the keys with their kinds, ranges and aliases, another one
//! (`config/kinds.txt`) the kinds; every source is checked against them in the same way.

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

use crate::fault::{Exit, Fault, Text, values};

pub use address::without_secrets;
pub use built_in::built_in;
pub use frozen::unfit;
pub use keys::{KEYS, Key, PRICE_KEYS, PROVIDER_KEYS, about};
pub use kind::ValueType;
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
pub enum ConfigSource {
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

impl ConfigSource {
    /// Path as the user knows it.
    pub fn path(&self) -> &str {
        match self {
            Self::Project { path, .. } | Self::User { path } => path,
        }
    }
}

/// Where a setting was set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[schemars(rename = "SettingOrigin")]
pub enum Origin {
    /// A line of a file.
    File {
        /// Path as the user knows it.
        path: String,
        /// Number of the line, from 1.
        line: u64,
    },
    /// A variable of the environment.
    #[serde(rename = "variable")]
    Env {
        /// Name of the variable.
        name: String,
    },
    /// A flag of the command line.
    Flag {
        /// Name of the flag, with its dashes.
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
    /// Whether it is a flag.
    pub fn is_flag(&self) -> bool {
        matches!(self, Self::Flag { .. })
    }

    /// The fault with this place before it; that of a flag is a command-line error.
    pub(crate) fn wrong(&self, fault: Fault) -> Fault {
        let what = Text("{origin}: {what}", "{origin}：{what}")
            .fill(values![origin = self, what = fault.what()]);
        let fault = fault.saying(what);
        match self {
            Self::Flag { .. } => fault.ending(Exit::Usage),
            Self::File { .. } | Self::Env { .. } => fault,
        }
    }
}

/// One value, as checked against its key: a text, a number, or a list of texts.
pub type Value = serde_json::Value;

/// The value as on a command line: lists with commas.
pub fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(shown).collect::<Vec<_>>().join(","),
        // `2` rather than `2.0`, and no exponent.
        Value::Number(number) if number.is_f64() => number.as_f64().unwrap_or_default().to_string(),
        _ => value.to_string(),
    }
}

/// A value and where it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The value.
    pub value: Value,
    /// Where the value was set.
    pub origin: Origin,
}

#[cfg(test)]
mod tests;
