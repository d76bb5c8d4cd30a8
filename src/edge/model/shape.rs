//! Learns the request form that an endpoint accepts, from its refusals.
//!
//! The software of an endpoint is neither detected nor configured: the richest form is sent first,
//! and a refusal leads to a plainer one. The part that the error names is left out; if it names
//! none, the answer's format is relaxed by a step. An answer that does not follow the format shows
//! that the endpoint ignored it, with the same effect. What was learned about a model applies to
//! all later calls of the same client, is recorded with its answers, and is restored when a run is
//! resumed.

use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex};

use regex::Regex;
use reqwest::StatusCode;
use serde_json::Value;

use super::address::pattern;
use super::failure::{exceeds_context, is_of_model};
use super::providers::{MAX_COMPLETION_TOKENS, MAX_TOKENS, Quirks};
use crate::chat::{
    AnswerFormat, AnswerSchema, ChatRequest, EndpointLimits, EndpointRecord, RequestPart, Schema,
};
use crate::edge::locked;

/// Minimum tokens for an answer; with fewer, the prompt is too long.
const LEAST_ROOM: u64 = 256;

/// Statuses that call the request itself wrong, so that an error that names a part refuses it.
const WRONG_REQUEST: &[u16] = &[400, 422, 501];

/// Other statuses with which endpoints refuse a part; then the error has to deny it as well.
const REFUSALS: &[u16] = &[402, 403, 404, 405, 500];

/// Words by which an error names a part of the request, in lower case. The first part that is named
/// and sent is left out; a part whose refusal may mention another one comes after that one.
static PARTS: LazyLock<Vec<(RequestPart, Regex)>> = LazyLock::new(|| {
    let parts = [
        (RequestPart::StreamUsage, "stream_options|include_usage"),
        (
            RequestPart::Stream,
            r"\bstream(s|ed|ing)?(\b|_not)|\bsse\b|server-sent events|流式",
        ),
        (RequestPart::LimitName, r"\bmax_(completion_)?tokens\b"),
        (RequestPart::Temperature, r"\btemperature\b"),
        (RequestPart::Seed, r"\b(random_)?seed\b"),
        (
            RequestPart::CacheMarks,
            "cache_control|prompt cach|ephemeral",
        ),
        (
            RequestPart::SystemRole,
            r#"\broles?\b|['"`]system['"`]|system_?(instruction|(message|prompt|turn|instruction)s?\b)|system (message|prompt|turn|instruction)|developer instruction|角色|系统(消息|提示)"#,
        ),
        (
            RequestPart::Lengths,
            "(max|min)_?(length|items)|(invalid|unsupported) schema|schema contains|too complex|too many states|grammar",
        ),
    ];
    parts.map(|(part, words)| (part, pattern(words))).into()
});

/// Words by which an error names the answer's format.
static FORMAT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        "format|schema|json|tool|function|structured|grammar|guided|constrained decoding|output_config|mimetype|(requested|provided) parameters|结构化|工具|函数",
    )
});

/// Words by which an error names the answer's limit, and words that call it too large.
static ROOM: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"max_?(completion_|output_?|new_)?tokens|max(imum)? tokens|\bn(um)?_predict|(completion|output|draft) tokens|in the (completion|output)|\brequested\b",
    )
});
static TOO_LARGE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        "too (large|big|high|long)|exceed|at most|(less|lower|smaller|greater|larger) than|or equal|maximum|max value|range|fewer|reduce|up to|between|[<>≤]|超|范围|过大|大于|最大|上限",
    )
});

static DENIAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"\b(no|not|nor|only|must|cannot|unable|unsupported|unknown|requires?|invalid|failed to|deprecated|disabled|unavailable)\b|n't\b|不|无|未|仅|只|禁",
    )
});

static NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b\d{1,3}(?:,\d{3})+\b|\d+"));

/// Fields of an error that repeat the request.
const ECHOES: &[&str] = &["input", "url", "path", "instance"];

/// The form of one request.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shape {
    quirks: Quirks,
    /// How the answer is made to follow its schema.
    pub(super) format: AnswerFormat,
    /// What was refused before.
    pub(super) terms: EndpointLimits,
}

impl Shape {
    /// Whether this part is sent.
    pub(super) fn takes(&self, part: RequestPart) -> bool {
        let usual = match part {
            RequestPart::Stream => self.quirks.streams,
            RequestPart::Lengths => self.quirks.lengths,
            RequestPart::SystemRole => self.quirks.system,
            RequestPart::Seed => self.quirks.seed.is_some(),
            _ => true,
        };
        usual && !self.terms.left_out.contains(&part)
    }

    /// Name of the answer's limit.
    pub(super) fn limit(&self) -> &'static str {
        match self.quirks.limit {
            known if self.takes(RequestPart::LimitName) => known,
            MAX_TOKENS => MAX_COMPLETION_TOKENS,
            _ => MAX_TOKENS,
        }
    }

    /// Limit of the answer in tokens: the requested one, or the space left for it.
    pub(super) fn tokens(&self, request: &ChatRequest) -> u64 {
        let room = self.terms.room.unwrap_or(u64::MAX);
        request.max_output_tokens.min(room.max(LEAST_ROOM))
    }

    /// The sampling temperature, if it is sent.
    pub(super) fn temperature(&self, request: &ChatRequest) -> Option<f64> {
        request
            .temperature
            .filter(|_| self.takes(RequestPart::Temperature))
    }

    /// Adds temperature and seed, as far as they are sent.
    pub(super) fn sample(&self, request: &ChatRequest, into: &mut Value) {
        if let Some(temperature) = self.temperature(request) {
            into["temperature"] = temperature.into();
        }
        let name = self.quirks.seed.filter(|_| self.takes(RequestPart::Seed));
        if let (Some(name), Some(seed)) = (name, request.seed) {
            into[name] = seed.into();
        }
    }

    /// Whether the prompt must contain the schema.
    pub(super) fn schema_in_prompt(&self) -> bool {
        self.format > AnswerFormat::ToolCall
    }

    pub(super) fn schema(&self, answer: AnswerSchema) -> &'static Schema {
        match self.takes(RequestPart::Lengths) {
            true => answer.bounded,
            false => answer.schema,
        }
    }

    /// Whether the request contains this part, so that it can be refused.
    fn sends(&self, part: RequestPart, request: &ChatRequest) -> bool {
        let is_used = match part {
            RequestPart::StreamUsage => self.takes(RequestPart::Stream),
            RequestPart::Temperature => request.temperature.is_some(),
            RequestPart::Seed => request.seed.is_some(),
            RequestPart::Lengths => !self.schema_in_prompt(),
            _ => true,
        };
        is_used && self.takes(part)
    }
}

/// What is known about an endpoint, by model; shared by concurrent calls.
#[derive(Debug)]
pub(super) struct Capabilities {
    quirks: Quirks,
    ladder: &'static [AnswerFormat],
    known: Mutex<BTreeMap<String, EndpointRecord>>,
}

impl Capabilities {
    /// Starts with the known quirks of the provider; `ladder` are the formats of its dialect.
    pub(super) fn new(quirks: Quirks, ladder: &'static [AnswerFormat]) -> Self {
        Self {
            quirks,
            ladder,
            known: Mutex::default(),
        }
    }

    pub(super) fn shape(&self, request: &ChatRequest) -> Shape {
        let mut all = locked(&self.known);
        let known = all.entry(request.model.clone()).or_default();
        let room = known.terms.room;
        known.learn(request.known.format, &request.known.terms);
        known.terms.room = room.or(known.terms.room);
        let least = known
            .format
            .unwrap_or(self.quirks.format)
            .max(self.quirks.format);
        let format = self.ladder.iter().find(|format| **format >= least);
        Shape {
            quirks: self.quirks,
            format: format.copied().unwrap_or(AnswerFormat::Prompt),
            terms: known.terms.clone(),
        }
    }

    /// Learns from an error response; returns whether a plainer form is worth trying.
    ///
    /// Every form is given up at most once and limits only decrease, so a call that retries as long
    /// as this returns true comes to an end.
    pub(super) fn learn_from_refusal(
        &self,
        sent: &Shape,
        request: &ChatRequest,
        status: StatusCode,
        body: &str,
    ) -> bool {
        let mut words = String::new();
        match serde_json::from_str(body) {
            Ok(value) => collect(&value, &mut words),
            Err(_) => body.clone_into(&mut words),
        }
        let words = words.to_lowercase();
        let is_wrong = WRONG_REQUEST.contains(&status.as_u16());
        let denies = || REFUSALS.contains(&status.as_u16()) && DENIAL.is_match(&words);
        let is_prompt_too_long = || exceeds_context(&words) && !ROOM.is_match(&words);
        if !(is_wrong || denies()) || is_of_model(&words) || is_prompt_too_long() {
            return false;
        }
        let mut all = locked(&self.known);
        let known = all.entry(request.model.clone()).or_default();
        if ROOM.is_match(&words) && TOO_LARGE.is_match(&words) {
            let room = lowered(&words, sent.tokens(request));
            known.terms.room = room.or(known.terms.room);
            return room.is_some();
        }
        let is_named = |(part, names): &&(RequestPart, Regex)| {
            names.is_match(&words) && sent.sends(*part, request)
        };
        if let Some((part, _)) = PARTS.iter().find(is_named) {
            known.terms.left_out.insert(*part);
            return true;
        }
        // The format of structured answers is what endpoints support least.
        let is_format = is_wrong || FORMAT.is_match(&words);
        is_format && self.step_down(known, |format| format > sent.format)
    }

    /// No form was accepted, so the format was not the cause: that of `first` is used again from
    /// now on.
    pub(super) fn restore_format(&self, first: &Shape, request: &ChatRequest) {
        let mut all = locked(&self.known);
        let known = all.entry(request.model.clone()).or_default();
        known.format = Some(first.format);
    }

    /// The endpoint ignored the format: from now on the prompt contains the schema.
    pub(super) fn ignored(&self, sent: &Shape, request: &ChatRequest) {
        let mut all = locked(&self.known);
        let known = all.entry(request.model.clone()).or_default();
        self.step_down(known, |format| {
            format > sent.format && format > AnswerFormat::ToolCall
        });
    }

    /// Switches to the next format that is `wanted`, unless a later one is already in use.
    fn step_down(&self, known: &mut EndpointRecord, wanted: impl Fn(AnswerFormat) -> bool) -> bool {
        let next = self.ladder.iter().copied().find(|format| wanted(*format));
        known.format = known.format.max(next);
        next.is_some()
    }
}

/// Adds the texts of an error, a line each, without those that repeat the request.
fn collect(value: &Value, words: &mut String) {
    match value {
        Value::String(text) => {
            words.push_str(text);
            words.push('\n');
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, words)),
        Value::Object(fields) => {
            for (name, value) in fields {
                // The path of a field is a list, that of the resource a text.
                let is_echo = ECHOES.contains(&name.as_str()) && !value.is_array();
                if !is_echo {
                    collect(value, words);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A lower limit after a refusal of `asked` tokens: the largest that the numbers in the message
/// give, otherwise half; `None` if too little is left.
///
/// A message may name the limit, or the context and the tokens of prompt, answer or both. So a
/// number, the difference of two, and `asked` without such a difference are candidates; a wrong one
/// is refused with new numbers.
fn lowered(words: &str, asked: u64) -> Option<u64> {
    let numbers = NUMBER.find_iter(words);
    let numbers = numbers.filter_map(|number| number.as_str().replace(',', "").parse().ok());
    let numbers: Vec<u64> = numbers.filter(|number| *number >= 16).collect();
    let pairs = numbers
        .iter()
        .flat_map(|one| numbers.iter().map(move |other| one.abs_diff(*other)));
    let differences = pairs.flat_map(|difference| [difference, asked.saturating_sub(difference)]);
    let candidates = numbers.iter().copied().chain(differences);
    let most = candidates
        .filter(|number| (LEAST_ROOM..asked).contains(number))
        .max();
    let most = most.map(|most| most - u64::from(words.contains("exclusive")));
    Some(most.unwrap_or(asked / 2)).filter(|room| *room >= LEAST_ROOM)
}
