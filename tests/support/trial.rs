//! A sandbox without one: what trials are told to bring.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use aitc::edge::ports::{TrialAnswer, Trials, UNSAID};
use aitc::fault::{Fault, Message, Text};
use aitc::machine::{Job, Ran, TrialEnd};
use aitc::reply::{Evidence, Look, LookKind};

use super::search::reading;

/// A wish to have a command run.
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

/// A claim that rests on what a trial printed.
pub fn ran_by(run: &str, quote: &str) -> Evidence {
    Evidence {
        claim: format!("It prints {quote}."),
        path: None,
        from: None,
        to: None,
        quote: quote.to_owned(),
        run: Some(run.to_owned()),
    }
}

/// Keeps what it was to run, and brings what it is told to.
pub struct Bench {
    /// May anything be run, and on which state of the tree? None: the user is to be asked.
    pub ready: Mutex<Option<Result<String, Message>>>,
    /// What was run.
    pub ran: Mutex<Vec<Job>>,
    /// What the user answered.
    pub answers: Mutex<Vec<TrialAnswer>>,
}

impl Bench {
    /// On a tree in this state.
    pub fn on(tree: &str) -> Self {
        Self::with(Some(Ok(tree.to_owned())))
    }

    /// Nothing is run.
    pub fn off() -> Self {
        let why = Text("trials are not switched on", "未启用试运行");
        Self::with(Some(Err(why.into())))
    }

    /// As it is said.
    pub fn with(ready: Option<Result<String, Message>>) -> Self {
        Self {
            ready: Mutex::new(ready),
            ran: Mutex::default(),
            answers: Mutex::default(),
        }
    }
}

/// What running it brings: the command and the files on lines of their own.
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
