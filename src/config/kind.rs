//! Kinds of values: type, range, and how a text is parsed. They are the rows of `kinds.txt`.

use regex::Regex;
use serde_json::{Value, json};

use crate::fault::{Message, MessageValue as Said, Text, table, texts, values};
use crate::machine::Lang;

texts! {
    ONE_OF: "one of {words}", "下列之一：{words}";
    WHOLE_NUMBER: "a whole number from {min} to {max}", " {min} 到 {max} 的整数";
    NOT: ", not `{given}`", "，而不是 `{given}`";
}

/// Type and range of a key's value.
#[derive(Debug, Clone)]
pub struct ValueType {
    /// The kind as `keys.txt` has it.
    name: &'static str,
    /// The same in a few words, for a table.
    pub short: String,
    /// JSON Schema of the value in a file.
    pub schema: Value,
    /// A valid value, as on a command line.
    pub example: String,
    /// What a valid value is, as a phrase that follows "must be".
    pub wanted: Message,
}

impl ValueType {
    /// The kind that a cell of `keys.txt` names: a range such as `1..100`, a row of `kinds.txt`, or
    /// else words with `/` between them.
    pub(super) fn named(name: &'static str) -> Self {
        if let Some((min, max)) = name.split_once("..")
            && let (Ok(min), Ok(max)) = (min.parse(), max.parse())
        {
            return Self::number(name, min, max);
        }
        let mut rows = table::<6>(include_str!("kinds.txt"));
        match rows.find(|[word, ..]| *word == name) {
            Some([_, short, schema, example, en, zh]) => Self {
                name,
                short: short.to_owned(),
                schema: serde_json::from_str(schema).unwrap_or_default(),
                example: example.to_owned(),
                wanted: Text(en, zh).into(),
            },
            None => Self::choice(name),
        }
    }

    fn number(name: &'static str, min: u64, max: u64) -> Self {
        let example = match (min, max) {
            // Ten milliseconds or requests a minute would be of no use.
            (1, 100_000..) => max / 10,
            _ => (min.max(1) * 10).min(max),
        };
        Self {
            name,
            short: format!("{min} to {max}"),
            schema: json!({"type": "integer", "minimum": min, "maximum": max}),
            example: example.to_string(),
            wanted: WHOLE_NUMBER.fill(values![min, max]),
        }
    }

    fn choice(name: &'static str) -> Self {
        let words: Vec<_> = name.split('/').collect();
        let short = format!("`{}`", words.join("`, `"));
        Self {
            name,
            schema: match name {
                "true/false" => json!({"enum": [true, false, "true", "false"]}),
                _ => json!({"enum": words}),
            },
            example: words.first().copied().unwrap_or_default().to_owned(),
            wanted: ONE_OF.fill(values![words = short]),
            short,
        }
    }

    /// The words of which a value is one; empty if it is no choice.
    pub fn words(&self) -> Vec<&str> {
        let words = self.schema["enum"].as_array().into_iter().flatten();
        words.filter_map(Value::as_str).collect()
    }

    /// Parses a text as a value of this kind; of a table, as that of an entry.
    ///
    /// # Errors
    /// What a valid value is, as a phrase that follows "must be".
    pub fn read(&self, text: &str) -> Result<Value, Message> {
        let text = text.trim();
        let value = match self.json_type() {
            "integer" => text.replace('_', "").parse::<u64>().ok().map(Value::from),
            "number" => text.parse::<f64>().ok().map(Value::from),
            "array" => {
                let items = text.split(',').map(str::trim);
                Some(items.filter(|item| !item.is_empty()).collect())
            }
            _ => Some(text.into()),
        };
        let value = value.filter(|value| self.fits(value, text));
        value.ok_or_else(|| self.wanted.clone())
    }

    /// Checks a list.
    ///
    /// # Errors
    /// As [`ValueType::read`].
    pub fn list(&self, items: Vec<String>) -> Result<Value, Message> {
        let items = Some(Value::from(items)).filter(|items| self.fits(items, ""));
        items.ok_or_else(|| self.wanted.clone())
    }

    /// Whether a value, read from `text`, fits the schema.
    fn fits(&self, value: &Value, text: &str) -> bool {
        let schema = self.one();
        let matches = |pattern: &str| Regex::new(pattern).is_ok_and(|it| it.is_match(text));
        let in_form = schema["pattern"].as_str().is_none_or(matches);
        let bound = |name: &str, inner: f64| schema[name].as_f64().unwrap_or(inner);
        in_form
            && match value {
                Value::Number(number) => number.as_f64().is_some_and(|number| {
                    (bound("minimum", number)..=bound("maximum", number)).contains(&number)
                }),
                Value::String(text) => {
                    is_plain(text) && (self.words().is_empty() || self.words().contains(&&**text))
                }
                Value::Array(items) => {
                    let is_text = |item: &Value| item.as_str().is_some_and(is_plain);
                    !items.is_empty() && items.iter().all(is_text)
                }
                // A number that is infinite or none.
                _ => false,
            }
    }

    /// The schema of one value: of a table, that of an entry.
    fn one(&self) -> &Value {
        let entry = self.schema.get("additionalProperties");
        entry.unwrap_or(&self.schema)
    }

    /// The type in which a value is kept.
    fn json_type(&self) -> &str {
        let kinds = &self.one()["type"];
        kinds.get(0).unwrap_or(kinds).as_str().unwrap_or_default()
    }

    /// The part of a message that repeats the invalid value; empty if the value may be a secret.
    pub fn not(&self, given: &dyn Said) -> Message {
        if matches!(self.name, "url" | "proxy" | "variable") {
            return Message::default();
        }
        let shown = |lang| {
            let short: String = given.in_lang(lang).chars().take(60).collect();
            short.escape_debug().to_string()
        };
        let given = Message {
            en: shown(Lang::En),
            zh: shown(Lang::Zh),
        };
        NOT.fill(values![given])
    }

    /// The value as JSON for the field that it sets: a choice of yes or no becomes a boolean.
    pub(super) fn to_json(&self, value: &Value) -> Value {
        match self.name.split_once('/') {
            Some((yes @ ("true" | "on"), _)) => (*value == yes).into(),
            _ => value.clone(),
        }
    }

    /// The reverse of [`to_json`](Self::to_json): a field's JSON as a setting's; `None` if it is
    /// null.
    pub(super) fn setting(&self, held: &Value) -> Option<Value> {
        match (self.name.split_once('/'), held) {
            (Some((yes, no)), Value::Bool(is_so)) => Some((if *is_so { yes } else { no }).into()),
            (_, Value::Null) => None,
            _ => Some(held.clone()),
        }
    }

    /// Whether a value is a list.
    pub fn is_list(&self) -> bool {
        self.json_type() == "array"
    }

    /// Whether the key contains values by name.
    pub fn is_table(&self) -> bool {
        self.schema["type"] == "object"
    }

    /// Whether a value has a range or a form besides its type.
    pub(super) fn is_bounded(&self) -> bool {
        ["minimum", "pattern"]
            .iter()
            .any(|bound| self.schema.get(bound).is_some())
    }
}

fn is_plain(text: &str) -> bool {
    !text.trim().is_empty() && !text.chars().any(char::is_control)
}
