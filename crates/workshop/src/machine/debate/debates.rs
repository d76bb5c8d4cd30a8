//! The debates of a run: held, queued and dropped.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::divergence::{Divergence, may_be_debated};
use super::due;
use super::motion::RequestRefusal;
use super::record::Debate;
use crate::ids::IssueId;
use crate::machine::decide::parse_id;
use crate::machine::intervention;
use crate::machine::issue::{IssueRecord, IssueStatus};
use crate::machine::phase::PhaseId;
use crate::machine::state::{Stage, State};
use crate::machine::team;

/// The debates of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Debates {
    /// Debates that were held; the last one may still be in progress.
    pub held: Vec<Debate>,
    /// Debates that the user asked for and that are still queued.
    pub wanted: Vec<WantedDebate>,
    /// Debates that the user asked for and that were dropped.
    pub voided: Vec<WantedDebate>,
    /// Divergences found by the last summary; cleared when the next round begins.
    pub found: Vec<Divergence>,
    /// Issues that the last summary asked, with a reason, not to debate.
    pub declined: BTreeSet<IssueId>,
    /// Whether to skip the current debate, or the next one if none is in progress.
    pub skips: bool,
}

/// A debate the user asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WantedDebate {
    /// Topic of the debate, one line.
    pub topic: String,
    /// The issue that it names, which was open then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<IssueId>,
    /// The phase of a team that it names, which was done or being worked on then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase_id: Option<PhaseId>,
}

/// Why a debate that was granted was never held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UnheldReason {
    /// Its issue was closed before its turn came.
    IssueClosed,
    /// The phase of a team it was about brought nothing.
    NoResult,
    /// The discussion ended before the debate was held.
    Ended,
}

/// A debate the user asked for, that was granted and never held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnheldDebate {
    /// What was asked for.
    #[serde(flatten)]
    pub wanted: WantedDebate,
    /// Why it was not held.
    pub why: UnheldReason,
}

/// Returns the debates that were granted but not held: the dropped ones and, once the discussion
/// has ended, those still queued.
pub fn unheld(state: &State) -> Vec<UnheldDebate> {
    let left = state.debates.wanted.iter();
    let left = left.filter(|_| state.ending.stop.is_some());
    let left = left.map(|wanted| (wanted, UnheldReason::Ended));
    let voided = state.debates.voided.iter().map(|wanted| {
        let why = match wanted.phase_id {
            Some(_) => UnheldReason::NoResult,
            None => UnheldReason::IssueClosed,
        };
        (wanted, why)
    });
    let unheld = voided.chain(left).map(|(wanted, why)| UnheldDebate {
        wanted: wanted.clone(),
        why,
    });
    unheld.collect()
}

impl Debates {
    /// Begins a round: clears the divergences of the previous one.
    pub(in crate::machine) fn begin_round(&mut self) {
        self.found.clear();
        self.skips = false;
    }
}

impl State {
    /// Queues a debate, and keeps the issue or phase whose id its topic begins with.
    pub(in crate::machine) fn want_debate(&mut self, content: &str) {
        let Some(topic) = intervention::topic(content) else {
            return;
        };
        let issue = named(&topic).and_then(|id| standing(self, id));
        let about = issue.map(|issue| issue.id);
        let phase_id = self.team.as_ref().and_then(|_| named_phase(&topic));
        self.debates.wanted.push(WantedDebate {
            topic,
            about,
            phase_id,
        });
    }

    pub(in crate::machine) fn debate_voided(&mut self) {
        if !self.debates.wanted.is_empty() {
            let voided = self.debates.wanted.remove(0);
            self.debates.voided.push(voided);
        }
        self.debates.skips = false;
    }
}

/// Returns the issue id that a topic begins with, whether or not the issue is open.
pub(super) fn named(topic: &str) -> Option<IssueId> {
    parse_id(topic.split_whitespace().next()?)
}

/// Returns the phase id that a topic begins with, whether or not the phase exists: `P-2`, `p-2:`.
pub(super) fn named_phase(topic: &str) -> Option<PhaseId> {
    let first = topic.split_whitespace().next()?;
    let name = first.trim_end_matches([':', ',', '.', '：', '，']);
    let id = PhaseId(name.to_uppercase());
    team::number(&id).map(|_| id)
}

/// Returns why the phase that a topic names cannot be debated, now or at the end of its layer;
/// `None` if it can, or if the topic names no phase.
pub(super) fn phase_refusal(state: &State, topic: &str) -> Option<RequestRefusal> {
    let team = state.team.as_ref()?;
    let id = named_phase(topic)?;
    if team.plan.find(&id).is_none() {
        return Some(RequestRefusal::NoPhase);
    }
    let mut waiting = state.debates.wanted.iter();
    if team.was_debated(&id) || waiting.any(|wanted| wanted.phase_id.as_ref() == Some(&id)) {
        return Some(RequestRefusal::Debated);
    }
    let has_or_will = may_be_debated(team, &id) || team.layer.contains(&id);
    (!has_or_will).then_some(RequestRefusal::NoResult)
}

/// Returns the open issue that an id refers to now: the issue itself, or the one it was merged
/// into.
pub(super) fn standing(state: &State, id: IssueId) -> Option<&IssueRecord> {
    let mut issue = state.ledger.find(id)?;
    // The target of a merge was open at that time, so merges form no cycle.
    for _ in 0..=state.ledger.iter().count() {
        match issue.status {
            IssueStatus::Open => return Some(issue),
            IssueStatus::Merged { into } => issue = state.ledger.find(into)?,
            _ => return None,
        }
    }
    None
}

/// Returns the next queued debate if it can no longer be held: its issue was closed, or its phase
/// has no result to debate.
pub(super) fn void(state: &State) -> Option<WantedDebate> {
    if state.stage != Stage::Between || state.open_debate().is_some() {
        return None;
    }
    let wanted = state.debates.wanted.first()?;
    let is_closed = |issue| standing(state, issue).is_none();
    let is_empty = |id| {
        let team = state.team.as_ref();
        team.is_none_or(|team| !may_be_debated(team, id))
    };
    let is_void =
        wanted.about.is_some_and(is_closed) || wanted.phase_id.as_ref().is_some_and(is_empty);
    is_void.then(|| wanted.clone())
}

/// Returns whether there is a debate to skip: one in progress, queued or due.
pub(super) fn is_skippable(state: &State) -> bool {
    state.open_debate().is_some()
        || !state.debates.wanted.is_empty()
        || due::due_motion(state).is_some()
}
