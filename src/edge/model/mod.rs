//! Models behind one trait, whatever the wire format.
//!
//! `remote` is a client of an endpoint, which speaks one of the dialects behind
//! `wire` in the shape that `refusals` of it leave (see `shape`); `command` runs a program; `scripted` replays recorded answers;
//! `embeddings` asks for vectors of texts; `discover` finds out which of them a
//! run uses; `backoff` says how long to wait before a call is tried again; `rate`
//! holds an endpoint's calls to what the user says it bears. A [`ChatModel`] asks exactly once: what a
//! failure means for the run is the driver's business, so a failure says
//! everything the driver needs to know.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::ports::BoxFuture;
use crate::chat::{ChatRequest, ChatResponse};
use crate::machine::FailureKind;

mod address;
mod answer;
mod anthropic;
pub mod backoff;
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
mod refusals;
mod remote;
mod responses;
pub mod scripted;
mod shape;
mod slow_replay;
pub mod sse;
mod wire;

pub use backoff::{Backoff, TooLong};
pub use command::{CommandModel, Program};
pub use discover::{ANYONE, Choice, Endpoint, FoundModel, Listing, Wish, discover, list};
pub use embeddings::{EmbeddingModel, Embeddings, Vectors};
pub use http::{PROXY_VARIABLES, Route, Timeouts, holds_certificates, is_on_this_machine};
pub use progress::{Listener, NoopListener, Piece};
pub use providers::Dialect;
pub use rate::{Rate, RateLimited};
pub use remote::{Habits, Remote, RemoteConfig};
pub use scripted::Scripted;
pub use slow_replay::SlowReplay;

/// Why a call brought no reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct CallFailure {
    /// Which kind.
    pub kind: FailureKind,
    /// In words, without secrets.
    pub detail: String,
    /// The same without an address, where `detail` names one: what goes on record.
    pub recorded: Option<String>,
    /// May it be tried again?
    pub retryable: bool,
    /// How long the provider asked to wait.
    pub retry_after: Option<Duration>,
}

impl CallFailure {
    /// One that names no address and asks for no wait.
    pub fn new(kind: FailureKind, retryable: bool, detail: impl Into<String>) -> Self {
        Self {
            kind,
            detail: detail.into(),
            recorded: None,
            retryable,
            retry_after: None,
        }
    }

    /// The words that go on record: no address, no host.
    pub fn for_record(&self) -> &str {
        self.recorded.as_deref().unwrap_or(&self.detail)
    }
}

/// Models by the name of their provider.
pub type Models = BTreeMap<String, Arc<dyn ChatModel>>;

/// What a call comes to.
pub type Answering<'a> = BoxFuture<'a, Result<ChatResponse, CallFailure>>;

/// A model that can be asked. One call is one try: retries are the driver's.
pub trait ChatModel: Send + Sync {
    /// Asks once. Dropping the future aborts the call.
    fn chat<'a>(&'a self, request: &'a ChatRequest) -> Answering<'a>;

    /// As [`chat`](Self::chat), and lets `listener` hear the answer while it arrives.
    /// A model whose answers come in one piece lets nothing be heard.
    fn chat_streaming<'a>(
        &'a self,
        request: &'a ChatRequest,
        _listener: &'a dyn Listener,
    ) -> Answering<'a> {
        self.chat(request)
    }
}

/// Tokens of a text where nobody counted: a third of its bytes, rounded up.
///
/// English has about four bytes a token and Chinese three to five, so the estimate is
/// rather too high than too low, as a cap on tokens needs it.
pub fn estimate_tokens(text: &str) -> u64 {
    text.len().div_ceil(3) as u64
}
