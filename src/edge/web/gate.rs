//! Access control: only the browser that opened the address with the token may send requests, and
//! only from pages of this address. Requests that are not understood are refused.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, COOKIE, HOST, LOCATION, ORIGIN,
    REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Version};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};

use crate::edge::env::new_secret;

/// Pages may run our script and use our style sheet, and may not be shown in a frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// Headers of every response.
const ALWAYS: [(HeaderName, &str); 7] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_FRAME_OPTIONS, "DENY"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (CACHE_CONTROL, "no-store"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
/// Maximum time for a response, including reading the request.
const ANSWER_TIME: Duration = Duration::from_secs(10);

/// The secrets and headers that a browser must send.
#[derive(Debug)]
pub struct Gate {
    /// `127.0.0.1:port`.
    host: String,
    origin: String,
    token: String,
    /// Whether the token was exchanged for the cookie.
    used: AtomicBool,
    /// `name=value`.
    cookie: String,
    start: String,
}

impl Gate {
    /// A gate for a server at that address; `start` is the path of the first page.
    pub fn new(address: SocketAddr, start: &str) -> std::io::Result<Self> {
        // Browsers leave out the default port.
        let host = match address.port() {
            80 => address.ip().to_string(),
            _ => address.to_string(),
        };
        Ok(Self {
            origin: format!("http://{host}"),
            // Cookies do not distinguish ports, so the name contains the port: another server of
            // ours uses another one.
            cookie: format!("aitc_{}={}", address.port(), new_secret()?),
            token: new_secret()?,
            used: AtomicBool::new(false),
            start: start.to_owned(),
            host,
        })
    }

    /// The address that admits a browser, once.
    pub fn url(&self) -> String {
        format!("{}/open/{}", self.origin, self.token)
    }

    /// The first reason to refuse the request.
    fn refusal(&self, request: &Request) -> Option<(StatusCode, &'static str)> {
        let (uri, headers) = (request.uri(), request.headers());
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/.-_".contains(&byte);
        let is_named = uri.path().bytes().all(is_plain)
            && !uri.path().contains("//")
            && !uri.path().contains("..");
        if request.version() != Version::HTTP_11 || uri.authority().is_some() {
            return Some((
                StatusCode::BAD_REQUEST,
                "this request is none of a browser's",
            ));
        }
        if !matches!(*request.method(), Method::GET | Method::POST) {
            return Some((StatusCode::METHOD_NOT_ALLOWED, "only GET and POST"));
        }
        let writes = request.method() == Method::POST;
        if only(headers, &HOST) != Some(Some(&self.host)) {
            return Some((StatusCode::FORBIDDEN, "another host is asked for"));
        }
        match only(headers, &ORIGIN) {
            Some(Some(origin)) if origin == self.origin => {}
            Some(None) if !writes => {}
            _ => return Some((StatusCode::FORBIDDEN, "another page asks")),
        }
        // Another port of the same host is `same-site`, which is refused.
        match only(headers, &FETCH_SITE) {
            Some(None | Some("same-origin")) => {}
            Some(Some("none")) if !writes => {}
            _ => return Some((StatusCode::FORBIDDEN, "another site asks")),
        }
        if !is_named || uri.query().is_some() {
            return Some((StatusCode::NOT_FOUND, "there is no such page"));
        }
        if writes && only(headers, &CONTENT_TYPE) != Some(Some("application/json")) {
            return Some((StatusCode::UNSUPPORTED_MEDIA_TYPE, "only application/json"));
        }
        None
    }

    /// Whether the request has the cookie, and no second one with its name.
    fn knows(&self, headers: &HeaderMap) -> bool {
        // Cookies of other servers on this host may not be text.
        let mut all = headers.get_all(&COOKIE).iter();
        let (Some(shown), None) = (all.next(), all.next()) else {
            return false;
        };
        let shown = String::from_utf8_lossy(shown.as_bytes());
        let name = self.cookie.split_inclusive('=').next().unwrap_or_default();
        let mut ours = shown.split("; ").filter(|pair| pair.starts_with(name));
        match (ours.next(), ours.next()) {
            (Some(pair), None) => is_same(pair, &self.cookie),
            _ => false,
        }
    }

    /// Exchanges the token for the cookie, once; a browser that has the cookie does not need the
    /// token.
    fn open(&self, token: &str, request: &Request) -> Response {
        let to_start = [(LOCATION, self.start.clone())];
        if self.knows(request.headers()) {
            return (StatusCode::SEE_OTHER, to_start).into_response();
        }
        let fits = is_same(token, &self.token) && request.method() == Method::GET;
        if !fits || self.used.swap(true, Ordering::SeqCst) {
            return refused(
                StatusCode::FORBIDDEN,
                "this address lets a browser in once; run `aitc view` again for another one",
            );
        }
        let cookie = format!("{}; Path=/; HttpOnly; SameSite=Strict", self.cookie);
        (StatusCode::SEE_OTHER, to_start, [(SET_COOKIE, cookie)]).into_response()
    }
}

pub(super) fn guarded(routes: Router, gate: Arc<Gate>) -> Router {
    routes.layer(from_fn_with_state(gate, pass))
}

async fn pass(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let token = request.uri().path().strip_prefix("/open/");
    let mut response = if let Some((status, why)) = gate.refusal(&request) {
        refused(status, why)
    } else if let Some(token) = token {
        gate.open(token, &request)
    } else if !gate.knows(request.headers()) {
        let why = "open the address that `aitc view` printed, in this browser";
        refused(StatusCode::UNAUTHORIZED, why)
    } else {
        let late = || refused(StatusCode::REQUEST_TIMEOUT, "that took too long");
        let answer = tokio::time::timeout(ANSWER_TIME, next.run(request)).await;
        answer.unwrap_or_else(|_| late())
    };
    for (name, value) in ALWAYS {
        let value = HeaderValue::from_static(value);
        response.headers_mut().insert(name, value);
    }
    response
}

fn refused(status: StatusCode, why: &'static str) -> Response {
    let mut response = Response::new(Body::from(format!("aitc: {why}\n")));
    *response.status_mut() = status;
    let plain = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, plain);
    response
}

/// The value of a header that must not be repeated; `None` if it is repeated or not text.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<Option<&'a str>> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Some(None),
        (Some(value), None) => value.to_str().ok().map(Some),
        _ => None,
    }
}

/// Compares in constant time.
fn is_same(shown: &str, secret: &str) -> bool {
    let differs = shown.bytes().zip(secret.bytes());
    let differs = differs.fold(0, |differs, (a, b)| differs | (a ^ b));
    shown.len() == secret.len() && differs == 0
}
