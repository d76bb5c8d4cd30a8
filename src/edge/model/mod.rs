//! Models behind one trait, whatever the wire format.
//!
//! `remote` is a client of an endpoint: it speaks one of the dialects of `wire`, in the form that
//! the endpoint has not refused (see `shape`). `command` runs a program; `scripted`
//! replays recorded answers; `embeddings` requests embeddings; `discover` chooses the model of a
//! run; `backoff` computes delays between attempts; `rate` limits calls to what the user allows. A
//! [`ChatModel`] makes one attempt per call: one request, and further ones only while the endpoint
//! refuses the form of the request. The driver decides what a failure means for
//! the run, so a failure contains everything that the driver needs to know.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::BoxFuture;
use crate::chat::{ChatRequest, ChatResponse};
use crate::machine::FailureKind;

mod address;
mod answer;
mod anthropic;
pub mod backoff;
mod cohere;
pub mod command;
mod counts;
pub mod discover;
pub mod embeddings;
mod exchange;
mod failure;
mod gemini;
mod halves;
mod http;
pub mod key;
mod messages;
mod ollama;
mod openai;
mod progress;
pub mod providers;
pub mod rate;
mod remote;
mod responses;
pub mod scripted;
mod shape;
mod slow_replay;
pub mod sse;
mod wire;

pub(crate) use address::pattern;
pub use backoff::{Backoff, TooLong};
pub use command::{CommandModel, Program};
pub use discover::{ANYONE, Choice, Endpoint, FoundModel, Listing, ModelRequest, discover, list};
pub use embeddings::{EmbeddingModel, Embeddings, Vectors};
pub use http::{PROXY_VARIABLES, Route, Timeouts, holds_certificates, is_on_this_machine};
pub use progress::{AnswerPiece, Listener, NoopListener};
pub use providers::Dialect;
pub use rate::{Rate, RateLimited};
pub use remote::{Remote, RemoteConfig};
pub use scripted::Scripted;
pub use slow_replay::SlowReplay;

/// Why a call has no reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct CallFailure {
    /// Kind of the failure.
    pub kind: FailureKind,
    /// The message, without secrets.
    pub detail: String,
    /// The message to record, without an address; `None` if `detail` contains none.
    pub recorded: Option<String>,
    /// Whether the call may be repeated.
    pub retryable: bool,
    /// The delay that the provider asked for.
    pub retry_after: Option<Duration>,
}

impl CallFailure {
    /// A failure without address and delay.
    pub fn new(kind: FailureKind, retryable: bool, detail: impl Into<String>) -> Self {
        Self {
            kind,
            detail: detail.into(),
            recorded: None,
            retryable,
            retry_after: None,
        }
    }

    /// The message to record, without addresses and host names.
    pub fn for_record(&self) -> &str {
        self.recorded.as_deref().unwrap_or(&self.detail)
    }
}

/// Models by the name of their provider.
pub type Models = BTreeMap<String, Arc<dyn ChatModel>>;

/// The future result of a call.
pub type Answering<'a> = BoxFuture<'a, Result<ChatResponse, CallFailure>>;

/// A model that can be called. One call is one attempt: the driver repeats calls. Each of the two
/// calls the other, so that a model has to have one of its own.
pub trait ChatModel: Send + Sync {
    /// Makes one attempt. Dropping the future aborts the call.
    fn chat<'a>(&'a self, request: &'a ChatRequest) -> Answering<'a> {
        self.chat_streaming(request, &NoopListener)
    }

    /// As [`chat`](Self::chat), passing the answer to `listener` while it arrives. A model whose
    /// answers arrive in one piece passes nothing.
    fn chat_streaming<'a>(
        &'a self,
        request: &'a ChatRequest,
        _listener: &'a dyn Listener,
    ) -> Answering<'a> {
        self.chat(request)
    }
}

/// Estimated tokens of a text: a third of its bytes, rounded up.
///
/// English has about four bytes a token and Chinese three to five, so the estimate is rather too
/// high than too low, as a token cap needs it.
pub fn estimate_tokens(text: &str) -> u64 {
    text.len().div_ceil(3) as u64
}
