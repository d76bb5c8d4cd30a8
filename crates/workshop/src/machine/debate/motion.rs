//! The subject of a debate and its limits.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::IssueId;
use crate::reply::DivergenceKind;
use crate::role::RoleId;

/// Maximum number of debates in one run, whatever triggers them.
pub const MAX_DEBATES: u32 = 3;
/// Maximum number of rounds in one debate, whatever is configured.
pub const MAX_ROUNDS: u32 = 4;
/// Default number of rounds in one debate.
pub const DEFAULT_ROUNDS: u32 = 2;

/// How a debate is held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DebateConfig {
    /// What is debated, one line; empty for the task of the phase.
    #[serde(default)]
    pub topic: String,
    /// Who argues, in speaking order; nobody leaves the ruling to the lead alone.
    #[serde(default)]
    pub participants: Vec<RoleId>,
    /// Rounds; default 2, read as 4 if larger and as 1 if 0.
    #[serde(default = "default_rounds")]
    pub max_rounds: u32,
    /// Whether it is left out, so that its phase completes at once.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub skip: bool,
}

fn default_rounds() -> u32 {
    DEFAULT_ROUNDS
}

impl DebateConfig {
    /// Returns the effective number of rounds, from 1 to [`MAX_ROUNDS`].
    pub fn rounds(&self) -> u32 {
        self.max_rounds.clamp(1, MAX_ROUNDS)
    }
}

/// Bounds of the debates of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DebateLimits {
    /// Debates of the run, 0 to 3. Default 3.
    pub max: u32,
    /// Rounds of each, 1 to 4. Default 2.
    pub rounds: u32,
    /// Whether divergences are looked for after every round. Default true.
    pub divergence: bool,
    /// Whether the first issue list is debated before round 1. Default false.
    pub review: bool,
}

impl Default for DebateLimits {
    fn default() -> Self {
        Self {
            max: MAX_DEBATES,
            rounds: DEFAULT_ROUNDS,
            divergence: true,
            review: false,
        }
    }
}

/// What asked for a debate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum DebateTrigger {
    /// Members object to one another; read off their positions.
    Objections,
    /// The coach found a divergence in the round it summed up.
    Coach {
        /// The criterion that was met.
        criterion: DivergenceKind,
    },
    /// The first issue list is debated before round 1.
    Review,
    /// The user asked for it.
    #[serde(rename = "human")]
    User,
}

/// Why a debate or a vote that the user asked for will not be held, or an answer not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RequestRefusal {
    /// As many debates as the run may have are held or asked for.
    NoRoom,
    /// The end of the discussion is decided.
    Ending,
    /// The members are voting already.
    Voting,
    /// The issue it names is not open.
    NotOpen,
    /// A team has no phase of the name it begins with.
    NoPhase,
    /// The phase it names has no result, and none will come with the layer that goes on.
    NoResult,
    /// The result of the phase it names was debated, or is going to be.
    Debated,
    /// No debate goes on or is due that could be left out.
    NoDebate,
    /// The question is closed, or was never put.
    NotAsked,
    /// The discussion has ended: nothing that is said can change it.
    Over,
}

/// One side of a debate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DebateSide {
    /// Full role name of the member.
    pub member: RoleId,
    /// What the member stands for, one sentence.
    pub stands_for: String,
}

/// What a debate is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Motion {
    /// Topic, participants and number of rounds.
    pub debate_config: DebateConfig,
    /// The issue its conclusion goes back to; absent if it is about no single issue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<IssueId>,
    /// What divides whom; may be empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<DebateSide>,
    /// What asked for the debate.
    pub trigger: DebateTrigger,
}

/// Why a ruling is a plain line and not the lead's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoRulingReason {
    /// The debate was left out, by its configuration or because the user said so.
    Skipped,
    /// No usable ruling came, however often it was asked for.
    NoReply,
    /// The discussion ended in the middle of the debate.
    Ended,
}

/// Somebody who still objects when the ruling comes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DebateObjection {
    /// Full role name of the member.
    pub member: RoleId,
    /// Reason of the member, as it was last given.
    pub why: String,
}
