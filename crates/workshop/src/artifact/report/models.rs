//! Models that were replaced during the run, for the report.

use serde_json::{Value, json};

use crate::machine::State;

/// The replacements of models, in order: the first round with the new model, the members' codes,
/// and the old and the new model with their providers.
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
