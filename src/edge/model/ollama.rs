//! Ollama's own `/api/chat`: a JSON document a line.
//!
//! Unlike its OpenAI-compatible side it takes the size of the context with each
//! request. That matters: what does not fit is cut off without a word.

use std::sync::atomic::{AtomicU64, Ordering};

use reqwest::Url;
use serde::{Deserialize, Serialize};

use super::answer::{Answer, Counts, Taken, set_once};
use super::estimate_tokens;
use super::http::Base;
use super::messages::turns;
use super::shape::Shape;
use super::wire::{Framing, Wire};
use crate::chat::{AnswerFormat, ChatRequest, ChatRole, FinishReason, Schema};

/// Smallest context that is asked for, in tokens.
const SMALLEST_CONTEXT: u64 = 8_192;
/// Largest; the server itself keeps to what the model was made for.
const LARGEST_CONTEXT: u64 = 1 << 20;

/// The wire format of `/api/chat`.
#[derive(Default)]
pub(super) struct Ollama {
    /// The context asked for so far. Another size makes the server load the model anew,
    /// so it only grows, and in doublings.
    context: AtomicU64,
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<WireMessage<'a>>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<Format<'a>>,
    options: Options,
}

#[derive(Serialize)]
struct WireMessage<'a> {
    role: ChatRole,
    content: &'a str,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Format<'a> {
    Schema(&'a Schema),
    Json(&'static str),
}

#[derive(Serialize)]
struct Options {
    num_ctx: u64,
    num_predict: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
}

impl Wire for Ollama {
    fn ladder(&self) -> &'static [AnswerFormat] {
        use AnswerFormat::{JsonObject, JsonSchema, Prompt};
        &[JsonSchema, JsonObject, Prompt]
    }

    fn url(&self, base: &Base, _model: &str) -> Url {
        base.join("api/chat")
    }

    fn framing(&self) -> Framing {
        Framing::Lines
    }

    fn body(&self, request: &ChatRequest, shape: Shape) -> Result<Vec<u8>, serde_json::Error> {
        let turns = turns(request, shape.schema_in_prompt());
        let texts: Vec<_> = turns.iter().map(|turn| (turn.role, turn.text())).collect();
        let sent: u64 = texts.iter().map(|(_, text)| estimate_tokens(text)).sum();
        serde_json::to_vec(&Body {
            model: &request.model,
            messages: texts
                .iter()
                .map(|(role, content)| WireMessage {
                    role: *role,
                    content,
                })
                .collect(),
            stream: true,
            format: match shape.format {
                AnswerFormat::JsonSchema => Some(Format::Schema(shape.schema(request.schema))),
                AnswerFormat::JsonObject => Some(Format::Json("json")),
                AnswerFormat::ToolCall | AnswerFormat::Prompt => None,
            },
            options: Options {
                num_ctx: self.context(sent.saturating_add(request.max_output_tokens)),
                num_predict: request.max_output_tokens,
                temperature: request.temperature.filter(|_| shape.temperature),
                seed: request.seed.filter(|_| shape.seed.is_some()),
            },
        })
    }

    fn take(&self, answer: &mut Answer, data: &[u8]) -> Result<Taken, serde_json::Error> {
        if data.trim_ascii().is_empty() {
            return Ok(Taken::Added);
        }
        let line: Line = serde_json::from_slice(data)?;
        answer.begun = true;
        if let Some(message) = line.error {
            return Ok(Taken::Error {
                code: None,
                message,
            });
        }
        set_once(&mut answer.model, &line.model);
        if let Some(message) = line.message {
            answer.text.push_str(&message.content);
            answer
                .reasoning
                .push_str(&message.thinking.unwrap_or_default());
        }
        answer.counts.update(Counts {
            input: line.prompt_eval_count,
            output: line.eval_count,
            ..Counts::default()
        });
        if line.done {
            answer.done = true;
            answer.finish = Some(match line.done_reason.as_deref() {
                Some("stop") | None => FinishReason::Stop,
                Some("length") => FinishReason::Length,
                Some(_) => FinishReason::Other,
            });
        }
        Ok(Taken::Added)
    }
}

impl Ollama {
    /// The context to ask for when `needed` tokens must find room in it.
    fn context(&self, needed: u64) -> u64 {
        let wanted = needed
            .clamp(SMALLEST_CONTEXT, LARGEST_CONTEXT)
            .next_power_of_two();
        self.context
            .fetch_max(wanted, Ordering::Relaxed)
            .max(wanted)
    }
}

#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    model: String,
    #[serde(default)]
    message: Option<Said>,
    #[serde(default)]
    done: bool,
    #[serde(default)]
    done_reason: Option<String>,
    #[serde(default)]
    prompt_eval_count: Option<u64>,
    #[serde(default)]
    eval_count: Option<u64>,
    #[serde(default)]
    error: Option<String>,
}

#[derive(Deserialize)]
struct Said {
    #[serde(default)]
    content: String,
    #[serde(default)]
    thinking: Option<String>,
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    fn answer(lines: &[&str]) -> Answer {
        let mut answer = Answer::default();
        for line in lines {
            assert!(
                matches!(
                    Ollama::default().take(&mut answer, line.as_bytes()),
                    Ok(Taken::Added)
                ),
                "{line}"
            );
        }
        answer
    }

    #[test]
    fn a_stream_is_put_together() {
        let answer = answer(&[
            r#"{"model":"m","message":{"role":"assistant","content":"","thinking":"hm"},"done":false}"#,
            r#"{"model":"m","message":{"role":"assistant","content":"{\"a\":"},"done":false}"#,
            r#"{"model":"m","message":{"role":"assistant","content":"1}"},"done":false}"#,
            r#"{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","total_duration":9,"prompt_eval_count":26,"eval_count":4}"#,
        ]);
        assert_eq!(
            (answer.text.as_str(), answer.reasoning.as_str()),
            (r#"{"a":1}"#, "hm")
        );
        assert_eq!(
            (answer.counts.input, answer.counts.output),
            (Some(26), Some(4))
        );
        assert!(answer.done);
        assert_eq!(answer.finish(), FinishReason::Stop);
    }

    #[test]
    fn the_end_says_why() {
        for (reason, wanted) in [
            (r#","done_reason":"length""#, FinishReason::Length),
            (r#","done_reason":"load""#, FinishReason::Other),
            ("", FinishReason::Stop),
        ] {
            let line = format!(r#"{{"done":true{reason}}}"#);
            assert_eq!(answer(&[&line]).finish(), wanted, "{reason}");
        }
        assert!(!answer(&[r#"{"message":{"content":"{"},"done":false}"#]).is_whole());
    }

    #[test]
    fn an_error_in_a_stream_is_found() {
        let taken = Ollama::default().take(&mut Answer::default(), br#"{"error":"out of memory"}"#);
        assert!(matches!(taken, Ok(Taken::Error { message, .. }) if message == "out of memory"));
    }

    #[test]
    fn the_context_grows_in_doublings_and_never_shrinks() {
        let ollama = Ollama::default();
        assert_eq!(ollama.context(10), 8_192);
        assert_eq!(ollama.context(8_193), 16_384);
        assert_eq!(ollama.context(10), 16_384);
        assert_eq!(ollama.context(u64::MAX), 1 << 20);
    }
}
