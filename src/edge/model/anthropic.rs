//! Anthropic's messages API.
//!
//! In this dialect the caller marks what is to be cached. Up to three marks are set: after the
//! first block that is not in the system message (shared by the whole run), before the task (shared
//! by concurrent calls) and after it (the next speaker's prompt continues this one). A prefix is
//! charged once, however many marks it contains, so an unused mark costs nothing except for the
//! last block.

use reqwest::Url;
use reqwest::header::{HeaderName, HeaderValue};
use serde_json::{Value, json};

use super::answer::{StreamedAnswer, set_once};
use super::http::Base;
use super::messages::{apart, turns};
use super::shape::Shape;
use super::wire::{TOOL, Wire, arguments, items, text};
use crate::chat::{AnswerFormat, ChatRequest, ChatRole, FinishReason, RequestPart};

/// Maximum sampling temperature, while other providers allow 2.
const WARMEST: f64 = 1.0;

pub(super) struct Messages;

impl Wire for Messages {
    fn ladder(&self) -> &'static [AnswerFormat] {
        use AnswerFormat::{JsonSchema, Prompt, ToolCall};
        &[JsonSchema, ToolCall, Prompt]
    }

    fn endings(&self) -> &'static [&'static str] {
        &["/messages", "/v1"]
    }

    fn models(&self, base: &Base) -> Url {
        let mut url = base.join("v1/models");
        url.query_pairs_mut().append_pair("limit", "1000");
        url
    }

    fn key_header(&self) -> (HeaderName, &'static str) {
        (HeaderName::from_static("x-api-key"), "")
    }

    /// Requests without this header are refused.
    fn version(&self) -> Option<(HeaderName, HeaderValue)> {
        let name = HeaderName::from_static("anthropic-version");
        Some((name, HeaderValue::from_static("2023-06-01")))
    }

    fn url(&self, base: &Base, _model: &str, _streams: bool) -> Url {
        base.join("v1/messages")
    }

    fn body(&self, request: &ChatRequest, shape: &Shape) -> Value {
        let (system, rest) = apart(turns(request, shape));
        let (name, schema) = (request.schema.name, shape.schema(request.schema));
        let block = |text: &std::borrow::Cow<'_, str>| json!({"type": "text", "text": text});
        let mut messages: Vec<Value> = rest
            .iter()
            .map(|turn| {
                let role = match turn.role {
                    ChatRole::Assistant => "assistant",
                    ChatRole::User | ChatRole::System => "user",
                };
                json!({"role": role, "content": turn.blocks.iter().map(block).collect::<Vec<_>>()})
            })
            .collect();
        if shape.takes(RequestPart::CacheMarks) {
            mark(&mut messages);
        }
        let mut body = json!({
            "model": request.model,
            "max_tokens": shape.tokens(request),
            "stream": shape.takes(RequestPart::Stream),
            "messages": messages,
        });
        if !system.is_empty() {
            body["system"] = system.iter().map(block).collect();
        }
        if let Some(temperature) = shape.temperature(request) {
            body["temperature"] = json!(temperature.min(WARMEST));
        }
        match shape.format {
            AnswerFormat::JsonSchema => {
                body["output_config"] =
                    json!({"format": {"type": "json_schema", "schema": schema}});
            }
            AnswerFormat::ToolCall => {
                body["tools"] =
                    json!([{"name": name, "input_schema": schema, "description": TOOL}]);
                body["tool_choice"] =
                    json!({"type": "tool", "name": name, "disable_parallel_tool_use": true});
            }
            AnswerFormat::JsonObject | AnswerFormat::Prompt => {}
        }
        body
    }

    fn add_piece(&self, answer: &mut StreamedAnswer, event: &Value) -> Result<(), String> {
        answer.begun = true;
        // A stream event contains the message; a whole body is the message.
        for message in event.get("message").into_iter().chain([event]) {
            set_once(&mut answer.id, &text(&message["id"]));
            set_once(&mut answer.model, &text(&message["model"]));
            items(&message["content"])
                .iter()
                .for_each(|piece| add_block(answer, piece));
            stopped(answer, &text(&message["stop_reason"]));
        }
        for piece in [&event["content_block"], &event["delta"]] {
            stopped(answer, &text(&piece["stop_reason"]));
            add_block(answer, piece);
        }
        answer.done |= event["type"] == "message_stop";
        Ok(())
    }
}

fn mark(messages: &mut [Value]) {
    let blocks = messages
        .iter_mut()
        .filter_map(|message| message["content"].as_array_mut());
    let mut blocks: Vec<&mut Value> = blocks.flatten().collect();
    let count = blocks.len();
    for at in [0, count.saturating_sub(2), count.saturating_sub(1)] {
        if let Some(block) = blocks.get_mut(at) {
            block["cache_control"] = json!({"type": "ephemeral"});
        }
    }
}

/// Adds a content block, or a delta of one.
fn add_block(answer: &mut StreamedAnswer, piece: &Value) {
    answer.text.push_str(&text(&piece["text"]));
    answer.reasoning.push_str(&text(&piece["thinking"]));
    answer.arguments.push_str(&text(&piece["partial_json"]));
    // A stream starts the call with an empty input and sends its parts later.
    answer.arguments.push_str(&arguments(&piece["input"]));
}

fn stopped(answer: &mut StreamedAnswer, reason: &str) {
    answer.finish = Some(match reason {
        "" => return,
        "end_turn" | "tool_use" | "stop_sequence" => FinishReason::Stop,
        "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
        "refusal" => FinishReason::ContentFilter,
        _ => FinishReason::Other,
    });
}
