//! Answers sent while a run is in progress are processed exactly once, even after crashes.

use std::path::Path;
use std::sync::Arc;

use aitc::driver::Outcome;
use aitc::edge::fs::{Fs, RealFs};
use aitc::edge::inbox::{Inbox, MessageBody};
use aitc::machine::{QuestionId, QuestionMode};
use aitc::ui::human::{Answers, Respondent};

use crate::support::binary::transcript_in;
use crate::support::meeting::style;
use crate::support::run::{Notebook, hold_shown, inputs};
use crate::support::team::Team;

pub(super) const OUTPUTS: &str = ".ai-tools-chain/planning_outputs";

/// Starts or resumes the run of v1, with answers from its inbox.
pub(super) fn hold(
    fs: Arc<dyn Fs>,
    workspace: &Path,
) -> (Result<Outcome, aitc::fault::Fault>, Notebook) {
    let mut inputs = inputs(workspace);
    inputs.questions = QuestionMode::Pause;
    let inbox = Inbox::at(Arc::clone(&fs), &workspace.join(OUTPUTS).join("v1.draft"));
    let human = Respondent::absent(Answers::default(), Vec::new(), style(80));
    let mut human = human.with_inbox(inbox, Arc::new(str::to_owned));
    let (team, mut shown) = (Arc::new(Team::default()), Notebook::default());
    let outcome = hold_shown(fs, workspace, &inputs, &team, &mut human, &mut shown);
    (outcome, shown)
}

pub(super) fn answer(workspace: &Path, question: u32, text: &str) -> String {
    let folder = workspace.join(OUTPUTS).join("v1.draft");
    let body = MessageBody::Answer {
        question: QuestionId(question),
        text: text.to_owned(),
        recommended: false,
        declined: false,
    };
    Inbox::at(Arc::new(RealFs), &folder).send(body).unwrap()
}

/// Recorded answers, each with its message.
fn taken(version: &Path) -> Vec<(String, String)> {
    let lines = transcript_in(version).into_iter().map(|line| {
        let replied = line["phase"] == "user_clarification_dialogue";
        let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
        replied.then(|| (text("user_reply"), text("message")))
    });
    lines.flatten().collect()
}

#[test]
fn an_answer_nobody_waits_for_is_recorded_and_deleted() {
    let workspace = tempfile::tempdir().unwrap();
    let (_, _) = hold(Arc::new(RealFs), workspace.path());
    for text in ["all", "too late"] {
        answer(workspace.path(), 1, text);
    }
    answer(workspace.path(), 7, "to nothing");
    let draft = workspace.path().join(OUTPUTS).join("v1.draft");
    std::fs::write(draft.join("inbox/broken.json"), "{").unwrap();
    Inbox::at(Arc::new(RealFs), &draft)
        .send(MessageBody::Debate {
            topic: " ".to_owned(),
        })
        .unwrap();
    let (outcome, notebook) = hold(Arc::new(RealFs), workspace.path());
    assert!(
        matches!(outcome, Ok(Outcome::Published { .. })),
        "{outcome:?}"
    );
    let answers = taken(&workspace.path().join(OUTPUTS).join("v1"));
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0].0, "all");
    // Answers that came too late or to an unknown question are recorded too, each once.
    let late = super::interventions::lines(
        &workspace.path().join(OUTPUTS).join("v1"),
        "user_intervention",
    );
    let late: Vec<_> = late
        .iter()
        .map(|line| {
            (
                line["content"].as_str().unwrap(),
                line["refused"].as_str().unwrap(),
            )
        })
        .collect();
    let expected = [
        ("/answer Q-1 too late", "not_asked"),
        ("/answer Q-7 to nothing", "not_asked"),
    ];
    assert_eq!(late, expected);
    let told = notebook.notices.join("\n");
    for part in ["is not a message", "a debate needs a topic"] {
        assert!(told.contains(part), "no `{part}` in {told}");
    }
}
