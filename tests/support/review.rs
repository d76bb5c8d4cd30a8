//! A review in which TP finds two things: PP mends the one, and Dev declines the other,
//! which TP then gives up.

use serde_json::{Value, json};

use super::fake::ids;

/// What is answered to the last message of a prompt, if it is one of the review.
pub fn answer(prompt: &str) -> Option<String> {
    let begin = ["Now review, as ", "Now amend, as ", "Now say, as "];
    let at = begin.iter().filter_map(|words| prompt.rfind(words)).max()?;
    let (before, task) = prompt.split_at(at);
    let findings = ids(task, "FI");
    let mut said = json!({
        "analysis": "I read it as if I had to build it.", "positions": [], "corrections": [],
        "questions": [], "new_issues": [], "coach": null,
    });
    if task.starts_with("Now amend") {
        let fence = before.rfind("```json")?;
        let text = before[fence..].trim_start_matches("```json");
        let text = &text[..text.find("```")?];
        let mut document: Value = serde_json::from_str(text.trim()).ok()?;
        let understanding = document["understanding"].as_str();
        let mends = understanding.map(|text| format!("{text} As reviewed."));
        let answer = |id: &String| json!({"finding": id, "mended": mends.is_some(), "because": "it was looked at"});
        said = json!({"findings": findings.iter().map(answer).collect::<Vec<_>>()});
        if let Some(text) = mends {
            document["understanding"] = text.into();
        }
        said["document"] = document;
    } else if task.starts_with("Now say") {
        let verdict =
            |id: &String| json!({"finding": id, "upholds": false, "why": "it can be built"});
        said["verdicts"] = findings.iter().map(verdict).collect();
    } else if task.starts_with("Now review, as TestPlanner") {
        let finding = |about: &str| {
            json!({
                "about": about, "kind": "unfounded", "text": format!("{about} rests on nothing"),
                "mend": "say what it rests on", "blocking": true,
            })
        };
        said["findings"] = json!([finding("AC-1"), finding("W-1")]);
    }
    Some(said.to_string())
}
