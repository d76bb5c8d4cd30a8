//! Log lines of a run, for diagnosis. With `-v` they contain nudges, warnings, failures and the
//! guards that ended the run, with `-vv` also every call. They contain nothing that is not in the
//! transcript and use its field names; the text is English in every language.

use serde_json::{Value, json};

use crate::clean::clean_json;
use crate::machine::{Entry, Event, FailureKind, State};

/// The fields of an answered call.
const ANSWERED: &[&str] = &[
    "call",
    "model",
    "usage.input",
    "usage.cached_input",
    "usage.output",
    "usage.reasoning",
    "latency_ms",
];
const GUARD: &[&str] = &[
    "guard",
    "sign",
    "value",
    "limit",
    "unit",
    "round",
    "active_ms",
];

/// The events with a log line of their own: name, then level, target and text, then fields.
#[rustfmt::skip]
const LOGGED: [(&str, &str, &[&str]); 10] = [
    ("call_started", "DEBUG aitc::call: started", &["call", "model", "input_context.bytes", "reserve"]),
    ("call_failed", " WARN aitc::call: failed", &["call", "kind", "detail", "retryable", "latency_ms"]),
    ("reply_rejected", " WARN aitc::call: rejected", &["call", "reason", "finish"]),
    ("diligence_push", " INFO aitc::diligence: pushed", &["member", "call", "language", "source", "why", "left"]),
    ("diligence_exhausted", " INFO aitc::diligence: exhausted", &["member", "call", "why", "id"]),
    ("diligence_off", " INFO aitc::diligence: off", &["member", "language", "source", "left"]),
    ("guard_warned", " WARN aitc::ending: warned", GUARD),
    ("guard_fired", " INFO aitc::ending: fired", GUARD),
    ("end_proposal", " INFO aitc::ending: proposed", &["member", "round", "active_ms"]),
    ("end_decision", " INFO aitc::ending: decided", &["guard", "confirmed", "by", "granted", "round", "active_ms"]),
];

/// The log lines of an entry for this number of `-v`: none for 0, unusual events for 1, also every
/// call for 2.
pub fn log_lines(state: &State, entry: &Entry, verbose: u8) -> Vec<String> {
    let mut lines = Vec::new();
    let is_withdrawn = matches!(
        entry.event,
        Event::CallFailed {
            kind: FailureKind::Withdrawn,
            ..
        }
    );
    if verbose == 0 || is_withdrawn {
        return lines;
    }
    let (run, event) = (&*state.run.id, &entry.event);
    let receipt = event.receipt();
    if verbose > 1
        && let Some(facts) = receipt.and_then(|receipt| serde_json::to_value(receipt).ok())
    {
        lines.push(line("DEBUG aitc::call: answered", run, ANSWERED, &facts));
    }
    let Ok(mut facts) = serde_json::to_value(entry) else {
        return lines;
    };
    let Some((_, head, fields)) = LOGGED.iter().find(|(name, ..)| facts["phase"] == **name) else {
        return lines;
    };
    if head.starts_with("DEBUG") && verbose < 2 {
        return lines;
    }
    let members = match event {
        Event::DiligenceOff { members, .. } => {
            facts["left"] = json!(0);
            members.iter().map(|member| json!(member)).collect()
        }
        Event::EndProposal { agent_name, .. } => vec![json!(agent_name)],
        _ => vec![receipt.map_or(Value::Null, |receipt| json!(receipt.call.member))],
    };
    for member in members {
        facts["member"] = member;
        lines.push(line(head, run, fields, &facts));
    }
    lines
}

/// Values are written as JSON, so that each event stays on one line whatever a provider sent.
fn line(head: &str, run: &str, fields: &[&str], facts: &Value) -> String {
    let mut line = format!("{head} run={}", json!(run));
    for field in fields {
        match facts.pointer(&format!("/{}", field.replace('.', "/"))) {
            None | Some(Value::Null) => {}
            Some(Value::String(name)) if matches!(*field, "call" | "member") => {
                line += &format!(" {field}={name}");
            }
            Some(value) => line += &format!(" {field}={value}"),
        }
    }
    clean_json(&line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_one_line_that_steers_no_terminal() {
        let facts = json!({"call": "root/speech/P/r1/t1/a1", "detail": "two\nlines \u{1b}[31m"});
        let line = line(
            " WARN aitc::call: failed",
            "r",
            &["call", "kind", "detail"],
            &facts,
        );
        assert_eq!(
            line,
            r#" WARN aitc::call: failed run="r" call=root/speech/P/r1/t1/a1 detail="two\nlines \u001b[31m""#
        );
    }
}
