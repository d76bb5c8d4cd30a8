//! What divides members so that a debate about it is worth holding.
//!
//! Mutual objections are read off the positions; beyond them the coach judges,
//! in the summary it writes anyway. What is incomplete is no divergence.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::due;
use super::motion::{Side, Trigger};
use super::plain;
use crate::ids::IssueId;
use crate::machine::decide::parse_id;
use crate::machine::event::{Refusal, Rule};
use crate::machine::issue::{IssueChange, IssueRecord, PositionRecord};
use crate::machine::phase::{Phase, PhaseId, PhaseKind};
use crate::machine::remark::{line, refusal};
use crate::machine::state::State;
use crate::machine::team::TeamWork;
use crate::reply::{CoachPart, Contribution, FoundDivergence, LeftOut, Stance};
use crate::role::RoleId;

/// Fewest sides of a divergence.
const LEAST_SIDES: usize = 2;

/// A divergence found when a round was summed up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Divergence {
    /// The issue, which stays open; none in a team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<IssueId>,
    /// The phase of a team whose result is disputed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<PhaseId>,
    /// What a debate must answer.
    pub question: String,
    /// Who stands for what, in speaking order; at least two.
    pub sides: Vec<Side>,
    /// How it was found: by objections, or by the coach.
    pub trigger: Trigger,
}

impl Divergence {
    /// Are both on the same issue, or on the result of the same phase?
    pub(super) fn is_on_the_same(&self, other: &Self) -> bool {
        self.issue == other.issue && self.phase == other.phase
    }
}

/// What a round left behind that divides members, in the order in which it is debated,
/// if debates are looked for and one can be held: mutual objections first, then what
/// the coach names. With it what the coach named that is not there.
pub(in crate::machine) fn of_summary(
    state: &State,
    answer: &Contribution,
    changes: &BTreeMap<IssueId, IssueChange>,
) -> (Vec<Divergence>, Vec<Refusal>) {
    if !due::looks_for_divergence(state) {
        return (Vec::new(), Vec::new());
    }
    let stays_open = |id: IssueId| {
        let issue = state.ledger.find(id).filter(|issue| issue.is_open());
        issue.filter(|_| !changes.contains_key(&id) && !due::was_debated(state, id))
    };
    let objected = state.ledger.blocking();
    let objected = objected.filter_map(|issue| mutual(state, stays_open(issue.id)?));
    let mut found: Vec<Divergence> = objected.collect();
    let mut refused = Vec::new();
    for named in answer.coach.iter().flat_map(CoachPart::divergences) {
        let on = match &state.team {
            Some(team) => disputed(team, named),
            None => parse_id(&named.issue)
                .and_then(stays_open)
                .map(|issue| (Some(issue.id), None))
                .ok_or("it is closed, was debated before, or does not exist"),
        };
        let judged = on.and_then(|on| {
            judged(state, on, named).ok_or("a debate needs a question and two members as sides")
        });
        match judged {
            Ok(judged) if found.iter().any(|other| other.is_on_the_same(&judged)) => {}
            Ok(judged) => found.push(judged),
            Err(why) => {
                let about = format!("{}: {}", named.issue, named.question);
                refused.push(refusal(Rule::NoDivergence, &about, why));
            }
        }
    }
    (found, refused)
}

/// What the coach named in a form that cannot be read is none, and on record as refused
/// where debates are looked for.
pub(in crate::machine) fn unread(state: &State, left_out: Vec<LeftOut>) -> Vec<Refusal> {
    let looks = due::looks_for_divergence(state);
    let left_out = left_out.into_iter().filter(|_| looks);
    let refused = left_out.map(|out| refusal(Rule::NoDivergence, &out.about, &out.why));
    refused.collect()
}

/// What a divergence is on.
type Subject = (Option<IssueId>, Option<PhaseId>);

/// The phase that the coach names, if it has ended and was not debated.
fn disputed(team: &TeamWork, named: &FoundDivergence) -> Result<Subject, &'static str> {
    let id = PhaseId(named.issue.trim().to_uppercase());
    match may_be_debated(team, &id) {
        true => Ok((None, Some(id))),
        false => Err("it has no result, was debated before, or does not exist"),
    }
}

/// May the result of this phase be debated? There is one, and it was not debated before.
pub(super) fn may_be_debated(team: &TeamWork, id: &PhaseId) -> bool {
    let is_work = |phase: &Phase| phase.phase_type == PhaseKind::Execution;
    let result = team.done.get(id).filter(|result| result.has_text());
    team.plan.find(id).is_some_and(is_work) && result.is_some() && !team.was_debated(id)
}

/// Members that stand against each other, each with a text of its own: two that
/// object, or one that objects and one that heard it and holds on to another text.
fn mutual(state: &State, issue: &IssueRecord) -> Option<Divergence> {
    let objectors = standing(state, issue, |p| p.stance == Stance::Object);
    let first = objectors.first()?;
    let apart = |p: &Held| objectors.iter().any(|o| o.text != p.text);
    let holding = standing(state, issue, |p| p.stance.supports());
    let holding = holding.into_iter().filter(|p| p.at > first.at && apart(p));
    let opposed = objectors.iter().skip(1).any(apart);
    let mut sides: Vec<Held> = holding.collect();
    if sides.is_empty() && !opposed {
        return None;
    }
    sides.extend(objectors.iter().cloned());
    sides.sort_by_key(|held| held.place);
    Some(Divergence {
        issue: Some(issue.id),
        phase: None,
        question: plain::question(&issue.title, state.inputs.doc_lang),
        sides: sides
            .into_iter()
            .map(|held| Side {
                member: held.member,
                stands_for: held.text,
            })
            .collect(),
        trigger: Trigger::Objections,
    })
}

/// Everybody's latest text on an issue, in speaking order.
pub(super) fn sides(state: &State, issue: &IssueRecord) -> Vec<Side> {
    let mut held = standing(state, issue, |_| true);
    held.sort_by_key(|held| held.place);
    let sides = held.into_iter().map(|held| Side {
        member: held.member,
        stands_for: held.text,
    });
    sides.collect()
}

/// A member that stands where it stands with a text of its own.
#[derive(Clone)]
struct Held {
    member: RoleId,
    /// Place in the speaking order.
    place: usize,
    /// Place of its latest position in the issue's history.
    at: usize,
    text: String,
}

fn standing(
    state: &State,
    issue: &IssueRecord,
    wanted: impl Fn(&PositionRecord) -> bool,
) -> Vec<Held> {
    let members = state.inputs.roles.members.iter().enumerate();
    let mut all: Vec<Held> = members
        .filter(|(_, role)| state.takes_part(&role.id))
        .filter_map(|(place, role)| {
            let at = issue.positions.iter().rposition(|p| p.member == role.id)?;
            let text = issue.proposal_of(&role.id)?.proposal.clone()?;
            wanted(&issue.positions[at]).then(|| Held {
                member: role.id.clone(),
                place,
                at,
                text,
            })
        })
        .collect();
    all.sort_by_key(|held| held.at);
    all
}

/// The coach's judgment, if it is complete.
fn judged(state: &State, (issue, phase): Subject, named: &FoundDivergence) -> Option<Divergence> {
    let question = line(&named.question);
    // Who was not invited is not asked again, and could never give way.
    let members = state.inputs.roles.members.iter();
    let sides: Vec<Side> = members
        .filter(|role| state.takes_part(&role.id))
        .filter_map(|role| {
            let is = |name: &str| {
                let name = name.trim();
                role.code.eq_ignore_ascii_case(name) || role.id.as_str().eq_ignore_ascii_case(name)
            };
            let side = named.sides.iter().find(|side| is(&side.member))?;
            Some(Side {
                member: role.id.clone(),
                stands_for: side.stands_for.trim().to_owned(),
            })
        })
        .collect();
    (sides.len() >= LEAST_SIDES && !question.is_empty()).then_some(Divergence {
        issue,
        phase,
        question,
        sides,
        trigger: Trigger::Coach {
            criterion: named.criterion,
        },
    })
}
