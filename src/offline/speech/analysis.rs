//! The words before the positions: what they come to, in one or two sentences.

use super::super::board::Board;
use super::super::checklist::{Checklist, Part};
use super::super::line::{Line, Source};
use super::super::text::fill;
use super::{Speaker, size_name};
use crate::machine::{Hit, IssueRecord};
use crate::reply::{Position, Stance};

/// Tests or risks named in a speech, at most.
const NAMED: usize = 3;

impl Speaker<'_> {
    /// What a person reads first; the positions below it hold the texts, so none is repeated.
    pub(super) fn analysis(&self, board: &Board, positions: &[Position]) -> String {
        let p = &board.phrases;
        if positions.is_empty() {
            return p.nothing_open.clone();
        }
        let objections = positions.iter().filter(|p| p.stance == Stance::Object);
        let objected: Vec<String> = objections
            .map(|o| fill(&p.open_object, &[("issue", &o.issue), ("why", &o.why)]))
            .collect();
        if !objected.is_empty() {
            return board.flow(&objected);
        }
        if self.call.round > 1 {
            return self.later_round(board, positions);
        }
        let issues: Vec<&IssueRecord> = positions
            .iter()
            .filter_map(|position| {
                let mut all = board.state.ledger.iter();
                all.find(|issue| issue.id.to_string() == position.issue)
            })
            .collect();
        self.first_round(board, &issues)
    }

    /// What moved since the round before, or that nothing did.
    fn later_round(&self, board: &Board, positions: &[Position]) -> String {
        let moved: Vec<String> = positions
            .iter()
            .filter_map(|position| {
                let why = position.changed_because.as_ref()?;
                let values = [("issue", position.issue.as_str()), ("why", why)];
                Some(fill(&board.phrases.open_moved, &values))
            })
            .collect();
        if !moved.is_empty() {
            return board.flow(&moved);
        }
        let ids: Vec<&str> = positions.iter().map(|p| p.issue.as_str()).collect();
        fill(&board.phrases.open_later, &[("issues", &board.join(&ids))])
    }

    pub(super) fn first_round(&self, board: &Board, issues: &[&IssueRecord]) -> String {
        let p = &board.phrases;
        let lists: Vec<&Checklist> = issues.iter().flat_map(|i| board.topics_of(i.id)).collect();
        let ids: Vec<String> = issues.iter().map(|issue| issue.id.to_string()).collect();
        let ids = board.join(&ids);
        match self.part {
            Some(Part::Product) => {
                let lines = own_lines(board, issues, Part::Product);
                let count = lines.len().to_string();
                let values = [
                    ("issues", ids.as_str()),
                    ("count", &count),
                    ("first", telling(&lines)),
                ];
                fill(&p.open_product, &values)
            }
            Some(Part::Design) => {
                let lines = own_lines(board, issues, Part::Design);
                let files = closest(board, issues);
                let values = [
                    ("files", files.as_str()),
                    ("issues", &ids),
                    ("first", title(&lines)),
                ];
                let phrase = if files.is_empty() {
                    &p.open_design
                } else {
                    &p.open_design_files
                };
                fill(phrase, &values)
            }
            Some(Part::Build) => {
                let largest = lists
                    .iter()
                    .flat_map(|list| &list.work)
                    .max_by_key(|w| w.size);
                largest.map_or_else(
                    || p.open_build_plain.clone(),
                    |work| {
                        let values = [
                            ("work", work.title.as_str()),
                            ("size", size_name(work.size)),
                        ];
                        fill(&p.open_build, &values)
                    },
                )
            }
            Some(Part::Test) => {
                let tests = lists.iter().flat_map(|list| list.tests.first());
                let names: Vec<&str> = tests.map(|t| t.title.as_str()).take(NAMED).collect();
                listed(board, &p.open_test, &p.open_test_plain, &names)
            }
            Some(Part::Risk) => {
                let risks = lists.iter().flat_map(|list| list.risks.first());
                let names: Vec<&str> = risks.map(|r| r.title.as_str()).take(NAMED).collect();
                listed(board, &p.open_risk, &p.open_risk_plain, &names)
            }
            None => p.open_other.clone(),
        }
    }
}

fn listed(board: &Board, some: &str, none: &str, names: &[&str]) -> String {
    if names.is_empty() {
        return none.to_owned();
    }
    fill(some, &[("names", &names.join(&board.phrases.item_join))])
}

fn own_lines<'b>(board: &'b Board<'_>, issues: &[&IssueRecord], part: Part) -> Vec<Line<'b>> {
    issues
        .iter()
        .flat_map(|issue| board.lines(issue, part))
        .collect()
}

/// The first sentence that a topic brought; without one, the first at all.
fn telling<'l>(lines: &'l [Line]) -> &'l str {
    let topical = lines.iter().find(|line| !line.list.is_general());
    topical
        .or(lines.first())
        .map_or("", |line| line.text.as_str())
}

/// What the first decision is about.
fn title<'l>(lines: &'l [Line]) -> &'l str {
    let titles = lines.iter().filter_map(|line| match line.source {
        Source::Design(item) => Some(item.title.as_str()),
        _ => None,
    });
    titles.into_iter().next().unwrap_or_default()
}

/// The files closest to the issues, as people cite them.
fn closest(board: &Board, issues: &[&IssueRecord]) -> String {
    let mut files: Vec<String> = Vec::new();
    for issue in issues {
        for hit in board
            .files_for(&board.issue_text(issue))
            .into_iter()
            .take(2)
        {
            let place = place(hit);
            if !files.contains(&place) {
                files.push(place);
            }
        }
    }
    files.truncate(4);
    board.join(&files)
}

/// Where a file was hit.
fn place(hit: &Hit) -> String {
    match hit.number {
        0 => format!("`{}`", hit.path),
        n => format!("`{}:{n}`", hit.path),
    }
}
