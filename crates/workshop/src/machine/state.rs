//! The state of a run: the result of its events so far.
//!
//! Fields are public so that prompts, artifacts, checks and views can read them; only `apply`
//! changes them.

mod calls;
mod discussion;
mod documents;
mod grounding;
mod judgment;
mod questions;
mod run;
mod task;

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::consensus::ConsensusDraft;
use super::dag::Dag;
use super::debate::Debates;
use super::ending::EndingState;
use super::inputs::Inputs;
use super::issue::IssueLedger;
use super::question::Assumption;
use super::review::Review;
use super::team::TeamWork;
use crate::reply::DocumentKind;
use crate::role::RoleId;

pub use calls::{CallBook, CallHistory, OpenCall};
pub use discussion::{Absence, Discussion, DiscussionItem, PastRound, SpeechRecord, SummaryRecord};
pub use documents::{DocumentRecord, DocumentSet};
pub use grounding::GroundingRecord;
pub use judgment::JudgmentRecord;
pub use questions::Questions;
pub use run::RunRecord;
pub use task::Task;

/// The template of the prompt for the plan as one text.
pub const ONE_TEXT: &str = "prompt/plan.j2";

/// Stage of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The requirement is in; nothing was searched yet.
    Opening,
    /// The coach reads the requirement.
    Judging,
    /// Between rounds: the next one starts, or the discussion ends.
    Between,
    /// Members speak, or work on the phases of a team.
    Speaking,
    /// The coach sums up the round.
    Summarising,
    /// The members write the documents.
    #[serde(rename = "closing")]
    Writing,
    /// Members review what was written, and its writers amend it.
    Reviewing,
    /// The coach writes the words that open the report.
    Reporting,
    /// Everything is there; the version may be published.
    Complete,
    /// The last line, `published`, is recorded: nothing more may follow. The files of the version
    /// are written, and it gets its name, after that.
    Published,
}

/// The result of the events so far.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// The run's identity, and the position in its transcript.
    pub run: RunRecord,
    /// The task.
    pub task: Task,
    /// The inputs of the run.
    pub inputs: Inputs,
    /// What is known about the repository and the knowledge folders.
    pub grounding: GroundingRecord,
    /// The stage of the run.
    pub stage: Stage,
    /// The current round; 0 before the first.
    pub round: u32,
    /// The coach's judgment of the requirement.
    pub judgment: JudgmentRecord,
    /// What was said in the rounds.
    pub discussion: Discussion,
    /// Debates: held and queued.
    pub debates: Debates,
    /// The issue ledger.
    pub ledger: IssueLedger,
    /// The consensus draft: what was agreed, not the folder of an unfinished version.
    pub draft: ConsensusDraft,
    /// Questions for the user, and what was assumed in place of answers.
    pub questions: Questions,
    /// The phases of a team and their results; `None` before it is formed, and in every other
    /// format.
    pub team: Option<TeamWork>,
    /// The documents written at the end.
    pub documents: DocumentSet,
    /// The review of the plan.
    pub review: Review,
    /// Proposals, votes, nudges, and the user's messages.
    pub ending: EndingState,
    /// Calls and tokens.
    pub calls: CallBook,
}

impl State {
    /// Returns every assumption, those of the version that is revised last.
    pub fn assumed(&self) -> impl Iterator<Item = &Assumption> {
        let before = self.task.previous.iter();
        let before = before.flat_map(|previous| &previous.assumptions);
        self.questions.assumptions.iter().chain(before)
    }

    /// Returns the members that speak in the discussion, in order.
    pub fn participants(&self) -> impl Iterator<Item = &RoleId> {
        let members = self.inputs.roles.members.iter().map(|role| &role.id);
        members.filter(|id| self.takes_part(id))
    }

    /// Returns the ids of what can be cited beside issues: agreed items in force, answered
    /// questions, assumptions, feedback, evidence and trials.
    pub(in crate::machine) fn sources(&self) -> BTreeSet<String> {
        let (questions, grounding) = (&self.questions, &self.grounding);
        let closed = questions.asked.iter().filter(|one| one.is_closed());
        let mut ids: BTreeSet<String> = self
            .draft
            .standing()
            .map(|one| one.id.to_string())
            .collect();
        ids.extend(closed.map(|one| one.id.to_string()));
        ids.extend(self.assumed().map(|one| one.id.to_string()));
        ids.extend(self.task.feedback.iter().map(|one| one.id.to_string()));
        ids.extend(grounding.evidence.iter().map(|one| one.id.to_string()));
        ids.extend(grounding.trials.all.iter().map(|one| one.id.to_string()));
        ids
    }

    /// Returns the speakers of `round`, in order.
    pub fn speakers(&self, round: u32) -> Vec<&RoleId> {
        let members: Vec<&RoleId> = if self.judgment.invited.is_empty() {
            let everybody = self.inputs.roles.members.iter();
            everybody.map(|role| &role.id).collect()
        } else {
            self.judgment
                .invited
                .iter()
                .map(|one| &one.member)
                .collect()
        };
        let start = match self.inputs.rules.order {
            super::inputs::SpeakingOrder::Fixed => 0,
            super::inputs::SpeakingOrder::Rotate => {
                (round.saturating_sub(1) as usize) % members.len().max(1)
            }
        };
        (0..members.len())
            .map(|i| members[(start + i) % members.len()])
            .collect()
    }

    /// Returns whether members speak in parallel in this round.
    pub fn is_blind_round(&self) -> bool {
        self.inputs.is_blind(self.round)
    }

    /// Returns the members without a usable answer in one round.
    pub fn passed_over_in(&self, round: u32) -> impl Iterator<Item = &Absence> {
        self.discussion
            .passed_over
            .iter()
            .rev()
            .take_while(move |passed| passed.round >= round)
            .filter(move |passed| passed.round == round)
    }

    /// Returns the members that still have to speak in the current round, with their turns, in
    /// order.
    pub fn next_speakers(&self) -> Vec<(u32, RoleId)> {
        // Members of a team do not speak: they work on phases.
        if self.team.is_some() {
            return Vec::new();
        }
        let spoken: BTreeSet<u32> = self
            .discussion
            .speeches
            .iter()
            .rev()
            .take_while(|speech| speech.round == self.round)
            .map(|speech| speech.turn)
            .chain(self.discussion.waiting_speeches.keys().copied())
            .collect();
        self.speakers(self.round)
            .into_iter()
            .zip(1u32..)
            .filter(|(member, turn)| {
                !spoken.contains(turn)
                    && !self
                        .passed_over_in(self.round)
                        .any(|passed| &passed.member == *member)
            })
            .map(|(member, turn)| (turn, member.clone()))
            .collect()
    }

    /// Returns the documents this run writes, with their dependencies on each other.
    pub fn document_dag(&self) -> Dag<DocumentKind> {
        Dag::among(&self.document_kinds(), |kind| kind.depends_on().to_vec())
    }

    /// Returns whether the coach writes the plan as one text, from the final documents. Runs that
    /// began before this prompt existed do not.
    pub fn writes_one_text(&self) -> bool {
        self.inputs.format.writes_documents() && self.inputs.templates.contains_key(ONE_TEXT)
    }

    /// Returns the documents that can be written now, in parallel.
    pub fn next_documents(&self) -> Vec<DocumentKind> {
        self.document_dag()
            .ready(|kind| self.documents.written.contains_key(kind))
    }

    /// Returns the kinds of documents this run writes: those with a role to write them, in order;
    /// none if the format has no documents.
    pub fn document_kinds(&self) -> Vec<DocumentKind> {
        DocumentKind::ALL
            .into_iter()
            .filter(|_| self.inputs.format.writes_documents())
            .filter(|kind| self.inputs.roles.writer(*kind).is_some())
            .collect()
    }
}
