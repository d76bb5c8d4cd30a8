//! What may follow in a team.

use super::event::{
    ExpertResult, ExpertStep, PhaseStarted, PlanRevised, TeamFormed, TeamSynthesis,
};
use super::plan::{MAX_PHASES, fallback, id_of};
use super::steps::{call_of_step, has_others, missing, revision_due, started};
use crate::machine::budget;
use crate::machine::call::{CallId, Purpose, Scope};
use crate::machine::format::Format;
use crate::machine::legal::{Illegal, Verdict, answered, at, ensure, is_open};
use crate::machine::phase::{PhaseId, PhaseKind, PhasePlan};
use crate::machine::state::{Stage, State};
use crate::role::RoleId;

/// Is it the step of a phase that is due?
pub(in crate::machine) fn is_due(state: &State, call: &CallId) -> bool {
    let Scope::Phase(n) = call.scope else {
        return false;
    };
    state.stage == Stage::Speaking
        && call_of_step(state, &id_of(n)).is_some_and(|due| due == call.unlooked())
}

/// A team is formed once, of members that are there, with phases that have an order.
pub(in crate::machine) fn check_formed(state: &State, formed: &TeamFormed) -> Verdict {
    at(state, &[Stage::Judging])?;
    ensure(state.inputs.format == Format::Team, || {
        "this is no team".to_owned()
    })?;
    let plan = &formed.phases;
    check_plan(state, plan)?;
    let due = CallId::new(
        Scope::Root,
        Purpose::Judgment,
        RoleId::coach(),
        state.round,
        1,
    );
    match &formed.receipt {
        Some(receipt) => {
            ensure(formed.fallback.is_none(), || {
                "a plan and a fallback at once".to_owned()
            })?;
            answered(state, Some(receipt), &due)
        }
        None => {
            let single = fallback(&state.subject(), &state.inputs.roles);
            ensure(formed.fallback.is_some() && *plan == single, || {
                "without the lead there is one phase".to_owned()
            })?;
            answered(state, None, &due)
        }
    }
}

/// A plan is given once more only when its review asks for it; it keeps to the same rules.
pub(in crate::machine) fn check_revised(state: &State, revised: &PlanRevised) -> Verdict {
    let due = revision_due(state);
    let due = due.ok_or_else(|| Illegal("the plan is not to be given anew".to_owned()))?;
    match (&revised.receipt, &revised.phases, &revised.kept) {
        (Some(receipt), Some(plan), None) => {
            check_plan(state, plan)?;
            answered(state, Some(receipt), &due)
        }
        (None, None, Some(_)) => answered(state, None, &due),
        _ => Err(Illegal("a plan is revised, or it stands".to_owned())),
    }
}

/// Phases have an order, the names of the engine, and members that are there.
fn check_plan(state: &State, plan: &PhasePlan) -> Verdict {
    plan.layers().map_err(|error| Illegal(error.to_string()))?;
    ensure(plan.phases().len() <= MAX_PHASES, || {
        format!("more than {MAX_PHASES} phases")
    })?;
    for (phase, n) in plan.phases().iter().zip(1u32..) {
        ensure(
            phase.id == id_of(n) && phase.phase_type == PhaseKind::Execution,
            || format!("`{}` should be the work `{}`", phase.id, id_of(n)),
        )?;
        let is_member = |id: &RoleId| state.inputs.roles.members.iter().any(|r| r.id == *id);
        ensure(
            !phase.members.is_empty() && phase.members.iter().all(is_member),
            || format!("`{}` is in the hands of nobody who is here", phase.id),
        )?;
    }
    Ok(())
}

/// A phase of the layer begins once, with the task and members of the plan.
pub(in crate::machine) fn check_started(state: &State, event: &PhaseStarted) -> Verdict {
    at(state, &[Stage::Speaking])?;
    let team = state.team.as_ref();
    let next = team.and_then(|team| {
        let mut phases = team.unfinished();
        phases.find(|phase| !team.working.contains_key(&phase.id))
    });
    ensure(next.map(started).as_ref() == Some(event), || {
        format!("`{}` does not begin now", event.phase_id)
    })
}

/// A step is the work of the member whose turn it is, with another one to come.
pub(in crate::machine) fn check_step(state: &State, event: &ExpertStep) -> Verdict {
    let due = due_in(state, &event.phase_id)?;
    answered(state, Some(&event.receipt), &due)?;
    ensure(
        event.step == due.turn && (event.step as usize) < members(state, &event.phase_id),
        || format!("step {} of `{}` is not due", event.step, event.phase_id),
    )
}

/// A member of a phase is passed over once it was asked in vain as often as may be, with
/// another one to come.
pub(in crate::machine) fn check_passed_over(
    state: &State,
    id: &PhaseId,
    turn: u32,
    member: &RoleId,
) -> Verdict {
    let due = due_in(state, id)?;
    ensure(due.turn == turn && due.member == *member, || {
        format!("it is not `{member}`'s turn in `{id}`")
    })?;
    ensure(has_others(state, id, turn), || {
        format!("nobody of `{id}` is still to come")
    })?;
    answered(state, None, &due)
}

/// A result comes from the last member, or from nobody when one was asked in vain.
pub(in crate::machine) fn check_result(state: &State, event: &ExpertResult) -> Verdict {
    let due = due_in(state, &event.phase_id)?;
    match &event.receipt {
        Some(receipt) => {
            ensure(event.missing.is_none(), || {
                "an answer and none at once".to_owned()
            })?;
            ensure(due.turn as usize == members(state, &event.phase_id), || {
                format!("others of `{}` are still to come", event.phase_id)
            })?;
            answered(state, Some(receipt), &due)
        }
        None => {
            // Earlier versions ended a phase with any member that was asked in vain, and also
            // did without a provider that could not be had.
            answered(state, None, &due)?;
            let why = event.missing.as_ref().map(|note| note.text.clone());
            let id = event.phase_id.clone();
            let single = missing(state, id, &due.member, why.unwrap_or_default());
            ensure(single == *event, || {
                format!("`{}` ends with something else", event.phase_id)
            })
        }
    }
}

/// The lead closes when there is nothing else to do.
pub(in crate::machine) fn check_synthesis(state: &State, event: &TeamSynthesis) -> Verdict {
    at(state, &[Stage::Reporting])?;
    ensure(state.inputs.format == Format::Team, || {
        "this is no team".to_owned()
    })?;
    match &event.receipt {
        Some(receipt) => {
            is_open(state, &receipt.call)?;
            ensure(receipt.call.purpose == Purpose::Report, || {
                format!("call `{}` asked for something else", receipt.call)
            })
        }
        None => ensure(!budget::figures(state).is_empty(), || {
            "a model can be asked: no cap on tokens or money is set".to_owned()
        }),
    }
}

fn due_in(state: &State, id: &PhaseId) -> Result<CallId, Illegal> {
    at(state, &[Stage::Speaking])?;
    let due = call_of_step(state, id);
    due.ok_or_else(|| Illegal(format!("`{id}` is not worked on")))
}

fn members(state: &State, id: &PhaseId) -> usize {
    let phase = state.team.as_ref().and_then(|team| team.plan.find(id));
    phase.map_or(0, |phase| phase.members.len())
}
