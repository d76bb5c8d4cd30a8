//! Ids the engine gives: `I-1`, `C-1`, `X-1`, `Q-1`, `A-1`, `F-1`, `D-1`, `E-1`, `FI-1`, `RUN-1`.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Returns the runs of letters, digits and dashes of a text: every id in it is one of them.
pub(crate) fn words_like_ids(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
}

/// Serialises a type as the text that it is printed and parsed as.
macro_rules! as_text {
    ($name:ident) => {
        impl TryFrom<String> for $name {
            type Error = <Self as FromStr>::Err;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(value: $name) -> Self {
                value.to_string()
            }
        }
    };
}
pub(crate) use as_text;

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

        as_text!($name);
    )*};
}

ids! {
    /// An issue to be decided, `I-n`.
    IssueId "I";
    /// Something no member objects to, `C-n`.
    ConsensusId "C";
    /// A text that a member proposed on an issue, `X-n`.
    ProposalId "X";
    /// Something only the user can answer, `Q-n`.
    QuestionId "Q";
    /// An answer taken without the user, `A-n`.
    AssumptionId "A";
    /// A point of the user's feedback, `F-n`.
    FeedbackId "F";
    /// A debate, `D-n`.
    DebateId "D";
    /// Something a member says is there already, `E-n`.
    EvidenceId "E";
    /// Something the review of a plan found, `FI-n`.
    FindingId "FI";
    /// Something a member had run in a copy of the tree, `RUN-n`.
    TrialId "RUN";
}

/// A text that stances are about: a member's proposal `X-n`, or a debate's conclusion `D-n`.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[schemars(with = "String")]
#[serde(try_from = "String", into = "String")]
pub enum TextId {
    /// Proposed by a member.
    Proposed(ProposalId),
    /// Concluded by a debate.
    Concluded(DebateId),
}

impl TextId {
    /// The debate whose conclusion it is, if it is one.
    pub fn debate(self) -> Option<DebateId> {
        match self {
            Self::Concluded(debate) => Some(debate),
            Self::Proposed(_) => None,
        }
    }
}

impl fmt::Display for TextId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Proposed(id) => id.fmt(f),
            Self::Concluded(id) => id.fmt(f),
        }
    }
}

impl FromStr for TextId {
    type Err = BadId;

    fn from_str(text: &str) -> Result<Self, BadId> {
        let concluded = text.parse().map(Self::Concluded);
        concluded.or_else(|_| text.parse().map(Self::Proposed))
    }
}

as_text!(TextId);

/// A text that is not an id of the expected kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no id like `{form}`")]
pub struct BadId {
    /// The text that was given.
    pub text: String,
    /// An example of the expected form.
    pub form: &'static str,
}
