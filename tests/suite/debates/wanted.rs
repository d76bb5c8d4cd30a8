//! Debates requested by the user while a run goes on. What is refused is played in
//! `crates/workshop/tests/played/forgeries.md`.

use crate::support::binary::Place;
use crate::support::fake::{Fake, WorkshopScript};
use crate::support::meeting::holds;
use crate::support::terminal::OnTerminal;

/// A workshop whose second speaker waits until the test continues.
fn slow() -> Fake {
    Fake::holding(WorkshopScript::default(), &["speech/SystemDesigner/r1"])
}

fn topics(place: &Place) -> Vec<String> {
    let lines = place.events("v1", "debate_started").into_iter();
    lines
        .map(|line| line["debate_config"]["topic"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn one_is_asked_for_from_another_terminal() {
    let (place, fake) = (Place::new(), slow());
    place
        .run(&["debate", "anything"])
        .fails(2, &["there is no unfinished run"]);
    let flags = ["plan", "Export the list", "--debates", "1"];
    let going = place.start_with(&fake, &flags);
    fake.awaits("speech/SystemDesigner/r1", 1);
    let sent = place
        .run(&["debate", "Who pays\nfor it?", "--json"])
        .ends(0);
    let told: serde_json::Value = serde_json::from_str(&sent.out).unwrap();
    assert_eq!((&told["v"], &told["running"]), (&1.into(), &true.into()));
    // The run has not read the first yet: it refuses the second, and records that.
    place.run(&["say", "/debate Another one"]).ends(0);
    fake.lets_go();
    let ran = going.end().ends(0);
    ran.says(&[
        "you ask for a debate: Who pays for it?",
        "all 1 debates of this run are used or queued",
        "Debate D-1",
    ]);
    assert_eq!(topics(&place), ["Who pays for it?"]);
    let opening = fake.asked("debate_opening")[0].text();
    assert!(opening.contains("The user asked for this debate."));
    let report = place.text("v1/planning_report.md");
    assert!(report.contains("D-1"), "{report}");
    let page = place.text("v1/debates/D-1.md");
    assert!(page.contains("you asked for it"), "{page}");
    let shown = place.run(&["show", "D-1"]).ends(0);
    assert!(
        shown.out.starts_with("# D-1: Who pays for it?"),
        "{shown:#?}"
    );
    place.run(&["show", "D-2"]).fails(2, &["has no debate D-2"]);
    let why = place.run(&["why", "d1"]).ends(0);
    assert!(
        why.out.starts_with("D-1 (debate) Who pays for it?"),
        "{why:#?}"
    );
    place.run(&["verify"]).ends(0);
    place.run(&["verify", "v1"]).ends(0);
}

#[test]
fn it_is_typed_while_the_run_goes_on() {
    let (place, fake) = (Place::new(), slow());
    let mut terminal = OnTerminal::start(place.command_with(&fake, &["plan", "Export the list"]));
    fake.awaits("speech/SystemDesigner/r1", 1);
    terminal.types("/debate Who pays for it?");
    terminal.is_heard();
    fake.lets_go();
    let screen = terminal.ends(0);
    holds(
        &screen,
        &["you ask for a debate: Who pays for it?", "Debate D-1"],
    );
    assert_eq!(topics(&place), ["Who pays for it?"]);
}
