//! From an order to a run: assets, models, draft, driver, and the report at its end.

use std::collections::BTreeMap;

use tokio::sync::watch;

use super::drift::accepted_drift;
use super::interrupt::run_until_interrupted;
use super::order::{self, Order, RunTask};
use super::outcome::report_outcome;
use super::run_context::{RunContext, survey};
use super::run_flags::{ModelFlags, RunFlags};
use super::run_models::{self, RunModels, no_such_role, placed};
use super::run_subject::{RunSubject, about, user_input};
use super::{
    Context, Exit, Fault, consent, endpoint, hints, key, provider_choice, questions, rehearse,
    trials, verify, versions,
};
use crate::chat::ChatRequest;
use crate::config::Config;
use crate::driver::{Outcome, Session, first_prompts};
use crate::edge::assets;
use crate::edge::clock::SystemClock;
use crate::edge::git;
use crate::edge::lock::RunLock;
use crate::edge::ports::Observer;
use crate::edge::store::Outputs;
use crate::fault::line::INTERNAL;
use crate::fault::plans::VERSION_TWICE;
use crate::fault::{texts, values};
use crate::machine::SCRIPTED;
use crate::machine::{Event, Inputs, Lang, Limits, Survey, Version};

const TOOL: &str = env!("CARGO_PKG_VERSION");

/// Minutes of discussion if a program or a person answers and no limit was set.
const MINUTES_OF_THE_SLOW: u32 = 120;

/// Maximum answer of a model on this machine, in tokens: half of a context of 8,000.
const ANSWER_OF_THE_SMALL: u64 = 4096;

/// Tokens of the discussion in prompts of such a model that writes a document.
const DISCUSSION_OF_THE_SMALL: u64 = 2500;

texts! {
    TORN: "a torn line of {bytes} bytes was cut and kept in {kept}", "切下了没有写完的一行（{bytes} 字节），另存于 {kept}";
    LOCKLESS: "this file system has no locks: do not continue the same draft elsewhere while this run goes on", "此文件系统不支持锁：这次运行结束之前，请不要在别处继续同一份草稿";
    STAYS: "the page is there until you press Ctrl-C", "按 Ctrl-C 之前页面一直可用";
}

type Interrupt = watch::Receiver<Option<i32>>;

/// Starts a run with the flags of `plan` and `revise`.
pub fn start(work: RunTask, flags: &RunFlags, context: &Context) -> Result<Exit, Fault> {
    let order = order::order(work, flags, context)?;
    run_until_interrupted(|interrupt| run_and_report(order, context, interrupt))
}

/// Runs the workshop of `order` and prints the path of its version.
pub async fn run_and_report(
    mut order: Order,
    context: &Context,
    mut interrupt: Interrupt,
) -> Result<Exit, Fault> {
    let mut until = interrupt.clone();
    let attempt = async |order: &Order| match order.flags.dry_run {
        true => rehearse(order, context).await.map(Err),
        false => {
            let run = run(order, RunResources::default(), context, until.clone());
            run.await.map(Ok)
        }
    };
    let begun = with_a_model(&mut order, context, &mut interrupt, attempt).await?;
    match begun.flatten() {
        Err(exit) => Ok(exit),
        Ok((version, outcome)) => {
            let lang = context.lang(Some(&order.config));
            let exit = report_outcome(outcome, version, &order, context, lang)?;
            if order.flags.page.is_some() && context.somebody_there() {
                context.notice(&STAYS.into());
                // After an interrupt there is no wait.
                let _ = until.wait_for(Option::is_some).await;
            }
            Ok(exit)
        }
    }
}

/// Does what needs models, after asking about agents; if there is no model, asks who answers, and
/// starts again. Returns the exit code in its place if the user interrupts.
///
/// # Errors
/// As `work`, [`consent::ask`] and [`provider_choice::ask`].
pub async fn with_a_model<T>(
    order: &mut Order,
    context: &Context,
    interrupt: &mut Interrupt,
    work: impl AsyncFn(&Order) -> Result<T, Fault>,
) -> Result<Result<T, Exit>, Fault> {
    loop {
        if let Some(exit) = consent::ask(order, context, interrupt).await? {
            return Ok(Err(exit));
        }
        let none = match work(order).await {
            Ok(done) => return Ok(Ok(done)),
            Err(fault) => fault,
        };
        // In a chat the next line asks again: an address may be mistyped.
        context.kept().provider = None;
        // Nothing is on disk yet.
        if let Some(exit) = provider_choice::ask(none, order, context, interrupt).await? {
            return Ok(Err(exit));
        }
    }
}

/// What a run is given instead of finding or creating it itself: the runs of a batch share their
/// models, and each has its own observer.
#[derive(Default)]
pub struct RunResources {
    /// Models of new runs, and of resumed ones whose providers are among them.
    pub models: Option<RunModels>,
    /// The observer.
    pub observer: Option<Box<dyn Observer>>,
}

/// Runs the workshop of `order` without reporting how it ended, or why this process left it;
/// returns its version too.
pub async fn run(
    order: &Order,
    given: RunResources,
    context: &Context,
    interrupt: Interrupt,
) -> Result<(Version, Outcome), Fault> {
    let ended = match order.work {
        RunTask::Resumption {
            version,
            accept_drift,
            ref instead,
        } => {
            let found = unfinished(version, context)?;
            let version = found.version;
            resume(
                order,
                found,
                (accept_drift, instead),
                given,
                context,
                interrupt,
            )
            .await
            .map(|outcome| (version, outcome))
            .map_err(|fault| fault.put(|text| hints::at_address(text, &order.config)))
            .map_err(|fault| fault.put(|text| hints::for_run(text, version, context)))
        }
        RunTask::New { .. } | RunTask::Revision { .. } => {
            begin(order, given, context, interrupt).await
        }
    };
    if let Ok((_, Outcome::Published { state, .. })) = &ended {
        trials::forget(&state.run.id, context);
    }
    ended
}

async fn resume(
    order: &Order,
    found: versions::FoundVersion,
    (accept_drift, instead): (bool, &ModelFlags),
    given: RunResources,
    context: &Context,
    interrupt: Interrupt,
) -> Result<Outcome, Fault> {
    let number = found.version.number;
    let outputs = versions::outputs(found.version, context);
    let _lock = lock(&outputs, number, context)?;
    let opened =
        versions::read(found.clone(), context).map_err(|fault| verify::offered(fault, &found))?;
    // Checked before any call: paid work must have a place to go.
    if outputs.versions()?.contains(&number) {
        let path = versions::display_path(&found.folder, context);
        return Err(VERSION_TWICE.with(values![n = found.version, path]));
    }
    if versions::is_unsaved(&found) && !context.saves_later(found.version) {
        return publish(opened, context);
    }
    let order = &trials::with_kept(order, &opened.state.run.id, context);
    let drift = accepted_drift(&opened.state, accept_drift, context)?;
    let mut inputs = opened.state.inputs.clone();
    let new_models = run_models::chosen_instead(instead, &order.config, &inputs, context).await?;
    if let Some(new) = &new_models {
        new.apply(&mut inputs)
            .map_err(|illegal| INTERNAL.with(values![what = illegal]))?;
    }
    let inputs = &inputs;
    let models = match given
        .models
        .filter(|given| run_models::covers(&given.clients, inputs))
        .filter(|given| inputs.own_addresses.is_subset(&given.own_addresses))
    {
        Some(given) => given.clients,
        None => run_models::models_again(order, inputs, context).await?,
    };
    let embeddings = run_models::embeddings_again(&order.config, inputs, context).await;
    let ready = questions::filled_in(&found.folder, &opened.state, context)?;
    let draft = outputs.open_draft(number)?;
    let clock = SystemClock::new();
    let mut edge = RunContext::new(
        order,
        (found.version, &found.folder),
        ready,
        given.observer,
        context,
    );
    let mut ports = edge.ports(&clock, &models, embeddings.as_deref(), interrupt);
    let fs = versions::file_system();
    let (session, torn) = Session::resume(fs, draft, TOOL, (drift, new_models), &ports)?;
    if let Some(torn) = torn {
        let kept = torn
            .kept
            .map(|kept| versions::display_path(&kept, context))
            .unwrap_or_default();
        ports
            .observer
            .notice(&TORN.fill(values![bytes = torn.bytes, kept]));
    }
    session.run(&mut ports).await
}

/// Publishes a conversation that is complete and not saved.
///
/// # Errors
/// Its run is held by another process, or it cannot be published.
pub fn save(version: Version, context: &Context) -> Result<Outcome, Fault> {
    let _lock = RunLock::acquire(&versions::lock_path(version, context))?;
    publish(versions::open(Some(version), context)?, context)
}

/// The same, for a caller that has its lock.
fn publish(opened: versions::Opened, context: &Context) -> Result<Outcome, Fault> {
    let outputs = versions::outputs(opened.version, context);
    let draft = outputs.open_draft(opened.version.number)?;
    let (path, unsynced) = draft.publish(&opened.head)?;
    if let Some(error) = unsynced {
        return Err(error);
    }
    let stop = opened.state.ending.stop.as_ref().map(|stop| stop.reason);
    Ok(Outcome::Published {
        path,
        stop: stop.ok_or_else(|| INTERNAL.with(values![what = "a complete run has no end"]))?,
        state: Box::new(opened.state),
    })
}

/// What a run begins with; nothing of it is on disk.
struct PreparedRun {
    /// The version whose folder and numbers the run shares.
    counted: Version,
    models: RunModels,
    inputs: Inputs,
    /// The first event; its version's number is still to be set.
    first: Event,
    /// The first prompt of every member.
    requests: Vec<ChatRequest>,
}

/// Starts a run. Every error that can be found without a model is found before anything is on disk.
async fn begin(
    order: &Order,
    given: RunResources,
    context: &Context,
    interrupt: Interrupt,
) -> Result<(Version, Outcome), Fault> {
    // What only the start needs is dropped before the run, because a batch may have a thousand runs
    // at a time.
    let PreparedRun {
        counted,
        models,
        mut first,
        ..
    } = prepare(order, given.models, context).await?;
    let outputs = versions::outputs(counted, context);
    let draft = outputs.reserve()?;
    let (number, folder) = (draft.version(), draft.dir().to_owned());
    let version = counted.sibling(number);
    let _lock = lock(&outputs, number, context)?;
    let clock = SystemClock::new();
    let mut edge = RunContext::new(
        order,
        (version, &folder),
        Vec::new(),
        given.observer,
        context,
    );
    let mut ports = edge.ports(
        &clock,
        &models.clients,
        models.embeddings.as_deref(),
        interrupt,
    );
    if let Event::UserInput { run_id, inputs, .. } = &mut first {
        inputs.version = number;
        trials::save_choice(order, run_id, context);
    }
    let held = async {
        let fs = versions::file_system();
        let session = Session::begin(fs, draft, first, &ports)?;
        if let Some(page) = order.flags.page {
            let told = page(version, context).await?;
            ports.observer.notice(&told);
        }
        session.run(&mut ports).await
    }
    .await;
    if held.is_err() {
        versions::discard_if_empty(&folder, context);
    }
    held.map(|outcome| (version, outcome))
        .map_err(|fault| fault.put(|text| hints::for_run(text, version, context)))
}

async fn prepare(
    order: &Order,
    models: Option<RunModels>,
    context: &Context,
) -> Result<PreparedRun, Fault> {
    let config = &order.config;
    let about = about(&order.work, context)?;
    let counted = numbered_like(&about, order);
    let doc_lang = config.doc_lang.unwrap_or(about.lang);
    let assets = assets::load(&context.root, doc_lang, config.roles.as_deref())
        .map_err(|fault| placed(fault, "roles", config))?;
    // Checked before the search for a model that would answer for a missing role.
    let members = &assets.roles.members;
    let is_known = |name: &&String| assets.roles.find(name).is_some();
    if let Some(name) = config.role_models.keys().find(|name| !is_known(name)) {
        return Err(no_such_role(name, members, "role_models", config));
    }
    let models = match models {
        Some(models) => models,
        None => run_models::for_new_run(order, context).await?,
    };
    let redactor = key::redactor(config, context);
    let run = counted.sibling(versions::outputs(counted, context).next()?);
    let inputs = inputs(order, assets, doc_lang, &models, run, context)?;
    let first = user_input(about, inputs.clone(), &redactor)?;
    // Only for printing; otherwise the run itself searches.
    let found = match &first {
        Event::UserInput { content, .. } if order.flags.dry_run => survey(content, config, context),
        _ => Survey::default(),
    };
    let requests = first_prompts(first.clone(), found)?;
    Ok(PreparedRun {
        counted,
        models,
        inputs,
        first,
        requests,
    })
}

async fn rehearse(order: &Order, context: &Context) -> Result<Exit, Fault> {
    let start = prepare(order, None, context).await?;
    rehearse::print(&start.inputs, &start.requests, context)
}

/// Returns a version whose folder and numbers the run shares: in the series of the revised version,
/// else in the requested one.
fn numbered_like(about: &RunSubject, order: &Order) -> Version {
    Version {
        format: about.format,
        series: about.series.or(order.flags.series),
        number: 1,
    }
}

fn inputs(
    order: &Order,
    assets: assets::Assets,
    doc_lang: Lang,
    models: &RunModels,
    run: Version,
    context: &Context,
) -> Result<Inputs, Fault> {
    let config = &order.config;
    let mut role_models = BTreeMap::new();
    for (name, choice) in &models.role_models {
        let role = assets.roles.find(name);
        let members = &assets.roles.members;
        let role = role.ok_or_else(|| no_such_role(name, members, "role_models", config))?;
        role_models.insert(role.id.to_string(), choice.clone());
    }
    // A temperature has no effect on a script.
    let own = config.role_temperatures.iter();
    for (name, temperature) in own.filter(|_| order.play.is_none()) {
        let (role, members) = (assets.roles.find(name), &assets.roles.members);
        let role = role.ok_or_else(|| no_such_role(name, members, "role_temperatures", config))?;
        let own = role_models
            .entry(role.id.to_string())
            .or_insert_with(|| models.model.clone());
        own.temperature = Some(*temperature);
    }
    let mut rules = config.rules.clone();
    rules.ending.diligence_push_max = assets.diligence_push_max;
    let is_slow = std::iter::once(&models.model)
        .chain(role_models.values())
        .any(|choice| choice.is_by_hand() || endpoint::is_program(config, &choice.provider));
    let choices = std::iter::once(&models.model).chain(role_models.values());
    let unfit = choices.filter(|choice| {
        let described = config.providers.get(&choice.provider);
        described.is_some_and(|one| one.may_agree == Some(false))
    });
    rules.ending.may_not_agree = unfit.map(|choice| choice.provider.clone()).collect();
    rules.limits = limits(config, is_slow, models.is_local);
    rules.review =
        rules.review && run.format.is_reviewed() && !lacks_reviews(order, models, context)?;
    rules.similarity = models.similarity.clone();
    Ok(Inputs {
        rules,
        tool: TOOL.to_owned(),
        version: run.number,
        format: run.format,
        series: run.series,
        doc_lang,
        roles: assets.roles,
        templates: assets.templates,
        template_sources: assets.template_sources,
        questions: order.questions,
        trials: trials::are_offered(order, context),
        light: order.flags.light,
        full: order.flags.full,
        model: models.model.clone(),
        role_models,
        own_addresses: models.own_addresses.clone(),
        commit: git::head(&context.root),
    })
}

/// Returns whether all answers come from a script written before there were reviews.
fn lacks_reviews(order: &Order, models: &RunModels, context: &Context) -> Result<bool, Fault> {
    match &order.play {
        Some(play) => Ok(!play.script.reviews()),
        None if models.model.provider == SCRIPTED => {
            Ok(!run_models::script(&order.config, context)?.reviews())
        }
        None => Ok(false),
    }
}

/// Returns the limits of a run. Programs and people that answer by hand get more time, unless a
/// limit was set. A model on this machine is asked for no more than fits a context of 8,000 tokens,
/// unless its size was set.
fn limits(config: &Config, is_slow: bool, is_local: bool) -> Limits {
    let mut limits = config.rules.limits.clone();
    let is_set = |key: &str| config.settings.contains_key(key);
    if is_local && !is_set("limits.max_output_tokens") {
        limits.max_output_tokens = ANSWER_OF_THE_SMALL;
    }
    if is_local && !is_set("limits.context_tokens") {
        limits.context_tokens = DISCUSSION_OF_THE_SMALL;
    }
    if is_slow && !is_set("limits.max_duration_minutes") {
        let notice = limits
            .max_duration_minutes
            .saturating_sub(limits.warn_at_minutes);
        limits.max_duration_minutes = MINUTES_OF_THE_SLOW;
        if !is_set("limits.warn_at_minutes") {
            limits.warn_at_minutes = MINUTES_OF_THE_SLOW - notice;
        }
    }
    limits
}

/// Returns the draft to resume: the one named, else the only one.
fn unfinished(
    version: Option<Version>,
    context: &Context,
) -> Result<versions::FoundVersion, Fault> {
    if version.is_none() {
        versions::clear_abandoned(context)?;
    }
    let example = |name: &str| format!("aitc resume {name}");
    let found = versions::the_run(version, &|_| Ok(Some(0)), &example, context)?;
    found.ok_or_else(|| versions::no_run(version, context))
}

/// Locks a run, and reports if the file system does not enforce locks.
fn lock(outputs: &Outputs, version: u32, context: &Context) -> Result<RunLock, Fault> {
    let lock = RunLock::acquire(&outputs.lock_path(version))?;
    if !lock.is_enforced() {
        context.notice(&LOCKLESS.into());
    }
    Ok(lock)
}
