//! Codes 8 and 9: an answer by the user is needed, or another process has locked the run.

use super::{WISH, asked_once_but, holding, published};
use crate::support::binary::{Going, Place, files_below, wait_until};
use crate::support::fake::{Fake, Reply, WorkshopScript, workshop};

#[test]
fn code_9_the_run_is_held_by_another_process() {
    const HELD: &str = "speech/SystemDesigner/r1";
    let fake = holding(HELD);
    let place = Place::new();
    let first = place.start_with(&fake, &["plan", WISH]);
    fake.awaits(HELD, 1);
    // `state.md` is written while the call is in progress.
    wait_until("the files to catch up", || {
        let transcript = place.text("v1.draft/planning_transcript.jsonl");
        let last = transcript.lines().last().unwrap_or_default();
        let last: serde_json::Value = serde_json::from_str(last).unwrap_or_default();
        let ts = last["ts"].as_str().unwrap_or("?").to_owned();
        place.text("v1.draft/state.md").contains(&ts)
    });
    let before = files_below(place.work());
    for second in [&["resume"][..], &["resume", "v1"], &["verify", "--repair"]] {
        let ran = place.run_with(&fake, second);
        ran.fails(9, &["in use by process", "since 20"]);
    }
    assert_eq!(files_below(place.work()), before, "unchanged");
    assert_eq!(fake.calls(HELD), 1);
    first.kill();
    let ran = place.run_with(&fake, &["resume"]).ends(0);
    published(&place, &ran);
    asked_once_but(&fake, &[HELD]);
}

#[test]
fn two_processes_take_up_one_draft_and_one_gets_9() {
    const HELD: &str = "speech/SystemDesigner/r1";
    // The second request is held, so that both processes run at the same time.
    let script = workshop(WorkshopScript::default());
    let fake = Fake::start(move |seen| match (seen.key.as_str(), seen.times) {
        (HELD, 1) => Reply::HangBeforeHeaders,
        (HELD, _) => Reply::Held(Box::new(script(seen))),
        _ => script(seen),
    });
    let place = Place::new();
    let first = place.start_with(&fake, &["plan", WISH]);
    fake.awaits(HELD, 1);
    first.kill();
    let mut both: Vec<Going> = (0..2)
        .map(|_| place.start_with(&fake, &["resume", "v1"]))
        .collect();
    wait_until("one of them to give way", || {
        both.iter_mut().any(Going::is_over)
    });
    fake.lets_go();
    let mut codes: Vec<i32> = both.into_iter().map(|one| one.end().code).collect();
    codes.sort_unstable();
    assert_eq!(codes, [0, 9]);
    assert_eq!(place.versions(), ["v1"]);
    asked_once_but(&fake, &[HELD]);
}
