//! Embeddings of texts, from `/v1/embeddings` or Ollama's own `/api/embed`.
//!
//! One request contains many texts. The response is validated: one vector for each text, ordered by
//! index. `machine/similarity` checks that the vectors are comparable.

use std::time::Duration;

use reqwest::Url;
use serde::Deserialize;

use super::exchange::Exchange;
use super::remote::NOT_WHOLE;
use super::{CallFailure, Dialect, RemoteConfig, estimate_tokens};
use crate::edge::BoxFuture;
use crate::fault::Fault;

/// Maximum number of texts in a request. Common servers accept more, but some small ones do not.
const BATCH: usize = 64;
/// Maximum size of a response in bytes: 64 vectors of 4096 numbers written in full.
const MAX_BODY: usize = 16 << 20;
/// Default time limit of one request.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Embeddings of texts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Vectors {
    /// One for each text, in the given order.
    pub vectors: Vec<Vec<f32>>,
    /// Tokens counted by the provider, otherwise an estimate.
    pub tokens: u64,
}

/// A model that computes embeddings of texts.
pub trait EmbeddingModel: Send + Sync {
    /// Sends one request for each batch of texts. Dropping the future aborts it.
    fn embed<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<Vectors, CallFailure>>;
}

/// A client of one endpoint and model.
pub struct Embeddings {
    exchange: Exchange,
    url: Url,
    model: String,
    /// Whether to use Ollama's own format, which reports texts that were cut off.
    is_ollama: bool,
}

impl Embeddings {
    /// Creates a client without sending anything. Ollama gets its own format, all others OpenAI's.
    ///
    /// # Errors
    /// Base URL or key is invalid, or TLS cannot be set up.
    pub fn new(config: &RemoteConfig, model: &str) -> Result<Self, Fault> {
        let is_ollama = config.dialect == Dialect::Ollama;
        let exchange = Exchange::new(config)?;
        Ok(Self {
            url: exchange
                .base
                .join(if is_ollama { "api/embed" } else { "embeddings" }),
            model: model.to_owned(),
            is_ollama,
            exchange,
        })
    }

    async fn ask(&self, texts: &[String]) -> Result<Vectors, CallFailure> {
        let body = if self.is_ollama {
            serde_json::json!({"model": self.model, "input": texts})
        } else {
            serde_json::json!({
                "model": self.model, "input": texts, "encoding_format": "float",
            })
        };
        let body = body.to_string().into_bytes();
        let response = self.exchange.post(&self.url, body).await?;
        if !response.status().is_success() {
            let refused = self.exchange.error(response).await;
            let failures = &self.exchange.failures;
            return Err(failures.status(refused.status, &refused.headers, &refused.body));
        }
        let body = self.exchange.read_body(response, MAX_BODY).await?;
        let read = serde_json::from_slice::<Answer>(&body).map_err(|error| {
            let failures = &self.exchange.failures;
            let why = failures.clean(&error.to_string());
            failures.protocol(format_args!("what came is no list of vectors: {why}"))
        });
        let (vectors, tokens) = read?.into_vectors();
        if vectors.len() != texts.len() {
            return Err(self.exchange.failures.protocol(format_args!(
                "{} texts were sent and {} vectors came back",
                texts.len(),
                vectors.len()
            )));
        }
        let counted = || texts.iter().map(|text| estimate_tokens(text)).sum();
        Ok(Vectors {
            vectors,
            tokens: tokens.unwrap_or_else(counted),
        })
    }
}

impl EmbeddingModel for Embeddings {
    fn embed<'a>(&'a self, texts: &'a [String]) -> BoxFuture<'a, Result<Vectors, CallFailure>> {
        Box::pin(async move {
            let mut all = Vectors::default();
            for batch in texts.chunks(BATCH) {
                let limit = self.exchange.timeouts.call;
                let asked = self.exchange.within(limit, NOT_WHOLE, self.ask(batch));
                let some = asked.await?;
                all.vectors.extend(some.vectors);
                all.tokens = all.tokens.saturating_add(some.tokens);
            }
            Ok(all)
        })
    }
}

/// The response: OpenAI numbers its vectors, Ollama lists them.
#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    OpenAi {
        data: Vec<Numbered>,
        #[serde(default)]
        usage: Option<UsageObject>,
    },
    Ollama {
        embeddings: Vec<Vec<f32>>,
        #[serde(default)]
        prompt_eval_count: Option<u64>,
    },
}

#[derive(Deserialize)]
struct Numbered {
    #[serde(default)]
    index: Option<usize>,
    embedding: Vec<f32>,
}

#[derive(Deserialize)]
struct UsageObject {
    prompt_tokens: u64,
}

impl Answer {
    fn into_vectors(self) -> (Vec<Vec<f32>>, Option<u64>) {
        match self {
            Self::OpenAi { mut data, usage } => {
                // The sort is stable, so vectors without an index keep their order.
                data.sort_by_key(|one| one.index);
                let vectors = data.into_iter().map(|one| one.embedding).collect();
                (vectors, usage.map(|usage| usage.prompt_tokens))
            }
            Self::Ollama {
                embeddings,
                prompt_eval_count,
            } => (embeddings, prompt_eval_count),
        }
    }
}
