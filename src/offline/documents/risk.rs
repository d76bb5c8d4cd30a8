//! The risk assessment: what the checklists have seen go wrong, and what was assumed.

use super::super::board::Board;
use super::super::text::fill;
use super::{known_criteria, pairing::Pairing, topics_in_use};
use crate::reply::{
    Document, DocumentKind, ExternalDependency, Level, PlanAssumption, Risk, RiskAssessment,
};

/// Risks of one topic, at most: a list that nobody reads protects nobody.
const MAX_PER_TOPIC: usize = 2;

/// Writes the risk assessment.
pub fn assess(board: &Board) -> RiskAssessment {
    let mut risks = from_topics(board);
    risks.extend(from_assumptions(board));
    risks.push(from_method(board));
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
        assumptions: board
            .state
            .assumptions
            .iter()
            .map(|assumption| PlanAssumption {
                text: assumption.text.clone(),
                from: Some(assumption.id.to_string()),
            })
            .collect(),
    }
}

fn from_topics(board: &Board) -> Vec<Risk> {
    let agreed = board.agreed();
    let known = known_criteria(board, &agreed);
    topics_in_use(board, &agreed)
        .into_iter()
        .flat_map(|(list, issues)| {
            let affects = super::criteria_of(&known, &list.topic, &issues);
            list.risks.iter().take(MAX_PER_TOPIC).map(move |hint| Risk {
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

/// An answer that nobody gave is a risk of its own.
fn from_assumptions(board: &Board) -> Vec<Risk> {
    let p = &board.phrases;
    let plan = super::product_plan(board);
    board
        .state
        .assumptions
        .iter()
        .map(|assumption| {
            let id = assumption.id.to_string();
            let criteria = plan.iter().flat_map(|plan| &plan.criteria);
            let text = assumption.text.trim_end_matches(['.', '。']);
            Risk {
                id: String::new(),
                same_as: None,
                title: fill(&p.risk_assumed, &[("text", text)]),
                chance: Level::Medium,
                impact: Level::Medium,
                mitigation: fill(&p.risk_assumed_mitigation, &[("id", &id)]),
                early_sign: p.risk_assumed_sign.clone(),
                affects: criteria
                    .filter(|c| c.from.contains(&id))
                    .map(|c| c.id.clone())
                    .collect(),
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
