//! What changed since the version before.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::beside::same_words;
use super::{Rows, Whole, join};
use crate::artifact::markup;
use crate::artifact::outcome::{CarriedFate, FeedbackFate, Inherited, InheritedFate};
use crate::artifact::plan::Plan;
use crate::machine::{DocumentRecord, Lang, State};
use crate::reply::{Document, DocumentKind};

/// What changed since the version before.
#[derive(Serialize)]
pub(super) struct Changes<'a> {
    feedback: Rows<FeedbackRow<'a>>,
    /// What the version before left open.
    inherited: Rows<InheritedRow<'a>>,
    /// Ids of what nobody put in question.
    kept: String,
    /// What was agreed anew in the same words, as `C-2 → C-10`.
    again: String,
    carried: Rows<CarriedRow<'a>>,
    /// One row a kind, of six.
    items: Whole<ItemsRow>,
}

#[derive(Serialize)]
struct FeedbackRow<'a> {
    id: String,
    text: &'a str,
    fate: FeedbackFate,
    /// Issue it was discussed as, with those it went on in.
    issues: String,
    consensus: String,
    withdrew: String,
    reason: Option<&'a str>,
    /// What was agreed in its place, in the words proposed.
    now: String,
    /// The coach's words for what was agreed, where it had others.
    worded: String,
    /// Items that stand as they were and speak of the same in the same words.
    beside: String,
}

#[derive(Serialize)]
struct InheritedRow<'a> {
    id: String,
    title: &'a str,
    fate: InheritedFate,
    /// Issues it went on in.
    issues: String,
    consensus: String,
    reason: Option<&'a str>,
}

#[derive(Serialize)]
struct CarriedRow<'a> {
    id: String,
    text: &'a str,
    fate: CarriedFate,
    now: String,
    feedback: String,
}

/// How the items of one kind changed, by id.
#[derive(Serialize)]
struct ItemsRow {
    /// Prefix of the ids: `AC`, `M`, `DEC`, `W`, `T`, `R`.
    kind: &'static str,
    same: usize,
    changed: String,
    new: String,
    gone: String,
}

/// Characters of a point of feedback where it is named in short.
const POINT: usize = 80;

/// What the revision was asked for, in short, for who reads no further than the top:
/// at most about `limit` words, and empty in a first version.
pub(super) fn asked(state: &State, limit: usize) -> String {
    let (between, stops): (&str, &[char]) = match state.inputs.doc_lang {
        Lang::En => ("; ", &['.', ';']),
        Lang::Zh => ("；", &['。', '；', '.']),
    };
    let points: Vec<String> = state
        .feedback
        .iter()
        .map(|point| {
            let text = markup::one_line(&point.text);
            let text = markup::clip(text.trim_end_matches(stops), POINT);
            format!("{} {text}", point.id)
        })
        .collect();
    markup::first_words(&points.join(between), limit)
}

/// What changed; none in a first version.
pub(super) fn of<'a>(state: &'a State, plan: &'a Plan) -> Option<Changes<'a>> {
    let previous = state.previous.as_ref()?;
    let carried = |fate| plan.carried.iter().filter(move |c| c.fate == fate);
    let flat = |items: Items| -> Vec<(String, Value)> { items.into_values().flatten().collect() };
    let old = flat(collect(previous.documents.values()));
    let new = flat(collect(
        state.documents.values().map(|record| &record.content),
    ));
    let is_told_by_id = |fate| matches!(fate, CarriedFate::Kept | CarriedFate::AgreedAgain);
    Some(Changes {
        feedback: plan
            .feedback
            .iter()
            .map(|point| feedback(state, point, [&old, &new]))
            .collect(),
        inherited: plan.inherited.iter().map(inherited).collect(),
        kept: join(carried(CarriedFate::Kept).map(|c| c.id)),
        again: join(
            carried(CarriedFate::AgreedAgain).map(|c| format!("{} → {}", c.id, join(&c.now))),
        ),
        carried: plan
            .carried
            .iter()
            .filter(|c| !is_told_by_id(c.fate))
            .map(|c| CarriedRow {
                id: c.id.to_string(),
                text: &c.text,
                fate: c.fate,
                now: join(&c.now),
                feedback: join(c.feedback),
            })
            .collect(),
        items: items(&previous.documents, &state.documents),
    })
}

fn feedback<'a>(
    state: &State,
    outcome: &'a crate::artifact::FeedbackOutcome,
    [old, new]: [&[(String, Value)]; 2],
) -> FeedbackRow<'a> {
    let is_changed = matches!(
        outcome.fate,
        FeedbackFate::Changed | FeedbackFate::Superseded
    );
    let beside = match is_changed {
        true => same_words(&outcome.text, old, new),
        false => Vec::new(),
    };
    let items = || outcome.consensus.iter();
    let items = || items().filter_map(|id| state.draft.find(*id));
    let texts: Vec<&str> = items().map(|item| item.text.as_str()).collect();
    let worded: Vec<&str> = items().filter_map(|i| i.wording.as_deref()).collect();
    FeedbackRow {
        id: outcome.id.to_string(),
        text: &outcome.text,
        fate: outcome.fate,
        issues: join(outcome.issue.iter().chain(&outcome.went_on_in)),
        consensus: join(&outcome.consensus),
        withdrew: join(&outcome.withdrew),
        reason: outcome.reason.as_deref(),
        now: texts.join(" / "),
        worded: worded.join(" / "),
        beside: join(beside),
    }
}

fn inherited(outcome: &Inherited) -> InheritedRow<'_> {
    InheritedRow {
        id: outcome.id.to_string(),
        title: &outcome.title,
        fate: outcome.fate,
        issues: join(&outcome.went_on_in),
        consensus: join(&outcome.consensus),
        reason: outcome.reason.as_deref(),
    }
}

/// Items with ids of one version, by prefix.
type Items = BTreeMap<&'static str, Vec<(String, Value)>>;

const KINDS: [&str; 6] = ["AC", "M", "DEC", "W", "T", "R"];

fn items(
    before: &BTreeMap<DocumentKind, Document>,
    after: &BTreeMap<DocumentKind, DocumentRecord>,
) -> Whole<ItemsRow> {
    let old = collect(before.values());
    let new = collect(after.values().map(|record| &record.content));
    let none = Vec::new();
    KINDS
        .into_iter()
        .map(|kind| {
            let (old, new) = (
                old.get(kind).unwrap_or(&none),
                new.get(kind).unwrap_or(&none),
            );
            let find = |id: &str| old.iter().find(|(other, _)| other == id);
            let is_new = |id: &str| find(id).is_none();
            let same = new
                .iter()
                .filter(|item| find(&item.0) == Some(item))
                .count();
            let changed = new
                .iter()
                .filter(|item| find(&item.0).is_some_and(|old| old != *item));
            let gone = old
                .iter()
                .filter(|(id, _)| new.iter().all(|(n, _)| n != id));
            ItemsRow {
                kind,
                same,
                changed: join(changed.map(|(id, _)| id)),
                new: join(new.iter().filter(|(id, _)| is_new(id)).map(|(id, _)| id)),
                gone: join(gone.map(|(id, _)| id)),
            }
        })
        .filter(|row| {
            row.same > 0 || !(row.changed.is_empty() && row.new.is_empty() && row.gone.is_empty())
        })
        .collect()
}

fn collect<'a>(documents: impl Iterator<Item = &'a Document>) -> Items {
    let mut items = Items::new();
    let values = documents.filter_map(|document| serde_json::to_value(document).ok());
    let arrays = values.filter_map(|value| match value {
        Value::Object(map) => Some(map.into_iter().map(|(_, value)| value)),
        _ => None,
    });
    for value in arrays.flatten() {
        let Value::Array(list) = value else { continue };
        for mut item in list {
            let Some(id) = item.get("id").and_then(Value::as_str).map(str::to_owned) else {
                continue;
            };
            let prefix = id.split('-').next().unwrap_or_default();
            if let Some(kind) = KINDS.into_iter().find(|kind| *kind == prefix) {
                // Names the ancestor; it is no content.
                if let Some(map) = item.as_object_mut() {
                    map.remove("same_as");
                }
                items.entry(kind).or_default().push((id, item));
            }
        }
    }
    items
}
