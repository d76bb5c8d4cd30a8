//! An endpoint that is not there, or is not what it should be, at every kind of call.
//!
//! No server can play these: nobody listens, the name leads nowhere, the certificate is
//! worth nothing. So a run is stopped before the call, resumed against such an endpoint,
//! and resumed again when all is well.

use std::net::TcpListener;

use super::table::Patience;
use super::{Call, OPENAI, decent, fault_named, place, run, whole};
use crate::exits::events;
use crate::support::fake::{Fake, Reply, WorkshopScript, untrusted_base_url, workshop};

/// A port nobody listens on.
pub(super) fn refused() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}/v1", listener.local_addr().unwrap())
}

#[test]
fn an_endpoint_that_is_not_what_it_should_be_at_every_kind_of_call() {
    let unknown = || "http://no-such-host.invalid/v1".to_owned();
    let wrongs: [(&str, &dyn Fn() -> String, &str); 3] = [
        ("refused", &refused, "no connection"),
        ("unknown host", &unknown, "no connection"),
        ("self-signed", &untrusted_base_url, "certificate"),
    ];
    for (n, call) in Call::ALL.into_iter().enumerate() {
        let (name, base_url, says) = wrongs[n % wrongs.len()];
        strike(call, name, &base_url(), says);
    }
}

#[test]
#[ignore = "takes a minute"]
fn every_endpoint_that_is_not_what_it_should_be_at_every_kind_of_call() {
    for call in Call::ALL {
        strike(call, "refused", &refused(), "no connection");
        let unknown = "http://no-such-host.invalid/v1";
        strike(call, "unknown host", unknown, "no connection");
        strike(call, "self-signed", &untrusted_base_url(), "certificate");
    }
}

fn strike(call: Call, name: &str, base_url: &str, says: &str) {
    let place = place(OPENAI, Patience::Long);
    let script = workshop(WorkshopScript {
        rounds_to_converge: 1,
        ..WorkshopScript::default()
    });
    let stop = fault_named("429 with a day");
    let fake = Fake::start(move |seen| match script(seen) {
        Reply::Text(text) if seen.key == call.key() && seen.times == 1 => (stop.spoil)(&text),
        right => right,
    });
    let ran = run(&place, OPENAI, &fake, &["plan", "Export it", "--light"]);
    assert_eq!(ran.code, 5, "{name}: {ran:#?}");
    for _ in 0..2 {
        let ran = place.run_at(OPENAI.provider, base_url, &["resume"]);
        decent(&ran);
        let ran = ran.fails(5, &["aitc resume"]);
        assert!(ran.err.contains(says), "{name}: {ran:#?}");
        assert_eq!(place.versions(), ["v1.draft"], "{name}");
    }
    let ran = run(&place, OPENAI, &fake, &["resume"]);
    decent(&ran);
    whole(&place, &ran, false);
    let failed = events(&place, "v1", "call_failed");
    let network = failed.iter().filter(|line| line["kind"] == "network");
    assert!(network.count() >= 4, "{name}: {failed:?}");
}
