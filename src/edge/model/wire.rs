//! What makes one wire format different from another.
//!
//! Everything about the network (time limits, sizes, what a failure means) is
//! shared and stands in `exchange` and `remote`; a dialect only says where a request goes,
//! how it is written, and where a piece of the answer has its words. Counts of tokens and
//! reported errors are looked for in every place that any dialect has for them. None of
//! them knows a service: what is special about one is data, in `providers`.

use std::borrow::Cow;

use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use super::answer::Answer;
use super::http::Base;
use super::providers::Dialect;
use super::shape::Shape;
use super::{anthropic, gemini, key, ollama, openai, responses};
use crate::chat::{AnswerFormat, ChatRequest};
use crate::fault::Fault;
use crate::fault::models::KEY_MALFORMED;

/// Ways to ask for a structured answer that most dialects know.
pub(super) const LADDER: &[AnswerFormat] = &[
    AnswerFormat::JsonSchema,
    AnswerFormat::ToolCall,
    AnswerFormat::JsonObject,
    AnswerFormat::Prompt,
];

/// What the tool is for whose arguments are the answer.
pub(super) const TOOL: &str = "Takes the whole answer.";

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
    fn ladder(&self) -> &'static [AnswerFormat] {
        LADDER
    }

    /// What people leave at the end of a copied address that is no part of the base, in the
    /// order in which it is taken off.
    fn endings(&self) -> &'static [&'static str] {
        &[]
    }

    /// Where the models are listed, below the base.
    fn models(&self) -> &'static str {
        "models"
    }

    /// The header that a key is sent in, with what stands before it.
    fn key_header(&self) -> (HeaderName, &'static str) {
        (AUTHORIZATION, "Bearer ")
    }

    /// A header of every request, by which the version of the API is meant.
    fn version(&self) -> Option<(HeaderName, HeaderValue)> {
        None
    }

    /// Where a request for `model` is posted.
    fn url(&self, base: &Base, model: &str, streams: bool) -> Url;

    /// Writes a request.
    fn body(&self, request: &ChatRequest, shape: &Shape) -> Value;

    /// How the pieces of its stream are told apart.
    fn framing(&self) -> Framing {
        Framing::Events
    }

    /// Adds one piece of a stream, or a whole body, to the answer.
    ///
    /// # Errors
    /// The piece says that the model broke off; how, in words.
    fn take(&self, answer: &mut Answer, piece: &Value) -> Result<(), String>;
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

/// The text of a field: a string, or the texts of a list of parts.
pub(super) fn text(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => Cow::Borrowed(text),
        Value::Array(parts) => {
            let inner = |part: &Value| match part {
                Value::String(text) => text.clone(),
                part => text(&part["text"]).into_owned(),
            };
            Cow::Owned(parts.iter().map(inner).collect())
        }
        _ => Cow::Borrowed(""),
    }
}

/// Arguments of a call as text: a piece of it in a stream, and of some servers an object.
pub(super) fn arguments(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Object(fields) if fields.is_empty() => Cow::Borrowed(""),
        Value::Object(_) => Cow::Owned(value.to_string()),
        _ => text(value),
    }
}

/// The items of a list; none of what is no list.
pub(super) fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The first of these fields that is a text with something in it.
pub(super) fn first<'a>(value: &'a Value, fields: &[&str]) -> Cow<'a, str> {
    let mut texts = fields.iter().map(|field| text(&value[*field]));
    texts.find(|text| !text.is_empty()).unwrap_or_default()
}

/// An error that a piece of an answer reports: the status it would have had on its own,
/// where it says one, and what it says.
pub(super) fn reported(piece: &Value) -> Option<(Option<u16>, String)> {
    let places = [piece.get("error"), piece.pointer("/response/error")];
    let says =
        |error: &&Value| error.is_object() || error.as_str().is_some_and(|it| !it.is_empty());
    let error = places.into_iter().flatten().find(says);
    let error = error.or_else(|| (piece["type"] == "error").then_some(piece))?;
    let codes = ["code", "status", "type"].iter();
    let code = codes.filter_map(|field| status(&error[*field])).next();
    let message = match error {
        Value::String(text) => text.clone(),
        _ => text(&error["message"]).into_owned(),
    };
    Some((code, message))
}

/// The status that a code stands for.
fn status(code: &Value) -> Option<u16> {
    let number = match code {
        Value::Number(number) => number.as_u64().and_then(|code| u16::try_from(code).ok()),
        Value::String(text) => match text.as_str() {
            "invalid_request_error" | "invalid_prompt" => Some(400),
            "authentication_error" => Some(401),
            "billing_error" => Some(402),
            "permission_error" => Some(403),
            "not_found_error" => Some(404),
            "request_too_large" => Some(413),
            "rate_limit_error" | "rate_limit_exceeded" => Some(429),
            "timeout_error" => Some(504),
            "overloaded_error" => Some(529),
            text => text.parse().ok(),
        },
        _ => None,
    };
    number.filter(|code| (400..600).contains(code))
}

/// The base below which a dialect's resources lie. People write it with and without the
/// version, and copy the address of a single resource.
///
/// # Errors
/// The address cannot be used at all.
pub(super) fn base(dialect: Dialect, provider: &str, text: &str) -> Result<Base, Fault> {
    Ok(Base::parse(provider, text)?.without(wire(dialect).endings()))
}

/// Headers of every request: who asks, and which version is meant.
///
/// # Errors
/// The key holds what no header may hold.
pub(super) fn headers(
    dialect: Dialect,
    provider: &str,
    key: Option<&str>,
) -> Result<HeaderMap, Fault> {
    let wire = wire(dialect);
    let mut headers: HeaderMap = wire.version().into_iter().collect();
    let Some(key) = key.map(key::bare).filter(|key| !key.is_empty()) else {
        return Ok(headers);
    };
    let (name, before) = wire.key_header();
    let is_fit = key.bytes().all(|byte| byte.is_ascii_graphic());
    let value = HeaderValue::from_str(&format!("{before}{key}"))
        .ok()
        .filter(|_| is_fit);
    let malformed = || KEY_MALFORMED.with(&[("provider", &provider)]);
    let mut value = value.ok_or_else(malformed)?;
    value.set_sensitive(true);
    headers.insert(name, value);
    Ok(headers)
}
