//! Whenever a process dies, the next one goes on as if it had not.

use std::collections::BTreeMap;
use std::sync::Arc;

use aitc::driver::Outcome;
use aitc::edge::fs::Fs;
use aitc::machine::{FirstRound, HAND, Inputs};

use super::{DRAFT, of_phase, usual};
use crate::support::binary::{Place, wait_until};
use crate::support::by_hand::{Hand, keep};
use crate::support::fault::{Fault, FaultFs};
use crate::support::normal::normalised;
use crate::support::run::{hold, inputs};
use crate::support::team::Team;

const BLIND: [&str; 8] = [
    "plan",
    "Export the customer list as CSV",
    "--provider",
    "hand",
    "--questions",
    "assume",
    "--first-round",
    "blind",
];

struct Held {
    files: BTreeMap<String, String>,
    prompts: BTreeMap<u32, String>,
    /// Processes that took the run up.
    processes: usize,
}

/// Holds the workshop; the process `n` is killed `after` it had written so many lines, for
/// each `(n, after)` of `kills`.
fn held(kills: &BTreeMap<usize, usize>) -> Held {
    let (place, hand) = (Place::new(), Hand::playing(usual()));
    let draft = place.work().join(DRAFT);
    let (mut prompts, mut processes) = (BTreeMap::new(), 0);
    let mut line: &[&str] = &BLIND;
    loop {
        processes += 1;
        let ran = match kills.get(&processes) {
            None => place.run(line),
            Some(after) => {
                let before = place.lines("v1.draft");
                let mut going = crate::support::binary::Going::start(place.command(line));
                wait_until("a line", || {
                    place.lines("v1.draft") > before + after
                        || place.lines("v1") > 0
                        || going.is_over()
                });
                going.kill()
            }
        };
        keep(&draft, &mut prompts);
        match ran.code {
            // Killed before there was anything to go on with, or while it was told.
            -9 if place.lines("v1.draft") + place.lines("v1") == 0 => continue,
            -9 => {}
            8 => {
                hand.answers(&draft);
            }
            code => {
                assert_eq!(code, 0, "{ran:#?}");
                break;
            }
        }
        line = &["resume"];
        if place.lines("v1") > 0 {
            break;
        }
        assert!(processes < 200);
    }
    place.run(&["verify", "v1"]).ends(0);
    let entries = place.transcript("v1");
    let started = of_phase(&entries, "call_started");
    let mut ids: Vec<_> = started
        .iter()
        .map(|call| call["call"].to_string())
        .collect();
    let all = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), all, "each call is started once");
    assert_eq!(prompts.len(), all, "and has one prompt");
    let run = entries[0]["run_id"].as_str().unwrap();
    let files = normalised(&place.outputs("v1")).into_iter();
    let mut files: BTreeMap<_, _> = files
        .map(|(path, text)| (path, text.replace(run, "RUN")))
        .collect();
    files.retain(|path, _| !path.contains(".torn-"));
    Held {
        files,
        prompts,
        processes,
    }
}

#[track_caller]
fn same(whole: &Held, found: &Held, when: &str) {
    for (n, page) in &whole.prompts {
        assert_eq!(found.prompts.get(n), Some(page), "prompt {n}, {when}");
    }
    for (path, text) in &whole.files {
        assert_eq!(found.files.get(path), Some(text), "{path}, {when}");
    }
    assert_eq!(whole.files.len(), found.files.len(), "{when}");
}

#[test]
fn kills_at_some_calls_change_nothing() {
    let whole = held(&BTreeMap::new());
    for after in 0..3 {
        let kills = [1, 2, 3, 6, whole.processes - 1, whole.processes];
        let kills = kills.into_iter().map(|n| (n, after)).collect();
        same(&whole, &held(&kills), &format!("after {after} lines"));
    }
}

#[test]
#[ignore = "slow: run with `cargo test --test suite -- --ignored`"]
fn slow_a_kill_at_every_call_changes_nothing() {
    let whole = held(&BTreeMap::new());
    for n in 1..=whole.processes {
        for after in 0..8 {
            let when = format!("process {n}, after {after} lines");
            same(&whole, &held(&BTreeMap::from([(n, after)])), &when);
        }
    }
    // And every second process, from the first and from the second on.
    for first in [1, 2] {
        let kills = (first..200).step_by(2).map(|n| (n, 0)).collect();
        same(&whole, &held(&kills), &format!("every second from {first}"));
    }
}

/// Holds the workshop on a disk with this fault, and goes on upon a whole one; also says
/// how many operations there were.
fn held_on(fault: Fault) -> (Held, usize) {
    let workspace = tempfile::tempdir().unwrap();
    let mut held_with = Inputs {
        first_round: FirstRound::Blind,
        ..inputs(workspace.path())
    };
    held_with.model.provider = HAND.to_owned();
    let faulty = FaultFs::new(fault).without_syncs();
    let mut fs: Arc<dyn Fs> = Arc::new(faulty.clone());
    let (team, hand) = (Arc::new(Team::default()), Hand::playing(usual()));
    let outputs = workspace.path().join(".ai-tools-chain/planning_outputs");
    let (draft, version) = (outputs.join("v1.draft"), outputs.join("v1"));
    let (mut prompts, mut processes) = (BTreeMap::new(), 0);
    while !version.exists() {
        processes += 1;
        assert!(processes < 200, "{fault:?}");
        let outcome = hold(Arc::clone(&fs), workspace.path(), &held_with, &team);
        keep(&draft, &mut prompts);
        match outcome {
            Ok(Outcome::NeedsReplies { .. }) => {
                hand.answers(&draft);
            }
            Ok(Outcome::Published { .. }) => {}
            Err(_) if faulty.crashed() => {
                fs = Arc::new(FaultFs::new(Fault::None).without_syncs());
            }
            other => panic!("{fault:?}: {other:?}"),
        }
    }
    let mut files = normalised(&version);
    files.retain(|path, _| !path.contains(".torn-"));
    let held = Held {
        files,
        prompts,
        processes,
    };
    (held, faulty.operations())
}

/// What a crash after an operation leaves is what one before the next finds.
fn cut_at(step: usize) {
    let (whole, operations) = held_on(Fault::None);
    assert!(operations > 300, "{operations}");
    for at in (0..operations).step_by(step) {
        for fault in [Fault::CrashBefore(at), Fault::CrashMiddle(at)] {
            same(&whole, &held_on(fault).0, &format!("{fault:?}"));
        }
    }
}

#[test]
fn a_crash_at_any_of_some_operations_changes_nothing() {
    cut_at(37);
}

#[test]
#[ignore = "slow: run with `cargo test --test suite -- --ignored`"]
fn slow_a_crash_at_every_third_operation_changes_nothing() {
    cut_at(3);
}
