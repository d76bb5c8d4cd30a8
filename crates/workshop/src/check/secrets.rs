//! Finds secrets in what was or would be published.

use serde_json::{Value, json};

use super::CheckContext;
use super::finding::{Findings, Rule};
use crate::machine::State;
use crate::redact::secrets;

pub(super) fn find(state: &State, world: &CheckContext<'_>, findings: &mut Findings<'_>) {
    let mut look = |about: &str, text: &str| {
        for secret in secrets(text) {
            findings.add(Rule::SecretFound, about, &[("kind", &secret.kind)]);
        }
    };
    for (about, value) in texts(state).as_object().into_iter().flatten() {
        strings(about, value, &mut look);
    }
    if let Some(report) = world.report {
        look("planning_report.md", report);
    }
    for (path, text) in world.files {
        look(path, text);
    }
}

/// Every text of a plan, by the name of the part that it belongs to.
fn texts(state: &State) -> Value {
    let code = |member| state.inputs.roles.code(member);
    let (said, discussion) = (&state.questions, &state.discussion);
    let speeches = discussion.speeches.iter();
    let speeches = speeches.map(
        |one| json!({"id": format!("{} r{}", code(&one.member), one.round), "said": one.speech}),
    );
    let summaries = discussion.summaries.iter();
    let summaries =
        summaries.map(|one| json!({"id": format!("summary r{}", one.round), "text": one.text}));
    let documents = state.documents.written.iter();
    let documents = documents.map(|(kind, one)| json!({"id": kind.name(), "text": one.content}));
    let looked = state.grounding.looked.values();
    json!({
        "Requirement": state.task.requirement, "feedback": state.task.feedback,
        "issues": state.ledger.iter().collect::<Vec<_>>(), "draft": state.draft.lines(),
        "questions": said.asked, "assumptions": said.assumptions,
        "speeches": speeches.collect::<Vec<_>>(), "judgment": state.judgment.text,
        "summaries": summaries.collect::<Vec<_>>(), "documents": documents.collect::<Vec<_>>(),
        "report": state.documents.report, "survey": state.grounding.survey,
        "inquiry": looked.collect::<Vec<_>>(),
    })
}

/// Calls `look` with each string of a value. Strings of an object with an `id` belong to that id.
fn strings(about: &str, value: &Value, look: &mut impl FnMut(&str, &str)) {
    match value {
        Value::String(text) => look(about, text),
        Value::Array(list) => list.iter().for_each(|value| strings(about, value, look)),
        Value::Object(fields) => {
            let about = fields.get("id").and_then(Value::as_str).unwrap_or(about);
            fields
                .values()
                .for_each(|value| strings(about, value, look));
        }
        _ => {}
    }
}
