//! A review in which TP has two findings: one is fixed; the other is declined, and TP withdraws it.
//! In a plan PP fixes and Dev declines, in a team the coach does both.

use serde_json::{Value, json};

use super::fake::ids;

/// The answer to a prompt of the review; `None` for any other prompt.
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
        let is_synthesis = document["result"].is_string();
        let field = if is_synthesis {
            "result"
        } else {
            "understanding"
        };
        let mends = document[field]
            .as_str()
            .map(|text| format!("{text} As reviewed."));
        let answer = |(n, id): (usize, &String)| {
            let mended = mends.is_some() && !(is_synthesis && n > 0);
            json!({"finding": id, "mended": mended, "because": "it was looked at"})
        };
        let answers: Value = findings.iter().enumerate().map(answer).collect();
        if let Some(text) = &mends {
            document[field] = text.clone().into();
        }
        said = match is_synthesis {
            true => document,
            false => json!({"document": document}),
        };
        said["findings"] = answers;
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
        let about = match task.contains("the synthesis above") {
            true => ["P-1", "P-2"],
            false => ["AC-1", "W-1"],
        };
        said["findings"] = about.map(finding).to_vec().into();
    }
    Some(said.to_string())
}
