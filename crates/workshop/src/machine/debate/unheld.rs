//! Debates that were granted and never held, for readers of the version.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::debates::Wanted;
use crate::ids::IssueId;
use crate::machine::phase::PhaseId;
use crate::machine::state::State;

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
    /// What was to be debated, one line.
    pub topic: String,
    /// The issue that the topic names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<IssueId>,
    /// The phase of a team that the topic names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase_id: Option<PhaseId>,
    /// Why it was not held.
    pub why: WhyUnheld,
}

impl UnheldDebate {
    fn of(wanted: &Wanted, why: WhyUnheld) -> Self {
        Self {
            topic: wanted.topic.clone(),
            about: wanted.about,
            phase_id: wanted.phase.clone(),
            why,
        }
    }

    fn voided(wanted: &Wanted) -> Self {
        let why = match wanted.phase {
            Some(_) => WhyUnheld::NoResult,
            None => WhyUnheld::IssueClosed,
        };
        Self::of(wanted, why)
    }
}

/// What was granted and not held: what fell away, and once the discussion has ended,
/// what was still to come.
pub fn unheld(state: &State) -> Vec<UnheldDebate> {
    let docket = &state.debates;
    let left = docket.wanted.iter().filter(|_| state.ending.stop.is_some());
    let left = left.map(|wanted| UnheldDebate::of(wanted, WhyUnheld::Ended));
    let voided = docket.voided.iter().map(UnheldDebate::voided);
    voided.chain(left).collect()
}
