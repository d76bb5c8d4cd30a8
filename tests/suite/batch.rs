//! `aitc batch`: many requirements in one process, each with its own run, interrupted and resumed.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::Value;

use crate::support::binary::{Going, Place, wait_until, wait_within};
use crate::support::fake::{Fake, FakeConfig, Reply, WorkshopScript, workshop};

fn document(out: &str) -> Value {
    serde_json::from_str(out).unwrap_or_else(|error| panic!("{error}: {out}"))
}

fn fates(document: &Value) -> Vec<(String, String)> {
    let runs = document["runs"].as_array().unwrap().iter();
    runs.map(|run| {
        let text = |key: &str| run[key].as_str().unwrap().to_owned();
        (text("name"), text("fate"))
    })
    .collect()
}

/// A failed run does not stop the others, and its exit code becomes the batch's.
#[test]
fn a_failure_is_told_and_the_rest_goes_on() {
    let place = Place::new();
    place.write(
        "two.jsonl",
        "\"Sort the list by name.\"\n\"Filter the list.\"\n",
    );
    let good = workshop(WorkshopScript::default());
    let fake = Fake::start(move |seen| {
        // The members of both runs are shown the file; there a quotation mark follows the sentence.
        if seen.text().contains("Sort the list by name.\n") {
            let body = "{\"error\": {\"message\": \"no such model\"}}".to_owned();
            return Reply::Status {
                status: 404,
                headers: Vec::new(),
                body,
            };
        }
        good(seen)
    });
    let line = ["batch", "two.jsonl", "--questions", "assume", "--json"];
    let said = document(&place.run_with(&fake, &line).ends(5).out);
    assert_eq!(said["runs"][0]["fate"], "failed", "{said}");
    assert_eq!(said["runs"][0]["exit_code"], 5);
    assert!(said["runs"][0]["error"].is_string());
    assert_eq!(said["runs"][1]["fate"], "agreed", "{said}");
    assert!(said["runs"][1]["tokens"].as_u64().unwrap() > 0);
}

/// Ctrl-C stops the current runs and starts no new ones; the same command continues them.
#[test]
fn an_interrupt_ends_cleanly_and_the_same_line_goes_on() {
    let place = Place::new();
    let lines: String = (0..6)
        .map(|n| format!("\"Sort list {n} by name.\"\n"))
        .collect();
    place.write("six.jsonl", &lines);
    let config = FakeConfig {
        latency: Duration::from_millis(20),
        ..FakeConfig::default()
    };
    let fake = Fake::with(config, workshop(WorkshopScript::default()));
    let line = [
        "batch",
        "six.jsonl",
        "--questions",
        "assume",
        "--json",
        "--jobs",
        "2",
    ];
    let going = place.start_with(&fake, &line);
    wait_until("the second run", || place.lines("v2.draft") > 3);
    going.signal("INT");
    let said = document(&going.end().ends(130).out);
    assert_eq!(said["exit_code"], 130);
    let kinds: BTreeSet<_> = fates(&said).into_iter().map(|(_, fate)| fate).collect();
    assert!(
        kinds.contains("interrupted") && kinds.contains("not_started"),
        "{said}"
    );
    let said = document(&place.run_with(&fake, &line).ends(0).out);
    assert!(
        fates(&said)
            .iter()
            .all(|(_, fate)| fate == "agreed" || fate == "already_published"),
        "{said}"
    );
    assert_eq!(place.versions(), ["v1", "v2", "v3", "v4", "v5", "v6"]);
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

/// A run that was killed before its first line leaves a folder and a lock file. The next batch, or
/// `resume`, removes them; a draft that may contain anything is kept.
#[test]
fn an_empty_draft_of_a_killed_run_is_cleared_and_nothing_else() {
    let outputs = ".ai-tools-chain/planning_outputs";
    let place = Place::new();
    let put = |path: &str, text: &str| place.write(&format!("{outputs}/{path}"), text);
    put("v1.draft/planning_transcript.jsonl", "");
    put(".v1.lock", "");
    // A draft with a message, one with half a line, and a run that has not taken its lock yet.
    put("v2.draft/inbox/a.json", "{}");
    put(".v2.lock", "");
    put("v3.draft/planning_transcript.jsonl", "{\"v\":1");
    put(".v3.lock", "");
    put("v4.draft/planning_transcript.jsonl", "");
    // A draft that another process has locked.
    put("v5.draft/planning_transcript.jsonl", "");
    put(".v5.lock", "");
    let path = |name: &str| place.work().join(outputs).join(name);
    let held = std::fs::File::open(path(".v5.lock")).unwrap();
    held.lock().unwrap();
    place.write("one.md", "Export the customer list as CSV.\n");
    let line = ["batch", "one.md", "--questions", "assume"];
    place.run(&[&line[..], &["--dry-run"]].concat()).ends(0);
    assert!(path("v1.draft").exists(), "a rehearsal changes nothing");

    let ran = place.run(&line).ends(0);
    let told = "v1.draft was removed: its run ended before anything was recorded";
    assert_eq!(ran.err.matches(told).count(), 1, "{}", ran.err);
    assert_eq!(ran.err.matches("was removed").count(), 1, "{}", ran.err);
    for stays in ["v2.draft", "v3.draft", "v4.draft", "v5.draft", "v6"] {
        assert!(path(stays).exists(), "{stays}");
    }
    assert!(!path("v1.draft").exists() && !path(".v1.lock").exists());

    drop(held);
    let resumed = place.run(&["resume"]);
    assert!(resumed.err.contains("v5.draft was removed"), "{resumed:?}");
    assert!(path("v3.draft").exists() && path("v2.draft/inbox/a.json").exists());
}

/// A folder that cannot be searched is reported once for all runs, and each log line names its run.
#[test]
fn what_all_runs_meet_is_told_once_and_log_lines_name_their_run() {
    let place = Place::new();
    place.write("one.md", "Export the customer list as CSV.\n");
    place.write("two.md", "Import the customer list from CSV.\n");
    let fake = Fake::start(workshop(WorkshopScript::default()));
    let line = [
        "batch",
        "one.md",
        "two.md",
        "--questions",
        "assume",
        "-v",
        "--rounds",
        "1",
        "--knowledge",
        "no/notes",
    ];
    let ran = place.run_with(&fake, &line).ends(7);
    let unread = ran.err.lines().filter(|line| line.contains("no/notes"));
    assert_eq!(unread.count(), 1, "{}", ran.err);
    let fired = ran
        .err
        .lines()
        .filter(|line| line.contains("aitc::ending: fired"));
    let runs: BTreeSet<&str> = fired.filter_map(|line| line.split("run=").nth(1)).collect();
    assert_eq!(runs.len(), 2, "{}", ran.err);
}
