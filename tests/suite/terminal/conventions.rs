//! Environment variables that affect the display.

use std::process::Command;

use super::*;

use super::withdrawn::asking_twice;

fn command(place: &Place, fake: &Fake, variables: &[(&str, &str)]) -> Command {
    let mut command = place.command_with(fake, &["plan", WISH, "--questions", "assume"]);
    command.env_remove("COLUMNS");
    command.env("TERM", "xterm-256color");
    command.envs(variables.iter().copied());
    command
}

#[test]
fn columns_of_the_user_hold_whatever_the_window_is() {
    let (place, fake) = (Place::new(), pausing());
    let command = command(&place, &fake, &[("COLUMNS", "60")]);
    let terminal = OnTerminal::all_of(command, (100, 30));
    terminal.has("the region", |row| {
        row.starts_with(BEATS) && row.chars().count() == 59
    });
    fake.lets_go();
    let closed = terminal.closes();
    let rows = closed.rows.iter();
    let printed = rows.filter(|row| !row.contains("planning_outputs"));
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
        let command = command(&place, &fake, &variables);
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

#[test]
fn questions_and_the_end_ring_the_bell_if_it_is_on() {
    for (on, mode, times) in [
        ("true", "ask", 3),
        ("true", "assume", 1),
        ("false", "ask", 0),
    ] {
        let (place, fake) = (Place::new(), asking_twice());
        let mut command = place.command_with(&fake, &["plan", "--questions", mode, WISH]);
        command.env("AITC_BELL", on);
        let mut terminal = OnTerminal::sized(command, (100, 60));
        let asked = if mode == "ask" { 2 } else { 0 };
        for question in ["Q-1 PP asks", "Q-2 PP asks"].into_iter().take(asked) {
            terminal.sees(question);
            terminal.types("ten");
        }
        assert_eq!(terminal.ends(0).matches('\x07').count(), times, "{mode}");
    }
}
