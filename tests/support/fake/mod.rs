//! A model server that lives in this process: OpenAI-compatible, over real TCP.
//!
//! It runs on a thread of its own with its own runtime, so that tests with and
//! without a runtime use it alike and its work is not counted as the program's.
//! A script says what every call is answered with, faults included; everything
//! that was asked is kept. It ends when it is dropped, or when its life is over.
#![allow(
    dead_code,
    unused_imports,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

mod embeddings;
mod reply;
mod socket;
mod turn;
mod untrusted;
mod workshop;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{ConnectInfo, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::{get, post};
use serde_json::Value;
use tokio::sync::oneshot;

pub use embeddings::{Embedding, vector};
pub use reply::{Completion, Reply};
use socket::{ResetSwitch, Resettable};
pub use turn::{Turn, identify};
pub use untrusted::untrusted_base_url;
pub use workshop::{WorkshopScript, workshop};

/// What may differ from server to server.
#[derive(Debug, Clone)]
pub struct FakeConfig {
    /// Waited before every answer.
    pub latency: Duration,
    /// After this the server is gone, whoever forgot it.
    pub life: Duration,
    /// What `GET /v1/models` lists.
    pub models: Vec<String>,
    /// Answers 401 to every other key.
    pub key: Option<String>,
    /// How vectors of texts are answered.
    pub embedding: Embedding,
    /// Keep what was asked; counts are kept anyway.
    pub record: bool,
}

impl Default for FakeConfig {
    fn default() -> Self {
        Self {
            latency: Duration::ZERO,
            life: Duration::from_secs(120),
            models: vec!["fake-1".to_owned()],
            key: None,
            embedding: Embedding::default(),
            record: true,
        }
    }
}

/// One request as it arrived.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Which call it is, such as `speech/SystemDesigner/r2`; the schema's name or `unknown`
    /// when the prompt does not say.
    pub key: String,
    /// How many requests with this key there have been, this one included.
    pub times: usize,
    /// What the prompt says about the call.
    pub turn: Option<Turn>,
    /// Path asked for.
    pub path: String,
    /// Headers, names in lower case.
    pub headers: BTreeMap<String, String>,
    /// Role and content of every message.
    pub messages: Vec<(String, String)>,
    /// Name of the schema the answer is held to.
    pub schema: Option<String>,
    /// Was a stream asked for?
    pub stream: bool,
    /// The whole body.
    pub body: Value,
}

impl Seen {
    /// All contents, one below the other.
    pub fn text(&self) -> String {
        let contents: Vec<&str> = self
            .messages
            .iter()
            .map(|(_, text)| text.as_str())
            .collect();
        contents.join("\n")
    }

    /// Kind of structured answer that was asked for: `json_schema`, `json_object` or none.
    pub fn format(&self) -> Option<&str> {
        self.body["response_format"]["type"].as_str()
    }
}

type Script = Box<dyn Fn(&Seen) -> Reply + Send + Sync>;

struct Shared {
    config: FakeConfig,
    script: Script,
    seen: Mutex<Vec<Seen>>,
    counts: Mutex<BTreeMap<String, usize>>,
    connections: Arc<AtomicUsize>,
}

/// A running server.
pub struct Fake {
    addr: SocketAddr,
    shared: Arc<Shared>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Fake {
    /// Starts a server that answers as `script` says.
    pub fn start(script: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Self {
        Self::with(FakeConfig::default(), script)
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
        });
        let (stop, stopped) = oneshot::channel();
        let served = Arc::clone(&shared);
        let thread = std::thread::spawn(move || serve(listener, served, stopped));
        Self {
            addr,
            shared,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Base URL for a client, `http://127.0.0.1:PORT/v1`.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.addr)
    }

    /// Port it listens on.
    pub fn port(&self) -> u16 {
        self.addr.port()
    }

    /// Everything that was asked, in order of arrival.
    pub fn seen(&self) -> Vec<Seen> {
        self.shared.seen.lock().unwrap().clone()
    }

    /// How often a key was asked for.
    pub fn calls(&self, key: &str) -> usize {
        self.counts().get(key).copied().unwrap_or(0)
    }

    /// How many connections were made.
    pub fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }

    /// How often each key was asked for.
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
            .route("/v1/models", get(models))
            .route("/v1/embeddings", post(embeddings::openai))
            .route("/api/embed", post(embeddings::ollama))
            .with_state(shared)
            .into_make_service_with_connect_info::<ResetSwitch>();
        tokio::select! {
            result = axum::serve(listener, app) => result.unwrap(),
            _ = stopped => {}
            () = tokio::time::sleep(life) => {}
        }
    });
    // Calls that hang end with the runtime.
}

async fn models(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    shared.note(Seen {
        key: "models".to_owned(),
        times: 0,
        turn: None,
        path: "/v1/models".to_owned(),
        headers: plain(&headers),
        messages: Vec::new(),
        schema: None,
        stream: false,
        body: Value::Null,
    });
    if let Some(refusal) = shared.refusal(&headers) {
        return refusal.into_response(false, &ResetSwitch::default());
    }
    let list: Vec<Value> = shared
        .config
        .models
        .iter()
        .map(|id| serde_json::json!({"id": id, "object": "model"}))
        .collect();
    let body = serde_json::json!({"object": "list", "data": list}).to_string();
    let json = ("content-type", "application/json".to_owned());
    Reply::status(200, vec![json], &body).into_response(false, &ResetSwitch::default())
}

async fn chat(
    State(shared): State<Arc<Shared>>,
    ConnectInfo(reset): ConnectInfo<ResetSwitch>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let seen = shared.note(read(&headers, &body));
    let mut reply = match shared.refusal(&headers) {
        Some(refusal) => refusal,
        None => (shared.script)(&seen),
    };
    let mut wait = shared.config.latency;
    while let Reply::After(more, then) = reply {
        wait += more;
        reply = *then;
    }
    if !wait.is_zero() {
        tokio::time::sleep(wait).await;
    }
    if matches!(reply, Reply::HangBeforeHeaders) {
        std::future::pending::<()>().await;
    }
    reply.into_response(seen.stream, &reset)
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

    fn refusal(&self, headers: &HeaderMap) -> Option<Reply> {
        let wanted = format!("Bearer {}", self.config.key.as_ref()?);
        let given = headers
            .get("authorization")
            .and_then(|value| value.to_str().ok());
        (given != Some(&wanted)).then(|| {
            let said = given.unwrap_or_default();
            let body = format!(r#"{{"error":{{"message":"Incorrect API key provided: {said}"}}}}"#);
            Reply::status(401, vec![], &body)
        })
    }
}

fn read(headers: &HeaderMap, body: &[u8]) -> Seen {
    let body: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let messages: Vec<(String, String)> = body["messages"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|message| (text(&message["role"]), text(&message["content"])))
        .collect();
    let schema = body["response_format"]["json_schema"]["name"].as_str();
    let turn = identify(&messages, schema);
    Seen {
        key: match (&turn, schema) {
            (Some(turn), _) => turn.key(),
            (None, Some(schema)) => schema.to_owned(),
            (None, None) => "unknown".to_owned(),
        },
        times: 0,
        turn,
        path: "/v1/chat/completions".to_owned(),
        headers: plain(headers),
        schema: schema.map(str::to_owned),
        stream: body["stream"].as_bool().unwrap_or(false),
        messages,
        body,
    }
}

fn plain(headers: &HeaderMap) -> BTreeMap<String, String> {
    let text = |value: &axum::http::HeaderValue| value.to_str().unwrap_or_default().to_owned();
    headers
        .iter()
        .map(|(name, value)| (name.to_string(), text(value)))
        .collect()
}
