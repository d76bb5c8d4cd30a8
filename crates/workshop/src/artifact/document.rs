//! The five documents as files.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::plan::{PLAN_FORMAT, PlanStatus, StopFigures};
use super::{Artifact, gather};
use crate::fault::Fault;
use crate::machine::{AuthorKind, DocumentOrigin, DocumentRecord, IssueId, IssueRecord, State};
use crate::reply::{Document, DocumentKind, IssueSeverity};

/// A document as a version holds it: a short head, then its content.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentFile<T> {
    /// Version of the format of this document.
    pub v: u32,
    /// Kind of the document.
    pub document: DocumentKind,
    /// `N` of the `vN` that wrote it.
    pub version: u32,
    /// Whether the team agreed on what it rests on.
    pub status: PlanStatus,
    /// What ended the discussion; left out if the team agreed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_by: Option<StopFigures>,
    /// What is still open, blocking issues first; left out if the team agreed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open_issues: Vec<OpenIssue>,
    /// Who wrote the text.
    pub written_by: AuthorKind,
    /// The document, with the engine's ids.
    #[serde(flatten)]
    pub content: T,
}

/// An issue that the discussion left open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OpenIssue {
    /// Id of the issue, `I-n`.
    pub id: IssueId,
    /// The question in one line.
    pub title: String,
    /// Whether it holds the plan up.
    pub severity: IssueSeverity,
}

/// The open issues if the team did not agree, blocking ones first; empty otherwise.
fn open_issues(state: &State) -> Vec<OpenIssue> {
    if state.ending.is_agreed() {
        return Vec::new();
    }
    let mut open: Vec<_> = state.ledger.open().collect();
    open.sort_by_key(|issue| (issue.severity != IssueSeverity::Blocking, issue.id));
    let shown = |issue: &IssueRecord| OpenIssue {
        id: issue.id,
        title: issue.title.clone(),
        severity: issue.severity,
    };
    open.into_iter().map(shown).collect()
}

pub(super) fn path(kind: DocumentKind) -> String {
    format!("{}.json", kind.name())
}

pub(super) fn render(state: &State, record: &DocumentRecord) -> Result<Artifact, Fault> {
    let kind = record.content.kind();
    let written = DocumentOrigin::of(state, record);
    macro_rules! file {
        ($content:expr) => {
            super::json(
                path(kind),
                &DocumentFile {
                    v: PLAN_FORMAT,
                    document: kind,
                    version: written.version,
                    status: gather::status(state),
                    ended_by: gather::stop_figures(state).filter(|_| !state.ending.is_agreed()),
                    open_issues: open_issues(state),
                    written_by: written.by,
                    content: $content,
                },
            )
        };
    }
    match &record.content {
        Document::ProductPlan(content) => file!(content),
        Document::SystemDesign(content) => file!(content),
        Document::DevPlan(content) => file!(content),
        Document::TestPlan(content) => file!(content),
        Document::RiskAssessment(content) => file!(content),
    }
}
