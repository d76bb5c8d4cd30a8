//! Environment variables that affect the display.

use std::process::Command;
use std::time::Duration;

use super::*;
use crate::support::terminal::frames;

fn command(place: &Place, fake: &Fake, arguments: &[&str], variables: &[(&str, &str)]) -> Command {
    let mut command = place.command_with(fake, &["plan", WISH, "--questions", "assume"]);
    command.args(arguments).env_remove("COLUMNS");
    command.env("TERM", "xterm-256color");
    command.envs(variables.iter().copied());
    command
}

/// A run whose second speaker continues after `seen` has returned.
fn run(arguments: &[&str], variables: &[(&str, &str)], seen: impl FnOnce(&OnTerminal)) -> Closed {
    let (place, fake) = (Place::new(), pausing());
    let command = command(&place, &fake, arguments, variables);
    let terminal = OnTerminal::all_of(command, (100, 30));
    fake.awaits(SECOND, 1);
    seen(&terminal);
    fake.lets_go();
    let closed = terminal.closes_with(0);
    is_clean(&closed);
    closed
}

/// Waits until the live region was drawn several times.
fn a_few_frames(terminal: &OnTerminal) {
    wait_until("a few frames", || frames(&terminal.screen()) > 2);
}

/// Waits as long as several frames would take.
fn a_while(_: &OnTerminal) {
    std::thread::sleep(Duration::from_millis(400));
}

#[test]
fn a_terminal_has_colours_and_what_goes_on() {
    let closed = run(&[], &[], a_few_frames);
    assert!(closed.bytes.contains("\x1b[32m"), "{}", closed.bytes);
}

#[test]
fn no_color_draws_without_colours() {
    let closed = run(&[], &[("NO_COLOR", "1")], a_few_frames);
    let coloured = closed.bytes.split("\x1b[").skip(1).any(|rest| {
        rest.split_once('m')
            .is_some_and(|(codes, _)| codes.chars().all(|c| c.is_ascii_digit() || c == ';'))
    });
    assert!(!coloured, "{}", closed.bytes);
}

#[test]
fn nothing_is_drawn_over_where_it_cannot_be_or_nobody_looks() {
    for (arguments, variables) in [
        (&[][..], &[("TERM", "dumb")][..]),
        (&[], &[("TERM", "")]),
        (&[], &[("CI", "true")]),
        (&["--plain"], &[]),
        (&["-q"], &[]),
        (&["--json"], &[]),
    ] {
        let closed = run(arguments, variables, a_while);
        assert_eq!(closed.frames(), 0, "{arguments:?} {variables:?}");
        for sequence in ["\x1b[A", "\x1b[K", "\x1b[J", "\x1b[1A", "\r\x1b"] {
            assert!(
                !closed.bytes.contains(sequence),
                "{arguments:?} {variables:?}"
            );
        }
    }
}

#[test]
fn quiet_says_only_where_the_version_is() {
    let closed = run(&["-q"], &[], |_| {});
    assert_eq!(closed.rows, [".ai-tools-chain/planning_outputs/v1"]);
}

#[test]
fn columns_of_the_user_hold_whatever_the_window_is() {
    let (place, fake) = (Place::new(), pausing());
    let command = command(&place, &fake, &[], &[("COLUMNS", "60")]);
    let terminal = OnTerminal::all_of(command, (100, 30));
    terminal.has("the region", |row| {
        row.starts_with(BEATS) && row.chars().count() == 59
    });
    fake.lets_go();
    let closed = terminal.closes();
    let printed = closed
        .rows
        .iter()
        .filter(|row| !row.contains("planning_outputs"));
    let widest = printed
        .map(|row| unicode_width::UnicodeWidthStr::width(row.as_str()))
        .max();
    assert!(widest <= Some(60), "{:#?}", closed.rows);
}

/// In a very wide window lines are limited to a readable width, unless `COLUMNS` sets another one.
#[test]
fn a_very_wide_window_is_not_written_full() {
    for (told, wanted) in [(None, 119), (Some("200"), 199)] {
        let (place, fake) = (Place::new(), pausing());
        let told = told.map(|columns| ("COLUMNS", columns));
        let variables: Vec<_> = told.into_iter().collect();
        let command = command(&place, &fake, &[], &variables);
        let terminal = OnTerminal::all_of(command, (200, 30));
        terminal.has("the region", |row| {
            row.starts_with(BEATS) && row.trim_end().chars().count() == wanted
        });
        fake.lets_go();
        let closed = terminal.closes();
        let longest = closed.rows.iter().map(|row| row.chars().count()).max();
        assert!(longest <= Some(wanted + 1), "{:#?}", closed.rows);
        assert_eq!(closed.holding("Round 1 · ").len(), 1, "{:#?}", closed.rows);
    }
}

/// A CI job may have a terminal but no user: its questions are written to a file.
#[test]
fn nobody_is_asked_in_a_job() {
    let place = Place::new();
    let fake = Fake::start(workshop(WorkshopScript::asking(1)));
    let mut command = place.command_with(&fake, &["plan", WISH]);
    command.env_remove("COLUMNS");
    command.envs([("TERM", "xterm-256color"), ("CI", "true")]);
    let closed = OnTerminal::all_of(command, (100, 30)).closes();
    assert_eq!(closed.code, 8, "{:#?}", closed.rows);
    assert!(place.outputs("v1.draft/questions.md").exists());
}
