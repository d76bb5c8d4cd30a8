//! Ollama's own `/api/chat`, which streams one JSON document per line.
//!
//! Unlike its OpenAI-compatible API it takes the size of the context with each request. That
//! matters, because text that does not fit is cut off without an error.

use std::sync::atomic::{AtomicU64, Ordering};

use reqwest::Url;
use serde_json::{Value, json};

use super::answer::{StreamedAnswer, set_once};
use super::estimate_tokens;
use super::http::Base;
use super::messages::{plain, turns};
use super::shape::Shape;
use super::wire::{Framing, Wire, arguments, items, text};
use crate::chat::{AnswerFormat, ChatRequest, FinishReason, RequestPart};

/// Minimum context to request, in tokens.
const SMALLEST_CONTEXT: u64 = 8_192;
/// Maximum context to request; the server limits it to what the model supports.
const LARGEST_CONTEXT: u64 = 1 << 20;

/// The dialect of `/api/chat`; remembers the size of the context.
#[derive(Default)]
pub(super) struct Ollama {
    /// The context requested so far. A change makes the server load the model again, so it only
    /// grows, by doubling.
    context: AtomicU64,
}

impl Wire for Ollama {
    fn ladder(&self) -> &'static [AnswerFormat] {
        use AnswerFormat::{JsonObject, JsonSchema, Prompt};
        &[JsonSchema, JsonObject, Prompt]
    }

    fn endings(&self) -> &'static [&'static str] {
        &["/chat", "/api", "/v1"]
    }

    fn models(&self, base: &Base) -> Url {
        base.join("api/tags")
    }

    fn url(&self, base: &Base, _model: &str, _streams: bool) -> Url {
        base.join("api/chat")
    }

    fn framing(&self) -> Framing {
        Framing::Lines
    }

    fn body(&self, request: &ChatRequest, shape: &Shape) -> Value {
        let turns = turns(request, shape);
        let sent: u64 = turns.iter().map(|turn| estimate_tokens(&turn.text())).sum();
        let limit = shape.tokens(request);
        let mut body = json!({
            "model": request.model,
            "messages": plain(&turns),
            "stream": shape.takes(RequestPart::Stream),
            "options": {"num_ctx": self.context(sent.saturating_add(limit)), "num_predict": limit},
        });
        shape.sample(request, &mut body["options"]);
        match shape.format {
            AnswerFormat::JsonSchema => body["format"] = json!(shape.schema(request.schema)),
            AnswerFormat::JsonObject => body["format"] = json!("json"),
            AnswerFormat::ToolCall | AnswerFormat::Prompt => {}
        }
        body
    }

    fn add_piece(&self, answer: &mut StreamedAnswer, line: &Value) -> Result<(), String> {
        answer.begun = true;
        set_once(&mut answer.model, &text(&line["model"]));
        let said = &line["message"];
        answer.text.push_str(&text(&said["content"]));
        answer.reasoning.push_str(&text(&said["thinking"]));
        for call in items(&said["tool_calls"]) {
            set_once(&mut answer.tool, &text(&call["function"]["name"]));
            answer
                .arguments
                .push_str(&arguments(&call["function"]["arguments"]));
        }
        if line["done"] == true {
            answer.done = true;
            answer.finish = Some(match &*text(&line["done_reason"]) {
                "stop" | "" => FinishReason::Stop,
                "length" => FinishReason::Length,
                _ => FinishReason::Other,
            });
        }
        Ok(())
    }
}

impl Ollama {
    /// The context to request for `needed` tokens.
    fn context(&self, needed: u64) -> u64 {
        let wanted = needed
            .clamp(SMALLEST_CONTEXT, LARGEST_CONTEXT)
            .next_power_of_two();
        self.context
            .fetch_max(wanted, Ordering::Relaxed)
            .max(wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_context_grows_in_doublings_and_never_shrinks() {
        let ollama = Ollama::default();
        assert_eq!(ollama.context(10), 8_192);
        assert_eq!(ollama.context(8_193), 16_384);
        assert_eq!(ollama.context(10), 16_384);
        assert_eq!(ollama.context(u64::MAX), 1 << 20);
    }
}
