//! Answers of a team that works on a task in phases.

use serde_json::json;
use workshop::machine::*;
use workshop::reply::*;

use super::meeting::*;

/// The answers of a team that agrees: one phase, then two concurrent ones, then a last one.
pub fn answer(state: &State, call: &CallId) -> String {
    match call.purpose {
        Purpose::Judgment => {
            let phase = |key: &str, members: &[&str], depends_on: &[&str]| {
                let task = format!("do {key}{}", " and report".repeat(12));
                json!({"key": key, "task": task, "members": members, "depends_on": depends_on})
            };
            let phases = [
                phase("a", &["PP"], &[]),
                phase("b", &["SD", "Dev"], &["a"]),
                phase("c", &["RP"], &["a"]),
                phase("d", &["TP"], &["b", "c"]),
            ];
            json!({"analysis": "Four parts.", "phases": phases}).to_string()
        }
        Purpose::Step => {
            let code = state.inputs.roles.code(&call.member);
            let name = call.to_string();
            let (phase, _) = name.split_once('/').unwrap();
            text(&contribution(&format!(
                "{code} did {phase} at {}",
                call.turn
            )))
        }
        Purpose::Report => text(&Synthesis {
            title: "Receipts".to_owned(),
            in_short: "As text.".to_owned(),
            result: "Store them as text (P-2).".to_owned(),
            decide: Vec::new(),
        }),
        Purpose::Debate(part) => text(&in_debate(state, call, part)),
        _ => text(&contribution("Nothing contradicts.")),
    }
}

/// The lead's amended synthesis.
pub fn amended(state: &State, call: &CallId, mended: bool) -> String {
    let mut words = state.synthesis().unwrap();
    if mended {
        words.result.push_str(" P-3 says for how long.");
    }
    let put = state.review.put_by(call);
    let findings = put.map(|one| FindingAnswer {
        finding: one.id.to_string(),
        mended,
        because: format!("{} was looked at", one.id),
    });
    let mut answer = serde_json::to_value(&words).unwrap();
    answer["findings"] = serde_json::to_value(findings.collect::<Vec<_>>()).unwrap();
    answer.to_string()
}
