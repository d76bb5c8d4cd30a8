//! From what a user calls a key to the key.

use super::layer::nearest;
use super::{KEYS, Key, Kind, PROVIDER_KEYS};

/// The full canonical name that `name` stands for, and its key: `rounds` is
/// `limits.max_rounds`, `role_models.RP` an entry of a table,
/// `providers.local.url` is `providers.local.base_url`. Hyphens count as `_`.
///
/// # Errors
/// There is no such key; what to do, as a sentence.
pub fn find(name: &str) -> Result<(String, &'static Key), String> {
    if let Some(rest) = name.strip_prefix("providers.") {
        return provider_key(rest);
    }
    if let Some((table, entry)) = name.split_once('.')
        && let Some(key) = KEYS
            .iter()
            .find(|key| key.kind == Kind::Table && key.name == table.replace('-', "_"))
    {
        return if entry.trim().is_empty() {
            Err(format!("name an entry, such as `{}.RP`", key.name))
        } else {
            Ok((format!("{}.{entry}", key.name), key))
        };
    }
    let plain = name.replace('-', "_");
    let bare = plain.strip_prefix("limits.").unwrap_or(&plain);
    let found = KEYS.iter().find(|key| {
        key.is_called(&plain) || (key.name.starts_with("limits.") && key.is_called(bare))
    });
    match found {
        Some(key) => Ok((key.name.to_owned(), key)),
        None => Err(suggestion(bare)),
    }
}

fn provider_key(rest: &str) -> Result<(String, &'static Key), String> {
    let known = || {
        let names: Vec<_> = PROVIDER_KEYS.iter().map(|key| key.name).collect();
        format!(
            "write it like `providers.NAME.base_url`, with one of {}",
            names.join(", ")
        )
    };
    let (provider, leaf) = rest.rsplit_once('.').ok_or_else(known)?;
    let leaf = leaf.replace('-', "_");
    let key = PROVIDER_KEYS.iter().find(|key| key.is_called(&leaf));
    key.map(|key| (format!("providers.{provider}.{}", key.name), key))
        .ok_or_else(known)
}

fn suggestion(name: &str) -> String {
    let leaves: Vec<&str> = KEYS
        .iter()
        .flat_map(|key| std::iter::once(key.leaf()).chain(key.aliases.iter().copied()))
        .collect();
    let near = nearest(name, &leaves);
    match near.and_then(|near| KEYS.iter().find(|key| key.is_called(near))) {
        Some(key) => format!("did you mean `{}`?", key.name),
        None => "aitc config show lists every key".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_found_under_all_its_names() {
        for (name, full) in [
            ("limits.max_rounds", "limits.max_rounds"),
            ("limits.rounds", "limits.max_rounds"),
            ("rounds", "limits.max_rounds"),
            ("max-duration", "limits.max_duration_minutes"),
            ("lang", "language"),
            ("role_models.RP", "role_models.RP"),
            ("providers.local.url", "providers.local.base_url"),
        ] {
            assert_eq!(
                find(name).map(|found| found.0),
                Ok(full.to_owned()),
                "{name}"
            );
        }
        for (name, fix) in [
            ("max_ronds", "did you mean `limits.max_rounds`?"),
            ("zzz", "aitc config show"),
            ("providers.local", "providers.NAME.base_url"),
            ("role_models.", "name an entry"),
        ] {
            let error = find(name).expect_err(name);
            assert!(error.contains(fix), "{name}: {error}");
        }
    }
}
