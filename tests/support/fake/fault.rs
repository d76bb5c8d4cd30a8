//! All faults of an endpoint, as data.
//!
//! A fault is derived from the correct answer, so that it looks realistic. Faults of the wire
//! format that differ between dialects use OpenAI's chat completions.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Completion, Reply};

/// A fault.
#[derive(Clone, Copy)]
pub struct Fault {
    /// Its name in tables and messages.
    pub name: &'static str,
    /// Turns the correct answer into the faulty one.
    pub spoil: fn(right: &str) -> Reply,
}

const fn fault(name: &'static str, spoil: fn(&str) -> Reply) -> Fault {
    Fault { name, spoil }
}

/// All faults, by what is affected: status, time, connection, frames, text.
pub const FAULTS: &[Fault] = &[
    fault("429 with seconds", |_| limited(Some("0.05"))),
    fault("429 with a date", |_| limited(Some(&in_a_second()))),
    fault("429 with nothing", |_| limited(None)),
    fault("429 with a day", |_| limited(Some("86400"))),
    fault("400 context too long", |_| {
        refused(400, "This model's maximum context length is 8192 tokens")
    }),
    fault("401", |_| refused(401, "Incorrect API key provided")),
    fault("403", |_| refused(403, "You do not have access")),
    fault("404 model", |_| {
        refused(404, "The model `fake-1` does not exist")
    }),
    fault("408", |_| refused(408, "request timeout")),
    fault("409", |_| refused(409, "conflict")),
    fault("425", |_| refused(425, "too early")),
    fault("500", |_| refused(500, "the server had an error")),
    fault("500 that never ends", |_| Reply::Unending {
        status: 500,
        every: Duration::from_millis(100),
    }),
    fault("502 with a page", |_| {
        let page = "<html><head><title>502 Bad Gateway</title></head></html>";
        let html = ("content-type", "text/html".to_owned());
        Reply::status(502, vec![html], page)
    }),
    fault("503", |_| refused(503, "overloaded")),
    fault("504", |_| refused(504, "upstream took too long")),
    fault("529", |_| refused(529, "overloaded_error")),
    fault("redirect to another host", |_| {
        let to = "http://elsewhere.invalid/v1/chat/completions".to_owned();
        Reply::status(307, vec![("location", to)], "")
    }),
    fault("hang before headers", |_| Reply::HangBeforeHeaders),
    fault("hang in the stream", |right| {
        Reply::HangInStream(half(right))
    }),
    fault("a byte at a time", |right| Reply::Drip {
        text: right.to_owned(),
        every: Duration::from_millis(100),
    }),
    fault("reset in the body", |right| Reply::Reset(half(right))),
    fault("cut stream", |right| Reply::Cut(right.to_owned())),
    fault("endless stream", |_| {
        Reply::Endless(": still here\n\n".repeat(64))
    }),
    fault("broken frame", |_| Reply::BrokenFrame),
    fault("split characters", |right| {
        Reply::SplitUtf8(right.to_owned())
    }),
    fault("NUL and invalid UTF-8", |_| {
        Reply::Raw(vec![
            b"data: {\"choices\":[{\"delta\":{\"content\":\"a\0b\xff\xfe\"}}]}\n\n".to_vec(),
        ])
    }),
    fault("10 MB", |_| {
        let frame = format!(
            "data: {}\n\n",
            delta(&json!({"content": "x".repeat(8_000)}))
        );
        Reply::Raw(vec![frame.repeat(16).into_bytes(); 80])
    }),
    fault("a line of 1 MB", |_| {
        let line = format!("data: {}", delta(&json!({"content": "x".repeat(1 << 20)})));
        Reply::Raw(vec![line.into_bytes()])
    }),
    fault("compressed bomb", |_| {
        Reply::Full(Completion {
            headers: vec![("content-encoding", "gzip".to_owned())],
            raw: Some(include_bytes!("bomb.gz").to_vec()),
            ..Completion::new("")
        })
    }),
    fault("a page with 200", |_| Reply::Html),
    fault("JSON of something else", |_| {
        Reply::status(200, vec![], r#"{"hello": 1, "choices": []}"#)
    }),
    fault("empty body", |_| Reply::Empty),
    fault("empty content", |_| Reply::Text(String::new())),
    fault("tool calls only", |_| {
        let call = json!({"tool_calls": [{"index": 0, "id": "call_1", "type": "function",
            "function": {"name": "search", "arguments": "{\"query\":\"csv\"}"}}]});
        let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]});
        frames(&[delta(&call), end])
    }),
    fault("content filter", |right| {
        Reply::Full(Completion {
            finish: "content_filter",
            ..Completion::new(&half(right))
        })
    }),
    fault("cut by length", |right| Reply::Length(half(right))),
    fault("invalid JSON", |_| {
        Reply::Text("{\"analysis\": [}, because of ]]".to_owned())
    }),
    fault("no JSON", |_| {
        Reply::Text("I would rather talk about the weather.".to_owned())
    }),
    fault("half an object", |right| Reply::Text(half(right))),
    fault("against the schema", |_| {
        Reply::Text(r#"{"verdict": "fine", "score": 9}"#.to_owned())
    }),
    fault("wrong types", |right| Reply::Text(wrong_types(right))),
    fault("JSON in prose", |right| {
        Reply::Text(format!(
            "Sure! Here it is:\n\n```json\n{right}\n```\n\nAnything else?"
        ))
    }),
    fault("thinking aloud", |right| {
        Reply::Text(format!(
            "<think>Should I? {{\"analysis\": \"no\"}}</think>\n{right}"
        ))
    }),
    fault("escape sequences", |right| Reply::Text(with_escapes(right))),
];

/// The fault with this name.
pub fn fault_named(name: &str) -> Fault {
    let found = FAULTS.iter().find(|fault| fault.name == name);
    *found.unwrap_or_else(|| panic!("no fault is called `{name}`"))
}

fn refused(status: u16, message: &str) -> Reply {
    let body = json!({"error": {"message": message, "type": "fake", "code": null}});
    let json = ("content-type", "application/json".to_owned());
    Reply::status(status, vec![json], &body.to_string())
}

fn limited(retry_after: Option<&str>) -> Reply {
    let header = retry_after.map(|value| ("retry-after", value.to_owned()));
    let body = r#"{"error":{"message":"Rate limit reached"}}"#;
    Reply::status(429, header.into_iter().collect(), body)
}

fn in_a_second() -> String {
    let date = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(1);
    jiff::fmt::rfc2822::DateTimePrinter::new()
        .timestamp_to_rfc9110_string(&date)
        .unwrap()
}

/// The first half, which is never a complete object.
fn half(text: &str) -> String {
    text.chars().take(text.chars().count() / 2).collect()
}

fn delta(delta: &Value) -> Value {
    json!({"id": "chatcmpl-1", "model": "fake-1", "choices": [{"index": 0, "delta": delta}]})
}

fn frames(chunks: &[Value]) -> Reply {
    let mut packets: Vec<Vec<u8>> = chunks
        .iter()
        .map(|chunk| format!("data: {chunk}\n\n").into_bytes())
        .collect();
    packets.push(b"data: [DONE]\n\n".to_vec());
    Reply::Raw(packets)
}

/// The same fields, each with a value of another type.
fn wrong_types(right: &str) -> String {
    let mut value: Value = serde_json::from_str(right).unwrap();
    for field in value.as_object_mut().unwrap().values_mut() {
        *field = match field {
            Value::String(_) => json!({"text": ["a", 1]}),
            _ => json!(17),
        };
    }
    value.to_string()
}

/// Adds control sequences for terminals and pages to every text.
fn with_escapes(right: &str) -> String {
    fn infect(value: &mut Value) {
        match value {
            Value::String(text) if text.contains(' ') => {
                text.push_str(
                    " \u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m<script>alert(1)</script>\u{202e}\0",
                );
            }
            Value::Array(items) => items.iter_mut().for_each(infect),
            Value::Object(map) => map.values_mut().for_each(infect),
            _ => {}
        }
    }
    let mut value: Value = serde_json::from_str(right).unwrap();
    infect(&mut value);
    value.to_string()
}
