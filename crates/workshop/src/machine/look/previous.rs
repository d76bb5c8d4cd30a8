//! Parts of the version that is being revised.

use serde_json::Value;

use crate::machine::inquiry::Excerpt;
use crate::machine::normalize::canonical_id;
use crate::machine::state::State;

/// Maximum length of a part, in characters.
const MAX_CHARS: usize = 12_000;

/// Returns the part that `what` names: an id, a document, or a list of one, such as `risks`.
pub(super) fn part(state: &State, what: &str) -> Option<Excerpt> {
    let previous = state.task.previous.as_ref()?;
    let wanted = what.trim().trim_matches('`');
    let documents = previous.documents.iter();
    let documents = documents.map(|(kind, document)| (kind.name(), written(document)));
    let documents: Vec<(&str, Value)> = documents.collect();
    let text = match canonical_id(wanted) {
        Some(id) => {
            let agreed = previous.consensus.iter();
            let mut agreed = agreed.filter(|item| item.id.to_string() == id).map(written);
            let mut items = documents
                .iter()
                .filter_map(|(_, document)| item(document, &id));
            agreed.next().or_else(|| items.next())?
        }
        None => {
            let name = wanted
                .trim_end_matches(".json")
                .replace([' ', '-'], "_")
                .to_lowercase();
            let whole = documents.iter().find(|(kind, _)| *kind == name);
            let mut lists = documents
                .iter()
                .filter_map(|(_, document)| document.get(&name));
            whole
                .map(|(_, document)| document)
                .or_else(|| lists.next())?
                .clone()
        }
    };
    let text = serde_json::to_string_pretty(&text).ok()?;
    Some(Excerpt {
        path: format!("v{}: {wanted}", previous.version),
        from: 0,
        to: 0,
        text: text.chars().take(MAX_CHARS).collect(),
    })
}

fn written(part: &impl serde::Serialize) -> Value {
    serde_json::to_value(part).unwrap_or_default()
}

fn item(document: &Value, id: &str) -> Option<Value> {
    let lists = document.as_object()?.values().filter_map(Value::as_array);
    let mut entries = lists.flatten();
    entries.find(|entry| entry["id"] == id).cloned()
}
