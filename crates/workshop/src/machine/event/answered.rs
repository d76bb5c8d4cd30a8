//! The answer of a model that an event is made of.

use super::{Event, Receipt};
use crate::machine::debate::{DebateResolved, DebateRoundSummary, DebateStarted};
use crate::machine::review;
use crate::machine::team::{ExpertResult, PlanRevised, TeamFormed, TeamSynthesis};

impl Event {
    /// Is the call it answers done with? An answer that goes back, or that looks, is asked for
    /// once more.
    pub(in crate::machine) fn ends_its_call(&self) -> bool {
        !matches!(
            self,
            Self::ReplyRejected { .. }
                | Self::Look { .. }
                | Self::DiligencePush { .. }
                | Self::DiligenceExhausted { .. }
        )
    }

    /// What came with the answer it is made of; none for what no model said: what
    /// the engine or the human did, and what was made without a model.
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
