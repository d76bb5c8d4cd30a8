//! The settings that a run froze, by their keys. They are validated against the same table of keys
//! as a configuration, so that a transcript whose first line was written by hand cannot have
//! settings that no configuration allows.

use serde_json::{Value as Json, json};

use super::{KEYS, Key, shown};
use crate::machine::Inputs;

/// The frozen value of a key, in the form of a setting, or null if it is not set; `None` if runs do
/// not freeze that key.
fn frozen(inputs: &Inputs, key: &Key) -> Option<Json> {
    let mut held = json!(inputs.rules);
    held["provider"] = json!(inputs.model.provider);
    held["model"] = json!(inputs.model.model);
    held["temperature"] = json!(inputs.model.temperature);
    held["doc_lang"] = json!(inputs.doc_lang);
    let pointer = key.pointer();
    held.get(pointer.split('/').nth(1)?)?;
    let set = held.pointer(&pointer).and_then(|one| key.kind.setting(one));
    Some(set.unwrap_or_default())
}

/// The first setting of a run that no configuration allows, in words.
pub fn unfit(inputs: &Inputs) -> Option<String> {
    // A warning that comes too late or never does no harm, so it is not checked.
    let is_checked = |key: &&Key| key.kind.is_bounded() && !key.name.contains(".warn_at_");
    let checked = KEYS.iter().filter(is_checked);
    let held = checked.filter_map(|key| Some((key, frozen(inputs, key)?)));
    let held = held.filter(|(_, held)| !held.is_null());
    let models = inputs.role_models.values().chain([&inputs.model]);
    let temperatures = models.filter_map(|model| Some(json!(model.temperature?)));
    let temperatures =
        temperatures.filter_map(|one| Some((Key::called(&KEYS, "temperature")?, one)));
    held.chain(temperatures).find_map(|(key, held)| {
        let text = shown(&held);
        let wanted = key.kind.read(&text).err()?;
        Some(format!(
            "`{}` is `{}` and must be {}",
            key.name,
            text.escape_debug(),
            wanted.en
        ))
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_its_range() {
        let journal = include_str!("../../fixtures/journals/plan.jsonl");
        let first: serde_json::Value =
            serde_json::from_str(journal.lines().next().unwrap()).unwrap();
        let sound: Inputs = serde_json::from_value(first["inputs"].clone()).unwrap();
        assert_eq!(unfit(&sound), None);
        for (at, wrong) in [
            ("limits.max_rounds", 0),
            ("limits.max_rounds", u32::MAX.into()),
            ("limits.max_duration_minutes", 0),
            ("limits.concurrency", 0),
            ("limits.concurrency", u64::MAX),
            ("limits.max_output_tokens", 0),
            ("limits.max_failures", 0),
            ("limits.max_follow_ups", u32::MAX.into()),
            ("limits.max_tokens", 0),
            ("limits.debates.max", 9),
            ("ending.lookback_rounds", 0),
            ("ending.consecutive_similar_rounds", 0),
            ("ending.user_timeout_minutes", 0),
            ("model.temperature", 9),
        ] {
            let mut forged = first["inputs"].clone();
            *at.split('.').fold(&mut forged, |one, name| &mut one[name]) = wrong.into();
            let forged: Inputs = serde_json::from_value(forged).unwrap();
            let told = unfit(&forged).unwrap_or_default();
            let key = match at {
                "limits.debates.max" => "limits.max_debates",
                "model.temperature" => "temperature",
                same => same,
            };
            assert!(told.starts_with(&format!("`{key}` is ")), "{key}: {told}");
        }
    }
}
