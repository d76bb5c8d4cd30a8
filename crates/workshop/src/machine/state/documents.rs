//! The documents of a plan and the words of its report, as they are written.

use std::collections::BTreeMap;

use crate::machine::event::Note;
use crate::reply::{Account, Document, DocumentKind, Evidence, ReportWords};

/// A document as recorded.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentRecord {
    /// The document, with the engine's ids.
    pub content: Document,
    /// The writer's claims about existing code.
    pub evidence: Vec<Evidence>,
    /// Whether it was rendered from the ledger because no model could be asked.
    pub without_model: bool,
    /// The version that wrote it, where it was carried over.
    pub carried: Option<u32>,
    /// What became of the notes and agreed items it was given.
    pub accounts: Vec<Account>,
    /// Omissions, with reasons.
    pub notes: Vec<Note>,
}

/// What was written at the end of a run so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DocumentSet {
    /// Documents by kind; one that was amended stands here as amended.
    pub written: BTreeMap<DocumentKind, DocumentRecord>,
    /// The coach's words for the report.
    pub report: Option<ReportWords>,
    /// Whether the report's words were written without a model.
    pub report_without_model: bool,
}
