//! OpenAI's chat completions API, and all compatible endpoints.

use reqwest::Url;
use serde_json::{Value, json};

use super::answer::{StreamedAnswer, set_once};
use super::http::Base;
use super::messages::{plain, turns};
use super::shape::Shape;
use super::wire::{Wire, arguments, first, items, text};
use crate::chat::{AnswerFormat, ChatRequest, FinishReason, RequestPart};

pub(super) struct ChatCompletions;

/// Fields with a model's reasoning; some servers send the same text in two of them.
const THOUGHTS: &[&str] = &[
    "reasoning_content",
    "reasoning",
    "thinking",
    "reasoning_text",
    "reasoning_details",
    "thought",
];

impl Wire for ChatCompletions {
    fn url(&self, base: &Base, _model: &str, _streams: bool) -> Url {
        base.join("chat/completions")
    }

    fn body(&self, request: &ChatRequest, shape: &Shape) -> Value {
        let (name, schema) = (request.schema.name, shape.schema(request.schema));
        let mut body = json!({
            "model": request.model,
            "messages": plain(&turns(request, shape)),
            "stream": shape.takes(RequestPart::Stream),
            (shape.limit()): shape.tokens(request),
        });
        if shape.takes(RequestPart::Stream) && shape.takes(RequestPart::StreamUsage) {
            body["stream_options"] = json!({"include_usage": true});
        }
        shape.sample(request, &mut body);
        match shape.format {
            AnswerFormat::JsonSchema => {
                body["response_format"] = json!({"type": "json_schema",
                    "json_schema": {"name": name, "strict": true, "schema": schema}});
            }
            AnswerFormat::JsonObject => body["response_format"] = json!({"type": "json_object"}),
            AnswerFormat::ToolCall => {
                body["tools"] = json!([{"type": "function",
                    "function": {"name": name, "parameters": schema}}]);
                body["tool_choice"] = json!({"type": "function", "function": {"name": name}});
            }
            AnswerFormat::Prompt => {}
        }
        body
    }

    fn add_piece(&self, answer: &mut StreamedAnswer, chunk: &Value) -> Result<(), String> {
        let choices = items(&chunk["choices"]);
        // Any JSON parses as a chunk, but only one with a choice is a chunk.
        answer.begun |= !choices.is_empty();
        set_once(&mut answer.id, &text(&chunk["id"]));
        set_once(&mut answer.model, &text(&chunk["model"]));
        for choice in choices {
            let whole = &choice["message"];
            if choice["delta"].is_object() {
                add_message(answer, &choice["delta"]);
            } else if answer.text.is_empty() {
                add_message(answer, if whole.is_object() { whole } else { choice });
            }
            match &*text(&choice["finish_reason"]) {
                "" => {}
                reason @ ("error" | "network_error" | "insufficient_system_resource") => {
                    return Err(format!("finish reason `{reason}`"));
                }
                reason => answer.finish = Some(finish(reason)),
            }
        }
        Ok(())
    }
}

/// Adds a piece of a message; legacy completions use `text`.
fn add_message(answer: &mut StreamedAnswer, piece: &Value) {
    let content = &piece["content"];
    if content.is_object() {
        answer.text.push_str(&content.to_string());
    }
    for part in items(content)
        .iter()
        .filter(|part| part["type"] == "thinking")
    {
        answer.reasoning.push_str(&text(&part["thinking"]));
    }
    answer.text.push_str(&first(piece, &["content", "text"]));
    answer.reasoning.push_str(&first(piece, THOUGHTS));
    let calls = items(&piece["tool_calls"])
        .iter()
        .map(|call| &call["function"]);
    // `function_call` is the legacy name.
    for called in calls.chain(piece.get("function_call")) {
        set_once(&mut answer.tool, &text(&called["name"]));
        answer.arguments.push_str(&arguments(&called["arguments"]));
    }
    answer.declined |= !text(&piece["refusal"]).is_empty();
}

fn finish(reason: &str) -> FinishReason {
    match reason {
        "stop" | "eos" | "end_turn" | "tool_calls" | "function_call" => FinishReason::Stop,
        "length" | "max_tokens" | "model_length" => FinishReason::Length,
        "content_filter" | "sensitive" => FinishReason::ContentFilter,
        _ => FinishReason::Other,
    }
}
