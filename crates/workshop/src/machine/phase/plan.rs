//! A plan of phases: stored, validated, and changed while it runs.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::machine::dag::{Dag, DagError};
use crate::machine::debate::DebateConfig;
use crate::role::RoleId;

/// Name of a phase within its plan, such as `P-2`.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct PhaseId(pub String);

impl fmt::Display for PhaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for PhaseId {
    fn from(name: &str) -> Self {
        Self(name.to_owned())
    }
}

/// What is done in a phase.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhaseKind {
    /// Members work on the task, each for itself. The kind of a stored phase that names none.
    #[default]
    Execution,
    /// Members argue until the lead rules.
    Debate,
}

/// A phase of a team's task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Phase {
    /// Name of the phase, such as `P-1`.
    pub id: PhaseId,
    /// What is to be done.
    pub task: String,
    /// Full role names of the members that do it.
    #[serde(default)]
    pub members: Vec<RoleId>,
    /// Phases that must be complete before it begins.
    #[serde(default)]
    pub depends_on: Vec<PhaseId>,
    /// Whether the phase is executed or debated.
    #[serde(default)]
    pub phase_type: PhaseKind,
    /// How the debate is held; absent for an execution.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub debate_config: Option<DebateConfig>,
}

impl Phase {
    fn debate(id: PhaseId, config: DebateConfig, depends_on: Vec<PhaseId>) -> Self {
        Self {
            id,
            task: config.topic.clone(),
            members: config.participants.clone(),
            depends_on,
            phase_type: PhaseKind::Debate,
            debate_config: Some(config),
        }
    }
}

/// Why a plan is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PhaseError {
    /// The plan is empty.
    #[error("the plan holds no phase")]
    Empty,
    /// The phases have no order.
    #[error("the phases have no order: {0}")]
    Order(#[from] DagError),
    /// A debate without its configuration, or an execution phase with one.
    #[error(
        "the phase `{0}` is a debate without `debate_config`, or has one without being a debate"
    )]
    Kind(PhaseId),
    /// A named phase does not exist.
    #[error("there is no phase `{0}`")]
    NoPhase(PhaseId),
}

/// Phases with their dependencies, in the order they were given.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct PhasePlan {
    phases: Vec<Phase>,
}

impl PhasePlan {
    /// Returns a valid plan.
    ///
    /// # Errors
    /// It is empty, a name is used twice, a dependency is missing, there is a cycle, or a kind and
    /// its configuration do not match.
    pub fn new(phases: Vec<Phase>) -> Result<Self, PhaseError> {
        let plan = Self { phases };
        plan.layers()?;
        Ok(plan)
    }

    /// All phases, in order.
    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }

    /// Returns the planned phases, without the debates inserted since.
    pub fn work(&self) -> impl Iterator<Item = &Phase> {
        let phases = self.phases.iter();
        phases.filter(|phase| phase.phase_type == PhaseKind::Execution)
    }

    /// Returns the phase with this id.
    pub fn find(&self, id: &PhaseId) -> Option<&Phase> {
        self.phases.iter().find(|phase| phase.id == *id)
    }

    /// Returns the plain graph.
    pub fn dag(&self) -> Dag<PhaseId> {
        let nodes = self.phases.iter();
        Dag::new(nodes.map(|phase| (phase.id.clone(), phase.depends_on.clone())))
    }

    /// Returns the phases layer by layer; those of one layer may run in parallel.
    ///
    /// # Errors
    /// As [`PhasePlan::new`]: a stored plan is not trusted.
    pub fn layers(&self) -> Result<Vec<Vec<PhaseId>>, PhaseError> {
        if self.phases.is_empty() {
            return Err(PhaseError::Empty);
        }
        let misfit = self
            .phases
            .iter()
            .find(|phase| (phase.phase_type == PhaseKind::Debate) != phase.debate_config.is_some());
        if let Some(phase) = misfit {
            return Err(PhaseError::Kind(phase.id.clone()));
        }
        Ok(self.dag().layers()?)
    }

    /// Inserts a debate about the result of `disputed`: the debate depends on that phase, and every
    /// phase that depended on it now depends on the debate. Returns the debate's name: the phase's
    /// with `-debate` and, from the second on, a number.
    ///
    /// # Errors
    /// There is no such phase; the plan is then unchanged.
    pub fn insert_debate(
        &mut self,
        disputed: &PhaseId,
        config: DebateConfig,
    ) -> Result<PhaseId, PhaseError> {
        let missing = || PhaseError::NoPhase(disputed.clone());
        let at = self.phases.iter().position(|phase| phase.id == *disputed);
        let at = at.ok_or_else(missing)?;
        let id = self.free_name(format!("{disputed}-debate"));
        for phase in &mut self.phases {
            let edges = phase.depends_on.iter_mut();
            edges
                .filter(|edge| *edge == disputed)
                .for_each(|edge| *edge = id.clone());
        }
        let debate = Phase::debate(id.clone(), config, vec![disputed.clone()]);
        self.phases.insert(at + 1, debate);
        Ok(id)
    }

    /// Inserts a debate about the work as a whole: the debate depends on the finished phases that
    /// no finished phase depends on, and every unfinished phase waits for it. Returns its name:
    /// `debate` and, from the second on, a number.
    pub fn insert_debate_before_rest(
        &mut self,
        is_done: impl Fn(&PhaseId) -> bool,
        config: DebateConfig,
    ) -> PhaseId {
        let id = self.free_name("debate".to_owned());
        let done = || self.phases.iter().filter(|phase| is_done(&phase.id));
        let is_used = |id: &PhaseId| done().any(|phase| phase.depends_on.contains(id));
        let latest = done().map(|phase| phase.id.clone());
        let latest: Vec<PhaseId> = latest.filter(|id| !is_used(id)).collect();
        let rest = self.phases.iter().position(|phase| !is_done(&phase.id));
        for phase in self.phases.iter_mut().filter(|phase| !is_done(&phase.id)) {
            // A phase that waits for another unfinished phase thereby waits for the debate, too.
            let begins = phase.depends_on.is_empty() || phase.depends_on.iter().any(&is_done);
            phase.depends_on.retain(|edge| !latest.contains(edge));
            phase.depends_on.extend(begins.then(|| id.clone()));
        }
        let debate = Phase::debate(id.clone(), config, latest);
        self.phases
            .insert(rest.unwrap_or(self.phases.len()), debate);
        id
    }

    /// Replaces the planned work before any of it is done. Debates that were held stay, and phases
    /// without a dependency wait for the last of them.
    pub fn replace_work(&mut self, work: &Self) {
        let is_debate = |phase: &Phase| phase.phase_type == PhaseKind::Debate;
        self.phases.retain(is_debate);
        let used = |id: &PhaseId| {
            self.phases
                .iter()
                .any(|phase| phase.depends_on.contains(id))
        };
        let ids = self.phases.iter().map(|phase| phase.id.clone());
        let latest: Vec<PhaseId> = ids.filter(|id| !used(id)).collect();
        self.phases
            .extend(work.phases.iter().cloned().map(|mut phase| {
                if phase.depends_on.is_empty() {
                    phase.depends_on.clone_from(&latest);
                }
                phase
            }));
    }

    /// Returns `first`, or `first` with the lowest number that makes the name unique.
    fn free_name(&self, first: String) -> PhaseId {
        let numbered = (2u32..).map(|n| format!("{first}-{n}"));
        let mut names = std::iter::once(first.clone()).chain(numbered).map(PhaseId);
        let free = names.find(|name| self.find(name).is_none());
        free.unwrap_or_else(|| PhaseId(first.clone()))
    }
}
