//! Order of work items: cycles removed, a topological order, the critical path.

use std::collections::BTreeMap;

use crate::machine::dag::Dag;
use crate::reply::{Size, WorkItem};

/// Removes every dependency that closes a cycle, and returns the removed ones: (item, depended on).
///
/// Items are processed in order of appearance, so the later dependency is removed.
pub(super) fn cut_cycles(work: &mut [WorkItem]) -> Vec<(String, String)> {
    let mut kept: Vec<(String, Vec<String>)> = Vec::new();
    let mut cut = Vec::new();
    for item in work {
        let id = item.id.clone();
        kept.push((id.clone(), Vec::new()));
        item.depends_on.retain(|dependency| {
            let closes = *dependency == id || Dag::new(kept.clone()).rests_on(dependency, &id);
            match kept.last_mut() {
                Some((_, needed)) if !closes => needed.push(dependency.clone()),
                _ => cut.push((id.clone(), dependency.clone())),
            }
            !closes
        });
    }
    cut
}

/// Returns the ids in topological order; of several items that could come next, the first in the
/// text does. Items on a cycle are left out.
pub(super) fn topological(work: &[WorkItem]) -> Vec<String> {
    let ids: Vec<String> = work.iter().map(|item| item.id.clone()).collect();
    let needed = |id: &String| {
        let item = work.iter().find(|item| item.id == *id);
        item.map_or_else(Vec::new, |item| item.depends_on.clone())
    };
    let dag = Dag::among(&ids, needed);
    let mut order = Vec::with_capacity(work.len());
    while let Some(next) = dag.ready(|id| order.contains(id)).into_iter().next() {
        order.push(next);
    }
    order
}

/// Returns the longest chain of dependencies by size (S 1, M 2, L 5, XL 10), first to last; of
/// equally long chains the one whose items appear first. Empty if there is no work.
pub(super) fn critical_path(work: &[WorkItem]) -> Vec<String> {
    let mut chains: BTreeMap<&str, (u64, Vec<String>)> = BTreeMap::new();
    for id in topological(work) {
        let Some(item) = work.iter().find(|item| item.id == id) else {
            continue;
        };
        let before = work
            .iter()
            .filter(|other| item.depends_on.contains(&other.id));
        let before = before.filter_map(|other| chains.get(other.id.as_str()));
        let (length, mut chain) = longest(before);
        chain.push(id);
        chains.insert(&item.id, (length + weight(item.size), chain));
    }
    longest(work.iter().filter_map(|item| chains.get(item.id.as_str()))).1
}

/// Returns the first of the longest chains; an empty one if there are none.
fn longest<'a>(chains: impl Iterator<Item = &'a (u64, Vec<String>)>) -> (u64, Vec<String>) {
    let first = |best: &'a (u64, Vec<String>), next: &'a (u64, Vec<String>)| match next.0 > best.0 {
        true => next,
        false => best,
    };
    chains.reduce(first).cloned().unwrap_or_default()
}

fn weight(size: Size) -> u64 {
    match size {
        Size::S => 1,
        Size::M => 2,
        Size::L => 5,
        Size::XL => 10,
    }
}
