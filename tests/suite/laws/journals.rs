//! Law 9: journals of every format are kept and can be read.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use aitc::driver::Replay;
use aitc::edge::fs::RealFs;
use aitc::edge::journal::{self, Journal};
use aitc::machine::{Entry, Lang, Stage, TRANSCRIPT_FORMAT};

use crate::support::binary::Place;
use crate::support::played::play;
use crate::support::sample::{KINDS, kind};

/// Folder of the kept journals.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/journals")
}

/// SD asks a question in each round, and PP is nudged and then the user asked whether to go on; the
/// coach gives no usable relay in round 2, and TP no usable speech.
const PLAN: [&str; 18] = [
    "wants Export orders as a file",
    "agrees 2",
    "set limits.warn_at_rounds = 1",
    "set ending.diligence_push_max = {\"ProductPlanner\": 1, \"RiskPlanner\": 0}",
    "nudges Go on: take a position.",
    "judgment a1: fails server",
    "before judgment a2: taken up again",
    "PP r1 a1: \"\"",
    "PP r1 a2: \"\"",
    "answer command continue",
    "SD r1: none; asks Which rows of list 1?",
    "SD r2: none; asks Which rows of list 2?",
    "answer command All of them.",
    "Dev r1: says I agree.\\n<!-- END -->",
    "before summary r1: No app.",
    "before summary r1: /vote",
    "relay r2: \"I would rather not look.\"",
    "TP r2: \"I would rather talk about the weather.\"",
];

/// Questions that are searched for, and a member that looks at a file, runs two commands and cites
/// them.
const INQUIRY: [&str; 8] = [
    "wants Export orders as a file",
    "agrees 2",
    "survey",
    "trials a tree",
    "PP l0: read src/orders.rs 7; tries make orders; tries make lists",
    "PP r1 l1: with {\"evidence\": [{\"claim\": \"It is made.\", \"path\": null, \"from\": null, \
     \"to\": null, \"quote\": \"ran make orders\", \"run\": \"RUN-1\"}]}; \
     claims src/orders.rs Orders are there.",
    "SD r1: none; asks Which rows of list 1?",
    "SD r2: none; asks Which rows of list 2?",
];

/// A review of the issue list, then a debate with one argument missing, and one that is asked for
/// and whose issue is closed first.
const DEBATE: [&str; 4] = [
    "divided",
    "set limits.debates.review = true",
    "before summary r1: /debate I-2",
    "D-2 argument SD t2: \"I would rather talk about the weather.\"",
];

/// A finding is declined and withdrawn.
const REVIEW: [&str; 3] = [
    "set review = true",
    "TP review: finds W-1 blocking",
    "dev_plan t2: declines",
];

/// After a review of the plan a phase brings nothing, and the lead cannot tell what is in dispute.
const TEAM: [&str; 4] = [
    "team",
    "set limits.debates.review = true",
    "P-3 step: \"no object\"",
    "summary: \"no object\"",
];

fn write(name: &str, entries: &[Entry]) {
    let folder = folder();
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    let _ = std::fs::remove_file(&path);
    let mut journal = Journal::create(Arc::new(RealFs), &path).unwrap();
    for entry in entries {
        journal.add(entry).unwrap();
    }
    journal.commit().unwrap();
}

/// Until the first release the format may change: `AITC_BLESS=1` writes the journals again.
#[test]
fn law_9_kept_journals_are_read() {
    if std::env::var_os("AITC_BLESS").is_some() {
        let revision = [
            &PLAN[..],
            &["revise No CSV.\\n\\nOnly new rows.", "agrees 2"],
        ]
        .concat();
        for (name, script) in [
            ("plan.jsonl", &PLAN[..]),
            ("revision.jsonl", &revision),
            ("inquiry.jsonl", &INQUIRY),
            ("debate.jsonl", &DEBATE),
            ("review.jsonl", &REVIEW),
            ("team.jsonl", &TEAM),
        ] {
            write(name, &play(script.iter().copied()).entries);
        }
        write("party.jsonl", &crate::parties::held().entries);
    }
    let wanted: BTreeSet<&str> = KINDS.iter().copied().collect();
    let found = read_all();
    assert_eq!(found, wanted, "every kind of event is in a journal");
}

/// A transcript of another format is refused with a suggestion.
#[test]
fn law_9_a_transcript_of_another_format_is_refused() {
    let place = Place::new();
    for (format, code, part) in [
        (
            TRANSCRIPT_FORMAT - 1,
            "E-transcript-earlier",
            "run the workshop again",
        ),
        (
            TRANSCRIPT_FORMAT + 1,
            "E-transcript-later",
            "or a later one",
        ),
    ] {
        let version = place.outputs("v1");
        std::fs::create_dir_all(&version).unwrap();
        let kept = std::fs::read_to_string(folder().join("plan.jsonl")).unwrap();
        let mut line: serde_json::Value =
            serde_json::from_str(kept.lines().next().unwrap()).unwrap();
        line.as_object_mut().unwrap().remove("h");
        line["v"] = format.into();
        let entry: Entry = serde_json::from_value(line).unwrap();
        let path = version.join("planning_transcript.jsonl");
        let _ = std::fs::remove_file(&path);
        let mut journal = Journal::create(Arc::new(RealFs), &path).unwrap();
        journal.add(&entry).unwrap();
        journal.commit().unwrap();
        for command in [
            &["status", "v1"][..],
            &["show", "v1"],
            &["export", "md", "v1"],
        ] {
            place.run(command).fails(10, &[code, part]);
        }
    }
}

/// A plan in the project itself that its program refuses would be the first thing a reader meets.
#[test]
fn law_9_the_plan_of_this_project_can_be_read() {
    let verified = Place::new().run(&["-C", env!("CARGO_MANIFEST_DIR"), "verify"]);
    assert!(verified.out.ends_with("sound\n"), "{verified:#?}");
}

/// Reads the kept journals; returns the kinds of events in them.
fn read_all() -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    let names = [
        "plan", "revision", "inquiry", "debate", "team", "party", "review",
    ];
    for name in names.map(|name| format!("{name}.jsonl")) {
        let mut replay = Replay::default();
        let summary = journal::read(&RealFs, &folder().join(&name), &mut |entry| {
            found.insert(kind(&entry.event));
            replay.apply(&entry)?;
            // Every event can be shown in the browser.
            let state = replay.state.as_ref().unwrap();
            for lang in [Lang::En, Lang::Zh] {
                aitc::page::piece(state, &entry, Some("told"), lang).unwrap();
            }
            Ok(())
        })
        .unwrap();
        assert!(summary.tail.is_empty(), "{name}");
        let state = replay.state.unwrap();
        assert_eq!(state.stage, Stage::Published, "{name}");
        if let Some(team) = &state.team {
            assert!(team.synthesis.is_some(), "{name}");
            continue;
        }
        assert!(state.ending.is_agreed(), "{name}");
        let documents = if state.judgment.invited.is_empty() {
            5
        } else {
            0
        };
        assert_eq!(state.documents.written.len(), documents, "{name}");
        assert!(state.draft.standing().next().is_some(), "{name}");
    }
    found
}

/// Time limits depend on `active_ms`, and a person who edits a line can recompute the hashes.
#[test]
fn law_5_active_time_never_goes_back() {
    let mut entries = play(PLAN).entries;
    let read = |entries: &[Entry]| {
        let mut replay = Replay::default();
        entries.iter().try_for_each(|entry| replay.apply(entry))
    };
    assert_eq!(read(&entries), Ok(()));
    let last = entries.len() - 1;
    entries[last].active_ms = entries[last - 1].active_ms - 1;
    let told = read(&entries).unwrap_err();
    assert!(told.starts_with("`active_ms` goes back from"), "{told}");
}
