//! Dry runs, providers for single roles, and answers to a running workshop.

use serde_json::Value;

use crate::support::binary::{Going, Place};
use crate::support::fake::{Fake, WorkshopScript, workshop};

const REQUIREMENT: &str = "Export the customer list as CSV. Only administrators may export.";

fn json(place: &Place, arguments: &[&str]) -> Value {
    serde_json::from_str(&place.run(arguments).out).unwrap()
}

#[test]
fn a_dry_run_shows_what_would_be_sent_and_leaves_nothing() {
    let place = Place::new();
    let fake = Fake::start(workshop(WorkshopScript::default()));
    let url = fake.base_url();
    let flags = ["--base-url", &url, "--model", "some-model", "--rounds", "3"];
    let arguments = [&["plan", REQUIREMENT, "--dry-run"][..], &flags].concat();
    let shown = place.run(&arguments).ends(0).out;
    for part in [
        "limits: 3 rounds, 30 minutes",
        "  PP    some-model of openai",
        "## Coach · root/judgment/Coach/r0/t1/a1 · ",
        "## RP · root/speech/RiskPlanner/r1/t5/a1 · ",
        "I-1 (blocking) Export the customer list as CSV.",
        "Now speak as TestPlanner (TP): round 1, turn 4 of 5.",
    ] {
        assert!(shown.contains(part), "no `{part}` in\n{shown}");
    }
    let document = json(&place, &[&arguments[..], &["--json"]].concat());
    assert_eq!(document["prompts"].as_array().unwrap().len(), 6);
    assert_eq!(document["limits"]["max_rounds"], 3);
    assert!(!place.outputs("").exists());
    let asked: Vec<String> = fake.seen().iter().map(|seen| seen.key.clone()).collect();
    assert!(asked.iter().all(|key| key == "models"), "{asked:?}");
}

/// A dry run shows the same messages that a run sends.
#[test]
fn the_first_prompt_of_a_dry_run_is_the_one_that_is_sent() {
    let place = Place::new();
    let fake = Fake::start(workshop(WorkshopScript::default()));
    let url = fake.base_url();
    let flags = ["--base-url", &url, "--model", "m", "--questions", "assume"];
    let arguments = [&["plan", REQUIREMENT][..], &flags].concat();
    let dry = json(&place, &[&arguments[..], &["--dry-run", "--json"]].concat());
    place.run(&[&arguments[..], &["-q"]].concat()).ends(0);
    let sent = fake.seen().into_iter().find(|seen| seen.turn.is_some());
    let sent = sent.unwrap();
    let messages = dry["prompts"][0]["messages"].as_array().unwrap();
    for message in messages {
        assert!(sent.text().contains(message["content"].as_str().unwrap()));
    }
}

/// One role uses its own provider; the others use the run's.
#[test]
fn a_role_has_a_provider_of_its_own() {
    let place = Place::new();
    let [main, own] = [(); 2].map(|()| Fake::start(workshop(WorkshopScript::default())));
    let url = main.base_url();
    let models = ["--model", "m", "--model", "RP=vllm:fake-1"];
    let line = [
        "plan",
        REQUIREMENT,
        "--base-url",
        &url,
        "--questions",
        "assume",
    ];
    let mut command = place.command_without_model(&[&line[..], &models].concat());
    command.env("AITC_PROVIDERS_VLLM_BASE_URL", own.base_url());
    Going::start(command).end().ends(0);
    assert_eq!(main.calls("speech/RiskPlanner/r1"), 0);
    assert_eq!(main.calls("speech/TestPlanner/r1"), 1);
    assert_eq!(own.calls("speech/RiskPlanner/r1"), 1);
    assert_eq!(own.calls("speech/TestPlanner/r1"), 0);
}

#[test]
fn an_answer_to_a_run_that_goes_on_needs_no_resume() {
    let place = Place::new();
    place.run(&["plan", "Delete users", "-q"]).ends(8);
    let held = aitc::edge::lock::RunLock::acquire(&place.outputs(".v1.lock")).unwrap();
    let answer = ["answer", "Q-1", "Soft delete"];
    let sent = place.run(&answer).ends(0);
    let told = "sent; v1 is running and will read it";
    assert!(
        sent.out.contains(told) || sent.err.contains(told),
        "{sent:#?}"
    );
    drop(held);
    assert_eq!(place.run(&answer).out, "aitc resume v1\n");
}
