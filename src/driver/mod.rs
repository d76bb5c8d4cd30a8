//! The driver: performs the actions that the machine asks for and records their results.
//!
//! ```text
//! next_actions(&state) -> do them -> Event -> apply -> add -> commit -> show
//! ```
//!
//! Fresh and resumed runs share one path: [`Session::resume`] only replays the journal and then
//! enters the same loop. A step is one append and one sync that contains the reply *and* the start
//! of the next call, so that a crash costs at most the calls in flight.

mod by_hand;
mod calls;
mod clarification;
mod ending;
mod inquiry;
mod look;
mod mail;
mod partial_answers;
mod rehearsal;
mod replay;
mod session;
mod similarity;
mod time_left;
mod trial;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

pub use by_hand::reply_event;
pub use rehearsal::first_prompts;
pub use replay::Replay;
pub use session::Session;

use crate::check::FileFacts;
use crate::edge::knowledge::{InquiryResult, SearchResult};
use crate::edge::model::backoff::Backoff;
use crate::edge::model::{ChatModel, EmbeddingModel};
use crate::edge::ports::{Clock, Human, Observer, Trials};
use crate::fault::line::{INTERNAL, TERMINAL};
use crate::fault::storage::TRANSCRIPT_EMPTY;
use crate::fault::{Fault, Text, values};
use crate::machine::{
    CallId, ClaimResult, Illegal, Inquiry, LookResult, ModelChoice, QuestionId, State, StopReason,
};
use crate::reply::{Evidence, FileImpact, Look};
use crate::role::RoleSet;

/// Whether the user has interrupted; polled by operations that take long.
pub type Interrupted<'a> = &'a dyn Fn() -> bool;

/// Searches for what fits the requirement; `None` if it was stopped.
pub type SurveyFn<'a> = dyn Fn(&State, Interrupted<'_>) -> Option<SearchResult> + Send + Sync + 'a;

/// Searches for what members raised; `None` if it was stopped.
pub type InquiryFn<'a> =
    dyn Fn(&State, &[Inquiry<'_>], Interrupted<'_>) -> Option<InquiryResult> + Send + Sync + 'a;

/// Reads what members ask to see; one result for each look, in order.
pub type LookFn<'a> = dyn Fn(&State, &[Look]) -> Vec<LookResult> + Send + Sync + 'a;

/// Compares claims with the files; one result for each claim, in order.
pub type VerifyFn<'a> = dyn Fn(&State, &[Evidence]) -> Vec<ClaimResult> + Send + Sync + 'a;

/// Facts from the repository about files that are to change; one result for each, in order.
pub type TreeFacts<'a> = dyn Fn(&[FileImpact]) -> Vec<FileFacts> + Send + Sync + 'a;

/// Interfaces to everything outside the machine that a run needs.
pub struct Ports<'a> {
    /// Gives the time.
    pub clock: &'a dyn Clock,
    /// Models by provider name.
    pub models: &'a BTreeMap<String, Arc<dyn ChatModel>>,
    /// Endpoint that computes embeddings of texts; `None` for the lexical measure.
    pub embeddings: Option<&'a dyn EmbeddingModel>,
    /// Source of the user's answers and messages.
    pub human: &'a mut dyn Human,
    /// Notified of every entry and call.
    pub observer: &'a mut dyn Observer,
    /// Searches repository and knowledge folders.
    pub survey: &'a SurveyFn<'a>,
    /// Searches them for the given questions.
    pub inquire: &'a InquiryFn<'a>,
    /// Reads what a member asks to see.
    pub look: &'a LookFn<'a>,
    /// Runs the trials that members ask for.
    pub trials: Arc<dyn Trials>,
    /// Compares claims of members with the files.
    pub verify: &'a VerifyFn<'a>,
    /// Facts from the repository about files that are to change.
    pub tree: &'a TreeFacts<'a>,
    /// Removes secrets from a text before it becomes part of an event.
    pub redact: &'a (dyn Fn(&str) -> String + Sync),
    /// Delay between attempts of a call.
    pub backoff: Backoff,
    /// Whether a complete run stays a draft, to be saved later.
    pub stays_draft: bool,
    /// Set to the signal's number when the user interrupts.
    pub interrupt: tokio::sync::watch::Receiver<Option<i32>>,
}

/// How a process left a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The version is complete and published; a chat that is to be saved later is complete, but
    /// still a draft.
    Published {
        /// Path of the folder.
        path: PathBuf,
        /// Reason for which the discussion ended.
        stop: StopReason,
        /// The run as it ended.
        state: Box<State>,
    },
    /// The run needs the user; `questions.md` was written.
    NeedsUser {
        /// The file to fill in.
        file: PathBuf,
        /// The open questions.
        questions: Vec<QuestionId>,
    },
    /// Calls wait to be answered by hand; their prompts are in files.
    NeedsReplies {
        /// The draft that contains these files.
        draft: PathBuf,
        /// Numbers of the calls, in order; at least one.
        calls: Vec<(u32, CallId)>,
        /// The members they are for.
        roles: Box<RoleSet>,
    },
    /// The provider is unavailable.
    ProviderUnavailable {
        /// The call that failed.
        call: CallId,
        /// The member that was asked for it.
        model: ModelChoice,
        /// Why, in words.
        detail: String,
    },
    /// The model's replies to one call are unusable; they are in the transcript.
    UnusableReply {
        /// The call that failed.
        call: CallId,
        /// What is wrong with the last reply.
        detail: String,
    },
    /// A signal came; the run can be resumed.
    Interrupted {
        /// Number of the signal.
        signal: i32,
    },
}

/// The error for a run that is complete and has no end, which only a bug can cause.
fn no_end() -> Fault {
    INTERNAL.with(values![what = "a complete run has no end"])
}

fn empty_journal() -> Fault {
    TRANSCRIPT_EMPTY.with(values![path = Text("the run", "这次运行")])
}

/// The user cannot be asked: the terminal is gone.
fn no_terminal(what: String) -> Fault {
    TERMINAL.with(values![what])
}

/// The machine produced an event that its own rules refuse: a bug in `aitc`.
fn not_legal(why: Illegal) -> Fault {
    let what = format!("the engine made an event that may not follow: {why}");
    INTERNAL.with(values![what])
}

/// The loop keeps running without recording anything: a bug in `aitc`. The draft is intact.
fn no_progress() -> Fault {
    INTERNAL.with(&[(
        "what",
        &"the run records nothing any more; its draft is kept",
    )])
}

/// Waits for the user's interrupt; never returns if the sender is gone.
async fn interrupted(mut signal: tokio::sync::watch::Receiver<Option<i32>>) {
    if signal.wait_for(Option::is_some).await.is_err() {
        std::future::pending::<()>().await;
    }
}
