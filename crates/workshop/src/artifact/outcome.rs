//! The outcome of feedback, and of the previous version's agreed items and open issues.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::machine::{
    ConsensusId, ConsensusItem, DraftLine, FeedbackId, IssueId, IssueOrigin, IssueRecord,
    IssueStatus, State,
};
use crate::reply::IssueSeverity;

/// What became of a point of feedback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FeedbackOutcome {
    /// Id of the point of feedback, `F-n`.
    pub id: FeedbackId,
    /// The feedback, word for word.
    pub text: String,
    /// How this version deals with the feedback.
    pub fate: FeedbackFate,
    /// The issue it was discussed as.
    pub issue: Option<IssueId>,
    /// Other issues it went on in: what it was split into or merged with.
    pub went_on_in: Vec<IssueId>,
    /// Consensus items that settle it.
    pub consensus: Vec<ConsensusId>,
    /// Agreed items of the previous version it put in question.
    pub withdrew: Vec<ConsensusId>,
    /// Why, as the coach said it; always there when it was declined.
    pub reason: Option<String>,
    /// The thread of the revised version that it was made of; left out for what was said with
    /// the revision itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
}

/// How a version deals with a point of feedback.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum FeedbackFate {
    /// Discussed, and the plan stays as it was: the same text was agreed again.
    Kept,
    /// Settled, and the plan changed.
    Changed,
    /// Taken up in other issues, all of them closed.
    Superseded,
    /// Dropped or deferred, with a reason.
    Declined,
    /// The version does not decide it.
    Open,
}

/// What became of an agreed item of the previous version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CarriedItem {
    /// Id of the agreed item, `C-n`.
    pub id: ConsensusId,
    /// Its text, as it was proposed.
    pub text: String,
    /// The coach's words for it, if it had others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wording: Option<String>,
    /// Whether this version keeps the item.
    pub fate: CarriedFate,
    /// The feedback that put it in question.
    pub feedback: Option<FeedbackId>,
    /// Items that replace it; the one it was agreed again as.
    pub now: Vec<ConsensusId>,
    /// Why it was put in question.
    pub reason: Option<String>,
}

/// Whether a version keeps an item of an earlier one.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum CarriedFate {
    /// Nobody put it in question.
    Kept,
    /// Put in question, and agreed again in the same words under the id that `now` names.
    AgreedAgain,
    /// Other agreed items replace it.
    Superseded,
    /// Withdrawn, and what takes its place is not decided.
    Open,
    /// Withdrawn, and nothing takes its place.
    Withdrawn,
}

/// What became of an issue that the previous version left open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InheritedIssue {
    /// Its id, the same in both versions.
    pub id: IssueId,
    /// The question of the issue, one line.
    pub title: String,
    /// How much it blocks the workshop.
    pub severity: IssueSeverity,
    /// Whether this version decides the issue.
    pub fate: InheritedFate,
    /// Other issues it went on in: what it was split into or merged with.
    pub went_on_in: Vec<IssueId>,
    /// Consensus items that settle it.
    pub consensus: Vec<ConsensusId>,
    /// Why, as the coach said it; always there when it was declined.
    pub reason: Option<String>,
}

/// The fates of issues left open by the previous version.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum InheritedFate {
    /// An agreed item settles it.
    Settled,
    /// Taken up in other issues, all of them closed.
    Superseded,
    /// Dropped or deferred, with a reason.
    Declined,
    /// This version does not decide it either.
    Open,
}

/// The outcome of every issue that the previous version left open, by id.
pub fn inherited(state: &State) -> Vec<InheritedIssue> {
    let before = state.task.previous.iter().flat_map(|p| &p.issues);
    let left = before.filter(|issue| issue.is_open());
    left.filter_map(|issue| state.ledger.find(issue.id))
        .map(|issue| {
            let end = IssueEnd::of(state, issue);
            InheritedIssue {
                id: issue.id,
                title: issue.whole_title().to_owned(),
                severity: issue.severity,
                fate: end.fate(),
                reason: last_reason(issue),
                went_on_in: end.others.into_iter().collect(),
                consensus: end.consensus.into_iter().collect(),
            }
        })
        .collect()
}

/// The outcome of every point of feedback, by id.
pub fn feedback(state: &State) -> Vec<FeedbackOutcome> {
    state
        .task
        .feedback
        .iter()
        .map(|item| {
            let withdrew: Vec<ConsensusId> = withdrawals(state)
                .filter(|(_, by, _)| *by == Some(item.id))
                .map(|(id, _, _)| id)
                .collect();
            let issue = issue_of(state, item.id);
            let end = issue.map(|issue| IssueEnd::of(state, issue));
            FeedbackOutcome {
                id: item.id,
                text: item.text.clone(),
                fate: end.as_ref().map_or(FeedbackFate::Open, |end| {
                    FeedbackFate::of(end, state, &withdrew)
                }),
                issue: issue.map(|issue| issue.id),
                went_on_in: end.iter().flat_map(|end| end.others.clone()).collect(),
                consensus: end.iter().flat_map(|end| end.consensus.clone()).collect(),
                reason: issue.and_then(last_reason),
                thread: item.thread.clone(),
                withdrew,
            }
        })
        .collect()
}

/// The outcome of every agreed item of the previous version, in its order.
pub(super) fn carried(state: &State) -> Vec<CarriedItem> {
    let Some(previous) = &state.task.previous else {
        return Vec::new();
    };
    let items = previous.consensus.iter().map(|item| {
        let withdrawal = withdrawals(state).find(|(id, _, _)| *id == item.id);
        let feedback = withdrawal.and_then(|(_, feedback, _)| feedback);
        let issue = feedback.and_then(|id| issue_of(state, id));
        let (fate, now) = match withdrawal {
            None => (CarriedFate::Kept, Vec::new()),
            Some(_) => what_followed(state, item, issue.map(|issue| IssueEnd::of(state, issue))),
        };
        CarriedItem {
            id: item.id,
            text: item.text.clone(),
            wording: item.wording.clone(),
            fate,
            feedback,
            now,
            reason: withdrawal.map(|(_, _, reason)| reason.to_owned()),
        }
    });
    items.collect()
}

/// The outcome of an item that was withdrawn, and the items that replace it.
fn what_followed(
    state: &State,
    item: &ConsensusItem,
    end: Option<IssueEnd>,
) -> (CarriedFate, Vec<ConsensusId>) {
    let is_open = end.as_ref().is_none_or(|end| end.is_open);
    let mut now: Vec<ConsensusId> = end.into_iter().flat_map(|end| end.consensus).collect();
    if let Some(id) = now.iter().find(|id| has_text(state, **id, &item.text)) {
        return (CarriedFate::AgreedAgain, vec![*id]);
    }
    if is_open {
        return (CarriedFate::Open, now);
    }
    if now.is_empty() {
        return (CarriedFate::Withdrawn, now);
    }
    // A replacement that only repeats another old item is listed with that item, not here.
    let before = || state.task.previous.iter().flat_map(|p| &p.consensus);
    let is_of_another = |id: &ConsensusId| before().any(|old| has_text(state, *id, &old.text));
    if !now.iter().all(is_of_another) {
        now.retain(|id| !is_of_another(id));
    }
    (CarriedFate::Superseded, now)
}

fn withdrawals(state: &State) -> impl Iterator<Item = (ConsensusId, Option<FeedbackId>, &str)> {
    state.draft.lines().iter().filter_map(|line| match line {
        DraftLine::Withdrawn {
            item,
            feedback,
            reason,
            ..
        } => Some((*item, *feedback, reason.as_str())),
        _ => None,
    })
}

fn issue_of(state: &State, feedback: FeedbackId) -> Option<&IssueRecord> {
    state
        .ledger
        .iter()
        .find(|issue| issue.origin == IssueOrigin::Feedback { feedback })
}

fn last_reason(issue: &IssueRecord) -> Option<String> {
    issue
        .history
        .last()
        .and_then(|change| change.reason.clone())
}

fn has_text(state: &State, id: ConsensusId, text: &str) -> bool {
    state.draft.find(id).is_some_and(|item| item.text == text)
}

/// Where an issue ended, followed through splits and merges.
struct IssueEnd {
    /// Other issues it continued in.
    others: BTreeSet<IssueId>,
    /// Agreed items that settle the issue, or those it continued in.
    consensus: BTreeSet<ConsensusId>,
    /// Whether any of these issues is still open.
    is_open: bool,
}

impl IssueEnd {
    fn of(state: &State, start: &IssueRecord) -> Self {
        let mut end = Self {
            others: BTreeSet::new(),
            consensus: BTreeSet::new(),
            is_open: false,
        };
        let mut waiting = vec![start.id];
        let mut seen = BTreeSet::from([start.id]);
        while let Some(issue) = waiting.pop().and_then(|id| state.ledger.find(id)) {
            match &issue.status {
                IssueStatus::Open => end.is_open = true,
                IssueStatus::Settled { by } => end
                    .consensus
                    .extend(by.iter().filter(|id| !state.draft.is_withdrawn(**id))),
                IssueStatus::Refined { into } => {
                    waiting.extend(into.iter().filter(|id| seen.insert(**id)));
                }
                IssueStatus::Merged { into } => {
                    waiting.extend(seen.insert(*into).then_some(*into));
                }
                IssueStatus::Dropped | IssueStatus::Deferred => {}
            }
        }
        seen.remove(&start.id);
        end.others = seen;
        end
    }

    fn fate(&self) -> InheritedFate {
        if self.is_open {
            InheritedFate::Open
        } else if self.consensus.is_empty() {
            InheritedFate::Declined
        } else if !self.others.is_empty() {
            InheritedFate::Superseded
        } else {
            InheritedFate::Settled
        }
    }
}

impl FeedbackFate {
    /// The outcome of the feedback's issue; if that was settled, also whether the plan changed.
    fn of(end: &IssueEnd, state: &State, withdrew: &[ConsensusId]) -> Self {
        let is_again = |id: &ConsensusId| {
            let mut before = withdrew.iter().filter_map(|old| state.draft.find(*old));
            before.any(|old| has_text(state, *id, &old.text))
        };
        match end.fate() {
            InheritedFate::Open => Self::Open,
            InheritedFate::Declined => Self::Declined,
            InheritedFate::Superseded => Self::Superseded,
            InheritedFate::Settled if end.consensus.iter().all(is_again) => Self::Kept,
            InheritedFate::Settled => Self::Changed,
        }
    }
}
