//! What the six kinds of document items have in common, and the references of documents.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::reply::{
    Criterion, DesignDecision, Document, Module, Referent, Risk, TestCase, WorkItem,
};

/// An item with an id assigned by the engine.
pub(super) trait IdentifiedItem {
    const PREFIX: &'static str;
    /// Returns the local key in a reply; later the engine's id.
    fn id(&self) -> &str;
    /// Returns the id it continues from the previous version.
    fn same_as(&self) -> Option<&str>;
    fn name(&mut self, id: String, same_as: Option<String>);
    /// Returns its title, or the text used as one.
    fn title(&self) -> &str;
    /// Returns the first required field that is empty, if any.
    fn missing(&self) -> Option<&'static str>;
}

macro_rules! items {
    ($($type:ident $prefix:literal $title:ident $missing:expr;)*) => {$(
        impl IdentifiedItem for $type {
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

/// Placeholders. `Todo` is not one of them: it can be the name of something to build.
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

/// Returns whether a text has no content: only dashes, dots and placeholders.
fn empty(text: &str) -> bool {
    let words = text.trim_matches(|c: char| !c.is_alphanumeric());
    words.is_empty() || words == "TODO" || PLACEHOLDERS.contains(&words.to_lowercase().as_str())
}

items! {
    // A criterion without `then` is weak but not empty: `check` warns about it.
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

/// The ids and title of a document item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DocumentItem<'a> {
    /// Prefix of the ids of its kind, such as `AC`.
    pub prefix: &'static str,
    /// Id of the item, such as `W-2`.
    pub id: &'a str,
    /// The id that it continues from the previous version.
    pub same_as: Option<&'a str>,
    /// Its title, or the text used as one.
    pub title: &'a str,
}

/// Returns the items of a document that have ids, in order of appearance.
pub fn document_items(document: &Document) -> Vec<DocumentItem<'_>> {
    fn listed<T: IdentifiedItem>(items: &[T]) -> impl Iterator<Item = DocumentItem<'_>> {
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

/// Returns the content of each item of a document by id, and of each file by path. `same_as` is not
/// content.
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

/// A reference in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentReference {
    /// The referrer: an item's id, a file's path, or a list's name and a position, such as
    /// `scope 1`.
    pub about: String,
    /// The field with the reference.
    pub field: &'static str,
    /// What the reference may refer to.
    pub target: Referent,
    /// The referenced name or id.
    pub to: String,
}

/// Returns every reference of a document, in order of appearance.
pub fn references(document: &Document) -> Vec<DocumentReference> {
    let mut all = Vec::new();
    document
        .clone()
        .each_reference(|about, (field, target), list| {
            all.extend(list.drain(..).map(|to| DocumentReference {
                about: about.to_owned(),
                field,
                target,
                to,
            }));
        });
    all
}
