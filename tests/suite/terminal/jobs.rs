//! A job that is stopped and continued, and progress lines where nothing is drawn.

use std::process::Command;

use super::*;
use crate::support::binary::wait_until;
use crate::support::programs::there;

/// A workshop whose second speaker never answers.
fn stuck() -> Fake {
    let script = workshop(WorkshopScript::default());
    Fake::start(move |seen| match seen.key == SECOND {
        true => Reply::HangBeforeHeaders,
        false => script(seen),
    })
}

/// `program` in a new session, with the variables of a run with `fake`; `None` if the programs are
/// missing.
fn in_session(program: &[&str], place: &Place, fake: &Fake) -> Option<Command> {
    if !there(&["setsid", "dash"]) {
        return None;
    }
    let run = place.command_with(fake, &[]);
    let mut command = Command::new("setsid");
    command.args(program).env_clear().current_dir(place.work());
    let variables = run.get_envs();
    command.envs(variables.filter_map(|(name, value)| Some((name, value?))));
    command.env("PATH", std::env::var_os("PATH").unwrap());
    command.env("PROGRAM", run.get_program()).env("WISH", WISH);
    Some(command)
}

fn speaks(row: &str) -> bool {
    row.starts_with(BEATS) && row.contains("SD")
}

#[test]
fn a_stopped_job_gives_the_terminal_back_and_draws_again_when_it_goes_on() {
    let (place, fake) = (Place::new(), stuck());
    // This shell leaves the terminal's modes to its jobs.
    let shell = ["--ctty", "--wait", "dash", "-i"];
    let Some(command) = in_session(&shell, &place, &fake) else {
        return;
    };
    let mut terminal = OnTerminal::sized(command, (80, 24));
    terminal.types("\"$PROGRAM\" plan \"$WISH\"");
    terminal.has("the second speaker", speaks);
    assert!(!terminal.is_as_it_was(), "keys come one by one");
    assert!(terminal.marks_pastes());
    terminal.presses("half a li\x1a");
    terminal.has("the shell", |row| row.contains("Stopped"));
    wait_until("the modes", || terminal.is_as_it_was());
    assert!(!terminal.marks_pastes());
    let left = terminal.rows().into_iter().find(|row| speaks(row));
    assert_eq!(left, None, "the region is erased");
    terminal.types("fg; exit $?");
    terminal.has("the second speaker again", speaks);
    terminal.has("what was typed", |row| row == "› half a li");
    wait_until("its modes", || !terminal.is_as_it_was());
    assert!(terminal.marks_pastes());
    terminal.presses("\x03");
    let closed = terminal.closes_with(130);
    is_clean(&closed);
    assert_eq!(closed.holding("✓ PP ").len(), 1, "{:#?}", closed.rows);
    assert_eq!(closed.holding("half a li").len(), 0, "{:#?}", closed.rows);
}

/// Reading the terminal from the background would stop the job.
#[test]
fn a_job_in_the_background_leaves_the_keys_to_the_shell() {
    let (place, fake) = (Place::new(), stuck());
    let shell = ["--ctty", "--wait", "dash", "-i"];
    let Some(command) = in_session(&shell, &place, &fake) else {
        return;
    };
    let mut terminal = OnTerminal::sized(command, (80, 24));
    terminal.types("\"$PROGRAM\" plan \"$WISH\" &");
    fake.awaits(SECOND, 1);
    terminal.types("echo heard by th''e shell >&2");
    terminal.has("what the shell says", |row| row == "heard by the shell");
    terminal.types("jobs >&2");
    terminal.has("the job", |row| row.contains("Running"));
    terminal.types("kill -INT $!; wait $!; exit $?");
    terminal.closes_with(130);
}

#[test]
fn where_nobody_could_let_it_go_on_it_is_not_stopped() {
    let (place, fake) = (Place::new(), stuck());
    let alone = ["--wait", "dash", "-c", "exec \"$PROGRAM\" plan \"$WISH\""];
    let Some(command) = in_session(&alone, &place, &fake) else {
        return;
    };
    let mut terminal = OnTerminal::sized(command, (80, 24));
    terminal.has("the second speaker", speaks);
    terminal.presses("\x1aon it goes");
    terminal.presses("\n");
    terminal.has("what was typed", |row| row.starts_with("› "));
    terminal.signal("INT");
    let closed = terminal.closes_with(130);
    is_clean(&closed);
}
