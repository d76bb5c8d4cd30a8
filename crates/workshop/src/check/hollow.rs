//! Rules about what is not there: parts of a document that say nothing, and agreed items
//! that no document takes up.

use std::collections::BTreeSet;

use super::finding::{Finding, Rule, ask_for};
use crate::fault::Text;
use crate::machine::{Stage, State, Target, references};
use crate::reply::{Document, ProductPlan};

pub(super) fn find(state: &State, findings: &mut Vec<Finding>) {
    for record in state.documents.values() {
        for (about, part) in empty_parts(&record.content) {
            findings.push(
                Rule::PartEmpty.finding(
                    &about,
                    Text("`{part}` says nothing", "`{part}` 没有内容").fill(&[("part", &part)]),
                    ask_for(
                        state,
                        Text(
                            "Fill in what {about} has to say as {part}",
                            "请补写 {about} 的 {part}",
                        )
                        .fill(&[("about", &about), ("part", &part)]),
                    ),
                ),
            );
        }
    }
    not_taken_up(state, findings);
}

/// Where something is missing in a document, and what.
fn empty_parts(document: &Document) -> Vec<(String, &'static str)> {
    let name = || document.kind().name().to_owned();
    let mut parts = Vec::new();
    let mut holds = |is_empty: bool, part: &'static str| {
        if is_empty {
            parts.push((name(), part));
        }
    };
    match document {
        Document::ProductPlan(plan) => {
            holds(is_blank(&plan.understanding), "understanding");
            parts.extend(unset_criteria(plan));
        }
        Document::SystemDesign(design) => {
            holds(is_blank(&design.architecture), "architecture");
            holds(design.modules.is_empty(), "modules");
        }
        Document::DevPlan(plan) => {
            holds(is_blank(&plan.feasibility), "feasibility");
            holds(plan.work.is_empty(), "work");
        }
        Document::TestPlan(plan) => {
            holds(is_blank(&plan.strategy), "strategy");
            holds(plan.cases.is_empty(), "cases");
        }
        // Who sees no risk says so by an empty list.
        Document::RiskAssessment(_) => {}
    }
    parts
}

/// Criteria that do not say where they start, or what is done.
fn unset_criteria(plan: &ProductPlan) -> impl Iterator<Item = (String, &'static str)> {
    plan.criteria.iter().flat_map(|criterion| {
        let parts = [("given", &criterion.given), ("when", &criterion.when)];
        let empty = parts.into_iter().filter(|(_, text)| is_blank(text));
        empty.map(|(part, _)| (criterion.id.clone(), part))
    })
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// What was agreed and stands, and is cited by nothing that is built, shown or decided.
fn not_taken_up(state: &State, findings: &mut Vec<Finding>) {
    let documents = || state.documents.values().map(|record| &record.content);
    let is_empty = |plan: &ProductPlan| plan.criteria.is_empty();
    // A plan without any criterion is found by a rule of its own.
    let is_hollow = documents().any(|one| matches!(one, Document::ProductPlan(p) if is_empty(p)));
    // Before all are written nobody can say what they will take up.
    if is_hollow || state.documents.is_empty() || state.stage < Stage::Reporting {
        return;
    }
    let cited: BTreeSet<&str> = documents()
        .flat_map(references)
        .filter(|reference| reference.target == Target::Sources)
        .map(|reference| reference.to)
        .collect();
    let non_goals: Vec<&str> = documents()
        .flat_map(|document| match document {
            Document::ProductPlan(plan) => plan.non_goals.as_slice(),
            _ => &[],
        })
        .map(|non_goal| non_goal.text.trim())
        .filter(|text| !text.is_empty())
        .collect();
    for item in state.draft.standing() {
        let id = item.id.to_string();
        // What was agreed to be left out stands among the non-goals, word for word.
        if non_goals.iter().any(|text| item.text.contains(text)) {
            continue;
        }
        if !cited.contains(id.as_str()) {
            findings.push(
                Rule::AgreedNotTakenUp.finding(
                    &id,
                    Text(
                        "`{id}` was agreed, and no scope item, criterion or decision rests on it",
                        "`{id}` 已达成共识，却没有范围项、验收标准或决策以它为依据",
                    )
                    .fill(&[("id", &id)]),
                    ask_for(
                        state,
                        Text(
                            "Take {id} up in scope and criteria",
                            "请将 {id} 写入范围与验收标准",
                        )
                        .fill(&[("id", &id)]),
                    ),
                ),
            );
        }
    }
}
