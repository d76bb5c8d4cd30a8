//! What makes one wire format different from another.
//!
//! Everything about the network (time limits, sizes, what a failure means) is
//! shared and stands in `remote`; a dialect only says where a request goes, how
//! it is written, and what a piece of the answer means. None of them knows a
//! service: what is special about one is data, in `providers`.

use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use reqwest::{StatusCode, Url};

use super::answer::{Answer, Taken};
use super::http::{Base, ModelSetupError};
use super::providers::Dialect;
use super::shape::Shape;
use super::{anthropic, gemini, ollama, openai, responses};
use crate::chat::{AnswerFormat, ChatRequest};

/// Which version of its API is meant; Anthropic refuses a request that does not say.
const ANTHROPIC_VERSION: &str = "2023-06-01";

/// How the pieces of a stream are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Framing {
    /// Server-sent events.
    Events,
    /// A JSON document a line.
    Lines,
}

/// One wire format.
pub(super) trait Wire: Send + Sync {
    /// Ways to ask for a structured answer, best first, each but the last refusable.
    fn ladder(&self) -> &'static [AnswerFormat];

    /// Where a request for `model` is posted.
    fn url(&self, base: &Base, model: &str) -> Url;

    /// Writes a request.
    ///
    /// # Errors
    /// The request has no JSON form.
    fn body(&self, request: &ChatRequest, shape: Shape) -> Result<Vec<u8>, serde_json::Error>;

    /// How the pieces of its stream are told apart.
    fn framing(&self) -> Framing {
        Framing::Events
    }

    /// Adds one piece of a stream, or a whole body, to the answer.
    ///
    /// # Errors
    /// The piece is not of this wire format.
    fn take(&self, answer: &mut Answer, data: &[u8]) -> Result<Taken, serde_json::Error>;

    /// The status that an error stands for, where the one it came with says less.
    fn meant(&self, status: StatusCode, _body: &str) -> StatusCode {
        status
    }

    /// How long an error's body asks to wait, for endpoints that send no `Retry-After`.
    fn retry_after(&self, _body: &str) -> Option<Duration> {
        None
    }
}

/// The wire format of a dialect.
pub(super) fn wire(dialect: Dialect) -> Box<dyn Wire> {
    match dialect {
        Dialect::OpenAi => Box::new(openai::Chat),
        Dialect::OpenAiResponses => Box::new(responses::Responses),
        Dialect::Anthropic => Box::new(anthropic::Messages),
        Dialect::Gemini => Box::new(gemini::Gemini),
        Dialect::Ollama => Box::new(ollama::Ollama::default()),
    }
}

/// The base below which a dialect's resources lie. People write it with and without the
/// version, and copy the address of a single resource.
///
/// # Errors
/// The address cannot be used at all.
pub(super) fn base(dialect: Dialect, provider: &str, text: &str) -> Result<Base, ModelSetupError> {
    let base = Base::parse(provider, text)?;
    Ok(match dialect {
        Dialect::OpenAi => base,
        Dialect::OpenAiResponses => base.without(&["/responses"]),
        Dialect::Anthropic => base.without(&["/messages", "/v1"]),
        Dialect::Gemini => base.without(&["/models", "/v1beta", "/v1"]),
        Dialect::Ollama => base.without(&["/chat", "/api", "/v1"]),
    })
}

/// Headers of every request: who asks, and which version is meant.
///
/// # Errors
/// The key holds what no header may hold.
pub(super) fn headers(
    dialect: Dialect,
    provider: &str,
    key: Option<&str>,
) -> Result<HeaderMap, ModelSetupError> {
    let mut headers = HeaderMap::new();
    if dialect == Dialect::Anthropic {
        let version = HeaderValue::from_static(ANTHROPIC_VERSION);
        headers.insert(HeaderName::from_static("anthropic-version"), version);
    }
    let Some(key) = key.map(str::trim).filter(|key| !key.is_empty()) else {
        return Ok(headers);
    };
    let (name, text) = match dialect {
        Dialect::Anthropic => (HeaderName::from_static("x-api-key"), key.to_owned()),
        Dialect::Gemini => (HeaderName::from_static("x-goog-api-key"), key.to_owned()),
        Dialect::OpenAi | Dialect::OpenAiResponses | Dialect::Ollama => {
            (AUTHORIZATION, format!("Bearer {key}"))
        }
    };
    let mut value = HeaderValue::from_str(&text).map_err(|_| ModelSetupError::BadKey {
        provider: provider.to_owned(),
    })?;
    value.set_sensitive(true);
    headers.insert(name, value);
    Ok(headers)
}
