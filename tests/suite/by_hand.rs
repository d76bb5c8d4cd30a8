//! `--provider hand`: prompts are written to files, replies are read from files, and no process
//! waits.

mod files;
mod killed;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;

use crate::support::binary::{Going, Place, wait_until};
use crate::support::by_hand::{Hand, file, hand_in, keep, prompt, waiting};
use crate::support::fake::{Fake, WorkshopScript, workshop};
use crate::support::normal::normalised;

const REQUIREMENT: &str = "Export the customer list as CSV";
const PLAN: [&str; 6] = [
    "plan",
    REQUIREMENT,
    "--provider",
    "hand",
    "--questions",
    "assume",
];
const DRAFT: &str = ".ai-tools-chain/planning_outputs/v1.draft";

/// Two rounds, questions, and one unusable reply.
fn usual() -> WorkshopScript {
    WorkshopScript {
        questions: 1,
        bad_replies: vec!["speech/SeniorDeveloper/r2".to_owned()],
        ..WorkshopScript::default()
    }
}

fn of_phase<'a>(entries: &'a [Value], phase: &str) -> Vec<&'a Value> {
    entries.iter().filter(|one| one["phase"] == phase).collect()
}

/// Files of a version by path, without the names of the provider and model that answered.
fn words(place: &Place, version: &str) -> BTreeMap<String, String> {
    let mut files = normalised(&place.outputs(version));
    for named in ["planning_transcript.jsonl", "planning.ai.json"] {
        files.remove(named).unwrap();
    }
    let anyone = |text: String| {
        text.replace("hand:anyone", "M")
            .replace("openai:fake-1", "M")
    };
    let anyone = |text: String| anyone(text).replace("anyone", "M").replace("fake-1", "M");
    // Drop lines with token counts and the run id.
    let counts = |line: &&str| {
        let starts = ["- Run `", "- Tokens: ", "    tokens"];
        starts.iter().any(|start| line.starts_with(start)) || line.contains("/M | ")
    };
    let same = |text: String| {
        let text = anyone(text);
        let lines: Vec<&str> = text.lines().filter(|line| !counts(line)).collect();
        lines.join("\n")
    };
    files
        .into_iter()
        .map(|(path, text)| (path, same(text)))
        .collect()
}

#[test]
fn a_workshop_is_held_through_the_files() {
    let place = Place::new();
    let (ran, prompts) = Hand::playing(usual()).holds(&place, &PLAN, DRAFT);
    ran.ends(0);
    place.run(&["verify", "v1"]).ends(0);
    assert!(!place.outputs("v1/calls").exists(), "the calls are gone");

    let entries = place.transcript("v1");
    assert_eq!(entries[0]["inputs"]["model"]["provider"], "hand");
    let started = of_phase(&entries, "call_started");
    assert_eq!(started.len(), prompts.len(), "a prompt for each call");
    for (call, page) in started.iter().zip(prompts.values()) {
        let id = call["call"].as_str().unwrap();
        assert!(page.lines().next().unwrap().contains(&format!("`{id}`")));
    }
    assert_eq!(of_phase(&entries, "round_started").len(), 2);
    assert_eq!(of_phase(&entries, "reply_rejected").len(), 1);
    let again: Vec<_> = prompts
        .values()
        .filter(|page| page.contains("/a2`"))
        .collect();
    assert_eq!(again.len(), 1, "it is asked again");
    assert!(again[0].contains("holds no JSON object"), "{}", again[0]);

    // Tokens were not counted, so every figure is marked as an estimate.
    assert_eq!(place.plan()["usage"]["total"]["estimated"], true);
    assert!(place.text("v1/state.md").contains("tokens_estimated: true"));
    assert!(place.text("v1/planning_report.md").contains("- Tokens: ~"));

    // The same answers produce the same version, whether given by hand or by a model.
    let other = Place::new();
    let fake = Fake::start(workshop(usual()));
    other
        .run_with(&fake, &["plan", REQUIREMENT, "--questions", "assume"])
        .ends(0);
    let (by_hand, by_model) = (words(&place, "v1"), words(&other, "v1"));
    assert_eq!(
        by_hand.keys().collect::<Vec<_>>(),
        by_model.keys().collect::<Vec<_>>()
    );
    for (path, text) in &by_model {
        assert_eq!(by_hand[path], *text, "{path}");
    }
}

#[test]
fn an_agents_loop_holds_a_workshop_with_a_debate() {
    let place = Place::new();
    let hand = Hand::playing(WorkshopScript {
        needs: 3,
        ..WorkshopScript::default()
    });
    place
        .run(&[&PLAN[..], &["--review-debate"]].concat())
        .ends(8);
    let mut turns = 0;
    let path = loop {
        let next = place.run(&["next", "-q"]);
        if next.code != 8 {
            break next.ends(0).out;
        }
        // Agents often add explanations around the JSON.
        let reply = format!("Here it is:\n\n```json\n{}\n```\n", hand.reply(&next.out));
        let done = hand_in(&place, &["--as", "claude-code"], &reply).ends(0);
        assert_eq!(done.out, "aitc next\n");
        turns += 1;
        assert!(turns < 200);
    };
    assert_eq!(path.trim(), ".ai-tools-chain/planning_outputs/v1");
    assert_eq!(place.run(&["next"]).ends(0).out, path, "it says so again");
    let entries = place.transcript("v1");
    assert_eq!(of_phase(&entries, "debate_resolved").len(), 1);
    for speech in of_phase(&entries, "speaking") {
        assert_eq!(speech["model"], "claude-code", "{speech}");
    }
    let models = place.run(&["show", "v1", "report"]).ends(0).out;
    assert!(models.contains("hand/anyone"), "{models}");
}

#[test]
fn calls_side_by_side_wait_together_and_are_taken_as_they_come() {
    let place = Place::new();
    let hand = Hand::playing(WorkshopScript::default());
    let draft = place.work().join(DRAFT);
    place
        .run(&[&PLAN[..], &["--first-round", "blind"]].concat())
        .ends(8);
    hand.answers(&draft);
    place
        .run(&["resume"])
        .fails(8, &["call 2 (PP)", "call 6 (RP)", "aitc reply 2 -f FILE"]);
    assert_eq!(waiting(&draft), [2, 3, 4, 5, 6]);
    let mut prompts = BTreeMap::new();
    keep(&draft, &mut prompts);

    let page = std::fs::read_to_string(prompt(&draft, 4)).unwrap();
    hand_in(&place, &["4"], &hand.reply(&page)).ends(0);
    let json = place.run(&["next", "--json"]).ends(8);
    let json: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json["number"], 2);
    assert_eq!(json["prompt"], prompts[&2].as_str());
    let left = json["waiting"].as_array().unwrap().iter();
    let left: Vec<_> = left.map(|call| call["number"].as_u64().unwrap()).collect();
    assert_eq!(left, [2, 3, 5, 6], "4 was taken");
    assert!(file(&draft, 4, "taken").exists());
    let calls = [
        "root/speech/ProductPlanner/r1/t1/a1",
        "root/speech/SystemDesigner/r1/t2/a1",
    ];
    for (waits, id) in json["waiting"].as_array().unwrap().iter().zip(calls) {
        assert_eq!(waits["call"], id, "the same before and after");
    }
    keep(&draft, &mut prompts);

    let status = place.run(&["status", "v1", "--json"]).ends(0);
    let status: Value = serde_json::from_str(&status.out).unwrap();
    assert_eq!(status["next"], "aitc next");
    assert_eq!(status["by_hand"][0]["number"], 2);

    hand.answers(&draft);
    assert_eq!(place.run(&["resume"]).ends(8).out, "");
    assert_eq!(waiting(&draft), [7], "the summary");
}

#[test]
fn looking_in_changes_nothing() {
    let place = Place::new();
    let draft = place.work().join(DRAFT);
    place.run(&PLAN).ends(8);
    let page = std::fs::read(prompt(&draft, 1)).unwrap();
    let transcript = place.text("v1.draft/planning_transcript.jsonl");
    place.run(&["resume"]).ends(8);
    place.run(&["next"]).ends(8);
    let json = place.run(&["resume", "--json"]).ends(8);
    let json: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(json["exit_code"], 8);
    assert_eq!(json["next"], "aitc next");
    assert_eq!(
        json["waiting"][0]["prompt"],
        format!("{DRAFT}/calls/001.prompt.md")
    );
    assert_eq!(
        place.text("v1.draft/planning_transcript.jsonl"),
        transcript,
        "not one line more"
    );
    // A deleted prompt is recreated from the transcript.
    std::fs::remove_dir_all(draft.join("calls")).unwrap();
    place.run(&["next"]).ends(8);
    assert_eq!(std::fs::read(prompt(&draft, 1)).unwrap(), page);
}

/// A resumption that changes nothing is not recorded; one with another model for a role is.
#[test]
fn another_model_chosen_while_a_call_waits_is_recorded() {
    let place = Place::new();
    place.run(&PLAN).ends(8);
    place.run(&["resume", "--model", "PP=hand:another"]).ends(8);
    let transcript = place.text("v1.draft/planning_transcript.jsonl");
    let last = transcript.lines().last().unwrap();
    assert!(
        last.contains("\"resumed\"") && last.contains("another"),
        "{last}"
    );
}

/// A workshop that waits in its blind first round, in which all members are asked at once.
fn in_a_blind_round() -> (Place, Hand, PathBuf) {
    let place = Place::new();
    let hand = Hand::playing(WorkshopScript::default());
    let draft = place.work().join(DRAFT);
    place
        .run(&[&PLAN[..], &["--first-round", "blind"]].concat())
        .ends(8);
    hand.answers(&draft);
    place.run(&["resume"]).ends(8);
    (place, hand, draft)
}

#[test]
fn a_prompt_that_is_gone_is_made_as_it_was_when_the_run_has_gone_on() {
    let (place, hand, draft) = in_a_blind_round();
    let page = std::fs::read(prompt(&draft, 6)).unwrap();
    // Meanwhile the user and another member speak.
    place
        .run(&["say", "Leave the mobile app out of it"])
        .ends(0);
    let other = std::fs::read_to_string(prompt(&draft, 3)).unwrap();
    hand_in(&place, &["3"], &hand.reply(&other)).ends(0);
    std::fs::remove_file(prompt(&draft, 6)).unwrap();
    place.run(&["resume"]).ends(8);
    assert_eq!(std::fs::read(prompt(&draft, 6)).unwrap(), page);
}

#[test]
fn whoever_stops_a_discussion_need_not_answer_for_it_first() {
    let (place, hand, draft) = in_a_blind_round();
    let page = std::fs::read_to_string(prompt(&draft, 2)).unwrap();
    hand_in(&place, &["2"], &hand.reply(&page)).ends(0);
    place.run(&["stop"]).ends(0);
    let next = place.run(&["next"]).ends(8);
    assert!(next.out.contains("/summary/Coach/"), "{}", next.out);
    hand_in(&place, &["3"], &hand.reply(&page)).fails(
        2,
        &["E-reply-not-due", "withdrawn when the discussion ended"],
    );
    let mut ran = next;
    while ran.code == 8 {
        hand_in(&place, &[], &hand.reply(&ran.out)).ends(0);
        ran = place.run(&["next"]);
    }
    ran.ends(7);
    let entries = place.transcript("v1");
    assert_eq!(of_phase(&entries, "call_failed").len(), 4);
    assert_eq!(
        of_phase(&entries, "speaking").len(),
        1,
        "what was said counts"
    );
}

#[test]
fn one_role_is_answered_by_hand_while_a_model_answers_for_the_others() {
    let place = Place::new();
    let fake = Fake::start(workshop(WorkshopScript::default()));
    let hand = Hand::playing(WorkshopScript::default());
    let line = [
        "plan",
        REQUIREMENT,
        "--questions",
        "assume",
        "--model",
        "RP=hand",
    ];
    let mut ran = place.run_with(&fake, &line);
    let draft = place.work().join(DRAFT);
    let mut asked = 0;
    while ran.code == 8 {
        assert_eq!(hand.answers(&draft).len(), 1);
        asked += 1;
        ran = place.run_with(&fake, &["resume"]);
    }
    ran.ends(0);
    // Two speeches and the risk assessment.
    assert_eq!(asked, 3);
    assert!(
        fake.calls("speech/RiskPlanner/r1") == 0,
        "no model spoke for it"
    );
    let entries = place.transcript("v1");
    for speech in of_phase(&entries, "speaking") {
        let by = if speech["actor"] == "RiskPlanner" {
            "anyone"
        } else {
            "fake-1"
        };
        assert_eq!(speech["model"], by, "{speech}");
    }
}

#[test]
fn a_reply_is_handed_in_while_models_are_at_work() {
    let place = Place::new();
    let fake = Fake::holding(WorkshopScript::default(), &["speech/ProductPlanner/r1"]);
    let line = [
        "plan",
        REQUIREMENT,
        "--questions",
        "assume",
        "--first-round",
        "blind",
        "--model",
        "RP=hand",
    ];
    let run = Going::start(place.command_with(&fake, &line));
    let draft = place.work().join(DRAFT);
    wait_until("the prompt", || prompt(&draft, 1).exists());
    let next = place.run(&["next"]).ends(8);
    let hand = Hand::playing(WorkshopScript::default());
    let reply = hand_in(&place, &["--json"], &hand.reply(&next.out)).ends(0);
    let reply: Value = serde_json::from_str(&reply.out).unwrap();
    assert_eq!(reply["running"], true);
    assert_eq!(reply["waiting"], serde_json::json!([]));
    place.run(&["next"]).fails(9, &["E-run-held"]);
    fake.lets_go();
    run.end().ends(8).says(&["call 2 (RP)"]);
}

#[test]
fn a_team_a_board_and_a_revision_are_held_by_hand() {
    let place = Place::new();
    let hand = Hand::playing(WorkshopScript::default());
    let line = |command, text| [command, text, "--provider", "hand", "--questions", "assume"];
    let (ran, _) = hand.holds(&place, &PLAN, DRAFT);
    ran.ends(0);
    for (version, line) in [
        ("v2", line("revise", "Use tabs.")),
        ("team/v1", line("team", "Compare ways to store receipts")),
        ("board/v1", line("board", "Which store?")),
    ] {
        let mut ran = place.run(&line).ends(8);
        let draft = place.outputs(&format!("{version}.draft"));
        while ran.code == 8 {
            assert!(!hand.answers(&draft).is_empty(), "{line:?}: {ran:#?}");
            ran = place.run(&["resume"]);
        }
        ran.ends(0);
        place.run(&["verify", version]).ends(0);
    }
}

#[test]
fn a_chinese_workshop_is_asked_for_in_chinese() {
    let place = Place::new();
    let hand = Hand::playing(WorkshopScript::default());
    let line = [&["plan", "把客户列表导出为 CSV"], &PLAN[2..]].concat();
    let (ran, prompts) = hand.holds(&place, &line, DRAFT);
    ran.ends(0);
    assert!(prompts[&1].contains("# 您的回复"), "{}", prompts[&1]);
}

#[test]
fn several_runs_wait_and_one_is_named() {
    let place = Place::new();
    place.run(&PLAN).ends(8);
    place.run(&PLAN).ends(8).says(&[
        "`aitc next --run v2`",
        "`aitc reply 1 --run v2 -f FILE`",
        "aitc resume v2",
    ]);
    place
        .run(&["next"])
        .fails(2, &["E-run-ambiguous", "aitc next --run v1"]);
    let hand = Hand::playing(WorkshopScript::default());
    let next = place.run(&["next", "--run", "v2"]).ends(8);
    assert!(next.out.contains("Call 1 of v2"), "{}", next.out);
    hand_in(&place, &["1"], "{}").fails(2, &["E-run-ambiguous"]);
    let done = hand_in(&place, &["1", "--run", "v2"], &hand.reply(&next.out)).ends(0);
    assert_eq!(done.out, "aitc next --run v2\n");
    let next = place.run(&["next", "--run", "v2"]).ends(8);
    assert!(next.out.contains("Call 2 of v2"), "{}", next.out);
    assert!(place.outputs("v1.draft/calls/001.prompt.md").exists());
}

#[test]
fn waiting_takes_no_time_of_the_discussion_and_there_is_more_of_it() {
    let place = Place::new();
    place.run(&PLAN).ends(8);
    let first = &place.transcript("v1.draft")[0];
    assert_eq!(first["inputs"]["limits"]["max_duration_minutes"], 120);
    assert_eq!(first["inputs"]["limits"]["warn_at_minutes"], 115);
    let place = Place::new();
    place
        .run(&[&PLAN[..], &["--minutes", "7"]].concat())
        .ends(8);
    let first = &place.transcript("v1.draft")[0];
    assert_eq!(first["inputs"]["limits"]["max_duration_minutes"], 7);
}
