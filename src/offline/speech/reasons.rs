//! Why a member agrees, and why it proposes what it proposes.

use super::super::board::Board;
use super::super::checklist::Part;
use super::super::line::{Line, Source};
use super::super::questions;
use super::super::text::fill;
use super::{Speaker, size_name};
use crate::machine::IssueRecord;
use crate::reply::{Position, Stance};

impl Speaker<'_> {
    /// Agreement with what is proposed, with what one's own part adds to it.
    pub fn agreement(&self, board: &Board, issue: &IssueRecord) -> Position {
        let p = &board.phrases;
        let lists: Vec<_> = board.topics_of(issue.id).collect();
        let why = match self.part {
            _ if issue.latest_of(&self.call.member).is_some() => p.why_other.clone(),
            Some(Part::Build) => {
                let hint = lists
                    .iter()
                    .flat_map(|list| &list.work)
                    .max_by_key(|work| work.size);
                hint.map_or_else(
                    || p.why_build_plain.clone(),
                    |work| {
                        fill(
                            &p.why_build,
                            &[("work", &work.title), ("size", size_name(work.size))],
                        )
                    },
                )
            }
            Some(Part::Test) => lists
                .iter()
                .flat_map(|list| &list.tests)
                .next()
                .map_or_else(
                    || p.why_test_plain.clone(),
                    |test| fill(&p.why_test, &[("test", &test.title)]),
                ),
            Some(Part::Risk) => lists
                .iter()
                .flat_map(|list| &list.risks)
                .max_by_key(|risk| (risk.impact, risk.chance))
                .map_or_else(
                    || p.why_risk_plain.clone(),
                    |risk| {
                        fill(
                            &p.why_risk,
                            &[("risk", &risk.title), ("mitigation", &risk.mitigation)],
                        )
                    },
                ),
            Some(Part::Product | Part::Design) | None => p.why_other.clone(),
        };
        let someone_proposed = issue.positions.iter().any(|p| p.proposal.is_some());
        let in_view = someone_proposed || self.call.round == 1;
        Position {
            issue: issue.id.to_string(),
            stance: if in_view && self.part.is_some() {
                Stance::Agree
            } else {
                Stance::Abstain
            },
            proposal: None,
            why,
            changed_because: None,
        }
    }

    /// Why a text of one's own is proposed.
    pub(super) fn why(&self, board: &Board, issue: &IssueRecord, lines: &[Line]) -> String {
        let p = &board.phrases;
        let reason = match self.part {
            Some(Part::Design) => {
                let whys: Vec<&str> = lines
                    .iter()
                    .filter_map(|line| match line.source {
                        Source::Design(item) => Some(item.why.as_str()),
                        Source::Compromise(conflict) => Some(conflict.accept.as_str()),
                        Source::Product(_) => None,
                    })
                    .take(2)
                    .collect();
                let files: Vec<String> = board
                    .files_for(&board.issue_text(issue))
                    .iter()
                    .map(|hit| format!("`{}`", hit.path))
                    .collect();
                let grounded = match files.is_empty() {
                    true => String::new(),
                    false => fill(&p.grounded, &[("files", &board.join(&files))]),
                };
                board.flow(&[
                    fill(&p.why_design, &[("why", &board.flow(&whys))]),
                    grounded,
                ])
            }
            _ => {
                let topics: Vec<&str> = board
                    .topics_of(issue.id)
                    .map(|list| list.title.as_str())
                    .collect();
                match topics.is_empty() {
                    true => p.why_product_plain.clone(),
                    false => fill(&p.why_product, &[("topics", &board.join(&topics))]),
                }
            }
        };
        board.flow(&[reason, self.answers(board, issue)])
    }

    /// What the human has answered about the issue so far.
    fn answers(&self, board: &Board, issue: &IssueRecord) -> String {
        let said: Vec<String> = questions::answered(board)
            .into_iter()
            .filter(|(question, _)| question.blocks == Some(issue.id))
            .map(|(question, settles)| {
                let id = questions::citation(board, question);
                fill(
                    &board.phrases.takes_answer,
                    &[("id", &id), ("settles", &settles)],
                )
            })
            .collect();
        board.flow(&said)
    }
}
