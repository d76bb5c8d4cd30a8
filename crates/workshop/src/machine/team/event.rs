//! What happened in a team: the bodies of its transcript lines.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::machine::event::{Note, Receipt};
use crate::machine::phase::{PhaseId, PhasePlan};
use crate::reply::{AskedQuestion, Synthesis};
use crate::role::RoleId;

/// The lead split the task into phases and chose who works on each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TeamFormed {
    /// The call that was answered, with its model and its tokens.
    pub receipt: Receipt,
    /// Why the task is split so.
    pub info: String,
    /// The phases, in the order given; ids are `P-1`, `P-2` and so on.
    pub phases: PhasePlan,
}

/// The lead gave the plan once more after its review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanRevised {
    /// The call that was answered, with its model and its tokens.
    pub receipt: Receipt,
    /// What was changed and why, in the coach's words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub info: String,
    /// The phases as they are planned now, debates aside.
    pub phases: PhasePlan,
}

/// Work on a phase began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PhaseStarted {
    /// Name of the phase.
    pub phase_id: PhaseId,
    /// What is to be done.
    pub task: String,
    /// Who does it, one after the other.
    pub members: Vec<RoleId>,
}

/// A member did its part of a phase that another one goes on with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExpertStep {
    /// The call that was answered, with its model and its tokens.
    #[serde(flatten)]
    pub receipt: Receipt,
    /// Name of the phase.
    pub phase_id: PhaseId,
    /// Place among the phase's members, from 1.
    pub step: u32,
    /// The work so far, Markdown.
    pub output: String,
    /// What only the user knows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<AskedQuestion>,
    /// What was left out of the answer, put right or remarked, each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// A phase ended with its result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExpertResult {
    /// The call that was answered, with its model and its tokens.
    pub receipt: Receipt,
    /// Name of the phase.
    pub phase_id: PhaseId,
    /// The result, Markdown.
    pub output: String,
    /// What only the user knows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<AskedQuestion>,
    /// What was left out of the answer, put right or remarked, each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// The lead put the results together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TeamSynthesis {
    /// What it cost; absent if written without a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Receipt>,
    /// The synthesis.
    pub synthesis: Synthesis,
}
