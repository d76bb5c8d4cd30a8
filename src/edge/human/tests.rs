//! Tests of prepared and typed answers.

use std::sync::{Arc, Mutex};

use super::*;
use crate::view::samples;
use crate::workshop::QuestionId;

/// A terminal that types what it was told and keeps what it was shown.
struct Scripted {
    lines: Arc<Mutex<VecDeque<String>>>,
    shown: Arc<Mutex<String>>,
}

impl Terminal for Scripted {
    fn show(&mut self, text: &str) -> std::io::Result<()> {
        self.shown.lock().unwrap().push_str(text);
        Ok(())
    }

    fn reader(&self) -> Reader {
        let lines = Arc::clone(&self.lines);
        Box::new(move || Ok(lines.lock().unwrap().pop_front()))
    }
}

fn ask(human: &mut Respondent) -> Vec<(QuestionId, String, AnswerSource)> {
    let state = samples::state();
    let questions: Vec<&Question> = state.questions.iter().collect();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let answers = runtime.block_on(human.ask(&state, &questions)).unwrap();
    answers
        .into_iter()
        .map(|a| (a.question, a.text, a.source))
        .collect()
}

fn at_terminal(lines: &[&str], answers: Answers) -> (Respondent, Arc<Mutex<String>>) {
    let shown = Arc::new(Mutex::new(String::new()));
    let terminal = Scripted {
        lines: Arc::new(Mutex::new(
            lines.iter().map(|line| (*line).to_owned()).collect(),
        )),
        shown: Arc::clone(&shown),
    };
    (
        Respondent::at(Box::new(terminal), answers, Vec::new(), samples::style()),
        shown,
    )
}

#[test]
fn enter_takes_the_recommended_and_a_dash_declines() {
    let (mut human, shown) = at_terminal(&["", "-"], Answers::default());
    let answers = ask(&mut human);
    assert_eq!(
        answers[0],
        (QuestionId(1), String::new(), AnswerSource::Recommended)
    );
    assert_eq!(
        answers[1],
        (QuestionId(2), String::new(), AnswerSource::Declined)
    );
    let shown = shown.lock().unwrap();
    for part in [
        "Who may export?",
        "The file holds personal data",
        "1. Everybody",
        "2. Administrators only (recommended)",
    ] {
        assert!(shown.contains(part), "{shown}");
    }
}

#[test]
fn a_number_picks_an_option_and_words_are_words() {
    let (mut human, _) = at_terminal(&["2", " as discussed "], Answers::default());
    let options = samples::state().questions[0].options.clone();
    let answers = ask(&mut human);
    assert_eq!(
        answers[0],
        (QuestionId(1), options[1].clone(), AnswerSource::Terminal)
    );
    assert_eq!(answers[1].1, "as discussed");
}

#[test]
fn a_number_that_names_no_option_is_an_answer() {
    let (mut human, _) = at_terminal(&["30", "0"], Answers::default());
    let answers = ask(&mut human);
    assert_eq!((answers[0].1.as_str(), answers[1].1.as_str()), ("30", "0"));
}

#[test]
fn the_file_comes_before_the_terminal() {
    let file = Answers::parse("a.yaml", "Q-1: yes\n").unwrap();
    let (mut human, _) = at_terminal(&["typed"], file);
    let answers = ask(&mut human);
    assert_eq!(
        answers[0],
        (QuestionId(1), "yes".to_owned(), AnswerSource::AnswersFile)
    );
    assert_eq!(answers[1].1, "typed");
}

#[test]
fn nobody_answers_when_the_input_has_ended_or_nobody_is_there() {
    let (mut human, _) = at_terminal(&["only one"], Answers::default());
    assert_eq!(ask(&mut human).len(), 1);
    assert!(ask(&mut human).is_empty());
    let mut nobody = Respondent::absent(Answers::default(), Vec::new(), samples::style());
    assert!(ask(&mut nobody).is_empty());
}

#[test]
fn a_list_answers_follow_ups_in_turn() {
    let answers = Answers::parse("a.json", r#"{"Q-1": ["first", "second"], "Q-2": 1.10}"#).unwrap();
    assert_eq!(answers.take(QuestionId(1), 1), Some("second"));
    assert_eq!(answers.take(QuestionId(1), 2), None);
    assert_eq!(answers.take(QuestionId(2), 0), Some("1.10"));
}

#[test]
fn a_malformed_file_names_its_line() {
    for (text, expected) in [
        ("Q-1: a\nX-2: b\n", "a.yaml:2: `X-2` is no id like `Q-1`"),
        ("Q-1: a\nQ-2:\n", "a.yaml:2: `Q-2` has no answer"),
        (
            "Q-1: a\nQ-2: {b: c}\n",
            "a.yaml:2: the answer to `Q-2` must be",
        ),
        ("Q-1: a\nQ-1: b\n", "a.yaml:2: "),
        ("Q-1: [\n", "a.yaml:"),
        ("", "a.yaml:1: there is no answer"),
    ] {
        let error = Answers::parse("a.yaml", text).unwrap_err();
        assert!(error.starts_with(expected), "{text:?}: {error}");
    }
}
