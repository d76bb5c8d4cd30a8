//! One request to an endpoint and what comes back, whatever is asked for.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Client, Response, StatusCode, Url};
use tokio::time::timeout;

use super::failure::{Failures, is_broken_off};
use super::http::{self, Base, Timeouts};
use super::{CallFailure, RemoteConfig, halves, wire};
use crate::fault::Fault;
use crate::machine::FailureKind;

/// Longest error body that is read, in bytes.
const MAX_ERROR: usize = 64 << 10;

/// How long an error's body is read, however it drips: what it says is told, and what is
/// known by then, its status, decides.
const ERROR_PATIENCE: Duration = Duration::from_secs(2);

/// A client of one endpoint, with the words for what fails there.
pub(super) struct Exchange {
    pub(super) base: Base,
    pub(super) failures: Failures,
    pub(super) timeouts: Timeouts,
    config: RemoteConfig,
    headers: HeaderMap,
    client: Client,
    /// Did anything come back yet? Then a connection may have been kept.
    answered: AtomicBool,
}

impl Exchange {
    /// Makes a client; nothing is sent yet.
    ///
    /// # Errors
    /// Base URL, key or way cannot be used, or TLS cannot be set up.
    pub(super) fn new(config: &RemoteConfig) -> Result<Self, Fault> {
        let name = &config.name;
        let base = wire::base(config.dialect, name, &config.base_url)?;
        let key = config.api_key.as_deref();
        let headers = wire::headers(config.dialect, name, key)?;
        let way = config.route.way(name, &base)?;
        let failures = Failures::new(name, base.origin(), key);
        Ok(Self {
            client: http::client(config, &base, headers.clone(), true)?,
            failures: failures.on(way.as_ref(), config.route.ca_file.as_deref()),
            timeouts: config.timeouts,
            config: config.clone(),
            answered: AtomicBool::new(false),
            headers,
            base,
        })
    }

    /// Posts JSON. A connection that was kept, and that the server has closed meanwhile, is
    /// no failure: the request goes out again on one of its own.
    pub(super) async fn post(&self, url: &Url, body: Vec<u8>) -> Result<Response, CallFailure> {
        let sent = |client: &Client, body: Vec<u8>| {
            let request = client.post(url.clone());
            let request = request.header(CONTENT_TYPE, "application/json");
            request.body(body).send()
        };
        let first = timeout(self.timeouts.idle, sent(&self.client, body.clone())).await;
        let response = match first {
            Ok(Err(error)) if is_broken_off(&error) && self.answered.load(Ordering::Relaxed) => {
                let fresh = http::client(&self.config, &self.base, self.headers.clone(), false)
                    .map_err(|_| self.failures.transport(&error))?;
                self.in_time(sent(&fresh, body)).await?
            }
            Ok(result) => result.map_err(|error| self.failures.transport(&error))?,
            Err(_) => return Err(self.failures.timeout("nothing came", self.timeouts.idle)),
        };
        self.answered.store(true, Ordering::Relaxed);
        Ok(response)
    }

    /// Asks for what lies at an address.
    pub(super) async fn get(&self, url: Url) -> reqwest::Result<Response> {
        self.client.get(url).send().await
    }

    /// Holds one wait for the network to the idle limit.
    pub(super) async fn in_time<T>(
        &self,
        wait: impl Future<Output = reqwest::Result<T>>,
    ) -> Result<T, CallFailure> {
        match timeout(self.timeouts.idle, wait).await {
            Ok(result) => result.map_err(|e| self.failures.transport(&e)),
            Err(_) => Err(self.failures.timeout("nothing came", self.timeouts.idle)),
        }
    }

    /// Reads a whole body, up to so many bytes.
    pub(super) async fn whole(
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

    /// Reads what there is of an error body; that it cannot be read whole is no new error.
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
        let body = halves::settled(&String::from_utf8_lossy(&body));
        Refused {
            status,
            headers,
            body,
        }
    }
}

/// An answer with something else than success.
pub(super) struct Refused {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: String,
}
