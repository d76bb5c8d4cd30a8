//! Endpoints whose list of models cannot be read, and connection problems.

use crate::support::binary::{Going, Place};
use crate::support::fake::{
    AUTHORITY, Fake, FakeConfig, Reply, untrusted_base_url, untrusted_before,
};

/// The commands that look for a model if none is named.
const LOOKING: [&[&str]; 2] = [&["plan", "Users can mute a conversation"], &["models"]];

/// A server that is not reached, does not answer in time, or is not trusted.
#[test]
fn who_cannot_be_asked_for_models_is_told_as_what_it_is() {
    let config = FakeConfig {
        is_list_scripted: true,
        ..FakeConfig::default()
    };
    let hanging = Fake::with(config, |_| Reply::HangBeforeHeaders);
    let untrusted = untrusted_base_url();
    for (url, code, part) in [
        (
            "http://no-such-host.invalid/v1",
            "E-models-unasked",
            "no connection",
        ),
        (
            &hanging.base_url(),
            "E-models-unasked",
            "nothing came within 5 s",
        ),
        (
            &untrusted,
            "E-endpoint-untrusted",
            "certificate is not trusted",
        ),
    ] {
        for command in LOOKING {
            let place = Place::new();
            let line = [command, &["--base-url", url]].concat();
            place.run_without_model(&line).fails(5, &[code, part]);
            assert!(place.versions().is_empty(), "nothing was begun");
        }
    }
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
        for arguments in LOOKING.into_iter().chain([&["models", "--model", "m"][..]]) {
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
