//! Servers of this machine, and one whose address its own clients read from a variable.

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Url;

use super::listing::models;
use super::{Endpoint, Env, Listing, Wish, endpoint};
use crate::edge::model::http::Route;
use crate::edge::model::providers::{HOST_VARS, Local};

/// Where a local server answers: where its own variable says, else on its usual port.
pub(super) fn of_local(local: &Local, env: Env<'_>) -> Endpoint {
    let variable = HOST_VARS.iter().find(|(name, _, _)| *name == local.name);
    let told = variable.and_then(|(_, name, port)| address(&env(name)?, *port));
    let base_url = told.unwrap_or_else(|| local.base_url());
    endpoint(local.dialect, base_url, None)
}

/// All are asked at once; of those that answer, the first of the list is taken.
pub(super) async fn first_local<'a>(
    wish: &'a Wish,
    env: Env<'_>,
) -> Option<(&'a Local, Endpoint, Vec<String>)> {
    let asked = wish.locals.iter().map(|local| async move {
        let at = of_local(local, env);
        let patience: Duration = wish.local_patience;
        match models(local.name, &at, patience, &Route::default()).await {
            Ok(Listing::Models(models)) => Some((local, at, models)),
            _ => None,
        }
    });
    join_all(asked).await.into_iter().flatten().next()
}

/// The base URL of a host as `OLLAMA_HOST` has it: `host`, `host:port`, `:port`, with or
/// without `http://`; `usual` is the port where none is said. The address a server listens
/// on everywhere is not one to call: this machine is called then. None if it is no host.
fn address(text: &str, usual: u16) -> Option<String> {
    let text = text.trim().trim_matches(['"', '\'']);
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) => (Some(scheme), rest),
        None => (None, text),
    };
    let authority = rest.split('/').next().unwrap_or_default();
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !host.contains(':') || host.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    };
    let host = match host {
        "" | "0.0.0.0" => "127.0.0.1",
        "[::]" => "[::1]",
        host => host,
    };
    let port = match (port, scheme) {
        (Some(port), _) => format!(":{}", port.parse::<u16>().ok()?),
        // With a scheme, its own port is meant.
        (None, Some(_)) => String::new(),
        (None, None) => format!(":{usual}"),
    };
    let url = Url::parse(&format!("{}://{host}{port}", scheme.unwrap_or("http"))).ok()?;
    let path = rest[authority.len()..].trim_end_matches('/');
    url.host_str()?;
    Some(format!("{}{path}", url.as_str().trim_end_matches('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_read_as_its_own_clients_read_it() {
        for (text, wanted) in [
            ("10.0.0.7", "http://10.0.0.7:11434"),
            ("gpu.lan:8080", "http://gpu.lan:8080"),
            ("gpu.lan:80", "http://gpu.lan"),
            (":9999", "http://127.0.0.1:9999"),
            ("0.0.0.0", "http://127.0.0.1:11434"),
            ("0.0.0.0:7", "http://127.0.0.1:7"),
            ("[::]:7", "http://[::1]:7"),
            ("[::1]", "http://[::1]:11434"),
            ("https://models.example", "https://models.example"),
            (
                "http://models.example:5/ollama/",
                "http://models.example:5/ollama",
            ),
            (" \"gpu.lan\" ", "http://gpu.lan:11434"),
        ] {
            assert_eq!(address(text, 11434).as_deref(), Some(wanted), "{text}");
        }
        for text in ["a b", "gpu.lan:port", "http://"] {
            let found = address(text, 11434);
            assert!(found.is_none() || text == "http://", "{text}: {found:?}");
        }
    }
}
