//! Which edition of the rules a run is held by.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The edition of the rules and of the files' forms; frozen in a run's inputs, so that a
/// transcript is read, and its version made again, as it was made.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "u8", into = "u8")]
#[schemars(with = "u8")]
pub enum Edition {
    /// Where nothing stands. Whoever supports an issue supports every text on it, whatever an
    /// issue is refined into starts without positions, and a document says `without_model`.
    #[default]
    First,
    /// Support is of one text, an issue refined into one new one takes its positions along,
    /// and a document says `written_by`.
    Second,
    /// An issue refined into nothing but several that are there takes its objections along to
    /// each, and what members who speak side by side say in the same words, an issue's title or
    /// a question, is one. Of a team's phase that brought nothing the member is told that
    /// brought nothing, not the phase's last, and the members after it go on.
    Third,
}

impl Edition {
    /// The one in force for new runs.
    pub const CURRENT: Self = Self::Third;

    pub(super) fn is_first(&self) -> bool {
        *self == Self::First
    }
}

impl From<Edition> for u8 {
    fn from(edition: Edition) -> Self {
        match edition {
            Edition::First => 1,
            Edition::Second => 2,
            Edition::Third => 3,
        }
    }
}

impl TryFrom<u8> for Edition {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        match number {
            1 => Ok(Self::First),
            2 => Ok(Self::Second),
            3 => Ok(Self::Third),
            _ => Err(format!("edition {number} is that of a newer aitc")),
        }
    }
}
