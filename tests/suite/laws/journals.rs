//! Law 9: journals of every format are kept and can be read.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use aitc::driver::Replay;
use aitc::edge::fs::RealFs;
use aitc::edge::journal::{self, Journal};
use aitc::machine::{
    AnswerSource, CallId, Channel, DebatePart, EDITION, Entry, Event, FailureKind, Intent, Lang,
    Previous, Purpose, Stage, State, diligence, intervention, split_feedback,
};
use aitc::reply::Contribution;

use crate::support::binary::Place;
use crate::support::divided::{divided, open};
use crate::support::meeting::*;
use crate::support::sample::{KINDS, kind};
use crate::support::search::{claiming, reading, survey};
use crate::support::trial::{ran_by, trying};

/// Folder of the kept journals.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/journals")
}

/// A team in which SD asks a question in each round, the coach gives no usable relay in round 2,
/// and TP no usable speech in round 2.
fn script() -> impl FnMut(&State, &CallId) -> String {
    let mut agreeable = agreeable(2);
    move |state, call| {
        let who = state.inputs.roles.code(&call.member).to_owned();
        if call.purpose == Purpose::Speech && who == "TP" && call.round == 2 {
            return "I would rather talk about the weather.".to_owned();
        }
        if call.purpose == Purpose::Speech && who == "PP" && call.attempt < 3 && call.round == 1 {
            // PP is nudged once; then the user is asked whether to continue.
            return String::new();
        }
        if call.purpose == Purpose::Relay && call.round == 2 {
            return "I would rather not look.".to_owned();
        }
        let mut answer = agreeable(state, call);
        if call.purpose == Purpose::Speech && who == "Dev" && call.round == 1 {
            return answer.replacen("I agree.", "I agree.\\n<!-- END -->", 1);
        }
        if call.purpose == Purpose::Speech && who == "SD" {
            let mut speech = contribution("One thing is open.");
            speech.questions.push(aitc::reply::AskedQuestion {
                options: vec!["all".to_owned(), "new ones".to_owned()],
                recommended: "new ones".to_owned(),
                ..question(&format!("Which rows of list {}?", call.round))
            });
            answer = text(&speech);
        }
        answer
    }
}

/// Lets the next call fail once and resumes the run.
fn trouble(meeting: &mut Meeting) {
    let call = call_due(&meeting.state);
    meeting.record(started(&call));
    meeting.record(Event::CallFailed {
        call,
        kind: FailureKind::Server,
        detail: "500".to_owned(),
        retryable: true,
        retry_after_ms: Some(1000),
        latency_ms: 3,
    });
    meeting.record(Event::Resumed {
        tool: "0.1.0".to_owned(),
        accepted_drift: vec!["`roles/a.md` changed".to_owned()],
        attended: false,
        models: None,
    });
}

fn plan() -> Meeting {
    let mut inputs = inputs();
    inputs.rules.limits.warn_at_rounds = 1;
    let nudge = "Go on: take a position.".to_owned();
    inputs.templates.insert(diligence::TEXT.to_owned(), nudge);
    for (member, pushes) in [("ProductPlanner", 1), ("RiskPlanner", 0)] {
        let pushed = &mut inputs.rules.ending.diligence_push_max;
        pushed.insert(member.into(), pushes);
    }
    let mut meeting = Meeting::open("Export orders as a file", inputs);
    meeting.until(Purpose::Judgment, &mut script());
    trouble(&mut meeting);
    for (reply, message) in [("continue", "0c"), ("All of them.", "0a")] {
        while meeting.state.questions.waiting().next().is_none() {
            assert!(meeting.step(&mut script()), "nobody asks");
        }
        let question = meeting.state.questions.waiting().next().unwrap().clone();
        meeting.record(Event::UserClarificationDialogue {
            id: question.id,
            question: question.text,
            user_reply: reply.to_owned(),
            source: AnswerSource::Command,
            message: Some(format!("0190c0de-0000-7000-8000-0000000000{message}")),
        });
    }
    for (intent, content) in [(Intent::Say, "No app."), (Intent::VoteToEnd, "/vote")] {
        meeting.record(typed(intent, content));
    }
    meeting.run(&mut script());
    meeting
}

fn revision(plan: &Meeting) -> Meeting {
    let previous = Previous::of(&plan.state, &"0".repeat(64));
    let feedback = split_feedback("No CSV.\n\nOnly new rows.", &previous.counters);
    let mut inputs = inputs();
    inputs.version = 2;
    let mut meeting = Meeting::open_with(Event::UserInput {
        content: plan.state.task.requirement.clone(),
        run_id: "0190c0de-0000-7000-8000-000000000002".to_owned(),
        inputs: Box::new(inputs),
        from: Some(Box::new(previous)),
        feedback,
    });
    meeting.run(&mut agreeable(2));
    meeting
}

/// Questions with inquiries, and a member that looks at a file, runs two commands and cites them as
/// evidence; the journal `plan` contains neither.
fn inquired() -> Meeting {
    let mut inputs = inputs();
    inputs.trials = true;
    let mut meeting = Meeting::open("Export orders as a file", inputs);
    meeting.survey = survey();
    meeting.trials = Ok("a tree".to_owned());
    let mut basics = agreeable(2);
    let mut asks = script();
    meeting.run(&mut |state, call| match call.purpose {
        Purpose::Speech if call.turn == 1 && call.look == 0 => text(&Contribution {
            looks: vec![
                reading("src/orders.rs", 7),
                trying(&["make", "orders"]),
                trying(&["make", "lists"]),
            ],
            ..Contribution::default()
        }),
        Purpose::Speech if call.turn == 1 && call.round == 1 => {
            let mut speech = spoken(&basics(state, call));
            speech.evidence = vec![
                claiming("Orders are there.", "src/orders.rs"),
                ran_by("RUN-1", "ran make orders"),
            ];
            text(&speech)
        }
        Purpose::Speech if state.inputs.roles.code(&call.member) == "SD" => asks(state, call),
        _ => basics(state, call),
    });
    meeting
}

/// A review of the issue list, then a debate with one argument missing, and a requested debate
/// whose issue is closed first.
fn debated() -> Meeting {
    let mut meeting = open(|inputs| inputs.rules.limits.debates.review = true);
    meeting.until(Purpose::Summary, &mut divided(|_, _, _| None));
    let wish = "/debate I-2".to_owned();
    let (intent, channel) = (Intent::Debate, Channel::Message);
    let wish = intervention::when_asked(&meeting.state, intent, wish, channel, None);
    meeting.record(wish);
    meeting.run(&mut divided(|state, call, part| {
        let missing = part == DebatePart::Argument
            && call.turn == 2
            && state.inputs.roles.code(&call.member) == "SD";
        missing.then(|| "I would rather talk about the weather.".to_owned())
    }));
    meeting
}

fn write(name: &str, entries: &[Entry]) {
    let folder = folder();
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    let _ = std::fs::remove_file(&path);
    let mut journal = Journal::create(Arc::new(RealFs), &path).unwrap();
    for entry in entries {
        journal.stage(entry).unwrap();
    }
    journal.commit().unwrap();
}

/// Until the first release the format may change: `AITC_BLESS=1` writes the journals again.
#[test]
fn law_9_kept_journals_are_read() {
    if std::env::var_os("AITC_BLESS").is_some() {
        let plan = plan();
        write("plan.jsonl", &plan.entries);
        write("revision.jsonl", &revision(&plan).entries);
        write("inquiry.jsonl", &inquired().entries);
        write("debate.jsonl", &debated().entries);
        write(
            "review.jsonl",
            &crate::workshop::reviews::withdrawn().entries,
        );
        write("team.jsonl", &crate::teams::failures::a_hard_day().entries);
        write("party.jsonl", &crate::parties::held().entries);
    }
    let wanted: BTreeSet<&str> = KINDS.iter().copied().collect();
    let found = read_all();
    assert_eq!(found, wanted, "every kind of event is in a journal");
}

/// A transcript of another edition of the rules is refused with a suggestion.
#[test]
fn law_9_a_transcript_of_other_rules_is_refused() {
    let place = Place::new();
    for (edition, code, part) in [
        (None, "E-transcript-earlier", "edition 1 of the rules"),
        (
            Some(EDITION - 1),
            "E-transcript-earlier",
            "run the workshop again",
        ),
        (Some(EDITION + 1), "E-transcript-later", "or a later one"),
    ] {
        let version = place.outputs("v1");
        std::fs::create_dir_all(&version).unwrap();
        let kept = std::fs::read_to_string(folder().join("plan.jsonl")).unwrap();
        let mut line: serde_json::Value =
            serde_json::from_str(kept.lines().next().unwrap()).unwrap();
        line.as_object_mut().unwrap().remove("h");
        let inputs = line["inputs"].as_object_mut().unwrap();
        match edition {
            Some(n) => inputs.insert("edition".to_owned(), n.into()),
            None => inputs.remove("edition"),
        };
        let entry: Entry = serde_json::from_value(line).unwrap();
        let path = version.join("planning_transcript.jsonl");
        let _ = std::fs::remove_file(&path);
        let mut journal = Journal::create(Arc::new(RealFs), &path).unwrap();
        journal.stage(&entry).unwrap();
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
            replay.take(&entry)?;
            // Every event can be shown in the browser.
            let state = replay.state.as_ref().unwrap();
            for lang in [Lang::En, Lang::Zh] {
                aitc::page::piece(state, &entry, Some("told"), lang).unwrap();
            }
            Ok(())
        })
        .unwrap();
        assert!(summary.torn.is_none(), "{name}");
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
    let mut entries = plan().entries;
    let read = |entries: &[Entry]| {
        let mut replay = Replay::default();
        entries.iter().try_for_each(|entry| replay.take(entry))
    };
    assert_eq!(read(&entries), Ok(()));
    let last = entries.len() - 1;
    entries[last].active_ms = entries[last - 1].active_ms - 1;
    let told = read(&entries).unwrap_err();
    assert!(told.starts_with("`active_ms` goes back from"), "{told}");
}
