//! What the events of a team change in the state.

use super::event::{
    ExpertResult, ExpertStep, PhaseStarted, PlanRevised, TeamFormed, TeamSynthesis,
};
use super::work::{PhaseResult, PhaseWork, TeamWork};
use crate::ids::DebateId;
use crate::machine::debate::looks_for_divergence;
use crate::machine::event::Note;
use crate::machine::phase::PhaseId;
use crate::machine::state::{PassedOver, Stage, State};
use crate::reply::{Contribution, ReportWords, Synthesis};
use crate::role::RoleId;

impl State {
    pub(in crate::machine) fn team_formed(&mut self, formed: &TeamFormed) {
        if let Some(receipt) = &formed.receipt {
            self.settle_call(receipt);
        }
        self.judgment = Some(formed.info.clone());
        let plan = formed.phases.clone();
        self.team = Some(TeamWork::new(plan, formed.fallback.clone()));
        self.stage = Stage::Between;
    }

    /// The work is planned anew; debates that were held stay where they are.
    pub(in crate::machine) fn plan_revised(&mut self, revised: &PlanRevised) {
        if let Some(receipt) = &revised.receipt {
            self.settle_call(receipt);
            self.judgment = Some(revised.info.clone());
        }
        if let Some(team) = &mut self.team {
            team.revised = true;
            if let Some(work) = &revised.phases {
                team.plan.replace_work(work);
            }
        }
    }

    pub(in crate::machine) fn phase_started(&mut self, started: &PhaseStarted) {
        if let Some(team) = &mut self.team {
            let id = started.phase_id.clone();
            team.working.insert(id, PhaseWork::default());
        }
    }

    pub(in crate::machine) fn expert_stepped(&mut self, stepped: &ExpertStep) {
        self.settle_call(&stepped.receipt);
        if let Some(work) = self.work_on(&stepped.phase_id) {
            let who = stepped.receipt.call.member.clone();
            work.steps.push((who.clone(), stepped.output.clone()));
            work.questions.push((who, stepped.questions.clone()));
        }
    }

    /// A member of a phase brought nothing; those after it go on with what there is.
    pub(in crate::machine) fn step_passed_over(&mut self, id: &PhaseId, who: &RoleId, why: &str) {
        if let Some(work) = self.work_on(id) {
            work.missing.push(Note {
                about: who.to_string(),
                text: why.to_owned(),
                said: None,
            });
        }
    }

    /// A result is there; with the last one of the layer all are shown to everybody.
    pub(in crate::machine) fn expert_finished(&mut self, finished: &ExpertResult) {
        if let Some(receipt) = &finished.receipt {
            self.settle_call(receipt);
        }
        let who = finished.receipt.as_ref().map(|r| r.call.member.clone());
        if let Some(work) = self.work_on(&finished.phase_id) {
            work.questions
                .extend(who.map(|who| (who, finished.questions.clone())));
            let mut missing = std::mem::take(&mut work.missing);
            missing.extend(finished.missing.clone());
            work.result = Some(PhaseResult {
                output: finished.output.clone(),
                missing,
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

    /// What was finished is kept; whoever brought nothing is on record.
    pub(in crate::machine) fn end_layer(&mut self) {
        let Some(team) = &mut self.team else {
            return;
        };
        let missing = team.missing();
        let questions = team.end_layer();
        let round = self.round;
        let passed = missing.into_iter().map(|(id, missing)| PassedOver {
            member: RoleId::from(missing.about.as_str()),
            round,
            reason: format!("{id}: {}", missing.text),
        });
        self.passed_over.extend(passed);
        for (member, questions) in questions {
            let asked = Contribution {
                questions,
                ..Contribution::default()
            };
            self.ask(&member, &asked);
        }
    }

    /// The conclusion of a debate that is a phase is that phase's result.
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

    pub(in crate::machine) fn synthesised(&mut self, synthesised: &TeamSynthesis) {
        if let Some(receipt) = &synthesised.receipt {
            self.settle_call(receipt);
        }
        self.report_without_model = synthesised.receipt.is_none();
        self.put_together(&synthesised.synthesis);
        self.begin_review(self.report_without_model, Stage::Complete);
    }

    /// What the results come to is written, or amended.
    pub(in crate::machine) fn put_together(&mut self, words: &Synthesis) {
        if let Some(team) = &mut self.team {
            team.synthesis = Some(words.result.clone());
        }
        self.report = Some(ReportWords {
            title: words.title.clone(),
            in_short: words.in_short.clone(),
            decide: words.decide.clone(),
            plan: None,
        });
    }

    /// What a team's lead made of all results; none before it is there.
    pub fn synthesis(&self) -> Option<Synthesis> {
        let (result, words) = (self.team.as_ref()?.synthesis.clone()?, self.report.clone()?);
        Some(Synthesis {
            title: words.title,
            in_short: words.in_short,
            result,
            decide: words.decide,
        })
    }

    /// Who works on a phase now, and its place, from 1: after those who worked on it and those
    /// who were passed over.
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
