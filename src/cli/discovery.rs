//! The search for a model: the request of flags, variables and files, and the result.

use super::{Context, Exit, Fault, endpoint, key, provider_choice};
use crate::config::{Config, Origin};
use crate::edge::model::providers::{self, COMMAND};
use crate::edge::model::{self, ANYONE, Choice, Dialect, FoundModel, ModelRequest};
use crate::fault::models::PROVIDER_UNKNOWN;
use crate::machine::HAND;

/// Finds the model that was `named`, else the one that flags, variables and files request. The key
/// in `AITC_API_KEY` belongs to the provider `main`, if there is one.
pub(super) async fn find(
    config: &Config,
    named: Option<Choice>,
    main: Option<&str>,
    context: &Context,
) -> Result<FoundModel, Fault> {
    let provider = named
        .as_ref()
        .map_or(config.provider.clone(), |named| named.provider.clone());
    let variable = |name: &str| key::variable(name, config, context).map(str::to_owned);
    let setting = config.settings.get("provider").map(|one| &one.origin);
    let setting = setting.filter(|origin| named.is_none() && !origin.is_flag());
    let wish = ModelRequest {
        takes_general_key: main.is_none() || main == provider.as_deref(),
        ..wish(config, named, provider.as_deref(), context)?
    };
    let found = model::discover(&wish, &variable)
        .await
        .map_err(|fault| match setting {
            Some(origin) if fault.code == PROVIDER_UNKNOWN.code => {
                origin.wrong(fault.ending(Exit::Config))
            }
            _ => provider_choice::with_ways_out(fault, context),
        })?;
    key::warn_about_key(&found, context);
    Ok(found)
}

/// Returns the request of flags and files; the search itself reads variables.
fn wish(
    config: &Config,
    named: Option<Choice>,
    provider: Option<&str>,
    context: &Context,
) -> Result<ModelRequest, Fault> {
    let choice = |wanted: fn(&Origin) -> bool| Choice {
        provider: config.text("provider", wanted),
        model: config.text("model", wanted),
        base_url: config.text("base_url", wanted),
    };
    let mut files = choice(|origin| matches!(origin, Origin::File { .. }));
    if let Some(name) = provider
        && let Some(settings) = config.providers.get(name)
    {
        // Settings under a provider's name are for that provider.
        files = Choice {
            provider: Some(name.to_owned()),
            model: files.model.or_else(|| settings.model.clone()),
            base_url: settings.base_url.clone(),
        };
    }
    let settings = provider.and_then(|name| config.providers.get(name));
    // An address without a name belongs to a compatible server.
    let asked = provider.or_else(|| config.text("base_url", |_| true).map(|_| "openai"));
    Ok(ModelRequest {
        route: asked
            .map(|name| endpoint::route(name, config, context))
            .transpose()?
            .unwrap_or_default(),
        dialect: settings
            .and_then(|one| one.dialect.as_deref())
            .and_then(Dialect::named),
        command: settings
            .and_then(|one| one.command.clone())
            .or_else(|| own_command(config, provider?)),
        flag: named.unwrap_or_else(|| choice(Origin::is_flag)),
        config: files,
        described: config.providers.clone(),
        ..ModelRequest::default()
    })
}

/// Returns the words of `AITC_COMMAND`, the program of the provider `command`.
fn own_command(config: &Config, provider: &str) -> Option<Vec<String>> {
    let line = config
        .text("command", |_| true)
        .filter(|_| provider == COMMAND)?;
    Some(line.split_whitespace().map(str::to_owned).collect())
}

/// Splits `provider:model`. The provider is a built-in one or one of the configuration; any other
/// word before the colon belongs to the model's name, such as `llama3:8b`. Answers by hand need no
/// name.
pub(super) fn split<'a>(text: &'a str, config: &Config) -> (Option<&'a str>, &'a str) {
    let known = |name: &str| {
        config.providers.contains_key(name)
            || providers::find(name).is_some()
            || providers::names().any(|one| one == name)
    };
    match text.split_once(':') {
        _ if text == HAND => (Some(HAND), ANYONE),
        Some((provider, model)) if known(provider) && !model.is_empty() => (Some(provider), model),
        _ => (None, text),
    }
}

#[cfg(test)]
mod tests {
    use super::split;
    use crate::config::{Config, ConfigSource, parse};

    #[test]
    fn a_colon_belongs_to_the_model_unless_a_provider_stands_before_it() {
        let source = ConfigSource::User {
            path: "u.yaml".to_owned(),
        };
        let own = parse("providers: {gateway: {model: m}}", &source).unwrap();
        let config = Config::resolve(&[own]);
        for (text, expected) in [
            ("gpt-4.1", (None, "gpt-4.1")),
            ("llama3:8b", (None, "llama3:8b")),
            ("ollama:llama3:8b", (Some("ollama"), "llama3:8b")),
            ("gateway:llama3:8b", (Some("gateway"), "llama3:8b")),
            ("hand", (Some("hand"), "anyone")),
            ("hand:claude-code", (Some("hand"), "claude-code")),
            ("scripted:fixtures", (Some("scripted"), "fixtures")),
            ("openai:", (None, "openai:")),
        ] {
            assert_eq!(split(text, &config), expected, "{text}");
        }
    }
}
