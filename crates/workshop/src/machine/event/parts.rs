//! The building blocks of events.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::call::CallId;
use crate::chat::{AnswerFormat, EndpointLimits, Usage};
use crate::ids::{ConsensusId, FeedbackId, IssueId, QuestionId};
use crate::machine::issue::IssueOrigin;
use crate::reply::IssueSeverity;

/// What a successful model call cost, part of the event it led to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Receipt {
    /// Id of the call.
    pub call: CallId,
    /// Name of the model that answered, as its endpoint gives it.
    pub model: String,
    /// Tokens sent and received.
    pub usage: Usage,
    /// Milliseconds from request to whole answer.
    pub latency_ms: u64,
    /// The provider's id of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// How the answer was held to its schema; missing where no endpoint was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_format: Option<AnswerFormat>,
    /// What the endpoint refused, so that it is not sent again; left out where it refused
    /// nothing.
    #[serde(default, skip_serializing_if = "EndpointLimits::is_empty")]
    pub terms: EndpointLimits,
    /// Secrets taken out of the answer before it was written; left out when there were none.
    #[serde(default, skip_serializing_if = "crate::machine::is_default")]
    pub redacted: u32,
}

/// What a call was given, named and not repeated.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InputContext {
    /// Ids that the prompt holds: open issues, standing consensus items, earlier speeches.
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
    /// What was left out, put right or remarked, and why.
    pub text: String,
}

impl Note {
    /// Returns a note without quoted text.
    pub(in crate::machine) fn new(about: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            about: about.into(),
            text: text.into(),
        }
    }
}

/// Something the coach proposed that the rules forbid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LedgerRefusal {
    /// Rule that refuses it.
    pub rule: LedgerRule,
    /// The issue or item concerned, as the coach named it.
    pub about: String,
    /// Proposals and the objections to them.
    pub detail: String,
}

/// Rules a summary or judgment can break.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum LedgerRule {
    /// An open issue was not spoken of; it stays open.
    Forgotten,
    /// An issue nobody raised; it is not entered.
    Invented,
    /// Dropped or deferred without a reason; it stays open.
    NoReason,
    /// Called agreed, or blocking and dropped, over a standing objection; it stays open.
    ObjectionStands,
    /// Blocking, asked for by the user and dropped although a text on it has support; it
    /// stays open.
    SupportStands,
    /// Dropped where nothing is agreed and nothing blocking would be left; it stays open.
    NothingLeft,
    /// The member cited proposed no text on that issue; it stays open.
    NotProposed,
    /// Nobody supports what was proposed; it stays open.
    NoSupport,
    /// Somebody who objected before has not answered the text cited; it stays open.
    Unheard,
    /// Another text exists beside the one cited, and nobody said that both hold; it stays open.
    Rival,
    /// A blocking issue cannot be deferred; it stays open.
    BlockingDeferred,
    /// Refined into anything but new issues, or merged into nothing, itself, or a closed issue; it
    /// stays open.
    BadTarget,
    /// The list would grow for ever; it stays open.
    ListGrew,
    /// A list or text was longer than is kept: the rest is left out.
    TooLong,
    /// The same thing twice: a fate, a title, an admitted text, a vote.
    Repeated,
    /// The same issue left open again though nobody took a new position on it.
    Stalled,
    /// An id that does not exist or is closed.
    UnknownId,
    /// Nothing a debate could be held about.
    NoDivergence,
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
    /// A member or the coach proposed the end, and that was confirmed.
    Proposal,
    /// The last rounds say what was said before.
    Similarity,
    /// Every phase of a team has ended, and some brought nothing: how many, of all planned.
    Incomplete,
    /// No blocking issue is open, and a model took part that is too small for that to count.
    SmallModel,
    /// Nobody says anything new, or the user says nothing at all.
    Silence,
    /// A blocking finding of the final review still holds: how many.
    Review,
    /// The user asked for the end.
    User,
}

/// What a detector found: the discussion looks finished from outside. Says what
/// the two figures of a guard of [`StopReason::Similarity`] or
/// [`StopReason::Silence`] count.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum StopSign {
    /// Every member repeats what it said before: thousandths of likeness.
    Repetition,
    /// Disagreement has gone from the words: members that agree, of those who speak.
    Convergence,
    /// Rounds that brought nothing new, one after the other: rounds.
    Standstill,
    /// The user does not answer: minutes.
    Unanswered,
    /// A member's turns stay empty, its nudges are used up, and no user said to go
    /// on: nudges.
    NudgesUsedUp,
}

/// What the two figures of a guard count.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum StopUnit {
    /// Rounds of the discussion.
    Rounds,
    /// Active minutes, or minutes without an answer.
    Minutes,
    /// Tokens, sent and received.
    Tokens,
    /// Money, in billionths of a US dollar.
    NanoUsd,
    /// Blocking issues that are open.
    BlockingIssues,
    /// Phases of a team.
    Phases,
    /// Thousandths of likeness, from 0 to 1000.
    Thousandths,
    /// Members of the team.
    Members,
    /// Nudges of a member.
    Nudges,
}

impl StopUnit {
    /// Returns the unit of a guard's figures; for a budget it is tokens, unless the figures are
    /// money.
    pub(in crate::machine) fn of(guard: StopReason, sign: Option<StopSign>) -> Option<Self> {
        match (guard, sign) {
            (_, Some(StopSign::Repetition)) => Some(Self::Thousandths),
            (_, Some(StopSign::Convergence)) => Some(Self::Members),
            (_, Some(StopSign::Standstill)) => Some(Self::Rounds),
            (_, Some(StopSign::Unanswered)) => Some(Self::Minutes),
            (_, Some(StopSign::NudgesUsedUp)) => Some(Self::Nudges),
            (StopReason::RoundLimit, _) => Some(Self::Rounds),
            (StopReason::TimeLimit, _) => Some(Self::Minutes),
            (StopReason::Budget, _) => Some(Self::Tokens),
            (StopReason::Proposal, _) => Some(Self::BlockingIssues),
            (StopReason::Incomplete, _) => Some(Self::Phases),
            _ => None,
        }
    }
}

/// An issue the engine entered because of a summary or judgment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EnteredIssue {
    /// Id of the issue, `I-n`.
    pub id: IssueId,
    /// The question of the issue, one line.
    pub title: String,
    /// What has to be decided, and why it is open.
    pub detail: String,
    /// How much it blocks the workshop.
    pub severity: IssueSeverity,
    /// What brought the issue up.
    pub origin: IssueOrigin,
}

/// An agreed item put in question by feedback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WithdrawnItem {
    /// Id of the agreed item, `C-n`.
    pub item: ConsensusId,
    /// By which feedback.
    pub feedback: Option<FeedbackId>,
    /// Reason for which it is withdrawn.
    pub reason: String,
}

/// An agreed item the user put in question while the run went on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReopenedIssue {
    /// Id of the agreed item, `C-n`.
    pub item: ConsensusId,
    /// The issue that takes its place.
    pub issue: EnteredIssue,
}

/// What the coach did with one question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RelayDecision {
    /// Id of the question, `Q-n`.
    pub id: QuestionId,
    /// The answer, if it was already said or found; none to ask the user.
    pub answer: Option<String>,
    /// Where it was said; required with an answer.
    pub cites: Option<String>,
    /// Whether the question turned out to be for the repository, and was answered from there. Left
    /// out if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub looked_up: bool,
}

/// Why a call did not bring a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// Connection refused, reset, unknown host, TLS.
    Network,
    /// No answer, or no next byte, in time.
    Timeout,
    /// The endpoint answered 429 or 529: too many requests, no credit left, or overloaded.
    RateLimited,
    /// The endpoint answered any other 5xx, or 408, 409 or 425.
    Server,
    /// The endpoint answered 401 or 403: it refused the key.
    Credentials,
    /// The endpoint answered any other 4xx.
    Refused,
    /// The stream was cut or made no sense.
    Protocol,
    /// The answer grew beyond what is read.
    TooLarge,
    /// The discussion ended before anybody answered by hand. Not counted as a failure.
    Withdrawn,
}

impl super::Event {
    /// Returns whether a line states the same fact, whatever its wording.
    pub(in crate::machine) fn is_told_by(&self, line: &Self) -> bool {
        self.without_words() == line.without_words()
    }

    /// Returns the event without the engine's wording and reasons.
    fn without_words(&self) -> Self {
        let mut event = self.clone();
        match &mut event {
            Self::CallGivenUp { reason, .. }
            | Self::EndProposal { reason, .. }
            | Self::EndDecision { reason, .. } => reason.clear(),
            Self::DebateStarted(event) => event.output.clear(),
            Self::DebateRoundSummary(event) => event.output.clear(),
            Self::DebateResolved(event) if event.plain.is_some() => {
                event.rationale.clear();
                event.conclusion.clear();
            }
            _ => {}
        }
        event
    }
}
