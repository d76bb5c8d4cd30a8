//! Input typed or pasted before a question is shown does not answer it.

use super::*;

use super::withdrawn::{asking_twice, replies};

const PASTE: &str = "\x1b[200~";
const PASTED: &str = "\x1b[201~";
const ALONG: &str = "ignored, because it arrived together with the answer: ";

fn run(place: &Place, fake: &Fake, flags: &[&str]) -> OnTerminal {
    let command = place.command_with(fake, &[&["plan", WISH][..], flags].concat());
    OnTerminal::sized(command, (100, 60))
}

fn answers(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let own = |(id, reply): &(&str, &str)| ((*id).to_owned(), (*reply).to_owned());
    pairs.iter().map(own).collect()
}

#[test]
fn of_several_lines_that_come_at_once_the_first_answers_and_no_other_does() {
    for flags in [&[][..], &["--plain"]] {
        let (place, fake) = (Place::new(), asking_twice());
        let mut terminal = run(&place, &fake, flags);
        terminal.sees("Q-1 PP asks");
        terminal.presses("ten\nall of them\nquit\nbegun");
        terminal.sees("Q-2 PP asks");
        for line in ["all of them", "quit"] {
            terminal.sees(&format!("{ALONG}{line}"));
        }
        terminal.types("mine");
        let closed = terminal.closes_with(0);
        assert_eq!(
            replies(&place),
            answers(&[("Q-1", "ten"), ("Q-2", "mine")]),
            "{flags:?}"
        );
        assert_eq!(closed.holding("you: ").len(), 0, "{:#?}", closed.rows);
    }
}

#[test]
fn what_is_pasted_is_one_answer_and_is_sent_by_enter() {
    let (place, fake) = (Place::new(), asking_twice());
    let mut terminal = run(&place, &fake, &[]);
    terminal.sees("Q-1 PP asks");
    assert!(terminal.marks_pastes());
    terminal.presses(&format!("{PASTE}ten\rfor admins\r{PASTED}"));
    terminal.has("the paste", |row| {
        row.ends_with("declines: ten ↵ for admins")
    });
    terminal.is_heard();
    assert!(!terminal.screen().contains("Q-2"), "nothing was sent yet");
    terminal.types(", both");
    terminal.sees("Q-2 PP asks");
    terminal.types("mine");
    let closed = terminal.closes_with(0);
    let expected = answers(&[("Q-1", "ten\nfor admins, both"), ("Q-2", "mine")]);
    assert_eq!(replies(&place), expected);
    is_clean(&closed);
}

#[test]
fn words_half_typed_for_the_members_are_no_answer_and_come_back() {
    let held = &["speech/ProductPlanner/r1", SECOND];
    let fake = Fake::holding(WorkshopScript::asking(1), held);
    let place = Place::new();
    let mut terminal = run(&place, &fake, &[]);
    fake.awaits("speech/ProductPlanner/r1", 1);
    terminal.presses("Mind the co");
    terminal.has("the line", |row| row == "› Mind the co");
    fake.lets_go_of("speech/ProductPlanner/r1");
    terminal.has("an empty field", |row| {
        row.trim_end().ends_with("declines:")
    });
    terminal.types("ten");
    terminal.has("the line again", |row| row == "› Mind the co");
    terminal.types("sts");
    terminal.is_heard();
    fake.lets_go();
    let closed = terminal.closes_with(0);
    assert_eq!(replies(&place), answers(&[("Q-1", "ten")]));
    assert_eq!(
        closed.holding("you: Mind the costs").len(),
        1,
        "{:#?}",
        closed.rows
    );
}
