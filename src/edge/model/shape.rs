//! What an endpoint takes, found out by what it refuses.
//!
//! Which member of a family of endpoints answers is neither asked nor
//! configured: the best form is sent first, and a refusal that names its reason
//! steps down to the next one. An answer that a held endpoint could never have
//! written says that the form was ignored, which teaches the same. What was
//! learned holds for every later call of the same client.

use std::sync::{Mutex, PoisonError};

use reqwest::StatusCode;

use super::providers::{Limit, Quirks};
use crate::chat::{AnswerFormat, AnswerSchema, Schema};

/// The form of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    /// How the answer is held to its schema.
    pub(super) format: AnswerFormat,
    /// What the output limit is called.
    pub(super) limit: Limit,
    /// What the seed is called; none where it is not sent.
    pub(super) seed: Option<&'static str>,
    /// Send the sampling temperature, if one was configured.
    pub(super) temperature: bool,
    /// Ask for a stream; else for the whole answer at once.
    pub(super) stream: bool,
    /// Ask for token counts at the end of a stream.
    pub(super) stream_usage: bool,
    /// Set lengths of texts and lists in the schema.
    pub(super) lengths: bool,
}

impl Shape {
    /// Has the prompt to say what the schema is?
    pub(super) fn schema_in_prompt(self) -> bool {
        self.format > AnswerFormat::ToolCall
    }

    /// The schema to send.
    pub(super) fn schema(self, answer: AnswerSchema) -> &'static Schema {
        if self.lengths {
            answer.bounded
        } else {
            answer.schema
        }
    }
}

/// What is known of an endpoint so far; shared by side-by-side calls.
#[derive(Debug)]
pub(super) struct Learned {
    ladder: &'static [AnswerFormat],
    known: Mutex<Known>,
}

#[derive(Debug)]
struct Known {
    shape: Shape,
    /// The name of the output limit was changed once, which is enough.
    limit_settled: bool,
}

impl Learned {
    /// Begins with what is known of the provider; `ladder` is what its dialect can ask for.
    pub(super) fn new(quirks: Quirks, ladder: &'static [AnswerFormat]) -> Self {
        let start = ladder.iter().find(|format| **format >= quirks.format);
        Self {
            ladder,
            known: Mutex::new(Known {
                shape: Shape {
                    format: start.copied().unwrap_or(AnswerFormat::Prompt),
                    limit: quirks.limit,
                    seed: quirks.seed,
                    temperature: true,
                    stream: quirks.streams,
                    stream_usage: true,
                    lengths: quirks.lengths,
                },
                limit_settled: false,
            }),
        }
    }

    /// The form to send.
    pub(super) fn shape(&self) -> Shape {
        self.lock().shape
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
        let mut known = self.lock();
        if sent.stream_usage && body.contains("stream_options") {
            known.shape.stream_usage = false;
            return true;
        }
        if sent.stream && refuses_stream(&body) {
            known.shape.stream = false;
            return true;
        }
        if refuses_limit(sent.limit, &body) {
            if !std::mem::replace(&mut known.limit_settled, true) {
                known.shape.limit = sent.limit.other();
            }
            return known.shape.limit != sent.limit;
        }
        // "Only 1 is allowed" is as good a reason to leave it out as "unknown field".
        if sent.temperature && body.contains("temperature") {
            known.shape.temperature = false;
            return true;
        }
        if sent.seed.is_some_and(|name| refuses_name(name, &body)) {
            known.shape.seed = None;
            return true;
        }
        if sent.lengths && !sent.schema_in_prompt() && refuses_lengths(&body) {
            known.shape.lengths = false;
            return true;
        }
        refuses_format(&body) && self.step_down(&mut known, |format| format > sent.format)
    }

    /// An answer came that a held endpoint could not have written: from now on the
    /// schema stands in the prompt.
    pub(super) fn ignored(&self, sent: Shape) {
        let mut known = self.lock();
        self.step_down(&mut known, |format| {
            format > sent.format && format > AnswerFormat::ToolCall
        });
    }

    /// Takes the next form that is `wanted`, unless a later one is in use already.
    fn step_down(&self, known: &mut Known, wanted: impl Fn(AnswerFormat) -> bool) -> bool {
        let next = self.ladder.iter().copied().find(|format| wanted(*format));
        if let Some(next) = next {
            known.shape.format = known.shape.format.max(next);
        }
        next.is_some()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Known> {
        // Nothing that is held here can be left half done.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Words of a refusal that is about a field, not about its value.
const REFUSALS: [&str; 9] = [
    "unsupported",
    "not support",
    "unknown",
    "unrecognized",
    "unexpected",
    "extra",
    "not permitted",
    "not allowed",
    "deprecated",
];

/// "Use the other one", or "I do not know this one"; not "this number is too large".
fn refuses_limit(limit: Limit, body: &str) -> bool {
    if limit == Limit::MaxTokens && body.contains("max_completion_tokens") {
        return true;
    }
    refuses_name(limit.name(), body)
}

fn refuses_name(name: &str, body: &str) -> bool {
    body.contains(name) && refuses(body)
}

fn refuses(body: &str) -> bool {
    REFUSALS.iter().any(|word| body.contains(word))
}

/// No streams of such answers; the word alone would be found in "upstream" too.
fn refuses_stream(body: &str) -> bool {
    let names = [
        "streaming",
        "`stream`",
        "'stream'",
        "stream=true",
        "stream: true",
    ];
    names.iter().any(|name| body.contains(name)) && refuses(body)
}

/// A keyword of the schema that sets a length, or the schema as such: without lengths it
/// is smaller, and may be taken.
fn refuses_lengths(body: &str) -> bool {
    [
        "maxlength",
        "minlength",
        "maxitems",
        "minitems",
        "max_length",
        "max_items",
        "min_items",
        "invalid schema",
        "schema contains",
        "unsupported schema",
        "too complex",
        "too many states",
        "xgrammar",
        "parse grammar",
    ]
    .iter()
    .any(|word| body.contains(word))
}

/// Names of everything by which the dialects ask for structured answers.
fn refuses_format(body: &str) -> bool {
    [
        "response_format",
        "response format",
        "text.format",
        "output_config",
        "output_format",
        "responsejsonschema",
        "responseschema",
        "responsemimetype",
        "response_mime_type",
        "json_schema",
        "json schema",
        "json_object",
        "json mode",
        "structured output",
        "schema",
        "strict",
        "grammar",
        "tool_choice",
        "tool",
        "function",
        "invalid format",
        "chatrequest.format",
    ]
    .iter()
    .any(|word| body.contains(word))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;
    use crate::edge::model::providers::USUAL;
    use AnswerFormat::{JsonObject, JsonSchema, Prompt, ToolCall};

    const BAD: StatusCode = StatusCode::BAD_REQUEST;
    const ALL: &[AnswerFormat] = &[JsonSchema, ToolCall, JsonObject, Prompt];

    fn learned() -> Learned {
        Learned::new(USUAL, ALL)
    }

    /// Formats that are sent to an endpoint that refuses all of them in these words.
    fn steps(learned: &Learned, refusal: &str) -> Vec<AnswerFormat> {
        let mut seen = Vec::new();
        loop {
            let shape = learned.shape();
            seen.push(shape.format);
            if !learned.learns(shape, BAD, refusal) {
                return seen;
            }
        }
    }

    #[test]
    fn formats_are_given_up_one_by_one() {
        let refusal = r#"{"error":{"message":"This response_format type is unavailable now"}}"#;
        assert_eq!(steps(&learned(), refusal), ALL);
        let short = Learned::new(USUAL, &[JsonSchema, Prompt]);
        assert_eq!(steps(&short, refusal), [JsonSchema, Prompt]);
        let quirks = Quirks {
            format: ToolCall,
            ..USUAL
        };
        let late = Learned::new(quirks, &[JsonSchema, JsonObject, Prompt]);
        assert_eq!(steps(&late, refusal), [JsonObject, Prompt]);
    }

    #[test]
    fn every_dialects_words_are_known() {
        for refusal in [
            "output_config: Extra inputs are not permitted",
            r#"Invalid JSON payload received. Unknown name "responseJsonSchema" at 'generation_config'"#,
            "json: cannot unmarshal object into Go struct field ChatRequest.format of type string",
            "This model does not support response format `json_schema`",
            "tool_choice is not supported with this model",
        ] {
            let learned = learned();
            assert!(learned.learns(learned.shape(), BAD, refusal), "{refusal}");
            assert_eq!(learned.shape().format, ToolCall, "{refusal}");
        }
    }

    #[test]
    fn an_ignored_form_puts_the_schema_into_the_prompt() {
        let learned = learned();
        learned.ignored(learned.shape());
        assert_eq!(learned.shape().format, JsonObject);
        learned.ignored(learned.shape());
        assert_eq!(learned.shape().format, Prompt);
        learned.ignored(learned.shape());
        assert_eq!(learned.shape().format, Prompt);
    }

    #[test]
    fn side_by_side_refusals_count_once() {
        let learned = learned();
        let shape = learned.shape();
        assert!(learned.learns(shape, BAD, "unknown field json_schema"));
        assert!(learned.learns(shape, BAD, "unknown field json_schema"));
        assert_eq!(learned.shape().format, ToolCall);
        let limit = "max_tokens: use max_completion_tokens";
        assert!(learned.learns(shape, BAD, limit));
        assert!(learned.learns(shape, BAD, limit));
        assert_eq!(learned.shape().limit, Limit::MaxCompletionTokens);
    }

    #[test]
    fn the_limit_is_changed_once_and_not_for_its_number() {
        let learned = learned();
        let shape = learned.shape();
        assert!(!learned.learns(shape, BAD, "max_tokens is too large: 9000"));
        assert!(learned.learns(shape, BAD, "Unsupported parameter: 'max_tokens'"));
        let other = learned.shape();
        assert_eq!(other.limit, Limit::MaxCompletionTokens);
        assert!(!learned.learns(other, BAD, "unknown field max_completion_tokens"));
    }

    #[test]
    fn what_may_be_left_out_is_left_out_when_it_is_refused() {
        let learned = learned();
        let refusal = "Unsupported value: 'temperature' does not support 0.5 with this model";
        assert!(learned.learns(learned.shape(), BAD, refusal));
        assert!(!learned.shape().temperature);
        assert!(!learned.learns(learned.shape(), BAD, refusal));
        assert!(learned.learns(learned.shape(), BAD, "seed: Extra inputs are not permitted"));
        assert_eq!(learned.shape().seed, None);
        assert_eq!(learned.shape().format, JsonSchema);
    }

    #[test]
    fn a_value_that_is_not_allowed_is_no_reason_to_give_up() {
        let learned = learned();
        let kimi = "invalid temperature: only 1 is allowed for this model";
        assert!(learned.learns(learned.shape(), BAD, kimi));
        assert!(!learned.shape().temperature);
        assert!(!learned.learns(learned.shape(), BAD, kimi));
    }

    #[test]
    fn a_stream_is_given_up_before_the_form() {
        let learned = learned();
        let groq = "`response_format` does not support streaming";
        assert!(learned.learns(learned.shape(), BAD, groq));
        let next = learned.shape();
        assert_eq!((next.stream, next.format), (false, JsonSchema));
        assert!(learned.learns(next, BAD, groq), "else it was the form");
        assert_eq!(learned.shape().format, ToolCall);

        let known = self::learned();
        let upstream = "upstream error: json_schema is not supported";
        assert!(known.learns(known.shape(), BAD, upstream));
        assert!(known.shape().stream);
    }

    #[test]
    fn lengths_are_given_up_before_the_form_that_carries_them() {
        for refusal in [
            "Invalid schema for response_format 'contribution': 'maxLength' is not permitted.",
            "output_config.format.schema: For 'array' type, property 'maxItems' is not supported",
            "The specified schema produces a constraint that has too many states for serving",
            "The provided JSON schema contains features not supported by xgrammar.",
        ] {
            let learned = learned();
            let shape = learned.shape();
            assert!(shape.lengths);
            assert!(learned.learns(shape, BAD, refusal), "{refusal}");
            assert!(
                learned.learns(shape, BAD, refusal),
                "side by side: {refusal}"
            );
            let next = learned.shape();
            assert!(!next.lengths);
            assert_eq!(next.format, JsonSchema, "{refusal}");
            // The same words again are about the form.
            assert!(learned.learns(next, BAD, refusal), "{refusal}");
            assert_eq!(learned.shape().format, ToolCall, "{refusal}");
        }
        let known = learned();
        assert!(known.learns(known.shape(), BAD, "unknown field json_schema"));
        assert!(
            known.shape().lengths,
            "the form was refused, not the lengths"
        );
    }

    #[test]
    fn only_a_refused_form_is_learned_from() {
        let learned = learned();
        let shape = learned.shape();
        assert!(!learned.learns(shape, StatusCode::INTERNAL_SERVER_ERROR, "json_schema"));
        assert!(!learned.learns(shape, BAD, "the context is too small"));
        assert_eq!(learned.shape(), shape);
    }
}
