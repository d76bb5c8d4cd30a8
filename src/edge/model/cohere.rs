//! Cohere's chat API, version 2.

use reqwest::Url;
use serde_json::{Value, json};

use super::answer::{StreamedAnswer, set_once};
use super::http::Base;
use super::messages::{plain, turns};
use super::shape::Shape;
use super::wire::{Wire, items, text};
use crate::chat::{AnswerFormat, ChatRequest, FinishReason, RequestPart};

pub(super) struct Cohere;

impl Wire for Cohere {
    /// A tool cannot be forced by name.
    fn ladder(&self) -> &'static [AnswerFormat] {
        use AnswerFormat::{JsonObject, JsonSchema, Prompt};
        &[JsonSchema, JsonObject, Prompt]
    }

    fn endings(&self) -> &'static [&'static str] {
        &["/chat", "/v2", "/v1"]
    }

    /// Version 2 has no list. Without the query it is in pages and contains models that do not
    /// chat.
    fn models(&self, base: &Base) -> Url {
        let mut url = base.join("v1/models");
        url.query_pairs_mut()
            .append_pair("endpoint", "chat")
            .append_pair("page_size", "1000");
        url
    }

    fn url(&self, base: &Base, _model: &str, _streams: bool) -> Url {
        base.join("v2/chat")
    }

    fn body(&self, request: &ChatRequest, shape: &Shape) -> Value {
        let mut body = json!({
            "model": request.model,
            "messages": plain(&turns(request, shape)),
            "stream": shape.takes(RequestPart::Stream),
            "max_tokens": shape.tokens(request),
        });
        shape.sample(request, &mut body);
        match shape.format {
            AnswerFormat::JsonSchema => {
                body["response_format"] =
                    json!({"type": "json_object", "json_schema": shape.schema(request.schema)});
            }
            AnswerFormat::JsonObject => body["response_format"] = json!({"type": "json_object"}),
            AnswerFormat::ToolCall | AnswerFormat::Prompt => {}
        }
        body
    }

    fn add_piece(&self, answer: &mut StreamedAnswer, event: &Value) -> Result<(), String> {
        answer.begun |= event["type"].is_string() || event["message"].is_object();
        set_once(&mut answer.id, &text(&event["id"]));
        // A stream event contains a piece of the message; a whole body contains the message.
        for piece in [event, &event["delta"]] {
            let content = &piece["message"]["content"];
            for part in items(content).iter().chain([content]) {
                answer.text.push_str(&text(&part["text"]));
                answer.reasoning.push_str(&text(&part["thinking"]));
            }
            answer.finish = match &*text(&piece["finish_reason"]) {
                "" => continue,
                "COMPLETE" | "STOP_SEQUENCE" | "TOOL_CALL" => Some(FinishReason::Stop),
                "MAX_TOKENS" => Some(FinishReason::Length),
                reason @ ("ERROR" | "TIMEOUT") => {
                    let why = text(&piece["error"]);
                    return Err(format!("finish reason `{reason}` {why}")
                        .trim_end()
                        .to_owned());
                }
                _ => Some(FinishReason::Other),
            };
        }
        answer.done |= event["type"] == "message-end";
        Ok(())
    }
}
