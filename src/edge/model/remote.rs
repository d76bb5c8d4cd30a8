//! A model behind HTTP, in any dialect.
//!
//! One call is one streamed request. If an endpoint refuses the *form* of a request (how it asks
//! for structured answers or sets the output limit), the next form is tried at once, because a
//! refusal costs nothing; see `shape`. Every other error is a [`CallFailure`].

use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Response, StatusCode};
use serde_json::Value;

use super::answer::StreamedAnswer;
use super::counts::Counts;
use super::exchange::{Exchange, Refused};
use super::failure::is_web_page;
use super::http::{Route, Timeouts};
use super::providers::{self, Dialect};
use super::shape::{Capabilities, Shape};
use super::sse::{MAX_STREAM, SseParser, TooLarge};
use super::wire::{self, Framing};
use super::{AnswerPiece, Answering, CallFailure, ChatModel, Listener, estimate_tokens, halves};
use crate::chat::{ChatRequest, ChatResponse, RequestPart, Usage};
use crate::config::ProviderSettings;
use crate::fault::Fault;
use crate::machine::FailureKind;

const MOST_FORMS: usize = 24;

/// What is said of an answer that took too long.
pub(super) const NOT_WHOLE: &str = "no whole answer came";

/// How to reach an endpoint.
#[derive(Clone)]
pub struct RemoteConfig {
    /// Provider name for messages, such as `openai`; for a known name its quirks apply.
    pub name: String,
    /// Wire format.
    pub dialect: Dialect,
    /// Base URL such as `https://api.openai.com/v1`.
    pub base_url: String,
    /// Key, sent as the dialect requires; `None` for most local servers.
    pub api_key: Option<String>,
    /// Time limits of each call.
    pub timeouts: Timeouts,
    /// The proxy between this machine and the endpoint.
    pub route: Route,
    /// Settings with what the user states of it: whether it streams, its format, the system role.
    pub habits: ProviderSettings,
}

/// A client of one endpoint; remembers the endpoint's capabilities.
pub struct Remote {
    exchange: Exchange,
    capabilities: Capabilities,
}

impl Remote {
    /// Creates a client without sending anything.
    ///
    /// # Errors
    /// Base URL, key or proxy is invalid, or TLS cannot be set up.
    pub fn new(config: RemoteConfig) -> Result<Self, Fault> {
        let exchange = Exchange::new(&config)?;
        let mut quirks = providers::quirks(&config.name, exchange.base.host());
        let habits = config.habits;
        quirks.streams = habits.stream.unwrap_or(quirks.streams);
        quirks.format = habits.answer_format.unwrap_or(quirks.format);
        quirks.system = habits.system_role.unwrap_or(quirks.system);
        Ok(Self {
            capabilities: Capabilities::new(quirks, exchange.wire.ladder()),
            exchange,
        })
    }

    async fn ask(
        &self,
        request: &ChatRequest,
        listener: &dyn Listener,
    ) -> Result<ChatResponse, CallFailure> {
        let first = self.capabilities.shape(request);
        let mut forms = 0;
        loop {
            forms += 1;
            let shape = self.capabilities.shape(request);
            let url = self.url(request, &shape);
            let body = self.exchange.wire.body(request, &shape).to_string();
            let response = self.exchange.post(&url, body.into_bytes()).await?;
            let stop = if response.status().is_success() {
                match self.read(request, &shape, response, listener).await {
                    Ok(response) => return Ok(response),
                    Err(stop) => stop,
                }
            } else {
                Stop::Refused(Box::new(self.exchange.error(response).await))
            };
            let (status, body) = match &stop {
                Stop::Refused(refused) => (refused.status, refused.body.as_str()),
                Stop::Reported { code, message } => (as_status(*code), message.as_str()),
                _ => return Err(self.failure(stop)),
            };
            let learns = || (self.capabilities).learn_from_refusal(&shape, request, status, body);
            if forms == MOST_FORMS || !learns() {
                self.capabilities.restore_format(&first, request);
                return Err(self.failure(stop));
            }
        }
    }

    fn url(&self, request: &ChatRequest, shape: &Shape) -> reqwest::Url {
        let streams = shape.takes(RequestPart::Stream);
        self.exchange
            .wire
            .url(&self.exchange.base, &request.model, streams)
    }

    async fn read(
        &self,
        request: &ChatRequest,
        shape: &Shape,
        response: Response,
        listener: &dyn Listener,
    ) -> Result<ChatResponse, Stop> {
        let headers = response.headers().clone();
        let kind = headers.get(CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let kind = kind.to_ascii_lowercase();
        let is_stream = match self.exchange.wire.framing() {
            // JSON lines are declared as `application/x-ndjson`, or as plain JSON.
            Framing::Lines => !kind.contains("html"),
            Framing::Events if shape.takes(RequestPart::Stream) => {
                !kind.contains("json") && !kind.contains("html")
            }
            Framing::Events => kind.contains("event-stream"),
        };
        let answer = match is_stream {
            true => self.read_stream(request, response, listener).await?,
            false => self.read_whole(response).await?,
        };
        Ok(self.finished(request, shape, answer, request_id(&headers)))
    }

    async fn read_stream(
        &self,
        request: &ChatRequest,
        mut response: Response,
        listener: &dyn Listener,
    ) -> Result<StreamedAnswer, Stop> {
        let mut answer = StreamedAnswer::default();
        let mut heard = StreamProgress::default();
        let mut begin = Vec::new();
        let mut parser = match self.exchange.wire.framing() {
            Framing::Events => SseParser::new(),
            Framing::Lines => SseParser::lines(),
        };
        while let Some(bytes) = self.exchange.in_time(response.chunk()).await? {
            begin.extend_from_slice(&bytes[..bytes.len().min(PAGE.saturating_sub(begin.len()))]);
            parser.push(&bytes, |data| self.add_piece(&mut answer, data))?;
            heard.forward(&answer, |piece| listener.on_piece(&request.call, piece));
            if answer.done {
                return Ok(answer);
            }
        }
        if parser.is_untouched() {
            return Err(self.protocol("the answer is empty"));
        }
        parser.finish(|data| self.add_piece(&mut answer, data))?;
        heard.forward(&answer, |piece| listener.on_piece(&request.call, piece));
        if !answer.begun && !answer.done {
            return match is_web_page(response.headers(), &String::from_utf8_lossy(&begin)) {
                true => Err(self.web_page(&begin)),
                false => Err(self.protocol("what came is no stream of events")),
            };
        }
        if !answer.is_whole() {
            return Err(self.protocol("the stream was cut off before its end"));
        }
        Ok(answer)
    }

    /// Some endpoints never stream, even if asked to.
    async fn read_whole(&self, response: Response) -> Result<StreamedAnswer, Stop> {
        let headers = response.headers().clone();
        let body = self.exchange.read_body(response, MAX_STREAM).await?;
        if body.trim_ascii().is_empty() {
            return Err(self.protocol("the answer is empty"));
        }
        if is_web_page(&headers, &String::from_utf8_lossy(&body)) {
            return Err(self.web_page(&body));
        }
        let mut answer = StreamedAnswer::default();
        self.add_piece(&mut answer, &body)?;
        if !answer.begun {
            return Err(
                self.protocol("the response is not an answer of a model: is the address right?")
            );
        }
        Ok(answer)
    }

    fn protocol(&self, what: &str) -> Stop {
        Stop::Failed(self.exchange.failures.protocol(what))
    }

    fn web_page(&self, page: &[u8]) -> Stop {
        let page = String::from_utf8_lossy(page);
        Stop::Failed(self.exchange.failures.web_page(StatusCode::OK, &page))
    }

    /// Adds a piece of an answer, in any dialect.
    fn add_piece(&self, answer: &mut StreamedAnswer, data: &[u8]) -> Result<(), Stop> {
        let data = data.trim_ascii();
        if data.is_empty() {
            return Ok(());
        }
        // Compatible servers of all dialects end their streams with this.
        if data == b"[DONE]" {
            answer.done = true;
            return Ok(());
        }
        let read = serde_json::from_str(&halves::readable(data)).map_err(Stop::Malformed)?;
        // A body in place of a stream may be the list of its pieces.
        let pieces = match read {
            Value::Array(pieces) => pieces,
            piece => vec![piece],
        };
        for piece in &pieces {
            if let Some((code, message)) = wire::reported(piece) {
                return Err(Stop::Reported { code, message });
            }
            answer.counts.update(Counts::of(piece));
            let took = self.exchange.wire.add_piece(answer, piece);
            took.map_err(|message| Stop::Reported {
                code: None,
                message,
            })?;
        }
        Ok(())
    }

    fn failure(&self, stop: Stop) -> CallFailure {
        let failures = &self.exchange.failures;
        match stop {
            Stop::Failed(failure) => failure,
            Stop::TooLarge(what) => failures.new_failure(FailureKind::TooLarge, false, what),
            Stop::Reported { code, message } => failures.reported(as_status(code), &message),
            Stop::Refused(refused) => {
                failures.status(refused.status, &refused.headers, &refused.body)
            }
            Stop::Malformed(error) => failures.protocol(format_args!(
                "a part of the answer cannot be read: {}",
                failures.clean(&error.to_string())
            )),
        }
    }

    fn finished(
        &self,
        request: &ChatRequest,
        shape: &Shape,
        mut answer: StreamedAnswer,
        request_id: Option<String>,
    ) -> ChatResponse {
        // Also in the model's own JSON: the two halves of a character may have come in two pieces.
        for field in [
            &mut answer.text,
            &mut answer.arguments,
            &mut answer.reasoning,
        ] {
            *field = halves::readable(field.as_bytes());
        }
        answer.set_thinking_apart();
        let estimate = estimate(request, &answer);
        answer.set_in_place(request.schema);
        answer.doubt_end(shape.tokens(request));
        if answer.ignores(shape.format) {
            self.capabilities.ignored(shape, request);
        }
        let finish = answer.finish();
        let clean = |text: String| self.exchange.failures.clean(&text);
        let shown = |text: String| (!text.is_empty()).then(|| clean(text));
        ChatResponse {
            usage: answer.counts.usage(estimate),
            text: answer.text,
            reasoning: (!answer.reasoning.is_empty()).then_some(answer.reasoning),
            finish,
            model: shown(answer.model).unwrap_or_else(|| request.model.clone()),
            request_id: request_id.or(Some(answer.id)).and_then(shown),
            format: Some(shape.format),
            terms: shape.terms.clone(),
        }
    }
}

impl ChatModel for Remote {
    fn chat_streaming<'a>(
        &'a self,
        request: &'a ChatRequest,
        listener: &'a dyn Listener,
    ) -> Answering<'a> {
        Box::pin(async move {
            let (limit, ask) = (self.exchange.timeouts.call, self.ask(request, listener));
            self.exchange.within(limit, NOT_WHOLE, ask).await
        })
    }
}

/// How much of an answer the listener has received, in bytes of each part.
#[derive(Default)]
struct StreamProgress {
    thoughts: usize,
    text: usize,
    arguments: usize,
}

impl StreamProgress {
    /// Passes on what has arrived since the last time.
    fn forward(&mut self, answer: &StreamedAnswer, mut pass: impl FnMut(AnswerPiece<'_>)) {
        let thought = since(&mut self.thoughts, &answer.reasoning);
        let text = since(&mut self.text, &answer.text);
        let arguments = since(&mut self.arguments, &answer.arguments);
        let pieces = [
            AnswerPiece::Thought(thought),
            AnswerPiece::Text(text),
            AnswerPiece::Text(arguments),
        ];
        for piece in pieces {
            if !matches!(piece, AnswerPiece::Thought("") | AnswerPiece::Text("")) {
                pass(piece);
            }
        }
    }
}

/// The text after the first `told` bytes; `told` is updated.
fn since<'a>(told: &mut usize, whole: &'a str) -> &'a str {
    let from = std::mem::replace(told, whole.len());
    whole.get(from..).unwrap_or_default()
}

/// Bytes at the beginning of a stream that are checked for a web page.
const PAGE: usize = 1 << 10;

/// Why reading an answer was given up.
enum Stop {
    Failed(CallFailure),
    TooLarge(TooLarge),
    Refused(Box<Refused>),
    Reported { code: Option<u16>, message: String },
    Malformed(serde_json::Error),
}

impl From<TooLarge> for Stop {
    fn from(what: TooLarge) -> Self {
        Self::TooLarge(what)
    }
}

impl From<CallFailure> for Stop {
    fn from(failure: CallFailure) -> Self {
        Self::Failed(failure)
    }
}

fn as_status(code: Option<u16>) -> StatusCode {
    code.and_then(|code| StatusCode::from_u16(code).ok())
        .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

fn request_id(headers: &HeaderMap) -> Option<String> {
    ["x-request-id", "request-id", "x-ds-trace-id"]
        .iter()
        .find_map(|name| headers.get(*name)?.to_str().ok())
        .map(str::to_owned)
}

fn estimate(request: &ChatRequest, answer: &StreamedAnswer) -> Usage {
    let reasoning = estimate_tokens(&answer.reasoning);
    Usage {
        input: request
            .messages
            .iter()
            .map(|m| estimate_tokens(&m.content))
            .sum(),
        output: estimate_tokens(&answer.text) + estimate_tokens(&answer.arguments) + reasoning,
        reasoning,
        ..Usage::default()
    }
}
