//! The project's own plan, kept in the repository, is what its transcript says.

use std::path::Path;
use std::sync::Arc;

use aitc::driver::Outcome;
use aitc::edge::fs::RealFs;
use aitc::edge::ports::{BoxFuture, Human, HumanAnswer};
use aitc::workshop::{AnswerSource, Question, QuestionId, QuestionMode, State};
use assert_cmd::Command;

use crate::support::run::{Team, Ticks, hold_before, inputs};

fn aitc(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_aitc"));
    command
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .env("AITC_DISCOVER", "off")
        .args(arguments);
    command
}

#[test]
fn the_kept_plan_is_whole_and_made_again_byte_for_byte() {
    aitc(&["verify", "v1"]).assert().code(0);
    aitc(&["render", "v1"]).assert().code(0);
}

/// Somebody who answers a question that nobody asked, again and again.
struct Confused(u32);

impl Human for Confused {
    fn ask<'a>(
        &'a mut self,
        _state: &'a State,
        _questions: &'a [&'a Question],
    ) -> BoxFuture<'a, Result<Vec<HumanAnswer>, String>> {
        self.0 += 1;
        Box::pin(async {
            Ok(vec![HumanAnswer {
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
        matches!(outcome, Ok(Outcome::NeedsHuman { .. })),
        "{outcome:?}"
    );
    assert!((2..20).contains(&human.0), "asked {} times", human.0);
}
