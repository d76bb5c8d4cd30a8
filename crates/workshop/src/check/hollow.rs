//! Rules about missing content: empty parts of a document, and agreed items that no document uses.

use std::collections::BTreeSet;

use super::finding::{Findings, Rule};
use crate::machine::{Stage, State, Target, references};
use crate::reply::{Account, Document, DocumentKind, ProductPlan};

pub(super) fn find(state: &State, findings: &mut Findings<'_>) {
    for record in state.documents.written.values() {
        for (about, part) in empty_parts(&record.content) {
            findings.add(Rule::PartEmpty, about, &[("part", &part)]);
        }
    }
    not_taken_up(state, findings);
}

/// The empty parts of a document, each with the place where it is.
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
        // A writer who sees no risk leaves the list empty.
        Document::RiskAssessment(_) => {}
    }
    parts
}

/// Criteria that lack their starting point (`given`) or their action (`when`).
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

/// Returns whether a document says where its tests, work, design or risks cover an agreed item.
/// Product plans do not count: they cite the items they rest on.
fn is_used(state: &State, id: &str) -> bool {
    let others = state.documents.written.iter();
    let others = others.filter(|(kind, _)| **kind != DocumentKind::ProductPlan);
    let mut accounts = others.flat_map(|(_, record)| &record.accounts);
    let says_where = |account: &Account| account.used_in.as_deref().is_some_and(|it| !is_blank(it));
    accounts.any(|account| account.id == id && says_where(account))
}

/// Adds a finding for each valid agreed item that no document cites.
fn not_taken_up(state: &State, findings: &mut Findings<'_>) {
    let documents = || {
        state
            .documents
            .written
            .values()
            .map(|record| &record.content)
    };
    let is_empty = |plan: &ProductPlan| plan.criteria.is_empty();
    // Another rule reports a plan without any criterion.
    let is_hollow = documents().any(|one| matches!(one, Document::ProductPlan(p) if is_empty(p)));
    // The rule applies only once all documents are written.
    if is_hollow || state.documents.written.is_empty() || state.stage < Stage::Reviewing {
        return;
    }
    let cited: BTreeSet<String> = documents()
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
        // An item that was agreed to be left out is listed among the non-goals, word for word.
        if non_goals.iter().any(|text| item.text.contains(text)) {
            continue;
        }
        if !cited.contains(id.as_str()) && !is_used(state, &id) {
            findings.add(Rule::AgreedNotTakenUp, &id, &[]);
        }
    }
}
