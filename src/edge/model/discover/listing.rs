//! The list of models of an endpoint, which is the cheapest request.

use std::time::Duration;

use reqwest::StatusCode;
use serde::Deserialize;

use super::Endpoint;
use crate::edge::model::exchange::Exchange;
use crate::edge::model::failure::{is_web_page, meant};
use crate::edge::model::http::{Route, Timeouts};
use crate::edge::model::{CallFailure, halves};
use crate::fault::recorded::message;
use crate::fault::{Fault, Message, Text, texts, values};
use crate::machine::FailureKind;

/// Maximum size of a list of models, in bytes.
const MAX_LIST: usize = 1 << 20;

/// The result of requesting the list of models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Listing {
    /// At least one.
    Models(Vec<String>),
    /// The key is refused.
    Refused(StatusCode),
    /// The response is not a list.
    Unclear(StatusCode),
    /// A temporary error or a redirect, with its message.
    Failing(Message),
    /// The server's certificate is not trusted, so nothing was sent; with the reason.
    Untrusted(Message),
    /// No response, or none in time; with the reason.
    Silent(Message),
}

texts! {
    REFUSES: "{provider} refuses the key ({status})", "{provider} 拒绝了密钥（{status}）";
    LISTS_NONE: "{provider} answers, and lists no models ({status})", "{provider} 有应答，但没有列出模型（{status}）";
}

impl Listing {
    /// Why there is no list of `provider`'s models; `None` if there is one.
    pub fn trouble(&self, provider: &str) -> Option<Message> {
        let told = |text: Text, status: &StatusCode| Some(text.fill(values![provider, status]));
        match self {
            Self::Models(_) => None,
            Self::Refused(status) => told(REFUSES, status),
            Self::Unclear(status) => told(LISTS_NONE, status),
            Self::Failing(why) | Self::Untrusted(why) | Self::Silent(why) => Some(why.clone()),
        }
    }
}

/// The formats of the list in the dialects.
#[derive(Deserialize)]
#[serde(untagged)]
enum List {
    /// OpenAI's and Anthropic's.
    Data { data: Vec<Id> },
    /// Gemini's and Ollama's.
    Models { models: Vec<ListedModel> },
}

#[derive(Deserialize)]
struct Id {
    id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListedModel {
    name: String,
    #[serde(default)]
    supported_generation_methods: Option<Vec<String>>,
}

impl List {
    fn names(self) -> Vec<String> {
        let chats = |model: &ListedModel| {
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

/// Requests the list of models from a provider's endpoint.
///
/// # Errors
/// Address, key or proxy cannot be used; nothing was sent.
pub(super) async fn models(
    provider: &str,
    endpoint: &Endpoint,
    patience: Duration,
    route: &Route,
) -> Result<Listing, Fault> {
    let timeouts = Timeouts {
        connect: patience,
        idle: patience,
        call: patience,
    };
    let exchange = Exchange::new(&endpoint.reached(provider, timeouts, route.clone()))?;
    let listing = exchange.within(patience, "nothing came", read(&exchange));
    Ok(listing.await.unwrap_or_else(|failure| {
        let why = message(&failure.detail);
        match failure.kind == FailureKind::Network && !failure.retryable {
            true => Listing::Untrusted(why),
            false => Listing::Silent(why),
        }
    }))
}

async fn read(exchange: &Exchange) -> Result<Listing, CallFailure> {
    let url = exchange.wire.models(&exchange.base);
    let response = exchange.in_time(exchange.client.get(url).send()).await?;
    let (status, headers) = (response.status(), response.headers().clone());
    let body = match exchange.read_body(response, MAX_LIST).await {
        // It answers; which models it has stays unknown.
        Err(failure) if failure.kind == FailureKind::TooLarge => {
            return Ok(Listing::Unclear(status));
        }
        body => body?,
    };
    let text = String::from_utf8_lossy(&body);
    if !is_web_page(&headers, &text) && is_refusal(status, &text) {
        return Ok(Listing::Refused(status));
    }
    let list = serde_json::from_str::<List>(&halves::readable(&body)).map(List::names);
    Ok(match list {
        Ok(models) if status.is_success() && !models.is_empty() => Listing::Models(models),
        _ if status.is_success() => Listing::Unclear(status),
        _ => {
            let failure = exchange.failures.status(status, &headers, &text);
            // Many endpoints have no list of models, which is not a failure.
            if failure.retryable || status.is_redirection() {
                Listing::Failing(message(&failure.detail))
            } else {
                Listing::Unclear(status)
            }
        }
    })
}

/// Whether the key is refused. A key without the permission to list models is not.
fn is_refusal(status: StatusCode, body: &str) -> bool {
    let status = meant(status, body);
    let lacks_scope = || body.to_lowercase().contains("scope");
    status == StatusCode::UNAUTHORIZED || (status == StatusCode::FORBIDDEN && !lacks_scope())
}

/// The first model that is not only for embeddings.
pub(super) fn preferred(models: &[String]) -> &str {
    let mut chat = models
        .iter()
        .filter(|name| !name.to_lowercase().contains("embed"));
    chat.next().or(models.first()).map_or("", String::as_str)
}
