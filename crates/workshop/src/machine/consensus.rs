//! The consensus draft: append-only, each item with its sources.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{AssumptionId, ConsensusId, FeedbackId, IssueId, QuestionId, TextId};
use crate::role::RoleId;

/// Something no member objects to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConsensusItem {
    /// Id of the agreed item, `C-n`.
    pub id: ConsensusId,
    /// Id of the issue it settles, `I-n`.
    pub issue: IssueId,
    /// The text a member proposed, word for word: what was agreed, and what every
    /// document is written from.
    pub text: String,
    /// Which text of the issue that is: a member's, or the conclusion of a debate, whose
    /// proposer is the coach.
    pub text_id: TextId,
    /// The coach's words for it, if it had others; shown beside the text, never in its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wording: Option<String>,
    /// Full role name of the member that proposed it.
    pub proposed_by: RoleId,
    /// In which round the proposal was made.
    pub proposed_round: u32,
    /// In which round it joined the draft.
    pub round: u32,
    /// Who supported it, with the round of their latest support.
    pub supporters: Vec<Supporter>,
    /// The version it was agreed in: `N` of `vN`.
    pub version: u32,
}

/// A member that supported an agreed item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Supporter {
    /// Full role name of the member.
    pub member: RoleId,
    /// Number of the round, from 1.
    pub round: u32,
}

/// A line of the draft; lines are only ever added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum DraftLine {
    /// An item joined.
    Agreed {
        /// The item as agreed.
        item: ConsensusItem,
    },
    /// An item was put in question again by the user.
    Withdrawn {
        /// Id of the agreed item, `C-n`.
        item: ConsensusId,
        /// The feedback that caused it.
        feedback: Option<FeedbackId>,
        /// Reason for which it was withdrawn.
        reason: String,
        /// In or after which round; 0 before the first.
        #[serde(default, skip_serializing_if = "super::is_default")]
        round: u32,
    },
    /// The user, or what was said before, answered a question.
    Answered {
        /// The question.
        question: QuestionId,
        /// The question's text.
        text: String,
        /// The answer.
        answer: String,
    },
    /// An answer was taken without the user.
    Assumed {
        /// As which assumption.
        assumption: AssumptionId,
        /// To which question.
        question: QuestionId,
        /// The assumed answer.
        text: String,
    },
}

/// The growing draft.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ConsensusDraft {
    lines: Vec<DraftLine>,
}

impl ConsensusDraft {
    /// Returns every line, oldest first.
    pub fn lines(&self) -> &[DraftLine] {
        &self.lines
    }

    /// Returns every item that was agreed, withdrawn ones included, in order.
    pub fn agreed(&self) -> impl Iterator<Item = &ConsensusItem> {
        self.lines.iter().filter_map(|line| match line {
            DraftLine::Agreed { item } => Some(item),
            _ => None,
        })
    }

    /// Returns the items in force: agreed and not withdrawn, in order.
    pub fn standing(&self) -> impl Iterator<Item = &ConsensusItem> {
        self.agreed().filter(|item| !self.is_withdrawn(item.id))
    }

    /// Returns the item with this id, in force or not.
    pub fn find(&self, id: ConsensusId) -> Option<&ConsensusItem> {
        self.agreed().find(|item| item.id == id)
    }

    /// Returns whether the item was withdrawn.
    pub fn is_withdrawn(&self, id: ConsensusId) -> bool {
        self.lines
            .iter()
            .any(|line| matches!(line, DraftLine::Withdrawn { item, .. } if *item == id))
    }

    pub(super) fn push(&mut self, line: DraftLine) {
        self.lines.push(line);
    }
}
