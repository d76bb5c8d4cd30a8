//! What holds when nobody sets a key.

use serde_json::Value as Json;

use super::resolve::usual;
use super::{KEYS, Value};

/// What holds when nobody sets a key; `None` if that depends on terminal,
/// locale, requirement or what is found, and where nothing holds.
pub fn built_in(name: &str) -> Option<Value> {
    let key = KEYS.iter().find(|key| key.name == name)?;
    match key.kind.setting(usual().pointer(&key.pointer())?)? {
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

    /// A value said to be built in is one its key takes, and the one that holds.
    #[test]
    fn built_in_values_are_those_that_hold() {
        for key in KEYS {
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
