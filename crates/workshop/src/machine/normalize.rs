//! Normalizes a document reply: assigns the engine's ids and corrects references.
//!
//! Models number as they like, cite things that do not exist, and write `AC1` for `AC-1`. That must
//! not stop a run: what can be understood is corrected, the rest is left out with a [`Note`]. The
//! result of [`normalize_document`] always passes [`check_document`]. `docs/design/ids.md` has the
//! reasons.

pub(super) mod accounts;
mod invariants;
mod items;
mod names;
mod order;
mod report;
mod spelling;
mod substance;
mod texts;

use std::collections::{BTreeMap, BTreeSet};

pub use invariants::{check_document, dangling_references};
pub use items::{DocumentItem, DocumentReference, document_items, item_values, references};
pub(super) use report::put_back as report_put_back;
pub use report::{normalize_report, untold};
pub use spelling::{ID_PREFIXES, REQUIREMENT, canonical_id, repository_path, split_id};
pub(super) use substance::lacks_substance;
pub use texts::TextNames;

use super::{Counters, Note, State};
use crate::fault::recorded;
use crate::reply::{Change, Document, DocumentKind, FileImpact, Referent, entry_name};
use items::IdentifiedItem;
use names::Names;
use spelling::quoted;

/// Assigns ids to the items of a document reply and removes references without a target.
///
/// `same_as` keeps the previous version's id; everything else gets numbers after the largest one
/// ever assigned. References are mapped to ids; order and critical path are computed. The notes say
/// what was changed or left out.
pub fn normalize_document(state: &State, mut document: Document) -> (Document, Vec<Note>) {
    let mut normalization = Normalization {
        state,
        counters: state.run.counters.clone(),
        floor: state.run.counters.clone(),
        own: BTreeMap::new(),
        notes: Vec::new(),
    };
    normalization.give_ids(&mut document);
    let mut known = std::mem::take(&mut normalization.own);
    document.each_reference(|about, (field, target), list| {
        let known = known
            .entry(target)
            .or_insert_with(|| Names::of(state, target));
        normalization.refer(list, known, about, field);
    });
    normalization.complete(&mut document);
    let names = TextNames::of(state);
    let document = spelling::with_sentences(document, &|text| names.told(text));
    (document, normalization.notes)
}

/// Returns whether a note says that a reference has no target.
pub fn is_dangling(note: &Note) -> bool {
    note.text.ends_with(LEADS_NOWHERE)
}

/// Raises the counters to the largest numbers a document uses.
pub fn advance_counters(counters: &mut Counters, document: &Document) {
    for item in document_items(document) {
        counters.reach(item.id);
    }
}

/// The end of the note on a reference without a target.
const LEADS_NOWHERE: &str = " does not exist; left out";

/// How far a writer may number ahead of the numbers assigned so far.
const MOST_AHEAD: u32 = 500;

struct Normalization<'a> {
    state: &'a State,
    counters: Counters,
    /// The numbers assigned before this document.
    floor: Counters,
    /// The names of the document's own items, for references inside it.
    own: BTreeMap<Referent, Names>,
    notes: Vec<Note>,
}

impl Normalization<'_> {
    /// Removes empty entries, and assigns ids to the remaining items.
    fn give_ids(&mut self, document: &mut Document) {
        let kind = document.kind();
        match document {
            Document::ProductPlan(plan) => {
                self.items(&mut plan.criteria, kind, "criteria");
                self.keep(&mut plan.scope, "scope", |item| &item.text);
                self.keep(&mut plan.non_goals, "non_goals", |item| &item.text);
            }
            Document::SystemDesign(design) => {
                let modules = self.items(&mut design.modules, kind, "modules");
                self.own.insert(Referent::Modules, modules);
                self.items(&mut design.decisions, kind, "decisions");
                for item in &mut design.decisions {
                    self.keep(&mut item.rejected, "rejected", |option| &option.option);
                }
                self.file_impacts(&mut design.file_impacts);
                if let Some(diagram) = &mut design.diagram {
                    self.keep(&mut diagram.arrows, "arrows", |arrow| &arrow.source);
                    self.keep(&mut diagram.arrows, "arrows", |arrow| &arrow.target);
                }
                design.diagram.take_if(|diagram| diagram.arrows.is_empty());
            }
            Document::DevPlan(plan) => {
                let work = self.items(&mut plan.work, kind, "work");
                self.own.insert(Referent::Work, work);
                let debts = &mut plan.technical_debt;
                self.keep(debts, "technical_debt", |debt| &debt.text);
            }
            Document::TestPlan(plan) => {
                self.items(&mut plan.cases, kind, "cases");
                let targets = &mut plan.coverage_targets;
                self.keep(targets, "coverage_targets", |target| &target.area);
                self.keep(&mut plan.data, "data", |text| text);
                self.keep(&mut plan.environments, "environments", |text| text);
            }
            Document::RiskAssessment(risks) => {
                self.items(&mut risks.risks, kind, "risks");
                let dependencies = &mut risks.dependencies;
                self.keep(dependencies, "dependencies", |item| &item.name);
                self.keep(&mut risks.assumptions, "assumptions", |item| &item.text);
            }
        }
    }

    /// Computes what follows from the references, and notes missing texts that only the writer can
    /// provide.
    fn complete(&mut self, document: &mut Document) {
        let (text, field) = match document {
            Document::ProductPlan(plan) => (&plan.understanding, "understanding"),
            Document::SystemDesign(design) => (&design.architecture, "architecture"),
            Document::DevPlan(plan) => {
                for (id, dependency) in order::cut_cycles(&mut plan.work) {
                    let text = format!("`depends_on`: `{dependency}` closes a cycle; left out");
                    self.note(&id, text);
                }
                plan.order = order::topological(&plan.work);
                plan.critical_path = order::critical_path(&plan.work);
                (&plan.feasibility, "feasibility")
            }
            Document::TestPlan(plan) => (&plan.strategy, "strategy"),
            Document::RiskAssessment(_) => return,
        };
        if text.trim().is_empty() {
            self.note(field, "the text is empty".to_owned());
        }
        let Document::ProductPlan(plan) = document else {
            return;
        };
        for item in &plan.criteria {
            for (text, field) in [(&item.given, "given"), (&item.when, "when")] {
                if text.trim().is_empty() {
                    self.note(&item.id, format!("`{field}` is empty"));
                }
            }
        }
    }

    /// Removes empty items, assigns ids to the others, and returns their local keys.
    fn items<T: IdentifiedItem>(
        &mut self,
        items: &mut Vec<T>,
        kind: DocumentKind,
        list: &str,
    ) -> Names {
        let previous = Names::previous::<T>(self.state, kind);
        let (mut taken, mut keys) = (BTreeSet::new(), BTreeSet::new());
        let mut own = Names::default();
        for (i, mut item) in std::mem::take(items).into_iter().enumerate() {
            if let Some(field) = item.missing() {
                self.note(
                    &entry_name(list, i),
                    format!("`{field}` says nothing; left out"),
                );
                continue;
            }
            let continued = item.same_as().map(str::to_owned).and_then(|wanted| {
                self.continued(&wanted, &previous, &taken, &entry_name(list, i))
            });
            let key = item.id().trim().to_owned();
            let given = || self.own_id::<T>(&key, kind, &taken);
            let id = match continued.clone().or_else(given) {
                Some(id) => id,
                None => self.counters.next_document(T::PREFIX),
            };
            self.counters.reach(&id);
            taken.insert(id.clone());
            if !key.is_empty() && !keys.insert(key.clone()) {
                let key = quoted(&key);
                let text = format!("the key {key} appears twice; references to it mean the first");
                self.note(&id, text);
            }
            own.add_local(&key, &id, continued.is_some());
            item.name(id, continued);
            items.push(item);
        }
        own
    }

    /// Returns the id that the writer itself gave an item, if valid: a number not used before this
    /// document, or the item's id in the document that is being rewritten.
    fn own_id<T: IdentifiedItem>(
        &self,
        key: &str,
        kind: DocumentKind,
        taken: &BTreeSet<String>,
    ) -> Option<String> {
        let (prefix, number) = split_id(key)?;
        let given = self.floor.documents.get(prefix).copied().unwrap_or(0);
        let is_new = number > given && number <= given + MOST_AHEAD;
        let written = self.state.documents.written.get(&kind);
        let stands = || {
            let written = written.map(|record| document_items(&record.content));
            written.into_iter().flatten().any(|item| item.id == key)
        };
        (prefix == T::PREFIX && !taken.contains(key) && (is_new || stands()))
            .then(|| key.to_owned())
    }

    /// Returns the previous version's id that `wanted` means, unless another item already has it.
    fn continued(
        &mut self,
        wanted: &str,
        previous: &Names,
        taken: &BTreeSet<String>,
        about: &str,
    ) -> Option<String> {
        if is_nothing(wanted) {
            return None;
        }
        let (found, _) = previous.resolve(wanted);
        let [id] = found.as_slice() else {
            let text = format!(
                "`same_as`: {} is no item of the previous version; taken as new",
                quoted(wanted)
            );
            self.note(about, text);
            return None;
        };
        if taken.contains(id) {
            let text = format!("`same_as`: `{id}` is continued by an earlier item; taken as new");
            self.note(about, text);
            return None;
        }
        Some(id.clone())
    }

    /// Maps references to ids, each once; references without a target are removed.
    fn refer(&mut self, list: &mut Vec<String>, known: &Names, about: &str, field: &str) {
        let mut ids: Vec<String> = Vec::with_capacity(list.len());
        for text in list.drain(..).filter(|text| !is_nothing(text)) {
            let (found, lost) = known.resolve(&text);
            for id in found {
                if !ids.contains(&id) {
                    ids.push(id);
                }
            }
            for name in lost {
                let name = quoted(&name);
                self.note(about, format!("`{field}`: {name}{LEADS_NOWHERE}"));
            }
        }
        *list = ids;
    }

    /// Removes files whose paths cannot be in the repository.
    fn file_impacts(&mut self, impacts: &mut Vec<FileImpact>) {
        for (i, mut impact) in std::mem::take(impacts).into_iter().enumerate() {
            match repository_path(&impact.path) {
                Ok(path) => {
                    impact.path = path;
                    self.rename(&mut impact);
                    impacts.push(impact);
                }
                Err(why) => {
                    let text = format!("{why}: {}; left out", quoted(&impact.path));
                    self.note(&entry_name("file_impacts", i), text);
                }
            }
        }
    }

    /// Keeps a new path only for a renamed file; a rename without one becomes a modification.
    fn rename(&mut self, impact: &mut FileImpact) {
        let to = impact.to.take().filter(|to| !is_nothing(to));
        let to = to.and_then(|to| repository_path(&to).ok());
        let to = to.filter(|to| *to != impact.path);
        match (impact.change, to) {
            (Change::Rename, Some(to)) => impact.to = Some(to),
            (Change::Rename, None) => {
                impact.change = Change::Modify;
                let text = "`to` names no other path; taken as `modify`".to_owned();
                self.note(&impact.path, text);
            }
            (_, Some(to)) => {
                let text = format!("`to` is for `rename` alone: {}; left out", quoted(&to));
                self.note(&impact.path, text);
            }
            (_, None) => {}
        }
    }

    /// Removes entries whose text is empty.
    fn keep<T>(&mut self, list: &mut Vec<T>, name: &str, text: fn(&T) -> &String) {
        let mut index = 0;
        list.retain(|entry| {
            let filled = !text(entry).trim().is_empty();
            if !filled {
                self.note(
                    &entry_name(name, index),
                    "the text is empty; left out".to_owned(),
                );
            }
            index += 1;
            filled
        });
    }

    fn note(&mut self, about: &str, text: String) {
        debug_assert!(recorded::is_known(&text), "no Chinese for `{text}`");
        self.notes.push(Note::new(about, text));
    }
}

/// Returns whether a text is one of the ways in which models write "nothing".
pub(in crate::machine) fn is_nothing(text: &str) -> bool {
    let text = text.trim();
    ["", "null", "none", "n/a", "-", "无", "没有"]
        .iter()
        .any(|nothing| text.eq_ignore_ascii_case(nothing))
}
