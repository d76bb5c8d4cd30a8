//! Fits a model's reply to the answer's schema where the intent is clear.
//!
//! Weak models omit empty fields, add unknown ones, write a single value where a list is expected,
//! and a list of lines where a text is expected. This module corrects all of that against the
//! strict schema. It never invents content such as texts, stances or fates; if they are missing,
//! parsing the answer reports it.

use serde_json::{Map, Value};

use super::bounds::IDS;
use crate::clean::letters;

/// Longest string that is kept, in characters: about 1,500 English words. The rest is replaced by
/// an ellipsis. Speeches are asked to be far shorter.
pub const MAX_TEXT_CHARS: usize = 8_000;
/// Maximum number of list entries that are kept.
pub const MAX_LIST: usize = 64;

/// A list or a text that exceeded its limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Truncation {
    /// The field's name, such as `criteria`.
    pub field: String,
    /// Its length before truncation.
    pub had: Length,
}

/// The length of a list or a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// Number of list entries, of which [`MAX_LIST`] are kept.
    Entries(usize),
    /// Number of characters, of which [`MAX_TEXT_CHARS`] are kept.
    Characters(usize),
}

/// Makes `value` fit the schema: removes unknown fields; fills absent lists with `[]` and absent
/// nullable fields with null; turns a lone entry into a list and a list of lines into a text;
/// normalises the case and spaces of enum words; truncates texts and lists at their limits. Returns
/// what was truncated. A truncated text ends in an ellipsis.
pub(super) fn fit(value: &mut Value, schema: &Value) -> Vec<Truncation> {
    let mut cuts = Cuts::default();
    fit_field(("", value), schema, &mut cuts);
    cuts.made
}

/// What was truncated so far.
#[derive(Default)]
struct Cuts {
    made: Vec<Truncation>,
    /// Whether texts stay whole, as in the files of a trial: a truncated file must not be run.
    keeps_texts: bool,
}

fn fit_field((name, value): (&str, &mut Value), schema: &Value, cuts: &mut Cuts) {
    let schema = chosen(schema, value);
    match schema.get("type").map(kind) {
        Some("object") => fit_object(value, schema, cuts),
        Some("array") => fit_array((name, value), schema, cuts),
        Some("string") => fit_string((name, value), schema, cuts),
        Some("integer") => fit_integer(value),
        Some("boolean") => fit_boolean(value),
        _ => {}
    }
}

/// The branch of a nullable schema that applies: the null branch only for null.
fn chosen<'a>(schema: &'a Value, value: &Value) -> &'a Value {
    let Some(branches) = schema.get("anyOf").and_then(Value::as_array) else {
        return schema;
    };
    branches
        .iter()
        .find(|branch| branch["type"] == "null" && value.is_null())
        .or_else(|| branches.iter().find(|branch| branch["type"] != "null"))
        .unwrap_or(schema)
}

/// The non-null type in a schema's `type`.
fn kind(name: &Value) -> &str {
    match name {
        Value::Array(names) => names
            .iter()
            .filter_map(Value::as_str)
            .find(|name| *name != "null")
            .unwrap_or_default(),
        name => name.as_str().unwrap_or_default(),
    }
}

fn is_nullable(schema: &Value) -> bool {
    let names_null = |schema: &Value| match &schema["type"] {
        Value::Array(names) => names.iter().any(|name| name == "null"),
        name => name == "null",
    };
    names_null(schema)
        || schema["anyOf"]
            .as_array()
            .is_some_and(|branches| branches.iter().any(names_null))
}

fn fit_object(value: &mut Value, schema: &Value, cuts: &mut Cuts) {
    let (Some(map), Some(properties)) = (value.as_object_mut(), schema["properties"].as_object())
    else {
        return;
    };
    let mut fitted = Map::new();
    for (name, property) in properties {
        let mut field = map
            .remove(name)
            .or_else(|| {
                let spelt = map
                    .keys()
                    .find(|key| letters(key) == letters(name))?
                    .clone();
                map.remove(&spelt)
            })
            .unwrap_or(Value::Null);
        let is_empty = match &field {
            Value::String(text) => {
                text.trim().is_empty() && property.get("type").map(kind) == Some("object")
            }
            Value::Array(items) => items.is_empty(),
            _ => false,
        };
        if is_nullable(property) && (is_empty || field.as_str().is_some_and(is_null_word)) {
            field = Value::Null;
        }
        if field.is_null() && property.get("type").map(kind) == Some("array") {
            field = Value::Array(Vec::new());
        }
        if property.get("type").map(kind) == Some("string") {
            join_lines(&mut field, name == "cites" || IDS.contains(&name.as_str()));
        }
        if field.is_null() && !is_nullable(property) {
            // A mandatory field is absent: leave it out, so that the error names it.
            continue;
        }
        fit_field((name, &mut field), property, cuts);
        fitted.insert(name.clone(), field);
    }
    *map = fitted;
}

/// Joins a text that was written as a list of lines, most often test steps. For a field that holds
/// one id, only a list with one entry is accepted. An empty list is not a text.
fn join_lines(field: &mut Value, is_id: bool) {
    let Value::Array(lines) = field else { return };
    let Some(texts) = lines.iter().map(Value::as_str).collect::<Option<Vec<_>>>() else {
        return;
    };
    if texts.is_empty() {
        *field = Value::Null;
    } else if texts.len() == 1 || !is_id {
        *field = Value::String(texts.join("\n"));
    }
}

/// Returns whether it is a word that models write instead of null.
fn is_null_word(text: &str) -> bool {
    let text = text.trim();
    ["null", "none", "nil"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word))
}

fn fit_array((name, value): (&str, &mut Value), schema: &Value, cuts: &mut Cuts) {
    if value.is_object() || value.is_string() {
        *value = Value::Array(vec![value.take()]);
    }
    if let Some(items) = value.as_array_mut() {
        if items.len() > MAX_LIST {
            cuts.made.push(Truncation {
                field: name.to_owned(),
                had: Length::Entries(items.len()),
            });
            items.truncate(MAX_LIST);
        }
        cuts.keeps_texts |= name == "files";
        for item in items {
            fit_field((name, item), &schema["items"], cuts);
        }
        cuts.keeps_texts &= name != "files";
    }
}

/// Converts a count to an integer: `"12"` and `12.0` become 12.
fn fit_integer(value: &mut Value) {
    let digits = value.as_str().and_then(|text| text.trim().parse().ok());
    let whole = value.as_f64().filter(|number| number.fract() == 0.0);
    if let Some(number) = digits.or(whole) {
        *value = Value::from(number.max(0.0) as u64);
    }
}

fn fit_boolean(value: &mut Value) {
    let word = value.as_str().map(|text| text.trim().to_lowercase());
    match word.as_deref() {
        Some("true" | "yes") => *value = Value::Bool(true),
        Some("false" | "no") => *value = Value::Bool(false),
        _ => {}
    }
}

fn fit_string((name, value): (&str, &mut Value), schema: &Value, cuts: &mut Cuts) {
    if value.is_number() || value.is_boolean() {
        *value = Value::String(value.to_string());
    }
    let Value::String(text) = value else {
        return;
    };
    if let Some(words) = schema["enum"].as_array() {
        let plain = text.trim().to_lowercase().replace([' ', '-'], "_");
        let word = words
            .iter()
            .filter_map(Value::as_str)
            .find(|word| word.to_lowercase() == plain);
        if let Some(word) = word {
            word.clone_into(text);
        }
    } else if let (Some((at, _)), false) =
        (text.char_indices().nth(MAX_TEXT_CHARS), cuts.keeps_texts)
    {
        cuts.made.push(Truncation {
            field: name.to_owned(),
            had: Length::Characters(text.chars().count()),
        });
        text.truncate(at);
        text.push('…');
    }
}
