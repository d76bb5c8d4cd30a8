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

fn read(sandbox: &Sandbox, path: &str) -> String {
    std::fs::read_to_string(sandbox.folder.path().join(path)).unwrap()
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

#[test]
fn what_the_search_cannot_read_is_told_and_the_run_goes_on() {
    let sandbox = Sandbox::new();
    let run = ["plan", REQUIREMENT, "--questions", "assume"];
    let flags = ["--knowledge", "no/notes", "--lang"];
    for (lang, told) in [
        ("en", "left out of the search: no/notes: No such file"),
        ("zh", "未能检索，已略去：no/notes：没有这样的文件"),
    ] {
        for more in [&["--dry-run"][..], &[]] {
            let block = sandbox.run(&[&run[..], &flags, &[lang], more].concat());
            assert_eq!(status(&block), "0", "{block}");
            assert_eq!(block.matches(told).count(), 1, "{more:?}: {block}");
        }
    }
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

#[test]
fn a_start_that_fails_leaves_nothing() {
    for (template, code, part) in [
        (None, "4", "set `OPENAI_API_KEY`"),
        (Some("{{ nobody.knows }}"), "3", "prompt/judgment.j2"),
        (Some("{% broken"), "3", "prompt/judgment.j2"),
    ] {
        let sandbox = Sandbox::new();
        let line = ["plan", REQUIREMENT, "--provider", "openai"];
        let command = if let Some(text) = template {
            sandbox.write("work/.ai-tools-chain/templates/prompt/judgment.j2", text);
            sandbox.command(&line)
        } else {
            sandbox.command_without_model(&line)
        };
        let block = sandbox.block(command);
        assert_eq!(status(&block), code, "{block}");
        assert!(block.contains(part), "{block}");
        assert!(is_untouched(&sandbox), "{block}");
    }
    let sandbox = Sandbox::new();
    for (model, code) in [
        ("Nobody=openai:fake-1", "2"),
        ("RP=gemini:some-model", "4"),
        ("RP=codex:some-model", "5"),
    ] {
        let block = sandbox.run(&["plan", REQUIREMENT, "--model", model]);
        assert_eq!(status(&block), code, "{block}");
        assert!(is_untouched(&sandbox), "{block}");
    }
}

#[test]
fn what_was_recorded_is_replayed_without_a_model() {
    let sandbox = Sandbox::new();
    let fake = Fake::start(workshop(WorkshopScript::default()));
    let url = fake.base_url();
    let block = sandbox.run(&[
        "plan",
        REQUIREMENT,
        "-q",
        "--base-url",
        &url,
        "--model",
        "m",
        "--record",
        "answers",
        "--questions",
        "assume",
    ]);
    assert_eq!(status(&block), "0", "{block}");
    // A second recording into the same folder would be mixed with the first.
    let again = [
        "plan",
        REQUIREMENT,
        "--base-url",
        &url,
        "--model",
        "m",
        "--record",
        "answers",
        "--questions",
        "assume",
    ];
    let elsewhere = Sandbox::new();
    let recording = sandbox.folder.path().join("work/answers");
    let recorded = std::fs::read_dir(&recording).unwrap().count();
    std::fs::create_dir(elsewhere.folder.path().join("work/answers")).unwrap();
    assert!(!elsewhere.run(&again).contains("recorded answers already"));
    let told = format!("answers holds {recorded} recorded answers already");
    assert!(elsewhere.run(&again).replace('\n', " ").contains(&told));
    drop(fake);
    let mut command = sandbox.command(&[
        "plan",
        REQUIREMENT,
        "-q",
        "--provider",
        "scripted",
        "--questions",
        "assume",
    ]);
    command.env("AITC_FIXTURES", "answers");
    let block = sandbox.block(command);
    assert_eq!(status(&block), "0", "{block}");
    let of = |n: u32, file: &str| read(&sandbox, &format!("{OUTPUTS}/v{n}/{file}"));
    let speech = "speeches/PP_speak_r1.txt";
    // The same but for the version's number, and for whose words they are.
    let label = " · replayed from a script, no language model";
    assert_eq!(of(1, speech), of(2, speech).replace(label, ""));
    let replayed = of(2, "product_plan.json").replace("\"version\": 2", "\"version\": 1");
    let replayed = replayed.replace("\"recordings\"", "\"model\"");
    assert_eq!(of(1, "product_plan.json"), replayed);
    let block = sandbox.run(&["plan", "x", "--provider", "scripted"]);
    assert_fails_with(&block, "2", "--fixtures DIR");
    let block = sandbox.run(&["plan", "x", "--provider", "scripted", "--fixtures", "none"]);
    assert_fails_with(&block, "3", "recorded answers");
}

/// A recording is whole though a try failed and the run paused in between.
#[test]
fn a_recording_goes_on_over_failures_and_a_pause() {
    let sandbox = Sandbox::new();
    let script = WorkshopScript {
        questions: 1,
        ..WorkshopScript::default()
    };
    let fake = Fake::start(workshop(script));
    let url = fake.base_url();
    let record = ["-q", "--record", "answers"];
    let begin = ["plan", REQUIREMENT, "--base-url", &url, "--model", "m"];
    let block = sandbox.run(&[&begin[..], &record].concat());
    assert_eq!(status(&block), "8", "{block}");
    let more = ["resume", "--questions", "assume", "--base-url", &url];
    let block = sandbox.run(&[&more[..], &record].concat());
    assert_eq!(status(&block), "0", "{block}");
    drop(fake);
    // What a failed first try leaves: the answer stands under the second.
    let answers = sandbox.folder.path().join("work/answers");
    let first = answers.join("root__speech__SystemDesigner__r1__t2__a1.json");
    std::fs::rename(
        &first,
        answers.join("root__speech__SystemDesigner__r1__t2__a2.json"),
    )
    .unwrap();
    let replay = [
        "plan",
        REQUIREMENT,
        "-q",
        "--provider",
        "scripted",
        "--fixtures",
        "answers",
    ];
    let block = sandbox.run(&[&replay[..], &["--questions", "assume"]].concat());
    assert_eq!(status(&block), "0", "{block}");
}

fn assert_fails_with(block: &str, code: &str, part: &str) {
    assert_eq!(status(block), code, "{block}");
    assert!(block.contains(part), "no `{part}` in\n{block}");
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
