//! Fits what a model sent to the answer's schema where nothing is guessed by it.
//!
//! Weak models leave out what is empty, add what nobody asked for, write one
//! thing where a list of one is meant, and a list of lines where a text is
//! meant. All of that is put right here, with
//! the strict schema as the measure; what carries meaning (texts, stances,
//! fates) is never made up, and its absence is found when the answer is read.

use serde_json::{Map, Value};

use super::bounds::IDS;

/// Longest string kept, in characters: about 1,500 English words. The rest is
/// cut, with an ellipsis in its place; a speech is asked to be far shorter.
pub const MAX_TEXT_CHARS: usize = 8_000;
/// Entries kept of one list.
pub const MAX_LIST: usize = 64;

/// A list or a text that had more than is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// Its field, such as `criteria`.
    pub field: String,
    /// How much it had.
    pub had: Length,
}

/// How long a list or a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// Entries of a list, of which [`MAX_LIST`] are kept.
    Entries(usize),
    /// Characters of a text, of which [`MAX_TEXT_CHARS`] are kept.
    Characters(usize),
}

/// Makes `value` fit: fields nobody asked for go; absent lists become empty,
/// absent nullable fields null; a lone entry becomes a list, and a list of lines
/// a text; words of a closed list lose case and stray spaces; texts and lists are
/// cut at their limits. Says which were cut; a text that was ends in an ellipsis.
pub(super) fn fit(value: &mut Value, schema: &Value) -> Vec<Cut> {
    let mut cuts = Vec::new();
    fit_field(("", value), schema, &mut cuts);
    cuts
}

fn fit_field((name, value): (&str, &mut Value), schema: &Value, cuts: &mut Vec<Cut>) {
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

/// The branch of a nullable schema that is meant: null only for null.
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

/// The type that is not null, of a schema's `type`.
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

fn fit_object(value: &mut Value, schema: &Value, cuts: &mut Vec<Cut>) {
    let (Some(map), Some(properties)) = (value.as_object_mut(), schema["properties"].as_object())
    else {
        return;
    };
    let mut fitted = Map::new();
    for (name, property) in properties {
        let mut field = map
            .remove(name)
            .or_else(|| {
                let spelt = map.keys().find(|key| loose(key) == loose(name))?.clone();
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
            // Mandatory and absent: left out, so that the error names it.
            continue;
        }
        fit_field((name, &mut field), property, cuts);
        fitted.insert(name.clone(), field);
    }
    *map = fitted;
}

/// A text that was written as a list of its lines: test steps, most often. Of a field
/// that holds one id only a list of one is meant; an empty list is no text.
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

/// A field's name in any case and with any separator: `newIssues`, `New-Issues`.
pub(super) fn loose(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Words that models write where null is meant.
fn is_null_word(text: &str) -> bool {
    let text = text.trim();
    ["null", "none", "nil"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word))
}

fn fit_array((name, value): (&str, &mut Value), schema: &Value, cuts: &mut Vec<Cut>) {
    if value.is_object() || value.is_string() {
        *value = Value::Array(vec![value.take()]);
    }
    if let Some(items) = value.as_array_mut() {
        if items.len() > MAX_LIST {
            cuts.push(Cut {
                field: name.to_owned(),
                had: Length::Entries(items.len()),
            });
            items.truncate(MAX_LIST);
        }
        for item in items {
            fit_field((name, item), &schema["items"], cuts);
        }
    }
}

/// A count as it is meant: `"12"` and `12.0` are 12.
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

fn fit_string((name, value): (&str, &mut Value), schema: &Value, cuts: &mut Vec<Cut>) {
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
    } else if let Some((at, _)) = text.char_indices().nth(MAX_TEXT_CHARS) {
        cuts.push(Cut {
            field: name.to_owned(),
            had: Length::Characters(text.chars().count()),
        });
        text.truncate(at);
        text.push('…');
    }
}
