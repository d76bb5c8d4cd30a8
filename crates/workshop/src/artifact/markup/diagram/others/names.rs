//! Names as ids: words of Mermaid's own and other signs get another id.

use std::collections::BTreeMap;

/// The ids of names, and what was declared.
#[derive(Debug, Default)]
pub(super) struct Aliases {
    ids: BTreeMap<String, String>,
    reserved: &'static [&'static str],
}

impl Aliases {
    pub(super) fn of(reserved: &'static [&'static str]) -> Self {
        Self {
            reserved,
            ..Self::default()
        }
    }

    /// The id of a name, and whether it is another and was not given before.
    pub(super) fn id(&mut self, name: &str) -> (String, bool) {
        if let Some(id) = self.ids.get(name) {
            return (id.clone(), false);
        }
        let mut id = String::new();
        for c in name.chars() {
            match c {
                _ if c.is_alphanumeric() || c == '_' => id.push(c),
                ' ' | '-' | '.' | '/' => id.push('_'),
                _ => id.push_str(&format!("u{:x}", u32::from(c))),
            }
        }
        while self.reserved.contains(&&*id.to_lowercase())
            || self.ids.values().any(|one| *one == id)
        {
            id.push('_');
        }
        self.ids.insert(name.to_owned(), id.clone());
        let is_new = id != name;
        (id, is_new)
    }
}

/// A name without quotes around it.
pub(super) fn bare(name: &str) -> &str {
    let name = name.trim();
    let pairs = [
        ('"', '"'),
        ('“', '”'),
        ('[', ']'),
        ('【', '】'),
        ('［', '］'),
    ];
    let inner = |(open, close)| name.strip_prefix(open)?.strip_suffix(close);
    pairs.into_iter().find_map(inner).unwrap_or(name).trim()
}
