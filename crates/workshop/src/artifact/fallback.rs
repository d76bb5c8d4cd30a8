//! Documents and report words from the ledger alone, for when no model can be asked.
//!
//! They say nothing that the ledger does not hold: what was agreed becomes
//! criteria, decisions, work and tests; what was not becomes risks.

mod phrases;

use phrases::{Phrases, fill};

use super::markup::{clip, one_line};
use crate::machine::{ConsensusItem, IssueRecord, IssueStatus, State};
use crate::reply::{
    Criterion, DesignDecision, DevPlan, Document, DocumentKind, Level, Module, NonGoal,
    PlanAssumption, ProductPlan, Rejected, ReportWords, Risk, RiskAssessment, ScopeItem, Severity,
    Size, SystemDesign, TestCase, TestLevel, TestPlan, ToDecide, WorkItem,
};

/// Longest title made from a text, in characters.
const TITLE: usize = 90;

/// Longest label of a node in the diagram, in characters.
const LABEL: usize = 40;

/// A document from the ledger, with local keys as in a reply; to be adopted
/// like one. Documents it depends on are read with the ids they have.
pub fn fallback_document(state: &State, kind: DocumentKind) -> Document {
    let words = Phrases::of(state.inputs.doc_lang);
    match kind {
        DocumentKind::ProductPlan => Document::ProductPlan(product(state, words)),
        DocumentKind::SystemDesign => Document::SystemDesign(design(state, words)),
        DocumentKind::DevPlan => Document::DevPlan(work(state, words)),
        DocumentKind::TestPlan => Document::TestPlan(tests(state, words)),
        DocumentKind::RiskAssessment => Document::RiskAssessment(risks(state, words)),
    }
}

/// The coach's words for the report from the ledger: figures, and one line to
/// decide for every open blocking issue.
pub fn fallback_report(state: &State) -> ReportWords {
    let words = Phrases::of(state.inputs.doc_lang);
    let subject = state.subject();
    let title = subject.lines().find(|l| !l.trim().is_empty());
    let open: Vec<&IssueRecord> = state.ledger.open().collect();
    ReportWords {
        title: clip(
            one_line(title.unwrap_or_default()).trim_end_matches(['.', '\u{3002}']),
            TITLE,
        ),
        in_short: fill(
            words.in_short,
            &[
                &state.draft.standing().count().to_string(),
                &state.ledger.iter().count().to_string(),
                &open.len().to_string(),
            ],
        ),
        decide: state
            .ledger
            .blocking()
            .map(|issue| ToDecide {
                what: issue.title.clone(),
                recommended: best_proposal(issue).map_or(words.no_proposal.to_owned(), one_line),
                otherwise: words.stays_open.to_owned(),
                about: vec![issue.id.to_string()],
            })
            .collect(),
    }
}

/// The text that most members back without objecting to another, the latest of several.
fn best_proposal(issue: &IssueRecord) -> Option<&str> {
    let objectors = issue.objectors();
    let best = issue.standing_texts().max_by_key(|text| {
        let backers = issue.backers(text).into_iter();
        backers.filter(|b| !objectors.contains(&&b.member)).count()
    });
    best.map(|text| text.text.as_str())
}

fn product(state: &State, words: &Phrases) -> ProductPlan {
    let unresolved: Vec<String> = state
        .ledger
        .blocking()
        .map(|issue| format!("{} {}", issue.id, one_line(&issue.title)))
        .collect();
    let mut understanding = one_line(&state.subject());
    if !unresolved.is_empty() {
        understanding += &fill(words.unresolved, &[&unresolved.join("; ")]);
    }
    let items = || state.draft.standing();
    let left_out =
        |issue: &&IssueRecord| matches!(issue.status, IssueStatus::Dropped | IssueStatus::Deferred);
    ProductPlan {
        understanding,
        scope: items()
            .map(|item| ScopeItem {
                text: one_line(&item.text),
                from: vec![item.id.to_string()],
            })
            .collect(),
        non_goals: state
            .ledger
            .iter()
            .filter(left_out)
            .map(|issue| NonGoal {
                text: one_line(&issue.title),
                why: issue
                    .history
                    .last()
                    .and_then(|change| change.reason.clone())
                    .unwrap_or_else(|| words.no_reason.to_owned()),
            })
            .collect(),
        criteria: items()
            .map(|item| Criterion {
                id: format!("c{}", item.id.0),
                same_as: earlier_criterion(state, item),
                given: words.given.to_owned(),
                when: fill(words.when, &[&issue_title(state, item)]),
                then: one_line(&item.text),
                from: vec![item.id.to_string()],
            })
            .collect(),
    }
}

fn issue_title(state: &State, item: &ConsensusItem) -> String {
    let issue = state.ledger.find(item.issue);
    issue.map_or_else(|| item.issue.to_string(), |issue| one_line(&issue.title))
}

/// The previous version's criterion that rests on the same item alone.
fn earlier_criterion(state: &State, item: &ConsensusItem) -> Option<String> {
    let documents = &state.previous.as_ref()?.documents;
    let Document::ProductPlan(plan) = documents.get(&DocumentKind::ProductPlan)? else {
        return None;
    };
    let from = [item.id.to_string()];
    let mut criteria = plan.criteria.iter();
    let found = criteria.find(|criterion| criterion.from == from)?;
    Some(found.id.clone())
}

/// The criteria as recorded, with the engine's ids.
fn criteria(state: &State) -> &[Criterion] {
    match state
        .documents
        .get(&DocumentKind::ProductPlan)
        .map(|d| &d.content)
    {
        Some(Document::ProductPlan(plan)) => &plan.criteria,
        _ => &[],
    }
}

fn design(state: &State, words: &Phrases) -> SystemDesign {
    SystemDesign {
        architecture: words.architecture.to_owned(),
        modules: vec![Module {
            id: "whole".to_owned(),
            same_as: None,
            name: words.whole.to_owned(),
            purpose: words.whole_purpose.to_owned(),
            covers: criteria(state).iter().map(|c| c.id.clone()).collect(),
        }],
        decisions: state
            .draft
            .standing()
            .map(|item| decision(state, item, words))
            .collect(),
        file_impacts: Vec::new(),
        diagram: agreement_diagram(state),
    }
}

fn decision(state: &State, item: &ConsensusItem, words: &Phrases) -> DesignDecision {
    let positions = state
        .ledger
        .find(item.issue)
        .map_or(&[][..], |issue| &*issue.positions);
    let why = positions
        .iter()
        .find(|p| p.member == item.proposed_by && p.round == item.proposed_round)
        .map_or(words.no_reason, |p| p.why.as_str());
    let mut rejected: Vec<Rejected> = Vec::new();
    for position in positions {
        let Some(option) = &position.proposal else {
            continue;
        };
        let is_new = rejected.iter().all(|other| other.option != *option);
        if *option != item.text && is_new {
            rejected.push(Rejected {
                option: option.clone(),
                why: fill(
                    words.not_carried,
                    &[state.inputs.roles.code(&position.member)],
                ),
            });
        }
    }
    DesignDecision {
        id: format!("d{}", item.id.0),
        same_as: None,
        title: clip(&issue_title(state, item), TITLE),
        choice: one_line(&item.text),
        why: one_line(why),
        rejected,
        from: vec![item.id.to_string()],
    }
}

/// Issues and the items that settle them, which is all that is known; empty where nothing
/// is agreed.
fn agreement_diagram(state: &State) -> String {
    let label = |text: &str| clip(&one_line(text), LABEL).replace(['"', '<', '>', ';', '#'], " ");
    let mut lines = vec!["flowchart LR".to_owned()];
    for item in state.draft.standing() {
        let (issue, id) = (item.issue.0, item.id.0);
        lines.push(format!(
            "  I{issue}[\"I-{issue} {}\"] --> C{id}[\"C-{id}\"]",
            label(&issue_title(state, item))
        ));
    }
    if lines.len() == 1 {
        return String::new();
    }
    lines.join("\n")
}

fn work(state: &State, words: &Phrases) -> DevPlan {
    DevPlan {
        feasibility: words.feasibility.to_owned(),
        work: criteria(state)
            .iter()
            .map(|criterion| WorkItem {
                id: format!("w-{}", criterion.id),
                same_as: None,
                title: clip(&criterion.then, TITLE),
                detail: fill(words.work, &[&criterion.id]),
                size: Size::M,
                covers: vec![criterion.id.clone()],
                depends_on: Vec::new(),
            })
            .collect(),
        ..DevPlan::default()
    }
}

fn tests(state: &State, words: &Phrases) -> TestPlan {
    TestPlan {
        strategy: words.strategy.to_owned(),
        cases: criteria(state)
            .iter()
            .map(|criterion| TestCase {
                id: format!("t-{}", criterion.id),
                same_as: None,
                title: fill(words.test, &[&criterion.id]),
                level: TestLevel::EndToEnd,
                covers: vec![criterion.id.clone()],
                steps: format!("{} {}", criterion.given, criterion.when),
                expected: criterion.then.clone(),
            })
            .collect(),
        ..TestPlan::default()
    }
}

fn risks(state: &State, words: &Phrases) -> RiskAssessment {
    RiskAssessment {
        risks: state
            .ledger
            .open()
            .map(|issue| {
                let is_blocking = issue.severity == Severity::Blocking;
                Risk {
                    id: format!("r{}", issue.id.0),
                    same_as: None,
                    title: fill(
                        words.risk,
                        &[&issue.id.to_string(), &one_line(&issue.title)],
                    ),
                    chance: if is_blocking {
                        Level::High
                    } else {
                        Level::Medium
                    },
                    impact: if is_blocking { Level::High } else { Level::Low },
                    mitigation: fill(words.mitigation, &[&issue.id.to_string()]),
                    early_sign: words.early_sign.to_owned(),
                    affects: Vec::new(),
                }
            })
            .collect(),
        dependencies: Vec::new(),
        assumptions: state
            .assumptions
            .iter()
            .map(|assumption| PlanAssumption {
                text: one_line(&assumption.text),
                from: Some(assumption.id.to_string()),
            })
            .collect(),
    }
}
