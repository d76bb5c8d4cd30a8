//! An amendment gives what changes; the rest of the document stays as it is.

use serde_json::Value;

use crate::machine::adopt::canonical_id;
use crate::reply::{Account, Document};

/// The document with what its writer changed.
///
/// Empty texts and lists stay as they were. Items are found by `id`, files by `path`: those of
/// the change take the place of theirs, others are added, and those an account leaves out are
/// gone. A list whose items have neither is replaced.
///
/// # Errors
/// The document does not fit its own form.
pub(in crate::machine) fn amended_by(
    before: &Document,
    change: &Document,
    accounts: &[Account],
) -> serde_json::Result<Document> {
    let left_out = accounts.iter().filter(|account| {
        let why = account.left_out_because.as_deref().unwrap_or_default();
        !why.trim().is_empty()
    });
    let gone: Vec<String> = left_out.map(|account| spelled(&account.id)).collect();
    let mut whole = serde_json::to_value(before)?;
    let change = serde_json::to_value(change)?;
    let fields = change.as_object().into_iter().flatten();
    for (name, new) in fields {
        match (&mut whole[name], new) {
            (Value::Array(old), Value::Array(new)) => take(old, new, &gone),
            (_, Value::String(text)) if text.trim().is_empty() => {}
            (old, new) => *old = new.clone(),
        }
    }
    serde_json::from_value(whole)
}

fn take(old: &mut Vec<Value>, new: &[Value], gone: &[String]) {
    old.retain(|item| key(item).is_none_or(|key| !gone.contains(&key)));
    if new.iter().any(|item| key(item).is_none()) {
        *old = new.to_vec();
        return;
    }
    for item in new {
        match old.iter_mut().find(|had| key(had) == key(item)) {
            Some(had) => *had = item.clone(),
            None => old.push(item.clone()),
        }
    }
}

/// By what an item of a list is known.
fn key(item: &Value) -> Option<String> {
    let name = item.get("id").or_else(|| item.get("path"))?;
    name.as_str().map(spelled)
}

fn spelled(name: &str) -> String {
    canonical_id(name.trim()).unwrap_or_else(|| name.trim().to_owned())
}
