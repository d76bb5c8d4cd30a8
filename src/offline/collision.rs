//! Where two items cannot both stand: who objects, and how far that got.

use super::board::{Board, Line, Source};
use super::checklist::{Checklist, Conflict, Part};
use crate::reply::Stance;
use crate::workshop::{IssueRecord, PositionRecord};

/// Two items that collide on one issue.
pub struct Collision<'b> {
    /// The rule that says so.
    pub conflict: &'b Conflict,
    /// The checklist whose item gives way.
    pub list: &'b Checklist,
    /// The checklist of the other side.
    pub other: &'b Checklist,
    /// The sentence that gives way.
    pub mine: String,
}

/// How far a collision got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The colliding sentence was not proposed yet.
    Unseen,
    /// It was proposed; nobody objected.
    Proposed {
        /// In which round first.
        round: u32,
    },
    /// Somebody objected; the proposer has not answered.
    Objected {
        /// In which round.
        round: u32,
    },
    /// The compromise is in somebody else's text.
    Adopted,
}

/// Collisions on an issue, in the order of its topics.
pub fn on_issue<'b>(board: &'b Board<'_>, issue: &IssueRecord) -> Vec<Collision<'b>> {
    let here: Vec<Line> = [Part::Product, Part::Design]
        .into_iter()
        .filter(|part| board.member(*part).is_some())
        .flat_map(|part| board.lines(issue, part))
        .collect();
    let mut found = Vec::new();
    for line in &here {
        for conflict in line.list.conflicts.iter().filter(|c| c.mine == key(line)) {
            let other = conflict.with.split_once('/').and_then(|(topic, item)| {
                let list = board.topics.iter().find(|list| list.topic == topic)?;
                is_on_table(board, list, item).then_some(list)
            });
            if let Some(other) = other {
                found.push(Collision {
                    conflict,
                    list: line.list,
                    other,
                    mine: line.text.clone(),
                });
            }
        }
    }
    found
}

/// Is the item part of what this run would plan: on its own issue, or standing?
fn is_on_table(board: &Board, list: &Checklist, item: &str) -> bool {
    let Some(home) = board
        .home_of(&list.topic)
        .and_then(|id| board.state.ledger.find(id))
    else {
        return false;
    };
    let proposed = [Part::Product, Part::Design]
        .into_iter()
        .flat_map(|part| board.lines(home, part))
        .any(|line| line.list.topic == list.topic && key(&line) == item);
    proposed
        || board.agreed().iter().any(|agreed| {
            agreed
                .lines
                .iter()
                .any(|line| line.list.topic == list.topic && key(line) == item)
        })
}

fn key<'b>(line: &Line<'b>) -> &'b str {
    match line.source {
        Source::Product(item) => &item.key,
        Source::Design(item) => &item.key,
        Source::Compromise(_) => "",
    }
}

impl Collision<'_> {
    /// How far it got, as the ledger has it.
    pub fn progress(&self, board: &Board, issue: &IssueRecord) -> Progress {
        let objector = board.member(self.conflict.objector).map(|role| &role.id);
        let says = |p: &PositionRecord, text: &str| {
            p.proposal.as_deref().is_some_and(|t| t.contains(text))
        };
        let compromise = &self.conflict.compromise;
        let adopted = issue
            .positions
            .iter()
            .any(|p| p.stance.supports() && says(p, compromise) && Some(&p.member) != objector);
        if adopted {
            return Progress::Adopted;
        }
        let objection = issue
            .positions
            .iter()
            .find(|p| p.stance == Stance::Object && says(p, compromise));
        let proposed = issue.positions.iter().find(|p| says(p, &self.mine));
        match (objection, proposed) {
            (Some(p), _) => Progress::Objected { round: p.round },
            (None, Some(p)) => Progress::Proposed { round: p.round },
            (None, None) => Progress::Unseen,
        }
    }

    /// Should the colliding sentence give way now: somebody objected, nobody can,
    /// or the coach held the issue open over it in an earlier round?
    fn gives_way(&self, board: &Board, issue: &IssueRecord) -> bool {
        match self.progress(board, issue) {
            Progress::Objected { .. } | Progress::Adopted => true,
            Progress::Proposed { round } => round < board.state.round || !self.has_objector(board),
            Progress::Unseen => !self.has_objector(board),
        }
    }

    /// Does the text that gives way still stand, with somebody to speak against it?
    pub fn is_undecided(&self, board: &Board, issue: &IssueRecord) -> bool {
        let progress = self.progress(board, issue);
        let undecided = matches!(
            progress,
            Progress::Proposed { .. } | Progress::Objected { .. }
        );
        undecided && self.has_objector(board)
    }

    /// Is there a member to object? Without one the compromise is taken at once.
    pub fn has_objector(&self, board: &Board) -> bool {
        board.member(self.conflict.objector).is_some()
    }
}

/// What a part proposes on an issue as things stand: colliding sentences are
/// replaced once somebody objected, with the reasons for giving way.
pub fn proposal<'b>(
    board: &'b Board<'_>,
    issue: &IssueRecord,
    part: Part,
) -> (Vec<Line<'b>>, Vec<&'b str>) {
    let collisions = on_issue(board, issue);
    let mut reasons = Vec::new();
    let lines = board
        .lines(issue, part)
        .into_iter()
        .map(|line| {
            let collision = collisions.iter().find(|c| c.mine == line.text);
            match collision {
                Some(c) if c.gives_way(board, issue) => {
                    reasons.push(c.conflict.accept.as_str());
                    Line {
                        text: c.conflict.compromise.clone(),
                        list: line.list,
                        source: Source::Compromise(c.conflict),
                    }
                }
                _ => line,
            }
        })
        .collect();
    (lines, reasons)
}
