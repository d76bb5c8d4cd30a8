//! Checks whether a document contains what was requested.
//!
//! An empty list satisfies the schema. But a plan with agreed items and without criteria, work or
//! tests claims that nothing follows from the agreement; if published, it would pass for agreement.
//! `docs/design/artifacts.md` says which empty lists are acceptable.

use crate::machine::{Note, State};
use crate::reply::Document;

/// Returns why a document with its ids does not answer the request; `None` if it does.
///
/// Nothing is missing if nothing is agreed, and without criteria nothing has to be built or tested.
/// A risk assessment may be empty: a member that sees no risk must be able to say so.
pub(in crate::machine) fn lacks_substance(
    state: &State,
    document: &Document,
    notes: &[Note],
) -> Option<String> {
    let list = unfilled(state, document)?;
    let lost = notes
        .iter()
        .find(|note| note.about.starts_with(&format!("{list} ")));
    Some(match lost {
        Some(note) => format!(
            "nothing in `{list}` can be used: at `{}`: {}",
            note.about, note.text
        ),
        None if list == "criteria" => {
            "`criteria` is empty, and there are agreed items: each needs a criterion".to_owned()
        }
        None => format!("`{list}` is empty, and there are criteria: each needs an entry"),
    })
}

/// Returns the list that is empty and should not be.
fn unfilled(state: &State, document: &Document) -> Option<&'static str> {
    let product = state.documents.product_plan();
    let has_criteria = || product.is_some_and(|plan| !plan.criteria.is_empty());
    let (list, is_empty, is_due) = match document {
        Document::ProductPlan(plan) => (
            "criteria",
            plan.criteria.is_empty(),
            state.draft.standing().next().is_some(),
        ),
        Document::SystemDesign(design) => (
            "modules",
            design.modules.is_empty()
                && design.decisions.is_empty()
                && design.file_impacts.is_empty(),
            has_criteria(),
        ),
        Document::DevPlan(plan) => ("work", plan.work.is_empty(), has_criteria()),
        Document::TestPlan(plan) => ("cases", plan.cases.is_empty(), has_criteria()),
        Document::RiskAssessment(_) => return None,
    };
    (is_empty && is_due).then_some(list)
}
