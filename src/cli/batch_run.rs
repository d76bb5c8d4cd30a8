//! Runs of a batch: which there are already, and many of them at a time.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use serde::de::IgnoredAny;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::batch_input::Item;
use super::models::Team;
use super::run_flags::{ModelFlags, Order, Work};
use super::session::{self, Given, RunResult};
use super::{CliError, Context, Exit, outcome, versions};
use crate::driver::Outcome;
use crate::edge::ports::Observer;
use crate::fault::line::INTERNAL;
use crate::fault::{Message, values};
use crate::machine::{Entry, Format, State, Version};
use crate::redact::Redactor;

/// What is to be done for one requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Todo {
    /// A new run.
    Start,
    /// Go on with the draft of that version.
    Resume(Version),
    /// That version is published.
    Nothing(Version),
}

/// How far a run came, as its last event showed it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    /// Its name; `None` before the first event.
    pub version: Option<Version>,
    /// Rounds held.
    pub rounds: u32,
    /// Issues still open.
    pub open: usize,
    /// Tokens of answered calls.
    pub tokens: u64,
    /// Whether some of them are estimated.
    pub estimated: bool,
}

/// How a run of the batch ended.
#[derive(Debug)]
pub struct Report {
    /// Place among the items.
    pub at: usize,
    /// The result; `None` if it was never started.
    pub end: Option<Result<Outcome, CliError>>,
    /// How far it came.
    pub figures: Figures,
}

/// What all runs share.
pub struct Shared {
    /// Flags and configuration; its work is put in for each run.
    pub order: Order,
    /// Models; `None` if nothing new is started.
    pub team: Option<Team>,
    /// The workspace.
    pub context: Context,
    /// Takes the log lines of all runs, which name their run.
    pub log: tracing::Dispatch,
    /// Notices of any run that were shown: of a thousand runs each would show them again.
    pub told: Mutex<BTreeSet<Message>>,
}

#[derive(Deserialize)]
struct FirstLine {
    content: String,
    inputs: FirstInputs,
    from: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct FirstInputs {
    #[serde(default)]
    format: Format,
}

/// What is to be done for each item, by what is on disk: a run whose first line
/// holds the same requirement, for the same format, is that item's. Of equal requirements each has a
/// run of its own; revisions are nobody's.
///
/// # Errors
/// The outputs cannot be listed or read.
pub fn todo(items: &[Item], redactor: &Redactor, context: &Context) -> Result<Vec<Todo>, CliError> {
    let mut known: BTreeMap<(Format, String), VecDeque<Todo>> = BTreeMap::new();
    for found in versions::find_all(context)? {
        // A damaged one is reported by the commands that need it.
        let first: Option<FirstLine> = versions::first_line(&found)?;
        let Some(first) = first.filter(|first| first.from.is_none()) else {
            continue;
        };
        let first = (first.inputs.format, first.content);
        let todo = if found.draft {
            Todo::Resume(found.version)
        } else {
            Todo::Nothing(found.version)
        };
        known.entry(first).or_default().push_back(todo);
    }
    let todos = items.iter().map(|item| {
        let text = redactor.redact(&item.asked.text);
        let own = known.get_mut(&(item.asked.format, text));
        own.and_then(VecDeque::pop_front).unwrap_or(Todo::Start)
    });
    Ok(todos.collect())
}

/// Holds the given runs, at most `jobs` at a time, and calls `ended` for each as it ends. After an
/// interrupt no further one is started.
pub async fn all(
    items: &[Item],
    todos: &[Todo],
    shared: Arc<Shared>,
    jobs: usize,
    interrupt: watch::Receiver<Option<i32>>,
    mut ended: impl FnMut(&Report),
) -> Result<Vec<Report>, CliError> {
    let mut waiting: VecDeque<usize> = (0..items.len())
        .filter(|at| !matches!(todos[*at], Todo::Nothing(_)))
        .collect();
    let (mut running, mut reports) = (JoinSet::new(), Vec::new());
    loop {
        while running.len() < jobs
            && interrupt.borrow().is_none()
            && let Some(at) = waiting.pop_front()
        {
            let work = match todos[at] {
                Todo::Resume(version) => Work::Resumption {
                    version: Some(version),
                    accept_drift: false,
                    instead: ModelFlags::default(),
                },
                Todo::Start | Todo::Nothing(_) => Work::New {
                    requirement: items[at].asked.text.clone(),
                    format: items[at].asked.format,
                },
            };
            let members = items[at].asked.members.clone();
            let shared = Arc::clone(&shared);
            running.spawn(one(at, (work, members), shared, interrupt.clone()));
        }
        match running.join_next().await {
            None => break,
            Some(Ok(report)) => {
                ended(&report);
                reports.push(report);
            }
            Some(Err(error)) => {
                let what = format!("a run of the batch broke off: {error}");
                return Err(INTERNAL.with(values![what]));
            }
        }
    }
    reports.extend(waiting.into_iter().map(|at| Report {
        at,
        end: None,
        figures: Figures::default(),
    }));
    reports.sort_by_key(|report| report.at);
    Ok(reports)
}

async fn one(
    at: usize,
    (work, members): (Work, Option<Vec<String>>),
    shared: Arc<Shared>,
    interrupt: watch::Receiver<Option<i32>>,
) -> Report {
    let figures = Arc::new(Mutex::new(Figures::default()));
    let mut order = Order {
        work,
        ..shared.order.clone()
    };
    if members.is_some() {
        order.config.roles = members;
    }
    let given = Given {
        team: shared.team.clone(),
        observer: Some(Box::new(Tally {
            figures: Arc::clone(&figures),
            shared: Arc::clone(&shared),
        })),
    };
    let end = match session::run(&order, given, &shared.context, interrupt).await {
        Ok(RunResult::Ended(_, outcome)) => Ok(outcome),
        Ok(RunResult::Rehearsed(_)) => {
            Err(INTERNAL.with(values![what = "a batch rehearses no prompts"]))
        }
        Err(error) => Err(error),
    };
    let figures = *figures.lock().unwrap_or_else(PoisonError::into_inner);
    Report {
        at,
        end: Some(end),
        figures,
    }
}

/// Keeps count and shows no event: a thousand runs at a time cannot be read.
struct Tally {
    figures: Arc<Mutex<Figures>>,
    shared: Arc<Shared>,
}

impl Observer for Tally {
    fn entry(&mut self, state: &State, _: &Entry) {
        let usage = &state.calls.used;
        *self.figures.lock().unwrap_or_else(PoisonError::into_inner) = Figures {
            version: Some(state.inputs.run()),
            rounds: state.round,
            open: state.ledger.open().count(),
            tokens: usage.total(),
            estimated: usage.estimated,
        };
    }

    fn notice(&mut self, text: &Message) {
        let told = &self.shared.told;
        let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.insert(text.clone()) {
            self.shared.context.notice(text);
        }
    }

    fn log(&self) -> tracing::Dispatch {
        self.shared.log.clone()
    }
}

/// The exit code for how a run of the batch ended.
pub fn exit_of(end: &Result<Outcome, CliError>) -> Exit {
    match end {
        Ok(Outcome::Published { stop, .. }) => outcome::exit_of(*stop),
        Ok(Outcome::NeedsHuman { .. } | Outcome::NeedsReplies { .. }) => Exit::HumanNeeded,
        Ok(Outcome::ProviderUnavailable { .. }) => Exit::Provider,
        Ok(Outcome::UnusableReply { .. }) => Exit::Unusable,
        Ok(Outcome::Interrupted { signal }) => Exit::of_signal(*signal),
        Err(error) => error.exit,
    }
}
