//! Models behind one trait, whatever the wire format.
//!
//! `openai` speaks chat completions with everything that is compatible,
//! `scripted` replays recorded answers, `embeddings` asks for vectors of texts, `discover` finds out which of them a
//! run uses, `backoff` says how long to wait before a call is tried again. A
//! [`ChatModel`] asks exactly once: what a failure means for the run is the
//! driver's business, so a failure says everything the driver needs to know.

use std::time::Duration;

use super::ports::BoxFuture;
use crate::chat::{ChatRequest, ChatResponse};
use crate::workshop::FailureKind;

pub mod backoff;
pub mod discover;
pub mod embeddings;
mod failure;
mod http;
mod openai;
pub mod providers;
pub mod scripted;
pub mod sse;

pub use backoff::{Backoff, TooLong};
pub use discover::{Choice, DiscoverError, Endpoint, Found, Wish, check_credentials, discover};
pub use embeddings::{EmbeddingModel, Embeddings, Vectors};
pub use http::{ModelSetupError, Timeouts};
pub use openai::{AnswerFormat, OpenAi, OpenAiConfig, estimate_tokens};
pub use scripted::{Scripted, ScriptedError};

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
