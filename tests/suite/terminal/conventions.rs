//! What the environment asks for.

use std::process::Command;

use super::*;

fn command(place: &Place, fake: &Fake, arguments: &[&str], variables: &[(&str, &str)]) -> Command {
    let mut command = place.command_with(fake, &["plan", WISH, "--questions", "assume"]);
    command.args(arguments).env_remove("COLUMNS");
    command.env("TERM", "xterm-256color");
    command.envs(variables.iter().copied());
    command
}

fn run(arguments: &[&str], variables: &[(&str, &str)]) -> Closed {
    let (place, fake) = (Place::new(), pausing(Duration::from_secs(1)));
    let command = command(&place, &fake, arguments, variables);
    let closed = OnTerminal::all_of(command, (100, 30)).closes();
    assert_eq!(closed.code, 0, "{:#?}", closed.rows);
    is_clean(&closed);
    closed
}

#[test]
fn a_terminal_has_colours_and_what_goes_on() {
    let closed = run(&[], &[]);
    assert!(
        closed.frames() > 2 && closed.bytes.contains("\x1b[32m"),
        "{}",
        closed.bytes
    );
}

#[test]
fn no_color_draws_without_colours() {
    let closed = run(&[], &[("NO_COLOR", "1")]);
    assert!(closed.frames() > 2);
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
        let closed = run(arguments, variables);
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
    let closed = run(&["-q"], &[]);
    assert_eq!(closed.rows, [".ai-tools-chain/planning_outputs/v1"]);
}

#[test]
fn columns_of_the_user_hold_whatever_the_window_is() {
    let (place, fake) = (Place::new(), pausing(Duration::from_secs(1)));
    let command = command(&place, &fake, &[], &[("COLUMNS", "60")]);
    let terminal = OnTerminal::all_of(command, (100, 30));
    terminal.has("the region", |row| {
        row.starts_with(BEATS) && row.chars().count() == 59
    });
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
