//! Gemini's `generateContent`, streamed.

use std::time::Duration;

use reqwest::{StatusCode, Url};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::answer::{Answer, Counts, Taken, set_once};
use super::http::Base;
use super::messages::{Turn, apart, turns};
use super::shape::Shape;
use super::wire::Wire;
use crate::chat::{AnswerFormat, ChatRequest, ChatRole, FinishReason, Schema};

/// The wire format of `generateContent`.
pub(super) struct Gemini;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    system_instruction: Option<Content<'a>>,
    contents: Vec<Content<'a>>,
    generation_config: Generation<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_config: Option<Value>,
}

#[derive(Serialize)]
struct Content<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    parts: Vec<TextPart<'a>>,
}

#[derive(Serialize)]
struct TextPart<'a> {
    text: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Generation<'a> {
    max_output_tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_mime_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_json_schema: Option<&'a Schema>,
}

impl Wire for Gemini {
    fn ladder(&self) -> &'static [AnswerFormat] {
        use AnswerFormat::{JsonObject, JsonSchema, Prompt, ToolCall};
        &[JsonSchema, ToolCall, JsonObject, Prompt]
    }

    fn url(&self, base: &Base, model: &str) -> Url {
        let model = model.strip_prefix("models/").unwrap_or(model);
        let mut url = base.join(&format!("v1beta/models/{model}:streamGenerateContent"));
        url.query_pairs_mut().append_pair("alt", "sse");
        url
    }

    fn body(&self, request: &ChatRequest, shape: Shape) -> Result<Vec<u8>, serde_json::Error> {
        let (system, rest) = apart(turns(request, shape.schema_in_prompt()));
        let (name, schema) = (request.schema.name, shape.schema(request.schema));
        let held = matches!(
            shape.format,
            AnswerFormat::JsonSchema | AnswerFormat::JsonObject
        );
        let calls_tool = shape.format == AnswerFormat::ToolCall;
        serde_json::to_vec(&Body {
            system_instruction: (!system.is_empty()).then(|| Content {
                role: None,
                parts: system.iter().map(|text| TextPart { text }).collect(),
            }),
            contents: rest.iter().map(content).collect(),
            generation_config: Generation {
                max_output_tokens: request.max_output_tokens,
                temperature: request.temperature.filter(|_| shape.temperature),
                seed: request.seed.filter(|_| shape.seed.is_some()),
                response_mime_type: held.then_some("application/json"),
                response_json_schema: (shape.format == AnswerFormat::JsonSchema)
                    .then_some(schema),
            },
            tools: calls_tool.then(|| {
                json!([{"functionDeclarations": [{"name": name,
                    "description": "Takes the whole answer.", "parametersJsonSchema": **schema}]}])
            }),
            tool_config: calls_tool.then(|| {
                json!({"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": [name]}})
            }),
        })
    }

    fn take(&self, answer: &mut Answer, data: &[u8]) -> Result<Taken, serde_json::Error> {
        if data.trim_ascii().is_empty() {
            return Ok(Taken::Added);
        }
        let chunk: Chunk = serde_json::from_slice(data)?;
        let says = !chunk.candidates.is_empty() || chunk.prompt_feedback.is_some();
        answer.begun |= says || chunk.error.is_some();
        Ok(add(answer, chunk))
    }

    /// A wrong key is a bad request here.
    fn meant(&self, status: StatusCode, body: &str) -> StatusCode {
        if status == StatusCode::BAD_REQUEST && body.contains("API_KEY_INVALID") {
            return StatusCode::UNAUTHORIZED;
        }
        status
    }

    fn retry_after(&self, body: &str) -> Option<Duration> {
        let body: Value = serde_json::from_str(body).ok()?;
        let details = body.pointer("/error/details")?.as_array()?;
        let delay = details
            .iter()
            .find_map(|detail| detail.get("retryDelay")?.as_str())?;
        let seconds = delay.strip_suffix('s')?.parse().ok()?;
        Duration::try_from_secs_f64(seconds).ok()
    }
}

fn content<'a>(turn: &'a Turn<'_>) -> Content<'a> {
    Content {
        role: Some(match turn.role {
            ChatRole::Assistant => "model",
            ChatRole::User | ChatRole::System => "user",
        }),
        parts: turn.blocks.iter().map(|text| TextPart { text }).collect(),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Chunk {
    #[serde(default)]
    candidates: Vec<Candidate>,
    #[serde(default)]
    prompt_feedback: Option<Feedback>,
    #[serde(default)]
    usage_metadata: Option<WireUsage>,
    #[serde(default)]
    model_version: String,
    #[serde(default)]
    response_id: String,
    #[serde(default)]
    error: Option<WireError>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate {
    #[serde(default)]
    content: Option<Parts>,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Parts {
    #[serde(default)]
    parts: Vec<Part>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Part {
    #[serde(default)]
    text: String,
    #[serde(default)]
    thought: bool,
    #[serde(default)]
    function_call: Option<Call>,
}

#[derive(Deserialize)]
struct Call {
    #[serde(default)]
    args: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Feedback {
    #[serde(default)]
    block_reason: Option<String>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "camelCase")]
struct WireUsage {
    #[serde(default)]
    prompt_token_count: Option<u64>,
    #[serde(default)]
    cached_content_token_count: Option<u64>,
    #[serde(default)]
    candidates_token_count: Option<u64>,
    #[serde(default)]
    thoughts_token_count: Option<u64>,
}

#[derive(Deserialize)]
struct WireError {
    #[serde(default)]
    code: Option<u16>,
    #[serde(default)]
    message: String,
}

fn add(answer: &mut Answer, chunk: Chunk) -> Taken {
    if let Some(error) = chunk.error {
        return Taken::Error {
            code: error.code,
            message: error.message,
        };
    }
    set_once(&mut answer.id, &chunk.response_id);
    set_once(&mut answer.model, &chunk.model_version);
    // A refused prompt has no candidates.
    if chunk
        .prompt_feedback
        .is_some_and(|it| it.block_reason.is_some())
    {
        answer.finish = Some(FinishReason::ContentFilter);
    }
    for candidate in chunk.candidates.into_iter().take(1) {
        for part in candidate.content.into_iter().flat_map(|it| it.parts) {
            let field = if part.thought {
                &mut answer.reasoning
            } else {
                &mut answer.text
            };
            field.push_str(&part.text);
            if let Some(call) = part.function_call {
                answer.arguments.push_str(&call.args.to_string());
            }
        }
        if let Some(reason) = candidate.finish_reason.as_deref() {
            answer.finish = Some(finish(reason));
        }
    }
    if let Some(usage) = chunk.usage_metadata {
        answer.counts.update(counts(usage));
    }
    Taken::Added
}

fn finish(reason: &str) -> FinishReason {
    match reason {
        "STOP" => FinishReason::Stop,
        "MAX_TOKENS" => FinishReason::Length,
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE" => {
            FinishReason::ContentFilter
        }
        _ => FinishReason::Other,
    }
}

/// Thoughts are counted beside the answer.
fn counts(usage: WireUsage) -> Counts {
    let thoughts = usage.thoughts_token_count;
    let answer = usage.candidates_token_count;
    Counts {
        input: usage.prompt_token_count,
        cached: usage.cached_content_token_count,
        output: answer
            .or(thoughts.and(Some(0)))
            .map(|answer| answer.saturating_add(thoughts.unwrap_or(0))),
        reasoning: thoughts,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    fn answer(chunks: &[&str]) -> Answer {
        let mut answer = Answer::default();
        for chunk in chunks {
            assert!(
                matches!(Gemini.take(&mut answer, chunk.as_bytes()), Ok(Taken::Added)),
                "{chunk}"
            );
        }
        answer
    }

    #[test]
    fn a_stream_is_put_together() {
        let answer = answer(&[
            r#"{"candidates":[{"content":{"role":"model","parts":[{"text":"hm","thought":true}]}}],"usageMetadata":{"promptTokenCount":50},"modelVersion":"gemini-x","responseId":"r"}"#,
            r#"{"candidates":[{"content":{"parts":[{"text":"{\"a\""}]}}]}"#,
            r#"{"candidates":[{"content":{"parts":[{"text":":1}"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":50,"cachedContentTokenCount":40,"candidatesTokenCount":7,"thoughtsTokenCount":3,"totalTokenCount":60}}"#,
        ]);
        assert_eq!(
            (answer.text.as_str(), answer.reasoning.as_str()),
            (r#"{"a":1}"#, "hm")
        );
        let counts = answer.counts;
        assert_eq!(
            (counts.input, counts.cached, counts.output, counts.reasoning),
            (Some(50), Some(40), Some(10), Some(3))
        );
        assert!(answer.is_whole() && !answer.done);
        assert_eq!(
            (answer.id.as_str(), answer.model.as_str()),
            ("r", "gemini-x")
        );
    }

    #[test]
    fn a_stream_without_a_reason_to_end_is_cut() {
        let answer = answer(&[r#"{"candidates":[{"content":{"parts":[{"text":"{"}]}}]}"#]);
        assert!(!answer.is_whole());
    }

    #[test]
    fn every_reason_to_end() {
        for (reason, wanted) in [
            ("STOP", FinishReason::Stop),
            ("MAX_TOKENS", FinishReason::Length),
            ("SAFETY", FinishReason::ContentFilter),
            ("PROHIBITED_CONTENT", FinishReason::ContentFilter),
            ("MALFORMED_FUNCTION_CALL", FinishReason::Other),
        ] {
            let chunk = format!(r#"{{"candidates":[{{"finishReason":"{reason}"}}]}}"#);
            assert_eq!(answer(&[&chunk]).finish(), wanted, "{reason}");
        }
        let refused = answer(&[r#"{"promptFeedback":{"blockReason":"SAFETY"}}"#]);
        assert_eq!(refused.finish(), FinishReason::ContentFilter);
    }

    #[test]
    fn a_forced_call_is_the_answer() {
        let mut answer = answer(&[
            r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"c","args":{"a":1}}}]},"finishReason":"STOP"}]}"#,
        ]);
        answer.set_arguments_as_text("c");
        assert_eq!(answer.text, r#"{"a":1}"#);
    }

    #[test]
    fn an_errors_body_says_who_is_meant_and_when_to_come_back() {
        let body = r#"{"error":{"code":400,"details":[{"reason":"API_KEY_INVALID"}]}}"#;
        assert_eq!(
            Gemini.meant(StatusCode::BAD_REQUEST, body),
            StatusCode::UNAUTHORIZED
        );
        assert_eq!(
            Gemini.meant(StatusCode::BAD_REQUEST, "{}"),
            StatusCode::BAD_REQUEST
        );
        let body = r#"{"error":{"code":429,"details":[{"@type":"x"},{"retryDelay":"36.5s"}]}}"#;
        assert_eq!(
            Gemini.retry_after(body),
            Some(Duration::from_millis(36_500))
        );
        assert_eq!(Gemini.retry_after("<html>"), None);
    }
}
