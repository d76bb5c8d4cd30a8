//! The source of an event: its actor, and the receipt of the model's answer.

use super::{Event, Receipt};
use crate::machine::debate::{ArgumentMissing, DebateResolved, DebateRoundSummary, DebateStarted};
use crate::machine::inquiry::Topic;
use crate::machine::review::{self, Amended, Judged, Reviewed, Writing};
use crate::machine::state::State;
use crate::machine::team::{ExpertResult, PlanRevised, TeamFormed, TeamSynthesis};
use crate::role::COACH;

const ENGINE: &str = "engine";

impl Event {
    /// Returns the `actor` of the line; clarifications need the state to find the asker.
    pub fn actor(&self, state: &State) -> String {
        match self {
            Self::UserInput { .. } | Self::UserIntervention { .. } => "user".to_owned(),
            Self::EndDecision { by, .. } if by.is_human() => "user".to_owned(),
            Self::EndProposal { agent_name, .. } => agent_name.to_string(),
            Self::CallStarted { call, .. }
            | Self::CallFailed { call, .. }
            | Self::TrialStarted { call, .. }
            | Self::TrialEnded { call, .. }
            | Self::CallGivenUp { call, .. }
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
            // The coach relays answers, holds debates and closes, even without a model.
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
            | Self::DiligencePush { receipt, .. }
            | Self::DiligenceExhausted { receipt, .. } => Some(receipt),
            Self::ExpertStep(step) => Some(&step.receipt),
            Self::ExpertArgument(argument) => Some(&argument.receipt),
            Self::TeamFormed(TeamFormed { receipt, .. })
            | Self::PlanRevised(PlanRevised { receipt, .. })
            | Self::ExpertResult(ExpertResult { receipt, .. })
            | Self::TeamSynthesis(TeamSynthesis { receipt, .. })
            | Self::DebateStarted(DebateStarted { receipt, .. })
            | Self::DebateRoundSummary(DebateRoundSummary { receipt, .. })
            | Self::DebateResolved(DebateResolved { receipt, .. })
            | Self::VoteCast { receipt, .. }
            | Self::Document { receipt, .. }
            | Self::Report { receipt, .. } => receipt.as_ref(),
            Self::PlanChecked(_)
            | Self::Review(_)
            | Self::Amendment(_)
            | Self::Verdicts(_)
            | Self::ReviewClosed(_) => review::step(self)?.receipt(),
            Self::UserInput { .. }
            | Self::KnowledgeSearch { .. }
            | Self::CallStarted { .. }
            | Self::CallFailed { .. }
            | Self::CallGivenUp { .. }
            | Self::TrialStarted { .. }
            | Self::TrialEnded { .. }
            | Self::RoundStarted { .. }
            | Self::PassedOver { .. }
            | Self::Inquiry { .. }
            | Self::Evidence { .. }
            | Self::UserClarificationNeeded { .. }
            | Self::UserClarificationDialogue { .. }
            | Self::ClarificationSkipped { .. }
            | Self::SimilarityMeasured { .. }
            | Self::PhaseStarted(_)
            | Self::DivergenceUnjudged(_)
            | Self::DebateVoided(_)
            | Self::ArgumentMissing(_)
            | Self::DiligenceOff { .. }
            | Self::EndProposal { .. }
            | Self::EndDecision { .. }
            | Self::UserIntervention { .. }
            | Self::VoteClosed { .. }
            | Self::GuardWarned { .. }
            | Self::GuardFired { .. }
            | Self::Resumed { .. }
            | Self::Published { .. } => None,
        }
    }
}

/// Returns the writer.
fn writer(state: &State, writing: Writing) -> String {
    let writer = writing.writer(state);
    writer.map_or_else(|| ENGINE.to_owned(), ToString::to_string)
}

/// Returns the member that raised the topic.
fn asker(state: &State, topic: Option<Topic>) -> String {
    let by = topic.and_then(|topic| state.raised_by(topic));
    by.map_or_else(|| COACH.to_owned(), ToString::to_string)
}
