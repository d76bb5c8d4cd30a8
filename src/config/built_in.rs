//! What holds when nobody sets a key.

use serde_json::{Value as Json, json};

use super::Value;
use super::resolve::HEARTBEAT_MS;
use crate::machine::{EndingRules, FirstRound, Grounding, Limits, SpeakingOrder};

/// What holds when nobody sets a key; none where that depends on terminal,
/// locale, requirement or what is found, and where nothing holds.
pub fn built_in(key: &str) -> Option<Value> {
    let (limits, ending) = (json!(Limits::default()), json!(EndingRules::default()));
    let debates = &limits["debates"];
    let held = match key {
        "heartbeat_ms" => json!(HEARTBEAT_MS),
        "first_round" => json!(FirstRound::default()),
        "order" => json!(SpeakingOrder::default()),
        "divergence" | "review_debate" => {
            let name = key.trim_end_matches("_debate");
            json!(if debates[name] == true { "on" } else { "off" })
        }
        "review" => json!("on"),
        "limits.max_debates" => debates["max"].clone(),
        "limits.debate_rounds" => debates["rounds"].clone(),
        "limits.retry_base_ms" => json!(500),
        "limits.retry_cap_ms" => json!(30_000),
        _ => match key.split_once('.') {
            Some(("grounding", name)) => json!(Grounding::default())[name].clone(),
            Some(("limits", name)) => limits[name].clone(),
            Some(("ending", name)) => {
                let own = ending.get(name).or_else(|| ending["marker"].get(name));
                own.cloned().unwrap_or_default()
            }
            _ => Json::Null,
        },
    };
    match held {
        Json::Number(number) => number.as_u64().map(Value::Number),
        Json::Bool(is_so) => Some(Value::Text(is_so.to_string())),
        Json::String(text) => Some(Value::Text(text)),
        Json::Array(texts) if !texts.is_empty() => {
            let texts = texts.iter().filter_map(Json::as_str);
            Some(Value::Texts(texts.map(str::to_owned).collect()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::KEYS;

    /// A value said to be built in is one its key takes, and the one that holds.
    #[test]
    fn built_in_values_are_those_that_hold() {
        for key in KEYS {
            if let Some(value) = built_in(key.name) {
                assert_eq!(key.kind.read(&value.to_string()), Ok(value), "{}", key.name);
            }
        }
        let limits = Limits::default();
        assert_eq!(
            built_in("limits.max_rounds"),
            Some(Value::Number(limits.max_rounds.into()))
        );
        assert_eq!(built_in("limits.max_tokens"), None);
    }
}
