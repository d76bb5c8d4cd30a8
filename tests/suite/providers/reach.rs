//! Endpoints whose list of models cannot be read, and connection problems.

use std::process::Command;

use serde_json::Value;

use crate::support::binary::{Going, KEY, Place, Ran};
use crate::support::fake::{
    AUTHORITY, Fake, FakeConfig, Reply, untrusted_base_url, untrusted_before,
};

/// The three commands that look for a model if none is named.
const LOOKING: [&[&str]; 3] = [
    &[
        "plan",
        "Users can mute a conversation",
        "--questions",
        "assume",
    ],
    &["models"],
    &["doctor", "--online", "--json"],
];

fn end(mut command: Command, base_url: &str) -> Ran {
    command
        .env("AITC_PROVIDER", "openai")
        .env("AITC_BASE_URL", base_url)
        .env("AITC_API_KEY", KEY);
    let ran = Going::start(command).end();
    assert!(!ran.out.contains(KEY) && !ran.err.contains(KEY), "{ran:#?}");
    ran
}

/// What each command reports about an endpoint: the exit code and error code of a run, and a part
/// of the message.
fn told(base_url: &str, exit: i32, code: &str, part: &str) {
    for arguments in LOOKING {
        let place = Place::new();
        let ran = end(place.command_without_model(arguments), base_url);
        assert!(place.versions().is_empty(), "nothing was begun");
        if arguments[0] == "doctor" {
            let ran = ran.ends(12);
            let document: Value = serde_json::from_str(&ran.out).unwrap();
            let all = document["findings"].as_array().unwrap();
            let model = all.iter().find(|one| one["name"] == "model").unwrap();
            assert_eq!(model["status"], "fail");
            assert!(model["what"].as_str().unwrap().contains(part), "{model}");
            assert!(!model["fix"].as_str().unwrap_or_default().is_empty());
        } else {
            ran.fails(exit, &[code, part]);
        }
    }
}

fn listing(reply: Reply) -> Fake {
    let config = FakeConfig {
        listing: Some(reply),
        ..FakeConfig::default()
    };
    Fake::with(config, |_| Reply::Empty)
}

/// An endpoint that does not answer is reported as such, not as one without a list.
#[test]
fn who_cannot_be_asked_for_models_is_told_as_what_it_is() {
    let gone = listing(Reply::Empty).base_url();
    told(
        &gone,
        5,
        "E-models-unasked",
        "no connection (Connection refused",
    );
    told(
        "http://no-such-host.invalid/v1",
        5,
        "E-models-unasked",
        "no connection",
    );
    told(
        &untrusted_base_url(),
        5,
        "E-endpoint-untrusted",
        "certificate is not trusted",
    );
    for (status, part) in [(500, "500"), (503, "503"), (429, "429"), (529, "529")] {
        let fake = listing(Reply::status(status, Vec::new(), "not now"));
        told(&fake.base_url(), 5, "E-models-unasked", part);
        assert_eq!(fake.seen().len(), LOOKING.len(), "nothing else was asked");
    }
    let elsewhere = vec![("location", "https://elsewhere.example/v1/models".to_owned())];
    let fake = listing(Reply::status(307, elsewhere, ""));
    told(
        &fake.base_url(),
        5,
        "E-models-unasked",
        "https://elsewhere.example",
    );
}

/// If an endpoint answers but has no list, only a model name is missing.
#[test]
fn who_answers_without_a_list_wants_a_name() {
    for (reply, part) in [
        (Reply::Html, "200"),
        (Reply::Empty, "200"),
        (Reply::status(404, Vec::new(), "no such path"), "404"),
        (Reply::status(405, Vec::new(), ""), "405"),
    ] {
        let fake = listing(reply);
        for arguments in &LOOKING[..2] {
            let place = Place::new();
            let ran = end(place.command_without_model(arguments), &fake.base_url());
            ran.fails(2, &["E-model-unnamed", part, "--model"]);
        }
    }
}

#[test]
fn who_hangs_is_left_after_five_seconds() {
    let fake = listing(Reply::HangBeforeHeaders);
    let place = Place::new();
    let ran = end(place.command_without_model(LOOKING[0]), &fake.base_url());
    ran.fails(5, &["E-models-unasked", "nothing came within 5 s"]);
}

/// If a model is named, `models` reports the same faults, and doctor continues with its calls.
#[test]
fn a_list_that_fails_is_told_where_a_model_is_named() {
    let fake = listing(Reply::status(500, Vec::new(), "not now"));
    let place = Place::new();
    let ran = end(
        place.command_without_model(&["models", "--json", "--model", "m"]),
        &fake.base_url(),
    )
    .ends(5);
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(document["providers"][0]["answer"], "failing");
    let why = document["providers"][0]["why"].as_str().unwrap();
    assert!(why.contains("500") && why.contains("not now"), "{why}");
}

/// A key with a line break is invalid, whichever part of the program detects it.
#[test]
fn a_key_that_no_header_can_hold_is_a_wrong_key() {
    let fake = listing(Reply::Empty);
    for model in [None, Some("m")] {
        for arguments in &LOOKING[..2] {
            let place = Place::new();
            let mut command = place.command_without_model(arguments);
            command
                .args(model.iter().flat_map(|model| ["--model", model]))
                .env("AITC_PROVIDER", "openai")
                .env("AITC_BASE_URL", fake.base_url())
                .env("AITC_API_KEY", "sk-one\nsk-two");
            let ran = Going::start(command).end();
            assert!(!format!("{ran:?}").contains("sk-two"), "{ran:#?}");
            ran.fails(
                4,
                &["E-key-malformed", "the key alone, without spaces or quotes"],
            );
        }
    }
    assert!(fake.seen().is_empty(), "nothing was sent");
}

/// A relative path in the user's own file is relative to that file, wherever a run is started.
#[test]
fn certificates_lie_beside_the_file_that_names_them() {
    let fake = Fake::start(|_| Reply::Empty);
    let url = untrusted_before(&fake);
    let place = Place::new();
    let settings = |file: &str| {
        format!(
            "provider: gateway\nproviders:\n  gateway:\n    base_url: {url}\n    ca_file: {file}\n"
        )
    };
    place.configure(&settings("roots.pem"));
    let beside = place.home().join(".config").join("aitc").join("roots.pem");
    std::fs::write(&beside, AUTHORITY).unwrap();
    let ran = place.run_without_model(&["models"]).ends(0);
    assert!(ran.out.contains("fake-1"), "{ran:#?}");

    // An invalid certificate is a configuration error with its position.
    for wrong in ["", "no certificate\n"] {
        std::fs::write(&beside, wrong).unwrap();
        let shown = beside.display().to_string();
        for arguments in LOOKING
            .iter()
            .take(2)
            .copied()
            .chain([&["models", "--model", "m"][..]])
        {
            let ran = place.run_without_model(arguments);
            ran.fails(3, &["E-certificates", &shown, "no certificate in PEM form"]);
        }
    }
    // A path in a variable is relative to the working folder.
    std::fs::write(place.work().join("here.pem"), AUTHORITY).unwrap();
    let mut command = place.command_without_model(&["models"]);
    command.env("AITC_PROVIDERS_GATEWAY_CA_FILE", "here.pem");
    Going::start(command).end().ends(0);
}

/// An invalid proxy variable is an error if it applies to the address; the program never falls back
/// to a direct connection.
#[test]
fn a_variable_that_names_no_proxy_is_an_error_where_it_would_hold() {
    let run = |variable: &str, base_url: &str| {
        let place = Place::new();
        let mut command = place.command_without_model(&["models", "--model", "m"]);
        command.env(variable, "http://");
        end(command, base_url)
    };
    let far = "https://models.invalid/v1";
    for variable in ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"] {
        run(variable, far).fails(3, &["E-proxy-variable", &format!("`{variable}`")]);
    }
    // The proxy variable does not apply to this address, so the connection fails for another
    // reason.
    let ran = run("HTTP_PROXY", far);
    assert!(!ran.err.contains("E-proxy-variable"), "{ran:#?}");
    let fake = listing(Reply::Empty);
    let ran = run("HTTP_PROXY", &fake.base_url());
    assert!(!ran.err.contains("E-proxy-variable"), "{ran:#?}");
    assert_eq!(fake.seen().len(), 1, "loopback is reached without any");
}
