//! Removes from a version what a crash may change.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

/// All files of a version by path, without what a crash may change: times, token counts, attempts,
/// and hashes of them.
pub fn normalised(version: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for file in walkdir::WalkDir::new(version).sort_by_file_name() {
        let file = file.unwrap();
        if !file.file_type().is_file() {
            continue;
        }
        let path = file
            .path()
            .strip_prefix(version)
            .unwrap()
            .display()
            .to_string();
        let text = std::fs::read_to_string(file.path()).unwrap();
        let text = match path.as_str() {
            "planning_transcript.jsonl" => transcript(&text),
            "planning.ai.json" | "team.ai.json" => plan(&text),
            "planning_report.md" | "team_report.md" => report(&text),
            "state.md" => state(&text),
            "manifest.json" => continue,
            _ => text,
        };
        files.insert(path, text);
    }
    files
}

fn transcript(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut line: Value = serde_json::from_str(line).unwrap();
        let phase = line["phase"].as_str().unwrap();
        if matches!(phase, "call_started" | "resumed") {
            continue;
        }
        let map = line.as_object_mut().unwrap();
        // Each process determines anew how an answer can follow its schema.
        for key in [
            "seq",
            "ts",
            "active_ms",
            "latency_ms",
            "usage",
            "answer_format",
            "h",
        ] {
            map.remove(key);
        }
        if let Some(receipt) = map.get_mut("receipt") {
            *receipt = receipt["call"].clone();
        }
        let asked = map.get_mut("asked").and_then(Value::as_array_mut);
        for receipt in asked.into_iter().flatten() {
            *receipt = receipt["call"].clone();
        }
        lines.push(line);
    }
    // Concurrent speeches, documents and arguments are recorded in order of arrival.
    let works = |line: &Value| {
        matches!(
            line["phase"].as_str(),
            Some("expert_step" | "expert_result")
        )
    };
    // Concurrent calls may also have looks in between.
    let asked = |line: &Value| {
        let phase = line["phase"].as_str();
        matches!(phase, Some("speaking" | "look" | "document"))
    };
    let together = |a: &Value, b: &Value| {
        a["phase"] == b["phase"] || (works(a) && works(b)) || (asked(a) && asked(b))
    };
    let is_blind = lines[0]["inputs"]["first_round"] == "blind";
    for side_by_side in lines.chunk_by_mut(together) {
        if works(&side_by_side[0]) {
            side_by_side.sort_by_key(|line| format!("{}{}", line["call"], line["receipt"]));
        } else if asked(&side_by_side[0])
            && (is_blind || side_by_side.iter().any(|line| line["phase"] == "document"))
        {
            // By round, then by the rest of the call's id.
            side_by_side.sort_by_key(|line| {
                let call = format!("{}{}", line["call"], line["receipt"]);
                (line["round"].as_u64(), call)
            });
        } else if ["amendment", "review", "verdicts"]
            .contains(&side_by_side[0]["phase"].as_str().unwrap())
        {
            side_by_side.sort_by_key(|line| line["actor"].to_string());
        } else if side_by_side[0]["phase"] == "expert_argument" {
            side_by_side.sort_by_key(|line| line["call"].to_string());
        }
    }
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    lines.join("\n")
}

fn plan(text: &str) -> String {
    let mut plan: Value = serde_json::from_str(text).unwrap();
    plan.as_object_mut().unwrap().remove("usage").unwrap();
    plan.to_string()
}

/// The status without times and counts of calls and tokens.
fn state(text: &str) -> String {
    let may_differ = ["started_at:", "last_activity_at:", "calls:", "tokens:"];
    let differs = |line: &&str| {
        may_differ
            .iter()
            .any(|key| line.trim_start().starts_with(key))
    };
    let kept: Vec<&str> = text.lines().filter(|line| !differs(line)).collect();
    assert_eq!(
        text.lines().count() - kept.len(),
        may_differ.len(),
        "{text}"
    );
    kept.join("\n")
}

/// The report without the line with token counts.
fn report(text: &str) -> String {
    let kept: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with("- Tokens:"))
        .collect();
    kept.join("\n")
}
