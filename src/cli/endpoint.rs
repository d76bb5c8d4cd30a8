//! What the user's own configuration says of an endpoint: bounds, way, rate, prices.

use std::path::Path;
use std::time::Duration;

use super::{CliError, Context};
use crate::config::{Config, ProviderSettings, Retry};
use crate::edge::env;
use crate::edge::model::providers::SCRIPTED;
use crate::edge::model::{Backoff, Rate, Route, Timeouts};
use crate::fault::models::{CERTIFICATES, PRICE_UNKNOWN};
use crate::fault::said_by_system;
use crate::workshop::{ModelChoice, OFFLINE, Price};

/// Largest file of certificates that is read, in bytes: twice what a system has.
const MAX_ROOTS: usize = 1 << 20;

/// Waits between tries of a call.
pub(super) fn backoff(retry: Retry) -> Backoff {
    let usual = Backoff::default();
    let or = |ms: Option<u64>, usual| ms.map_or(usual, Duration::from_millis);
    Backoff {
        base: or(retry.base_ms, usual.base),
        cap: or(retry.cap_ms, usual.cap),
        ..usual
    }
}

/// Time limits of each call.
pub(super) fn timeouts(settings: &ProviderSettings) -> Timeouts {
    let usual = Timeouts::default();
    let or = |ms: Option<u64>, usual| ms.map_or(usual, Duration::from_millis);
    Timeouts {
        connect: or(settings.connect_timeout_ms, usual.connect),
        idle: or(settings.idle_timeout_ms, usual.idle),
        call: or(settings.timeout_ms, usual.call),
    }
}

/// What the endpoint bears.
pub(super) fn rate(settings: &ProviderSettings) -> Rate {
    Rate {
        concurrent: settings
            .max_concurrent
            .and_then(|n| usize::try_from(n).ok()),
        requests_per_minute: settings.requests_per_minute,
        tokens_per_minute: settings.tokens_per_minute,
    }
}

/// Proxy and extra certificates of a provider, as the user's own file names them.
pub(super) fn route(settings: &ProviderSettings, context: &Context) -> Result<Route, CliError> {
    let read = |file: &String| {
        env::read_capped(&context.path(Path::new(file)), MAX_ROOTS).map_err(|error| {
            CERTIFICATES.with(&[("file", file), ("cause", &said_by_system(&error))])
        })
    };
    Ok(Route {
        proxy: settings.proxy.clone(),
        extra_roots: settings.ca_file.as_ref().map(read).transpose()?,
    })
}

/// The price the user gave for a model; nobody else is asked for one.
pub(super) fn price(config: &Config, provider: &str, model: &str) -> Option<Price> {
    config.providers.get(provider)?.prices.get(model).copied()
}

/// A budget of money is held only where every model's price is known.
pub(super) fn priced<'a>(
    config: &Config,
    mut choices: impl Iterator<Item = &'a ModelChoice>,
) -> Result<(), CliError> {
    if config.limits.budget_usd.is_none() {
        return Ok(());
    }
    let free = |choice: &ModelChoice| [OFFLINE, SCRIPTED].contains(&choice.provider.as_str());
    match choices.find(|choice| choice.price.is_none() && !free(choice)) {
        None => Ok(()),
        Some(choice) => {
            Err(PRICE_UNKNOWN.with(&[("model", &choice.model), ("provider", &choice.provider)]))
        }
    }
}
