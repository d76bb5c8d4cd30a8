//! The user's settings for an endpoint, as observed by the endpoint.

use serde_json::json;

use super::{OPENAI, run};
use crate::support::binary::Place;
use crate::support::fake::{Completion, Fake, Reply, Seen, WorkshopScript, workshop};

fn team() -> impl Fn(&Seen) -> Reply + Send + Sync + 'static {
    workshop(WorkshopScript::agreeing_in(1))
}

const PLAN: [&str; 3] = ["plan", "Export it as CSV", "--light"];

#[test]
fn a_reply_that_is_cut_is_asked_for_with_a_larger_limit_then_for_less() {
    let script = team();
    let fake = Fake::start(move |seen| match script(seen) {
        Reply::Text(text) if seen.key == "report/Coach" && seen.times < 3 => Reply::Length(text),
        right => right,
    });
    let place = Place::new();
    run(&place, OPENAI, &fake, &PLAN).ends(0);
    let asked = fake.asked("report/Coach");
    assert_eq!(limits(&asked), [4096, 8192, 8192]);
    assert_eq!(
        asked[0].messages, asked[1].messages,
        "the same, with more room"
    );
    assert!(
        asked[2].text().contains("half as many words"),
        "then for less"
    );
    let roles = asked[2].messages.iter().map(|(role, _)| role.as_str());
    assert!(
        roles.clone().all(|role| role != "assistant"),
        "what was cut is not sent again: {:?}",
        roles.collect::<Vec<_>>()
    );
    assert_eq!(place.events("v1", "reply_rejected").len(), 2);
}

#[test]
fn a_larger_limit_that_is_refused_is_not_asked_for_again() {
    let script = team();
    let fake = Fake::start(move |seen| match (script(seen), seen.times) {
        (Reply::Text(text), 1) if seen.key == "report/Coach" => Reply::Length(text),
        (_, 2) if seen.key == "report/Coach" => Reply::error(400, "max_tokens is too large: 8192"),
        (right, _) => right,
    });
    let place = Place::new();
    run(&place, OPENAI, &fake, &PLAN).ends(0);
    let asked = fake.asked("report/Coach");
    assert_eq!(limits(&asked), [4096, 8192, 4096]);
    // The prompt is sent again unchanged with the lower limit.
    assert_eq!(asked[2].text(), asked[1].text());
}

/// A team that spends `thought` reasoning tokens on each answer and reports them as providers do.
fn thinking(thought: u64) -> impl Fn(&Seen) -> Reply + Send + Sync + 'static {
    let script = team();
    move |seen| match script(seen) {
        Reply::Text(text) => Reply::Full(Completion {
            usage: Some(
                json!({"prompt_tokens": 900, "completion_tokens": thought + 200,
                "completion_tokens_details": {"reasoning_tokens": thought}}),
            ),
            ..Completion::new(&text)
        }),
        other => other,
    }
}

fn limits(calls: &[Seen]) -> Vec<u64> {
    calls
        .iter()
        .map(|seen| seen.body["max_tokens"].as_u64().unwrap())
        .collect()
}

#[test]
fn a_model_that_thinks_is_given_room_for_it() {
    // The limit is the usual one plus the observed reasoning, up to a maximum.
    for (thought, wanted) in [(3000, 7096), (90_000, 20_480)] {
        let (place, fake) = (Place::new(), Fake::start(thinking(thought)));
        run(&place, OPENAI, &fake, &PLAN).ends(0);
        let limits = limits(&fake.chats());
        assert_eq!(limits[0], 4096, "nothing is known yet");
        assert!(
            limits[1..].iter().all(|limit| *limit == wanted),
            "{limits:?}"
        );
    }
}

#[test]
fn room_to_think_that_is_refused_is_done_without() {
    let script = thinking(3000);
    let fake = Fake::start(move |seen| match seen.body["max_tokens"].as_u64() {
        Some(4097..) => Reply::error(400, "max_tokens is too large: at most 4096"),
        _ => script(seen),
    });
    let place = Place::new();
    run(&place, OPENAI, &fake, &PLAN).ends(0);
    let limits = limits(&fake.chats());
    // The endpoint's maximum is remembered.
    assert_eq!(limits[..4], [4096, 7096, 4096, 4096]);
}
