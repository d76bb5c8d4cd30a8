//! Dry runs, providers for single roles, and answers to a running workshop.

use serde_json::Value;

use crate::support::binary::Place;
use crate::support::fake::{Fake, WorkshopScript, workshop};

const REQUIREMENT: &str = "Export the customer list as CSV. Only administrators may export.";

fn json(place: &Place, arguments: &[&str]) -> Value {
    serde_json::from_str(&place.run(arguments).out).unwrap()
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
