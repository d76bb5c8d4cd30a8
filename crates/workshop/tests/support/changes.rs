//! Changes to events and documents, as given in tables of tests.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A change to a JSON value; places are JSON pointers.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    Set(String, Value),
    Add(String, Value),
    /// Adds a copy of an entry to a list, with these fields replaced.
    Copy(String, String, serde_json::Map<String, Value>),
    /// Removes the entry of a list.
    Drop(String),
}

impl Change {
    /// Applies the change.
    pub fn make(self, of: &mut Value) {
        fn list<'v>(of: &'v mut Value, at: &str) -> &'v mut Vec<Value> {
            if of.pointer(at).is_none() {
                let (above, name) = at.rsplit_once('/').unwrap();
                of.pointer_mut(above).unwrap()[name] = Value::Array(Vec::new());
            }
            let found = of.pointer_mut(at).and_then(Value::as_array_mut);
            found.unwrap_or_else(|| panic!("no list at {at}"))
        }
        match self {
            Self::Set(at, value) => {
                let (place, field) = at.rsplit_once('/').unwrap();
                let above = of.pointer_mut(place);
                above.unwrap_or_else(|| panic!("nothing at {place}"))[field] = value;
            }
            Self::Add(at, value) => list(of, &at).push(value),
            Self::Copy(from, at, fields) => {
                let mut twin = of.pointer(&from).unwrap().clone();
                twin.as_object_mut().unwrap().extend(fields);
                list(of, &at).push(twin);
            }
            Self::Drop(at) => {
                let (place, index) = at.rsplit_once('/').unwrap();
                list(of, place).remove(index.parse().unwrap());
            }
        }
    }
}

/// A change in words: `set /turn 2`, `drop /notes/0`.
pub fn change(words: &str) -> Change {
    let (verb, rest) = words.split_once(' ').expect(words);
    let json = |text: &str| -> Value { serde_json::from_str(text).expect(text) };
    let args = match (verb, rest.split_once(' ')) {
        ("copy", Some((from, rest))) => {
            let (to, fields) = rest.split_once(' ').expect(rest);
            json!([from, to, json(fields)])
        }
        (_, Some((at, value))) => json!([at, json(value)]),
        (_, None) => json!(rest),
    };
    serde_json::from_value(json!({ verb: args })).unwrap()
}

/// Applies changes to the JSON form of a value.
pub fn changed<T: Serialize + DeserializeOwned>(of: &T, changes: Vec<Change>) -> T {
    let mut value = serde_json::to_value(of).unwrap();
    for change in changes {
        change.make(&mut value);
    }
    serde_json::from_value(value).unwrap()
}
