//! OpenAI's responses API.
//!
//! Nothing is stored at the provider: each request contains the whole prompt, so that a resumed run
//! sends the same bytes as an uninterrupted one.

use reqwest::Url;
use serde_json::{Value, json};

use super::answer::{StreamedAnswer, set_once};
use super::http::Base;
use super::messages::turns;
use super::shape::Shape;
use super::wire::{Wire, arguments, items, text};
use crate::chat::{AnswerFormat, ChatRequest, ChatRole, FinishReason, RequestPart};

pub(super) struct Responses;

impl Wire for Responses {
    fn endings(&self) -> &'static [&'static str] {
        &["/responses"]
    }

    fn url(&self, base: &Base, _model: &str, _streams: bool) -> Url {
        base.join("responses")
    }

    fn body(&self, request: &ChatRequest, shape: &Shape) -> Value {
        let (name, schema) = (request.schema.name, shape.schema(request.schema));
        let turns = turns(request, shape);
        let input = turns.iter().map(|turn| {
            let text = turn.text();
            // A model's own text must be sent in parts, as it was received: plain text is taken for
            // a user's text, or refused (by llama.cpp).
            let content = match turn.role {
                ChatRole::Assistant => json!([{"type": "output_text", "text": text}]),
                ChatRole::System | ChatRole::User => json!(text),
            };
            json!({"type": "message", "role": turn.role, "content": content})
        });
        let mut body = json!({
            "model": request.model,
            "input": input.collect::<Vec<_>>(),
            "stream": shape.takes(RequestPart::Stream),
            "store": false,
            "max_output_tokens": shape.tokens(request),
        });
        if let Some(temperature) = shape.temperature(request) {
            body["temperature"] = json!(temperature);
        }
        match shape.format {
            AnswerFormat::JsonSchema => {
                body["text"] = json!({"format": {"type": "json_schema",
                    "name": name, "strict": true, "schema": schema}});
            }
            AnswerFormat::JsonObject => body["text"] = json!({"format": {"type": "json_object"}}),
            AnswerFormat::ToolCall => {
                body["tools"] = json!([{"type": "function", "name": name, "strict": true,
                    "parameters": schema}]);
                body["tool_choice"] = json!({"type": "function", "name": name});
            }
            AnswerFormat::Prompt => {}
        }
        body
    }

    fn add_piece(&self, answer: &mut StreamedAnswer, event: &Value) -> Result<(), String> {
        answer.begun = true;
        let delta = text(&event["delta"]);
        match &*text(&event["type"]) {
            "response.output_text.delta" => answer.text.push_str(&delta),
            "response.function_call_arguments.delta" => {
                answer.arguments.push_str(&delta);
            }
            "response.reasoning_text.delta" | "response.reasoning_summary_text.delta" => {
                answer.reasoning.push_str(&delta);
            }
            "response.refusal.delta" => answer.declined = true,
            _ => {}
        }
        // An event contains the response; a whole body is the response.
        close(answer, event.get("response").unwrap_or(event));
        Ok(())
    }
}

/// Reads the fields of a response. Its output is complete at the end, and repeated there if it was
/// streamed.
fn close(answer: &mut StreamedAnswer, response: &Value) {
    set_once(&mut answer.id, &text(&response["id"]));
    set_once(&mut answer.model, &text(&response["model"]));
    let reason = text(&response["incomplete_details"]["reason"]);
    let ended = match (&*text(&response["status"]), &*reason) {
        ("completed", _) => FinishReason::Stop,
        ("incomplete", "max_output_tokens" | "max_tokens") => FinishReason::Length,
        ("incomplete", "content_filter") => FinishReason::ContentFilter,
        ("incomplete", _) => FinishReason::Other,
        _ => return,
    };
    if answer.text.is_empty() && answer.arguments.is_empty() {
        let thought = std::mem::take(&mut answer.reasoning);
        items(&response["output"])
            .iter()
            .for_each(|item| add_item(answer, item));
        if answer.reasoning.is_empty() {
            answer.reasoning = thought;
        }
    }
    answer.finish = Some(ended);
    answer.done = true;
}

fn add_item(answer: &mut StreamedAnswer, item: &Value) {
    for part in items(&item["content"]) {
        match &*text(&part["type"]) {
            "refusal" => answer.declined = true,
            "reasoning_text" => answer.reasoning.push_str(&text(&part["text"])),
            _ => answer.text.push_str(&text(&part["text"])),
        }
    }
    answer.reasoning.push_str(&text(&item["summary"]));
    answer.arguments.push_str(&arguments(&item["arguments"]));
}
