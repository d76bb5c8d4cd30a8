//! Messages to a running workshop are processed exactly once, even after crashes, and a stop ends
//! the run.

use std::path::Path;
use std::sync::Arc;

use aitc::driver::Outcome;
use aitc::edge::fs::RealFs;
use aitc::edge::inbox::{CAPACITY, Inbox, MessageBody};
use aitc::machine::StopReason;

use super::mail::{OUTPUTS, answer, hold};
use crate::support::binary::{Place, transcript_in, wait_until};
use crate::support::fake::{Fake, WorkshopScript};
use crate::support::fault::{Fault, FaultFs};
use crate::support::left::Kept;
use crate::support::schemas;
use crate::support::terminal::OnTerminal;

pub(super) fn send(workspace: &Path, body: MessageBody) -> String {
    let draft = workspace.join(OUTPUTS).join("v1.draft");
    Inbox::at(Arc::new(RealFs), &draft).send(body).unwrap()
}

pub(super) fn lines(version: &Path, phase: &str) -> Vec<serde_json::Value> {
    let mut lines = transcript_in(version);
    lines.retain(|line| line["phase"] == phase);
    lines
}

/// A paused run with these messages waiting. Its next process crashes at every operation in turn,
/// and another process resumes what is left.
fn cut_everywhere(bodies: &[MessageBody], look: impl Fn(&Path, &[String], &str)) {
    let paused = tempfile::tempdir().unwrap();
    let unsynced = || FaultFs::new(Fault::None).without_syncs();
    let (outcome, _) = hold(Arc::new(unsynced()), paused.path());
    assert!(
        matches!(outcome, Ok(Outcome::NeedsHuman { .. })),
        "{outcome:?}"
    );
    let ids: Vec<String> = bodies
        .iter()
        .map(|body| send(paused.path(), body.clone()))
        .collect();
    let kept = Kept::of(paused.path(), || 0);
    let _ = hold(Arc::new(unsynced().keeping(&kept)), paused.path());
    let left = kept.all();
    assert!(left.len() > 20, "{}", left.len());
    // Messages are read, recorded and deleted within the first operations.
    for left in left.iter().take(20).chain(left.last()) {
        let version = left.folder.path().join(OUTPUTS).join("v1");
        if !version.exists() {
            let (outcome, _) = hold(Arc::new(unsynced()), left.folder.path());
            assert!(
                matches!(outcome, Ok(Outcome::Published { .. })),
                "{}: {outcome:?}",
                left.at
            );
        }
        look(&version, &ids, &left.at);
    }
}

#[test]
fn words_are_taken_once_wherever_the_run_is_cut_off() {
    let say = MessageBody::Say {
        text: "No mobile app, please.".to_owned(),
    };
    let reply = MessageBody::Answer {
        question: aitc::machine::QuestionId(1),
        text: "all of them".to_owned(),
        recommended: false,
        declined: false,
    };
    let typed = MessageBody::Typed {
        line: "And no desktop app.".to_owned(),
    };
    cut_everywhere(&[say, reply, typed], |version, ids, at| {
        let said = lines(version, "user_intervention");
        assert_eq!(said.len(), 2, "cut off {at}");
        assert_eq!(said[1]["content"], "And no desktop app.");
        assert_eq!(said[1]["channel"], "terminal");
        assert_eq!(said[0]["content"], "No mobile app, please.");
        assert_eq!(said[0]["message"], ids[0], "cut off {at}");
        assert_eq!(said[0]["actor"], "user");
        assert_eq!(lines(version, "user_clarification_dialogue").len(), 1);
    });
}

#[test]
fn a_stop_ends_the_run_once_wherever_it_is_cut_off() {
    cut_everywhere(&[MessageBody::Stop], |version, _, at| {
        assert_eq!(lines(version, "user_intervention").len(), 1, "cut off {at}");
        let fired = lines(version, "guard_fired");
        assert_eq!(fired[0]["guard"], "user", "cut off {at}");
        let report = std::fs::read_to_string(version.join("planning_report.md")).unwrap();
        assert!(report.contains("**Unresolved: "), "{report}");
        let state = std::fs::read_to_string(version.join("state.md")).unwrap();
        assert!(state.contains("user_requested: true"), "{state}");
    });
}

#[test]
fn an_exit_word_is_a_stop_and_a_sentence_with_it_is_none() {
    for (text, reason) in [
        ("Quit", StopReason::User),
        ("how do I quit the app", StopReason::Consensus),
    ] {
        let workspace = tempfile::tempdir().unwrap();
        let _ = hold(Arc::new(RealFs), workspace.path());
        let text = text.to_owned();
        send(workspace.path(), MessageBody::Say { text });
        answer(workspace.path(), 1, "2");
        let (outcome, _) = hold(Arc::new(RealFs), workspace.path());
        let Ok(Outcome::Published { stop, .. }) = outcome else {
            panic!("{outcome:?}");
        };
        assert_eq!(stop, reason);
    }
}

/// A workshop whose second speaker waits until the test continues.
fn slow() -> Fake {
    Fake::holding(
        WorkshopScript::agreeing_in(9),
        &["speech/SystemDesigner/r1"],
    )
}

#[test]
fn say_and_stop_reach_a_run_from_another_terminal() {
    let (place, fake) = (Place::new(), slow());
    place
        .run(&["say", "anybody there?"])
        .fails(2, &["there is no unfinished run"]);
    place
        .run(&["stop"])
        .fails(2, &["there is no unfinished run"]);
    let going = place.start_with(&fake, &["plan", "Export the list"]);
    fake.awaits("speech/SystemDesigner/r1", 1);
    // The suggested next step must be possible: a running workshop cannot be resumed.
    let status = place.run(&["status"]).ends(0);
    assert!(status.out.contains("aitc say \"…\""), "{status:#?}");
    assert!(!status.out.contains("aitc resume"), "{status:#?}");
    assert!(
        status.err.contains("a process is at work on v1"),
        "{status:#?}"
    );
    let status = place.run(&["status", "--json"]).ends(0);
    let status: serde_json::Value = serde_json::from_str(&status.out).unwrap();
    assert_eq!(status["runs"][0]["next"], "aitc say \"…\"");
    let said = place.run(&["say", "Leave the app out of it"]).ends(0);
    assert!(said.out.contains("v1 is running"), "{said:#?}");
    place
        .run(&["say", "/stpo"])
        .fails(2, &["`/stpo` is not a command", "/stop"]);
    let stopped = place.run(&["stop", "--run", "v1", "--json"]).ends(0);
    let told: serde_json::Value = serde_json::from_str(&stopped.out).unwrap();
    assert_eq!((&told["v"], &told["running"]), (&1.into(), &true.into()));
    fake.lets_go();
    let ran = going.end().ends(7);
    ran.says(&["you: Leave the app out of it", "you end the discussion"]);
    assert_eq!(place.versions(), ["v1"]);
    let version = place.outputs("v1");
    assert_eq!(lines(&version, "user_intervention").len(), 2);
    assert_eq!(lines(&version, "guard_fired")[0]["guard"], "user");
    let report = place.text("v1/planning_report.md");
    let unresolved = report.find("**Unresolved: ").unwrap();
    assert!(
        unresolved < report.find("\n## ").unwrap(),
        "it stands first"
    );
    // Round 1 was summed up, and no other member was asked.
    assert_eq!(lines(&version, "consensus_summary").len(), 1);
    assert_eq!(lines(&version, "speaking").len(), 2);
    place.run(&["verify"]).ends(0);
}

/// Number of messages waiting in the draft of v1.
pub(super) fn waiting(place: &Place) -> usize {
    let draft = place.outputs("v1.draft");
    let inbox = Inbox::at(Arc::new(RealFs), &draft);
    inbox.waiting().unwrap().len()
}

#[test]
fn what_was_typed_survives_a_process_that_is_killed() {
    let (place, fake) = (Place::new(), slow());
    let mut terminal = OnTerminal::start(place.command_with(&fake, &["plan", "Export the list"]));
    fake.awaits("speech/SystemDesigner/r1", 1);
    // Messages stay on disk until the current speaker has finished.
    terminal.types("Leave the app out of it");
    terminal.types("/debate Who pays for it?");
    wait_until("two messages", || waiting(&place) == 2);
    terminal.signal("KILL");
    drop(terminal);
    fake.lets_go();
    place
        .run_with(&fake, &["resume"])
        .says(&["you: Leave the app out of it"]);
    let version = place.outputs("v1");
    let said = lines(&version, "user_intervention");
    let told: Vec<_> = said
        .iter()
        .map(|one| one["content"].as_str().unwrap())
        .collect();
    assert_eq!(
        told,
        ["Leave the app out of it", "/debate Who pays for it?"]
    );
    assert_eq!(lines(&version, "debate_resolved").len(), 1);
}

#[test]
fn a_line_too_many_is_told_while_the_member_still_speaks() {
    let (place, fake) = (Place::new(), slow());
    let mut terminal = OnTerminal::start(place.command_with(&fake, &["plan", "Export the list"]));
    fake.awaits("speech/SystemDesigner/r1", 1);
    let inbox = Inbox::at(Arc::new(RealFs), &place.outputs("v1.draft"));
    for _ in 0..CAPACITY {
        let text = "And mind the costs".to_owned();
        inbox.send(MessageBody::Say { text }).unwrap();
    }
    terminal.types("one more");
    terminal.sees("64 messages are waiting already");
    terminal.types("/stop");
    wait_until("the stop", || waiting(&place) == CAPACITY + 1);
    fake.lets_go();
    terminal.ends(7);
    let said = place.events("v1", "user_intervention");
    assert_eq!(said.len(), CAPACITY + 1);
    assert_eq!(said[CAPACITY]["intent"], "stop");
}

/// While members are still discussing, the error suggests `aitc say` instead.
#[test]
fn an_answer_in_place_of_an_assumption_is_said_to_the_members() {
    const LATER: &str = "speech/SystemDesigner/r1";
    let fake = Fake::holding(WorkshopScript::asking(1), &[LATER]);
    let place = Place::new();
    let plan = ["plan", "Export the list", "--questions", "assume"];
    let going = place.start_with(&fake, &plan);
    fake.awaits(LATER, 1);
    let say = ["[E-question-assumed]", "aitc say \"Q-1: …\" --run v1"];
    place.run(&["answer", "Q-1", "as rows"]).fails(2, &say);
    fake.lets_go();
    going.end().ends(0);
}

/// Sends a message like a web page or script would: writes a file and renames it into the inbox.
fn put(place: &Place, n: u32, body: serde_json::Value) {
    let id = format!("0190c0de-0000-7000-8000-00000000000{n}");
    let mut message = serde_json::json!({"v": 1, "id": id, "ts": "2026-01-02T03:04:05Z"});
    let map = message.as_object_mut().unwrap();
    map.extend(body.as_object().unwrap().clone());
    let inbox = place.outputs("v1.draft/inbox");
    std::fs::create_dir_all(&inbox).unwrap();
    let tmp = inbox.join(format!("{id}.tmp"));
    std::fs::write(&tmp, message.to_string()).unwrap();
    std::fs::rename(&tmp, inbox.join(format!("{id}.json"))).unwrap();
}

#[test]
fn any_program_may_put_a_message_into_the_inbox() {
    use serde_json::json;
    const FIRST: &str = "speech/ProductPlanner/r1";
    let schema = schemas::validator("inbox");
    let fake = Fake::holding(WorkshopScript::agreeing_in(9), &[FIRST]);
    let place = Place::new();
    let going = place.start_with(&fake, &["plan", "Export the list"]);
    fake.awaits(FIRST, 1);
    let bodies = [
        json!({"kind": "say", "text": "Leave the mobile app out"}),
        json!({"kind": "debate", "topic": "Which columns?"}),
        json!({"kind": "answer", "question": "Q-9", "text": "yes"}),
        json!({"kind": "shout", "text": "now"}),
        json!({"kind": "stop"}),
    ];
    for (n, body) in bodies.into_iter().enumerate() {
        let mut whole = json!({"v": 1, "id": "0190c0de-0000-7000-8000-000000000000", "ts": ""});
        whole
            .as_object_mut()
            .unwrap()
            .extend(body.as_object().unwrap().clone());
        assert_eq!(schema.is_valid(&whole), body["kind"] != "shout", "{whole}");
        put(&place, n as u32, body);
    }
    fake.lets_go();
    let ran = going.end().ends(7);
    assert!(ran.err.contains("is not a message"), "{}", ran.err);
    let taken = place.events("v1", "user_intervention");
    let intents: Vec<&str> = taken
        .iter()
        .map(|line| line["intent"].as_str().unwrap())
        .collect();
    // Answers are processed first, even invalid ones.
    assert_eq!(intents, ["answer", "say", "debate", "stop"]);
    assert_eq!(taken[1]["message"], "0190c0de-0000-7000-8000-000000000000");
    assert_eq!(taken[1]["content"], "Leave the mobile app out");
}

/// Waiting requests count towards the limit, so a sender learns of a refusal at once.
#[test]
fn debates_beyond_the_cap_are_refused_before_the_run_has_read_the_first() {
    let (place, fake) = (Place::new(), slow());
    place.configure_project("limits: { max_debates: 2 }\n");
    let going = place.start_with(&fake, &["plan", "Export the list"]);
    fake.awaits("speech/SystemDesigner/r1", 1);
    place.run(&["debate", "Who pays for it?"]).ends(0);
    place.run(&["say", "/debate Who may export?"]).ends(0);
    place.run(&["debate", "Which columns?"]).fails(
        2,
        &[
            "E-debate-no-room",
            "v1 may have 2 debates, and none is left",
        ],
    );
    assert_eq!(waiting(&place), 2);
    fake.lets_go();
    going.end();
    let asked = place.events("v1", "user_intervention");
    assert_eq!(asked.len(), 2);
    assert!(
        asked.iter().all(|one| one["refused"].is_null()),
        "{asked:?}"
    );
}
