//! What must be done next, as the state has it.

use super::call::CallId;
use super::event::{Event, StopReason};
use super::inquiry::Topic;
use crate::ids::QuestionId;

/// Something to do; imperative.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Search repository and knowledge folders.
    Survey,
    /// Search them again, for what was raised.
    Inquire(Vec<Topic>),
    /// Hold what members claim against the files.
    Verify,
    /// Hold the written plan against the rules, for its review.
    CheckPlan,
    /// Ask a model. Several in one list may run side by side.
    Call(CallId),
    /// Ask the embeddings endpoint how alike this round is to earlier ones.
    Measure,
    /// Get answers from the user, by whatever way the questions mode allows.
    AskHuman(Vec<QuestionId>),
    /// Ask the user whether to obey a limit, or to confirm a proposal to end.
    AskEnd(StopReason),
    /// Nothing to do at the edge: the rules alone decide this fact.
    Record(Box<Event>),
    /// Write everything, sync, and give the version its name.
    Publish,
    /// Stop: the call brought nothing usable, however often it was asked.
    GiveUp(GiveUp),
}

impl Action {
    /// That this fact is recorded.
    pub(super) fn record(event: Event) -> Self {
        Self::Record(Box::new(event))
    }

    /// That this fact is recorded, and nothing else is to be done.
    pub(super) fn recorded(event: Event) -> Vec<Self> {
        vec![Self::record(event)]
    }
}

/// Why a run cannot go on by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GiveUp {
    /// The provider cannot be had (exit code 5).
    ProviderUnavailable {
        /// Which call.
        call: CallId,
    },
    /// The model's replies are unusable (exit code 6).
    UnusableReply {
        /// Which call.
        call: CallId,
    },
}
