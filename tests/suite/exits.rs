//! Every exit code of the built binary, with its message and the files it leaves.

mod human;
mod inputs;
mod logs;
mod provider;
mod signals;
mod storage;
mod terminal;

use std::time::Duration;

use crate::support::binary::{Place, Ran};
use crate::support::fake::{Fake, Reply, Seen, WorkshopScript, workshop};

/// The requirement of every run here.
const WISH: &str = "Export the customer list as CSV";

/// A server that plays the whole workshop.
pub fn team() -> Fake {
    Fake::start(workshop(WorkshopScript::default()))
}

/// A server that plays the workshop, except for calls that `fault` answers.
pub fn faulty(fault: impl Fn(&Seen) -> Option<Reply> + Send + Sync + 'static) -> Fake {
    let script = workshop(WorkshopScript::default());
    Fake::start(move |seen| fault(seen).unwrap_or_else(|| script(seen)))
}

/// A server that does not answer the first request of one call.
pub fn holding(key: &'static str) -> Fake {
    faulty(move |seen| {
        let held = seen.key == key && seen.times == 1;
        held.then(|| Reply::After(Duration::from_secs(600), Box::new(Reply::Empty)))
    })
}

/// A complete version was published and printed on stdout.
#[track_caller]
pub fn published(place: &Place, ran: &Ran) {
    assert_eq!(ran.out, ".ai-tools-chain/planning_outputs/v1\n", "{ran:#?}");
    assert_eq!(place.versions(), ["v1"]);
    place.run(&["verify"]).ends(0);
}

/// Nothing was written to disk.
#[track_caller]
pub fn nothing_on_disk(place: &Place) {
    assert!(!place.outputs("").exists(), "{:?}", place.versions());
}

/// Every call was made once, except those in `again`, which were made twice.
#[track_caller]
pub fn asked_once_but(fake: &Fake, again: &[&str]) {
    for (key, n) in fake.counts() {
        let wanted = if again.contains(&key.as_str()) { 2 } else { 1 };
        assert!(n == wanted || key == "models", "{key} was asked {n} times");
    }
}

#[test]
fn code_0_a_version_that_all_agree_on() {
    let (place, fake) = (Place::new(), team());
    let ran = place.run_with(&fake, &["plan", WISH]).ends(0);
    published(&place, &ran);
    assert!(ran.err.contains("model `fake-1` of `openai`"), "{ran:#?}");
    asked_once_but(&fake, &[]);
    for gone in ["v1/questions.md", "v1/inbox", ".v1.lock", "v1.draft"] {
        assert!(!place.outputs(gone).exists(), "{gone}");
    }
}

#[test]
fn code_7_the_token_cap_is_never_passed() {
    for cap in [60_000_u64, 120_000, 200_000] {
        let (place, fake) = (Place::new(), team());
        let arguments = ["plan", WISH, "--max-tokens", &cap.to_string()];
        let ran = place.run_with(&fake, &arguments).ends(7);
        published(&place, &ran);
        assert_eq!(place.events("v1", "guard_fired")[0]["guard"], "budget");
        let used: u64 = place
            .transcript("v1")
            .iter()
            .map(|line| {
                // Usage is either beside the answer or in the receipt.
                let both = [&line["usage"], &line["receipt"]["usage"]];
                let usage = both.into_iter().find(|usage| usage.is_object());
                let of = |name| usage.map_or(0, |usage| usage[name].as_u64().unwrap());
                of("input") + of("output")
            })
            .sum();
        assert!(used <= cap, "{used} of {cap}");
        let report = place.text("v1/planning_report.md");
        assert!(
            report.contains("another turn plus the final documents would have exceeded it"),
            "{report}"
        );
        assert!(used > 0, "the coach's first look fits below each");
        let begun = !place.events("v1", "round_started").is_empty();
        assert_eq!(
            report.contains("before the first round:"),
            !begun,
            "{report}"
        );
    }
}

#[test]
fn code_12_a_plan_with_a_gap() {
    // A plan with a test that covers no criterion.
    let fake = faulty(|seen| {
        seen.key.starts_with("test_plan/").then(|| {
            let case = r#"{"id":"t1","same_as":null,"title":"It starts","level":"unit","covers":[],"steps":"Start it.","expected":"It runs."}"#;
            Reply::Text(format!(
                r#"{{"strategy":"One.","cases":[{case}],"coverage_targets":[],"data":[],"environments":[]}}"#
            ))
        })
    });
    let place = Place::new();
    let ran = place.run_with(&fake, &["plan", WISH]).ends(0);
    ran.says(&["errors in its documents: ", "aitc check v1"]);
    let ran = place.run(&["check"]).ends(12);
    assert!(ran.out.contains("AC-1"), "{ran:#?}");
    assert_eq!(ran.err, "");
}
