//! What happened: the lines of the transcript.
//!
//! Events are facts in the past tense. An event holds what was said *and* what
//! the engine made of it, so that the transcript reads without the program;
//! `check` holds both against the rules before a line is written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call::CallId;
use super::consensus::ConsensusItem;
use super::ids::{ConsensusId, FeedbackId, IssueId, QuestionId};
use super::inputs::{FeedbackItem, Inputs, Previous, Survey};
use super::issue::{IssueChange, Origin};
use super::price::Usd;
use super::question::AnswerSource;
use super::similarity::Measurement;
use crate::chat::{AnswerFormat, FinishReason, Usage};
use crate::reply::{
    Contribution, Document, DocumentKind, NewIssue, Reminder, ReportWords, Severity,
};
use crate::role::RoleId;

/// Version of the line format, the `v` of every line.
pub const FORMAT: u32 = 1;

/// One line of the transcript, without its hash.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Entry {
    /// Version of the line format.
    pub v: u32,
    /// Number of the line, from 1.
    pub seq: u64,
    /// When it was written, RFC 3339 in UTC; for people, never for decisions.
    pub ts: String,
    /// Milliseconds the run has been active; gaps between processes excluded.
    pub active_ms: u64,
    /// Round at that moment; 0 before the first.
    pub round: u32,
    /// Full name of whoever did it: a member, `Coach`, `user` or `engine`.
    pub actor: String,
    /// What happened; its `phase` says which kind.
    #[serde(flatten)]
    pub event: Event,
}

/// What a successful model call cost, part of the event it led to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Receipt {
    /// The call.
    pub call: CallId,
    /// Model that answered.
    pub model: String,
    /// Tokens.
    pub usage: Usage,
    /// Milliseconds from request to whole answer.
    pub latency_ms: u64,
    /// The provider's id of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// How the answer was held to its schema; missing where no endpoint was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_format: Option<AnswerFormat>,
}

/// What a call was given, named and not repeated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InputContext {
    /// Ids that stood in the prompt: open issues, standing consensus items, earlier speeches.
    pub ids: Vec<String>,
    /// SHA-256 of the rendered prompt, hexadecimal.
    pub prompt: String,
    /// Bytes of the prompt, schema included.
    pub bytes: u64,
}

/// Something that was left out of an answer or put right, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    /// What it is about: an id, a field, a member.
    pub about: String,
    /// What was done.
    pub text: String,
}

/// Something the coach proposed that the rules forbid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Refusal {
    /// Which rule.
    pub rule: Rule,
    /// The issue or item concerned, as the coach named it.
    pub about: String,
    /// What was proposed and what stands against it.
    pub detail: String,
}

/// Rules a summary or judgment can break.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// An open issue was not spoken of; it stays open.
    Forgotten,
    /// An issue nobody raised; it is not entered.
    Invented,
    /// Dropped or deferred without a reason; it stays open.
    NoReason,
    /// Agreement claimed over a standing objection; it stays open.
    ObjectionStands,
    /// The member cited proposed no text on that issue; it stays open.
    NotProposed,
    /// Nobody supports what was proposed; it stays open.
    NoSupport,
    /// A blocking issue cannot be deferred; it stays open.
    BlockingDeferred,
    /// Refined or merged into nothing, itself, or a closed issue; it stays open.
    BadTarget,
    /// The list would grow for ever; it stays open.
    ListGrew,
    /// The same issue left open again though nobody said anything new about it.
    Repeated,
    /// An id that does not exist or is closed.
    UnknownId,
}

/// Why the discussion ended; only `consensus` is agreement.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// No blocking issue is open.
    Consensus,
    /// As many rounds as allowed.
    RoundLimit,
    /// As many active minutes as allowed.
    TimeLimit,
    /// The token or cost ceiling.
    Budget,
    /// The human.
    User,
}

/// An issue the engine entered because of a summary or judgment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EnteredIssue {
    /// Its id.
    pub id: IssueId,
    /// One line.
    pub title: String,
    /// What has to be decided.
    pub detail: String,
    /// Does it hold the workshop?
    pub severity: Severity,
    /// Where it came from.
    pub origin: Origin,
}

/// An agreed item put in question by feedback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WithdrawnItem {
    /// Which item.
    pub item: ConsensusId,
    /// By which feedback.
    pub feedback: Option<FeedbackId>,
    /// Why.
    pub reason: String,
}

/// What the coach did with one question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RelayDecision {
    /// Which question.
    pub question: QuestionId,
    /// The answer, if it was already said or found; none to ask the human.
    pub answer: Option<String>,
    /// Where it was said; required with an answer.
    pub cites: Option<String>,
}

/// Why a call did not bring a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// Connection refused, reset, unknown host, TLS.
    Network,
    /// No answer, or no next byte, in time.
    Timeout,
    /// 429 or 529.
    RateLimited,
    /// Other 5xx, 408, 409, 425.
    Server,
    /// 401 or 403.
    Credentials,
    /// Any other 4xx.
    Refused,
    /// The stream was cut or made no sense.
    Protocol,
    /// The answer grew beyond what is read.
    TooLarge,
}

/// What happened. The variant's name in snake case is the line's `phase`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "phase", rename_all = "snake_case")]
pub enum Event {
    /// The requirement came in, with everything the run is held with. Always line 1.
    UserInput {
        /// The requirement, word for word.
        content: String,
        /// UUID of the run.
        run_id: String,
        /// Everything else the run is held with.
        inputs: Box<Inputs>,
        /// The version this one revises.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Box<Previous>>,
        /// The user's feedback, point by point.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        feedback: Vec<FeedbackItem>,
    },
    /// Repository and knowledge folders were searched.
    KnowledgeSearch {
        /// What was found.
        survey: Survey,
    },
    /// A model is about to be asked.
    CallStarted {
        /// Which call.
        call: CallId,
        /// Model asked.
        model: String,
        /// What it was given.
        input_context: InputContext,
        /// Upper bound of the tokens it can cost: prompt and largest answer.
        reserve: u64,
        /// Upper bound of the money, where the user gave the model's price.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reserve_usd: Option<Usd>,
    },
    /// A call brought no reply.
    CallFailed {
        /// Which call.
        call: CallId,
        /// Why.
        kind: FailureKind,
        /// In words, without secrets.
        detail: String,
        /// May it be tried again?
        retryable: bool,
        /// How long the provider asked to wait, in milliseconds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retry_after_ms: Option<u64>,
        /// Milliseconds until it failed.
        latency_ms: u64,
    },
    /// A reply was no valid answer; it is kept as it came.
    ReplyRejected {
        /// What it cost.
        #[serde(flatten)]
        receipt: Receipt,
        /// The raw reply.
        output: String,
        /// What is wrong with it.
        reason: String,
        /// Why the model stopped.
        finish: FinishReason,
    },
    /// The coach read the requirement and made the first issue list.
    CoachInitialJudgment {
        /// What it cost.
        #[serde(flatten)]
        receipt: Receipt,
        /// The judgment in words.
        info: String,
        /// The coach's whole answer.
        judgment: Contribution,
        /// Issues entered, with ids.
        issues: Vec<EnteredIssue>,
        /// Agreed items of the previous version put in question.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        withdrawn: Vec<WithdrawnItem>,
        /// What was refused.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        refused: Vec<Refusal>,
    },
    /// A round began.
    RoundStarted {
        /// Issues it is about.
        issues: Vec<IssueId>,
    },
    /// A member spoke.
    Speaking {
        /// Place in the round, from 1.
        turn: u32,
        /// What it cost.
        #[serde(flatten)]
        receipt: Receipt,
        /// The speech a person reads.
        output: String,
        /// The whole answer, less what had to be left out.
        speech: Contribution,
        /// What was left out and why.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<Note>,
    },
    /// A member gave no usable answer and is passed over for this turn.
    PassedOver {
        /// Place in the round, from 1.
        turn: u32,
        /// Who.
        member: RoleId,
        /// Why.
        reason: String,
    },
    /// The coach answered questions from what was said, or decided to pass them on.
    ClarificationRelayed {
        /// What it cost.
        #[serde(flatten)]
        receipt: Receipt,
        /// One decision a question.
        decisions: Vec<RelayDecision>,
        /// What was refused, such as an answer without a citation.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<Note>,
    },
    /// A question needs the human. The actor is the member who asked.
    UserClarificationNeeded {
        /// Which question.
        question: QuestionId,
        /// What is asked: the question or its latest follow-up.
        asked: String,
        /// The issue that waits for it.
        issue: Option<IssueId>,
    },
    /// A question was answered. The actor is the coach, who relays.
    UserClarificationDialogue {
        /// Which question.
        id: QuestionId,
        /// What was asked.
        question: String,
        /// What the human said, or what is assumed, or the reason for declining.
        user_reply: String,
        /// By which way it came.
        source: AnswerSource,
        /// Id of the inbox message that brought it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// The member who asked said whether the answer will do.
    ClarificationFollowedUp {
        /// What it cost.
        #[serde(flatten)]
        receipt: Receipt,
        /// Which question.
        question: QuestionId,
        /// What it still wants to know; none when satisfied.
        follow_up: Option<String>,
    },
    /// Everybody has spoken, and the round was held against earlier ones.
    SimilarityMeasured {
        /// The figures.
        #[serde(flatten)]
        measurement: Measurement,
    },
    /// The coach summed up a round.
    ConsensusSummary {
        /// What it cost.
        #[serde(flatten)]
        receipt: Receipt,
        /// The summary a person reads.
        output: String,
        /// The coach's whole answer.
        summary: Contribution,
        /// Items that joined the draft.
        consensus: Vec<ConsensusItem>,
        /// What became of issues.
        changes: Vec<IssueChange>,
        /// Issues entered, with ids.
        new_issues: Vec<EnteredIssue>,
        /// Focus reminders for the next round.
        reminders: Vec<Reminder>,
        /// What was refused, and by which rule.
        refused: Vec<Refusal>,
    },
    /// A limit is near.
    GuardWarned {
        /// Which.
        guard: StopReason,
        /// The figure seen: rounds, minutes or tokens.
        value: u64,
        /// The limit.
        limit: u64,
    },
    /// The discussion ended, by agreement or by a guard.
    GuardFired {
        /// Why.
        guard: StopReason,
        /// The figure seen: open blocking issues, rounds, minutes, tokens, or, where
        /// `limit` is the run's `budget_usd`, billionths of a dollar.
        value: u64,
        /// The limit.
        limit: u64,
    },
    /// A final document was written.
    Document {
        /// What it cost; none when it was rendered from the ledger without a model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        receipt: Option<Receipt>,
        /// Which.
        kind: DocumentKind,
        /// The document, with the engine's ids.
        content: Document,
        /// What was left out and why.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<Note>,
    },
    /// The coach wrote its words for the report.
    Report {
        /// What it cost; none when rendered without a model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        receipt: Option<Receipt>,
        /// The words.
        words: ReportWords,
    },
    /// Another process took the run up.
    Resumed {
        /// Version of `aitc` that did.
        tool: String,
        /// Inputs changed since the start that the user accepted to leave as frozen.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        accepted_drift: Vec<String>,
    },
    /// The version is complete. Always the last line.
    Published {
        /// Why the discussion ended.
        stop: StopReason,
        /// Blocking issues still open.
        blocking: Vec<IssueId>,
        /// All open issues.
        open: Vec<IssueId>,
    },
}

impl Event {
    /// Who did it, for the line's `actor`; needs the asker for clarifications.
    pub fn actor(&self, state: &super::state::State) -> String {
        match self {
            Self::UserInput { .. } => "user".to_owned(),
            Self::CallStarted { call, .. } | Self::CallFailed { call, .. } => {
                call.member.to_string()
            }
            Self::ReplyRejected { receipt, .. }
            | Self::Speaking { receipt, .. }
            | Self::ClarificationFollowedUp { receipt, .. } => receipt.call.member.to_string(),
            Self::PassedOver { member, .. } => member.to_string(),
            Self::UserClarificationNeeded { question, .. } => state
                .question(*question)
                .map_or_else(|| crate::role::COACH.to_owned(), |q| q.asked_by.to_string()),
            Self::Document { kind, .. } => state
                .inputs
                .roles
                .writer(*kind)
                .map_or_else(|| "engine".to_owned(), |role| role.id.to_string()),
            Self::CoachInitialJudgment { .. }
            | Self::ClarificationRelayed { .. }
            | Self::UserClarificationDialogue { .. }
            | Self::ConsensusSummary { .. }
            | Self::Report { .. } => crate::role::COACH.to_owned(),
            Self::KnowledgeSearch { .. }
            | Self::RoundStarted { .. }
            | Self::SimilarityMeasured { .. }
            | Self::GuardWarned { .. }
            | Self::GuardFired { .. }
            | Self::Resumed { .. }
            | Self::Published { .. } => "engine".to_owned(),
        }
    }

    /// Issues this event proposes that have no id yet, if it is a speech.
    pub fn proposed_issues(&self) -> &[NewIssue] {
        match self {
            Self::Speaking { speech, .. } => &speech.new_issues,
            _ => &[],
        }
    }
}
