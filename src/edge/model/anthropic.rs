//! Anthropic's messages.
//!
//! This is the one dialect in which the caller says what is to be cached. Up to
//! three marks are set: after the first block that is not of the system turn
//! (what the whole run shares), before the task (what side-by-side calls share)
//! and after it (the next speaker's prompt is this one with more at its end). A
//! prefix counts once however many marks stand in it, so that a mark which is
//! not read again costs nothing besides the last block.

use reqwest::Url;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::answer::{Answer, Counts, Taken, set_once};
use super::http::Base;
use super::messages::{Turn, apart, turns};
use super::shape::Shape;
use super::wire::Wire;
use crate::chat::{AnswerFormat, ChatRequest, ChatRole, FinishReason};

/// Sampling temperatures end here, where others go on to 2.
const WARMEST: f64 = 1.0;

/// The wire format of messages.
pub(super) struct Messages;

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    max_tokens: u64,
    stream: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<Block<'a>>,
    messages: Vec<WireMessage<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Value>,
}

#[derive(Serialize)]
struct WireMessage<'a> {
    role: &'static str,
    content: Vec<Block<'a>>,
}

#[derive(Serialize)]
struct Block<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<Mark>,
}

#[derive(Serialize)]
struct Mark {
    #[serde(rename = "type")]
    kind: &'static str,
}

impl Wire for Messages {
    fn ladder(&self) -> &'static [AnswerFormat] {
        use AnswerFormat::{JsonSchema, Prompt, ToolCall};
        &[JsonSchema, ToolCall, Prompt]
    }

    fn url(&self, base: &Base, _model: &str) -> Url {
        base.join("v1/messages")
    }

    fn body(&self, request: &ChatRequest, shape: Shape) -> Result<Vec<u8>, serde_json::Error> {
        let (system, rest) = apart(turns(request, shape.schema_in_prompt()));
        let (name, schema): (_, &Value) = (request.schema.name, shape.schema(request.schema));
        let calls_tool = shape.format == AnswerFormat::ToolCall;
        let mut messages: Vec<WireMessage<'_>> = rest.iter().map(message).collect();
        mark(&mut messages);
        serde_json::to_vec(&Body {
            model: &request.model,
            max_tokens: request.max_output_tokens,
            stream: true,
            system: system.iter().map(|text| block(text)).collect(),
            messages,
            temperature: request
                .temperature
                .filter(|_| shape.temperature)
                .map(|temperature| temperature.min(WARMEST)),
            output_config: (shape.format == AnswerFormat::JsonSchema)
                .then(|| json!({"format": {"type": "json_schema", "schema": schema}})),
            tools: calls_tool.then(|| {
                json!([{"name": name, "input_schema": schema,
                "description": "Takes the whole answer."}])
            }),
            tool_choice: calls_tool
                .then(|| json!({"type": "tool", "name": name, "disable_parallel_tool_use": true})),
        })
    }

    fn take(&self, answer: &mut Answer, data: &[u8]) -> Result<Taken, serde_json::Error> {
        if data.trim_ascii().is_empty() {
            return Ok(Taken::Added);
        }
        let event: StreamEvent = serde_json::from_slice(data)?;
        answer.begun = true;
        Ok(add(answer, event))
    }
}

fn message<'a>(turn: &'a Turn<'_>) -> WireMessage<'a> {
    WireMessage {
        role: match turn.role {
            ChatRole::Assistant => "assistant",
            ChatRole::User | ChatRole::System => "user",
        },
        content: turn.blocks.iter().map(|text| block(text)).collect(),
    }
}

fn block(text: &str) -> Block<'_> {
    Block {
        kind: "text",
        text,
        cache_control: None,
    }
}

fn mark(messages: &mut [WireMessage<'_>]) {
    let mut blocks: Vec<&mut Block<'_>> = messages
        .iter_mut()
        .flat_map(|message| message.content.iter_mut())
        .collect();
    let count = blocks.len();
    for at in [0, count.saturating_sub(2), count.saturating_sub(1)] {
        if let Some(block) = blocks.get_mut(at) {
            block.cache_control = Some(Mark { kind: "ephemeral" });
        }
    }
}

/// An event of a stream, or a whole message, which has the fields of several.
#[derive(Deserialize)]
struct StreamEvent {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    message: Option<Begun>,
    #[serde(default)]
    content_block: Option<Piece>,
    #[serde(default)]
    delta: Option<Piece>,
    #[serde(default)]
    usage: Option<WireUsage>,
    #[serde(default)]
    error: Option<WireError>,
    // Those of a whole message.
    #[serde(flatten)]
    whole: Begun,
}

#[derive(Deserialize)]
struct Begun {
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    content: Vec<Piece>,
    #[serde(default)]
    stop_reason: Option<String>,
    #[serde(default)]
    usage: Option<WireUsage>,
}

/// A content block, or what is added to one.
#[derive(Deserialize)]
struct Piece {
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    thinking: Option<String>,
    #[serde(default)]
    partial_json: Option<String>,
    #[serde(default)]
    input: Option<Value>,
    #[serde(default)]
    stop_reason: Option<String>,
}

#[derive(Deserialize, Clone, Copy)]
struct WireUsage {
    #[serde(default)]
    input_tokens: Option<u64>,
    #[serde(default)]
    cache_creation_input_tokens: Option<u64>,
    #[serde(default)]
    cache_read_input_tokens: Option<u64>,
    #[serde(default)]
    output_tokens: Option<u64>,
}

#[derive(Deserialize)]
struct WireError {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    message: String,
}

fn add(answer: &mut Answer, event: StreamEvent) -> Taken {
    if let Some(error) = event.error {
        return Taken::Error {
            code: code_of(&error.kind),
            message: error.message,
        };
    }
    let mut usage = event.usage;
    for begun in event.message.into_iter().chain([event.whole]) {
        set_once(&mut answer.id, begun.id.as_deref().unwrap_or_default());
        set_once(
            &mut answer.model,
            begun.model.as_deref().unwrap_or_default(),
        );
        begun
            .content
            .into_iter()
            .for_each(|piece| put(answer, piece));
        stopped(answer, begun.stop_reason.as_deref());
        usage = usage.or(begun.usage);
    }
    for piece in event.content_block.into_iter().chain(event.delta) {
        stopped(answer, piece.stop_reason.as_deref());
        put(answer, piece);
    }
    if let Some(usage) = usage {
        answer.counts.update(counts(usage));
    }
    answer.done |= event.kind == "message_stop";
    Taken::Added
}

fn put(answer: &mut Answer, piece: Piece) {
    answer.text.push_str(&piece.text.unwrap_or_default());
    answer
        .reasoning
        .push_str(&piece.thinking.unwrap_or_default());
    answer
        .arguments
        .push_str(&piece.partial_json.unwrap_or_default());
    // A stream begins the call with an empty input and sends the pieces later.
    if let Some(input @ Value::Object(fields)) = &piece.input
        && !fields.is_empty()
    {
        answer.arguments.push_str(&input.to_string());
    }
}

fn stopped(answer: &mut Answer, reason: Option<&str>) {
    let Some(reason) = reason else { return };
    answer.finish = Some(match reason {
        "end_turn" | "tool_use" | "stop_sequence" => FinishReason::Stop,
        "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
        "refusal" => FinishReason::ContentFilter,
        _ => FinishReason::Other,
    });
}

/// What was read from the cache and what was written to it is counted beside the rest.
fn counts(usage: WireUsage) -> Counts {
    let beside =
        usage.cache_creation_input_tokens.unwrap_or(0) + usage.cache_read_input_tokens.unwrap_or(0);
    Counts {
        input: usage.input_tokens.map(|rest| rest.saturating_add(beside)),
        cached: usage.input_tokens.and(usage.cache_read_input_tokens),
        output: usage.output_tokens,
        reasoning: None,
    }
}

/// The status an error within a stream would have had on its own.
fn code_of(kind: &str) -> Option<u16> {
    Some(match kind {
        "invalid_request_error" => 400,
        "authentication_error" => 401,
        "billing_error" => 402,
        "permission_error" => 403,
        "not_found_error" => 404,
        "request_too_large" => 413,
        "rate_limit_error" => 429,
        "timeout_error" => 504,
        "overloaded_error" => 529,
        _ => return None,
    })
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
                    Messages.take(&mut answer, event.as_bytes()),
                    Ok(Taken::Added)
                ),
                "{event}"
            );
        }
        answer
    }

    #[test]
    fn a_stream_is_put_together() {
        let answer = answer(&[
            r#"{"type":"message_start","message":{"id":"msg_1","model":"claude","content":[],"usage":{"input_tokens":5,"cache_creation_input_tokens":20,"cache_read_input_tokens":75,"output_tokens":1}}}"#,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"xx"}}"#,
            r#"{"type":"ping"}"#,
            r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"{\"a\":1}"}}"#,
            r#"{"type":"content_block_stop","index":1}"#,
            r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9}}"#,
            r#"{"type":"message_stop"}"#,
        ]);
        assert_eq!(
            (answer.text.as_str(), answer.reasoning.as_str()),
            (r#"{"a":1}"#, "hm")
        );
        assert_eq!(
            (answer.id.as_str(), answer.model.as_str()),
            ("msg_1", "claude")
        );
        assert_eq!(answer.finish(), FinishReason::Stop);
        let counts = answer.counts;
        assert_eq!(
            (counts.input, counts.cached, counts.output),
            (Some(100), Some(75), Some(9))
        );
        assert!(answer.done);
    }

    #[test]
    fn a_later_count_of_everything_takes_the_place_of_the_first() {
        let answer = answer(&[
            r#"{"type":"message_start","message":{"usage":{"input_tokens":0,"output_tokens":0}}}"#,
            r#"{"type":"message_delta","delta":{"stop_reason":"max_tokens"},"usage":{"input_tokens":10,"cache_read_input_tokens":30,"output_tokens":4}}"#,
        ]);
        assert_eq!(answer.counts.input, Some(40));
        assert_eq!(answer.counts.cached, Some(30));
        assert_eq!(answer.finish(), FinishReason::Length);
    }

    #[test]
    fn a_forced_call_comes_in_pieces_or_whole() {
        for events in [
            &[
                r#"{"type":"content_block_start","content_block":{"type":"tool_use","id":"t","name":"c","input":{}}}"#,
                r#"{"type":"content_block_delta","delta":{"type":"input_json_delta","partial_json":"{\"a\""}}"#,
                r#"{"type":"content_block_delta","delta":{"type":"input_json_delta","partial_json":":1}"}}"#,
                r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"}}"#,
            ][..],
            &[
                r#"{"type":"message","id":"m","content":[{"type":"tool_use","name":"c","input":{"a":1}}],"stop_reason":"tool_use"}"#,
            ],
        ] {
            let mut answer = answer(events);
            answer.set_arguments_as_text("c");
            assert_eq!(answer.text, r#"{"a":1}"#);
            assert_eq!(answer.finish(), FinishReason::Stop);
        }
    }

    #[test]
    fn an_error_in_a_stream_has_the_status_it_would_have_had() {
        let event =
            br#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
        match Messages.take(&mut Answer::default(), event) {
            Ok(Taken::Error { code, message }) => {
                assert_eq!((code, message.as_str()), (Some(529), "Overloaded"));
            }
            _ => panic!("no error"),
        }
    }
}
