//! The development plan: groundwork, a slice for every need, hardening.

use std::collections::{BTreeMap, BTreeSet};

use super::super::board::Board;
use super::super::checklist::WorkHint;
use super::super::text::{cut, fill};
use super::super::topics::is_feedback;
use super::{Known, known_criteria, pairing::Pairing, topics_in_use};
use crate::reply::{Debt, DevPlan, Document, DocumentKind, Size, WorkItem};
use crate::workshop::{IssueId, IssueStatus};

/// A work item on its way, with what orders it.
struct Step {
    stage: u8,
    issues: BTreeSet<IssueId>,
    item: WorkItem,
}

/// Writes the development plan.
pub fn plan(board: &Board) -> DevPlan {
    let agreed = board.agreed();
    let known = known_criteria(board, &agreed);
    let mut steps = slices(board, &known);
    for (list, issues) in topics_in_use(board, &agreed) {
        let covers = super::criteria_of(&known, &list.topic, &issues);
        steps.extend(
            list.work
                .iter()
                .filter(|_| !covers.is_empty())
                .map(|hint| step(hint, &issues, &covers)),
        );
    }
    steps.sort_by_key(|step| step.stage);
    number(board, &mut steps);
    DevPlan {
        feasibility: feasibility(board, &steps),
        technical_debt: debts(board),
        work: steps.into_iter().map(|step| step.item).collect(),
        order: Vec::new(),
        critical_path: Vec::new(),
    }
}

fn step(hint: &WorkHint, issues: &BTreeSet<IssueId>, covers: &[String]) -> Step {
    Step {
        stage: hint.stage,
        issues: issues.clone(),
        item: WorkItem {
            id: String::new(),
            same_as: None,
            title: hint.title.clone(),
            detail: hint.detail.clone(),
            size: hint.size,
            covers: covers.to_vec(),
            depends_on: Vec::new(),
        },
    }
}

/// One slice for every issue that has criteria, so that each criterion has work.
fn slices(board: &Board, known: &[Known]) -> Vec<Step> {
    let mut by_issue: BTreeMap<Option<IssueId>, Vec<&Known>> = BTreeMap::new();
    for one in known {
        by_issue.entry(one.issue).or_default().push(one);
    }
    by_issue
        .into_iter()
        .map(|(issue, criteria)| {
            let first = criteria
                .first()
                .map(|known| known.criterion.then.as_str())
                .unwrap_or_default();
            let need = issue
                .and_then(|issue| board.title_of(issue))
                .unwrap_or_else(|| cut(first, 80));
            let files: Vec<String> = board
                .files_for(&need)
                .iter()
                .map(|hit| format!("`{}`", hit.path))
                .collect();
            let text = cut(first, 200);
            let values = [("text", text.as_str()), ("files", &board.join(&files))];
            let phrase = if files.is_empty() {
                &board.phrases.work_detail_plain
            } else {
                &board.phrases.work_detail
            };
            Step {
                stage: 2,
                issues: issue.into_iter().collect(),
                item: WorkItem {
                    id: String::new(),
                    same_as: None,
                    title: task(board, issue, &need),
                    detail: fill(phrase, &values),
                    size: match criteria.len() {
                        // Nobody knows how large it is: at least not small.
                        0 | 1 if !board.is_skeleton() => Size::S,
                        0..=4 => Size::M,
                        _ => Size::L,
                    },
                    covers: criteria
                        .iter()
                        .map(|known| known.criterion.id.clone())
                        .collect(),
                    depends_on: Vec::new(),
                },
            }
        })
        .collect()
}

/// The name of the work on an issue, by what is said of it.
fn task(board: &Board, issue: Option<IssueId>, need: &str) -> String {
    match issue.and_then(|issue| board.state.ledger.find(issue)) {
        Some(record) if is_feedback(&record.origin) => board.task(need, need, true),
        Some(record) => board.task(need, &board.issue_text(record), false),
        None => board.task(need, need, false),
    }
}

/// Gives keys and dependencies: a step waits for those of the nearest earlier
/// stage that serve one of its issues.
fn number(board: &Board, steps: &mut [Step]) {
    let mut pairing = Pairing::new(board, DocumentKind::DevPlan, |document| match document {
        Document::DevPlan(plan) => plan
            .work
            .iter()
            .map(|w| (w.id.clone(), w.title.clone()))
            .collect(),
        _ => Vec::new(),
    });
    for (i, step) in steps.iter_mut().enumerate() {
        step.item.id = format!("w{}", i + 1);
        step.item.same_as = pairing.take(&step.item.title);
    }
    for i in 0..steps.len() {
        let shares = |other: &&Step| {
            other.stage < steps[i].stage && !other.issues.is_disjoint(&steps[i].issues)
        };
        let nearest = steps[..i]
            .iter()
            .filter(shares)
            .map(|step| step.stage)
            .max();
        let first: Vec<String> = steps[..i]
            .iter()
            .filter(shares)
            .filter(|step| Some(step.stage) == nearest)
            .map(|step| step.item.id.clone())
            .collect();
        steps[i].item.depends_on = first;
    }
}

fn feasibility(board: &Board, steps: &[Step]) -> String {
    let opening = fill(
        &board.phrases.feasibility,
        &[("work", &steps.len().to_string())],
    );
    let agreed = board.agreed();
    let in_use = topics_in_use(board, &agreed);
    let risks = in_use.iter().flat_map(|(list, _)| &list.risks);
    let hardest = risks.max_by_key(|risk| (risk.impact, risk.chance));
    let hard = hardest.map(|risk| fill(&board.phrases.feasibility_hard, &[("risk", &risk.title)]));
    board.flow(&[opening, hard.unwrap_or_default()])
}

/// What was put off on purpose, with when it is taken up.
fn debts(board: &Board) -> Vec<Debt> {
    let deferred = board
        .state
        .ledger
        .iter()
        .filter(|issue| issue.status == IssueStatus::Deferred);
    deferred
        .map(|issue| {
            let reason = issue
                .history
                .iter()
                .rev()
                .find_map(|change| change.reason.clone());
            Debt {
                text: fill(
                    &board.phrases.debt,
                    &[
                        ("title", &issue.title),
                        ("reason", &reason.unwrap_or_default()),
                    ],
                ),
                repayment: fill(
                    &board.phrases.debt_repayment,
                    &[("issue", &issue.id.to_string())],
                ),
            }
        })
        .collect()
}
