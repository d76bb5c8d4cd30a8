//! A member's turn: where it stands on every open issue, from its part's checklists.

mod analysis;
mod reasons;

use super::OfflineError;
use super::board::Board;
use super::checklist::Part;
use super::collision::{self, Collision, Progress};
use super::line::Line;
use super::questions;
use super::text::{Matcher, fill};
use crate::machine::decide::{flips, moves};
use crate::machine::{CallId, IssueRecord, PositionRecord, max_rounds};
use crate::reply::{Contribution, NewIssue, Position, Severity, Size, Stance};

/// Minor matters named in one run, at most.
const MAX_LATER: usize = 2;

/// Who speaks, and in which round.
pub struct Speaker<'c> {
    call: &'c CallId,
    part: Option<Part>,
}

/// A member's contribution.
///
/// # Errors
/// The member takes no part in this run.
pub fn speak(board: &Board, call: &CallId) -> Result<Contribution, OfflineError> {
    let speaker = Speaker::of(board, call)?;
    let agenda = &board.state.agenda;
    let open: Vec<&IssueRecord> = board
        .state
        .ledger
        .open()
        .filter(|issue| agenda.is_empty() || agenda.contains(&issue.id))
        .collect();
    let positions: Vec<Position> = open
        .iter()
        .map(|issue| speaker.position(board, issue))
        .collect();
    Ok(Contribution {
        analysis: speaker.analysis(board, &positions),
        positions,
        questions: questions::asked_by(board, call),
        new_issues: speaker.later(board),
        ..Contribution::default()
    })
}

/// Where a member stands on one issue.
///
/// # Errors
/// As [`speak`].
pub fn stand(board: &Board, call: &CallId, issue: &IssueRecord) -> Result<Position, OfflineError> {
    Ok(Speaker::of(board, call)?.position(board, issue))
}

/// What a member says to all open issues before anybody has spoken.
///
/// # Errors
/// As [`speak`].
pub fn at_first_sight(board: &Board, call: &CallId) -> Result<String, OfflineError> {
    let open: Vec<&IssueRecord> = board.state.ledger.open().collect();
    Ok(Speaker::of(board, call)?.first_round(board, &open))
}

impl<'c> Speaker<'c> {
    /// The member of a call.
    ///
    /// # Errors
    /// The member takes no part in this run.
    pub fn of(board: &Board, call: &'c CallId) -> Result<Self, OfflineError> {
        let known = board.state.inputs.roles.find(call.member.as_str());
        known.ok_or_else(|| OfflineError::UnknownMember(call.member.clone()))?;
        Ok(Self {
            call,
            part: board.part_of(&call.member),
        })
    }
}

impl Speaker<'_> {
    /// The part it stands for.
    pub fn part(&self) -> Option<Part> {
        self.part
    }

    fn position(&self, board: &Board, issue: &IssueRecord) -> Position {
        let before = issue.latest_of(&self.call.member);
        let collisions = collision::on_issue(board, issue);
        let mine = collisions
            .iter()
            .find(|c| self.part == Some(c.conflict.objector))
            .and_then(|c| self.objection(board, issue, c));
        let position = mine
            .or_else(|| self.proposal(board, issue, before))
            .or_else(|| self.take_over(board, issue))
            .unwrap_or_else(|| self.agreement(board, issue));
        self.reasoned(issue, position)
    }

    /// A position with a reason for the change exactly where it is one.
    pub fn reasoned(&self, issue: &IssueRecord, mut position: Position) -> Position {
        // That a proposal became an agreement is no change of mind.
        let turned = flips(issue, &self.call.member, position.stance);
        if turned && position.changed_because.is_none() {
            position.changed_because = Some(position.why.clone());
        }
        if !moves(
            issue,
            &self.call.member,
            &position.proposal,
            position.stance,
        ) {
            position.changed_because = None;
        }
        position
    }

    /// What an objector does about a collision; none while there is nothing to object to.
    pub fn objection(
        &self,
        board: &Board,
        issue: &IssueRecord,
        collision: &Collision,
    ) -> Option<Position> {
        let object = |stance| Position {
            issue: issue.id.to_string(),
            stance,
            proposal: Some(collision.text(board)),
            why: fill(
                &board.phrases.why_object,
                &[("because", &collision.conflict.because)],
            ),
            changed_because: None,
        };
        match collision.progress(board, issue) {
            Progress::Unseen => None,
            // Without a round left to answer in, the compromise is put up at once.
            Progress::Proposed { round }
                if self.call.round > round && self.call.round >= max_rounds(board.state) =>
            {
                Some(object(Stance::Refine))
            }
            Progress::Proposed { .. } => Some(object(Stance::Object)),
            // The objection has been heard: the compromise is put up for itself.
            Progress::Objected { round } if self.call.round > round => Some(object(Stance::Refine)),
            Progress::Objected { .. } => Some(object(Stance::Object)),
            Progress::Adopted => {
                let whose = subject(collision, issue);
                let reason = fill(&board.phrases.withdrawn_objection, &[("whose", &whose)]);
                let own = self
                    .part
                    .map(|part| collision::proposal(board, issue, part).0)
                    .unwrap_or_default();
                Some(Position {
                    issue: issue.id.to_string(),
                    stance: if own.is_empty() {
                        Stance::Agree
                    } else {
                        Stance::Refine
                    },
                    proposal: (!own.is_empty()).then(|| text_of(board, &own)),
                    why: reason.clone(),
                    changed_because: Some(reason),
                })
            }
        }
    }

    /// A text of one's own: new, changed by a collision, or kept.
    fn proposal(
        &self,
        board: &Board,
        issue: &IssueRecord,
        before: Option<&PositionRecord>,
    ) -> Option<Position> {
        let (lines, gave_way) = collision::proposal(board, issue, self.part?);
        if lines.is_empty() {
            return None;
        }
        let text = text_of(board, &lines);
        let earlier = issue
            .proposal_of(&self.call.member)
            .and_then(|p| p.proposal.clone());
        let kept = before.is_some() && earlier.as_deref() == Some(text.as_str());
        if kept && self.unanswered_objection(board, issue).is_some() {
            return None;
        }
        Some(Position {
            issue: issue.id.to_string(),
            stance: if kept { Stance::Agree } else { Stance::Refine },
            proposal: (!kept).then_some(text),
            why: if kept {
                board.phrases.why_kept.clone()
            } else {
                self.why(board, issue, &lines)
            },
            changed_because: before
                .filter(|_| !kept && !gave_way.is_empty())
                .map(|_| self.turn(board, issue, &gave_way, earlier.as_deref())),
        })
    }

    /// Why one's own text is another: what convinced, or, where a debate has brought that
    /// about already, that its outcome now stands in the text.
    fn turn(
        &self,
        board: &Board,
        issue: &IssueRecord,
        gave_way: &[Collision],
        earlier: Option<&str>,
    ) -> String {
        let is_argued = |c: &Collision| earlier == Some(c.text(board).as_str());
        let reasons = gave_way.iter().map(|c| match is_argued(c) {
            true => fill(&board.phrases.taken_in, &[("whose", &subject(c, issue))]),
            false => c.conflict.accept.clone(),
        });
        board.flow(&reasons.collect::<Vec<_>>())
    }

    /// Somebody else's objection with a text of its own, which no checklist foresaw.
    fn unanswered_objection<'i>(
        &self,
        board: &Board,
        issue: &'i IssueRecord,
    ) -> Option<&'i PositionRecord> {
        let foreseen = collision::on_issue(board, issue);
        issue
            .positions
            .latest()
            .filter(|p| p.stance == Stance::Object && p.member != self.call.member)
            .find(|p| {
                p.proposal.as_ref().is_some_and(|text| {
                    !foreseen
                        .iter()
                        .any(|c| text.contains(&c.conflict.compromise))
                })
            })
    }

    /// Takes over the text of such an objection rather than repeat one's own.
    fn take_over(&self, board: &Board, issue: &IssueRecord) -> Option<Position> {
        if !matches!(self.part, Some(Part::Product | Part::Design)) {
            return None;
        }
        let objection = self.unanswered_objection(board, issue)?;
        let whose = board.state.inputs.roles.code(&objection.member);
        let reason = fill(&board.phrases.takes_over, &[("whose", whose)]);
        Some(Position {
            issue: issue.id.to_string(),
            stance: Stance::Refine,
            proposal: objection.proposal.clone(),
            why: reason.clone(),
            changed_because: Some(reason),
        })
    }

    /// Minor matters this part names in its first speech.
    fn later(&self, board: &Board) -> Vec<NewIssue> {
        if self.call.round != 1 {
            return Vec::new();
        }
        let asked = Matcher::new(&questions::everything_said(board));
        let known = |title: &str| board.state.ledger.iter().any(|issue| issue.title == title);
        board
            .topics
            .iter()
            .filter(|list| board.home_of(&list.topic).is_some())
            .filter_map(|list| {
                list.later
                    .iter()
                    .find(|later| board.member(later.by).is_some() && !asked.any(&later.unless))
            })
            .take(MAX_LATER)
            .filter(|later| Some(later.by) == self.part && !known(&later.title))
            .map(|later| NewIssue {
                key: later.key.clone(),
                title: later.title.clone(),
                detail: later.detail.clone(),
                severity: Severity::Minor,
            })
            .collect()
    }
}

fn text_of(board: &Board, lines: &[Line]) -> String {
    let mut texts: Vec<&str> = Vec::new();
    for line in lines {
        // A compromise may stand for both sentences that collided.
        if !texts.contains(&line.text.as_str()) {
            texts.push(&line.text);
        }
    }
    board.flow(&texts)
}

/// A size as it is written in plans.
pub fn size_name(size: Size) -> &'static str {
    match size {
        Size::S => "S",
        Size::M => "M",
        Size::L => "L",
        Size::XL => "XL",
    }
}

/// What a collision is about, for people: the topic's name, or the issue where it is of the
/// list that fits every need.
fn subject(collision: &Collision, issue: &IssueRecord) -> String {
    if collision.list.is_general() {
        issue.id.to_string()
    } else {
        collision.list.title.clone()
    }
}
