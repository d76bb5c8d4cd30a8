//! `AITC_*` variables: `AITC_` and the name of a key. The keys under `providers.<name>` have none;
//! they are in the user's own file.

use super::keys::{KEYS, Key};
use super::layer::wrong_value;
use super::{ConfigError, Layer, Origin};
use crate::fault::{Message, nearest, texts};

/// Variables of `aitc` that are not settings.
const OTHER_VARIABLES: &[&str] = &["AITC_API_KEY", "AITC_CONFIG", "AITC_DISCOVER", "AITC_PAGER"];

/// Prefix of the variables of `scripts/local-model`, which stay set while its server is used.
const SCRIPTS: &str = "AITC_LOCAL_";

texts! {
    NEAR_VARIABLE: "the variable `{name}` means nothing to aitc; did you mean `{near}`?", "aitc 不认识环境变量 `{name}`；您是否想写 `{near}`？";
    NO_VARIABLE: "the variable `{name}` means nothing to aitc", "aitc 不认识环境变量 `{name}`";
    PAIRS: "pairs such as `RP=name`, separated by commas", "以逗号分隔、形如 `RP=name` 的组";
}

impl Layer {
    /// Reads the `AITC_*` variables, with a notice for each unknown one.
    ///
    /// # Errors
    /// A value is outside its key's range.
    pub fn from_env<'a>(
        variables: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<(Self, Vec<Message>), ConfigError> {
        let (mut layer, mut notices) = (Self::default(), Vec::new());
        for (name, text) in variables {
            let is_other = OTHER_VARIABLES.contains(&name) || name.starts_with(SCRIPTS);
            if !name.starts_with("AITC_") || is_other {
                continue;
            }
            let Some(key) = KEYS.iter().find(|key| key.has_variable(name)) else {
                notices.push(no_variable(name));
                continue;
            };
            // If both are set, the key's own name has precedence over an alias.
            let is_set = key.variable() != name && layer.value(key.name).is_some();
            if !text.is_empty() && !is_set {
                layer.put_variable(key, text, &Origin::Env(name.to_owned()))?;
            }
        }
        Ok((layer, notices))
    }

    /// Adds a variable's text; a table's contains pairs, such as `RP=m1,SD=m2`.
    fn put_variable(&mut self, key: &Key, text: &str, origin: &Origin) -> Result<(), ConfigError> {
        if !key.kind.is_table() {
            return self.put(key.name.to_owned(), key, text, origin.clone());
        }
        for pair in text.split(',').filter(|pair| !pair.trim().is_empty()) {
            let Some((name, value)) = pair.split_once('=') else {
                let wanted = PAIRS.into();
                return Err(wrong_value(
                    origin.clone(),
                    key.name,
                    key.kind,
                    &pair,
                    &wanted,
                ));
            };
            let full = format!("{}.{}", key.name, name.trim());
            self.put(full, key, value, origin.clone())?;
        }
        Ok(())
    }
}

/// A notice that a variable is unknown, with the one that was probably meant.
fn no_variable(name: &str) -> Message {
    let spelled = |name: &str| format!("AITC_{}", name.to_uppercase());
    let keys = KEYS.iter().flat_map(|key| {
        let aliases = key.plain_aliases().map(spelled);
        std::iter::once(key.variable()).chain(aliases)
    });
    let others = OTHER_VARIABLES.iter().map(|one| (*one).to_owned());
    let all: Vec<String> = keys.chain(others).collect();
    let upper = name.to_ascii_uppercase();
    match nearest(&upper, all.iter().map(String::as_str)) {
        Some(near) => NEAR_VARIABLE.fill(&[("name", &name), ("near", &near)]),
        None => NO_VARIABLE.fill(&[("name", &name)]),
    }
}
