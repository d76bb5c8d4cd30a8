//! What one run needs of the world: the human, the observer, and access to the files.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::order::Order;
use super::watcher::Watcher;
use super::{Context, check, endpoint, key, trials, versions};
use crate::config::Config;
use crate::driver::{Inquiring, Looking, Ports, Stop, Surveying, TreeFacts, Verifying};
use crate::edge::clock::SystemClock;
use crate::edge::inbox::Inbox;
use crate::edge::knowledge::{Search, Searched};
use crate::edge::model::{Backoff, EmbeddingModel, Models};
use crate::edge::ports::{HumanAnswer, Observer, Trials};
use crate::machine::{Depth, Grounding, Intent, Limits, QuestionMode, Survey, Version};
use crate::ui::human::{Redact, Respondent, Seat};

type Interrupt = watch::Receiver<Option<i32>>;

/// The human and the observer of one run, and its access to the files.
pub struct RunContext {
    human: Respondent,
    watcher: Box<dyn Observer>,
    survey: Box<Surveying<'static>>,
    inquire: Box<Inquiring<'static>>,
    look: Box<Looking<'static>>,
    verify: Box<Verifying<'static>>,
    trials: Arc<dyn Trials>,
    tree: Box<TreeFacts<'static>>,
    redact: Redact,
    backoff: Backoff,
    stays_draft: bool,
}

impl RunContext {
    /// Creates it for a run of `order` with its draft; `ready` answers are available from the
    /// start. A batch brings its own `observer`.
    pub fn new(
        order: &Order,
        (run, draft): (Version, &Path),
        ready: Vec<HumanAnswer>,
        observer: Option<Box<dyn Observer>>,
        context: &Context,
    ) -> Self {
        let style = context.style(context.lang(Some(&order.config)));
        let answers = order.answers.clone();
        let asks = order.questions == QuestionMode::Ask;
        // A user who is not asked may still have something to say, but not to a batch, whose runs
        // share one terminal, nor to a demonstration.
        let sits = context.somebody_there() && observer.is_none() && order.play.is_none();
        let hears = asks || sits;
        let (watcher, terminal) = match observer {
            Some(observer) => (observer, None),
            None => {
                let watcher = Watcher::new(context, style, hears, order.config.heartbeat_ms);
                let terminal = watcher.screen().terminal();
                (Box::new(watcher) as Box<dyn Observer>, terminal)
            }
        };
        let minutes = u64::from(order.config.rules.ending.user_timeout_minutes);
        let patience = Duration::from_secs(minutes * 60);
        let redactor = key::redactor(&order.config, context);
        let redact: Redact = Arc::new(move |text| redactor.redact(text));
        let inbox = Inbox::at(versions::files(), draft);
        let folders = knowledge_folders(&order.config, context);
        let seat = Seat {
            terminal,
            asks,
            assumes: order.questions == QuestionMode::Assume,
            patience: Some(patience),
            inbox: Some((inbox, Arc::clone(&redact))),
        };
        let mut human = Respondent::new(answers, ready, style, seat);
        if order.auto_exit {
            human.say(Intent::AutoExitOn, "");
        }
        Self {
            human,
            watcher,
            survey: {
                let (root, folders) = (context.root.clone(), folders.clone());
                let redact = Arc::clone(&redact);
                let cache = context.env.user_cache();
                Box::new(
                    move |state, stop| match state.inputs.rules.grounding.depth {
                        Depth::Off => Some(Searched::default()),
                        _ => Search {
                            cache: cache.as_deref(),
                            ..search(&root, &folders, &*redact, stop)
                        }
                        .survey(
                            &state.task.requirement,
                            room(&state.inputs.rules.grounding, &state.inputs.rules.limits),
                        ),
                    },
                )
            },
            look: {
                let (root, folders) = (context.root.clone(), folders.clone());
                let redact = Arc::clone(&redact);
                Box::new(move |state, looks| {
                    let lang = state.inputs.doc_lang;
                    search(&root, &folders, &*redact, &|| false).look(looks, lang)
                })
            },
            verify: {
                let (root, folders) = (context.root.clone(), folders.clone());
                let redact = Arc::clone(&redact);
                Box::new(move |state, claims| {
                    let lang = state.inputs.doc_lang;
                    search(&root, &folders, &*redact, &|| false).verify(claims, lang)
                })
            },
            inquire: {
                let (root, redact) = (context.root.clone(), Arc::clone(&redact));
                Box::new(move |state, raised, stop| {
                    let survey = state.grounding.survey.as_ref();
                    search(&root, &folders, &*redact, stop).inquire(survey, raised)
                })
            },
            trials: Arc::new(trials::of(order, context)),
            tree: {
                let root = context.root.clone();
                Box::new(move |impacts| check::tree_of(&root, impacts))
            },
            backoff: endpoint::backoff(order.config.retry),
            stays_draft: context.saves_later(run),
            redact,
        }
    }

    /// Returns the ports of the driver.
    pub fn ports<'a>(
        &'a mut self,
        clock: &'a SystemClock,
        models: &'a Models,
        embeddings: Option<&'a dyn EmbeddingModel>,
        interrupt: Interrupt,
    ) -> Ports<'a> {
        Ports {
            clock,
            models,
            embeddings,
            human: &mut self.human,
            observer: self.watcher.as_mut(),
            survey: &*self.survey,
            inquire: &*self.inquire,
            look: &*self.look,
            verify: &*self.verify,
            trials: Arc::clone(&self.trials),
            tree: &*self.tree,
            redact: &*self.redact,
            backoff: self.backoff,
            stays_draft: self.stays_draft,
            interrupt,
        }
    }
}

fn search<'a>(
    root: &'a Path,
    knowledge: &'a [PathBuf],
    redact: &'a dyn Fn(&str) -> String,
    stop: Stop<'a>,
) -> Search<'a> {
    Search {
        root,
        knowledge,
        redact,
        stop,
        cache: None,
    }
}

/// Returns the tokens that the map may take: as configured, but at most a quarter of
/// `context_tokens`, so that a small model has room for the discussion too.
fn room(grounding: &Grounding, limits: &Limits) -> u64 {
    grounding.map_tokens.min(limits.context_tokens / 4)
}

/// Returns what a run about `requirement` would find, without secrets; unreadable files are
/// reported.
pub fn survey(requirement: &str, config: &Config, context: &Context) -> Survey {
    let redactor = key::redactor(config, context);
    let redact = |text: &str| redactor.redact(text);
    let folders = knowledge_folders(config, context);
    let cache = context.env.user_cache();
    let search = Search {
        cache: cache.as_deref(),
        ..search(&context.root, &folders, &redact, &|| false)
    };
    let tokens = room(&config.rules.grounding, &config.rules.limits);
    let found = search.survey(requirement, tokens);
    let Searched { mut survey, unread } = found.unwrap_or_default();
    for left_out in &unread {
        context.notice(left_out);
    }
    survey.redact(&redact);
    survey
}

/// Returns the folders that are searched besides the repository.
fn knowledge_folders(config: &Config, context: &Context) -> Vec<PathBuf> {
    let folders = config.knowledge.iter();
    folders.map(|dir| context.path(Path::new(dir))).collect()
}
