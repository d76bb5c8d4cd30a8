//! Checks whether a document holds what it is asked for.
//!
//! A schema is satisfied by empty lists. A plan whose criteria, work or tests are an empty list
//! beside agreed items says that nothing follows from what was agreed; published, it would pass for
//! agreement. `docs/design/artifacts.md` says which emptiness is an answer.

use crate::machine::{Note, State};
use crate::reply::{Document, DocumentKind};

/// Why a document with its ids is no answer to what it was asked for; `None` if it is
/// one.
///
/// Where nothing is agreed nothing is missed, and where there are no criteria nothing
/// has to be built or tested. A risk assessment may be empty: a member who sees no risk
/// must be able to say so.
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

/// The list that has nothing in it and should.
fn unfilled(state: &State, document: &Document) -> Option<&'static str> {
    let has_criteria = || match state.documents.written.get(&DocumentKind::ProductPlan) {
        Some(record) => match &record.content {
            Document::ProductPlan(plan) => !plan.criteria.is_empty(),
            _ => false,
        },
        None => false,
    };
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
