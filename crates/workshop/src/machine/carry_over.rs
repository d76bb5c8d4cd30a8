//! Carries documents over in a revision: a document that nothing in the discussion affects is
//! copied from the previous version, and its writer is not called.
//!
//! `docs/design/artifacts.md` describes the rule.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::consensus::{ConsensusItem, DraftLine};
use super::event::Event;
use super::evidence::ClaimStatus;
use super::illegal::{Verdict, ensure, refuse};
use super::inputs::{AuthorKind, PreviousVersion};
use super::issue::{IssueOrigin, IssueStatus};
use super::normalize::{canonical_id, dangling_references, document_items, item_values};
use super::question::{AnswerSource, Question, QuestionStatus};
use super::state::{DocumentRecord, State};
use crate::ids::words_like_ids;
use crate::lang::Lang;
use crate::reply::{Document, DocumentKind};

/// Where a document of the version before comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentOrigin {
    /// Number of the version that wrote it.
    pub version: u32,
    /// Who wrote the text.
    pub by: AuthorKind,
    /// Language of the document.
    pub lang: Lang,
}

impl DocumentOrigin {
    /// Returns the origin of a document of this run.
    pub fn of(state: &State, record: &DocumentRecord) -> Self {
        let (kind, inputs) = (record.content.kind(), &state.inputs);
        let before = || state.task.previous.as_ref()?.written.get(&kind).copied();
        let writer = inputs.roles.writer(kind);
        let choice = writer.map_or(&inputs.model, |role| inputs.model_of(&role.id));
        let own = Self {
            version: inputs.version,
            by: match record.without_model {
                true => AuthorKind::Ledger,
                false => choice.voice(),
            },
            lang: inputs.doc_lang,
        };
        record.carried.and_then(|_| before()).unwrap_or(own)
    }
}

/// Words that people use for a document; each refers to this document only.
const NAMES: [(DocumentKind, &str); 5] = [
    (
        DocumentKind::ProductPlan,
        "criterion, criteria, scope, product plan, 验收标准, 范围, 产品计划, 产品规划",
    ),
    (
        DocumentKind::TestPlan,
        "test, tests, tested, testing, 测试, 用例",
    ),
    (DocumentKind::RiskAssessment, "risk, risks, 风险"),
    (
        DocumentKind::DevPlan,
        "work item, work items, development plan, dev plan, 工作项, 开发计划",
    ),
    (
        DocumentKind::SystemDesign,
        "design, architecture, module, modules, diagram, 设计, 架构, 模块",
    ),
];

/// Returns the previous version's document that this one is based on, and the version that wrote
/// it; `None` if it was written without a model, or in another language.
pub fn goes_on_from(state: &State, kind: DocumentKind) -> Option<(&Document, u32)> {
    let previous = state.task.previous.as_ref()?;
    let content = previous.documents.get(&kind)?;
    let written = previous.written.get(&kind)?;
    let is_fit = written.by != AuthorKind::Ledger && written.lang == state.inputs.doc_lang;
    is_fit.then_some((content, written.version))
}

/// Returns a document of the previous version with every item marked as a continuation of itself.
///
/// # Errors
/// The document does not fit its schema.
pub(super) fn continued(document: &Document) -> serde_json::Result<Document> {
    let mut value = serde_json::to_value(document)?;
    let lists = value.as_object_mut().into_iter().flatten();
    let lists = lists.filter_map(|(_, field)| field.as_array_mut());
    for item in lists.flatten() {
        if let (Some(id), Some(same_as)) = (item.get("id").cloned(), item.get_mut("same_as")) {
            *same_as = id;
        }
    }
    serde_json::from_value(value)
}

/// Returns the event that carries a document over, if nothing affects it. It is the document's
/// turn, so the documents it depends on exist.
pub(super) fn due(state: &State, kind: DocumentKind) -> Option<Event> {
    let previous = state.task.previous.as_ref()?;
    let (content, version) = goes_on_from(state, kind)?;
    let stays = !is_touched(state, previous, content);
    stays.then(|| Event::Document {
        receipt: None,
        kind,
        content: content.clone(),
        carried: Some(version),
        evidence: Vec::new(),
        accounts: Vec::new(),
        notes: Vec::new(),
    })
}

/// Checks whether this document may be carried over: it is the previous version's, and everything
/// it refers to exists.
pub(super) fn check(state: &State, content: &Document, version: u32) -> Verdict {
    let kind = content.kind();
    let previous = state.task.previous.as_ref();
    let same = previous.and_then(|previous| previous.documents.get(&kind));
    let written = previous.and_then(|previous| previous.written.get(&kind));
    let name = kind.name();
    ensure!(
        same == Some(content),
        "the version before has another {name}"
    );
    let is_theirs = written.is_some_and(|it| it.version == version);
    ensure!(is_theirs, "v{version} did not write the {name}");
    match dangling_references(state, content).first() {
        Some(lost) => refuse!("`{}` is gone, and the {name} names it", lost.to),
        None => Ok(()),
    }
}

fn is_touched(state: &State, previous: &PreviousVersion, content: &Document) -> bool {
    let kind = content.kind();
    let has_note = || {
        state
            .discussion
            .notes()
            .any(|(_, _, note)| note.document == kind)
    };
    let is_named = || {
        points(state, previous)
            .iter()
            .any(|one| one.contains(&kind))
    };
    let changes = Changes::of(state, previous, kind);
    has_note()
        || is_named()
        || changes.calls_for(kind)
        || changes.are_cited_in(content)
        || !dangling_references(state, content).is_empty()
}

/// Returns, for each thing said in this run, the documents it is about.
fn points(state: &State, previous: &PreviousVersion) -> Vec<BTreeSet<DocumentKind>> {
    let is_declined = |issue: &&super::IssueRecord| {
        matches!(issue.status, IssueStatus::Dropped | IssueStatus::Deferred)
    };
    let declined: BTreeSet<_> = state
        .ledger
        .iter()
        .filter(is_declined)
        .filter_map(|issue| match issue.origin {
            IssueOrigin::Feedback { feedback } => Some(feedback),
            _ => None,
        })
        .collect();
    let feedback = state.task.feedback.iter();
    let feedback = feedback.filter(|item| !declined.contains(&item.id));
    let feedback = feedback.map(|item| named(previous, &item.text));
    let items = state.draft.standing();
    let items = items.filter(|item| item.version == state.inputs.version);
    let items = items.map(|item| about(state, previous, item));
    let is_new = |question: &&Question| {
        let mut before = previous.questions.iter();
        question.is_closed()
            && before.all(|one| one.id != question.id || one.status != question.status)
    };
    let answers = state.questions.asked.iter().filter(is_new);
    let answers = answers.map(|question| {
        let mut about = or_product(named(previous, &question.text));
        // Assumptions are listed among the risks.
        if let QuestionStatus::Closed {
            source: AnswerSource::Assumed,
            ..
        } = question.status
        {
            about.insert(DocumentKind::RiskAssessment);
        }
        about
    });
    // The user's last words, which no round has seen, are for the writers.
    let unheard = state.ending.unheard.iter();
    let unheard = unheard.filter_map(|nth| state.ending.words.get(*nth));
    let unheard = unheard.map(|words| or_product(named(previous, &words.text)));
    feedback
        .chain(items)
        .chain(answers)
        .chain(unheard)
        .collect()
}

/// Returns the documents that an item agreed in this run is about: those that its text and its
/// issue name, or the product plan if they name none.
pub(super) fn about(
    state: &State,
    previous: &PreviousVersion,
    item: &ConsensusItem,
) -> BTreeSet<DocumentKind> {
    let issue = state.ledger.find(item.issue);
    let issue = issue.map_or_else(String::new, |it| format!("{} {}", it.title, it.detail));
    let said = format!("{issue} {}", item.text);
    let names = named(previous, &said);
    match ids_in(&said)
        .iter()
        .any(|id| of_item(previous, id).is_some())
    {
        true => names,
        false => or_product(names),
    }
}

fn or_product(mut named: BTreeSet<DocumentKind>) -> BTreeSet<DocumentKind> {
    named.insert(DocumentKind::ProductPlan);
    named
}

/// Returns the documents that a text names: by the id of an item, by a file they change, or in
/// words.
fn named(previous: &PreviousVersion, text: &str) -> BTreeSet<DocumentKind> {
    let mut named: BTreeSet<DocumentKind> = ids_in(text)
        .iter()
        .filter_map(|id| of_item(previous, id))
        .collect();
    if let Some(Document::SystemDesign(design)) =
        previous.documents.get(&DocumentKind::SystemDesign)
        && design
            .file_impacts
            .iter()
            .any(|one| text.contains(&one.path))
    {
        named.insert(DocumentKind::SystemDesign);
    }
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let words = format!(" {} ", words.join(" "));
    let says = |name: &str| match name.is_ascii() {
        true => words.contains(&format!(" {name} ")),
        false => words.contains(name),
    };
    let in_words = NAMES
        .iter()
        .filter(|(_, names)| names.split(", ").any(says));
    named.extend(in_words.map(|(kind, _)| *kind));
    named
}

fn of_item(previous: &PreviousVersion, id: &str) -> Option<DocumentKind> {
    let has = |document: &Document| document_items(document).iter().any(|item| item.id == id);
    let mut all = previous.documents.iter();
    all.find(|(_, document)| has(document))
        .map(|(kind, _)| *kind)
}

/// Returns every id in a text, in the engine's spelling.
fn ids_in(text: &str) -> BTreeSet<String> {
    let words = words_like_ids(text).filter(|word| word.contains('-'));
    words.filter_map(canonical_id).collect()
}

/// Inputs of a document that have changed since it was written.
struct Changes {
    /// Ids and paths of what was removed or changed.
    gone: BTreeSet<String>,
    /// Ids and paths that are new in the documents it depends on.
    new: BTreeSet<String>,
}

impl Changes {
    fn of(state: &State, previous: &PreviousVersion, kind: DocumentKind) -> Self {
        let withdrawn = state.draft.lines().iter().filter_map(|line| match line {
            DraftLine::Withdrawn { item, .. } => Some(item.to_string()),
            _ => None,
        });
        let answered = state.task.feedback.iter();
        let answered = answered.filter_map(|item| previous.answered_by(&item.text));
        let answered = answered.flat_map(|(question, _)| {
            let assumed = previous.assumptions.iter();
            let assumed = assumed.filter(|one| one.question == question.id);
            let assumed = assumed.map(|one| one.id.to_string());
            assumed.chain([question.id.to_string()])
        });
        let unfounded = state.grounding.evidence.iter();
        let unfounded = unfounded.filter(|one| one.standing == ClaimStatus::Unverified);
        let unfounded = unfounded.map(|one| one.id.to_string());
        let mut changes = Self {
            gone: withdrawn.chain(answered).chain(unfounded).collect(),
            new: BTreeSet::new(),
        };
        let dag = state.document_dag();
        for (earlier, record) in &state.documents.written {
            if dag.rests_on(&kind, earlier) {
                let before = previous.documents.get(earlier).map(item_values);
                changes.add(&before.unwrap_or_default(), &item_values(&record.content));
            }
        }
        changes
    }

    fn add(
        &mut self,
        before: &BTreeMap<String, serde_json::Value>,
        now: &BTreeMap<String, serde_json::Value>,
    ) {
        let gone = before
            .iter()
            .filter(|(id, item)| now.get(*id) != Some(item));
        self.gone.extend(gone.map(|(id, _)| id.clone()));
        let new = now.keys().filter(|id| !before.contains_key(*id));
        self.new.extend(new.cloned());
    }

    /// Returns whether the document must cover a change even if it does not cite it. Every
    /// criterion must be designed, built and tested; every change of the design must be built.
    fn calls_for(&self, kind: DocumentKind) -> bool {
        let is_criterion = |id: &String| id.starts_with("AC-");
        match kind {
            DocumentKind::ProductPlan | DocumentKind::RiskAssessment => false,
            DocumentKind::SystemDesign | DocumentKind::TestPlan => {
                self.new.iter().any(is_criterion)
            }
            DocumentKind::DevPlan => {
                let of_design = |id: &String| {
                    let is_id = canonical_id(id).is_some();
                    !is_id || id.starts_with("M-") || id.starts_with("DEC-")
                };
                !self.new.is_empty() || self.gone.iter().any(of_design)
            }
        }
    }

    fn are_cited_in(&self, content: &Document) -> bool {
        let Ok(text) = serde_json::to_string(content) else {
            return true;
        };
        let cited = ids_in(&text);
        let is_cited =
            |id: &String| cited.contains(id) || (id.contains(['/', '.']) && text.contains(id));
        self.gone.iter().any(is_cited)
    }
}
