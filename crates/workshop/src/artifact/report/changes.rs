//! Compares the documents' items with those of the previous version, by id.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::machine::{DocumentRecord, document_items, item_values};
use crate::reply::{Document, DocumentKind};

/// Items with ids of one version, by prefix of the id.
type Items = BTreeMap<&'static str, Vec<(String, Value)>>;

const KINDS: [&str; 6] = ["AC", "M", "DEC", "W", "T", "R"];

/// The changes of the items of each kind; kinds that neither version has are left out.
pub(super) fn items(
    before: &BTreeMap<DocumentKind, Document>,
    after: &BTreeMap<DocumentKind, DocumentRecord>,
) -> Vec<Value> {
    let mut old = collect(before.values());
    let mut new = collect(after.values().map(|record| &record.content));
    let rows = KINDS.into_iter().map(|kind| {
        let [old, new] = [&mut old, &mut new].map(|all| all.remove(kind).unwrap_or_default());
        let find = |id: &str| old.iter().find(|(other, _)| other == id);
        let (known, fresh): (Vec<_>, Vec<_>) = new.iter().partition(|(id, _)| find(id).is_some());
        let (same, changed): (Vec<_>, Vec<_>) = known
            .into_iter()
            .partition(|item| find(&item.0) == Some(item));
        let gone = old
            .iter()
            .filter(|(id, _)| new.iter().all(|(n, _)| n != id));
        let gone: Vec<_> = gone.collect();
        let is_empty = old.is_empty() && new.is_empty();
        let ids = |items: Vec<&(String, Value)>| {
            items
                .into_iter()
                .map(|(id, _)| id.clone())
                .collect::<Vec<_>>()
        };
        let row = json!({
            "kind": kind, "same": same.len(),
            "changed": ids(changed), "new": ids(fresh), "gone": ids(gone),
        });
        (!is_empty).then_some(row)
    });
    rows.flatten().collect()
}

/// Changed parts of the documents that have no ids, such as `test_plan.data`. The critical path is
/// left out, because it follows from the work items.
pub(super) fn others(
    before: &BTreeMap<DocumentKind, Document>,
    after: &BTreeMap<DocumentKind, DocumentRecord>,
) -> Vec<String> {
    let mut changed = Vec::new();
    for (kind, record) in after {
        let value = |document: &Document| serde_json::to_value(document).unwrap_or_default();
        let now = value(&record.content);
        let Some(old) = before.get(kind).map(value) else {
            continue;
        };
        let has_ids = |field: &Value| {
            let mut items = field.as_array().into_iter().flatten();
            items.any(|item| item.get("id").is_some())
        };
        let fields = now.as_object().into_iter().flatten();
        changed.extend(fields.filter_map(|(name, field)| {
            let then = &old[name.as_str()];
            let is_told = has_ids(field) || has_ids(then) || name == "critical_path";
            (!is_told && field != then).then(|| format!("{}.{name}", kind.name()))
        }));
    }
    changed
}

fn collect<'a>(documents: impl Iterator<Item = &'a Document>) -> Items {
    let mut items = Items::new();
    // Items keep the order of the document.
    for document in documents {
        let mut values = item_values(document);
        for item in document_items(document) {
            let value = values.remove(item.id).unwrap_or_default();
            let known = items.entry(item.prefix).or_default();
            known.push((item.id.to_owned(), value));
        }
    }
    items
}
