//! What an endpoint takes, found out by what it refuses.
//!
//! "OpenAI-compatible" is a family. Which member of it answers is not asked and
//! not configured: the best form is sent first, and a refusal that names the
//! reason steps down to the next one. What was learned holds for every later
//! call of the same client.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use reqwest::StatusCode;

/// How an answer is held to its schema, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnswerFormat {
    /// The endpoint is held to the schema.
    JsonSchema,
    /// The endpoint is held to JSON; the schema stands in the prompt.
    JsonObject,
    /// Only the prompt asks for it.
    Prompt,
}

/// The form of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) format: AnswerFormat,
    /// `max_completion_tokens` instead of `max_tokens`.
    pub(super) completion_limit: bool,
    /// Ask for token counts at the end of a stream.
    pub(super) stream_usage: bool,
}

/// What is known of an endpoint so far; shared by side-by-side calls.
#[derive(Debug)]
pub(super) struct Dialect {
    format: AtomicU8,
    completion_limit: AtomicBool,
    limit_settled: AtomicBool,
    no_stream_usage: AtomicBool,
}

impl Dialect {
    pub(super) fn new(format: AnswerFormat, completion_limit: bool) -> Self {
        Self {
            format: AtomicU8::new(format as u8),
            completion_limit: AtomicBool::new(completion_limit),
            limit_settled: AtomicBool::new(false),
            no_stream_usage: AtomicBool::new(false),
        }
    }

    pub(super) fn shape(&self) -> Shape {
        Shape {
            format: match self.format.load(Ordering::Relaxed) {
                0 => AnswerFormat::JsonSchema,
                1 => AnswerFormat::JsonObject,
                _ => AnswerFormat::Prompt,
            },
            completion_limit: self.completion_limit.load(Ordering::Relaxed),
            stream_usage: !self.no_stream_usage.load(Ordering::Relaxed),
        }
    }

    /// Was `sent` refused for its form, so that the next form is worth a try?
    ///
    /// Every form is given up at most once, so a call that asks again while this says
    /// yes comes to an end.
    pub(super) fn learns(&self, sent: Shape, status: StatusCode, body: &str) -> bool {
        if !matches!(status.as_u16(), 400 | 422) {
            return false;
        }
        let body = body.to_lowercase();
        if sent.stream_usage && body.contains("stream_options") {
            self.no_stream_usage.store(true, Ordering::Relaxed);
            return true;
        }
        if refuses_limit(sent.completion_limit, &body) {
            let first = !self.limit_settled.swap(true, Ordering::Relaxed);
            if first {
                self.completion_limit
                    .store(!sent.completion_limit, Ordering::Relaxed);
            }
            return self.shape().completion_limit != sent.completion_limit;
        }
        if sent.format < AnswerFormat::Prompt && refuses_format(&body) {
            self.format
                .fetch_max(sent.format as u8 + 1, Ordering::Relaxed);
            return true;
        }
        false
    }
}

/// "Use the other one", or "I do not know this one"; not "this number is too large".
fn refuses_limit(completion_limit: bool, body: &str) -> bool {
    if !completion_limit && body.contains("max_completion_tokens") {
        return true;
    }
    let name = if completion_limit {
        "max_completion_tokens"
    } else {
        "max_tokens"
    };
    let refusals = [
        "unsupported",
        "not supported",
        "unknown",
        "unrecognized",
        "unexpected",
        "extra",
        "not permitted",
    ];
    body.contains(name) && refusals.iter().any(|word| body.contains(word))
}

fn refuses_format(body: &str) -> bool {
    [
        "response_format",
        "json_schema",
        "json_object",
        "json schema",
        "structured output",
        "strict",
        "grammar",
    ]
    .iter()
    .any(|word| body.contains(word))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    const BAD: StatusCode = StatusCode::BAD_REQUEST;

    #[test]
    fn formats_are_given_up_one_by_one() {
        let dialect = Dialect::new(AnswerFormat::JsonSchema, false);
        let refusal = r#"{"error":{"message":"This response_format type is unavailable now"}}"#;
        let mut seen = Vec::new();
        loop {
            let shape = dialect.shape();
            seen.push(shape.format);
            if !dialect.learns(shape, BAD, refusal) {
                break;
            }
        }
        assert_eq!(
            seen,
            [
                AnswerFormat::JsonSchema,
                AnswerFormat::JsonObject,
                AnswerFormat::Prompt
            ]
        );
    }

    #[test]
    fn side_by_side_refusals_count_once() {
        let dialect = Dialect::new(AnswerFormat::JsonSchema, false);
        let shape = dialect.shape();
        assert!(dialect.learns(shape, BAD, "unknown field json_schema"));
        assert!(dialect.learns(shape, BAD, "unknown field json_schema"));
        assert_eq!(dialect.shape().format, AnswerFormat::JsonObject);
        let limit = "max_tokens: use max_completion_tokens";
        assert!(dialect.learns(shape, BAD, limit));
        assert!(dialect.learns(shape, BAD, limit));
        assert!(dialect.shape().completion_limit);
    }

    #[test]
    fn the_limit_is_changed_once_and_not_for_its_number() {
        let dialect = Dialect::new(AnswerFormat::JsonSchema, false);
        let shape = dialect.shape();
        assert!(!dialect.learns(shape, BAD, "max_tokens is too large: 9000"));
        assert!(dialect.learns(shape, BAD, "Unsupported parameter: 'max_tokens'"));
        let other = dialect.shape();
        assert!(other.completion_limit);
        assert!(!dialect.learns(other, BAD, "unknown field max_completion_tokens"));
    }

    #[test]
    fn only_a_refused_form_is_learned_from() {
        let dialect = Dialect::new(AnswerFormat::JsonSchema, false);
        let shape = dialect.shape();
        assert!(!dialect.learns(shape, StatusCode::INTERNAL_SERVER_ERROR, "json_schema"));
        assert!(!dialect.learns(shape, BAD, "the context is too small"));
        assert_eq!(dialect.shape(), shape);
    }
}
