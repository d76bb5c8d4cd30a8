//! Who answers the calls of a run: found, checked, and made ready to be asked.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::hold::Order;
use super::{CliError, Context, Exit};
use crate::config::{Config, Origin, Value};
use crate::edge::model::providers::PROVIDERS;
use crate::edge::model::{
    self, ChatModel, Choice, DiscoverError, Found, OpenAi, OpenAiConfig, Timeouts, Wish,
};
use crate::edge::redact::Redactor;
use crate::workshop::{Inputs, OFFLINE};

/// Clients by the name of their provider.
pub type Models = BTreeMap<String, Arc<dyn ChatModel>>;

/// Finds who answers the calls, and says which and why; a refused key is an error.
///
/// # Errors
/// No credentials, a provider that is not there, or settings that fit none.
pub async fn models_for(order: &Order, context: &Context) -> Result<(Found, Models), CliError> {
    let config = &order.config;
    let found = model::discover(&wish(config), &|name| variable(config, context, name)).await?;
    context.notice(&found.why);
    let mut models = Models::new();
    if let Some(endpoint) = &found.endpoint {
        model::check_credentials(&found.provider, endpoint).await?;
        let settings = config
            .provider
            .as_ref()
            .and_then(|name| config.providers.get(name));
        let timeout = settings.and_then(|settings| settings.timeout_ms);
        let client = OpenAi::new(OpenAiConfig {
            base_url: endpoint.base_url.clone(),
            api_key: endpoint.api_key.clone(),
            timeouts: Timeouts {
                call: timeout.map_or(Timeouts::default().call, std::time::Duration::from_millis),
                ..Timeouts::default()
            },
            name: found.provider.clone(),
        })
        .map_err(DiscoverError::from)?;
        models.insert(found.provider.clone(), Arc::new(client));
    }
    Ok((found, models))
}

/// A resumed run uses the provider and model it was begun with, whatever is set now.
///
/// # Errors
/// As [`models_for`].
pub async fn models_again(
    order: &Order,
    inputs: &Inputs,
    context: &Context,
) -> Result<Models, CliError> {
    if inputs.is_offline() {
        return Ok(Models::new());
    }
    let mut again = Order::plain(order.config.clone());
    if inputs.model.provider != OFFLINE && again.config.provider.is_none() {
        again.config.provider = Some(inputs.model.provider.clone());
    }
    again.config.model = Some(inputs.model.model.clone());
    Ok(models_for(&again, context).await?.1)
}

/// What flags and files ask for; variables are looked at by the search itself.
fn wish(config: &Config) -> Wish {
    let said = |flag: bool, key: &str| {
        let setting = config.settings.get(key)?;
        let fits = match setting.origin {
            Origin::Flag(_) => flag,
            Origin::File { .. } => !flag,
            Origin::Env(_) => false,
        };
        match &setting.value {
            Value::Text(text) if fits => Some(text.clone()),
            _ => None,
        }
    };
    let choice = |flag| Choice {
        provider: said(flag, "provider"),
        model: said(flag, "model"),
        base_url: said(flag, "base_url"),
    };
    let (flag, mut from_files) = (choice(true), choice(false));
    // A resumed run names what it was begun with.
    let provider = flag.provider.clone().or_else(|| config.provider.clone());
    if let Some(settings) = provider
        .as_ref()
        .and_then(|name| config.providers.get(name))
    {
        from_files.base_url = settings.base_url.clone();
        from_files.model = from_files.model.or_else(|| settings.model.clone());
    }
    from_files.provider = from_files.provider.or_else(|| config.provider.clone());
    from_files.model = config.model.clone().or(from_files.model);
    Wish {
        flag,
        config: from_files,
        ..Wish::default()
    }
}

/// A variable; the key of a provider that the user described stands in for `AITC_API_KEY`.
fn variable(config: &Config, context: &Context, name: &str) -> Option<String> {
    let direct = context.env.variable(name).map(str::to_owned);
    if name != "AITC_API_KEY" || direct.is_some() {
        return direct;
    }
    let settings = config.providers.get(config.provider.as_ref()?)?;
    let key = settings.api_key_env.as_deref()?;
    context.env.variable(key).map(str::to_owned)
}

/// Takes out every known form of secret, and the keys this process could use.
pub fn redactor(config: &Config, context: &Context) -> Redactor {
    let own = config
        .providers
        .values()
        .filter_map(|one| one.api_key_env.as_deref());
    let usual = PROVIDERS
        .iter()
        .flat_map(|one| one.key_vars.iter().copied());
    let names = own.chain(usual).chain(["AITC_API_KEY"]);
    Redactor::new(
        names
            .filter_map(|name| context.env.variable(name))
            .map(str::to_owned),
    )
}

impl From<DiscoverError> for CliError {
    fn from(error: DiscoverError) -> Self {
        let exit = match error {
            DiscoverError::NoCredentials { .. } => Exit::Credentials,
            DiscoverError::NotRunning { .. } => Exit::Provider,
            _ => Exit::Usage,
        };
        Self::new(
            exit,
            error.to_string(),
            "",
            "aitc plan --provider offline needs no model",
        )
    }
}
