//! The record of a review.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::{CallId, Purpose};
use crate::ids::FindingId;
use crate::machine::state::State;
use crate::machine::team::TeamWork;
use crate::reply::{DocumentKind, FindingKind, PlanFinding};
use crate::role::RoleId;

/// The amendments after the members' reviews and the first check.
pub const AMENDED_FOR_REVIEW: u32 = 1;
/// The amendments after the check of the amended plan; there are none later.
pub const AMENDED_FOR_CHECK: u32 = 2;

/// What is reviewed and amended.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Writing {
    /// What a team's lead made of all results.
    Synthesis,
    /// A document of a plan.
    #[serde(untagged)]
    Document(DocumentKind),
}

impl Writing {
    /// Returns what a call writes or amends; `None` if it asks for something else.
    pub(super) fn of(purpose: Purpose) -> Option<Self> {
        match purpose {
            Purpose::Document(kind) => Some(Self::Document(kind)),
            Purpose::Report => Some(Self::Synthesis),
            _ => None,
        }
    }

    /// Returns the purpose of the calls that write and amend it.
    pub(in crate::machine) fn purpose(self) -> Purpose {
        match self {
            Self::Document(kind) => Purpose::Document(kind),
            Self::Synthesis => Purpose::Report,
        }
    }

    /// Returns its writer; `None` if nobody in the run writes it.
    pub fn writer(self, state: &State) -> Option<&RoleId> {
        let roles = &state.inputs.roles;
        match self {
            Self::Document(kind) => roles.writer(kind).map(|role| &role.id),
            Self::Synthesis => Some(&roles.coach.id),
        }
    }
}

impl From<DocumentKind> for Writing {
    fn from(kind: DocumentKind) -> Self {
        Self::Document(kind)
    }
}

/// A finding of the review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewFinding {
    /// Id of the finding, `FI-n`.
    pub id: FindingId,
    /// Who found it; null for the engine's own check.
    pub by: Option<RoleId>,
    /// Id or section it is about.
    pub about: String,
    /// What is wrong.
    pub kind: FindingKind,
    /// The problem, one or two sentences.
    pub text: String,
    /// The change that would fix it.
    pub mend: String,
    /// Whether it must be fixed before work begins.
    pub blocking: bool,
    /// The documents in which it is to be fixed, by their writers; empty if only the user
    /// decides.
    pub documents: Vec<Writing>,
    /// Before which amendments it was there: 1 or 2, later ones not at all.
    pub pass: u32,
    /// What the writers made of it.
    pub answers: Vec<AnsweredFinding>,
    /// How the writers dealt with the finding.
    pub fate: FindingFate,
    /// Why its finder withdrew or upheld it; null if nobody was asked.
    pub why: Option<String>,
}

/// What one writer made of a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AnsweredFinding {
    /// Document whose writer answered, or the synthesis.
    pub document: Writing,
    /// Whether that was changed for it.
    pub mended: bool,
    /// What was changed, or why nothing was.
    pub because: String,
}

/// What became of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FindingFate {
    /// Nothing yet, or nobody could be had to do anything about it.
    Open,
    /// A document was changed for it.
    Mended,
    /// Its writers say why they leave it.
    Declined,
    /// It is about something agreed or answered: only the user changes that.
    #[serde(rename = "left_to_human")]
    LeftToUser,
    /// It was declined, and who found it gave it up.
    Withdrawn,
    /// It is blocking, and it still holds.
    Upheld,
}

/// Why there was no review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoReviewReason {
    /// The review is switched off, or the format has none.
    Off,
    /// The work is small, or only one member contributed to the synthesis.
    Light,
    /// Tokens or money were used up.
    Budget,
    /// Nobody gave a usable review.
    NoReviewer,
}

/// What somebody did not do for want of a usable answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MissedPart {
    /// The member did not review the plan.
    Review,
    /// The member did not amend its document.
    Amendment,
    /// Say whether its findings still hold.
    Verdict,
}

/// Somebody who gave no usable answer in the review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MissedTurn {
    /// Full role name of the member.
    pub member: RoleId,
    /// What the member did not do.
    pub part: MissedPart,
    /// Reason for which it was not done.
    pub reason: String,
}

/// The progress and the findings of a review.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Review {
    /// Why there is no review, once that is decided.
    pub unheld: Option<NoReviewReason>,
    /// How many times the engine has checked the plan.
    pub checks: u32,
    /// Findings by reviewer, kept until all reviews are in.
    pub waiting: BTreeMap<RoleId, Vec<PlanFinding>>,
    /// Whether all reviews are in.
    pub heard: bool,
    /// All findings, in order of ids.
    pub findings: Vec<ReviewFinding>,
    /// The last pass of amendments that each document, or the synthesis, went through.
    pub amended: BTreeMap<Writing, u32>,
    /// Finders that were asked about declined findings.
    pub judged: BTreeSet<RoleId>,
    /// Members that gave no usable answer, in order.
    pub missing: Vec<MissedTurn>,
}

impl Review {
    /// Returns why the output of a run is not reviewed; `None` if it is.
    pub(in crate::machine) fn left_out(
        state: &State,
        without_model: bool,
    ) -> Option<NoReviewReason> {
        let inputs = &state.inputs;
        // A synthesis of a single answer combines nothing, so there is nothing to compare.
        let is_alone = |team: &TeamWork| team.contributors().len() < 2;
        if !inputs.rules.review || !inputs.format.is_reviewed() {
            Some(NoReviewReason::Off)
        } else if state.is_small() || state.team.as_ref().is_some_and(is_alone) {
            Some(NoReviewReason::Light)
        } else if without_model {
            Some(NoReviewReason::Budget)
        } else {
            None
        }
    }

    /// Returns whether a member gave no usable answer in that part of the review.
    pub fn missed(&self, member: &RoleId, part: MissedPart) -> bool {
        let mut all = self.missing.iter();
        all.any(|one| one.member == *member && one.part == part)
    }

    /// Returns how many findings have this outcome.
    pub fn count(&self, fate: FindingFate) -> usize {
        let all = self.findings.iter();
        all.filter(|finding| finding.fate == fate).count()
    }

    /// Returns the findings left to the people who build the plan: unfixed and still valid.
    pub fn left_open(&self) -> impl Iterator<Item = &ReviewFinding> {
        let fates = [
            FindingFate::Open,
            FindingFate::LeftToUser,
            FindingFate::Upheld,
        ];
        let all = self.findings.iter();
        all.filter(move |finding| fates.contains(&finding.fate))
    }

    /// Returns the findings that the writer must answer in an amendment call.
    pub fn put_by(&self, call: &CallId) -> impl Iterator<Item = &ReviewFinding> {
        let writing = Writing::of(call.purpose).into_iter();
        let pass = call.turn.saturating_sub(1);
        writing.flat_map(move |writing| self.put_to(writing, pass))
    }

    /// Returns the findings given to a writer in this pass.
    pub(super) fn put_to(
        &self,
        writing: Writing,
        pass: u32,
    ) -> impl Iterator<Item = &ReviewFinding> {
        let all = self.findings.iter();
        all.filter(move |one| one.pass == pass && one.documents.contains(&writing))
    }

    /// Returns the findings that a finder is asked about again: its blocking ones that were
    /// declined or left to the user.
    pub fn put_back_to<'a>(
        &'a self,
        member: &'a RoleId,
    ) -> impl Iterator<Item = &'a ReviewFinding> {
        let all = self.findings.iter();
        all.filter(move |one| one.by.as_ref() == Some(member) && one.is_disputed())
    }
}

impl ReviewFinding {
    /// Returns whether it is blocking and was left unfixed by those who could fix it.
    pub fn is_disputed(&self) -> bool {
        let left = matches!(self.fate, FindingFate::Declined | FindingFate::LeftToUser);
        self.blocking && left
    }

    /// Returns the writers' reasons for leaving it unfixed.
    pub fn reasons(&self) -> impl Iterator<Item = &AnsweredFinding> {
        self.answers.iter().filter(|answer| !answer.mended)
    }
}
