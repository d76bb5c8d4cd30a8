//! `--provider hand`: after a process dies at any point, the next one continues without a difference
//! in the result.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use aitc::driver::Outcome;
use aitc::machine::{FirstRound, HAND};

use crate::support::binary::{Place, wait_until};
use crate::support::by_hand::{Hand, keep};
use crate::support::fake::WorkshopScript;
use crate::support::fault::{Fault, FaultFs};
use crate::support::left::Kept;
use crate::support::normal::normalised;
use crate::support::run::{hold, inputs};
use crate::support::team::Team;

const DRAFT: &str = ".ai-tools-chain/planning_outputs/v1.draft";
const VERSION: &str = ".ai-tools-chain/planning_outputs/v1";

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

/// Two rounds, questions, and one unusable reply.
fn usual() -> WorkshopScript {
    WorkshopScript {
        questions: 1,
        bad_replies: vec!["speech/SeniorDeveloper/r2".to_owned()],
        ..WorkshopScript::default()
    }
}

struct Held {
    files: BTreeMap<String, String>,
    prompts: BTreeMap<u32, String>,
    /// Number of processes that worked on the run.
    processes: usize,
    /// What each process left when it stopped for replies, by the number of prompts.
    stops: Stops,
}

/// Files by path, by the number of prompts.
type Stops = BTreeMap<usize, BTreeMap<String, String>>;

/// Plays the workshop. For each `(n, after)` in `kills`, process `n` is killed after it has written
/// more than `after` lines.
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
            // Killed before there was anything to resume, or before the first line was complete.
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
    let started = place.events("v1", "call_started");
    let mut ids: Vec<_> = started
        .iter()
        .map(|call| call["call"].to_string())
        .collect();
    let all = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), all, "each call is started once");
    assert_eq!(prompts.len(), all, "and has one prompt");
    let run = place.transcript("v1")[0]["run_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let files = normalised(&place.outputs("v1")).into_iter();
    let mut files: BTreeMap<_, _> = files
        .map(|(path, text)| (path, text.replace(&run, "RUN")))
        .collect();
    files.retain(|path, _| !path.contains(".torn-"));
    Held {
        files,
        prompts,
        processes,
        stops: Stops::new(),
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

/// Every second process is killed after a certain number of lines, so each step is started by a
/// process that dies and completed by the next.
#[test]
#[ignore = "slow: run with `cargo test --test suite -- --ignored`"]
fn slow_a_kill_at_every_call_changes_nothing() {
    let whole = held(&BTreeMap::new());
    for after in 0..8 {
        let kills = (1..200).step_by(2).map(|n| (n, after)).collect();
        same(&whole, &held(&kills), &format!("after {after} lines"));
    }
}

/// Completes a run with as many processes as it needs; stores the number of prompts after each of
/// them in `kept`.
///
/// Ends without files as soon as a process has left what a process of another run left that is in
/// `of_another`: from there on the runs are the same.
fn goes_on(
    workspace: &Path,
    fs: &FaultFs,
    mut prompts: BTreeMap<u32, String>,
    kept: &AtomicUsize,
    of_another: &Stops,
) -> Held {
    let mut held_with = inputs(workspace);
    held_with.rules.first_round = FirstRound::Blind;
    held_with.model.provider = HAND.to_owned();
    let (team, hand) = (Arc::new(Team::default()), Hand::playing(usual()));
    let (draft, version) = (workspace.join(DRAFT), workspace.join(VERSION));
    let (mut processes, mut stops) = (0, Stops::new());
    keep(&draft, &mut prompts);
    while !version.exists() {
        processes += 1;
        assert!(processes < 200);
        let outcome = hold(Arc::new(fs.clone()), workspace, &held_with, &team);
        keep(&draft, &mut prompts);
        kept.store(prompts.len(), Ordering::SeqCst);
        match outcome {
            Ok(Outcome::NeedsReplies { .. }) => {
                let mut left = untorn(&draft);
                // What a crash left of a file being written is removed when the run is published.
                left.retain(|path, _| !path.ends_with(".tmp"));
                if of_another.get(&prompts.len()) == Some(&left) {
                    return Held {
                        files: BTreeMap::new(),
                        prompts,
                        processes,
                        stops,
                    };
                }
                stops.insert(prompts.len(), left);
                hand.answers(&draft);
            }
            Ok(Outcome::Published { .. }) => {}
            other => panic!("{other:?}"),
        }
    }
    Held {
        files: untorn(&version),
        prompts,
        processes,
        stops,
    }
}

fn untorn(folder: &Path) -> BTreeMap<String, String> {
    let mut files = normalised(folder);
    files.retain(|path, _| !path.contains(".torn-"));
    files
}

/// Resumes from every `step`th state that a crash can leave; each run goes to its end, or with
/// `until_same` to where it is as if nothing had happened.
fn cut_at(step: usize, until_same: bool) {
    let workspace = tempfile::tempdir().unwrap();
    let prompts = Arc::new(AtomicUsize::new(0));
    let noted = Arc::clone(&prompts);
    let kept = Kept::of(workspace.path(), move || noted.load(Ordering::SeqCst));
    let fs = || FaultFs::new(Fault::None).without_syncs();
    let watched = fs().keeping(&kept);
    let none = Stops::new();
    let nothing = BTreeMap::new();
    let whole = goes_on(workspace.path(), &watched, nothing, &prompts, &none);
    let left = kept.all();
    assert!(left.len() > 300, "{}", left.len());
    let of_another = if until_same { &whole.stops } else { &none };
    let mut to_the_end = 0;
    for left in left.iter().step_by(step) {
        let known = whole.prompts.iter().take(left.noted);
        let known = known.map(|(n, page)| (*n, page.clone())).collect();
        let noted = AtomicUsize::new(0);
        let found = goes_on(left.folder.path(), &fs(), known, &noted, of_another);
        if found.files.is_empty() {
            for (n, page) in &found.prompts {
                assert_eq!(whole.prompts.get(n), Some(page), "prompt {n}, {}", left.at);
            }
        } else {
            same(&whole, &found, &left.at);
            to_the_end += 1;
        }
    }
    assert!(to_the_end > 0);
    if until_same {
        assert!(
            to_the_end * 2 < left.len(),
            "{to_the_end} of {}",
            left.len()
        );
    }
}

#[test]
fn a_crash_at_any_of_some_operations_changes_nothing() {
    cut_at(37, false);
}

#[test]
#[ignore = "slow: run with `cargo test --test suite -- --ignored`"]
fn slow_a_crash_at_every_operation_changes_nothing() {
    cut_at(1, true);
}
