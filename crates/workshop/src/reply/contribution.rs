//! The answer that every call of the discussion returns.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::grounding::{Evidence, FindingVerdict, Look, PlanFinding};
use crate::role::DocumentKind;

/// What a member or the coach says in one turn.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Contribution {
    /// What has to be seen before the answer; if it is not empty, all else is ignored.
    #[serde(default)]
    pub looks: Vec<Look>,
    /// The speech a person reads, Markdown, at most about 250 words.
    pub analysis: String,
    /// The member's positions on issues of the list.
    pub positions: Vec<Position>,
    /// Corrections of what earlier speakers said.
    pub corrections: Vec<Correction>,
    /// Questions that must be answered from outside the meeting.
    pub questions: Vec<AskedQuestion>,
    /// What is open and not on the list yet.
    pub new_issues: Vec<NewIssue>,
    /// Parts a document must have that need no decision.
    #[serde(default)]
    pub notes: Vec<WriterNote>,
    /// The member's claims about existing code, with their places.
    #[serde(default)]
    pub evidence: Vec<Evidence>,
    /// In a review of the plan: what has to be fixed.
    #[serde(default)]
    pub findings: Vec<PlanFinding>,
    /// In a review of the plan: answers on the member's own findings that were declined.
    #[serde(default)]
    pub verdicts: Vec<FindingVerdict>,
    /// The coach's part; null in a member's answer.
    pub coach: Option<CoachPart>,
}

impl Contribution {
    /// Returns whether the answer holds anything beside the speech.
    pub fn contributes(&self) -> bool {
        !(self.positions.is_empty()
            && self.corrections.is_empty()
            && self.questions.is_empty()
            && self.new_issues.is_empty()
            && self.notes.is_empty()
            && self.evidence.is_empty()
            && self.findings.is_empty()
            && self.verdicts.is_empty())
    }
}

/// Something for the writer of a document: an edge case, a limit, an order, a name, a figure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WriterNote {
    /// Kind of the document the note is for.
    pub document: DocumentKind,
    /// What it must hold, a sentence or two.
    pub text: String,
}

/// A member's stance on one issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// Id of an issue of the list, such as `I-1`.
    pub issue: String,
    /// Stance on the issue.
    pub stance: Stance,
    /// Text proposed for the plan, word for word; null for none.
    pub proposal: Option<String>,
    /// With `agree`: the text it is to. With a proposal: the text it is made from. An id
    /// such as `X-3` or `D-1`, or a member's code for that member's latest; or null.
    #[serde(default)]
    pub backs: Option<String>,
    /// With `object`: the one text it is to, named as in `backs`; null for every text on
    /// the issue but one's own.
    #[serde(default)]
    pub against: Option<String>,
    /// Why, in a sentence or two.
    pub why: String,
    /// If the stance differs from the member's earlier one: what changed its mind.
    pub changed_because: Option<String>,
}

/// A member's position on an issue's current proposals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stance {
    /// Supports the text that `backs` names, or the only one; with a proposal, proposes it.
    Agree,
    /// Objects to the text that `against` names, or to all but one's own.
    Object,
    /// Supports the text, with the better wording in `proposal`.
    Refine,
    /// Is not concerned by the issue.
    Abstain,
}

impl Stance {
    /// Returns whether this stance supports an item for the draft.
    pub fn supports(self) -> bool {
        matches!(self, Self::Agree | Self::Refine)
    }
}

/// A remark on somebody else's words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// Name or code of the member corrected.
    pub whom: String,
    /// What is wrong and what is right.
    pub about: String,
}

/// Something that has to be answered from outside the meeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskedQuestion {
    /// Who can answer the question.
    #[serde(rename = "for", default)]
    pub of: Answerer,
    /// The question, one sentence, neutral.
    pub question: String,
    /// Why the plan depends on the answer.
    pub why: String,
    /// Id of the issue that waits for the answer, or null.
    pub blocks: Option<String>,
    /// Answers to choose among; may be empty.
    pub options: Vec<String>,
    /// The answer the member would take if nobody answers.
    pub recommended: String,
}

/// Who can answer a question.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Answerer {
    /// Only the user can answer it.
    #[default]
    #[serde(rename = "human")]
    User,
    /// It can be looked up in the repository or in the knowledge folders.
    Repository,
}

impl Answerer {
    /// Returns whether the user has to answer it.
    pub fn is_user(&self) -> bool {
        *self == Self::User
    }
}

/// An issue as somebody words it, before the engine gives it an id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewIssue {
    /// Local name, unique in this answer, such as `n1`; `into` of a fate points here.
    pub key: String,
    /// The question to decide, one line.
    pub title: String,
    /// What has to be decided and why it is open.
    pub detail: String,
    /// How much it blocks the workshop.
    pub severity: IssueSeverity,
}

/// Whether an issue holds the workshop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IssueSeverity {
    /// The workshop cannot end while it is open.
    Blocking,
    /// May be deferred with a reason.
    Minor,
}

/// The part of an answer that only the coach fills in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoachPart {
    /// In the judgment: how large the work is; null for the usual.
    #[serde(default)]
    pub size: Option<WorkSize>,
    /// In a summary: one entry for every open issue.
    pub fates: Vec<Fate>,
    /// In a clarification: what becomes of each question.
    pub relays: Vec<Relay>,
    /// In a summary: who strayed or went too deep. In the judgment of a chat: who is to speak, and
    /// about what.
    pub reminders: Vec<Reminder>,
    /// In the judgment of a revision: which agreed items the feedback touches.
    pub withdraw: Vec<Withdrawal>,
    /// In a summary that names a divergence: what else is worth a debate.
    #[serde(default)]
    pub more_divergences: Vec<FoundDivergence>,
    /// In a summary: what is worth a debate, or null.
    #[serde(default)]
    pub divergence: Option<FoundDivergence>,
    /// In a summary: issues that are not worth a debate although members object to one
    /// another on them.
    #[serde(default)]
    pub no_debate: Vec<NoDebate>,
    /// In a debate: the ruling, or null to let it go on.
    #[serde(default)]
    pub ruling: Option<Ruling>,
}

impl CoachPart {
    /// All divergences it reports, in its order.
    pub fn divergences(&self) -> impl Iterator<Item = &FoundDivergence> {
        self.divergence.iter().chain(&self.more_divergences)
    }
}

/// Size of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WorkSize {
    /// One round is enough, and a short plan.
    Small,
    /// The work is neither small nor large.
    Usual,
    /// The work is larger than most.
    Large,
}

/// A disagreement of members that is worth a debate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FoundDivergence {
    /// Id of the issue, such as `I-1`.
    pub issue: String,
    /// Reason for which it is worth a debate.
    pub criterion: DivergenceKind,
    /// What the debate must answer, one neutral sentence.
    pub question: String,
    /// The sides of the disagreement, at least two.
    pub sides: Vec<FoundSide>,
}

/// An issue that the coach would not have debated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoDebate {
    /// Id of the issue, such as `I-1`.
    pub issue: String,
    /// Why a debate would settle nothing; required.
    pub reason: String,
}

/// The three things that are worth a debate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DivergenceKind {
    /// Two members' texts contradict each other.
    Contradiction,
    /// A text contradicts the requirement, the draft or an answer.
    Constraint,
    /// Several options are sound, and which one is taken matters.
    Alternatives,
}

/// One side of a divergence as the coach sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FoundSide {
    /// Code of the member, such as `PP`.
    pub member: String,
    /// What it stands for, one sentence.
    pub stands_for: String,
}

/// Ruling of the coach on a debate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ruling {
    /// Whether a text is adopted, a compromise made, or the question left open.
    pub decision: Decision,
    /// Reason of the ruling, by the arguments.
    pub rationale: String,
    /// The text for the plan, word for word; if shelved, what is missing for an answer.
    pub conclusion: String,
}

/// What a ruling does with the question debated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The text of one side is adopted.
    Adopt,
    /// A text that serves both sides is adopted.
    Compromise,
    /// The question is left open.
    Shelve,
}

impl Decision {
    /// Name as in replies and events.
    pub fn name(self) -> &'static str {
        match self {
            Self::Adopt => "adopt",
            Self::Compromise => "compromise",
            Self::Shelve => "shelve",
        }
    }
}

/// What happens to an open issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fate {
    /// Id of the issue, such as `I-1`.
    pub issue: String,
    /// What is done with the issue in this summary.
    pub fate: FateKind,
    /// If settled: id of the text that joins the draft, or the code of its member.
    pub cites: Option<String>,
    /// If settled: other words for the same content, or null to keep the member's.
    pub wording: Option<String>,
    /// If refined: keys of `new_issues`; if merged: the id it joins.
    pub into: Vec<String>,
    /// Reason; required for `dropped` and `deferred`.
    pub reason: Option<String>,
}

/// The six fates of an issue.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum FateKind {
    /// The issue is to be discussed further.
    Open,
    /// A member's proposal joins the draft.
    Settled,
    /// The issue is split into sharper ones, named in `into`.
    Refined,
    /// The issue is the same as the one named in `into`.
    Merged,
    /// The issue is no real one.
    Dropped,
    /// The issue is minor and left for later.
    Deferred,
}

/// What the coach does with a question for the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Relay {
    /// Id of the question, such as `Q-1`.
    pub question: String,
    /// The answer, if it was already said or found; null to ask the user.
    pub answer: Option<String>,
    /// Where it was said: an id, a member's code, or a file path.
    pub cites: Option<String>,
    /// Who can answer it, if not the one it was asked of; otherwise null.
    #[serde(rename = "for", default)]
    pub of: Option<Answerer>,
}

/// A nudge a member sees in the next round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reminder {
    /// Code of the member, such as `PP`.
    pub member: String,
    /// What to keep to, one sentence.
    pub text: String,
}

/// An agreed item of an earlier version that the feedback puts in question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Withdrawal {
    /// Id of the item, such as `C-3`.
    pub item: String,
    /// Id of the feedback, such as `F-1`.
    pub feedback: String,
    /// Reason for which the feedback puts the item in question.
    pub reason: String,
}
