//! The risk assessment: what the checklists have seen go wrong, and what was assumed.

use super::super::board::Board;
use super::super::checklist::RiskHint;
use super::super::questions;
use super::super::text::fill;
use super::super::topics;
use super::{known_criteria, pairing::Pairing, topics_in_use};
use crate::machine::{IssueId, IssueRecord};
use crate::reply::{
    Document, DocumentKind, ExternalDependency, Level, PlanAssumption, Risk, RiskAssessment,
};

/// Risks of one topic, at most, and one each of many topics: a list that nobody reads protects nobody.
const MAX_PER_TOPIC: usize = 2;

/// Writes the risk assessment.
pub fn assess(board: &Board) -> RiskAssessment {
    let mut risks = from_topics(board);
    risks.extend(from_assumptions(board));
    if board.is_skeleton() {
        risks.push(from_method(board));
    }
    risks.sort_by_key(|risk| std::cmp::Reverse((risk.impact, risk.chance)));
    let mut pairing = Pairing::new(
        board,
        DocumentKind::RiskAssessment,
        |document| match document {
            Document::RiskAssessment(assessment) => assessment
                .risks
                .iter()
                .map(|r| (r.id.clone(), r.title.clone()))
                .collect(),
            _ => Vec::new(),
        },
    );
    for (i, risk) in risks.iter_mut().enumerate() {
        risk.id = format!("r{}", i + 1);
        risk.same_as = pairing.take(&risk.title);
    }
    RiskAssessment {
        risks,
        dependencies: dependencies(board),
        assumptions: assumptions(board),
    }
}

fn from_topics(board: &Board) -> Vec<Risk> {
    let agreed = board.agreed();
    let known = known_criteria(board, &agreed);
    let in_use = topics_in_use(board, &agreed);
    let per_topic = if in_use.len() < 3 { MAX_PER_TOPIC } else { 1 };
    in_use
        .into_iter()
        .flat_map(|(list, issues)| {
            let affects = super::criteria_of(&known, &list.topic, &issues);
            let stands = |hint: &&RiskHint| !board.struck.holds(&hint.title);
            let hints = list.risks.iter().take(per_topic).filter(stands);
            hints.map(move |hint| Risk {
                id: String::new(),
                same_as: None,
                title: hint.title.clone(),
                chance: hint.chance,
                impact: hint.impact,
                mitigation: hint.mitigation.clone(),
                early_sign: hint.early_sign.clone(),
                affects: affects.clone(),
            })
        })
        .collect()
}

/// Answers that nobody gave are a risk of their own: one, however many they are.
fn from_assumptions(board: &Board) -> Option<Risk> {
    let p = &board.phrases;
    let agreed = board.agreed();
    let known = known_criteria(board, &agreed);
    let assumed = &board.state.assumptions;
    let ids: Vec<String> = assumed.iter().map(|a| a.id.to_string()).collect();
    let mut blocked: Vec<_> = assumed
        .iter()
        .filter_map(|a| board.state.question(a.question)?.blocks)
        .collect();
    // Where feedback put what they were asked for in question, its issue settles that.
    let takes_up = |issue: &&IssueRecord| {
        let mut withdrawn = topics::withdrawn_by(board.state, issue);
        withdrawn.any(|item| blocked.contains(&item.issue))
    };
    let anew: Vec<_> = board.state.ledger.iter().filter(takes_up).collect();
    let anew: Vec<IssueId> = anew.into_iter().map(|issue| issue.id).collect();
    blocked.extend(anew);
    let ids = board.join(&ids);
    let title = fill(&p.risk_assumed, &[("ids", &ids)]);
    let before = affected_before(board, &title);
    let rests = known.iter().filter(|known| {
        known.issue.is_some_and(|issue| blocked.contains(&issue))
            || before.contains(&known.criterion.id)
    });
    (!assumed.is_empty()).then(|| Risk {
        id: String::new(),
        same_as: None,
        title,
        chance: Level::Medium,
        impact: Level::Medium,
        mitigation: fill(&p.risk_assumed_mitigation, &[("ids", &ids)]),
        early_sign: p.risk_assumed_sign.clone(),
        affects: rests.map(|known| known.criterion.id.clone()).collect(),
    })
}

/// What a risk of the version before affects: criteria keep their ids.
fn affected_before(board: &Board, title: &str) -> Vec<String> {
    let documents = board
        .state
        .previous
        .iter()
        .flat_map(|p| p.documents.values());
    let risks = documents.flat_map(|document| match document {
        Document::RiskAssessment(assessment) => assessment.risks.as_slice(),
        _ => &[],
    });
    let same = risks.filter(|risk| risk.title == title);
    same.flat_map(|risk| risk.affects.clone()).collect()
}

/// Assumptions with what they say for the plan.
fn assumptions(board: &Board) -> Vec<PlanAssumption> {
    let settled = questions::answered(board);
    board
        .state
        .assumptions
        .iter()
        .map(|assumption| {
            let known = settled.iter().find(|(q, _)| q.id == assumption.question);
            PlanAssumption {
                text: known.map_or_else(|| assumption.text.clone(), |(_, text)| text.clone()),
                from: Some(assumption.id.to_string()),
            }
        })
        .collect()
}

/// A plan from checklists knows the field, not the product: that is said.
fn from_method(board: &Board) -> Risk {
    let p = &board.phrases;
    let design = super::system_design(board);
    Risk {
        id: String::new(),
        same_as: None,
        title: p.risk_draft.clone(),
        chance: Level::Medium,
        impact: Level::Medium,
        mitigation: p.risk_draft_mitigation.clone(),
        early_sign: p.risk_draft_sign.clone(),
        affects: design
            .iter()
            .flat_map(|design| &design.modules)
            .map(|module| module.id.clone())
            .collect(),
    }
}

/// What the plan needs from outside: what the topics name.
fn dependencies(board: &Board) -> Vec<ExternalDependency> {
    let agreed = board.agreed();
    topics_in_use(board, &agreed)
        .into_iter()
        .flat_map(|(list, _)| list.dependencies.clone())
        .collect()
}
