//! Codes 130 and 143: a run that is ended by a signal.

use super::{WISH, asked_once_but, holding, published};
use crate::support::binary::{Going, Place, wait_until};
use crate::support::fake::Reply;

const HELD: &str = "speech/SystemDesigner/r1";

/// Installs a handler, so that child processes receive SIGHUP: under `nohup` they would inherit
/// that it is ignored.
fn with_hangups() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let _inside = runtime.enter();
    drop(tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup()).unwrap());
}

#[test]
fn codes_130_and_143_leave_a_draft_that_goes_on() {
    with_hangups();
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 143)] {
        let (place, fake) = (Place::new(), holding(HELD));
        let going = place.start_with(&fake, &["plan", WISH]);
        fake.awaits(HELD, 1);
        going.signal(signal);
        let ran = going.end().ends(code);
        wait_until("the call to be given up", || fake.abandoned() == 1);
        assert_eq!(ran.out, "", "{ran:#?}");
        assert!(ran.err.contains("`aitc resume` goes on"), "{ran:#?}");
        assert_eq!(place.versions(), ["v1.draft"]);
        assert!(!place.outputs(".v1.lock").exists(), "the run is free");
        place.run(&["verify"]).ends(0);
        let started = place.transcript("v1.draft");
        assert_eq!(started.last().unwrap()["phase"], "call_started");
        let ran = place.run_with(&fake, &["resume"]).ends(0);
        published(&place, &ran);
        asked_once_but(&fake, &[HELD]);
    }
}

/// `nohup aitc plan …` continues after its terminal is closed.
#[test]
fn who_asks_for_it_is_not_ended_by_a_hangup() {
    let (place, fake) = (Place::new(), holding(HELD));
    let plan = place.command_with(&fake, &["plan", WISH]);
    let mut shell = std::process::Command::new("/bin/sh");
    shell
        .args(["-c", "trap '' HUP; exec \"$0\" \"$@\""])
        .arg(plan.get_program());
    shell.args(plan.get_args()).env_clear();
    shell.envs(
        plan.get_envs()
            .filter_map(|(name, value)| Some((name, value?))),
    );
    shell.current_dir(plan.get_current_dir().unwrap());
    let going = Going::start(shell);
    fake.awaits(HELD, 1);
    // The first signal decides the exit code; a hangup would give 143.
    going.signal("HUP");
    going.signal("INT");
    going.end().ends(130);
}

#[test]
fn a_signal_ends_a_wait_for_the_provider() {
    // The provider asks to wait a minute before the next attempt.
    let fake = super::faulty(|seen| {
        let wait = vec![("retry-after", "60".to_owned())];
        (seen.key == HELD && seen.times == 1).then(|| Reply::status(429, wait, "{}"))
    });
    let place = Place::new();
    let going = place.start_with(&fake, &["plan", WISH]);
    wait_until("the failure on record", || {
        let path = place.outputs("v1.draft/planning_transcript.jsonl");
        std::fs::read_to_string(path).is_ok_and(|text| text.contains("\"call_failed\""))
    });
    let since = std::time::Instant::now();
    going.signal("INT");
    going.end().ends(130);
    assert!(since.elapsed().as_secs() < 20);
    let ran = place.run_with(&fake, &["resume"]).ends(0);
    published(&place, &ran);
}

/// A partial answer is discarded: the signal aborts the call, and the next process repeats it.
#[test]
fn a_signal_gives_up_an_answer_that_is_being_read() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let fake = super::faulty(|seen| {
            let half = "{\"analysis\": \"half of".to_owned();
            (seen.key == HELD && seen.times == 1).then_some(Reply::HangInStream(half))
        });
        let place = Place::new();
        let going = place.start_with(&fake, &["plan", WISH]);
        fake.awaits(HELD, 1);
        assert_eq!(fake.abandoned(), 0);
        going.signal(signal);
        going.end().ends(code);
        wait_until("the call to be given up", || fake.abandoned() == 1);
        let ran = place.run_with(&fake, &["resume"]).ends(0);
        published(&place, &ran);
        asked_once_but(&fake, &[HELD]);
    }
}

/// The command has nothing to save, so it ends at the first signal.
#[test]
fn a_look_at_an_endpoint_ends_at_the_first_signal() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let fake = super::faulty(|_| Some(Reply::HangBeforeHeaders));
        let place = Place::new();
        let going = place.start_with(&fake, &["doctor", "--online"]);
        wait_until("the call", || {
            fake.counts().keys().any(|key| key != "models")
        });
        going.signal(signal);
        going.end().ends(code);
    }
}
