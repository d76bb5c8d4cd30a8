//! Which events may follow in a team, and what they change in the state.

use super::event::{
    ExpertResult, ExpertStep, PhaseStarted, PlanRevised, TeamFormed, TeamSynthesis,
};
use super::plan::{MAX_PHASES, fallback, id_of, number};
use super::steps::{call_of_step, has_others};
use super::work::{PhaseResult, PhaseWork, TeamWork};
use crate::call::{CallId, Scope};
use crate::ids::DebateId;
use crate::machine::debate::looks_for_divergence;
use crate::machine::event::Note;
use crate::machine::format::Format;
use crate::machine::illegal::{Illegal, Verdict, ensure};
use crate::machine::phase::{PhaseId, PhaseKind, PhasePlan};
use crate::machine::state::{Absence, Stage, State};
use crate::reply::{Contribution, ReportWords, Synthesis};
use crate::role::RoleId;

/// Returns whether the call is the due step of a phase.
pub(in crate::machine) fn is_due(state: &State, call: &CallId) -> bool {
    let Scope::Phase(n) = call.scope else {
        return false;
    };
    state.stage == Stage::Speaking
        && call_of_step(state, &id_of(n)).is_some_and(|due| due == call.unlooked())
}

/// Checks that the phases have an order, ids assigned by the engine, and existing members.
fn check_plan(state: &State, plan: &PhasePlan) -> Verdict {
    plan.layers().map_err(|error| Illegal(error.to_string()))?;
    ensure!(
        plan.phases().len() <= MAX_PHASES,
        "more than {MAX_PHASES} phases"
    );
    for (phase, n) in plan.phases().iter().zip(1u32..) {
        let (id, due) = (&phase.id, id_of(n));
        let is_work = *id == due && phase.phase_type == PhaseKind::Execution;
        ensure!(is_work, "`{id}` should be the work `{due}`");
        let is_member = |id: &RoleId| state.inputs.roles.members.iter().any(|r| r.id == *id);
        let has_members = !phase.members.is_empty() && phase.members.iter().all(is_member);
        ensure!(has_members, "`{id}` is in the hands of nobody who is here");
    }
    Ok(())
}

impl State {
    /// Forms the team: once, from existing members, with phases that have an order.
    pub(in crate::machine) fn team_formed(&mut self, formed: &TeamFormed) -> Verdict {
        self.ensure_at(&[Stage::Judging])?;
        ensure!(self.inputs.format == Format::Team, "this is no team");
        check_plan(self, &formed.phases)?;
        self.judgment.text = Some(formed.info.clone());
        self.team = Some(TeamWork::new(formed.phases.clone(), None));
        self.stage = Stage::Between;
        Ok(())
    }

    /// One phase takes the place of a plan that could not be had; one that was to be revised
    /// stays.
    pub(in crate::machine) fn do_without_plan(&mut self, why: &str) {
        if let Some(team) = &mut self.team {
            team.revised = true;
            return;
        }
        let plan = fallback(&self.subject(), &self.inputs.roles);
        self.judgment.text = Some(String::new());
        self.team = Some(TeamWork::new(plan, Some(why.to_owned())));
        self.stage = Stage::Between;
    }

    /// The work is planned anew, by the same rules; debates that were held keep their places.
    pub(in crate::machine) fn plan_revised(&mut self, revised: &PlanRevised) -> Verdict {
        check_plan(self, &revised.phases)?;
        self.judgment.text = Some(revised.info.clone());
        if let Some(team) = &mut self.team {
            team.revised = true;
            team.plan.replace_work(&revised.phases);
        }
        Ok(())
    }

    pub(in crate::machine) fn phase_started(&mut self, started: &PhaseStarted) {
        if let Some(team) = &mut self.team {
            let id = started.phase_id.clone();
            team.working.insert(id, PhaseWork::default());
        }
    }

    /// Records the step of the member whose turn it is; another member must follow.
    pub(in crate::machine) fn expert_stepped(&mut self, stepped: &ExpertStep) -> Verdict {
        let call = &stepped.receipt.call;
        let id = &stepped.phase_id;
        self.ensure_of_phase(call, id)?;
        let is_step = stepped.step == call.turn && has_others(self, id, call.turn);
        ensure!(is_step, "step {} of `{id}` is not due", stepped.step);
        if let Some(work) = self.work_on(id) {
            let who = call.member.clone();
            work.steps.push((who.clone(), stepped.output.clone()));
            work.questions.push((who, stepped.questions.clone()));
        }
        Ok(())
    }

    fn ensure_of_phase(&self, call: &CallId, id: &PhaseId) -> Verdict {
        let is_of_it = number(id).is_some_and(|n| call.scope == Scope::Phase(n));
        ensure!(is_of_it, "call `{call}` is not about `{id}`");
        Ok(())
    }

    /// A member of a phase brought nothing: those after it go on with what there is, and where
    /// nobody comes after, that is the result.
    pub(in crate::machine) fn step_missing(&mut self, call: &CallId, why: &str) {
        let Scope::Phase(n) = call.scope else {
            return;
        };
        let id = id_of(n);
        let is_last = !has_others(self, &id, call.turn);
        let Some(work) = self.work_on(&id) else {
            return;
        };
        work.missing.push(Note::new(call.member.to_string(), why));
        let last = work.steps.last().map(|(_, step)| step.clone());
        if is_last {
            self.finish_phase(&id, last.unwrap_or_default());
        }
    }

    /// A result comes from the last member of its phase.
    pub(in crate::machine) fn expert_finished(&mut self, finished: &ExpertResult) -> Verdict {
        let (call, id) = (&finished.receipt.call, &finished.phase_id);
        self.ensure_of_phase(call, id)?;
        let is_last = !has_others(self, id, call.turn);
        ensure!(is_last, "others of `{id}` are still to come");
        if let Some(work) = self.work_on(id) {
            let asked = (call.member.clone(), finished.questions.clone());
            work.questions.push(asked);
        }
        self.finish_phase(id, finished.output.clone());
        Ok(())
    }

    /// A phase ends; with the last one of the layer all results are shown to everybody.
    fn finish_phase(&mut self, id: &PhaseId, output: String) {
        if let Some(work) = self.work_on(id) {
            work.result = Some(PhaseResult {
                output,
                missing: std::mem::take(&mut work.missing),
                debate: None,
            });
        }
        let goes_on = |team: &TeamWork| team.unfinished().next().is_some();
        if !self.team.as_ref().is_some_and(goes_on) {
            self.end_layer();
            self.stage = if looks_for_divergence(self) {
                Stage::Summarising
            } else {
                Stage::Between
            };
        }
    }

    /// Ends the layer: keeps finished work and records members without a result.
    pub(in crate::machine) fn end_layer(&mut self) {
        let Some(team) = &mut self.team else {
            return;
        };
        let missing = team.missing();
        let questions = team.end_layer();
        let round = self.round;
        let passed = missing.into_iter().map(|(id, missing)| Absence {
            member: RoleId::from(missing.about.as_str()),
            round,
            reason: format!("{id}: {}", missing.text),
        });
        self.discussion.passed_over.extend(passed);
        for (member, questions) in questions {
            let asked = Contribution {
                questions,
                ..Contribution::default()
            };
            self.ask(&member, &asked);
        }
    }

    /// Makes the conclusion of a debate the result of its phase.
    pub(in crate::machine) fn phase_debated(&mut self, debate: DebateId, conclusion: &str) {
        let Some(team) = &mut self.team else {
            return;
        };
        if let Some(phase) = team.debates.get(&debate) {
            let result = PhaseResult {
                output: conclusion.to_owned(),
                missing: Vec::new(),
                debate: Some(debate),
            };
            team.done.insert(phase.clone(), result);
        }
    }

    /// Records the lead's synthesis, which comes when nothing else is left to do.
    pub(in crate::machine) fn synthesised(&mut self, synthesised: &TeamSynthesis) -> Verdict {
        self.ensure_at(&[Stage::Reporting])?;
        ensure!(self.inputs.format == Format::Team, "this is no team");
        let without_model = synthesised.receipt.is_none();
        if without_model {
            self.ensure_no_budget()?;
        }
        self.documents.report_without_model = without_model;
        self.put_together(&synthesised.synthesis);
        self.begin_review(without_model, Stage::Complete);
        Ok(())
    }

    /// Stores a synthesis, new or amended.
    pub(in crate::machine) fn put_together(&mut self, words: &Synthesis) {
        if let Some(team) = &mut self.team {
            team.synthesis = Some(words.result.clone());
        }
        self.documents.report = Some(ReportWords {
            title: words.title.clone(),
            in_short: words.in_short.clone(),
            decide: words.decide.clone(),
            plan: None,
        });
    }

    /// Returns the synthesis of a team's lead; `None` until it is written.
    pub fn synthesis(&self) -> Option<Synthesis> {
        let (result, words) = (
            self.team.as_ref()?.synthesis.clone()?,
            self.documents.report.clone()?,
        );
        Some(Synthesis {
            title: words.title,
            in_short: words.in_short,
            result,
            decide: words.decide,
        })
    }

    /// Returns the member that works on a phase now and its position, from 1: after those that
    /// worked on the phase and those that were skipped.
    pub(in crate::machine) fn worker_of(&self, id: &PhaseId) -> Option<(RoleId, u32)> {
        let team = self.team.as_ref()?;
        let work = team.working.get(id).filter(|work| work.result.is_none())?;
        let place = work.steps.len() + work.missing.len();
        let member = team.plan.find(id)?.members.get(place)?.clone();
        Some((member, place as u32 + 1))
    }

    fn work_on(&mut self, id: &PhaseId) -> Option<&mut PhaseWork> {
        self.team.as_mut()?.working.get_mut(id)
    }
}
