//! Turns the lead's answer into a plan, or builds the one-phase plan that replaces it.

use std::collections::BTreeMap;

use crate::machine::notes::{folded, line};
use crate::machine::phase::{Phase, PhaseId, PhaseKind, PhasePlan};
use crate::reply::{PlannedPhase, TeamPlan};
use crate::role::{RoleId, RoleSet};

/// Maximum number of phases in a plan, not counting debates inserted later.
pub const MAX_PHASES: usize = 8;
/// Maximum number of members that work on one phase, one after the other.
const MAX_MEMBERS: usize = 3;

/// Returns the number of a phase named by the engine, such as 2 for `P-2`; `None` for any other
/// name.
pub fn number(id: &PhaseId) -> Option<u32> {
    id.0.strip_prefix("P-")?.parse().ok()
}

/// Returns the id of the `n`th phase, from 1.
pub(super) fn id_of(n: u32) -> PhaseId {
    PhaseId(format!("P-{n}"))
}

/// Returns the plan that an answer describes, with ids assigned by the engine.
///
/// # Errors
/// What is wrong with it, as text for the retry: no phase or too many, a phase without a task or
/// with unknown members, a dependency that does not exist, a cycle.
pub fn plan_of(answer: &TeamPlan, roles: &RoleSet) -> Result<PhasePlan, String> {
    if answer.phases.len() > MAX_PHASES {
        return Err(format!(
            "`phases` holds {} phases; at most {MAX_PHASES} are allowed",
            answer.phases.len()
        ));
    }
    let mut ids = BTreeMap::new();
    for (phase, n) in answer.phases.iter().zip(1u32..) {
        if ids.insert(phase.key.trim(), id_of(n)).is_some() {
            return Err(format!("the key `{}` appears twice", phase.key.trim()));
        }
    }
    let phases = answer.phases.iter().zip(1u32..);
    let phases: Result<Vec<Phase>, String> = phases
        .map(|(planned, n)| phase(planned, id_of(n), &ids, roles))
        .collect();
    PhasePlan::new(phases?).map_err(|error| error.to_string())
}

fn phase(
    planned: &PlannedPhase,
    id: PhaseId,
    ids: &BTreeMap<&str, PhaseId>,
    roles: &RoleSet,
) -> Result<Phase, String> {
    let key = planned.key.trim();
    let task = folded(&planned.task);
    if task.is_empty() {
        return Err(format!("the phase `{key}` has no `task`"));
    }
    let members = planned.members.iter().map(|name| member(name, key, roles));
    let mut members: Vec<RoleId> = members.collect::<Result<_, _>>()?;
    members.dedup();
    if members.is_empty() || members.len() > MAX_MEMBERS {
        return Err(format!(
            "the phase `{key}` needs one to {MAX_MEMBERS} `members`"
        ));
    }
    let depends_on = planned.depends_on.iter().map(|name| {
        let known = ids.get(name.trim()).cloned();
        known.ok_or_else(|| format!("`{key}` depends on `{}`, which is no key", name.trim()))
    });
    Ok(Phase {
        id,
        task,
        members,
        depends_on: depends_on.collect::<Result<_, _>>()?,
        phase_type: PhaseKind::Execution,
        debate_config: None,
    })
}

fn member(name: &str, key: &str, roles: &RoleSet) -> Result<RoleId, String> {
    let name = name.trim();
    let mut members = roles.members.iter();
    let found = members.find(|role| role.is_meant_by(name));
    found.map(|role| role.id.clone()).ok_or_else(|| {
        let codes: Vec<&str> = roles
            .members
            .iter()
            .map(|role| role.code.as_str())
            .collect();
        format!(
            "the phase `{key}` names `{name}`, who is no member; there are {}",
            codes.join(", ")
        )
    })
}

/// Returns the plan used if no usable one was given: one phase with the whole task, done by the
/// first member.
pub fn fallback(task: &str, roles: &RoleSet) -> PhasePlan {
    let first = roles.members.first();
    let phase = Phase {
        id: id_of(1),
        task: line(task),
        members: first.map(|role| role.id.clone()).into_iter().collect(),
        depends_on: Vec::new(),
        phase_type: PhaseKind::Execution,
        debate_config: None,
    };
    // A single phase without a dependency always has an order.
    PhasePlan::new(vec![phase]).unwrap_or_default()
}
