//! Turns a checked answer in a team into an event.

use super::event::{ExpertResult, ExpertStep, PlanRevised, TeamFormed, TeamSynthesis};
use super::plan::{id_of, plan_of};
use crate::call::Scope;
use crate::machine::decide;
use crate::machine::event::{Event, Receipt};
use crate::machine::notes::{of_refusal, unused};
use crate::machine::review;
use crate::machine::state::State;
use crate::reply::{Contribution, FindingAnswer, Synthesis, TeamPlan};

/// Returns the event that a plan becomes, or a plan revised after its review.
///
/// # Errors
/// What is wrong with the plan, as text for the retry.
pub(in crate::machine) fn planned(
    state: &State,
    receipt: Receipt,
    answer: TeamPlan,
) -> Result<Event, String> {
    let (phases, info) = (plan_of(&answer, &state.inputs.roles)?, answer.analysis);
    Ok(match receipt.call.turn {
        1 => Event::TeamFormed(TeamFormed {
            receipt,
            info,
            phases,
        }),
        _ => Event::PlanRevised(PlanRevised {
            receipt,
            info,
            phases,
        }),
    })
}

/// Returns the event that a member's work becomes: a step, or the result if no member follows.
///
/// # Errors
/// What the answer lacks, as text for the retry.
pub(in crate::machine) fn step(
    state: &State,
    receipt: Receipt,
    mut answer: Contribution,
) -> Result<Event, String> {
    let gone = || "this phase is not worked on".to_owned();
    let Scope::Phase(n) = receipt.call.scope else {
        return Err(gone());
    };
    let phase_id = id_of(n);
    let team = state.team.as_ref().ok_or_else(gone)?;
    let members = team.plan.find(&phase_id).map_or(0, |p| p.members.len());
    let asked = std::mem::take(&mut answer.questions);
    let mut notes = unused(&answer, "a phase brings a result and questions; left out");
    let (questions, unasked) = decide::questions(state, asked, |_| false);
    notes.extend(unasked.iter().map(of_refusal));
    let step = receipt.call.turn;
    Ok(if (step as usize) < members {
        Event::ExpertStep(ExpertStep {
            receipt,
            phase_id,
            step,
            output: answer.analysis,
            questions,
            notes,
        })
    } else {
        Event::ExpertResult(ExpertResult {
            receipt,
            phase_id,
            output: answer.analysis,
            questions,
            notes,
        })
    })
}

/// Returns the event that the lead's synthesis becomes, or its amendment after findings.
///
/// # Errors
/// The synthesis is empty, or what an amendment lacks.
pub(in crate::machine) fn synthesised(
    state: &State,
    receipt: Receipt,
    (synthesis, findings): (Synthesis, Vec<FindingAnswer>),
) -> Result<Event, String> {
    if synthesis.result.trim().is_empty() {
        return Err("`result` is empty: it is what the task asked for".to_owned());
    }
    if receipt.call.amends() {
        return review::amended_synthesis(state, receipt, synthesis, findings);
    }
    Ok(Event::TeamSynthesis(TeamSynthesis {
        receipt: Some(receipt),
        synthesis,
    }))
}
