//! Rules about what the documents say: coverage, mitigations, files, sizes.

use std::collections::BTreeSet;

use super::World;
use super::finding::{Finding, Rule, ask_for};
use crate::fault::Text;
use crate::machine::{Stage, State};
use crate::reply::{
    Change, DevPlan, Document, DocumentKind, ProductPlan, RiskAssessment, Size, SystemDesign,
    TestPlan,
};

/// Words that stand where a mitigation should and are none.
const SHRUGS: &[&str] = &[
    "",
    "none",
    "na",
    "nil",
    "no",
    "nothing",
    "tbd",
    "todo",
    "unknown",
    "ignore",
    "accept",
    "no mitigation",
    "no action",
    "to be determined",
    "to be defined",
    "not applicable",
    "be careful",
    "无",
    "没有",
    "暂无",
    "不适用",
    "待定",
    "待补充",
    "未知",
    "忽略",
];

const NO_CRITERION: Text = Text("`{id}` serves no criterion", "`{id}` 不对应任何验收标准");
const NAME_CRITERIA: Text = Text(
    "name the criteria it serves in `covers`, or leave it out",
    "请在 `covers` 中写明对应的标准，或去掉它",
);

pub(super) fn find(state: &State, world: &World<'_>, findings: &mut Vec<Finding>) {
    if state.stage >= Stage::Complete {
        for kind in state.document_kinds() {
            if !state.documents.contains_key(&kind) {
                findings.push(Rule::DocumentMissing.finding(
                    kind.name(),
                    Text("`{id}` was not written", "没有写出 `{id}`").fill(&[("id", &kind.name())]),
                    Text(
                        "run `aitc resume`, or plan anew",
                        "运行 `aitc resume`，或重新规划",
                    ),
                ));
            }
        }
    }
    for record in state.documents.values() {
        match &record.content {
            Document::ProductPlan(plan) => product_plan(state, plan, findings),
            Document::SystemDesign(design) => system_design(design, world, findings),
            Document::DevPlan(plan) => dev_plan(plan, findings),
            Document::TestPlan(_) => {}
            Document::RiskAssessment(assessment) => risks(assessment, findings),
        }
    }
}

fn product_plan(state: &State, plan: &ProductPlan, findings: &mut Vec<Finding>) {
    let tested = test_plan(state).map(|plan| covered(plan.cases.iter().map(|case| &case.covers)));
    let worked = work_plan(state).map(|plan| covered(plan.work.iter().map(|item| &item.covers)));
    // Every other rule holds of a plan that says nothing.
    if plan.criteria.is_empty() && state.draft.standing().next().is_some() {
        findings.push(Rule::CriteriaMissing.finding(
            DocumentKind::ProductPlan.name(),
            Text(
                "something was agreed, and no criterion shows any of it",
                "已有共识，却没有任何验收标准来体现它",
            ),
            ask_for(
                state,
                Text(
                    "Write criteria that show what was agreed",
                    "请写出体现共识的验收标准",
                ),
            ),
        ));
    }
    for criterion in &plan.criteria {
        let id = criterion.id.as_str();
        if tested.as_ref().is_some_and(|ids| !ids.contains(id)) {
            findings.push(Rule::CriterionWithoutTest.finding(
                id,
                Text("no test covers `{id}`", "没有测试覆盖 `{id}`").fill(&[("id", &id)]),
                Text(
                    "add a test case, or drop the criterion",
                    "请增加测试用例，或去掉该标准",
                ),
            ));
        }
        if worked.as_ref().is_some_and(|ids| !ids.contains(id)) {
            findings.push(Rule::CriterionWithoutWork.finding(
                id,
                Text("no work item covers `{id}`", "没有工作项对应 `{id}`").fill(&[("id", &id)]),
                Text(
                    "add a work item, or drop the criterion",
                    "请增加工作项，或去掉该标准",
                ),
            ));
        }
        if is_shrug(&criterion.then) {
            findings.push(
                Rule::CriterionNotMeasurable.finding(
                    id,
                    Text(
                        "`{id}` does not say what is then seen",
                        "`{id}` 没有写明届时看到什么",
                    )
                    .fill(&[("id", &id)]),
                    Text(
                        "say in `then` what is seen, with a figure where there is one",
                        "请在 `then` 中写明看到什么，有数值的写出数值",
                    ),
                ),
            );
        }
    }
    for (i, item) in plan.scope.iter().enumerate() {
        if item.from.is_empty() {
            findings.push(Rule::ScopeWithoutSource.finding(
                format!("scope {}", i + 1),
                Text(
                    "the scope item rests on nothing agreed, answered or assumed",
                    "该范围项没有共识、答案或假设作为依据",
                ),
                Text(
                    "cite what it rests on in `from`, or leave it out",
                    "请在 `from` 中注明依据，或去掉它",
                ),
            ));
        }
    }
}

fn system_design(design: &SystemDesign, world: &World<'_>, findings: &mut Vec<Finding>) {
    for module in &design.modules {
        if module.covers.is_empty() {
            findings.push(Rule::ModuleWithoutCriterion.finding(
                &module.id,
                NO_CRITERION.fill(&[("id", &module.id)]),
                NAME_CRITERIA,
            ));
        }
    }
    for decision in &design.decisions {
        if decision.rejected.is_empty() {
            findings.push(
                Rule::DecisionWithoutRejected.finding(
                    &decision.id,
                    Text(
                        "`{id}` names no option that lost",
                        "`{id}` 没有写明落选的方案",
                    )
                    .fill(&[("id", &decision.id)]),
                    Text(
                        "say what else was considered and why it lost",
                        "请写明还考虑过什么，为何落选",
                    ),
                ),
            );
        }
    }
    for impact in &design.file_impacts {
        let exists = (world.exists)(&impact.path);
        match (impact.change, exists) {
            (Change::Create, true) => findings.push(
                Rule::FileExists.finding(
                    &impact.path,
                    Text(
                        "`{path}` is to be created but exists",
                        "`{path}` 要新建，但已经存在",
                    )
                    .fill(&[("path", &impact.path)]),
                    Text(
                        "say `modify`, or choose another path",
                        "请写 `modify`，或另选路径",
                    ),
                ),
            ),
            (Change::Modify | Change::Delete, false) => findings.push(
                Rule::FileMissing.finding(
                    &impact.path,
                    Text(
                        "`{path}` is to be changed but does not exist",
                        "`{path}` 要改动，但并不存在",
                    )
                    .fill(&[("path", &impact.path)]),
                    Text(
                        "correct the path, or say `create`",
                        "请更正路径，或写 `create`",
                    ),
                ),
            ),
            _ => {}
        }
    }
}

fn dev_plan(plan: &DevPlan, findings: &mut Vec<Finding>) {
    let own: BTreeSet<&str> = plan.work.iter().map(|item| item.id.as_str()).collect();
    for item in &plan.work {
        let id = &item.id;
        if item.covers.is_empty() {
            findings.push(Rule::WorkWithoutCriterion.finding(
                id,
                NO_CRITERION.fill(&[("id", id)]),
                NAME_CRITERIA,
            ));
        }
        if item.size == Size::XL {
            findings.push(Rule::WorkTooLarge.finding(
                id,
                Text("`{id}` is of size XL", "`{id}` 的规模为 XL").fill(&[("id", id)]),
                Text(
                    "split it into items of a week at most",
                    "请拆成至多一周的工作项",
                ),
            ));
        }
        for dependency in &item.depends_on {
            if !own.contains(dependency.as_str()) {
                findings.push(
                    Rule::UnknownDependency.finding(
                        id,
                        Text(
                            "`{id}` depends on `{dependency}`, which is no work item",
                            "`{id}` 依赖 `{dependency}`，而它不是工作项",
                        )
                        .fill(&[("id", id), ("dependency", dependency)]),
                        Text(
                            "add the work item, or drop the dependency",
                            "请增加该工作项，或去掉依赖",
                        ),
                    ),
                );
            }
        }
    }
}

fn risks(assessment: &RiskAssessment, findings: &mut Vec<Finding>) {
    for risk in &assessment.risks {
        if is_shrug(&risk.mitigation) {
            findings.push(Rule::RiskWithoutMitigation.finding(
                &risk.id,
                Text("`{id}` has no mitigation", "`{id}` 没有应对措施").fill(&[("id", &risk.id)]),
                Text(
                    "say what is done against it, or who accepts it and why",
                    "请写明如何应对，或由谁接受、为何接受",
                ),
            ));
        }
    }
}

/// Is the text empty, or one of the words people write instead of nothing?
fn is_shrug(text: &str) -> bool {
    let kept: String = text
        .chars()
        .filter(|c| c.is_alphanumeric() || c.is_whitespace())
        .collect();
    let words: Vec<&str> = kept.split_whitespace().collect();
    SHRUGS.contains(&words.join(" ").to_lowercase().as_str())
}

fn covered<'a>(lists: impl Iterator<Item = &'a Vec<String>>) -> BTreeSet<&'a str> {
    lists.flatten().map(String::as_str).collect()
}

fn test_plan(state: &State) -> Option<&TestPlan> {
    match &state.documents.get(&DocumentKind::TestPlan)?.content {
        Document::TestPlan(plan) => Some(plan),
        _ => None,
    }
}

fn work_plan(state: &State) -> Option<&DevPlan> {
    match &state.documents.get(&DocumentKind::DevPlan)?.content {
        Document::DevPlan(plan) => Some(plan),
        _ => None,
    }
}
