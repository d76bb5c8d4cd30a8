//! The discussion: what was said in its rounds, and their summaries.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ids::{ConsensusId, IssueId, QuestionId};
use crate::machine::event::{LedgerRefusal, Note};
use crate::machine::proposed_text::SeenTurns;
use crate::machine::similarity::Measurement;
use crate::reply::{Contribution, Reminder, WriterNote};
use crate::role::RoleId;

/// A speech as recorded.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SpeechRecord {
    /// Full role name of the member that spoke.
    pub member: RoleId,
    /// Number of the round, from 1.
    pub round: u32,
    /// Place in the round, from 1.
    pub turn: u32,
    /// The answer, less what had to be left out.
    pub speech: Contribution,
    /// Ids its `new_issues` were given, in the same order.
    pub issues: Vec<IssueId>,
    /// Ids its `questions` were given, in the same order.
    pub questions: Vec<QuestionId>,
    /// What was left out of the answer, put right or remarked, each with the reason.
    pub notes: Vec<Note>,
}

/// Summary of a round.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SummaryRecord {
    /// Number of the round it sums up, from 1.
    pub round: u32,
    /// The summary a person reads.
    pub text: String,
    /// Ids of the items that joined the draft.
    pub admitted: Vec<ConsensusId>,
    /// Issues this round was about.
    pub discussed: Vec<IssueId>,
    /// Issues explicitly left open, with what the coach said.
    pub left_open: Vec<IssueId>,
    /// Issues entered in this round, by members and by refinement.
    pub entered: Vec<IssueId>,
    /// Ids of the issues that were closed.
    pub closed: Vec<IssueId>,
    /// Focus reminders for the next round.
    pub reminders: Vec<Reminder>,
    /// Parts of the summary that were refused, each with its rule.
    pub refused: Vec<LedgerRefusal>,
    /// Number of blocking issues that are open afterwards.
    pub blocking_left: usize,
}

impl SummaryRecord {
    /// Returns the issues that were open after the round.
    pub fn open_after(&self) -> BTreeSet<IssueId> {
        let issues = self.discussed.iter().chain(&self.entered).copied();
        issues.filter(|id| !self.closed.contains(id)).collect()
    }
}

/// Something said or done in a round, in the order in which later speakers see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DiscussionItem {
    /// A speech: index into `speeches`.
    Speech(usize),
    /// A question was closed.
    Answer(QuestionId),
    /// A member was skipped: index into `passed_over`.
    PassedOver(usize),
    /// Somebody looked something up: index into all looks.
    Look(usize),
    /// The user said something: index into the `words` of the ending.
    User(usize),
}

/// A round that was followed by another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastRound {
    /// Round number, from 1.
    pub round: u32,
    /// What was said in it, in order.
    pub said: Vec<DiscussionItem>,
}

/// A member without a usable answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Absence {
    /// Full role name of the member.
    pub member: RoleId,
    /// Number of the round, from 1.
    pub round: u32,
    /// Reason for which the member did not speak.
    pub reason: String,
}

/// The discussion so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Discussion {
    /// Issues of this round, in a stable order, so that prompts keep their prefix.
    pub agenda: Vec<IssueId>,
    /// Members by the time of their last turn.
    pub turns: SeenTurns,
    /// Every speech, in order of the transcript; parallel ones in role order.
    pub speeches: Vec<SpeechRecord>,
    /// Parallel speeches that wait for the others, by turn.
    pub waiting_speeches: BTreeMap<u32, SpeechRecord>,
    /// Members that gave no usable answer.
    pub passed_over: Vec<Absence>,
    /// What was said in the current round, in order.
    pub said: Vec<DiscussionItem>,
    /// The earlier rounds, in order.
    pub past_rounds: Vec<PastRound>,
    /// Every summary.
    pub summaries: Vec<SummaryRecord>,
    /// Similarity measurements, by round.
    pub measurements: BTreeMap<u32, Measurement>,
}

impl Discussion {
    /// Speeches of one round, in order.
    pub fn speeches_of(&self, round: u32) -> impl Iterator<Item = &SpeechRecord> {
        // Speeches are sorted by round, so a long run is not searched whole for each call.
        let first = self.speeches.partition_point(|speech| speech.round < round);
        self.speeches
            .iter()
            .skip(first)
            .take_while(move |speech| speech.round == round)
    }

    /// Returns the notes that members left for the writers of documents, in order: id, author and
    /// note. The first id is `N-1`.
    pub fn notes(&self) -> impl Iterator<Item = (String, &RoleId, &WriterNote)> {
        let all = self.speeches.iter().flat_map(|speech| {
            let notes = speech.speech.notes.iter();
            notes.map(|note| (&speech.member, note))
        });
        (1..)
            .zip(all)
            .map(|(n, (member, note))| (format!("N-{n}"), member, note))
    }
}
