//! Model calls: recorded as started, made concurrently where allowed, and their results turned into
//! events.

use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};

use super::partial_answers::PartialAnswers;
use super::session::Session;
use super::time_left::TimeLeft;
use super::trial::{TrialQueue, TrialStep, running};
use super::{Outcome, Ports};
use crate::chat::{ChatRequest, ChatResponse, FinishReason};
use crate::edge::BoxFuture;
use crate::edge::model::{AnswerPiece, CallFailure, ChatModel, Listener, backoff};
use crate::edge::store::SAYING;
use crate::fault::models::PROVIDER_NOT_CONFIGURED;
use crate::fault::{Fault, values};
use crate::machine::team::TeamSynthesis;
use crate::machine::{
    CallId, Event, InputContext, Purpose, Receipt, Stage, TrialId, TrialOutcome, budget,
    budget::Reserve, ending, event_of, look, normalize_document, review, trial,
};
use crate::redact::placeholders;
use crate::reply::ReplyError;
use crate::{artifact, prompt};

/// How long a finished call waits for others in flight, so that they are written to disk together:
/// about as long as one sync takes.
const SYNC_WINDOW: Duration = Duration::from_millis(5);

/// How long a run waits for an answer before it writes the files that show its progress.
const PROGRESS_DELAY: Duration = Duration::from_millis(20);

/// How often the partial answers are written out for readers in other processes.
const PARTIAL_INTERVAL: Duration = Duration::from_millis(200);

struct PreparedCall {
    request: ChatRequest,
    started: Event,
    reserve: Reserve,
    delay: Duration,
    /// `None` if the prompt goes into a file, to be answered by hand.
    model: Option<Arc<dyn ChatModel>>,
}

/// A finished call, question or trial.
enum FinishedTask {
    Answer(Box<ChatRequest>, Result<ChatResponse, CallFailure>),
    /// A look whose questions the member's own model answered.
    LookAnswered(Box<Event>, Answers),
    /// A look of which a trial ended: the trial's id, its index among the looks, and its result.
    Ran(Box<Event>, (TrialId, usize), TrialOutcome),
}

/// Answers to the questions of one look; shorter than the list of questions if a cap was
/// reached.
type Answers = Vec<(CallId, Option<ChatResponse>)>;

/// Calls in flight; each yields the clock's milliseconds at its start and its result.
type InFlight = FuturesUnordered<BoxFuture<'static, (u64, FinishedTask)>>;

impl Session {
    /// Makes calls concurrently, up to the configured limit, and records replies as they arrive.
    /// What the user said meanwhile is taken in before another call is started: members asked later
    /// see it, and no call is started after a stop. Returns an outcome if the run cannot continue.
    pub(super) async fn make_calls(
        &mut self,
        calls: Vec<CallId>,
        ports: &mut Ports<'_>,
    ) -> Result<Option<Outcome>, Fault> {
        let partial = Arc::new(PartialAnswers::default());
        let outcome = self.make_all(calls, &partial, ports).await;
        if partial.was_told() {
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
        partial: &Arc<PartialAnswers>,
        ports: &mut Ports<'_>,
    ) -> Result<Option<Outcome>, Fault> {
        // All prompts are rendered before any reply arrives: a prompt must not depend on which
        // member answers first.
        let mut waiting = Vec::with_capacity(calls.len());
        for call in calls {
            match self.prepare(&call, ports)? {
                Ok(prepared) => waiting.push(prepared),
                Err(outcome) => return Ok(Some(outcome)),
            }
        }
        waiting.reverse();
        let mut wishes = TrialQueue::default();
        let made = self.run_calls(waiting, &mut wishes, partial, ports).await;
        // The thread of a running trial has to clean up before the process ends.
        if let Some(over) = wishes.runs.take() {
            let _ = over.await;
        }
        made.map(|()| None)
    }

    async fn run_calls(
        &mut self,
        mut waiting: Vec<PreparedCall>,
        wishes: &mut TrialQueue,
        partial: &Arc<PartialAnswers>,
        ports: &mut Ports<'_>,
    ) -> Result<(), Fault> {
        let mut in_flight = InFlight::new();
        let (interrupt, redact) = (ports.interrupt.clone(), ports.redact);
        let made_at = self.state.run.seq;
        loop {
            if interrupt.borrow().is_some() {
                return Ok(());
            }
            let has_begun = self.state.run.seq > made_at;
            if has_begun
                && let Some(next) = waiting.last()
                && (self.is_time_up(&next.request.call, ports) || self.was_addressed(ports)?)
            {
                // Calls in flight are completed. Those not started were rendered before the user
                // spoke: they are rendered again if they are still due.
                waiting.clear();
            }
            while in_flight.len() < self.state.inputs.rules.limits.concurrency {
                let Some(next) = waiting.pop() else { break };
                // An event that arrived meanwhile may have blocked it, such as a question.
                if self.state.run.seq > made_at && !self.state.may_start(&next.request.call) {
                    waiting.clear();
                    break;
                }
                if let Some(event) = self.replacement(&next) {
                    if !in_flight.is_empty() || self.state.calls.waiting_by_hand().next().is_some()
                    {
                        // Calls in flight may cost less than reserved, so this is decided once they
                        // have ended.
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
                let heard = PieceForwarder {
                    listener: ports.observer.listener(),
                    partial: Arc::clone(partial),
                };
                // Once the time is up, calls that are still made (a round's summary) have no
                // deadline.
                let left = self.time_left(&next.request.call, ports);
                let left = left.filter(|left| !left.is_zero());
                let left = TimeLeft::new(left, self.time.stands());
                in_flight.push(Box::pin(async move {
                    (
                        since,
                        make_call(next.request, next.delay, model, heard, left).await,
                    )
                }));
            }
            self.start_next_trial(wishes, &mut in_flight, ports).await?;
            if in_flight.is_empty() {
                // The last reply is committed together with the events that follow from it.
                return Ok(());
            }
            // Every speech is in its file before the next member is asked.
            self.write_entries(ports)?;
            let at_once = in_flight.next().now_or_never();
            let now = ports.clock.monotonic_ms();
            let mut arrived = match at_once {
                Some(arrived) => {
                    if self.is_stale(now) {
                        self.catch_up(now)?;
                    }
                    arrived
                }
                None => tokio::select! {
                    arrived = self.next_arrival(&mut in_flight, now, partial, redact) => arrived?,
                    () = super::interrupted(interrupt.clone()) => return Ok(()),
                },
            };
            while let Some((since, arrival)) = arrived {
                let latency_ms = ports.clock.monotonic_ms().saturating_sub(since);
                match arrival {
                    FinishedTask::Answer(request, result) => {
                        partial.ends(&request.call);
                        let event = self.event_of_result(&request, result, latency_ms, ports);
                        match trial::is_wanted(&event) {
                            true => wishes.waiting.push_back(event),
                            false => self.take_event(event, &mut in_flight, ports)?,
                        }
                    }
                    FinishedTask::Ran(wish, of, ran) => {
                        let wish = self.ran(*wish, of, ran, ports)?;
                        wishes.waiting.push_front(wish);
                        wishes.runs = None;
                    }
                    FinishedTask::LookAnswered(event, answers) => {
                        let event = self.look_answered(*event, answers, latency_ms, ports);
                        self.record(ports, event)?;
                    }
                }
                // Members who speak concurrently answer at about the same time, so their answers
                // share one sync, which the run has to wait for.
                arrived = if waiting.is_empty() {
                    tokio::time::timeout(SYNC_WINDOW, in_flight.next())
                        .await
                        .ok()
                        .flatten()
                } else {
                    in_flight.next().now_or_never().flatten()
                };
            }
        }
    }

    /// Starts the next trial unless one is running; requests without any trial left continue.
    async fn start_next_trial(
        &mut self,
        wishes: &mut TrialQueue,
        in_flight: &mut InFlight,
        ports: &mut Ports<'_>,
    ) -> Result<(), Fault> {
        while wishes.runs.is_none()
            && let Some(wish) = wishes.waiting.pop_front()
        {
            // The user may take long to allow it, and calls in flight must not wait for that.
            if !in_flight.is_empty() && ports.trials.asks() {
                wishes.waiting.push_front(wish);
                break;
            }
            match self.begin_trial(wish, ports).await? {
                TrialStep::Interrupted => break,
                TrialStep::Done(event) => self.take_event(event, in_flight, ports)?,
                TrialStep::Runs(wish, due) => {
                    let (run, over) = running(Arc::clone(&ports.trials), due.job);
                    let (since, wish) = (ports.clock.monotonic_ms(), Box::new(wish));
                    let of = (due.id, due.index);
                    in_flight.push(Box::pin(async move {
                        (since, FinishedTask::Ran(wish, of, run.await))
                    }));
                    wishes.runs = Some(over);
                }
            }
        }
        Ok(())
    }

    /// Asks the questions of a request, or records an event that has none.
    fn take_event(
        &mut self,
        event: Event,
        in_flight: &mut InFlight,
        ports: &mut Ports<'_>,
    ) -> Result<(), Fault> {
        match self.ask_own_model(&event, ports)? {
            Some(answers) => in_flight.push(answers),
            None => self.record(ports, event)?,
        }
        Ok(())
    }

    /// Waits for the next result; `now` is the clock's milliseconds. The progress files and partial
    /// answers are written during the wait, but not if the result is there before anybody could
    /// have read them.
    async fn next_arrival(
        &mut self,
        in_flight: &mut InFlight,
        now: u64,
        partial: &PartialAnswers,
        redact: &(dyn Fn(&str) -> String + Sync),
    ) -> Result<Option<(u64, FinishedTask)>, Fault> {
        if !self.is_stale(now)
            && let Ok(arrived) = tokio::time::timeout(PROGRESS_DELAY, in_flight.next()).await
        {
            return Ok(arrived);
        }
        self.catch_up(now)?;
        loop {
            if let Ok(arrived) = tokio::time::timeout(PARTIAL_INTERVAL, in_flight.next()).await {
                return Ok(arrived);
            }
            if let Some(words) = partial.news() {
                let words = words.into_iter();
                let words = words.map(|(call, text)| (call.to_string(), redact(&text)));
                let words: serde_json::Value = words.collect();
                self.draft.write(SAYING, words.to_string().as_bytes())?;
            }
        }
    }

    /// Asks the member's own model the questions of a look, one after the other, as far as the
    /// caps allow; `None` if the look has none. Each question is recorded before it is sent, so
    /// that a lost one counts like any call.
    fn ask_own_model(
        &mut self,
        event: &Event,
        ports: &mut Ports<'_>,
    ) -> Result<Option<BoxFuture<'static, (u64, FinishedTask)>>, Fault> {
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
        // The questions are on disk before they are sent.
        self.commit(ports)?;
        let (since, event) = (ports.clock.monotonic_ms(), Box::new(event.clone()));
        // All questions share the time that is left.
        let mut left = TimeLeft::new(left, self.time.stands());
        Ok(Some(Box::pin(async move {
            let mut answers = Vec::new();
            for request in requests {
                let answer = left.of(model.chat(&request)).await.ok();
                answers.push((request.call, answer));
            }
            (since, FinishedTask::LookAnswered(event, answers))
        })))
    }

    /// Adds the answers to the look; an answer that was cut off is paid for but not used.
    fn look_answered(
        &self,
        event: Event,
        answers: Answers,
        latency_ms: u64,
        ports: &Ports<'_>,
    ) -> Event {
        let each = latency_ms / answers.len().max(1) as u64;
        let answers = answers.into_iter().map(|(call, response)| {
            let response = response?;
            let text = match response.finish {
                FinishReason::Stop => (ports.redact)(&response.text),
                _ => String::new(),
            };
            // The number of redactions is recorded with the answer itself, hence 0 here.
            let receipt = receipt(call, response, each, 0);
            Some((receipt, text))
        });
        look::with_answers(&self.state, event, answers.collect())
    }

    /// Takes in what the user said while calls are made; returns whether anything was recorded.
    fn was_addressed(&mut self, ports: &mut Ports<'_>) -> Result<bool, Fault> {
        let before = self.state.run.seq;
        self.take_mail(ports)?;
        Ok(self.state.run.seq > before)
    }

    fn prepare(
        &self,
        call: &CallId,
        ports: &Ports<'_>,
    ) -> Result<Result<PreparedCall, Outcome>, Fault> {
        let choice = self.state.inputs.model_of(&call.member);
        let request = self.prompter.request(&self.state, call)?;
        let bytes = prompt::prompt_bytes(&request);
        let model = match choice.is_by_hand() {
            true => None,
            false => {
                let model = ports.models.get(&choice.provider);
                let nobody = || PROVIDER_NOT_CONFIGURED.with(values![name = choice.provider]);
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
        Ok(Ok(PreparedCall {
            request,
            started,
            reserve,
            delay,
            model,
        }))
    }

    /// The event that starts a call, with the ids that its prompt contains.
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

    /// The last attempt of a call that was made, if this one is not going to be.
    pub(super) fn last_try(&self, call: &CallId) -> CallId {
        let history = self.state.calls.troubled.get(&call.first());
        call.with_attempt(history.map_or(1, |history| history.spent_attempts.max(1)))
    }

    /// Time left for a call that is subject to the discussion's time limit; `None` if it is not.
    /// The summary that ends a round is exempt: no issue can be closed without it.
    fn time_left(&self, call: &CallId, ports: &Ports<'_>) -> Option<Duration> {
        let now = self.time.now(ports.clock.monotonic_ms());
        let left = ending::time_left(&self.state, now);
        let ends_it = call.purpose.is_closing() || call.purpose == Purpose::Summary;
        left.filter(|_| !ends_it)
    }

    fn is_time_up(&self, call: &CallId, ports: &Ports<'_>) -> bool {
        self.time_left(call, ports) == Some(Duration::ZERO)
    }

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

    /// The event recorded in place of a call that would exceed a cap; `None` if the call may be
    /// made. In the discussion that event ends it; in the closing phase the text is made from the
    /// ledger, without a model.
    fn replacement(&self, next: &PreparedCall) -> Option<Event> {
        let state = &self.state;
        let purpose = next.request.call.purpose;
        let reserve = next.reserve;
        if !purpose.is_closing() {
            return ending::ceiling(state, reserve);
        }
        let reviewing = state.stage == Stage::Reviewing;
        // The introduction of a plan's report is written after the review.
        let is_report = purpose == Purpose::Report && state.team.is_none();
        let reserve = if reviewing && state.documents.report.is_none() && !is_report {
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
                    .documents
                    .report
                    .clone()
                    .unwrap_or_else(|| artifact::fallback_report(state)),
                notes: Vec::new(),
            },
        })
    }

    fn event_of_result(
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

/// The recorded facts of an answered call; `redacted` is the number of secrets removed from its
/// text.
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

/// Forwards the pieces of a streamed answer to the listener and to [`PartialAnswers`].
struct PieceForwarder {
    listener: Arc<dyn Listener>,
    partial: Arc<PartialAnswers>,
}

impl Listener for PieceForwarder {
    fn on_piece(&self, call: &CallId, piece: AnswerPiece<'_>) {
        if let AnswerPiece::Text(text) = piece {
            self.partial.append(call, text);
        }
        self.listener.on_piece(call, piece);
    }
}

/// Makes the call after `delay`, and gives up when no time is `left`.
async fn make_call(
    request: ChatRequest,
    delay: Duration,
    model: Arc<dyn ChatModel>,
    heard: PieceForwarder,
    mut left: TimeLeft,
) -> FinishedTask {
    let answered = async {
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        model.chat_streaming(&request, &heard).await
    };
    let result = left.of(answered).await;
    FinishedTask::Answer(Box::new(request), result)
}
