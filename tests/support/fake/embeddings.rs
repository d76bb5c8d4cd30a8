//! `POST /v1/embeddings` and Ollama's `POST /api/embed`: vectors computed from the text.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde_json::{Value, json};
use std::sync::Arc;

use super::read::{dialect, plain};
use super::socket::ResetSwitch;
use super::{Reply, Seen, Shared};

/// How the endpoint answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Embedding {
    /// A vector with its index for each text, in reverse order.
    #[default]
    Vectors,
    /// The vector of the first text only.
    TooFew,
    /// Zero vectors.
    Zeros,
    /// The error for an unknown model.
    Unknown,
    /// A server error.
    Broken,
    /// A response that is not a list of vectors.
    Nonsense,
}

/// Number of dimensions.
pub const DIMENSIONS: usize = 64;

/// Counts of letters and digits, so that similar texts have similar vectors.
pub fn vector(text: &str) -> Vec<f64> {
    let mut vector = vec![0.0; DIMENSIONS];
    for c in text.chars().filter(|c| c.is_alphanumeric()) {
        vector[c as usize % DIMENSIONS] += 1.0;
    }
    // A text without letters needs a direction too.
    vector[0] += 0.01;
    vector
}

pub(super) async fn openai(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    answer(&shared, "/v1/embeddings", &headers, &body, |vectors| {
        let tokens = vectors.len() * 10;
        let mut data: Vec<Value> = vectors
            .iter()
            .enumerate()
            .map(|(index, vector)| json!({"index": index, "embedding": vector}))
            .collect();
        data.reverse();
        json!({"object": "list", "data": data, "usage": {"prompt_tokens": tokens, "total_tokens": tokens}})
    })
}

pub(super) async fn ollama(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    answer(
        &shared,
        "/api/embed",
        &headers,
        &body,
        |vectors| json!({"embeddings": vectors, "prompt_eval_count": vectors.len() * 10}),
    )
}

fn answer(
    shared: &Shared,
    path: &str,
    headers: &HeaderMap,
    body: &[u8],
    write: impl Fn(&[Vec<f64>]) -> Value,
) -> Response {
    let body: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
    let texts: Vec<String> = body["input"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|text| text.as_str().unwrap_or_default().to_owned())
        .collect();
    let headers = plain(headers);
    let dialect = dialect(path, &headers);
    shared.note(Seen {
        dialect,
        key: "embeddings".to_owned(),
        times: 0,
        turn: None,
        path: path.to_owned(),
        headers: headers.clone(),
        messages: texts
            .iter()
            .map(|text| ("input".to_owned(), text.clone()))
            .collect(),
        stream: false,
        body,
    });
    let json = |body: &Value| {
        let kind = ("content-type", "application/json".to_owned());
        Reply::status(200, vec![kind], &body.to_string())
    };
    let mut vectors: Vec<Vec<f64>> = texts.iter().map(|text| vector(text)).collect();
    let reply = match (shared.refusal(dialect, &headers), shared.config.embedding) {
        (Some(refusal), _) => refusal,
        (_, Embedding::Unknown) => {
            let said = r#"{"error":{"message":"no model of that name"}}"#;
            Reply::status(404, vec![], said)
        }
        (_, Embedding::Broken) => Reply::status(500, vec![], "it broke"),
        (_, Embedding::Nonsense) => json(&json!({"data": "none"})),
        (_, Embedding::Vectors) => json(&write(&vectors)),
        (_, Embedding::TooFew) => json(&write(&vectors[..1])),
        (_, Embedding::Zeros) => {
            vectors.iter_mut().flatten().for_each(|one| *one = 0.0);
            json(&write(&vectors))
        }
    };
    reply.into_response(dialect, false, &ResetSwitch::default())
}
