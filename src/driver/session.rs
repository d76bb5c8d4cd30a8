//! One run in one process: journal, state, and the loop.

use std::sync::Arc;

use tokio::sync::watch;

use super::replay::Replay;
use super::{Outcome, Ports, empty_journal, no_end, no_progress, not_legal};
use crate::artifact::{Artifact, QUESTIONS_FILE, Renderer};
use crate::chat::ChatRequest;
use crate::check;
use crate::edge::fs::Fs;
use crate::edge::journal::{Journal, JournalError, TornTail};
use crate::edge::knowledge::SearchResult;
use crate::edge::store::Draft;
use crate::fault::{Fault, texts, values};
use crate::machine::similarity::TextEmbeddings;
use crate::machine::{
    Action, Entry, Event, GiveUp, NewModels, SpeechRecord, Stage, State, TRANSCRIPT_FORMAT,
    next_actions,
};
use crate::prompt::Prompter;
use crate::reply::DocumentKind;

texts! {
    UNSYNCED: "{cause}; the version is whole, but a power failure now could take it away: run `sync`, or copy it", "{cause}；版本是完整的，但此时断电可能会丢失它：请运行 `sync`，或复制一份";
}

/// Age in milliseconds after which the progress files are written again, even if the run never
/// waits.
const STALE_MS: u64 = 250;

/// Maximum number of consecutive loop iterations that record nothing.
const MAX_IDLE: u32 = 1000;

/// A run in progress. It is boxed because every future that uses it would otherwise contain another
/// copy of it.
pub struct Session {
    /// The folder of the unfinished version; `state.draft` is what was agreed.
    pub(super) draft: Draft,
    pub(super) journal: Journal,
    pub(super) state: State,
    pub(super) prompter: Prompter,
    pub(super) renderer: Renderer,
    /// Consecutive times that answers came and none was usable.
    pub(super) useless: u32,
    pub(super) embedded: Option<TextEmbeddings>,
    /// The last call that failed in this process: the recorded message, and the message with the
    /// address, which is shown but never recorded.
    pub(super) failed: Option<(String, String)>,
    /// Calls whose prompts are written to files with the next commit.
    pub(super) handed: Vec<ChatRequest>,
    /// Whether replies that no open call needs were reported.
    pub(super) told_late: bool,
    pub(super) time: ActiveTime,
    added: Vec<Entry>,
    /// Whether the journal has entries that the progress files do not show yet.
    is_behind: bool,
    /// When this process last wrote the progress files, in milliseconds of the monotonic clock.
    shown_ms: Option<u64>,
    /// The round at that time: files of debates from earlier rounds do not change any more.
    shown_round: u32,
}

/// Active time of the run: continues from the last entry and excludes time spent waiting for the
/// user.
pub(super) struct ActiveTime {
    base_ms: u64,
    since_ms: u64,
    waited_ms: u64,
    /// Since when the clock is paused, because a trial is running.
    paused_ms: Option<u64>,
    /// Publishes whether the clock is paused.
    stands: watch::Sender<bool>,
}

impl ActiveTime {
    fn begin(base_ms: u64, monotonic_ms: u64) -> Self {
        Self {
            base_ms,
            since_ms: monotonic_ms,
            waited_ms: 0,
            paused_ms: None,
            stands: watch::Sender::new(false),
        }
    }

    /// Whether the clock is paused, as a channel.
    pub(super) fn stands(&self) -> watch::Receiver<bool> {
        self.stands.subscribe()
    }

    pub(super) fn pause(&mut self, monotonic_ms: u64) {
        self.paused_ms.get_or_insert(monotonic_ms);
        self.stands.send_replace(true);
    }

    pub(super) fn unpause(&mut self, monotonic_ms: u64) {
        if let Some(since) = self.paused_ms.take() {
            self.waited_ms += monotonic_ms.saturating_sub(since);
        }
        self.stands.send_replace(false);
    }

    pub(super) fn now(&self, monotonic_ms: u64) -> u64 {
        let here = self
            .paused_ms
            .unwrap_or(monotonic_ms)
            .saturating_sub(self.since_ms)
            .saturating_sub(self.waited_ms);
        self.base_ms + here
    }
}

impl Session {
    /// Starts a run in a fresh draft; `first` is its `user_input`.
    ///
    /// # Errors
    /// The journal cannot be created, or a template does not parse.
    pub fn begin(
        fs: Arc<dyn Fs>,
        draft: Draft,
        first: Event,
        ports: &Ports<'_>,
    ) -> Result<Box<Self>, Fault> {
        let entry = Entry {
            v: TRANSCRIPT_FORMAT,
            seq: 1,
            ts: ports.clock.timestamp(),
            active_ms: 0,
            round: 1,
            actor: "user".to_owned(),
            event: first,
        };
        let state = State::open(&entry).ok_or_else(empty_journal)?;
        let path = draft.transcript_path();
        let begin = move || Journal::create(fs, &path);
        let mut session = Self::in_state(draft, state, begin, ports)?;
        session.journal.add(&entry)?;
        session.added.push(entry);
        Ok(session)
    }

    /// Creates a session in this state. The journal is opened only once the templates are known to
    /// parse.
    fn in_state(
        draft: Draft,
        state: State,
        journal: impl FnOnce() -> Result<Journal, JournalError>,
        ports: &Ports<'_>,
    ) -> Result<Box<Self>, Fault> {
        Ok(Box::new(Self {
            prompter: Prompter::new(&state.inputs)?,
            renderer: Renderer::new(&state.inputs)?,
            time: ActiveTime::begin(state.run.active_ms, ports.clock.monotonic_ms()),
            journal: journal()?,
            draft,
            useless: 0,
            embedded: None,
            failed: None,
            handed: Vec::new(),
            told_late: false,
            added: Vec::new(),
            is_behind: false,
            shown_ms: None,
            shown_round: 0,
            state,
        }))
    }

    /// Resumes a draft: replays its journal, removes an incomplete last line, and records the
    /// resumption. `drift` names inputs that changed and were accepted; `models` are the models
    /// that answer from now on instead of the recorded ones.
    ///
    /// # Errors
    /// The journal is damaged or empty, or a template does not parse.
    pub fn resume(
        fs: Arc<dyn Fs>,
        draft: Draft,
        tool: &str,
        (drift, models): (Vec<String>, Option<NewModels>),
        ports: &Ports<'_>,
    ) -> Result<(Box<Self>, Option<TornTail>), Fault> {
        let mut replay = Replay::default();
        let (journal, torn) = Journal::open(fs, &draft.transcript_path(), &mut |entry| {
            replay.apply(&entry)
        })?;
        let state = replay.state.ok_or_else(empty_journal)?;
        let mut session = Self::in_state(draft, state, || Ok(journal), ports)?;
        if session.state.stage != Stage::Published {
            let resumed = Event::Resumed {
                tool: tool.to_owned(),
                accepted_drift: drift,
                attended: ports.human.is_there(),
                models: models.map(Box::new),
            };
            session.record(ports, resumed)?;
        }
        Ok((session, torn))
    }

    /// Runs until the version is published or the run cannot continue by itself.
    ///
    /// # Errors
    /// Storage, a damaged draft, or templates that do not render; the draft
    /// stays as consistent as the last commit left it.
    pub async fn run(mut self: Box<Self>, ports: &mut Ports<'_>) -> Result<Outcome, Fault> {
        let (mut seen, mut idle) = (self.state.run.seq, 0);
        loop {
            // Waiting for the user takes one iteration; many that record nothing are a bug, and
            // must not keep a processor busy.
            idle = if self.state.run.seq == seen {
                idle + 1
            } else {
                0
            };
            seen = self.state.run.seq;
            if idle > MAX_IDLE {
                self.commit(ports)?;
                return Err(no_progress());
            }
            let interrupted = *ports.interrupt.borrow();
            if let Some(signal) = interrupted {
                self.commit(ports)?;
                return Ok(Outcome::Interrupted { signal });
            }
            self.take_mail(ports)?;
            if let Some(outcome) = self.take_replies(ports).await? {
                return Ok(outcome);
            }
            let mut actions = next_actions(&self.state);
            match actions.pop() {
                None => return self.publish(ports),
                Some(Action::Call(last)) => {
                    let calls = actions.into_iter().filter_map(Action::call);
                    let calls = calls.chain([last]).collect();
                    if let Some(outcome) = self.make_calls(calls, ports).await? {
                        self.commit(ports)?;
                        return Ok(outcome);
                    }
                }
                Some(Action::Record(event)) => self.record(ports, *event)?,
                Some(Action::CheckPlan) => {
                    let found = check::for_review(&self.state, ports.tree);
                    self.record(ports, Event::PlanChecked(found))?;
                }
                Some(Action::Survey) => {
                    let stop = || ports.interrupt.borrow().is_some();
                    let Some(found) = (ports.survey)(&self.state, &stop) else {
                        continue;
                    };
                    let SearchResult { mut survey, unread } = found;
                    for left_out in &unread {
                        ports.observer.notice(left_out);
                    }
                    survey.redact(ports.redact);
                    self.record(ports, Event::KnowledgeSearch { survey })?;
                }
                Some(Action::Inquire(_)) => self.inquire(ports)?,
                Some(Action::Verify) => self.verify(ports)?,
                Some(Action::Measure) => self.measure_similarity(ports).await?,
                Some(Action::AskUser(ids)) => {
                    if let Some(outcome) = self.ask_user(ids, ports).await? {
                        return Ok(outcome);
                    }
                }
                Some(Action::AskEnd(guard)) => self.ask_end(guard, ports).await?,
                Some(Action::Complete) => self.complete(ports)?,
                Some(Action::GiveUp(why)) => {
                    self.commit(ports)?;
                    return Ok(self.give_up(why));
                }
            }
        }
    }

    /// Applies an event to the state, which rejects events that may not follow, and adds its
    /// line to the journal. The next commit writes it to disk and shows it.
    pub(super) fn record(&mut self, ports: &Ports<'_>, event: Event) -> Result<(), Fault> {
        let begins = u32::from(matches!(event, Event::RoundStarted { .. }));
        let entry = Entry {
            v: TRANSCRIPT_FORMAT,
            seq: self.state.run.seq + 1,
            ts: ports.clock.timestamp(),
            active_ms: self.time.now(ports.clock.monotonic_ms()),
            round: (self.state.round + begins).max(1),
            actor: event.actor(&self.state),
            event,
        };
        self.state.apply(&entry).map_err(not_legal)?;
        self.journal.add(&entry)?;
        self.added.push(entry);
        Ok(())
    }

    /// Writes everything added with one append and one sync, shows it, and updates the files
    /// derived from it.
    pub(super) fn commit(&mut self, ports: &mut Ports<'_>) -> Result<(), Fault> {
        self.write_entries(ports)?;
        self.catch_up(ports.clock.monotonic_ms())
    }

    /// The part of a commit that must happen before the next call: entries on disk and shown, and
    /// each speech in its file. [`catch_up`](Self::catch_up) writes the other files later.
    pub(super) fn write_entries(&mut self, ports: &mut Ports<'_>) -> Result<(), Fault> {
        if self.added.is_empty() {
            return Ok(());
        }
        self.journal.commit()?;
        let added = std::mem::take(&mut self.added);
        for entry in &added {
            ports.observer.entry(&self.state, entry);
        }
        let is_new = |speech: &SpeechRecord| {
            added.iter().any(|entry| match &entry.event {
                Event::Speaking { turn, .. } => *turn == speech.turn,
                // Write what an earlier process did not get to write before it died.
                Event::Resumed { .. } => true,
                _ => false,
            })
        };
        // Concurrent speeches get their ids when the last one has arrived.
        let all = self.state.is_blind_round();
        let is_new = |speech: &SpeechRecord| all || is_new(speech);
        let mut files = self.renderer.speeches(&self.state, is_new)?;
        files.extend(self.lasting(&added)?);
        for file in files {
            self.draft.write(&file.path, &file.bytes)?;
        }
        self.is_behind = true;
        self.write_prompts()
    }

    /// Whether nothing but resumptions without any change is added.
    pub(super) fn only_resumed(&self) -> bool {
        let events = self.added.iter().map(|entry| &entry.event);
        let is_plain = |event: &Event| matches!(event, Event::Resumed { accepted_drift, models: None, .. } if accepted_drift.is_empty());
        !self.added.is_empty() && events.into_iter().all(is_plain)
    }

    /// Files that never change once written (documents and `feedback.md`), as far as they follow
    /// from `added`.
    fn lasting(&self, added: &[Entry]) -> Result<Vec<Artifact>, Fault> {
        // Write what an earlier process did not get to write before it died.
        let events = || added.iter().map(|entry| &entry.event);
        let all = events().any(|event| matches!(event, Event::Resumed { .. }));
        let written = |event: &Event, of: DocumentKind| match event {
            Event::Document { kind, .. } => *kind == of,
            Event::Amendment(amended) => amended.kind == of.into(),
            _ => false,
        };
        let is_new = |kind| all || events().any(|event| written(event, kind));
        let mut files = self.renderer.documents(&self.state, is_new)?;
        if all || events().any(|event| matches!(event, Event::UserInput { .. })) {
            files.extend(self.renderer.feedback(&self.state)?);
        }
        Ok(files)
    }

    /// Whether the progress files are so old that they have to be written, whatever else is going
    /// on.
    pub(super) fn is_stale(&self, now: u64) -> bool {
        let age = self.shown_ms.map(|then| now.saturating_sub(then));
        self.is_behind && age.is_none_or(|age| age >= STALE_MS)
    }

    /// Writes the progress files if they are older than the journal.
    pub(super) fn catch_up(&mut self, now: u64) -> Result<(), Fault> {
        if !std::mem::take(&mut self.is_behind) {
            return Ok(());
        }
        self.shown_ms = Some(now);
        for file in self.renderer.standing(&self.state, self.shown_round)? {
            // The user may have filled it in: it is only written when the run pauses.
            if file.path != QUESTIONS_FILE {
                self.draft.write(&file.path, &file.bytes)?;
            }
        }
        self.shown_round = self.state.round;
        Ok(())
    }

    /// Excludes the time spent waiting for the user from the active time.
    pub(super) fn waited(&mut self, since_ms: u64, ports: &Ports<'_>) {
        self.time.waited_ms += ports.clock.monotonic_ms().saturating_sub(since_ms);
    }

    fn complete(&mut self, ports: &mut Ports<'_>) -> Result<(), Fault> {
        self.take_mail(ports)?;
        let Some(stop) = &self.state.ending.stop else {
            return Err(no_end());
        };
        let published = Event::Published {
            stop: stop.reason,
            blocking: self.state.ledger.blocking().map(|i| i.id).collect(),
            open: self.state.ledger.open().map(|i| i.id).collect(),
        };
        self.record(ports, published)?;
        self.commit(ports)
    }

    /// Everything is recorded: writes the derived files and gives the version its name. A run that
    /// crashed between the two is finished here as well.
    fn publish(mut self, ports: &mut Ports<'_>) -> Result<Outcome, Fault> {
        // Messages that came since the last time are reported: the inbox is about to be deleted.
        ports.human.closes();
        self.take_mail(ports)?;
        for file in self.renderer.all(&self.state)? {
            self.draft.write(&file.path, &file.bytes)?;
        }
        self.clear_calls()?;
        let stop = self.state.ending.stop.as_ref().map(|stop| stop.reason);
        let (path, unsynced) = match ports.stays_draft {
            true => (self.draft.dir().to_owned(), None),
            false => self.draft.publish(self.journal.head())?,
        };
        if let Some(error) = unsynced {
            let notice = UNSYNCED.fill(values![cause = error.what()]);
            ports.observer.notice(&notice);
        }
        Ok(Outcome::Published {
            path,
            stop: stop.ok_or_else(no_end)?,
            state: Box::new(self.state),
        })
    }

    /// A recorded failure, with the address that was asked if this process asked it.
    fn addressed(&self, recorded: Option<String>) -> String {
        let recorded = recorded.unwrap_or_default();
        match &self.failed {
            Some((same, told)) if *same == recorded => told.clone(),
            _ => recorded,
        }
    }

    fn give_up(&self, why: GiveUp) -> Outcome {
        let last =
            |call: &crate::machine::CallId| self.state.calls.troubled.get(&call.first()).cloned();
        match why {
            GiveUp::ProviderUnavailable { call } => Outcome::ProviderUnavailable {
                model: self.state.inputs.model_of(&call.member).clone(),
                detail: self.addressed(last(&call).and_then(|h| h.last_failure)),
                call: self.last_try(&call),
            },
            GiveUp::UnusableReply { call } => Outcome::UnusableReply {
                detail: last(&call)
                    .and_then(|h| h.last_rejected)
                    .map(|(reason, _)| reason)
                    .unwrap_or_default(),
                call: self.last_try(&call),
            },
        }
    }
}
