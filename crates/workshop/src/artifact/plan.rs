//! The shape of `planning.ai.json`: everything structured about one version.
//!
//! It holds no time and no latency, so that two runs that said the same differ in token counts at
//! most.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::decide::OpenDecision;
use super::outcome::{CarriedItem, FeedbackOutcome, InheritedIssue};
use super::team::PlanTeam;
use crate::chat::Usage;
use crate::machine::debate::{self, Motion, Resolution};
use crate::machine::ending::Stop;
use crate::machine::review::{MissedTurn, NoReviewReason, ReviewFinding};
use crate::machine::{
    Absence, Assumption, ConsensusId, ConsensusItem, DebateId, EvidenceRecord, FeedbackId, Format,
    IssueId, IssueRecord, IssueStatus, Lang, LedgerRefusal, Note, Question, TrialId, Usd,
    VoteFigures, is_default,
};
use crate::reply::{
    Criterion, DevPlan, DocumentKind, LookKind, Position, ProductPlan, Reminder, ReportWords,
    RiskAssessment, SystemDesign, TestCase, TestPlan, TrialFile, WorkItem,
};
use crate::role::RoleId;

/// Version of the formats of `planning.ai.json` and the five documents, their `v`.
pub const PLAN_FORMAT: u32 = 1;

/// Whether the team agreed on the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PlanStatus {
    /// The discussion ended because no blocking issue was open.
    Agreed,
    /// It ended by a guard or by the user.
    Unresolved,
}

/// The whole of one version: `planning.ai.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    /// Version of the format of this document.
    pub v: u32,
    /// UUID of the run.
    pub run_id: String,
    /// Number of the version: `N` of `vN`.
    pub version: u32,
    /// The kind of meeting; left out for a workshop.
    #[serde(default, skip_serializing_if = "Format::is_workshop")]
    pub format: Format,
    /// Version of `aitc` that started the run.
    pub tool: String,
    /// The requirement, word for word.
    pub requirement: String,
    /// The version this one revises.
    pub from: Option<Ancestor>,
    /// Language in which the documents are written.
    pub language: Lang,
    /// Whether the team agreed on the plan.
    pub status: PlanStatus,
    /// Why the discussion ended, with figures.
    pub stop: Option<StopFigures>,
    /// Small work: one round, a one-page report?
    pub light: bool,
    /// The coach's reading of the requirement.
    pub judgment: Option<String>,
    /// What was refused in the judgment.
    pub judgment_refused: Vec<LedgerRefusal>,
    /// Rounds, oldest first.
    pub rounds: Vec<PlanRound>,
    /// Coach and members in speaking order, with what they cost.
    pub members: Vec<PlanMember>,
    /// The issue ledger with positions and history, in order of ids.
    pub issues: Vec<IssueRecord>,
    /// The consensus draft with its sources, oldest first, withdrawn items included.
    pub consensus: Vec<PlanConsensus>,
    /// Every question with what was answered.
    pub questions: Vec<Question>,
    /// Assumptions, oldest first.
    pub assumptions: Vec<Assumption>,
    /// Claims of members about what exists, and whether each is verified; left out if none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<EvidenceRecord>,
    /// What was run that evidence names, with what it printed; left out if there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trials: Vec<PlanTrial>,
    /// Who looked at what, in order; left out if nobody did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub looks: Vec<PlanLook>,
    /// Latest objections of members, on whatever issue, and refused proposals.
    pub dissent: PlanDissent,
    /// The phases of a team; left out in every other format.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<PlanTeam>,
    /// Every debate, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub debates: Vec<PlanDebate>,
    /// Debates that were asked for, granted and never held; left out if there were none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub debates_unheld: Vec<debate::UnheldDebate>,
    /// The review before publication; left out for formats without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<PlanReview>,
    /// What is left to the reviewer.
    pub decide: Vec<OpenDecision>,
    /// What became of each point of feedback.
    pub feedback: Vec<FeedbackOutcome>,
    /// What became of each issue the previous version left open; left out if there was none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inherited: Vec<InheritedIssue>,
    /// What became of each agreed item of the previous version.
    pub carried: Vec<CarriedItem>,
    /// Members without a usable answer in a turn.
    pub passed_over: Vec<Absence>,
    /// Counts of user messages, proposals to end, votes and nudges; left out if all are 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub course: DiscussionFigures,
    /// Secrets taken out before anything was written; left out if there were none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub redacted: u32,
    /// What members left for the writers of documents, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<PlanNote>,
    /// The final documents; null if no role writes one.
    pub documents: PlanDocuments,
    /// The coach's words for the report.
    pub report: Option<ReportWords>,
    /// Whether these words were written without a model.
    pub report_without_model: bool,
    /// Tokens and calls of the whole run.
    pub usage: Expense,
}

/// Something somebody looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanLook {
    /// Full role name of the member.
    pub member: RoleId,
    /// In which round; 0 before the first.
    pub round: u32,
    /// What for, such as `speech` or `system_design`.
    pub purpose: String,
    /// How it was looked at.
    pub kind: LookKind,
    /// The path, words or name that was looked at.
    pub what: String,
    /// The places that were shown.
    pub places: Vec<String>,
}

/// Something that was run in a copy of the tree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanTrial {
    /// Id of the trial, `RUN-n`.
    pub id: TrialId,
    /// Full role name of the member that asked for it.
    pub member: RoleId,
    /// What it was to show.
    pub what: String,
    /// The command, an argument each.
    pub command: Vec<String>,
    /// Files that were laid down first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<TrialFile>,
    /// The trial whose files were laid down before those.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// How it ended, in words.
    pub end: String,
    /// Beginning and end of what it printed.
    pub output: String,
}

/// What members found before it was published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanReview {
    /// Why there was none; null if there was.
    pub unheld: Option<NoReviewReason>,
    /// What was found, in order of ids.
    pub findings: Vec<ReviewFinding>,
    /// Members that gave no usable answer.
    pub missing: Vec<MissedTurn>,
}

/// How the discussion was kept going and brought to its end.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DiscussionFigures {
    /// How often the user stepped in: words to the members, commands, decisions.
    pub interventions: u32,
    /// Number of proposals to end the discussion.
    pub end_proposals: u32,
    /// How many of them were confirmed.
    pub end_confirmed: u32,
    /// Number of votes held on the end of the discussion.
    pub votes: u32,
    /// How many of them were carried.
    pub votes_carried: u32,
    /// Rounds granted by the user beyond the limit.
    pub rounds_granted: u64,
    /// Number of nudges, by full role name.
    pub diligence_pushes: BTreeMap<RoleId, u32>,
    /// Times a member's nudges were used up.
    pub diligence_exhausted: usize,
    /// Members that were never nudged because somebody switched it off.
    pub diligence_off: Vec<RoleId>,
}

/// The version a plan revises.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ancestor {
    /// Number of the version: `N` of `vN`.
    pub version: u32,
    /// UUID of the run that made it.
    pub run_id: String,
    /// Hash of its transcript's last line.
    pub head: String,
}

/// Figures behind the end of the discussion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StopFigures {
    /// The reason, and the figures seen.
    #[serde(flatten)]
    pub stop: Stop,
    /// The vote of the members that the user left the end to; absent if it was the
    /// user's own word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vote: Option<VoteFigures>,
    /// The two in dollars, if it was a budget of money: the fields above then count billionths of a
    /// dollar.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd: Option<UsdFigures>,
}

/// Money spent or reserved, and the most that could be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UsdFigures {
    /// US dollars spent or reserved.
    pub value: Usd,
    /// US dollars that may be spent.
    pub limit: Usd,
}

/// One round as summed up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanRound {
    /// Number of the round, from 1.
    pub round: u32,
    /// Issues that were open when it began.
    pub agenda: Vec<IssueId>,
    /// Items that joined the draft.
    pub settled: Vec<ConsensusId>,
    /// Issues closed, whatever their fate.
    pub closed: Vec<IssueId>,
    /// Issues that were entered in this round.
    pub entered: Vec<IssueId>,
    /// Issues open at the end of this round.
    pub open_after: Vec<IssueId>,
    /// Number of those that block agreement.
    pub blocking_after: usize,
    /// Objections raised or held up in this round.
    pub objections: Vec<RoundObjection>,
    /// Summary of the round by the coach, Markdown.
    pub summary: String,
    /// Focus reminders for the next round.
    pub reminders: Vec<Reminder>,
}

/// An objection in one round.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct RoundObjection {
    /// Full role name of the member that objected.
    pub member: RoleId,
    /// Id of the issue, `I-n`.
    pub issue: IssueId,
    /// Each reason that was given in that round and in the debates after it, in order.
    #[serde(default)]
    pub why: Vec<String>,
}

/// One member and what it cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanMember {
    /// Full role name, such as `ProductPlanner`.
    pub id: RoleId,
    /// Code of the role, such as `PP`.
    pub code: String,
    /// The document it writes.
    pub document: Option<DocumentKind>,
    /// Provider, such as `openai`.
    pub provider: String,
    /// Name of the model that was asked.
    pub model: String,
    /// Models that answered, as they named themselves.
    pub answered_by: BTreeSet<String>,
    /// Tokens sent and received.
    pub usage: Usage,
}

/// A consensus item and whether it still stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanConsensus {
    /// The item with who proposed and supported it.
    #[serde(flatten)]
    pub item: ConsensusItem,
    /// Where the proposal was made, from the folder of the versions.
    pub source: String,
    /// Why members backed it, as last said.
    pub why: Vec<StatedReason>,
    /// Texts of other members on the same issue that it prevailed over, and objections.
    pub instead_of: Vec<StatedReason>,
    /// Set when it was put in question again.
    pub withdrawn: Option<WithdrawnBy>,
}

/// What one member said on an issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StatedReason {
    /// Full role name of the member.
    pub member: RoleId,
    /// The text it proposed; null for reasons alone.
    pub text: Option<String>,
    /// Reason the member gave.
    pub why: String,
}

/// A member's note for the writer of a document, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanNote {
    /// Id of the note, `N-n`.
    pub id: String,
    /// Full role name of the author.
    pub by: RoleId,
    /// The document it is for.
    pub document: DocumentKind,
    /// The note, word for word.
    pub text: String,
    /// The place its writer names; null if none.
    pub used_in: Option<String>,
    /// Why its writer left it out; null if the writer says nothing.
    pub left_out_because: Option<String>,
}

/// Why an item no longer stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WithdrawnBy {
    /// The feedback that caused it.
    pub feedback: Option<FeedbackId>,
    /// Reason for which it was withdrawn.
    pub reason: String,
}

/// Objections that stood at the end.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanDissent {
    /// Members whose latest stance on an issue is an objection.
    pub objections: Vec<Objection>,
    /// Members who did not give way in a debate about no issue of the ledger.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub in_debates: Vec<DebateDissent>,
    /// What the coach proposed and the rules refused.
    pub refused: Vec<RefusedProposal>,
}

/// An objection that a ruling left standing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DebateDissent {
    /// Id of the debate, `D-n`.
    pub debate: DebateId,
    /// Full role name of the member.
    pub member: RoleId,
    /// Reason of the member, as it was last given.
    pub why: String,
}

/// An objection that was not withdrawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Objection {
    /// Id of the issue, `I-n`.
    pub issue: IssueId,
    /// What became of the issue.
    pub status: IssueStatus,
    /// Full role name of the member.
    pub member: RoleId,
    /// Number of the round, from 1.
    pub round: u32,
    /// The text it is to; absent where it is to every text of the issue but its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<ObjectedText>,
    /// What it would do instead.
    pub proposal: Option<String>,
    /// Reason the member gave.
    pub why: String,
}

/// A text that somebody objects to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ObjectedText {
    /// The id of the item or the debate that has these words, else whose text it is.
    pub name: String,
    /// The text, word for word.
    pub text: String,
}

/// A debate with its rounds and its ruling.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanDebate {
    /// Id of the debate, `D-n`.
    pub id: DebateId,
    /// After which round it was held; 0 before the first.
    pub after_round: u32,
    /// What it was about.
    #[serde(flatten)]
    pub motion: Motion,
    /// Opening of the debate by the coach, Markdown.
    pub opening: String,
    /// Rounds of the debate, oldest first.
    pub rounds: Vec<PlanDebateRound>,
    /// The ruling, if the debate was ruled.
    pub ruling: Option<Resolution>,
    /// Items of the draft that are its conclusion, or are made from it.
    pub taken: Vec<ConsensusId>,
}

/// A round of a debate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanDebateRound {
    /// What each participant said, in speaking order.
    pub arguments: Vec<PlanArgument>,
    /// Summary of the debate round by the coach, Markdown.
    pub summary: Option<String>,
}

/// What a participant said in a round of a debate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanArgument {
    /// Full role name of the member.
    pub member: RoleId,
    /// The argument; null if there was none.
    pub text: Option<String>,
    /// Position of the member in that round, if it argued.
    pub position: Option<Position>,
    /// What was left out of it; left out if nothing was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// Why there was no argument.
    pub missing: Option<String>,
}

/// A refused proposal of the coach.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RefusedProposal {
    /// In the summary of which round; 0 for the judgment.
    pub round: u32,
    /// Which rule and what was proposed.
    #[serde(flatten)]
    pub refusal: LedgerRefusal,
}

/// The five documents by name; null if no role writes one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanDocuments {
    /// What is delivered, with the acceptance criteria.
    pub product_plan: Option<PlanDocument<ProductPlan>>,
    /// Modules, decisions and files that change.
    pub system_design: Option<PlanDocument<SystemDesign>>,
    /// Work items in their order.
    pub dev_plan: Option<PlanDocument<DevPlan>>,
    /// Test cases and coverage targets.
    pub test_plan: Option<PlanDocument<TestPlan>>,
    /// Risks, dependencies and assumptions.
    pub risk_assessment: Option<PlanDocument<RiskAssessment>>,
}

impl PlanDocuments {
    /// Returns which tests and work items each criterion has.
    pub fn coverage(&self) -> Coverage<'_> {
        let criteria = self.product_plan.iter().flat_map(|it| &it.content.criteria);
        let tests: Vec<&TestCase> = self
            .test_plan
            .iter()
            .flat_map(|it| &it.content.cases)
            .collect();
        let work: Vec<&WorkItem> = self
            .dev_plan
            .iter()
            .flat_map(|it| &it.content.work)
            .collect();
        let criteria: Vec<_> = criteria
            .map(|criterion| CoveredCriterion {
                criterion,
                tests: tests
                    .iter()
                    .copied()
                    .filter(|case| case.covers.contains(&criterion.id))
                    .collect(),
                work: work
                    .iter()
                    .filter(|item| item.covers.contains(&criterion.id))
                    .map(|item| item.id.as_str())
                    .collect(),
            })
            .collect();
        let is_known = |id: &String| criteria.iter().any(|row| row.criterion.id == *id);
        let ids = |rows: Vec<&CoveredCriterion<'_>>| -> Vec<String> {
            rows.into_iter()
                .map(|row| row.criterion.id.clone())
                .collect()
        };
        Coverage {
            untested: ids(criteria.iter().filter(|row| row.tests.is_empty()).collect()),
            unbuilt: ids(criteria.iter().filter(|row| row.work.is_empty()).collect()),
            loose: tests
                .iter()
                .filter(|case| !case.covers.iter().any(is_known))
                .map(|case| case.id.as_str())
                .collect(),
            criteria,
        }
    }

    /// Returns the work items in the order in which they are done; what the order does not
    /// name comes last.
    pub fn work_in_order(&self) -> Vec<&WorkItem> {
        let Some(plan) = &self.dev_plan else {
            return Vec::new();
        };
        let plan = &plan.content;
        let place = |id: &str| plan.order.iter().position(|other| other == id);
        let mut work: Vec<_> = plan.work.iter().collect();
        work.sort_by_key(|item| place(&item.id).unwrap_or(usize::MAX));
        work
    }
}

/// Which tests and work items the criteria have.
#[derive(Debug, Serialize)]
pub struct Coverage<'a> {
    /// Every criterion, in order.
    pub criteria: Vec<CoveredCriterion<'a>>,
    /// Ids of criteria without a test.
    pub untested: Vec<String>,
    /// Ids of criteria without a work item.
    pub unbuilt: Vec<String>,
    /// Ids of tests that prove no criterion.
    pub loose: Vec<&'a str>,
}

/// A criterion with what proves and what builds it.
#[derive(Debug, Serialize)]
pub struct CoveredCriterion<'a> {
    /// The criterion.
    #[serde(flatten)]
    pub criterion: &'a Criterion,
    /// Tests that prove it.
    pub tests: Vec<&'a TestCase>,
    /// Ids of the work items that build it.
    pub work: Vec<&'a str>,
}

/// A document and how it came about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanDocument<T> {
    /// Whether it was rendered from the ledger because no model could be asked.
    pub without_model: bool,
    /// The version that wrote it, where it was carried over as it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub carried: Option<u32>,
    /// What was left out of the reply and why.
    pub notes: Vec<Note>,
    /// The document, with the engine's ids.
    #[serde(flatten)]
    pub content: T,
}

/// Tokens and calls of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Expense {
    /// Tokens sent and received in calls that were answered.
    pub total: Usage,
    /// Cached part of the input, 0 to 1 in hundredths; null if nothing was sent.
    pub cached_share: Option<f64>,
    /// Tokens of answered calls, by full role name.
    pub by_member: BTreeMap<RoleId, Usage>,
    /// Answered calls, rejected replies included.
    pub answered: u64,
    /// Number of calls that failed.
    pub failed: u64,
    /// Number of replies that were rejected.
    pub rejected: u64,
    /// Tokens counted for calls that failed or were lost with a process.
    pub lost: u64,
    /// Tokens that the run may use, if limited.
    pub limit: Option<u64>,
    /// What the answered calls cost at the user's prices; absent unless every model
    /// that answered has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Usd>,
    /// The money part of `lost`, at most; absent as `cost` is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost_cost: Option<Usd>,
    /// US dollars that the run may spend, if limited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<Usd>,
}
