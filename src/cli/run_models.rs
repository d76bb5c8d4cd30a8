//! Which models a run uses, and how they are reached.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::discovery::{find, split};
use super::order::{Order, Playback};
use super::run_flags::ModelFlags;
use super::{Context, Exit, Fault, consent, endpoint, hints, key, trials};
use crate::chat::{ChatRequest, ChatResponse};
use crate::config::{Config, Origin, ProviderSettings};
use crate::edge::model::embeddings::PATIENCE;
use crate::edge::model::providers::{self, SCRIPTED};
use crate::edge::model::{
    self, Answering, CallFailure, ChatModel, Choice, CommandModel, Dialect, EmbeddingModel,
    Embeddings, FoundModel, Listener, Listing, Models, RateLimited, Remote, RemoteConfig, Scripted,
    SlowReplay, Timeouts, scripted,
};
use crate::fault::line::RECORD_NOTHING;
use crate::fault::models::{
    ADDRESS_IN_VAIN, ADDRESS_NEEDED, AGENT_SANDBOX, FIXTURES_MISSING, PROGRAM_FOLDER,
    PROGRAM_NOT_CHOSEN, ROLE_ADDRESS_NEEDED,
};
use crate::fault::settings::{ROLE_UNKNOWN, ROLES_NONE, SIMILARITY_ENDPOINT, SIMILARITY_HALF};
use crate::fault::{Text, nearest, said_by_system, texts, values};
use crate::machine::similarity::SimilarityChoice;
use crate::machine::{Depth, FailureKind, Inputs, ModelChoice, NewModels};
use crate::redact::Redactor;
use crate::role::RoleSpec;

texts! {
    IS_SENT: "sent to {away}: the requirement, the discussion, and lines of this workspace that match or that members look at; what looks like a secret is removed (--grounding off sends no files)", "将发送给 {away}：需求、讨论，以及工作区中相关的行和成员查看的内容；疑似机密的内容会去掉（--grounding off 不发送任何文件内容）";
    GOES_ON: "the run continues with model {model} of {provider}", "运行继续，使用 {provider} 的模型 {model}";
    WITHOUT: "similarity is measured without its endpoint: {why}", "相似度不经接口计算：{why}";
    AMONG: "{folder} holds {n} recorded answers already; those of this run come among them, and a replay may use both: name an empty folder to keep them apart", "{folder} 中已有 {n} 个已录制的回答；这次运行的回答会和它们混在一起，回放时两者都可能用到；要分开，请指定空目录";
}

/// The models and endpoints that answer the calls of a run.
#[derive(Clone)]
pub struct RunModels {
    /// Model of all roles without one of their own.
    pub model: ModelChoice,
    /// Models by role, as the user named the role.
    pub role_models: BTreeMap<String, ModelChoice>,
    /// Their clients.
    pub clients: Models,
    /// How similarity is measured.
    pub similarity: SimilarityChoice,
    /// The endpoint for it, if one is used.
    pub embeddings: Option<Arc<dyn EmbeddingModel>>,
    /// Providers that are reached at another address than their usual one.
    pub own_addresses: BTreeSet<String>,
    /// Whether one of the models runs on this machine. Its context is small until known.
    pub is_local: bool,
}

/// The models found for a new run, not connected yet.
pub struct FoundModels {
    /// Model of all roles without one of their own.
    pub main: FoundModel,
    /// Models of roles, by name or code as the user wrote it; with the main model's endpoint if
    /// only a model was named.
    pub roles: BTreeMap<String, FoundModel>,
}

impl FoundModels {
    /// Returns the main model and those of roles.
    pub fn all(&self) -> impl Iterator<Item = &FoundModel> {
        std::iter::once(&self.main).chain(self.roles.values())
    }
}

/// Finds the models of a new run.
pub async fn find_models(config: &Config, context: &Context) -> Result<FoundModels, Fault> {
    let main = find(config, None, None, context).await?;
    let mut roles = BTreeMap::new();
    for (role, text) in &config.role_models {
        let own = match split(text, config) {
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
    Ok(FoundModels { main, roles })
}

/// Returns the models of a new run: a script, or the models that are found.
pub async fn for_new_run(order: &Order, context: &Context) -> Result<RunModels, Fault> {
    let mut found = match &order.play {
        Some(play) => players(play),
        None => search(&order.config, context).await?,
    };
    found.clients = recorded(found.clients, order, true, context)?;
    Ok(found)
}

/// Finds the models of a new run and connects to them.
async fn search(config: &Config, context: &Context) -> Result<RunModels, Fault> {
    let choice = |found: &FoundModel| ModelChoice {
        provider: found.provider.clone(),
        model: found.model.clone(),
        temperature: config.temperature,
        seed: config.seed,
        price: endpoint::price(config, &found.provider, &found.model),
    };
    let chosen = find_models(config, context).await?;
    context.notice(&chosen.main.why);
    if config.rules.grounding.depth != Depth::Off {
        tell_what_is_sent(&chosen, context);
    }
    let mut models = Models::new();
    let tree = consent::tree(config.rules.grounding.depth, context);
    for found in chosen.all() {
        connect(found, tree.as_deref(), config, context, &mut models).await?;
    }
    let FoundModels { main, roles } = &chosen;
    let similarity = config.rules.similarity.clone();
    let embeddings = embeddings(config, &similarity, Some(&main.provider), context).await?;
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
        &config.rules.limits,
        std::iter::once(&everybody).chain(role_models.values()),
    )?;
    Ok(RunModels {
        model: everybody,
        role_models,
        clients: models,
        similarity,
        embeddings,
        own_addresses,
        is_local,
    })
}

/// Prints a notice on what leaves this machine, and to whom.
fn tell_what_is_sent(chosen: &FoundModels, context: &Context) {
    let is_away = |found: &&FoundModel| {
        let endpoint = found.endpoint.as_ref();
        endpoint.is_some_and(|one| !model::is_on_this_machine(&one.base_url))
    };
    let away = chosen.all().filter(is_away);
    let away = away.map(|found| format!("`{}`", found.provider));
    let away: BTreeSet<String> = away.collect();
    if !away.is_empty() {
        let away = Text::COMMA.join(&away.into_iter().collect::<Vec<_>>());
        context.notice(&IS_SENT.fill(values![away]));
    }
}

/// Returns whether the provider has another address than its usual one.
pub(super) fn has_own_address(found: &FoundModel) -> bool {
    found.endpoint.as_ref().is_some_and(|endpoint| {
        let usual = providers::usual_address(&found.provider);
        usual.as_deref() != Some(endpoint.base_url.trim_end_matches('/'))
    })
}

/// Returns whether these include all providers with which a run was started.
pub fn covers(models: &Models, inputs: &Inputs) -> bool {
    std::iter::once(&inputs.model)
        .chain(inputs.role_models.values())
        .filter(|choice| !choice.is_by_hand())
        .all(|choice| models.contains_key(&choice.provider))
}

/// Returns the client for `found`.
pub async fn connected(
    found: &FoundModel,
    config: &Config,
    context: &Context,
) -> Result<Option<Arc<dyn ChatModel>>, Fault> {
    let mut models = Models::new();
    connect(found, None, config, context, &mut models).await?;
    Ok(models.remove(&found.provider))
}

/// Returns the list of models of the endpoint of `found`, requested with the user's settings;
/// `None` if it is no endpoint.
pub async fn list_models(
    found: &FoundModel,
    config: &Config,
    context: &Context,
) -> Result<Option<Listing>, Fault> {
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
) -> Result<(), Fault> {
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
        // Any other answer than a refused key is left to the first call.
        if let Listing::Refused(status) = model::list(provider, endpoint, &route).await? {
            return Err(endpoint.refused(provider, status));
        }
        let reached = endpoint.reached(&found.provider, timeouts, route);
        let client = Remote::new(RemoteConfig {
            habits: settings.clone(),
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
            let places = values![title = agent.title, folder = tree];
            context.notice(&consent::TOLD.fill(places));
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
            let places = values![title = agent.title, folder = tree];
            context.notice(&consent::COPIES.fill(places));
        }
        let limited = RateLimited::new(Arc::new(runner), endpoint::rate(settings));
        models.insert(found.provider.clone(), Arc::new(limited));
    }
    Ok(())
}

/// Returns whether the run uses recorded answers, after checking that they exist.
///
/// # Errors
/// No folder is named, or it contains no answers.
pub fn recordings(chosen: &FoundModels, config: &Config, context: &Context) -> Result<bool, Fault> {
    if !chosen.all().any(|found| found.provider == SCRIPTED) {
        return Ok(false);
    }
    script(config, context)?;
    Ok(true)
}

/// Loads the recorded answers.
///
/// # Errors
/// As [`recordings`].
pub fn script(config: &Config, context: &Context) -> Result<Scripted, Fault> {
    Scripted::load(&fixtures(config, context)?)
}

/// Returns the folder of recorded answers: a path in a file is relative to the workspace.
fn fixtures(config: &Config, context: &Context) -> Result<PathBuf, Fault> {
    let setting = ["fixtures", "providers.scripted.fixtures"]
        .into_iter()
        .find_map(|key| config.settings.get(key));
    match setting.and_then(|setting| Some((setting.value.as_str()?, &setting.origin))) {
        Some((folder, Origin::File { .. })) => Ok(context.root.join(folder)),
        Some((folder, _)) => Ok(context.path(Path::new(folder))),
        None => Err(FIXTURES_MISSING.with(&[])),
    }
}

/// Returns models that answer from a script, without a search for a model.
pub fn players(play: &Playback) -> RunModels {
    let model = ModelChoice {
        provider: SCRIPTED.to_owned(),
        model: "demo".to_owned(),
        temperature: None,
        seed: None,
        price: None,
    };
    let mut script: Arc<dyn ChatModel> = Arc::clone(&play.script) as _;
    if let Some(takes) = play.delay {
        script = Arc::new(SlowReplay::new(script, takes));
    }
    RunModels {
        model,
        role_models: BTreeMap::new(),
        clients: Models::from([(SCRIPTED.to_owned(), script)]),
        similarity: SimilarityChoice::default(),
        embeddings: None,
        own_addresses: Default::default(),
        is_local: false,
    }
}

/// Returns the error that this table of the configuration names a role that is none of these.
pub fn no_such_role(name: &str, members: &[RoleSpec], table: &str, config: &Config) -> Fault {
    let codes: Vec<_> = members.iter().map(|role| role.code.as_str()).collect();
    let names = Text::COMMA.join(&codes);
    let fault = ROLE_UNKNOWN.with(values![name, names]);
    let fault = fault.ending(Exit::Usage).meaning(nearest(name, codes));
    placed(fault, &format!("{table}.{name}"), config)
}

/// Adds the place of the setting to a fault about a role that a setting names; of a flag, the exit
/// code says that the command line is wrong. A fault about something else is unchanged.
pub fn placed(fault: Fault, key: &str, config: &Config) -> Fault {
    match config.settings.get(key).map(|setting| &setting.origin) {
        Some(Origin::Flag { .. }) if [ROLE_UNKNOWN.code, ROLES_NONE.code].contains(&fault.code) => {
            fault.ending(Exit::Usage)
        }
        Some(origin) if fault.code == ROLE_UNKNOWN.code => origin.wrong(fault.ending(Exit::Config)),
        _ => fault,
    }
}

/// Returns the models of a run changed by `--provider` and `--model`; `None` if that changes
/// nothing. A role with a model of its own keeps it unless it is named.
///
/// # Errors
/// There is no such provider or role, no model or key for it, or no price although there is a
/// budget of money.
pub async fn chosen_instead(
    wanted: &ModelFlags,
    config: &Config,
    inputs: &Inputs,
    context: &Context,
) -> Result<Option<NewModels>, Fault> {
    let flag_url = config.text("base_url", Origin::is_flag);
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
        let (provider, model) = split(text.trim(), config);
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
    endpoint::priced(&inputs.rules.limits, all())?;
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

/// Returns a choice of another model than `before`, with the same temperature and seed.
fn choice(provider: &str, model: &str, before: &ModelChoice, config: &Config) -> ModelChoice {
    ModelChoice {
        provider: provider.to_owned(),
        model: model.to_owned(),
        price: endpoint::price(config, provider, model),
        ..before.clone()
    }
}

/// Connects the recorded providers and models of a resumed run, whatever is configured now.
pub async fn models_again(
    order: &Order,
    inputs: &Inputs,
    context: &Context,
) -> Result<Models, Fault> {
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
    let tree = consent::tree(inputs.rules.grounding.depth, context);
    let flag_url = config.text("base_url", Origin::is_flag);
    if inputs.model.is_by_hand() && flag_url.is_some() {
        return Err(ADDRESS_IN_VAIN.with(values![provider = main]));
    }
    chosen_here(config, inputs)?;
    for choice in std::iter::once(&inputs.model).chain(inputs.role_models.values()) {
        if choice.is_by_hand() || models.contains_key(&choice.provider) {
            continue;
        }
        let named = Choice {
            base_url: flag_url.clone().filter(|_| choice.provider == main),
            ..Choice::of(&choice.provider, &choice.model)
        };
        let found = find(config, Some(named), Some(main), context).await?;
        if choice.provider == main {
            let who = [("model", &found.model), ("provider", &found.provider)];
            context.notice(&GOES_ON.fill(&who.map(|(name, text)| (name, text as _))));
        }
        connect(&found, tree.as_deref(), config, context, &mut models).await?;
    }
    recorded(models, order, false, context)
}

/// Returns whether any setting names an address for this provider, as discovery reads it. A flag is
/// for the run's main provider; a variable or file for another provider does not count.
fn is_addressed(config: &Config, provider: &str, is_main: bool, context: &Context) -> bool {
    let variable = |name: &str| {
        let set = context.env.variable(name);
        set.filter(|value| !value.trim().is_empty())
    };
    let meant_for = variable("AITC_PROVIDER").unwrap_or("openai");
    let described = config.providers.get(provider);
    (is_main && config.text("base_url", Origin::is_flag).is_some())
        || (variable("AITC_BASE_URL").is_some() && meant_for == provider)
        || described.is_some_and(|settings| settings.base_url.is_some())
        || providers::address_variable(provider).is_some_and(|name| variable(name).is_some())
}

/// Checks that the user also named the programs that a draft names: the draft may have come with a
/// clone. A description of a program does not choose it, as for a project's file. The fix names all
/// that are missing.
fn chosen_here(config: &Config, inputs: &Inputs) -> Result<(), Fault> {
    let is_missing = |choice: &&ModelChoice| {
        let provider = choice.provider.as_str();
        let mut of_roles = config.role_models.values();
        !choice.is_by_hand()
            && endpoint::is_program(config, provider)
            && config.provider.as_deref() != Some(provider)
            && !of_roles.any(|text| split(text, config).0 == Some(provider))
    };
    let main = Some(&inputs.model).filter(is_missing);
    let of_roles = inputs.role_models.iter();
    let of_roles: Vec<_> = of_roles.filter(|(_, choice)| is_missing(choice)).collect();
    let Some(first) = main.or(of_roles.first().map(|(_, choice)| *choice)) else {
        return Ok(());
    };
    let provider = &first.provider;
    let main = main.map(|choice| format!(" --provider {}", hints::word(&choice.provider)));
    let of_roles = of_roles.iter().map(|(role, choice)| {
        let model = format!("{role}={}:{}", choice.provider, choice.model);
        format!(" --model {}", hints::word(&model))
    });
    let flags: String = main.into_iter().chain(of_roles).collect();
    let fault = PROGRAM_NOT_CHOSEN.with(values![provider]);
    Err(fault.fixed_by(format!("aitc resume{flags}")))
}

/// Connects the configured embeddings endpoint; it is an error if it cannot be used.
async fn embeddings(
    config: &Config,
    similarity: &SimilarityChoice,
    main: Option<&str>,
    context: &Context,
) -> Result<Option<Arc<dyn EmbeddingModel>>, Fault> {
    let (provider, model) = match (&similarity.provider, &similarity.model) {
        (None, None) => return Ok(None),
        (Some(provider), Some(model)) => (provider, model),
        _ => {
            return Err(SIMILARITY_HALF.with(&[]));
        }
    };
    let named = Choice {
        provider: Some(provider.clone()),
        model: Some(model.clone()),
        base_url: config
            .text("base_url", Origin::is_flag)
            .filter(|_| main == Some(provider)),
    };
    let found = find(config, Some(named), main, context).await?;
    let usual = ProviderSettings::default();
    let settings = config.providers.get(&found.provider).unwrap_or(&usual);
    let timeouts = Timeouts {
        call: settings.timeout_ms.map_or(PATIENCE, Duration::from_millis),
        ..endpoint::timeouts(settings)
    };
    let route = endpoint::route(&found.provider, config, context)?;
    let speaks =
        |config: &RemoteConfig| matches!(config.dialect, Dialect::OpenAi | Dialect::Ollama);
    let reached = found.endpoint.as_ref();
    let reached = reached.map(|one| one.reached(&found.provider, timeouts, route));
    let Some(reached) = reached.filter(speaks) else {
        return Err(SIMILARITY_ENDPOINT.with(values![provider]));
    };
    let client = Embeddings::new(&reached, &found.model)?;
    Ok(Some(Arc::new(client)))
}

/// Connects the embeddings endpoint of a resumed run; if it is gone, the run measures without it,
/// on record.
pub async fn embeddings_again(
    config: &Config,
    inputs: &Inputs,
    context: &Context,
) -> Option<Arc<dyn EmbeddingModel>> {
    let main = Some(inputs.model.provider.as_str());
    match embeddings(config, &inputs.rules.similarity, main, context).await {
        Ok(embeddings) => embeddings,
        Err(error) => {
            context.notice(&WITHOUT.fill(values![why = error.what()]));
            None
        }
    }
}

/// Records the answers of every model for `scripted`, if `--record` is given; `begins` if the run
/// is new.
///
/// # Errors
/// The run asks no model, so there is nothing to record, or the folder cannot be written.
pub fn recorded(
    models: Models,
    order: &Order,
    begins: bool,
    context: &Context,
) -> Result<Models, Fault> {
    let Some(folder) = &order.flags.record else {
        return Ok(models);
    };
    if models.is_empty() {
        return Err(RECORD_NOTHING.with(&[]));
    }
    let folder = context.path(folder);
    let already = scripted::prepare(&folder)?;
    // A resumed run continues its own recording.
    if begins && already > 0 {
        context.notice(&AMONG.fill(values![folder = folder.display(), n = already]));
    }
    let redactor = Arc::new(key::redactor(&order.config, context));
    let record = |inner| -> Arc<dyn ChatModel> {
        Arc::new(Recorder {
            inner,
            folder: folder.clone(),
            redactor: Arc::clone(&redactor),
        })
    };
    Ok(models
        .into_iter()
        .map(|(name, model)| (name, record(model)))
        .collect())
}

struct Recorder {
    inner: Arc<dyn ChatModel>,
    folder: PathBuf,
    redactor: Arc<Redactor>,
}

impl ChatModel for Recorder {
    fn chat_streaming<'a>(
        &'a self,
        request: &'a ChatRequest,
        listener: &'a dyn Listener,
    ) -> Answering<'a> {
        Box::pin(async move {
            let response = self.inner.chat_streaming(request, listener).await?;
            let shown = ChatResponse {
                text: self.redactor.redact(&response.text),
                reasoning: None,
                ..response.clone()
            };
            // An incomplete recording would be useless, so the run stops.
            let recorded = scripted::record(&self.folder, &request.call, &shown);
            recorded.map_err(|error| {
                CallFailure::new(FailureKind::Refused, false, error.to_string())
            })?;
            Ok(response)
        })
    }
}
