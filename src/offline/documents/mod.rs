//! The five final documents, each from the draft, the checklists behind it, and
//! the documents written before.

mod design;
mod dev;
mod diagram;
mod impacts;
mod pairing;
mod product;
mod risk;
mod test;

use std::collections::BTreeSet;

use super::board::{Agreed, Board};
use super::checklist::Checklist;
use super::line::{Line, Source};
use super::text::labelled;
use super::{OfflineError, json};
use crate::machine::IssueId;
use crate::reply::{Criterion, Document, DocumentKind, ProductPlan, SystemDesign, TestLevel};

/// The JSON text of a document.
///
/// # Errors
/// It cannot be written as JSON.
pub fn write(board: &Board, kind: DocumentKind) -> Result<String, OfflineError> {
    match kind {
        DocumentKind::ProductPlan => json(&product::plan(board)),
        DocumentKind::SystemDesign => json(&design::design(board)),
        DocumentKind::DevPlan => json(&dev::plan(board)),
        DocumentKind::TestPlan => json(&test::plan(board)),
        DocumentKind::RiskAssessment => json(&risk::assess(board)),
    }
}

/// The product plan as recorded, if it is there.
pub fn product_plan<'a>(board: &Board<'a>) -> Option<&'a ProductPlan> {
    match &board
        .state
        .documents
        .get(&DocumentKind::ProductPlan)?
        .content
    {
        Document::ProductPlan(plan) => Some(plan),
        _ => None,
    }
}

/// The system design as recorded, if it is there.
pub fn system_design<'a>(board: &Board<'a>) -> Option<&'a SystemDesign> {
    match &board
        .state
        .documents
        .get(&DocumentKind::SystemDesign)?
        .content
    {
        Document::SystemDesign(design) => Some(design),
        _ => None,
    }
}

/// A recorded criterion with what the checklists and the ledger know of it.
pub struct Known<'b> {
    /// The criterion, with the engine's id.
    pub criterion: &'b Criterion,
    /// The issue behind it, if it rests on a consensus item.
    pub issue: Option<IssueId>,
    /// The checklist that worded it, if one did; the general one included.
    pub topic: Option<&'b str>,
    /// Where its test stands.
    pub level: TestLevel,
    /// How the work on it is called, where the general list worded it.
    pub task: Option<String>,
}

/// Every recorded criterion, in order.
pub fn known_criteria<'b>(board: &'b Board<'_>, agreed: &[Agreed<'b>]) -> Vec<Known<'b>> {
    let Some(plan) = product_plan(board) else {
        return Vec::new();
    };
    let know = |criterion: &'b Criterion| {
        let source = agreed
            .iter()
            .find(|agreed| criterion.from.contains(&agreed.item.id.to_string()));
        let line = source.and_then(|agreed| {
            agreed
                .lines
                .iter()
                .find(|line| wording(line).is_some_and(|w| w.then == criterion.then))
        });
        let answered = board.state.questions.iter().find(|question| {
            criterion
                .from
                .contains(&super::questions::citation(board, question))
        });
        Known {
            criterion,
            issue: source
                .map(|agreed| agreed.item.issue)
                .or_else(|| answered.and_then(|question| question.blocks)),
            topic: line.map(|line| line.list.topic.as_str()),
            level: line.map_or(TestLevel::Integration, level),
            task: line.and_then(|line| task(board, line)),
        }
    };
    plan.criteria.iter().map(know).collect()
}

/// How the work is called that a rule of the general list brings.
pub fn task(board: &Board, line: &Line) -> Option<String> {
    let Source::Product(item) = line.source else {
        return None;
    };
    let pattern = item.task.as_ref().unwrap_or(&board.phrases.work_title);
    let is_general = line.list.is_general();
    is_general.then(|| labelled(pattern, &line.need))
}

/// Given, when and then of a line.
pub struct Wording {
    given: String,
    when: String,
    then: String,
}

/// The criterion that a line carries; a technical decision carries none, and neither does
/// what was struck.
pub fn wording(line: &Line) -> Option<Wording> {
    let (given, when, then) = match line.source {
        Source::Product(item) => (&item.given, &item.when, &item.then),
        Source::Compromise(conflict) => (&conflict.given, &conflict.when, &conflict.then),
        Source::Design(_) => return None,
    };
    // What was struck is seen nowhere: nothing shows it.
    if then.is_empty() {
        return None;
    }
    let put = |text: &str| line.put_in(text);
    Some(Wording {
        given: put(given),
        when: put(when),
        then: put(then),
    })
}

fn level(line: &Line) -> TestLevel {
    match line.source {
        Source::Product(item) => item.level,
        Source::Design(_) | Source::Compromise(_) => TestLevel::Integration,
    }
}

/// Checklists that the draft rests on, with the issues each was agreed under; the
/// general one only where no other knows the subject.
pub fn topics_in_use<'b>(
    board: &'b Board<'_>,
    agreed: &[Agreed<'b>],
) -> Vec<(&'b Checklist, BTreeSet<IssueId>)> {
    let skeleton = board.is_skeleton().then_some(&board.general);
    board
        .topics
        .iter()
        .chain(skeleton)
        .filter_map(|list| {
            let issues: BTreeSet<IssueId> = agreed
                .iter()
                .filter(|agreed| {
                    agreed
                        .lines
                        .iter()
                        .any(|line| line.list.topic == list.topic)
                })
                .map(|agreed| agreed.item.issue)
                .collect();
            (!issues.is_empty()).then_some((list, issues))
        })
        .collect()
}

/// Ids of the criteria of a topic; where it has none of its own, those of its issues.
pub fn criteria_of(known: &[Known], topic: &str, issues: &BTreeSet<IssueId>) -> Vec<String> {
    let own = |known: &&Known| known.topic == Some(topic);
    let near = |known: &&Known| known.issue.is_some_and(|issue| issues.contains(&issue));
    let ids = |keep: &dyn Fn(&&Known) -> bool| -> Vec<String> {
        known
            .iter()
            .filter(keep)
            .map(|known| known.criterion.id.clone())
            .collect()
    };
    let of_topic = ids(&own);
    if of_topic.is_empty() {
        ids(&near)
    } else {
        of_topic
    }
}
