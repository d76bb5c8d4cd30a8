//! Trials: each on record before it begins, one at a time, on a thread of its own beside
//! what else flies. Time spent on them is none of the discussion.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::session::Session;
use super::{Ports, no_terminal};
use crate::edge::ports::{BoxFuture, Ready, TrialAnswer, Trials, UNSAID};
use crate::fault::Fault;
use crate::machine::trial::{self, Due};
use crate::machine::{Event, Job, Ran, RunId, TrialEnd};

/// Wishes with trials that are still to be run.
#[derive(Default)]
pub(super) struct Wishes {
    /// In the order in which they came, the one that is gone on with first.
    pub waiting: VecDeque<Event>,
    /// Does a trial run?
    pub runs: bool,
}

/// What comes of a wish.
pub(super) enum Wish {
    /// Nothing of it is to be run any more.
    Settled(Event),
    /// One of its trials is on record as begun.
    Runs(Event, Box<Due>),
    /// The user interrupts in place of saying whether it may be run.
    Interrupted,
}

impl Session {
    /// Begins the next trial of a wish, or says that there is none; asks the user first
    /// where that is still to be done.
    pub(super) async fn begin_trial(
        &mut self,
        mut wish: Event,
        ports: &mut Ports<'_>,
    ) -> Result<Wish, Fault> {
        let lang = self.state.inputs.doc_lang;
        // What could not be run in any tree is nobody's question.
        let mut tried = wish.clone();
        let Some(due) = trial::next(&self.state, &mut tried, &Ok(String::new())) else {
            return Ok(Wish::Settled(tried));
        };
        let Some(ready) = self
            .consented(&wish, &due.job.command.join(" "), ports)
            .await?
        else {
            return Ok(Wish::Interrupted);
        };
        let tree = match ready {
            Ready::On(tree) => Ok(tree),
            Ready::Off(why) => Err(why.of(lang).to_owned()),
            Ready::Ask => Err(UNSAID.of(lang).to_owned()),
        };
        let Some(due) = trial::next(&self.state, &mut wish, &tree) else {
            return Ok(Wish::Settled(wish));
        };
        self.record(ports, due.started.clone())?;
        self.commit(ports)?;
        self.time.pause(ports.clock.monotonic_ms());
        Ok(Wish::Runs(wish, Box::new(due)))
    }

    /// May something be run, after the user was asked if need be? None if the user
    /// interrupts then.
    async fn consented(
        &mut self,
        wish: &Event,
        command: &str,
        ports: &mut Ports<'_>,
    ) -> Result<Option<Ready>, Fault> {
        let ready = ports.trials.ready();
        let (Ready::Ask, Event::Look { receipt, .. }) = (&ready, wish) else {
            return Ok(Some(ready));
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
                answer = ports.human.ask_trial(&self.state, &who, command) => answer.map_err(no_terminal)?,
                () = super::interrupted(interrupt) => return Ok(None),
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
        Ok(Some(ports.trials.ready()))
    }

    /// The wish with what came of the trial that ran.
    pub(super) fn ran(
        &mut self,
        wish: Event,
        of: (RunId, usize),
        mut ran: Ran,
        ports: &Ports<'_>,
    ) -> Event {
        self.time.go_on(ports.clock.monotonic_ms());
        for text in [&mut ran.head, &mut ran.tail] {
            *text = (ports.redact)(text);
        }
        trial::with_ran(&self.state, wish, of, ran)
    }

    /// A wish after all of its trials; none if the user interrupts: what ran is lost then.
    pub(super) async fn tried(
        &mut self,
        mut event: Event,
        ports: &mut Ports<'_>,
    ) -> Result<Option<Event>, Fault> {
        while trial::is_wanted(&event) {
            let (wish, due) = match self.begin_trial(event, ports).await? {
                Wish::Settled(event) => return Ok(Some(event)),
                Wish::Runs(wish, due) => (wish, due),
                Wish::Interrupted => return Ok(None),
            };
            let interrupt = ports.interrupt.clone();
            let ran = tokio::select! {
                ran = running(Arc::clone(&ports.trials), due.job) => ran,
                () = super::interrupted(interrupt) => return Ok(None),
            };
            event = self.ran(wish, (due.id, due.index), ran, ports);
        }
        Ok(Some(event))
    }
}

/// Runs it on a thread of its own; one that nobody waits for any more is ended.
pub(super) fn running(trials: Arc<dyn Trials>, job: Job) -> BoxFuture<'static, Ran> {
    let stop = Stopped(Arc::new(AtomicBool::new(false)));
    let told = Arc::clone(&stop.0);
    Box::pin(async move {
        let ran = tokio::task::spawn_blocking(move || trials.run(&job, &told)).await;
        drop(stop);
        ran.unwrap_or_else(|error| Ran {
            end: TrialEnd::Failed {
                why: error.to_string(),
            },
            head: String::new(),
            tail: String::new(),
            left_out: 0,
            duration_ms: 0,
        })
    })
}

/// Tells whoever runs a trial to end it, once nobody waits for it.
struct Stopped(Arc<AtomicBool>);

impl Drop for Stopped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
