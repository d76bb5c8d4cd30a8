//! Names used in references, and the ids they resolve to.

use std::collections::BTreeMap;

use super::items::{IdentifiedItem, document_items};
use super::spelling::{REQUIREMENT, canonical_id};
use crate::machine::{IssueStatus, State};
use crate::reply::Referent;
use crate::reply::{Document, DocumentKind};

/// Names and the ids they resolve to.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Keys that a writer gave its own items; matched exactly.
    keys: BTreeMap<String, String>,
    /// Ids in the engine's spelling; the id of a merged issue resolves to the issue it was merged
    /// into.
    ids: BTreeMap<String, Vec<String>>,
}

impl Names {
    /// Returns the names that a reference of this kind may use; none for references inside a
    /// document.
    pub(super) fn of(state: &State, target: Referent) -> Self {
        let mut known = Self::default();
        match target {
            Referent::Criteria => known.add_document(state, DocumentKind::ProductPlan),
            Referent::Affected => {
                known.add_all(state.draft.standing().map(|item| item.id.to_string()));
                known.add_document(state, DocumentKind::ProductPlan);
                known.add_document(state, DocumentKind::SystemDesign);
            }
            Referent::Sources => {
                known.add(REQUIREMENT);
                known.add_all(state.sources());
                known.add_settled_issues(state);
            }
            Referent::Assumptions => known.add_all(state.assumed().map(|it| it.id.to_string())),
            Referent::Modules | Referent::Work => {}
        }
        known
    }

    /// Returns the items of one prefix in the previous version's document.
    pub(super) fn previous<T: IdentifiedItem>(state: &State, kind: DocumentKind) -> Self {
        let mut known = Self::default();
        let document = state
            .task
            .previous
            .as_ref()
            .and_then(|p| p.documents.get(&kind));
        for item in document.map(document_items).unwrap_or_default() {
            if item.prefix == T::PREFIX {
                known.add(item.id);
            }
        }
        known
    }

    pub(super) fn add(&mut self, id: &str) {
        self.ids.insert(id.to_owned(), vec![id.to_owned()]);
    }

    /// Adds an item of the document that is being normalized; the first item with a key wins.
    ///
    /// A new id is not added as a name: the writer could not know it, and the same letters may be
    /// another item's key.
    pub(super) fn add_local(&mut self, key: &str, id: &str, continued: bool) {
        if continued {
            self.add(id);
        }
        if !key.is_empty() {
            let ids = self.keys.entry(key.to_owned());
            ids.or_insert_with(|| id.to_owned());
        }
    }

    /// Returns whether `id`, in the engine's spelling, is one of the ids.
    pub(super) fn holds(&self, id: &str) -> bool {
        self.ids.contains_key(id)
    }

    /// Resolves a text into ids, and returns the parts of it that are unknown.
    ///
    /// Several names in one text (`AC-1, AC-2`) are split, unless the whole text is a key or an id
    /// followed by its title (`AC-1: saved, then sent`).
    pub(super) fn resolve(&self, text: &str) -> (Vec<String>, Vec<String>) {
        if let Some(id) = self.keys.get(text.trim()) {
            return (vec![id.clone()], Vec::new());
        }
        let (mut found, mut lost) = (Vec::new(), Vec::new());
        for part in parts(text) {
            match (self.keys.get(part), self.of_id(part)) {
                (Some(id), _) => found.push(id.clone()),
                (None, Some(ids)) => found.extend_from_slice(ids),
                (None, None) => lost.push(part.to_owned()),
            }
        }
        if !lost.iter().any(|part| canonical_id(part).is_some())
            && !lost.is_empty()
            && let Some(ids) = self.of_id(text)
        {
            return (ids.to_vec(), Vec::new());
        }
        if found.is_empty() {
            lost = vec![text.trim().to_owned()];
        }
        (found, lost)
    }

    fn of_id(&self, text: &str) -> Option<&[String]> {
        self.ids.get(&canonical_id(text)?).map(Vec::as_slice)
    }

    fn add_document(&mut self, state: &State, kind: DocumentKind) {
        let document: Option<&Document> = state
            .documents
            .written
            .get(&kind)
            .map(|record| &record.content);
        for item in document.map(document_items).unwrap_or_default() {
            self.add(item.id);
        }
    }

    fn add_all(&mut self, ids: impl IntoIterator<Item = String>) {
        for id in ids {
            self.add(&id);
        }
    }

    /// Makes a reference to a settled issue resolve to the item that settled it.
    fn add_settled_issues(&mut self, state: &State) {
        for issue in state.ledger.iter() {
            let IssueStatus::Settled { by } = &issue.status else {
                continue;
            };
            let standing: Vec<String> = by
                .iter()
                .map(ToString::to_string)
                .filter(|id| self.holds(id))
                .collect();
            if !standing.is_empty() {
                self.ids.insert(issue.id.to_string(), standing);
            }
        }
    }
}

/// Splits a text into pieces that may each be a name.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ';', '/', '&', '+', '，', '；', '、', '和'])
        .flat_map(|part| part.split(" and "))
        .map(str::trim)
        .filter(|part| !part.is_empty())
}
