//! Rules about what the documents say: coverage, mitigations, files, sizes.

use std::collections::BTreeSet;

use super::World;
use super::finding::{Finding, Rule};
use crate::reply::{
    Change, DevPlan, Document, DocumentKind, ProductPlan, RiskAssessment, Size, SystemDesign,
    TestPlan,
};
use crate::workshop::{Stage, State};

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

pub(super) fn find(state: &State, world: &World<'_>, findings: &mut Vec<Finding>) {
    if state.stage >= Stage::Complete {
        for kind in state.document_kinds() {
            if !state.documents.contains_key(&kind) {
                findings.push(Rule::DocumentMissing.finding(
                    kind.name(),
                    format!("`{}` was not written", kind.name()),
                    "run `aitc resume`, or plan anew",
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
    for criterion in &plan.criteria {
        let id = criterion.id.as_str();
        if tested.as_ref().is_some_and(|ids| !ids.contains(id)) {
            findings.push(Rule::CriterionWithoutTest.finding(
                id,
                format!("no test covers `{id}`"),
                "add a test case, or drop the criterion",
            ));
        }
        if worked.as_ref().is_some_and(|ids| !ids.contains(id)) {
            findings.push(Rule::CriterionWithoutWork.finding(
                id,
                format!("no work item covers `{id}`"),
                "add a work item, or drop the criterion",
            ));
        }
        if is_shrug(&criterion.then) {
            findings.push(Rule::CriterionNotMeasurable.finding(
                id,
                format!("`{id}` does not say what is then seen"),
                "say in `then` what is seen, with a figure where there is one",
            ));
        }
    }
    for (i, item) in plan.scope.iter().enumerate() {
        if item.from.is_empty() {
            findings.push(Rule::ScopeWithoutSource.finding(
                format!("scope {}", i + 1),
                "the scope item rests on nothing agreed, answered or assumed".to_owned(),
                "cite what it rests on in `from`, or leave it out",
            ));
        }
    }
}

fn system_design(design: &SystemDesign, world: &World<'_>, findings: &mut Vec<Finding>) {
    for module in &design.modules {
        if module.covers.is_empty() {
            findings.push(Rule::ModuleWithoutCriterion.finding(
                &module.id,
                format!("`{}` serves no criterion", module.id),
                "name the criteria it serves in `covers`, or leave it out",
            ));
        }
    }
    for decision in &design.decisions {
        if decision.rejected.is_empty() {
            findings.push(Rule::DecisionWithoutRejected.finding(
                &decision.id,
                format!("`{}` names no option that lost", decision.id),
                "say what else was considered and why it lost",
            ));
        }
    }
    for impact in &design.file_impacts {
        let exists = (world.exists)(&impact.path);
        match (impact.change, exists) {
            (Change::Create, true) => findings.push(Rule::FileExists.finding(
                &impact.path,
                format!("`{}` is to be created but exists", impact.path),
                "say `modify`, or choose another path",
            )),
            (Change::Modify | Change::Delete, false) => findings.push(Rule::FileMissing.finding(
                &impact.path,
                format!("`{}` is to be changed but does not exist", impact.path),
                "correct the path, or say `create`",
            )),
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
                format!("`{id}` serves no criterion"),
                "name the criteria it serves in `covers`, or leave it out",
            ));
        }
        if item.size == Size::XL {
            findings.push(Rule::WorkTooLarge.finding(
                id,
                format!("`{id}` is of size XL"),
                "split it into items of a week at most",
            ));
        }
        for dependency in &item.depends_on {
            if !own.contains(dependency.as_str()) {
                findings.push(Rule::UnknownDependency.finding(
                    id,
                    format!("`{id}` depends on `{dependency}`, which is no work item"),
                    "add the work item, or drop the dependency",
                ));
            }
        }
    }
}

fn risks(assessment: &RiskAssessment, findings: &mut Vec<Finding>) {
    for risk in &assessment.risks {
        if is_shrug(&risk.mitigation) {
            findings.push(Rule::RiskWithoutMitigation.finding(
                &risk.id,
                format!("`{}` has no mitigation", risk.id),
                "say what is done against it, or who accepts it and why",
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
