//! A user who does not answer, or answers nothing useful: no run waits or asks forever.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aitc::driver::Outcome;
use aitc::edge::BoxFuture;
use aitc::edge::fs::RealFs;
use aitc::edge::ports::{Human, UserAnswer};
use aitc::machine::{AnswerSource, Question, QuestionId, QuestionMode, State, StopReason};
use aitc::ui::human::{Answers, LineHandler, Respondent, Terminal, UserAccess};

use crate::support::run::{Ticks, hold_before, inputs};
use crate::support::shown::style;
use crate::support::team::Team;

/// A terminal without input.
#[derive(Default)]
struct Quiet {
    shown: Arc<Mutex<String>>,
}

impl Terminal for Quiet {
    fn show(&self, text: &str) -> std::io::Result<()> {
        self.shown.lock().unwrap().push_str(text);
        Ok(())
    }

    fn on_line(&self, _: LineHandler) {}
}

fn held(auto_exit: bool, workspace: &Path) -> (Outcome, String) {
    let mut inputs = inputs(workspace);
    inputs.questions = QuestionMode::Ask;
    inputs.rules.ending.auto_exit_enabled = auto_exit;
    let style = style(80);
    let quiet = Quiet::default();
    let shown = Arc::clone(&quiet.shown);
    let access = UserAccess {
        terminal: Some(Arc::new(quiet)),
        asks: true,
        patience: Some(Duration::from_millis(30)),
        ..UserAccess::default()
    };
    let mut human = Respondent::new(Answers::default(), Vec::new(), style, access);
    let team = Arc::new(Team::default());
    let clock = Ticks::default();
    let fs = Arc::new(RealFs);
    let outcome = hold_before(fs, workspace, &inputs, &team, &clock, &mut human).unwrap();
    let shown = shown.lock().unwrap().clone();
    (outcome, shown)
}

#[test]
fn a_question_nobody_answers_becomes_a_pause() {
    let workspace = tempfile::tempdir().unwrap();
    let (outcome, shown) = held(false, workspace.path());
    assert!(matches!(outcome, Outcome::NeedsUser { .. }), "{outcome:?}");
    assert!(shown.contains("Q-1"), "it was put: {shown}");
    let draft = workspace
        .path()
        .join(".ai-tools-chain/planning_outputs/v1.draft");
    assert!(draft.join("questions.md").is_file());
}

#[test]
fn with_automatic_ending_on_the_silence_ends_the_run() {
    let workspace = tempfile::tempdir().unwrap();
    let (outcome, shown) = held(true, workspace.path());
    let Outcome::Published { stop, path, .. } = outcome else {
        panic!("not published: {outcome:?}");
    };
    assert_eq!(stop, StopReason::Silence);
    assert!(shown.contains("Q-1"), "it was put: {shown}");
    let transcript = std::fs::read_to_string(path.join("planning_transcript.jsonl")).unwrap();
    let fired = transcript
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .find(|line| line["phase"] == "guard_fired")
        .unwrap();
    assert_eq!(fired["guard"], "silence");
    assert_eq!(fired["sign"], "unanswered");
    // Minutes without an answer, and the limit.
    assert_eq!((&fired["value"], &fired["limit"]), (&5.into(), &5.into()));
    let report = std::fs::read_to_string(path.join("planning_report.md")).unwrap();
    assert!(report.contains("**Unresolved"), "no agreement is claimed");
    assert!(report.contains("nobody answered a question for 5 minutes"));
    let status = std::fs::read_to_string(path.join("state.md")).unwrap();
    assert!(status.contains("nobody answered a question for 5 minutes"));
}

/// A user who repeatedly answers a question that was not asked.
struct Confused(u32);

impl Human for Confused {
    fn ask<'a>(
        &'a mut self,
        _state: &'a State,
        _questions: &'a [&'a Question],
    ) -> BoxFuture<'a, Result<Vec<UserAnswer>, String>> {
        self.0 += 1;
        Box::pin(async {
            Ok(vec![UserAnswer {
                question: QuestionId(99),
                text: "yes".to_owned(),
                source: AnswerSource::Command,
                message: None,
            }])
        })
    }
}

#[test]
fn answers_of_no_use_do_not_keep_a_run_busy_for_ever() {
    let workspace = tempfile::tempdir().unwrap();
    let mut inputs = inputs(workspace.path());
    inputs.questions = QuestionMode::Pause;
    let (team, mut human) = (Arc::new(Team::default()), Confused(0));
    let fs = Arc::new(RealFs);
    let clock = Ticks::default();
    let outcome = hold_before(fs, workspace.path(), &inputs, &team, &clock, &mut human);
    assert!(
        matches!(outcome, Ok(Outcome::NeedsUser { .. })),
        "{outcome:?}"
    );
    assert!((2..20).contains(&human.0), "asked {} times", human.0);
}
