//! The next actions, as the state requires them.

use super::event::{Event, StopReason};
use super::inquiry::InquiryId;
use crate::call::CallId;
use crate::ids::QuestionId;

/// An action to take; its name is imperative.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Search the repository and the knowledge folders.
    Survey,
    /// Search them again, for topics that were raised.
    Inquire(Vec<InquiryId>),
    /// Check the members' claims against the files.
    Verify,
    /// Check the written plan against the rules, for its review.
    CheckPlan,
    /// Call a model. Several calls in one list may run in parallel.
    Call(CallId),
    /// Ask the embeddings endpoint how similar this round is to earlier ones.
    Measure,
    /// Get answers from the user, in any way that the questions mode allows.
    AskUser(Vec<QuestionId>),
    /// Ask the user whether to apply a limit, or whether to confirm a proposal to end.
    AskEnd(StopReason),
    /// Only record this event, which follows from the rules alone.
    Record(Box<Event>),
    /// Record the last line of the transcript. Its files are written and named afterwards.
    Complete,
    /// Stop: the call gave nothing usable after all retries.
    GiveUp(GiveUp),
}

impl Action {
    /// Returns the action that records the event.
    pub(super) fn record(event: Event) -> Self {
        Self::Record(Box::new(event))
    }

    /// Returns the call that it makes, if it makes one.
    pub fn call(self) -> Option<CallId> {
        match self {
            Self::Call(call) => Some(call),
            _ => None,
        }
    }

    /// Returns the recording of the event as the only action.
    pub(super) fn recorded(event: Event) -> Vec<Self> {
        vec![Self::record(event)]
    }
}

/// Why a run cannot continue by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GiveUp {
    /// The provider is unavailable (exit code 5).
    ProviderUnavailable {
        /// Id of the call.
        call: CallId,
    },
    /// The model's replies are unusable (exit code 6).
    UnusableReply {
        /// Id of the call.
        call: CallId,
    },
}
