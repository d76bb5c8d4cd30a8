//! Tests of prepared and typed answers.

use std::sync::{Arc, Mutex};

use super::*;
use crate::machine::QuestionId;
use crate::ui::view::samples;

/// A terminal that types a prepared line at every prompt, at last the end of input, and records what
/// it is shown.
struct Scripted {
    lines: Mutex<VecDeque<String>>,
    shown: Arc<Mutex<String>>,
    line_handler: Mutex<Option<LineHandler>>,
}

impl Terminal for Scripted {
    fn show(&self, text: &str) -> std::io::Result<()> {
        self.shown.lock().unwrap().push_str(text);
        if !text.ends_with('\n') {
            let line = self.lines.lock().unwrap().pop_front();
            let to = LineUse::Question;
            let line = line.map(|text| TypedLine { text, to });
            self.line_handler.lock().unwrap().as_ref().unwrap()(line, &samples::style());
        }
        Ok(())
    }

    fn on_line(&self, line_handler: LineHandler) {
        *self.line_handler.lock().unwrap() = Some(line_handler);
    }
}

fn ask(human: &mut Respondent) -> Vec<(QuestionId, String, AnswerSource)> {
    let state = samples::state();
    let questions: Vec<&Question> = state.questions.asked.iter().collect();
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
        lines: Mutex::new(lines.iter().map(|line| (*line).to_owned()).collect()),
        shown: Arc::clone(&shown),
        line_handler: Mutex::default(),
    };
    (seated(terminal, None, answers), shown)
}

fn seated(
    terminal: impl Terminal + 'static,
    patience: Option<Duration>,
    answers: Answers,
) -> Respondent {
    let access = UserAccess {
        terminal: Some(Arc::new(terminal)),
        asks: true,
        patience,
        ..UserAccess::default()
    };
    Respondent::new(answers, Vec::new(), samples::style(), access)
}

fn absent(style: Style) -> Respondent {
    Respondent::new(Answers::default(), Vec::new(), style, UserAccess::default())
}

/// The words that `questions.md` accepts have the same meaning wherever an answer is given.
#[test]
fn what_is_typed_is_an_option_the_recommended_nothing_or_words() {
    use AnswerSource::{AnswersFile, Declined, Recommended, Terminal};
    let second = samples::state().questions.asked[0].options[1].clone();
    for (typed, file, said) in [
        (["", "-"], "", [("", Recommended), ("", Declined)]),
        (
            ["2", " as discussed "],
            "",
            [(&*second, Terminal), ("as discussed", Terminal)],
        ),
        (
            ["recommended", "declined"],
            "",
            [("", Recommended), ("", Declined)],
        ),
        (
            [" Declined ", "推荐"],
            "",
            [("", Declined), ("", Recommended)],
        ),
        (
            ["recommended by the lawyer", "x"],
            "",
            [("recommended by the lawyer", Terminal), ("x", Terminal)],
        ),
        // The file comes before the terminal.
        (
            ["typed", "x"],
            "Q-1: yes\n",
            [("yes", AnswersFile), ("typed", Terminal)],
        ),
    ] {
        let file = match file {
            "" => Answers::default(),
            text => Answers::parse("a.yaml", text).unwrap(),
        };
        let (mut human, shown) = at_terminal(&typed, file);
        let answers = ask(&mut human);
        let found: Vec<_> = answers
            .iter()
            .map(|(id, text, by)| (id.0, &**text, *by))
            .collect();
        let [first, then] = said;
        assert_eq!(found, [(1, first.0, first.1), (2, then.0, then.1)]);
        let shown = shown.lock().unwrap();
        let is_asked = first.1 != AnswersFile;
        for part in [
            "Who may export?",
            "The file holds personal data",
            "1. Everybody",
            "2. Administrators only (recommended)",
        ] {
            assert!(!is_asked || shown.contains(part), "{shown}");
        }
    }
}

#[test]
fn a_number_of_no_option_is_asked_about_and_then_the_answer() {
    // The same number twice is meant as it is; another number is another typing error.
    let (mut human, shown) = at_terminal(&["30", "12", "30", "30", "９"], Answers::default());
    let answers = ask(&mut human);
    let said: Vec<_> = answers.iter().map(|one| one.1.as_str()).collect();
    assert_eq!(said, ["30", "９"]);
    let told = |shown: &str| shown.matches(" has no option ").count();
    assert_eq!(
        told(&shown.lock().unwrap()),
        3,
        "of the first question alone"
    );
    // Outside of the terminal a number cannot be typed again, so it is refused each time.
    let two = samples::state().questions.asked[0].clone();
    for (typed, text) in [
        ("\"30\"", "30"),
        (" '7' ", "7"),
        ("“0”", "0"),
        ("\"1\"", "1"),
    ] {
        let taken = understood(&two, typed, AnswerSource::QuestionsFile).unwrap();
        assert_eq!(
            (taken.text.as_str(), taken.source),
            (text, AnswerSource::QuestionsFile)
        );
    }
    let words = understood(&two, "\"all\"", AnswerSource::Command).unwrap();
    assert_eq!(words.text, "\"all\"");
}

#[test]
fn a_number_of_no_option_is_told_and_the_question_stands() {
    let lines = [
        "30",
        "0",
        "99999999999999999999",
        "/answer Q-1 9",
        "30 people",
        "1.10",
    ];
    let (mut human, shown) = at_terminal(&lines, Answers::default());
    let answers = ask(&mut human);
    assert_eq!(
        (answers[0].1.as_str(), answers[1].1.as_str()),
        ("30 people", "1.10")
    );
    let shown = shown.lock().unwrap();
    let told = shown.matches("`Q-1` has no option ").count();
    assert_eq!(told, 4, "{shown}");
    assert!(shown.contains("options are 1–2"), "{shown}");
    assert!(!shown.contains("/answer Q-1 /answer"), "{shown}");
    // In any spelling: typed on a Chinese keyboard, or with a full stop.
    let two = samples::state().questions.asked[0].clone();
    for typed in ["９", "9.", "-1"] {
        let taken = understood(&two, typed, AnswerSource::Terminal);
        assert!(taken.is_err(), "{typed}: {taken:?}");
    }
    for typed in ["２", "2."] {
        let taken = understood(&two, typed, AnswerSource::Terminal).unwrap();
        assert_eq!(taken.text, two.options[1], "{typed}");
    }
    // An option may itself be a number.
    let mut question = samples::state().questions.asked[0].clone();
    question.options = vec!["10".to_owned(), "100".to_owned()];
    let answer = understood(&question, "100", AnswerSource::Terminal).unwrap();
    assert_eq!(answer.text, "100");
    // An option may also be a word that otherwise takes or declines.
    question.options = vec!["Accepted".to_owned(), "Declined".to_owned()];
    for (typed, text, said) in [
        ("declined.", "Declined", AnswerSource::Terminal),
        ("recommended", "", AnswerSource::Recommended),
    ] {
        let answer = understood(&question, typed, AnswerSource::Terminal).unwrap();
        assert_eq!((answer.text.as_str(), answer.source), (text, said));
    }
    // Without options a number is an answer like any other.
    question.options.clear();
    let answer = understood(&question, "30", AnswerSource::Terminal).unwrap();
    assert_eq!(answer.text, "30");
}

#[test]
fn a_prepared_number_of_no_option_is_told_and_the_question_asked() {
    let file = Answers::parse("a.yaml", "Q-1: 9\n").unwrap();
    let (mut human, _) = at_terminal(&["typed", "-"], file);
    assert_eq!(ask(&mut human)[0].1, "typed");
    assert_eq!(human.notices.len(), 1);
}

#[test]
fn nobody_answers_when_the_input_has_ended_or_nobody_is_there() {
    let (mut human, _) = at_terminal(&["only one"], Answers::default());
    assert_eq!(ask(&mut human).len(), 1);
    assert!(ask(&mut human).is_empty());
    assert!(ask(&mut absent(samples::style())).is_empty());
}

#[test]
fn a_list_answers_follow_ups_in_turn() {
    let answers = Answers::parse("a.json", r#"{"Q-1": ["first", "second"], "Q-2": 1.10}"#).unwrap();
    assert_eq!(answers.for_turn(QuestionId(1), 1), Some("second"));
    assert_eq!(answers.for_turn(QuestionId(1), 2), None);
    assert_eq!(answers.for_turn(QuestionId(2), 0), Some("1.10"));
}

#[test]
fn a_malformed_file_names_its_line() {
    for (text, expected) in [
        (
            "Q-1: a\nX-2: b\n",
            "a.yaml:2: `X-2` is not an id like `Q-1`",
        ),
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
        assert!(error.to_string().starts_with(expected), "{text:?}: {error}");
    }
}

/// A terminal at which nobody types anything.
struct SilentTerminal;

impl Terminal for SilentTerminal {
    fn show(&self, _text: &str) -> std::io::Result<()> {
        Ok(())
    }

    fn on_line(&self, _: LineHandler) {}
}

#[test]
fn nobody_is_waited_for_for_ever() {
    let patience = Some(Duration::from_millis(5));
    let mut human = seated(SilentTerminal, patience, Answers::default());
    assert!(ask(&mut human).is_empty());
    assert!(human.fell_silent() && human.is_there());
}

#[test]
fn an_exit_word_at_a_question_is_no_answer() {
    let (mut human, _) = at_terminal(&["Quit"], Answers::default());
    assert!(ask(&mut human).is_empty());
    assert_eq!(human.typed.len(), 1);
    assert_eq!(human.typed[0].intent, Intent::Stop);
    let (mut human, _) = at_terminal(&["E"], Answers::default());
    assert!(ask(&mut human).is_empty());
    assert_eq!(human.typed[0].intent, Intent::Stop);
}

/// An answer may start with a slash, but a line that looks like a command is questioned first.
#[test]
fn a_word_with_a_slash_is_an_answer_where_it_is_called_one() {
    let (mut human, _) = at_terminal(&["/usr/share", "-"], Answers::default());
    assert_eq!(ask(&mut human)[0].1, "/usr/share");
    let (mut human, shown) = at_terminal(&["/tmp", "/answer Q-1 /tmp"], Answers::default());
    assert!(ask(&mut human).is_empty());
    let given = &human.given[0];
    assert_eq!((given.question, &*given.text), (QuestionId(1), "/tmp"));
    let shown = shown.lock().unwrap();
    for part in ["`/tmp` is not a command", "/answer Q-1 /tmp gives it"] {
        assert!(shown.contains(part), "{shown}");
    }
}

#[test]
fn a_command_of_elsewhere_at_a_question_is_not_its_answer() {
    for line in ["/plan Export it", "/Resume", "/team Port it"] {
        let (mut human, shown) = at_terminal(&[line, "ten"], Answers::default());
        assert_eq!(ask(&mut human)[0].1, "ten", "{line}");
        let shown = shown.lock().unwrap();
        assert!(shown.contains("is not a command"), "{shown}");
    }
}

#[test]
fn what_is_looked_up_keeps_to_the_width() {
    let style = Style {
        lang: crate::machine::Lang::Zh,
        width: 80,
        ..samples::style()
    };
    let menu = absent(style).looked_up(&samples::state(), "/help").unwrap();
    let widths = menu.lines().map(unicode_width::UnicodeWidthStr::width);
    assert!(widths.max().unwrap() <= 80, "{menu}");
    assert!(menu.contains("/stop"), "{menu}");
}

#[test]
fn a_mistyped_command_at_a_question_is_told_and_the_question_stands() {
    for line in [
        "/stpo",
        "/stop now",
        "/answer Q-77 yes",
        "/shw report",
        "/show report",
    ] {
        let (mut human, _) = at_terminal(&[line, "ten"], Answers::default());
        assert_eq!(ask(&mut human)[0].1, "ten", "{line}");
    }
    let (mut human, shown) = at_terminal(&["/answer Q-77 yes", "ten"], Answers::default());
    ask(&mut human);
    let shown = shown.lock().unwrap();
    for told in ["`Q-77` is not waiting", "did you mean `/answer Q-2 …`?"] {
        assert!(shown.contains(told), "{told}: {shown}");
    }
}

fn asked_whether_it_ends(line: &str) -> (EndAnswer, Vec<UserIntervention>) {
    let (mut human, _) = at_terminal(&[line], Answers::default());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let state = samples::state();
    let answer = runtime.block_on(human.ask_end(&state, StopReason::RoundLimit));
    (answer.unwrap(), std::mem::take(&mut human.typed))
}

#[test]
fn enter_ends_and_anything_else_goes_on() {
    for line in ["", "e", "[E]", "quit", "/stop"] {
        assert_eq!(asked_whether_it_ends(line).0, EndAnswer::Stop, "{line}");
    }
    assert_eq!(asked_whether_it_ends("C").0, EndAnswer::GoOn(String::new()));
    let words = EndAnswer::GoOn("not yet".to_owned());
    assert_eq!(asked_whether_it_ends(" not yet ").0, words);
    let (answer, said) = asked_whether_it_ends("v");
    assert_eq!(
        (answer, said[0].intent),
        (EndAnswer::Elsewhere, Intent::VoteToEnd)
    );
}
