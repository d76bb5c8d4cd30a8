//! Messages to a running workshop are processed exactly once, even after crashes, and a stop ends
//! the run.

use std::path::Path;
use std::sync::Arc;

use aitc::driver::Outcome;
use aitc::edge::fs::{Fs, RealFs};
use aitc::edge::inbox::{Inbox, MessageBody};
use aitc::machine::QuestionMode;
use aitc::ui::human::{Answers, Respondent, UserAccess};

use crate::support::binary::transcript_in;
use crate::support::fault::{Fault, FaultFs};
use crate::support::left::Kept;
use crate::support::run::{Notebook, hold_shown, inputs};
use crate::support::shown::style;
use crate::support::team::Team;

const OUTPUTS: &str = ".ai-tools-chain/planning_outputs";

/// Starts or resumes the run of v1, with answers from its inbox.
fn hold(fs: Arc<dyn Fs>, workspace: &Path) -> Result<Outcome, aitc::fault::Fault> {
    let mut inputs = inputs(workspace);
    inputs.questions = QuestionMode::Pause;
    let inbox = Inbox::at(Arc::clone(&fs), &workspace.join(OUTPUTS).join("v1.draft"));
    let seat = UserAccess {
        inbox: Some((inbox, Arc::new(str::to_owned))),
        ..UserAccess::default()
    };
    let mut human = Respondent::new(Answers::default(), Vec::new(), style(80), seat);
    let (team, mut shown) = (Arc::new(Team::default()), Notebook::default());
    hold_shown(fs, workspace, &inputs, &team, &mut human, &mut shown)
}

fn send(workspace: &Path, body: MessageBody) -> String {
    let draft = workspace.join(OUTPUTS).join("v1.draft");
    Inbox::at(Arc::new(RealFs), &draft).send(body).unwrap()
}

fn lines(version: &Path, phase: &str) -> Vec<serde_json::Value> {
    let mut lines = transcript_in(version);
    lines.retain(|line| line["phase"] == phase);
    lines
}

/// A paused run with these messages waiting. Its next process crashes at every operation in turn,
/// and another process resumes what is left.
fn cut_everywhere(bodies: &[MessageBody], look: impl Fn(&Path, &[String], &str)) {
    let paused = tempfile::tempdir().unwrap();
    let unsynced = || FaultFs::new(Fault::None).without_syncs();
    let outcome = hold(Arc::new(unsynced()), paused.path());
    assert!(
        matches!(outcome, Ok(Outcome::NeedsUser { .. })),
        "{outcome:?}"
    );
    let ids: Vec<String> = bodies
        .iter()
        .map(|body| send(paused.path(), body.clone()))
        .collect();
    let kept = Kept::of(paused.path(), || 0);
    let _ = hold(Arc::new(unsynced().keeping(&kept)), paused.path());
    let left = kept.all();
    assert!(left.len() > 20, "{}", left.len());
    // Messages are read, recorded and deleted within the first operations.
    for left in left.iter().take(20).chain(left.last()) {
        let version = left.folder.path().join(OUTPUTS).join("v1");
        if !version.exists() {
            let outcome = hold(Arc::new(unsynced()), left.folder.path());
            assert!(
                matches!(outcome, Ok(Outcome::Published { .. })),
                "{}: {outcome:?}",
                left.at
            );
        }
        look(&version, &ids, &left.at);
    }
}

#[test]
fn words_are_taken_once_wherever_the_run_is_cut_off() {
    let say = MessageBody::Say {
        text: "No mobile app, please.".to_owned(),
    };
    let reply = MessageBody::Answer {
        question: aitc::machine::QuestionId(1),
        text: "all of them".to_owned(),
        recommended: false,
        declined: false,
    };
    let typed = MessageBody::Typed {
        line: "And no desktop app.".to_owned(),
    };
    cut_everywhere(&[say, reply, typed], |version, ids, at| {
        let said = lines(version, "user_intervention");
        assert_eq!(said.len(), 2, "cut off {at}");
        assert_eq!(said[1]["content"], "And no desktop app.");
        assert_eq!(said[1]["channel"], "terminal");
        assert_eq!(said[0]["content"], "No mobile app, please.");
        assert_eq!(said[0]["message"], ids[0], "cut off {at}");
        assert_eq!(said[0]["actor"], "user");
        assert_eq!(lines(version, "user_clarification_dialogue").len(), 1);
    });
}

#[test]
fn a_stop_ends_the_run_once_wherever_it_is_cut_off() {
    cut_everywhere(&[MessageBody::Stop], |version, _, at| {
        assert_eq!(lines(version, "user_intervention").len(), 1, "cut off {at}");
        let fired = lines(version, "guard_fired");
        assert_eq!(fired[0]["guard"], "user", "cut off {at}");
        let report = std::fs::read_to_string(version.join("planning_report.md")).unwrap();
        assert!(report.contains("**Unresolved: "), "{report}");
        let state = std::fs::read_to_string(version.join("state.md")).unwrap();
        assert!(state.contains("user_requested: true"), "{state}");
    });
}
