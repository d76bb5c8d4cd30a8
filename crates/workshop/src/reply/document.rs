//! The five final documents and the coach's words for the report.
//!
//! Writers number their items themselves (`W-3`), starting from the number the engine gives. An
//! item with any other id gets the next number, and references inside the document are updated.
//! `same_as` names the item of the previous version that this item continues, or is null.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::role::DocumentKind;

/// Fields of documents that are lists of ids.
pub(super) const ID_LISTS: [&str; 6] = [
    "from",
    "covers",
    "depends_on",
    "about",
    "affects",
    "modules",
];
/// Lists of documents that are computed, or rarely hold more than a few entries.
pub(super) const SHORT_LISTS: [&str; 4] = ["rejected", "order", "critical_path", "technical_debt"];

/// A final document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "document", rename_all = "snake_case")]
pub enum Document {
    /// The product plan, which ProductPlanner writes.
    ProductPlan(ProductPlan),
    /// The system design, which SystemDesigner writes.
    SystemDesign(SystemDesign),
    /// The development plan, which SeniorDeveloper writes.
    DevPlan(DevPlan),
    /// The test plan, which TestPlanner writes.
    TestPlan(TestPlan),
    /// The risk assessment, which RiskPlanner writes.
    RiskAssessment(RiskAssessment),
}

impl Document {
    /// The kind of this document.
    pub fn kind(&self) -> DocumentKind {
        match self {
            Self::ProductPlan(_) => DocumentKind::ProductPlan,
            Self::SystemDesign(_) => DocumentKind::SystemDesign,
            Self::DevPlan(_) => DocumentKind::DevPlan,
            Self::TestPlan(_) => DocumentKind::TestPlan,
            Self::RiskAssessment(_) => DocumentKind::RiskAssessment,
        }
    }

    /// Calls `see` with every list of references: the referrer, the field, its kind of target, and
    /// the list.
    pub fn each_reference(
        &mut self,
        mut see: impl FnMut(&str, (&'static str, Referent), &mut Vec<String>),
    ) {
        match self {
            Self::ProductPlan(plan) => {
                for (i, item) in plan.scope.iter_mut().enumerate() {
                    see(
                        &entry_name("scope", i),
                        ("from", Referent::Sources),
                        &mut item.from,
                    );
                }
                for item in &mut plan.criteria {
                    see(&item.id, ("from", Referent::Sources), &mut item.from);
                }
            }
            Self::SystemDesign(design) => {
                for item in &mut design.modules {
                    see(&item.id, ("covers", Referent::Criteria), &mut item.covers);
                }
                for item in &mut design.decisions {
                    see(&item.id, ("from", Referent::Sources), &mut item.from);
                }
                for item in &mut design.file_impacts {
                    see(
                        &item.path,
                        ("modules", Referent::Modules),
                        &mut item.modules,
                    );
                }
            }
            Self::DevPlan(plan) => {
                for item in &mut plan.work {
                    see(&item.id, ("covers", Referent::Criteria), &mut item.covers);
                    see(
                        &item.id,
                        ("depends_on", Referent::Work),
                        &mut item.depends_on,
                    );
                }
            }
            Self::TestPlan(plan) => {
                for item in &mut plan.cases {
                    see(&item.id, ("covers", Referent::Criteria), &mut item.covers);
                }
            }
            Self::RiskAssessment(assessment) => {
                for item in &mut assessment.risks {
                    see(&item.id, ("affects", Referent::Affected), &mut item.affects);
                }
                for (i, item) in assessment.assumptions.iter_mut().enumerate() {
                    let mut from = item.from.take().into_iter().collect();
                    see(
                        &entry_name("assumptions", i),
                        ("from", Referent::Assumptions),
                        &mut from,
                    );
                    item.from = from.into_iter().next();
                }
            }
        }
    }
}

/// What a reference may refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Referent {
    /// Criteria of the product plan.
    Criteria,
    /// Consensus items in force, assumptions, closed questions, feedback, evidence, trials, settled
    /// issues, and the requirement.
    Sources,
    /// Consensus items in force, criteria, modules and decisions.
    Affected,
    /// Assumptions of the workshop.
    Assumptions,
    /// Modules of the same document.
    Modules,
    /// Work items of the same document.
    Work,
}

/// Returns the name of an entry without an id: its list and its position, from 1.
pub fn entry_name(list: &str, index: usize) -> String {
    format!("{list} {}", index + 1)
}

/// What is wanted and how to see that it is done.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProductPlan {
    /// The requirement in the team's own words, one paragraph.
    pub understanding: String,
    /// What will be delivered.
    pub scope: Vec<ScopeItem>,
    /// What will not be delivered, and why.
    pub non_goals: Vec<NonGoal>,
    /// Acceptance criteria, `AC-n`.
    pub criteria: Vec<Criterion>,
}

/// One thing that will be delivered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ScopeItem {
    /// What it is, one sentence.
    pub text: String,
    /// Ids of the consensus items, answers or assumptions it rests on.
    pub from: Vec<String>,
}

/// One thing that will not be delivered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NonGoal {
    /// What it is, one sentence.
    pub text: String,
    /// Why not, or why not now.
    pub why: String,
}

/// An acceptance criterion, `AC-n`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Criterion {
    /// Local key in a reply, `AC-n` when published.
    pub id: String,
    /// Id in the previous version, or null.
    pub same_as: Option<String>,
    /// The situation before anything happens.
    pub given: String,
    /// What the user or the system does.
    pub when: String,
    /// The result, which can be measured.
    pub then: String,
    /// Ids of the consensus items, answers or assumptions it rests on.
    pub from: Vec<String>,
}

/// Modules, decisions and files that change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SystemDesign {
    /// The architecture in a paragraph or two.
    pub architecture: String,
    /// Parts of the system, `M-n`.
    pub modules: Vec<Module>,
    /// Decisions on the design, `DEC-n`.
    pub decisions: Vec<DesignDecision>,
    /// Files that are created, changed, renamed or deleted.
    pub file_impacts: Vec<FileImpact>,
    /// A diagram of what the text alone does not show, or null.
    pub diagram: Option<Diagram>,
}

/// Boxes and the arrows between them. A box is known by its words, and is there once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Diagram {
    /// What the arrows are.
    pub kind: DiagramKind,
    /// The arrows; in a sequence the order is that of time.
    pub arrows: Vec<Arrow>,
}

/// What the arrows of a diagram are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DiagramKind {
    /// What passes between parts, or which step follows another.
    Flow,
    /// Messages, one after another.
    Sequence,
}

/// An arrow from box to box.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Arrow {
    /// Words of the box it leaves.
    pub source: String,
    /// Words of the box it leads to; may be the same.
    pub target: String,
    /// What passes, a few words; may be empty.
    pub label: String,
}

/// A part of the system, `M-n`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Module {
    /// Local key in a reply, `M-n` when published.
    pub id: String,
    /// Id in the previous version, or null.
    pub same_as: Option<String>,
    /// Name of the part.
    pub name: String,
    /// What it is responsible for, one sentence.
    pub purpose: String,
    /// Criteria it serves, `AC-n`.
    pub covers: Vec<String>,
}

/// A choice with what was rejected, `DEC-n`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DesignDecision {
    /// Local key in a reply, `DEC-n` when published.
    pub id: String,
    /// Id in the previous version, or null.
    pub same_as: Option<String>,
    /// Question that was decided, one line.
    pub title: String,
    /// The option that was chosen.
    pub choice: String,
    /// Reason of the choice.
    pub why: String,
    /// Options that were considered and rejected.
    pub rejected: Vec<Rejected>,
    /// Ids of the consensus items, answers or assumptions it rests on.
    pub from: Vec<String>,
}

/// An option that was rejected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rejected {
    /// What the option would have been.
    pub option: String,
    /// Reason for which it was rejected.
    pub why: String,
}

/// A file that changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileImpact {
    /// Path in the repository, `/` between parts.
    pub path: String,
    /// What happens to it; all but `create` need the file to exist.
    pub change: Change,
    /// Its new path if it is renamed, else null.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// What changes in it, one sentence.
    pub what: String,
    /// Functions, types and other names in it that are added, changed or removed.
    #[serde(default)]
    pub symbols: Vec<Symbol>,
    /// Modules concerned: keys of this document in a reply, `M-n` when published.
    pub modules: Vec<String>,
}

/// A function, type or other name in a file that changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Symbol {
    /// Its name as the code has it, such as `Table.upsert`.
    pub name: String,
    /// Whether it is added, changed or removed.
    pub change: SymbolChange,
}

/// What happens to a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SymbolChange {
    /// The symbol is added.
    New,
    /// The symbol exists and is changed.
    Modify,
    /// The symbol exists and is removed.
    Remove,
}

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// The file is created.
    Create,
    /// The file exists and is changed.
    Modify,
    /// The file exists and is deleted.
    Delete,
    /// It exists and gets another path, `to`; what is in it may change too.
    Rename,
}

/// The steps of the work in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DevPlan {
    /// Can it be done, with what, where is it hard.
    pub feasibility: String,
    /// Steps of the work, `W-n`.
    pub work: Vec<WorkItem>,
    /// Technical debt accepted on purpose.
    pub technical_debt: Vec<Debt>,
    /// Ids of the work items in an order that respects dependencies; computed, empty in a reply.
    pub order: Vec<String>,
    /// The longest chain by size; computed, empty in a reply.
    pub critical_path: Vec<String>,
}

/// A step of the work, `W-n`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkItem {
    /// Local key in a reply, `W-n` when published.
    pub id: String,
    /// Id in the previous version, or null.
    pub same_as: Option<String>,
    /// Title, one line.
    pub title: String,
    /// What has to be done, and how one sees that it is finished.
    pub detail: String,
    /// Working time it takes.
    pub size: Size,
    /// Criteria it serves, `AC-n`.
    pub covers: Vec<String>,
    /// Items that come first: keys of this document in a reply, `W-n` when published.
    pub depends_on: Vec<String>,
}

/// Working time of a work item.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
pub enum Size {
    /// It takes up to half a day.
    S,
    /// It takes a day or two.
    #[default]
    M,
    /// It takes a week.
    L,
    /// It takes more than a week and should be split.
    XL,
}

/// Something left behind on purpose.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Debt {
    /// What is left undone.
    pub text: String,
    /// When or how it is made good.
    pub repayment: String,
}

/// Test cases, and what they cover.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestPlan {
    /// The strategy in a paragraph.
    pub strategy: String,
    /// Test cases, `T-n`.
    pub cases: Vec<TestCase>,
    /// What coverage is aimed at.
    pub coverage_targets: Vec<CoverageTarget>,
    /// Data the tests need.
    pub data: Vec<String>,
    /// Where the tests run.
    pub environments: Vec<String>,
}

/// A test, `T-n`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TestCase {
    /// Local key in a reply, `T-n` when published.
    pub id: String,
    /// Id in the previous version, or null.
    pub same_as: Option<String>,
    /// Title, one line.
    pub title: String,
    /// The test level.
    pub level: TestLevel,
    /// Criteria it proves, `AC-n`.
    pub covers: Vec<String>,
    /// Steps of the test.
    pub steps: String,
    /// Result that must be observed.
    pub expected: String,
}

/// The level of a test.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TestLevel {
    /// One function or type.
    #[default]
    Unit,
    /// Several parts together.
    Integration,
    /// The whole, as a user.
    EndToEnd,
    /// A person does it by hand.
    Manual,
}

/// What coverage is aimed at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoverageTarget {
    /// Part of the system.
    pub area: String,
    /// Coverage to reach, such as `every refusal`.
    pub target: String,
}

/// Risks, dependencies and assumptions of the plan.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RiskAssessment {
    /// Risks, `R-n`.
    pub risks: Vec<Risk>,
    /// What the plan depends on outside itself.
    pub dependencies: Vec<ExternalDependency>,
    /// What the plan takes for granted.
    pub assumptions: Vec<PlanAssumption>,
}

/// A risk, `R-n`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Risk {
    /// Local key in a reply, `R-n` when published.
    pub id: String,
    /// Id in the previous version, or null.
    pub same_as: Option<String>,
    /// Title, one line.
    pub title: String,
    /// How likely it is to happen.
    pub chance: Level,
    /// How bad it would be.
    pub impact: Level,
    /// What is done against it.
    pub mitigation: String,
    /// Sign by which one notices it in time.
    pub early_sign: String,
    /// What it touches: ids of agreed items, criteria, modules or decisions.
    pub affects: Vec<String>,
}

/// Low, medium or high.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Low.
    Low,
    /// Medium.
    #[default]
    Medium,
    /// High.
    High,
}

/// Something outside the plan that it depends on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExternalDependency {
    /// Name of what the plan depends on.
    pub name: String,
    /// What happens without it.
    pub if_missing: String,
}

/// Something taken for granted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanAssumption {
    /// The assumption, one sentence.
    pub text: String,
    /// Id of the workshop's assumption, `A-n`, or null.
    pub from: Option<String>,
}

/// The coach's words for the report; everything else in it is computed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportWords {
    /// Title of the plan, one line.
    pub title: String,
    /// The plan in short: about 90 words (60 for small work), never more than 150.
    pub in_short: String,
    /// Decisions that only the reader of the plan can make.
    pub decide: Vec<DecisionRow>,
    /// The plan as one text; null in minutes, and where nobody wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<PlanText>,
}

/// The plan as one author tells it, in parts, each Markdown: lists, tables, headings of the third
/// level and fenced code. Ids are in square brackets at the end of a line.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanText {
    /// What the program will do: each agreed rule once.
    pub behaviour: String,
    /// What the existing code requires of the change.
    pub ground: String,
    /// What is changed, file by file, with the code that carries it.
    pub changes: String,
    /// The steps of the work, in order.
    pub order: String,
    /// Examples that can be observed, a table.
    pub criteria: String,
    /// What is tested, and how its result is observed.
    pub tests: String,
    /// What can go wrong, and what is taken for granted.
    pub risks: String,
    /// What only those who build it need: small interactions, results of trials. It is folded.
    #[serde(default)]
    pub corners: String,
}

impl PlanText {
    /// Returns whether it describes the behaviour, the changes and their order. The other parts may
    /// be empty.
    pub fn is_whole(&self) -> bool {
        let parts = [&self.behaviour, &self.changes, &self.order];
        parts.iter().all(|part| !part.trim().is_empty())
    }

    /// The parts that are shown unfolded, in reading order.
    pub fn parts(&self) -> [&str; 7] {
        [
            &self.behaviour,
            &self.ground,
            &self.changes,
            &self.order,
            &self.criteria,
            &self.tests,
            &self.risks,
        ]
    }

    /// The plan with `told` applied to every part.
    #[must_use]
    pub fn map(self, mut told: impl FnMut(String) -> String) -> Self {
        Self {
            behaviour: told(self.behaviour),
            ground: told(self.ground),
            changes: told(self.changes),
            order: told(self.order),
            criteria: told(self.criteria),
            tests: told(self.tests),
            risks: told(self.risks),
            corners: told(self.corners),
        }
    }
}

/// A line of the table that opens the report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DecisionRow {
    /// The decision to make, one line.
    pub what: String,
    /// What the team recommends.
    pub recommended: String,
    /// What follows from deciding otherwise.
    pub otherwise: String,
    /// Ids of the items it concerns.
    pub about: Vec<String>,
}
