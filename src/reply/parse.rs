//! Reads a model's text as an answer.

use serde::de::DeserializeOwned;

use super::{Contribution, Document, DocumentKind, ReportWords};

/// Why a reply is no valid answer; the text is sent back to the model with the next try.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplyError {
    /// Nothing was said.
    #[error("the reply is empty")]
    Empty,
    /// No JSON object could be found.
    #[error("the reply holds no JSON object: {0}")]
    NoJson(String),
    /// The object does not fit the schema.
    #[error("the reply does not fit the schema: {0}")]
    Schema(String),
}

/// Reads an answer of the discussion.
///
/// # Errors
/// The reply is empty, holds no JSON object, or does not fit the schema.
pub fn read_contribution(text: &str) -> Result<Contribution, ReplyError> {
    read(text)
}

/// Reads a final document; its ids are still the writer's local keys.
///
/// # Errors
/// As [`read_contribution`].
pub fn read_document(kind: DocumentKind, text: &str) -> Result<Document, ReplyError> {
    Ok(match kind {
        DocumentKind::ProductPlan => Document::ProductPlan(read(text)?),
        DocumentKind::SystemDesign => Document::SystemDesign(read(text)?),
        DocumentKind::DevPlan => Document::DevPlan(read(text)?),
        DocumentKind::TestPlan => Document::TestPlan(read(text)?),
        DocumentKind::RiskAssessment => Document::RiskAssessment(read(text)?),
    })
}

/// Reads the coach's words for the report.
///
/// # Errors
/// As [`read_contribution`].
pub fn read_report(text: &str) -> Result<ReportWords, ReplyError> {
    read(text)
}

fn read<T: DeserializeOwned>(text: &str) -> Result<T, ReplyError> {
    if text.trim().is_empty() {
        return Err(ReplyError::Empty);
    }
    serde_json::from_str(text).map_err(|e| ReplyError::Schema(e.to_string()))
}
