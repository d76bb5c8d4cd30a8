//! Finds secrets in what was or would be published.

use serde_json::Value;

use super::World;
use super::finding::{Findings, Rule};
use crate::machine::State;
use crate::redact::secrets;

pub(super) fn find(state: &State, world: &World<'_>, findings: &mut Findings<'_>) {
    let mut look = |about: &str, text: &str| {
        for secret in secrets(text) {
            findings.add(Rule::SecretFound, about, &[("kind", &secret.kind)]);
        }
    };
    for (about, text) in texts(state) {
        look(&about, &text);
    }
    if let Some(report) = world.report {
        look("planning_report.md", report);
    }
    for (path, text) in world.files {
        look(path, text);
    }
}

/// Every text of a plan, with the id or name of the item it belongs to.
fn texts(state: &State) -> Vec<(String, String)> {
    let mut all = vec![("Requirement".to_owned(), state.task.requirement.clone())];
    let mut add = |about: String, value: serde_json::Result<Value>| {
        if let Ok(value) = value {
            strings(&about, &value, &mut all);
        }
    };
    for item in &state.task.feedback {
        add(item.id.to_string(), serde_json::to_value(item));
    }
    for issue in state.ledger.iter() {
        add(issue.id.to_string(), serde_json::to_value(issue));
    }
    add(
        "draft".to_owned(),
        serde_json::to_value(state.draft.lines()),
    );
    for question in &state.questions.asked {
        add(question.id.to_string(), serde_json::to_value(question));
    }
    for assumption in &state.questions.assumptions {
        add(assumption.id.to_string(), serde_json::to_value(assumption));
    }
    for speech in &state.discussion.speeches {
        let about = format!(
            "{} r{}",
            state.inputs.roles.code(&speech.member),
            speech.round
        );
        add(about, serde_json::to_value(&speech.speech));
    }
    add(
        "judgment".to_owned(),
        serde_json::to_value(&state.judgment.text),
    );
    for summary in &state.discussion.summaries {
        let about = format!("summary r{}", summary.round);
        add(about, serde_json::to_value(&summary.text));
    }
    for (kind, record) in &state.documents.written {
        add(
            kind.name().to_owned(),
            serde_json::to_value(&record.content),
        );
    }
    add(
        "report".to_owned(),
        serde_json::to_value(&state.documents.report),
    );
    add(
        "survey".to_owned(),
        serde_json::to_value(&state.grounding.survey),
    );
    add(
        "inquiry".to_owned(),
        serde_json::to_value(&state.grounding.looked),
    );
    all
}

/// Collects the strings of a value. Strings of an object with an `id` belong to that id.
fn strings(about: &str, value: &Value, all: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => all.push((about.to_owned(), text.clone())),
        Value::Array(list) => list.iter().for_each(|value| strings(about, value, all)),
        Value::Object(fields) => {
            let about = fields.get("id").and_then(Value::as_str).unwrap_or(about);
            fields.values().for_each(|value| strings(about, value, all));
        }
        _ => {}
    }
}
