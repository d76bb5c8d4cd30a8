//! The engine's own findings for a review: those that a writer can fix.

use std::collections::BTreeMap;

use super::finding::Rule;
use super::{CheckContext, Facts, check};
use crate::machine::State;
use crate::machine::review::{CheckedFinding, PlanChecked, documents};
use crate::reply::{DocumentKind, FindingKind};

/// The findings that a writer of this run can fix, each with the document to fix, in the language
/// of the documents. `tree` is the same as in [`CheckContext`].
pub fn for_review(state: &State, tree: &Facts<'_>) -> PlanChecked {
    let world = CheckContext {
        tree,
        report: None,
        files: &BTreeMap::new(),
        damage: &[],
        strict: false,
    };
    let lang = state.inputs.doc_lang;
    let found = check(state, &world).into_iter().filter_map(|one| {
        let (kind, document) = mended_in(state, one.rule, &one.about)?;
        Some(CheckedFinding {
            about: one.about,
            document,
            kind,
            text: one.text.of(lang).to_owned(),
            mend: one.fix.of(lang).to_owned(),
        })
    });
    PlanChecked {
        found: found.collect(),
    }
}

/// The kind of problem and the document to fix; `None` if no writer of this run can fix it.
fn mended_in(state: &State, rule: Rule, about: &str) -> Option<(FindingKind, DocumentKind)> {
    let (kind, document) = match rule {
        Rule::CriterionWithoutTest => (FindingKind::Missing, DocumentKind::TestPlan),
        Rule::CriterionWithoutWork => (FindingKind::Missing, DocumentKind::DevPlan),
        Rule::RiskWithoutMitigation => (FindingKind::Missing, DocumentKind::RiskAssessment),
        Rule::FileMissing
        | Rule::FileExists
        | Rule::FileGone
        | Rule::SymbolExists
        | Rule::SymbolElsewhere
        | Rule::SymbolMissing => (FindingKind::Wrong, DocumentKind::SystemDesign),
        Rule::CallersUnnamed | Rule::TestsUnnamed => {
            (FindingKind::Missing, DocumentKind::SystemDesign)
        }
        Rule::DanglingId => (FindingKind::Wrong, *documents(state, about, "").first()?),
        _ => return None,
    };
    state
        .documents
        .written
        .contains_key(&document)
        .then_some((kind, document))
}
