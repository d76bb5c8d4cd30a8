//! The source of an event: its actor, and the receipt of the model's answer.

use super::{Event, Receipt};
use crate::machine::debate::{DebateResolved, DebateRoundSummary, DebateStarted, ExpertArgument};
use crate::machine::inquiry::InquiryId;
use crate::machine::review::{Amendment, FindingVerdicts, PlanReviewed};
use crate::machine::state::State;
use crate::machine::team::{ExpertResult, ExpertStep, PlanRevised, TeamFormed, TeamSynthesis};
use crate::role::COACH;

const ENGINE: &str = "engine";

impl Event {
    /// Returns the `actor` of the line; clarifications need the state to find the asker.
    pub fn actor(&self, state: &State) -> String {
        match self {
            Self::UserInput { .. } | Self::UserIntervention { .. } => "user".to_owned(),
            Self::EndDecision { by, .. } if by.is_user() => "user".to_owned(),
            Self::EndProposal { agent_name, .. } => agent_name.to_string(),
            Self::CallStarted { call, .. }
            | Self::CallFailed { call, .. }
            | Self::TrialStarted { call, .. }
            | Self::TrialEnded { call, .. }
            | Self::CallGivenUp { call, .. } => call.member.to_string(),
            Self::UserClarificationNeeded { id, .. } => {
                asker(state, Some(InquiryId::Question(*id)))
            }
            Self::Inquiry { looked, .. } => asker(state, looked.first().map(|one| one.id)),
            Self::Document { kind, .. } => {
                let writer = state.inputs.roles.writer(*kind);
                writer.map_or_else(|| ENGINE.to_owned(), |role| role.id.to_string())
            }
            // The coach relays answers, and holds debates and closes even without a model.
            Self::UserClarificationDialogue { .. }
            | Self::TeamSynthesis(_)
            | Self::DebateStarted(_)
            | Self::DebateRoundSummary(_)
            | Self::DebateResolved(_)
            | Self::Report { .. } => COACH.to_owned(),
            // A nudge comes from the engine, whichever member gets it.
            Self::DiligencePush { .. } | Self::DiligenceExhausted { .. } => ENGINE.to_owned(),
            event => {
                let asked = event.receipt().map(|receipt| &receipt.call.member);
                asked.map_or_else(|| ENGINE.to_owned(), ToString::to_string)
            }
        }
    }

    /// Returns whether the event ends the call that it answers. A rejected answer, or a look, does
    /// not: the call is repeated.
    pub(in crate::machine) fn ends_its_call(&self) -> bool {
        !matches!(
            self,
            Self::ReplyRejected { .. }
                | Self::Look { .. }
                | Self::DiligencePush { .. }
                | Self::DiligenceExhausted { .. }
        )
    }

    /// Returns the receipt of the answer; `None` for an event without a model: those of the engine
    /// and the user, and what was made without a model.
    pub fn receipt(&self) -> Option<&Receipt> {
        match self {
            Self::ReplyRejected { receipt, .. }
            | Self::CoachInitialJudgment { receipt, .. }
            | Self::Speaking { receipt, .. }
            | Self::Look { receipt, .. }
            | Self::ClarificationRelayed { receipt, .. }
            | Self::ClarificationFollowedUp { receipt, .. }
            | Self::ConsensusSummary { receipt, .. }
            | Self::TeamFormed(TeamFormed { receipt, .. })
            | Self::PlanRevised(PlanRevised { receipt, .. })
            | Self::ExpertStep(ExpertStep { receipt, .. })
            | Self::ExpertResult(ExpertResult { receipt, .. })
            | Self::ExpertArgument(ExpertArgument { receipt, .. })
            | Self::DiligencePush { receipt, .. }
            | Self::DiligenceExhausted { receipt, .. }
            | Self::VoteCast { receipt, .. }
            | Self::Review(PlanReviewed { receipt, .. })
            | Self::Amendment(Amendment { receipt, .. })
            | Self::Verdicts(FindingVerdicts { receipt, .. }) => Some(receipt),
            Self::TeamSynthesis(TeamSynthesis { receipt, .. })
            | Self::DebateStarted(DebateStarted { receipt, .. })
            | Self::DebateRoundSummary(DebateRoundSummary { receipt, .. })
            | Self::DebateResolved(DebateResolved { receipt, .. })
            | Self::Document { receipt, .. }
            | Self::Report { receipt, .. } => receipt.as_ref(),
            _ => None,
        }
    }
}

fn asker(state: &State, topic: Option<InquiryId>) -> String {
    let by = topic.and_then(|topic| state.raised_by(topic));
    by.map_or_else(|| COACH.to_owned(), ToString::to_string)
}
