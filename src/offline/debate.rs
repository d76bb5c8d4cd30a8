//! Debates of the built-in members: colliding checklist items argued out, the issue
//! list or the phases reviewed, and to any other question what the lists know of it.

use std::collections::BTreeSet;

use super::board::Board;
use super::checklist::Conflict;
use super::collision::{self, Collision};
use super::dispute::{self, Dispute};
use super::phrases::Phrases;
use super::text::fill;
use super::{OfflineError, argument, speech, spoken};
use crate::machine::debate::{Debate, Motion, Trigger, due_motion};
use crate::machine::phase::PhaseKind;
use crate::machine::{CallId, DebatePart, IssueRecord};
use crate::reply::{
    CoachPart, Contribution, Decision, DivergenceKind, FoundDivergence, FoundSide, Position,
    Ruling, Stance,
};

/// Sentences of one list that a member brings to a question, at most.
const MAX_KNOWN: usize = 2;

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

/// What is worth a debate: collisions that somebody objected to, or that nobody could
/// object to yet, between who proposed the one text and who stands for the other; in a
/// team collisions between results.
pub fn divergences(board: &Board, closed: &[String]) -> Vec<FoundDivergence> {
    if board.state.team.is_some() {
        return dispute::divergences(board);
    }
    let open = board.state.ledger.blocking();
    open.filter(|issue| !closed.contains(&issue.id.to_string()))
        .filter_map(|issue| divergence(board, issue))
        .collect()
}

fn divergence(board: &Board, issue: &IssueRecord) -> Option<FoundDivergence> {
    let collisions = collision::on_issue(board, issue);
    let collision = collisions.iter().find(|c| c.is_contested(board, issue))?;
    let objector = board.member(collision.conflict.objector)?;
    let says = |text: &str| text.contains(&collision.mine);
    let mut proposals = issue.positions.iter().rev();
    let proposer = proposals.find(|p| p.proposal.as_deref().is_some_and(says))?;
    let roles = &board.state.inputs.roles;
    let side = |member: &str, stands_for: &str| FoundSide {
        member: member.to_owned(),
        stands_for: stands_for.to_owned(),
    };
    Some(FoundDivergence {
        issue: issue.id.to_string(),
        criterion: DivergenceKind::Contradiction,
        question: question(board, collision, issue),
        sides: vec![
            side(roles.code(&proposer.member), &collision.mine),
            side(&objector.code, &collision.conflict.compromise),
        ],
    })
}

/// The question a debate about a collision has to answer.
pub fn question(board: &Board, collision: &Collision, issue: &IssueRecord) -> String {
    let phrases = &board.phrases;
    let values = between(collision, issue);
    // Both texts may come from the same checklist.
    let question = match collision.list.title == collision.other.title {
        true => &phrases.debate_question_one,
        false => &phrases.debate_question,
    };
    fill(question, &borrowed(&values))
}

/// What a debate is about, as far as checklists can tell.
enum Subject<'b> {
    /// An open issue.
    Issue(&'b IssueRecord),
    /// Results of a team that collide.
    Dispute(Box<Dispute<'b>>),
    /// The issue list, or a team's phases, before anything was done.
    Review,
    /// Anything else.
    Question,
}

fn subject<'b>(board: &'b Board<'_>, motion: &Motion) -> Subject<'b> {
    let issue = motion.about.and_then(|id| board.state.ledger.find(id));
    if let Some(issue) = issue {
        return Subject::Issue(issue);
    }
    if motion.trigger == Trigger::Review {
        return Subject::Review;
    }
    dispute::of(board, motion).map_or(Subject::Question, |found| Subject::Dispute(Box::new(found)))
}

fn open(board: &Board, motion: &Motion) -> Contribution {
    let p = &board.phrases;
    let phrase = match subject(board, motion) {
        Subject::Issue(issue) if collision::on_issue(board, issue).is_empty() => {
            &p.debate_open_issue
        }
        Subject::Issue(_) => &p.debate_open,
        Subject::Dispute(_) => &p.debate_open_phase,
        Subject::Review if board.state.team.is_some() => &p.debate_plan_open,
        Subject::Review => &p.debate_review_open,
        Subject::Question => &p.debate_open_question,
    };
    let about = motion.about.map(|id| id.to_string()).unwrap_or_default();
    let topic = motion.debate_config.topic.as_str();
    spoken(fill(phrase, &[("topic", topic), ("issue", &about)]))
}

fn argue(board: &Board, call: &CallId, debate: &Debate) -> Result<Contribution, OfflineError> {
    let p = &board.phrases;
    let issue = match subject(board, &debate.motion) {
        Subject::Issue(issue) => issue,
        Subject::Dispute(found) => return Ok(found.argue(board, debate, &call.member, call.turn)),
        Subject::Review if board.state.team.is_some() => {
            return Ok(match dispute::at_plan(board, &call.member) {
                Some(own) => stance(debate, Stance::Agree, own, &p.debate_plan_why),
                None => {
                    let none = p.debate_phase_none.clone();
                    stance(debate, Stance::Abstain, none, &p.debate_phase_none)
                }
            });
        }
        Subject::Review => {
            let analysis = speech::at_first_sight(board, call)?;
            return Ok(stance(
                debate,
                Stance::Agree,
                analysis,
                &p.debate_review_why,
            ));
        }
        Subject::Question => return Ok(answer_question(board, call, debate)),
    };
    let collision = argument::subject(board, &debate.motion, issue);
    let position = match &collision {
        Some(collision) => argument::position(board, call, issue, collision)?,
        None => speech::stand(board, call, issue)?,
    };
    let need = [("need", issue.title.as_str())];
    let decides = collision.map(|c| fill(&case(board, c.conflict), &need));
    let decides = decides.filter(|_| position.stance == Stance::Object);
    // Who gives way with a new text says what convinced it, not how the text was made.
    let moved = position
        .proposal
        .as_ref()
        .and(position.changed_because.as_ref());
    let reason = moved.unwrap_or(&position.why).clone();
    Ok(Contribution {
        analysis: board.flow(&[reason, decides.unwrap_or_default()]),
        positions: vec![position],
        ..Contribution::default()
    })
}

/// A list says what it holds on a question; it chooses nothing.
fn answer_question(board: &Board, call: &CallId, debate: &Debate) -> Contribution {
    let p = &board.phrases;
    let question = &debate.motion.debate_config.topic;
    let part = board.part_of(&call.member);
    let known = dispute::known(board, question, part, MAX_KNOWN);
    let analysis = match known.is_empty() {
        true => p.debate_unknown.clone(),
        false => fill(&p.debate_known, &[("points", &board.flow(&known))]),
    };
    stance(debate, Stance::Abstain, analysis, &p.debate_unknown_why)
}

fn stance(debate: &Debate, stance: Stance, analysis: String, why: &str) -> Contribution {
    Contribution {
        analysis,
        positions: vec![Position {
            issue: debate.subject(),
            stance,
            proposal: None,
            why: why.to_owned(),
            changed_because: None,
        }],
        ..Contribution::default()
    }
}

/// The situation that shows on which side the weight is.
pub fn case(board: &Board, conflict: &Conflict) -> String {
    let values = [
        ("given", conflict.given.as_str()),
        ("when", &conflict.when),
        ("then", &conflict.then),
    ];
    fill(&board.phrases.debate_case, &values)
}

fn sum_up(board: &Board, debate: &Debate) -> Contribution {
    let p = &board.phrases;
    let latest = || (0..debate.participants().len()).filter_map(|place| debate.latest_of(place));
    let objecting = latest().filter(|position| position.stance == Stance::Object);
    let objecting = objecting.count().to_string();
    let texts: BTreeSet<&str> = latest().filter_map(|p| p.proposal.as_deref()).collect();
    let is_foreseen = match subject(board, &debate.motion) {
        Subject::Issue(issue) => !collision::on_issue(board, issue).is_empty(),
        Subject::Dispute(_) => true,
        Subject::Review => return spoken(p.debate_review_summary.clone()),
        Subject::Question => {
            let heard = known_to_all(board, debate).len().to_string();
            return spoken(fill(&p.debate_question_summary, &[("count", &heard)]));
        }
    };
    let phrase = match (objecting.as_str(), is_foreseen) {
        ("0", _) if texts.len() > 1 => &p.debate_differ,
        ("0", _) => &p.debate_settled,
        (_, true) => &p.debate_summary,
        (_, false) => &p.debate_objections,
    };
    spoken(fill(phrase, &[("count", &objecting)]))
}

/// What the participants' lists know about the question, each sentence once.
fn known_to_all(board: &Board, debate: &Debate) -> Vec<String> {
    let question = &debate.motion.debate_config.topic;
    let parts = debate.participants().iter();
    let known =
        parts.flat_map(|member| dispute::known(board, question, board.part_of(member), MAX_KNOWN));
    let mut all: Vec<String> = Vec::new();
    for sentence in known {
        if !all.contains(&sentence) {
            all.push(sentence);
        }
    }
    all
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

fn rule(board: &Board, debate: &Debate) -> Ruling {
    match subject(board, &debate.motion) {
        Subject::Issue(issue) => rule_on(board, debate, issue),
        Subject::Dispute(found) => found.rule(board),
        Subject::Review => rule_on_review(board),
        Subject::Question => rule_on_question(board, debate),
    }
}

/// The compromise of the collision; without one the text that is supported;
/// without that the question is left open.
fn rule_on(board: &Board, debate: &Debate, issue: &IssueRecord) -> Ruling {
    let p: &Phrases = &board.phrases;
    if let Some(collision) = argument::subject(board, &debate.motion, issue) {
        let conflict = collision.conflict;
        return Ruling {
            decision: Decision::Compromise,
            rationale: board.flow(&[&conflict.because, &conflict.accept]),
            conclusion: collision.text(board),
        };
    }
    let mut latest = issue.positions.iter().rev().filter(|p| p.stance.supports());
    match latest.find_map(|p| p.proposal.clone()) {
        Some(text) if steady(debate) => Ruling {
            decision: Decision::Adopt,
            rationale: p.debate_adopted.clone(),
            conclusion: text,
        },
        _ => Ruling {
            decision: Decision::Shelve,
            rationale: p.debate_shelved.clone(),
            conclusion: debate.motion.debate_config.topic.clone(),
        },
    }
}

/// The list, or the plan, stands.
fn rule_on_review(board: &Board) -> Ruling {
    let p = &board.phrases;
    let (rationale, conclusion, place, ids) = match &board.state.team {
        Some(team) => {
            let phases = team.plan.phases().iter();
            let phases = phases.filter(|phase| phase.phase_type == PhaseKind::Execution);
            let ids: Vec<String> = phases.map(|phase| phase.id.to_string()).collect();
            (&p.debate_plan_rationale, &p.debate_plan_rule, "phases", ids)
        }
        None => {
            let open = board.state.ledger.open().map(|issue| issue.id.to_string());
            let rationale = &p.debate_review_rationale;
            (rationale, &p.debate_review_rule, "issues", open.collect())
        }
    };
    Ruling {
        decision: Decision::Adopt,
        rationale: rationale.clone(),
        conclusion: fill(conclusion, &[(place, &board.join(&ids))]),
    }
}

/// Checklists answer no question of choice: it goes to whoever can, with what they hold.
fn rule_on_question(board: &Board, debate: &Debate) -> Ruling {
    let p = &board.phrases;
    let question = &debate.motion.debate_config.topic;
    let known = known_to_all(board, debate);
    let phrase = match known.is_empty() {
        true => &p.debate_question_open,
        false => &p.debate_question_bounds,
    };
    let values = [
        ("topic", question.as_str()),
        ("points", &board.flow(&known)),
    ];
    Ruling {
        decision: Decision::Shelve,
        rationale: p.debate_question_rationale.clone(),
        conclusion: fill(phrase, &values),
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
