//! All faults of an endpoint, as data, with the expected result of each.
//!
//! A fault is derived from the correct answer, so that it looks realistic. Faults of the wire
//! format that differ between dialects use OpenAI's chat completions.

use std::time::Duration;

use serde_json::{Value, json};

use super::Call;
use crate::support::fake::{Completion, Reply};

/// What each occurrence of a fault leaves in the transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trace {
    /// Nothing: the answer was valid, or could be repaired.
    Nothing,
    /// `call_failed` of this kind.
    Failed(&'static str),
    /// `reply_rejected`, with the raw reply.
    Rejected,
}

/// How a run ends if a fault occurs every time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Complete, without any loss.
    Whole,
    /// A member is passed over for its turn, and every view says so.
    Degraded,
    /// With a question to the user whether to continue.
    Asked,
    /// With this exit code, and a draft that can be resumed.
    Code(i32),
}

/// A fault and what comes of it.
#[derive(Debug, Clone, Copy)]
pub struct Fault {
    /// Its name in messages.
    pub name: &'static str,
    /// Turns the correct answer into the faulty one.
    pub spoil: fn(right: &str) -> Reply,
    /// What it leaves in the transcript.
    pub trace: Trace,
    /// Whether one occurrence ends the process; otherwise the run completes.
    pub stops_at_once: bool,
    /// Whether the answer is empty.
    pub is_empty: bool,
    /// The time limit that ends a call with this fault.
    pub patience: Patience,
}

impl PartialEq for Fault {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// Time limits of calls with a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// Long: the limit is not reached.
    Long,
    /// A short limit for silence.
    ShortIdle,
    /// A short limit for the whole call.
    ShortCall,
}

impl Fault {
    /// How a run ends if `call` always fails in this way.
    pub fn always(&self, call: Call) -> End {
        match (self.trace, call) {
            (Trace::Nothing, _) => End::Whole,
            // Every call would have to wait for the provider.
            _ if self.stops_at_once => End::Code(5),
            // Optional calls are skipped once they have failed for good. A debate always completes;
            // a clarification still waits for an unavailable provider.
            (_, call) if call.debates() => End::Whole,
            (Trace::Failed("refused" | "too_large") | Trace::Rejected, call)
                if call.clarifies() =>
            {
                End::Whole
            }
            (Trace::Failed(_), _) => End::Code(5),
            // An empty answer is nudged; then the user is asked.
            (Trace::Rejected, Call::Judgment | Call::Speech | Call::Summary) if self.is_empty => {
                End::Asked
            }
            // All other members spoke, so only this member counts as absent.
            (Trace::Rejected, Call::Speech) => End::Degraded,
            (Trace::Rejected, _) => End::Code(6),
        }
    }
}

const fn fault(name: &'static str, trace: Trace, spoil: fn(&str) -> Reply) -> Fault {
    Fault {
        name,
        spoil,
        trace,
        stops_at_once: false,
        is_empty: false,
        patience: Patience::Long,
    }
}

use Patience::{ShortCall, ShortIdle};
use Trace::{Failed, Nothing, Rejected};

/// All faults, by what is affected: status, time, connection, frames, text.
pub const FAULTS: &[Fault] = &[
    fault("429 with seconds", Failed("rate_limited"), |_| {
        limited(Some("0.05"))
    }),
    fault("429 with a date", Failed("rate_limited"), |_| {
        limited(Some(&in_a_second()))
    }),
    fault("429 with nothing", Failed("rate_limited"), |_| {
        limited(None)
    }),
    Fault {
        stops_at_once: true,
        ..fault("429 with a day", Failed("rate_limited"), |_| {
            limited(Some("86400"))
        })
    },
    fault("400 context too long", Failed("refused"), |_| {
        refused(400, "This model's maximum context length is 8192 tokens")
    }),
    fault("401", Failed("credentials"), |_| {
        refused(401, "Incorrect API key provided")
    }),
    fault("403", Failed("credentials"), |_| {
        refused(403, "You do not have access")
    }),
    fault("404 model", Failed("refused"), |_| {
        refused(404, "The model `fake-1` does not exist")
    }),
    fault("408", Failed("server"), |_| refused(408, "request timeout")),
    fault("409", Failed("server"), |_| refused(409, "conflict")),
    fault("425", Failed("server"), |_| refused(425, "too early")),
    fault("500", Failed("server"), |_| {
        refused(500, "the server had an error")
    }),
    fault("500 that never ends", Failed("server"), |_| {
        Reply::Unending {
            status: 500,
            every: Duration::from_millis(100),
        }
    }),
    fault("502 with a page", Failed("server"), |_| {
        let page = "<html><head><title>502 Bad Gateway</title></head></html>";
        let html = ("content-type", "text/html".to_owned());
        Reply::status(502, vec![html], page)
    }),
    fault("503", Failed("server"), |_| refused(503, "overloaded")),
    fault("504", Failed("server"), |_| {
        refused(504, "upstream took too long")
    }),
    fault("529", Failed("rate_limited"), |_| {
        refused(529, "overloaded_error")
    }),
    fault("redirect to another host", Failed("refused"), |_| {
        let to = "http://elsewhere.invalid/v1/chat/completions".to_owned();
        Reply::status(307, vec![("location", to)], "")
    }),
    Fault {
        patience: ShortIdle,
        ..fault("hang before headers", Failed("timeout"), |_| {
            Reply::HangBeforeHeaders
        })
    },
    Fault {
        patience: ShortIdle,
        ..fault("hang in the stream", Failed("timeout"), |right| {
            Reply::HangInStream(half(right))
        })
    },
    Fault {
        patience: ShortCall,
        ..fault("a byte at a time", Failed("timeout"), |right| Reply::Drip {
            text: right.to_owned(),
            every: Duration::from_millis(100),
        })
    },
    fault("reset in the body", Failed("network"), |right| {
        Reply::Reset(half(right))
    }),
    fault("cut stream", Failed("protocol"), |right| {
        Reply::Cut(right.to_owned())
    }),
    fault("endless stream", Failed("too_large"), |_| {
        Reply::Endless(": still here\n\n".repeat(64))
    }),
    fault("broken frame", Failed("protocol"), |_| Reply::BrokenFrame),
    fault("split characters", Nothing, |right| {
        Reply::SplitUtf8(right.to_owned())
    }),
    fault("NUL and invalid UTF-8", Failed("protocol"), |_| {
        Reply::Raw(vec![
            b"data: {\"choices\":[{\"delta\":{\"content\":\"a\0b\xff\xfe\"}}]}\n\n".to_vec(),
        ])
    }),
    fault("10 MB", Failed("too_large"), |_| {
        let frame = format!(
            "data: {}\n\n",
            delta(&json!({"content": "x".repeat(8_000)}))
        );
        Reply::Raw(vec![frame.repeat(16).into_bytes(); 80])
    }),
    fault("a line of 1 MB", Failed("too_large"), |_| {
        let line = format!("data: {}", delta(&json!({"content": "x".repeat(1 << 20)})));
        Reply::Raw(vec![line.into_bytes()])
    }),
    fault("compressed bomb", Failed("protocol"), |_| {
        Reply::Full(Completion {
            headers: vec![("content-encoding", "gzip".to_owned())],
            raw: Some(include_bytes!("bomb.gz").to_vec()),
            ..Completion::new("")
        })
    }),
    fault("a page with 200", Failed("protocol"), |_| Reply::Html),
    fault("JSON of something else", Failed("protocol"), |_| {
        Reply::status(200, vec![], r#"{"hello": 1, "choices": []}"#)
    }),
    fault("empty body", Failed("protocol"), |_| Reply::Empty),
    Fault {
        is_empty: true,
        ..fault("empty content", Rejected, |_| Reply::Text(String::new()))
    },
    Fault {
        is_empty: true,
        ..fault("tool calls only", Rejected, |_| {
            let call = json!({"tool_calls": [{"index": 0, "id": "call_1", "type": "function",
            "function": {"name": "search", "arguments": "{\"query\":\"csv\"}"}}]});
            let end =
                json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]});
            frames(&[delta(&call), end])
        })
    },
    fault("content filter", Rejected, |right| {
        Reply::Full(Completion {
            finish: "content_filter",
            ..Completion::new(&half(right))
        })
    }),
    fault("cut by length", Rejected, |right| {
        Reply::Length(half(right))
    }),
    fault("invalid JSON", Rejected, |_| {
        Reply::Text("{\"analysis\": [}, because of ]]".to_owned())
    }),
    fault("no JSON", Rejected, |_| {
        Reply::Text("I would rather talk about the weather.".to_owned())
    }),
    fault("half an object", Rejected, |right| Reply::Text(half(right))),
    fault("against the schema", Rejected, |_| {
        Reply::Text(r#"{"verdict": "fine", "score": 9}"#.to_owned())
    }),
    fault("wrong types", Rejected, |right| {
        Reply::Text(wrong_types(right))
    }),
    fault("JSON in prose", Nothing, |right| {
        Reply::Text(format!(
            "Sure! Here it is:\n\n```json\n{right}\n```\n\nAnything else?"
        ))
    }),
    fault("thinking aloud", Nothing, |right| {
        Reply::Text(format!(
            "<think>Should I? {{\"analysis\": \"no\"}}</think>\n{right}"
        ))
    }),
    fault("escape sequences", Nothing, |right| {
        Reply::Text(with_escapes(right))
    }),
];

/// The fault with this name.
pub fn fault_named(name: &str) -> &'static Fault {
    let found = FAULTS.iter().find(|fault| fault.name == name);
    found.unwrap_or_else(|| panic!("no fault is called `{name}`"))
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
