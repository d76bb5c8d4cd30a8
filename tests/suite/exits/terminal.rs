//! A user at the terminal: exit words, the menu, confirming an end, a reached limit.

use super::{WISH, faulty};
use crate::support::binary::Place;
use crate::support::fake::{Fake, Reply, WorkshopScript, workshop};
use crate::support::terminal::OnTerminal;

const SECOND: &str = "speech/SystemDesigner/r1";

/// A workshop that never agrees, and whose second speaker waits until the test continues.
fn lasting() -> Fake {
    Fake::holding(WorkshopScript::agreeing_in(9), &[SECOND])
}

fn on_terminal(place: &Place, fake: &Fake, arguments: &[&str]) -> OnTerminal {
    OnTerminal::start(place.command_with(fake, arguments))
}

/// A typed command works in every question mode.
#[test]
fn an_exit_word_or_the_menus_letter_ends_it() {
    for (typed, mode) in [
        ("quit", "ask"),
        ("E", "ask"),
        ("/stop", "assume"),
        ("/stop", "pause"),
    ] {
        let (place, fake) = (Place::new(), lasting());
        let arguments = ["plan", WISH, "--questions", mode];
        let mut terminal = on_terminal(&place, &fake, &arguments);
        fake.awaits(SECOND, 1);
        terminal.types(typed);
        terminal.is_heard();
        fake.lets_go();
        let screen = terminal.ends(7);
        assert!(screen.contains("you end the discussion"), "{screen}");
        assert_eq!(place.events("v1", "guard_fired")[0]["guard"], "user");
        let said = &place.events("v1", "user_intervention")[0];
        assert_eq!(said["channel"], "terminal", "{typed} {mode}");
    }
}

#[test]
fn enter_shows_the_menu_and_words_reach_the_next_speaker() {
    let (place, fake) = (Place::new(), lasting());
    let mut terminal = on_terminal(&place, &fake, &["plan", WISH, "--rounds", "1"]);
    fake.awaits(SECOND, 1);
    terminal.types("");
    terminal.types("Leave the app out of it");
    terminal.types("/stpo");
    terminal.is_heard();
    fake.lets_go();
    let screen = terminal.ends(7);
    for part in [
        "[E] end now",
        "you: Leave the app out of it",
        "`/stpo` is not a command",
    ] {
        assert!(screen.contains(part), "no `{part}` in {screen}");
    }
    let later = &fake.asked("speech/RiskPlanner/r1")[0];
    assert!(later.text().contains("Leave the app out of it"));
}

#[test]
fn a_limit_asks_and_can_be_moved_on() {
    let script = workshop(WorkshopScript::agreeing_in(3));
    let (place, fake) = (Place::new(), Fake::start(script));
    place.configure_project("limits: {max_rounds: 2, warn-at-rounds: 1}\n");
    let mut terminal = on_terminal(&place, &fake, &["plan", WISH]);
    terminal.sees("round limit is near: 1 of 2");
    terminal.sees("round limit reached: 2 of 2");
    // Help and mistyped commands do not count as a decision.
    for (typed, told) in [
        ("/help", "[E] end now"),
        ("/stpo", "`/stpo` is not a command"),
    ] {
        terminal.types(typed);
        terminal.sees(told);
    }
    terminal.types("c");
    terminal.ends(0);
    let decided = &place.events("v1", "end_decision")[0];
    assert_eq!(
        (&decided["guard"], &decided["granted"]),
        (&"round_limit".into(), &1.into())
    );
    assert_eq!(decided["actor"], "user");
}

#[test]
fn words_typed_before_the_question_are_no_answer_to_it() {
    let fake = Fake::holding(WorkshopScript::agreeing_in(3), &["summary/Coach/r2"]);
    let place = Place::new();
    place.configure_project("limits: {max_rounds: 2}\n");
    let mut terminal = on_terminal(&place, &fake, &["plan", WISH]);
    fake.awaits("summary/Coach/r2", 1);
    terminal.types("Mind the costs");
    terminal.is_heard();
    fake.lets_go();
    terminal.sees("you: Mind the costs");
    terminal.sees("round limit reached: 2 of 2");
    terminal.types("e");
    terminal.ends(7);
    let decisions = place.events("v1", "end_decision");
    assert_eq!(decisions.len(), 1, "{decisions:#?}");
    assert_eq!(decisions[0]["confirmed"], true);
}

/// RP proposes the end in its speech of round 1, in every attempt.
pub(super) fn proposing() -> Fake {
    faulty(|seen| {
        let speaks = seen.key == "speech/RiskPlanner/r1";
        let answer = r#"{"analysis":"All has been said.\n<!-- END -->","positions":[{"issue":"I-1","stance":"agree","proposal":null,"why":"it is clear","changed_because":null}],"corrections":[],"questions":[],"new_issues":[],"coach":null}"#;
        speaks.then(|| Reply::Text(answer.to_owned()))
    })
}

#[test]
fn a_proposal_is_nudged_then_confirmed_by_enter() {
    let (place, fake) = (Place::new(), proposing());
    let mut terminal = on_terminal(&place, &fake, &["plan", WISH]);
    terminal.sees("RP proposes to end the discussion");
    terminal.sees("Enter ends it");
    terminal.types("");
    let screen = terminal.ends(7);
    assert!(
        screen.contains("RP is nudged (end proposed too early)"),
        "{screen}"
    );
    let push = &place.events("v1", "diligence_push")[0];
    assert_eq!(
        (&push["kind"], &push["role"]),
        (&"prompting_msg".into(), &"user".into())
    );
    assert_eq!(
        place.events("v1", "end_proposal")[0]["agent_name"],
        "RiskPlanner"
    );
    assert_eq!(place.events("v1", "end_decision")[0]["by"], "terminal");
    assert_eq!(place.events("v1", "guard_fired")[0]["guard"], "proposal");
    assert!(!place.text("v1/speeches/RP_speak_r1.txt").contains("END"));
    assert!(!place.text("v1/planning_report.md").contains("END"));
}

/// After a kill at the question, the question is asked again and no recorded call is repeated, with
/// or without a user.
#[test]
fn a_kill_between_proposal_and_confirmation_asks_again() {
    for watched in [true, false] {
        let (place, fake) = (Place::new(), proposing());
        let terminal = on_terminal(&place, &fake, &["plan", WISH]);
        terminal.sees("Enter ends it");
        terminal.signal("KILL");
        terminal.closes();
        assert_eq!(place.events("v1.draft", "end_decision").len(), 0);
        let by = if watched {
            let mut again = on_terminal(&place, &fake, &["resume", "v1"]);
            again.sees("Enter ends it");
            again.types("");
            again.ends(7);
            "terminal"
        } else {
            // A blocking issue is open, so without a user the proposal has no effect.
            let ran = place.run_with(&fake, &["resume", "v1", "--questions", "assume"]);
            ran.ends(0);
            "unattended"
        };
        assert_eq!(place.events("v1", "end_proposal").len(), 1);
        let decided = place.events("v1", "end_decision");
        assert_eq!((decided.len(), &decided[0]["by"]), (1, &by.into()));
        assert_eq!(place.events("v1", "diligence_push").len(), 1);
        let asked = fake.counts().into_iter();
        // Each process requests the list of models once.
        for (key, times) in asked.filter(|(key, _)| key != "models") {
            // The proposal, and the answer to the nudge.
            let usual = if key == "speech/RiskPlanner/r1" { 2 } else { 1 };
            assert_eq!(times, usual, "{key}");
        }
    }
}

#[test]
fn words_in_place_of_enter_decline_a_proposal() {
    let (place, fake) = (Place::new(), proposing());
    let mut terminal = on_terminal(&place, &fake, &["plan", WISH]);
    terminal.sees("Enter ends it");
    terminal.types("Not before the limit is settled");
    terminal.ends(0);
    let decided = &place.events("v1", "end_decision")[0];
    assert_eq!(decided["confirmed"], false);
    assert_eq!(decided["reason"], "Not before the limit is settled");
    let summary = fake.asked("summary/")[0].text();
    assert!(summary.contains("Not before the limit is settled"));
}
