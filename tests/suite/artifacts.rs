//! Files of a version: the report, the plan, documents, speeches, questions.

mod diagrams;
pub mod hostile;
mod revised;
mod sections;

use aitc::artifact::{self, Artifact, read_questions};
use aitc::machine::*;
use aitc::reply::DocumentKind;
use serde_json::Value;

use crate::support::meeting::style;
use crate::support::sample::every_event;
use crate::support::{schemas, states};

fn text(files: &[Artifact], path: &str) -> String {
    let file = files.iter().find(|file| file.path == path);
    let file = file.unwrap_or_else(|| panic!("no `{path}`"));
    String::from_utf8(file.bytes.clone()).unwrap()
}

fn json(files: &[Artifact], path: &str) -> Value {
    serde_json::from_str(&text(files, path)).unwrap()
}

fn render(state: &State) -> Vec<Artifact> {
    artifact::render(state).unwrap()
}

fn report(state: &State) -> String {
    text(&render(state), "planning_report.md")
}

#[test]
fn report_snapshots() {
    for lang in [Lang::En, Lang::Zh] {
        let mut light = states::agreed(lang);
        light.inputs.light = true;
        for (name, state) in [
            ("agreed", states::agreed(lang)),
            ("unresolved", states::unresolved(lang)),
            ("revised", states::revised(lang)),
            ("light", light),
            ("large", states::large(lang)),
        ] {
            insta::assert_snapshot!(format!("report_{name}_{}", lang.code()), report(&state));
        }
    }
}

#[test]
fn small_files_snapshots() {
    for lang in [Lang::En, Lang::Zh] {
        let files = render(&states::discussing(lang));
        for (name, path) in [
            ("speech", "speeches/PP_speak_r1.txt"),
            ("speech_asks", "speeches/TP_speak_r1.txt"),
            ("state", "state.md"),
            ("questions", "questions.md"),
        ] {
            insta::assert_snapshot!(format!("{name}_{}", lang.code()), text(&files, path));
        }
        let feedback = text(&render(&states::revised(lang)), "feedback.md");
        insta::assert_snapshot!(format!("feedback_{}", lang.code()), feedback);
    }
}

#[test]
fn live_holds_the_current_round_only_and_the_same_bytes() {
    let mut state = states::discussing(Lang::En);
    let mut earlier = state.discussion.speeches[0].clone();
    earlier.round = 0;
    state.discussion.speeches.push(earlier);
    let all = render(&state);
    let live = artifact::live(&state).unwrap();
    assert_eq!(live.len() + 1, all.len());
    for file in &live {
        assert!(all.contains(file), "{}", file.path);
    }
}

#[test]
fn time_stands_in_state_md_alone() {
    let state = states::revised(Lang::En);
    let mut later = state.clone();
    later.run.started_at = "2031-01-01T00:00:00.000Z".to_owned();
    later.run.last_activity_at = "2031-01-01T00:09:00.000Z".to_owned();
    later.run.active_ms = 540_000;
    later.calls.latency_ms = 9;
    let changed: Vec<String> = render(&state)
        .into_iter()
        .zip(render(&later))
        .filter(|(a, b)| a != b)
        .map(|(a, _)| a.path)
        .collect();
    assert_eq!(changed, ["state.md"]);
}

#[test]
fn a_need_that_was_dropped_is_told_with_its_reason() {
    let mut state = states::unresolved(Lang::En);
    assert!(!report(&state).contains("was dropped"));
    let mut issues: Vec<_> = state.ledger.iter().cloned().collect();
    let dropped = &mut issues[1];
    dropped.status = IssueStatus::Dropped;
    dropped.history.push(IssueChange {
        issue: dropped.id,
        round: 2,
        to: IssueStatus::Dropped,
        reason: Some("The mail client does it.".to_owned()),
    });
    state.ledger = states::ledger(issues);
    let text = report(&state);
    assert!(text.contains("was dropped in round 2"), "{text}");
    assert!(text.contains("Why: The mail client does it."), "{text}");
    // The user asked for this issue, so the report lists it among the decisions and in its last
    // lines.
    let decide = text.split("## 2").next().unwrap();
    assert!(
        decide.contains("Asked for, but not part of the plan"),
        "{decide}"
    );
    let style = style(100);
    let closing = aitc::ui::view::closing(&state, "out/v1", aitc::ui::view::Next::Review, &style);
    let told = "dropped  I-2 Who may export: The mail client does it.";
    assert!(closing.contains(told), "{closing}");
}

#[test]
fn an_assumption_says_whether_somebody_was_asked() {
    for (lang, assumed, declined) in [
        (
            Lang::En,
            "| Nobody was asked: How",
            "| You gave no answer: How",
        ),
        (Lang::Zh, "| 未经询问：", "| 您未作答："),
    ] {
        let mut state = states::revised(lang);
        assert!(report(&state).contains(assumed));
        state.questions.asked[0].status = QuestionStatus::Closed {
            source: AnswerSource::Declined,
            answer: String::new(),
        };
        let text = report(&state);
        assert!(text.contains(declined) && !text.contains(assumed), "{text}");
    }
}

#[test]
fn scripted_members_and_missing_models_are_labelled() {
    let mut state = states::agreed(Lang::En);
    let scripted = "**Every answer was replayed from a script; no language model took part.**";
    assert!(report(&state).contains(scripted));
    state.documents.report_without_model = true;
    state
        .documents
        .written
        .get_mut(&DocumentKind::TestPlan)
        .unwrap()
        .without_model = true;
    let text = report(&state);
    assert!(
        text.contains("because the budget was used up: test plan, text at the top of this report."),
        "{text}"
    );
}

fn filled(text: &str, id: &str, answer: &str) -> String {
    let open = format!("~~~~ answer {id}\n");
    let at = text.find(&open).unwrap() + open.len();
    format!("{}{answer}{}", &text[..at], &text[at..])
}

#[test]
fn answers_come_back_as_they_were_written() {
    for lang in [Lang::En, Lang::Zh] {
        let mut state = states::discussing(lang);
        for n in 2..=4 {
            let mut question = states::waiting_question(lang);
            question.id = QuestionId(n);
            question.text =
                "~~~~ answer Q-9\n~~~~\nReally?\n## Q-8\n=======\n<<<<<<< ours".to_owned();
            question.why = "a\n=======\nb".to_owned();
            state.questions.asked.push(question);
        }
        let empty = text(&render(&state), "questions.md");
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
    insta::assert_snapshot!(error, @"questions.md:1: the answer block of `Q-1` is not closed; end it with a line `~~~~`");
}

#[test]
fn rendered_files_obey_their_schemas() {
    for state in [
        states::agreed(Lang::En),
        states::unresolved(Lang::Zh),
        states::revised(Lang::En),
    ] {
        let files = render(&state);
        for file in
            "planning.ai product_plan system_design dev_plan test_plan risk_assessment".split(' ')
        {
            let validator = schemas::validator(file);
            let mut value = json(&files, &format!("{file}.json"));
            let errors: Vec<String> = validator
                .iter_errors(&value)
                .map(|e| e.to_string())
                .collect();
            assert_eq!(errors, Vec::<String>::new(), "{file}");
            // A schema that accepted everything would prove nothing.
            value.as_object_mut().unwrap().remove("status");
            assert!(!validator.is_valid(&value), "{file}");
        }
    }
}

#[test]
fn documents_without_a_model_say_only_what_the_ledger_holds() {
    for lang in [Lang::En, Lang::Zh] {
        let mut state = states::unresolved(lang);
        state.documents.written.clear();
        for kind in DocumentKind::ALL {
            let content = artifact::fallback_document(&state, kind);
            assert_eq!(content.kind(), kind);
            let record = aitc::machine::DocumentRecord {
                evidence: Vec::new(),
                content,
                without_model: true,
                carried: None,
                accounts: Vec::new(),
                notes: Vec::new(),
            };
            state.documents.written.insert(kind, record);
        }
        state.documents.report = Some(artifact::fallback_report(&state));
        state.documents.report_without_model = true;
        insta::assert_snapshot!(format!("report_fallback_{}", lang.code()), report(&state));
    }
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
