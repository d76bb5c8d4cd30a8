//! A final document as a page: its JSON says everything, and hides it well.

use serde_json::{Map, Value};

use super::text::{document, words};
use super::{Style, markdown};
use crate::artifact::inline;
use crate::reply::DocumentKind;
use crate::workshop::Lang;

/// Fields that say what a thing is called, the best first.
const NAMES: [&str; 6] = ["title", "name", "text", "path", "area", "item"];
/// Fields that say nothing to a reader of the page.
const FORMAL: [&str; 5] = ["v", "document", "same_as", "without_model", "written_by"];

/// The document of a kind as a page of the terminal; its keys stay what they are.
pub fn document_page(kind: DocumentKind, content: &Value, style: &Style) -> String {
    markdown(&document_markdown(kind, content, style.lang), style)
}

/// The same as Markdown.
pub fn document_markdown(kind: DocumentKind, content: &Value, lang: Lang) -> String {
    let mut page = format!("# {}\n", inline(document(kind, lang)));
    let empty = Map::new();
    let fields = content.as_object().unwrap_or(&empty);
    let facts = fields.iter().filter_map(|(name, value)| match value {
        Value::String(text) if name == "status" => Some(inline(text)),
        Value::Number(n) if name == "version" => Some(format!("v{n}")),
        Value::Bool(true) if name == "without_model" => Some(words(lang).without_model.to_owned()),
        Value::String(voice) if name == "written_by" => match voice.as_str() {
            "ledger" => Some(words(lang).without_model.to_owned()),
            "checklists" => Some(words(lang).checklists.to_owned()),
            "recordings" => Some(words(lang).script.to_owned()),
            _ => None,
        },
        _ => None,
    });
    let facts: Vec<_> = facts.collect();
    page.push_str(&format!("\n{}\n", facts.join(" · ")));
    for (name, value) in fields {
        let is_fact = ["version", "status"].contains(&name.as_str());
        if !is_fact && !FORMAL.contains(&name.as_str()) && says_something(value) {
            page.push_str(&format!("\n## {}\n\n", label(name)));
            page.push_str(&section(name, value));
        }
    }
    page
}

fn section(name: &str, value: &Value) -> String {
    match value {
        // The source of a drawing is read as it stands; a fence longer than any in it
        // keeps it together.
        Value::String(text) if name == "diagram" => {
            format!("~~~~~~~~\n{}\n~~~~~~~~\n", text.replace("~~~", ""))
        }
        Value::Array(items) => items.iter().map(item).collect(),
        other => format!("{}\n", shown(other)),
    }
}

/// One thing of a list: what it is called, and below it what is said of it.
fn item(value: &Value) -> String {
    let Value::Object(fields) = value else {
        return format!("- {}\n", shown(value));
    };
    let text = |name: &&str| fields.get(*name).filter(|value| value.is_string());
    let name = NAMES.iter().find(|name| text(name).is_some());
    let called = [Some(&"id"), name].into_iter().flatten();
    let called: Vec<_> = called.filter_map(text).map(shown).collect();
    let said = |(key, _): &(&String, &Value)| {
        key.as_str() != "id"
            && name.is_none_or(|name| name != key)
            && !FORMAL.contains(&key.as_str())
    };
    let said = fields
        .iter()
        .filter(said)
        .filter(|(_, value)| says_something(value))
        .map(|(key, value)| format!("{}: {}", label(key), shown(value)));
    let lines: Vec<_> = (!called.is_empty())
        .then(|| format!("**{}**", called.join(" ")))
        .into_iter()
        .chain(said)
        .collect();
    // Two blanks at the end of a line break it there.
    format!("- {}\n", lines.join("  \n  "))
}

/// A value in one line.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => inline(text),
        Value::Array(items) => {
            let between = match items.iter().all(Value::is_string) {
                true => ", ",
                false => "; ",
            };
            items.iter().map(shown).collect::<Vec<_>>().join(between)
        }
        Value::Object(fields) => {
            let said = fields.iter().filter(|(_, value)| says_something(value));
            let said: Vec<_> = said
                .map(|(key, value)| format!("{}: {}", label(key), shown(value)))
                .collect();
            said.join(", ")
        }
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

fn says_something(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.trim().is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        _ => true,
    }
}

fn label(key: &str) -> String {
    inline(&key.replace('_', " "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::view::samples;

    #[test]
    fn a_document_is_read_from_top_to_bottom() {
        let content = json!({
            "v": 1, "document": "system_design", "version": 2, "status": "agreed",
            "written_by": "ledger",
            "architecture": "The work starts in `src/export.rs`.\nIt is *not* markup.",
            "modules": [
                {"id": "M-1", "same_as": null, "name": "Writer 写入", "purpose": "Turns rows into a file", "covers": ["AC-1", "AC-2"], "empty": []},
            ],
            "decisions": [
                {"id": "DEC-1", "title": "Where", "choice": "Beside it", "rejected": [{"option": "Spread", "why": "hard to find"}]},
            ],
            "order": ["W-1", "W-2"],
            "diagram": "flowchart LR\n  a --> b",
            "nothing": null,
        });
        let style = Style {
            width: 60,
            ..samples::style()
        };
        insta::assert_snapshot!(
            "document_page",
            document_page(DocumentKind::SystemDesign, &content, &style)
        );
    }

    #[test]
    fn what_is_no_document_is_an_empty_page() {
        let page = document_page(DocumentKind::DevPlan, &json!([1]), &samples::style());
        assert_eq!(page, "development plan");
    }
}
