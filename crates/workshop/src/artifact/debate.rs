//! `debates/D-1.md`: a debate from its question to the ruling, for people.

use std::borrow::Cow;

use serde::Serialize;

use super::page::Pages;
use super::plan::{PlanArgument, PlanDebate, PlanDebateRound, PlanRuling};
use super::{Artifact, ArtifactError};
use crate::fault::recorded::told;
use crate::machine::debate::{Debate, Turn};
use crate::machine::{Note, State};
use crate::reply::Stance;

/// The template.
pub(super) const PAGE: &str = "report/debate.j2";

/// The wanted debates.
pub(super) fn render(
    state: &State,
    pages: &Pages,
    wanted: impl Fn(&Debate) -> bool,
) -> Result<Vec<Artifact>, ArtifactError> {
    let debates = state.debates.iter().filter(|debate| wanted(debate));
    debates
        .map(|debate| {
            let text = pages.render(PAGE, &DebateView::of(state, debate))?;
            Ok(super::text(format!("debates/{}.md", debate.id), text))
        })
        .collect()
}

/// Every debate as `planning.ai.json` has it.
pub(super) fn all(state: &State) -> Vec<PlanDebate> {
    let debates = state.debates.iter();
    debates
        .map(|debate| PlanDebate {
            id: debate.id,
            after_round: debate.after_round,
            motion: debate.motion.clone(),
            opening: debate.opening.clone(),
            rounds: debate.rounds.iter().map(|r| round(debate, r)).collect(),
            ruling: debate.resolution.as_ref().map(|resolution| PlanRuling {
                ruling: resolution.ruling.clone(),
                dissent: resolution.dissent.clone(),
                plain: resolution.plain,
            }),
            taken: state
                .draft
                .standing()
                .filter(|item| item.debate == Some(debate.id))
                .map(|item| item.id)
                .collect(),
        })
        .collect()
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

#[derive(Serialize)]
struct DebateView<'a> {
    id: String,
    after_round: u32,
    trigger: &'static str,
    topic: &'a str,
    about: Option<String>,
    title: Option<&'a str>,
    sides: Vec<SideView<'a>>,
    opening: &'a str,
    rounds: Vec<RoundView<'a>>,
    ruling: Option<RulingView<'a>>,
}

#[derive(Serialize)]
struct SideView<'a> {
    code: &'a str,
    stands_for: &'a str,
}

#[derive(Serialize)]
struct RoundView<'a> {
    number: usize,
    turns: Vec<TurnView<'a>>,
    summary: Option<&'a str>,
}

#[derive(Serialize)]
struct TurnView<'a> {
    code: &'a str,
    name: &'a str,
    missing: Option<Cow<'a, str>>,
    text: Option<&'a str>,
    stance: Option<Stance>,
    proposal: Option<&'a str>,
    why: Option<&'a str>,
    changed_because: Option<&'a str>,
    notes: &'a [Note],
}

#[derive(Serialize)]
struct RulingView<'a> {
    decision: &'static str,
    rationale: &'a str,
    conclusion: &'a str,
    plain: bool,
    dissent: Vec<SideView<'a>>,
}

impl<'a> DebateView<'a> {
    fn of(state: &'a State, debate: &'a Debate) -> Self {
        let motion = &debate.motion;
        let issue = motion.about.and_then(|id| state.ledger.find(id));
        let sides = motion.sides.iter().map(|side| SideView {
            code: state.inputs.roles.code(&side.member),
            stands_for: &side.stands_for,
        });
        Self {
            id: debate.id.to_string(),
            after_round: debate.after_round,
            trigger: motion.trigger.name(),
            topic: &motion.debate_config.topic,
            about: motion.about.map(|id| id.to_string()),
            title: issue.map(|issue| issue.title.as_str()),
            sides: sides.collect(),
            opening: &debate.opening,
            rounds: (1..)
                .zip(&debate.rounds)
                .map(|(number, round)| RoundView {
                    number,
                    turns: round
                        .turns
                        .iter()
                        .filter_map(|(place, turn)| turn_view(state, debate, *place, turn))
                        .collect(),
                    summary: round.summary.as_deref(),
                })
                .collect(),
            ruling: debate.resolution.as_ref().map(|resolution| RulingView {
                decision: resolution.ruling.decision.name(),
                rationale: &resolution.ruling.rationale,
                conclusion: &resolution.ruling.conclusion,
                plain: resolution.plain.is_some(),
                dissent: resolution
                    .dissent
                    .iter()
                    .map(|dissent| SideView {
                        code: state.inputs.roles.code(&dissent.member),
                        stands_for: &dissent.why,
                    })
                    .collect(),
            }),
        }
    }
}

fn turn_view<'a>(
    state: &'a State,
    debate: &'a Debate,
    place: usize,
    turn: &'a Turn,
) -> Option<TurnView<'a>> {
    let member = debate.participants().get(place)?;
    let (argument, missing) = match turn {
        Turn::Argued(argument) => (Some(argument), None),
        Turn::Missing { reason } => (None, Some(told(reason, state.inputs.doc_lang))),
    };
    let position = argument.and_then(|argument| argument.position());
    Some(TurnView {
        code: state.inputs.roles.code(member),
        name: member.as_str(),
        missing,
        text: argument.map(|argument| argument.said.analysis.as_str()),
        stance: position.map(|p| p.stance),
        proposal: position.and_then(|p| p.proposal.as_deref()),
        why: position.map(|p| p.why.as_str()),
        changed_because: position.and_then(|p| p.changed_because.as_deref()),
        notes: argument.map_or(&[], |argument| &argument.notes),
    })
}
