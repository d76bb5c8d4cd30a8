//! The results of a team: a file for each phase, and the phases in the report and in the structured
//! file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Artifact, fallback};
use crate::machine::phase::{Phase, PhaseId, PhaseKind};
use crate::machine::team::{PhaseResult, TeamWork};
use crate::machine::{DebateId, Note, State};
use crate::reply::Synthesis;
use crate::role::RoleId;

/// The phases of a team, for programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanTeam {
    /// Phases in order, debates that were inserted included.
    pub phases: Vec<PlanPhase>,
    /// Why one phase replaces a plan, if it does.
    pub fallback: Option<String>,
    /// What the lead made of all results, Markdown.
    pub synthesis: Option<String>,
}

/// A phase with what it brought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanPhase {
    /// Name of the phase, such as `P-1`.
    pub id: PhaseId,
    /// What was to be done.
    pub task: String,
    /// Who did it, one after the other.
    pub members: Vec<RoleId>,
    /// Phases whose results it needed.
    pub depends_on: Vec<PhaseId>,
    /// Whether the phase is executed or debated.
    pub phase_type: PhaseKind,
    /// How the phase ended.
    pub outcome: PhaseOutcome,
    /// Its result, Markdown; null if it was not done.
    pub output: Option<String>,
    /// Who brought nothing, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Note>,
    /// The debate whose conclusion it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub debate: Option<DebateId>,
}

/// What became of a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhaseOutcome {
    /// The phase has a result.
    Done,
    /// A member brought nothing; the others' results are kept.
    Partial,
    /// It ended and brought nothing.
    NoResult,
    /// The work ended before it did.
    NotDone,
}

impl PhaseOutcome {
    fn of(phase: &Phase, result: Option<&PhaseResult>) -> Self {
        match result {
            None => Self::NotDone,
            // A debate whose question was shelved has no text but is done.
            Some(result) if phase.phase_type == PhaseKind::Execution && !result.has_text() => {
                Self::NoResult
            }
            Some(result) if !result.missing.is_empty() => Self::Partial,
            Some(_) => Self::Done,
        }
    }
}

/// The phases in the form of the structured file.
pub fn plan(team: &TeamWork) -> PlanTeam {
    let phases = team.plan.phases().iter().map(|phase| {
        let done = team.done.get(&phase.id);
        PlanPhase {
            id: phase.id.clone(),
            task: phase.task.clone(),
            members: phase.members.clone(),
            depends_on: phase.depends_on.clone(),
            phase_type: phase.phase_type,
            outcome: PhaseOutcome::of(phase, done),
            output: done.map(|result| result.output.clone()),
            missing: done.map_or_else(Vec::new, |result| result.missing.clone()),
            debate: done.and_then(|result| result.debate),
        }
    });
    PlanTeam {
        phases: phases.collect(),
        fallback: team.fallback.clone(),
        synthesis: team.synthesis.clone(),
    }
}

/// A file for each finished phase that has a text: `phase/P-1/output`.
pub(super) fn files(state: &State) -> Vec<Artifact> {
    let results = state.team.iter().flat_map(TeamWork::results);
    results
        .filter(|(_, result)| result.has_text())
        .map(|(phase, result)| {
            let text = super::plain(result.output.trim());
            super::text(format!("phase/{}/output", phase.id), text + "\n")
        })
        .collect()
}

/// The lead's texts if no model can be called: the results, unchanged.
pub fn fallback_synthesis(state: &State) -> Synthesis {
    let words = fallback::fallback_report(state);
    let results = state.team.iter().flat_map(TeamWork::results);
    let parts = results.map(|(phase, result)| {
        let text = result.output.trim();
        format!("### {} {}\n\n{text}\n", phase.id, phase.task)
    });
    Synthesis {
        title: words.title,
        in_short: words.in_short,
        result: parts.collect::<Vec<_>>().join("\n"),
        decide: words.decide,
    }
}
