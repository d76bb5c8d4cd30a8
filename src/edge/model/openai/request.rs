//! The body of a request.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::chat::{AnswerFormat, ChatRequest, ChatRole, Schema};
use crate::edge::model::messages::{Turn, turns};
use crate::edge::model::shape::Shape;

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
    tools: Option<[Tool<'a>; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    /// Fields whose names differ: the output limit and the seed.
    #[serde(flatten)]
    named: Map<String, Value>,
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
    schema: &'a Schema,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Tool<'a> {
    Function { function: Function<'a> },
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameters: Option<&'a Schema>,
}

#[derive(Serialize)]
struct WireMessage<'a> {
    role: ChatRole,
    content: Cow<'a, str>,
}

/// Writes a request in the form the endpoint takes.
pub(super) fn body(request: &ChatRequest, shape: Shape) -> Result<Vec<u8>, serde_json::Error> {
    let turns = turns(request, shape.schema_in_prompt());
    let (name, schema) = (request.schema.name, shape.schema(request.schema));
    let tool = |parameters| {
        (shape.format == AnswerFormat::ToolCall).then_some(Tool::Function {
            function: Function { name, parameters },
        })
    };
    let mut named = Map::new();
    let limit = shape.limit.name().to_owned();
    named.insert(limit, Value::from(request.max_output_tokens));
    if let (Some(name), Some(seed)) = (shape.seed, request.seed) {
        named.insert(name.to_owned(), Value::from(seed));
    }
    serde_json::to_vec(&Body {
        model: &request.model,
        messages: turns.iter().map(message).collect(),
        stream: shape.stream,
        stream_options: (shape.stream && shape.stream_usage).then_some(StreamOptions {
            include_usage: true,
        }),
        response_format: match shape.format {
            AnswerFormat::JsonSchema => Some(ResponseFormat::JsonSchema {
                json_schema: NamedSchema {
                    name,
                    strict: true,
                    schema,
                },
            }),
            AnswerFormat::JsonObject => Some(ResponseFormat::JsonObject),
            AnswerFormat::ToolCall | AnswerFormat::Prompt => None,
        },
        tools: tool(Some(schema)).map(|tool| [tool]),
        tool_choice: tool(None),
        temperature: request.temperature.filter(|_| shape.temperature),
        named,
    })
}

fn message<'a>(turn: &'a Turn<'_>) -> WireMessage<'a> {
    WireMessage {
        role: turn.role,
        content: turn.text(),
    }
}
