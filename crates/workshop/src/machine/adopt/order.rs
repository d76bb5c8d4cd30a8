//! Work items in order: cycles cut, a topological order, the longest chain.

use std::collections::{BTreeMap, BTreeSet};

use crate::reply::{Size, WorkItem};

/// Takes out every dependency that closes a cycle, and says which: (item, depended on).
///
/// Items are gone through in order of appearance, so the later edge goes.
pub(super) fn cut_cycles(work: &mut [WorkItem]) -> Vec<(String, String)> {
    let index = indices(work);
    let mut kept: Vec<Vec<usize>> = vec![Vec::new(); work.len()];
    let mut cut = Vec::new();
    for (i, item) in work.iter_mut().enumerate() {
        let id = item.id.clone();
        item.depends_on.retain(|dependency| {
            let Some(&target) = index.get(dependency) else {
                return true;
            };
            if reaches(&kept, target, i) {
                cut.push((id.clone(), dependency.clone()));
                return false;
            }
            kept[i].push(target);
            true
        });
    }
    cut
}

/// Ids in an order in which every item stands after those it depends on; among
/// items that could stand next, the one that appears first does. Items on a
/// cycle are missing.
pub(super) fn topological(work: &[WorkItem]) -> Vec<String> {
    places(work)
        .into_iter()
        .map(|i| work[i].id.clone())
        .collect()
}

/// The longest chain of dependencies by size (S 1, M 2, L 5, XL 10), first to
/// last; among equals the one whose items appear first. Empty without work.
pub(super) fn critical_path(work: &[WorkItem]) -> Vec<String> {
    let depends = dependencies(work);
    let mut length = vec![0u64; work.len()];
    let mut before: Vec<Option<usize>> = vec![None; work.len()];
    for i in places(work) {
        for &dependency in &depends[i] {
            if before[i].is_none_or(|best| length[dependency] > length[best]) {
                before[i] = Some(dependency);
            }
        }
        length[i] = weight(work[i].size) + before[i].map_or(0, |best| length[best]);
    }
    let longest = length.iter().copied().max().unwrap_or_default();
    let mut at = length.iter().position(|l| *l == longest);
    let mut path = Vec::new();
    while let Some(i) = at {
        path.push(work[i].id.clone());
        at = before[i];
    }
    path.reverse();
    path
}

fn weight(size: Size) -> u64 {
    match size {
        Size::S => 1,
        Size::M => 2,
        Size::L => 5,
        Size::XL => 10,
    }
}

fn indices(work: &[WorkItem]) -> BTreeMap<String, usize> {
    let mut index = BTreeMap::new();
    for (i, item) in work.iter().enumerate() {
        index.entry(item.id.clone()).or_insert(i);
    }
    index
}

/// For each item the places of those it depends on, in order of appearance.
fn dependencies(work: &[WorkItem]) -> Vec<BTreeSet<usize>> {
    let index = indices(work);
    work.iter()
        .map(|item| {
            item.depends_on
                .iter()
                .filter_map(|id| index.get(id).copied())
                .collect()
        })
        .collect()
}

fn places(work: &[WorkItem]) -> Vec<usize> {
    let depends = dependencies(work);
    let mut waits: Vec<usize> = depends.iter().map(BTreeSet::len).collect();
    let mut ready: BTreeSet<usize> = (0..work.len()).filter(|i| waits[*i] == 0).collect();
    let mut freed: Vec<Vec<usize>> = vec![Vec::new(); work.len()];
    for (i, list) in depends.iter().enumerate() {
        for &dependency in list {
            freed[dependency].push(i);
        }
    }
    let mut order = Vec::with_capacity(work.len());
    while let Some(next) = ready.pop_first() {
        order.push(next);
        for &i in &freed[next] {
            waits[i] -= 1;
            if waits[i] == 0 {
                ready.insert(i);
            }
        }
    }
    order
}

/// Can `to` be reached from `from` along `edges`? A place reaches itself.
fn reaches(edges: &[Vec<usize>], from: usize, to: usize) -> bool {
    let mut seen = vec![false; edges.len()];
    let mut stack = vec![from];
    while let Some(at) = stack.pop() {
        if at == to {
            return true;
        }
        if !std::mem::replace(&mut seen[at], true) {
            stack.extend(&edges[at]);
        }
    }
    false
}
