//! From what a user calls a key to the key.

use super::{KEYS, Key, PRICE_KEYS, PROVIDER_KEYS};
use crate::fault::settings::KEY_UNKNOWN;
use crate::fault::{Exit, Fault, Text, Value, nearest};

/// The full canonical name that `name` stands for, and its key: `rounds` is
/// `limits.max_rounds`, `role_models.RP` an entry of a table,
/// `providers.local.url` is `providers.local.base_url`. Hyphens count as `_`.
///
/// # Errors
/// There is no such key; the nearest one is named.
pub fn find(name: &str) -> Result<(String, &'static Key), Fault> {
    if let Some(rest) = name.strip_prefix("providers.") {
        return provider_key(name, rest);
    }
    if let Some((table, entry)) = name.split_once('.')
        && let Some(key) = Key::table(&table.replace('-', "_"))
    {
        return if entry.trim().is_empty() {
            let fix = Text(
                "name an entry, such as `{key}.RP`",
                "请写明其中一项，例如 `{key}.RP`",
            );
            Err(unknown(name).fixed_by(fix.fill(&[("key", &key.name)])))
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
        None => Err(suggestion(name, bare)),
    }
}

fn provider_key(name: &str, rest: &str) -> Result<(String, &'static Key), Fault> {
    let known = || {
        let names: Vec<_> = PROVIDER_KEYS.iter().map(|key| key.name).collect();
        let fix = Text(
            "aitc config set --user providers.{provider}.base_url https://example.com/v1, or another of {names}",
            "aitc config set --user providers.{provider}.base_url https://example.com/v1，或 {names} 中的另一项",
        );
        let provider = rest.split('.').next().unwrap_or(rest).escape_debug();
        let places: [(&str, &dyn Value); 2] = [
            ("provider", &provider.to_string()),
            ("names", &names.join(", ")),
        ];
        unknown(name).fixed_by(fix.fill(&places))
    };
    // A provider's name holds no dot; a model's may.
    if let Some((provider, priced)) = rest.split_once(".prices.") {
        return price_key(name, provider, priced);
    }
    let (provider, leaf) = rest.rsplit_once('.').ok_or_else(known)?;
    let key = Key::called(PROVIDER_KEYS, &leaf.replace('-', "_"));
    key.map(|key| (format!("providers.{provider}.{}", key.name), key))
        .ok_or_else(known)
}

fn price_key(name: &str, provider: &str, priced: &str) -> Result<(String, &'static Key), Fault> {
    let price = priced.rsplit_once('.').and_then(|(model, leaf)| {
        let key = Key::called(PRICE_KEYS, &leaf.replace('-', "_"))?;
        let full = format!("providers.{provider}.prices.{model}.{}", key.name);
        Some((full, key))
    });
    price.ok_or_else(|| {
        let fix = Text(
            "aitc config set --user providers.{provider}.prices.{model}.input 2.5, in dollars per million tokens; cached_input and output likewise",
            "aitc config set --user providers.{provider}.prices.{model}.input 2.5，单位为美元每百万词元；cached_input 与 output 同理",
        );
        let (provider, model) = (provider.escape_debug(), priced.escape_debug());
        let places: [(&str, &dyn Value); 2] = [("provider", &provider), ("model", &model)];
        unknown(name).fixed_by(fix.fill(&places))
    })
}

fn unknown(name: &str) -> Fault {
    let name = name.escape_debug();
    KEY_UNKNOWN.with(&[("name", &name)]).ending(Exit::Usage)
}

fn suggestion(name: &str, bare: &str) -> Fault {
    let leaves = KEYS
        .iter()
        .flat_map(|key| std::iter::once(key.leaf()).chain(key.spellings()));
    let near = nearest(bare, leaves).and_then(|near| Key::called(KEYS, near));
    unknown(name).meaning(near.map(|key| key.name))
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
            (
                "providers.local.prices.gpt-6.1.prompt",
                "providers.local.prices.gpt-6.1.input",
            ),
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
            (
                "providers.local",
                "aitc config set --user providers.local.base_url",
            ),
            (
                "providers.own.xx",
                "aitc config set --user providers.own.base_url",
            ),
            (
                "providers.own.prices.m-1.5",
                "aitc config set --user providers.own.prices.m-1.5.input 2.5",
            ),
            ("role_models.", "name an entry"),
        ] {
            let error = find(name).expect_err(name);
            assert!(error.fix().en.contains(fix), "{name}: {error}");
        }
    }
}
