//! Environment variables for proxies.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};

use crate::support::binary::{Going, Place, Ran};
use crate::support::fake::{Fake, WorkshopScript, workshop};

/// This name cannot be resolved, so only a proxy can reach it.
const HOST: &str = "no-such-host.invalid";
const PLAN: [&str; 5] = ["plan", "Export orders", "--light", "--questions", "assume"];

fn proxy() -> Fake {
    Fake::start(workshop(WorkshopScript::agreeing_in(1)))
}

fn run(place: &Place, base_url: &str, variables: &[(&str, &str)]) -> Ran {
    let mut command = place.command(&PLAN);
    command
        .env("AITC_PROVIDER", "openai")
        .env("AITC_BASE_URL", base_url)
        .env("AITC_MODEL", "fake-1")
        .env("AITC_API_KEY", "k")
        .env("AITC_MAX_FAILURES", "1")
        .envs(variables.iter().copied());
    Going::start(command).end()
}

/// The fake server acts as the proxy and answers requests to another host.
#[test]
fn a_call_goes_through_the_proxy_of_the_environment() {
    for name in ["http_proxy", "ALL_PROXY", "all_proxy"] {
        let (place, proxy) = (Place::new(), proxy());
        let address = proxy.base_url().replace("/v1", "");
        run(&place, &format!("http://{HOST}/v1"), &[(name, &address)]).ends(0);
        assert_eq!(proxy.calls("judgment/Coach"), 1, "{name}");
        let seen = proxy.seen();
        assert_eq!(seen[0].headers["host"], HOST, "{name}");
    }
    // In a CGI program `HTTP_PROXY` can be set by a request header, so it is ignored, as in curl.
    let (place, proxy) = (Place::new(), proxy());
    let address = proxy.base_url().replace("/v1", "");
    run(
        &place,
        &format!("http://{HOST}/v1"),
        &[("HTTP_PROXY", &address)],
    )
    .fails(5, &[HOST]);
    assert_eq!(proxy.connections(), 0);
}

#[test]
fn no_call_goes_through_the_proxy_to_a_host_that_is_spared() {
    for (name, hosts) in [
        ("NO_PROXY", HOST),
        ("no_proxy", "*.Invalid other.example"),
        ("NO_PROXY", "other.example,.invalid"),
        ("NO_PROXY", "*"),
    ] {
        let (place, proxy) = (Place::new(), proxy());
        let address = proxy.base_url().replace("/v1", "");
        let variables = [("http_proxy", &*address), (name, hosts)];
        run(&place, &format!("http://{HOST}/v1"), &variables).fails(5, &[HOST]);
        assert_eq!(proxy.connections(), 0, "{name}={hosts}");
    }
}

/// Calls to a server on this machine do not use a proxy, so its key stays on this machine.
#[test]
fn a_server_of_this_machine_is_not_reached_through_a_proxy() {
    let (place, proxy, server) = (Place::new(), proxy(), proxy());
    let address = proxy.base_url().replace("/v1", "");
    for name in ["http_proxy", "ALL_PROXY"] {
        run(&place, &server.base_url(), &[(name, &address)]).ends(0);
    }
    assert_eq!(proxy.connections(), 0);
}

/// A proxy that refuses every tunnel; returns its address and the requests it receives.
fn tunnels() -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (tell, told) = channel();
    // The thread ends with the test process.
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut line = String::new();
            BufReader::new(&stream).read_line(&mut line).unwrap();
            let _ = stream.write_all(b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n");
            if tell.send(line).is_err() {
                return;
            }
        }
    });
    (address, told)
}

#[test]
fn a_secure_call_asks_the_proxy_for_a_tunnel() {
    for name in ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"] {
        let (place, (address, told)) = (Place::new(), tunnels());
        let base_url = format!("https://{HOST}/v1");
        run(&place, &base_url, &[(name, &address)]).fails(5, &[HOST]);
        let line = told.try_recv().unwrap_or_default();
        assert!(
            line.starts_with(&format!("CONNECT {HOST}:443 ")),
            "{name}: {line}"
        );
    }
    // `http_proxy` does not apply to HTTPS.
    let (place, (address, told)) = (Place::new(), tunnels());
    run(
        &place,
        &format!("https://{HOST}/v1"),
        &[("http_proxy", &address)],
    )
    .ends(5);
    assert!(told.try_recv().is_err());
}
