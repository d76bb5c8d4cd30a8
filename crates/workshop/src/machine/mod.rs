//! The workshop: a deterministic machine rebuilt from its events.
//!
//! [`State::apply`] folds entries into a [`State`] and refuses an event that does not follow from
//! it; [`may_follow`] tests whether it would be accepted; [`next_actions`] returns the next
//! actions; [`decide`] turns a checked answer into an event. Nothing here uses clock, files,
//! network or randomness.

mod action;
mod answer;
pub mod budget;
mod carry_over;
mod citation;
mod cited;
mod consensus;
mod dag;
pub mod debate;
pub mod decide;
pub mod diligence;
pub mod ending;
mod event;
pub mod evidence;
mod feedback;
mod forecast;
mod format;
mod illegal;
mod inputs;
pub mod inquiry;
pub mod intervention;
mod issue;
pub mod look;
mod next;
mod next_attempt;
mod normalize;
mod notes;
mod other_models;
pub mod party;
pub mod phase;
mod previous_version;
mod price;
pub mod proposal;
mod proposed_text;
mod question;
mod reasons;
mod redacted;
pub mod review;
pub mod similarity;
mod size;
mod stalled;
mod state;
mod summary;
pub mod team;
mod templates;
mod transition;
pub mod trial;
mod truncation;
mod visible_text;
pub mod vote;
mod words;

/// Returns whether a value is the default, which is left out of a line.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

pub use crate::call::{BadCallId, CallId, DebatePart, Purpose, Scope};
pub use crate::ids::{
    AssumptionId, BadId, ConsensusId, DebateId, EvidenceId, FeedbackId, FindingId, IssueId,
    ProposalId, QuestionId, TextId, TrialId,
};
pub use crate::lang::Lang;
pub use action::{Action, GiveUp};
pub use answer::event_of;
pub use carry_over::{DocumentOrigin, goes_on_from};
pub use consensus::{ConsensusDraft, ConsensusItem, DraftLine, Supporter};
pub use dag::{Dag, DagError};
pub use diligence::{IdleReason, MessageKind};
pub use ending::{EndCause, EndingRules, EndingState, MarkerRules, Stop, max_rounds};
pub use event::{
    EnteredIssue, Entry, Event, FailureKind, InputContext, LedgerRefusal, LedgerRule, Note,
    Receipt, RelayDecision, ReopenedIssue, StopReason, StopSign, StopUnit, TRANSCRIPT_FORMAT,
    WithdrawnItem,
};
pub use evidence::{Claim, ClaimResult, ClaimStatus, EvidenceRecord, EvidenceSource, SourceLines};
pub use feedback::split_feedback;
pub use forecast::Forecast;
pub use format::{Format, FormatMention, NoSeries, NoVersion, Series, Version, address, addressed};
pub use illegal::Illegal;
pub use inputs::{
    AuthorKind, Counters, FeedbackItem, FirstRound, HAND, Inputs, KnowledgePassage, Limits,
    ModelChoice, PreviousVersion, QuestionMode, RunRules, SCRIPTED, SpeakingOrder, Survey,
    SurveyFile, SurveyLines, holds_the_form,
};
pub use inquiry::{Excerpt, Inquiry, InquiryId, TopicSearch};
pub use intervention::{Channel, Intent, ReopenedItem, UserWords};
pub use issue::{IssueChange, IssueLedger, IssueOrigin, IssueRecord, IssueStatus, PositionRecord};
pub use look::{Depth, Grounding, LookRecord, LookResult, Looks};
pub use next::next_actions;
pub use next_attempt::{AfterFailure, LONGEST_WAIT, after_failure, is_asked_again};
pub use normalize::accounts::items_due;
pub use normalize::{
    DocumentItem, DocumentReference, ID_PREFIXES, REQUIREMENT, TextNames, advance_counters,
    canonical_id, check_document, dangling_references, document_items, is_dangling, item_values,
    normalize_document, normalize_report, references, repository_path, split_id, untold,
};
pub use other_models::{ModelChange, NewModels};
pub use price::{BadUsd, Price, Usd};
pub use proposal::{DecidedBy, EndMethod};
pub use proposed_text::{IssueText, SeenTurns, admissible, parse_text_id};
pub use question::{
    AnswerSource, Assumption, Exchange, Question, QuestionStatus, is_conflict_mark, said_by_word,
};
pub use reasons::{answers_under, losers, reasons, rulings_behind};
pub use redacted::secrets_in;
pub use size::{ExceededBound, MAX_SMALL_FILES};
pub use stalled::is_stalled;
pub use state::{
    Absence, CallBook, CallHistory, Discussion, DiscussionItem, DocumentRecord, DocumentSet,
    GroundingRecord, JudgmentRecord, ONE_TEXT, OpenCall, PastRound, Questions, RunRecord,
    SpeechRecord, Stage, State, SummaryRecord, Task,
};
pub use summary::{MAX_PARTS, SHRINK_FROM_ROUND, summary};
pub use templates::{TemplateCache, Templates};
pub use transition::may_follow;
pub use trial::{Trial, TrialBound, TrialEnd, TrialJob, TrialOutcome, TrialRecord, Trials};
pub use visible_text::shown;
pub use vote::{Ballot, VoteFigures};
pub use words::{SUMMARY_WORDS, words};
