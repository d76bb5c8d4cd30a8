//! What became of a thread, as the transcripts of later versions tell it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{State as Done, Thread};
use crate::artifact::{self, FeedbackFate, InheritedFate};
use crate::ids::{ConsensusId, FeedbackId, IssueId};
use crate::machine::{Stage, State};

/// How a thread stands, by what people did to it and by what a revision made of it.
pub type Standing = Done;

/// What a version made of a thread that it took as feedback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// Which version, such as `v2`.
    pub version: String,
    /// Has its run not ended?
    pub draft: bool,
    /// The point of feedback that the thread became there.
    pub feedback: FeedbackId,
    /// What became of that.
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

/// A thread with what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Shown {
    /// The version it is a comment on, such as `v1`.
    pub version: String,
    /// Its file, from the workspace's root.
    pub path: String,
    /// How it stands.
    pub standing: Standing,
    /// What versions made of it that took it, the earliest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Answer>,
    /// The version that no longer has its item, such as `v2`; left out if all have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gone_in: Option<String>,
    /// Do the words it quotes stand nowhere in the version?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub quote_missing: bool,
    /// The thread as it lies in its file.
    pub thread: Thread,
}

/// What a version made of a thread of the version it revises; `None` if it did not take it.
pub fn answer(thread: &str, taker: &State) -> Option<Answer> {
    let took = taker.task.feedback.iter();
    let took = took.filter(|item| item.thread.as_deref() == Some(thread));
    let id = took.map(|item| item.id).next()?;
    let all = artifact::feedback(taker);
    let outcome = all.into_iter().find(|outcome| outcome.id == id)?;
    Some(Answer {
        version: taker.inputs.run().to_string(),
        draft: taker.stage < Stage::Published,
        feedback: id,
        fate: outcome.fate,
        issue: outcome.issue,
        consensus: outcome.consensus,
        reason: outcome.reason,
    })
}

/// What the next version made of an answer that was left open; `None` if it has no such issue.
pub fn later(left: &Answer, next: &State) -> Option<Answer> {
    let issue = left.issue.filter(|_| left.fate == FeedbackFate::Open)?;
    let all = artifact::inherited(next);
    let outcome = all.into_iter().find(|outcome| outcome.id == issue)?;
    Some(Answer {
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

/// How a thread stands: as people left it, where they did anything; else as the last version
/// that was published and took it decided.
pub fn standing(thread: &Thread, answers: &[Answer]) -> Standing {
    let decided = answers
        .iter()
        .rev()
        .find(|answer| !answer.draft && answer.fate != FeedbackFate::Open);
    match (thread.state(), decided.map(|answer| answer.fate)) {
        (Done::Open, Some(FeedbackFate::Declined)) => Done::Declined,
        (Done::Open, Some(_)) => Done::Taken,
        (done, _) => done,
    }
}
