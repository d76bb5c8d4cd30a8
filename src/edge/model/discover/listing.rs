//! Which models an endpoint has: the cheapest thing to ask of one.

use std::time::Duration;

use reqwest::StatusCode;
use serde::Deserialize;
use tokio::time::timeout;

use super::Endpoint;
use crate::edge::model::http::{self, Route, Timeouts};
use crate::edge::model::providers::Dialect;
use crate::edge::model::wire;

/// Longest list of models that is read, in bytes.
const MAX_LIST: usize = 1 << 20;

/// What an endpoint said when asked for its models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Listing {
    /// At least one.
    Models(Vec<String>),
    /// The key is refused.
    Refused(StatusCode),
    /// It answered, with something else than a list.
    Unclear(StatusCode),
    /// No answer, or none in time.
    Silent,
}

/// The forms in which the dialects list their models.
#[derive(Deserialize)]
#[serde(untagged)]
enum List {
    /// OpenAI's and Anthropic's.
    Data { data: Vec<Id> },
    /// Gemini's and Ollama's.
    Models { models: Vec<Named> },
}

#[derive(Deserialize)]
struct Id {
    id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Named {
    name: String,
    #[serde(default)]
    supported_generation_methods: Option<Vec<String>>,
}

impl List {
    fn names(self) -> Vec<String> {
        let chats = |model: &Named| {
            model
                .supported_generation_methods
                .as_ref()
                .is_none_or(|methods| methods.iter().any(|it| it == "generateContent"))
        };
        match self {
            Self::Data { data } => data.into_iter().map(|model| model.id).collect(),
            Self::Models { models } => models
                .into_iter()
                .filter(chats)
                .map(|model| match model.name.strip_prefix("models/") {
                    Some(name) => name.to_owned(),
                    None => model.name,
                })
                .collect(),
        }
    }
}

/// Asks an endpoint which models it has.
pub(super) async fn models(endpoint: &Endpoint, patience: Duration, route: &Route) -> Listing {
    let ask = async {
        let (status, body) = answer(endpoint, patience, route).await?;
        if is_refusal(status, &body) {
            return Some(Listing::Refused(status));
        }
        let list = serde_json::from_slice::<List>(&body).map(List::names);
        Some(match list {
            Ok(models) if status.is_success() && !models.is_empty() => Listing::Models(models),
            _ => Listing::Unclear(status),
        })
    };
    let answer = timeout(patience, ask).await;
    answer.ok().flatten().unwrap_or(Listing::Silent)
}

async fn answer(
    endpoint: &Endpoint,
    patience: Duration,
    route: &Route,
) -> Option<(StatusCode, Vec<u8>)> {
    let dialect = endpoint.dialect;
    let base = wire::base(dialect, "", &endpoint.base_url).ok()?;
    let headers = wire::headers(dialect, "", endpoint.api_key.as_deref()).ok()?;
    let timeouts = Timeouts {
        connect: patience,
        idle: patience,
        call: patience,
    };
    let client = http::client("", &base, headers, &timeouts, route).ok()?;
    let url = match dialect {
        Dialect::OpenAi | Dialect::OpenAiResponses => base.join("models"),
        Dialect::Anthropic => base.join("v1/models"),
        Dialect::Gemini => base.join("v1beta/models"),
        Dialect::Ollama => base.join("api/tags"),
    };
    let mut response = client.get(url).send().await.ok()?;
    let mut body = Vec::new();
    while let Some(bytes) = response.chunk().await.ok()? {
        body.extend_from_slice(&bytes);
        if body.len() > MAX_LIST {
            return None;
        }
    }
    Some((response.status(), body))
}

/// A key that may chat but not list models is not a refused key.
fn is_refusal(status: StatusCode, body: &[u8]) -> bool {
    let body = String::from_utf8_lossy(body);
    let lacks_scope = body.to_lowercase().contains("scope");
    // A wrong key is a bad request to Gemini.
    let is_wrong = status == StatusCode::BAD_REQUEST && body.contains("API_KEY_INVALID");
    is_wrong
        || status == StatusCode::UNAUTHORIZED
        || (status == StatusCode::FORBIDDEN && !lacks_scope)
}

/// The first model that is not there for embeddings only.
pub(super) fn preferred(models: &[String]) -> &str {
    let mut chat = models
        .iter()
        .filter(|name| !name.to_lowercase().contains("embed"));
    chat.next().or(models.first()).map_or("", String::as_str)
}
