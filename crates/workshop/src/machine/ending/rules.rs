//! The settings of a run's ending, frozen with its inputs.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::machine::event::StopReason;
use crate::machine::proposal;
use crate::role::RoleId;

/// How a run may end, and what keeps it going.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct EndingRules {
    /// Whether limits and detectors end the run by themselves. Default false: a detector only
    /// warns, and a limit asks where somebody can answer.
    pub auto_exit_enabled: bool,
    /// Limits given by a flag: always obeyed.
    pub firm: BTreeSet<StopReason>,
    /// Whether a discussion is checked for members that repeat themselves. Default true.
    pub consensus_enabled: bool,
    /// Rounds looked back at, 2 to 6, the last one included. Default 3.
    pub lookback_rounds: u32,
    /// Words that tell of agreement, besides the built-in ones.
    pub convergence_indicator: Vec<String>,
    /// Whether a discussion is checked for rounds that say nothing new. Default true.
    pub silence_enabled: bool,
    /// Rounds in a row that say the same, 2 to 20. Default 3.
    pub consecutive_similar_rounds: u32,
    /// Minutes that a terminal waits for the answer to a question, 1 to 1440. Default 5.
    pub user_timeout_minutes: u32,
    /// Messages that end the discussion, whatever their case.
    pub exit_triggers: Vec<String>,
    /// Rules of the marker by which members propose the end.
    pub marker: MarkerRules,
    /// Nudges a member may be given, where somebody said so; below 1 is off.
    pub diligence_push_max: BTreeMap<RoleId, i64>,
    /// Providers that take part and whose models are too small for a plan they agree on to
    /// count as agreed.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub may_not_agree: BTreeSet<String>,
}

impl Default for EndingRules {
    fn default() -> Self {
        Self {
            auto_exit_enabled: false,
            firm: BTreeSet::new(),
            consensus_enabled: true,
            lookback_rounds: 3,
            convergence_indicator: Vec::new(),
            silence_enabled: true,
            consecutive_similar_rounds: 3,
            user_timeout_minutes: 5,
            exit_triggers: ["*exit", "goodbye", "end party", "quit"]
                .map(str::to_owned)
                .into(),
            marker: MarkerRules::default(),
            diligence_push_max: BTreeMap::new(),
            may_not_agree: BTreeSet::new(),
        }
    }
}

/// The end marker and what follows from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct MarkerRules {
    /// Whether the marker is looked for and members are told of it. Default true.
    pub enable_detection: bool,
    /// The marker. Default `<!-- END -->`.
    pub end_marker: String,
    /// Whether the user is asked about a proposal. Default true.
    pub require_confirmation: bool,
    /// Whether a proposal that needs no confirmation ends the discussion. Default false.
    pub auto_end: bool,
}

impl MarkerRules {
    /// Returns `said` with the marker removed from all its texts, if marker detection is on.
    ///
    /// # Errors
    /// A message, if the remaining text does not parse as before.
    pub(in crate::machine) fn without_marker<T>(&self, said: T) -> Result<T, String>
    where
        T: Serialize + DeserializeOwned,
    {
        match self.enable_detection {
            true => proposal::unmarked(said, &self.end_marker),
            false => Ok(said),
        }
    }
}

impl Default for MarkerRules {
    fn default() -> Self {
        Self {
            enable_detection: true,
            end_marker: "<!-- END -->".to_owned(),
            require_confirmation: true,
            auto_end: false,
        }
    }
}
