//! How the items of the documents changed since the version before, by id.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::machine::DocumentRecord;
use crate::reply::{Document, DocumentKind};

/// How the items of one kind changed.
#[derive(Serialize)]
pub(super) struct ItemsRow {
    /// Prefix of the ids: `AC`, `M`, `DEC`, `W`, `T`, `R`.
    kind: &'static str,
    same: usize,
    changed: Vec<String>,
    new: Vec<String>,
    gone: Vec<String>,
}

/// Items with ids of one version, by prefix.
type Items = BTreeMap<&'static str, Vec<(String, Value)>>;

const KINDS: [&str; 6] = ["AC", "M", "DEC", "W", "T", "R"];

pub(super) fn items(
    before: &BTreeMap<DocumentKind, Document>,
    after: &BTreeMap<DocumentKind, DocumentRecord>,
) -> Vec<ItemsRow> {
    let old = collect(before.values());
    let new = collect(after.values().map(|record| &record.content));
    let none = Vec::new();
    KINDS
        .into_iter()
        .map(|kind| {
            let (old, new) = (
                old.get(kind).unwrap_or(&none),
                new.get(kind).unwrap_or(&none),
            );
            let find = |id: &str| old.iter().find(|(other, _)| other == id);
            let is_new = |id: &str| find(id).is_none();
            let same = new
                .iter()
                .filter(|item| find(&item.0) == Some(item))
                .count();
            let changed = new
                .iter()
                .filter(|item| find(&item.0).is_some_and(|old| old != *item));
            let gone = old
                .iter()
                .filter(|(id, _)| new.iter().all(|(n, _)| n != id));
            ItemsRow {
                kind,
                same,
                changed: changed.map(|(id, _)| id.clone()).collect(),
                new: new
                    .iter()
                    .filter(|(id, _)| is_new(id))
                    .map(|(id, _)| id.clone())
                    .collect(),
                gone: gone.map(|(id, _)| id.clone()).collect(),
            }
        })
        .filter(|row| {
            row.same > 0 || !(row.changed.is_empty() && row.new.is_empty() && row.gone.is_empty())
        })
        .collect()
}

fn collect<'a>(documents: impl Iterator<Item = &'a Document>) -> Items {
    let mut items = Items::new();
    let values = documents.filter_map(|document| serde_json::to_value(document).ok());
    let arrays = values.filter_map(|value| match value {
        Value::Object(map) => Some(map.into_iter().map(|(_, value)| value)),
        _ => None,
    });
    for value in arrays.flatten() {
        let Value::Array(list) = value else { continue };
        for mut item in list {
            let Some(id) = item.get("id").and_then(Value::as_str).map(str::to_owned) else {
                continue;
            };
            let prefix = id.split('-').next().unwrap_or_default();
            if let Some(kind) = KINDS.into_iter().find(|kind| *kind == prefix) {
                // Names the ancestor; it is no content.
                if let Some(map) = item.as_object_mut() {
                    map.remove("same_as");
                }
                items.entry(kind).or_default().push((id, item));
            }
        }
    }
    items
}
