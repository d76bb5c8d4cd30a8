//! The debates of a run: those held, those that wait, and those not held after all.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::divergence::{Divergence, may_be_debated};
use super::due;
use super::motion::Unheld;
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
    /// Every debate that was held; the last may be going on.
    pub held: Vec<Debate>,
    /// Debates the user asked for that are still queued.
    pub wanted: Vec<WantedDebate>,
    /// Debates the user asked for that were dropped.
    pub voided: Vec<WantedDebate>,
    /// What the last summary found, until the next round begins.
    pub found: Vec<Divergence>,
    /// Issues that the coach would not have debated, with a reason, in the last summary.
    pub declined: BTreeSet<IssueId>,
    /// Whether the current debate, or else the next one, is to be left out.
    pub skips: bool,
}

/// A debate the user asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WantedDebate {
    /// On what, one line.
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
pub enum WhyUnheld {
    /// Its issue was closed before its turn came.
    IssueClosed,
    /// The phase of a team it was about brought nothing.
    NoResult,
    /// The discussion ended first.
    Ended,
}

/// A debate the user asked for, that was granted and never held.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnheldDebate {
    /// What was asked for.
    #[serde(flatten)]
    pub wanted: WantedDebate,
    /// Why it was not held.
    pub why: WhyUnheld,
}

/// What was granted and not held: what fell away, and once the discussion has ended,
/// what was still to come.
pub fn unheld(state: &State) -> Vec<UnheldDebate> {
    let left = state.debates.wanted.iter();
    let left = left.filter(|_| state.ending.stop.is_some());
    let left = left.map(|wanted| (wanted, WhyUnheld::Ended));
    let voided = state.debates.voided.iter().map(|wanted| {
        let why = match wanted.phase_id {
            Some(_) => WhyUnheld::NoResult,
            None => WhyUnheld::IssueClosed,
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
    /// A round begins: what was found before it has had its time.
    pub(in crate::machine) fn begin_round(&mut self) {
        self.found.clear();
        self.skips = false;
    }
}

impl State {
    /// A debate is wanted; it keeps the issue or phase that its topic begins with.
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

/// The issue whose id a topic begins with, open or not.
pub(super) fn named(topic: &str) -> Option<IssueId> {
    parse_id(topic.split_whitespace().next()?)
}

/// The phase whose id a topic begins with, there or not: `P-2`, `p-2:`.
pub(super) fn named_phase(topic: &str) -> Option<PhaseId> {
    let first = topic.split_whitespace().next()?;
    let name = first.trim_end_matches([':', ',', '.', '：', '，']);
    let id = PhaseId(name.to_uppercase());
    team::number(&id).map(|_| id)
}

/// Why the phase that a topic names cannot be debated, now or when it ends with its
/// layer; `None` if it can, or if none is named.
pub(super) fn phase_refusal(state: &State, topic: &str) -> Option<Unheld> {
    let team = state.team.as_ref()?;
    let id = named_phase(topic)?;
    if team.plan.find(&id).is_none() {
        return Some(Unheld::NoPhase);
    }
    let mut waiting = state.debates.wanted.iter();
    if team.was_debated(&id) || waiting.any(|wanted| wanted.phase_id.as_ref() == Some(&id)) {
        return Some(Unheld::Debated);
    }
    let has_or_will = may_be_debated(team, &id) || team.layer.contains(&id);
    (!has_or_will).then_some(Unheld::NoResult)
}

/// The open issue that an id means now: its own, or the one it was merged into.
pub(super) fn standing(state: &State, id: IssueId) -> Option<&IssueRecord> {
    let mut issue = state.ledger.find(id)?;
    // A merge leads to an issue that was open then; so there is no circle.
    for _ in 0..=state.ledger.iter().count() {
        match issue.status {
            IssueStatus::Open => return Some(issue),
            IssueStatus::Merged { into } => issue = state.ledger.find(into)?,
            _ => return None,
        }
    }
    None
}

/// The debate that was asked for next and has lost its issue, or whose phase brought nothing.
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

/// Returns whether there is a debate that can be left out: one in progress, or one that is due.
pub(super) fn is_skippable(state: &State) -> bool {
    state.open_debate().is_some()
        || !state.debates.wanted.is_empty()
        || due::due_motion(state).is_some()
}
