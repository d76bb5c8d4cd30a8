//! Debates of the built-in members: colliding checklist items argued out, and
//! the first issue list reviewed.

use super::board::Board;
use super::collision::{self, Collision};
use super::phrases::Phrases;
use super::text::fill;
use super::{OfflineError, speech, spoken};
use crate::reply::{
    CoachPart, Contribution, Decision, DivergenceKind, FoundDivergence, FoundSide, Position,
    Ruling, Stance,
};
use crate::workshop::debate::{Debate, Motion, due_motion};
use crate::workshop::{CallId, DebatePart, IssueRecord};

/// What the built-in member answers in a debate.
///
/// # Errors
/// The member takes no part in this run.
pub fn answer(
    board: &Board,
    call: &CallId,
    part: DebatePart,
) -> Result<Contribution, OfflineError> {
    let Some(debate) = board.state.open_debate() else {
        let motion = due_motion(board.state).map(|(_, motion)| motion);
        return Ok(motion.map_or_else(Contribution::default, |motion| open(board, &motion)));
    };
    match part {
        DebatePart::Argument => argue(board, call, debate),
        DebatePart::Summary => Ok(sum_up(board, debate)),
        DebatePart::Opening | DebatePart::Ruling => Ok(ruled(rule(board, debate))),
    }
}

/// A collision that somebody objected to, or that nobody could object to yet,
/// is worth a debate between who proposed the one and who stands for the other.
pub fn divergence(board: &Board, closed: &[String]) -> Option<FoundDivergence> {
    let open = board.state.ledger.blocking();
    open.filter(|issue| !closed.contains(&issue.id.to_string()))
        .find_map(|issue| {
            let collisions = collision::on_issue(board, issue);
            let collision = collisions.iter().find(|c| c.is_undecided(board, issue))?;
            let objector = board.member(collision.conflict.objector)?;
            let says = |text: &str| text.contains(&collision.mine);
            let mut proposals = issue.positions.iter().rev();
            let proposer = proposals.find(|p| p.proposal.as_deref().is_some_and(says))?;
            let roles = &board.state.inputs.roles;
            let side = |member: &str, stands_for: &str| FoundSide {
                member: member.to_owned(),
                stands_for: stands_for.to_owned(),
            };
            let values = between(collision, issue);
            let phrases = &board.phrases;
            // Both texts may come from the same checklist.
            let question = match collision.list.title == collision.other.title {
                true => &phrases.debate_question_one,
                false => &phrases.debate_question,
            };
            Some(FoundDivergence {
                issue: issue.id.to_string(),
                criterion: DivergenceKind::Contradiction,
                question: fill(question, &borrowed(&values)),
                sides: vec![
                    side(roles.code(&proposer.member), &collision.mine),
                    side(&objector.code, &collision.conflict.compromise),
                ],
            })
        })
}

fn open(board: &Board, motion: &Motion) -> Contribution {
    let issue = motion.about.and_then(|id| board.state.ledger.find(id));
    let topic = ("topic", motion.debate_config.topic.as_str());
    let phrase = match issue {
        Some(_) => &board.phrases.debate_open,
        None => &board.phrases.debate_review_open,
    };
    let about = motion.about.map(|id| id.to_string()).unwrap_or_default();
    spoken(fill(phrase, &[topic, ("issue", &about)]))
}

fn argue(board: &Board, call: &CallId, debate: &Debate) -> Result<Contribution, OfflineError> {
    let issue = debate
        .motion
        .about
        .and_then(|id| board.state.ledger.find(id));
    let Some(issue) = issue else {
        return review(board, call, debate);
    };
    let position = speech::stand(board, call, issue)?;
    let case = case(board, issue).filter(|_| position.stance == Stance::Object);
    // Who gives way with a new text says what convinced it, not how the text was made.
    let moved = position
        .proposal
        .as_ref()
        .and(position.changed_because.as_ref());
    let reason = moved.unwrap_or(&position.why).clone();
    Ok(Contribution {
        analysis: board.flow(&[reason, case.unwrap_or_default()]),
        positions: vec![position],
        ..Contribution::default()
    })
}

/// The situation that shows on which side the weight is.
fn case(board: &Board, issue: &IssueRecord) -> Option<String> {
    let collisions = collision::on_issue(board, issue);
    let conflict = collisions.first()?.conflict;
    let values = [
        ("given", conflict.given.as_str()),
        ("when", &conflict.when),
        ("then", &conflict.then),
    ];
    Some(fill(&board.phrases.debate_case, &values))
}

/// What one's own part says to the issue list as a whole.
fn review(board: &Board, call: &CallId, debate: &Debate) -> Result<Contribution, OfflineError> {
    let analysis = speech::at_first_sight(board, call)?;
    Ok(Contribution {
        analysis,
        positions: vec![Position {
            issue: debate.subject(),
            stance: Stance::Agree,
            proposal: None,
            why: board.phrases.debate_review_why.clone(),
            changed_because: None,
        }],
        ..Contribution::default()
    })
}

fn sum_up(board: &Board, debate: &Debate) -> Contribution {
    let places = 0..debate.participants().len();
    let stances = places.filter_map(|place| debate.latest_of(place).map(|p| p.stance));
    let objecting = stances.filter(|stance| *stance == Stance::Object).count();
    let phrase = match objecting {
        0 => &board.phrases.debate_settled,
        _ => &board.phrases.debate_summary,
    };
    spoken(fill(phrase, &[("count", &objecting.to_string())]))
}

fn ruled(ruling: Ruling) -> Contribution {
    Contribution {
        coach: Some(CoachPart {
            ruling: Some(ruling.clone()),
            ..CoachPart::default()
        }),
        ..spoken(ruling.rationale)
    }
}

/// The compromise of the collision; without one the text that is supported;
/// without that the question is left open.
fn rule(board: &Board, debate: &Debate) -> Ruling {
    let p: &Phrases = &board.phrases;
    let issue = debate
        .motion
        .about
        .and_then(|id| board.state.ledger.find(id));
    let Some(issue) = issue else {
        let open = board.state.ledger.open().map(|issue| issue.id.to_string());
        let open: Vec<String> = open.collect();
        return Ruling {
            decision: Decision::Adopt,
            rationale: p.debate_review_rationale.clone(),
            conclusion: fill(&p.debate_review_rule, &[("issues", &board.join(&open))]),
        };
    };
    let collisions = collision::on_issue(board, issue);
    let supported = |wanted: &str| {
        let mut latest = issue.positions.iter().rev().filter(|p| p.stance.supports());
        latest.find_map(|p| p.proposal.clone().filter(|text| text.contains(wanted)))
    };
    if let Some(conflict) = collisions.first().map(|c| c.conflict) {
        let whole = supported(&conflict.compromise);
        return Ruling {
            decision: Decision::Compromise,
            rationale: board.flow(&[&conflict.because, &conflict.accept]),
            conclusion: whole.unwrap_or_else(|| conflict.compromise.clone()),
        };
    }
    match supported("") {
        Some(text) if steady(debate) => Ruling {
            decision: Decision::Adopt,
            rationale: p.debate_settled.clone(),
            conclusion: text,
        },
        _ => Ruling {
            decision: Decision::Shelve,
            rationale: p.debate_shelved.clone(),
            conclusion: debate.motion.debate_config.topic.clone(),
        },
    }
}

/// Does no participant object any more?
fn steady(debate: &Debate) -> bool {
    let mut places = 0..debate.participants().len();
    places.all(|place| {
        let latest = debate.latest_of(place);
        latest.is_none_or(|p| p.stance != Stance::Object)
    })
}

fn between(collision: &Collision, issue: &IssueRecord) -> [(&'static str, String); 3] {
    [
        ("a", collision.list.title.clone()),
        ("b", collision.other.title.clone()),
        ("issue", issue.title.clone()),
    ]
}

fn borrowed<'v>(values: &'v [(&'static str, String)]) -> Vec<(&'v str, &'v str)> {
    values
        .iter()
        .map(|(key, value)| (*key, value.as_str()))
        .collect()
}
