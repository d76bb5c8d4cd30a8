//! Who did what an event tells, and what it proposes.

use super::Event;
use crate::machine::debate::{ArgumentMissing, ExpertArgument};
use crate::machine::inquiry::Topic;
use crate::machine::review::{Amended, Judged, Reviewed, Writing};
use crate::machine::state::State;
use crate::machine::team::{ExpertResult, ExpertStep, PlanRevised, TeamFormed};
use crate::role::COACH;

impl Event {
    /// Who did it, for the line's `actor`; needs the asker for clarifications.
    pub fn actor(&self, state: &State) -> String {
        match self {
            Self::UserInput { .. } | Self::UserIntervention { .. } => "user".to_owned(),
            Self::EndDecision { by, .. } if by.is_human() => "user".to_owned(),
            Self::EndProposal { agent_name, .. } => agent_name.to_string(),
            Self::VoteCast { member, .. } => member.to_string(),
            Self::CallStarted { call, .. }
            | Self::CallFailed { call, .. }
            | Self::TrialStarted { call, .. }
            | Self::TrialEnded { call, .. }
            | Self::ClarificationSkipped { call, .. } => call.member.to_string(),
            Self::ReplyRejected { receipt, .. }
            | Self::Speaking { receipt, .. }
            | Self::Look { receipt, .. }
            | Self::ExpertArgument(ExpertArgument { receipt, .. })
            | Self::ExpertStep(ExpertStep { receipt, .. })
            | Self::ClarificationFollowedUp { receipt, .. } => receipt.call.member.to_string(),
            Self::Review(Reviewed { member, .. })
            | Self::Verdicts(Judged { member, .. })
            | Self::PassedOver { member, .. }
            | Self::ArgumentMissing(ArgumentMissing { member, .. }) => member.to_string(),
            Self::UserClarificationNeeded { id, .. } => asker(state, Some(Topic::Question(*id))),
            Self::Inquiry { looked, .. } => asker(state, looked.first().map(|one| one.id)),
            Self::Document { kind, .. } => writer(state, Writing::Document(*kind)),
            Self::Amendment(Amended { kind, .. }) => writer(state, *kind),
            Self::ExpertResult(ExpertResult {
                receipt: Some(receipt),
                ..
            }) => receipt.call.member.to_string(),
            Self::CoachInitialJudgment { .. }
            | Self::TeamFormed(TeamFormed {
                receipt: Some(_), ..
            })
            | Self::PlanRevised(PlanRevised {
                receipt: Some(_), ..
            })
            | Self::TeamSynthesis(_)
            | Self::ClarificationRelayed { .. }
            | Self::UserClarificationDialogue { .. }
            | Self::ConsensusSummary { .. }
            | Self::DebateStarted(_)
            | Self::DebateRoundSummary(_)
            | Self::DebateResolved(_)
            | Self::Report { .. } => COACH.to_owned(),
            Self::KnowledgeSearch { .. }
            | Self::Evidence { .. }
            | Self::TeamFormed(_)
            | Self::PlanRevised(_)
            | Self::PhaseStarted(_)
            | Self::ExpertResult(_)
            | Self::RoundStarted { .. }
            | Self::DivergenceUnjudged(_)
            | Self::DebateVoided(_)
            | Self::SimilarityMeasured { .. }
            | Self::GuardWarned { .. }
            | Self::GuardFired { .. }
            | Self::DiligencePush { .. }
            | Self::DiligenceExhausted { .. }
            | Self::DiligenceOff { .. }
            | Self::EndDecision { .. }
            | Self::VoteClosed { .. }
            | Self::PlanChecked(_)
            | Self::ReviewClosed(_)
            | Self::Resumed { .. }
            | Self::Published { .. } => "engine".to_owned(),
        }
    }
}

/// Who writes it.
fn writer(state: &State, writing: Writing) -> String {
    let writer = writing.writer(state);
    writer.map_or_else(|| "engine".to_owned(), ToString::to_string)
}

/// Who raised it.
fn asker(state: &State, topic: Option<Topic>) -> String {
    let by = topic.and_then(|topic| state.raised_by(topic));
    by.map_or_else(|| COACH.to_owned(), ToString::to_string)
}
