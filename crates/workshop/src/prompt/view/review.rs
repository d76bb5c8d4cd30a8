//! Values for the prompts of a review.

use serde_json::{Value, json};

use super::super::text::{block, line};
use super::task::first_ids;
use super::team::most_words;
use crate::machine::review::{FindingFate, ReviewFinding};
use crate::machine::{CallId, Purpose, State, evidence};
use crate::role::RoleSpec;

/// The request to review, to amend, or to say which findings still hold.
pub(in crate::prompt) fn review(state: &State, role: &RoleSpec, call: &CallId) -> Value {
    let record = &state.review;
    let shown = |all: Vec<&ReviewFinding>| -> Vec<Value> {
        all.into_iter().map(|one| finding(state, one)).collect()
    };
    let (is, kind, findings) = match call.purpose {
        Purpose::Document(kind) => ("amend", Some(kind), shown(record.put_by(call).collect())),
        Purpose::Report => ("amend", None, shown(record.put_by(call).collect())),
        Purpose::Verdict => {
            let put = record.put_back_to(&role.id).collect();
            ("verdict", None, shown(put))
        }
        _ => {
            let own = record.findings.iter().filter(|one| one.by.is_none());
            ("review", None, shown(own.collect()))
        }
    };
    json!({
        "is": is, "id": role.id, "code": role.code, "kind": kind, "findings": findings,
        "first": kind.map(|kind| first_ids(state, kind)),
        "revision": state.task.previous.as_ref().map(|previous| previous.version),
        "team": state.team.is_some(), "words": most_words(state),
        "trials": state.inputs.trials, "inferred": evidence::inferred_items(state),
        "pass": role.reviewing.as_deref().map(block),
    })
}

pub(super) fn finding(state: &State, finding: &ReviewFinding) -> Value {
    let code = finding.by.as_ref().map(|by| state.inputs.roles.code(by));
    let answers = finding
        .reasons()
        .map(|answer| json!({"document": answer.document, "because": line(&answer.because)}));
    json!({
        "id": finding.id, "code": code, "about": line(&finding.about), "kind": finding.kind,
        "blocking": finding.blocking, "text": block(&finding.text), "mend": block(&finding.mend),
        "answers": answers.collect::<Vec<_>>(),
        "human": finding.fate == FindingFate::LeftToUser,
    })
}
