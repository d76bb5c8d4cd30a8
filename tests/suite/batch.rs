//! `aitc batch`: many requirements in one process, each with its own run, interrupted and resumed.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::Value;

use crate::support::binary::{Going, Place, wait_within};

fn document(out: &str) -> Value {
    serde_json::from_str(out).unwrap_or_else(|error| panic!("{error}: {out}"))
}

/// The process of a batch of 200 runs is killed repeatedly, and the same command is repeated until
/// all versions exist: every requirement has exactly one valid version.
#[test]
#[ignore = "slow: 200 runs"]
fn two_hundred_runs_survive_being_killed() {
    let place = Place::new();
    let lines: String = (0..200)
        .map(|n| {
            format!("{{\"id\": \"r{n}\", \"requirement\": \"Export list number {n} as CSV.\"}}\n")
        })
        .collect();
    place.write("many.jsonl", &lines);
    let line = [
        "batch",
        "many.jsonl",
        "--questions",
        "assume",
        "--jobs",
        "8",
        "--json",
    ];
    let published = || {
        place
            .versions()
            .iter()
            .filter(|name| !name.ends_with(".draft"))
            .count()
    };
    let patience = Duration::from_secs(1800);
    for part in [10, 60, 130] {
        let mut going = Going::start(place.command(&line));
        wait_within(patience, "some versions", || {
            published() >= part || going.is_over()
        });
        going.kill();
        assert!(published() < 200, "it was over before it was killed");
    }
    let last = Going::start(place.command(&line)).end_within(patience);
    let said = document(&last.ends(0).out);
    let runs = said["runs"].as_array().unwrap();
    let versions: BTreeSet<u64> = runs
        .iter()
        .map(|run| run["version"].as_u64().unwrap())
        .collect();
    assert_eq!((runs.len(), versions.len()), (200, 200), "one version each");
    for run in runs {
        let plan = document(&place.text(&format!("v{}/planning.ai.json", run["version"])));
        let number = run["name"].as_str().unwrap().trim_start_matches('r');
        let expected = format!("Export list number {number} as CSV.");
        assert_eq!(plan["requirement"], expected.as_str());
    }
    // A process that died after reserving a number, before writing its first line, leaves an empty
    // draft.
    for name in place
        .versions()
        .iter()
        .filter(|name| name.ends_with(".draft"))
    {
        assert_eq!(place.lines(name), 0, "{name}");
    }
    for version in versions.iter().step_by(10) {
        place.run(&["verify", &format!("v{version}")]).ends(0);
    }
}
