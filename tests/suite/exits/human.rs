//! Codes 8 and 9: a human is needed, or another process is at work.

use super::{WISH, asked_once_but, events, holding, published};
use crate::support::binary::{Going, Place, files_below, wait_until};
use crate::support::fake::{Fake, Reply, WorkshopScript, workshop};

fn asking(questions: usize) -> Fake {
    Fake::start(workshop(WorkshopScript {
        questions,
        ..WorkshopScript::default()
    }))
}

/// A run that waits for answers.
fn waiting(fake: &Fake) -> Place {
    let place = Place::new();
    let ran = place.run_with(fake, &["plan", WISH]);
    ran.fails(8, &["Q-1", "questions.md", "aitc resume"]);
    assert_eq!(place.versions(), ["v1.draft"]);
    assert!(place.text("v1.draft/questions.md").contains("## Q-1"));
    place
}

/// Takes the run up again; it is published with that answer from that source.
fn goes_on(place: &Place, fake: &Fake, arguments: &[&str], answer: &str, source: &str) {
    let ran = place.run_with(fake, arguments).ends(0);
    published(place, &ran);
    let said = &events(place, "v1", "user_clarification_dialogue")[0];
    assert_eq!(said["user_reply"], answer, "{said}");
    assert_eq!(said["source"], source, "{said}");
    asked_once_but(fake, &[]);
}

#[test]
fn code_8_answered_by_editing_the_file() {
    let fake = asking(1);
    let place = waiting(&fake);
    // Still nothing to go on with.
    place.run_with(&fake, &["resume"]).fails(8, &["Q-1"]);
    let path = place.outputs("v1.draft/questions.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let block = "~~~~ answer Q-1\n";
    let filled = text.replace(block, &format!("{block}Ten thousand.\n"));
    assert_ne!(filled, text);
    std::fs::write(&path, filled).unwrap();
    goes_on(
        &place,
        &fake,
        &["resume"],
        "Ten thousand.",
        "questions_file",
    );
}

#[test]
fn code_8_a_malformed_file_is_an_error_with_its_line() {
    let fake = asking(1);
    let place = waiting(&fake);
    let path = place.outputs("v1.draft/questions.md");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("answer Q-1", "answer Q1")).unwrap();
    let before = files_below(place.work());
    let ran = place.run_with(&fake, &["resume"]);
    let file = ".ai-tools-chain/planning_outputs/v1.draft/questions.md:";
    ran.fails(3, &[file, "Q1"]);
    assert_eq!(
        files_below(place.work()),
        before,
        "what was written is kept"
    );
}

/// What was meant to pick an option and picks none is refused wherever it is written.
#[test]
fn code_8_a_number_of_no_option_is_refused_and_nothing_is_lost() {
    let fake = asking(1);
    let place = waiting(&fake);
    let before = files_below(place.work());
    for answer in [
        &["answer", "Q-1", "9"][..],
        &["answer", "Q-1", "0"],
        &["say", "/answer Q-1 9"],
    ] {
        place
            .run(answer)
            .fails(2, &["[E-option-none]", "options are 1–2"]);
    }
    assert_eq!(files_below(place.work()), before, "nothing was sent");
    let path = place.outputs("v1.draft/questions.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let block = "~~~~ answer Q-1\n";
    let wrong = text.replace(block, &format!("{block}\n 9\n"));
    let at = wrong.lines().position(|line| line == " 9").unwrap() + 1;
    std::fs::write(&path, &wrong).unwrap();
    let ran = place.run_with(&fake, &["resume"]);
    ran.fails(3, &[&format!("questions.md:{at}"), "options are 1–2"]);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), wrong);
    std::fs::write(&path, text).unwrap();
    place.run(&["answer", "Q-1", "2"]).ends(0);
    goes_on(&place, &fake, &["resume"], "100", "command");
}

/// An answer that nobody has taken up is seen wherever its question is.
#[test]
fn code_8_an_answer_that_waits_is_told_as_one() {
    let fake = asking(1);
    let place = waiting(&fake);
    place.run(&["answer", "Q-1", "Ten."]).ends(0);
    for (command, parts) in [
        ("status", &["answered Q-1 ", "aitc resume v1"][..]),
        (
            "questions",
            &["› Ten. (the answer waits to be taken up)", "aitc resume v1"],
        ),
        ("list", &["answered Q-1"]),
    ] {
        let ran = place.run(&[command]).ends(0);
        for part in parts {
            assert!(ran.out.contains(part), "{part}: {ran:#?}");
        }
        for gone in ["waiting", "aitc answer"] {
            assert!(!ran.out.contains(gone), "{gone}: {ran:#?}");
        }
    }
    let json = |command| -> serde_json::Value {
        serde_json::from_str(&place.run(&[command, "--json"]).ends(0).out).unwrap()
    };
    let status = &json("status")["runs"][0];
    assert_eq!(
        (&status["waiting"], &status["answered"]),
        (&serde_json::json!([]), &serde_json::json!(["Q-1"]))
    );
    assert_eq!(json("questions")["questions"][0]["answer_waits"], true);
    assert_eq!(json("questions")["questions"][0]["answer_sent"], "Ten.");
    assert_eq!(json("status")["versions"][0]["answered"][0], "Q-1");
    goes_on(&place, &fake, &["resume"], "Ten.", "command");
}

/// A person's words are taken or told, wherever they were written.
#[test]
fn code_8_an_answer_that_stands_in_no_block_is_an_error_with_its_line() {
    let fake = asking(1);
    let place = waiting(&fake);
    let path = place.outputs("v1.draft/questions.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let block = "~~~~ answer Q-1\n\n~~~~\n";
    assert!(text.contains(block), "{text}");
    let options = text
        .lines()
        .find(|line| line.starts_with("- Recommended:"))
        .unwrap();
    for (wrong, part) in [
        (
            text.replace(block, "~~~~ answer Q-7\nOnly mine.\n~~~~\n\n") + block,
            "nobody asked `Q-7`",
        ),
        (
            text.replace(block, &format!("{block}\nOnly mine.\n")),
            "`Only mine.` stands in no answer block",
        ),
        (
            text.replace(block, &format!("Only mine.\n\n{block}")),
            "`Only mine.` stands in no answer block",
        ),
        (
            text.replace(options, &format!("{options} Only mine.")),
            "stands in no answer block",
        ),
    ] {
        std::fs::write(&path, &wrong).unwrap();
        let ran = place.run_with(&fake, &["resume"]);
        let ran = ran.fails(3, &["questions.md:"]);
        let said = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(part), "{part}: {ran:#?}");
        assert_eq!(
            std::fs::read_to_string(&path).unwrap(),
            wrong,
            "nothing is lost"
        );
    }
    // Beside an answer that is there a remark harms nothing, and a number picks an option.
    let filled = text.replace("~~~~ answer Q-1\n", "A remark.\n\n~~~~ answer Q-1\n2\n");
    std::fs::write(&path, filled).unwrap();
    place.run_with(&fake, &["resume"]).ends(0);
    let said = &events(&place, "v1", "user_clarification_dialogue")[0];
    assert_eq!(said["user_reply"], "100", "{said}");
}

#[test]
fn code_8_answered_by_command() {
    let fake = asking(1);
    let place = waiting(&fake);
    let said = place.run(&["answer", "Q-1", "Ten thousand."]).ends(0);
    assert_eq!(said.out, "aitc resume v1\n");
    for command in ["status", "questions"] {
        let told = place.run(&[command]).ends(0);
        assert!(
            told.err.contains("Q-1 answered, and not taken up yet"),
            "{told:?}"
        );
    }
    goes_on(&place, &fake, &["resume"], "Ten thousand.", "command");
}

/// Who answers again before the run goes on means what was said last.
#[test]
fn code_8_a_corrected_answer_takes_the_place_of_the_first() {
    let fake = asking(1);
    let place = waiting(&fake);
    let first = place.run(&["answer", "Q-1", "Ten."]).ends(0);
    assert!(!first.err.contains("takes the place"), "{first:#?}");
    let again = place.run(&["answer", "Q-1", "Twenty."]).ends(0);
    assert!(
        again
            .err
            .contains("takes the place of the answer to Q-1 that waited"),
        "{again:#?}"
    );
    // All that waits is what nobody answered.
    place.run(&["answer", "--recommended", "--all"]).ends(0);
    goes_on(&place, &fake, &["resume"], "Twenty.", "command");
    assert!(events(&place, "v1", "user_intervention").is_empty());
}

#[test]
fn code_8_prepared_words_for_an_answer_are_used_and_blanks_are_none() {
    let fake = asking(1);
    let place = waiting(&fake);
    place.write("answers.yaml", "Q-1: \"  \"\n");
    let arguments = ["resume", "--answers", "answers.yaml"];
    let ran = place.run_with(&fake, &arguments);
    ran.fails(3, &["answers.yaml:1", "`Q-1` has no answer"]);
    place.write("answers.yaml", "Q-1: recommended\n");
    let ran = place.run_with(&fake, &arguments).ends(0);
    assert!(!ran.err.contains("were not used"), "{ran:#?}");
}

#[test]
fn code_8_answered_by_a_prepared_file() {
    let fake = asking(1);
    let place = waiting(&fake);
    place.write("answers.yaml", "Q-1: Ten thousand.\n");
    let arguments = ["resume", "--answers", "answers.yaml"];
    goes_on(&place, &fake, &arguments, "Ten thousand.", "answers_file");
}

/// Two answers to one question: one is taken, and the other is on record.
#[test]
fn code_8_an_answer_by_file_and_another_by_command_are_both_on_record() {
    let fake = asking(1);
    let place = waiting(&fake);
    let path = place.outputs("v1.draft/questions.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let block = "~~~~ answer Q-1\n";
    std::fs::write(
        &path,
        text.replace(block, &format!("{block}By the file.\n")),
    )
    .unwrap();
    place.run(&["answer", "Q-1", "By the command."]).ends(0);
    goes_on(&place, &fake, &["resume"], "By the command.", "command");
    let late = &events(&place, "v1", "user_intervention")[0];
    assert_eq!(late["content"], "/answer Q-1 By the file.", "{late}");
    assert_eq!(late["refused"], "not_asked", "{late}");
}

#[test]
fn code_8_prepared_answers_that_nobody_needed_are_told() {
    let fake = asking(1);
    let place = waiting(&fake);
    place.write(
        "answers.yaml",
        "Q-1: Ten thousand.\nQ-9: Nobody asked.\nQ-77: Nor this.\n",
    );
    let ran = place.run_with(&fake, &["resume", "--answers", "answers.yaml"]);
    let ran = ran.ends(0);
    let said = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains("answers to `Q-9`, `Q-77` were not used"),
        "{said}"
    );
}

#[test]
fn code_8_the_recommended_answer_by_command() {
    let fake = asking(1);
    let place = waiting(&fake);
    place.run(&["answer", "--recommended", "--all"]).ends(0);
    goes_on(&place, &fake, &["resume"], "100", "recommended");
}

#[test]
fn code_8_some_answers_are_not_all() {
    let fake = asking(3);
    let place = waiting(&fake);
    place.run(&["answer", "Q-2", "Twenty"]).ends(0);
    let ran = place.run_with(&fake, &["resume"]);
    ran.fails(8, &["waiting for your answer: Q-1, Q-3"]);
    let page = place.text("v1.draft/questions.md");
    assert!(!page.contains("~~~~ answer Q-2"), "{page}");
    place.run(&["answer", "--recommended", "--all"]).ends(0);
    let ran = place.run_with(&fake, &["resume"]).ends(0);
    published(&place, &ran);
    asked_once_but(&fake, &[]);
}

#[test]
fn assumed_answers_never_wait_and_are_on_record() {
    let (place, fake) = (Place::new(), asking(3));
    let arguments = ["plan", WISH, "--questions", "assume"];
    let ran = place.run_with(&fake, &arguments).ends(0);
    published(&place, &ran);
    let said = events(&place, "v1", "user_clarification_dialogue");
    assert_eq!(said.len(), 3);
    assert!(said.iter().all(|line| line["source"] == "assumed"));
    assert!(
        place
            .text("v1/planning_report.md")
            .contains("3 assumptions")
    );
}

#[test]
fn a_paused_run_can_be_told_to_assume() {
    let fake = asking(1);
    let place = waiting(&fake);
    let ran = place.run_with(&fake, &["resume", "--questions", "assume"]);
    published(&place, &ran.ends(0));
    let said = &events(&place, "v1", "user_clarification_dialogue")[0];
    assert_eq!(said["source"], "assumed", "{said}");
    let report = place.text("v1/planning_report.md");
    assert!(
        report.contains("1 assumption"),
        "an assumption is named as one"
    );
}

#[test]
fn code_9_the_run_is_held_by_another_process() {
    const HELD: &str = "speech/SystemDesigner/r1";
    let fake = holding(HELD);
    let place = Place::new();
    let first = place.start_with(&fake, &["plan", WISH]);
    wait_until("the held call", || fake.calls(HELD) == 1);
    // What shows where the run stands is written while the call is on its way.
    wait_until("the files to catch up", || {
        let transcript = place.text("v1.draft/planning_transcript.jsonl");
        let last = transcript.lines().last().unwrap_or_default();
        let last: serde_json::Value = serde_json::from_str(last).unwrap_or_default();
        let ts = last["ts"].as_str().unwrap_or("?").to_owned();
        place.text("v1.draft/state.md").contains(&ts)
    });
    let before = files_below(place.work());
    for second in [&["resume"][..], &["resume", "v1"], &["verify", "--repair"]] {
        let ran = place.run_with(&fake, second);
        ran.fails(9, &["held by process", "since 20"]);
    }
    assert_eq!(files_below(place.work()), before, "unchanged");
    assert_eq!(fake.calls(HELD), 1);
    first.kill();
    let ran = place.run_with(&fake, &["resume"]).ends(0);
    published(&place, &ran);
    asked_once_but(&fake, &[HELD]);
}

fn git(folder: &std::path::Path, home: &std::path::Path, arguments: &[&str]) {
    let output = std::process::Command::new("git")
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", home)
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
        .args(["-c", "core.autocrlf=false", "-C"])
        .arg(folder)
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
}

#[test]
fn a_committed_draft_is_answered_and_resumed_from_a_fresh_clone() {
    let fake = asking(1);
    let place = Place::new();
    git(place.work(), &place.home(), &["init", "-q"]);
    place.run_with(&fake, &["plan", WISH]).fails(8, &["Q-1"]);
    git(place.work(), &place.home(), &["add", "-A"]);
    git(place.work(), &place.home(), &["commit", "-qm", "a draft"]);
    let folder = tempfile::tempdir().unwrap();
    let clone = folder.path().join("clone");
    let (from, to) = (place.work().to_str().unwrap(), clone.to_str().unwrap());
    git(folder.path(), &place.home(), &["clone", "-q", from, to]);
    let there = Place::new().elsewhere(&clone);
    assert_eq!(there.versions(), ["v1.draft"]);
    let path = there.outputs("v1.draft/questions.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let block = "~~~~ answer Q-1\n";
    std::fs::write(&path, text.replace(block, &format!("{block}Ten.\n"))).unwrap();
    goes_on(&there, &fake, &["resume"], "Ten.", "questions_file");
    git(&clone, &place.home(), &["add", "-A"]);
    git(&clone, &place.home(), &["commit", "-qm", "a version"]);
    assert_eq!(place.versions(), ["v1.draft"], "the first stays as it is");
}

#[test]
fn two_processes_take_up_one_draft_and_one_gets_9() {
    const HELD: &str = "speech/SystemDesigner/r1";
    // The second asking is held, so that both are there at once.
    let script = workshop(WorkshopScript::default());
    let fake = Fake::start(move |seen| match (seen.key.as_str(), seen.times) {
        (HELD, 1) => Reply::HangBeforeHeaders,
        (HELD, _) => Reply::Held(Box::new(script(seen))),
        _ => script(seen),
    });
    let place = Place::new();
    let first = place.start_with(&fake, &["plan", WISH]);
    wait_until("the held call", || fake.calls(HELD) == 1);
    first.kill();
    let mut both: Vec<Going> = (0..2)
        .map(|_| place.start_with(&fake, &["resume", "v1"]))
        .collect();
    wait_until("one of them to give way", || {
        both.iter_mut().any(Going::is_over)
    });
    fake.lets_go();
    let mut codes: Vec<i32> = both.into_iter().map(|one| one.end().code).collect();
    codes.sort_unstable();
    assert_eq!(codes, [0, 9]);
    assert_eq!(place.versions(), ["v1"]);
    asked_once_but(&fake, &[HELD]);
}

#[test]
fn an_answer_file_that_cannot_be_read_is_no_silence() {
    let fake = asking(1);
    let place = waiting(&fake);
    let file = place.outputs("v1.draft/questions.md");
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    let ran = place.run_with(&fake, &["resume"]);
    ran.fails(11, &["questions.md"]);
}

/// What waits for an answer holds up no stop: what was said is summed up, and the question
/// is left to decide.
#[test]
fn a_stop_at_a_question_sums_up_and_leaves_it_open() {
    for (lang, told) in [("en", "stays open"), ("zh", "保持未决")] {
        let fake = asking(1);
        let place = waiting(&fake);
        place.run(&["stop"]).ends(0);
        let arguments = ["resume", "v1", "--lang", lang];
        let ran = place.run_with(&fake, &arguments).ends(7);
        let words = ran.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(told), "{}", ran.err);
        assert_eq!(events(&place, "v1", "consensus_summary").len(), 1);
        assert_eq!(events(&place, "v1", "user_clarification_dialogue").len(), 0);
        let report = place.text("v1/planning_report.md");
        let row = |line: &&str| line.contains("Not settled: ") && line.contains("Q-1");
        assert_eq!(report.lines().filter(row).count(), 1, "{report}");
        asked_once_but(&fake, &[]);
        place.run(&["verify", "v1"]).ends(0);
    }
}

/// Side by side, the turn of the first who has nothing to say puts a question; whoever is
/// not asked yet waits for its answer.
#[test]
fn a_question_put_while_others_wait_for_their_turn_pauses_a_blind_round() {
    let script = workshop(WorkshopScript::default());
    let fake = Fake::start(move |seen| match seen.key.starts_with("speech/") {
        true if !seen.text().contains("Only administrators") => Reply::Text(String::new()),
        _ => script(seen),
    });
    let place = Place::new();
    place.write(".ai-tools-chain/diligence.md", "Go on.\n");
    let members =
        ["PP", "SD", "Dev", "TP", "RP"].map(|code| format!("{code}: {{diligence_push_max: 1}}"));
    place.write(
        ".ai-tools-chain/team.yaml",
        &format!("members: {{{}}}\n", members.join(", ")),
    );
    let plan = [
        "plan",
        WISH,
        "--first-round",
        "blind",
        "--questions",
        "pause",
    ];
    place.run_with(&fake, &plan).ends(8);
    let started = events(&place, "v1.draft", "diligence_exhausted").len();
    assert!((1..=4).contains(&started), "{started}");
    place.run(&["answer", "Q-1", "stop"]).ends(0);
    place
        .run_with(&fake, &["resume", "v1", "--questions", "assume"])
        .ends(7);
}
