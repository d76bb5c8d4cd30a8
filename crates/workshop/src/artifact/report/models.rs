//! Models that others were put in place of, for the page.

use serde_json::{Value, json};

use crate::machine::State;

/// Members that answered with another model from a round on, in order: the first round they
/// were asked in, their codes, and provider and model before and since.
pub(super) fn model_changes(state: &State) -> Vec<Value> {
    let name = |(model, provider): &(String, String)| format!("{provider}/{model}");
    let changes = state.run.model_changes.iter().map(|change| {
        let codes = change.members.iter().map(|id| state.inputs.roles.code(id));
        json!({
            "round": change.round.max(1), "members": codes.collect::<Vec<_>>().join(", "),
            "from": name(&change.from), "to": name(&change.to),
        })
    });
    changes.collect()
}
