//! What a run froze, held against the table its settings were held against: whoever writes
//! the first line of a transcript by hand gets no further than whoever writes a setting.

use super::KEYS;
use crate::machine::Inputs;

/// The first setting of a run that no configuration could have, in words.
pub fn unfit(inputs: &Inputs) -> Option<String> {
    let (limits, ending) = (&inputs.limits, &inputs.ending);
    let numbers = [
        ("limits.max_rounds", u64::from(limits.max_rounds)),
        (
            "limits.max_duration_minutes",
            limits.max_duration_minutes.into(),
        ),
        ("limits.concurrency", limits.concurrency as u64),
        ("limits.max_output_tokens", limits.max_output_tokens),
        ("limits.context_tokens", limits.context_tokens),
        ("limits.max_failures", limits.max_failures.into()),
        ("limits.max_follow_ups", limits.max_follow_ups.into()),
        ("limits.max_debates", limits.debates.max.into()),
        ("limits.debate_rounds", limits.debates.rounds.into()),
        ("ending.lookback_rounds", ending.lookback_rounds.into()),
        (
            "ending.consecutive_similar_rounds",
            ending.consecutive_similar_rounds.into(),
        ),
        (
            "ending.user_timeout_minutes",
            ending.user_timeout_minutes.into(),
        ),
    ];
    let tokens = limits
        .max_tokens
        .map(|tokens| ("limits.max_tokens", tokens));
    let numbers = numbers.into_iter().chain(tokens);
    let mut frozen: Vec<(&str, String)> = numbers.map(|(key, n)| (key, n.to_string())).collect();
    let models = inputs.role_models.values().chain([&inputs.model]);
    let temperatures = models.filter_map(|model| model.temperature);
    frozen.extend(temperatures.map(|one| ("temperature", one.to_string())));
    let scores = [
        ("similarity.threshold", inputs.similarity.consensus),
        ("similarity.silence_threshold", inputs.similarity.silence),
        (
            "similarity.duplicate_threshold",
            inputs.similarity.duplicate,
        ),
    ];
    let scores = scores
        .into_iter()
        .filter_map(|(key, score)| Some((key, score?.to_string())));
    frozen.extend(scores);
    frozen.push(("ending.end_marker", ending.marker.end_marker.clone()));
    frozen.iter().find_map(|(name, text)| {
        let key = KEYS.iter().find(|key| key.name == *name)?;
        let wanted = key.kind.read(text).err()?;
        Some(format!(
            "`{name}` is `{}` and must be {}",
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
        for (group, name, value, key) in [
            ("limits", "max_rounds", 0.into(), "limits.max_rounds"),
            ("limits", "max_rounds", u32::MAX.into(), "limits.max_rounds"),
            (
                "limits",
                "max_duration_minutes",
                0.into(),
                "limits.max_duration_minutes",
            ),
            ("limits", "concurrency", 0.into(), "limits.concurrency"),
            (
                "limits",
                "concurrency",
                u64::MAX.into(),
                "limits.concurrency",
            ),
            (
                "limits",
                "max_output_tokens",
                0.into(),
                "limits.max_output_tokens",
            ),
            ("limits", "max_failures", 0.into(), "limits.max_failures"),
            (
                "limits",
                "max_follow_ups",
                u32::MAX.into(),
                "limits.max_follow_ups",
            ),
            ("limits", "max_tokens", 0.into(), "limits.max_tokens"),
            (
                "limits",
                "debates",
                serde_json::json!({"max": 9, "rounds": 2, "divergence": true, "review": false}),
                "limits.max_debates",
            ),
            (
                "ending",
                "lookback_rounds",
                0.into(),
                "ending.lookback_rounds",
            ),
            (
                "ending",
                "consecutive_similar_rounds",
                0.into(),
                "ending.consecutive_similar_rounds",
            ),
            (
                "ending",
                "user_timeout_minutes",
                0.into(),
                "ending.user_timeout_minutes",
            ),
            (
                "model",
                "temperature",
                serde_json::json!(9.5),
                "temperature",
            ),
        ] {
            let mut forged = first["inputs"].clone();
            forged[group][name] = value;
            let forged: Inputs = serde_json::from_value(forged).unwrap();
            let told = unfit(&forged).unwrap_or_default();
            assert!(told.starts_with(&format!("`{key}` is ")), "{key}: {told}");
        }
    }
}
