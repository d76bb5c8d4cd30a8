//! Rules about the content of documents: coverage, mitigations, files, sizes.

use std::collections::BTreeSet;

use super::CheckContext;
use super::finding::{Findings, Rule};
use crate::fault::MessageValue;
use crate::machine::{Stage, State};
use crate::reply::{DevPlan, Document, DocumentKind, ProductPlan};

/// Words that people write in place of a mitigation.
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

pub(super) fn find(state: &State, world: &CheckContext<'_>, findings: &mut Findings<'_>) {
    if state.stage >= Stage::Complete {
        for kind in state.document_kinds() {
            if !state.documents.written.contains_key(&kind) {
                findings.add(Rule::DocumentMissing, kind.name(), &[]);
            }
        }
    }
    for record in state.documents.written.values() {
        match &record.content {
            Document::ProductPlan(plan) => product_plan(state, plan, findings),
            Document::SystemDesign(design) => {
                super::tree::find(state, design, world, findings);
            }
            Document::DevPlan(plan) => dev_plan(plan, findings),
            Document::TestPlan(_) => {}
            Document::RiskAssessment(assessment) => {
                for risk in &assessment.risks {
                    if is_shrug(&risk.mitigation) {
                        findings.add(Rule::RiskWithoutMitigation, &risk.id, &[]);
                    }
                }
            }
        }
    }
}

fn product_plan(state: &State, plan: &ProductPlan, findings: &mut Findings<'_>) {
    let (tests, work) = (state.documents.test_plan(), state.documents.dev_plan());
    let tested = tests.map(|plan| covered(plan.cases.iter().map(|case| &case.covers)));
    let worked = work.map(|plan| covered(plan.work.iter().map(|item| &item.covers)));
    // All other rules pass for a plan without any content.
    if plan.criteria.is_empty() && state.draft.standing().next().is_some() {
        findings.add(Rule::CriteriaMissing, DocumentKind::ProductPlan.name(), &[]);
    }
    for criterion in &plan.criteria {
        let id = criterion.id.as_str();
        if tested.as_ref().is_some_and(|ids| !ids.contains(id)) {
            findings.add(Rule::CriterionWithoutTest, id, &[]);
        }
        if worked.as_ref().is_some_and(|ids| !ids.contains(id)) {
            findings.add(Rule::CriterionWithoutWork, id, &[]);
        }
    }
}

fn dev_plan(plan: &DevPlan, findings: &mut Findings<'_>) {
    let own: BTreeSet<&str> = plan.work.iter().map(|item| item.id.as_str()).collect();
    for item in &plan.work {
        if item.covers.is_empty() {
            findings.add(Rule::WorkWithoutCriterion, &item.id, &[]);
        }
        for dependency in &item.depends_on {
            if !own.contains(dependency.as_str()) {
                let values: [(&str, &dyn MessageValue); 1] = [("dependency", dependency)];
                findings.add(Rule::UnknownDependency, &item.id, &values);
            }
        }
    }
}

/// Returns whether the text is empty or a placeholder such as `none`.
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
