//! Traits for what the driver needs from the outside world; tests implement their own.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::BoxFuture;
use super::model::{Listener, NoopListener};
use crate::fault::{Fault, Message, texts};
use crate::machine::{
    AnswerSource, Channel, Entry, Intent, Question, QuestionId, State, StopReason, TrialJob,
    TrialOutcome,
};

/// Two kinds of time: one for people, one for decisions.
pub trait Clock: Send + Sync {
    /// The current time, RFC 3339 in UTC with milliseconds; for people.
    fn timestamp(&self) -> String;
    /// Milliseconds since the process started; never decreases.
    fn monotonic_ms(&self) -> u64;
}

/// The user's answer to one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserAnswer {
    /// The question.
    pub question: QuestionId,
    /// The answer; empty if the recommended answer was taken or the question declined.
    pub text: String,
    /// How it was given.
    pub source: AnswerSource,
    /// Id of its inbox message, if it came as one.
    pub message: Option<String>,
}

/// A message of the user to the running workshop that is not an answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserIntervention {
    /// The purpose.
    pub intent: Intent,
    /// The unchanged text.
    pub content: String,
    /// How it was given.
    pub channel: Channel,
    /// Id of its inbox message, if it came as one.
    pub message: Option<String>,
}

/// The user's answer to whether the discussion ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndAnswer {
    /// The discussion ends.
    Stop,
    /// The discussion continues; the text, if any, is for the members.
    GoOn(String),
    /// Another message came meanwhile; the next call of [`Human::mail`] returns it.
    Elsewhere,
    /// A message had come before the question was asked, so it is not an answer.
    Earlier,
    /// No user is there, or no answer came in time.
    Nobody,
}

/// Messages sent to a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mail {
    /// Answers, in the order of sending.
    pub answers: Vec<UserAnswer>,
    /// All other messages, in order.
    pub said: Vec<UserIntervention>,
    /// Notices about messages that cannot be used.
    pub notices: Vec<Message>,
}

/// The source of what the user says: answers, and messages sent to the run.
pub trait Human: Send {
    /// Asks the user the questions and returns the available answers.
    ///
    /// An empty list means that nobody answers now: the run pauses.
    ///
    /// # Errors
    /// A malformed answer file, with file and line in words.
    fn ask<'a>(
        &'a mut self,
        state: &'a State,
        questions: &'a [&'a Question],
    ) -> BoxFuture<'a, Result<Vec<UserAnswer>, String>>;

    /// Asks whether to end the discussion: because of the limit `guard`, or to confirm a proposal.
    /// By default nobody answers.
    fn ask_end<'a>(
        &'a mut self,
        _state: &'a State,
        _guard: StopReason,
    ) -> BoxFuture<'a, Result<EndAnswer, String>> {
        Box::pin(async { Ok(EndAnswer::Nobody) })
    }

    /// Asks whether commands of members may run, the first time that a member, `_who`, wants to run
    /// one. By default nobody answers.
    ///
    /// # Errors
    /// The terminal cannot be read or written.
    fn ask_trial<'a>(
        &'a mut self,
        _state: &'a State,
        _who: &'a str,
        _job: &'a TrialJob,
    ) -> BoxFuture<'a, Result<TrialAnswer, String>> {
        Box::pin(async { Ok(TrialAnswer::Nobody) })
    }

    /// Whether a user can be asked now.
    fn is_there(&self) -> bool {
        false
    }

    /// Whether the last question was not answered within the time limit.
    fn fell_silent(&self) -> bool {
        false
    }

    /// The run ends: later messages are reported as not taken in.
    fn closes(&mut self) {}

    /// Returns the messages since the last call, without asking or waiting. Messages that the state
    /// already contains are not returned again.
    ///
    /// # Errors
    /// Messages cannot be read.
    fn mail(&mut self, _state: &State) -> Result<Mail, Fault> {
        Ok(Mail::default())
    }

    /// Deletes messages that are recorded or useless.
    ///
    /// # Errors
    /// A message cannot be deleted.
    fn delete_messages(&mut self, _messages: &[String]) -> Result<(), Fault> {
        Ok(())
    }
}

texts! {
    /// The reason if nobody answered whether trials may run.
    pub UNSAID: "trials are not switched on, and nobody said whether they may be", "未启用试运行，也没有人表示是否允许";
}

/// The user's answer to whether a command may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrialAnswer {
    /// Yes, in this run.
    Yes,
    /// Yes, in every run from now on.
    Always,
    /// No, not in this run.
    No,
    /// Another message came meanwhile; the next call of [`Human::mail`] returns it.
    Elsewhere,
    /// No user is there, or no answer came.
    Nobody,
}

/// Runs commands for members.
pub trait Trials: Send + Sync {
    /// Whether the user should be asked, because trials could run if the user allowed them.
    fn asks(&self) -> bool;

    /// A digest of the tree that a trial would run on; the time depends on the size of the tree.
    ///
    /// # Errors
    /// Why no trial runs. The user alone decides that, not the repository, transcript or members.
    fn tree(&self) -> Result<String, Message>;

    /// Notes the user's answer, so that this process does not ask again; returns a notice for the
    /// user.
    ///
    /// # Errors
    /// A permanent answer cannot be saved.
    fn answered(&self, answer: TrialAnswer) -> Result<Option<Message>, Fault>;

    /// Runs the command in a copy of the tree and waits for its end; setting `stop` ends it early.
    fn run(&self, job: &TrialJob, stop: &AtomicBool) -> TrialOutcome;
}

/// Observes a run.
pub trait Observer: Send {
    /// An entry was written and applied; `state` is the state after it.
    fn entry(&mut self, state: &State, entry: &Entry);
    /// A notice that is not an event: a warning, a torn tail that was cut.
    fn notice(&mut self, text: &Message);
    /// The listener for answers while they arrive; none by default.
    fn listener(&self) -> Arc<dyn Listener> {
        Arc::new(NoopListener)
    }
}
