//! Continuing a run with other models than it began with.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::illegal::{Illegal, Verdict, refuse};
use super::inputs::{Inputs, ModelChoice};
use super::state::State;
use crate::role::RoleId;

/// Models that a run goes on with in place of those it had.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct NewModels {
    /// Model of everybody who has none of their own.
    pub model: ModelChoice,
    /// Models by full role name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub role_models: BTreeMap<String, ModelChoice>,
    /// Providers that are reached at another address than their usual one.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub own_addresses: BTreeSet<String>,
}

impl NewModels {
    /// Replaces the models of `inputs`; everything else stays frozen.
    ///
    /// # Errors
    /// A model is chosen for somebody who does not take part; `inputs` is then unchanged.
    pub fn apply(&self, inputs: &mut Inputs) -> Result<(), Illegal> {
        let is_unknown = |name: &&String| inputs.roles.find(name).is_none();
        if let Some(name) = self.role_models.keys().find(is_unknown) {
            refuse!("a model is chosen for `{name}`, who does not take part");
        }
        inputs.model = self.model.clone();
        inputs.role_models = self.role_models.clone();
        inputs.own_addresses = self.own_addresses.clone();
        Ok(())
    }
}

/// Members that were given another model while the run was interrupted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelChange {
    /// The round in which the run was resumed.
    pub round: u32,
    /// The members with that model, in the order of the run's roles.
    pub members: Vec<RoleId>,
    /// The previous model and its provider.
    pub from: (String, String),
    /// The new model and its provider.
    pub to: (String, String),
}

impl ModelChange {
    /// Returns the differences between two choices of models, the coach first.
    pub fn between(before: &Inputs, after: &Inputs, round: u32) -> Vec<Self> {
        let mut changes: Vec<Self> = Vec::new();
        let named = |choice: &ModelChoice| (choice.model.clone(), choice.provider.clone());
        for role in std::iter::once(&after.roles.coach).chain(&after.roles.members) {
            let [from, to] = [before, after].map(|inputs| named(inputs.model_of(&role.id)));
            if from == to {
                continue;
            }
            match changes
                .iter_mut()
                .find(|one| one.from == from && one.to == to)
            {
                Some(change) => change.members.push(role.id.clone()),
                None => changes.push(Self {
                    round,
                    members: vec![role.id.clone()],
                    from,
                    to,
                }),
            }
        }
        changes
    }
}

impl State {
    /// Changes the models from here on, and keeps the change for the report.
    pub(super) fn go_on_with(&mut self, models: &NewModels) -> Verdict {
        let before = self.inputs.clone();
        models.apply(&mut self.inputs)?;
        let changes = ModelChange::between(&before, &self.inputs, self.round);
        self.run.model_changes.extend(changes);
        Ok(())
    }
}
