//! OpenAI's responses.
//!
//! Nothing is kept at the provider: each request carries its whole prompt, so
//! that a resumed run sends the same bytes as one that was never interrupted.

use std::borrow::Cow;

use reqwest::Url;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::answer::{Answer, Counts, Taken, set_once};
use super::http::Base;
use super::messages::{Turn, turns};
use super::shape::Shape;
use super::wire::Wire;
use crate::chat::{AnswerFormat, ChatRequest, ChatRole, FinishReason};

/// The wire format of responses.
pub(super) struct Responses;

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    input: Vec<WireMessage<'a>>,
    stream: bool,
    store: bool,
    max_output_tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
}

#[derive(Serialize)]
struct WireMessage<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    role: ChatRole,
    content: Content<'a>,
}

/// A model's own words are told in parts, as it was given them: a plain text is taken for
/// the words of a human, or refused (by llama.cpp).
#[derive(Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Plain(Cow<'a, str>),
    Said([SaidPart<'a>; 1]),
}

#[derive(Serialize)]
struct SaidPart<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    text: Cow<'a, str>,
}

fn message<'a>(turn: &'a Turn<'_>) -> WireMessage<'a> {
    let text = turn.text();
    WireMessage {
        kind: "message",
        role: turn.role,
        content: match turn.role {
            ChatRole::Assistant => Content::Said([SaidPart {
                kind: "output_text",
                text,
            }]),
            ChatRole::System | ChatRole::User => Content::Plain(text),
        },
    }
}

impl Wire for Responses {
    fn ladder(&self) -> &'static [AnswerFormat] {
        use AnswerFormat::{JsonObject, JsonSchema, Prompt, ToolCall};
        &[JsonSchema, ToolCall, JsonObject, Prompt]
    }

    fn url(&self, base: &Base, _model: &str) -> Url {
        base.join("responses")
    }

    fn body(&self, request: &ChatRequest, shape: Shape) -> Result<Vec<u8>, serde_json::Error> {
        let turns = turns(request, shape.schema_in_prompt());
        let (name, schema): (_, &Value) = (request.schema.name, shape.schema(request.schema));
        let calls_tool = shape.format == AnswerFormat::ToolCall;
        serde_json::to_vec(&Body {
            model: &request.model,
            input: turns.iter().map(message).collect(),
            stream: true,
            store: false,
            max_output_tokens: request.max_output_tokens,
            text: match shape.format {
                AnswerFormat::JsonSchema => Some(json!({"format": {"type": "json_schema",
                    "name": name, "strict": true, "schema": schema}})),
                AnswerFormat::JsonObject => Some(json!({"format": {"type": "json_object"}})),
                AnswerFormat::ToolCall | AnswerFormat::Prompt => None,
            },
            tools: calls_tool.then(|| {
                json!([{"type": "function", "name": name, "strict": true, "parameters": schema}])
            }),
            tool_choice: calls_tool.then(|| json!({"type": "function", "name": name})),
            temperature: request.temperature.filter(|_| shape.temperature),
        })
    }

    fn take(&self, answer: &mut Answer, data: &[u8]) -> Result<Taken, serde_json::Error> {
        let data = data.trim_ascii();
        // Compatible servers end their streams as they do those of chat completions.
        if data.is_empty() || data == b"[DONE]" {
            return Ok(Taken::Added);
        }
        let event: StreamEvent = serde_json::from_slice(data)?;
        answer.begun = true;
        Ok(add(answer, event))
    }
}

#[derive(Deserialize)]
struct StreamEvent {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    delta: Value,
    #[serde(default)]
    response: Option<Response>,
    // Those of an error event.
    #[serde(default)]
    code: Option<Value>,
    #[serde(default)]
    message: Option<String>,
    // Those of a whole body.
    #[serde(flatten)]
    whole: Response,
}

#[derive(Deserialize)]
struct Response {
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    status: Option<String>,
    #[serde(default)]
    output: Vec<Item>,
    #[serde(default)]
    incomplete_details: Option<Incomplete>,
    #[serde(default)]
    usage: Option<WireUsage>,
    #[serde(default)]
    error: Option<WireError>,
}

#[derive(Deserialize)]
struct Item {
    #[serde(default)]
    content: Option<Vec<Part>>,
    #[serde(default)]
    summary: Option<Vec<Part>>,
    #[serde(default)]
    arguments: Option<String>,
}

#[derive(Deserialize)]
struct Part {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    text: Option<String>,
}

#[derive(Deserialize)]
struct Incomplete {
    #[serde(default)]
    reason: String,
}

#[derive(Deserialize)]
struct WireUsage {
    #[serde(default)]
    input_tokens: Option<u64>,
    #[serde(default)]
    input_tokens_details: Option<Details>,
    #[serde(default)]
    output_tokens: Option<u64>,
    #[serde(default)]
    output_tokens_details: Option<Details>,
}

#[derive(Deserialize)]
struct Details {
    #[serde(default)]
    cached_tokens: Option<u64>,
    #[serde(default)]
    reasoning_tokens: Option<u64>,
}

#[derive(Deserialize)]
struct WireError {
    #[serde(default)]
    code: Option<Value>,
    #[serde(default)]
    message: String,
}

fn add(answer: &mut Answer, event: StreamEvent) -> Taken {
    let delta = event.delta.as_str().unwrap_or_default();
    match event.kind.as_str() {
        "response.output_text.delta" => answer.text.push_str(delta),
        "response.function_call_arguments.delta" => answer.arguments.push_str(delta),
        "response.reasoning_text.delta" | "response.reasoning_summary_text.delta" => {
            answer.reasoning.push_str(delta);
        }
        "response.refusal.delta" => answer.declined = true,
        "error" => {
            let inner = event.whole.error;
            let message = event
                .message
                .or(inner.as_ref().map(|it| it.message.clone()));
            let code = event.code.or(inner.and_then(|it| it.code));
            return Taken::Error {
                code: code_of(code.as_ref()),
                message: message.unwrap_or_default(),
            };
        }
        _ => {}
    }
    for response in event.response.into_iter().chain([event.whole]) {
        if let Some(error) = response.error {
            return Taken::Error {
                code: code_of(error.code.as_ref()),
                message: error.message,
            };
        }
        close(answer, response);
    }
    Taken::Added
}

/// What a response says of itself; the whole of its output comes at its end, again if it
/// was streamed.
fn close(answer: &mut Answer, response: Response) {
    set_once(&mut answer.id, response.id.as_deref().unwrap_or_default());
    set_once(
        &mut answer.model,
        response.model.as_deref().unwrap_or_default(),
    );
    if let Some(usage) = response.usage {
        answer.counts.update(counts(&usage));
    }
    let ended = match response.status.as_deref() {
        Some("completed") => FinishReason::Stop,
        Some("incomplete") => match response.incomplete_details.as_ref().map(|it| &*it.reason) {
            Some("max_output_tokens" | "max_tokens") => FinishReason::Length,
            Some("content_filter") => FinishReason::ContentFilter,
            _ => FinishReason::Other,
        },
        _ => return,
    };
    if answer.text.is_empty() && answer.arguments.is_empty() {
        response
            .output
            .into_iter()
            .for_each(|item| put(answer, item));
    }
    answer.finish = Some(ended);
    answer.done = true;
}

fn put(answer: &mut Answer, item: Item) {
    for part in item.content.into_iter().flatten() {
        match part.kind.as_str() {
            "refusal" => answer.declined = true,
            "reasoning_text" => answer.reasoning.push_str(&part.text.unwrap_or_default()),
            _ => answer.text.push_str(&part.text.unwrap_or_default()),
        }
    }
    for part in item.summary.into_iter().flatten() {
        answer.reasoning.push_str(&part.text.unwrap_or_default());
    }
    answer
        .arguments
        .push_str(&item.arguments.unwrap_or_default());
}

fn counts(usage: &WireUsage) -> Counts {
    Counts {
        input: usage.input_tokens,
        cached: usage
            .input_tokens_details
            .as_ref()
            .and_then(|details| details.cached_tokens),
        output: usage.output_tokens,
        reasoning: usage
            .output_tokens_details
            .as_ref()
            .and_then(|details| details.reasoning_tokens),
    }
}

/// The status an error within a stream would have had on its own.
fn code_of(code: Option<&Value>) -> Option<u16> {
    match code? {
        Value::Number(number) => number.as_u64().and_then(|code| u16::try_from(code).ok()),
        Value::String(text) => match text.as_str() {
            "rate_limit_exceeded" => Some(429),
            "invalid_prompt" | "invalid_request_error" => Some(400),
            text => text.parse().ok(),
        },
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    fn answer(events: &[&str]) -> Answer {
        let mut answer = Answer::default();
        for event in events {
            assert!(
                matches!(
                    Responses.take(&mut answer, event.as_bytes()),
                    Ok(Taken::Added)
                ),
                "{event}"
            );
        }
        answer
    }

    const END: &str = r#"{"type":"response.completed","response":{"id":"resp_1","model":"m","status":"completed",
        "output":[{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]},
            {"type":"message","content":[{"type":"output_text","text":"{\"a\":1}"}]}],
        "usage":{"input_tokens":30,"input_tokens_details":{"cached_tokens":20},
            "output_tokens":12,"output_tokens_details":{"reasoning_tokens":5},"total_tokens":42}}}"#;

    #[test]
    fn a_stream_is_put_together_and_not_taken_twice() {
        let answer = answer(&[
            r#"{"type":"response.created","response":{"id":"resp_1","status":"in_progress","model":"m","output":[]}}"#,
            r#"{"type":"response.reasoning_summary_text.delta","delta":"hm"}"#,
            r#"{"type":"response.output_text.delta","delta":"{\"a\":"}"#,
            r#"{"type":"response.output_text.delta","delta":"1}"}"#,
            r#"{"type":"response.output_text.done","text":"{\"a\":1}"}"#,
            r#"{"type":"response.output_item.done","item":{"type":"message","status":"completed"}}"#,
            END,
        ]);
        assert_eq!(
            (answer.text.as_str(), answer.reasoning.as_str()),
            (r#"{"a":1}"#, "hm")
        );
        let counts = answer.counts;
        assert_eq!(
            (counts.input, counts.cached, counts.output, counts.reasoning),
            (Some(30), Some(20), Some(12), Some(5))
        );
        assert!(answer.done);
        assert_eq!(answer.id, "resp_1");
    }

    #[test]
    fn a_whole_body_says_the_same() {
        let body: Value = serde_json::from_str(END).unwrap();
        let whole = answer(&[&body["response"].to_string()]);
        assert_eq!(
            (whole.text.as_str(), whole.reasoning.as_str()),
            (r#"{"a":1}"#, "hm")
        );
        assert_eq!(whole.finish(), FinishReason::Stop);
    }

    #[test]
    fn a_stream_without_its_last_event_is_cut() {
        assert!(!answer(&[r#"{"type":"response.output_text.delta","delta":"{"}"#]).is_whole());
    }

    #[test]
    fn every_way_to_be_incomplete() {
        for (reason, wanted) in [
            ("max_output_tokens", FinishReason::Length),
            ("content_filter", FinishReason::ContentFilter),
            ("weather", FinishReason::Other),
        ] {
            let event = format!(
                r#"{{"type":"response.incomplete","response":{{"status":"incomplete","incomplete_details":{{"reason":"{reason}"}}}}}}"#
            );
            assert_eq!(answer(&[&event]).finish(), wanted, "{reason}");
        }
        let declined = answer(&[
            r#"{"type":"response.refusal.delta","delta":"no"}"#,
            r#"{"type":"response.completed","response":{"status":"completed"}}"#,
        ]);
        assert_eq!(declined.finish(), FinishReason::ContentFilter);
    }

    #[test]
    fn every_kind_of_error_is_found() {
        for (event, wanted) in [
            (
                r#"{"type":"error","code":"rate_limit_exceeded","message":"m"}"#,
                Some(429),
            ),
            (
                r#"{"type":"error","error":{"code":"invalid_prompt","message":"m"}}"#,
                Some(400),
            ),
            (
                r#"{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"m"}}}"#,
                None,
            ),
        ] {
            match Responses.take(&mut Answer::default(), event.as_bytes()) {
                Ok(Taken::Error { code, message }) => {
                    assert_eq!((code, message.as_str()), (wanted, "m"), "{event}");
                }
                _ => panic!("{event}"),
            }
        }
    }
}
