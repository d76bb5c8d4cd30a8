//! Which models a run uses, and how they are reached.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::run_flags::Order;
use super::{CliError, Context, consent, embeddings, endpoint, key, recording, trials, who};
use crate::config::{Config, ConfigError, Layer, Origin, ProviderSettings, Value};
use crate::edge::model::command::readable;
use crate::edge::model::providers::{self, COMMAND, SCRIPTED};
use crate::edge::model::{
    self, ANYONE, ChatModel, Choice, CommandModel, Dialect, EmbeddingModel, Found, Listing,
    RateLimited, Remote, RemoteConfig, Scripted, Wish,
};
use crate::fault::models::{AGENT_SANDBOX, FIXTURES_MISSING, PROGRAM_FOLDER};
use crate::fault::settings::PROGRAM_FORBIDDEN;
use crate::fault::{Text, said_by_system};
use crate::machine::similarity::SimilarityChoice;
use crate::machine::{Depth, HAND, Inputs, ModelChoice};
use crate::redact::Redactor;

const IS_SENT: Text = Text(
    "{away} is sent the requirement, the discussion, and lines of this workspace that fit or that members look at, without what looks like a secret (--grounding off sends none of the files)",
    "会向 {away} 发送需求、讨论，以及工作区中相关或成员查看的内容，疑似机密除外（用 --grounding off 不发送任何文件）",
);

/// Models by the name of their provider.
pub type Models = BTreeMap<String, Arc<dyn ChatModel>>;

/// What answers the calls of a run.
#[derive(Clone)]
pub struct Team {
    /// Model of everybody who has none of their own.
    pub model: ModelChoice,
    /// Models by role as the user named it.
    pub role_models: BTreeMap<String, ModelChoice>,
    /// How they are reached.
    pub models: Models,
    /// How similarity is measured.
    pub similarity: SimilarityChoice,
    /// The endpoint for it, if it is measured by one.
    pub embeddings: Option<Arc<dyn EmbeddingModel>>,
    /// Providers that are reached at another address than their usual one.
    pub own_addresses: BTreeSet<String>,
    /// Is one of the models reached on this machine? Its context is small until known.
    pub is_local: bool,
}

/// The models of a new run, found and not yet asked for anything.
pub struct Chosen {
    /// That of everybody who has none of their own.
    pub main: Found,
    /// Those of roles by name or code as the user wrote it; with the main model's
    /// endpoint where only a model was named.
    pub roles: BTreeMap<String, Found>,
}

impl Chosen {
    /// That of everybody and those of roles.
    pub fn all(&self) -> impl Iterator<Item = &Found> {
        std::iter::once(&self.main).chain(self.roles.values())
    }
}

/// Finds the models of a new run.
pub async fn chosen(config: &Config, context: &Context) -> Result<Chosen, CliError> {
    let main = find(config, None, None, context).await?;
    let mut roles = BTreeMap::new();
    for (role, text) in &config.role_models {
        let own = match split(text) {
            (Some(provider), model) => {
                let named = Choice::of(provider, model);
                find(config, Some(named), Some(&main.provider), context).await?
            }
            (None, model) => Found {
                model: model.to_owned(),
                ..main.clone()
            },
        };
        roles.insert(role.clone(), own);
    }
    Ok(Chosen { main, roles })
}

/// Who answers in a new run: what is played, or the models that are found.
pub async fn team(order: &Order, context: &Context) -> Result<Team, CliError> {
    let mut team = match &order.play {
        Some(play) => recording::players(play),
        None => search(&order.config, order.seed, context).await?,
    };
    team.models = recording::recorded(team.models, order, true, context)?;
    Ok(team)
}

/// Finds the models of a new run and connects to them.
async fn search(config: &Config, seed: Option<u64>, context: &Context) -> Result<Team, CliError> {
    let choice = |found: &Found| ModelChoice {
        provider: found.provider.clone(),
        model: found.model.clone(),
        temperature: config.temperature,
        seed,
        price: endpoint::price(config, &found.provider, &found.model),
    };
    let chosen = chosen(config, context).await?;
    context.notice(&chosen.main.why);
    if config.grounding.depth != Depth::Off {
        tell_what_is_sent(&chosen, context);
    }
    let mut models = Models::new();
    let tree = tree(config.grounding.depth, context);
    for found in chosen.all() {
        connect(found, tree.as_deref(), config, context, &mut models).await?;
    }
    let Chosen { main, roles } = &chosen;
    let similarity = config.similarity.clone();
    let embeddings =
        embeddings::endpoint(config, &similarity, Some(&main.provider), context).await?;
    let own_addresses = chosen.all().filter(|found| has_own_address(found));
    let own_addresses = own_addresses.map(|found| found.provider.clone()).collect();
    let is_local = chosen
        .all()
        .filter_map(|found| found.endpoint.as_ref())
        .any(|endpoint| model::is_on_this_machine(&endpoint.base_url));
    let everybody = choice(main);
    let role_models: BTreeMap<_, _> = roles
        .iter()
        .map(|(role, found)| (role.clone(), choice(found)))
        .collect();
    endpoint::priced(
        &config.limits,
        std::iter::once(&everybody).chain(role_models.values()),
    )?;
    Ok(Team {
        model: everybody,
        role_models,
        models,
        similarity,
        embeddings,
        own_addresses,
        is_local,
    })
}

/// One line on what leaves this machine, and to whom.
fn tell_what_is_sent(chosen: &Chosen, context: &Context) {
    let is_away = |found: &&Found| {
        let endpoint = found.endpoint.as_ref();
        endpoint.is_some_and(|one| !model::is_on_this_machine(&one.base_url))
    };
    let away = chosen.all().filter(is_away);
    let away = away.map(|found| format!("`{}`", found.provider));
    let away: BTreeSet<String> = away.collect();
    if !away.is_empty() {
        let away = away.into_iter().collect::<Vec<_>>().join(", ");
        context.notice(&IS_SENT.fill(&[("away", &away)]));
    }
}

/// Is the provider reached at another address than its usual one?
pub(super) fn has_own_address(found: &Found) -> bool {
    found.endpoint.as_ref().is_some_and(|endpoint| {
        let usual = providers::usual_address(&found.provider);
        usual.as_deref() != Some(endpoint.base_url.trim_end_matches('/'))
    })
}

/// Are all providers that a run was begun with among these?
pub fn covers(models: &Models, inputs: &Inputs) -> bool {
    std::iter::once(&inputs.model)
        .chain(inputs.role_models.values())
        .filter(|choice| !choice.is_by_hand())
        .all(|choice| models.contains_key(&choice.provider))
}

/// Which programs a project's file would run, by choosing their provider: none may be.
/// `own` is what the user describes providers in, variables and file.
///
/// # Errors
/// File and line of the choice.
pub fn no_command_in_project(
    project: Layer,
    own: [&Layer; 2],
    file: &str,
) -> Result<Layer, CliError> {
    let described = |name: &str| {
        let key = format!("providers.{name}.command");
        own.iter().any(|layer| layer.value(&key).is_some())
    };
    for (key, setting) in project.iter() {
        let Value::Text(text) = &setting.value else {
            continue;
        };
        let name = match key {
            "provider" => text.as_str(),
            _ if key.starts_with("role_models.") => {
                text.split_once(':').map_or("", |(provider, _)| provider)
            }
            _ => continue,
        };
        if providers::is_command(name) || described(name) {
            return Err(CliError::from(ConfigError {
                origin: setting.origin.clone(),
                fault: PROGRAM_FORBIDDEN.with(&[("name", &name), ("file", &file)]),
            }));
        }
    }
    Ok(project)
}

/// `provider:model`; a word before the colon that is no provider belongs to the
/// model's own name, such as `llama3:8b`. Whoever answers by hand needs no name.
pub(super) fn split(text: &str) -> (Option<&str>, &str) {
    let known =
        |name: &str| providers::find(name).is_some() || providers::names().any(|one| one == name);
    match text.split_once(':') {
        _ if text == HAND => (Some(HAND), ANYONE),
        Some((provider, model)) if known(provider) && !model.is_empty() => (Some(provider), model),
        _ => (None, text),
    }
}

/// Finds what was `named`, else what flags, variables and files ask for. The
/// key in `AITC_API_KEY` belongs to the provider `main`, if there is one.
pub(super) async fn find(
    config: &Config,
    named: Option<Choice>,
    main: Option<&str>,
    context: &Context,
) -> Result<Found, CliError> {
    let provider = named
        .as_ref()
        .map_or(config.provider.clone(), |named| named.provider.clone());
    let own_key = main.is_none() || main == provider.as_deref();
    let settings = provider
        .as_ref()
        .and_then(|name| config.providers.get(name));
    let variable = |name: &str| {
        let direct = key::variable(name, config, context).map(str::to_owned);
        if name != "AITC_API_KEY" {
            return direct;
        }
        // The key of a provider that the user described stands in for it.
        direct.filter(|_| own_key).or_else(|| {
            let key = settings?.api_key_env.as_deref()?;
            key::variable(key, config, context).map(str::to_owned)
        })
    };
    let wish = wish(config, named, provider.as_deref(), context)?;
    let found = model::discover(&wish, &variable)
        .await
        .map_err(|fault| who::told(fault, context))?;
    key::tell(&found, config, context);
    Ok(found)
}

/// What flags and files ask for; variables are looked at by the search itself.
fn wish(
    config: &Config,
    named: Option<Choice>,
    provider: Option<&str>,
    context: &Context,
) -> Result<Wish, CliError> {
    let choice = |wanted: fn(&Origin) -> bool| Choice {
        provider: said(config, "provider", wanted),
        model: said(config, "model", wanted),
        base_url: said(config, "base_url", wanted),
    };
    let mut files = choice(|origin| matches!(origin, Origin::File { .. }));
    if let Some(name) = provider
        && let Some(settings) = config.providers.get(name)
    {
        // What the user wrote under a provider's name is meant for that one.
        files = Choice {
            provider: Some(name.to_owned()),
            model: files.model.or_else(|| settings.model.clone()),
            base_url: settings.base_url.clone(),
        };
    }
    let settings = provider.and_then(|name| config.providers.get(name));
    // An address without a name goes by that of everything compatible.
    let asked = provider.or_else(|| said(config, "base_url", |_| true).map(|_| "openai"));
    Ok(Wish {
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
        flag: named.unwrap_or_else(|| choice(|origin| matches!(origin, Origin::Flag(_)))),
        config: files,
        described: config.providers.clone(),
        ..Wish::default()
    })
}

/// The words of `AITC_COMMAND`, which is the program of the provider `command`.
fn own_command(config: &Config, provider: &str) -> Option<Vec<String>> {
    let line = said(config, "command", |_| true).filter(|_| provider == COMMAND)?;
    Some(line.split_whitespace().map(str::to_owned).collect())
}

/// A text setting whose origin is wanted.
pub(super) fn said(config: &Config, key: &str, wanted: fn(&Origin) -> bool) -> Option<String> {
    let setting = config.settings.get(key)?;
    match &setting.value {
        Value::Text(text) if wanted(&setting.origin) => Some(text.clone()),
        _ => None,
    }
}

/// What answers for `found`, connected to.
pub async fn connected(
    found: &Found,
    config: &Config,
    context: &Context,
) -> Result<Option<Arc<dyn ChatModel>>, CliError> {
    let mut models = Models::new();
    connect(found, None, config, context, &mut models).await?;
    Ok(models.remove(&found.provider))
}

/// The folder that agents may read by themselves, where members may look.
pub fn tree(depth: Depth, context: &Context) -> Option<String> {
    let looks = depth == Depth::Looks;
    looks.then(|| readable(&context.root)).flatten()
}

/// What the endpoint of `found` lists, reached the way the user's own file says; none
/// for what is no endpoint.
pub async fn listed(
    found: &Found,
    config: &Config,
    context: &Context,
) -> Result<Option<Listing>, CliError> {
    let Some(endpoint) = &found.endpoint else {
        return Ok(None);
    };
    let route = endpoint::route(&found.provider, config, context)?;
    Ok(Some(model::list(&found.provider, endpoint, &route).await?))
}

/// Adds what answers for `found`; a refused key is found here, before the first call. An
/// agent may read `tree` by itself unless the user says no, and it is told where nobody was asked.
pub(super) async fn connect(
    found: &Found,
    tree: Option<&str>,
    config: &Config,
    context: &Context,
    models: &mut Models,
) -> Result<(), CliError> {
    if models.contains_key(&found.provider) {
        return Ok(());
    }
    if found.provider == SCRIPTED {
        let script = script(config, context)?;
        models.insert(SCRIPTED.to_owned(), Arc::new(script));
        return Ok(());
    }
    let usual = ProviderSettings::default();
    let settings = config.providers.get(&found.provider).unwrap_or(&usual);
    let timeouts = endpoint::timeouts(settings);
    let route = endpoint::route(&found.provider, config, context)?;
    if let Some(endpoint) = &found.endpoint {
        let provider = found.provider.as_str();
        if let Some(status) = model::key_refusal(provider, endpoint, &route).await? {
            return Err(key::refused(provider, status, endpoint, config, context));
        }
        let reached = endpoint.reached(&found.provider, timeouts, route);
        let client = Remote::new(RemoteConfig {
            habits: endpoint::habits(settings),
            ..reached
        })?;
        let limited = RateLimited::new(Arc::new(client), endpoint::rate(settings));
        models.insert(found.provider.clone(), Arc::new(limited));
    }
    if let Some(program) = &found.program {
        let runner = CommandModel::new(&found.provider, program.clone(), timeouts);
        let runner = runner.map_err(|error| {
            let cause = said_by_system(&error);
            PROGRAM_FOLDER.with(&[("provider", &found.provider), ("cause", &cause)])
        })?;
        let tree = tree.filter(|_| settings.reads_workspace != Some(false));
        if let (Some(agent), Some(tree), None) = (program.agent, tree, settings.reads_workspace) {
            context.notice(&consent::told(agent, tree));
        }
        let runner = runner.reading(tree.map(str::to_owned));
        let runner = runner.in_copies_of(trials::of_agents(config, context));
        let in_copy = program.agent.and_then(|agent| agent.in_copy);
        let in_copy = in_copy.filter(|_| runner.works_in_copies());
        if let Some(lacking) = in_copy.and_then(|it| it.lacks(context.env.variable("PATH"))) {
            let values: [(&str, &dyn crate::fault::Value); 2] =
                [("provider", &found.provider), ("program", &lacking)];
            return Err(AGENT_SANDBOX.with(&values));
        }
        if let (Some(agent), Some(tree), true) = (program.agent, tree, runner.works_in_copies()) {
            context.notice(&consent::told_of_copies(agent, tree));
        }
        let limited = RateLimited::new(Arc::new(runner), endpoint::rate(settings));
        models.insert(found.provider.clone(), Arc::new(limited));
    }
    Ok(())
}

/// The recorded answers, if that is where a run's would come from, are there.
///
/// # Errors
/// No folder is named, or it holds no answers.
pub fn recordings(chosen: &Chosen, config: &Config, context: &Context) -> Result<bool, CliError> {
    if !chosen.all().any(|found| found.provider == SCRIPTED) {
        return Ok(false);
    }
    script(config, context)?;
    Ok(true)
}

/// The recorded answers.
///
/// # Errors
/// As [`recordings`].
pub fn script(config: &Config, context: &Context) -> Result<Scripted, CliError> {
    Scripted::load(&fixtures(config, context)?)
}

/// Where recorded answers are: a path of a file counts from the workspace.
fn fixtures(config: &Config, context: &Context) -> Result<PathBuf, CliError> {
    let setting = ["fixtures", "providers.scripted.fixtures"]
        .into_iter()
        .find_map(|key| config.settings.get(key));
    match setting.map(|setting| (&setting.value, &setting.origin)) {
        Some((Value::Text(folder), Origin::File { .. })) => Ok(context.root.join(folder)),
        Some((Value::Text(folder), _)) => Ok(context.path(Path::new(folder))),
        _ => Err(FIXTURES_MISSING.with(&[])),
    }
}

/// Takes out every known form of secret, and the keys this process could use.
pub fn redactor(config: &Config, context: &Context) -> Redactor {
    Redactor::new(
        key::names(config)
            .filter_map(|name| key::variable(name, config, context))
            .map(str::to_owned),
    )
}

/// What takes secrets out for a command that needs nothing else of the configuration: one that
/// cannot be read keeps nobody from speaking; it would only name further variables that hold
/// keys.
pub fn redactor_of(context: &Context) -> Redactor {
    let config = context.config(Layer::default());
    redactor(&config.unwrap_or_else(|_| Config::resolve(&[])), context)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn a_colon_belongs_to_the_model_unless_a_provider_stands_before_it() {
        for (text, expected) in [
            ("gpt-4.1", (None, "gpt-4.1")),
            ("llama3:8b", (None, "llama3:8b")),
            ("ollama:llama3:8b", (Some("ollama"), "llama3:8b")),
            ("hand", (Some("hand"), "anyone")),
            ("hand:claude-code", (Some("hand"), "claude-code")),
            ("scripted:fixtures", (Some("scripted"), "fixtures")),
            ("openai:", (None, "openai:")),
        ] {
            assert_eq!(split(text), expected, "{text}");
        }
    }
}
