//! `debates/D-1.md`: a debate from its motion to the ruling, for people.

use serde_json::{Value, json};

use super::Artifact;
use super::page::Pages;
use super::plan::{PlanArgument, PlanDebate, PlanDebateRound, PlanRuling};
use crate::fault::Fault;
use crate::fault::recorded::told;
use crate::machine::debate::{Debate, Resolution, Turn};
use crate::machine::{State, TextNames};
use crate::role::RoleId;

/// The template.
pub(super) const PAGE: &str = "report/debate.j2";

/// Renders the `wanted` debates.
pub(super) fn render(
    state: &State,
    pages: &Pages,
    wanted: impl Fn(&Debate) -> bool,
) -> Result<Vec<Artifact>, Fault> {
    let debates = state.debates.held.iter().filter(|debate| wanted(debate));
    debates
        .map(|debate| {
            let text = pages.render(PAGE, &view(state, debate))?;
            Ok(super::text(format!("debates/{}.md", debate.id), text))
        })
        .collect()
}

/// Every debate in the form of `planning.ai.json`.
pub(super) fn all(state: &State, names: &TextNames) -> Vec<PlanDebate> {
    let debates = state.debates.held.iter();
    debates
        .map(|debate| PlanDebate {
            id: debate.id,
            after_round: debate.after_round,
            motion: debate.motion.clone(),
            opening: debate.opening.clone(),
            rounds: debate.rounds.iter().map(|r| round(debate, r)).collect(),
            ruling: debate
                .resolution
                .as_ref()
                .map(|resolution| ruling(resolution, names)),
            taken: state
                .draft
                .standing()
                .filter(|item| item.text_id.debate() == Some(debate.id))
                .map(|item| item.id)
                .collect(),
        })
        .collect()
}

fn ruling(resolution: &Resolution, names: &TextNames) -> PlanRuling {
    let mut ruling = resolution.ruling.clone();
    for text in [&mut ruling.rationale, &mut ruling.conclusion] {
        *text = names.put(text);
    }
    let mut dissent = resolution.dissent.clone();
    for one in &mut dissent {
        one.why = names.put(&one.why);
    }
    PlanRuling {
        ruling,
        dissent,
        plain: resolution.plain,
    }
}

fn round(debate: &Debate, round: &crate::machine::debate::DebateRound) -> PlanDebateRound {
    let turns = round.turns.iter();
    let arguments = turns.filter_map(|(place, turn)| {
        let member = debate.participants().get(*place)?.clone();
        Some(match turn {
            Turn::Argued(argument) => PlanArgument {
                member,
                text: Some(argument.said.analysis.clone()),
                position: argument.position().cloned(),
                missing: None,
            },
            Turn::Missing { reason } => PlanArgument {
                member,
                text: None,
                position: None,
                missing: Some(reason.clone()),
            },
        })
    });
    PlanDebateRound {
        arguments: arguments.collect(),
        summary: round.summary.clone(),
    }
}

/// The template values of a debate.
fn view(state: &State, debate: &Debate) -> Value {
    let motion = &debate.motion;
    let issue = motion.about.and_then(|id| state.ledger.find(id));
    let side = |member: &RoleId, stands_for: &str| json!({"code": state.inputs.roles.code(member), "stands_for": stands_for});
    let sides = motion.sides.iter();
    let sides = sides.map(|one| side(&one.member, &one.stands_for));
    let rounds = (1..).zip(&debate.rounds).map(|(number, round)| {
        let turns = round.turns.iter();
        let turns = turns.filter_map(|(place, turn)| turn_view(state, debate, *place, turn));
        json!({
            "number": number, "turns": turns.collect::<Vec<_>>(), "summary": round.summary,
        })
    });
    let ruling = debate.resolution.as_ref().map(|end| {
        let dissent = end.dissent.iter().map(|one| side(&one.member, &one.why));
        json!({
            "decision": end.ruling.decision.name(),
            "rationale": end.ruling.rationale, "conclusion": end.ruling.conclusion,
            "plain": end.plain.is_some(), "dissent": dissent.collect::<Vec<_>>(),
        })
    });
    json!({
        "id": debate.id, "after_round": debate.after_round,
        "trigger": motion.trigger.name(), "topic": motion.debate_config.topic,
        "about": motion.about, "title": issue.map(|issue| &issue.title),
        "sides": sides.collect::<Vec<_>>(), "opening": debate.opening,
        "rounds": rounds.collect::<Vec<_>>(), "ruling": ruling,
    })
}

fn turn_view(state: &State, debate: &Debate, place: usize, turn: &Turn) -> Option<Value> {
    let member = debate.participants().get(place)?;
    let (argument, missing) = match turn {
        Turn::Argued(argument) => (Some(argument), None),
        Turn::Missing { reason } => (None, Some(told(reason, state.inputs.doc_lang))),
    };
    let position = argument.and_then(|argument| argument.position());
    Some(json!({
        "code": state.inputs.roles.code(member), "name": member, "missing": missing,
        "text": argument.map(|argument| &argument.said.analysis),
        "stance": position.map(|p| p.stance),
        "proposal": position.and_then(|p| p.proposal.as_ref()),
        "why": position.map(|p| &p.why),
        "changed_because": position.and_then(|p| p.changed_because.as_ref()),
        "notes": argument.map_or(&[][..], |argument| &argument.notes),
    }))
}
