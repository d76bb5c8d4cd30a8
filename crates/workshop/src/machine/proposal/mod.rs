//! Proposals to end: from a marker in a reply to a recorded decision.
//!
//! ```text
//! Speaking / ConsensusSummary (proposes_end) -> EndProposal -> EndDecision
//!     -> DiscussionEnded, or the discussion continues
//! ```
//!
//! Each step follows from the state, so a crash between two of them repeats neither.

mod marker;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use marker::{proposes_end, unmarked};

use super::event::{Event, StopReason};
use super::state::State;
use crate::role::RoleId;

/// How a proposal was recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EndMethod {
    /// The end marker was the last thing in the reply; nothing is guessed.
    Marker,
}

/// Who decided on a proposed or due end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    /// The user, at the terminal of the run.
    Terminal,
    /// The user, by a message.
    Message,
    /// Nobody was there, or nobody answered: the rule for unattended runs.
    Unattended,
    /// The settings: no confirmation is wanted.
    Settings,
}

impl DecidedBy {
    /// Returns whether the user decided.
    pub fn is_user(self) -> bool {
        matches!(self, Self::Terminal | Self::Message)
    }
}

/// A proposal that is still undecided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndProposal {
    /// The member that proposes the end.
    pub agent: RoleId,
    /// Its text without the marker; empty if the members voted for it.
    pub clean: String,
    /// The whole reply verbatim; empty if the members voted for it.
    pub response: String,
    /// Whether the proposal is a line of the transcript rather than only a marker in a speech.
    pub on_record: bool,
}

impl EndProposal {
    pub(super) fn new(agent: &RoleId, clean: &str, response: &str) -> Self {
        Self {
            agent: agent.clone(),
            clean: clean.to_owned(),
            response: response.to_owned(),
            on_record: false,
        }
    }
}

/// Returns the event that follows from a proposal without asking anybody, if there is one.
pub(super) fn due(state: &State) -> Option<Event> {
    let proposal = state.ending.proposal.as_ref()?;
    if state.ending.decided.is_some() {
        // Nobody is asked about it any more.
        return None;
    }
    if !proposal.on_record {
        return Some(Event::EndProposal {
            agent_name: proposal.agent.clone(),
            response_text: proposal.response.clone(),
            response_clean: proposal.clean.clone(),
            method: EndMethod::Marker,
            reason: "the end marker is the last thing in the reply".to_owned(),
            confirmed: false,
        });
    }
    let rules = &state.inputs.rules.ending.marker;
    match (rules.require_confirmation, rules.auto_end) {
        (true, _) if state.ending.attended => None,
        (true, _) => Some(unattended(state)),
        (false, ends) => Some(Event::EndDecision {
            guard: StopReason::Proposal,
            confirmed: ends,
            by: DecidedBy::Settings,
            reason: by_settings(ends).to_owned(),
            granted: 0,
            message: None,
        }),
    }
}

fn by_settings(ends: bool) -> &'static str {
    if ends {
        "`auto_end` is on"
    } else {
        "`auto_end` is off: the discussion continues"
    }
}

/// Returns the decision if nobody confirms: the end is confirmed only if no blocking issue is open.
pub fn unattended(state: &State) -> Event {
    let blocking = state.ledger.blocking().count();
    Event::EndDecision {
        guard: StopReason::Proposal,
        confirmed: blocking == 0,
        by: DecidedBy::Unattended,
        reason: format!("nobody confirms; blocking issues open: {blocking}"),
        granted: 0,
        message: None,
    }
}
