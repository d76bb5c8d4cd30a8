//! A run on a terminal: the screen during and after the run.

mod conventions;
mod jobs;
mod streams;
mod typing;
mod withdrawn;

use crate::support::binary::{Place, wait_until};
use crate::support::fake::{Fake, Reply, WorkshopScript, workshop};
use crate::support::terminal::{Closed, OnTerminal};

const WISH: &str = "Export the customer list as CSV";
const SECOND: &str = "speech/SystemDesigner/r1";

/// Frames of the spinner; none may remain.
const BEATS: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/// A workshop that asks one question and agrees in round 2.
fn asking() -> Fake {
    Fake::start(workshop(WorkshopScript::asking(1)))
}

/// A workshop whose second speaker waits until the test continues.
fn pausing() -> Fake {
    Fake::holding(WorkshopScript::default(), &[SECOND])
}

/// Nothing of the live region remains, and the terminal's modes are restored.
#[track_caller]
fn is_clean(closed: &Closed) {
    let left = closed.rows.iter().find(|row| row.contains(BEATS));
    assert_eq!(left, None, "{:#?}", closed.rows);
    let is_hint = |row: &&String| row.starts_with("› type") || row.starts_with("› 输入要");
    let hint = closed.rows.iter().find(is_hint);
    assert_eq!(hint, None, "{:#?}", closed.rows);
    assert!(closed.was_restored, "the terminal's modes");
    assert!(!closed.marks_pastes, "what is pasted is marked no more");
}

#[test]
fn a_run_with_a_question_at_every_width_in_both_languages() {
    for (lang, question, read, closing) in [
        (
            "en",
            "? Q-1 PP asks",
            "Enter takes the recommended answer",
            "v1 is published: agreed after 2 rounds",
        ),
        (
            "zh",
            "? Q-1 PP 提问",
            "回车采用建议的答案",
            "v1 已发布：2 轮后达成一致",
        ),
    ] {
        for columns in [60, 80, 120] {
            let (place, fake) = (Place::new(), asking());
            let command = place.command_with(&fake, &["plan", WISH, "--lang", lang]);
            let mut terminal = OnTerminal::sized(command, (columns, 24));
            terminal.has(read, |row| row.contains(read));
            terminal.presses("一万行，\u{1f600} 不");
            terminal.has("what was typed", |row| {
                row.ends_with("一万行，\u{1f600} 不")
            });
            terminal.types("\x7f全部");
            let closed = terminal.closes_with(0);
            is_clean(&closed);
            for (text, times) in [
                (question, 1),
                ("› Q-1 一万行，\u{1f600} 全部", 1),
                (closing, 1),
            ] {
                assert_eq!(
                    closed.holding(text).len(),
                    times,
                    "{text} in {:#?}",
                    closed.rows
                );
            }
            // The typed text stays after its question, on one row or several.
            let all = closed.rows.concat().replace(' ', "");
            assert_eq!(all.matches("一万行，\u{1f600}全部").count(), 2, "{all}");
            // Each member's result is printed on one line, once, whatever was drawn below it.
            for code in ["PP", "SD", "Dev", "TP", "RP"] {
                let lines = closed
                    .rows
                    .iter()
                    .filter(|row| row.starts_with(&format!("✓ {code} ")));
                assert_eq!(lines.count(), 3, "{code} in {:#?}", closed.rows);
            }
        }
    }
}

#[test]
fn the_region_follows_the_window() {
    let width = |row: &str| unicode_width::UnicodeWidthStr::width(row.trim_end());
    let wide = |row: &str| row.starts_with(BEATS).then(|| width(row));
    for (lang, header) in [("en", "Round 1 · "), ("zh", "第 1 轮 · ")] {
        for (before, after) in [(60, 80), (80, 120), (120, 60)] {
            let (place, fake) = (Place::new(), pausing());
            let command = place.command_with(&fake, &["plan", WISH, "--lang", lang]);
            let terminal = OnTerminal::sized(command, (before, 24));
            let fills = |columns: u16| move |row: &str| wide(row) == Some(usize::from(columns) - 1);
            terminal.has("the width it began with", fills(before));
            terminal.resize(after, 30);
            terminal.has("the width it was given", fills(after));
            fake.lets_go();
            let closed = terminal.closes_with(0);
            is_clean(&closed);
            assert_eq!(closed.holding(header).len(), 1, "{:#?}", closed.rows);
        }
    }
}

/// After a change of size, output is wrapped for the new width: no word is cut, and further rows of
/// a paragraph are indented.
#[test]
fn what_is_asked_and_summed_up_follows_the_window() {
    let fake = Fake::holding(WorkshopScript::asking(1), &["speech/ProductPlanner/r1"]);
    let place = Place::new();
    let command = place.command_with(&fake, &["plan", WISH]);
    let mut terminal = OnTerminal::sized(command, (120, 24));
    terminal.has("the width it began with", |row| {
        row.starts_with(BEATS) && row.trim_end().chars().count() == 119
    });
    terminal.resize(60, 30);
    terminal.has("the width it was given", |row| {
        row.starts_with(BEATS) && row.trim_end().chars().count() == 59
    });
    fake.lets_go();
    terminal.sees("takes the recommended answer");
    terminal.types("");
    let closed = terminal.closes_with(0);
    let paragraphs = closed.rows.split(|row| row.starts_with("Enter takes"));
    let paragraphs: Vec<&[String]> = paragraphs.collect();
    let from = |rows: &[String], first: &str| {
        let at = rows.iter().position(|row| row.starts_with(first)).unwrap();
        rows[at + 1..].to_vec()
    };
    let asked = from(paragraphs[0], "? Q-1");
    let summed_up = from(paragraphs[1], "✓ v1 is published");
    assert!(asked.len() > 2 && summed_up.len() > 4, "{:#?}", closed.rows);
    for row in asked.iter().chain(&summed_up) {
        // A path is not split; the terminal wraps it.
        assert!(!row.contains(' ') || row.starts_with("  "), "{row:?}");
    }
}

#[test]
fn an_interrupt_leaves_the_screen_and_the_terminal_as_they_should_be() {
    let sizes = [
        (60, "en"),
        (80, "en"),
        (120, "en"),
        (60, "zh"),
        (80, "zh"),
        (120, "zh"),
    ];
    for (signals, (columns, lang)) in [1, 2, 1, 2, 1, 2].into_iter().zip(sizes) {
        let script = workshop(WorkshopScript::default());
        let fake = Fake::start(move |seen| match seen.key == SECOND {
            true => Reply::HangBeforeHeaders,
            false => script(seen),
        });
        let place = Place::new();
        let command = place.command_with(&fake, &["plan", WISH, "--lang", lang]);
        let terminal = OnTerminal::sized(command, (columns, 24));
        terminal.has("the second speaker", |row| {
            row.starts_with(BEATS) && row.contains("SD")
        });
        assert!(
            !terminal.is_as_it_was(),
            "keys are read one by one meanwhile"
        );
        for _ in 0..signals {
            terminal.signal("INT");
        }
        let closed = terminal.closes_with(130);
        is_clean(&closed);
        assert_eq!(closed.holding("✓ PP ").len(), 1, "{:#?}", closed.rows);
    }
}

#[test]
fn an_error_ends_below_what_was_printed() {
    let script = workshop(WorkshopScript::default());
    let fake = Fake::start(move |seen| match script(seen) {
        _ if seen.key == SECOND => Reply::status(401, Vec::new(), "{}"),
        reply => reply,
    });
    let place = Place::new();
    let command = place.command_with(&fake, &["plan", WISH]);
    let closed = OnTerminal::sized(command, (80, 24)).closes();
    assert_ne!(closed.code, 0, "{:#?}", closed.rows);
    is_clean(&closed);
    let at = |text: &str| closed.rows.iter().position(|row| row.contains(text));
    assert!(
        at("✓ PP ").unwrap() < at("error[E-").unwrap(),
        "{:#?}",
        closed.rows
    );
}

#[test]
fn what_is_typed_while_somebody_speaks_is_readable_and_reaches_the_members() {
    let (place, fake) = (Place::new(), pausing());
    let command = place.command_with(&fake, &["plan", WISH]);
    let mut terminal = OnTerminal::sized(command, (80, 24));
    fake.awaits(SECOND, 1);
    terminal.presses("Leave the 应用 oux");
    terminal.has("the line", |row| row == "› Leave the 应用 oux");
    terminal.presses("\x7ft\n");
    terminal.is_heard();
    fake.lets_go();
    let closed = terminal.closes_with(0);
    is_clean(&closed);
    assert_eq!(
        closed.holding("› Leave the 应用 out").len(),
        1,
        "{:#?}",
        closed.rows
    );
    assert_eq!(
        closed.holding("you: Leave the 应用 out").len(),
        1,
        "{:#?}",
        closed.rows
    );
    let later = &fake.asked("speech/RiskPlanner/r1")[0];
    assert!(later.text().contains("Leave the 应用 out"));
}

#[test]
fn lines_typed_at_once_are_all_heard_and_none_is_left_to_the_shell() {
    let (place, fake) = (Place::new(), pausing());
    let command = place.command_with(&fake, &["plan", WISH]);
    let mut terminal = OnTerminal::sized(command, (80, 24));
    fake.awaits(SECOND, 1);
    terminal.presses("one\n\ntwo\x1b[A\nthree");
    terminal.is_heard();
    fake.lets_go();
    let closed = terminal.closes_with(0);
    for text in ["you: one", "you: two", "[E] end now"] {
        assert_eq!(
            closed.holding(text).len(),
            1,
            "{text} in {:#?}",
            closed.rows
        );
    }
}

#[test]
fn the_demonstration_is_watched_in_either_language() {
    for (lang, speaks, end) in [
        ("en", "speaks", "v2 is published"),
        ("zh", "发言", "v2 已发布"),
    ] {
        let place = Place::new();
        let terminal = OnTerminal::sized(place.command(&["demo", "--lang", lang]), (80, 24));
        terminal.has("a speaker", |row| {
            row.starts_with(BEATS) && row.contains(speaks)
        });
        let closed = terminal.closes_with(0);
        is_clean(&closed);
        assert_eq!(closed.holding(end).len(), 1, "{:#?}", closed.rows);
    }
}
