//! `debates/D-1.md`: a debate from its motion to the ruling, for people.

use serde_json::json;

use super::Artifact;
use super::page::Pages;
use super::plan::{PlanArgument, PlanDebate, PlanDebateRound};
use crate::fault::Fault;
use crate::machine::debate::{Debate, DebateRound, DebateTurn};
use crate::machine::{State, TextNames, rulings_behind};

pub(super) const PAGE: &str = "report/debate.j2";

pub(super) fn render(
    state: &State,
    pages: &Pages,
    wanted: impl Fn(&Debate) -> bool,
) -> Result<Vec<Artifact>, Fault> {
    let debates = state.debates.held.iter().filter(|debate| wanted(debate));
    debates
        .map(|debate| {
            let issue = debate.motion.about.and_then(|id| state.ledger.find(id));
            // Names of texts change while the discussion goes on; the page keeps what was said.
            let view = json!({
                "debate": planned(state, debate, &TextNames::default()),
                "title": issue.map(|issue| &issue.title),
                "codes": state.inputs.roles.codes_by_name(), "language": state.inputs.doc_lang,
            });
            let text = pages.render(PAGE, &view)?;
            Ok(super::text(format!("debates/{}.md", debate.id), text))
        })
        .collect()
}

/// Every debate in the form of `planning.ai.json`.
pub(super) fn all(state: &State, names: &TextNames) -> Vec<PlanDebate> {
    let debates = state.debates.held.iter();
    debates
        .map(|debate| planned(state, debate, names))
        .collect()
}

fn planned(state: &State, debate: &Debate, names: &TextNames) -> PlanDebate {
    let taken = state.draft.standing();
    let taken = taken.filter(|item| rulings_behind(state, item).any(|id| id == debate.id));
    PlanDebate {
        id: debate.id,
        after_round: debate.after_round,
        motion: debate.motion.clone(),
        opening: debate.opening.clone(),
        rounds: debate.rounds.iter().map(|r| round(debate, r)).collect(),
        ruling: debate.resolution.clone().map(|it| names.put_in(it)),
        taken: taken.map(|item| item.id).collect(),
    }
}

fn round(debate: &Debate, round: &DebateRound) -> PlanDebateRound {
    let turns = round.turns.iter();
    let arguments = turns.filter_map(|(place, turn)| {
        let member = debate.participants().get(*place)?.clone();
        let (argument, missing) = match turn {
            DebateTurn::Argued(argument) => (Some(argument), None),
            DebateTurn::Missing { reason } => (None, Some(reason.clone())),
        };
        Some(PlanArgument {
            member,
            text: argument.map(|argument| argument.said.analysis.clone()),
            position: argument.and_then(|argument| argument.position().cloned()),
            notes: argument.map_or_else(Vec::new, |argument| argument.notes.clone()),
            missing,
        })
    });
    PlanDebateRound {
        arguments: arguments.collect(),
        summary: round.summary.clone(),
    }
}
