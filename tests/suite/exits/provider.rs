//! Codes 5 and 6, and temporary failures.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{WISH, asked_once_but, faulty, published, team};
use crate::support::binary::{Place, Ran};
use crate::support::fake::{Fake, Reply, WorkshopScript, workshop};

const KEY: &str = "speech/SystemDesigner/r1";

/// A workspace in which a call fails for good after two failures.
fn impatient() -> Place {
    let place = Place::new();
    place.configure_project("limits:\n  max_failures: 2\n");
    place
}

/// A server that answers one call with `fault` until the switch is set.
fn broken(fault: Reply) -> (Fake, Arc<AtomicBool>) {
    let mended = Arc::new(AtomicBool::new(false));
    let seen_by_server = Arc::clone(&mended);
    let fake = faulty(move |seen| {
        let breaks = seen.key == KEY && !seen_by_server.load(Ordering::SeqCst);
        breaks.then(|| fault.clone())
    });
    (fake, mended)
}

/// Each line about a failed call contains what is announced to happen next.
fn tries(ran: &Ran, wanted: &[&str]) {
    let said = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut lines = said.split("call failed").skip(1);
    for part in wanted {
        let line = lines.next().unwrap_or_default();
        assert!(line.contains(part), "{part}: {ran:#?}");
    }
    assert_eq!(lines.next(), None, "{ran:#?}");
}

#[test]
fn code_5_a_provider_that_always_fails() {
    let place = impatient();
    let (fake, mended) = broken(Reply::error(500, "oops"));
    let ran = place.run_with(&fake, &["plan", WISH]);
    let ran = ran.fails(
        5,
        &["E-provider-unavailable", "oops", "aitc resume --model NAME"],
    );
    tries(&ran, &["the call is retried", "there is no retry"]);
    assert!(ran.err.contains("/a2` got no answer"), "{ran:#?}");
    assert_eq!(place.versions(), ["v1.draft"]);
    assert_eq!(place.events("v1.draft", "call_failed").len(), 2);
    assert!(!place.outputs(".v1.lock").exists(), "the run is free");
    // As if the process had died after writing the transcript and before writing this file.
    let spoken = "v1.draft/speeches/PP_speak_r1.txt";
    let said = place.text(spoken);
    std::fs::remove_file(place.outputs(spoken)).unwrap();
    let again = place.run_with(&fake, &["resume"]);
    again.fails(5, &["oops"]);
    assert_eq!(place.text(spoken), said);
    assert_eq!(fake.calls(KEY), 4);
    mended.store(true, Ordering::SeqCst);
    let ran = place.run_with(&fake, &["resume"]).ends(0);
    published(&place, &ran);
    assert_eq!(fake.calls(KEY), 5);
    assert_eq!(fake.calls("speech/ProductPlanner/r1"), 1);
}

/// The terminal shows the address; files do not, because a draft and its transcript are committed.
#[test]
fn an_address_is_told_and_never_recorded() {
    let place = impatient();
    let (fake, _) = broken(Reply::error(
        500,
        "oops from 10.1.2.3:80 behind https://inner.example/x",
    ));
    let address = fake.base_url().replace("http://", "").replace("/v1", "");
    let ran = place.run_with(&fake, &["plan", WISH]);
    let ran = ran.fails(5, &["E-provider-unavailable", "oops"]);
    assert!(ran.err.contains(&address), "{ran:#?}");
    for (path, bytes) in crate::support::binary::files_below(place.work()) {
        let text = String::from_utf8_lossy(&bytes);
        for name in [&*address, "127.0.0.1", "10.1.2.3", "inner.example"] {
            assert!(!text.contains(name), "{path}: {name}");
        }
    }
    let failed = &place.events("v1.draft", "call_failed")[0];
    assert!(
        failed["detail"].as_str().unwrap().contains("oops"),
        "{failed}"
    );
}

/// Another attempt with the same key or model would fail too, so the suggested fix names what to
/// change.
#[test]
fn code_5_names_the_key_or_the_model_that_was_refused() {
    for (status, code, fix) in [
        (
            401,
            "E-call-refused",
            "fix: check the key in `AITC_API_KEY`, and that it may use `gpt-x`; then: aitc resume",
        ),
        (403, "E-call-refused", "then: aitc resume"),
        (
            404,
            "E-model-missing",
            "in place of `gpt-x`; continue with one of them: aitc resume --model NAME",
        ),
    ] {
        let place = impatient();
        let (fake, _) = broken(Reply::error(status, "no such model or path (for you)"));
        let ran = place.run_with(&fake, &["plan", WISH, "--model", "gpt-x"]);
        let said = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
        ran.fails(5, &[code]);
        assert!(said.contains(fix), "{said}");
    }
}

/// A document is written as soon as it is recorded, whatever happens to the others.
#[test]
fn code_5_leaves_the_documents_that_are_there() {
    let place = impatient();
    place.run(&["plan", WISH, "--questions", "assume"]).ends(0);
    let mended = Arc::new(AtomicBool::new(false));
    let seen_by_server = Arc::clone(&mended);
    let fake = faulty(move |seen| {
        let breaks =
            seen.key.starts_with("system_design/") && !seen_by_server.load(Ordering::SeqCst);
        breaks.then(|| Reply::status(500, vec![], "{}"))
    });
    let ran = place.run_with(&fake, &["revise", "v1", "Use XLSX."]);
    ran.fails(5, &["E-provider-unavailable"]);
    let draft = |file: &str| place.outputs(&format!("v2.draft/{file}"));
    assert!(draft("product_plan.json").exists());
    assert!(draft("feedback.md").exists());
    assert!(!draft("system_design.json").exists());
    place.run(&["verify", "v2"]).ends(0);
    let checked = place.run(&["check", "v2"]).ends(0);
    assert!(checked.out.contains("1 of 5 documents"), "{checked:#?}");
    // Files that a killed process had not written are written when the run is resumed.
    for file in ["product_plan.json", "feedback.md"] {
        std::fs::remove_file(draft(file)).unwrap();
    }
    place.run_with(&fake, &["resume"]).fails(5, &[]);
    place.run(&["verify", "v2"]).ends(0);
    mended.store(true, Ordering::SeqCst);
    place.run_with(&fake, &["resume"]).ends(0);
    place.run(&["verify", "v2"]).ends(0);
}

#[test]
fn code_5_a_wait_of_a_day_is_not_waited() {
    let place = Place::new();
    let wait = vec![("retry-after", "86400".to_owned())];
    let (fake, mended) = broken(Reply::status(429, wait, r#"{"error":{"message":"slow"}}"#));
    let ran = place.run_with(&fake, &["plan", WISH]);
    let ran = ran.fails(5, &["86400 s", "aitc resume --model NAME"]);
    tries(&ran, &["the provider asks for a wait of 86400 s"]);
    assert!(ran.err.contains("/a1` got no answer"), "{ran:#?}");
    let failed = &place.events("v1.draft", "call_failed")[0];
    assert_eq!(failed["retry_after_ms"], 86_400_000_u64, "{failed}");
    mended.store(true, Ordering::SeqCst);
    let ran = place.run_with(&fake, &["resume"]).ends(0);
    published(&place, &ran);
}

#[test]
fn code_5_a_provider_that_goes_away() {
    let place = impatient();
    let (gone, _) = broken(Reply::HangBeforeHeaders);
    let going = place.start_with(&gone, &["plan", WISH]);
    gone.awaits(KEY, 1);
    drop(gone);
    going.end().fails(5, &["aitc resume --model NAME"]);
    let failed = place.events("v1.draft", "call_failed");
    assert_eq!(failed.len(), 2, "{failed:?}");
    assert_eq!(failed[1]["kind"], "network");
    let fake = team();
    let ran = place.run_with(&fake, &["resume"]).ends(0);
    published(&place, &ran);
    asked_once_but(&fake, &[]);
    assert_eq!(fake.calls("judgment/Coach"), 0, "it was on record");
    assert_eq!(
        fake.calls("speech/ProductPlanner/r1"),
        0,
        "it was on record"
    );
}

#[test]
fn code_5_a_refusal_is_believed_when_it_comes_twice() {
    let place = Place::new();
    let (fake, _) = broken(Reply::error(404, "no model"));
    let ran = place.run_with(&fake, &["plan", WISH]);
    let ran = ran.fails(5, &["no model"]);
    tries(&ran, &["the call is retried", "there is no retry"]);
    assert_eq!(fake.calls(KEY), 2);
    assert_eq!(place.versions(), ["v1.draft"]);
}

#[test]
fn code_6_two_members_who_make_no_sense() {
    let mended = Arc::new(AtomicBool::new(false));
    let seen_by_server = Arc::clone(&mended);
    let fake = faulty(move |seen| {
        let member = seen.key == KEY || seen.key == "speech/SeniorDeveloper/r1";
        (member && !seen_by_server.load(Ordering::SeqCst))
            .then(|| Reply::Text("I would rather talk about the weather.".to_owned()))
    });
    let place = Place::new();
    let ran = place.run_with(&fake, &["plan", WISH]);
    let ran = ran.fails(
        6,
        &[
            "E-reply-unusable",
            "in the transcript",
            "aitc resume --model NAME",
        ],
    );
    // Two attempts each; only the first announces another one.
    let said = |words: &str| ran.err.matches(words).count();
    assert_eq!(said("reply unusable, asked again: "), 2, "{ran:#?}");
    assert_eq!(said("reply unusable: "), 2, "{ran:#?}");
    assert_eq!(place.versions(), ["v1.draft"]);
    let rejected = place.events("v1.draft", "reply_rejected");
    assert_eq!(rejected.len(), 4);
    for line in &rejected {
        assert!(line.to_string().contains("about the weather"), "{line}");
    }
    assert_eq!(place.events("v1.draft", "call_given_up").len(), 1);
    mended.store(true, Ordering::SeqCst);
    let ran = place.run_with(&fake, &["resume"]).ends(0);
    published(&place, &ran);
    let report = place.text("v1/planning_report.md");
    assert!(report.contains("SD"), "who was passed over is named");
}

/// The matrix tests all other temporary failures.
#[test]
fn a_wait_that_is_asked_for_is_told_and_waited() {
    let wait = vec![("retry-after", "1".to_owned())];
    let fault = Reply::status(429, wait, r#"{"error":{"message":"one moment"}}"#);
    let fake = faulty(move |seen| (seen.key == KEY && seen.times == 1).then(|| fault.clone()));
    let place = Place::new();
    let ran = place.run_with(&fake, &["plan", WISH]).ends(0);
    published(&place, &ran);
    assert_eq!(place.events("v1", "call_failed").len(), 1);
    assert!(
        ran.err
            .contains("the provider asks for a wait of 1 s; the call is retried then"),
        "{ran:#?}"
    );
    asked_once_but(&fake, &[KEY]);
}

/// The error names the variable that the key came from.
#[test]
fn code_5_names_the_variable_that_was_used() {
    let (fake, _) = broken(Reply::status(401, vec![], "{}"));
    for (own, general, named) in [
        (None, Some("sk-b"), "`AITC_API_KEY`"),
        (Some("sk-a"), Some("sk-b"), "`AITC_API_KEY`"),
        (Some("sk-a"), None, "`OPENAI_API_KEY`"),
    ] {
        let place = impatient();
        let mut command = place.command(&["plan", WISH, "--model", "gpt-x"]);
        command
            .env("AITC_PROVIDER", "openai")
            .env("AITC_BASE_URL", fake.base_url());
        for (name, key) in [("OPENAI_API_KEY", own), ("AITC_API_KEY", general)] {
            match key {
                Some(key) => command.env(name, key),
                None => command.env_remove(name),
            };
        }
        let ran = crate::support::binary::Going::start(command).end();
        let said = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("E-call-refused"), "{said}");
        assert!(
            said.contains(&format!("check the key in {named},")),
            "{said}"
        );
    }
}

/// Before the first call, a note says what is sent to which provider, unless the server is on this
/// machine.
#[test]
fn what_leaves_the_machine_is_told() {
    for (host, more, is_told) in [
        ("0.0.0.0", &[][..], true),
        ("0.0.0.0", &["--grounding", "off"], false),
        ("127.0.0.1", &[], false),
    ] {
        let fake = Fake::start(workshop(WorkshopScript::agreeing_in(1)));
        let address = format!("http://{host}:{}/v1", fake.port());
        let line = [
            "plan",
            WISH,
            "--questions",
            "assume",
            "--base-url",
            &address,
        ];
        let ran = Place::new()
            .run_with(&fake, &[&line[..], more].concat())
            .ends(0);
        let told = "note: `openai` is sent the requirement, the discussion, and lines of this";
        assert_eq!(ran.err.contains(told), is_told, "{host}: {ran:#?}");
    }
}

/// If any member's model is configured as too small to agree, the run ends unresolved.
#[test]
fn a_model_that_may_not_agree_ends_unresolved() {
    for (own, code) in [
        ("openai:\n    may_agree: true", 0),
        ("openai:\n    may_agree: false", 7),
        ("vllm:\n    may_agree: false", 0),
    ] {
        let (place, fake) = (
            Place::new(),
            Fake::start(workshop(WorkshopScript::default())),
        );
        place.configure(&format!("providers:\n  {own}\n"));
        let line = ["plan", WISH, "--questions", "assume"];
        let ran = place.run_with(&fake, &line).ends(code);
        let report = place.text("v1/planning_report.md");
        let unresolved = code == 7;
        assert_eq!(report.contains("> **Unresolved"), unresolved, "{report}");
        assert_eq!(
            report.contains("`may_agree: false`"),
            unresolved,
            "{report}"
        );
        assert_eq!(
            ran.err.contains("`may_agree: false`"),
            unresolved,
            "{ran:#?}"
        );
        let plan = place.text("v1/planning.ai.json");
        assert_eq!(plan.contains("\"small_model\""), unresolved);
        place.run(&["verify"]).ends(0);
    }
}

/// A run whose model no longer exists continues with another one, and reports that.
#[test]
fn a_run_goes_on_with_another_model() {
    let place = impatient();
    let (gone, _) = broken(Reply::error(404, "The model `fake-1` does not exist"));
    let ran = place.run_with(&gone, &["plan", WISH]);
    ran.fails(5, &["E-model-missing", "aitc resume --model NAME"]);
    let refused = place.run_with(&gone, &["resume", "--model", "XX=fake-2"]);
    refused.fails(2, &["there is no role `XX`"]);
    assert_eq!(place.events("v1.draft", "resumed").len(), 0);

    let mended = Arc::new(AtomicBool::new(false));
    let seen_by_server = Arc::clone(&mended);
    let other = faulty(move |seen| {
        let breaks = seen.key.ends_with("/r2") && !seen_by_server.load(Ordering::SeqCst);
        breaks.then(|| Reply::status(500, vec![], "{}"))
    });
    let models = ["resume", "--model", "fake-2", "--model", "RP=fake-3"];
    let ran = place.run_with(&other, &models).ends(5);
    assert!(ran.err.contains("model fake-2 of openai"), "{ran:#?}");
    let resumed = &place.events("v1.draft", "resumed")[0]["models"];
    assert_eq!(resumed["model"]["model"], "fake-2");
    assert_eq!(resumed["role_models"]["RiskPlanner"]["model"], "fake-3");
    // Later runs keep the chosen model, even if variables name another one.
    mended.store(true, Ordering::SeqCst);
    let ran = place.run_with(&other, &["resume"]).ends(0);
    published(&place, &ran);
    let asked = other.chats();
    for seen in &asked {
        let own = if seen.key.contains("RiskPlanner") {
            "fake-3"
        } else {
            "fake-2"
        };
        assert_eq!(seen.body["model"], own, "{}", seen.key);
    }
    // Recorded calls are not repeated.
    assert_eq!(gone.calls("speech/ProductPlanner/r1"), 1);
    assert!(
        asked
            .iter()
            .all(|seen| seen.key != "speech/ProductPlanner/r1")
    );
    let report = place.text("v1/planning_report.md");
    assert!(
        report.contains("answered with `openai/fake-2` instead of `openai/fake-1`"),
        "{report}"
    );
    assert!(
        report.contains("RP answered with `openai/fake-3`"),
        "{report}"
    );
}
