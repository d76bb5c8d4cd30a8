//! A state as groups of comparable entries.

use std::sync::LazyLock;

use crate::artifact::{one_line, split_sentences};
use crate::fault::table;
use crate::lang::Lang;
use crate::machine::{
    IssueRecord, IssueStatus, Question, QuestionStatus, State, StopReason, StopSign,
};
use crate::reply::{DocumentKind, IssueSeverity};
use crate::words::name_or_key;

/// One thing of a plan, in comparable form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ComparableItem {
    /// Its id; a path for files; empty if it has none.
    pub(super) id: String,
    /// Its title, one line.
    pub(super) text: String,
    /// The fields that can change.
    pub(super) fields: Vec<(&'static str, ComparableValue)>,
}

/// A field's value, in comparable form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ComparableValue {
    /// Text; white space does not count.
    Text(String),
    /// Several texts or ids; their order does not count.
    Texts(Vec<String>),
}

/// A list of things of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ComparableList {
    /// Its name, such as `criteria`.
    pub(super) name: &'static str,
    /// The entries, in order.
    pub(super) list: Vec<ComparableItem>,
}

fn text(text: &str) -> ComparableValue {
    ComparableValue::Text(one_line(text))
}

fn ids<T: ToString>(list: impl IntoIterator<Item = T>) -> ComparableValue {
    ComparableValue::Texts(list.into_iter().map(|id| id.to_string()).collect())
}

fn entry(
    id: impl ToString,
    title: &str,
    fields: Vec<(&'static str, ComparableValue)>,
) -> ComparableItem {
    ComparableItem {
        id: id.to_string(),
        text: one_line(title),
        fields,
    }
}

/// A group that is read from a document, as a row of `parts.txt` defines it.
struct ComparedGroup {
    name: &'static str,
    of: DocumentKind,
    /// The document's field that holds the list of things.
    list: &'static str,
    /// Fields that make up a thing's title.
    title: Vec<&'static str>,
    /// Fields of a thing that can change, with their Chinese names. A space stands for `_` in the
    /// name of a field.
    fields: Vec<(&'static str, &'static str)>,
}

static PARTS: LazyLock<Vec<ComparedGroup>> = LazyLock::new(|| {
    let names = |cell: &'static str| cell.split(", ").filter(|name| *name != "-");
    let rows = table(include_str!("parts.txt"));
    let parts = rows.filter_map(|[name, document, list, title, fields]| {
        Some(ComparedGroup {
            name,
            of: DocumentKind::ALL
                .into_iter()
                .find(|kind| kind.name() == document)?,
            list,
            title: names(title).collect(),
            fields: names(fields)
                .filter_map(|field| field.rsplit_once(' '))
                .collect(),
        })
    });
    parts.collect()
});

/// Every group of a state, in the order in which a diff shows them.
pub(super) fn groups(state: &State) -> Vec<ComparableList> {
    let group = |name, list| ComparableList { name, list };
    let mut all = vec![
        group("plan", vec![plan(state)]),
        group("consensus", consensus(state)),
        group("issues", issues(state)),
        group("questions", questions(state)),
        group("assumptions", assumptions(state)),
    ];
    let parts = PARTS
        .iter()
        .map(|part| group(part.name, part.things(state)));
    all.extend(parts);
    all
}

/// Returns the display name of a field of a changed thing.
pub fn field_name(field: &str, lang: Lang) -> &str {
    let mut fields = PARTS.iter().flat_map(|part| &part.fields);
    match fields.find(|(name, _)| *name == field) {
        Some((_, zh)) if lang == Lang::Zh => zh,
        Some(_) => field,
        None => name_or_key("field", field, lang),
    }
}

/// The document that a group is read from; `None` for groups of the discussion itself.
pub(super) fn read_from(group: &str) -> Option<DocumentKind> {
    let mut parts = PARTS.iter();
    parts.find(|part| part.name == group).map(|part| part.of)
}

/// Returns whether the entries of a group have ids or paths, by which the documents name them.
pub(super) fn is_itemised(group: &str) -> bool {
    const WITHOUT_IDS: [&str; 4] = [
        "left behind",
        "coverage",
        "dependencies",
        "taken for granted",
    ];
    let mut parts = PARTS.iter();
    let part = parts.find(|part| part.name == group);
    part.is_none_or(|part| !part.fields.is_empty() && !WITHOUT_IDS.contains(&group))
}

impl ComparedGroup {
    fn things(&self, state: &State) -> Vec<ComparableItem> {
        let document = state
            .documents
            .written
            .get(&self.of)
            .map(|record| &record.content);
        let document = serde_json::to_value(document).unwrap_or_default();
        match &document[self.list] {
            serde_json::Value::String(prose) => {
                let paragraphs: Vec<String> = prose.split("\n\n").map(one_line).collect();
                let sentences = paragraphs.iter().flat_map(|text| split_sentences(text));
                sentences.map(sentence).collect()
            }
            listed => {
                let things = listed.as_array().into_iter().flatten();
                things.map(|thing| self.entry(thing)).collect()
            }
        }
    }

    fn entry(&self, thing: &serde_json::Value) -> ComparableItem {
        if let Some(text) = thing.as_str() {
            return sentence(text);
        }
        let said = |field: &str| thing[field].as_str().unwrap_or_default();
        let id = ["id", "path"]
            .into_iter()
            .map(said)
            .find(|id| !id.is_empty());
        let title: Vec<&str> = self.title.iter().map(|field| said(field)).collect();
        let between = if self.name == "decisions" { ": " } else { " " };
        let fields = self.fields.iter().map(|(field, _)| {
            let held = &thing[field.replace(' ', "_")];
            let value = match held.as_array() {
                Some(list) if *field == "rejected" => {
                    ComparableValue::Texts(list.iter().map(lost).collect())
                }
                Some(list) => ids(list.iter().filter_map(|id| id.as_str())),
                // A field with a fixed set of values is compared as text.
                None if is_word(field) => {
                    text(&held.as_str().unwrap_or_default().replace('_', " "))
                }
                None => text(held.as_str().unwrap_or_default()),
            };
            (*field, value)
        });
        entry(
            id.unwrap_or_default(),
            &title.join(between),
            fields.collect(),
        )
    }
}

/// A sentence of a text, or an entry that is only a text.
fn sentence(said: &str) -> ComparableItem {
    entry("", said, vec![("text", text(said))])
}

/// A rejected option with the reason.
fn lost(rejected: &serde_json::Value) -> String {
    let [option, why] = ["option", "why"].map(|field| rejected[field].as_str().unwrap_or_default());
    one_line(&format!("{option} ({why})"))
}

/// The title of the entry for the plan itself.
pub(super) const WHOLE: &str = "the plan as a whole";

fn plan(state: &State) -> ComparableItem {
    let sign = state.ending.stop.as_ref().and_then(|stop| stop.sign);
    let outcome = match state.ending.stop.as_ref().map(|stop| stop.reason) {
        None => "not ended",
        Some(_) if sign == Some(StopSign::Convergence) => "unresolved: agreement in words alone",
        Some(_) if sign == Some(StopSign::Unanswered) => "unresolved: a question was not answered",
        Some(_) if sign == Some(StopSign::NudgesUsedUp) => {
            "unresolved: a member had nothing to say"
        }
        Some(StopReason::Consensus) => "agreed",
        Some(StopReason::RoundLimit) => "unresolved: round limit",
        Some(StopReason::TimeLimit) => "unresolved: time limit",
        Some(StopReason::Budget) => "unresolved: budget",
        Some(StopReason::Proposal) => "unresolved: a proposal to end was confirmed",
        Some(StopReason::Incomplete) => "unresolved: phases without a result",
        Some(StopReason::SmallModel) => "unresolved: a model that may not agree",
        Some(StopReason::Similarity) => "unresolved: the members repeated themselves",
        Some(StopReason::Silence) => "unresolved: nothing new was said",
        Some(StopReason::Review) => "unresolved: a blocking finding of the review is upheld",
        Some(StopReason::User) => "unresolved: ended by the user",
    };
    entry(
        "plan",
        WHOLE,
        vec![
            ("requirement", text(&state.task.requirement)),
            ("outcome", text(outcome)),
        ],
    )
}

fn consensus(state: &State) -> Vec<ComparableItem> {
    let items = state.draft.standing().map(|item| {
        let fields = vec![
            ("text", text(&item.text)),
            ("wording", text(item.wording.as_deref().unwrap_or_default())),
            ("issue", ids([item.issue])),
        ];
        entry(item.id, &item.text, fields)
    });
    items.collect()
}

fn issues(state: &State) -> Vec<ComparableItem> {
    state.ledger.iter().map(issue).collect()
}

fn issue(issue: &IssueRecord) -> ComparableItem {
    let (status, by) = match &issue.status {
        IssueStatus::Open => ("open", ids::<String>([])),
        IssueStatus::Settled { by } => ("settled", ids(by)),
        IssueStatus::Refined { into } => ("refined", ids(into)),
        IssueStatus::Merged { into } => ("merged", ids([into])),
        IssueStatus::Dropped => ("dropped", ids::<String>([])),
        IssueStatus::Deferred => ("deferred", ids::<String>([])),
    };
    let severity = match issue.severity {
        IssueSeverity::Blocking => "blocking",
        IssueSeverity::Minor => "minor",
    };
    let fields = vec![
        ("title", text(&issue.title)),
        ("detail", text(&issue.detail)),
        ("severity", text(severity)),
        ("status", text(status)),
        ("became", by),
    ];
    entry(issue.id, &issue.title, fields)
}

fn questions(state: &State) -> Vec<ComparableItem> {
    let mut all: Vec<&Question> = state.questions.asked.iter().collect();
    all.sort_by_key(|question| question.id);
    let listed = all.into_iter().map(|question| {
        let answer = match &question.status {
            QuestionStatus::Closed { answer, .. } => answer.as_str(),
            _ => "",
        };
        let fields = vec![("question", text(&question.text)), ("answer", text(answer))];
        entry(question.id, &question.text, fields)
    });
    listed.collect()
}

fn assumptions(state: &State) -> Vec<ComparableItem> {
    let mut all: Vec<_> = state.assumed().collect();
    // Sorting keeps this version's own before what the version before says of the same one.
    all.sort_by_key(|assumption| assumption.id);
    all.dedup_by_key(|assumption| assumption.id);
    let listed = all.into_iter().map(|item| {
        let fields = vec![
            ("text", text(&item.text)),
            ("question", ids([item.question])),
        ];
        entry(item.id, &item.text, fields)
    });
    listed.collect()
}

/// Returns whether this field has a fixed set of values and never holds free text.
pub(super) fn is_word(field: &str) -> bool {
    matches!(
        field,
        "outcome" | "severity" | "status" | "change" | "level" | "chance" | "impact"
    )
}

#[cfg(test)]
mod tests {
    use super::PARTS;

    #[test]
    fn every_row_is_a_part() {
        let rows = include_str!("parts.txt").lines();
        let rows = rows.filter(|row| !row.starts_with('#'));
        assert_eq!(rows.count(), PARTS.len());
    }
}
