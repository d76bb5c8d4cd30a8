//! The keys: names, kinds, ranges, aliases, variables. They are the rows of `keys.txt`.

use std::sync::LazyLock;

use super::kind::ValueType;
use crate::fault::{Text, table};
use crate::machine::Lang;

/// A configuration key.
#[derive(Debug)]
pub struct Key {
    /// Canonical name, dotted.
    pub name: &'static str,
    /// Aliases that are accepted.
    pub aliases: Vec<&'static str>,
    /// Every accepted spelling, dotted: the name, the name without its section, the aliases, and
    /// these within its section: `limits.max_rounds`, `max_rounds`, `rounds`, `limits.rounds`.
    pub spellings: Vec<String>,
    /// The type and range of its value.
    pub kind: ValueType,
    /// Whether a file may set it; otherwise only flags and variables, and in a file the key belongs
    /// under `providers`.
    pub in_files: bool,
    /// JSON pointer to its field, if the field is not named after the key.
    field: &'static str,
}

impl Key {
    /// The name without the sections `limits` and `ending`; other sections are part of the key's
    /// meaning.
    pub fn leaf(&self) -> &'static str {
        leaf(self.name)
    }

    /// Finds a key by one of its spellings; a hyphen counts as `_`.
    pub fn called(keys: &'static [Self], name: &str) -> Option<&'static Self> {
        let name = name.replace('-', "_");
        keys.iter().find(|key| key.spellings.contains(&name))
    }

    /// The variable that sets it, such as `AITC_MAX_ROUNDS` or `AITC_SIMILARITY_MODEL`.
    pub fn variable(&self) -> String {
        variable(self.leaf())
    }

    /// JSON pointer to the value in a serialised `Config` and in the frozen inputs of a run.
    pub(super) fn pointer(&self) -> String {
        match self.field {
            NONE => format!("/{}", self.name.replace('.', "/")),
            field => field.to_owned(),
        }
    }
}

fn leaf(name: &str) -> &str {
    let mut sections = ["limits.", "ending."].into_iter();
    let plain = sections.find_map(|section| name.strip_prefix(section));
    plain.unwrap_or(name)
}

/// The variable of a spelling.
pub(super) fn variable(spelling: &str) -> String {
    format!("AITC_{}", spelling.replace('.', "_").to_uppercase())
}

fn spellings(name: &str, aliases: &[&str]) -> Vec<String> {
    let plain = aliases.iter().filter(|alias| !alias.contains('.'));
    let section = name.split_once('.').map(|(section, _)| section);
    let within = section.into_iter().flat_map(|section| {
        let plain = plain.clone();
        plain.map(move |alias| format!("{section}.{alias}"))
    });
    let others = [leaf(name)].into_iter().filter(|leaf| *leaf != name);
    let own = [name].into_iter().chain(others);
    let own = own.chain(aliases.iter().copied()).map(str::to_owned);
    own.chain(within).collect()
}

/// All keys except those of providers, in the order of the documentation.
pub static KEYS: LazyLock<Vec<Key>> = LazyLock::new(|| below(""));

/// Keys allowed under `providers.<name>` in the user's file.
pub static PROVIDER_KEYS: LazyLock<Vec<Key>> = LazyLock::new(|| below("providers."));

/// Keys allowed under `providers.<name>.prices.<model>`, in dollars per million tokens.
pub static PRICE_KEYS: LazyLock<Vec<Key>> = LazyLock::new(|| below("providers.prices."));

/// The rows of `keys.txt`: name, kind, other names, field, and its purpose in both languages.
fn rows() -> impl Iterator<Item = [&'static str; 6]> {
    table(include_str!("keys.txt"))
}

/// What stands in an empty cell.
const NONE: &str = "-";
/// The kind of a mapping with names chosen by the user, which is in the table for its purpose only.
const MAPPING: &str = "mapping";

/// The keys of one mapping: that of all settings, that of a provider, or that of a price.
fn below(mapping: &str) -> Vec<Key> {
    let keys = rows().filter_map(|[name, kind, aliases, field, ..]| {
        let inner = ["providers.prices.", "providers."].into_iter();
        let mut inner = inner.filter_map(|one| Some((one, name.strip_prefix(one)?)));
        let (within, name) = inner.next().unwrap_or(("", name));
        let by_flag = kind.strip_suffix(" by flag");
        let kind = by_flag.unwrap_or(kind);
        let aliases = aliases.split(' ').filter(|alias| *alias != NONE);
        let aliases: Vec<_> = aliases.collect();
        (within == mapping && kind != MAPPING).then(|| Key {
            name,
            spellings: spellings(name, &aliases),
            aliases,
            kind: ValueType::named(kind),
            in_files: by_flag.is_none(),
            field,
        })
    });
    keys.collect()
}

/// One line about a key; `None` if there is none. `providers.<name>.model` is looked up as
/// `providers.model`.
pub fn about(key: &str, lang: Lang) -> Option<&'static str> {
    let [.., en, zh] = rows().find(|[name, ..]| *name == key)?;
    Some(Text(en, zh).of(lang))
}

/// Top-level keys that a project's file must not contain, whatever their effect.
pub(super) const FORBIDDEN: &[&str] = &[
    "providers",
    "base_url",
    "api_base",
    "url",
    "endpoint",
    "host",
    "headers",
    "header",
    "proxy",
    "http_proxy",
    "https_proxy",
    "api_key",
    "api_key_env",
    "key_env",
    "key",
    "token",
    "command",
    "trials",
];

/// Keys that would contain a secret: refused in every file.
pub(super) const SECRETS: &[&str] = &["api_key", "apikey", "key", "token", "secret", "password"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_key_of_a_known_kind() {
        for key in KEYS.iter().chain(&*PROVIDER_KEYS).chain(&*PRICE_KEYS) {
            let is_one_word = key.kind.words().len() == 1;
            assert!(!is_one_word, "`{}` has an unknown kind", key.name);
            assert!(key.kind.schema.is_object(), "`{}` has no schema", key.name);
        }
    }
}
