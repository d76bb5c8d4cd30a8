//! Compares a resumed run with the current files and settings.

use serde_json::{Value, json};

use super::{Context, Fault};
use crate::config::{self, Config, KEYS};
use crate::edge::{assets, git};
use crate::fault::plans::INPUTS_DRIFTED;
use crate::fault::{Message, Text, texts, values};
use crate::machine::{Inputs, State};

texts! {
    MOVED: "the repository was at {begun} when the run began and is at {now} now", "运行开始时仓库位于 {begun}，现在位于 {now}";
    NO_COMMIT: "none", "没有提交的状态";
    SETTING: "the run goes on with `{key}` {old}, as it began; `{origin}` says {new}, which holds for a new run: aitc plan", "运行仍按开始时的 `{key}` {old} 继续；`{origin}` 中的 {new} 只用于新的运行：aitc plan";
    NOTHING: "unset", "未设置";
}

/// Returns the changes of roles and templates since the run began, if they are accepted.
///
/// # Errors
/// They are not accepted.
pub fn accepted_drift(
    state: &State,
    accept: bool,
    context: &Context,
) -> Result<Vec<String>, Fault> {
    let now = assets::load(&context.root, state.inputs.doc_lang, None)?;
    let drift = assets::drift(&state.inputs, &now);
    if let Some(begun) = &state.inputs.commit
        && let now = git::head(&context.root)
        && now.as_ref() != Some(begun)
    {
        let short = |id: &str| id.chars().take(12).collect::<String>();
        let now = now.map_or_else(|| NO_COMMIT.into(), |now| Message::from(short(&now)));
        context.notice(&MOVED.fill(values![begun = short(begun), now]));
    }
    if drift.is_empty() || accept {
        // Recorded in one language, whatever the language of the resuming process.
        return Ok(drift.into_iter().map(|one| one.en).collect());
    }
    let changes = Message::joined(&drift, Text("; ", "；"));
    Err(INPUTS_DRIFTED.with(values![changes]))
}

/// Returns a sentence for each setting that has no effect because the run was started without it.
pub fn settings_passed_over(inputs: &Inputs, config: &Config) -> Vec<Message> {
    let settings = config.settings.iter();
    let told = settings.filter_map(|(key, setting)| {
        let new = setting.value.to_json();
        let old = match key.strip_prefix("role_models.") {
            Some(role) => model_of(inputs, role, new.as_str()?)?,
            None => match key.strip_prefix("role_temperatures.") {
                Some(role) => {
                    let role = inputs.roles.find(role)?;
                    json!(inputs.model_of(&role.id).temperature)
                }
                None => frozen(inputs, key)?,
            },
        };
        let is_same = match old.as_f64() {
            Some(old) => new.as_f64() == Some(old),
            None => old == new,
        };
        if is_same {
            return None;
        }
        let old = match &old {
            Value::Null => NOTHING.into(),
            Value::String(text) => Message::from(text.clone()),
            Value::Array(texts) => Message::from(listed(texts)),
            other => Message::from(other.to_string()),
        };
        let places = values![key, old, origin = setting.origin, new = setting.value];
        Some(SETTING.fill(places))
    });
    told.collect()
}

fn listed(texts: &[Value]) -> String {
    let texts: Vec<&str> = texts.iter().filter_map(Value::as_str).collect();
    texts.join(", ")
}

/// Returns the model of a role in the form of `new`: alone, or with its provider before it.
fn model_of(inputs: &Inputs, role: &str, new: &str) -> Option<Value> {
    let choice = inputs.model_of(&inputs.roles.find(role)?.id);
    let in_full = format!("{}:{}", choice.provider, choice.model);
    let is_short = new == choice.model || choice.provider == inputs.model.provider;
    Some(match is_short && new != in_full {
        true => choice.model.clone().into(),
        false => in_full.into(),
    })
}

/// Returns the frozen value of that key; `None` if it may change.
fn frozen(inputs: &Inputs, name: &str) -> Option<Value> {
    // `resume` has a flag of its own for it.
    let has_flag = name == "ending.auto_exit_enabled";
    let key = KEYS.iter().find(|key| key.name == name && !has_flag)?;
    config::frozen(inputs, key)
}
