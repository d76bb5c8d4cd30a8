//! JSON output of commands matches the published schemas.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::binary::{Place, files_below, json_lines, wait_until};
use crate::support::by_hand::Hand;
use crate::support::fake::{Fake, FakeConfig, WorkshopScript, workshop};
use crate::support::schemas;

type Schemas = BTreeMap<String, jsonschema::Validator>;

/// Schemas of the commands, by name.
fn validators() -> Schemas {
    let commands = std::fs::read_dir(schemas::folder().join("commands")).unwrap();
    commands
        .map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let name = name.strip_suffix(".schema.json").unwrap().to_owned();
            let validator = schemas::validator(&format!("commands/{name}"));
            (name, validator)
        })
        .collect()
}

/// The structured file of each format matches the schema of that format.
#[test]
fn structured_files_obey_their_published_schemas() {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/golden");
    let files = walkdir::WalkDir::new(golden)
        .into_iter()
        .map(Result::unwrap);
    let mut found = std::collections::BTreeSet::new();
    for file in files {
        let name = file.file_name().to_str().unwrap();
        if let Some(name) = name.strip_suffix(".json").filter(|it| it.ends_with(".ai")) {
            obeys_published(name, &std::fs::read_to_string(file.path()).unwrap());
            found.insert(name.to_owned());
        }
    }
    assert_eq!(found.len(), 4, "{found:?}");
}

/// A file of a version matches the schema published under that name.
#[track_caller]
fn obeys_published(name: &str, text: &str) {
    let validator = schemas::validator(name);
    let value: Value = serde_json::from_str(text).unwrap();
    let faults: Vec<String> = validator
        .iter_errors(&value)
        .map(|one| format!("{}: {one}", one.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{name}: {faults:#?}");
    // The schema accepts no other format.
    let mut other = value.clone();
    other["format"] = "no format".into();
    assert!(validator.validate(&other).is_err(), "{name}");
}

#[track_caller]
fn obeys(schemas: &Schemas, name: &str, text: &str) -> Value {
    let value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let faults: Vec<String> = schemas[name]
        .iter_errors(&value)
        .map(|one| format!("{}: {one}", one.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{name}: {faults:#?}\n{text}");
    assert_eq!(value["v"], 1, "{name}");
    value
}

#[test]
fn schemas_are_those_published() {
    let (folder, files) = (schemas::folder(), schemas::files());
    if std::env::var_os("AITC_BLESS").is_some() {
        for (path, text) in &files {
            std::fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
            std::fs::write(folder.join(path), text).unwrap();
        }
    }
    for (path, text) in &files {
        let published = std::fs::read_to_string(folder.join(path)).unwrap_or_default();
        assert!(
            published.replace("\r\n", "\n") == *text,
            "`schemas/{path}` is out of date: run with AITC_BLESS=1"
        );
        // Loading it checks that all its references exist.
        schemas::validator(path.strip_suffix(".schema.json").unwrap());
    }
    // The output of `aitc config schema` is compared with these files in another test.
    let elsewhere = ["config.schema.json", "user-config.schema.json"];
    for (path, _) in files_below(&folder) {
        let is_known = files.contains_key(&path) || elsewhere.contains(&&*path);
        assert!(is_known, "`schemas/{path}` is of nothing");
    }
}

/// The JSON output of every command matches its schema: `documents/commands.txt` names the schema,
/// the exit code and the words of each; `draft` lays an empty one, and
/// `---` begins another workspace.
#[test]
fn what_commands_print_obeys_their_schemas() {
    let schemas = validators();
    for lines in include_str!("documents/commands.txt").split("---\n") {
        let place = Place::new();
        place.write("one.md", "Sort the list by name.");
        for line in lines.lines() {
            let words: Vec<&str> = line.split(" | ").collect();
            let [name, code, words @ ..] = &words[..] else {
                panic!("{line}");
            };
            if *name == "draft" {
                std::fs::create_dir(place.outputs(words[0])).unwrap();
                continue;
            }
            let ran = place.run(&[words, &["--json", "-q"]].concat());
            let told = obeys(&schemas, name, &ran.ends(code.parse().unwrap()).out);
            match *name {
                "error" => assert_eq!(told["exit_code"].to_string(), *code),
                // Messages to a paused run.
                "say" => {
                    assert_eq!(
                        (&told["version"], &told["running"]),
                        (&1.into(), &false.into())
                    );
                    assert!(told["next"].as_str().unwrap().contains("resume"), "{told}");
                }
                _ => {}
            }
        }
    }
}

#[test]
fn what_is_printed_of_calls_by_hand_obeys_its_schema() {
    let schemas = validators();
    let place = Place::new();
    let check = |name: &str, code: i32, line: &[&str]| {
        let ran = place.run(&[line, &["--json", "-q"]].concat()).ends(code);
        obeys(&schemas, name, &ran.out)
    };
    let plan = ["plan", "Sort the list", "--provider", "hand"];
    let waits = check("plan", 8, &plan);
    assert_eq!(waits["waiting"][0]["number"], 1);
    let status = check("status", 0, &["status"]);
    assert_eq!(status["runs"][0]["by_hand"][0]["number"], 1);
    check("error", 3, &["reply", "1"]);
    let hand = Hand::playing(WorkshopScript::default());
    let mut next = check("next", 8, &["next"]);
    for n in ["1", "2"] {
        assert_eq!(next["number"].to_string(), n);
        place.write("reply.json", &hand.reply(next["prompt"].as_str().unwrap()));
        let taken = check("reply", 0, &["reply", n, "-f", "reply.json"]);
        assert_eq!(taken["next"], "aitc next");
        next = check("next", 8, &["next"]);
    }
}

/// A schema that accepted everything would be useless.
#[test]
fn a_document_with_something_else_in_it_is_refused() {
    let schemas = validators();
    let place = Place::new();
    place
        .run(&["plan", "Sort the list", "--questions", "assume", "-q"])
        .ends(0);
    for name in ["status", "verify", "check"] {
        let text = place.run(&[name, "--json"]).out;
        let mut value: Value = serde_json::from_str(&text).unwrap();
        assert!(schemas[name].is_valid(&value));
        value["more"] = 1.into();
        assert!(!schemas[name].is_valid(&value), "{name}");
    }
}

/// Every event is printed when it happens; the last line is the result.
#[test]
fn a_stream_holds_every_event_and_ends_with_the_code() {
    let schemas = validators();
    let place = Place::new();
    let stream = ["--output-format", "stream-json", "-q"];
    let lines = |out: &str| -> Vec<Value> {
        out.lines()
            .map(|line| obeys(&schemas, "stream", line))
            .collect()
    };
    let paused = place
        .run(&[&["plan", "Delete users"][..], &stream].concat())
        .ends(8);
    let paused = lines(&paused.out);
    assert_eq!(paused.last().unwrap()["exit_code"], 8);
    let resumed = place
        .run(&[&["resume", "--questions", "assume"][..], &stream].concat())
        .ends(0);
    let resumed = lines(&resumed.out);
    let end = resumed.last().unwrap();
    assert_eq!(
        (end["exit_code"].as_u64(), end["version"].as_u64()),
        (Some(0), Some(1))
    );
    let events = |lines: &[Value]| -> Vec<u64> {
        lines[..lines.len() - 1]
            .iter()
            .map(|line| line["seq"].as_u64().unwrap())
            .collect()
    };
    let seen = [events(&paused), events(&resumed)].concat();
    let written = place.lines("v1") as u64;
    assert_eq!(
        seen,
        (1..=written).collect::<Vec<_>>(),
        "each once, in order"
    );
}

/// Each part of a debate is a line of the stream, as in the transcript.
#[test]
fn a_debate_is_in_the_stream_line_by_line() {
    let schemas = validators();
    let place = Place::new();
    let wish = "Users upload photos of receipts; personal data is erased on request; \
        search receipts by date; show a dashboard of totals";
    let stream = [
        "--output-format",
        "stream-json",
        "-q",
        "--questions",
        "assume",
    ];
    let ran = place.run(&[&["plan", wish, "--review-debate"][..], &stream].concat());
    let told = ran.ends(0).out;
    let written = place.text("v1/planning_transcript.jsonl");
    let lines = |text: &str, phase: &str| -> Vec<Value> {
        let mut lines = json_lines(text);
        lines.retain(|line| line["phase"] == phase);
        lines
    };
    for line in told.lines() {
        obeys(&schemas, "stream", line);
    }
    let started = lines(&told, "debate_started");
    assert_eq!(started[0]["debate"], "D-1");
    assert_eq!(started[0]["trigger"]["is"], "review");
    assert!(started[0]["output"].is_string() && started[0]["debate_config"].is_object());
    let mut last = 0;
    for (phase, fields, least) in [
        (
            "debate_started",
            &["debate", "debate_config", "trigger"][..],
            1,
        ),
        (
            "expert_argument",
            &["debate", "debate_round", "argument", "output"],
            2,
        ),
        (
            "debate_round_summary",
            &["debate", "debate_round", "output"],
            1,
        ),
        (
            "debate_resolved",
            &["debate", "decision", "rationale", "conclusion"],
            1,
        ),
    ] {
        let told = lines(&told, phase);
        assert!(
            told.len() >= least * started.len(),
            "{phase}: {}",
            told.len()
        );
        let seqs = |lines: &[Value]| -> Vec<u64> {
            lines
                .iter()
                .map(|line| line["seq"].as_u64().unwrap())
                .collect()
        };
        assert_eq!(seqs(&told), seqs(&lines(&written, phase)), "{phase}");
        for line in &told {
            let has = |field: &&str| !line[*field].is_null();
            assert!(fields.iter().all(has), "{phase}: {line}");
        }
        let first = seqs(&told)[0];
        assert!(first > last, "{phase} comes after what it is about");
        last = first;
    }
}

#[test]
fn a_stream_that_is_interrupted_says_so() {
    let schemas = validators();
    let place = Place::new();
    let config = FakeConfig {
        latency: std::time::Duration::from_millis(30),
        ..FakeConfig::default()
    };
    let fake = Fake::with(config, workshop(WorkshopScript::default()));
    let line = [
        "plan",
        "Sort the list",
        "--output-format",
        "stream-json",
        "-q",
    ];
    let going = place.start_with(&fake, &line);
    wait_until("some lines", || place.lines("v1.draft") > 2);
    going.signal("TERM");
    let ran = going.end().ends(143);
    let last = obeys(&schemas, "stream", ran.out.lines().last().unwrap());
    assert_eq!(
        (last["exit_code"].as_u64(), last["interrupted"].as_bool()),
        (Some(143), Some(true))
    );
}

#[test]
fn schemas_of_settings_are_those_published() {
    let place = Place::new();
    for (arguments, file) in [
        (&["config", "schema"][..], "config.schema.json"),
        (&["config", "schema", "--user"], "user-config.schema.json"),
    ] {
        let printed = place.run(arguments).ends(0).out;
        let path = format!("{}/schemas/{file}", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("AITC_BLESS").is_some() {
            std::fs::write(&path, &printed).unwrap();
        }
        assert!(
            std::fs::read_to_string(&path).unwrap() == printed,
            "{file} is not what is printed: {printed}"
        );
    }
}
