//! Compares two plans by meaning: what was added, removed, and changed field by field.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::pairing::{Pair, pair};
use super::things::{Entry, Things, Value, groups, is_itemised, read_from};
use crate::machine::{REQUIREMENT, State};

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
    pub groups: Vec<Group>,
    /// Groups that are not compared, because one of the plans has not written the document that
    /// holds them; the names are those of `groups` that have ids or paths.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unwritten: Vec<Unwritten>,
}

/// What one of two plans has not written, and the other has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Unwritten {
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
pub struct Group {
    /// Which: `plan`, `consensus`, `issues`, `questions`, `assumptions`, `scope`, `non-goals`,
    /// `criteria`, `modules`, `decisions`, `files`, `work`, `tests` or `risks`; sentences and
    /// entries without ids are in `understanding`, `architecture`, `feasibility`, `left behind`,
    /// `strategy`, `coverage`, `test data`, `environments`, `dependencies` or `taken for granted`.
    pub name: &'static str,
    /// New ones.
    pub added: Vec<Listed>,
    /// Those that are gone.
    pub removed: Vec<Listed>,
    /// Those that are in both and not the same.
    pub changed: Vec<Changed>,
}

/// A thing that was added or removed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
pub struct Listed {
    /// Its id; a path for files; empty if it has none.
    pub id: String,
    /// The words it is known by, one line.
    pub text: String,
}

/// A thing that changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Changed {
    /// Its id in the newer plan; a path for files; empty if it has none.
    pub id: String,
    /// Its id in the older plan, if that is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// The words it is known by in the newer plan, one line.
    pub text: String,
    /// How the two were found to be the same thing.
    pub paired_by: PairedBy,
    /// What changed, in the order of the fields.
    pub fields: Vec<FieldChange>,
}

/// How two things were found to be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PairedBy {
    /// They have the same id.
    Id,
    /// They have the same words.
    Text,
    /// Their words are alike.
    Similarity,
}

/// A field with its two values; an empty text means none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct FieldChange {
    /// Which field.
    pub field: &'static str,
    /// What it was; several values joined by `; `.
    pub old: String,
    /// What it is.
    pub new: String,
}

/// Compares two plans. Ids are used if one revises the other or both belong to the same run.
///
/// Otherwise things are paired by their words. Order and white space never count.
pub fn diff(old: &State, new: &State) -> Diff {
    compare(
        old,
        new,
        old.run.id == new.run.id || revises(new, old) || revises(old, new),
    )
}

/// Compares two plans of the same line of versions by id, however many versions lie between.
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
    let unwritten: Vec<Unwritten> = unwritten.into_iter().flatten().collect();
    let is_compared = |things: &Things| {
        let lacks = |state: &State, kind| !state.documents.written.contains_key(&kind);
        read_from(things.name).is_none_or(|kind| lacks(old, kind) == lacks(new, kind))
    };
    before.retain(is_compared);
    after.retain(is_compared);
    let pairs: Vec<Vec<Pair>> = before
        .iter()
        .zip(&after)
        .map(|(a, b)| pair(&a.list, &b.list, one_line || a.fixed_ids))
        .collect();
    let renamed = Renamed::of(&before, &after, &pairs, one_line);
    let all = before.iter().zip(&after).zip(&pairs);
    Diff {
        from: old.inputs.version,
        to: new.inputs.version,
        one_line,
        groups: all
            .filter_map(|((a, b), pairs)| group(a, b, pairs, &renamed))
            .collect(),
        unwritten,
    }
}

/// The groups that `other` has and `state` has not written yet.
fn unwritten(state: &State, other: &State, all: &[Things]) -> Option<Unwritten> {
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
    (!groups.is_empty()).then_some(Unwritten {
        version: state.inputs.version,
        groups,
    })
}

fn group(old: &Things, new: &Things, pairs: &[Pair], renamed: &Renamed) -> Option<Group> {
    let mut changed = Vec::new();
    for &(i, j, paired_by) in pairs {
        let (a, b) = (&old.list[i], &new.list[j]);
        let fields = field_changes(a, b, renamed);
        if !fields.is_empty() {
            changed.push(Changed {
                id: b.id.clone(),
                was: (a.id != b.id).then(|| a.id.clone()),
                text: b.text.clone(),
                paired_by,
                fields,
            });
        }
    }
    let kept: BTreeSet<usize> = pairs.iter().map(|(i, ..)| *i).collect();
    let came: BTreeSet<usize> = pairs.iter().map(|(_, j, _)| *j).collect();
    let group = Group {
        name: new.name,
        added: listed(&new.list, &came),
        removed: listed(&old.list, &kept),
        changed,
    };
    let is_empty = group.added.is_empty() && group.removed.is_empty() && group.changed.is_empty();
    (!is_empty).then_some(group)
}

fn listed(list: &[Entry], paired: &BTreeSet<usize>) -> Vec<Listed> {
    list.iter()
        .enumerate()
        .filter(|(i, _)| !paired.contains(i))
        .map(|(_, entry)| Listed {
            id: entry.id.clone(),
            text: entry.text.clone(),
        })
        .collect()
}

fn field_changes(old: &Entry, new: &Entry, renamed: &Renamed) -> Vec<FieldChange> {
    let fields = old.fields.iter().zip(&new.fields);
    fields
        .filter(|((_, a), (_, b))| !renamed.same(a, b))
        .map(|((field, a), (_, b))| FieldChange {
            field,
            old: shown(a),
            new: shown(b),
        })
        .collect()
}

fn shown(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::Texts(list) | Value::Ids(list) => list.join("; "),
    }
}

/// Maps ids of the older plan to ids of the newer one.
struct Renamed {
    ids: BTreeMap<String, String>,
    one_line: bool,
}

impl Renamed {
    fn of(old: &[Things], new: &[Things], pairs: &[Vec<Pair>], one_line: bool) -> Self {
        let mut ids = BTreeMap::new();
        for ((a, b), pairs) in old.iter().zip(new).zip(pairs) {
            for (i, j, _) in pairs {
                ids.insert(a.list[*i].id.clone(), b.list[*j].id.clone());
            }
        }
        Self { ids, one_line }
    }

    /// Returns whether both values mean the same.
    fn same(&self, old: &Value, new: &Value) -> bool {
        match (old, new) {
            (Value::Text(a), Value::Text(b)) => a == b,
            (Value::Texts(a), Value::Texts(b)) => BTreeSet::from_iter(a) == BTreeSet::from_iter(b),
            (Value::Ids(a), Value::Ids(b)) => {
                let renamed: Option<BTreeSet<&String>> =
                    a.iter().map(|id| self.in_newer(id)).collect();
                renamed.is_some_and(|renamed| renamed == BTreeSet::from_iter(b))
            }
            _ => false,
        }
    }

    /// `None` for an id that has no counterpart in the newer plan, even if the newer plan uses the
    /// same id for something else.
    fn in_newer<'a>(&'a self, id: &'a String) -> Option<&'a String> {
        match self.ids.get(id) {
            Some(renamed) => Some(renamed),
            None => (self.one_line || id == REQUIREMENT).then_some(id),
        }
    }
}
