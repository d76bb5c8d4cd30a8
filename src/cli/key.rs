//! The variables that provider keys come from.

use super::Context;
use crate::config::{Config, Layer};
use crate::edge::model::FoundModel;
use crate::edge::model::key::bare;
use crate::edge::model::providers::{self, GENERAL_KEY};
use crate::fault::{Message, Text, texts, values};
use crate::redact::Redactor;

const OR: Text = Text("` or `", "` 或 `");

/// Returns every variable that a key may come from.
pub(super) fn names(config: &Config) -> impl Iterator<Item = &str> {
    let own = config.providers.values();
    let own = own.filter_map(|one| one.api_key_env.as_deref());
    let usual = providers::PROVIDERS.iter();
    let usual = usual.flat_map(|one| one.key_vars.iter().copied());
    own.chain(usual).chain([GENERAL_KEY])
}

/// Returns a variable's value; of a key, without quotes and the like around it.
pub(super) fn variable<'a>(name: &str, config: &Config, context: &'a Context) -> Option<&'a str> {
    let value = context.env.variable(name)?;
    let is_key = names(config).any(|key| key == name);
    Some(if is_key { bare(value) } else { value })
}

texts! {
    TAKEN_OFF: "`{variable}` holds more than the key (quotes, `Bearer`, an invisible character), which was ignored; to avoid this note, set the variable to the key alone", "`{variable}` 中密钥前后的内容（引号、`Bearer` 或不可见字符）已忽略；要去掉这行提示，请把该变量设为密钥本身";
}

/// Reports that the variable of the used key contains more than the key.
pub(super) fn warn_about_key(found: &FoundModel, context: &Context) {
    if let Some(endpoint) = &found.endpoint
        && let Some(name) = endpoint.key_variable.as_deref()
        && context.env.variable(name).map(str::trim) != endpoint.api_key.as_deref()
    {
        context.notice(&TAKEN_OFF.fill(values![variable = name]));
    }
}

/// Returns the variable that contains a provider's key, as a text within backquotes; if none is
/// set, all that are looked at.
pub(super) fn variables(provider: &str, config: &Config, context: &Context) -> Message {
    if is_general(provider, config, context) {
        return Message::from(GENERAL_KEY.to_owned());
    }
    let is_set = |name: &str| context.env.variable(name).is_some();
    let own = config.providers.get(provider);
    if let Some(variable) = own.and_then(|own| own.api_key_env.as_deref()) {
        return Message::from(variable.to_owned());
    }
    let usual = providers::key_variables(provider);
    match usual.iter().find(|name| is_set(name)) {
        Some(name) => Message::from((*name).to_owned()),
        None => OR.join(usual),
    }
}

/// Returns whether the key of `AITC_API_KEY` is used. It belongs to the provider named in the
/// environment, or to that of the run.
fn is_general(provider: &str, config: &Config, context: &Context) -> bool {
    let variable = |name| context.env.variable(name);
    let main = config.provider.as_deref();
    let named = variable("AITC_PROVIDER").is_none_or(|name| name == provider);
    let address = config.text("base_url", |_| true);
    let at = variable("AITC_BASE_URL").is_none_or(|url| address.as_deref() == Some(url));
    variable(GENERAL_KEY).is_some() && main.is_none_or(|main| main == provider) && named && at
}

/// Returns a redactor for every known form of secret and for the keys this process could use.
pub fn redactor(config: &Config, context: &Context) -> Redactor {
    Redactor::new(
        names(config)
            .filter_map(|name| variable(name, config, context))
            .map(str::to_owned),
    )
}

/// Returns a redactor for a command that needs nothing else of the configuration. An invalid
/// configuration is ignored, so that it does not prevent messages; it could only name further
/// variables with keys.
pub fn redactor_of(context: &Context) -> Redactor {
    let config = context.config(Layer::default());
    redactor(&config.unwrap_or_else(|_| Config::resolve(&[])), context)
}
