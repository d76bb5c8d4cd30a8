//! A model server in this process that implements every dialect over real TCP.
//!
//! It runs on its own thread with its own runtime, so that tests with and without a runtime can use
//! it, and its work is not counted as the program's. A script determines the answer to every call,
//! including faults; all requests are recorded. It ends when it is dropped, or after its lifetime.
#![allow(
    unused_imports,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

mod embeddings;
mod members;
mod read;
mod reply;
mod socket;
mod told;
mod turn;
mod untrusted;
mod wire;
mod workshop;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use aitc::edge::model::Dialect;
use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::Response;
use axum::routing::{get, post};
use futures_util::stream::{self, StreamExt};
use serde_json::Value;
use tokio::sync::{oneshot, watch};

pub use embeddings::{Embedding, vector};
pub use members::documents::standing;
pub use members::{answer, members, settings};
pub use reply::{Completion, Reply};
use socket::{ResetSwitch, Resettable};
pub use told::told;
pub use turn::{Turn, identify, ids};
pub use untrusted::{AUTHORITY, strange_at_first, untrusted_base_url, untrusted_before};
pub use workshop::{WorkshopScript, workshop};

/// Settings of a server.
#[derive(Debug, Clone)]
pub struct FakeConfig {
    /// Delay before every answer.
    pub latency: Duration,
    /// Lifetime of the server, in case it is never dropped.
    pub life: Duration,
    /// The models in `GET /v1/models`.
    pub models: Vec<String>,
    /// Whether the script answers that request, too.
    pub is_list_scripted: bool,
    /// The required key; any other gets 401.
    pub key: Option<String>,
    /// How embeddings are answered.
    pub embedding: Embedding,
    /// Whether to record requests; counts are always kept.
    pub record: bool,
}

impl Default for FakeConfig {
    fn default() -> Self {
        Self {
            latency: Duration::ZERO,
            life: Duration::from_secs(120),
            models: vec!["fake-1".to_owned()],
            is_list_scripted: false,
            key: None,
            embedding: Embedding::default(),
            record: true,
        }
    }
}

/// A received request.
#[derive(Debug, Clone)]
pub struct Seen {
    /// The call, such as `speech/SystemDesigner/r2`; if the prompt does not show it, the schema's
    /// name or `unknown`.
    pub key: String,
    /// Number of requests with this key so far, including this one.
    pub times: usize,
    /// What the prompt says about the call.
    pub turn: Option<Turn>,
    /// Its dialect.
    pub dialect: Dialect,
    /// The path.
    pub path: String,
    /// Headers with lower-case names.
    pub headers: BTreeMap<String, String>,
    /// Role and content of every message.
    pub messages: Vec<(String, String)>,
    /// Whether a stream was requested.
    pub stream: bool,
    /// The whole body.
    pub body: Value,
}

impl Seen {
    /// The contents of all messages, joined by newlines.
    pub fn text(&self) -> String {
        let contents: Vec<&str> = self
            .messages
            .iter()
            .map(|(_, text)| text.as_str())
            .collect();
        contents.join("\n")
    }

    /// The requested format of the answer: `json_schema`, `tool_call`, `json_object` or none.
    pub fn format(&self) -> Option<&'static str> {
        read::format(self.dialect, &self.body)
    }
}

/// A key that must not occur in any output or file.
pub const KEY: &str = "sk-fake-7Q2mZr81LxTn4vWc9bKe";

/// A prompt as shown to a user who answers by hand, at this attempt.
pub fn on_page(text: &str, times: usize) -> Seen {
    Seen {
        times,
        ..read::prompt(BTreeMap::new(), text.to_owned())
    }
}

type Script = Box<dyn Fn(&Seen) -> Reply + Send + Sync>;

struct Shared {
    config: FakeConfig,
    script: Script,
    seen: Mutex<Vec<Seen>>,
    counts: Mutex<BTreeMap<String, usize>>,
    connections: Arc<AtomicUsize>,
    /// Which held answers may be sent.
    open: watch::Sender<Open>,
}

/// The held answers that may be sent: all, or a number of calls by key.
#[derive(Default)]
struct Open {
    all: bool,
    keys: BTreeMap<String, usize>,
}

impl Open {
    fn lets(&self, seen: &Seen) -> bool {
        let so_many = self.keys.get(&seen.key).copied().unwrap_or_default();
        self.all || seen.times <= so_many
    }
}

/// A running server.
pub struct Fake {
    addr: SocketAddr,
    shared: Arc<Shared>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Fake {
    /// Starts a server with this script.
    pub fn start(script: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        Self::with(FakeConfig::default(), script)
    }

    /// Starts a server that plays a workshop and holds calls whose keys start with one of `keys`
    /// until [`lets_go`](Self::lets_go) or [`lets_go_of`](Self::lets_go_of).
    pub fn holding(script: WorkshopScript, keys: &'static [&'static str]) -> Self {
        let script = workshop(script);
        Self::start(move |seen| match script(seen) {
            reply if keys.iter().any(|key| seen.key.starts_with(key)) => {
                Reply::Held(Box::new(reply))
            }
            reply => reply,
        })
    }

    /// Starts a server with other settings.
    pub fn with(
        config: FakeConfig,
        script: impl Fn(&Seen) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let addr = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            config,
            script: Box::new(script),
            seen: Mutex::default(),
            counts: Mutex::default(),
            connections: Arc::default(),
            open: watch::Sender::default(),
        });
        let mut fake = Self {
            addr,
            shared,
            stop: None,
            thread: None,
        };
        fake.serve(listener);
        fake
    }

    fn serve(&mut self, listener: std::net::TcpListener) {
        let (stop, stopped) = oneshot::channel();
        let served = Arc::clone(&self.shared);
        self.stop = Some(stop);
        self.thread = Some(std::thread::spawn(move || {
            serve(listener, served, stopped);
        }));
    }

    /// Stops listening: connections are refused until [`opens`](Self::opens) is called.
    pub fn closes(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }

    /// Listens again at the same address after [`closes`](Self::closes).
    pub fn opens(&mut self) {
        let listener = std::net::TcpListener::bind(self.addr).unwrap();
        listener.set_nonblocking(true).unwrap();
        self.serve(listener);
    }

    /// Base URL for clients, `http://127.0.0.1:PORT/v1`.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.addr)
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.addr.port()
    }

    /// All requests, in order of arrival.
    pub fn seen(&self) -> Vec<Seen> {
        self.shared.seen.lock().unwrap().clone()
    }

    /// The requests whose key starts with this.
    pub fn asked(&self, key: &str) -> Vec<Seen> {
        let mut seen = self.seen();
        seen.retain(|seen| seen.key.starts_with(key));
        seen
    }

    /// The requests that are calls, without those for the list of models.
    pub fn chats(&self) -> Vec<Seen> {
        let mut seen = self.seen();
        seen.retain(|seen| seen.key != "models");
        seen
    }

    /// Number of requests with this key.
    pub fn calls(&self, key: &str) -> usize {
        self.counts().get(key).copied().unwrap_or(0)
    }

    /// Waits until there were that many requests with this key.
    #[track_caller]
    pub fn awaits(&self, key: &str, times: usize) {
        let late = Instant::now() + self.shared.config.life;
        while self.calls(key) != times {
            assert!(Instant::now() < late, "`{key}` never came");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Number of connections.
    pub fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }

    /// Sends all held answers ([`Reply::Held`]) and holds no more.
    pub fn lets_go(&self) {
        self.shared.open.send_modify(|open| open.all = true);
    }

    /// Sends the held answers ([`Reply::Held`]) of the calls received so far with this key; later
    /// ones are held again.
    pub fn lets_go_of(&self, key: &str) {
        let so_far = self.calls(key);
        assert!(so_far > 0, "no call of `{key}` has come");
        self.shared.open.send_modify(|open| {
            open.keys.insert(key.to_owned(), so_far);
        });
    }

    /// Number of requests by key.
    pub fn counts(&self) -> BTreeMap<String, usize> {
        self.shared.counts.lock().unwrap().clone()
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn serve(listener: std::net::TcpListener, shared: Arc<Shared>, stopped: oneshot::Receiver<()>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let life = shared.config.life;
        let listener = tokio::net::TcpListener::from_std(listener).unwrap();
        let listener = Resettable::new(listener, Arc::clone(&shared.connections));
        let app = Router::new()
            .route("/v1/chat/completions", post(chat))
            .route("/v1/responses", post(chat))
            .route("/v1/messages", post(chat))
            .route("/v1beta/models/{call}", post(chat))
            .route("/api/chat", post(chat))
            .route("/v2/chat", post(chat))
            .route("/command", post(command))
            .route("/v1/models", get(models))
            .route("/v1/embeddings", post(embeddings::openai))
            .route("/api/embed", post(embeddings::ollama))
            .route("/v1beta/models", get(models))
            .route("/api/tags", get(models))
            .fallback(other)
            .with_state(shared)
            .into_make_service_with_connect_info::<ResetSwitch>();
        tokio::select! {
            result = axum::serve(listener, app) => result.unwrap(),
            _ = stopped => {}
            () = tokio::time::sleep(life) => {}
        }
    });
    // Hanging calls end with the runtime.
}

async fn models(State(shared): State<Arc<Shared>>, uri: Uri, headers: HeaderMap) -> Response {
    let headers = read::plain(&headers);
    let dialect = read::dialect(&uri.to_string(), &headers);
    let seen = shared.note(Seen {
        key: "models".to_owned(),
        times: 0,
        turn: None,
        dialect,
        path: uri.path().to_owned(),
        headers: headers.clone(),
        messages: Vec::new(),
        stream: false,
        body: Value::Null,
    });
    if let Some(refusal) = shared.refusal(dialect, &headers) {
        return refusal.into_response(dialect, false, &ResetSwitch::default());
    }
    let reply = match shared.config.is_list_scripted {
        true => (shared.script)(&seen),
        false => {
            // Some services send their list in pages, short ones unless told otherwise.
            let pages = matches!(
                dialect,
                Dialect::Anthropic | Dialect::Gemini | Dialect::Cohere
            );
            let size = if pages && uri.query().is_none() {
                1
            } else {
                usize::MAX
            };
            Reply::Models(shared.config.models.iter().take(size).cloned().collect())
        }
    };
    let reply = due(&shared, &seen, reply).await;
    reply.into_response(dialect, false, &ResetSwitch::default())
}

/// Any other request, such as one for a tunnel: its key is its method.
async fn other(
    State(shared): State<Arc<Shared>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let seen = shared.note(Seen {
        key: method.to_string(),
        path: uri.to_string(),
        ..read::request(uri.path(), read::plain(&headers), &body)
    });
    (shared.script)(&seen).into_response(seen.dialect, false, &ResetSwitch::default())
}

async fn chat(
    State(shared): State<Arc<Shared>>,
    ConnectInfo(reset): ConnectInfo<ResetSwitch>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let seen = shared.note(read::request(uri.path(), read::plain(&headers), &body));
    let reply = match shared.refusal(seen.dialect, &seen.headers) {
        Some(refusal) => refusal,
        None => (shared.script)(&seen),
    };
    let reply = due(&shared, &seen, reply).await;
    reply.into_response(seen.dialect, seen.stream, &reset)
}

/// Waits until an answer may be sent.
async fn due(shared: &Shared, seen: &Seen, mut reply: Reply) -> Reply {
    loop {
        match reply {
            Reply::Held(then) => {
                let mut open = shared.open.subscribe();
                let _ = open.wait_for(|open| open.lets(seen)).await;
                reply = *then;
            }
            Reply::WhileSaid { file, line, then } => {
                let says = |text: String| text.lines().any(|one| one == line);
                while std::fs::read_to_string(&file).is_ok_and(says) {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
                reply = *then;
            }
            Reply::HangBeforeHeaders => std::future::pending().await,
            _ => break,
        }
    }
    tokio::time::sleep(shared.config.latency).await;
    reply
}

/// For programs that forward prompts: answers a plain prompt with a plain reply, or with a document
/// like a coding agent's if JSON is requested.
async fn command(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    prompt: String,
) -> Result<String, StatusCode> {
    let seen = shared.note(read::prompt(read::plain(&headers), prompt));
    let wants_json = seen
        .headers
        .get("accept")
        .is_some_and(|it| it.ends_with("json"));
    let reply = (shared.script)(&seen);
    match due(&shared, &seen, reply).await {
        Reply::Text(text) if wants_json => {
            Ok(serde_json::json!({"is_error": false, "result": text}).to_string())
        }
        Reply::Text(text) => Ok(text),
        _ => Err(StatusCode::INTERNAL_SERVER_ERROR),
    }
}

impl Shared {
    fn note(&self, mut seen: Seen) -> Seen {
        let mut counts = self.counts.lock().unwrap();
        let times = counts.entry(seen.key.clone()).or_default();
        *times += 1;
        seen.times = *times;
        if self.config.record {
            self.seen.lock().unwrap().push(seen.clone());
        }
        seen
    }

    /// A key in the header of another dialect does not count.
    fn refusal(&self, dialect: Dialect, headers: &BTreeMap<String, String>) -> Option<Reply> {
        let wanted = self.config.key.as_ref()?;
        let (name, wanted) = match dialect {
            Dialect::Anthropic => ("x-api-key", wanted.clone()),
            Dialect::Gemini => ("x-goog-api-key", wanted.clone()),
            _ => ("authorization", format!("Bearer {wanted}")),
        };
        let given = headers.get(name);
        (given != Some(&wanted)).then(|| {
            let said = given.map_or("", String::as_str);
            let body = format!(r#"{{"error":{{"message":"Incorrect API key provided: {said}"}}}}"#);
            Reply::status(401, vec![], &body)
        })
    }
}

/// Texts of tests in Chinese, one per line of `chinese.jsonl`.
pub fn chinese(english: &str) -> &'static str {
    use std::{collections::BTreeMap, sync::LazyLock};
    static WORDS: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
        let lines = include_str!("../chinese.jsonl").lines();
        let pairs = lines.map(|line| serde_json::from_str(line).unwrap());
        pairs.collect()
    });
    let found = WORDS.get(english);
    found.unwrap_or_else(|| panic!("no Chinese for `{english}`"))
}
