//! The five documents as sections of the report.

use serde::Serialize;

use super::{Rows, join};
use crate::artifact::markup;
use crate::artifact::plan::{Documents, Written};
use crate::reply::{
    Change, CoverageTarget, Criterion, Debt, DevPlan, ExternalDependency, Level, NonGoal,
    PlanAssumption, ProductPlan, RiskAssessment, Size, SystemDesign, TestCase, TestLevel, TestPlan,
};

/// What is wanted.
#[derive(Serialize)]
pub(super) struct Product<'a> {
    understanding: &'a str,
    scope: Rows<ScopeRow<'a>>,
    /// Scope items whose criteria follow and say how each is seen.
    shown_by_criteria: usize,
    non_goals: Rows<&'a NonGoal>,
    criteria: Rows<CriterionRow<'a>>,
}

#[derive(Serialize)]
struct ScopeRow<'a> {
    text: &'a str,
    from: String,
}

#[derive(Serialize)]
struct CriterionRow<'a> {
    id: &'a str,
    given: &'a str,
    when: &'a str,
    then: &'a str,
    from: String,
}

/// How it is built.
#[derive(Serialize)]
pub(super) struct Design<'a> {
    architecture: &'a str,
    diagram: Option<String>,
    has_diagram: bool,
    modules: Rows<ModuleRow<'a>>,
    decisions: Rows<DecisionRow<'a>>,
    files: Rows<FileRow<'a>>,
}

#[derive(Serialize)]
struct ModuleRow<'a> {
    id: &'a str,
    name: &'a str,
    purpose: &'a str,
    covers: String,
}

#[derive(Serialize)]
struct DecisionRow<'a> {
    id: &'a str,
    title: &'a str,
    choice: &'a str,
    why: &'a str,
    rejected: Rows<&'a crate::reply::Rejected>,
    from: String,
}

#[derive(Serialize)]
struct FileRow<'a> {
    path: &'a str,
    change: Change,
    what: &'a str,
    modules: String,
}

/// In which steps it is built.
#[derive(Serialize)]
pub(super) struct Work<'a> {
    feasibility: &'a str,
    items: Rows<WorkRow<'a>>,
    critical_path: String,
    sizes: String,
    debt: Rows<&'a Debt>,
}

#[derive(Serialize)]
struct WorkRow<'a> {
    id: &'a str,
    title: &'a str,
    size: Size,
    depends_on: String,
    covers: String,
}

/// How it is proved.
#[derive(Serialize)]
pub(super) struct Tests<'a> {
    strategy: &'a str,
    matrix: Rows<MatrixRow<'a>>,
    untested: String,
    unbuilt: String,
    /// Tests that prove no criterion.
    loose: String,
    /// Tests that say more than the criterion they prove.
    cases: Rows<CaseRow<'a>>,
    /// Tests whose expectation is their criterion's, word for word.
    mirrored: usize,
    targets: Rows<&'a CoverageTarget>,
    data: &'a [String],
    environments: &'a [String],
}

/// A criterion and the tests that prove it, by level.
#[derive(Serialize)]
struct MatrixRow<'a> {
    id: &'a str,
    then: &'a str,
    unit: String,
    integration: String,
    end_to_end: String,
    manual: String,
    work: String,
    tested: bool,
}

#[derive(Serialize)]
struct CaseRow<'a> {
    id: &'a str,
    level: TestLevel,
    title: &'a str,
    expected: &'a str,
}

/// What can go wrong.
#[derive(Serialize)]
pub(super) struct Risks<'a> {
    risks: Rows<RiskRow<'a>>,
    dependencies: Rows<&'a ExternalDependency>,
    assumptions: Rows<&'a PlanAssumption>,
}

#[derive(Serialize)]
struct RiskRow<'a> {
    id: &'a str,
    title: &'a str,
    chance: Level,
    impact: Level,
    mitigation: &'a str,
    early_sign: &'a str,
    affects: String,
}

/// The product plan; `brief` leaves out scope that criteria show: checklists word
/// both from one sentence.
pub(super) fn product(plan: &Written<ProductPlan>, brief: bool) -> Product<'_> {
    let plan = &plan.content;
    let cited = |id: &String| plan.criteria.iter().any(|c| c.from.contains(id));
    let is_shown = |item: &crate::reply::ScopeItem| item.from.iter().any(cited);
    Product {
        understanding: &plan.understanding,
        shown_by_criteria: plan
            .scope
            .iter()
            .filter(|item| brief && is_shown(item))
            .count(),
        scope: plan
            .scope
            .iter()
            .filter(|item| !(brief && is_shown(item)))
            .map(|item| ScopeRow {
                text: &item.text,
                from: join(&item.from),
            })
            .collect(),
        non_goals: plan.non_goals.iter().collect(),
        criteria: plan
            .criteria
            .iter()
            .map(|criterion| CriterionRow {
                id: &criterion.id,
                given: &criterion.given,
                when: &criterion.when,
                then: &criterion.then,
                from: join(&criterion.from),
            })
            .collect(),
    }
}

pub(super) fn design(design: &Written<SystemDesign>) -> Design<'_> {
    let design = &design.content;
    Design {
        architecture: &design.architecture,
        diagram: markup::diagram(&design.diagram),
        has_diagram: !design.diagram.trim().is_empty(),
        modules: design
            .modules
            .iter()
            .map(|module| ModuleRow {
                id: &module.id,
                name: &module.name,
                purpose: &module.purpose,
                covers: join(&module.covers),
            })
            .collect(),
        decisions: design
            .decisions
            .iter()
            .map(|decision| DecisionRow {
                id: &decision.id,
                title: &decision.title,
                choice: &decision.choice,
                why: &decision.why,
                rejected: decision.rejected.iter().collect(),
                from: join(&decision.from),
            })
            .collect(),
        files: design
            .file_impacts
            .iter()
            .map(|file| FileRow {
                path: &file.path,
                change: file.change,
                what: &file.what,
                modules: join(&file.modules),
            })
            .collect(),
    }
}

pub(super) fn work(plan: &Written<DevPlan>) -> Work<'_> {
    let plan = &plan.content;
    // In the computed order; what the order does not name comes last.
    let place = |id: &str| {
        let at = plan.order.iter().position(|other| other == id);
        at.unwrap_or(usize::MAX)
    };
    let mut items: Vec<_> = plan.work.iter().collect();
    items.sort_by_key(|item| place(&item.id));
    let sizes = [
        (Size::S, "S"),
        (Size::M, "M"),
        (Size::L, "L"),
        (Size::XL, "XL"),
    ]
    .into_iter()
    .filter_map(|(size, name)| {
        let n = items.iter().filter(|item| item.size == size).count();
        (n > 0).then(|| format!("{n} {name}"))
    });
    Work {
        feasibility: &plan.feasibility,
        sizes: join(sizes),
        items: items
            .iter()
            .map(|item| WorkRow {
                id: &item.id,
                title: &item.title,
                size: item.size,
                depends_on: join(&item.depends_on),
                covers: join(&item.covers),
            })
            .collect(),
        critical_path: plan.critical_path.join(" → "),
        debt: plan.technical_debt.iter().collect(),
    }
}

pub(super) fn tests<'a>(plan: &'a Written<TestPlan>, documents: &'a Documents) -> Tests<'a> {
    let plan = &plan.content;
    let criteria: &[Criterion] = documents
        .product_plan
        .as_ref()
        .map_or(&[], |product| &product.content.criteria);
    let matrix: Rows<MatrixRow<'_>> = criteria
        .iter()
        .map(|criterion| matrix_row(criterion, plan, documents))
        .collect();
    let known = |id: &String| criteria.iter().any(|criterion| criterion.id == *id);
    let loose = plan
        .cases
        .iter()
        .filter(|case| !case.covers.iter().any(known));
    let mirrors = |case: &&TestCase| {
        let proved = criteria.iter().filter(|c| case.covers.contains(&c.id));
        proved
            .into_iter()
            .any(|criterion| criterion.then == case.expected)
    };
    Tests {
        strategy: &plan.strategy,
        untested: join(
            matrix
                .rows
                .iter()
                .filter(|row| !row.tested)
                .map(|row| row.id),
        ),
        unbuilt: join(
            matrix
                .rows
                .iter()
                .filter(|row| row.work.is_empty())
                .map(|row| row.id),
        ),
        matrix,
        loose: join(loose.map(|case| &case.id)),
        mirrored: plan.cases.iter().filter(mirrors).count(),
        cases: plan
            .cases
            .iter()
            .filter(|case| !mirrors(case))
            .map(|case| CaseRow {
                id: &case.id,
                level: case.level,
                title: &case.title,
                expected: &case.expected,
            })
            .collect(),
        targets: plan.coverage_targets.iter().collect(),
        data: &plan.data,
        environments: &plan.environments,
    }
}

fn matrix_row<'a>(
    criterion: &'a Criterion,
    plan: &TestPlan,
    documents: &Documents,
) -> MatrixRow<'a> {
    let covering = || {
        plan.cases
            .iter()
            .filter(|case| case.covers.contains(&criterion.id))
    };
    let at = |level| {
        join(
            covering()
                .filter(|case| case.level == level)
                .map(|case| &case.id),
        )
    };
    let work = documents.dev_plan.iter().flat_map(|dev| &dev.content.work);
    MatrixRow {
        id: &criterion.id,
        then: &criterion.then,
        unit: at(TestLevel::Unit),
        integration: at(TestLevel::Integration),
        end_to_end: at(TestLevel::EndToEnd),
        manual: at(TestLevel::Manual),
        work: join(
            work.filter(|item| item.covers.contains(&criterion.id))
                .map(|item| &item.id),
        ),
        tested: covering().next().is_some(),
    }
}

pub(super) fn risks(assessment: &Written<RiskAssessment>) -> Risks<'_> {
    let assessment = &assessment.content;
    let mut risks: Vec<_> = assessment.risks.iter().collect();
    // The worst first; ids break ties by keeping their order.
    risks.sort_by_key(|risk| std::cmp::Reverse((risk.chance as u8 + 1) * (risk.impact as u8 + 1)));
    Risks {
        risks: risks
            .into_iter()
            .map(|risk| RiskRow {
                id: &risk.id,
                title: &risk.title,
                chance: risk.chance,
                impact: risk.impact,
                mitigation: &risk.mitigation,
                early_sign: &risk.early_sign,
                affects: join(&risk.affects),
            })
            .collect(),
        dependencies: assessment.dependencies.iter().collect(),
        assumptions: assessment.assumptions.iter().collect(),
    }
}
