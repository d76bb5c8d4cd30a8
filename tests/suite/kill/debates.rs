//! Processes killed inside a debate, and between its ruling and the round that uses it.

use serde_json::Value;

use super::*;
use crate::support::quarrel::turned;

/// A review of the issues, then two members that object to each other: two debates.
pub const DEBATED: Case = Case {
    arguments: &[
        "plan",
        "Export the customer list as CSV",
        "--questions",
        "assume",
        "--review-debate",
    ],
    folder: "",
    version: 1,
    together: 5,
    fake: divided,
};

fn divided() -> Fake {
    held_at("")
}

/// The same, with the first call of `key` left unanswered.
fn held_at(key: &'static str) -> Fake {
    let config = FakeConfig {
        latency: std::time::Duration::from_millis(4),
        ..FakeConfig::default()
    };
    let script = workshop(WorkshopScript {
        needs: 3,
        ..WorkshopScript::default()
    });
    Fake::with(config, move |seen| {
        let reply = match script(seen) {
            Reply::Text(text) => Reply::Text(turned(&seen.key, "D-2", &text)),
            other => other,
        };
        match seen.key == key && seen.times == 1 {
            true => Reply::Held(Box::new(reply)),
            false => reply,
        }
    })
}

/// Kills the run while `key` waits for its answer, and completes it.
fn killed_while(key: &'static str, whole: &Whole) -> Vec<Value> {
    let (place, fake) = (DEBATED.place(), held_at(key));
    let going = place.start_with(&fake, whole.case.arguments);
    wait_until(key, || fake.calls(key) == 1);
    assert_eq!(going.kill().code, -9, "{key}");
    let written = place.transcript(&whole.case.draft());
    goes_on_as_if_nothing_had_been(whole, &place, &fake, &format!("killed while {key} waited"));
    assert_eq!(fake.calls(key), 2, "{key} is asked again");
    written
}

fn last<'l>(lines: &'l [Value], phase: &str) -> Option<&'l Value> {
    lines.iter().rfind(|line| line["phase"] == phase)
}

#[test]
fn a_kill_inside_a_debate_changes_nothing() {
    let whole = whole(DEBATED);
    for (key, debate) in [
        ("debate_opening/Coach/D-1", None),
        ("argument/SystemDesigner/D-1/r1", Some("D-1")),
        ("argument/ProductPlanner/D-2/r2", Some("D-2")),
        ("debate_summary/Coach/D-2/r1", Some("D-2")),
        ("ruling/Coach/D-2", Some("D-2")),
    ] {
        let written = killed_while(key, &whole);
        let started = last(&written, "debate_started").map(|line| &line["debate"]);
        assert_eq!(started.and_then(Value::as_str), debate, "{key}");
        let resolved = last(&written, "debate_resolved").map(|line| &line["debate"]);
        assert!(resolved.is_none() || resolved != started, "{key}");
    }
}

#[test]
fn a_kill_between_a_ruling_and_the_round_that_takes_it_up_changes_nothing() {
    let whole = whole(DEBATED);
    let plan: Value = serde_json::from_str(&whole.files["planning.ai.json"]).unwrap();
    let agreed = plan["consensus"].as_array().unwrap();
    let taken = agreed.iter().filter(|item| item["text_id"] == "D-2");
    assert_eq!(taken.count(), 1, "the ruling is taken into the plan");
    // The ruling has not been used yet, because the first speech is held.
    for (key, debate) in [
        ("speech/ProductPlanner/r1", "D-1"),
        ("speech/ProductPlanner/r2", "D-2"),
    ] {
        let written = killed_while(key, &whole);
        assert_eq!(last(&written, "debate_resolved").unwrap()["debate"], debate);
    }
    // Kill it as soon as the ruling is written, too.
    assert_eq!(whole.rulings.len(), 2);
    for n in &whole.rulings {
        killed_at(*n, &whole);
    }
}
