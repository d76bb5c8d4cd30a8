//! Ids the engine gives: `I-1`, `C-1`, `Q-1`, `A-1`, `F-1`, `D-1`.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
        )]
        #[schemars(with = "String")]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(pub u32);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "-{}"), self.0)
            }
        }

        impl FromStr for $name {
            type Err = BadId;

            fn from_str(text: &str) -> Result<Self, BadId> {
                text.trim()
                    .strip_prefix(concat!($prefix, "-"))
                    .and_then(|n| n.parse().ok())
                    .filter(|n| *n > 0)
                    .map(Self)
                    .ok_or_else(|| BadId { text: text.to_owned(), form: concat!($prefix, "-1") })
            }
        }

        impl TryFrom<String> for $name {
            type Error = BadId;

            fn try_from(text: String) -> Result<Self, BadId> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.to_string()
            }
        }
    )*};
}

ids! {
    /// Something still open, `I-n`.
    IssueId "I";
    /// Something no member objects to, `C-n`.
    ConsensusId "C";
    /// Something only the human can answer, `Q-n`.
    QuestionId "Q";
    /// An answer taken without the human, `A-n`.
    AssumptionId "A";
    /// A point of the user's feedback, `F-n`.
    FeedbackId "F";
    /// A debate, `D-n`.
    DebateId "D";
}

/// A text that is no id of the kind wanted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no id like `{form}`")]
pub struct BadId {
    /// What was given.
    pub text: String,
    /// An example of what was wanted.
    pub form: &'static str,
}
