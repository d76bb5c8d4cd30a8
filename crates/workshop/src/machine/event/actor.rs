//! Who did what an event tells, and what it proposes.

use super::Event;
use crate::machine::debate::ArgumentMissing;
use crate::machine::inquiry::Topic;
use crate::machine::review::{Amended, Judged, Reviewed, Writing};
use crate::machine::state::State;
use crate::role::COACH;

const ENGINE: &str = "engine";

impl Event {
    /// Who did it, for the line's `actor`; needs the asker for clarifications.
    pub fn actor(&self, state: &State) -> String {
        match self {
            Self::UserInput { .. } | Self::UserIntervention { .. } => "user".to_owned(),
            Self::EndDecision { by, .. } if by.is_human() => "user".to_owned(),
            Self::EndProposal { agent_name, .. } => agent_name.to_string(),
            Self::CallStarted { call, .. }
            | Self::CallFailed { call, .. }
            | Self::TrialStarted { call, .. }
            | Self::TrialEnded { call, .. }
            | Self::ClarificationSkipped { call, .. } => call.member.to_string(),
            Self::VoteCast { member, .. }
            | Self::Review(Reviewed { member, .. })
            | Self::Verdicts(Judged { member, .. })
            | Self::PassedOver { member, .. }
            | Self::ArgumentMissing(ArgumentMissing { member, .. }) => member.to_string(),
            Self::UserClarificationNeeded { id, .. } => asker(state, Some(Topic::Question(*id))),
            Self::Inquiry { looked, .. } => asker(state, looked.first().map(|one| one.id)),
            Self::Document { kind, .. } => writer(state, Writing::Document(*kind)),
            Self::Amendment(Amended { kind, .. }) => writer(state, *kind),
            // The coach relays answers, and holds debates and closes even without a model.
            Self::UserClarificationDialogue { .. }
            | Self::TeamSynthesis(_)
            | Self::DebateStarted(_)
            | Self::DebateRoundSummary(_)
            | Self::DebateResolved(_)
            | Self::Report { .. } => COACH.to_owned(),
            // The engine nudges, whoever was asked.
            Self::DiligencePush { .. } | Self::DiligenceExhausted { .. } => ENGINE.to_owned(),
            event => {
                let asked = event.receipt().map(|receipt| &receipt.call.member);
                asked.map_or_else(|| ENGINE.to_owned(), ToString::to_string)
            }
        }
    }
}

/// Who writes it.
fn writer(state: &State, writing: Writing) -> String {
    let writer = writing.writer(state);
    writer.map_or_else(|| ENGINE.to_owned(), ToString::to_string)
}

/// Who raised it.
fn asker(state: &State, topic: Option<Topic>) -> String {
    let by = topic.and_then(|topic| state.raised_by(topic));
    by.map_or_else(|| COACH.to_owned(), ToString::to_string)
}
