//! What happens in a review.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::record::{FindingFate, NoReviewReason, ReviewFinding, Writing};
use crate::ids::FindingId;
use crate::machine::event::{Note, Receipt};
use crate::machine::state::State;
use crate::reply::{
    Document, DocumentKind, FindingAnswer, FindingKind, FindingVerdict, PlanFinding, Synthesis,
};
use crate::role::RoleId;

/// The engine checked the plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanChecked {
    /// What is wrong with it.
    pub found: Vec<CheckedFinding>,
}

/// An error that the engine's check found, in the language of the documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckedFinding {
    /// The id, path or document concerned.
    pub about: String,
    /// The document in which it can be fixed.
    pub document: DocumentKind,
    /// What is wrong.
    pub kind: FindingKind,
    /// The problem, one sentence.
    pub text: String,
    /// The change that would fix it.
    pub mend: String,
}

/// A member read what is to be published.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanReviewed {
    /// The call that was answered, with its model and its tokens.
    pub receipt: Receipt,
    /// Full role name of the member.
    pub member: RoleId,
    /// Review of the member, Markdown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// What it found; ids are given when all reviews are in, in the order of the members.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<PlanFinding>,
    /// What was left out of the answer, put right or remarked, each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// A document, or a team's synthesis, was put to its writer with what was found in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Amendment {
    /// The call that was answered, with its model and its tokens.
    pub receipt: Receipt,
    /// What was amended: a document, or the synthesis of a team.
    pub kind: Writing,
    /// The document as it is now; none where it stays as it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Document>,
    /// The synthesis as it is now; none where it stays as it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub synthesis: Option<Synthesis>,
    /// What became of each finding that the writer spoke of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<FindingAnswer>,
    /// What was left out of the answer, put right or remarked, each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// A finder said whether its declined findings still hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FindingVerdicts {
    /// The call that was answered, with its model and its tokens.
    pub receipt: Receipt,
    /// Full role name of the member.
    pub member: RoleId,
    /// Answer of the member, Markdown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// One for each finding it was asked about; those it does not mention still hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<FindingVerdict>,
    /// What was left out of the answer, put right or remarked, each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// The review ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewClosed {
    /// Blocking findings that still hold.
    pub upheld: Vec<FindingId>,
    /// Why it was broken off; none where it came to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<NoReviewReason>,
}

impl ReviewClosed {
    /// Returns the end of the review as recorded in the state.
    pub fn of(state: &State, cut: Option<NoReviewReason>) -> Self {
        let stands = |finding: &&ReviewFinding| {
            let settled = [FindingFate::Mended, FindingFate::Withdrawn];
            finding.blocking && !settled.contains(&finding.fate)
        };
        let upheld = state.review.findings.iter().filter(stands);
        Self {
            upheld: upheld.map(|finding| finding.id).collect(),
            cut,
        }
    }
}

impl CheckedFinding {
    /// Returns whether it is this finding of the check before. A declined one stays declined, even
    /// if the amended plan changes how it is described.
    pub(super) fn is(&self, finding: &ReviewFinding) -> bool {
        let same = finding.by.is_none() && finding.about == self.about;
        let declined = finding.fate == FindingFate::Declined && finding.kind == self.kind;
        same && (finding.text == self.text || declined)
    }
}
