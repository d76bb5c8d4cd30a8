//! Finds the key that a user's spelling means.

use super::{KEYS, Key, PRICE_KEYS, PROVIDER_KEYS};
use crate::fault::settings::KEY_UNKNOWN;
use crate::fault::{Exit, Fault, Text, nearest, texts, values};

texts! {
    NAME_ENTRY: "name an entry, such as `{key}.RP`", "请写明其中一项，例如 `{key}.RP`";
    NAME_KEY: "`{name}` is a group of keys: name one of them, such as `{key}`", "`{name}` 是一组键，请写明其中一个，例如 `{key}`";
    SET_PRICE: "aitc config set --user providers.{provider}.prices.{model}.input 2.5, in dollars per million tokens; cached_input and output likewise", "aitc config set --user providers.{provider}.prices.{model}.input 2.5，单位为美元/百万词元；cached_input 与 output 同理";
    SET_PROVIDER: "aitc config set --user providers.{provider}.base_url https://example.com/v1, or another of {names}", "aitc config set --user providers.{provider}.base_url https://example.com/v1，或 {names} 中的另一项";
}

/// The key at this path of names, with its full canonical name. A hyphen counts as `_`, except in
/// names chosen by the user.
pub(super) fn key_at(path: &[&str]) -> Option<(String, &'static Key)> {
    if let [table, entry] = *path
        && let Some(key) = table_key(table)
    {
        return Some((format!("{}.{entry}", key.name), key));
    }
    let (keys, within, name) = match *path {
        ["providers", provider, "prices", model, leaf] => {
            let within = format!("providers.{provider}.prices.{model}.");
            (&PRICE_KEYS, within, leaf.to_owned())
        }
        ["providers", provider, leaf] => (
            &PROVIDER_KEYS,
            format!("providers.{provider}."),
            leaf.to_owned(),
        ),
        _ => (&KEYS, String::new(), path.join(".")),
    };
    let key = Key::called(keys, &name)?;
    Some((within + key.name, key))
}

fn table_key(name: &str) -> Option<&'static Key> {
    Key::called(&KEYS, name).filter(|key| key.kind.is_table())
}

/// Whether there is a mapping at this path.
pub(super) fn is_mapping(path: &[&str]) -> bool {
    match *path {
        ["providers"] | ["providers", _] | ["providers", _, "prices"] => true,
        ["providers", _, "prices", _] => true,
        [name] => groups().contains(&name) || table_key(name).is_some(),
        _ => false,
    }
}

/// Mappings in a file whose keys are in the table, including alternative groupings, in the order in
/// which they are offered: that of the table, other spellings last.
pub(super) fn groups() -> Vec<&'static str> {
    let others = KEYS.iter().flat_map(|key| &key.spellings);
    let names = KEYS.iter().map(|key| key.name);
    let names = names.chain(others.map(String::as_str));
    let mut groups = Vec::new();
    for (group, _) in names.filter_map(|name| name.split_once('.')) {
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    groups
}

/// Splits a dotted name. A provider's name contains no dot, a model's may.
pub(super) fn parts(name: &str) -> Vec<&str> {
    let Some(rest) = name.strip_prefix("providers.") else {
        return name.splitn(2, '.').collect();
    };
    match rest.split_once(".prices.") {
        Some((provider, priced)) => {
            let (model, leaf) = priced.rsplit_once('.').unwrap_or((priced, ""));
            vec!["providers", provider, "prices", model, leaf]
        }
        None => {
            let (provider, leaf) = rest.rsplit_once('.').unwrap_or((rest, ""));
            vec!["providers", provider, leaf]
        }
    }
}

/// The key that `name` means, and its full canonical name: `rounds` is `limits.max_rounds`,
/// `role_models.RP` an entry of a table, `providers.local.url` is `providers.local.base_url`.
///
/// # Errors
/// There is no such key; the error suggests the nearest one.
pub fn find(name: &str) -> Result<(String, &'static Key), Fault> {
    let path = parts(name);
    match (&*path, key_at(&path)) {
        (&[_, entry], Some((_, key))) if key.kind.is_table() && entry.trim().is_empty() => {
            Err(unknown(name).fixed_by(NAME_ENTRY.fill(values![key = key.name])))
        }
        (_, Some(found)) => Ok(found),
        (&["providers", provider, "prices", model, leaf], None) => {
            let model = format!("{model}.{leaf}");
            let model = model.trim_end_matches('.').escape_debug();
            Err(unknown(name)
                .fixed_by(SET_PRICE.fill(values![provider = provider.escape_debug(), model])))
        }
        (&["providers", provider, _], None) => {
            let names = PROVIDER_KEYS.iter().map(|key| key.name);
            let names: Vec<_> = names.chain(["prices.MODEL.input"]).collect();
            let provider = provider.split('.').next().unwrap_or(provider);
            Err(unknown(name).fixed_by(SET_PROVIDER.fill(values![
                provider = provider.escape_debug(),
                names = Text::COMMA.join(&names)
            ])))
        }
        _ => Err(match first_of(name) {
            Some(key) => unknown(name).fixed_by(NAME_KEY.fill(values![name, key])),
            None => suggestion(name),
        }),
    }
}

/// The first key of a group.
fn first_of(group: &str) -> Option<&'static str> {
    let below = |key: &&Key| {
        key.name
            .split_once('.')
            .is_some_and(|(own, _)| own == group)
    };
    match group {
        "providers" => Some("providers.NAME.base_url"),
        _ => KEYS.iter().find(below).map(|key| key.name),
    }
}

fn unknown(name: &str) -> Fault {
    let name = name.escape_debug();
    KEY_UNKNOWN.with(values![name]).ending(Exit::Usage)
}

fn suggestion(name: &str) -> Fault {
    let spellings = KEYS.iter().flat_map(|key| &key.spellings);
    let near = nearest(&name.replace('-', "_"), spellings.map(String::as_str));
    let near = near.and_then(|near| Key::called(&KEYS, near));
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
