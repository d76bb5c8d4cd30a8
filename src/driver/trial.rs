//! Trials: each is recorded before it starts, and they run one at a time, on a thread of their own
//! while calls are in flight. Their time does not count as time of the discussion.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::oneshot;

use super::session::Session;
use super::{Ports, no_terminal};
use crate::edge::BoxFuture;
use crate::edge::ports::{TrialAnswer, Trials};
use crate::fault::Fault;
use crate::machine::trial::{self, TrialDue};
use crate::machine::{Event, TrialEnd, TrialId, TrialJob, TrialOutcome};

/// Completes when the thread of a trial has finished.
pub(super) type TrialFinished = oneshot::Receiver<()>;

/// Requests with trials that have not run yet.
#[derive(Default)]
pub(super) struct TrialQueue {
    /// In order of arrival; the first is continued first.
    pub waiting: VecDeque<Event>,
    /// Completes when the running trial ends; `None` if no trial is running.
    pub runs: Option<TrialFinished>,
}

/// What to do next for a request.
pub(super) enum TrialStep {
    /// No trial of it is left to run.
    Done(Event),
    /// One of its trials is recorded as started.
    Runs(Event, Box<TrialDue>),
    /// The user interrupted when asked whether it may run.
    Interrupted,
}

impl Session {
    /// Starts the next trial of a request, or returns that none is left; asks the user first if
    /// that has not happened yet.
    pub(super) async fn begin_trial(
        &mut self,
        mut wish: Event,
        ports: &mut Ports<'_>,
    ) -> Result<TrialStep, Fault> {
        let lang = self.state.inputs.doc_lang;
        // The user is not asked about a trial that could not run in any tree.
        let mut tried = wish.clone();
        let Some(due) = trial::next(&self.state, &mut tried, &Ok(String::new())) else {
            return Ok(TrialStep::Done(tried));
        };
        if ports.trials.asks() && !self.was_asked(&wish, &due.job, ports).await? {
            return Ok(TrialStep::Interrupted);
        }
        let trials = Arc::clone(&ports.trials);
        let tree = tokio::task::spawn_blocking(move || trials.tree()).await;
        let tree = match tree {
            Ok(tree) => tree.map_err(|why| why.of(lang).to_owned()),
            Err(broken) => Err(broken.to_string()),
        };
        let Some(due) = trial::next(&self.state, &mut wish, &tree) else {
            return Ok(TrialStep::Done(wish));
        };
        self.record(ports, due.started.clone())?;
        self.commit(ports)?;
        self.time.pause(ports.clock.monotonic_ms());
        Ok(TrialStep::Runs(wish, Box::new(due)))
    }

    /// Asks the user whether a trial may run; returns false if the user interrupts.
    async fn was_asked(
        &mut self,
        wish: &Event,
        job: &TrialJob,
        ports: &mut Ports<'_>,
    ) -> Result<bool, Fault> {
        let Event::Look { receipt, .. } = wish else {
            return Ok(true);
        };
        let who = self
            .state
            .inputs
            .roles
            .code(&receipt.call.member)
            .to_owned();
        let answer = loop {
            self.commit(ports)?;
            let since = ports.clock.monotonic_ms();
            let interrupt = ports.interrupt.clone();
            let answer = tokio::select! {
                answer = ports.human.ask_trial(&self.state, &who, job) => answer.map_err(no_terminal)?,
                () = super::interrupted(interrupt) => return Ok(false),
            };
            self.waited(since, ports);
            if answer != TrialAnswer::Elsewhere {
                break answer;
            }
            self.take_mail(ports)?;
        };
        if let Some(told) = ports.trials.answered(answer)? {
            ports.observer.notice(&told);
        }
        Ok(true)
    }

    /// Adds the result of a finished trial to its request and writes it to disk at once.
    pub(super) fn ran(
        &mut self,
        wish: Event,
        of: (TrialId, usize),
        mut ran: TrialOutcome,
        ports: &mut Ports<'_>,
    ) -> Result<Event, Fault> {
        self.time.unpause(ports.clock.monotonic_ms());
        for text in [&mut ran.head, &mut ran.tail] {
            *text = (ports.redact)(text);
        }
        let wish = trial::with_ran(&self.state, wish, of, ran);
        if let Some(ended) = trial::kept_before(&wish, of.1) {
            self.record(ports, ended)?;
            self.commit(ports)?;
        }
        Ok(wish)
    }

    /// Runs all trials of a request; `None` if the user interrupts, and then the results so far are
    /// lost.
    pub(super) async fn tried(
        &mut self,
        mut event: Event,
        ports: &mut Ports<'_>,
    ) -> Result<Option<Event>, Fault> {
        while trial::is_wanted(&event) {
            let (wish, due) = match self.begin_trial(event, ports).await? {
                TrialStep::Done(event) => return Ok(Some(event)),
                TrialStep::Runs(wish, due) => (wish, due),
                TrialStep::Interrupted => return Ok(None),
            };
            let interrupt = ports.interrupt.clone();
            let (running, over) = running(Arc::clone(&ports.trials), due.job);
            let ran = tokio::select! {
                ran = running => Some(ran),
                () = super::interrupted(interrupt) => None,
            };
            let Some(ran) = ran else {
                let _ = over.await;
                return Ok(None);
            };
            event = self.ran(wish, (due.id, due.index), ran, ports)?;
        }
        Ok(Some(event))
    }
}

/// Runs a trial on a thread of its own; the trial is stopped when the returned future is dropped.
pub(super) fn running(
    trials: Arc<dyn Trials>,
    job: TrialJob,
) -> (BoxFuture<'static, TrialOutcome>, TrialFinished) {
    let stop = Stopped(Arc::new(AtomicBool::new(false)));
    let told = Arc::clone(&stop.0);
    let (done, over) = oneshot::channel::<()>();
    let thread = tokio::task::spawn_blocking(move || {
        let _done = done;
        trials.run(&job, &told)
    });
    let ran = async move {
        let ran = thread.await;
        drop(stop);
        ran.unwrap_or_else(|error| TrialOutcome {
            end: TrialEnd::Failed {
                why: error.to_string(),
                missing: None,
            },
            head: String::new(),
            tail: String::new(),
            left_out: 0,
            duration_ms: 0,
        })
    };
    (Box::pin(ran), over)
}

/// Stops the trial when dropped.
struct Stopped(Arc<AtomicBool>);

impl Drop for Stopped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
