//! Compares two plans by meaning: what was added, removed, and changed field by field.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::comparable::{
    ComparableItem, ComparableList, ComparableValue, groups, is_itemised, read_from,
};
use crate::machine::State;

/// What changed from one plan to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Diff {
    /// Number of the plan compared from: `N` of `vN`.
    pub from: u32,
    /// Number of the plan compared to.
    pub to: u32,
    /// Whether ids mean the same in both, because one descends from the other.
    pub one_line: bool,
    /// Groups with changes, in a fixed order.
    pub groups: Vec<DiffGroup>,
    /// Groups that are not compared, because one of the plans has not written the document that
    /// holds them; the names are those of `groups` that have ids or paths.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unwritten: Vec<UnwrittenGroups>,
}

/// What one of two plans has not written, and the other has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct UnwrittenGroups {
    /// Number of the plan that has not written it.
    pub version: u32,
    /// Names of the groups, in their fixed order.
    pub groups: Vec<&'static str>,
}

impl Diff {
    /// Returns whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }
}

/// Changes among things of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct DiffGroup {
    /// Which: `plan`, `consensus`, `issues`, `questions`, `assumptions`, `scope`, `non-goals`,
    /// `criteria`, `modules`, `decisions`, `files`, `work`, `tests` or `risks`; sentences and
    /// entries without ids are in `understanding`, `architecture`, `feasibility`, `left behind`,
    /// `strategy`, `coverage`, `test data`, `environments`, `dependencies` or `taken for granted`.
    pub name: &'static str,
    /// Items that only the newer plan has.
    pub added: Vec<DiffItem>,
    /// Items that only the older plan has.
    pub removed: Vec<DiffItem>,
    /// Those that are in both and not the same.
    pub changed: Vec<ChangedItem>,
}

/// A thing that was added or removed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
pub struct DiffItem {
    /// Its id; a path for files; empty if it has none.
    pub id: String,
    /// The words it is known by, one line.
    pub text: String,
}

/// An item that both plans have, with different fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ChangedItem {
    /// Its id; a path for files; empty if it has none.
    pub id: String,
    /// The words it is known by in the newer plan, one line.
    pub text: String,
    /// What changed, in the order of the fields.
    pub fields: Vec<FieldChange>,
}

/// A field with its two values; an empty text means none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct FieldChange {
    /// Name of the field that differs.
    pub field: &'static str,
    /// What it was; several values joined by `; `.
    pub old: String,
    /// Value in the newer plan.
    pub new: String,
}

/// Compares two plans: things with the same id, or with the same words if they have none. Order and
/// white space never count.
pub fn diff(old: &State, new: &State) -> Diff {
    compare(
        old,
        new,
        old.run.id == new.run.id || revises(new, old) || revises(old, new),
    )
}

/// Compares two plans of the same line of versions, however many versions lie between.
///
/// For callers that have already followed the line through versions that are not available here.
pub fn diff_of_one_line(old: &State, new: &State) -> Diff {
    compare(old, new, true)
}

fn revises(state: &State, base: &State) -> bool {
    state
        .task
        .previous
        .as_ref()
        .is_some_and(|previous| previous.run_id == base.run.id)
}

fn compare(old: &State, new: &State, one_line: bool) -> Diff {
    let (mut before, mut after) = (groups(old), groups(new));
    let unwritten = [unwritten(old, new, &before), unwritten(new, old, &before)];
    let unwritten: Vec<UnwrittenGroups> = unwritten.into_iter().flatten().collect();
    let is_compared = |things: &ComparableList| {
        let lacks = |state: &State, kind| !state.documents.written.contains_key(&kind);
        read_from(things.name).is_none_or(|kind| lacks(old, kind) == lacks(new, kind))
    };
    before.retain(is_compared);
    after.retain(is_compared);
    let all = before.iter().zip(&after);
    Diff {
        from: old.inputs.version,
        to: new.inputs.version,
        one_line,
        groups: all.filter_map(|(a, b)| group(a, b)).collect(),
        unwritten,
    }
}

/// The groups that `other` has and `state` has not written yet.
fn unwritten(state: &State, other: &State, all: &[ComparableList]) -> Option<UnwrittenGroups> {
    let lacks = |name: &&str| {
        read_from(name).is_some_and(|kind| {
            !state.documents.written.contains_key(&kind)
                && other.documents.written.contains_key(&kind)
        })
    };
    let names = all.iter().map(|things| things.name);
    let groups: Vec<&'static str> = names
        .filter(|name| lacks(name) && is_itemised(name))
        .collect();
    (!groups.is_empty()).then_some(UnwrittenGroups {
        version: state.inputs.version,
        groups,
    })
}

fn group(old: &ComparableList, new: &ComparableList) -> Option<DiffGroup> {
    let pairs = pairs(&old.list, &new.list);
    let mut changed = Vec::new();
    for &(i, j) in &pairs {
        let (a, b) = (&old.list[i], &new.list[j]);
        let fields = field_changes(a, b);
        if !fields.is_empty() {
            changed.push(ChangedItem {
                id: b.id.clone(),
                text: b.text.clone(),
                fields,
            });
        }
    }
    let kept: BTreeSet<usize> = pairs.iter().map(|(i, _)| *i).collect();
    let came: BTreeSet<usize> = pairs.iter().map(|(_, j)| *j).collect();
    let group = DiffGroup {
        name: new.name,
        added: listed(&new.list, &came),
        removed: listed(&old.list, &kept),
        changed,
    };
    let is_empty = group.added.is_empty() && group.removed.is_empty() && group.changed.is_empty();
    (!is_empty).then_some(group)
}

/// Pairs of places of the same thing, in the order of the newer list.
fn pairs(old: &[ComparableItem], new: &[ComparableItem]) -> Vec<(usize, usize)> {
    let key = |entry: &ComparableItem| match entry.id.is_empty() {
        true => entry.text.clone(),
        false => entry.id.clone(),
    };
    let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (i, entry) in old.iter().enumerate().rev() {
        places.entry(key(entry)).or_default().push(i);
    }
    let new = new.iter().enumerate();
    new.filter_map(|(j, entry)| Some((places.get_mut(&key(entry))?.pop()?, j)))
        .collect()
}

fn listed(list: &[ComparableItem], paired: &BTreeSet<usize>) -> Vec<DiffItem> {
    list.iter()
        .enumerate()
        .filter(|(i, _)| !paired.contains(i))
        .map(|(_, entry)| DiffItem {
            id: entry.id.clone(),
            text: entry.text.clone(),
        })
        .collect()
}

fn field_changes(old: &ComparableItem, new: &ComparableItem) -> Vec<FieldChange> {
    let fields = old.fields.iter().zip(&new.fields);
    fields
        .filter(|((_, a), (_, b))| !same(a, b))
        .map(|((field, a), (_, b))| FieldChange {
            field,
            old: shown(a),
            new: shown(b),
        })
        .collect()
}

fn shown(value: &ComparableValue) -> String {
    match value {
        ComparableValue::Text(text) => text.clone(),
        ComparableValue::Texts(list) => list.join("; "),
    }
}

/// Returns whether both values mean the same.
fn same(old: &ComparableValue, new: &ComparableValue) -> bool {
    match (old, new) {
        (ComparableValue::Texts(a), ComparableValue::Texts(b)) => {
            BTreeSet::from_iter(a) == BTreeSet::from_iter(b)
        }
        _ => old == new,
    }
}
