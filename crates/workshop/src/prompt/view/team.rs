//! A team's work as its members see it.

use serde_json::{Value, json};

use super::super::text::{for_model, for_model_json, line};
use super::debate::dissent;
use crate::machine::debate::looks_for_divergence;
use crate::machine::phase::{Phase, PhaseId, PhaseKind};
use crate::machine::team::{MAX_PHASES, PhaseResult, TeamWork};
use crate::machine::{CallId, Purpose, Scope, State};
use crate::role::RoleSpec;

/// Maximum number of words that a phase's result or the synthesis is asked to have.
pub(super) fn most_words(state: &State) -> u64 {
    (state.inputs.rules.limits.max_output_tokens / 4).min(1024)
}

/// The plan, which is the same in all prompts until a debate is inserted.
pub(in crate::prompt) fn phases(state: &State, team: &TeamWork) -> Value {
    let code = |member| state.inputs.roles.code(member);
    let phases = team.plan.phases().iter().map(|phase| {
        json!({
            "id": phase.id, "task": line(&phase.task),
            "members": phase.members.iter().map(code).collect::<Vec<_>>(),
            "depends_on": phase.depends_on,
            "is_debate": phase.phase_type == PhaseKind::Debate,
        })
    });
    json!({"is": "plan", "phases": phases.collect::<Vec<_>>()})
}

/// The result of a phase.
pub(in crate::prompt) fn result(state: &State, phase: &Phase, result: &PhaseResult) -> Value {
    let mut debates = state.debates.held.iter();
    let debate = debates.find(|debate| Some(debate.id) == result.debate);
    json!({
        "is": "result", "id": phase.id, "debate": result.debate,
        "output": for_model(&result.output),
        "missing": absent(result),
        "dissent": debate.map(|debate| dissent(state, debate)).unwrap_or_default(),
    })
}

/// The current synthesis; `None` before it is written.
pub(in crate::prompt) fn synthesis(state: &State) -> Option<Value> {
    let mut words = serde_json::to_value(state.synthesis()?).ok()?;
    for_model_json(&mut words);
    Some(json!({"is": "synthesis", "json": words.to_string()}))
}

/// Members without a result, by name; null if there are none.
fn absent(result: &PhaseResult) -> Option<String> {
    let names: Vec<_> = result
        .missing
        .iter()
        .map(|note| line(&note.about))
        .collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// What earlier members contributed to the phase of a call.
pub(in crate::prompt) fn earlier_steps(
    state: &State,
    team: &TeamWork,
    call: &CallId,
) -> Vec<Value> {
    let Scope::Phase(n) = call.scope else {
        return Vec::new();
    };
    let id = PhaseId(format!("P-{n}"));
    let work = team.working.get(&id);
    let steps = work.iter().flat_map(|work| &work.steps);
    steps
        .map(|(member, output)| {
            let code = state.inputs.roles.code(member);
            json!({"is": "step_done", "id": id, "code": code, "output": for_model(output)})
        })
        .collect()
}

/// The last message to a member who works on a phase.
pub(in crate::prompt) fn step(state: &State, role: &RoleSpec, call: &CallId) -> Value {
    let id = match call.scope {
        Scope::Phase(n) => PhaseId(format!("P-{n}")),
        _ => PhaseId(String::new()),
    };
    let team = state.team.as_ref();
    let phase = team.and_then(|team| team.plan.find(&id));
    let work = team.and_then(|team| team.working.get(&id));
    let of = phase.map_or(1, |phase| phase.members.len());
    json!({
        "is": "step", "id": id, "who": role.id, "code": role.code,
        "task": phase.map(|phase| line(&phase.task)), "turn": call.turn, "of": of,
        "takes_up": work.is_some_and(|work| !work.steps.is_empty()),
        "words": most_words(state),
    })
}

/// The last message to the lead; `None` for calls that are the same in every format.
pub(in crate::prompt) fn team_task(state: &State, call: &CallId) -> Option<Value> {
    Some(match call.purpose {
        Purpose::Judgment => json!({
            "is": "form", "most": MAX_PHASES, "again": call.turn > 1,
            "codes": state.inputs.roles.codes(),
        }),
        Purpose::Summary => json!({
            "is": "review", "round": state.round, "debates": looks_for_divergence(state),
        }),
        Purpose::Report => {
            let team = state.team.as_ref()?;
            let phases = team.plan.phases().iter();
            let undone = phases.filter(|phase| !team.done.contains_key(&phase.id));
            json!({
                "is": "synthesise",
                "undone": undone.map(|phase| &phase.id).collect::<Vec<_>>(),
                "words": most_words(state),
            })
        }
        _ => return None,
    })
}
