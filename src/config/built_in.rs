//! Built-in values of keys.

use super::resolve::defaults;
use super::{KEYS, Value};

/// The value of a key that nobody set; `None` if it has no fixed value because it depends on the
/// terminal, the locale, the requirement or what is found, or if there is no value at all.
pub fn built_in(name: &str) -> Option<Value> {
    let key = KEYS.iter().find(|key| key.name == name)?;
    let value = key.kind.setting(defaults().pointer(&key.pointer())?)?;
    (value != serde_json::json!([])).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::shown;
    use crate::machine::Limits;

    /// Every built-in value is valid for its key, and is the value of an empty configuration.
    #[test]
    fn built_in_values_are_those_that_hold() {
        for key in KEYS.iter() {
            if let Some(value) = built_in(key.name) {
                assert_eq!(key.kind.read(&shown(&value)), Ok(value), "{}", key.name);
            }
        }
        let limits = Limits::default();
        assert_eq!(
            built_in("limits.max_rounds"),
            Some(limits.max_rounds.into())
        );
        assert_eq!(built_in("limits.max_tokens"), None);
    }
}
