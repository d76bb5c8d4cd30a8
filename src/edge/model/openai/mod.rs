//! OpenAI's chat completions, and every endpoint that is compatible.

mod chunk;
mod request;

use reqwest::{StatusCode, Url};

use self::chunk::Chunk;
use super::answer::{Answer, Taken, set_once};
use super::http::Base;
use super::shape::Shape;
use super::wire::Wire;
use crate::chat::{AnswerFormat, ChatRequest, FinishReason};

/// The wire format of chat completions.
pub(super) struct Chat;

impl Wire for Chat {
    fn ladder(&self) -> &'static [AnswerFormat] {
        use AnswerFormat::{JsonObject, JsonSchema, Prompt, ToolCall};
        &[JsonSchema, ToolCall, JsonObject, Prompt]
    }

    fn url(&self, base: &Base, _model: &str) -> Url {
        base.join("chat/completions")
    }

    fn body(&self, request: &ChatRequest, shape: Shape) -> Result<Vec<u8>, serde_json::Error> {
        request::body(request, shape)
    }

    fn take(&self, answer: &mut Answer, data: &[u8]) -> Result<Taken, serde_json::Error> {
        if data.trim_ascii() == b"[DONE]" {
            answer.done = true;
            return Ok(Taken::Added);
        }
        if data.trim_ascii().is_empty() {
            return Ok(Taken::Added);
        }
        let chunk: Chunk<'_> = serde_json::from_slice(data)?;
        // Anything that is JSON reads as a chunk: only one that holds a choice is one.
        let choices = chunk.choices.as_ref().is_some_and(|all| !all.is_empty());
        answer.begun |= choices || chunk.error.is_some();
        Ok(add(answer, chunk))
    }

    /// Groq answers 400 when the model wrote something else than it was held to.
    fn meant(&self, status: StatusCode, body: &str) -> StatusCode {
        if status == StatusCode::BAD_REQUEST && body.contains("json_validate_failed") {
            return StatusCode::INTERNAL_SERVER_ERROR;
        }
        status
    }
}

fn add(answer: &mut Answer, chunk: Chunk<'_>) -> Taken {
    if let Some(error) = chunk.error {
        let (code, message) = error.parts();
        return Taken::Error { code, message };
    }
    set_once(&mut answer.id, &chunk.id.0);
    set_once(&mut answer.model, &chunk.model.0);
    let mut usage = chunk.usage;
    for choice in chunk.choices.into_iter().flatten() {
        if let Some(delta) = choice.delta {
            answer.text.push_str(&delta.content.0);
            answer.reasoning.push_str(&delta.reasoning_content.0);
            // Some send the same words under both names.
            if delta.reasoning_content.0.is_empty() {
                answer.reasoning.push_str(&delta.reasoning.0);
            }
            for call in delta.tool_calls.into_iter().flatten() {
                set_once(&mut answer.tool, call.name());
                answer.arguments.push_str(&call.arguments());
            }
            answer.declined |= !delta.refusal.0.is_empty();
        }
        // Moonshot counts here.
        usage = usage.or(choice.usage);
        match &*choice.finish_reason.0 {
            "" => {}
            reason @ ("error" | "network_error" | "insufficient_system_resource") => {
                return Taken::Error {
                    code: None,
                    message: format!("finish reason `{reason}`"),
                };
            }
            reason => answer.finish = Some(finish(reason)),
        }
    }
    if let Some(usage) = &usage {
        answer.counts.update(chunk::counts(usage));
    }
    Taken::Added
}

fn finish(reason: &str) -> FinishReason {
    match reason {
        "stop" | "eos" | "end_turn" | "tool_calls" | "function_call" => FinishReason::Stop,
        "length" | "max_tokens" | "model_length" => FinishReason::Length,
        "content_filter" | "sensitive" => FinishReason::ContentFilter,
        _ => FinishReason::Other,
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
                matches!(Chat.take(&mut answer, chunk.as_bytes()), Ok(Taken::Added)),
                "{chunk}"
            );
        }
        answer
    }

    #[test]
    fn text_and_reasoning_are_kept_apart() {
        let answer = answer(&[
            r#"{"id":"c1","model":"m","choices":[{"delta":{"role":"assistant","content":null,"reasoning_content":"hm"}}]}"#,
            r#"{"choices":[{"delta":{"content":"a\n"}}]}"#,
            r#"{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[]},{"type":"text","text":"b"}]},"finish_reason":"stop"}]}"#,
            "[DONE]",
        ]);
        assert_eq!(
            (answer.text.as_str(), answer.reasoning.as_str()),
            ("a\nb", "hm")
        );
        assert_eq!(answer.finish(), FinishReason::Stop);
        assert!(answer.done && answer.is_whole());
    }

    #[test]
    fn a_forced_call_comes_in_pieces() {
        let mut answer = answer(&[
            r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"t","type":"function","function":{"name":"c","arguments":""}}]}}]}"#,
            r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\":"}}]}}]}"#,
            r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]},"finish_reason":"tool_calls"}]}"#,
        ]);
        answer.set_arguments_as_text("c");
        assert_eq!(answer.text, r#"{"a":1}"#);
        assert_eq!(answer.finish(), FinishReason::Stop);
    }

    #[test]
    fn arguments_that_are_an_object_are_its_text() {
        let mut answer = answer(&[
            r#"{"choices":[{"message":{"tool_calls":[{"function":{"name":"c","arguments":{"a":1}}}]}}]}"#,
        ]);
        answer.set_arguments_as_text("c");
        assert_eq!(answer.text, r#"{"a":1}"#);
    }

    /// No tool was offered: such a call is no answer, and stays recognisable as what it is.
    #[test]
    fn a_call_of_another_tool_is_no_answer() {
        let called = r#"{"choices":[{"message":{"content":null,"tool_calls":[{"function":{"name":"search","arguments":"{\"q\":1}"}}]}}]}"#;
        let mut called = answer(&[called]);
        called.set_arguments_as_text("c");
        assert_eq!(called.text, r#"{"name":"search","arguments":"{\"q\":1}"}"#);
        let beside = r#"{"choices":[{"message":{"content":"{}","tool_calls":[{"function":{"name":"search","arguments":"{}"}}]}}]}"#;
        let mut beside = answer(&[beside]);
        beside.set_arguments_as_text("c");
        assert_eq!(beside.text, "{}");
    }

    #[test]
    fn every_way_of_counting() {
        let usage = |json: &str| {
            let counts = answer(&[&format!(r#"{{"choices":[],"usage":{json}}}"#)]).counts;
            (counts.input, counts.cached, counts.output, counts.reasoning)
        };
        assert_eq!(
            usage(
                r#"{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15,
                "prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":2}}"#
            ),
            (Some(10), Some(4), Some(5), Some(2))
        );
        // xAI counts reasoning beside the answer.
        assert_eq!(
            usage(
                r#"{"prompt_tokens":10,"completion_tokens":5,"total_tokens":17,"completion_tokens_details":{"reasoning_tokens":2}}"#
            ),
            (Some(10), None, Some(7), Some(2))
        );
        assert_eq!(
            usage(
                r#"{"prompt_tokens":10,"completion_tokens":5,"prompt_cache_hit_tokens":8,"prompt_cache_miss_tokens":2}"#
            ),
            (Some(10), Some(8), Some(5), None)
        );
        assert_eq!(
            usage(r#"{"prompt_tokens":10,"completion_tokens":5,"cached_tokens":6}"#),
            (Some(10), Some(6), Some(5), None)
        );
        assert_eq!(usage("null"), (None, None, None, None));
    }

    #[test]
    fn a_count_within_a_choice_counts() {
        let answer = answer(&[
            r#"{"choices":[{"delta":{},"finish_reason":"stop","usage":{"prompt_tokens":3,"completion_tokens":1}}]}"#,
        ]);
        assert_eq!(
            (answer.counts.input, answer.counts.output),
            (Some(3), Some(1))
        );
    }

    #[test]
    fn errors_in_a_stream_are_found() {
        for (json, wanted) in [
            (r#"{"error":{"message":"m","code":429}}"#, Some(429)),
            (
                r#"{"error":{"message":"m","code":"503","type":"x"}}"#,
                Some(503),
            ),
            (r#"{"error":{"message":"m","code":null}}"#, None),
            (r#"{"error":"m"}"#, None),
        ] {
            match Chat.take(&mut Answer::default(), json.as_bytes()) {
                Ok(Taken::Error { code, message }) => {
                    assert_eq!((code, message.as_str()), (wanted, "m"))
                }
                _ => panic!("{json}"),
            }
        }
    }

    #[test]
    fn an_answer_that_broke_off_in_the_model_is_none() {
        // In the words of OpenRouter, Zhipu and DeepSeek.
        for reason in ["error", "network_error", "insufficient_system_resource"] {
            let json = format!(
                r#"{{"choices":[{{"delta":{{"content":"{{\"a\":"}},"finish_reason":"{reason}"}}]}}"#
            );
            match Chat.take(&mut Answer::default(), json.as_bytes()) {
                Ok(Taken::Error { message, .. }) => assert!(message.contains(reason)),
                _ => panic!("{json}"),
            }
        }
    }

    #[test]
    fn a_refusal_of_the_model_is_no_answer() {
        let answer =
            answer(&[r#"{"choices":[{"delta":{"refusal":"no"},"finish_reason":"stop"}]}"#]);
        assert_eq!(answer.finish(), FinishReason::ContentFilter);
    }
}
