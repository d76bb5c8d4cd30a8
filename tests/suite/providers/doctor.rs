//! `aitc models` and `aitc doctor`: what is available, what is missing, and how to fix it.

use serde_json::{Value, json};

use crate::docs::server::ready;
use crate::support::binary::{Going, KEY, Place, Ran};
use crate::support::fake::{
    AUTHORITY, Fake, FakeConfig, WorkshopScript, untrusted_before, workshop,
};

fn endpoint() -> Fake {
    let config = FakeConfig {
        key: Some(KEY.to_owned()),
        models: vec!["fake-1".to_owned(), "fake-2".to_owned()],
        ..FakeConfig::default()
    };
    Fake::with(config, ready)
}

fn run(place: &Place, fake: &Fake, provider: &str, arguments: &[&str]) -> Ran {
    Going::start(place.command_at(provider, &fake.base_url(), arguments)).end()
}

fn document(ran: &Ran) -> Value {
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(document["v"], 1);
    document
}

/// Status, text and fix of the findings with this name.
fn findings(document: &Value, name: &str) -> Vec<(String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    document["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["name"] == name)
        .map(|one| (text(&one["status"]), text(&one["what"]), text(&one["fix"])))
        .collect()
}

/// A company's gateway with a certificate of the company's own authority.
#[test]
fn models_are_listed_and_runs_go_on_where_a_file_vouches_for_the_endpoint() {
    let script = WorkshopScript {
        rounds_to_converge: 1,
        ..WorkshopScript::default()
    };
    let fake = Fake::start(workshop(script));
    let place = Place::new();
    let url = untrusted_before(&fake);
    let gateway = |more: &str| {
        let settings = format!("    base_url: {url}\n    api_key_env: GATEWAY_KEY\n{more}");
        place.configure(&format!(
            "provider: gateway\nproviders:\n  gateway:\n{settings}"
        ));
    };
    let run = |arguments: &[&str]| {
        let mut command = place.command_without_model(arguments);
        command.env("GATEWAY_KEY", KEY);
        Going::start(command).end()
    };
    // The certificate is not trusted, so nothing is sent.
    gateway("    model: fake-1\n");
    let ran = run(&["models", "--json"]).ends(5);
    let offer = &document(&ran)["providers"][0];
    assert_eq!(offer["answer"], "untrusted");
    let why = offer["why"].as_str().unwrap();
    assert!(why.contains("certificate is not trusted"), "{why}");
    let ran = run(&["models", "--lang", "zh"]).ends(5);
    assert!(ran.out.contains("证书不受信任"), "{ran:#?}");
    let ran = run(&["doctor", "--online", "--json"]);
    let (status, what, fix) = findings(&document(&ran), "reach").remove(0);
    assert_eq!(status, "fail");
    assert!(what.contains("certificate is not trusted"), "{what}");
    assert!(fix.contains("`ca_file`"), "{fix}");
    assert_eq!(fake.seen().len(), 0, "the key least of all");

    std::fs::write(place.home().join("roots.pem"), AUTHORITY).unwrap();
    let file = place.home().join("roots.pem");
    gateway(&format!("    ca_file: {}\n", file.display()));
    let ran = run(&["models", "--json"]).ends(0);
    let offer = &document(&ran)["providers"][0];
    assert_eq!(offer["answer"], "models");
    assert_eq!(offer["why"], Value::Null);
    assert_eq!(offer["models"], json!(["fake-1"]));
    let asked = fake.seen();
    assert_eq!(asked[0].headers["authorization"], format!("Bearer {KEY}"));
    assert!(asked.iter().all(|seen| seen.key == "models"));

    // Without a model name, the only listed model is used, by `models` and by a run.
    let wish = [
        "plan",
        "Users can mute a conversation",
        "--questions",
        "assume",
    ];
    let ran = run(&wish).ends(0);
    assert!(ran.err.contains("fake-1"), "{ran:#?}");
    assert_eq!(fake.calls("judgment/Coach"), 1, "{:?}", fake.counts());
}

/// If there is a sandbox, a trial tests it; otherwise doctor says what to install.
#[test]
fn a_doctor_runs_a_trial_and_says_what_one_could_read() {
    let (place, fake) = (Place::new(), endpoint());
    let ran = run(&place, &fake, "openai", &["doctor", "--json"]).ends(0);
    let trials = findings(&document(&ran), "trials");
    let (status, what, fix) = &trials[0];
    if status == "warn" {
        eprintln!("SKIPPED: {what}");
        assert!(fix.contains("install bubblewrap"), "{fix}");
        return;
    }
    assert!(what.starts_with("the sandbox works"), "{what}");
    assert!(trials[1].1.contains(", /usr"), "{trials:?}");
}

/// The schema must be as narrow as in a run: with a grammar, a small model would fill every list of
/// a wide schema until the answer is cut.
#[test]
fn a_doctor_online_holds_a_grammar_as_a_run_does() {
    let (place, fake) = (Place::new(), endpoint());
    let arguments = ["doctor", "--online"];
    run(&place, &fake, "llamacpp", &arguments).ends(0);
    let asked = fake.seen();
    let calls = asked.iter().filter(|seen| seen.key != "models");
    let schemas: Vec<_> = calls
        .map(|seen| &seen.body["response_format"]["json_schema"]["schema"]["properties"])
        .collect();
    assert_eq!(schemas.len(), 2);
    for fields in schemas {
        assert_eq!(
            fields["positions"]["maxItems"], 0,
            "no position before a round"
        );
        assert!(fields["analysis"]["maxLength"].is_u64());
    }
}
