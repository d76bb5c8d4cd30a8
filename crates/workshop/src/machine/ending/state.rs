//! The state of the ending.

use std::collections::BTreeSet;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::machine::diligence::DiligenceBook;
use crate::machine::event::{StopReason, StopSign, StopUnit};
use crate::machine::inputs::{Inputs, QuestionMode};
use crate::machine::intervention::UserWords;
use crate::machine::proposal::EndProposal;
use crate::machine::similarity::Keywords;
use crate::machine::state::State;
use crate::machine::vote::{Vote, VoteFigures};

/// Why, when and with which figures the discussion ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stop {
    /// Reason for which the discussion ended.
    pub reason: StopReason,
    /// Number of the round after which it ended.
    pub round: u32,
    /// The figure seen: open blocking issues, rounds, minutes, tokens, or what `sign` counts.
    pub value: u64,
    /// The limit it was compared with.
    pub limit: u64,
    /// What a detector found, if one ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sign: Option<StopSign>,
}

/// An end that is decided or carried out, or that a guard causes or warns of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EndCause {
    /// Limit or sign that ends the discussion, or is warned of.
    #[serde(rename = "guard")]
    pub reason: StopReason,
    /// The figure at that time; 0 where nothing is counted.
    pub value: u64,
    /// The limit; 0 where nothing is counted.
    pub limit: u64,
    /// What the two count; left out if they count nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<StopUnit>,
    /// What was found, where a detector found it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sign: Option<StopSign>,
}

impl EndCause {
    /// Returns the end for this reason with the figures of now.
    pub(in crate::machine) fn now(state: &State, reason: StopReason) -> Self {
        Self::new(reason, None, super::figures(state, reason))
    }

    pub(in crate::machine) fn new(
        reason: StopReason,
        sign: Option<StopSign>,
        (value, limit): (u64, u64),
    ) -> Self {
        Self {
            reason,
            value,
            limit,
            unit: StopUnit::of(reason, sign),
            sign,
        }
    }
}

/// Everything about the ending except the limits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EndingState {
    /// How the discussion ended.
    pub stop: Option<Stop>,
    /// Guards that have warned.
    pub warned: BTreeSet<StopReason>,
    /// Whether a user can be asked now.
    pub attended: bool,
    /// Whether limits and detectors end the run without asking.
    pub auto_exit: bool,
    /// Indicator words, if the run looks for them; parsed once.
    pub keywords: Option<Arc<Keywords>>,
    /// An end that is decided: the current round is summarised first.
    pub decided: Option<EndCause>,
    /// Rounds granted beyond the limit.
    pub granted_rounds: u64,
    /// Minutes granted beyond the limit.
    pub granted_minutes: u64,
    /// A proposal to end that is still undecided.
    pub proposal: Option<EndProposal>,
    /// Number of proposals on record, and of confirmed ones.
    pub proposals: (u32, u32),
    /// The vote in progress.
    pub vote: Option<Vote>,
    /// Number of votes so far, and of those that passed.
    pub votes: (u32, u32),
    /// The figures of the vote that ended the discussion, if the user called for one.
    pub ended_by_vote: Option<VoteFigures>,
    /// The round in which the last vote was called.
    pub voted_in: Option<u32>,
    /// How often the user intervened: messages, commands, decisions.
    pub interventions: u32,
    /// The user's messages to the members, in order.
    pub words: Vec<UserWords>,
    /// Messages that no round has seen yet: indices into `words`.
    pub unheard: Vec<usize>,
    /// The record of nudges.
    pub diligence: DiligenceBook,
}

impl EndingState {
    /// Returns the state at the beginning of a run.
    pub fn of(inputs: &Inputs) -> Self {
        Self {
            attended: inputs.questions == QuestionMode::Ask,
            auto_exit: inputs.rules.ending.auto_exit_enabled,
            // An unreadable list is refused before a run begins.
            keywords: Keywords::of(inputs)
                .ok()
                .filter(|_| inputs.rules.ending.consensus_enabled),
            ..Self::default()
        }
    }

    /// Returns whether the run is agreed: it ended because no blocking issue was open.
    pub fn is_agreed(&self) -> bool {
        self.stop
            .as_ref()
            .is_some_and(|stop| stop.reason == StopReason::Consensus)
    }
}
