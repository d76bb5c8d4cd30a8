//! The workshop: a deterministic machine rebuilt from its events.
//!
//! `apply` folds events into a [`State`]; `check` refuses an event that does
//! not follow from the state; `next_actions` says what must be done next.
//! No clock, file, network or randomness is touched here.

mod action;
mod adopt;
mod call;
mod consensus;
mod event;
mod ids;
mod inputs;
mod issue;
mod question;
mod state;

pub use action::{Action, GiveUp};
pub use adopt::{
    DocumentItem, ID_PREFIXES, REQUIREMENT, Reference, Target, adopt, advance_counters,
    canonical_id, check_document, dangling_references, document_items, is_unseen, references,
    repository_path, split_id,
};
pub use call::{BadCallId, CallId, Purpose, Scope};
pub use consensus::{ConsensusDraft, ConsensusItem, DraftLine, Supporter};
pub use event::{
    EnteredIssue, Entry, Event, FORMAT, FailureKind, InputContext, Note, Receipt, Refusal,
    RelayDecision, Rule, StopReason, WithdrawnItem,
};
pub use ids::{AssumptionId, BadId, ConsensusId, FeedbackId, IssueId, QuestionId};
pub use inputs::{
    Counters, FeedbackItem, FirstRound, Hit, Inputs, Lang, Limits, ModelChoice, OFFLINE, Passage,
    Previous, QuestionMode, SpeakingOrder, Survey,
};
pub use issue::{IssueChange, IssueLedger, IssueRecord, IssueStatus, Origin, PositionRecord};
pub use question::{AnswerSource, Assumption, Exchange, Question, QuestionStatus};
pub use state::{
    CallBook, CallHistory, DocumentRecord, OpenCall, PassedOver, Said, SpeechRecord, Stage, State,
    Stop, SummaryRecord,
};
