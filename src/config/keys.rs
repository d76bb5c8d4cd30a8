//! The keys: names, kinds, ranges, aliases, variables. They are the rows of `keys.txt`.

use std::sync::LazyLock;

use super::kind::Kind;
use crate::fault::{Text, table};
use crate::machine::Lang;

/// The sources that may set a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// All sources.
    Anywhere,
    /// Flags and variables only; in a file the key belongs under `providers`.
    NotInFiles,
}

/// A configuration key.
#[derive(Debug, Clone)]
pub struct Key {
    /// Canonical name, dotted.
    pub name: &'static str,
    /// Aliases that are accepted.
    pub aliases: Vec<&'static str>,
    /// The type and range of its value.
    pub kind: Kind,
    /// The sources that may set it.
    pub place: Place,
    /// JSON pointer to its field, if the field is not named after the key.
    field: &'static str,
}

impl Key {
    /// The name without the sections `limits` and `ending`; other sections are part of the key's
    /// meaning.
    pub fn leaf(&self) -> &'static str {
        let plain = ["limits.", "ending."]
            .iter()
            .find_map(|section| self.name.strip_prefix(section));
        plain.unwrap_or(self.name)
    }

    /// Finds a key by its name or an alias.
    pub fn called(keys: &'static [Self], name: &str) -> Option<&'static Self> {
        keys.iter().find(|key| key.is_called(name))
    }

    /// Finds the table key with this exact name.
    pub fn table(name: &str) -> Option<&'static Self> {
        let mut tables = KEYS.iter().filter(|key| key.kind.is_table());
        tables.find(|key| key.name == name)
    }

    /// The name and all aliases.
    pub fn spellings(&self) -> impl Iterator<Item = &'static str> + '_ {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    /// The aliases without a group.
    pub fn plain_aliases(&self) -> impl Iterator<Item = &'static str> + '_ {
        let aliases = self.aliases.iter().copied();
        aliases.filter(|alias| !alias.contains('.'))
    }

    /// The variable that sets it, such as `AITC_MAX_ROUNDS` or `AITC_SIMILARITY_MODEL`.
    pub fn variable(&self) -> String {
        format!("AITC_{}", self.leaf().replace('.', "_").to_uppercase())
    }

    /// Whether `name` is the variable of this key or of an alias, or `AITC_` with the full name
    /// including its section, as `config show` prints it.
    pub fn has_variable(&self, name: &str) -> bool {
        let spelled = |alias: &str| format!("AITC_{}", alias.to_uppercase()) == name;
        let full = self.name.replace('.', "_");
        self.variable() == name || spelled(&full) || self.aliases.iter().any(|one| spelled(one))
    }

    /// JSON pointer to the value in a serialised `Config` and in the frozen inputs of a run.
    pub(super) fn pointer(&self) -> String {
        match self.field {
            NONE => format!("/{}", self.name.replace('.', "/")),
            field => field.to_owned(),
        }
    }

    /// Whether the key may be written as `name` inside the mapping `group`.
    pub fn is_in(&self, group: &str, name: &str) -> bool {
        let full = format!("{group}.{name}");
        let own = self.name.split_once('.').is_some_and(|(g, _)| g == group);
        self.name == full || self.aliases.contains(&full.as_str()) || (own && self.is_called(name))
    }

    /// Whether `name` is the canonical name, its last part or an alias.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.leaf() == name || self.aliases.contains(&name)
    }
}

/// Mappings in a file whose keys are in the table, including alternative groupings, in the order in
/// which they are offered: that of the table, other spellings last.
pub(super) static GROUPS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let others = KEYS.iter().flat_map(Key::spellings);
    let names = KEYS.iter().map(|key| key.name).chain(others);
    let mut groups = Vec::new();
    for (group, _) in names.filter_map(|name| name.split_once('.')) {
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    groups
});

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
        let (kind, place) = match kind.strip_suffix(" by flag") {
            Some(kind) => (kind, Place::NotInFiles),
            None => (kind, Place::Anywhere),
        };
        (within == mapping && kind != MAPPING).then(|| Key {
            name,
            aliases: aliases.split(' ').filter(|alias| *alias != NONE).collect(),
            kind: Kind::named(kind),
            place,
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
            let is_one_word = matches!(key.kind, Kind::Choice(words) if words.len() < 2);
            assert!(!is_one_word, "`{}` has an unknown kind", key.name);
        }
    }
}
