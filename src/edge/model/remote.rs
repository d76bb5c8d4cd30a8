//! A model behind HTTP, whatever its dialect.
//!
//! One call is one streamed request. An endpoint that refuses its *form* (the
//! way structured answers or the output limit are asked for) is asked again at
//! once in the next form, since a refusal costs nothing; see `shape`.
//! Everything else that goes wrong is a [`CallFailure`].

use std::fmt;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Client, Response};
use tokio::time::timeout;

use super::answer::{Answer, Taken};
use super::failure::Failures;
use super::http::{self, Base, ModelSetupError, Route, Timeouts};
use super::providers::{self, Dialect};
use super::shape::{Learned, Shape};
use super::sse::{MAX_STREAM, SseParser, TooLarge};
use super::wire::{self, Framing, Wire};
use super::{CallFailure, ChatModel, Deaf, Listener, Piece, estimate_tokens};
use crate::chat::{ChatRequest, ChatResponse, Usage};
use crate::edge::ports::BoxFuture;
use crate::machine::FailureKind;

/// Longest error body that is read, in bytes.
const MAX_ERROR: usize = 64 << 10;

/// How long an error's body is read, however it drips: what it says is told, and what is
/// known by then, its status, decides.
const ERROR_PATIENCE: Duration = Duration::from_secs(2);

/// How long the rest of a stream is waited for after its announced end, so that the
/// connection can be used again.
const DRAIN: Duration = Duration::from_millis(50);

/// How an endpoint is reached.
#[derive(Clone)]
pub struct RemoteConfig {
    /// Provider name for messages, such as `openai`; a known name brings its quirks.
    pub name: String,
    /// Wire format.
    pub dialect: Dialect,
    /// Base URL such as `https://api.openai.com/v1`.
    pub base_url: String,
    /// Key, sent as the dialect wants it; none for most local servers.
    pub api_key: Option<String>,
    /// Time limits of each call.
    pub timeouts: Timeouts,
    /// What stands between this machine and the endpoint.
    pub route: Route,
}

impl fmt::Debug for RemoteConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteConfig")
            .field("name", &self.name)
            .field("dialect", &self.dialect)
            .field("has_key", &self.api_key.is_some())
            .field("timeouts", &self.timeouts)
            .finish_non_exhaustive()
    }
}

/// A client of one endpoint: keeps connections and what it learned of the endpoint.
pub struct Remote {
    client: Client,
    base: Base,
    wire: Box<dyn Wire>,
    timeouts: Timeouts,
    learned: Learned,
    failures: Failures,
}

impl Remote {
    /// Makes a client; nothing is sent yet.
    ///
    /// # Errors
    /// Base URL or key cannot be used, or TLS cannot be set up.
    pub fn new(config: RemoteConfig) -> Result<Self, ModelSetupError> {
        let base = wire::base(config.dialect, &config.name, &config.base_url)?;
        let key = config.api_key.as_deref();
        let headers = wire::headers(config.dialect, &config.name, key)?;
        let client = http::client(
            &config.name,
            &base,
            headers,
            &config.timeouts,
            &config.route,
        )?;
        let wire = wire::wire(config.dialect);
        let quirks = providers::quirks(&config.name, base.host());
        Ok(Self {
            client,
            learned: Learned::new(quirks, wire.ladder()),
            wire,
            timeouts: config.timeouts,
            failures: Failures::new(&config.name, base.origin(), key),
            base,
        })
    }

    async fn ask(
        &self,
        request: &ChatRequest,
        listener: &dyn Listener,
    ) -> Result<ChatResponse, CallFailure> {
        loop {
            let shape = self.learned.shape();
            let body = self.wire.body(request, shape).map_err(|e| {
                self.failures.new_failure(
                    FailureKind::Refused,
                    false,
                    format_args!("the request cannot be written: {e}"),
                )
            })?;
            let response = self.send(&request.model, body).await?;
            let status = response.status();
            if status.is_success() {
                return self.read(request, shape, response, listener).await;
            }
            let headers = response.headers().clone();
            let body = self.read_error(response).await;
            if !self.learned.learns(shape, status, &body) {
                let meant = self.wire.meant(status, &body);
                let failure = self.failures.status(meant, &headers, &body);
                return Err(self.with_wait(failure, &body));
            }
        }
    }

    /// Adds the wait that the body asks for where no header did.
    fn with_wait(&self, failure: CallFailure, body: &str) -> CallFailure {
        let asked = failure.retryable.then(|| self.wire.retry_after(body));
        CallFailure {
            retry_after: failure.retry_after.or(asked.flatten()),
            ..failure
        }
    }

    async fn send(&self, model: &str, body: Vec<u8>) -> Result<Response, CallFailure> {
        let sent = self
            .client
            .post(self.wire.url(&self.base, model))
            .header(CONTENT_TYPE, "application/json")
            .body(body)
            .send();
        self.in_time(sent).await
    }

    /// Holds one wait for the network to the idle limit.
    async fn in_time<T>(
        &self,
        wait: impl Future<Output = reqwest::Result<T>>,
    ) -> Result<T, CallFailure> {
        match timeout(self.timeouts.idle, wait).await {
            Ok(result) => result.map_err(|e| self.failures.transport(&e)),
            Err(_) => Err(self.failures.timeout("nothing came", self.timeouts.idle)),
        }
    }

    /// Reads what there is of an error body; that it cannot be read whole is no new error.
    async fn read_error(&self, mut response: Response) -> String {
        let mut body = Vec::new();
        let read = async {
            while let Ok(Some(bytes)) = self.in_time(response.chunk()).await {
                body.extend_from_slice(&bytes[..bytes.len().min(MAX_ERROR - body.len())]);
                if body.len() == MAX_ERROR {
                    break;
                }
            }
        };
        let patience = ERROR_PATIENCE.min(self.timeouts.call / 2);
        let _ = timeout(patience, read).await;
        String::from_utf8_lossy(&body).into_owned()
    }

    async fn read(
        &self,
        request: &ChatRequest,
        shape: Shape,
        response: Response,
        listener: &dyn Listener,
    ) -> Result<ChatResponse, CallFailure> {
        let request_id = request_id(response.headers());
        let kind = response
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok())
            .unwrap_or_default()
            .to_ascii_lowercase();
        // Lines of JSON are declared as `application/x-ndjson`, or as plain JSON.
        let is_stream = self.wire.framing() == Framing::Lines || !kind.contains("json");
        let answer = if kind.contains("html") {
            return Err(self.failures.new_failure(
                FailureKind::Protocol,
                false,
                "a web page came instead of an answer; is the base URL right? it usually ends in `/v1`",
            ));
        } else if is_stream {
            self.read_stream(request, response, listener).await?
        } else {
            self.read_whole(response).await?
        };
        Ok(self.finished(request, shape, answer, request_id))
    }

    async fn read_stream(
        &self,
        request: &ChatRequest,
        mut response: Response,
        listener: &dyn Listener,
    ) -> Result<Answer, CallFailure> {
        let mut answer = Answer::default();
        let mut heard = Told::default();
        let mut parser = match self.wire.framing() {
            Framing::Events => SseParser::new(),
            Framing::Lines => SseParser::lines(),
        };
        while let Some(bytes) = self.in_time(response.chunk()).await? {
            parser
                .push(&bytes, |data| self.take(&mut answer, data))
                .map_err(|stop| self.stopped(stop))?;
            heard.tell(&answer, |piece| listener.hears(&request.call, piece));
            if answer.done {
                let rest = async { while let Ok(Some(_)) = response.chunk().await {} };
                let _ = timeout(DRAIN, rest).await;
                return Ok(answer);
            }
        }
        if parser.is_untouched() {
            return Err(self.failures.protocol("the answer is empty"));
        }
        parser
            .finish(|data| self.take(&mut answer, data))
            .map_err(|stop| self.stopped(stop))?;
        heard.tell(&answer, |piece| listener.hears(&request.call, piece));
        if !answer.begun && !answer.done {
            return Err(self.failures.protocol("what came is no stream of events"));
        }
        if !answer.is_whole() {
            return Err(self
                .failures
                .protocol("the stream was cut off before its end"));
        }
        Ok(answer)
    }

    /// Some endpoints do not stream, whatever they are asked.
    async fn read_whole(&self, mut response: Response) -> Result<Answer, CallFailure> {
        let mut body = Vec::new();
        while let Some(bytes) = self.in_time(response.chunk()).await? {
            if body.len() + bytes.len() > MAX_STREAM {
                return Err(self.stopped(TooLarge::Stream.into()));
            }
            body.extend_from_slice(&bytes);
        }
        if body.trim_ascii().is_empty() {
            return Err(self.failures.protocol("the answer is empty"));
        }
        let mut answer = Answer::default();
        self.take(&mut answer, &body)
            .map_err(|stop| self.stopped(stop))?;
        if !answer.begun {
            return Err(self
                .failures
                .protocol("what came is no answer of a model: is the address right?"));
        }
        Ok(answer)
    }

    fn take(&self, answer: &mut Answer, data: &[u8]) -> Result<(), ReadStop> {
        match self.wire.take(answer, data) {
            Ok(Taken::Added) => Ok(()),
            Ok(Taken::Error { code, message }) => Err(ReadStop::Reported { code, message }),
            Err(error) => Err(ReadStop::Malformed(error)),
        }
    }

    fn stopped(&self, stop: ReadStop) -> CallFailure {
        match stop {
            ReadStop::TooLarge(what) => {
                self.failures
                    .new_failure(FailureKind::TooLarge, false, what)
            }
            ReadStop::Reported { code, message } => self.failures.reported(code, &message),
            ReadStop::Malformed(error) => self.failures.protocol(format_args!(
                "a part of the answer cannot be read: {}",
                self.failures.clean(&error.to_string())
            )),
        }
    }

    fn finished(
        &self,
        request: &ChatRequest,
        shape: Shape,
        mut answer: Answer,
        request_id: Option<String>,
    ) -> ChatResponse {
        answer.set_thinking_apart();
        answer.set_arguments_as_text(request.schema.name);
        answer.doubt_end(request.max_output_tokens);
        if answer.ignores(shape.format) {
            self.learned.ignored(shape);
        }
        let finish = answer.finish();
        let shown = |text: String| (!text.is_empty()).then(|| self.failures.clean(&text));
        ChatResponse {
            usage: answer.counts.usage(estimate(request, &answer)),
            text: answer.text,
            reasoning: (!answer.reasoning.is_empty()).then_some(answer.reasoning),
            finish,
            model: shown(answer.model).unwrap_or_else(|| request.model.clone()),
            request_id: request_id.or(Some(answer.id)).and_then(shown),
            format: Some(shape.format),
        }
    }
}

impl ChatModel for Remote {
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
    ) -> BoxFuture<'a, Result<ChatResponse, CallFailure>> {
        self.chat_aloud(request, &Deaf)
    }

    fn chat_aloud<'a>(
        &'a self,
        request: &'a ChatRequest,
        listener: &'a dyn Listener,
    ) -> BoxFuture<'a, Result<ChatResponse, CallFailure>> {
        Box::pin(async move {
            match timeout(self.timeouts.call, self.ask(request, listener)).await {
                Ok(result) => result,
                Err(_) => Err(self
                    .failures
                    .timeout("no whole answer came", self.timeouts.call)),
            }
        })
    }
}

/// How much of an answer was told already, in bytes of each of its parts.
#[derive(Default)]
struct Told {
    thoughts: usize,
    text: usize,
    arguments: usize,
}

impl Told {
    /// Tells what has come since.
    fn tell(&mut self, answer: &Answer, mut hears: impl FnMut(Piece<'_>)) {
        let thought = since(&mut self.thoughts, &answer.reasoning);
        let text = since(&mut self.text, &answer.text);
        let arguments = since(&mut self.arguments, &answer.arguments);
        let pieces = [
            Piece::Thought(thought),
            Piece::Text(text),
            Piece::Text(arguments),
        ];
        for piece in pieces {
            if !matches!(piece, Piece::Thought("") | Piece::Text("")) {
                hears(piece);
            }
        }
    }
}

/// What stands in `whole` after the first `told` bytes; all of it is told then.
fn since<'a>(told: &mut usize, whole: &'a str) -> &'a str {
    let from = std::mem::replace(told, whole.len());
    whole.get(from..).unwrap_or_default()
}

/// Why reading an answer was given up.
enum ReadStop {
    TooLarge(TooLarge),
    Reported { code: Option<u16>, message: String },
    Malformed(serde_json::Error),
}

impl From<TooLarge> for ReadStop {
    fn from(what: TooLarge) -> Self {
        Self::TooLarge(what)
    }
}

fn request_id(headers: &HeaderMap) -> Option<String> {
    ["x-request-id", "request-id", "x-ds-trace-id"]
        .iter()
        .find_map(|name| headers.get(*name)?.to_str().ok())
        .map(str::to_owned)
}

fn estimate(request: &ChatRequest, answer: &Answer) -> Usage {
    let reasoning = estimate_tokens(&answer.reasoning);
    Usage {
        input: request
            .messages
            .iter()
            .map(|m| estimate_tokens(&m.content))
            .sum(),
        cached_input: 0,
        output: estimate_tokens(&answer.text) + reasoning,
        reasoning,
    }
}
