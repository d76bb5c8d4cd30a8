//! Chooses the model of a run: the requested one, otherwise one that this machine offers.
//!
//! Sources in order of precedence: flags, `AITC_PROVIDER`, `AITC_BASE_URL` and `AITC_MODEL`,
//! configuration, the providers' key variables, a server that responds on loopback. A provider
//! requested by name is used or is an error: it is never replaced. If nothing is found there is no
//! model; a program runs only if the user named it.

mod error;
mod listing;
mod local;
mod requested;

use std::collections::BTreeMap;
use std::fmt;
use std::path::absolute;
use std::time::Duration;

use reqwest::StatusCode;

pub use self::listing::Listing;
use self::listing::{models, preferred};
use self::local::{Locals, find_locals, is_own, of_local};
use self::requested::EffectiveRequest;
use super::command::{AGENTS, OWN_CHOICE, Program, ReplyFormat, find_program};
use super::http::{Base, Route, Timeouts};
use super::providers::{self, Dialect, LOCALS, Local, PROVIDERS, Provider, SCRIPTED};
use super::remote::RemoteConfig;
use crate::config::ProviderSettings;
use crate::fault::models::{
    ADDRESS_IN_VAIN, ENDPOINT_UNTRUSTED, KEY_MISSING, KEY_REFUSED, MODEL_UNNAMED, MODELS_UNASKED,
    PROGRAM_MISSING, PROGRAM_UNNAMED, PROVIDER_NOT_RUNNING,
};
use crate::fault::{Fault, Message, texts, values};
use crate::machine::HAND;

/// Model name for calls answered by hand, if it is not stated who answers.
pub const ANYONE: &str = "anyone";

/// Default time limit for a loopback server to respond.
const LOOPBACK_PATIENCE: Duration = Duration::from_millis(150);
/// Time limit for an endpoint named by the user to list its models.
const PATIENCE: Duration = Duration::from_secs(5);

/// The settings of one source; each may be missing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choice {
    /// Provider name.
    pub provider: Option<String>,
    /// Model name.
    pub model: Option<String>,
    /// Base URL of an endpoint.
    pub base_url: Option<String>,
}

impl Choice {
    /// A choice of provider and model.
    pub fn of(provider: &str, model: &str) -> Self {
        Self {
            provider: Some(provider.to_owned()),
            model: Some(model.to_owned()),
            base_url: None,
        }
    }
}

/// The model that the user requested.
#[derive(Debug, Clone)]
pub struct ModelRequest {
    /// From flags.
    pub flag: Choice,
    /// From configuration files.
    pub config: Choice,
    /// Wire format of the provider, if the user's own file names one.
    pub dialect: Option<Dialect>,
    /// Program and arguments of the provider, if the user described one.
    pub command: Option<Vec<String>>,
    /// The user's settings of services by name. They also apply to a service found by its key;
    /// otherwise that key would be sent to another address than the user's.
    pub described: BTreeMap<String, ProviderSettings>,
    /// Loopback servers to look for; [`LOCALS`] by default.
    pub locals: Vec<Local>,
    /// Time limit for each of them to respond. Default 150 ms.
    pub local_patience: Duration,
    /// The route to the requested endpoint, also used to list its models.
    pub route: Route,
    /// Whether `AITC_API_KEY` may be the key of the requested provider. Default true.
    pub takes_general_key: bool,
}

impl Default for ModelRequest {
    fn default() -> Self {
        Self {
            flag: Choice::default(),
            config: Choice::default(),
            dialect: None,
            command: None,
            described: BTreeMap::new(),
            locals: LOCALS.to_vec(),
            local_patience: LOOPBACK_PATIENCE,
            route: Route::default(),
            takes_general_key: true,
        }
    }
}

/// How to reach the model.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Wire format.
    pub dialect: Dialect,
    /// Base URL.
    pub base_url: String,
    /// API key, if one is needed.
    pub api_key: Option<String>,
    /// Name of the variable that the key came from.
    pub key_variable: Option<String>,
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("dialect", &self.dialect)
            .field("has_key", &self.api_key.is_some())
            .finish_non_exhaustive()
    }
}

/// The model of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundModel {
    /// Provider name.
    pub provider: String,
    /// Model name; `fixtures` for `scripted`.
    pub model: String,
    /// The endpoint, if it is reached by network.
    pub endpoint: Option<Endpoint>,
    /// The program, if it is one.
    pub program: Option<Program>,
    /// One line for the user: which model and why.
    pub why: Message,
}

impl FoundModel {
    /// A model that needs no network.
    fn unreached(provider: &str, model: &str, why: Message) -> Self {
        Self {
            provider: provider.to_owned(),
            model: model.to_owned(),
            endpoint: None,
            program: None,
            why,
        }
    }
}

impl Endpoint {
    /// The error for a refused key, or for a server that wants one although there is none.
    pub fn refused(&self, provider: &str, status: StatusCode) -> Fault {
        let variables = match &self.key_variable {
            Some(name) => Message::from(name.clone()),
            None => OR.join(providers::key_variables(provider)),
        };
        match self.api_key {
            Some(_) => KEY_REFUSED.with(values![provider, status = status.as_u16(), variables]),
            None => KEY_MISSING.with(values![provider, variables]),
        }
    }

    /// The configuration of its client.
    pub fn reached(&self, provider: &str, timeouts: Timeouts, route: Route) -> RemoteConfig {
        RemoteConfig {
            name: provider.to_owned(),
            dialect: self.dialect,
            base_url: self.base_url.clone(),
            api_key: self.api_key.clone(),
            timeouts,
            route,
            habits: ProviderSettings::default(),
        }
    }
}

type Env<'a> = &'a (dyn Fn(&str) -> Option<String> + Sync);

/// A key, after the name of its variable.
type NamedKey = (String, String);

fn key_in(variable: &str, env: Env<'_>) -> Option<NamedKey> {
    Some((variable.to_owned(), env(variable)?))
}

/// Finds the model of a run. `env` reads one environment variable.
///
/// With `AITC_DISCOVER=off` only requested models are used: neither the providers' key variables
/// nor loopback are searched. `AITC_API_KEY` is the key of the requested provider, unless
/// `AITC_PROVIDER` or `AITC_BASE_URL` show that it belongs to another one.
///
/// # Errors
/// No model was requested and none found, or the requested one cannot be used.
pub async fn discover(
    wish: &ModelRequest,
    env: &(dyn Fn(&str) -> Option<String> + Sync),
) -> Result<FoundModel, Fault> {
    let env: Env<'_> = &|name| env(name).filter(|value| !value.trim().is_empty());
    let requested = EffectiveRequest::of(wish, env);
    if let Some(name) = &requested.choice.provider {
        return find_named(name, &requested, wish, env).await;
    }
    if let Some(url) = requested.choice.base_url.clone() {
        let dialect = wish.dialect.unwrap_or(Dialect::OpenAi);
        let own = || (dialect == Dialect::OpenAi).then(|| key_in("OPENAI_API_KEY", env));
        let key = requested.key.clone().or_else(|| own().flatten());
        return at(
            "openai",
            endpoint(dialect, url, key),
            &requested,
            &wish.route,
        )
        .await;
    }
    let search = env("AITC_DISCOVER").is_none_or(|value| value != "off");
    if search && let Some((provider, variable)) = first_key(env) {
        let why = VARIABLE_SET.fill(values![variable]);
        let usual = ProviderSettings::default();
        let own = wish.described.get(provider.name).unwrap_or(&usual);
        // A key variable in the settings replaces the usual one, so that the usual key is not sent
        // to the address in the settings.
        let key = key_in(own.api_key_env.as_deref().unwrap_or(variable), env);
        return service(provider, own, key, &requested, env, &why);
    }
    let locals = match search {
        true => find_locals(wish, env, is_own).await,
        false => Locals::default(),
    };
    match locals.first {
        Some((local, at, models)) => {
            let model = requested.choice.model.as_deref();
            let model = model.unwrap_or_else(|| preferred(&models));
            Ok(found(local.name, model, at, &ANSWERS_HERE.into()))
        }
        None => {
            let model = requested.choice.model.as_deref();
            Err(error::nobody(model, search, &locals.foreign))
        }
    }
}

async fn find_named(
    name: &str,
    requested: &EffectiveRequest,
    wish: &ModelRequest,
    env: Env<'_>,
) -> Result<FoundModel, Fault> {
    let is_program = wish.command.is_some() || providers::is_command(name);
    if wish.flag.base_url.is_some() && (is_program || [SCRIPTED, HAND].contains(&name)) {
        return Err(ADDRESS_IN_VAIN.with(values![provider = name]));
    }
    match name {
        SCRIPTED => return Ok(scripted(requested)),
        HAND => return Ok(by_hand(requested, wish)),
        _ if is_program => return program(name, requested, wish, env),
        _ => {}
    }
    let known = providers::find(name);
    let local = wish.locals.iter().find(|local| local.name == name);
    let own_key = || known?.key_vars.iter().find_map(|name| key_in(name, env));
    let key = || requested.key.clone().or_else(own_key);
    if let Some(url) = requested.choice.base_url.clone() {
        let usual = known
            .map(|one| one.dialect)
            .or(local.map(|one| one.dialect));
        let dialect = wish.dialect.or(usual).unwrap_or(Dialect::OpenAi);
        let name = known.map_or(name, |one| one.name);
        return at(name, endpoint(dialect, url, key()), requested, &wish.route).await;
    }
    if let Some(provider) = known {
        let own = ProviderSettings {
            dialect: wish.dialect.map(|dialect| dialect.name().to_owned()),
            ..ProviderSettings::default()
        };
        return service(
            provider,
            &own,
            key(),
            requested,
            env,
            &requested.source.into(),
        );
    }
    let Some(local) = local else {
        return Err(error::unknown(name, &wish.described));
    };
    let at = of_local(local, env);
    let base = Base::parse(name, &at.base_url)?;
    match models(local.name, &at, PATIENCE, &wish.route).await? {
        Listing::Models(models) => {
            let model = requested.choice.model.as_deref();
            let model = model.unwrap_or_else(|| preferred(&models));
            Ok(found(local.name, model, at, &requested.source.into()))
        }
        _ => Err(PROVIDER_NOT_RUNNING.with(values![provider = name, address = base.origin()])),
    }
}

fn scripted(requested: &EffectiveRequest) -> FoundModel {
    let model = requested.choice.model.as_deref().unwrap_or("fixtures");
    let why = REPLAYED.fill(values![source = requested.source]);
    FoundModel::unreached(SCRIPTED, model, why)
}

/// Calls answered by hand. The model's name says who answers, but only if it is given by flag: a
/// configured default is another provider's model.
fn by_hand(requested: &EffectiveRequest, wish: &ModelRequest) -> FoundModel {
    let model = wish.flag.model.as_deref().unwrap_or(ANYONE);
    let why = BY_HAND.fill(values![source = requested.source]);
    FoundModel::unreached(HAND, model, why)
}

/// A program: as the user described it, otherwise as known.
fn program(
    name: &str,
    requested: &EffectiveRequest,
    wish: &ModelRequest,
    env: Env<'_>,
) -> Result<FoundModel, Fault> {
    let known = AGENTS.iter().find(|agent| agent.name == name);
    let mut program = match (&wish.command, known) {
        (Some(argv), _) => Program {
            argv: argv.clone(),
            model_flag: None,
            output: ReplyFormat::Text,
            agent: None,
        },
        (None, Some(agent)) => Program::from(agent),
        (None, None) => return Err(PROGRAM_UNNAMED.with(values![provider = name])),
    };
    let word = program.argv.first().cloned().unwrap_or_default();
    let file = find_program(&word, env("PATH").as_deref())
        // Absolute, because it is started in another folder.
        .and_then(|file| absolute(file).ok())
        .ok_or_else(|| PROGRAM_MISSING.with(values![provider = name, program = word]))?;
    if let Some(first) = program.argv.first_mut() {
        *first = file.to_string_lossy().into_owned();
    }
    let model = requested.choice.model.as_deref().unwrap_or(OWN_CHOICE);
    let why = PROGRAM.fill(values![word, name, source = requested.source]);
    Ok(FoundModel {
        program: Some(program),
        ..FoundModel::unreached(name, model, why)
    })
}

/// A service that needs a key, at its own address or the configured one.
fn service(
    provider: &'static Provider,
    own: &ProviderSettings,
    key: Option<NamedKey>,
    requested: &EffectiveRequest,
    env: Env<'_>,
    why: &Message,
) -> Result<FoundModel, Fault> {
    let base_url = own.base_url.clone();
    let base_url = base_url.or_else(|| provider.base_url_var.and_then(env));
    // A server at another address may not need a key.
    if key.is_none() && base_url.is_none() {
        let variables = OR.join(provider.key_vars);
        return Err(KEY_MISSING.with(values![provider = provider.name, variables]));
    }
    let model = requested.choice.model.as_ref().or(own.model.as_ref());
    let model = model.map_or(provider.default_model, |model| model);
    let dialect = own.dialect.as_deref().and_then(Dialect::named);
    let base_url = base_url.unwrap_or_else(|| provider.base_url.to_owned());
    let endpoint = endpoint(dialect.unwrap_or(provider.dialect), base_url, key);
    Ok(found(provider.name, model, endpoint, why))
}

/// An endpoint at an address that the user gave.
async fn at(
    name: &str,
    endpoint: Endpoint,
    requested: &EffectiveRequest,
    route: &Route,
) -> Result<FoundModel, Fault> {
    Base::parse(name, &endpoint.base_url)?;
    let model = match &requested.choice.model {
        Some(model) => model.clone(),
        None => match models(name, &endpoint, PATIENCE, route).await? {
            Listing::Models(models) => preferred(&models).to_owned(),
            Listing::Refused(status) => return Err(endpoint.refused(name, status)),
            Listing::Unclear(status) => {
                let status = status.as_u16();
                return Err(MODEL_UNNAMED.with(values![provider = name, status]));
            }
            Listing::Untrusted(why) => {
                return Err(ENDPOINT_UNTRUSTED.with(values![provider = name, why]));
            }
            Listing::Failing(why) | Listing::Silent(why) => {
                return Err(MODELS_UNASKED.with(values![why]));
            }
        },
    };
    Ok(found(name, &model, endpoint, &requested.source.into()))
}

fn endpoint(dialect: Dialect, base_url: String, key: Option<NamedKey>) -> Endpoint {
    let (key_variable, api_key) = key.unzip();
    Endpoint {
        key_variable,
        dialect,
        base_url,
        api_key,
    }
}

fn found(provider: &str, model: &str, endpoint: Endpoint, why: &Message) -> FoundModel {
    let base = Base::parse(provider, &endpoint.base_url);
    let host = base.map(|base| base.origin()).unwrap_or_default();
    FoundModel {
        endpoint: Some(endpoint),
        ..FoundModel::unreached(
            provider,
            model,
            MODEL.fill(values![model, provider, host, why]),
        )
    }
}

texts! {
    OR: "` or `", "` 或 `";
    VARIABLE_SET: "`{variable}` is set", "已设置 `{variable}`";
    ANSWERS_HERE: "it answers here", "此处有应答";
    REPLAYED: "recorded answers are replayed ({source})", "回放已录制的回答（{source}）";
    BY_HAND: "calls are put into files and answered by hand ({source})", "调用写入文件，由人工回答（{source}）";
    PROGRAM: "the program `{word}` answers as `{name}` ({source})", "由程序 `{word}` 以 `{name}` 的身份回答（{source}）";
    MODEL: "model `{model}` of `{provider}` at {host} ({why})", "模型 `{model}`，服务商 `{provider}`，地址 {host}（{why}）";
}
fn first_key(env: Env<'_>) -> Option<(&'static Provider, &'static str)> {
    PROVIDERS.iter().find_map(|provider| {
        let variable = provider.key_vars.iter().find(|name| env(name).is_some())?;
        Some((provider, *variable))
    })
}

/// Requests the list of models of a provider's endpoint; waits at most 5 s.
///
/// # Errors
/// Address, key or proxy cannot be used; nothing was sent.
pub async fn list(provider: &str, endpoint: &Endpoint, route: &Route) -> Result<Listing, Fault> {
    models(provider, endpoint, PATIENCE, route).await
}
