//! What a checklist makes a member object to: two items that cannot both stand, or one
//! that promises too little; and how far that got.

use super::board::Board;
use super::checklist::{Checklist, Conflict, Part};
use super::line::{Line, Source};
use crate::machine::{IssueId, IssueRecord, PositionRecord, max_rounds};
use crate::reply::Stance;

/// Two items that collide on one issue, or one with a weak spot.
pub struct Collision<'b> {
    /// The rule that says so.
    pub conflict: &'b Conflict,
    /// The checklist whose item gives way.
    pub list: &'b Checklist,
    /// The checklist of the other side; of a weak spot, the same one.
    pub other: &'b Checklist,
    /// The sentence that gives way, or that lacks another.
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

/// Collisions on an issue, in the order of its topics; where nothing in the whole run
/// collides, the one weak spot that is pressed instead.
pub fn on_issue<'b>(board: &'b Board<'_>, issue: &IssueRecord) -> Vec<Collision<'b>> {
    let mut found = clashes(board, issue);
    if found.is_empty() {
        found.extend(weak_spot(board, issue));
    }
    found
}

/// Where an issue's weak spot is pressed: one a run, so that a plan without a collision
/// is not simply nodded through, and only while there is a round left to answer in.
pub fn pressed(board: &Board) -> Option<IssueId> {
    let mut issues = board.state.ledger.iter();
    if issues.any(|issue| !clashes(board, issue).is_empty()) {
        return None;
    }
    let mut issues = board.state.ledger.iter();
    let weak = issues.find(|issue| weak_spots(board, issue).next().is_some())?;
    Some(weak.id)
}

fn weak_spot<'b>(board: &'b Board<'_>, issue: &IssueRecord) -> Option<Collision<'b>> {
    if !board.state.inputs.format.is_workshop() {
        return None;
    }
    let mut spots = weak_spots(board, issue).peekable();
    spots.peek()?;
    // Small work has its second round only if something has to be settled.
    let is_short = board.state.inputs.light || board.state.round >= max_rounds(board.state);
    let may_begin = !is_short && board.pressed() == Some(issue.id);
    // What was objected to is seen through, whatever has joined the table since.
    spots.find(|spot| may_begin || spot.is_under_way(board, issue))
}

/// Product items of an issue that promise too little, and that somebody can object to.
fn weak_spots<'b>(
    board: &'b Board<'_>,
    issue: &IssueRecord,
) -> impl Iterator<Item = Collision<'b>> {
    let mut lines = match board.member(Part::Product) {
        Some(_) => board.lines(issue, Part::Product),
        None => Vec::new(),
    };
    // What an earlier version was brought to holds the sentence already.
    let met = |line: &Line| match line.source {
        Source::Compromise(conflict) => Some(conflict.mine.clone()),
        _ => None,
    };
    let met: Vec<String> = lines.iter().filter_map(met).collect();
    lines.retain(|line| !met.iter().any(|key| line.key() == Some(key)));
    lines.into_iter().filter_map(|line| {
        let mut spots = line.list.weak_spots.iter();
        let is_struck = |spot: &Conflict| {
            board.struck.holds_sentence(&spot.compromise) || board.struck.holds(&spot.then)
        };
        let mut spots = spots.by_ref().filter(|spot| !is_struck(spot));
        let conflict = spots.find(|spot| Some(spot.mine.as_str()) == line.key())?;
        board.member(conflict.objector)?;
        Some(Collision {
            conflict,
            list: line.list,
            other: line.list,
            mine: line.text,
        })
    })
}

fn clashes<'b>(board: &'b Board<'_>, issue: &IssueRecord) -> Vec<Collision<'b>> {
    let here: Vec<Line> = [Part::Product, Part::Design]
        .into_iter()
        .filter(|part| board.member(*part).is_some())
        .flat_map(|part| board.lines(issue, part))
        .collect();
    let mut found = Vec::new();
    for line in &here {
        for conflict in line
            .list
            .conflicts
            .iter()
            .filter(|c| Some(c.mine.as_str()) == line.key())
        {
            let other = conflict.other_side().and_then(|(topic, item)| {
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
        .any(|line| line.list.topic == list.topic && line.key() == Some(item));
    proposed
        || board.agreed().iter().any(|agreed| {
            agreed
                .lines
                .iter()
                .any(|line| line.list.topic == list.topic && line.key() == Some(item))
        })
}

impl Collision<'_> {
    /// Is it one item that promises too little, with no other side?
    pub fn is_weak_spot(&self) -> bool {
        self.conflict.with.is_none()
    }

    /// The text that meets the objection.
    pub fn text(&self, board: &Board) -> String {
        let compromise = self.conflict.compromise.as_str();
        match self.is_weak_spot() {
            true => board.flow(&[self.mine.as_str(), compromise]),
            false => compromise.to_owned(),
        }
    }

    /// Did somebody object, or give way already?
    fn is_under_way(&self, board: &Board, issue: &IssueRecord) -> bool {
        let progress = self.progress(board, issue);
        matches!(progress, Progress::Objected { .. } | Progress::Adopted)
    }

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
    pub fn gives_way(&self, board: &Board, issue: &IssueRecord) -> bool {
        match self.progress(board, issue) {
            Progress::Objected { .. } | Progress::Adopted => true,
            Progress::Proposed { round } => round < board.state.round || !self.has_objector(board),
            Progress::Unseen => !self.has_objector(board),
        }
    }

    /// Does one of two texts still stand that somebody speaks against? A weak spot has no
    /// second side to argue for.
    pub fn is_contested(&self, board: &Board, issue: &IssueRecord) -> bool {
        let progress = self.progress(board, issue);
        let undecided = matches!(
            progress,
            Progress::Proposed { .. } | Progress::Objected { .. }
        );
        undecided && !self.is_weak_spot() && self.has_objector(board)
    }

    /// Is there a member to object? Without one the compromise is taken at once.
    pub fn has_objector(&self, board: &Board) -> bool {
        board.member(self.conflict.objector).is_some()
    }
}

/// What a part proposes on an issue as things stand: colliding sentences are replaced once
/// somebody objected, and then come first; with the collisions they gave way to.
pub fn proposal<'b>(
    board: &'b Board<'_>,
    issue: &IssueRecord,
    part: Part,
) -> (Vec<Line<'b>>, Vec<Collision<'b>>) {
    let (mut moved, mut kept) = (Vec::new(), Vec::new());
    let mut collisions = on_issue(board, issue);
    let mut gave_way = Vec::new();
    for line in board.lines(issue, part) {
        let place = collisions.iter().position(|c| c.mine == line.text);
        let place = place.filter(|at| collisions[*at].gives_way(board, issue));
        let Some(collision) = place.map(|at| collisions.swap_remove(at)) else {
            kept.push(line);
            continue;
        };
        let compromise = Line {
            text: collision.conflict.compromise.clone(),
            list: line.list,
            source: Source::Compromise(collision.conflict),
            need: line.need.clone(),
            figure: None,
        };
        moved.extend(collision.is_weak_spot().then_some(line));
        moved.push(compromise);
        gave_way.push(collision);
    }
    moved.extend(kept);
    (moved, gave_way)
}
