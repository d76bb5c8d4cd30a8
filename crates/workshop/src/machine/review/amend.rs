//! Merges changes into a document. An amendment gives only what changes; the rest of the document
//! stays as it is. So does a revision, which starts from the document of the previous version.

use serde_json::Value;

use crate::machine::normalize::{canonical_id, is_nothing, repository_path};
use crate::reply::{Account, Document};

/// Returns the document with its writer's changes.
///
/// A field that the change gives as an empty text, an empty list or null stays as it was. Items are
/// matched by `id`, files by `path`: a changed item replaces the old one, others are added. A list
/// whose items have neither is replaced as a whole. Whatever an account leaves out is removed: an
/// item, a file, or the content of a field.
///
/// # Errors
/// The merged document does not fit the document's schema.
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
        if gone.contains(name) {
            match &mut whole[name] {
                Value::Array(old) => old.clear(),
                Value::String(old) => old.clear(),
                old => *old = Value::Null,
            }
        }
        match (&mut whole[name], new) {
            (Value::Array(old), Value::Array(new)) => take(old, new, &gone),
            (_, Value::String(text)) if text.trim().is_empty() => {}
            (_, Value::Null) => {}
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
    // Two new items with the same id are two items; they are told apart when ids are assigned.
    let mut places: Vec<usize> = (0..old.len()).collect();
    for item in new {
        let found = places.iter().position(|at| is_same(&old[*at], item));
        let Some(at) = found.map(|found| places.remove(found)) else {
            old.push(item.clone());
            continue;
        };
        let mut item = item.clone();
        for name in ["id", "same_as", "path"] {
            // Keep the original spelling.
            if let (Some(had), Some(now)) = (old[at].get(name).cloned(), item.get_mut(name)) {
                *now = had;
            }
        }
        old[at] = item;
    }
}

/// Returns whether `now` is a new version of the item `had`. Items of the previous version are
/// identified by `same_as`, or by an id with its dash: `w1` is the writer's own key for a new item.
fn is_same(had: &Value, now: &Value) -> bool {
    let same_as = |item: &Value| {
        let text = item.get("same_as").and_then(Value::as_str);
        text.filter(|text| !is_nothing(text)).map(spelled)
    };
    match (same_as(had), same_as(now)) {
        (Some(had), Some(now)) => had == now,
        (Some(_), None) => {
            key(had) == key(now) && now["id"].as_str().is_some_and(|id| id.contains('-'))
        }
        (None, _) => key(had) == key(now),
    }
}

fn key(item: &Value) -> Option<String> {
    let name = item.get("id").or_else(|| item.get("path"))?;
    name.as_str().map(spelled)
}

fn spelled(name: &str) -> String {
    let name = name.trim();
    let path = || repository_path(name).unwrap_or_else(|_| name.to_owned());
    // `m4/ax.m4` is a file, not a module.
    let id = canonical_id(name).filter(|_| !name.contains(['/', '.']));
    id.unwrap_or_else(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reply::DocumentKind;
    use serde_json::json;

    fn design(impacts: Value, diagram: Option<&str>) -> Document {
        let modules =
            json!([{"id": "M-1", "same_as": null, "name": "a", "purpose": "b", "covers": []}]);
        let text = json!({
            "document": DocumentKind::SystemDesign.name(), "architecture": "As it is.",
            "modules": modules, "decisions": [], "file_impacts": impacts,
            "diagram": diagram.map(|to| json!({
                "kind": "flow", "arrows": [{"source": "a", "target": to, "label": ""}],
            })),
        });
        serde_json::from_value(text).unwrap()
    }

    fn file(path: &str, what: &str) -> Value {
        json!({"path": path, "change": "modify", "what": what, "symbols": [], "modules": []})
    }

    #[test]
    fn what_is_spelled_otherwise_is_found_and_what_stands_twice_is_kept() {
        let before = design(
            json!([file("a.rs", "one"), file("a.rs", "two"), file("b.rs", "x")]),
            Some("b"),
        );
        let change = design(
            json!([
                file("./a.rs", "three"),
                file("c.rs", "new"),
                file("c.rs", "too")
            ]),
            None,
        );
        let mut change = serde_json::to_value(change).unwrap();
        change["modules"][0]["id"] = json!("[m1]");
        change["modules"][0]["name"] = json!("other");
        let change = serde_json::from_value(change).unwrap();
        let account = |id: &str| Account {
            id: id.to_owned(),
            used_in: None,
            left_out_because: Some("not needed".to_owned()),
        };
        let now = amended_by(&before, &change, &[account("b.rs"), account("diagram")]).unwrap();
        let mut expected = design(
            json!([
                file("a.rs", "three"),
                file("a.rs", "two"),
                file("c.rs", "new"),
                file("c.rs", "too")
            ]),
            None,
        );
        if let Document::SystemDesign(design) = &mut expected {
            design.modules[0].name = "other".to_owned();
        }
        assert_eq!(now, expected);
    }

    #[test]
    fn a_file_is_known_by_its_path_and_an_item_by_its_id_whatever_goes_before() {
        let before = design(
            json!([file("m4/a.m4", "one"), file("m4/b.m4", "two")]),
            None,
        );
        let change = design(json!([file("m4/b.m4", "three")]), None);
        let mut change = serde_json::to_value(change).unwrap();
        change["modules"][0]["name"] = json!("other");
        change["modules"][0]["same_as"] = json!("");
        let mut before = serde_json::to_value(before).unwrap();
        before["modules"][0]["same_as"] = json!("M-1");
        let [before, change] = [before, change].map(|it| serde_json::from_value(it).unwrap());
        let now = amended_by(&before, &change, &[]).unwrap();
        let mut expected = design(
            json!([file("m4/a.m4", "one"), file("m4/b.m4", "three")]),
            None,
        );
        if let Document::SystemDesign(design) = &mut expected {
            design.modules[0].name = "other".to_owned();
            design.modules[0].same_as = Some("M-1".to_owned());
        }
        assert_eq!(now, expected);
    }
}
