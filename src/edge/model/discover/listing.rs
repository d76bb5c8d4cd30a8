//! Which models an endpoint has: the cheapest thing to ask of one.

use std::time::Duration;

use reqwest::StatusCode;
use serde::Deserialize;
use tokio::time::timeout;

use crate::edge::model::http::{self, Base, Route, Timeouts};

/// Longest list of models that is read, in bytes.
const MAX_LIST: usize = 1 << 20;

/// What an endpoint said when asked for its models.
pub(super) enum Listing {
    /// At least one.
    Models(Vec<String>),
    /// The key is refused.
    Refused(StatusCode),
    /// Nothing that could be understood, or nothing in time.
    Nothing,
}

/// Asks an endpoint which models it has.
pub(super) async fn models(
    base_url: &str,
    api_key: Option<&str>,
    patience: Duration,
    route: &Route,
) -> Listing {
    #[derive(Deserialize)]
    struct List {
        data: Vec<Model>,
    }
    #[derive(Deserialize)]
    struct Model {
        id: String,
    }
    let ask = async {
        let (status, body) = list(base_url, api_key, patience, route).await?;
        if is_refusal(status, &body) {
            return Some(Listing::Refused(status));
        }
        let list: List = serde_json::from_slice(&body).ok()?;
        let models: Vec<String> = list.data.into_iter().map(|model| model.id).collect();
        (status.is_success() && !models.is_empty()).then_some(Listing::Models(models))
    };
    timeout(patience, ask)
        .await
        .ok()
        .flatten()
        .unwrap_or(Listing::Nothing)
}

async fn list(
    base_url: &str,
    api_key: Option<&str>,
    patience: Duration,
    route: &Route,
) -> Option<(StatusCode, Vec<u8>)> {
    let base = Base::parse("", base_url).ok()?;
    let timeouts = Timeouts {
        connect: patience,
        idle: patience,
        call: patience,
    };
    let client = http::client("", &base, api_key, &timeouts, route).ok()?;
    let mut response = client.get(base.join("models")).send().await.ok()?;
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
    let lacks_scope = String::from_utf8_lossy(body)
        .to_lowercase()
        .contains("scope");
    status == StatusCode::UNAUTHORIZED || (status == StatusCode::FORBIDDEN && !lacks_scope)
}

/// The first model that is not there for embeddings only.
pub(super) fn preferred(models: &[String]) -> &str {
    let mut chat = models
        .iter()
        .filter(|name| !name.to_lowercase().contains("embed"));
    chat.next().or(models.first()).map_or("", String::as_str)
}
