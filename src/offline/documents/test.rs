//! The test plan: a case for every criterion, and what a criterion alone would miss.

use super::super::board::Board;
use super::super::medium::Medium;
use super::super::text::fill;
use super::{known_criteria, pairing::Pairing, topics_in_use};
use crate::reply::{CoverageTarget, Document, DocumentKind, TestCase, TestLevel, TestPlan};

/// Writes the test plan.
pub fn plan(board: &Board) -> TestPlan {
    let p = &board.phrases;
    let agreed = board.agreed();
    let known = known_criteria(board, &agreed);
    let mut cases: Vec<TestCase> = Vec::new();
    for one in &known {
        let c = one.criterion;
        let steps = fill(
            &p.test_steps,
            &[
                ("given", &lower_end(&c.given)),
                ("when", &lower_end(&c.when)),
            ],
        );
        let values = [("id", c.id.as_str()), ("when", &lower_end(&c.when))];
        let title = fill(&p.test_title, &values);
        cases.push(case(
            title,
            one.level,
            vec![c.id.clone()],
            steps,
            c.then.clone(),
        ));
    }
    for (list, issues) in topics_in_use(board, &agreed) {
        let covers = super::criteria_of(&known, &list.topic, &issues);
        cases.extend(
            list.tests
                .iter()
                .filter(|hint| !covers.is_empty() && !board.struck.holds(&hint.title))
                .map(|hint| {
                    case(
                        hint.title.clone(),
                        hint.level,
                        covers.clone(),
                        hint.steps.clone(),
                        hint.expected.clone(),
                    )
                }),
        );
    }
    number(board, &mut cases);
    TestPlan {
        strategy: fill(
            &p.strategy,
            &[
                ("criteria", &known.len().to_string()),
                ("cases", &cases.len().to_string()),
            ],
        ),
        cases,
        coverage_targets: coverage(board),
        data: data(board),
        environments: vec![
            p.environment_local.clone(),
            p.environment_ci.clone(),
            match board.medium {
                Medium::Service => p.environment_staging.clone(),
                Medium::Tool => p.environment_target.clone(),
            },
        ],
    }
}

fn case(
    title: String,
    level: TestLevel,
    covers: Vec<String>,
    steps: String,
    expected: String,
) -> TestCase {
    TestCase {
        id: String::new(),
        same_as: None,
        title,
        level,
        covers,
        steps,
        expected,
    }
}

fn number(board: &Board, cases: &mut [TestCase]) {
    let mut pairing = Pairing::new(board, DocumentKind::TestPlan, |document| match document {
        Document::TestPlan(plan) => plan.cases.iter().map(|t| (t.id.clone(), told(t))).collect(),
        _ => Vec::new(),
    });
    for (i, case) in cases.iter_mut().enumerate() {
        case.id = format!("t{}", i + 1);
        case.same_as = pairing.take(&told(case));
    }
}

fn told(case: &TestCase) -> String {
    format!("{} {}", case.title, case.steps)
}

fn coverage(board: &Board) -> Vec<CoverageTarget> {
    let p = &board.phrases;
    vec![CoverageTarget {
        area: p.coverage_code.clone(),
        target: p.coverage_code_target.clone(),
    }]
}

fn data(board: &Board) -> Vec<String> {
    let topics = board.topic_titles();
    let mut data = vec![board.phrases.data_edges.clone()];
    if !topics.is_empty() {
        data.insert(0, fill(&board.phrases.data, &[("topics", &topics)]));
    }
    data
}

/// A sentence to be put inside another one: without its full stop.
fn lower_end(text: &str) -> String {
    text.trim_end_matches(['.', '。']).to_owned()
}
