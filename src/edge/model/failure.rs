//! Interprets a failed exchange with a provider: kind, whether to retry, message.

use std::error::Error;
use std::fmt::Display;
use std::io;
use std::sync::LazyLock;
use std::time::{Duration, SystemTime};

use regex::Regex;
use reqwest::StatusCode;
use reqwest::header::{CONTENT_TYPE, HeaderMap, LOCATION};
use serde::Deserialize;
use serde_json::Value;

use super::CallFailure;
use super::address::{pattern, without_addresses};
use super::http::{ProxyAddress, innermost};
use super::key;
use crate::machine::FailureKind;
use crate::redact::SHORTEST_KEY;

/// Maximum length of a provider's message in a failure, in characters.
const QUOTED: usize = 300;

/// The message if prompt and answer exceed the context of the model.
const TOO_LONG: &str = "the prompt does not fit the model's context";

/// The remedy for that.
const FIT: &str = "give this role a model with a larger context, start a local server with more \
    (llama.cpp `--ctx-size`, shared by its slots; no more than the model was trained with), \
    or begin anew with fewer `--roles`";

/// Creates the failures of one endpoint. It holds the key in order to remove it from messages.
#[derive(Clone)]
pub(super) struct Failures {
    provider: String,
    origin: String,
    key: Option<String>,
    /// The proxy, as a phrase after the failed operation; empty without one.
    proxy: String,
    /// The `ca_file` whose certificates are trusted in addition to the system's.
    ca_file: Option<String>,
}

impl Failures {
    pub(super) fn new(provider: &str, origin: String, key: Option<&str>) -> Self {
        Self {
            provider: provider.to_owned(),
            origin,
            key: key
                .map(key::bare)
                .filter(|key| !key.is_empty())
                .map(str::to_owned),
            proxy: String::new(),
            ca_file: None,
        }
    }

    /// Adds the proxy and certificate file, for messages about failed connections.
    pub(super) fn on(self, proxy: Option<&ProxyAddress>, ca_file: Option<&str>) -> Self {
        Self {
            proxy: proxy
                .map(|proxy| format!("; it goes by {proxy}"))
                .unwrap_or_default(),
            ca_file: ca_file.map(str::to_owned),
            ..self
        }
    }

    /// A failure with a message of our own.
    pub(super) fn new_failure(
        &self,
        kind: FailureKind,
        retryable: bool,
        what: impl Display,
    ) -> CallFailure {
        let what = what.to_string();
        let unaddressed = without_addresses(&what, &self.origin);
        CallFailure {
            kind,
            detail: format!("`{}` at {}: {what}", self.provider, self.origin),
            recorded: Some(format!("`{}`: {unaddressed}", self.provider)),
            retryable,
            retry_after: None,
        }
    }

    /// The stream or body is invalid; can be retried.
    pub(super) fn protocol(&self, what: impl Display) -> CallFailure {
        self.new_failure(FailureKind::Protocol, true, what)
    }

    /// Nothing arrived in time.
    pub(super) fn timeout(&self, what: &str, limit: Duration) -> CallFailure {
        let seconds = limit.as_secs_f64();
        self.new_failure(
            FailureKind::Timeout,
            true,
            format_args!("{what} within {seconds} s"),
        )
    }

    /// The connection failed or broke.
    pub(super) fn transport(&self, error: &reqwest::Error) -> CallFailure {
        let cause = Cause::of(error);
        let words = self.clean(&innermost(error));
        if error.is_timeout() || cause == Cause::TimedOut {
            let what = format_args!("the connection took too long ({words}){}", self.proxy);
            return self.new_failure(FailureKind::Timeout, true, what);
        }
        let proxy = &self.proxy;
        match cause {
            Cause::Certificate => self.distrust(&words),
            Cause::Other if error.is_body() || error.is_decode() => {
                self.protocol(format_args!("the answer was cut off ({words})"))
            }
            _ if error.is_connect() => self.new_failure(
                FailureKind::Network,
                true,
                format_args!("no connection ({words}){proxy}"),
            ),
            _ => self.new_failure(
                FailureKind::Network,
                true,
                format_args!("the connection broke ({words}){proxy}"),
            ),
        }
    }

    fn distrust(&self, words: &str) -> CallFailure {
        let proxy = &self.proxy;
        let known = match &self.ca_file {
            Some(file) => format!(
                "neither the machine's certificates nor those of `ca_file` `{file}` vouch for it"
            ),
            None => "if it is yours, or your company looks into connections, name the certificates of its authority with `ca_file` of the provider".to_owned(),
        };
        let what =
            format_args!("the server's certificate is not trusted ({words}); {known}{proxy}");
        self.new_failure(FailureKind::Network, false, what)
    }

    /// The failure for a web page in place of an answer; a page is never a model's text.
    pub(super) fn web_page(&self, status: StatusCode, body: &str) -> CallFailure {
        let proxy = &self.proxy;
        let title = match title(body) {
            Some(title) => format!(": {}", self.clean(&title)),
            None => String::new(),
        };
        let help = match status.as_u16() {
            200..=299 | 404 | 405 => "is the base URL right? it usually ends in `/v1`",
            _ => {
                "something on the way may block it, such as a proxy or a firewall; look at the base URL, the network and the proxy variables"
            }
        };
        let what =
            format_args!("a web page came instead of an answer ({status}){title}; {help}{proxy}");
        let (kind, retryable) = match judge(status, body) {
            passing @ (FailureKind::Server | FailureKind::RateLimited, _) => passing,
            _ => (FailureKind::Protocol, false),
        };
        self.new_failure(kind, retryable, what)
    }

    /// A response with another status than success.
    pub(super) fn status(
        &self,
        status: StatusCode,
        headers: &HeaderMap,
        body: &str,
    ) -> CallFailure {
        if !status.is_redirection() && is_web_page(headers, body) {
            let failure = self.web_page(status, body);
            return self.waiting(failure, headers, body);
        }
        let status = meant(status, body);
        let said = self.message_suffix(body);
        let (kind, retryable) = judge(status, body);
        let what = match kind {
            FailureKind::Credentials => format!(
                "the key was refused ({status}){said}; check the key variable of this provider"
            ),
            _ if status.is_redirection() => format!(
                "the endpoint redirects elsewhere ({status}{}), which is not followed; set the base URL to where it leads",
                headers
                    .get(LOCATION)
                    .and_then(|to| reqwest::Url::parse(to.to_str().ok()?).ok())
                    .map(|to| format!(" to {}", self.clean(&to.origin().ascii_serialization())))
                    .unwrap_or_default()
            ),
            _ if status == StatusCode::NOT_FOUND => {
                format!("no such model or path ({status}){said}; check model and base URL")
            }
            _ if status == StatusCode::PROXY_AUTHENTICATION_REQUIRED => format!(
                "the proxy requires a login ({status}){said}; add the user name and password to the variable that names it{}",
                self.proxy
            ),
            _ if exceeds_context(body) => format!("{TOO_LONG} ({status}){said}; {FIT}"),
            _ => format!("{status}{said}"),
        };
        self.waiting(self.new_failure(kind, retryable, what), headers, body)
    }

    /// Adds the delay that headers or body ask for.
    fn waiting(&self, failure: CallFailure, headers: &HeaderMap, body: &str) -> CallFailure {
        let asked =
            || retry_after(headers, jiff::Timestamp::now().into()).or_else(|| retry_delay(body));
        CallFailure {
            retry_after: failure.retryable.then(asked).flatten(),
            ..failure
        }
    }

    /// An error that the provider reported inside a stream that had started successfully.
    pub(super) fn reported(&self, code: StatusCode, message: &str) -> CallFailure {
        let said = self.clean(message);
        if exceeds_context(message) {
            let what = format_args!("{TOO_LONG}: {said}; {FIT}");
            return self.new_failure(FailureKind::Refused, false, what);
        }
        let (kind, retryable) = judge(code, message);
        let what = format_args!("the answer broke off with an error: {said}");
        self.new_failure(kind, retryable, what)
    }

    /// Makes a provider's message safe to show: without key and control characters, at most 300
    /// characters.
    pub(super) fn clean(&self, text: &str) -> String {
        let hidden = match &self.key {
            Some(key) if key.len() >= SHORTEST_KEY => text.replace(key.as_str(), "[key]"),
            _ => text.to_owned(),
        };
        let words = hidden.split(is_unprintable).filter(|word| !word.is_empty());
        let mut shown = String::new();
        let mut left = QUOTED;
        for word in words {
            if !shown.is_empty() {
                shown.push(' ');
            }
            shown.extend(word.chars().take(left));
            left = left.saturating_sub(word.chars().count() + 1);
            if left == 0 {
                shown.push('…');
                break;
            }
        }
        shown
    }

    fn message_suffix(&self, body: &str) -> String {
        let message = message_of(body);
        let message = self.clean(message.as_deref().unwrap_or(body));
        if message.is_empty() {
            String::new()
        } else {
            format!(": {message}")
        }
    }
}

/// Errors that a model caused and not the request, and the statuses that they should have.
const OF_MODELS: &[(&str, StatusCode)] = &[
    ("json_validate_failed", StatusCode::INTERNAL_SERVER_ERROR),
    ("tool_use_failed", StatusCode::INTERNAL_SERVER_ERROR),
    ("api_key_invalid", StatusCode::UNAUTHORIZED),
];

/// Whether these words of an error, in lower case, say that nothing in the request was refused.
pub(super) fn is_of_model(words: &str) -> bool {
    OF_MODELS.iter().any(|(word, _)| words.contains(word))
}

/// The intended status, if the response's own status is less precise.
pub(super) fn meant(status: StatusCode, body: &str) -> StatusCode {
    let words = body.to_lowercase();
    let mut meant = OF_MODELS.iter().filter(|(word, _)| words.contains(word));
    let meant = meant.next().filter(|_| status == StatusCode::BAD_REQUEST);
    meant.map_or(status, |(_, meant)| *meant)
}

/// Whether the message says that prompt and answer, or the prompt alone, exceed the model's
/// context.
pub(super) fn exceeds_context(text: &str) -> bool {
    static CONTEXT: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            "(?i)context[ _](length|size|window|limit)|maximum context|model token limit|(prompt|input) (is )?too long|input token count|too many input tokens|上下文长度|超出上下文",
        )
    });
    CONTEXT.is_match(text)
}

/// Includes white space, because an error is shown on one line.
fn is_unprintable(c: char) -> bool {
    c.is_control()
        || c.is_whitespace()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// The kind of failure for a status, and whether a retry may succeed.
fn judge(status: StatusCode, body: &str) -> (FailureKind, bool) {
    match status.as_u16() {
        401 | 403 => (FailureKind::Credentials, false),
        // The account has no credit left, so waiting does not help.
        429 if body.contains("insufficient_quota") => (FailureKind::RateLimited, false),
        429 | 529 => (FailureKind::RateLimited, true),
        408 | 409 | 425 | 500..=599 => (FailureKind::Server, true),
        _ => (FailureKind::Refused, false),
    }
}

/// Whether this is a page for people.
pub(super) fn is_web_page(headers: &HeaderMap, body: &str) -> bool {
    let kind = headers
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    let begin = body.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let begin = begin.get(..14).unwrap_or(begin).to_ascii_lowercase();
    let is_declared = kind.is_some_and(|kind| kind.to_ascii_lowercase().contains("html"));
    let starts = ["<!doctype html", "<html", "<head", "<body"];
    // Some servers declare everything as HTML.
    (is_declared && !begin.starts_with(['{', '['])) || starts.iter().any(|it| begin.starts_with(it))
}

/// The title of a page, otherwise its first words.
fn title(page: &str) -> Option<String> {
    let folded = page.to_ascii_lowercase();
    let inner = |tag: &str| {
        let start = folded.find(&format!("<{tag}"))?;
        let start = start + folded[start..].find('>')? + 1;
        let end = start + folded[start..].find("</")?;
        Some(page[start..end].trim().to_owned()).filter(|text| !text.is_empty())
    };
    inner("title").or_else(|| inner("h1"))
}

/// The delay that Gemini asks for in an error's body.
fn retry_delay(body: &str) -> Option<Duration> {
    let body: Value = serde_json::from_str(body).ok()?;
    let details = body.pointer("/error/details")?.as_array()?;
    let delay = details
        .iter()
        .find_map(|detail| detail.get("retryDelay")?.as_str())?;
    let seconds = delay.strip_suffix('s')?.parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

/// The delay that `Retry-After` asks for, in seconds or as a date; `None` for a past date.
fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = headers
        .get(reqwest::header::RETRY_AFTER)?
        .to_str()
        .ok()?
        .trim();
    if let Ok(seconds) = text.parse::<f64>() {
        // A number too large for a duration still means: too long.
        return (seconds >= 0.0)
            .then(|| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
    }
    let until = httpdate::parse_http_date(text).ok()?;
    // A past date, by either clock, is ignored, and the delay grows as usual.
    until.duration_since(now).ok()
}

/// The root cause of a broken connection.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    Certificate,
    Reset,
    TimedOut,
    Other,
}

impl Cause {
    fn of(error: &(dyn Error + 'static)) -> Self {
        if let Some(error) = error.downcast_ref::<rustls::Error>() {
            return match error {
                rustls::Error::InvalidCertificate(_) | rustls::Error::NoCertificatesPresented => {
                    Self::Certificate
                }
                _ => Self::Other,
            };
        }
        if let Some(error) = error.downcast_ref::<io::Error>() {
            // `source` of an I/O error skips the error it wraps.
            if let Some(inner) = error.get_ref() {
                let inner: &(dyn Error + 'static) = inner;
                return Self::of(inner);
            }
            return match error.kind() {
                io::ErrorKind::TimedOut => Self::TimedOut,
                io::ErrorKind::ConnectionReset
                | io::ErrorKind::ConnectionAborted
                | io::ErrorKind::BrokenPipe => Self::Reset,
                _ => Self::Other,
            };
        }
        error.source().map_or(Self::Other, Self::of)
    }
}

/// The message in an error body, in the formats that providers use.
fn message_of(body: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Inner {
        message: String,
    }
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Body {
        Wrapped { error: Inner },
        Plain { error: String },
        Bare { message: String },
        Detail { detail: String },
    }
    serde_json::from_str(body).ok().map(|body| match body {
        Body::Wrapped {
            error: Inner { message },
        }
        | Body::Plain { error: message }
        | Body::Bare { message }
        | Body::Detail { detail: message } => message,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    fn failures() -> Failures {
        Failures::new("x", "https://host".to_owned(), Some("sk-secret"))
    }

    #[test]
    fn a_short_key_leaves_words_alone() {
        let failures = Failures::new("x", "https://host".to_owned(), Some("k"));
        assert_eq!(failures.clean("mock key"), "mock key");
    }

    #[test]
    fn words_are_short_clean_and_without_the_key() {
        let words = failures().clean("a\u{1b}[31m\r\nkey sk-secret \u{202e}b");
        assert_eq!(words, "a [31m key [key] b");
        let long = format!("{}sk-secret", "y".repeat(295));
        let words = failures().clean(&long);
        assert!(!words.contains("sk-"), "{words}");
        assert!(failures().clean(&"长".repeat(5000)).chars().count() <= QUOTED + 1);
    }

    #[test]
    fn a_prompt_that_does_not_fit_is_told_with_what_helps() {
        for said in [
            r#"{"error":{"code":400,"message":"request (8322 tokens) exceeds the available context size (8192 tokens), try increasing it","type":"exceed_context_size_error"}}"#,
            r#"{"error":{"message":"This model's maximum context length is 8192 tokens. However, you requested 9000","code":"context_length_exceeded"}}"#,
            r#"{"error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
            r#"{"error":{"message":"The input token count (1100000) exceeds the maximum number of tokens allowed"}}"#,
        ] {
            let told = failures().status(StatusCode::BAD_REQUEST, &HeaderMap::new(), said);
            assert_eq!(told.kind, FailureKind::Refused);
            assert!(!told.retryable);
            for part in [TOO_LONG, "larger context", "--roles"] {
                assert!(told.detail.contains(part), "{}", told.detail);
            }
        }
        let other = failures().status(StatusCode::BAD_REQUEST, &HeaderMap::new(), "bad seed");
        assert!(!other.detail.contains(TOO_LONG), "{}", other.detail);
        let within = failures().reported(
            StatusCode::INTERNAL_SERVER_ERROR,
            "Context size has been exceeded.",
        );
        assert_eq!(
            (within.kind, within.retryable),
            (FailureKind::Refused, false)
        );
    }

    #[test]
    fn messages_are_found_in_every_usual_body() {
        for body in [
            r#"{"error":{"message":"no","code":1}}"#,
            r#"{"error":"no"}"#,
            r#"{"object":"error","message":"no"}"#,
            r#"{"detail":"no"}"#,
            "no",
        ] {
            assert_eq!(failures().message_suffix(body), ": no", "{body}");
        }
        assert_eq!(failures().message_suffix(""), "");
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = httpdate::parse_http_date("Fri, 02 Jan 2026 03:04:05 GMT").unwrap();
        let asked = |text: &str| {
            let value = text.parse().unwrap();
            retry_after(
                &HeaderMap::from_iter([(reqwest::header::RETRY_AFTER, value)]),
                now,
            )
        };
        assert_eq!(asked("7"), Some(Duration::from_secs(7)));
        assert_eq!(asked("0.5"), Some(Duration::from_millis(500)));
        assert_eq!(asked("1e300"), Some(Duration::MAX));
        assert_eq!(
            asked("Fri, 02 Jan 2026 03:05:05 GMT"),
            Some(Duration::from_secs(60))
        );
        assert_eq!(
            asked("Fri, 02 Jan 2026 03:06:05 GMT"),
            Some(Duration::from_secs(120)),
            "as long as a run waits"
        );
        assert_eq!(
            asked("Friday, 02-Jan-26 03:05:05 GMT"),
            Some(Duration::from_secs(60))
        );
        assert_eq!(
            asked("Fri Jan  2 03:05:05 2026"),
            Some(Duration::from_secs(60))
        );
        assert_eq!(asked("Fri, 02 Jan 2026 03:00:00 GMT"), None);
        assert_eq!(asked("-1"), None);
        assert_eq!(asked("soon"), None);
    }
}
