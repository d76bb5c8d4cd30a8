//! Documents and report texts made from the ledger without a model, for when none can be called.
//!
//! They contain only what the ledger contains: agreed items become criteria, decisions, work and
//! tests; open issues become risks.

use super::markup::{clip, one_line};
use crate::lang::Lang;
use crate::machine::{ConsensusItem, IssueRecord, IssueStatus, State};
use crate::reply::{
    Arrow, Criterion, DecisionRow, DesignDecision, DevPlan, Diagram, DiagramKind, Document,
    DocumentKind, IssueSeverity, Level, MAX_LIST, Module, NonGoal, PlanAssumption, ProductPlan,
    Rejected, ReportWords, Risk, RiskAssessment, ScopeItem, Size, SystemDesign, TestCase,
    TestLevel, TestPlan, WorkItem,
};
use crate::words::word;

/// Maximum length of a title made from a text, in characters.
const TITLE: usize = 90;

/// Maximum length of the text of a box in the diagram, in characters.
const LABEL: usize = 40;

/// A sentence of a document that no model wrote.
fn say(lang: Lang, name: &str, values: &[(&str, &str)]) -> String {
    word(&format!("ledger.{name}")).with(lang, values)
}

/// A document made from the ledger. Its ids are local keys as in a reply, and it is adopted like a
/// reply; it refers to documents that it depends on by their final ids.
pub fn fallback_document(state: &State, kind: DocumentKind) -> Document {
    let lang = state.inputs.doc_lang;
    match kind {
        DocumentKind::ProductPlan => Document::ProductPlan(product(state, lang)),
        DocumentKind::SystemDesign => Document::SystemDesign(design(state, lang)),
        DocumentKind::DevPlan => Document::DevPlan(work(state, lang)),
        DocumentKind::TestPlan => Document::TestPlan(tests(state, lang)),
        DocumentKind::RiskAssessment => Document::RiskAssessment(risks(state, lang)),
    }
}

/// The coach's texts for the report, made from the ledger: counts, and a decision for every open
/// blocking issue.
pub fn fallback_report(state: &State) -> ReportWords {
    let lang = state.inputs.doc_lang;
    let subject = state.subject();
    let title = subject.lines().find(|l| !l.trim().is_empty());
    let open: Vec<&IssueRecord> = state.ledger.open().collect();
    ReportWords {
        title: clip(
            one_line(title.unwrap_or_default()).trim_end_matches(['.', '\u{3002}']),
            TITLE,
        ),
        in_short: say(
            lang,
            "in_short",
            &[
                ("items", &state.draft.standing().count().to_string()),
                ("issues", &state.ledger.iter().count().to_string()),
                ("open", &open.len().to_string()),
            ],
        ),
        decide: state
            .ledger
            .blocking()
            .map(|issue| DecisionRow {
                what: issue.title.clone(),
                recommended: best_proposal(issue)
                    .map_or_else(|| say(lang, "no_proposal", &[]), one_line),
                otherwise: say(lang, "stays_open", &[]),
                about: vec![issue.id.to_string()],
            })
            .collect(),
        plan: None,
    }
}

/// The text with the most backers who do not also object to another one; the latest if several have
/// the same number.
fn best_proposal(issue: &IssueRecord) -> Option<&str> {
    let objectors = issue.objectors();
    let best = issue.standing_texts().max_by_key(|text| {
        let backers = issue.backers(text).into_iter();
        backers.filter(|b| !objectors.contains(&&b.member)).count()
    });
    best.map(|text| text.text.as_str())
}

fn product(state: &State, lang: Lang) -> ProductPlan {
    let unresolved: Vec<String> = state
        .ledger
        .blocking()
        .map(|issue| format!("{} {}", issue.id, one_line(&issue.title)))
        .collect();
    let mut understanding = one_line(&state.subject());
    if !unresolved.is_empty() {
        understanding += &say(lang, "unresolved", &[("issues", &unresolved.join("; "))]);
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
                    .unwrap_or_else(|| say(lang, "no_reason", &[])),
            })
            .collect(),
        criteria: items()
            .map(|item| Criterion {
                id: format!("c{}", item.id.0),
                same_as: earlier_criterion(state, item),
                given: say(lang, "given", &[]),
                when: say(lang, "when", &[("title", &issue_title(state, item))]),
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

/// The previous version's criterion that rests on this item only.
fn earlier_criterion(state: &State, item: &ConsensusItem) -> Option<String> {
    let documents = &state.task.previous.as_ref()?.documents;
    let Document::ProductPlan(plan) = documents.get(&DocumentKind::ProductPlan)? else {
        return None;
    };
    let from = [item.id.to_string()];
    let mut criteria = plan.criteria.iter();
    let found = criteria.find(|criterion| criterion.from == from)?;
    Some(found.id.clone())
}

/// The recorded criteria, with their final ids.
fn criteria(state: &State) -> &[Criterion] {
    let product = state.documents.product_plan();
    product.map_or(&[], |plan| &plan.criteria)
}

fn design(state: &State, lang: Lang) -> SystemDesign {
    SystemDesign {
        architecture: say(lang, "architecture", &[]),
        modules: vec![Module {
            id: "whole".to_owned(),
            name: say(lang, "whole", &[]),
            purpose: say(lang, "whole_purpose", &[]),
            covers: criteria(state).iter().map(|c| c.id.clone()).collect(),
            ..Module::default()
        }],
        decisions: state
            .draft
            .standing()
            .map(|item| decision(state, item, lang))
            .collect(),
        diagram: agreement_diagram(state),
        ..SystemDesign::default()
    }
}

fn decision(state: &State, item: &ConsensusItem, lang: Lang) -> DesignDecision {
    let positions = state
        .ledger
        .find(item.issue)
        .map_or(&[][..], |issue| &*issue.positions);
    let why = positions
        .iter()
        .find(|p| p.member == item.proposed_by && p.round == item.proposed_round)
        .map_or_else(|| say(lang, "no_reason", &[]), |p| p.why.clone());
    let mut rejected: Vec<Rejected> = Vec::new();
    for position in positions {
        let Some(option) = &position.proposal else {
            continue;
        };
        let is_new = rejected.iter().all(|other| other.option != *option);
        if *option != item.text && is_new {
            rejected.push(Rejected {
                option: option.clone(),
                why: say(
                    lang,
                    "not_carried",
                    &[("who", state.inputs.roles.code(&position.member))],
                ),
            });
        }
    }
    DesignDecision {
        id: format!("d{}", item.id.0),
        title: clip(&issue_title(state, item), TITLE),
        choice: one_line(&item.text),
        why: one_line(&why),
        rejected,
        from: vec![item.id.to_string()],
        ..DesignDecision::default()
    }
}

/// A diagram of the issues and the items that settle them, because nothing else is known; `None` if
/// nothing is agreed.
fn agreement_diagram(state: &State) -> Option<Diagram> {
    let arrows = state.draft.standing().map(|item| Arrow {
        source: format!("{} {}", item.issue, clip(&issue_title(state, item), LABEL)),
        target: item.id.to_string(),
        label: String::new(),
    });
    let arrows: Vec<_> = arrows.take(MAX_LIST).collect();
    (!arrows.is_empty()).then_some(Diagram {
        kind: DiagramKind::Flow,
        arrows,
    })
}

fn work(state: &State, lang: Lang) -> DevPlan {
    DevPlan {
        feasibility: say(lang, "feasibility", &[]),
        work: criteria(state)
            .iter()
            .map(|criterion| WorkItem {
                id: format!("w-{}", criterion.id),
                title: clip(&criterion.then, TITLE),
                detail: say(lang, "work", &[("id", &criterion.id)]),
                size: Size::M,
                covers: vec![criterion.id.clone()],
                ..WorkItem::default()
            })
            .collect(),
        ..DevPlan::default()
    }
}

fn tests(state: &State, lang: Lang) -> TestPlan {
    TestPlan {
        strategy: say(lang, "strategy", &[]),
        cases: criteria(state)
            .iter()
            .map(|criterion| TestCase {
                id: format!("t-{}", criterion.id),
                title: say(lang, "test", &[("id", &criterion.id)]),
                level: TestLevel::EndToEnd,
                covers: vec![criterion.id.clone()],
                steps: format!("{} {}", criterion.given, criterion.when),
                expected: criterion.then.clone(),
                ..TestCase::default()
            })
            .collect(),
        ..TestPlan::default()
    }
}

fn risks(state: &State, lang: Lang) -> RiskAssessment {
    RiskAssessment {
        risks: state
            .ledger
            .open()
            .map(|issue| {
                let is_blocking = issue.severity == IssueSeverity::Blocking;
                Risk {
                    id: format!("r{}", issue.id.0),
                    title: say(
                        lang,
                        "risk",
                        &[
                            ("id", &issue.id.to_string()),
                            ("title", &one_line(&issue.title)),
                        ],
                    ),
                    chance: if is_blocking {
                        Level::High
                    } else {
                        Level::Medium
                    },
                    impact: if is_blocking { Level::High } else { Level::Low },
                    mitigation: say(lang, "mitigation", &[("id", &issue.id.to_string())]),
                    early_sign: say(lang, "early_sign", &[]),
                    ..Risk::default()
                }
            })
            .collect(),
        assumptions: state
            .questions
            .assumptions
            .iter()
            .map(|assumption| PlanAssumption {
                text: one_line(&assumption.text),
                from: Some(assumption.id.to_string()),
            })
            .collect(),
        ..RiskAssessment::default()
    }
}
