//! A request to an endpoint and its response, whatever the purpose.

use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Client, Response, StatusCode, Url};
use tokio::time::timeout;

use super::failure::Failures;
use super::http::{self, Base, Timeouts};
use super::wire::{self, Wire};
use super::{
    CallFailure, Dialect, RemoteConfig, anthropic, cohere, gemini, halves, ollama, openai,
    responses,
};
use crate::fault::Fault;
use crate::machine::FailureKind;

/// Maximum size of an error body, in bytes.
const MAX_ERROR: usize = 64 << 10;

/// Maximum time to read an error's body. The status is known by then and decides; the body is for
/// the message.
const ERROR_PATIENCE: Duration = Duration::from_secs(2);

/// A client of one endpoint, with the texts for its failures.
pub(super) struct Exchange {
    pub(super) base: Base,
    pub(super) wire: Box<dyn Wire>,
    pub(super) failures: Failures,
    pub(super) timeouts: Timeouts,
    pub(super) client: Client,
}

impl Exchange {
    /// Creates a client without sending anything.
    ///
    /// # Errors
    /// Base URL, key or proxy is invalid, or TLS cannot be set up.
    pub(super) fn new(config: &RemoteConfig) -> Result<Self, Fault> {
        let name = &config.name;
        let wire = wire_of(config.dialect);
        let base = Base::parse(name, &config.base_url)?.without(wire.endings());
        let key = config.api_key.as_deref();
        let headers = wire::headers(&*wire, name, key)?;
        let proxy = config.route.proxy_for(name, &base)?;
        let failures = Failures::new(name, base.origin(), key);
        Ok(Self {
            client: http::client(config, &base, headers)?,
            failures: failures.on(proxy.as_ref(), config.route.ca_file.as_deref()),
            timeouts: config.timeouts,
            base,
            wire,
        })
    }

    /// Posts JSON.
    pub(super) async fn post(&self, url: &Url, body: Vec<u8>) -> Result<Response, CallFailure> {
        let request = self.client.post(url.clone());
        let request = request.header(CONTENT_TYPE, "application/json");
        self.in_time(request.body(body).send()).await
    }

    /// Applies the idle limit to one wait for the network.
    pub(super) async fn in_time<T>(
        &self,
        wait: impl Future<Output = reqwest::Result<T>>,
    ) -> Result<T, CallFailure> {
        let wait = async { wait.await.map_err(|e| self.failures.transport(&e)) };
        self.within(self.timeouts.idle, "nothing came", wait).await
    }

    /// Applies a limit to a longer part of the exchange; `what` says of what nothing came.
    pub(super) async fn within<T>(
        &self,
        limit: Duration,
        what: &str,
        work: impl Future<Output = Result<T, CallFailure>>,
    ) -> Result<T, CallFailure> {
        let late = |_| Err(self.failures.timeout(what, limit));
        timeout(limit, work).await.unwrap_or_else(late)
    }

    /// Reads a whole body, up to a maximum size.
    pub(super) async fn read_body(
        &self,
        mut response: Response,
        limit: usize,
    ) -> Result<Vec<u8>, CallFailure> {
        let mut body = Vec::new();
        while let Some(bytes) = self.in_time(response.chunk()).await? {
            if body.len() + bytes.len() > limit {
                let what = format_args!("the answer is longer than {limit} bytes");
                return Err(self
                    .failures
                    .new_failure(FailureKind::TooLarge, false, what));
            }
            body.extend_from_slice(&bytes);
        }
        Ok(body)
    }

    /// Reads an error body as far as possible; further errors are ignored.
    pub(super) async fn error(&self, mut response: Response) -> Refused {
        let mut body = Vec::new();
        let (status, headers) = (response.status(), response.headers().clone());
        let read = async {
            while let Ok(Some(bytes)) = self.in_time(response.chunk()).await {
                body.extend_from_slice(&bytes[..bytes.len().min(MAX_ERROR - body.len())]);
                if body.len() == MAX_ERROR {
                    break;
                }
            }
        };
        let patience = ERROR_PATIENCE.min(self.timeouts.call / 2);
        let _ = timeout(patience, read).await;
        let body = halves::readable(&body);
        Refused {
            status,
            headers,
            body,
        }
    }
}

/// A response with another status than success.
pub(super) struct Refused {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: String,
}

/// The wire format of a dialect.
fn wire_of(dialect: Dialect) -> Box<dyn Wire> {
    match dialect {
        Dialect::OpenAi => Box::new(openai::ChatCompletions),
        Dialect::OpenAiResponses => Box::new(responses::Responses),
        Dialect::Anthropic => Box::new(anthropic::Messages),
        Dialect::Gemini => Box::new(gemini::Gemini),
        Dialect::Ollama => Box::new(ollama::Ollama::default()),
        Dialect::Cohere => Box::new(cohere::Cohere),
    }
}
