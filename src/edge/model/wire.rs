//! The differences between wire formats.
//!
//! Everything about the network (time limits, sizes, failures) is shared and is in `exchange` and
//! `remote`. A dialect only defines the URL of a request, its format, and where a piece of the
//! answer contains its text. Token counts and reported errors are searched in the places of all
//! dialects. A dialect contains nothing about a particular service: special properties of services
//! are data, in `providers`.

use std::borrow::Cow;

use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use super::answer::StreamedAnswer;
use super::http::Base;
use super::key;
use super::shape::Shape;
use crate::chat::{AnswerFormat, ChatRequest};
use crate::fault::models::KEY_MALFORMED;
use crate::fault::{Fault, values};

/// The formats for structured answers that most dialects support.
pub(super) const LADDER: &[AnswerFormat] = &[
    AnswerFormat::JsonSchema,
    AnswerFormat::ToolCall,
    AnswerFormat::JsonObject,
    AnswerFormat::Prompt,
];

/// Description of the tool whose arguments are the answer.
pub(super) const TOOL: &str = "Takes the whole answer.";

/// How the pieces of a stream are separated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Framing {
    /// Server-sent events.
    Events,
    /// One JSON document per line.
    Lines,
}

pub(super) trait Wire: Send + Sync {
    /// The formats for structured answers, best first; all but the last may be refused.
    fn ladder(&self) -> &'static [AnswerFormat] {
        LADDER
    }

    /// Endings of addresses that are not part of the base, in the order of removal: users write it
    /// with and without the version, and copy addresses of single resources.
    fn endings(&self) -> &'static [&'static str] {
        &[]
    }

    /// The URL of the list of models, which some services send in pages.
    fn models(&self, base: &Base) -> Url {
        base.join("models")
    }

    /// The header with the key, and the prefix of its value.
    fn key_header(&self) -> (HeaderName, &'static str) {
        (AUTHORIZATION, "Bearer ")
    }

    /// A header with the version of the API, sent with every request.
    fn version(&self) -> Option<(HeaderName, HeaderValue)> {
        None
    }

    /// The URL for a request to `model`.
    fn url(&self, base: &Base, model: &str, streams: bool) -> Url;

    /// The body of a request.
    fn body(&self, request: &ChatRequest, shape: &Shape) -> Value;

    /// How the pieces of its stream are separated.
    fn framing(&self) -> Framing {
        Framing::Events
    }

    /// Adds a piece of a stream, or a whole body, to the answer.
    ///
    /// # Errors
    /// The piece says that the model stopped with an error, in words.
    fn add_piece(&self, answer: &mut StreamedAnswer, piece: &Value) -> Result<(), String>;
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

/// Arguments of a call as text: a part of them in a stream; some servers send an object.
pub(super) fn arguments(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Object(fields) if fields.is_empty() => Cow::Borrowed(""),
        Value::Object(_) => Cow::Owned(value.to_string()),
        _ => text(value),
    }
}

/// The items of a list; empty if it is not a list.
pub(super) fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The first of these fields with a non-empty text.
pub(super) fn first<'a>(value: &'a Value, fields: &[&str]) -> Cow<'a, str> {
    let mut texts = fields.iter().map(|field| text(&value[*field]));
    texts.find(|text| !text.is_empty()).unwrap_or_default()
}

/// An error in a piece of an answer: the HTTP status it corresponds to, if known, and its message.
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

/// The HTTP status for an error code.
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

/// Headers of every request: the key and the version.
///
/// # Errors
/// The key contains characters that a header must not contain.
pub(super) fn headers(
    wire: &dyn Wire,
    provider: &str,
    key: Option<&str>,
) -> Result<HeaderMap, Fault> {
    let mut headers: HeaderMap = wire.version().into_iter().collect();
    let Some(key) = key.map(key::bare).filter(|key| !key.is_empty()) else {
        return Ok(headers);
    };
    let (name, before) = wire.key_header();
    let is_fit = key.bytes().all(|byte| byte.is_ascii_graphic());
    let value = HeaderValue::from_str(&format!("{before}{key}"))
        .ok()
        .filter(|_| is_fit);
    let malformed = || KEY_MALFORMED.with(values![provider]);
    let mut value = value.ok_or_else(malformed)?;
    value.set_sensitive(true);
    headers.insert(name, value);
    Ok(headers)
}
