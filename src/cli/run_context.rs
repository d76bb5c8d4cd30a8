//! What one run needs of the world: the human, the observer, and access to the files.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::order::Order;
use super::watcher::Watcher;
use super::{Context, check, endpoint, key, trials, versions};
use crate::config::Config;
use crate::driver::{InquiryFn, Interrupted, LookFn, Ports, SurveyFn, TreeFacts, VerifyFn};
use crate::edge::clock::SystemClock;
use crate::edge::inbox::Inbox;
use crate::edge::knowledge::{Search, SearchResult};
use crate::edge::model::{Backoff, EmbeddingModel, Models};
use crate::edge::ports::{Observer, Trials, UserAnswer};
use crate::machine::{Depth, Grounding, Intent, Limits, QuestionMode, Survey, Version};
use crate::ui::human::{Redact, Respondent, UserAccess};

type Interrupt = watch::Receiver<Option<i32>>;

/// The human and the observer of one run, and its access to the files.
pub struct RunContext {
    human: Respondent,
    watcher: Box<dyn Observer>,
    survey: Box<SurveyFn<'static>>,
    inquire: Box<InquiryFn<'static>>,
    look: Box<LookFn<'static>>,
    verify: Box<VerifyFn<'static>>,
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
        ready: Vec<UserAnswer>,
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
                let watcher = Watcher::new(context, style, hears, &order.config);
                let terminal = watcher.screen().terminal();
                (Box::new(watcher) as Box<dyn Observer>, terminal)
            }
        };
        let minutes = u64::from(order.config.rules.ending.user_timeout_minutes);
        let patience = Duration::from_secs(minutes * 60);
        let redact = redact(&order.config, context);
        let inbox = Inbox::at(versions::file_system(), draft);
        let tree = SearchScope::of(Arc::clone(&redact), &order.config, context);
        let access = UserAccess {
            terminal,
            asks,
            assumes: order.questions == QuestionMode::Assume,
            patience: Some(patience),
            inbox: Some((inbox, Arc::clone(&redact))),
        };
        let mut human = Respondent::new(answers, ready, style, access);
        if order.auto_exit {
            human.say(Intent::AutoExitOn, "");
        }
        Self {
            human,
            watcher,
            survey: {
                let tree = tree.clone();
                Box::new(move |state, stop| {
                    let rules = &state.inputs.rules;
                    match rules.grounding.depth {
                        Depth::Off => Some(SearchResult::default()),
                        _ => tree.search(stop).survey(
                            &state.task.requirement,
                            room(&rules.grounding, &rules.limits),
                        ),
                    }
                })
            },
            look: {
                let tree = tree.clone();
                Box::new(move |state, looks| {
                    tree.search(&|| false).look(looks, state.inputs.doc_lang)
                })
            },
            verify: {
                let tree = tree.clone();
                Box::new(move |state, claims| {
                    tree.search(&|| false).verify(claims, state.inputs.doc_lang)
                })
            },
            inquire: Box::new(move |state, raised, stop| {
                let survey = state.grounding.survey.as_ref();
                tree.search(stop).inquire(survey, raised)
            }),
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

/// What a run may search: the repository, and the folders named besides.
#[derive(Clone)]
struct SearchScope {
    root: PathBuf,
    knowledge: Vec<PathBuf>,
    redact: Redact,
    cache: Option<PathBuf>,
}

impl SearchScope {
    fn of(redact: Redact, config: &Config, context: &Context) -> Self {
        let folders = config.knowledge.iter();
        Self {
            root: context.root.clone(),
            knowledge: folders.map(|dir| context.path(Path::new(dir))).collect(),
            redact,
            cache: context.env.user_cache(),
        }
    }

    fn search<'a>(&'a self, stop: Interrupted<'a>) -> Search<'a> {
        Search {
            root: &self.root,
            knowledge: &self.knowledge,
            redact: &*self.redact,
            stop,
            cache: self.cache.as_deref(),
        }
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
    let redact = redact(config, context);
    let tree = SearchScope::of(Arc::clone(&redact), config, context);
    let tokens = room(&config.rules.grounding, &config.rules.limits);
    let found = tree.search(&|| false).survey(requirement, tokens);
    let SearchResult { mut survey, unread } = found.unwrap_or_default();
    for left_out in &unread {
        context.notice(left_out);
    }
    survey.redact(&*redact);
    survey
}

fn redact(config: &Config, context: &Context) -> Redact {
    let redactor = key::redactor(config, context);
    Arc::new(move |text| redactor.redact(text))
}
