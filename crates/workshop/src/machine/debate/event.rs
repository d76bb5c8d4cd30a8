//! What happened in a debate: the bodies of its transcript lines.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::motion::{DebateObjection, Motion, NoRulingReason};
use crate::ids::DebateId;
use crate::machine::event::{Note, Receipt};
use crate::reply::{Contribution, Decision, Ruling};

/// A debate began: the coach opened it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DebateStarted {
    /// What it cost; absent if no model opened it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Receipt>,
    /// Id of the debate, `D-n`.
    pub debate: DebateId,
    /// What it is about.
    #[serde(flatten)]
    pub motion: Motion,
    /// The opening a person reads.
    pub output: String,
    /// The ruling, if the coach sees no need for a debate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruling: Option<Ruling>,
    /// What was left out of the answer, put right or remarked, each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// A participant gave its argument.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExpertArgument {
    /// The call that was answered, with its model and its tokens.
    #[serde(flatten)]
    pub receipt: Receipt,
    /// Id of the debate, `D-n`.
    pub debate: DebateId,
    /// In which of its rounds, from 1.
    pub debate_round: u32,
    /// The argument a person reads.
    pub output: String,
    /// The whole answer, less what had to be left out.
    pub argument: Contribution,
    /// What was left out of the answer, put right or remarked, each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// The coach summed up a round of a debate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DebateRoundSummary {
    /// What it cost; absent if no model summed it up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Receipt>,
    /// Id of the debate, `D-n`.
    pub debate: DebateId,
    /// Which of its rounds, from 1.
    pub debate_round: u32,
    /// The summary a person reads.
    pub output: String,
    /// The ruling, if the coach sees no need for another round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruling: Option<Ruling>,
    /// What was left out of the answer, put right or remarked, each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// A debate ended with a ruling.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DebateResolved {
    /// What it cost; absent if the coach had ruled before, or no model did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Receipt>,
    /// Id of the debate, `D-n`.
    pub debate: DebateId,
    /// What becomes of the question.
    pub decision: Decision,
    /// Reasons of the ruling, by the arguments.
    pub rationale: String,
    /// The text for the plan; if shelved, what is missing for an answer.
    pub conclusion: String,
    /// Participants whose last position was an objection, with reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dissent: Vec<DebateObjection>,
    /// Why it is a plain line and not the coach's, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plain: Option<NoRulingReason>,
    /// What the coach said beside the ruling; missing where it said nothing else.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// What was left out of the answer, put right or remarked, each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

impl DebateResolved {
    /// Returns decision, rationale and conclusion together.
    pub fn ruling(&self) -> Ruling {
        Ruling {
            decision: self.decision,
            rationale: self.rationale.clone(),
            conclusion: self.conclusion.clone(),
        }
    }
}
