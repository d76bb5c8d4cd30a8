//! `aitc board`: all members speak at once, the coach writes minutes, and a version is published.

use aitc::machine::Format;

use crate::support::binary::Place;
use crate::support::fake::{Fake, WorkshopScript, workshop};

const TOPIC: &str =
    "Should receipts be stored as photos or as text? Personal data must be erasable.";

#[test]
fn a_line_without_a_format_is_a_workshops() {
    let inputs = crate::support::meeting::inputs();
    let text = serde_json::to_value(&inputs).unwrap();
    assert_eq!(text.get("format"), None);
    let read: aitc::machine::Inputs = serde_json::from_value(text).unwrap();
    assert_eq!(read.format, Format::Workshop);
}

#[test]
fn it_is_addressed_in_a_plan_and_its_members_are_chosen() {
    let (place, fake) = (
        Place::new(),
        Fake::start(workshop(WorkshopScript::default())),
    );
    place
        .run_with(&fake, &["plan", "@board"])
        .fails(2, &["`@board` needs a text"]);
    place
        .run_with(&fake, &["plan", "@board[PP,nobody] One or two?"])
        .fails(2, &["there is no role `nobody`"]);
    assert_eq!(fake.seen().len(), 0);
    place
        .run_with(&fake, &["@board[PP,SD] One or two?"])
        .ends(0);
    let seen = fake.seen();
    let speeches = seen.iter().filter(|seen| seen.key.starts_with("speech/"));
    let speakers: std::collections::BTreeSet<&str> = speeches
        .filter_map(|seen| seen.key.split('/').nth(1))
        .collect();
    assert_eq!(
        speakers.into_iter().collect::<Vec<_>>(),
        ["ProductPlanner", "SystemDesigner"]
    );
    let judgment = seen.iter().find(|seen| seen.key.starts_with("judgment"));
    let first = judgment.unwrap().text();
    assert!(
        first.contains("You take part in a board meeting"),
        "{first}"
    );
    assert!(first.contains("# The topic"), "{first}");
    place
        .run_with(&fake, &["board", "One or two?", "--members", "RP"])
        .ends(0);
    // A flag about speaking in turn does not exist for a board, where nobody does.
    for (line, flag) in [
        (
            &["board", "One?", "--first-round", "blind"][..],
            "--first-round",
        ),
        (&["plan", "@team Do it", "--order", "rotate"], "--order"),
    ] {
        let parts = [&*format!("`{flag}` does not apply to `@"), "leave it out"];
        place.run_with(&fake, line).fails(2, &parts);
    }
}

#[test]
fn a_board_or_a_chat_is_stopped_and_resumed_like_any_run() {
    let board = (&["board", "One or two?"][..], "# The topic");
    let chat = (&["plan", "@party One or two?"][..], "# The message");
    for (line, asked) in [board, chat] {
        let fake = Fake::holding(
            WorkshopScript::agreeing_in(9),
            &["speech/SystemDesigner/r2"],
        );
        let place = Place::new();
        let held = |times| {
            fake.awaits("speech/SystemDesigner/r2", times);
        };
        let going = place.start_with(&fake, line);
        held(1);
        going.kill();
        let going = place.start_with(&fake, &["resume"]);
        held(2);
        place.run(&["say", "Keep it cheap"]).ends(0);
        place.run(&["stop"]).ends(0);
        fake.lets_go();
        let ran = going.end().ends(7);
        ran.says(&["you: Keep it cheap", "you end the discussion"]);
        assert_eq!(fake.calls("speech/ProductPlanner/r1"), 1);
        let speakers = if asked == "# The topic" { 1 } else { 0 };
        assert_eq!(fake.calls("speech/RiskPlanner/r1"), speakers);
        let seen = fake.seen();
        let judged = seen.iter().find(|seen| seen.key.starts_with("judgment"));
        assert!(judged.unwrap().text().contains(asked), "{asked}");
        place.run(&["verify"]).ends(0);
    }
}

const FIRST: &str = "speech/ProductPlanner/r1";
const SECOND: &str = "speech/SystemDesigner/r1";

/// A board whose calls are made one at a time, while the first member speaks.
fn one_at_a_time(act: impl FnOnce(&Place, &Fake)) -> Fake {
    let fake = Fake::holding(WorkshopScript::agreeing_in(2), &[FIRST]);
    let place = Place::new();
    place.configure_project("limits:\n  concurrency: 1\n");
    let going = place.start_with(&fake, &["board", TOPIC]);
    fake.awaits(FIRST, 1);
    act(&place, &fake);
    fake.lets_go();
    let _ = going.end();
    place.run(&["verify", "board/v1"]).ends(0);
    fake
}

#[test]
fn after_a_stop_nobody_who_still_waits_to_be_asked_is_asked() {
    let fake = one_at_a_time(|place, _| {
        place.run(&["stop"]).ends(0);
    });
    let speeches = fake.asked("speech/").into_iter().map(|seen| seen.key);
    let speeches: Vec<String> = speeches.collect();
    assert_eq!(speeches, [FIRST], "what was being said is heard out");
    assert_eq!(fake.calls("summary/Coach/r1"), 1, "and summed up");
}

#[test]
fn words_are_heard_by_those_who_still_wait_to_be_asked() {
    let words = "Receipts are kept for ten years";
    let fake = one_at_a_time(|place, _| {
        place.run(&["say", words]).ends(0);
    });
    let heard = |key: &str| fake.asked(key)[0].text().contains(words);
    assert!(!heard(FIRST), "it was asked before");
    assert!(heard(SECOND));
    assert_eq!(fake.calls(SECOND), 1);
}
