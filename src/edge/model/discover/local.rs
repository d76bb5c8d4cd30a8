//! Servers on this machine, and one whose address comes from its clients' variable.

use std::path::Path;
use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Url;

use super::listing::models;
use super::{Endpoint, Env, Listing, ModelRequest, endpoint};
use crate::edge::model::http::{Route, is_on_this_machine};
use crate::edge::model::providers::{HOST_VARS, Local};
use crate::edge::safe_open::{self, FileUse};

/// The first user id of a person; lower ones belong to the system.
const FIRST_PERSON: u32 = 1_000;

/// The endpoint of a local server: the address in its variable, otherwise its default port.
pub(super) fn of_local(local: &Local, env: Env<'_>) -> Endpoint {
    let base_url = configured_address(local, env).unwrap_or_else(|| local.base_url());
    endpoint(local.dialect, base_url, None)
}

fn configured_address(local: &Local, env: Env<'_>) -> Option<String> {
    let variable = HOST_VARS.iter().find(|(name, _, _)| *name == local.name);
    variable.and_then(|(_, name, port)| address(&env(name)?, *port))
}

/// Servers found on this machine.
#[derive(Default)]
pub(super) struct Locals<'a> {
    /// The first of the list that responds, with its models.
    pub(super) first: Option<(&'a Local, Endpoint, Vec<String>)>,
    /// Servers that respond but belong to another user, with their addresses.
    pub(super) foreign: Vec<(&'a Local, String)>,
}

/// Calls all servers at once; of those that respond, the first in the list is used. Unless the user
/// named it, it has to belong to the user or to the system.
pub(super) async fn find_locals<'a>(
    wish: &'a ModelRequest,
    env: Env<'_>,
    is_own: fn(&str) -> bool,
) -> Locals<'a> {
    let asked = wish.locals.iter().map(|local| async move {
        let at = of_local(local, env);
        let patience: Duration = wish.local_patience;
        match models(local.name, &at, patience, &Route::default()).await {
            Ok(Listing::Models(models)) => Some((local, at, models)),
            _ => None,
        }
    });
    let mut found = Locals::default();
    for (local, at, models) in join_all(asked).await.into_iter().flatten() {
        if configured_address(local, env).is_none() && !is_own(&at.base_url) {
            found.foreign.push((local, at.base_url));
        } else if found.first.is_none() {
            found.first = Some((local, at, models));
        }
    }
    found
}

/// Whether the server at this address belongs to this user or to the system: any user of the
/// machine can listen on a default port. True if the system does not say.
pub(super) fn is_own(base_url: &str) -> bool {
    if !cfg!(target_os = "linux") || !is_on_this_machine(base_url) {
        return true;
    }
    let port = Url::parse(base_url).ok();
    let Some(port) = port.and_then(|url| url.port_or_known_default()) else {
        return false;
    };
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"];
    let read = |table| safe_open::read_named(Path::new(table), FileUse::Sockets).ok();
    let tables: Vec<_> = tables.into_iter().filter_map(read).collect();
    // Some containers do not have these tables.
    if tables.is_empty() {
        return true;
    }
    let texts = tables.iter().map(|table| String::from_utf8_lossy(table));
    let owners: Vec<u32> = texts
        .flat_map(|text| listeners(&text, port).collect::<Vec<_>>())
        .collect();
    let own = rustix::process::getuid().as_raw();
    let is_trusted = |owner: &u32| *owner == own || *owner < FIRST_PERSON;
    !owners.is_empty() && owners.iter().all(is_trusted)
}

/// User ids of the listeners on a port, from one of the system's tables.
fn listeners(table: &str, port: u16) -> impl Iterator<Item = u32> + '_ {
    const LISTENS: &str = "0A";
    table.lines().filter_map(move |line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (_, at) = fields.get(1)?.rsplit_once(':')?;
        let listens = u16::from_str_radix(at, 16) == Ok(port) && fields.get(3) == Some(&LISTENS);
        fields.get(7).filter(|_| listens)?.parse().ok()
    })
}

/// The base URL for a value of `OLLAMA_HOST`: `host`, `host:port` or `:port`, with or without
/// `http://`. `usual` is the default port. A wildcard address that a server listens on is replaced
/// by loopback. `None` if it is not a host.
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
        // With a scheme, its default port applies.
        (None, Some(_)) => String::new(),
        (None, None) => format!(":{usual}"),
    };
    let url = Url::parse(&format!("{}://{host}{port}", scheme.unwrap_or("http"))).ok()?;
    let path = rest[authority.len()..].trim_end_matches('/');
    url.host_str()?;
    Some(format!("{}{path}", url.as_str().trim_end_matches('/')))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::io::{Read, Write};

    use super::*;
    use crate::edge::model::discover::error;
    use crate::edge::model::providers::LOCALS;

    #[test]
    fn the_system_tells_who_listens() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
               0: 0100007F:2CAA 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 7 1 0 100 0 0 10 0\n\
               1: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 8 1 0 100 0 0 10 0\n\
               2: 0100007F:A2B4 0100007F:2CAA 01 00000000:00000000 00:00000000 00000000  1000        0 9 1 0 20 4 30 10 -1\n";
        let of = |port| listeners(table, port).collect::<Vec<_>>();
        assert_eq!(of(11434), [1001]);
        assert_eq!(of(8080), [0]);
        assert_eq!(of(41652), [0; 0]);
        let own = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        assert!(is_own(&format!("http://{}", own.local_addr().unwrap())));
        drop(own);
    }

    #[tokio::test]
    async fn a_server_of_somebody_else_is_passed_over_and_named() {
        let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = server.local_addr().unwrap().port();
        std::thread::spawn(move || {
            for mut stream in server.incoming().take(2).flatten() {
                let body = r#"{"data": [{"id": "m"}]}"#;
                let length = body.len();
                let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close";
                let mut request = [0; 4096];
                let _ = stream.read(&mut request);
                let _ = write!(stream, "{head}\r\ncontent-length: {length}\r\n\r\n{body}");
            }
        });
        let local = LOCALS.iter().find(|local| local.name == "vllm").unwrap();
        let wish = ModelRequest {
            locals: vec![Local {
                port,
                ..local.clone()
            }],
            local_patience: Duration::from_secs(10),
            ..ModelRequest::default()
        };
        let found = find_locals(&wish, &|_| None, |_| true).await;
        assert!(found.foreign.is_empty());
        assert_eq!(found.first.unwrap().2, ["m"]);
        let found = find_locals(&wish, &|_| None, |_| false).await;
        assert!(found.first.is_none());
        let fault = error::nobody(None, true, &found.foreign);
        let told = fault.why();
        let named =
            format!("vllm (http://127.0.0.1:{port}/v1) does answer, but belongs to another");
        assert!(told.en.contains(&named), "{}", told.en);
        assert!(told.en.contains("`--provider vllm`"), "{}", told.en);
        assert!(told.zh.contains("属于本机的另一个用户"), "{}", told.zh);
    }

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
