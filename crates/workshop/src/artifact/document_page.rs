//! A final document as Markdown for people, because its JSON is hard to read.

use serde_json::{Map, Value};

use super::{Drawing, inline};
use crate::fault::texts;
use crate::lang::Lang;
use crate::reply::{Diagram, DocumentKind};
use crate::words::name_of;

/// Fields that contain the name of an item, most suitable first.
const NAMES: [&str; 6] = ["title", "name", "text", "path", "area", "item"];
/// Fields that are of no use to a reader.
const FORMAL: [&str; 4] = ["v", "document", "same_as", "written_by"];

texts! {
    WITHOUT_MODEL: "without a model", "未使用模型";
    FROM_SCRIPT: "answers from a script, no language model", "按脚本回放，未使用语言模型";
}

/// The name of a document in a sentence.
pub fn document_name(kind: DocumentKind, lang: Lang) -> &'static str {
    name_of("document", &kind).of(lang)
}

/// A final document as a page of Markdown; its keys are not translated.
pub fn document_markdown(kind: DocumentKind, content: &Value, lang: Lang) -> String {
    let mut page = format!("# {}\n", inline(document_name(kind, lang)));
    let empty = Map::new();
    let fields = content.as_object().unwrap_or(&empty);
    let facts = fields.iter().filter_map(|(name, value)| match value {
        Value::String(text) if name == "status" => Some(inline(text)),
        Value::Number(n) if name == "version" => Some(format!("v{n}")),
        Value::String(voice) if name == "written_by" => match voice.as_str() {
            "ledger" => Some(WITHOUT_MODEL.of(lang).to_owned()),
            "recordings" => Some(FROM_SCRIPT.of(lang).to_owned()),
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
        Value::Object(_) if name == "diagram" => {
            let diagram = serde_json::from_value::<Diagram>(value.clone());
            let drawing = diagram.map(|diagram| Drawing::of(&diagram));
            let lines = drawing.iter().flat_map(Drawing::lines);
            lines.map(|line| format!("- {}\n", inline(&line))).collect()
        }
        Value::Array(items) => items.iter().map(item).collect(),
        other => format!("{}\n", shown(other)),
    }
}

/// An item of a list: its id and name, and below them its other fields.
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
    // Two spaces at the end of a line make a line break in Markdown.
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
