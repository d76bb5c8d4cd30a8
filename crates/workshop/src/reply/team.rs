//! Answers that only a team asks for: the plan of its phases, and the synthesis of their results.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::DecisionRow;

/// A task split into phases.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TeamPlan {
    /// Why the task is split so, Markdown.
    pub analysis: String,
    /// The phases, in the order in which they may be begun.
    pub phases: Vec<PlannedPhase>,
}

/// One phase as the lead plans it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlannedPhase {
    /// Local key, such as `p1`.
    pub key: String,
    /// What is to be done, and what its result must hold.
    pub task: String,
    /// Codes of the members that do it; each goes on from the result of the one before.
    pub members: Vec<String>,
    /// Keys of phases whose results it needs.
    pub depends_on: Vec<String>,
}

/// What the lead makes of all results.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Synthesis {
    /// The task and what came of it, one line.
    pub title: String,
    /// The result in at most 150 words.
    pub in_short: String,
    /// The result itself, Markdown, with the ids of the phases it rests on.
    pub result: String,
    /// Decisions that only the reader can make.
    pub decide: Vec<DecisionRow>,
}
