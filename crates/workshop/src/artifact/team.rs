//! The results of a team: a file for each phase, and the phases in the report and in the structured
//! file.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Artifact, fallback};
use crate::fault::recorded::told;
use crate::fault::{texts, values};
use crate::machine::phase::{Phase, PhaseId, PhaseKind};
use crate::machine::team::{PhaseResult, TeamWork};
use crate::machine::{DebateId, Note, State};
use crate::reply::Synthesis;
use crate::role::RoleId;

texts! {
    BY_WHOM: "{who}: {why}", "{who}：{why}";
    BETWEEN: "; ", "；";
}

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
    /// Its name.
    pub id: PhaseId,
    /// What was to be done.
    pub task: String,
    /// Who did it, one after the other.
    pub members: Vec<RoleId>,
    /// Phases whose results it needed.
    pub depends_on: Vec<PhaseId>,
    /// Execution or debate.
    pub phase_type: PhaseKind,
    /// What became of it.
    pub outcome: PhaseOutcome,
    /// Its result, Markdown; null if it was not done.
    pub output: Option<String>,
    /// Who brought nothing, and why; the first of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<Note>,
    /// Who else did, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more_missing: Vec<Note>,
    /// The debate whose conclusion it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub debate: Option<DebateId>,
}

/// What became of a phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhaseOutcome {
    /// It brought its result.
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
pub(super) fn plan(team: &TeamWork) -> PlanTeam {
    let phases = team.plan.phases().iter().map(|phase| {
        let done = team.done.get(&phase.id);
        let mut missing = done.iter().flat_map(|result| result.missing.clone());
        PlanPhase {
            id: phase.id.clone(),
            task: phase.task.clone(),
            members: phase.members.clone(),
            depends_on: phase.depends_on.clone(),
            phase_type: phase.phase_type,
            outcome: PhaseOutcome::of(phase, done),
            output: done.map(|result| result.output.clone()),
            missing: missing.next(),
            more_missing: missing.collect(),
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
    let name = file_name(state);
    let results = state.team.iter().flat_map(TeamWork::results);
    results
        .filter(|(_, result)| result.has_text())
        .map(|(phase, result)| {
            let text = super::plain(result.output.trim());
            super::text(format!("phase/{}/{name}", phase.id), text + "\n")
        })
        .collect()
}

/// The file name of a phase's result, as the run's own report template names it: an earlier version
/// used an extension.
fn file_name(state: &State) -> &'static str {
    let report = state.inputs.templates.get("report/team.j2");
    match report.is_some_and(|page| page.contains("/output.txt`")) {
        true => "output.txt",
        false => "output",
    }
}

/// The phases in the form of the report.
pub(super) fn rows(state: &State) -> Vec<Value> {
    let code = |member| state.inputs.roles.code(member).to_owned();
    let phases = state.team.iter().flat_map(|team| {
        team.plan.phases().iter().map(|phase| {
            let done = team.done.get(&phase.id);
            let members: Vec<String> = phase.members.iter().map(code).collect();
            let needed = phase.depends_on.iter().map(ToString::to_string);
            let output = done.filter(|result| result.has_text());
            json!({
                "id": phase.id, "task": phase.task, "members": members.join(", "),
                "depends_on": needed.collect::<Vec<_>>().join(", "),
                "is_debate": phase.phase_type == PhaseKind::Debate,
                "is_done": done.is_some(), "has_file": output.is_some(),
                "output": output.map(|result| &result.output),
                "missing": done.and_then(|result| reasons(state, &result.missing)),
            })
        })
    });
    phases.collect()
}

/// Why members have no result; with their codes if there are several.
fn reasons<'a>(state: &State, missing: &'a [Note]) -> Option<Cow<'a, str>> {
    let lang = state.inputs.doc_lang;
    let named = |note: &Note| {
        let member = RoleId(note.about.clone());
        let who = state.inputs.roles.code(&member);
        let why = told(&note.text, lang);
        BY_WHOM.with(lang, values![who, why])
    };
    match missing {
        [] => None,
        [only] => Some(told(&only.text, lang)),
        several => {
            let named: Vec<String> = several.iter().map(named).collect();
            Some(Cow::Owned(named.join(BETWEEN.of(lang))))
        }
    }
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
