//! Rules about ids: each refers to something that exists, and none has two meanings.

use std::collections::BTreeSet;

use super::finding::{Findings, Rule};
use crate::fault::recorded::message;
use crate::fault::{MessageValue, texts};
use crate::machine::{
    PreviousVersion, State, canonical_id, dangling_references, document_items, is_dangling,
    split_id,
};
use crate::reply::Referent;

texts! {
    IN_REPORT: "the report cites `{cited}`, which does not exist", "报告引用了不存在的 `{cited}`";
    TWICE: "`{id}` appears twice", "`{id}` 出现了两次";
    CONTINUES: "`{id}` continues `{same}`", "`{id}` 延续的是 `{same}`";
    NOTHING_BEFORE: "`{id}` continues an item that the previous version does not have", "`{id}` 延续了上一版本中没有的内容";
    OTHER_BEFORE: "`{id}` named something else in an earlier version", "`{id}` 在更早的版本中指的是别的内容";
}
pub(super) fn find(state: &State, findings: &mut Findings<'_>) {
    dangling(state, findings);
    reused_in_documents(state, findings);
}

fn dangling(state: &State, findings: &mut Findings<'_>) {
    for record in state.documents.written.values() {
        for lost in record.notes.iter().filter(|note| is_dangling(note)) {
            findings.say(Rule::DanglingId, &lost.about, message(&lost.text), &[]);
        }
        for reference in dangling_references(state, &record.content) {
            // Dependencies have their own rule.
            if reference.target != Referent::Work {
                let values: [(&str, &dyn MessageValue); 2] =
                    [("field", &reference.field), ("cited", &reference.to)];
                findings.add(Rule::DanglingId, &reference.about, &values);
            }
        }
    }
    let known = super::graph::Graph::of(state);
    let report = state
        .documents
        .report
        .iter()
        .flat_map(|report| &report.decide);
    for id in report.flat_map(|row| &row.about) {
        // Free text is not an id; only text that looks like an id must refer to something.
        if let Some(cited) = canonical_id(id).filter(|id| !known.holds(id)) {
            let what = IN_REPORT.fill(&[("cited", &cited)]);
            findings.say(Rule::DanglingId, "report", what, &[]);
        }
    }
}

fn reused_in_documents(state: &State, findings: &mut Findings<'_>) {
    for (kind, record) in &state.documents.written {
        let before: BTreeSet<&str> = state
            .task
            .previous
            .iter()
            .filter_map(|previous| previous.documents.get(kind))
            .flat_map(document_items)
            .map(|item| item.id)
            .collect();
        let is_amended = state.review.amended.contains_key(&(*kind).into());
        let mut seen = BTreeSet::new();
        for item in document_items(&record.content) {
            let id = item.id;
            let what = match item.same_as {
                _ if !seen.insert(id) => Some(TWICE.fill(&[("id", &id)])),
                Some(same) if same != id => Some(CONTINUES.fill(&[("id", &id), ("same", &same)])),
                Some(_) if !before.contains(id) => Some(NOTHING_BEFORE.fill(&[("id", &id)])),
                // A document that was carried over and then amended keeps the ids of its items.
                None if is_amended && before.contains(id) => None,
                None if record.carried.is_none() && was_used(state.task.previous.as_ref(), id) => {
                    Some(OTHER_BEFORE.fill(&[("id", &id)]))
                }
                _ => None,
            };
            if let Some(what) = what {
                findings.say(Rule::ReusedId, id, what, &[]);
            }
        }
    }
}

/// Returns whether an earlier version assigned the id, even if the item no longer exists.
fn was_used(previous: Option<&PreviousVersion>, id: &str) -> bool {
    let Some((prefix, number)) = split_id(id) else {
        return false;
    };
    previous
        .and_then(|previous| previous.counters.documents.get(prefix))
        .is_some_and(|last| number <= *last)
}
