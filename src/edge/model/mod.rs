//! Models behind one trait, whatever the wire format.

use std::time::Duration;

use super::ports::BoxFuture;
use crate::chat::{ChatRequest, ChatResponse};
use crate::workshop::FailureKind;

/// Why a call brought no reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct CallFailure {
    /// Which kind.
    pub kind: FailureKind,
    /// In words, without secrets.
    pub detail: String,
    /// May it be tried again?
    pub retryable: bool,
    /// How long the provider asked to wait.
    pub retry_after: Option<Duration>,
}

/// A model that can be asked. One call is one try: retries are the driver's.
pub trait ChatModel: Send + Sync {
    /// Asks once. Dropping the future aborts the call.
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
    ) -> BoxFuture<'a, Result<ChatResponse, CallFailure>>;
}
