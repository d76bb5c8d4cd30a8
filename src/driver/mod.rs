//! The driver: does what the machine asks for, at the edge, and records what
//! happened.
//!
//! ```text
//! next_actions(&state) -> do them -> Event -> apply -> stage -> commit -> show
//! ```
//!
//! One path serves a fresh run and one that was cut off: [`Session::resume`]
//! only replays the journal and then enters the same loop. A step is one append
//! and one sync that holds the reply *and* the start of the next call, so that
//! a crash costs at most the calls in flight.

mod aloud;
mod by_hand;
mod calls;
mod clarification;
mod ending;
mod inquiry;
mod left;
mod log;
mod look;
mod rehearsal;
mod session;
mod similarity;
mod trial;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

pub use by_hand::reply_event;
pub use rehearsal::rehearse;
pub use session::{Replay, Session};

use crate::check::FileFacts;
use crate::edge::knowledge::{Inquired, Searched};
use crate::edge::model::backoff::Backoff;
use crate::edge::model::{ChatModel, EmbeddingModel};
use crate::edge::ports::{Clock, Human, Observer, Trials};
use crate::fault::line::{INTERNAL, TERMINAL};
use crate::fault::storage::TRANSCRIPT_EMPTY;
use crate::fault::{Fault, Text};
use crate::machine::{
    CallId, Held, Illegal, ModelChoice, QuestionId, Raised, Seen, State, StopReason,
};
use crate::reply::{Evidence, FileImpact, Look};
use crate::role::RoleSet;

/// Has the user had enough? Asked again and again by what takes its time.
pub type Stop<'a> = &'a dyn Fn() -> bool;

/// A search for what fits the requirement.
pub type Surveying<'a> = dyn Fn(&State, Stop<'_>) -> Option<Searched> + Sync + 'a;

/// A search for what was raised.
pub type Inquiring<'a> = dyn Fn(&State, &[Raised<'_>], Stop<'_>) -> Option<Inquired> + Sync + 'a;

/// What looks bring, one by one.
pub type Looking<'a> = dyn Fn(&State, &[Look]) -> Vec<Seen> + Sync + 'a;

/// Whether claims about the files stand there, one by one.
pub type Verifying<'a> = dyn Fn(&State, &[Evidence]) -> Vec<Held> + Sync + 'a;

/// What the repository says of files that are to change, one by one.
pub type Facing<'a> = dyn Fn(&[FileImpact]) -> Vec<FileFacts> + Sync + 'a;

/// What a run needs from the world.
pub struct Ports<'a> {
    /// Time.
    pub clock: &'a dyn Clock,
    /// Models by provider name.
    pub models: &'a BTreeMap<String, Arc<dyn ChatModel>>,
    /// Endpoint that makes vectors of texts; `None` for the lexical measure.
    pub embeddings: Option<&'a dyn EmbeddingModel>,
    /// Where answers come from.
    pub human: &'a mut dyn Human,
    /// Who watches.
    pub observer: &'a mut dyn Observer,
    /// Searches repository and knowledge folders; none where it was stopped.
    pub survey: &'a Surveying<'a>,
    /// Searches them for what these questions ask, one answer for each; none where it was
    /// stopped.
    pub inquire: &'a Inquiring<'a>,
    /// Looks at what a member wants to see.
    pub look: &'a Looking<'a>,
    /// Runs what a member wants to try.
    pub trials: Arc<dyn Trials>,
    /// Holds what members claim against the files.
    pub verify: &'a Verifying<'a>,
    /// What the repository says of files that are to change, one by one.
    pub tree: &'a Facing<'a>,
    /// Takes secrets out of a text before it becomes part of an event.
    pub redact: &'a (dyn Fn(&str) -> String + Sync),
    /// How long to wait between tries of a call.
    pub backoff: Backoff,
    /// Does a run that is complete stay a draft, to be saved later?
    pub stays_draft: bool,
    /// Becomes the signal's number when the user interrupts.
    pub interrupt: tokio::sync::watch::Receiver<Option<i32>>,
}

/// How a process left a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The version is complete and has its name; a conversation that is to be saved later
    /// is complete, and still a draft.
    Published {
        /// Its folder.
        path: PathBuf,
        /// Why the discussion ended.
        stop: StopReason,
        /// The run as it ended.
        state: Box<State>,
    },
    /// The human is needed; `questions.md` was written.
    NeedsHuman {
        /// The file to fill in.
        file: PathBuf,
        /// The questions that wait.
        questions: Vec<QuestionId>,
    },
    /// Calls wait to be answered by hand; their prompts are in files.
    NeedsReplies {
        /// The draft, which they lie in.
        draft: PathBuf,
        /// Numbers of the calls, in order; at least one.
        calls: Vec<(u32, CallId)>,
        /// The members they are for.
        roles: Box<RoleSet>,
    },
    /// The provider is unavailable.
    ProviderUnavailable {
        /// Which call.
        call: CallId,
        /// The member that was asked for it.
        model: ModelChoice,
        /// Why, in words.
        detail: String,
    },
    /// The model's replies to one call are unusable; they are in the transcript.
    UnusableReply {
        /// Which call.
        call: CallId,
        /// What is wrong with the last one.
        detail: String,
    },
    /// A signal came; the run can be resumed.
    Interrupted {
        /// Its number.
        signal: i32,
    },
}

/// The draft holds no first line.
fn empty_journal() -> Fault {
    TRANSCRIPT_EMPTY.with(&[("path", &Text("the run", "该运行"))])
}

/// The human cannot be asked: the terminal is gone.
fn no_terminal(what: String) -> Fault {
    TERMINAL.with(&[("what", &what)])
}

/// The machine made an event that its own rules refuse: a defect of `aitc`.
fn not_legal(why: Illegal) -> Fault {
    let what = format!("the engine made an event that may not follow: {why}");
    INTERNAL.with(&[("what", &what)])
}

/// The loop went round and nothing came of it: a defect of `aitc`. The draft is whole.
fn no_progress() -> Fault {
    INTERNAL.with(&[(
        "what",
        &"the run records nothing any more; its draft is kept",
    )])
}

/// Waits for the user's interrupt; for ever, if nobody is left to send one.
async fn interrupted(mut signal: tokio::sync::watch::Receiver<Option<i32>>) {
    if signal.wait_for(Option::is_some).await.is_err() {
        std::future::pending::<()>().await;
    }
}
