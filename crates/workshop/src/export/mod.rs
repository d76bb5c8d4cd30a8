//! Exports a published plan as files that other programs import. Pure: plan in, text out.
//!
//! All lists of tasks are made from [`ExportPlan`]: the work items in an order that respects
//! dependencies, each with its criteria and tests. A format is one small function over it. None of
//! them contains a time, so the same plan always gives the same bytes.
//!
//! Model output is untrusted here as everywhere: it is quoted for shells, escaped in XML and
//! Markdown, and never starts a formula in a spreadsheet. Where a tracker or a forge displays it,
//! it notifies nobody and creates no links.

mod csv;
mod github;
mod inert;
pub(crate) mod junit;
mod tables;
mod taskmaster;
mod tasks;
mod words;
mod work;

use crate::artifact::Plan;
use crate::fault::Fault;
use crate::fault::line::INTERNAL;
use crate::fault::plans::DOCUMENT_MISSING;

pub use work::{ExportItem, ExportPlan};

/// The export formats of a plan, besides its own files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// Test cases as JUnit XML. All are marked as skipped, because they are planned and not run.
    Junit,
    /// Work items as a table for spreadsheets.
    Csv,
    /// Work items as a Markdown check list.
    TasksMd,
    /// `tasks.json` of Task Master.
    Taskmaster,
    /// A shell script that creates issues with GitHub's `gh`.
    Github,
    /// A table for Jira's CSV importer.
    Jira,
    /// A table for Linear's CSV importer.
    Linear,
}

/// An exported plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// The content of the file.
    pub text: String,
    /// Number of work items or test cases in it.
    pub items: usize,
}

/// The error if no role wrote the document that a format needs.
fn no_document(document: &str) -> Fault {
    DOCUMENT_MISSING.with(&[("document", &document)])
}

/// The error if the plan cannot be written as JSON. No plan of this program causes it.
fn no_json(why: &serde_json::Error) -> Fault {
    let what = format!("the plan cannot be written as JSON: {why}");
    INTERNAL.with(&[("what", &what)])
}

/// Exports a plan.
///
/// # Errors
/// The plan lacks the document that the format is made from.
pub fn export(plan: &Plan, format: ExportFormat) -> Result<Exported, Fault> {
    if format == ExportFormat::Junit {
        return junit::export(plan);
    }
    let work = ExportPlan::of(plan)?;
    let text = match format {
        ExportFormat::Csv => tables::plain(&work),
        ExportFormat::Jira => tables::jira(&work),
        ExportFormat::Linear => tables::linear(&work),
        ExportFormat::TasksMd => tasks::markdown(&work),
        ExportFormat::Taskmaster => taskmaster::json(&work)?,
        ExportFormat::Github | ExportFormat::Junit => github::script(&work),
    };
    Ok(Exported {
        text,
        items: work.items.len(),
    })
}
