//! The documents of a plan and the words of its report.

use std::collections::BTreeMap;

use crate::machine::event::Note;
use crate::reply::{
    Account, DevPlan, Document, DocumentKind, Evidence, ProductPlan, ReportWords, SystemDesign,
    TestPlan,
};

/// A recorded document.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentRecord {
    /// The document, with the engine's ids.
    pub content: Document,
    /// The writer's claims about existing code.
    pub evidence: Vec<Evidence>,
    /// Whether it was rendered from the ledger because the budget left no room for a model.
    pub without_model: bool,
    /// The version that wrote it, if it was carried over.
    pub carried: Option<u32>,
    /// What the writer did with the notes and agreed items it was given.
    pub accounts: Vec<Account>,
    /// Notes on what was left out, with reasons.
    pub notes: Vec<Note>,
}

/// What has been written at the end of a run so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DocumentSet {
    /// Documents by kind, including their amendments.
    pub written: BTreeMap<DocumentKind, DocumentRecord>,
    /// The coach's words for the report.
    pub report: Option<ReportWords>,
    /// Whether the report's words were written without a model.
    pub report_without_model: bool,
}

macro_rules! of_kind {
    ($($(#[$doc:meta])* $name:ident: $kind:ident;)*) => {
        impl DocumentSet {
            $($(#[$doc])*
            pub fn $name(&self) -> Option<&$kind> {
                match &self.written.get(&DocumentKind::$kind)?.content {
                    Document::$kind(content) => Some(content),
                    _ => None,
                }
            })*
        }
    };
}

of_kind! {
    /// The product plan, once it is written.
    product_plan: ProductPlan;
    /// The system design, once it is written.
    system_design: SystemDesign;
    /// The development plan, once it is written.
    dev_plan: DevPlan;
    /// The test plan, once it is written.
    test_plan: TestPlan;
}
