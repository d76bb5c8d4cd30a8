//! Checks a plan against the rules, compares two plans, and traces where an item comes from.
//!
//! [`check`] finds what a reviewer should not have to search for: criteria without tests, ids that
//! refer to nothing, agreement despite an objection, secrets. [`diff()`] compares by meaning, using
//! ids. [`why()`] traces an item back to the requirement, and on to what depends on it.

mod against;
mod comparable;
mod coverage;
mod diff;
mod discussion;
mod finding;
mod graph;
mod hollow;
mod identity;
mod prose;
mod published;
mod render;
mod review;
mod secrets;
mod tree;
mod why;

use std::collections::BTreeMap;

pub use against::{
    ChangeStatus, CommitChanges, CommitComparison, CriterionTests, FileDone, FilePlanned,
    FileTouched, NewTest, SourceDefinition, SymbolDone, TouchedFile, against, junit, moved,
};
pub use comparable::field_name;
pub use diff::{ChangedItem, Diff, DiffGroup, DiffItem, FieldChange, diff, diff_of_one_line};
pub use finding::{CheckFinding, CheckSeverity, FindingDocument, Rule};
pub use graph::on_texts;
pub use published::DamagedFile;
pub use render::{note, uncompared, worded};
pub use review::for_review;
pub use tree::{Facts, FileFacts, SymbolFacts, paths_alone};
pub use why::{Trace, TraceNode, items, known, stands, why};

use crate::machine::State;
pub use crate::machine::{SUMMARY_WORDS, words};
use finding::Findings;

/// What the rules need beyond the state.
pub struct CheckContext<'a> {
    /// What the repository says about the files that are to change, either now or at the run's
    /// commit; the caller chooses.
    pub tree: &'a Facts<'a>,
    /// The text of `planning_report.md`; `None` if there is none yet.
    pub report: Option<&'a str>,
    /// Other files of the version, by path in its folder, as they are on disk; for a draft, as they
    /// would be. They are searched for secrets, and JSON documents are validated against their
    /// schemas.
    pub files: &'a BTreeMap<String, String>,
    /// Files of a published version that were changed after publication.
    pub damage: &'a [DamagedFile],
    /// Whether an unresolved plan is an error; otherwise it is a warning.
    pub strict: bool,
}

/// Checks a plan against every rule. The findings are in the order of [`Rule::ALL`], then in the
/// order of the plan.
///
/// Rules about a document report nothing while the run has not written it yet.
pub fn check(state: &State, world: &CheckContext<'_>) -> Vec<CheckFinding> {
    let mut findings = Findings {
        state,
        list: Vec::new(),
    };
    coverage::find(state, world, &mut findings);
    hollow::find(state, &mut findings);
    identity::find(state, &mut findings);
    prose::find(state, &mut findings);
    discussion::find(state, world, &mut findings);
    published::find(world, &mut findings);
    secrets::find(state, world, &mut findings);
    let mut findings = findings.list;
    findings.sort_by_key(|finding| finding.rule);
    findings
}

/// Returns whether a check with these findings fails. Warnings count only if `strict` is set.
/// Warnings about the tree never count: once a plan is implemented, files it calls new exist. Nor
/// does work without a criterion: writers are told that documentation needs none.
pub fn fails(findings: &[CheckFinding], strict: bool) -> bool {
    findings.iter().any(|finding| {
        finding.severity == CheckSeverity::Error || strict && !finding.rule.is_remark()
    })
}
