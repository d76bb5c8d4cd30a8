//! The user's rate limits for an endpoint apply to whole runs.

use crate::support::binary::{Going, Place, wait_until};
use crate::support::fake::{Fake, Reply, WorkshopScript, workshop};

/// Whether it is a speech of the first round.
fn is_held(key: &str) -> bool {
    key.starts_with("speech/") && key.ends_with("/r1")
}

/// A server that holds every speech of the first round until released.
fn server() -> Fake {
    let script = workshop(WorkshopScript {
        rounds_to_converge: 1,
        ..WorkshopScript::default()
    });
    Fake::start(move |seen| match script(seen) {
        reply if is_held(&seen.key) => Reply::Held(Box::new(reply)),
        reply => reply,
    })
}

/// A run with a blind round and these rate limits.
fn begin(place: &Place, fake: &Fake, bears: &str) -> Going {
    place.configure(&format!("providers:\n  openai:\n    {bears}\n"));
    let plan = ["plan", "Export the list", "--questions", "assume"];
    place.start_with(fake, &[&plan[..], &["--first-round", "blind"]].concat())
}

fn speeches(fake: &Fake) -> Vec<String> {
    let keys = fake.counts().into_keys();
    keys.filter(|key| is_held(key)).collect()
}

/// Waits for a number of started calls in the transcript; a start is written before the call.
fn wait_for_started(place: &Place, calls: usize) {
    wait_until("the calls", || {
        place.lines("v1.draft") > 0 && place.events("v1.draft", "call_started").len() == calls
    });
}

#[test]
fn no_more_calls_are_at_an_endpoint_than_it_bears_at_a_time() {
    let (place, fake) = (Place::new(), server());
    let going = begin(&place, &fake, "max_concurrent: 1");
    // The judgment and four of five speeches: the run's own concurrency limit.
    wait_for_started(&place, 5);
    let mut answered: Vec<String> = Vec::new();
    while answered.len() < 5 {
        wait_until("a speech", || speeches(&fake).len() > answered.len());
        let come = speeches(&fake);
        assert_eq!(come.len(), answered.len() + 1, "{come:?}");
        let new = come
            .into_iter()
            .find(|key| !answered.contains(key))
            .unwrap();
        fake.lets_go_of(&new);
        answered.push(new);
    }
    going.end().ends(0);
}

/// Calls received by the server, without requests for the list of models.
fn reached(fake: &Fake) -> Vec<String> {
    let keys = fake.seen().into_iter().map(|seen| seen.key);
    keys.filter(|key| key != "models").collect()
}

/// At most `most` of the started calls reach the endpoint; the others wait, and a signal still ends
/// the run at once.
fn reach(bears: &str, most: usize) {
    let (place, fake) = (Place::new(), server());
    let going = begin(&place, &fake, bears);
    wait_for_started(&place, 5);
    wait_until("the calls", || reached(&fake).len() >= most);
    going.signal("INT");
    going.end().ends(130);
    let keys = reached(&fake);
    assert_eq!(keys.len(), most, "{bears}: {keys:?}");
}

#[test]
fn no_more_calls_begin_than_an_endpoint_takes_in_a_minute() {
    reach("requests_per_minute: 3", 3);
    reach("rpm: 1", 1);
}

/// The prompt plus the output limit of a speech exceed a minute's tokens, and so does the usage of
/// the judgment.
#[test]
fn no_more_tokens_go_out_than_an_endpoint_takes_in_a_minute() {
    reach("tokens_per_minute: 100", 1);
}
