//! Ways to run a plan, with the built binary and over TCP: a blind first round, rotation, a
//! revision with feedback, and the number of concurrent calls.

use std::collections::BTreeSet;

use crate::support::binary::{Place, wait_until};
use crate::support::fake::{Fake, Reply, WorkshopScript, workshop};

const WISH: &str = "Export the customer list as CSV";

/// Whether a call with this key is held; those of the second round are not.
fn is_held(key: &str, held: &[&str]) -> bool {
    held.iter().any(|start| key.starts_with(start)) && !key.contains("/r2")
}

/// A server that holds the calls whose keys start with one of these.
fn holding(held: &'static [&'static str]) -> Fake {
    let script = workshop(WorkshopScript::agreeing_in(1));
    Fake::start(move |seen| match script(seen) {
        reply if is_held(&seen.key, held) => Reply::Held(Box::new(reply)),
        reply => reply,
    })
}

/// Keys of received calls that start with one of `held`, sorted.
fn arrived(fake: &Fake, held: &[&str]) -> BTreeSet<String> {
    let keys = fake.counts().into_keys();
    keys.filter(|key| is_held(key, held)).collect()
}

/// Number of such calls that the draft's transcript lists as started, which includes all calls in
/// progress, since a start is written before the call.
fn started(place: &Place, held: &[&str]) -> usize {
    let calls = place.events("v1.draft", "call_started").into_iter();
    let calls = calls.map(|line| line["call"].as_str().unwrap().to_owned());
    let keys = calls.filter_map(|call| Some(call.split_once('/')?.1.to_owned()));
    keys.filter(|key| is_held(key, held)).count()
}

/// Holds every call of a batch: `limit` calls arrive at first, and another one only when one is
/// answered.
fn in_flight(limit: usize, all: usize, held: &'static [&'static str], more: &[&str]) {
    let (place, fake) = (Place::new(), holding(held));
    place.configure(&format!("limits:\n  concurrency: {limit}\n"));
    let plan = ["plan", WISH, "--questions", "assume"];
    let going = place.start_with(&fake, &[&plan[..], more].concat());
    let mut answered: BTreeSet<String> = BTreeSet::new();
    while answered.len() < all {
        let due = all.min(answered.len() + limit);
        wait_until("the calls", || arrived(&fake, held).len() >= due);
        let come = arrived(&fake, held);
        assert_eq!(come.len(), due, "{come:?}");
        assert_eq!(started(&place, held), due, "with {come:?}");
        let next = come.difference(&answered).next().unwrap().clone();
        fake.lets_go_of(&next);
        answered.insert(next);
    }
    going.end().ends(0);
    assert_eq!(arrived(&fake, held).len(), all);
}

#[test]
fn so_many_speeches_of_a_blind_round_are_in_flight_and_no_more() {
    in_flight(2, 5, &["speech/"], &["--first-round", "blind"]);
    in_flight(4, 5, &["speech/"], &["--first-round", "blind"]);
}

#[test]
fn so_many_documents_are_in_flight_and_no_more() {
    const LAYER: &[&str] = &["dev_plan/", "test_plan/", "risk_assessment/"];
    in_flight(2, 3, LAYER, &[]);
    in_flight(1, 3, LAYER, &[]);
}

#[test]
fn lines_name_their_round_their_actor_and_what_a_member_was_given() {
    let place = Place::new();
    place.run(&["plan", WISH, "--questions", "assume"]).ends(0);
    let lines = place.transcript("v1");
    for (phase, round, actor) in [
        ("user_input", 1, "user"),
        ("knowledge_search", 1, "engine"),
        ("coach_initial_judgment", 1, "Coach"),
        ("round_started", 1, "engine"),
        ("speaking", 1, "ProductPlanner"),
        ("consensus_summary", 1, "Coach"),
    ] {
        let line = lines.iter().find(|line| line["phase"] == phase).unwrap();
        assert_eq!(line["round"], round, "{phase}");
        assert_eq!(line["actor"], actor, "{phase}");
    }
    for speech in place.events("v1", "speaking") {
        let mut started = place.events("v1", "call_started").into_iter();
        let started = started.find(|line| line["call"] == speech["call"]).unwrap();
        assert_eq!(speech["input_context"], started["input_context"]);
        assert!(speech["input_context"]["ids"].is_array(), "{speech}");
    }
    let fired = &place.events("v1", "guard_fired")[0];
    assert_eq!(fired["guard"], "consensus");
}
