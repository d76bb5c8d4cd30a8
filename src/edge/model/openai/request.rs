//! The body of a request.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use super::dialect::{AnswerFormat, Shape};
use crate::chat::{ChatRequest, ChatRole, Message};

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<WireMessage<'a>>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ResponseFormat<'a> {
    JsonSchema { json_schema: NamedSchema<'a> },
    JsonObject,
}

#[derive(Serialize)]
struct NamedSchema<'a> {
    name: &'a str,
    strict: bool,
    schema: &'a Value,
}

#[derive(Serialize, PartialEq, Debug)]
struct WireMessage<'a> {
    role: ChatRole,
    content: Cow<'a, str>,
}

/// Writes a request in the form the endpoint takes.
pub(super) fn body(request: &ChatRequest, shape: Shape) -> Result<Vec<u8>, serde_json::Error> {
    let mut messages = joined(&request.messages);
    let response_format = match shape.format {
        AnswerFormat::JsonSchema => Some(ResponseFormat::JsonSchema {
            json_schema: NamedSchema {
                name: request.schema.name,
                strict: true,
                schema: request.schema.schema,
            },
        }),
        AnswerFormat::JsonObject => Some(ResponseFormat::JsonObject),
        AnswerFormat::Prompt => None,
    };
    if shape.format != AnswerFormat::JsonSchema {
        append_schema(&mut messages, request.schema.schema);
    }
    let limit = |wanted: bool| wanted.then_some(request.max_output_tokens);
    serde_json::to_vec(&Body {
        model: &request.model,
        messages,
        stream: true,
        stream_options: shape.stream_usage.then_some(StreamOptions {
            include_usage: true,
        }),
        response_format,
        max_tokens: limit(!shape.completion_limit),
        max_completion_tokens: limit(shape.completion_limit),
        temperature: request.temperature,
        seed: request.seed,
    })
}

/// Neighbours of one role become one message: some endpoints refuse two in a row.
fn joined(messages: &[Message]) -> Vec<WireMessage<'_>> {
    let mut joined: Vec<WireMessage<'_>> = Vec::with_capacity(messages.len());
    for message in messages {
        match joined.last_mut() {
            Some(last) if last.role == message.role => {
                let content = last.content.to_mut();
                content.push_str("\n\n");
                content.push_str(&message.content);
            }
            _ => joined.push(WireMessage {
                role: message.role,
                content: Cow::Borrowed(&message.content),
            }),
        }
    }
    joined
}

/// Puts the schema at the end of the system message, so that what all calls with the same
/// schema share stays the beginning of the prompt.
fn append_schema(messages: &mut Vec<WireMessage<'_>>, schema: &Value) {
    let words = format!(
        "Answer with one JSON object and nothing else. It must obey this JSON Schema:\n{schema}"
    );
    match messages.first_mut() {
        Some(first) if first.role == ChatRole::System => {
            let content = first.content.to_mut();
            content.push_str("\n\n");
            content.push_str(&words);
        }
        _ => messages.insert(
            0,
            WireMessage {
                role: ChatRole::System,
                content: Cow::Owned(words),
            },
        ),
    }
}
