//! The next actions of a team.

use super::event::PhaseStarted;
use super::plan::number;
use crate::call::{CallId, Purpose, Scope};
use crate::machine::action::Action;
use crate::machine::debate::DebateTrigger;
use crate::machine::event::Event;
use crate::machine::next::{ask, side_by_side};
use crate::machine::phase::PhaseId;
use crate::machine::state::{Stage, State};
use crate::reply::Decision;
use crate::role::RoleId;

/// Returns the next actions of the current layer: phases begin, members work in parallel, and
/// members that gave no usable answer are recorded; `None` if no layer is in progress.
pub(in crate::machine) fn due(state: &State) -> Option<Vec<Action>> {
    let team = state.team.as_ref().filter(|team| team.is_working())?;
    if state.stage != Stage::Speaking {
        return None;
    }
    let mut idle = team.unfinished();
    let fresh = idle.find(|phase| !team.working.contains_key(&phase.id));
    if let Some(phase) = fresh {
        return Some(Action::recorded(Event::PhaseStarted(PhaseStarted {
            phase_id: phase.id.clone(),
            task: phase.task.clone(),
            members: phase.members.clone(),
        })));
    }
    let steps = team
        .unfinished()
        .filter_map(|phase| call_of_step(state, &phase.id));
    let actions = side_by_side(steps.map(|call| ask(state, &call)).collect());
    (!actions.is_empty()).then_some(actions)
}

/// Returns whether members of the phase follow after the one at `turn`.
pub(super) fn has_others(state: &State, id: &PhaseId, turn: u32) -> bool {
    let phase = state.team.as_ref().and_then(|team| team.plan.find(id));
    phase.is_some_and(|phase| phase.members.len() > turn as usize)
}

/// The call of the member whose turn it is in a phase, at its first attempt.
pub(in crate::machine) fn call_of_step(state: &State, id: &PhaseId) -> Option<CallId> {
    let (member, turn) = state.worker_of(id)?;
    Some(CallId::new(
        Scope::Phase(number(id)?),
        Purpose::Step,
        member,
        state.round,
        turn,
    ))
}

/// Returns the call for a revised plan, at its first attempt. It is due once a review of the phases
/// was debated and ruled on, before any work begins. A question that was shelved, or that the lead
/// saw no need to debate, changes nothing.
pub(in crate::machine) fn revision_due(state: &State) -> Option<CallId> {
    let team = state.team.as_ref()?;
    let idle = state.stage == Stage::Between && state.round == 0 && state.open_debate().is_none();
    let is_ending = state.ending.decided.is_some();
    let mut debates = state.debates.held.iter();
    let is_reviewed = debates.any(|debate| {
        let ended = debate.resolution.as_ref();
        let decided = ended.is_some_and(|end| end.ruling.decision != Decision::Shelve);
        debate.motion.trigger == DebateTrigger::Review && !debate.rounds.is_empty() && decided
    });
    (idle && !is_ending && is_reviewed && !team.revised)
        .then(|| CallId::new(Scope::Root, Purpose::Judgment, RoleId::coach(), 0, 2))
}
