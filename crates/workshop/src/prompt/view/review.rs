//! What the prompts of a review are made from.

use serde_json::{Value, json};

use super::super::text::{block, line};
use super::task::first_ids;
use super::team::most_words;
use crate::machine::review::{Finding, FindingFate, Writing};
use crate::machine::{CallId, Purpose, State, evidence};
use crate::role::RoleSpec;

/// The order to review, to amend, or to say what still stands.
pub(in crate::prompt) fn review(state: &State, role: &RoleSpec, call: &CallId) -> Value {
    let record = &state.review;
    let shown = |all: Vec<&Finding>| -> Vec<Value> {
        all.into_iter().map(|one| finding(state, one)).collect()
    };
    let pass = call.turn.saturating_sub(1);
    let put_to = |writing| shown(record.put_to(writing, pass).collect());
    let (is, kind, findings) = match call.purpose {
        Purpose::Document(kind) => ("amend", Some(kind), put_to(kind.into())),
        Purpose::Report => ("amend", None, put_to(Writing::Synthesis)),
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
        "revision": state.previous.as_ref().map(|previous| previous.version),
        "team": state.team.is_some(), "words": most_words(state),
        "trials": state.inputs.trials, "inferred": evidence::inferred_items(state),
        "pass": role.reviewing.as_deref().map(block),
    })
}

pub(super) fn finding(state: &State, finding: &Finding) -> Value {
    let code = finding.by.as_ref().map(|by| state.inputs.roles.code(by));
    let answers = finding
        .reasons()
        .map(|answer| json!({"document": answer.document, "because": line(&answer.because)}));
    json!({
        "id": finding.id, "code": code, "about": line(&finding.about), "kind": finding.kind,
        "blocking": finding.blocking, "text": block(&finding.text), "mend": block(&finding.mend),
        "answers": answers.collect::<Vec<_>>(),
        "human": finding.fate == FindingFate::LeftToHuman,
    })
}
