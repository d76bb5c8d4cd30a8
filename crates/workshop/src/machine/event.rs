//! Events: the lines of the transcript, facts in the past tense. An event contains what was said
//! *and* what the engine made of it; a transition checks both against the rules.

mod entry;
mod parts;
mod source;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::consensus::ConsensusItem;
use super::debate::{
    DebateResolved, DebateRoundSummary, DebateStarted, Divergence, ExpertArgument, RequestRefusal,
    WantedDebate,
};
use super::diligence::{IdleReason, MessageKind};
use super::ending::EndCause;
use super::evidence::EvidenceRecord;
use super::inputs::{FeedbackItem, Inputs, PreviousVersion, Survey};
use super::inquiry::{Excerpt, TopicSearch};
use super::intervention::{Channel, Intent};
use super::issue::IssueChange;
use super::look::LookResult;
use super::party::Invitation;
use super::price::Usd;
use super::proposal::{DecidedBy, EndMethod};
use super::question::AnswerSource;
use super::review::{Amendment, FindingVerdicts, PlanChecked, PlanReviewed, ReviewClosed};
use super::similarity::Measurement;
use super::team::{ExpertResult, ExpertStep, PhaseStarted, PlanRevised, TeamFormed, TeamSynthesis};
use super::trial::Trial;
use super::vote::Ballot;
use crate::call::CallId;
use crate::chat::{ChatRole, FinishReason};
use crate::ids::{IssueId, QuestionId, TrialId};
use crate::lang::Lang;
use crate::reply::{
    Account, AskedQuestion, Contribution, Document, DocumentKind, Evidence, Look, Reminder,
    ReportWords,
};
use crate::role::RoleId;

pub use entry::{Entry, TRANSCRIPT_FORMAT};
pub use parts::{
    EnteredIssue, FailureKind, InputContext, LedgerRefusal, LedgerRule, Note, Receipt,
    RelayDecision, ReopenedIssue, StopReason, StopSign, StopUnit, WithdrawnItem,
};

/// What happened. The variant's name in snake case is the line's `phase`, which
/// has nothing to do with the phases of a team.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "phase", rename_all = "snake_case")]
pub enum Event {
    /// The requirement was recorded, with everything the run uses. Always line 1.
    UserInput {
        /// The requirement, word for word.
        content: String,
        /// UUID of the run.
        run_id: String,
        /// Everything else the run is held with.
        inputs: Box<Inputs>,
        /// The version this one revises.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<Box<PreviousVersion>>,
        /// The user's feedback, point by point.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        feedback: Vec<FeedbackItem>,
    },
    /// Repository and knowledge folders were searched.
    KnowledgeSearch {
        /// Files and passages found for the requirement.
        survey: Survey,
    },
    /// A model is about to be asked.
    CallStarted {
        /// Id of the call.
        call: CallId,
        /// Name of the model that was asked.
        model: String,
        /// What the prompt of the call held.
        input_context: InputContext,
        /// Upper bound of the tokens it can cost: prompt and largest answer.
        reserve: u64,
        /// Upper bound of the money, where the user gave the model's price.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reserve_usd: Option<Usd>,
    },
    /// A call brought no reply.
    CallFailed {
        /// Id of the call.
        call: CallId,
        /// Kind of the failure.
        kind: FailureKind,
        /// Message of the failure, without secrets.
        detail: String,
        /// Whether it may be tried again.
        retryable: bool,
        /// How long the provider asked to wait, in milliseconds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retry_after_ms: Option<u64>,
        /// Milliseconds until it failed.
        latency_ms: u64,
    },
    /// A reply was no valid answer; it is kept as it came.
    ReplyRejected {
        /// The call that was answered, with its model and its tokens.
        #[serde(flatten)]
        receipt: Receipt,
        /// The reply as the model wrote it.
        output: String,
        /// Reason for which the reply was rejected.
        reason: String,
        /// Reason for which the model stopped.
        finish: FinishReason,
        /// Whether it is complete and goes back for its claims about the files. That does not count
        /// as a failed try.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        put_back: bool,
    },
    /// The run goes on without a call: it brought nothing usable, or the budget had no room for it.
    CallGivenUp {
        /// Which call, by its first attempt.
        call: CallId,
        /// Reason for which the run goes on without the call.
        reason: String,
    },
    /// The coach read the requirement and made the first issue list.
    CoachInitialJudgment {
        /// The call that was answered, with its model and its tokens.
        #[serde(flatten)]
        receipt: Receipt,
        /// Judgment of the coach, Markdown.
        info: String,
        /// The coach's whole answer.
        judgment: Contribution,
        /// Issues that were entered, with their ids.
        issues: Vec<EnteredIssue>,
        /// Members asked to speak in a chat; empty if everybody speaks.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        invited: Vec<Invitation>,
        /// Agreed items of the previous version put in question.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        withdrawn: Vec<WithdrawnItem>,
        /// Parts of the answer that were refused, each with its rule.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        refused: Vec<LedgerRefusal>,
    },
    /// A round began.
    RoundStarted {
        /// Issues to be discussed in the round.
        issues: Vec<IssueId>,
    },
    /// A member spoke.
    Speaking {
        /// Place in the round, from 1.
        turn: u32,
        /// The call that was answered, with its model and its tokens.
        #[serde(flatten)]
        receipt: Receipt,
        /// What the member was given, as its call was started with.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        input_context: Option<InputContext>,
        /// The speech a person reads.
        output: String,
        /// The whole answer, less what had to be left out.
        speech: Contribution,
        /// What was left out of the answer, put right or remarked, each with the reason.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<Note>,
        /// Whether it ended with the end marker.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        proposes_end: bool,
        /// The reply as it came, if it proposes the end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        response_text: Option<String>,
    },
    /// The actor looked something up before its answer; the call is repeated with the result.
    Look {
        /// Usage of the questions for what to look at.
        #[serde(flatten)]
        receipt: Receipt,
        /// What was to be seen and what was found, one after the other.
        seen: Vec<LookResult>,
        /// What the questions to the member's own model cost that were answered.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        asked: Vec<Receipt>,
        /// What was left out of the answer, put right or remarked, each with the reason.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<Note>,
    },
    /// The actor has something run before its answer, in a copy of the tree.
    ///
    /// Its look holds the result.
    TrialStarted {
        /// The call that was answered with it.
        call: CallId,
        /// Id of the trial, `RUN-n`.
        id: TrialId,
        /// What is run, and what it is to show.
        look: Look,
        /// State of the tree, a digest.
        tree: String,
    },
    /// A trial ended while others of the same look are due. The last one's result is in its look.
    TrialEnded {
        /// The call that was answered with it.
        call: CallId,
        /// Its id, and how it ended.
        trial: Trial,
        /// What the trial printed.
        found: Vec<Excerpt>,
    },
    /// Claims about the files were checked.
    Evidence {
        /// One for each claim, in the order in which they were made.
        evidence: Vec<EvidenceRecord>,
    },
    /// The actor searched repository and knowledge folders for its questions or new issues.
    Inquiry {
        /// Number of files that were searched.
        files: u32,
        /// What was looked for and found, one by one.
        looked: Vec<TopicSearch>,
    },
    /// The coach answered questions from what was said or found, or decided to pass them on.
    ClarificationRelayed {
        /// The call that was answered, with its model and its tokens.
        #[serde(flatten)]
        receipt: Receipt,
        /// Decision of the coach on each question.
        decisions: Vec<RelayDecision>,
        /// What was refused, such as an answer without a citation.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<Note>,
        /// The coach's whole answer, what was refused of it included.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        said: Option<Contribution>,
    },
    /// A question needs the user. The actor is the member who asked.
    UserClarificationNeeded {
        /// Id of the question, `Q-n`.
        id: QuestionId,
        /// What is asked: the question or its latest follow-up.
        asked: String,
        /// The issue that waits for it.
        issue: Option<IssueId>,
    },
    /// A question was answered. The actor is the coach, who relays.
    UserClarificationDialogue {
        /// Id of the question, `Q-n`.
        id: QuestionId,
        /// The question, word for word.
        question: String,
        /// The user's answer, the assumption, or the reason for declining.
        user_reply: String,
        /// Way by which the answer came.
        source: AnswerSource,
        /// Id of the inbox message that brought it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// The member who asked said whether the answer will do.
    ClarificationFollowedUp {
        /// The call that was answered, with its model and its tokens.
        #[serde(flatten)]
        receipt: Receipt,
        /// Id of the question, `Q-n`.
        id: QuestionId,
        /// What it still wants to know; absent if satisfied.
        follow_up: Option<String>,
        /// What it asked again though it was answered: left out, and the answer is kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        repeated: Option<String>,
        /// The follow-up as it was asked: why, its options and the answer it would take.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        asked: Option<AskedQuestion>,
        /// The member's whole answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        said: Option<Contribution>,
    },
    /// Everybody has spoken, and the round was compared with earlier ones.
    SimilarityMeasured {
        /// The figures.
        #[serde(flatten)]
        measurement: Measurement,
    },
    /// The coach summed up a round.
    ConsensusSummary {
        /// The call that was answered, with its model and its tokens.
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
        refused: Vec<LedgerRefusal>,
        /// Whether it ended with the end marker.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        proposes_end: bool,
        /// The reply as it came, if it proposes the end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        response_text: Option<String>,
        /// Why the coach has the members vote on the end; absent if it does not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        calls_vote: Option<String>,
        /// A disagreement of members that is worth a debate.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        divergence: Option<Divergence>,
        /// What else does, in the order in which it is debated as far as the caps allow.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        more_divergences: Vec<Divergence>,
    },
    /// The lead split a task into phases.
    TeamFormed(TeamFormed),
    /// The lead gave the plan once more after its review.
    PlanRevised(PlanRevised),
    /// Work on a phase began.
    PhaseStarted(PhaseStarted),
    /// A member did its part of a phase that another one goes on with.
    ExpertStep(ExpertStep),
    /// A phase ended with its result.
    ExpertResult(ExpertResult),
    /// The lead put the results of all phases together.
    TeamSynthesis(TeamSynthesis),
    /// A debate began: the coach opened it.
    DebateStarted(DebateStarted),
    /// A debate the user asked for is not held: its issue was closed, or its phase empty.
    DebateVoided(WantedDebate),
    /// A participant argued.
    ExpertArgument(ExpertArgument),
    /// The coach summed up a round of a debate.
    DebateRoundSummary(DebateRoundSummary),
    /// A debate ended with a ruling.
    DebateResolved(DebateResolved),
    /// A reply that came to nothing was answered with a nudge, put as a user message.
    DiligencePush {
        /// The nudge as the model sees it.
        kind: MessageKind,
        /// Role of the message in the chat.
        role: ChatRole,
        /// Text of the nudge.
        content: String,
        /// What made the nudge due.
        why: IdleReason,
        /// Where its text came from: a path in the workspace, or `built-in`.
        source: String,
        /// Language of the run's documents.
        language: Lang,
        /// Nudges left to this member.
        left: u32,
        /// What was left out of the answer and why, for the member.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<Note>,
        /// What the reply cost; its call names the member.
        #[serde(flatten)]
        receipt: Receipt,
        /// The reply as it came.
        output: String,
    },
    /// A member used its nudges up: a question for the user is raised.
    DiligenceExhausted {
        /// Id of the question, `Q-n`.
        id: QuestionId,
        /// The question: continue or stop.
        asked: AskedQuestion,
        /// What made another nudge due.
        why: IdleReason,
        /// What the reply cost; its call names the member.
        #[serde(flatten)]
        receipt: Receipt,
        /// The reply as it came.
        output: String,
    },
    /// Some or all members are never nudged in this run.
    DiligenceOff {
        /// The source of the empty text, or the unused one.
        source: String,
        /// Language of the run's documents.
        language: Lang,
        /// Full role names of the members.
        members: Vec<RoleId>,
    },
    /// A member or the coach proposed to end the discussion.
    EndProposal {
        /// Full role name of the member.
        agent_name: RoleId,
        /// The whole reply as it came, marker included.
        response_text: String,
        /// What a person reads of it, without the marker.
        response_clean: String,
        /// How the proposal was recognised.
        method: EndMethod,
        /// Why it counts as a proposal.
        reason: String,
        /// Whether it is confirmed. Never yet: a decision follows.
        confirmed: bool,
    },
    /// An end that was proposed, or a limit that was reached, is decided about.
    EndDecision {
        /// `proposal`, or the limit.
        guard: StopReason,
        /// Whether the discussion ends.
        confirmed: bool,
        /// Who decided whether the discussion ends.
        by: DecidedBy,
        /// Why; the user's words when it is to go on.
        reason: String,
        /// Rounds or minutes granted beyond a limit.
        #[serde(default)]
        granted: u64,
        /// Id of the inbox message that brought it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// The user said something to the running workshop.
    UserIntervention {
        /// What the message asks for.
        intent: Intent,
        /// Text of the message, as it came.
        content: String,
        /// Way by which the message came.
        channel: Channel,
        /// The agreed item that is in question again, with `reopen`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reopens: Option<ReopenedIssue>,
        /// Id of the inbox message that brought it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
        /// Why the debate or vote it asks for will not be held, if it will not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        refused: Option<RequestRefusal>,
    },
    /// A member voted on ending the discussion.
    VoteCast {
        /// The call that was answered, with its model and its tokens.
        receipt: Receipt,
        /// Full role name of the member.
        member: RoleId,
        /// Vote of the member.
        ballot: Ballot,
        /// Why, as the member said it.
        why: String,
        /// What it said beside the ballot; missing where it said nothing else.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        output: String,
        /// What was left out of the answer, put right or remarked, each with the reason.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<Note>,
    },
    /// Everybody asked has voted.
    VoteClosed {
        /// Number of the vote, from 1.
        number: u32,
        /// Number of members that voted for the end.
        end: u32,
        /// Members that want to go on.
        go_on: u32,
        /// Number of members that were asked to vote.
        asked: u32,
        /// Whether more than half of those asked want the end.
        carried: bool,
    },
    /// A limit is near, or a detector found something.
    GuardWarned(EndCause),
    /// The discussion ended: agreed, at a limit, or by a decision.
    // `guard_fired` is the name on disk and in logs, which cannot change.
    #[serde(rename = "guard_fired")]
    DiscussionEnded(EndCause),
    /// A final document was written.
    Document {
        /// What it cost; absent if it was rendered from the ledger without a model, or carried
        /// over.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        receipt: Option<Receipt>,
        /// Kind of the document.
        kind: DocumentKind,
        /// The document, with the engine's ids.
        content: Document,
        /// The version that wrote it, where nothing of this one touches it and nobody was
        /// asked for it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        carried: Option<u32>,
        /// The writer's claims about existing code.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        evidence: Vec<Evidence>,
        /// What became of the notes and agreed items it was given.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        accounts: Vec<Account>,
        /// What was left out of the answer, put right or remarked, each with the reason.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<Note>,
    },
    /// The coach wrote its words for the report.
    Report {
        /// What it cost; absent if rendered without a model.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        receipt: Option<Receipt>,
        /// The coach's texts for the report.
        words: ReportWords,
        /// What was left out of the answer, put right or remarked, each with the reason.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        notes: Vec<Note>,
    },
    /// The program checked the plan against its rules, before or after it was amended.
    PlanChecked(PlanChecked),
    /// A member read the plan before it is published.
    Review(PlanReviewed),
    /// A writer dealt with what was found in its document.
    Amendment(Amendment),
    /// A member said whether its declined findings still hold.
    Verdicts(FindingVerdicts),
    /// The review is over.
    ReviewClosed(ReviewClosed),
    /// Another process took the run up.
    Resumed {
        /// Version of `aitc` that did.
        tool: String,
        /// Inputs changed since the start that the user accepted to leave as frozen.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        accepted_drift: Vec<String>,
        /// Whether somebody can be asked in this process.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        attended: bool,
        /// The models it goes on with, if the user chose others.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        models: Option<Box<super::other_models::NewModels>>,
    },
    /// The version is complete. Always the last line.
    ///
    /// Its files are written and its folder gets its name afterwards, and a party of `aitc chat`
    /// stays a draft until the user saves it.
    Published {
        /// Reason for which the discussion ended.
        stop: StopReason,
        /// Ids of blocking issues that are still open.
        blocking: Vec<IssueId>,
        /// Ids of all issues that are still open.
        open: Vec<IssueId>,
    },
}
