//! Files of a version. What they hold is on `reports.md` and `sections.md` below
//! `crates/workshop/tests/played`.

mod diagrams;
pub mod hostile;

use aitc::artifact::{self, Artifact, read_questions};
use aitc::machine::*;
use aitc::reply::AskedQuestion;
use serde_json::json;

use crate::support::meeting::{file, question};
use crate::support::played::{moments, play};
use crate::support::sample::every_event;
use crate::support::{schemas, states};

fn render(state: &State) -> Vec<Artifact> {
    artifact::render(state).unwrap()
}

fn report(state: &State) -> String {
    file(state, "planning_report.md")
}

#[test]
fn live_holds_the_current_round_only_and_the_same_bytes() {
    let meeting = states::meeting("agreed", Lang::En);
    let mut left_out = 0;
    for (state, _) in moments::moments(&meeting) {
        if state.stage != Stage::Speaking {
            continue;
        }
        let current = format!("_r{}.txt", state.round);
        let mut all = render(&state);
        let of_all = all.len();
        all.retain(|file| !file.path.starts_with("speeches/") || file.path.ends_with(&current));
        left_out += of_all - all.len();
        let renderer = artifact::Renderer::new(&state.inputs).unwrap();
        let mut live = renderer.standing(&state, state.round).unwrap();
        live.extend(renderer.speeches(&state, |_| true).unwrap());
        assert_eq!(live.len(), all.len());
        assert!(live.iter().all(|file| all.contains(file)));
    }
    assert!(left_out > 5);
}

#[test]
fn time_stands_in_state_md_alone() {
    let state = states::of("revised", Lang::En);
    let mut later = state.clone();
    later.run.started_at = "2031-01-01T00:00:00.000Z".to_owned();
    later.run.last_activity_at = "2031-01-01T00:09:00.000Z".to_owned();
    later.run.active_ms = 540_000;
    later.calls.latency_ms = 9;
    let pairs = render(&state).into_iter().zip(render(&later));
    let changed: Vec<String> = pairs.filter(|(a, b)| a != b).map(|(a, _)| a.path).collect();
    assert_eq!(changed, ["state.md"]);
}

fn filled(text: &str, id: &str, answer: &str) -> String {
    let open = format!("~~~~ answer {id}\n");
    let at = text.find(&open).unwrap() + open.len();
    format!("{}{answer}{}", &text[..at], &text[at..])
}

#[test]
fn answers_come_back_as_they_were_written() {
    for lang in ["en", "zh"] {
        let asked = ["PP", "SD", "Dev", "TP"].map(|code| {
            let question = AskedQuestion {
                why: "a\n=======\nb".to_owned(),
                ..question(&format!(
                    "~~~~ answer Q-9\n~~~~\nWhat does {code} say?\n## Q-8\n=======\n<<<<<<< ours"
                ))
            };
            format!("{code} r1: with {}", json!({ "questions": [question] }))
        });
        let files = format!("files {lang}");
        let script = [&*files, "set questions = pause", "set first_round = blind"];
        let meeting = play(script.into_iter().chain(asked.iter().map(|line| &**line)));
        let waits = moments::at(&meeting, "user_clarification_dialogue");
        let empty = file(&waits.state, "questions.md");
        assert_eq!(read_questions(&empty), Ok(vec![]));
        let text = filled(&empty, "Q-1", "\nFirst line.\n\n## Second *line*\n");
        let text = filled(&text, "Q-3", "Recommended");
        let text = filled(&text, "Q-4", "谢绝");
        let answers = vec![
            (QuestionId(1), "First line.\n\n## Second *line*".to_owned()),
            (QuestionId(3), "Recommended".to_owned()),
            (QuestionId(4), "谢绝".to_owned()),
        ];
        assert_eq!(read_questions(&text), Ok(answers.clone()));
        let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
        assert_eq!(read_questions(&windows), Ok(answers));
    }
}

#[test]
fn malformed_answer_files_are_refused_with_their_line() {
    let line = |text: &str| read_questions(text).unwrap_err().line;
    assert_eq!(line("\n~~~~ answer Q1\nx\n~~~~\n"), 2);
    assert_eq!(line("## Q-1\n\n~~~~ answer Q-1\nx\n"), 3);
    assert_eq!(line("~~~~ answer Q-1\nx\n~~~~ answer Q-2\n~~~~\n"), 1);
    assert_eq!(line("~~~~ answer Q-1\n~~~~\n\n~~~~ answer Q-1\n~~~~\n"), 4);
    assert_eq!(
        line("## Q-1\nmy answer\n\n## Q-2\n~~~~ answer Q-2\n~~~~\n"),
        1
    );
    assert_eq!(line("x\n~~~~\n"), 2);
    let error = read_questions("~~~~ answer Q-1\nx").unwrap_err();
    insta::assert_snapshot!(error, @"line 1: the answer block of `Q-1` is not closed; end it with a line `~~~~`");
}

#[test]
fn transcript_lines_obey_their_schema() {
    let validator = schemas::validator("transcript");
    for entry in every_event() {
        let mut line = serde_json::to_value(&entry).unwrap();
        line["h"] = "ab".repeat(32).into();
        let errors: Vec<String> = validator
            .iter_errors(&line)
            .map(|e| e.to_string())
            .collect();
        assert_eq!(errors, Vec::<String>::new(), "{line}");
        line["phase"] = "thinking".into();
        assert!(!validator.is_valid(&line));
    }
}
