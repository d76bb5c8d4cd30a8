//! Invariants of every recorded document.

use std::collections::{BTreeMap, BTreeSet};

use super::items::{DocumentReference, document_items, references};
use super::names::Names;
use super::order::{critical_path, topological};
use super::spelling::{repository_path, split_id};
use super::{MOST_AHEAD, quoted};
use crate::reply::Referent;

/// How many items of one kind a document may have in addition to those that its writer numbered.
const MAX_ITEMS: u32 = 64;
use crate::machine::State;
use crate::reply::{Change, DevPlan, Document, SystemDesign};

/// Checks the invariants of every recorded document.
///
/// An id is a new number or continues the previous version's item of that id; no id is used twice;
/// every reference has an existing target; work items are in dependency order; paths stay in the
/// repository.
///
/// # Errors
/// A message about the first violation, with the ids concerned.
pub fn check_document(state: &State, document: &Document) -> Result<(), String> {
    check_ids(state, document)?;
    if let Some(reference) = dangling_references(state, document).first() {
        return Err(format!(
            "`{}` of `{}` names {}, which does not exist",
            reference.field,
            reference.about,
            quoted(&reference.to)
        ));
    }
    match document {
        Document::SystemDesign(design) => check_design(design),
        Document::DevPlan(plan) => check_order(plan),
        _ => Ok(()),
    }
}

/// Returns the references of a document to things that do not exist, in order of appearance.
pub fn dangling_references(state: &State, document: &Document) -> Vec<DocumentReference> {
    let own: BTreeSet<(&str, &str)> = document_items(document)
        .iter()
        .map(|item| (item.prefix, item.id))
        .collect();
    let mut known: BTreeMap<Referent, Names> = BTreeMap::new();
    references(document)
        .into_iter()
        .filter(|reference| match reference.target {
            Referent::Modules => !own.contains(&("M", &*reference.to)),
            Referent::Work => !own.contains(&("W", &*reference.to)),
            target => !known
                .entry(target)
                .or_insert_with(|| Names::of(state, target))
                .holds(&reference.to),
        })
        .collect()
}

fn check_ids(state: &State, document: &Document) -> Result<(), String> {
    let previous: BTreeSet<&str> = state
        .task
        .previous
        .iter()
        .filter_map(|p| p.documents.get(&document.kind()))
        .flat_map(document_items)
        .map(|item| item.id)
        .collect();
    let given = &state.run.counters;
    let written = state.documents.written.get(&document.kind());
    let written = written.map(|record| document_items(&record.content));
    let stands = |id: &str| written.iter().flatten().any(|item| item.id == id);
    let mut seen = BTreeSet::new();
    for item in document_items(document) {
        let id = item.id;
        if split_id(id).is_none_or(|(prefix, _)| prefix != item.prefix) {
            return Err(format!("{} is no id like `{}-1`", quoted(id), item.prefix));
        }
        if !seen.insert(id) {
            return Err(format!("`{id}` appears twice"));
        }
        match item.same_as {
            Some(same_as) if same_as == id && previous.contains(id) => {}
            Some(same_as) => {
                let same_as = quoted(same_as);
                return Err(format!("`{id}` cannot be the same as {same_as}"));
            }
            None => {
                let last = given.documents.get(item.prefix).copied().unwrap_or(0);
                let number = split_id(id).map_or(0, |(_, number)| number);
                let is_new = number > last && number - last <= MOST_AHEAD + MAX_ITEMS;
                if !is_new && !stands(id) {
                    let first = last.saturating_add(1);
                    let expected = format!("{}-{first}", item.prefix);
                    return Err(format!("`{id}` is new and should be `{expected}` or later"));
                }
            }
        }
    }
    Ok(())
}

fn check_design(design: &SystemDesign) -> Result<(), String> {
    for impact in &design.file_impacts {
        for given in [Some(&impact.path), impact.to.as_ref()]
            .into_iter()
            .flatten()
        {
            match repository_path(given) {
                Ok(path) if path == *given => {}
                Ok(path) => return Err(format!("a path should be {}", quoted(&path))),
                Err(why) => return Err(format!("{why}: {}", quoted(given))),
            }
        }
        if (impact.change == Change::Rename) != impact.to.is_some() {
            let path = quoted(&impact.path);
            return Err(format!("{path}: `to` goes with `rename`, and nothing else"));
        }
    }
    Ok(())
}

fn check_order(plan: &DevPlan) -> Result<(), String> {
    let order = topological(&plan.work);
    if order.len() != plan.work.len() {
        return Err("the work items depend on one another in a circle".to_owned());
    }
    if plan.order != order {
        return Err(format!("the order should be {}", order.join(", ")));
    }
    let path = critical_path(&plan.work);
    if plan.critical_path != path {
        return Err(format!("the critical path should be {}", path.join(", ")));
    }
    Ok(())
}
