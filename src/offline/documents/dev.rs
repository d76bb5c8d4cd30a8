//! The development plan: groundwork, a slice for every need, hardening.

use std::collections::BTreeSet;

use super::super::board::Board;
use super::super::checklist::WorkHint;
use super::super::line::{Line, Source};
use super::super::rule::altered_rule;
use super::super::text::{cut, fill};
use super::super::topics::{self, is_feedback};
use super::{Known, known_criteria, pairing::Pairing, topics_in_use};
use crate::machine::{IssueId, IssueRecord, IssueStatus};
use crate::reply::{Debt, DevPlan, Document, DocumentKind, Size, WorkItem};

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
                .filter(|hint| !covers.is_empty() && !board.struck.holds(&hint.title))
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

/// One slice for every need that has criteria, so that each criterion has work.
fn slices(board: &Board, known: &[Known]) -> Vec<Step> {
    let mut slices: Vec<(String, Vec<&Known>)> = Vec::new();
    for one in known {
        let title = task(board, one);
        match slices.iter_mut().find(|(known, _)| *known == title) {
            Some((_, criteria)) => criteria.push(one),
            None => slices.push((title, vec![one])),
        }
    }
    // In the order of the issues, and of the criteria within one.
    slices.sort_by_key(|(_, criteria)| criteria.first().and_then(|one| one.issue));
    let slices = slices.into_iter();
    slices
        .map(|(title, criteria)| slice(board, title, &criteria))
        .collect()
}

fn slice(board: &Board, title: String, criteria: &[&Known]) -> Step {
    let issue = criteria.first().and_then(|known| known.issue);
    let first = criteria.first().map(|known| known.criterion.then.as_str());
    let first = first.unwrap_or_default();
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
        issues: criteria.iter().filter_map(|known| known.issue).collect(),
        item: WorkItem {
            id: String::new(),
            same_as: None,
            title,
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
}

/// The name of the work that a criterion is part of.
fn task(board: &Board, known: &Known) -> String {
    let title = known.issue.and_then(|issue| board.title_of(issue));
    let need = title.unwrap_or_else(|| cut(&known.criterion.then, 80));
    let record = known.issue.and_then(|issue| board.state.ledger.find(issue));
    match record {
        Some(record) if is_feedback(&record.origin) => of_feedback(board, record, known),
        Some(record) => board.task(&need, &board.issue_text(record), false),
        None => board.task(&need, &need, false),
    }
}

/// The name of the work on a criterion under a point of feedback: what the feedback asks for
/// itself is a change, and what stays of an agreement that it put in question is still the
/// work it was.
fn of_feedback(board: &Board, record: &IssueRecord, known: &Known) -> String {
    let title = record.title.as_str();
    if let Some(task) = &known.task {
        return task.clone();
    }
    let taken_up = topics::takes_up(board.state, &board.general, record).next();
    if let Some(rule) = taken_up.and_then(|need| altered_rule(need, title)) {
        let of_rule = on_rule(board, record, &rule);
        return of_rule.unwrap_or_else(|| board.task(&rule, &rule, false));
    }
    let before = work_before(board, &known.criterion.id);
    let readings = board.rewordings_of(record);
    let reads = |need: &'_ str| -> String {
        let reading = readings.and_then(|all| all.of(need));
        reading.unwrap_or(need).to_owned()
    };
    before
        .map(|title| readings.map_or_else(|| title.clone(), |all| all.put_in(&title)))
        .or_else(|| taken_up.map(|need| board.task(&reads(need), &reads(need), false)))
        .unwrap_or_else(|| board.task(title, title, true))
}

/// The name of the work on a rule that a point of feedback altered.
fn on_rule(board: &Board, record: &IssueRecord, rule: &str) -> Option<String> {
    let agreed = board.agreed();
    let here = agreed.iter().filter(|one| one.item.issue == record.id);
    let mut lines = here.flat_map(|one| &one.lines);
    let is_of_rule = |line: &&Line| {
        line.need == rule && !matches!(line.source, Source::Product(item) if item.feedback)
    };
    let line = lines.find(|line| line.list.is_general() && is_of_rule(line))?;
    super::task(board, line)
}

/// The title of the work that a criterion was part of in the version before, beside that
/// which the checklists bring.
fn work_before(board: &Board, criterion: &str) -> Option<String> {
    let previous = board.state.previous.as_ref()?;
    let Document::DevPlan(plan) = previous.documents.get(&DocumentKind::DevPlan)? else {
        return None;
    };
    let lists = || board.topics.iter().chain([&board.general]);
    let is_hint = |title: &str| lists().any(|list| list.holds_hint(title));
    let mut work = plan.work.iter();
    let item =
        work.find(|work| work.covers.iter().any(|id| id == criterion) && !is_hint(&work.title))?;
    Some(item.title.clone())
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
