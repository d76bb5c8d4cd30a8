//! What starts, or does not: rehearsals, failed starts, drafts without a line,
//! the commit, recorded answers, and what stands at the end.

use serde_json::Value;

use super::{Sandbox, status};
use crate::support::fake::{Fake, WorkshopScript, workshop};

const REQUIREMENT: &str = "Export the customer list as CSV. Only administrators may export.";
const OUTPUTS: &str = "work/.ai-tools-chain/planning_outputs";

fn json(sandbox: &Sandbox, arguments: &[&str]) -> Value {
    let output = sandbox.command(arguments).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

fn is_untouched(sandbox: &Sandbox) -> bool {
    !sandbox.folder.path().join(OUTPUTS).exists()
}

#[test]
fn a_dry_run_shows_what_would_be_sent_and_leaves_nothing() {
    let sandbox = Sandbox::new();
    let fake = Fake::start(workshop(WorkshopScript::default()));
    let url = fake.base_url();
    let flags = ["--base-url", &url, "--model", "some-model", "--rounds", "3"];
    let arguments = [&["plan", REQUIREMENT, "--dry-run"][..], &flags].concat();
    let block = sandbox.run(&arguments);
    assert_eq!(status(&block), "0", "{block}");
    for part in [
        "caps: 3 rounds, 30 minutes",
        "  PP    some-model of openai",
        "## Coach · root/judgment/Coach/r0/t1/a1 · ",
        "## RP · root/speech/RiskPlanner/r1/t5/a1 · ",
        "I-1 (blocking) Export the customer list as CSV.",
        "Now speak as TestPlanner (TP): round 1, turn 4 of 5.",
    ] {
        assert!(block.contains(part), "no `{part}` in\n{block}");
    }
    let document = json(&sandbox, &[&arguments[..], &["--json"]].concat());
    assert_eq!(document["prompts"].as_array().unwrap().len(), 6);
    assert_eq!(document["limits"]["max_rounds"], 3);
    assert!(is_untouched(&sandbox));
    let asked: Vec<String> = fake.seen().iter().map(|seen| seen.key.clone()).collect();
    assert!(asked.iter().all(|key| key == "models"), "{asked:?}");
}

/// The prompts shown are those that are sent: byte for byte, where the judgment
/// does not matter yet.
#[test]
fn the_first_prompt_of_a_dry_run_is_the_one_that_is_sent() {
    let sandbox = Sandbox::new();
    let fake = Fake::start(workshop(WorkshopScript::default()));
    let url = fake.base_url();
    let flags = ["--base-url", &url, "--model", "m", "--questions", "assume"];
    let arguments = [&["plan", REQUIREMENT][..], &flags].concat();
    let dry = json(
        &sandbox,
        &[&arguments[..], &["--dry-run", "--json"]].concat(),
    );
    let block = sandbox.run(&[&arguments[..], &["--quiet"]].concat());
    assert_eq!(status(&block), "0", "{block}");
    let sent = fake.seen().into_iter().find(|seen| seen.turn.is_some());
    let sent = sent.unwrap();
    let messages = dry["prompts"][0]["messages"].as_array().unwrap();
    for message in messages {
        assert!(sent.text().contains(message["content"].as_str().unwrap()));
    }
}

/// A role may have a provider of its own; the others keep theirs.
#[test]
fn a_role_has_a_provider_of_its_own() {
    let sandbox = Sandbox::new();
    let [main, own] = [(); 2].map(|()| Fake::start(workshop(WorkshopScript::default())));
    let url = main.base_url();
    let mut command = sandbox.command_without_model(&[
        "plan",
        REQUIREMENT,
        "-q",
        "--base-url",
        &url,
        "--model",
        "m",
        "--model",
        "RP=vllm:fake-1",
        "--questions",
        "assume",
    ]);
    command.env("AITC_PROVIDERS_VLLM_BASE_URL", own.base_url());
    let block = sandbox.block(command);
    assert_eq!(status(&block), "0", "{block}");
    assert_eq!(main.calls("speech/RiskPlanner/r1"), 0);
    assert_eq!(main.calls("speech/TestPlanner/r1"), 1);
    assert_eq!(own.calls("speech/RiskPlanner/r1"), 1);
    assert_eq!(own.calls("speech/TestPlanner/r1"), 0);
}

#[test]
fn an_answer_to_a_run_that_goes_on_needs_no_resume() {
    let sandbox = Sandbox::new();
    let block = sandbox.run(&["plan", "Delete users", "-q"]);
    assert_eq!(status(&block), "8", "{block}");
    let lock = sandbox.folder.path().join(OUTPUTS).join(".v1.lock");
    let held = aitc::edge::lock::RunLock::acquire(&lock).unwrap();
    let block = sandbox.run(&["answer", "Q-1", "Soft delete"]);
    assert_eq!(status(&block), "0", "{block}");
    assert!(
        block.contains("sent; v1 is running and takes it in"),
        "{block}"
    );
    drop(held);
    let block = sandbox.run(&["answer", "Q-1", "Soft delete"]);
    assert!(block.contains("--- stdout\naitc resume v1\n"), "{block}");
}
