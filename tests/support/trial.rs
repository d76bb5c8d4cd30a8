//! A simulated sandbox that returns prepared results of trials.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use aitc::edge::ports::{TrialAnswer, Trials, UNSAID};
use aitc::fault::{Fault, Message, Text};
use aitc::machine::{Job, Ran, TrialBound, TrialEnd};
use aitc::reply::{Look, LookKind};

use super::search::reading;

/// A request to run a command.
pub fn trying(command: &[&str]) -> Look {
    Look {
        kind: LookKind::Try,
        what: "that it holds".to_owned(),
        from: None,
        to: None,
        command: command.iter().map(|word| (*word).to_owned()).collect(),
        ..reading("", 1)
    }
}

/// Records the trials and returns prepared results.
pub struct Bench {
    /// The state of the tree for trials, or why none can run; `None` if the user must be asked.
    pub ready: Mutex<Option<Result<String, Message>>>,
    /// The trials that ran.
    pub ran: Mutex<Vec<Job>>,
    /// The user's answers.
    pub answers: Mutex<Vec<TrialAnswer>>,
}

impl Bench {
    /// Trials run on a tree in this state.
    pub fn on(tree: &str) -> Self {
        Self::with(Some(Ok(tree.to_owned())))
    }

    /// Trials are off.
    pub fn off() -> Self {
        let why = Text("trials are not switched on", "未启用试运行");
        Self::with(Some(Err(why.into())))
    }

    /// With this state.
    pub fn with(ready: Option<Result<String, Message>>) -> Self {
        Self {
            ready: Mutex::new(ready),
            ran: Mutex::default(),
            answers: Mutex::default(),
        }
    }
}

/// The result of a trial: its output names the command and, on separate lines, the files.
pub fn ran(job: &Job) -> Ran {
    let files = job.files.iter().map(|file| format!("with {}\n", file.path));
    Ran {
        end: TrialEnd::Exited { code: 0 },
        head: format!(
            "ran {}\n{}",
            job.command.join(" "),
            files.collect::<String>()
        ),
        tail: String::new(),
        left_out: 0,
        duration_ms: 1500,
    }
}

/// The result that a command names by its first word: `exit 2`, `late` and `killed`, which print
/// nothing, `unfit`, `missing`, and `long`. Files that were edited are named with their edits.
pub fn named(job: &Job) -> Ran {
    let ran = ran(job);
    let word = |n: usize| job.command.get(n).map_or("", String::as_str);
    let edits = job.files.iter().flat_map(|file| &file.edits);
    let edits = edits.map(|edit| format!("{} is {} now\n", edit.old, edit.new));
    let head = ran.head.clone() + &edits.collect::<String>();
    let failed = |missing: Option<&str>| TrialEnd::Failed {
        why: "an edit of `a.py` does not fit: the copy has no such file of at most 4 MiB"
            .to_owned(),
        missing: missing.map(str::to_owned),
    };
    let by = TrialBound::Time;
    let (end, head, tail) = match word(0) {
        "exit" => (
            TrialEnd::Exited {
                code: word(1).parse().unwrap(),
            },
            head,
            "",
        ),
        "late" => (TrialEnd::Bounded { by }, word(1).to_owned(), ""),
        "killed" => (TrialEnd::Signalled { signal: 9 }, String::new(), ""),
        "unfit" => (failed(None), String::new(), ""),
        "missing" => (failed(Some("missing")), String::new(), ""),
        "long" => (ran.end, "0123456789\n".repeat(2_000), word(1)),
        _ => (ran.end, head, ""),
    };
    Ran {
        end,
        head,
        tail: tail.repeat(2_000),
        left_out: if tail.is_empty() { 0 } else { 1_000_000 },
        duration_ms: ran.duration_ms,
    }
}

impl Trials for Bench {
    fn asks(&self) -> bool {
        self.ready.lock().unwrap().is_none()
    }

    fn tree(&self) -> Result<String, Message> {
        let ready = self.ready.lock().unwrap().clone();
        ready.unwrap_or_else(|| Err(UNSAID.into()))
    }

    fn answered(&self, answer: TrialAnswer) -> Result<Option<Message>, Fault> {
        self.answers.lock().unwrap().push(answer);
        *self.ready.lock().unwrap() = match answer {
            TrialAnswer::Yes | TrialAnswer::Always => Some(Ok("asked".to_owned())),
            _ => Some(Err(UNSAID.into())),
        };
        Ok(None)
    }

    fn run(&self, job: &Job, _stop: &AtomicBool) -> Ran {
        self.ran.lock().unwrap().push(job.clone());
        ran(job)
    }
}
