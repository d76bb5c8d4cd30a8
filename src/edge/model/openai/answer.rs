//! The answer, put together from the chunks of a stream or read from one body.

use super::wire::{Chunk, WireError, WireUsage};
use crate::chat::{FinishReason, Usage};

/// What one chunk did to the answer.
pub(super) enum Taken {
    /// It was added.
    Added,
    /// The provider reported an error instead.
    Error { code: Option<u16>, message: String },
}

/// What has arrived of an answer.
#[derive(Default)]
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) reasoning: String,
    pub(super) finish: Option<FinishReason>,
    pub(super) usage: Option<Usage>,
    pub(super) model: String,
    pub(super) id: String,
    /// The end was announced with `[DONE]`.
    pub(super) done: bool,
    /// Some chunk was read.
    pub(super) begun: bool,
    /// The model declined in a field of its own.
    declined: bool,
}

impl Answer {
    /// Adds the data of one event, or a whole body.
    pub(super) fn take(&mut self, data: &[u8]) -> Result<Taken, serde_json::Error> {
        if data.trim_ascii() == b"[DONE]" {
            self.done = true;
            return Ok(Taken::Added);
        }
        if data.trim_ascii().is_empty() {
            return Ok(Taken::Added);
        }
        let chunk: Chunk<'_> = serde_json::from_slice(data)?;
        self.begun = true;
        if let Some(error) = chunk.error {
            return Ok(reported(error));
        }
        set_once(&mut self.id, &chunk.id.0);
        set_once(&mut self.model, &chunk.model.0);
        let mut usage = chunk.usage;
        for choice in chunk.choices.into_iter().flatten() {
            if let Some(delta) = choice.delta {
                self.text.push_str(&delta.content.0);
                self.reasoning.push_str(&delta.reasoning_content.0);
                // Some send the same words under both names.
                if delta.reasoning_content.0.is_empty() {
                    self.reasoning.push_str(&delta.reasoning.0);
                }
                self.declined |= !delta.refusal.0.is_empty();
            }
            usage = usage.or(choice.usage);
            match &*choice.finish_reason.0 {
                "" => {}
                reason @ ("error" | "insufficient_system_resource") => {
                    return Ok(Taken::Error {
                        code: None,
                        message: format!("finish reason `{reason}`"),
                    });
                }
                reason => self.finish = Some(finish(reason)),
            }
        }
        // The last count is the whole one.
        self.usage = usage.and_then(WireUsage::usage).or(self.usage);
        Ok(Taken::Added)
    }

    /// Is there everything that ends an answer?
    pub(super) fn is_whole(&self) -> bool {
        self.done || self.finish.is_some()
    }

    /// Why the model stopped.
    pub(super) fn finish(&self) -> FinishReason {
        if self.declined && self.text.is_empty() {
            return FinishReason::ContentFilter;
        }
        self.finish.unwrap_or(FinishReason::Other)
    }

    /// Moves reasoning that stands in the text, in `<think>` marks, to where it belongs.
    pub(super) fn set_thinking_apart(&mut self) {
        let Some(rest) = self.text.trim_start().strip_prefix("<think>") else {
            return;
        };
        let Some((thinking, text)) = rest.split_once("</think>") else {
            return;
        };
        self.reasoning.push_str(thinking.trim());
        self.text = text.trim_start().to_owned();
    }
}

fn reported(error: WireError<'_>) -> Taken {
    let (code, message) = error.parts();
    Taken::Error { code, message }
}

fn set_once(field: &mut String, value: &str) {
    if field.is_empty() {
        field.push_str(value);
    }
}

fn finish(reason: &str) -> FinishReason {
    match reason {
        "stop" | "eos" | "end_turn" => FinishReason::Stop,
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
                matches!(answer.take(chunk.as_bytes()), Ok(Taken::Added)),
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
    fn thinking_marks_are_taken_out_of_the_text() {
        let mut whole =
            answer(&[r#"{"choices":[{"message":{"content":"<think>hm</think>\n{}"}}]}"#]);
        whole.set_thinking_apart();
        assert_eq!(
            (whole.text.as_str(), whole.reasoning.as_str()),
            ("{}", "hm")
        );
        let mut open = answer(&[r#"{"choices":[{"message":{"content":"<think>hm"}}]}"#]);
        open.set_thinking_apart();
        assert_eq!(open.text, "<think>hm");
    }

    #[test]
    fn every_way_of_counting() {
        let usage = |json: &str| {
            answer(&[&format!(r#"{{"choices":[],"usage":{json}}}"#)])
                .usage
                .map(|u| (u.input, u.cached_input, u.output, u.reasoning))
        };
        assert_eq!(
            usage(
                r#"{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15,
                "prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":2}}"#
            ),
            Some((10, 4, 5, 2))
        );
        assert_eq!(
            usage(
                r#"{"prompt_tokens":10,"completion_tokens":5,"total_tokens":17,"completion_tokens_details":{"reasoning_tokens":2}}"#
            ),
            Some((10, 0, 7, 2))
        );
        assert_eq!(
            usage(
                r#"{"prompt_tokens":10,"completion_tokens":5,"prompt_cache_hit_tokens":8,"prompt_cache_miss_tokens":2}"#
            ),
            Some((10, 8, 5, 0))
        );
        assert_eq!(usage("null"), None);
        assert_eq!(usage(r#"{"prompt_tokens":10}"#), None);
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
            match Answer::default().take(json.as_bytes()) {
                Ok(Taken::Error { code, message }) => {
                    assert_eq!((code, message.as_str()), (wanted, "m"))
                }
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
