//! What the driver needs from the world, as traits: tests put their own behind them.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::model::{Listener, NoopListener};
use crate::fault::{Fault, Message, texts};
use crate::machine::{
    AnswerSource, Channel, Entry, Intent, Job, Question, QuestionId, Ran, State, StopReason,
};

/// A future on the heap, for traits used as objects.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Time, of two kinds: one for people, one for decisions.
pub trait Clock: Send + Sync {
    /// Now, RFC 3339 in UTC with milliseconds; for people.
    fn timestamp(&self) -> String;
    /// Milliseconds since the process began, never going back.
    fn monotonic_ms(&self) -> u64;
}

/// An answer of the human to one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HumanAnswer {
    /// To which question.
    pub question: QuestionId,
    /// What was said; empty if the recommended answer was taken or declined.
    pub text: String,
    /// By which way it came.
    pub source: AnswerSource,
    /// Id of the inbox message that brought it.
    pub message: Option<String>,
}

/// Something the human said to the running workshop that answers no question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Utterance {
    /// What is wanted.
    pub intent: Intent,
    /// The text as it came.
    pub content: String,
    /// By which way it came.
    pub channel: Channel,
    /// Id of the inbox message that brought it.
    pub message: Option<String>,
}

/// What the human answers when asked whether the discussion ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndAnswer {
    /// It ends.
    Stop,
    /// It goes on; words besides are for the members.
    GoOn(String),
    /// Something else came meanwhile; the next look at the mail brings it.
    Elsewhere,
    /// Something had come before the question was put, which is no answer to it.
    Earlier,
    /// Nobody is there, or nobody answered in time.
    Nobody,
}

/// What was sent to a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mail {
    /// Answers, in the order in which they were sent.
    pub answers: Vec<HumanAnswer>,
    /// Everything else that was said, in order.
    pub said: Vec<Utterance>,
    /// What to tell of messages that are of no use.
    pub notices: Vec<Message>,
}

/// Where answers come from.
pub trait Human: Send {
    /// Puts the questions to the human and brings what answers there are.
    ///
    /// An empty list means that nobody answers now: the run pauses.
    ///
    /// # Errors
    /// A malformed answer file, with file and line in words.
    fn ask<'a>(
        &'a mut self,
        state: &'a State,
        questions: &'a [&'a Question],
    ) -> BoxFuture<'a, Result<Vec<HumanAnswer>, String>>;

    /// Asks whether to end the discussion: to obey the limit `guard`, or to
    /// confirm a proposal. Nobody answers by default.
    fn ask_end<'a>(
        &'a mut self,
        _state: &'a State,
        _guard: StopReason,
    ) -> BoxFuture<'a, Result<EndAnswer, String>> {
        Box::pin(async { Ok(EndAnswer::Nobody) })
    }

    /// Asks whether what a member, `_who`, wants may be run, the first time that one wants it.
    /// Nobody answers by default.
    ///
    /// # Errors
    /// The terminal cannot be read or written.
    fn ask_trial<'a>(
        &'a mut self,
        _state: &'a State,
        _who: &'a str,
        _job: &'a Job,
    ) -> BoxFuture<'a, Result<TrialAnswer, String>> {
        Box::pin(async { Ok(TrialAnswer::Nobody) })
    }

    /// Can somebody be asked now?
    fn is_there(&self) -> bool {
        false
    }

    /// Did the last question go unanswered for as long as one may wait?
    fn fell_silent(&self) -> bool {
        false
    }

    /// The run ends: what is said from now on is told as not taken in.
    fn closes(&mut self) {}

    /// Brings what was sent since the last look, without asking or waiting.
    /// Results the state already has are not fetched again.
    ///
    /// # Errors
    /// Messages cannot be read.
    fn mail(&mut self, _state: &State) -> Result<Mail, Fault> {
        Ok(Mail::default())
    }

    /// These messages are on record, or of no use: they may go.
    ///
    /// # Errors
    /// A message cannot be deleted.
    fn taken(&mut self, _messages: &[String]) -> Result<(), Fault> {
        Ok(())
    }
}

texts! {
    /// Why nothing is run where nobody answers that.
    pub UNSAID: "trials are not switched on, and nobody said whether they may be", "未启用试运行，也没有人表示是否允许";
}

/// What the user says when asked whether something may be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrialAnswer {
    /// In this run.
    Yes,
    /// In every run from now on.
    Always,
    /// Not in this run.
    No,
    /// Something else came meanwhile; the next look at the mail brings it.
    Elsewhere,
    /// Nobody is there, or nobody answered.
    Nobody,
}

/// Where members have something run.
pub trait Trials: Send + Sync {
    /// Could something be run, had the user said that it may?
    fn asks(&self) -> bool;

    /// The state of the tree that something may be run on: a digest, which takes as long as
    /// the tree is large.
    ///
    /// # Errors
    /// Why nothing is run: it is the user's to say, whatever repository, transcript and members
    /// say.
    fn tree(&self) -> Result<String, Message>;

    /// The user was asked, and is not asked again in this process; gives what to tell of it.
    ///
    /// # Errors
    /// What is meant for always cannot be kept.
    fn answered(&self, answer: TrialAnswer) -> Result<Option<Message>, Fault>;

    /// Runs it in a copy of the tree and waits for its end, which comes early once `stop`
    /// is set.
    fn run(&self, job: &Job, stop: &AtomicBool) -> Ran;
}

/// Who watches a run.
pub trait Observer: Send {
    /// An entry is on disk and applied; `state` is the state after it.
    fn entry(&mut self, state: &State, entry: &Entry);
    /// Something to tell that is no event: a warning, a torn tail that was cut.
    fn notice(&mut self, text: &Message);
    /// Hears answers while they arrive; nobody does by default.
    fn listener(&self) -> Arc<dyn Listener> {
        Arc::new(NoopListener)
    }
    /// Takes the log lines of entries; nobody does by default.
    fn log(&self) -> tracing::Dispatch {
        tracing::Dispatch::none()
    }
}
