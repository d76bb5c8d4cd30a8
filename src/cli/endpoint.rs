//! Settings of an endpoint in the user's own configuration: time limits, route, rate, prices.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Context, Fault};
use crate::config::{Config, Origin, ProviderSettings, Retry};
use crate::edge::model::providers::{self, SCRIPTED};
use crate::edge::model::{Backoff, PROXY_VARIABLES, Rate, Route, Timeouts, holds_certificates};
use crate::edge::safe_open::{self, FileUse};
use crate::fault::models::{CERTIFICATES, PRICE_UNKNOWN};
use crate::fault::{MessageValue, said_by_system, texts, values};
use crate::machine::{HAND, Limits, ModelChoice, Price};

texts! {
    NO_CERTIFICATE: "it holds no certificate in PEM form", "其中没有 PEM 格式的证书";
}

/// Returns the delays between tries of a call.
pub(super) fn backoff(retry: Retry) -> Backoff {
    Backoff {
        base: Duration::from_millis(retry.base_ms),
        cap: Duration::from_millis(retry.cap_ms),
        ..Backoff::default()
    }
}

/// Returns the time limits of each call.
pub(super) fn timeouts(settings: &ProviderSettings) -> Timeouts {
    let usual = Timeouts::default();
    let or = |ms: Option<u64>, usual| ms.map_or(usual, Duration::from_millis);
    Timeouts {
        connect: or(settings.connect_timeout_ms, usual.connect),
        idle: or(settings.idle_timeout_ms, usual.idle),
        call: or(settings.timeout_ms, usual.call),
    }
}

/// Returns the configured rate limits of the endpoint.
pub(super) fn rate(settings: &ProviderSettings) -> Rate {
    Rate {
        concurrent: settings
            .max_concurrent
            .and_then(|n| usize::try_from(n).ok()),
        requests_per_minute: settings.requests_per_minute,
        tokens_per_minute: settings.tokens_per_minute,
    }
}

/// Returns proxy and extra certificates of a provider, from the user's own file or variables.
///
/// # Errors
/// The file of certificates cannot be read, or contains none.
pub(super) fn route(provider: &str, config: &Config, context: &Context) -> Result<Route, Fault> {
    let settings = config.providers.get(provider);
    let ca_file = settings.and_then(|one| one.ca_file.as_deref());
    let extra_roots = ca_file
        .map(|file| roots(file, &ca_folder(provider, config, context)))
        .transpose()?;
    Ok(Route {
        proxy: settings.and_then(|one| one.proxy.clone()),
        extra_roots,
        ca_file: ca_file.map(str::to_owned),
        variables: PROXY_VARIABLES
            .iter()
            .filter_map(|name| Some((*name, context.env.variable(name)?.to_owned())))
            .collect(),
    })
}

/// Returns the folder to which a `ca_file` is relative: that of the file that names it, so that its
/// meaning does not depend on where a run starts; for a variable, the current folder.
fn ca_folder(provider: &str, config: &Config, context: &Context) -> PathBuf {
    let setting = config
        .settings
        .get(&format!("providers.{provider}.ca_file"));
    let in_file = setting.is_some_and(|one| matches!(one.origin, Origin::File { .. }));
    let own = context.own_file().filter(|_| in_file);
    let folder = own.and_then(|file| file.path.parent().map(Path::to_path_buf));
    folder.unwrap_or_else(|| context.path(Path::new("")))
}

/// Reads the certificates of a file, to check that it contains any.
fn roots(file: &str, folder: &Path) -> Result<Vec<u8>, Fault> {
    let path = folder.join(file);
    let unusable = |cause: &dyn MessageValue| {
        let shown = path.display();
        CERTIFICATES.with(values![file = shown, cause])
    };
    let bytes = safe_open::read_named(&path, FileUse::Certificates)
        .map_err(|error| unusable(&said_by_system(&error)))?;
    if !holds_certificates(&bytes) {
        return Err(unusable(&NO_CERTIFICATE));
    }
    Ok(bytes)
}

/// Returns whether this provider runs a program.
pub fn is_program(config: &Config, provider: &str) -> bool {
    let described = config.providers.get(provider);
    providers::is_command(provider) || described.is_some_and(|one| one.command.is_some())
}

/// Returns the price the user set for a model.
pub(super) fn price(config: &Config, provider: &str, model: &str) -> Option<Price> {
    config.providers.get(provider)?.prices.get(model).copied()
}

/// Checks that every model has a price if there is a budget of money.
pub(super) fn priced<'a>(
    limits: &Limits,
    mut choices: impl Iterator<Item = &'a ModelChoice>,
) -> Result<(), Fault> {
    if limits.budget_usd.is_none() {
        return Ok(());
    }
    let free = |choice: &ModelChoice| [SCRIPTED, HAND].contains(&choice.provider.as_str());
    match choices.find(|choice| choice.price.is_none() && !free(choice)) {
        None => Ok(()),
        Some(choice) => {
            Err(PRICE_UNKNOWN.with(values![model = choice.model, provider = choice.provider]))
        }
    }
}
