//! Which models a run uses, and how they are reached.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::discovery::{find, split};
use super::run_flags::{Order, Play};
use super::{CliError, Context, Exit, consent, embeddings, endpoint, key, recording, trials};
use crate::config::{Config, ConfigError, Origin, ProviderSettings, Value};
use crate::edge::model::providers::{self, SCRIPTED};
use crate::edge::model::{
    self, ChatModel, Choice, CommandModel, EmbeddingModel, FoundModel, Listing, Models,
    RateLimited, Remote, RemoteConfig, Scripted, SlowReplay,
};
use crate::fault::models::{AGENT_SANDBOX, FIXTURES_MISSING, PROGRAM_FOLDER};
use crate::fault::settings::ROLE_UNKNOWN;
use crate::fault::{Fault, Tell as _, nearest, said_by_system, texts, values};
use crate::machine::similarity::SimilarityChoice;
use crate::machine::{Depth, Inputs, ModelChoice};
use crate::role::RoleSpec;

texts! {
    IS_SENT: "{away} is sent the requirement, the discussion, and lines of this workspace that fit or that members look at, without what looks like a secret (--grounding off sends none of the files)", "会向 {away} 发送需求、讨论，以及工作区中相关或成员查看的内容，疑似机密除外（用 --grounding off 不发送任何文件）";
}

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
    /// Whether one of the models runs on this machine. Its context is small until known.
    pub is_local: bool,
}

/// The models of a new run, found and not yet asked for anything.
pub struct Chosen {
    /// That of everybody who has none of their own.
    pub main: FoundModel,
    /// Those of roles by name or code as the user wrote it; with the main model's
    /// endpoint where only a model was named.
    pub roles: BTreeMap<String, FoundModel>,
}

impl Chosen {
    /// That of everybody and those of roles.
    pub fn all(&self) -> impl Iterator<Item = &FoundModel> {
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
            (None, model) => FoundModel {
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
        Some(play) => players(play),
        None => {
            search(
                &order.config,
                order.flags.seed.or(order.config.seed),
                context,
            )
            .await?
        }
    };
    team.models = recording::recorded(team.models, order, true, context)?;
    Ok(team)
}

/// Finds the models of a new run and connects to them.
async fn search(config: &Config, seed: Option<u64>, context: &Context) -> Result<Team, CliError> {
    let choice = |found: &FoundModel| ModelChoice {
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
    let tree = consent::tree(config.grounding.depth, context);
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
    let is_away = |found: &&FoundModel| {
        let endpoint = found.endpoint.as_ref();
        endpoint.is_some_and(|one| !model::is_on_this_machine(&one.base_url))
    };
    let away = chosen.all().filter(is_away);
    let away = away.map(|found| format!("`{}`", found.provider));
    let away: BTreeSet<String> = away.collect();
    if !away.is_empty() {
        let away = away.into_iter().collect::<Vec<_>>().join(", ");
        context.notice(&IS_SENT.fill(values![away]));
    }
}

/// Returns whether the provider is reached at another address than its usual one.
pub(super) fn has_own_address(found: &FoundModel) -> bool {
    found.endpoint.as_ref().is_some_and(|endpoint| {
        let usual = providers::usual_address(&found.provider);
        usual.as_deref() != Some(endpoint.base_url.trim_end_matches('/'))
    })
}

/// Returns whether all providers that a run was begun with are among these.
pub fn covers(models: &Models, inputs: &Inputs) -> bool {
    std::iter::once(&inputs.model)
        .chain(inputs.role_models.values())
        .filter(|choice| !choice.is_by_hand())
        .all(|choice| models.contains_key(&choice.provider))
}

/// What answers for `found`, connected to.
pub async fn connected(
    found: &FoundModel,
    config: &Config,
    context: &Context,
) -> Result<Option<Arc<dyn ChatModel>>, CliError> {
    let mut models = Models::new();
    connect(found, None, config, context, &mut models).await?;
    Ok(models.remove(&found.provider))
}

/// What the endpoint of `found` lists, reached the way the user's own file says; none
/// for what is no endpoint.
pub async fn listed(
    found: &FoundModel,
    config: &Config,
    context: &Context,
) -> Result<Option<Listing>, CliError> {
    let Some(endpoint) = &found.endpoint else {
        return Ok(None);
    };
    let route = endpoint::route(&found.provider, config, context)?;
    Ok(Some(model::list(&found.provider, endpoint, &route).await?))
}

/// Adds a client for `found`; a refused key is found here, before the first call. An agent may read
/// `tree` by itself unless the user says no; if nobody was asked, a notice says so.
pub(super) async fn connect(
    found: &FoundModel,
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
        // Whatever else it says than that it refuses the key is for the first call to find out.
        if let Listing::Refused(status) = model::list(provider, endpoint, &route).await? {
            let status = status.as_u16();
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
            PROGRAM_FOLDER.with(values![provider = found.provider, cause])
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
            let values = values![provider = found.provider, program = lacking];
            return Err(AGENT_SANDBOX.with(values));
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

/// A team that says what a script says; nobody is looked for.
pub fn players(play: &Play) -> Team {
    let model = ModelChoice {
        provider: SCRIPTED.to_owned(),
        model: "demo".to_owned(),
        temperature: None,
        seed: None,
        price: None,
    };
    let mut script: Arc<dyn ChatModel> = Arc::clone(&play.script) as _;
    if let Some(takes) = play.aloud {
        script = Arc::new(SlowReplay::new(script, takes));
    }
    Team {
        model,
        role_models: BTreeMap::new(),
        models: Models::from([(SCRIPTED.to_owned(), script)]),
        similarity: SimilarityChoice::default(),
        embeddings: None,
        own_addresses: Default::default(),
        is_local: false,
    }
}

/// Something is set for a role that is none of these, in this table of the configuration.
pub fn no_such_role(name: &str, members: &[RoleSpec], table: &str, config: &Config) -> CliError {
    let codes: Vec<_> = members.iter().map(|role| role.code.as_str()).collect();
    let names = codes.join(", ");
    let fault = ROLE_UNKNOWN.with(values![name, names]);
    let fault = fault.ending(Exit::Usage).meaning(nearest(name, codes));
    placed(fault, &format!("{table}.{name}"), config)
}

/// A fault about a role that a setting names, with the place of the setting; as it is where
/// a flag names it, or where it is about something else.
pub fn placed(fault: Fault, key: &str, config: &Config) -> Fault {
    match config.settings.get(key).map(|setting| &setting.origin) {
        Some(origin) if fault.code == ROLE_UNKNOWN.code && !matches!(origin, Origin::Flag(_)) => {
            let fault = ConfigError {
                origin: origin.clone(),
                fault: fault.ending(Exit::Config),
            };
            fault.told()
        }
        _ => fault,
    }
}
