//! A simulated sandbox that returns prepared results of trials.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use aitc::edge::ports::{TrialAnswer, Trials, UNSAID};
use aitc::fault::{Fault, Message, Text};
use aitc::machine::{TrialJob, TrialOutcome};

use super::trial::ran;

/// Records the trials and returns prepared results.
pub struct Bench {
    /// The state of the tree for trials, or why none can run; `None` if the user must be asked.
    pub ready: Mutex<Option<Result<String, Message>>>,
    /// The trials that ran.
    pub ran: Mutex<Vec<TrialJob>>,
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

    fn run(&self, job: &TrialJob, _stop: &AtomicBool) -> TrialOutcome {
        self.ran.lock().unwrap().push(job.clone());
        ran(job)
    }
}
