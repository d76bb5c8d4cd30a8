//! The next actions of a team.

use super::event::{ExpertResult, PhaseStarted, PlanRevised, TeamFormed};
use super::plan::{fallback, id_of, number};
use crate::machine::action::{Action, GiveUp};
use crate::machine::call::{CallId, Purpose, Scope};
use crate::machine::debate::Trigger;
use crate::machine::event::{Event, Note};
use crate::machine::illegal::{Verdict, refuse};
use crate::machine::phase::{Phase, PhaseId};
use crate::machine::state::{Stage, State};
use crate::machine::tries::{Try, next_try};
use crate::reply::Decision;
use crate::role::RoleId;

/// Returns the next actions of the current layer: phases begin, members work in parallel, and
/// members that gave no usable answer are recorded; `None` if no layer is in progress.
pub(in crate::machine) fn due(state: &State) -> Option<Vec<Action>> {
    let team = state.team.as_ref().filter(|team| team.is_working())?;
    if state.stage != Stage::Speaking {
        return None;
    }
    let idle = team.unfinished();
    let fresh = idle.into_iter().find(|p| !team.working.contains_key(&p.id));
    if let Some(phase) = fresh {
        return Some(Action::recorded(Event::PhaseStarted(started(phase))));
    }
    let (mut calls, mut in_vain, mut away) = (Vec::new(), None, None);
    for phase in team.unfinished() {
        let Some(first) = call_of_step(state, &phase.id) else {
            continue;
        };
        match next_try(state, &first) {
            Try::Call(call) => calls.push(Action::Call(call)),
            Try::Unusable(_, why) => in_vain = in_vain.or(Some((phase.id.clone(), first, why))),
            // An unavailable provider is not the member's fault, and no reason to give up its
            // result.
            Try::Away(call, _) => away = away.or(Some(call)),
        }
    }
    if !calls.is_empty() {
        return Some(calls);
    }
    if let Some((id, call, why)) = in_vain {
        if has_others(state, &id, call.turn) {
            return Some(Action::recorded(Event::PassedOver {
                turn: call.turn,
                member: call.member,
                reason: why,
                phase_id: Some(id),
            }));
        }
        return Some(Action::recorded(Event::CallGivenUp { call, reason: why }));
    }
    away.map(gives_up)
}

/// Returns whether members of the phase follow after the one at `turn`.
pub(super) fn has_others(state: &State, id: &PhaseId, turn: u32) -> bool {
    let phase = state.team.as_ref().and_then(|team| team.plan.find(id));
    phase.is_some_and(|phase| phase.members.len() > turn as usize)
}

fn gives_up(call: CallId) -> Vec<Action> {
    vec![Action::GiveUp(GiveUp::ProviderUnavailable { call })]
}

/// Returns the call of the member whose turn it is in a phase, at its first attempt.
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
        debate.motion.trigger == Trigger::Review && !debate.rounds.is_empty() && decided
    });
    (idle && !is_ending && is_reviewed && !team.revised)
        .then(|| CallId::new(Scope::Root, Purpose::Judgment, RoleId::coach(), 0, 2))
}

/// Returns the actions for a reviewed plan: the lead revises it, or it is kept; `None` if no
/// revision is due.
pub(in crate::machine) fn revision(state: &State) -> Option<Vec<Action>> {
    let first = revision_due(state)?;
    Some(match next_try(state, &first) {
        Try::Call(call) => vec![Action::Call(call)],
        Try::Away(call, _) => gives_up(call),
        Try::Unusable(_, why) => Action::recorded(Event::PlanRevised(PlanRevised {
            receipt: None,
            info: String::new(),
            phases: None,
            kept: Some(why),
        })),
    })
}

/// Returns the event that puts a single phase in place of a plan, if no usable one was given.
pub(in crate::machine) fn without_plan(state: &State, why: &str) -> Event {
    Event::TeamFormed(TeamFormed {
        receipt: None,
        info: String::new(),
        phases: fallback(&state.subject(), &state.inputs.roles),
        fallback: Some(why.to_owned()),
    })
}

pub(super) fn started(phase: &Phase) -> PhaseStarted {
    PhaseStarted {
        phase_id: phase.id.clone(),
        task: phase.task.clone(),
        members: phase.members.clone(),
    }
}

impl State {
    /// A phase ends with what its earlier members brought, or with nothing.
    pub(in crate::machine) fn step_missing(&mut self, call: &CallId, why: &str) -> Verdict {
        let Scope::Phase(n) = call.scope else {
            refuse!("call `{call}` is of no phase");
        };
        let id = id_of(n);
        let work = self.team.as_ref().and_then(|team| team.working.get(&id));
        let last = work.and_then(|work| work.steps.last());
        self.expert_finished(&ExpertResult {
            receipt: None,
            output: last.map(|(_, step)| step.clone()).unwrap_or_default(),
            questions: Vec::new(),
            notes: Vec::new(),
            missing: Some(Note::new(call.member.to_string(), why)),
            phase_id: id,
        })
    }
}
