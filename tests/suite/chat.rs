//! `aitc chat`: lines from a pipe, and on a terminal.

#[cfg(unix)]
mod small;
#[cfg(unix)]
mod terminal;

use serde_json::Value;

use crate::support::binary::{Going, Place, Ran};
use crate::support::fake::{Fake, WorkshopScript, workshop};

/// A chat fed with lines.
fn chat(place: &Place, flags: &[&str], lines: &[&str]) -> Ran {
    let arguments = [&["chat", "--questions", "assume"], flags].concat();
    Going::fed(place.command(&arguments), lines).end()
}

/// Members that ask one question and agree in the first round.
fn curious() -> Fake {
    Fake::start(workshop(WorkshopScript {
        questions: 1,
        rounds_to_converge: 1,
        ..WorkshopScript::default()
    }))
}

fn out(ran: &Ran) -> Vec<&str> {
    ran.out.lines().collect()
}

#[test]
fn what_is_said_goes_on_and_becomes_a_plan() {
    let place = Place::new();
    let lines = [
        "Should receipts be stored as photos or as text?",
        "",
        "Personal data must be erasable.",
        "/plan --rounds 5",
        "quit",
        "this is read by nobody",
    ];
    let ran = chat(&place, &[], &lines).ends(0);
    assert_eq!(
        out(&ran),
        [
            ".ai-tools-chain/planning_outputs/chat/v1",
            ".ai-tools-chain/planning_outputs/chat/v2",
            ".ai-tools-chain/planning_outputs/v1",
        ]
    );
    let read = |path: &str| {
        let text = std::fs::read_to_string(place.work().join(".ai-tools-chain").join(path));
        serde_json::from_str::<Value>(&text.unwrap()).unwrap()
    };
    let second = read("planning_outputs/chat/v2/party.ai.json");
    assert_eq!(second["from"]["version"], 1);
    // The plan is about everything that was said, and what was agreed.
    let plan = read("planning_outputs/v1/planning.ai.json");
    let requirement = plan["requirement"].as_str().unwrap();
    for part in [
        "photos or as text",
        "must be erasable",
        "Agreed in conversation:",
    ] {
        assert!(requirement.contains(part), "no `{part}` in {requirement}");
    }
    let flags = place.text("v1/planning_transcript.jsonl");
    assert!(flags.contains(r#""max_rounds":5"#), "flags are no text");
    let agreed = second["consensus"][0]["text"].as_str().unwrap();
    assert!(
        requirement.contains(agreed.trim()),
        "{agreed}\n{requirement}"
    );
}

#[test]
fn commands_are_those_of_the_command_line() {
    let place = Place::new();
    let lines = [
        "@team[SD,RP] Compare ways to store receipts",
        "@board Photos or text?",
        "/plan --light Export the list, and don't forget \"totals\"",
        "/status v1",
        "/list",
        "/show board/v1",
        "/plan --rounds 3 Export the list as CSV",
        "/diff v1 v2",
        "/help",
        "/help plan",
    ];
    // The end of the input is the end of the chat.
    let ran = chat(&place, &[], &lines).ends(0);
    for part in [
        ".ai-tools-chain/planning_outputs/team/v1\n",
        ".ai-tools-chain/planning_outputs/board/v1\n",
        ".ai-tools-chain/planning_outputs/v1\n",
        "## What was decided",
        "Usage: aitc plan",
    ] {
        assert!(ran.out.contains(part), "no `{part}` in {ran:#?}");
    }
    assert!(ran.err.contains("/new "), "{ran:#?}");
    let plan = place.text("v1/planning_report.md");
    assert!(!plan.is_empty());
    let transcript = place.text("v1/planning_transcript.jsonl");
    assert!(transcript.contains(r#"and don't forget \"totals\""#));
}

#[test]
fn what_fails_is_told_and_the_next_line_is_done() {
    let place = Place::new();
    for (line, code, told) in [
        ("/nosuch thing", 2, "`nosuch`"),
        ("/stauts", 2, "status"),
        ("@board", 2, "`@board` needs a text"),
        ("/show v9", 2, "error[E-"),
        ("/stop", 2, "error[E-"),
        ("/answer Q-1 yes", 2, "error[E-"),
        ("/chat", 2, "`chat`"),
        ("/plan --rounds none Export it", 2, "--rounds"),
        ("@team[XX] Do it", 3, "there is no role `XX`"),
        ("@team[Dve] Do it", 3, "did you mean `Dev`?"),
        ("@tema Port it", 2, "did you mean `@team`?"),
        ("@SD What do you think?", 2, "there is no meeting `@SD`"),
        // Hints are typed at this prompt.
        ("/stop", 2, "fix: /status"),
    ] {
        let ran = chat(&place, &[], &[line, "/list", "goodbye"]);
        assert_eq!(ran.code, code, "{line}: {ran:#?}");
        assert!(ran.err.contains(told), "{line}: {ran:#?}");
    }
    // What is wrong with its own flags is told before anything is read.
    let ran = chat(&place, &["--rounds", "none"], &["/list"]);
    assert_ne!(ran.code, 0, "{ran:#?}");
    let ran = chat(&place, &["--record", "d"], &["/list"]).ends(2);
    assert!(ran.err.contains("--record"), "{ran:#?}");
}

#[test]
fn an_exit_word_ends_it_and_begins_no_run() {
    for word in ["exit", "Quit", "*exit", "END PARTY", "/exit"] {
        let place = Place::new();
        let ran = chat(&place, &[], &[word, "Photos or text?"]).ends(0);
        assert_eq!(ran.out, "", "{word}: {ran:#?}");
    }
}

#[test]
fn hints_name_what_is_typed_there() {
    let place = Place::new();
    let fake = curious();
    let lines = [
        "/plan Export the list",
        "/status",
        "/answer Q-1 yes",
        "/list",
    ];
    let ran = Going::fed(place.command_with(&fake, &["chat"]), &lines).end();
    for part in ["/answer Q-1", "/resume v1"] {
        assert!(ran.out.contains(part), "no `{part}` in {ran:#?}");
    }
    assert!(ran.err.contains("/resume"), "{ran:#?}");
    let hints = [&ran.out, &ran.err].map(|text| text.contains("aitc resume"));
    assert_eq!(hints, [false, false], "{ran:#?}");
    // For programs nothing changes.
    let documents = Going::fed(
        place.command_with(&fake, &["chat", "--json"]),
        &["/status v1"],
    );
    // Q-1 is answered, and that waits to be taken up.
    assert!(documents.end().out.contains("aitc resume v1"));
}

#[cfg(unix)]
#[test]
fn a_run_of_a_program_named_at_the_start_is_resumed_from_there() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    let program = place.work().join("member.sh");
    // It fails until somebody lets it answer; then its answers are no use either.
    let text = "#!/bin/sh\ncat > /dev/null\necho asked >> asked.log\necho no object\n";
    std::fs::write(&program, text).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = place.command(&["chat", "--provider", "command"]);
    command.env("AITC_COMMAND", program.to_str().unwrap());
    let lines = ["/plan Export the list", "/resume", "/resume v1"];
    let ran = Going::fed(command, &lines).end();
    assert_eq!(ran.code, 6, "{ran:#?}");
    assert!(!ran.err.contains("E-program-not-chosen"), "{ran:#?}");
    assert_eq!(ran.err.matches("E-reply-unusable").count(), 3, "{ran:#?}");
}

#[test]
fn programs_read_one_document_a_line() {
    let place = Place::new();
    let lines = ["Photos or text?", "/status", "/nosuch", "/list"];
    let ran = chat(&place, &["--json"], &lines).ends(2);
    let documents: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
        .collect();
    assert_eq!(documents.len(), lines.len(), "{ran:#?}");
    assert_eq!(
        documents[0]["path"],
        ".ai-tools-chain/planning_outputs/chat/v1"
    );
    assert_eq!(documents[1]["versions"][0]["version"], 1);
    assert_eq!(documents[2]["error"]["code"], "E-command-unknown");
    assert!(!ran.err.contains("Round 1"), "{ran:#?}");
    // With `stream-json` the events come before the document.
    let ran = chat(
        &place,
        &["--output-format", "stream-json"],
        &["Photos or text?"],
    )
    .ends(0);
    let first: Value = serde_json::from_str(ran.out.lines().next().unwrap()).unwrap();
    assert_eq!(first["phase"], "user_input");
}

#[test]
fn it_speaks_chinese() {
    let place = Place::new();
    let lines = ["收据应当存成照片还是文字？", "/help", "/new", "quit"];
    let ran = chat(&place, &["--lang", "zh"], &lines).ends(0);
    assert_eq!(out(&ran), [".ai-tools-chain/planning_outputs/chat/v1"]);
    for part in ["开始另一次交谈", "请 ", "将开始新的交谈"] {
        assert!(ran.err.contains(part), "no `{part}` in {ran:#?}");
    }
}

#[test]
fn a_line_goes_on_after_a_backslash_and_flags_stand_for_all_runs() {
    let place = Place::new();
    let fake = Fake::start(workshop(WorkshopScript {
        rounds_to_converge: 9,
        ..WorkshopScript::default()
    }));
    let arguments = ["chat", "--rounds", "1", "--order", "rotate"];
    let lines = [
        "/plan Export the list \\",
        "and the orders",
        "/board --rounds 2 Photos or text?",
    ];
    let ran = Going::fed(place.command_with(&fake, &arguments), &lines).end();
    assert_eq!(ran.code, 7, "the limit ends both: {ran:#?}");
    let transcript = place.text("v1/planning_transcript.jsonl");
    assert!(transcript.contains(r"Export the list \nand the orders"));
    assert_eq!(fake.calls("speech/RiskPlanner/r1"), 2);
    assert_eq!(
        fake.calls("speech/RiskPlanner/r2"),
        1,
        "what is said for one run holds"
    );
}

#[test]
fn a_run_that_waits_is_answered_and_resumed_from_there() {
    let place = Place::new();
    let fake = curious();
    let lines = [
        "/plan Export the list",
        "/questions",
        "/answer Q-1 Ten thousand rows",
        "/resume",
    ];
    let ran = Going::fed(place.command_with(&fake, &["chat"]), &lines).end();
    assert_eq!(ran.code, 8, "the first that needed somebody: {ran:#?}");
    assert!(
        ran.out.ends_with(".ai-tools-chain/planning_outputs/v1\n"),
        "{ran:#?}"
    );
    assert!(
        place
            .text("v1/planning_transcript.jsonl")
            .contains("Ten thousand rows")
    );
}

#[test]
fn a_conversation_that_paused_is_gone_on_with_and_one_put_away_is_not() {
    let place = Place::new();
    let fake = curious();
    let lines = [
        "Photos or text for receipts?",
        "/answer Q-1 Ten thousand rows",
        "/resume",
        "Personal data must be erasable.",
    ];
    let ran = Going::fed(place.command_with(&fake, &["chat"]), &lines).end();
    let begun = |path: &str| {
        let folder = place
            .work()
            .join(".ai-tools-chain/planning_outputs/chat")
            .join(path);
        let transcript = std::fs::read_to_string(folder.join("planning_transcript.jsonl"));
        let transcript = transcript.unwrap_or_else(|error| panic!("{path}: {error}: {ran:#?}"));
        serde_json::from_str::<Value>(transcript.lines().next().unwrap()).unwrap()
    };

    assert_eq!(begun("v2")["from"]["version"], 1);

    let place = Place::new();
    let lines = ["Photos or text for receipts?", "/new", "/plan"];
    let ran = chat(&place, &[], &lines);
    assert_eq!(out(&ran), [".ai-tools-chain/planning_outputs/chat/v1"]);
    assert!(ran.err.contains("E-text-missing"), "{}", ran.err);
}
