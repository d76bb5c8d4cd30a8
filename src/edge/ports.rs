//! What the driver needs from the world, as traits: tests put their own behind them.

use std::future::Future;
use std::pin::Pin;

use super::inbox::InboxError;
use crate::workshop::{AnswerSource, Entry, Question, QuestionId, State};

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
    /// What was said; empty when the recommended answer was taken or declined.
    pub text: String,
    /// By which way it came.
    pub source: AnswerSource,
    /// Id of the inbox message that brought it.
    pub message: Option<String>,
}

/// What was sent to a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mail {
    /// Answers, in the order in which they were sent.
    pub answers: Vec<HumanAnswer>,
    /// What to tell of messages that are of no use.
    pub notices: Vec<String>,
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

    /// Brings what was sent since the last look, without asking or waiting.
    /// What the state knows already is not brought again.
    ///
    /// # Errors
    /// Messages cannot be read.
    fn mail(&mut self, _state: &State) -> Result<Mail, InboxError> {
        Ok(Mail::default())
    }

    /// These messages are on record, or of no use: they may go.
    ///
    /// # Errors
    /// A message cannot be deleted.
    fn taken(&mut self, _messages: &[String]) -> Result<(), InboxError> {
        Ok(())
    }
}

/// Who watches a run.
pub trait Observer: Send {
    /// An entry is on disk and applied; `state` is the state after it.
    fn entry(&mut self, state: &State, entry: &Entry);
    /// Something to tell that is no event: a warning, a torn tail that was cut.
    fn notice(&mut self, text: &str);
}
