//! Model calls: started on record, made side by side where they may be, and
//! turned into what happened.

use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};

use super::aloud::Aloud;
use super::left::Left;
use super::session::Session;
use super::trial::{Wish, Wishes, running};
use super::{Outcome, Ports};
use crate::chat::{ChatRequest, ChatResponse, FinishReason};
use crate::edge::model::{CallFailure, ChatModel, Listener, Piece, backoff};
use crate::edge::ports::BoxFuture;
use crate::edge::store::SAYING;
use crate::fault::Fault;
use crate::fault::models::PROVIDER_NOT_CONFIGURED;
use crate::machine::team::TeamSynthesis;
use crate::machine::{
    CallId, Event, InputContext, Purpose, Ran, Receipt, RunId, Stage, budget, budget::Reserve,
    ending, event_of, look, normalize_document, review, trial,
};
use crate::redact::placeholders;
use crate::reply::ReplyError;
use crate::{artifact, prompt};

/// How long an answer waits for others that were asked for side by side, before it goes to
/// disk without them: about as long as a sync takes.
const TOGETHER: Duration = Duration::from_millis(5);

/// How long a run waits before it writes the files that show where it stands.
const GLANCE: Duration = Duration::from_millis(20);

/// How often what is being said is told to those who watch from elsewhere.
const GLIMPSE: Duration = Duration::from_millis(200);

/// A call that is ready to be made.
struct Prepared {
    request: ChatRequest,
    started: Event,
    reserve: Reserve,
    delay: Duration,
    /// None where the prompt goes into a file.
    model: Option<Arc<dyn ChatModel>>,
}

/// A finished call.
enum Arrival {
    /// What came of a call.
    Answer(Box<ChatRequest>, Result<ChatResponse, CallFailure>),
    /// A wish to look, and what came of its questions to the member's own model.
    Asked(Box<Event>, Answers),
    /// A wish to try something, which trial and which of its looks it was, and what came of it.
    Ran(Box<Event>, (RunId, usize), Ran),
}

/// Answers to the questions of one request, as far as they were asked.
type Answers = Vec<(CallId, Option<ChatResponse>)>;

/// What flies, with the clock's milliseconds at its start.
type Flying = FuturesUnordered<BoxFuture<'static, (u64, Arrival)>>;

impl Session {
    /// Makes calls that may run side by side, as many at a time as allowed.
    /// Replies are recorded as they arrive. Before one more is started, what the human
    /// said meanwhile is taken in: a word is heard by whoever is still to be asked, and
    /// nobody is asked after a stop. Returns an outcome if the run cannot go on.
    pub(super) async fn make_calls(
        &mut self,
        calls: Vec<CallId>,
        ports: &mut Ports<'_>,
    ) -> Result<Option<Outcome>, Fault> {
        let aloud = Arc::new(Aloud::default());
        let outcome = self.make_all(calls, &aloud, ports).await;
        if aloud.was_told() {
            let removed = self.draft.remove(SAYING);
            let outcome = outcome?;
            removed?;
            return Ok(outcome);
        }
        outcome
    }

    async fn make_all(
        &mut self,
        calls: Vec<CallId>,
        aloud: &Arc<Aloud>,
        ports: &mut Ports<'_>,
    ) -> Result<Option<Outcome>, Fault> {
        // All prompts are made before any reply is known: what a call is given
        // does not depend on who answers first.
        let mut waiting = Vec::with_capacity(calls.len());
        for call in calls {
            match self.prepare(&call, ports)? {
                Ok(prepared) => waiting.push(prepared),
                Err(outcome) => return Ok(Some(outcome)),
            }
        }
        waiting.reverse();
        let mut wishes = Wishes::default();
        let made = self.fly_all(waiting, &mut wishes, aloud, ports).await;
        // What is left of a trial goes before the process does.
        if let Some(over) = wishes.runs.take() {
            let _ = over.await;
        }
        made.map(|()| None)
    }

    async fn fly_all(
        &mut self,
        mut waiting: Vec<Prepared>,
        wishes: &mut Wishes,
        aloud: &Arc<Aloud>,
        ports: &mut Ports<'_>,
    ) -> Result<(), Fault> {
        let mut flying = Flying::new();
        let (interrupt, redact) = (ports.interrupt.clone(), ports.redact);
        let made_at = self.state.seq;
        loop {
            if interrupt.borrow().is_some() {
                return Ok(());
            }
            let has_begun = self.state.seq > made_at;
            if has_begun
                && let Some(next) = waiting.last()
                && (self.is_time_up(&next.request.call, ports) || self.was_addressed(ports)?)
            {
                // What flies is heard out. What waits was made before this was said: it is
                // made anew, if it is still due.
                waiting.clear();
            }
            while flying.len() < self.state.inputs.limits.concurrency {
                let Some(next) = waiting.pop() else { break };
                // What arrived meanwhile may have made it wait: for a question, say.
                if self.state.seq > made_at && !self.state.may_start(&next.request.call) {
                    waiting.clear();
                    break;
                }
                if let Some(event) = self.in_its_place(&next) {
                    if !flying.is_empty() || self.state.calls.waiting_by_hand().next().is_some() {
                        // What flies may come cheaper than reserved: decided when it is in.
                        waiting.push(next);
                        break;
                    }
                    self.record(ports, event)?;
                    if !next.request.call.purpose.is_closing() {
                        waiting.clear();
                    }
                    continue;
                }
                self.record(ports, next.started.clone())?;
                let Some(model) = next.model else {
                    self.handed.push(next.request);
                    continue;
                };
                let since = ports.clock.monotonic_ms();
                let heard = Heard {
                    listener: ports.observer.listener(),
                    aloud: Arc::clone(aloud),
                };
                // Once the time is up, what is still asked for is waited for as ever.
                let left = self.time_left(&next.request.call, ports);
                let left = left.filter(|left| !left.is_zero());
                let left = Left::new(left, self.time.stands());
                flying.push(Box::pin(async move {
                    (
                        since,
                        fly(next.request, next.delay, model, heard, left).await,
                    )
                }));
            }
            self.run_next(wishes, &mut flying, ports).await?;
            if flying.is_empty() {
                // The last reply goes to disk with what follows from it.
                return Ok(());
            }
            // What was said lies in its file before the next member is asked.
            self.settle(ports)?;
            let at_once = flying.next().now_or_never();
            let now = ports.clock.monotonic_ms();
            let mut arrived = match at_once {
                Some(arrived) => {
                    if self.is_stale(now) {
                        self.catch_up(now)?;
                    }
                    arrived
                }
                None => tokio::select! {
                    arrived = self.next_of(&mut flying, now, aloud, redact) => arrived?,
                    () = super::interrupted(interrupt.clone()) => return Ok(()),
                },
            };
            while let Some((since, arrival)) = arrived {
                let latency_ms = ports.clock.monotonic_ms().saturating_sub(since);
                match arrival {
                    Arrival::Answer(request, result) => {
                        aloud.ends(&request.call);
                        let event = self.event_of(&request, result, latency_ms, ports);
                        match trial::is_wanted(&event) {
                            true => wishes.waiting.push_back(event),
                            false => self.take_event(event, &mut flying, ports)?,
                        }
                    }
                    Arrival::Ran(wish, of, ran) => {
                        let wish = self.ran(*wish, of, ran, ports)?;
                        wishes.waiting.push_front(wish);
                        wishes.runs = None;
                    }
                    Arrival::Asked(event, answers) => {
                        let event = self.asked(*event, answers, latency_ms, ports);
                        self.record(ports, event)?;
                    }
                }
                // What comes together goes to disk together: those who speak side by side
                // answer at about the same time, and each sync is waited for.
                arrived = if waiting.is_empty() {
                    tokio::time::timeout(TOGETHER, flying.next())
                        .await
                        .ok()
                        .flatten()
                } else {
                    flying.next().now_or_never().flatten()
                };
            }
        }
    }

    /// Begins the next trial, where none runs; wishes of which nothing is left to be run go on.
    async fn run_next(
        &mut self,
        wishes: &mut Wishes,
        flying: &mut Flying,
        ports: &mut Ports<'_>,
    ) -> Result<(), Fault> {
        while wishes.runs.is_none()
            && let Some(wish) = wishes.waiting.pop_front()
        {
            // Whoever is asked may take long, and what flies is not to wait for that.
            if !flying.is_empty() && ports.trials.asks() {
                wishes.waiting.push_front(wish);
                break;
            }
            match self.begin_trial(wish, ports).await? {
                Wish::Interrupted => break,
                Wish::Settled(event) => self.take_event(event, flying, ports)?,
                Wish::Runs(wish, due) => {
                    let (run, over) = running(Arc::clone(&ports.trials), due.job);
                    let (since, wish) = (ports.clock.monotonic_ms(), Box::new(wish));
                    let of = (due.id, due.index);
                    flying.push(Box::pin(async move {
                        (since, Arrival::Ran(wish, of, run.await))
                    }));
                    wishes.runs = Some(over);
                }
            }
        }
        Ok(())
    }

    /// Puts the questions of a wish, or records what came.
    fn take_event(
        &mut self,
        event: Event,
        flying: &mut Flying,
        ports: &mut Ports<'_>,
    ) -> Result<(), Fault> {
        match self.asking(&event, ports)? {
            Some(answers) => flying.push(answers),
            None => self.record(ports, event)?,
        }
        Ok(())
    }

    /// What comes next, `now` being the clock's milliseconds. The files that show where the
    /// run stands, and what is being said, are written while it is waited for: not for an
    /// answer that is there before anybody could have looked.
    async fn next_of(
        &mut self,
        flying: &mut Flying,
        now: u64,
        aloud: &Aloud,
        redact: &(dyn Fn(&str) -> String + Sync),
    ) -> Result<Option<(u64, Arrival)>, Fault> {
        if !self.is_stale(now)
            && let Ok(arrived) = tokio::time::timeout(GLANCE, flying.next()).await
        {
            return Ok(arrived);
        }
        self.catch_up(now)?;
        loop {
            if let Ok(arrived) = tokio::time::timeout(GLIMPSE, flying.next()).await {
                return Ok(arrived);
            }
            if let Some(words) = aloud.news() {
                let words = words.into_iter();
                let words = words.map(|(call, text)| (call.to_string(), redact(&text)));
                let words: serde_json::Value = words.collect();
                self.draft.write(SAYING, words.to_string().as_bytes())?;
            }
        }
    }

    /// The questions of a wish to look, put to the member's own model one after the other as
    /// far as the caps allow; `None` if it has none. Each is on record before it is put, so
    /// that one that is lost counts as any call.
    fn asking(
        &mut self,
        event: &Event,
        ports: &mut Ports<'_>,
    ) -> Result<Option<BoxFuture<'static, (u64, Arrival)>>, Fault> {
        let questions = look::questions(event);
        let Some((first, _)) = questions.first() else {
            return Ok(None);
        };
        let provider = &self.state.inputs.model_of(&first.member).provider;
        let Some(model) = ports.models.get(provider).map(Arc::clone) else {
            return Ok(None);
        };
        let mut requests = Vec::new();
        let left = self.time_left(first, ports);
        for (call, question) in &questions {
            let request = self.prompter.question(&self.state, call, question)?;
            let bytes = prompt::prompt_bytes(&request);
            let reserve = Reserve::of(&self.state, call, bytes, request.max_output_tokens);
            let is_allowed = match call.purpose.is_closing() {
                true => budget::allows_closing(&self.state, reserve),
                false => budget::allows_discussion(&self.state, reserve),
            };
            if !is_allowed || left.is_some_and(|left| left.is_zero()) {
                break;
            }
            let started = self.started(&request, Vec::new(), reserve);
            self.record(ports, started)?;
            requests.push(request);
        }
        // What was asked is on disk before it is sent.
        self.commit(ports)?;
        let (since, event) = (ports.clock.monotonic_ms(), Box::new(event.clone()));
        // All of them together have what is left.
        let mut left = Left::new(left, self.time.stands());
        Ok(Some(Box::pin(async move {
            let mut answers = Vec::new();
            for request in requests {
                let answer = left.of(model.chat(&request)).await.ok();
                answers.push((request.call, answer));
            }
            (since, Arrival::Asked(event, answers))
        })))
    }

    /// The wish with what was answered; what was cut off is paid for, and is no answer.
    fn asked(&self, event: Event, answers: Answers, latency_ms: u64, ports: &Ports<'_>) -> Event {
        let each = latency_ms / answers.len().max(1) as u64;
        let answers = answers.into_iter().map(|(call, response)| {
            let response = response?;
            let text = match response.finish {
                FinishReason::Stop => (ports.redact)(&response.text),
                _ => String::new(),
            };
            // What was taken out is counted where the answer stands.
            let receipt = receipt(call, response, each, 0);
            Some((receipt, text))
        });
        look::with_answers(&self.state, event, answers.collect())
    }

    /// Takes in what the human said while calls are made; was there anything?
    fn was_addressed(&mut self, ports: &mut Ports<'_>) -> Result<bool, Fault> {
        let before = self.state.seq;
        self.take_mail(ports)?;
        Ok(self.state.seq > before)
    }

    fn prepare(
        &self,
        call: &CallId,
        ports: &Ports<'_>,
    ) -> Result<Result<Prepared, Outcome>, Fault> {
        let choice = self.state.inputs.model_of(&call.member);
        let request = self.prompter.request(&self.state, call)?;
        let bytes = prompt::prompt_bytes(&request);
        let model = match choice.is_by_hand() {
            true => None,
            false => {
                let model = ports.models.get(&choice.provider);
                let nobody = || PROVIDER_NOT_CONFIGURED.with(&[("name", &choice.provider)]);
                Some(Arc::clone(model.ok_or_else(nobody)?))
            }
        };
        let reserve = Reserve::of(&self.state, call, bytes, request.max_output_tokens);
        let delay = match self.delay(call, ports) {
            Ok(delay) => delay,
            Err(detail) => {
                return Ok(Err(Outcome::ProviderUnavailable {
                    call: self.last_try(call),
                    model: choice.clone(),
                    detail,
                }));
            }
        };
        let started = self.started(&request, prompt::context(&self.state, call), reserve);
        Ok(Ok(Prepared {
            request,
            started,
            reserve,
            delay,
            model,
        }))
    }

    /// The event that a call is made, with the ids that stand in its prompt.
    fn started(&self, request: &ChatRequest, ids: Vec<String>, reserve: Reserve) -> Event {
        Event::CallStarted {
            call: request.call.clone(),
            model: request.model.clone(),
            input_context: InputContext {
                ids,
                prompt: prompt::digest(request),
                bytes: prompt::prompt_bytes(request),
            },
            reserve: reserve.tokens,
            reserve_usd: reserve.usd,
        }
    }

    /// The last try that was made of a call, where this one will not be.
    pub(super) fn last_try(&self, call: &CallId) -> CallId {
        let history = self.state.calls.troubled.get(&call.first());
        call.with_attempt(history.map_or(1, |history| history.spent_attempts.max(1)))
    }

    /// How long a call of the discussion may still wait, where its time limit is obeyed. The
    /// summary that ends a round has as long as it takes: without it nothing is closed.
    fn time_left(&self, call: &CallId, ports: &Ports<'_>) -> Option<Duration> {
        let now = self.time.now(ports.clock.monotonic_ms());
        let left = ending::time_left(&self.state, now);
        let ends_it = call.purpose.is_closing() || call.purpose == Purpose::Summary;
        left.filter(|_| !ends_it)
    }

    /// Is the time over that a call of the discussion may take?
    fn is_time_up(&self, call: &CallId, ports: &Ports<'_>) -> bool {
        self.time_left(call, ports) == Some(Duration::ZERO)
    }

    /// How long to wait before this try.
    fn delay(&self, call: &CallId, ports: &Ports<'_>) -> Result<Duration, String> {
        let Some(history) = self.state.calls.troubled.get(&call.first()) else {
            return Ok(Duration::ZERO);
        };
        if history.failures == 0 {
            return Ok(Duration::ZERO);
        }
        if self.is_time_up(call, ports) {
            return Err(history.last_failure.clone().unwrap_or_default());
        }
        let asked = history.retry_after_ms.map(Duration::from_millis);
        backoff::delay(history.failures, asked, &ports.backoff).map_err(|e| e.to_string())
    }

    /// What is recorded in place of a call that does not fit below a ceiling; `None` if it
    /// may be made. One of the discussion ends it; one of the closing is written from what
    /// the ledger says, without a model.
    fn in_its_place(&self, next: &Prepared) -> Option<Event> {
        let state = &self.state;
        let purpose = next.request.call.purpose;
        let reserve = next.reserve;
        if !purpose.is_closing() {
            return ending::ceiling(state, reserve);
        }
        let reviewing = state.stage == Stage::Reviewing;
        // The words that open a plan's report come after the review.
        let is_report = purpose == Purpose::Report && state.team.is_none();
        let reserve = if reviewing && state.report.is_none() && !is_report {
            reserve.and(next.reserve)
        } else {
            reserve
        };
        if budget::allows_closing(state, reserve) {
            return None;
        }
        if reviewing {
            return Some(review::without_room(state, &next.request.call));
        }
        Some(match purpose {
            Purpose::Document(kind) => Event::Document {
                receipt: None,
                kind,
                content: normalize_document(state, artifact::fallback_document(state, kind)).0,
                carried: None,
                evidence: Vec::new(),
                accounts: Vec::new(),
                notes: Vec::new(),
            },
            _ if state.team.is_some() => Event::TeamSynthesis(TeamSynthesis {
                receipt: None,
                synthesis: artifact::fallback_synthesis(state),
            }),
            _ => Event::Report {
                receipt: None,
                words: state
                    .report
                    .clone()
                    .unwrap_or_else(|| artifact::fallback_report(state)),
                notes: Vec::new(),
            },
        })
    }

    /// What a call's result is, as a fact.
    fn event_of(
        &mut self,
        request: &ChatRequest,
        result: Result<ChatResponse, CallFailure>,
        latency_ms: u64,
        ports: &Ports<'_>,
    ) -> Event {
        let call = request.call.clone();
        match result {
            Ok(response) => {
                let text = (ports.redact)(&response.text);
                let redacted = placeholders(&text).saturating_sub(placeholders(&response.text));
                let finish = response.finish;
                let thought = response.reasoning.as_deref();
                let thought = thought.is_some_and(|it| !it.trim().is_empty());
                let receipt = receipt(call, response, latency_ms, redacted);
                let event = event_of(&self.state, receipt, &text, finish);
                let mut event = self.grounded(event, &text, ports);
                if let Event::ReplyRejected { reason, .. } = &mut event
                    && thought
                    && *reason == ReplyError::Empty.to_string()
                {
                    *reason = ReplyError::Thought.to_string();
                }
                event
            }
            Err(failure) => {
                let detail = (ports.redact)(failure.for_record());
                self.failed = Some((detail.clone(), (ports.redact)(&failure.detail)));
                Event::CallFailed {
                    call,
                    kind: failure.kind,
                    detail,
                    retryable: failure.retryable,
                    retry_after_ms: failure
                        .retry_after
                        .map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)),
                    latency_ms,
                }
            }
        }
    }
}

/// What is put on record of an answered call, from whose text so many secrets were taken out.
fn receipt(call: CallId, response: ChatResponse, latency_ms: u64, redacted: u32) -> Receipt {
    Receipt {
        call,
        model: response.model,
        usage: response.usage,
        latency_ms,
        request_id: response.request_id,
        answer_format: response.format,
        terms: response.terms,
        redacted,
    }
}

/// Passes on what is heard.
struct Heard {
    listener: Arc<dyn Listener>,
    aloud: Arc<Aloud>,
}

impl Listener for Heard {
    fn hears(&self, call: &CallId, piece: Piece<'_>) {
        if let Piece::Text(text) = piece {
            self.aloud.take(call, text);
        }
        self.listener.hears(call, piece);
    }
}

/// The call itself; given up where it has not ended when nothing is `left`.
async fn fly(
    request: ChatRequest,
    delay: Duration,
    model: Arc<dyn ChatModel>,
    heard: Heard,
    mut left: Left,
) -> Arrival {
    let answered = async {
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        model.chat_streaming(&request, &heard).await
    };
    let result = left.of(answered).await;
    Arrival::Answer(Box::new(request), result)
}
