//! The issue ledger: open issues, the outcome of the others, and each member's position.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::proposed_text::IssueText;
use crate::ids::{ConsensusId, FeedbackId, IssueId, TextId};
use crate::reply::{IssueSeverity, Stance};
use crate::role::RoleId;

/// One issue with its whole history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IssueRecord {
    /// Id of the issue, `I-n`.
    pub id: IssueId,
    /// The question of the issue, one line.
    pub title: String,
    /// What has to be decided and why it is open.
    pub detail: String,
    /// How much it blocks the workshop.
    pub severity: IssueSeverity,
    /// What brought the issue up.
    pub origin: IssueOrigin,
    /// Which version left it open last, where one did and the record says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_by: Option<u32>,
    /// In which version its positions were taken, where that is an earlier one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_in: Option<u32>,
    /// In which round it was raised; 0 before the first.
    pub round: u32,
    /// Status of the issue.
    pub status: IssueStatus,
    /// Every position ever taken, in order of the transcript.
    pub positions: Vec<PositionRecord>,
    /// Every change of status with the round and the reason, oldest first.
    pub history: Vec<IssueChange>,
    /// What was proposed on it, by members and by debates, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<IssueText>,
}

impl IssueRecord {
    /// Returns an open issue without positions.
    pub(super) fn new(
        id: IssueId,
        (title, detail): (String, String),
        severity: IssueSeverity,
        origin: IssueOrigin,
        round: u32,
    ) -> Self {
        Self {
            id,
            title,
            detail,
            severity,
            origin,
            left_by: None,
            held_in: None,
            round,
            status: IssueStatus::Open,
            positions: Vec::new(),
            history: Vec::new(),
            texts: Vec::new(),
        }
    }

    /// Returns the whole title; a title that was too long for its line is in the detail.
    pub fn whole_title(&self) -> &str {
        let head = self.title.strip_suffix('…');
        let from = head.and_then(|head| self.detail.find(head));
        let whole = from.and_then(|from| self.detail[from..].lines().next());
        whole.unwrap_or(&self.title).trim()
    }

    /// Returns whether it is open.
    pub fn is_open(&self) -> bool {
        self.status == IssueStatus::Open
    }

    /// Returns whether it is open and blocks agreement.
    pub fn is_blocking(&self) -> bool {
        self.is_open() && self.severity == IssueSeverity::Blocking
    }

    /// Returns whether the member's latest position is for or against it.
    pub fn concerns(&self, member: &RoleId) -> bool {
        self.latest_of(member)
            .is_some_and(|p| p.stance != Stance::Abstain)
    }

    /// Returns the members that object to issues merged into it, unless they took a position on it
    /// themselves in a later round. In order of names.
    pub(super) fn objectors_of<'a>(
        &self,
        merged: impl Iterator<Item = &'a IssueRecord>,
    ) -> BTreeSet<&'a RoleId> {
        let brought = merged.flat_map(|issue| {
            let objections = issue.latest();
            objections.filter(|p| p.stance == Stance::Object && !self.outlives(p))
        });
        brought.map(|p| &p.member).collect()
    }

    /// Returns the members that object to any text of it or of the issues merged into it. In order
    /// of names.
    pub(super) fn objectors_with<'a>(
        &'a self,
        merged: impl Iterator<Item = &'a IssueRecord>,
    ) -> BTreeSet<&'a RoleId> {
        let brought = self.objectors_of(merged);
        self.objectors().into_iter().chain(brought).collect()
    }

    /// Returns whether the member's own position here replaces the one that a merge brings. An
    /// objection is replaced only by a position from a later round: agreeing to one issue in the
    /// same speech that objects to another does not withdraw the objection.
    fn outlives(&self, brought: &PositionRecord) -> bool {
        let own = self.latest_of(&brought.member);
        let is_later = own.is_some_and(|own| own.round > brought.round);
        self.concerns(&brought.member) && (brought.stance != Stance::Object || is_later)
    }

    /// Adds what another member says about the same issue.
    pub(super) fn join(&mut self, detail: &str, severity: IssueSeverity) {
        let detail = detail.trim();
        if !self.detail.contains(detail) {
            self.detail = format!("{}\n\n{detail}", self.detail).trim().to_owned();
        }
        if severity == IssueSeverity::Blocking {
            self.severity = severity;
        }
    }

    /// Adds the texts and the latest positions of issues merged into it. A member with a position
    /// here keeps it; among the merged positions an objection takes precedence, so that no merge
    /// removes one.
    pub(super) fn take_positions(
        &mut self,
        texts: impl IntoIterator<Item = IssueText>,
        mut brought: Vec<PositionRecord>,
    ) {
        self.texts.extend(texts);
        brought.retain(|p| !self.outlives(p));
        brought.sort_by_key(|p| match p.stance {
            Stance::Abstain => 0,
            Stance::Agree | Stance::Refine => 1,
            Stance::Object => 2,
        });
        self.positions.extend(brought);
    }

    /// Returns the latest position of every member that took one, in order of names.
    pub fn latest(&self) -> impl Iterator<Item = &PositionRecord> {
        let latest: BTreeMap<_, _> = self.positions.iter().map(|p| (&p.member, p)).collect();
        latest.into_values()
    }

    /// Returns the latest position of every member other than abstentions, in order of names.
    pub fn stands(&self) -> impl Iterator<Item = &PositionRecord> {
        let stands = self
            .positions
            .iter()
            .filter(|p| p.stance != Stance::Abstain);
        let latest: BTreeMap<_, _> = stands.map(|p| (&p.member, p)).collect();
        latest.into_values()
    }

    /// Returns the latest position of a member.
    pub fn latest_of(&self, member: &RoleId) -> Option<&PositionRecord> {
        self.positions.iter().rfind(|p| p.member == *member)
    }

    /// Returns the latest position of a member other than an abstention.
    pub fn stand_of(&self, member: &RoleId) -> Option<&PositionRecord> {
        let mut stands = self
            .positions
            .iter()
            .filter(|p| p.stance != Stance::Abstain);
        stands.rfind(|p| p.member == *member)
    }

    /// Returns the members whose latest stance is an objection, in order of names.
    pub fn objectors(&self) -> Vec<&RoleId> {
        self.latest()
            .filter(|p| p.stance == Stance::Object)
            .map(|p| &p.member)
            .collect()
    }

    /// Returns the members that support it, in order of names. An abstention does not withdraw
    /// earlier support; an objection does.
    pub fn supporters(&self) -> Vec<&RoleId> {
        self.stands()
            .filter(|p| p.stance.supports())
            .map(|p| &p.member)
            .collect()
    }
}

/// What brought an issue up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum IssueOrigin {
    /// A need of the requirement.
    Requirement,
    /// A point of the user's feedback.
    Feedback {
        /// Id of the point of feedback, `F-n`.
        feedback: FeedbackId,
    },
    /// Left unresolved by the previous version; the id lives on.
    Previous,
    /// Raised by a member in its speech.
    Member {
        /// Full role name of the member.
        member: RoleId,
    },
    /// Split off an earlier issue by the coach.
    Refined {
        /// The issue it was split from.
        parent: IssueId,
    },
    /// An agreed item that the user put in question again while the run went on.
    Reopened {
        /// Id of the agreed item, `C-n`.
        item: ConsensusId,
    },
}

/// Status of an issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum IssueStatus {
    /// It is still to be discussed.
    Open,
    /// It is settled, by items of the draft.
    Settled {
        /// Ids of the agreed items that settle it.
        by: Vec<ConsensusId>,
    },
    /// It was split into other issues.
    Refined {
        /// Ids of the issues it was split into.
        into: Vec<IssueId>,
    },
    /// It is the same as another issue.
    Merged {
        /// The issue it was merged into.
        into: IssueId,
    },
    /// It was no real issue.
    Dropped,
    /// It is minor and left for later.
    Deferred,
}

/// A change of an issue's status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IssueChange {
    /// Id of the issue, `I-n`.
    pub issue: IssueId,
    /// Number of the round, from 1.
    pub round: u32,
    /// Status of the issue from that round on.
    pub to: IssueStatus,
    /// Why, as the coach said it; required for `dropped` and `deferred`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A position of a member on an issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PositionRecord {
    /// Full role name of the member.
    pub member: RoleId,
    /// Number of the round, from 1.
    pub round: u32,
    /// The stance of the member.
    pub stance: Stance,
    /// The text it would put into the plan.
    pub proposal: Option<String>,
    /// The text it supports: its own proposal or another's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backs: Option<TextId>,
    /// The text an objection is to; absent for every text of the issue but its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<TextId>,
    /// Reason the member gave.
    pub why: String,
    /// What changed its mind, when the stance flipped.
    pub changed_because: Option<String>,
    /// When it was taken, in turns of this run; 0 if it comes from an earlier version.
    #[serde(skip)]
    pub at: u32,
}

/// All issues of a run, in order of ids.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IssueLedger {
    issues: BTreeMap<IssueId, IssueRecord>,
}

impl IssueLedger {
    /// Returns the dropped issues of what the user asked for, in order of ids.
    pub fn wishes_dropped(&self) -> impl Iterator<Item = &IssueRecord> {
        self.iter().filter(|issue| {
            let is_wish = matches!(
                issue.origin,
                IssueOrigin::Requirement | IssueOrigin::Feedback { .. }
            );
            is_wish && issue.status == IssueStatus::Dropped
        })
    }

    /// Returns all issues, in order of ids.
    pub fn iter(&self) -> impl Iterator<Item = &IssueRecord> {
        self.issues.values()
    }

    /// Returns the open issues, in order of ids.
    pub fn open(&self) -> impl Iterator<Item = &IssueRecord> {
        self.iter().filter(|issue| issue.is_open())
    }

    /// Returns the open blocking issues, in order of ids.
    pub fn blocking(&self) -> impl Iterator<Item = &IssueRecord> {
        self.iter().filter(|issue| issue.is_blocking())
    }

    /// Returns the issue with this id.
    pub fn find(&self, id: IssueId) -> Option<&IssueRecord> {
        self.issues.get(&id)
    }
    pub(super) fn find_mut(&mut self, id: IssueId) -> Option<&mut IssueRecord> {
        self.issues.get_mut(&id)
    }

    /// Enters a new issue; an existing id is left unchanged.
    pub(super) fn enter(&mut self, issue: IssueRecord) {
        self.issues.entry(issue.id).or_insert(issue);
    }
}
