//! The names something may be called by, and what they mean.

use std::collections::BTreeMap;

use super::items::{Item, Target, document_items};
use super::spelling::{REQUIREMENT, canonical_id};
use crate::machine::{IssueStatus, QuestionStatus, State};
use crate::reply::{Document, DocumentKind};

/// Names and the ids they mean.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Keys that a writer gave its own items, letter for letter.
    keys: BTreeMap<String, String>,
    /// Ids in the engine's spelling, and the issues that others were merged into.
    ids: BTreeMap<String, Vec<String>>,
}

impl Names {
    /// What a reference of that kind may point to; nothing for references inside a document.
    pub(super) fn of(state: &State, target: Target) -> Self {
        let mut known = Self::default();
        match target {
            Target::Criteria => known.add_document(state, DocumentKind::ProductPlan),
            Target::Affected => {
                known.add_agreed(state);
                known.add_document(state, DocumentKind::ProductPlan);
                known.add_document(state, DocumentKind::SystemDesign);
            }
            Target::Sources => known.add_sources(state),
            Target::Assumptions => known.add_assumptions(state),
            Target::Modules | Target::Work => {}
        }
        known
    }

    /// Items of one prefix in the previous version's document.
    pub(super) fn previous<T: Item>(state: &State, kind: DocumentKind) -> Self {
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

    /// Enters an id.
    pub(super) fn add(&mut self, id: &str) {
        self.ids.insert(id.to_owned(), vec![id.to_owned()]);
    }

    /// Enters an item of the document that is being adopted; earlier ones win.
    ///
    /// A new id is not a name: nobody can have known it, and the same letters
    /// may be another item's key.
    pub(super) fn add_local(&mut self, key: &str, id: &str, continued: bool) {
        if continued {
            self.add(id);
        }
        if !key.is_empty() {
            let ids = self.keys.entry(key.to_owned());
            ids.or_insert_with(|| id.to_owned());
        }
    }

    /// Returns whether it is one of the ids, in the engine's spelling.
    pub(super) fn holds(&self, id: &str) -> bool {
        self.ids.contains_key(id)
    }

    /// The ids a text means, and the parts of it that mean nothing.
    ///
    /// Several names in one text (`AC-1, AC-2`) are taken apart, unless the
    /// whole is a key or an id with its title behind it (`AC-1: saved, then sent`).
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

    fn add_sources(&mut self, state: &State) {
        self.add(REQUIREMENT);
        self.add_agreed(state);
        for item in &state.task.feedback {
            self.add(&item.id.to_string());
        }
        let inherited = state.task.previous.iter().flat_map(|p| &p.questions);
        for question in state.questions.asked.iter().chain(inherited) {
            if matches!(question.status, QuestionStatus::Closed { .. }) {
                self.add(&question.id.to_string());
            }
        }
        for evidence in &state.grounding.evidence {
            self.add(&evidence.id.to_string());
        }
        for trial in &state.grounding.trials.all {
            self.add(&trial.id.to_string());
        }
        self.add_assumptions(state);
        self.add_settled_issues(state);
    }

    fn add_agreed(&mut self, state: &State) {
        for item in state.draft.standing() {
            self.add(&item.id.to_string());
        }
    }

    fn add_assumptions(&mut self, state: &State) {
        let inherited = state.task.previous.iter().flat_map(|p| &p.assumptions);
        for assumption in state.questions.assumptions.iter().chain(inherited) {
            self.add(&assumption.id.to_string());
        }
    }

    /// A citation of a settled issue means the item that settled it.
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

/// The pieces of a text that may be a name each.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ';', '/', '&', '+', '，', '；', '、', '和'])
        .flat_map(|part| part.split(" and "))
        .map(str::trim)
        .filter(|part| !part.is_empty())
}
