//! Accounts: what a writer did with the notes and agreed items it was given.

use crate::machine::{ConsensusItem, Note, State, carry_over};
use crate::reply::{Account, DocumentKind};

/// Returns the ids that the writer of a document must account for: agreed items, and notes for it.
pub(in crate::machine) fn due(state: &State, kind: DocumentKind) -> Vec<String> {
    let notes = state
        .discussion
        .notes()
        .filter(|(_, _, note)| note.document == kind);
    let items = items_due(state, kind).into_iter();
    items.chain(notes.map(|(id, _, _)| id)).collect()
}

/// Returns the agreed items that the writer of a document must account for. In the product plan:
/// all in force, or in a revision the new ones. In other documents: the new items about them, if
/// the product plan was carried over without accounts.
pub fn items_due(state: &State, kind: DocumentKind) -> Vec<String> {
    let is_product = kind == DocumentKind::ProductPlan;
    let is_revised = carry_over::goes_on_from(state, DocumentKind::ProductPlan).is_some();
    let product = state.documents.written.get(&DocumentKind::ProductPlan);
    let unasked = product.is_some_and(|it| it.carried.is_some() && it.accounts.is_empty());
    let previous = state.task.previous.as_ref().filter(|_| unasked);
    let is_new = |item: &ConsensusItem| item.version == state.inputs.version;
    let is_due = |item: &&ConsensusItem| match previous {
        _ if is_product => !is_revised || is_new(item),
        Some(previous) => is_new(item) && carry_over::about(state, previous, item).contains(&kind),
        None => false,
    };
    let items = state.draft.standing().filter(is_due);
    items.map(|item| item.id.to_string()).collect()
}

/// Returns the accounts that say something about a due id, each id once.
pub(in crate::machine) fn read(
    state: &State,
    kind: DocumentKind,
    said: Vec<Account>,
) -> Vec<Account> {
    let says = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.trim().is_empty());
    due(state, kind)
        .into_iter()
        .filter_map(|id| {
            let means = |one: &&Account| one.id.trim().eq_ignore_ascii_case(&id);
            let one = said.iter().find(means)?;
            let used_in = one.used_in.clone().filter(|_| says(&one.used_in));
            let why = one.left_out_because.clone();
            let why = why.filter(|_| used_in.is_none() && says(&one.left_out_because));
            (used_in.is_some() || why.is_some()).then_some(Account {
                id,
                used_in,
                left_out_because: why,
            })
        })
        .collect()
}

pub(in crate::machine) fn missing(
    state: &State,
    kind: DocumentKind,
    accounts: &[Account],
) -> Vec<String> {
    let mut due = due(state, kind);
    due.retain(|id| accounts.iter().all(|account| account.id != *id));
    due
}

/// Returns the note on an id that a writer left out twice.
pub(in crate::machine) fn silence(id: String) -> Note {
    Note::new(id, "the writer does not say what became of it")
}
