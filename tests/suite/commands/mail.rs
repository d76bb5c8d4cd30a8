//! Answers that come while a run goes on: each is taken exactly once, whatever
//! happens in between.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use aitc::driver::{Outcome, Ports, Session};
use aitc::edge::fs::{Fs, RealFs};
use aitc::edge::inbox::{Inbox, MessageBody};
use aitc::edge::knowledge::{Inquired, Searched};
use aitc::edge::model::ChatModel;
use aitc::edge::model::backoff::Backoff;
use aitc::edge::store::Outputs;
use aitc::machine::{Event, Inputs, Lang, QuestionId, QuestionMode};
use aitc::ui::human::{Answers, Reader, Respondent, Terminal};
use aitc::ui::view::Style;

use crate::support::fault::{Fault, FaultFs};
use crate::support::run::{Notebook, Ticks, inputs};
use crate::support::team::Team;

pub(super) const OUTPUTS: &str = ".ai-tools-chain/planning_outputs";

fn style() -> Style {
    Style {
        width: 80,
        color: false,
        plain: true,
        lang: Lang::En,
        verbose: 0,
    }
}

fn pausing(workspace: &Path) -> Inputs {
    Inputs {
        questions: QuestionMode::Pause,
        ..inputs(workspace)
    }
}

/// Begins or goes on with the run of v1, answered by its inbox and `terminal`.
pub(super) fn hold(
    fs: Arc<dyn Fs>,
    workspace: &Path,
    terminal: Option<Box<dyn Terminal>>,
) -> (Result<Outcome, aitc::fault::Fault>, Notebook) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let mut notebook = Notebook::default();
    let team: Arc<dyn ChatModel> = Arc::new(Team::default());
    let models = BTreeMap::from([("team".to_owned(), team)]);
    let (_keep, interrupt) = tokio::sync::watch::channel(None);
    let folder = workspace.join(OUTPUTS).join("v1.draft");
    let human = match terminal {
        Some(terminal) => Respondent::at(terminal, Answers::default(), Vec::new(), style()),
        None => Respondent::absent(Answers::default(), Vec::new(), style()),
    };
    let mut human = human.with_inbox(Inbox::at(Arc::clone(&fs), &folder), Arc::new(str::to_owned));
    let outcome = runtime.block_on(async {
        let mut ports = Ports {
            clock: &Ticks::default(),
            models: &models,
            embeddings: None,
            human: &mut human,
            observer: &mut notebook,
            survey: &|_, _| Some(Searched::default()),
            inquire: &|_, _, _| Some(Inquired::default()),
            redact: &str::to_owned,
            backoff: Backoff::default(),
            interrupt,
        };
        let outputs = Outputs::at(Arc::clone(&fs), workspace);
        let session = if folder.exists() {
            let draft = outputs.open_draft(1)?;
            Session::resume(fs, draft, "0.0.0", (Vec::new(), None), &ports)?.0
        } else {
            let draft = outputs.take()?;
            let first = Event::UserInput {
                content: "two things".to_owned(),
                run_id: "0190c0de-0000-7000-8000-000000000001".to_owned(),
                inputs: Box::new(pausing(workspace)),
                from: None,
                feedback: Vec::new(),
            };
            Session::begin(fs, draft, first, &ports)?
        };
        session.run(&mut ports).await
    });
    runtime.shutdown_background();
    (outcome, notebook)
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

/// Answers on record, each with its message.
fn taken(version: &Path) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(version.join("planning_transcript.jsonl")).unwrap();
    let lines = text.lines().map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let replied = line["phase"] == "user_clarification_dialogue";
        let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
        replied.then(|| (text("user_reply"), text("message")))
    });
    lines.flatten().collect()
}

pub(super) fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.unwrap();
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(target).unwrap();
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn an_answer_is_taken_once_wherever_the_run_is_cut_off() {
    let paused = tempfile::tempdir().unwrap();
    let (outcome, _) = hold(Arc::new(RealFs), paused.path(), None);
    assert!(
        matches!(outcome, Ok(Outcome::NeedsHuman { .. })),
        "{outcome:?}"
    );
    let id = answer(paused.path(), 1, "2");
    let mut cut = 0;
    for at in 0.. {
        let workspace = tempfile::tempdir().unwrap();
        copy(paused.path(), workspace.path());
        let faulty = FaultFs::new(Fault::CrashAfter(at)).without_syncs();
        let first = hold(Arc::new(faulty.clone()), workspace.path(), None).0;
        let version = workspace.path().join(OUTPUTS).join("v1");
        if !version.exists() {
            let (outcome, _) = hold(Arc::new(RealFs), workspace.path(), None);
            assert!(
                matches!(outcome, Ok(Outcome::Published { .. })),
                "{at}: {outcome:?}"
            );
        }
        // An option is named by its number, as everywhere.
        let expected = vec![("new ones".to_owned(), id.clone())];
        assert_eq!(taken(&version), expected, "cut off after {at}: {first:?}");
        assert!(!version.join("inbox").exists());
        // The message is read, recorded and deleted within the first operations.
        if !faulty.crashed() || at > 40 {
            break;
        }
        cut += 1;
    }
    assert!(cut > 10, "{cut}");
}

#[test]
fn an_answer_nobody_waits_for_is_recorded_and_deleted() {
    let workspace = tempfile::tempdir().unwrap();
    let (_, _) = hold(Arc::new(RealFs), workspace.path(), None);
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
    let (outcome, notebook) = hold(Arc::new(RealFs), workspace.path(), None);
    assert!(
        matches!(outcome, Ok(Outcome::Published { .. })),
        "{outcome:?}"
    );
    let answers = taken(&workspace.path().join(OUTPUTS).join("v1"));
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0].0, "all");
    // What came too late, or to no question, is on record all the same, each once.
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
    for part in ["is no message", "a debate needs a topic"] {
        assert!(told.contains(part), "no `{part}` in {told}");
    }
}

/// Somebody is asked and types nothing; shows when a question stands there.
struct Silent {
    asked: mpsc::Sender<String>,
    never: Arc<Mutex<mpsc::Receiver<()>>>,
}

impl Terminal for Silent {
    fn show(&self, text: &str) -> std::io::Result<()> {
        let _ = self.asked.send(text.to_owned());
        Ok(())
    }

    fn reader(&self) -> Reader {
        let never = Arc::clone(&self.never);
        Box::new(move || {
            // Until the test is over.
            let _ = never.lock().unwrap().recv();
            Ok(None)
        })
    }
}

#[test]
fn an_answer_from_another_terminal_ends_the_wait() {
    let workspace = tempfile::tempdir().unwrap();
    let (asked, questions) = mpsc::channel();
    let (over, never) = mpsc::channel();
    let terminal = Silent {
        asked,
        never: Arc::new(Mutex::new(never)),
    };
    let path = workspace.path().to_owned();
    let sender = std::thread::spawn(move || {
        let shown = questions.recv_timeout(Duration::from_secs(60)).unwrap();
        assert!(shown.contains("Which rows?"), "{shown}");
        answer(&path, 1, "all of them")
    });
    let (outcome, _) = hold(Arc::new(RealFs), workspace.path(), Some(Box::new(terminal)));
    assert!(
        matches!(outcome, Ok(Outcome::Published { .. })),
        "{outcome:?}"
    );
    let id = sender.join().unwrap();
    let answers = taken(&workspace.path().join(OUTPUTS).join("v1"));
    assert_eq!(answers, [("all of them".to_owned(), id)]);
    drop(over);
}
