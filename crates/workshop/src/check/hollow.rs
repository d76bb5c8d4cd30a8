//! The rule about agreed items that no document uses.

use std::collections::BTreeSet;

use super::finding::{Findings, Rule};
use crate::machine::{Stage, State, references};
use crate::reply::{Account, DocumentKind, Referent};

/// Adds a finding for each valid agreed item that no document cites.
pub(super) fn find(state: &State, findings: &mut Findings<'_>) {
    let documents = || {
        state
            .documents
            .written
            .values()
            .map(|record| &record.content)
    };
    let product = state.documents.product_plan();
    // Another rule reports a plan without any criterion.
    let is_hollow = product.is_some_and(|plan| plan.criteria.is_empty());
    // The rule applies only once all documents are written.
    if is_hollow || state.documents.written.is_empty() || state.stage < Stage::Reviewing {
        return;
    }
    let cited: BTreeSet<String> = documents()
        .flat_map(references)
        .filter(|reference| reference.target == Referent::Sources)
        .map(|reference| reference.to)
        .collect();
    let non_goals: Vec<&str> = product
        .iter()
        .flat_map(|plan| &plan.non_goals)
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

/// Returns whether a document says where its tests, work, design or risks cover an agreed item.
/// Product plans do not count: they cite the items they rest on.
fn is_used(state: &State, id: &str) -> bool {
    let others = state.documents.written.iter();
    let others = others.filter(|(kind, _)| **kind != DocumentKind::ProductPlan);
    let mut accounts = others.flat_map(|(_, record)| &record.accounts);
    let says_where = |account: &Account| {
        account
            .used_in
            .as_deref()
            .is_some_and(|it| !it.trim().is_empty())
    };
    accounts.any(|account| account.id == id && says_where(account))
}
