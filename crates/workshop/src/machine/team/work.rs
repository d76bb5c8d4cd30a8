//! The work that a team has done so far.

use std::collections::BTreeMap;

use crate::ids::DebateId;
use crate::machine::debate::DebateConfig;
use crate::machine::event::Note;
use crate::machine::phase::{Phase, PhaseId, PhaseKind, PhasePlan};
use crate::reply::AskedQuestion;
use crate::role::RoleId;

/// The result of a phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhaseResult {
    /// The result as Markdown; empty if there is none.
    pub output: String,
    /// Members that gave nothing, and why, in order.
    pub missing: Vec<Note>,
    /// The debate whose conclusion this is, if any.
    pub debate: Option<DebateId>,
}

impl PhaseResult {
    /// Returns whether the result is not empty.
    pub fn has_text(&self) -> bool {
        !self.output.trim().is_empty()
    }
}

/// A phase in progress.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PhaseWork {
    /// The members' answers so far, in order.
    pub steps: Vec<(RoleId, String)>,
    /// Members that gave nothing, and why, in order; all of them come before the member whose turn
    /// it is.
    pub missing: Vec<Note>,
    /// Questions for the user and their askers; the questions get ids when the layer ends.
    pub questions: Vec<(RoleId, Vec<AskedQuestion>)>,
    /// The result, once it exists; others see it when the layer ends.
    pub result: Option<PhaseResult>,
}

/// A team at work.
#[derive(Debug, Clone, PartialEq)]
pub struct TeamWork {
    /// The phases, including inserted debates.
    pub plan: PhasePlan,
    /// Why a single phase replaces the plan, if it does.
    pub fallback: Option<String>,
    /// Whether the plan was revised after its review rather than kept.
    pub revised: bool,
    /// Phases of the current layer, in order; empty between layers.
    pub layer: Vec<PhaseId>,
    /// Phases of the current layer that have begun.
    pub working: BTreeMap<PhaseId, PhaseWork>,
    /// Results of the layers that ended, and conclusions of debates.
    pub done: BTreeMap<PhaseId, PhaseResult>,
    /// The phase of each debate that is one.
    pub debates: BTreeMap<DebateId, PhaseId>,
    /// The lead's synthesis, as Markdown.
    pub synthesis: Option<String>,
}

impl TeamWork {
    /// Returns a team that has not begun to work.
    pub fn new(plan: PhasePlan, fallback: Option<String>) -> Self {
        Self {
            plan,
            fallback,
            revised: false,
            layer: Vec::new(),
            working: BTreeMap::new(),
            done: BTreeMap::new(),
            debates: BTreeMap::new(),
            synthesis: None,
        }
    }

    /// Returns whether every phase has ended.
    pub fn is_done(&self) -> bool {
        let mut phases = self.plan.phases().iter();
        phases.all(|phase| self.done.contains_key(&phase.id))
    }

    /// Returns the number of finished phases and of all phases. A phase that ended without a result
    /// does not count as finished.
    pub fn progress(&self) -> (usize, usize) {
        let done = self.done.len() - self.without_result();
        (done, self.plan.phases().len())
    }

    /// Returns how many phases of the plan ended without a result.
    pub fn without_result(&self) -> usize {
        let results = self
            .plan
            .work()
            .filter_map(|phase| self.done.get(&phase.id));
        results.filter(|result| !result.has_text()).count()
    }

    /// Returns whether a layer is in progress.
    pub fn is_working(&self) -> bool {
        !self.layer.is_empty()
    }

    /// Returns the phases that ended and their results, in order of the plan.
    pub fn results(&self) -> impl Iterator<Item = (&Phase, &PhaseResult)> {
        let phases = self.plan.phases().iter();
        phases.filter_map(|phase| Some((phase, self.done.get(&phase.id)?)))
    }

    /// Returns the members behind the results, one entry per answer, in order of the plan. A phase
    /// without a result has none.
    pub fn contributors(&self) -> Vec<&RoleId> {
        let mut all = Vec::new();
        for phase in self.plan.work() {
            let Some(result) = self.done.get(&phase.id).filter(|it| it.has_text()) else {
                continue;
            };
            let mut missing: Vec<&str> = result.missing.iter().map(|it| &*it.about).collect();
            all.extend(phase.members.iter().filter(|member| {
                let at = missing.iter().position(|name| *name == member.as_str());
                at.map(|at| missing.swap_remove(at)).is_none()
            }));
        }
        all
    }

    /// Inserts a debate about the work as a whole as a phase; the unfinished phases wait for it.
    pub(in crate::machine) fn insert_debate(&mut self, config: DebateConfig) -> PhaseId {
        let Self { plan, done, .. } = self;
        plan.insert_debate_before_rest(|id| done.contains_key(id), config)
    }

    /// Returns whether the result of a phase was debated.
    pub fn was_debated(&self, id: &PhaseId) -> bool {
        // A debate about the work as a whole also rests on results, but disputes none of them.
        let name = format!("{id}-debate");
        let mut debates = self.debates.values();
        debates.any(|phase| phase.0.starts_with(&name))
    }

    /// Returns the phases of the layer without a result, in order.
    pub(super) fn unfinished(&self) -> impl Iterator<Item = &Phase> {
        let unfinished = self.layer.iter().filter(|id| {
            let work = self.working.get(id);
            work.is_none_or(|work| work.result.is_none())
        });
        unfinished.filter_map(|id| self.plan.find(id))
    }

    /// Begins a layer with every phase that is ready.
    pub(in crate::machine) fn begin_layer(&mut self) {
        let ready = self.plan.dag().ready(|id| self.done.contains_key(id));
        let is_work = |id: &PhaseId| {
            let phase = self.plan.find(id);
            phase.is_some_and(|phase| phase.phase_type == PhaseKind::Execution)
        };
        self.layer = ready.into_iter().filter(is_work).collect();
    }

    /// Ends the layer: its results become visible to everybody. Returns the questions raised in it,
    /// in order.
    pub(super) fn end_layer(&mut self) -> Vec<(RoleId, Vec<AskedQuestion>)> {
        let mut questions = Vec::new();
        for id in std::mem::take(&mut self.layer) {
            let Some(work) = self.working.remove(&id) else {
                continue;
            };
            questions.extend(work.questions);
            if let Some(result) = work.result {
                self.done.insert(id, result);
            }
        }
        self.working = BTreeMap::new();
        questions
    }

    /// Returns the members that gave nothing, phase by phase, in order.
    pub(super) fn missing(&self) -> Vec<(PhaseId, Note)> {
        let working = self.working.iter();
        let missing = working.flat_map(|(id, work)| {
            let of_phase = work.result.iter().flat_map(|result| &result.missing);
            of_phase.map(move |note| (id.clone(), note.clone()))
        });
        missing.collect()
    }
}
