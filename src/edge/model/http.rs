//! HTTP clients for endpoints: TLS, redirects, proxies and time limits.

use std::collections::BTreeMap;
use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use hyper_util::client::proxy::matcher::Matcher;
use reqwest::header::HeaderMap;
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Certificate, Client, ClientBuilder, Proxy, StatusCode, Url};

use super::RemoteConfig;
use crate::fault::models::{BASE_URL, PROXY_VARIABLE, ROUTE, TLS};
use crate::fault::{Fault, MessageValue, texts, values};

texts! {
    NO_PROXY: "`proxy` is not the address of a proxy", "`proxy` 不是代理地址";
    NO_CERTIFICATE: "`ca_file` holds no certificate in PEM form", "`ca_file` 中没有 PEM 格式的证书";
    NO_ADDRESS: "{why}", "它不是有效的地址（{why}）";
    NO_HTTP: "it must begin with `http://` or `https://`", "它必须以 `http://` 或 `https://` 开头";
    HOLDS_LOGIN: "it holds a user name or password; use a key variable", "它含有用户名或密码；请使用密钥变量";
}

/// Time limits of a call; none is ever unlimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Establishing a connection, including TLS. Default 10 s.
    pub connect: Duration,
    /// Without receiving a byte, before and during the response. Default 120 s, because a local
    /// model may read a long prompt for a minute or more.
    pub idle: Duration,
    /// The whole call, including the connection. Default 600 s.
    pub call: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(120),
            call: Duration::from_secs(600),
        }
    }
}

/// The proxy between this machine and an endpoint; usually none.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Route {
    /// Proxy for this endpoint, such as `http://proxy:3128`; `None` to use `variables`. May contain
    /// a password.
    pub proxy: Option<String>,
    /// Values of [`PROXY_VARIABLES`] that are set.
    pub variables: BTreeMap<&'static str, String>,
    /// Certificates to trust in addition to the system's, PEM.
    pub extra_roots: Option<Vec<u8>>,
    /// The file with these certificates, for messages.
    pub ca_file: Option<String>,
}

impl fmt::Debug for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Route")
            .field("has_proxy", &self.proxy.is_some())
            .field("has_extra_roots", &self.extra_roots.is_some())
            .finish_non_exhaustive()
    }
}

/// Variables that name proxies, read as curl does. Upper-case `HTTP_PROXY` is left out, because a
/// web server sets it from a visitor's request.
pub const PROXY_VARIABLES: &[&str] = &[
    "http_proxy",
    "https_proxy",
    "HTTPS_PROXY",
    "all_proxy",
    "ALL_PROXY",
    "no_proxy",
    "NO_PROXY",
];

/// Schemes of a proxy's address; the first is the default.
const PROXY_SCHEMES: &[&str] = &["http", "https", "socks4", "socks4a", "socks5", "socks5h"];

#[derive(Debug)]
pub(super) struct ProxyAddress {
    /// The setting or variable that names it.
    named: &'static str,
    address: Url,
}

/// Without the login, so that it can be shown.
impl fmt::Display for ProxyAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, host) = (self.address.scheme(), self.address.host_str());
        write!(f, "the proxy {scheme}://{}", host.unwrap_or_default())?;
        if let Some(port) = self.address.port() {
            write!(f, ":{port}")?;
        }
        write!(f, ", which `{}` names", self.named)
    }
}

impl Route {
    /// The proxy for this base, if there is one. A loopback address ignores proxies of the
    /// environment, but not one that was set for this endpoint.
    ///
    /// # Errors
    /// A setting or variable does not contain the address of a proxy.
    pub(super) fn proxy_for(
        &self,
        provider: &str,
        base: &Base,
    ) -> Result<Option<ProxyAddress>, Fault> {
        if let Some(text) = &self.proxy {
            let bad = || ROUTE.with(values![provider, what = NO_PROXY]);
            let (named, address) = ("proxy", proxy_address(text).ok_or_else(bad)?);
            return Ok(Some(ProxyAddress { named, address }));
        }
        let own: &[&str] = match base.0.scheme() {
            "http" => &["http_proxy"],
            _ => &["https_proxy", "HTTPS_PROXY"],
        };
        if base.is_loopback() || self.is_spared(base) {
            return Ok(None);
        }
        let mut names = own.iter().chain(&["all_proxy", "ALL_PROXY"]);
        let Some((named, text)) = names.find_map(|name| self.variables.get_key_value(name)) else {
            return Ok(None);
        };
        let bad = || PROXY_VARIABLE.with(values![variable = named]);
        let address = proxy_address(text).ok_or_else(bad)?;
        Ok(Some(ProxyAddress { named, address }))
    }

    /// Whether `no_proxy` excludes this base.
    fn is_spared(&self, base: &Base) -> bool {
        let mut lists = ["no_proxy", "NO_PROXY"].iter();
        let list = lists.find_map(|name| self.variables.get(name));
        let list = list.map(String::as_str).unwrap_or_default();
        let entries = list.split([',', ' ']);
        let entries: Vec<&str> = entries.map(|one| one.trim_start_matches("*.")).collect();
        if entries.iter().any(|one| one.trim() == "*") {
            return true;
        }
        let any_proxy = Matcher::builder().all("http://proxy");
        let matcher = any_proxy.no(entries.join(",").to_ascii_lowercase()).build();
        let base = base.0.as_str().parse();
        base.is_ok_and(|base| matcher.intercept(&base).is_none())
    }

    /// Applies the route to a client.
    fn lay(
        &self,
        mut builder: ClientBuilder,
        provider: &str,
        base: &Base,
    ) -> Result<ClientBuilder, Fault> {
        let proxy = self.proxy_for(provider, base)?;
        let is_plain = base.0.scheme() == "http";
        let by_tls = proxy
            .as_ref()
            .is_some_and(|proxy| proxy.address.scheme() == "https");
        if let Some(ProxyAddress { named, address }) = proxy {
            let bad = |_| PROXY_VARIABLE.with(values![variable = named]);
            let proxy = Proxy::all(address).map_err(bad)?;
            builder = builder.no_proxy().proxy(proxy);
        } else if base.is_loopback() || !self.variables.is_empty() || !SYSTEM_HAS_PROXIES {
            builder = builder.no_proxy();
        }
        if is_plain && !by_tls {
            // Redirects never lead to https, so certificates need not be loaded.
            return Ok(builder.tls_certs_only([]));
        }
        if let Some(pem) = &self.extra_roots {
            let bad = || ROUTE.with(values![provider, what = NO_CERTIFICATE]);
            builder = builder.tls_certs_merge(certificates(pem).ok_or_else(bad)?);
        }
        Ok(builder)
    }
}

/// Whether the operating system has proxy settings too.
const SYSTEM_HAS_PROXIES: bool = cfg!(target_os = "macos");

fn proxy_address(text: &str) -> Option<Url> {
    let text = text.trim();
    let full = match text.contains("://") {
        true => text.to_owned(),
        false => format!("http://{text}"),
    };
    let address = Url::parse(&full).ok()?;
    let is_known = PROXY_SCHEMES.contains(&address.scheme());
    let has_host = address.host_str().is_some_and(|host| !host.is_empty());
    (is_known && has_host && Proxy::all(address.clone()).is_ok()).then_some(address)
}

/// Whether these bytes contain PEM certificates, as [`Route::extra_roots`] needs them.
pub fn holds_certificates(pem: &[u8]) -> bool {
    certificates(pem).is_some()
}

/// Parses at least one certificate.
fn certificates(pem: &[u8]) -> Option<Vec<Certificate>> {
    let all = Certificate::from_pem_bundle(pem).ok()?;
    (!all.is_empty()).then_some(all)
}

/// A validated base URL: `http` or `https`, with a host, without user name or password.
#[derive(Debug, Clone)]
pub(super) struct Base(Url);

impl Base {
    /// Parses a URL that the user gave; removes a trailing `/` or `/chat/completions`.
    pub(super) fn parse(provider: &str, text: &str) -> Result<Self, Fault> {
        // The URL is not shown, because it may contain a secret.
        let bad = |why: &dyn MessageValue| BASE_URL.with(values![provider, why]);
        let mut url =
            Url::parse(text.trim()).map_err(|e| bad(&NO_ADDRESS.fill(values![why = e])))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(bad(&NO_HTTP));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(bad(&HOLDS_LOGIN));
        }
        let path = url.path().trim_end_matches('/');
        let path = path.strip_suffix("/chat/completions").unwrap_or(path);
        let path = path.trim_end_matches('/').to_owned();
        url.set_path(&path);
        url.set_fragment(None);
        Ok(Self(url))
    }

    /// Removes these endings from its path, one after the other.
    pub(super) fn without(mut self, endings: &[&str]) -> Self {
        for ending in endings {
            let path = self.0.path().trim_end_matches('/');
            let path = path.strip_suffix(ending).unwrap_or(path).to_owned();
            self.0.set_path(&path);
        }
        self
    }

    /// The URL of a resource below the base; a query of the base is kept.
    pub(super) fn join(&self, resource: &str) -> Url {
        let mut url = self.0.clone();
        let path = format!("{}/{resource}", url.path().trim_end_matches('/'));
        url.set_path(&path);
        url
    }

    /// Scheme, host and port, which may be shown.
    pub(super) fn origin(&self) -> String {
        self.0.origin().ascii_serialization()
    }

    /// Host name without port.
    pub(super) fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    fn is_loopback(&self) -> bool {
        let host = self.host().trim_matches(['[', ']']);
        host == "localhost" || host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
    }
}

/// Whether this address is on this machine.
pub fn is_on_this_machine(base_url: &str) -> bool {
    Base::parse("", base_url).is_ok_and(|base| base.is_loopback())
}

/// Creates a client for one endpoint; each call has a connection of its own.
///
/// `headers`, which contain the key, are sent with every request. A redirect is followed only to
/// the same scheme, host and port with the same method, so that neither key nor prompt is sent
/// anywhere else. Compression is not offered and not decoded, so that a small body cannot expand.
pub(super) fn client(
    config: &RemoteConfig,
    base: &Base,
    headers: HeaderMap,
) -> Result<Client, Fault> {
    install_tls();
    let mut builder = Client::builder()
        .user_agent(concat!("aitc/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(config.timeouts.connect)
        // A kept connection may be closed by the server just as the next call is sent.
        .pool_max_idle_per_host(0)
        .tcp_nodelay(true)
        .redirect(Policy::custom(same_origin))
        .default_headers(headers);
    builder = config.route.lay(builder, &config.name, base)?;
    builder
        .build()
        .map_err(|e| TLS.with(values![provider = config.name, why = innermost(&e)]))
}

/// Installs ring as the TLS implementation, unless one is installed.
fn install_tls() {
    if rustls::crypto::CryptoProvider::get_default().is_none() {
        // An error means that another thread has just installed it.
        let _ = rustls::crypto::ring::default_provider().install_default();
    }
}

fn same_origin(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    let same = attempt
        .previous()
        .last()
        .is_some_and(|from| from.origin() == attempt.url().origin());
    let keeps_method = matches!(
        attempt.status(),
        StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT
    );
    if same && keeps_method && attempt.previous().len() <= 3 {
        attempt.follow()
    } else {
        attempt.stop()
    }
}

/// The text of the innermost error, which says what happened.
pub(super) fn innermost(error: &dyn std::error::Error) -> String {
    let mut last = error;
    while let Some(source) = last.source() {
        last = source;
    }
    last.to_string()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    #[test]
    fn bases_are_normalised() {
        let base = |text| Base::parse("x", text).map(|base| base.join("models").to_string());
        for text in [
            "https://host/v1",
            " https://host/v1/ ",
            "https://host/v1/chat/completions",
        ] {
            assert_eq!(base(text).unwrap(), "https://host/v1/models");
        }
        assert_eq!(base("http://host").unwrap(), "http://host/models");
        assert_eq!(
            base("https://host/v1?api-version=3").unwrap(),
            "https://host/v1/models?api-version=3"
        );
    }

    #[test]
    fn unusable_bases_are_refused_without_repeating_them() {
        for text in ["host/v1", "ftp://host", "https://me:secret@host/v1"] {
            let error = Base::parse("x", text).unwrap_err().to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn variables_name_a_proxy_as_they_do_for_curl() {
        let far = "https://llm.example.com/v1";
        for row in [
            "https://models.example.com/v1; HTTPS_PROXY=http://p:1; HTTPS_PROXY",
            "https://models.example.com/v1; https_proxy=p:1; HTTPS_PROXY=q:1; https_proxy",
            "https://models.example.com/v1; http_proxy=p:1; none",
            "http://models.lan/v1; http_proxy=p:1; http_proxy",
            "http://models.lan/v1; HTTPS_PROXY=p:1; none",
            "https://models.example.com/v1; ALL_PROXY=socks5://p:1; ALL_PROXY",
            "http://models.lan/v1; all_proxy=socks5h://u:w@p:1; ALL_PROXY=q:1; all_proxy",
            "https://models.example.com/v1; ALL_PROXY=socks4a://p:1; ALL_PROXY",
            "https://models.example.com/v1; ALL_PROXY=p:1; NO_PROXY=a.test, .example.com; none",
            "https://models.example.com/v1; ALL_PROXY=p:1; NO_PROXY=a.test *.Example.com; none",
            "https://models.example.com/v1; ALL_PROXY=p:1; no_proxy=*; none",
            "https://models.example.com/v1; ALL_PROXY=p:1; no_proxy=ample.com; ALL_PROXY",
            "https://10.1.2.3/v1; ALL_PROXY=p:1; no_proxy=10.0.0.0/8; none",
            "https://10.1.2.3/v1; ALL_PROXY=p:1; no_proxy=*; none",
            "https://11.1.2.3/v1; ALL_PROXY=p:1; no_proxy=10.0.0.0/8; ALL_PROXY",
            "https://[2001:db8::1]/v1; ALL_PROXY=p:1; no_proxy=2001:db8::/32; none",
            "http://127.0.0.1:1/v1; ALL_PROXY=p:1; none",
        ] {
            let cells: Vec<&str> = row.split("; ").collect();
            let [url, set @ .., wanted] = &cells[..] else {
                panic!("{row}");
            };
            let variables = set.iter().map(|one| {
                let (name, value) = one.split_once('=').unwrap();
                let known = PROXY_VARIABLES.iter().find(|known| **known == name);
                (*known.unwrap(), value.to_owned())
            });
            let route = Route {
                variables: variables.collect(),
                ..Route::default()
            };
            let base = Base::parse("x", url).unwrap();
            let proxy = route.proxy_for("x", &base).unwrap();
            assert_eq!(
                proxy.as_ref().map_or("none", |proxy| proxy.named),
                *wanted,
                "{row}"
            );
            let told = proxy.map(|proxy| proxy.to_string()).unwrap_or_default();
            assert!(!told.contains("u:w"), "{told}");
        }
        for text in ["http://", "ftp://p:1", "socks9://p", "a b"] {
            let variables = [("ALL_PROXY", text.to_owned())].into_iter().collect();
            let route = Route {
                variables,
                ..Route::default()
            };
            let base = Base::parse("x", far).unwrap();
            let error = route.proxy_for("x", &base).unwrap_err();
            let wanted = PROXY_VARIABLE.with(values![variable = "ALL_PROXY"]);
            assert_eq!(error, wanted, "{text}");
        }
    }

    #[test]
    fn loopback_is_known() {
        for (text, loopback) in [
            ("http://127.0.0.1:1/v1", true),
            ("http://[::1]:1/v1", true),
            ("http://localhost/v1", true),
            ("http://127.evil.example/v1", false),
        ] {
            assert_eq!(
                Base::parse("x", text).unwrap().is_loopback(),
                loopback,
                "{text}"
            );
        }
    }
}
