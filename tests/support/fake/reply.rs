//! Answers to calls, including faults.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use aitc::edge::model::Dialect;
use axum::body::{Body, Bytes};
use axum::response::Response;
use futures_util::stream::{self, Stream, StreamExt};
use serde_json::{Value, json};

use super::socket::ResetSwitch;
use super::wire;

/// An answer to one request.
#[derive(Debug, Clone)]
pub enum Reply {
    /// A complete answer with this text.
    Text(String),
    /// A complete answer with all its details.
    Full(Completion),
    /// An answer cut by the length limit.
    Length(String),
    /// The text, with every byte in a separate packet.
    SplitUtf8(String),
    /// A status with headers and a body.
    Status {
        status: u16,
        headers: Vec<(&'static str, String)>,
        body: String,
    },
    /// The list of these models.
    Models(Vec<String>),
    /// Sends nothing.
    HangBeforeHeaders,
    /// Sends the text, then nothing more.
    HangInStream(String),
    /// Sends the text, then resets the connection.
    Reset(String),
    /// Sends the text, then closes the stream properly but without the end marker.
    Cut(String),
    /// A frame that is not JSON.
    BrokenFrame,
    /// 200 with an empty body.
    Empty,
    /// 200 with a web page.
    Html,
    /// These bytes as an event stream, one item per packet.
    Raw(Vec<Vec<u8>>),
    /// A complete answer, one byte at a time.
    Drip { text: String, every: Duration },
    /// A complete answer, `piece` characters at a time.
    Paced {
        text: String,
        piece: usize,
        every: Duration,
    },
    /// The same text over and over, as fast as it is read.
    Endless(String),
    /// A status whose body never ends, one byte at a time.
    Unending { status: u16, every: Duration },
    /// The same answer after [`Fake::lets_go`](super::Fake::lets_go), called earlier or later, or
    /// after a later [`Fake::lets_go_of`](super::Fake::lets_go_of) with its key.
    Held(Box<Reply>),
    /// The same answer once `file` no longer has this line.
    WhileSaid {
        file: PathBuf,
        line: String,
        then: Box<Reply>,
    },
}

/// A complete answer with all its details.
#[derive(Debug, Clone)]
pub struct Completion {
    pub text: String,
    pub reasoning: Option<String>,
    /// As in chat completions, like the usage.
    pub finish: &'static str,
    /// `None`: no usage is reported.
    pub usage: Option<Value>,
    pub headers: Vec<(&'static str, String)>,
    /// Never stream, even if a stream was requested.
    pub never_stream: bool,
    /// Whether the text is the arguments of a forced tool call.
    pub as_call: bool,
    /// The whole body, instead.
    pub raw: Option<Vec<u8>>,
}

impl Completion {
    pub fn new(text: &str) -> Self {
        let count = text.len().div_ceil(4);
        Self {
            text: text.to_owned(),
            reasoning: None,
            finish: "stop",
            usage: Some(json!({"prompt_tokens": 100, "completion_tokens": count,
                "total_tokens": 100 + count})),
            headers: Vec::new(),
            never_stream: false,
            as_call: false,
            raw: None,
        }
    }
}

impl Reply {
    pub fn status(status: u16, headers: Vec<(&'static str, String)>, body: &str) -> Self {
        Self::Status {
            status,
            headers,
            body: body.to_owned(),
        }
    }

    /// A status with an error message.
    pub fn error(status: u16, message: &str) -> Self {
        let body = json!({"error": {"message": message}});
        Self::status(status, vec![], &body.to_string())
    }

    pub(super) fn into_response(
        self,
        dialect: Dialect,
        stream: bool,
        reset: &ResetSwitch,
    ) -> Response {
        let frames = |text: &str| {
            wire::frames(dialect, &Completion::new(text))
                .into_iter()
                .map(Ok)
        };
        match self {
            Self::Text(text) => {
                Self::Full(Completion::new(&text)).into_response(dialect, stream, reset)
            }
            Self::Full(Completion {
                raw: Some(bytes),
                headers,
                ..
            }) => {
                let kind = ("content-type", "text/event-stream".to_owned());
                let headers = headers.into_iter().chain([kind]).collect();
                response(200, headers, Body::from(bytes))
            }
            Self::Full(completion) if stream && !completion.never_stream => {
                let mut frames = wire::frames(dialect, &completion);
                frames.extend(wire::tail(dialect, &completion));
                events(
                    dialect,
                    completion.headers,
                    stream::iter(frames.into_iter().map(Ok)),
                )
            }
            Self::Full(completion) => {
                let mut headers = completion.headers.clone();
                headers.push(("content-type", "application/json".to_owned()));
                response(
                    200,
                    headers,
                    Body::from(wire::whole(dialect, &completion).to_string()),
                )
            }
            Self::Length(text) => {
                let finish = "length";
                let completion = Completion {
                    finish,
                    ..Completion::new(&text)
                };
                Self::Full(completion).into_response(dialect, stream, reset)
            }
            Self::SplitUtf8(text) => {
                let completion = Completion::new(&text);
                let [begin, end] = [wire::frames, wire::tail].map(|it| it(dialect, &completion));
                let whole = [begin, end].concat().concat();
                Self::Raw(whole.chunks(1).map(<[u8]>::to_vec).collect())
                    .into_response(dialect, stream, reset)
            }
            Self::Status {
                status,
                headers,
                body,
            } => response(status, headers, Body::from(body)),
            Self::Models(models) => {
                let json = ("content-type", "application/json".to_owned());
                let body = wire::list(dialect, &models).to_string();
                response(200, vec![json], Body::from(body))
            }
            Self::HangInStream(text) => {
                let frames = frames(&text);
                events(
                    dialect,
                    Vec::new(),
                    stream::iter(frames).chain(stream::pending()),
                )
            }
            Self::Reset(text) => {
                let frames = frames(&text);
                let reset = reset.clone();
                let torn = stream::once(async move {
                    // Give the earlier data time to be sent.
                    tokio::time::sleep(Duration::from_millis(20)).await;
                    reset.turn_on();
                    Err(io::Error::other("reset"))
                });
                events(dialect, Vec::new(), stream::iter(frames).chain(torn))
            }
            Self::Cut(text) => {
                let frames = frames(&text);
                events(dialect, Vec::new(), stream::iter(frames))
            }
            Self::BrokenFrame => {
                let broken = Bytes::from_static(b"data: {\"choices\":[{\"delta\"\n\n");
                events(dialect, Vec::new(), stream::iter([Ok(broken)]))
            }
            Self::Empty => events(dialect, Vec::new(), stream::empty()),
            Self::Html => {
                let page = "<!doctype html><title>Welcome</title>";
                let html = ("content-type", "text/html; charset=utf-8".to_owned());
                response(200, vec![html], Body::from(page))
            }
            Self::Raw(packets) => {
                let packets = stream::iter(packets).then(|packet| async {
                    tokio::task::yield_now().await;
                    Ok(Bytes::from(packet))
                });
                events(dialect, Vec::new(), packets)
            }
            Self::Drip { text, every } => {
                let completion = Completion::new(&text);
                let [begin, end] = [wire::frames, wire::tail].map(|it| it(dialect, &completion));
                let whole = [begin, end].concat().concat();
                let bytes = stream::iter(whole).then(move |byte| async move {
                    tokio::time::sleep(every).await;
                    Ok(Bytes::from(vec![byte]))
                });
                events(dialect, Vec::new(), bytes)
            }
            Self::Paced { text, piece, every } => {
                let completion = Completion::new(&text);
                let mut frames = wire::frames_of(dialect, &completion, piece);
                frames.extend(wire::tail(dialect, &completion));
                let frames = stream::iter(frames).then(move |frame| async move {
                    tokio::time::sleep(every).await;
                    Ok(frame)
                });
                events(dialect, Vec::new(), frames)
            }
            Self::Endless(words) => {
                let words = Bytes::from(words);
                let again = stream::repeat(()).then(move |()| {
                    let words = words.clone();
                    async move {
                        tokio::task::yield_now().await;
                        Ok(words)
                    }
                });
                events(dialect, Vec::new(), again)
            }
            Self::Unending { status, every } => {
                let bytes = stream::repeat(()).then(move |()| async move {
                    tokio::time::sleep(every).await;
                    Ok::<_, io::Error>(Bytes::from_static(b"x"))
                });
                response(status, Vec::new(), Body::from_stream(bytes))
            }
            Self::HangBeforeHeaders | Self::Held(_) | Self::WhileSaid { .. } => {
                unreachable!("dealt with by the server")
            }
        }
    }
}

fn events(
    dialect: Dialect,
    mut headers: Vec<(&'static str, String)>,
    frames: impl Stream<Item = io::Result<Bytes>> + Send + 'static,
) -> Response {
    let kind = match dialect {
        Dialect::Ollama => "application/x-ndjson",
        _ => "text/event-stream",
    };
    headers.push(("content-type", kind.to_owned()));
    response(200, headers, Body::from_stream(frames))
}

fn response(status: u16, headers: Vec<(&'static str, String)>, body: Body) -> Response {
    let mut response = Response::builder().status(status);
    for (name, value) in headers {
        response = response.header(name, value);
    }
    response.body(body).unwrap()
}
