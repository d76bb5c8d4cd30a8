//! A question that is answered elsewhere while it is shown on the terminal: the line being typed is
//! not used for anything else, and stays visible.

use std::time::Duration;

use super::*;
use crate::support::binary::Ran;

const UNSENT: &str = "a line that was begun for it and not sent is not taken";

/// A workshop that asks two questions, one after the other.
pub(super) fn asking_twice() -> Fake {
    Fake::start(workshop(WorkshopScript::asking(2)))
}

/// A run that shows its first question, with half an answer typed.
fn begun(place: &Place, fake: &Fake, flags: &[&str]) -> OnTerminal {
    let command = place.command_with(fake, &[&["plan", WISH][..], flags].concat());
    let mut terminal = OnTerminal::sized(command, (100, 60));
    terminal.sees("Q-1 PP asks");
    terminal.presses("half a li");
    terminal.is_heard();
    terminal
}

pub(super) fn replies(place: &Place) -> Vec<(String, String)> {
    let text = place.text("v1/planning_transcript.jsonl");
    let lines = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let dialogue = lines.filter(|line| line["phase"] == "user_clarification_dialogue");
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    dialogue
        .map(|line| (text(&line["id"]), text(&line["user_reply"])))
        .collect()
}

fn said(place: &Place, line: &[&str]) -> Ran {
    place.run(line).ends(0)
}

#[test]
fn half_a_line_for_a_question_that_is_answered_elsewhere_answers_no_other() {
    for flags in [&[][..], &["--plain"]] {
        let (place, fake) = (Place::new(), asking_twice());
        let mut terminal = begun(&place, &fake, flags);
        said(&place, &["answer", "Q-1", "ten"]);
        terminal.sees("Q-2 PP asks");
        terminal.has("its prompt", |row| row.trim_end().ends_with("declines:"));
        let rows = terminal.rows();
        let prompts: Vec<_> = rows
            .iter()
            .filter(|row| row.contains("declines:"))
            .collect();
        assert!(prompts[0].ends_with("declines: half a li"), "{rows:#?}");
        assert!(prompts[1].trim_end().ends_with("declines:"), "{rows:#?}");
        for told in ["Q-1 has been answered", UNSENT] {
            assert!(rows.iter().any(|row| row == told), "{told}: {rows:#?}");
        }
        terminal.types("mine");
        terminal.closes_with(0);
        let expected = [("Q-1", "ten"), ("Q-2", "mine")];
        let expected = expected.map(|(id, reply)| (id.to_owned(), reply.to_owned()));
        assert_eq!(replies(&place), expected, "{flags:?}");
    }
}

/// If no other question follows, question and line disappear.
#[test]
fn a_question_that_is_answered_elsewhere_leaves_the_input_row() {
    let fake = Fake::holding(WorkshopScript::asking(1), &[SECOND]);
    let place = Place::new();
    let mut terminal = begun(&place, &fake, &[]);
    said(&place, &["answer", "Q-1", "ten"]);
    terminal.has("the second speaker", |row| row.starts_with(BEATS));
    terminal.has("an empty row", |row| row.starts_with("› type"));
    let rows = terminal.rows();
    let read = |row: &&String| row.contains("declines: half a li");
    assert_eq!(rows.iter().filter(read).count(), 1, "{rows:#?}");
    terminal.types("for the members");
    wait_until("the words", || {
        place.outputs("v1.draft/inbox").read_dir().unwrap().count() > 0
    });
    fake.lets_go();
    let closed = terminal.closes_with(0);
    assert_eq!(
        closed.holding("you: for the members").len(),
        1,
        "{:#?}",
        closed.rows
    );
    assert_eq!(replies(&place).len(), 1);
}

/// A message from elsewhere does not answer the question; it is taken after the answer.
#[test]
fn a_question_stays_as_it_is_whatever_else_is_sent() {
    let (place, fake) = (Place::new(), asking());
    let mut terminal = begun(&place, &fake, &[]);
    said(&place, &["say", "Mind the costs"]);
    // The run looks into its inbox every second.
    std::thread::sleep(Duration::from_millis(1_500));
    terminal.types("ne");
    let closed = terminal.closes_with(0);
    for (text, times) in [(UNSENT, 0), ("declines: ", 1), ("you: Mind the costs", 1)] {
        let rows = closed.holding(text);
        assert_eq!(rows.len(), times, "{text}: {:#?}", closed.rows);
    }
    assert_eq!(
        replies(&place),
        [("Q-1".to_owned(), "half a line".to_owned())]
    );
}

/// A stop from elsewhere withdraws the question; the line is not sent to the members.
#[test]
fn a_question_that_a_stop_takes_away_is_told() {
    let (place, fake) = (Place::new(), asking());
    let terminal = begun(&place, &fake, &[]);
    said(&place, &["stop"]);
    terminal.sees("Q-1 is not asked any more");
    terminal.sees(UNSENT);
    let closed = terminal.closes_with(7);
    assert!(
        !closed.holding("half a li").is_empty(),
        "{:#?}",
        closed.rows
    );
}
