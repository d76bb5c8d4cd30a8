//! Divergences between members that are worth a debate.
//!
//! Mutual objections are read from the positions; anything else the coach judges in the summary it
//! writes anyway. An incomplete divergence does not count.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::due;
use super::motion::{DebateSide, DebateTrigger};
use crate::ids::{IssueId, TextId};
use crate::machine::decide::parse_id;
use crate::machine::event::{LedgerRefusal, LedgerRule};
use crate::machine::illegal::{Verdict, ensure};
use crate::machine::issue::{IssueChange, IssueRecord};
use crate::machine::notes::{folded, refusal};
use crate::machine::phase::{Phase, PhaseId, PhaseKind};
use crate::machine::state::State;
use crate::machine::team::TeamWork;
use crate::reply::{CoachPart, Contribution, FoundDivergence};
use crate::role::RoleId;
use crate::words::word;

/// Minimum number of sides of a divergence.
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
    /// The sides, in speaking order; at least two.
    pub sides: Vec<DebateSide>,
    /// How it was found: by objections, or by the coach.
    pub trigger: DebateTrigger,
}

impl Divergence {
    /// Returns whether both are about the same issue, or about the result of the same phase.
    pub(super) fn is_on_the_same(&self, other: &Self) -> bool {
        self.issue == other.issue && self.phase == other.phase
    }
}

/// Returns the divergences that a round left behind, in the order in which they are debated: mutual
/// objections first, then those the coach names. Empty unless the run looks for divergences and
/// another debate can be held. Also returns refusals of those the coach names that are incomplete
/// or cannot be debated.
pub(in crate::machine) fn of_summary(
    state: &State,
    answer: &Contribution,
    changes: &BTreeMap<IssueId, IssueChange>,
) -> (Vec<Divergence>, Vec<LedgerRefusal>) {
    if !due::looks_for_divergence(state) {
        return (Vec::new(), Vec::new());
    }
    let stays_open = |id: IssueId| {
        let issue = state.ledger.find(id).filter(|issue| issue.is_open());
        issue.filter(|_| !changes.contains_key(&id) && !due::was_debated(state, id))
    };
    // The coach can decline a debate for one round only: an objection that persists into the next
    // is debated.
    let declined: BTreeSet<IssueId> = declined(answer).collect();
    let is_declined = |id| declined.contains(&id) && !state.debates.declined.contains(&id);
    let objected = state
        .ledger
        .blocking()
        .filter(|issue| !is_declined(issue.id));
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
                refused.push(refusal(LedgerRule::NoDivergence, &about, why));
            }
        }
    }
    (found, refused)
}

type Subject = (Option<IssueId>, Option<PhaseId>);

/// Returns the phase that the coach names, or why its result cannot be debated.
fn disputed(team: &TeamWork, named: &FoundDivergence) -> Result<Subject, &'static str> {
    let id = PhaseId(named.issue.trim().to_uppercase());
    match may_be_debated(team, &id) {
        true => Ok((None, Some(id))),
        false => Err("it has no result, was debated before, or does not exist"),
    }
}

/// Returns whether the result of this phase may be debated: it exists and was not debated before.
pub(super) fn may_be_debated(team: &TeamWork, id: &PhaseId) -> bool {
    let is_work = |phase: &Phase| phase.phase_type == PhaseKind::Execution;
    let result = team.done.get(id).filter(|result| result.has_text());
    team.plan.find(id).is_some_and(is_work) && result.is_some() && !team.was_debated(id)
}

/// Finds members whose texts oppose each other: one objects to another's text and supports a text
/// of its own, and a supporter of the other text has seen that objection and stays with the text.
/// The sides are the supporters of such texts.
fn mutual(state: &State, issue: &IssueRecord) -> Option<Divergence> {
    let mut opposed = BTreeSet::new();
    for objection in issue.latest() {
        let Some(own) = objection
            .backs
            .filter(|_| state.takes_part(&objection.member))
        else {
            continue;
        };
        let texts = issue.standing_texts().filter(|text| {
            issue.holds_against(objection, text)
                && state.discussion.turns.has_heard(&objection.member, text.at)
        });
        for text in texts {
            let backers = issue.backers(text);
            let mut keep = backers.iter().filter(|b| state.takes_part(&b.member));
            if keep.any(|b| state.discussion.turns.has_heard(&b.member, objection.at)) {
                opposed.extend([own, text.id]);
            }
        }
    }
    let sides = backed(state, issue, |id| opposed.contains(&id));
    (sides.len() >= LEAST_SIDES).then(|| Divergence {
        issue: Some(issue.id),
        phase: None,
        question: question(state, issue),
        sides,
        trigger: DebateTrigger::Objections,
    })
}

/// Returns the question that a debate about an issue is to answer.
pub(super) fn question(state: &State, issue: &IssueRecord) -> String {
    word("plain.question").with(state.inputs.doc_lang, &[("title", &issue.title)])
}

/// Returns everybody's text on an issue, in speaking order.
pub(super) fn sides(state: &State, issue: &IssueRecord) -> Vec<DebateSide> {
    backed(state, issue, |_| true)
}

/// Returns the supporters of each wanted text, in speaking order.
fn backed(state: &State, issue: &IssueRecord, wanted: impl Fn(TextId) -> bool) -> Vec<DebateSide> {
    let sides = state.participants().filter_map(|member| {
        let stand = issue.stand_of(member)?;
        let text = issue.text(stand.backs.filter(|id| wanted(*id))?)?;
        Some(DebateSide {
            member: member.clone(),
            stands_for: text.text.clone(),
        })
    });
    sides.collect()
}

/// Returns the issues that a summary asks, with a reason, not to debate.
pub(in crate::machine) fn declined(answer: &Contribution) -> impl Iterator<Item = IssueId> {
    let named = answer.coach.iter().flat_map(|coach| &coach.no_debate);
    let reasoned = named.filter(|one| !one.reason.trim().is_empty());
    reasoned.filter_map(|one| parse_id(&one.issue))
}

/// Returns the divergence that the coach judged, if it is complete.
fn judged(state: &State, (issue, phase): Subject, named: &FoundDivergence) -> Option<Divergence> {
    let question = folded(&named.question);
    // A member that was not invited is not asked again and could never give way.
    let members = state.inputs.roles.members.iter();
    let sides: Vec<DebateSide> = members
        .filter(|role| state.takes_part(&role.id))
        .filter_map(|role| {
            let mut sides = named.sides.iter();
            let side = sides.find(|side| role.is_meant_by(&side.member))?;
            Some(DebateSide {
                member: role.id.clone(),
                stands_for: side.stands_for.trim().to_owned(),
            })
        })
        .collect();
    let is_whole = sides.len() >= LEAST_SIDES && !question.is_empty();
    is_whole.then(|| Divergence {
        issue,
        phase,
        question,
        sides: match issue.and_then(|id| state.ledger.find(id)) {
            Some(issue) => with_opponents(state, issue, sides),
            None => sides,
        },
        trigger: DebateTrigger::Coach {
            criterion: named.criterion,
        },
    })
}

/// Returns the named sides and, in speaking order, every other member that objects to one of their
/// texts or backs a text that one of them objects to.
fn with_opponents(state: &State, issue: &IssueRecord, named: Vec<DebateSide>) -> Vec<DebateSide> {
    let is_against = |member: &RoleId, other: &RoleId| {
        let objection = issue.latest_of(member);
        let backed = issue.stand_of(other).and_then(|p| p.backs);
        let text = backed.and_then(|id| issue.text(id));
        let both = objection.zip(text);
        both.is_some_and(|(objection, text)| issue.holds_against(objection, text))
    };
    let sides = state.participants().filter_map(|member| {
        if let Some(side) = named.iter().find(|side| side.member == *member) {
            return Some(side.clone());
        }
        let stand = issue.stand_of(member)?;
        let text = stand.backs.and_then(|id| issue.text(id));
        let mut others = named.iter().map(|side| &side.member);
        let is_opposed = others.any(|o| is_against(member, o) || is_against(o, member));
        is_opposed.then(|| DebateSide {
            member: member.clone(),
            stands_for: text.map_or(&stand.why, |text| &text.text).clone(),
        })
    });
    sides.collect()
}

/// Checks the divergences of a summary: each must be about a different subject that can be debated,
/// between at least two members.
pub(in crate::machine) fn check_divergences<'d>(
    state: &State,
    divergences: impl Iterator<Item = &'d Divergence>,
    is_changed: impl Fn(IssueId) -> bool,
) -> Verdict {
    let mut seen: Vec<&Divergence> = Vec::new();
    for divergence in divergences {
        let is_again = seen
            .iter()
            .any(|earlier| earlier.is_on_the_same(divergence));
        ensure!(!is_again, "the same divergence twice");
        match divergence.issue {
            Some(id) => {
                let is_one = divergence.phase.is_none();
                ensure!(is_one, "a divergence on an issue and a phase at once");
                let is_open = state.ledger.find(id).is_some_and(IssueRecord::is_open);
                let stays_open = is_open && !is_changed(id);
                ensure!(
                    stays_open,
                    "a divergence on `{id}`, which does not stay open"
                );
                ensure!(!due::was_debated(state, id), "`{id}` was debated before");
            }
            None => {
                let phase = divergence.phase.as_ref().zip(state.team.as_ref());
                let is_result = phase.is_some_and(|(id, team)| may_be_debated(team, id));
                ensure!(is_result, "a divergence on nothing that can be debated");
            }
        }
        let sides: BTreeSet<&RoleId> = divergence.sides.iter().map(|side| &side.member).collect();
        let is_known = |id: &&RoleId| state.participants().any(|member| member == *id);
        let is_whole = sides.len() == divergence.sides.len() && sides.len() >= LEAST_SIDES;
        ensure!(
            is_whole && sides.iter().all(is_known),
            "the sides of a divergence are not two members or more"
        );
        seen.push(divergence);
    }
    Ok(())
}
