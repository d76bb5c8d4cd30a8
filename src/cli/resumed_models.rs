//! Models of a run that is taken up: those on its record, or others in their place.

use std::collections::BTreeSet;

use super::consent::tree;
use super::discovery::{find, split};
use super::models::{connect, has_own_address, no_such_role};
use super::run_flags::{ModelFlags, Order};
use super::{CliError, Context, endpoint, recording};
use crate::config::{Config, Origin};
use crate::edge::model::{Choice, Models, providers};
use crate::fault::models::{ADDRESS_NEEDED, PROGRAM_NOT_CHOSEN, ROLE_ADDRESS_NEEDED};
use crate::fault::{texts, values};
use crate::machine::{Inputs, ModelChoice, NewModels};

texts! {
    GOES_ON: "the run continues with model {model} of {provider}", "运行使用 {provider} 的模型 {model} 继续";
}

/// What `--provider` and `--model` ask for, laid over the models of a run; `None` if that
/// changes nothing. A role with a model of its own keeps it unless it is named.
///
/// # Errors
/// No such provider or role, no model or no key for it, or no price where a budget is held.
pub async fn chosen(
    wanted: &ModelFlags,
    config: &Config,
    inputs: &Inputs,
    context: &Context,
) -> Result<Option<NewModels>, CliError> {
    let flag_url = config.text("base_url", |origin| matches!(origin, Origin::Flag(_)));
    let (of_roles, of_all): (Vec<_>, Vec<_>) =
        wanted.model.iter().partition(|choice| choice.contains('='));
    let mut new = NewModels {
        model: inputs.model.clone(),
        role_models: inputs.role_models.clone(),
        own_addresses: BTreeSet::new(),
    };
    let mut found = Vec::new();
    let provider = wanted.provider.as_deref().unwrap_or(&inputs.model.provider);
    let is_other = provider != inputs.model.provider;
    if is_other || !of_all.is_empty() {
        let same = (!is_other).then_some(&inputs.model.model);
        let named = Choice {
            provider: Some(provider.to_owned()),
            model: of_all.last().copied().or(same).cloned(),
            base_url: flag_url,
        };
        let main = find(config, Some(named), Some(provider), context).await?;
        new.model = choice(&main.provider, &main.model, &inputs.model, config);
        found.push(main);
    }
    let main = new.model.provider.clone();
    for (name, text) in of_roles.iter().filter_map(|choice| choice.split_once('=')) {
        let role = inputs
            .roles
            .find(name.trim())
            .ok_or_else(|| no_such_role(name, &inputs.roles.members, "role_models", config))?;
        let (provider, model) = split(text.trim());
        let provider = provider.unwrap_or(&main);
        let before = inputs.model_of(&role.id);
        if provider != main && provider != before.provider {
            let named = Choice::of(provider, model);
            found.push(find(config, Some(named), Some(&main), context).await?);
        }
        new.role_models
            .insert(role.id.to_string(), choice(provider, model, before, config));
    }
    if new.model == inputs.model && new.role_models == inputs.role_models {
        return Ok(None);
    }
    let all = || std::iter::once(&new.model).chain(new.role_models.values());
    endpoint::priced(&inputs.limits, all())?;
    let used: BTreeSet<&str> = all().map(|choice| choice.provider.as_str()).collect();
    let asked = |provider: &str| found.iter().find(|found| found.provider == provider);
    let has_own = |provider: &str| match asked(provider) {
        Some(found) => has_own_address(found),
        None => inputs.own_addresses.contains(provider),
    };
    let own: BTreeSet<String> = used
        .into_iter()
        .filter(|provider| has_own(provider))
        .map(str::to_owned)
        .collect();
    new.own_addresses = own;
    Ok(Some(new))
}

/// Another model where `before` was used; how freely it is sampled holds.
fn choice(provider: &str, model: &str, before: &ModelChoice, config: &Config) -> ModelChoice {
    ModelChoice {
        provider: provider.to_owned(),
        model: model.to_owned(),
        price: endpoint::price(config, provider, model),
        ..before.clone()
    }
}

/// A resumed run uses the providers and models on its record, whatever is set now.
pub async fn again(order: &Order, inputs: &Inputs, context: &Context) -> Result<Models, CliError> {
    let config = &order.config;
    let mut models = Models::new();
    let main = inputs.model.provider.as_str();
    for provider in &inputs.own_addresses {
        let is_main = provider == main;
        if is_addressed(config, provider, is_main, context) {
            continue;
        }
        let fault = if is_main {
            ADDRESS_NEEDED
        } else {
            ROLE_ADDRESS_NEEDED
        };
        return Err(fault.with(values![provider, n = inputs.run()]));
    }
    let tree = tree(inputs.grounding.depth, context);
    for choice in std::iter::once(&inputs.model).chain(inputs.role_models.values()) {
        if choice.is_by_hand() || models.contains_key(&choice.provider) {
            continue;
        }
        chosen_here(config, &choice.provider)?;
        let flag_url = config.text("base_url", |origin| matches!(origin, Origin::Flag(_)));
        let named = Choice {
            base_url: flag_url.filter(|_| choice.provider == main),
            ..Choice::of(&choice.provider, &choice.model)
        };
        let found = find(config, Some(named), Some(main), context).await?;
        if choice.provider == main {
            let who = [("model", &found.model), ("provider", &found.provider)];
            context.notice(&GOES_ON.fill(&who.map(|(name, text)| (name, text as _))));
        }
        connect(&found, tree.as_deref(), config, context, &mut models).await?;
    }
    recording::recorded(models, order, false, context)
}

/// Returns whether any setting here names an address for this provider, as discovery reads it. A
/// flag is meant for the run's main provider, and a variable or file that is meant for another one
/// does not count.
fn is_addressed(config: &Config, provider: &str, is_main: bool, context: &Context) -> bool {
    let variable = |name: &str| {
        let set = context.env.variable(name);
        set.filter(|value| !value.trim().is_empty())
    };
    let is_flag = |origin: &Origin| matches!(origin, Origin::Flag(_));
    let meant_for = variable("AITC_PROVIDER").unwrap_or("openai");
    let described = config.providers.get(provider);
    (is_main && config.text("base_url", is_flag).is_some())
        || (variable("AITC_BASE_URL").is_some() && meant_for == provider)
        || described.is_some_and(|settings| settings.base_url.is_some())
        || providers::address_variable(provider).is_some_and(|name| variable(name).is_some())
}

/// A draft may have come with a clone: the program it names is run only if the user named
/// it, too.
fn chosen_here(config: &Config, provider: &str) -> Result<(), CliError> {
    let described = config.providers.contains_key(provider);
    let is_chosen = config.provider.as_deref() == Some(provider)
        || config
            .role_models
            .values()
            .any(|text| split(text).0 == Some(provider));
    if described || is_chosen || !providers::is_command(provider) {
        return Ok(());
    }
    Err(PROGRAM_NOT_CHOSEN.with(values![provider]))
}
