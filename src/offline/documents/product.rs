//! The product plan: understanding, scope, what is left out, criteria.

use std::collections::BTreeSet;

use super::super::board::{Agreed, Board};
use super::super::line::{Line, Source};
use super::super::questions;
use super::super::text::{cut, fill};
use super::{Wording, pairing::Pairing, wording};
use crate::machine::ConsensusItem;
use crate::reply::{Criterion, Document, DocumentKind, NonGoal, ProductPlan, ScopeItem};

/// Non-goals, at most.
const MAX_NON_GOALS: usize = 4;

/// Writes the product plan.
pub fn plan(board: &Board) -> ProductPlan {
    let agreed = board.agreed();
    ProductPlan {
        understanding: understanding(board, &agreed),
        scope: scope(board, &agreed),
        non_goals: non_goals(board, &agreed),
        criteria: criteria(board, &agreed),
    }
}

fn understanding(board: &Board, agreed: &[Agreed]) -> String {
    let p = &board.phrases;
    let requirement = board
        .state
        .subject()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let issues: BTreeSet<_> = agreed.iter().map(|agreed| agreed.item.issue).collect();
    let mut sentences = vec![fill(
        &p.understanding,
        &[
            // A full stop stands behind the quotation marks already.
            (
                "requirement",
                &cut(requirement.trim_end_matches(['.', '。']), 400),
            ),
            ("count", &issues.len().to_string()),
        ],
    )];
    if board.is_skeleton() {
        sentences.push(p.understanding_skeleton.clone());
    }
    let open: Vec<String> = board
        .state
        .ledger
        .blocking()
        .map(|issue| issue.id.to_string())
        .collect();
    if !open.is_empty() {
        sentences.push(fill(
            &p.understanding_open,
            &[("issues", &board.join(&open))],
        ));
    }
    board.flow(&sentences)
}

/// One item for every sentence of behaviour the team agreed on, and for every answer.
fn scope(board: &Board, agreed: &[Agreed]) -> Vec<ScopeItem> {
    let mut scope: Vec<ScopeItem> = Vec::new();
    for agreed in agreed {
        let from = vec![agreed.item.id.to_string()];
        let lines: Vec<&str> = agreed
            .lines
            .iter()
            .filter(|line| !is_technical(line) && !is_strike(line))
            .map(|line| line.text.as_str())
            .collect();
        let texts = if agreed.lines.is_empty() {
            vec![agreed.item.text.as_str()]
        } else {
            lines
        };
        for text in texts {
            if !scope.iter().any(|item| item.text == text) {
                scope.push(ScopeItem {
                    text: text.to_owned(),
                    from: from.clone(),
                });
            }
        }
    }
    let answers = questions::answered(board);
    scope.extend(answers.iter().map(|(question, settles)| ScopeItem {
        text: settles.clone(),
        from: vec![questions::citation(board, question)],
    }));
    scope
}

/// Does it say what is no longer part of the plan?
fn is_strike(line: &Line) -> bool {
    matches!(line.source, Source::Product(item) if item.strikes)
}

/// A decision, or what one was brought to: the design holds it.
fn is_technical(line: &Line) -> bool {
    match line.source {
        Source::Product(_) => false,
        Source::Design(_) => true,
        Source::Compromise(conflict) => line.list.design.iter().any(|d| d.key == conflict.mine),
    }
}

fn non_goals(board: &Board, agreed: &[Agreed]) -> Vec<NonGoal> {
    let in_use = super::topics_in_use(board, agreed);
    let usual = in_use
        .iter()
        .filter(|(list, _)| !list.is_general())
        .filter_map(|(list, _)| list.non_goals.first())
        .chain(&board.general.non_goals)
        .take(MAX_NON_GOALS)
        .cloned();
    let lines = agreed.iter().flat_map(|agreed| &agreed.lines);
    let struck = lines.filter(|line| is_strike(line)).map(|line| NonGoal {
        text: line.text.trim_end_matches(['.', '。']).to_owned(),
        why: board.phrases.struck_why.clone(),
    });
    struck.chain(usual).collect()
}

fn criteria(board: &Board, agreed: &[Agreed]) -> Vec<Criterion> {
    let mut pairing = Pairing::new(
        board,
        DocumentKind::ProductPlan,
        |document| match document {
            Document::ProductPlan(plan) => plan
                .criteria
                .iter()
                .map(|c| (c.id.clone(), told(&c.given, &c.when, &c.then)))
                .collect(),
            _ => Vec::new(),
        },
    );
    let mut criteria: Vec<Criterion> = Vec::new();
    let mut add = |w: Wording, from: String| {
        if criteria
            .iter()
            .any(|known| (&known.given, &known.when, &known.then) == (&w.given, &w.when, &w.then))
        {
            return;
        }
        criteria.push(Criterion {
            id: format!("ac{}", criteria.len() + 1),
            same_as: pairing.take(&told(&w.given, &w.when, &w.then)),
            given: w.given,
            when: w.when,
            then: w.then,
            from: vec![from],
        });
    };
    for one in agreed {
        let worded: Vec<Wording> = one.lines.iter().filter_map(|line| wording(line)).collect();
        // A technical text on an issue whose behaviour is worded elsewhere needs no criterion,
        // and one that needed none before needs none now.
        let elsewhere = agreed.iter().any(|other| {
            other.item.issue == one.item.issue
                && other.lines.iter().any(|line| wording(line).is_some())
        }) || (!one.lines.is_empty() && needed_none(board, one.item));
        let is_struck = one.lines.iter().any(is_strike);
        if worded.is_empty() && !elsewhere && !is_struck {
            add(plain(board, one), one.item.id.to_string());
        }
        worded
            .into_iter()
            .for_each(|w| add(w, one.item.id.to_string()));
    }
    criteria
}

/// Was it agreed in the version before, with no criterion that rests on it?
fn needed_none(board: &Board, item: &ConsensusItem) -> bool {
    let Some(previous) = &board.state.previous else {
        return false;
    };
    let plan = previous.documents.get(&DocumentKind::ProductPlan);
    let Some(Document::ProductPlan(plan)) = plan else {
        return false;
    };
    let id = item.id.to_string();
    let is_cited = plan.criteria.iter().any(|c| c.from.contains(&id));
    !is_cited && previous.consensus.iter().any(|known| known.id == item.id)
}

/// The criterion of a text that no checklist worded: the text is what must be seen.
fn plain(board: &Board, agreed: &Agreed) -> Wording {
    Wording {
        given: board.phrases.plain_given.clone(),
        when: fill(&board.phrases.plain_when, &[("title", &agreed.title)]),
        then: agreed.item.text.clone(),
    }
}

fn told(given: &str, when: &str, then: &str) -> String {
    format!("{given} {when} {then}")
}
