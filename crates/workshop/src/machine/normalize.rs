//! A document reply becomes a document: engine ids, references put right.
//!
//! Models number as they like, cite what is not there, and write `AC1` for
//! `AC-1`. Nothing of that stops a run: what can be understood is put right,
//! what cannot is left out, and a [`Note`] says so. What comes out of
//! [`normalize_document`] always passes [`check_document`]. `docs/design/ids.md` has the
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

use std::collections::BTreeSet;

pub use invariants::{check_document, dangling_references};
pub use items::{DocumentItem, Reference, Target, document_items, item_values, references};
pub(super) use report::put_back as report_put_back;
pub use report::{normalize_report, untold};
pub use spelling::{ID_PREFIXES, REQUIREMENT, canonical_id, repository_path, split_id};
pub(super) use substance::lacks_substance;
pub use texts::TextNames;

use super::{Counters, Note, State};
use crate::fault::recorded;
use crate::reply::{
    Change, DevPlan, Document, DocumentKind, FileImpact, ProductPlan, RiskAssessment, SystemDesign,
    TestPlan,
};
use items::{Item, place};
use names::Names;
use spelling::quoted;

/// Gives the items of a document reply their ids and leaves out what points nowhere.
///
/// `same_as` keeps the previous version's id; everything else is numbered on
/// from the largest number ever given. References are mapped to ids; order
/// and critical path are computed. The notes say what was changed or left out.
pub fn normalize_document(state: &State, document: Document) -> (Document, Vec<Note>) {
    let mut normalization = Normalization {
        state,
        counters: next_numbers(state),
        floor: next_numbers(state),
        notes: Vec::new(),
    };
    let document = match document {
        Document::ProductPlan(plan) => Document::ProductPlan(normalization.product_plan(plan)),
        Document::SystemDesign(design) => {
            Document::SystemDesign(normalization.system_design(design))
        }
        Document::DevPlan(plan) => Document::DevPlan(normalization.dev_plan(plan)),
        Document::TestPlan(plan) => Document::TestPlan(normalization.test_plan(plan)),
        Document::RiskAssessment(risks) => Document::RiskAssessment(normalization.risks(risks)),
    };
    let names = TextNames::of(state);
    let document = spelling::with_sentences(document, &|text| names.told(text));
    (document, normalization.notes)
}

/// Returns whether a note says that a key of the document itself leads nowhere.
pub(super) fn is_dangling(note: &Note) -> bool {
    let own = ["`depends_on`", "`modules`"];
    note.text.ends_with(LEADS_NOWHERE) && own.iter().any(|field| note.text.starts_with(field))
}

/// Raises the counters to the largest numbers a document uses.
pub fn advance_counters(counters: &mut Counters, document: &Document) {
    for item in document_items(document) {
        counters.reach(item.id);
    }
}

/// The counters no new id may stay below: the state's, its ancestors', and
/// what the previous documents use.
pub fn next_numbers(state: &State) -> Counters {
    let mut counters = state.run.counters.clone();
    let Some(previous) = &state.task.previous else {
        return counters;
    };
    for (prefix, number) in &previous.counters.documents {
        let last = counters.documents.entry(prefix.clone()).or_default();
        *last = (*number).max(*last);
    }
    for document in previous.documents.values() {
        advance_counters(&mut counters, document);
    }
    counters
}

/// How the note on a reference ends that leads nowhere.
const LEADS_NOWHERE: &str = " does not exist; left out";

/// How far a writer may number ahead of what was given so far.
const MOST_AHEAD: u32 = 500;

struct Normalization<'a> {
    state: &'a State,
    counters: Counters,
    /// The numbers that were given before this document.
    floor: Counters,
    notes: Vec<Note>,
}

impl Normalization<'_> {
    fn product_plan(&mut self, mut plan: ProductPlan) -> ProductPlan {
        (plan.criteria, _) = self.items(plan.criteria, DocumentKind::ProductPlan, "criteria");
        self.keep(&mut plan.scope, "scope", |item| &item.text);
        self.keep(&mut plan.non_goals, "non_goals", |item| &item.text);
        let sources = Names::of(self.state, Target::Sources);
        for (i, item) in plan.scope.iter_mut().enumerate() {
            self.refer(&mut item.from, &sources, &place("scope", i), "from");
        }
        for item in &mut plan.criteria {
            self.refer(&mut item.from, &sources, &item.id, "from");
        }
        self.tell_empty(&plan.understanding, "understanding");
        for item in &plan.criteria {
            for (text, field) in [(&item.given, "given"), (&item.when, "when")] {
                if text.trim().is_empty() {
                    self.note(&item.id, format!("`{field}` is empty"));
                }
            }
        }
        plan
    }

    fn system_design(&mut self, mut design: SystemDesign) -> SystemDesign {
        let kind = DocumentKind::SystemDesign;
        let modules;
        (design.modules, modules) = self.items(design.modules, kind, "modules");
        (design.decisions, _) = self.items(design.decisions, kind, "decisions");
        let criteria = Names::of(self.state, Target::Criteria);
        for item in &mut design.modules {
            self.refer(&mut item.covers, &criteria, &item.id, "covers");
        }
        let sources = Names::of(self.state, Target::Sources);
        for item in &mut design.decisions {
            self.refer(&mut item.from, &sources, &item.id, "from");
            self.keep(&mut item.rejected, "rejected", |option| &option.option);
        }
        design.file_impacts = self.file_impacts(design.file_impacts, &modules);
        if let Some(diagram) = &mut design.diagram {
            self.keep(&mut diagram.arrows, "arrows", |arrow| &arrow.source);
            self.keep(&mut diagram.arrows, "arrows", |arrow| &arrow.target);
        }
        design.diagram.take_if(|diagram| diagram.arrows.is_empty());
        self.tell_empty(&design.architecture, "architecture");
        design
    }

    fn dev_plan(&mut self, mut plan: DevPlan) -> DevPlan {
        let own;
        (plan.work, own) = self.items(plan.work, DocumentKind::DevPlan, "work");
        self.keep(&mut plan.technical_debt, "technical_debt", |debt| {
            &debt.text
        });
        let criteria = Names::of(self.state, Target::Criteria);
        for item in &mut plan.work {
            self.refer(&mut item.covers, &criteria, &item.id, "covers");
            self.refer(&mut item.depends_on, &own, &item.id, "depends_on");
        }
        for (id, dependency) in order::cut_cycles(&mut plan.work) {
            let text = format!("`depends_on`: `{dependency}` closes a cycle; left out");
            self.note(&id, text);
        }
        self.tell_empty(&plan.feasibility, "feasibility");
        plan.order = order::topological(&plan.work);
        plan.critical_path = order::critical_path(&plan.work);
        plan
    }

    fn test_plan(&mut self, mut plan: TestPlan) -> TestPlan {
        (plan.cases, _) = self.items(plan.cases, DocumentKind::TestPlan, "cases");
        let criteria = Names::of(self.state, Target::Criteria);
        for item in &mut plan.cases {
            self.refer(&mut item.covers, &criteria, &item.id, "covers");
        }
        let targets = &mut plan.coverage_targets;
        self.keep(targets, "coverage_targets", |target| &target.area);
        self.keep(&mut plan.data, "data", |text| text);
        self.keep(&mut plan.environments, "environments", |text| text);
        self.tell_empty(&plan.strategy, "strategy");
        plan
    }

    fn risks(&mut self, mut assessment: RiskAssessment) -> RiskAssessment {
        let kind = DocumentKind::RiskAssessment;
        (assessment.risks, _) = self.items(assessment.risks, kind, "risks");
        let affected = Names::of(self.state, Target::Affected);
        for item in &mut assessment.risks {
            self.refer(&mut item.affects, &affected, &item.id, "affects");
        }
        self.keep(&mut assessment.dependencies, "dependencies", |item| {
            &item.name
        });
        self.keep(&mut assessment.assumptions, "assumptions", |item| {
            &item.text
        });
        let known = Names::of(self.state, Target::Assumptions);
        for (i, item) in assessment.assumptions.iter_mut().enumerate() {
            let mut from: Vec<String> = item.from.take().into_iter().collect();
            self.refer(&mut from, &known, &place("assumptions", i), "from");
            item.from = from.into_iter().next();
        }
        assessment
    }

    /// Leaves out empty items, gives ids to the others, and learns their local keys.
    fn items<T: Item>(&mut self, items: Vec<T>, kind: DocumentKind, list: &str) -> (Vec<T>, Names) {
        let previous = Names::previous::<T>(self.state, kind);
        let (mut taken, mut keys) = (BTreeSet::new(), BTreeSet::new());
        let (mut kept, mut own) = (Vec::with_capacity(items.len()), Names::default());
        for (i, mut item) in items.into_iter().enumerate() {
            if let Some(field) = item.missing() {
                self.note(&place(list, i), format!("`{field}` says nothing; left out"));
                continue;
            }
            let continued = item
                .same_as()
                .map(str::to_owned)
                .and_then(|wanted| self.continued(&wanted, &previous, &taken, &place(list, i)));
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
            kept.push(item);
        }
        (kept, own)
    }

    /// The id that the writer itself gave an item: a number that nothing had before this
    /// document, or the one it has in the document that is written anew.
    fn own_id<T: Item>(
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

    /// The previous version's id that `wanted` means, unless another item has it already.
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

    /// Maps references to ids, each once; what means nothing is left out.
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

    fn file_impacts(&mut self, impacts: Vec<FileImpact>, modules: &Names) -> Vec<FileImpact> {
        let mut kept = Vec::with_capacity(impacts.len());
        for (i, mut impact) in impacts.into_iter().enumerate() {
            match repository_path(&impact.path) {
                Ok(path) => {
                    impact.path = path;
                    self.rename(&mut impact);
                    self.refer(&mut impact.modules, modules, &impact.path, "modules");
                    kept.push(impact);
                }
                Err(why) => {
                    let text = format!("{why}: {}; left out", quoted(&impact.path));
                    self.note(&place("file_impacts", i), text);
                }
            }
        }
        kept
    }

    /// Only a file that is renamed has a new path, and one without it stays where it is.
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

    /// Leaves out entries whose text is empty.
    fn keep<T>(&mut self, list: &mut Vec<T>, name: &str, text: fn(&T) -> &String) {
        let mut index = 0;
        list.retain(|entry| {
            let filled = !text(entry).trim().is_empty();
            if !filled {
                self.note(
                    &place(name, index),
                    "the text is empty; left out".to_owned(),
                );
            }
            index += 1;
            filled
        });
    }

    /// A text without which a document says less than it should; nobody else can write it.
    fn tell_empty(&mut self, text: &str, field: &str) {
        if text.trim().is_empty() {
            self.note(field, "the text is empty".to_owned());
        }
    }

    fn note(&mut self, about: &str, text: String) {
        debug_assert!(recorded::is_known(&text), "no Chinese for `{text}`");
        self.notes.push(Note::new(about, text));
    }
}

/// Ways in which models write that there is nothing.
pub(in crate::machine) fn is_nothing(text: &str) -> bool {
    let text = text.trim();
    ["", "null", "none", "n/a", "-", "无", "没有"]
        .iter()
        .any(|nothing| text.eq_ignore_ascii_case(nothing))
}
