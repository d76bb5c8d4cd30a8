//! Models that others were put in place of, for the page.

use serde::Serialize;

use crate::machine::State;

/// Members that answered with another model from a round on.
#[derive(Serialize)]
pub(super) struct ModelChangeRow {
    /// The first round it was asked in.
    round: u32,
    /// Their codes.
    members: String,
    /// Provider and model before.
    from: String,
    /// Provider and model since.
    to: String,
}

/// Models that others were put in place of, in order.
pub(super) fn model_changes(state: &State) -> Vec<ModelChangeRow> {
    let name = |(model, provider): &(String, String)| format!("{provider}/{model}");
    let changes = state.model_changes.iter().map(|change| {
        let codes = change.members.iter().map(|id| state.inputs.roles.code(id));
        ModelChangeRow {
            round: change.round.max(1),
            members: codes.collect::<Vec<_>>().join(", "),
            from: name(&change.from),
            to: name(&change.to),
        }
    });
    changes.collect()
}
