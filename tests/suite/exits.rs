//! Every exit code of the built binary, with its message and the files it leaves.

mod inputs;
mod storage;

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

/// A complete version was published and printed on stdout.
#[track_caller]
pub fn published(place: &Place, ran: &Ran) {
    assert_eq!(ran.out, ".ai-tools-chain/planning_outputs/v1\n", "{ran:#?}");
    assert_eq!(place.versions(), ["v1"]);
    place.run(&["verify"]).ends(0);
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
fn code_5_a_provider_that_goes_away() {
    const KEY: &str = "speech/SystemDesigner/r1";
    let place = Place::new();
    place.configure_project("limits:\n  max_failures: 2\n");
    let gone = faulty(|seen| (seen.key == KEY).then_some(Reply::HangBeforeHeaders));
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
    for recorded in ["judgment/Coach", "speech/ProductPlanner/r1"] {
        assert_eq!(fake.calls(recorded), 0, "{recorded}");
    }
}
