//! Built-in values of keys.

use serde_json::Value as Json;

use super::resolve::defaults;
use super::{KEYS, Value};

/// The value of a key that nobody set; `None` if it has no fixed value because it depends on the
/// terminal, the locale, the requirement or what is found, or if there is no value at all.
pub fn built_in(name: &str) -> Option<Value> {
    let key = KEYS.iter().find(|key| key.name == name)?;
    match key.kind.setting(defaults().pointer(&key.pointer())?)? {
        Json::Number(number) => number.as_u64().map(Value::Number),
        Json::String(text) => Some(Value::Text(text)),
        Json::Array(texts) if !texts.is_empty() => {
            let texts = texts.iter().filter_map(Json::as_str);
            Some(Value::Texts(texts.map(str::to_owned).collect()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Limits;

    /// Every built-in value is valid for its key, and is the value of an empty configuration.
    #[test]
    fn built_in_values_are_those_that_hold() {
        for key in KEYS.iter() {
            if let Some(value) = built_in(key.name) {
                assert_eq!(key.kind.read(&value.to_string()), Ok(value), "{}", key.name);
            }
        }
        let limits = Limits::default();
        assert_eq!(
            built_in("limits.max_rounds"),
            Some(Value::Number(limits.max_rounds.into()))
        );
        assert_eq!(built_in("limits.max_tokens"), None);
    }
}
