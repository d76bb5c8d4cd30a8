//! All faults of an endpoint, as data, with the expected result of each.
//!
//! A fault is derived from the correct answer, so that it looks realistic. Faults of the wire
//! format that differ between dialects use OpenAI's chat completions.

use std::sync::LazyLock;
use std::time::Duration;

use serde_json::{Value, json};

use super::Call;
use crate::support::fake::{Completion, Reply, told};

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
    /// What is answered: a line of `told`, in which `RIGHT` and `HALF` stand for the correct answer
    /// and its first half, `SOON` for a second from now and `¶` for the end of a line; or a name.
    said: &'static str,
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

/// All faults, by what is affected: status, time, connection, frames, text. A line of `faults.txt`
/// has a name, what it leaves in the transcript, and what is answered.
pub static FAULTS: LazyLock<Vec<Fault>> = LazyLock::new(|| {
    let lines = include_str!("faults.txt").lines();
    lines.map(Fault::read).collect()
});

impl Fault {
    fn read(line: &'static str) -> Self {
        let [name, leaves, said] = std::array::from_fn(|n| line.splitn(3, " | ").nth(n).unwrap());
        let (kind, stops) = leaves.split_once(' ').unwrap_or((leaves, ""));
        let trace = match kind {
            "nothing" => Trace::Nothing,
            "rejected" | "silent" => Trace::Rejected,
            kind => Trace::Failed(kind),
        };
        Self {
            name,
            said,
            trace,
            stops_at_once: stops == "at-once",
            is_empty: kind == "silent",
            patience: match kind {
                "timeout" if said.starts_with("drip") => Patience::ShortCall,
                "timeout" => Patience::ShortIdle,
                _ => Patience::Long,
            },
        }
    }

    /// The faulty answer in the place of the correct one.
    pub fn spoil(&self, right: &str) -> Reply {
        match self.said {
            "unending 500" => Reply::Unending {
                status: 500,
                every: Duration::from_millis(100),
            },
            "endless" => Reply::Endless(": still here\n\n".repeat(64)),
            "invalid bytes" => Reply::Raw(vec![
                b"data: {\"choices\":[{\"delta\":{\"content\":\"a\0b\xff\xfe\"}}]}\n\n".to_vec(),
            ]),
            "much" => {
                let frame = format!("data: {}\n\n", delta("x".repeat(8_000)));
                Reply::Raw(vec![frame.repeat(16).into_bytes(); 80])
            }
            "long" => Reply::Raw(vec![
                format!("data: {}", delta("x".repeat(1 << 20))).into_bytes(),
            ]),
            "bomb" => Reply::Full(Completion {
                headers: vec![("content-encoding", "gzip".to_owned())],
                raw: Some(include_bytes!("bomb.gz").to_vec()),
                ..Completion::new("")
            }),
            "wrong types" => Reply::Text(wrong_types(right)),
            "escapes" => Reply::Text(with_escapes(right)),
            said => {
                let said = said
                    .replace("SOON", &in_a_second().replace(' ', "␣"))
                    .replace('¶', "\n");
                told(&said.replace("RIGHT", right).replace("HALF", &half(right)))
            }
        }
    }
}

/// The fault with this name.
pub fn fault_named(name: &str) -> &'static Fault {
    let found = FAULTS.iter().find(|fault| fault.name == name);
    found.unwrap_or_else(|| panic!("no fault is called `{name}`"))
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

/// A piece of an answer.
fn delta(content: String) -> Value {
    json!({"choices": [{"index": 0, "delta": {"content": content}}]})
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
