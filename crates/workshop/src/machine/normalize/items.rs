//! What the six kinds of document items have in common, and what they refer to.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::reply::{Criterion, DesignDecision, Document, Module, Risk, TestCase, WorkItem};

/// An item that carries an id of the engine.
pub(super) trait Item {
    /// Prefix of its ids.
    const PREFIX: &'static str;
    /// Local key in a reply, the engine's id afterwards.
    fn id(&self) -> &str;
    /// Id in the previous version.
    fn same_as(&self) -> Option<&str>;
    /// Sets both.
    fn name(&mut self, id: String, same_as: Option<String>);
    /// The words it is known by.
    fn title(&self) -> &str;
    /// The first field without which it says nothing, if that is empty.
    fn missing(&self) -> Option<&'static str>;
}

macro_rules! items {
    ($($type:ident $prefix:literal $title:ident $missing:expr;)*) => {$(
        impl Item for $type {
            const PREFIX: &'static str = $prefix;

            fn id(&self) -> &str {
                &self.id
            }

            fn same_as(&self) -> Option<&str> {
                self.same_as.as_deref()
            }

            fn name(&mut self, id: String, same_as: Option<String>) {
                (self.id, self.same_as) = (id, same_as);
            }

            fn title(&self) -> &str {
                &self.$title
            }

            fn missing(&self) -> Option<&'static str> {
                let missing: fn(&Self) -> Option<&'static str> = $missing;
                missing(self)
            }
        }
    )*};
}

/// Words that hold a place until somebody writes there. `Todo` is none: it is a thing people
/// build.
const PLACEHOLDERS: [&str; 20] = [
    "tbd",
    "tba",
    "tbc",
    "n/a",
    "none",
    "null",
    "nil",
    "undefined",
    "placeholder",
    "fixme",
    "to be decided",
    "to be defined",
    "to be determined",
    "to be done",
    "待定",
    "待补充",
    "待确定",
    "待完善",
    "暂无",
    "略",
];

/// Returns whether a text says nothing: it holds only dashes, dots and placeholders.
fn empty(text: &str) -> bool {
    let words = text.trim_matches(|c: char| !c.is_alphanumeric());
    words.is_empty() || words == "TODO" || PLACEHOLDERS.contains(&words.to_lowercase().as_str())
}

items! {
    // A criterion without `then` says little, but it says something: `check` warns.
    Criterion "AC" then |i| (empty(&i.then) && empty(&i.when)).then_some("then");
    Module "M" name |i| empty(&i.name).then_some("name");
    DesignDecision "DEC" title |i| match (empty(&i.title), empty(&i.choice)) {
        (true, _) => Some("title"),
        (_, true) => Some("choice"),
        _ => None,
    };
    WorkItem "W" title |i| empty(&i.title).then_some("title");
    TestCase "T" title |i| empty(&i.title).then_some("title");
    Risk "R" title |i| empty(&i.title).then_some("title");
}

/// One item of a document, as far as ids are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DocumentItem<'a> {
    /// Prefix of ids of its kind, such as `AC`.
    pub prefix: &'static str,
    /// Its id.
    pub id: &'a str,
    /// Id in the previous version it continues.
    pub same_as: Option<&'a str>,
    /// The words it is known by.
    pub title: &'a str,
}

/// The items of a document that carry ids, in order of appearance.
pub fn document_items(document: &Document) -> Vec<DocumentItem<'_>> {
    fn listed<T: Item>(items: &[T]) -> impl Iterator<Item = DocumentItem<'_>> {
        items.iter().map(|item| DocumentItem {
            prefix: T::PREFIX,
            id: item.id(),
            same_as: item.same_as(),
            title: item.title(),
        })
    }
    match document {
        Document::ProductPlan(plan) => listed(&plan.criteria).collect(),
        Document::SystemDesign(design) => listed(&design.modules)
            .chain(listed(&design.decisions))
            .collect(),
        Document::DevPlan(plan) => listed(&plan.work).collect(),
        Document::TestPlan(plan) => listed(&plan.cases).collect(),
        Document::RiskAssessment(assessment) => listed(&assessment.risks).collect(),
    }
}

/// What a document says of each of its items, by id, and of each file, by path; whose ancestor
/// an item is, is no content.
pub fn item_values(document: &Document) -> BTreeMap<String, Value> {
    let Ok(Value::Object(fields)) = serde_json::to_value(document) else {
        return BTreeMap::new();
    };
    let lists = fields.into_iter().filter_map(|(_, field)| match field {
        Value::Array(list) => Some(list),
        _ => None,
    });
    let items = lists.flatten().filter_map(|mut item| {
        let name = item.get("id").or_else(|| item.get("path"))?;
        let name = name.as_str()?.to_owned();
        item.as_object_mut()?.remove("same_as");
        Some((name, item))
    });
    items.collect()
}

/// What a reference may point to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// Criteria of the product plan.
    Criteria,
    /// Standing consensus items, assumptions, closed questions, feedback, the requirement.
    Sources,
    /// Standing consensus items, criteria, modules and decisions.
    Affected,
    /// Assumptions of the workshop.
    Assumptions,
    /// Modules of the same document.
    Modules,
    /// Work items of the same document.
    Work,
}

/// One reference of a document to something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Who refers: an item's id, a file's path, or a list's name with the place in it, such as `scope 1`.
    pub about: String,
    /// The field.
    pub field: &'static str,
    /// What it may point to.
    pub target: Target,
    /// What it points to.
    pub to: String,
}

/// Every reference of a document, in order of appearance.
pub fn references(document: &Document) -> Vec<Reference> {
    let mut all = Vec::new();
    each_reference(&mut document.clone(), |about, (field, target), list| {
        all.extend(list.drain(..).map(|to| Reference {
            about: about.to_owned(),
            field,
            target,
            to,
        }));
    });
    all
}

/// Shows every list of references: who refers, in which field to what, and the list.
pub(super) fn each_reference(
    document: &mut Document,
    mut see: impl FnMut(&str, (&'static str, Target), &mut Vec<String>),
) {
    match document {
        Document::ProductPlan(plan) => {
            for (i, item) in plan.scope.iter_mut().enumerate() {
                see(
                    &place("scope", i),
                    ("from", Target::Sources),
                    &mut item.from,
                );
            }
            for item in &mut plan.criteria {
                see(&item.id, ("from", Target::Sources), &mut item.from);
            }
        }
        Document::SystemDesign(design) => {
            for item in &mut design.modules {
                see(&item.id, ("covers", Target::Criteria), &mut item.covers);
            }
            for item in &mut design.decisions {
                see(&item.id, ("from", Target::Sources), &mut item.from);
            }
            for item in &mut design.file_impacts {
                see(&item.path, ("modules", Target::Modules), &mut item.modules);
            }
        }
        Document::DevPlan(plan) => {
            for item in &mut plan.work {
                see(&item.id, ("covers", Target::Criteria), &mut item.covers);
                see(&item.id, ("depends_on", Target::Work), &mut item.depends_on);
            }
        }
        Document::TestPlan(plan) => {
            for item in &mut plan.cases {
                see(&item.id, ("covers", Target::Criteria), &mut item.covers);
            }
        }
        Document::RiskAssessment(assessment) => {
            for item in &mut assessment.risks {
                see(&item.id, ("affects", Target::Affected), &mut item.affects);
            }
            for (i, item) in assessment.assumptions.iter_mut().enumerate() {
                let mut from = item.from.take().into_iter().collect();
                see(
                    &place("assumptions", i),
                    ("from", Target::Assumptions),
                    &mut from,
                );
                item.from = from.into_iter().next();
            }
        }
    }
}

/// How an entry without an id is named: its list and its place in it, from 1.
pub(super) fn place(list: &str, index: usize) -> String {
    format!("{list} {}", index + 1)
}
