//! Removes from a transcript what differs from run to run or is stored elsewhere in the repository.
//!
//! The result is still a valid transcript: every line has all its fields, with fixed values.
//! Templates are listed without their content; [`whole`] restores it.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

const TIME: &str = "2026-01-02T03:04:05.000Z";

/// The lines with fixed values, and a line for each prompt.
pub fn transcript(recorded: &str) -> (String, String) {
    let mut prompts = String::new();
    let mut ids = BTreeMap::new();
    let mut lines = String::new();
    for (n, line) in recorded.lines().enumerate() {
        let mut line: Value = serde_json::from_str(line).unwrap();
        line.as_object_mut().unwrap().remove("h").unwrap();
        if line["phase"] == "call_started" {
            let context = &line["input_context"];
            let digest = context["prompt"].as_str().unwrap();
            let (call, bytes) = (&line["call"].as_str().unwrap(), &context["bytes"]);
            prompts += &format!("{} {bytes:>6} {call}\n", &digest[..digest.len().min(32)]);
        }
        if line["phase"] == "user_input" {
            begun(&mut line);
        }
        fixed(&mut line, &mut ids);
        line["active_ms"] = json!(n * 1000);
        lines += &line.to_string();
        lines.push('\n');
    }
    (lines, prompts)
}

/// Line 1: removes templates and personas, which are in the repository.
fn begun(line: &mut Value) {
    let inputs = &mut line["inputs"];
    inputs["tool"] = json!("0.0.0");
    for text in inputs["templates"].as_object_mut().unwrap().values_mut() {
        *text = Value::Null;
    }
    let roles = &mut inputs["roles"];
    roles["coach"]["persona"] = json!("");
    for member in roles["members"].as_array_mut().unwrap() {
        member["persona"] = json!("");
    }
}

/// Replaces values that differ in every run by fixed ones.
fn fixed(value: &mut Value, ids: &mut BTreeMap<String, usize>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                match (key.as_str(), &*value) {
                    ("ts", _) => *value = json!(TIME),
                    ("latency_ms", Value::Number(_)) => *value = json!(1000),
                    ("bytes" | "reserve", Value::Number(_)) => *value = json!(100),
                    ("prompt", Value::String(_)) => *value = json!(""),
                    ("head", Value::String(_)) => *value = json!("0".repeat(64)),
                    _ => fixed(value, ids),
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|value| fixed(value, ids)),
        Value::String(text) if is_uuid(text) => {
            let next = ids.len() + 1;
            let n = *ids.entry(text.clone()).or_insert(next);
            *text = format!("0190c0de-0000-7000-8000-{n:012}");
        }
        _ => {}
    }
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.char_indices().all(|(at, c)| match at {
            8 | 13 | 18 | 23 => c == '-',
            _ => c.is_ascii_hexdigit(),
        })
}

/// The lines with the repository's templates restored in line 1.
pub fn whole(transcript: &str) -> String {
    let (first, rest) = transcript.split_once('\n').unwrap();
    let mut first: Value = serde_json::from_str(first).unwrap();
    let inputs = &mut first["inputs"];
    let language = inputs["doc_lang"].as_str().unwrap().to_owned();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let templates = root.join("templates").join(&language);
    let keywords = format!("crates/workshop/src/machine/similarity/keywords.{language}.yaml");
    for (name, text) in inputs["templates"].as_object_mut().unwrap() {
        let path = match name.as_str() {
            "keywords.yaml" => root.join(&keywords),
            _ => templates.join(name),
        };
        *text = json!(std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path:?}: {e}")));
    }
    format!("{first}\n{rest}")
}
