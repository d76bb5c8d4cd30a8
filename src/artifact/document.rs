//! The five documents as files.

use schemars::JsonSchema;
use serde::Serialize;

use super::plan::{PLAN_FORMAT, Status};
use super::{Artifact, ArtifactError, gather};
use crate::reply::{Document, DocumentKind};
use crate::workshop::{DocumentRecord, State};

/// A document as it lies in a version: a short head, then its content.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DocumentFile<T> {
    /// Version of this format.
    pub v: u32,
    /// Which document.
    pub document: DocumentKind,
    /// `N` of `vN`.
    pub version: u32,
    /// Whether the team agreed on what it rests on.
    pub status: Status,
    /// Was it rendered from the ledger because no model could be asked?
    pub without_model: bool,
    /// The document.
    #[serde(flatten)]
    pub content: T,
}

/// File name of a document.
pub(super) fn path(kind: DocumentKind) -> String {
    format!("{}.json", kind.name())
}

/// One document as a file.
pub(super) fn render(state: &State, record: &DocumentRecord) -> Result<Artifact, ArtifactError> {
    let kind = record.content.kind();
    macro_rules! file {
        ($content:expr) => {
            super::json(
                path(kind),
                &DocumentFile {
                    v: PLAN_FORMAT,
                    document: kind,
                    version: state.inputs.version,
                    status: gather::status(state),
                    without_model: record.without_model,
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
