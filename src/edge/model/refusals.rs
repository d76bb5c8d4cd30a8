//! Error messages with which endpoints refuse requests: the table of wordings, and how it is
//! applied.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use reqwest::StatusCode;
use serde::Deserialize;
use serde_json::Value;

use crate::chat::Part;

/// The refused part of a request, as named in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Refusable {
    /// The maximum number of tokens of an answer.
    Room,
    Format,
    #[serde(untagged)]
    Part(Part),
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    statuses: Vec<u16>,
    wrong_request: Vec<u16>,
    denials: Vec<String>,
    means: BTreeMap<String, u16>,
    context: Vec<String>,
    answer_share: Vec<String>,
    vague: Vec<String>,
    parts: Vec<Row>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    part: Refusable,
    fields: Vec<String>,
    names: Vec<String>,
    #[serde(default)]
    beside: Vec<String>,
    #[serde(default)]
    loose: bool,
}

static TABLE: LazyLock<Table> =
    LazyLock::new(|| serde_yaml::from_str(include_str!("refusals.yaml")).unwrap_or_default());

/// Fields of an error that repeat the request, or what a model wrote.
const ECHOES: &[&str] = &[
    "input",
    "failed_generation",
    "url",
    "path",
    "instance",
    "timestamp",
    "id",
    "request_id",
    "requestid",
    "trace_id",
    "traceid",
    "correlation_id",
];

/// A parsed error response.
#[derive(Debug, Default)]
pub(super) struct Refusal {
    status: u16,
    /// All its texts, in lower case.
    words: String,
    /// Names of the fields it is about, in lower case.
    fields: Vec<String>,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, body: &str) -> Self {
        let mut refusal = Self {
            status: status.as_u16(),
            ..Self::default()
        };
        match serde_json::from_str(body) {
            Ok(value) => refusal.collect("", &value),
            Err(_) => refusal.say(body),
        }
        refusal
    }

    fn collect(&mut self, name: &str, value: &Value) {
        match value {
            Value::String(text) if matches!(name, "param" | "parameter" | "field" | "loc") => {
                let names = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                self.fields.extend(names.map(str::to_lowercase));
            }
            // A gateway passes on the original error as a text.
            Value::String(text) => match serde_json::from_str(text) {
                Ok(inner @ (Value::Object(_) | Value::Array(_))) => self.collect(name, &inner),
                Ok(_) => {}
                Err(_) => self.say(text),
            },
            Value::Array(items) => items.iter().for_each(|item| self.collect(name, item)),
            Value::Object(fields) => {
                for (name, value) in fields {
                    let name = name.to_ascii_lowercase().replace('-', "_");
                    match value {
                        // The path of a field, as some validators send it.
                        Value::Array(_) if name == "path" => self.collect("loc", value),
                        _ if ECHOES.contains(&name.as_str()) => {}
                        _ => self.collect(&name, value),
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn say(&mut self, text: &str) {
        // This common type says nothing about the cause.
        if text != "invalid_request_error" {
            let words = text.to_lowercase();
            self.words.push_str(&words);
            self.words.push('\n');
            // A code contains words too: `streaming_not_supported`.
            if !words.contains(' ') {
                self.words.push_str(&words.replace('_', " "));
                self.words.push('\n');
            }
        }
    }

    /// The refused part, among those that were `sent`.
    pub(super) fn part(&self, sent: impl Fn(Refusable) -> bool) -> Option<Refusable> {
        let table = &*TABLE;
        let is_model = table.means.keys().any(|word| mentions(&self.words, word));
        if !table.statuses.contains(&self.status) || is_model || self.is_prompt_too_long() {
            return None;
        }
        let is_wrong = table.wrong_request.contains(&self.status);
        let says = |words: &[String]| words.iter().any(|word| mentions(&self.words, word));
        let denies = |row: &Row| match row.beside.is_empty() {
            true => says(&table.denials),
            false => says(&row.beside),
        };
        let is_field = |row: &Row| {
            let named = self.fields.iter().any(|field| row.fields.contains(field));
            named && (row.beside.is_empty() || says(&row.beside))
        };
        let is_named = |row: &Row| says(&row.names) && ((row.loose && is_wrong) || denies(row));
        let mut rows = table.parts.iter().filter(|row| sent(row.part));
        rows.clone()
            .find(|row| is_field(row))
            .or_else(|| rows.find(|row| is_named(row)))
            .map(|row| row.part)
    }

    /// Whether the error calls the request wrong without naming a cause.
    pub(super) fn is_vague(&self) -> bool {
        let is_empty = |line: &str| {
            let line = line.trim_matches(|c: char| !c.is_alphanumeric());
            line.chars().all(|c| c.is_ascii_digit()) || TABLE.vague.iter().any(|one| one == line)
        };
        TABLE.wrong_request.contains(&self.status)
            && self.fields.is_empty()
            && self.words.lines().all(is_empty)
    }

    /// Whether the prompt alone is too long, whatever the answer's limit.
    fn is_prompt_too_long(&self) -> bool {
        let says = |words: &[String]| words.iter().any(|word| mentions(&self.words, word));
        says(&TABLE.context) && !says(&TABLE.answer_share)
    }

    /// The numbers in the message, from 16 up.
    pub(super) fn numbers(&self) -> Vec<u64> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, ',' | '.' | '_' | '-');
        let tokens = self.words.split(|c: char| !is_part(c));
        let mut numbers = Vec::new();
        for token in tokens.map(|token| token.trim_matches(['.', ',', '-'])) {
            let groups: Vec<&str> = token.split(',').collect();
            let is_one = groups.len() > 1 && groups[1..].iter().all(|group| group.len() == 3);
            match is_one {
                true => numbers.extend(groups.concat().parse::<u64>()),
                false => numbers.extend(groups.iter().filter_map(|one| one.parse::<u64>().ok())),
            }
        }
        numbers.retain(|number| *number >= 16);
        numbers.dedup();
        numbers
    }

    /// Whether it gives the total requested, prompt and answer together.
    pub(super) fn names_a_sum(&self) -> bool {
        ["requested", "in total", "total"]
            .iter()
            .any(|word| mentions(&self.words, word))
    }

    /// Whether the largest number in the message is itself too large.
    pub(super) fn is_exclusive(&self) -> bool {
        ["exclusive", "lower than", "smaller than", "less than"]
            .iter()
            .any(|word| mentions(&self.words, word))
            && !mentions(&self.words, "or equal")
    }
}

/// Whether the message says that prompt and answer exceed the model's context.
pub(super) fn exceeds_context(text: &str) -> bool {
    let words = text.to_lowercase();
    TABLE.context.iter().any(|word| mentions(&words, word))
}

/// The intended status, if the response's own status is less precise.
pub(super) fn meant(status: StatusCode, body: &str) -> StatusCode {
    let words = body.to_lowercase();
    let mut means = TABLE
        .means
        .iter()
        .filter(|(word, _)| words.contains(word.as_str()));
    let meant = means
        .next()
        .and_then(|(_, code)| StatusCode::from_u16(*code).ok());
    meant
        .filter(|_| status == StatusCode::BAD_REQUEST)
        .unwrap_or(status)
}

/// Whether the text contains the word, and not only as part of a longer one.
fn mentions(text: &str, word: &str) -> bool {
    let joins = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let starts = word.starts_with(joins);
    let ends = word.ends_with(joins);
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        let dashed = |c: char| joins(c) || c == '-';
        !(starts && before.is_some_and(dashed) || ends && after.is_some_and(joins))
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_table_can_be_read() {
        let table: Table = serde_yaml::from_str(include_str!("refusals.yaml")).unwrap();
        assert!(table.parts.iter().all(|row| !row.names.is_empty()));
    }
}
