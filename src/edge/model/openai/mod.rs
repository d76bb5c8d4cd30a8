//! OpenAI's chat completions, and every endpoint that is compatible.
//!
//! One call is one streamed request. An endpoint that refuses its *form* (the
//! way structured answers or the output limit are asked for) is asked again at
//! once in the next form, since a refusal costs nothing; see `dialect`.
//! Everything else that goes wrong is a [`CallFailure`].

mod answer;
mod dialect;
mod request;
mod wire;

use std::fmt;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Client, Response, Url};
use tokio::time::timeout;

use self::answer::{Answer, Taken};
pub use self::dialect::AnswerFormat;
use self::dialect::Dialect;
use super::failure::Failures;
use super::http::{self, Base, ModelSetupError, Route, Timeouts};
use super::sse::{MAX_STREAM, SseParser, TooLarge};
use super::{CallFailure, ChatModel, providers};
use crate::chat::{ChatRequest, ChatResponse, Usage};
use crate::edge::ports::BoxFuture;
use crate::workshop::FailureKind;

/// Longest error body that is read, in bytes.
const MAX_ERROR: usize = 64 << 10;

/// How long the rest of a stream is waited for after its announced end, so that the
/// connection can be used again.
const DRAIN: Duration = Duration::from_millis(50);

/// How an endpoint is reached.
#[derive(Clone)]
pub struct OpenAiConfig {
    /// Base URL such as `https://api.openai.com/v1`.
    pub base_url: String,
    /// Key, sent as a bearer token; none for most local servers.
    pub api_key: Option<String>,
    /// Time limits of each call.
    pub timeouts: Timeouts,
    /// What stands between this machine and the endpoint.
    pub route: Route,
    /// Provider name for messages, such as `openai`; a known name brings its habits.
    pub name: String,
}

impl fmt::Debug for OpenAiConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenAiConfig")
            .field("name", &self.name)
            .field("has_key", &self.api_key.is_some())
            .field("timeouts", &self.timeouts)
            .finish_non_exhaustive()
    }
}

/// A client of one endpoint: keeps connections and what it learned of the endpoint.
pub struct OpenAi {
    client: Client,
    url: Url,
    timeouts: Timeouts,
    dialect: Dialect,
    failures: Failures,
}

impl OpenAi {
    /// Makes a client; nothing is sent yet.
    ///
    /// # Errors
    /// Base URL or key cannot be used, or TLS cannot be set up.
    pub fn new(config: OpenAiConfig) -> Result<Self, ModelSetupError> {
        let base = Base::parse(&config.name, &config.base_url)?;
        let key = config.api_key.as_deref();
        let client = http::client(&config.name, &base, key, &config.timeouts, &config.route)?;
        let habits = providers::habits(&config.name, base.host());
        Ok(Self {
            client,
            url: base.join("chat/completions"),
            timeouts: config.timeouts,
            dialect: Dialect::new(habits.format, habits.completion_limit),
            failures: Failures::new(&config.name, base.origin(), key),
        })
    }

    async fn ask(&self, request: &ChatRequest) -> Result<ChatResponse, CallFailure> {
        loop {
            let shape = self.dialect.shape();
            let body = request::body(request, shape).map_err(|e| {
                self.failures.new_failure(
                    FailureKind::Refused,
                    false,
                    format_args!("the request cannot be written: {e}"),
                )
            })?;
            let response = self.send(body).await?;
            let status = response.status();
            if status.is_success() {
                return self.read(request, response).await;
            }
            let headers = response.headers().clone();
            let body = self.read_error(response).await;
            if !self.dialect.learns(shape, status, &body) {
                return Err(self.failures.status(status, &headers, &body));
            }
        }
    }

    async fn send(&self, body: Vec<u8>) -> Result<Response, CallFailure> {
        let sent = self
            .client
            .post(self.url.clone())
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
        while let Ok(Some(bytes)) = self.in_time(response.chunk()).await {
            body.extend_from_slice(&bytes[..bytes.len().min(MAX_ERROR - body.len())]);
            if body.len() == MAX_ERROR {
                break;
            }
        }
        String::from_utf8_lossy(&body).into_owned()
    }

    async fn read(
        &self,
        request: &ChatRequest,
        response: Response,
    ) -> Result<ChatResponse, CallFailure> {
        let request_id = request_id(response.headers());
        let kind = response
            .headers()
            .get(CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok())
            .unwrap_or_default()
            .to_ascii_lowercase();
        let answer = if kind.contains("html") {
            return Err(self.failures.new_failure(
                FailureKind::Protocol,
                false,
                "a web page came instead of an answer; is the base URL right? it usually ends in `/v1`",
            ));
        } else if kind.contains("json") {
            self.read_whole(response).await?
        } else {
            self.read_stream(response).await?
        };
        Ok(self.finished(request, answer, request_id))
    }

    async fn read_stream(&self, mut response: Response) -> Result<Answer, CallFailure> {
        let mut answer = Answer::default();
        let mut parser = SseParser::new();
        while let Some(bytes) = self.in_time(response.chunk()).await? {
            parser
                .push(&bytes, |data| self.take(&mut answer, data))
                .map_err(|stop| self.stopped(stop))?;
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
        Ok(answer)
    }

    fn take(&self, answer: &mut Answer, data: &[u8]) -> Result<(), ReadStop> {
        match answer.take(data) {
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
        mut answer: Answer,
        request_id: Option<String>,
    ) -> ChatResponse {
        answer.set_thinking_apart();
        let usage = answer.usage.unwrap_or_else(|| estimate(request, &answer));
        let finish = answer.finish();
        let shown = |text: String| (!text.is_empty()).then(|| self.failures.clean(&text));
        ChatResponse {
            text: answer.text,
            reasoning: (!answer.reasoning.is_empty()).then_some(answer.reasoning),
            finish,
            usage,
            model: shown(answer.model).unwrap_or_else(|| request.model.clone()),
            request_id: request_id.or(Some(answer.id)).and_then(shown),
        }
    }
}

impl ChatModel for OpenAi {
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
    ) -> BoxFuture<'a, Result<ChatResponse, CallFailure>> {
        Box::pin(async move {
            match timeout(self.timeouts.call, self.ask(request)).await {
                Ok(result) => result,
                Err(_) => Err(self
                    .failures
                    .timeout("no whole answer came", self.timeouts.call)),
            }
        })
    }
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

/// Tokens of a text where nobody counted: a third of its bytes, rounded up.
///
/// English has about four bytes a token and Chinese three to five, so the estimate is
/// rather too high than too low, as a cap on tokens needs it.
pub fn estimate_tokens(text: &str) -> u64 {
    text.len().div_ceil(3) as u64
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
