//! The outcome of a thread, as the transcripts of later versions record it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Thread, ThreadStatus};
use crate::artifact::{self, FeedbackFate, InheritedFate};
use crate::ids::{ConsensusId, FeedbackId, IssueId};
use crate::machine::{Stage, State};

/// What a version made of a comment that it took as feedback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ThreadAnswer {
    /// Which version, such as `v2`.
    pub version: String,
    /// Whether its run has not ended.
    pub draft: bool,
    /// The point of feedback that the comment became there.
    pub feedback: FeedbackId,
    /// How the revision deals with the comment.
    pub fate: FeedbackFate,
    /// The issue it was discussed as.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<IssueId>,
    /// What was agreed to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub consensus: Vec<ConsensusId>,
    /// Why, as the coach said it; left out if nothing was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A comment with what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ThreadView {
    /// The version it is a comment on, such as `v1`.
    pub version: String,
    /// Its file, from the workspace's root.
    pub path: String,
    /// Status of the comment.
    pub standing: ThreadStatus,
    /// What versions made of it that took it, the earliest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<ThreadAnswer>,
    /// The version that no longer has its item, such as `v2`; left out if all have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gone_in: Option<String>,
    /// Whether the words it quotes are nowhere in the version.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub quote_missing: bool,
    /// The comment, as its file holds it.
    pub thread: Thread,
}

/// How a version answered a thread on the version it revises; `None` if it did not take the thread.
pub fn answer(thread: &str, taker: &State) -> Option<ThreadAnswer> {
    let took = taker.task.feedback.iter();
    let took = took.filter(|item| item.thread.as_deref() == Some(thread));
    let id = took.map(|item| item.id).next()?;
    let all = artifact::feedback(taker);
    let outcome = all.into_iter().find(|outcome| outcome.id == id)?;
    Some(ThreadAnswer {
        version: taker.inputs.run().to_string(),
        draft: taker.stage < Stage::Published,
        feedback: id,
        fate: outcome.fate,
        issue: outcome.issue,
        consensus: outcome.consensus,
        reason: outcome.reason,
    })
}

/// How the next version answered a thread that was left open; `None` if it has no such issue.
pub fn later(left: &ThreadAnswer, next: &State) -> Option<ThreadAnswer> {
    let issue = left.issue.filter(|_| left.fate == FeedbackFate::Open)?;
    let all = artifact::inherited(next);
    let outcome = all.into_iter().find(|outcome| outcome.id == issue)?;
    Some(ThreadAnswer {
        version: next.inputs.run().to_string(),
        draft: next.stage < Stage::Published,
        feedback: left.feedback,
        fate: match outcome.fate {
            InheritedFate::Settled => FeedbackFate::Changed,
            InheritedFate::Superseded => FeedbackFate::Superseded,
            InheritedFate::Declined => FeedbackFate::Declined,
            InheritedFate::Open => FeedbackFate::Open,
        },
        issue: Some(issue),
        consensus: outcome.consensus,
        reason: outcome.reason,
    })
}

/// The status of a thread. The last action by a person decides. If it left the thread open, or if
/// there is none, the last published version with an answer other than open decides.
pub fn status(thread: &Thread, answers: &[ThreadAnswer]) -> ThreadStatus {
    let decided = answers
        .iter()
        .rev()
        .find(|answer| !answer.draft && answer.fate != FeedbackFate::Open);
    match (thread.state(), decided.map(|answer| answer.fate)) {
        (ThreadStatus::Open, Some(FeedbackFate::Declined)) => ThreadStatus::Declined,
        (ThreadStatus::Open, Some(_)) => ThreadStatus::Taken,
        (status, _) => status,
    }
}
