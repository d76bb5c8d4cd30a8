//! What a member argues in a debate about a collision: that collision and nothing else of
//! the issue, so that reason, text and ruling speak of the same thing.

use super::OfflineError;
use super::board::Board;
use super::collision::{self, Collision};
use super::debate::question;
use super::speech::Speaker;
use crate::machine::debate::Motion;
use crate::machine::{CallId, IssueRecord};
use crate::reply::{Position, Stance};

/// The collision that a debate about an issue has to answer.
///
/// The one its question names; else the first between those who argue; else the first.
pub fn subject<'b>(
    board: &'b Board<'_>,
    motion: &Motion,
    issue: &IssueRecord,
) -> Option<Collision<'b>> {
    let mut all = collision::on_issue(board, issue);
    let config = &motion.debate_config;
    let named = |c: &Collision| question(board, c, issue) == config.topic;
    let argued = |c: &Collision| {
        let objector = board.member(c.conflict.objector);
        objector.is_some_and(|role| config.participants.contains(&role.id))
    };
    let place = all.iter().position(named);
    let place = place.or_else(|| all.iter().position(argued)).unwrap_or(0);
    (place < all.len()).then(|| all.swap_remove(place))
}

/// Where a member stands on one collision.
///
/// # Errors
/// The member takes no part in this run.
pub fn position(
    board: &Board,
    call: &CallId,
    issue: &IssueRecord,
    collision: &Collision,
) -> Result<Position, OfflineError> {
    let speaker = Speaker::of(board, call)?;
    let objects = speaker.part() == Some(collision.conflict.objector);
    let objection = objects.then(|| speaker.objection(board, issue, collision));
    let position = match objection.flatten() {
        Some(objection) => only(board, collision, objection),
        None if proposes(board, &speaker, issue, collision) => {
            answer(board, call, issue, collision)
        }
        None => speaker.agreement(board, issue),
    };
    Ok(speaker.reasoned(issue, position))
}

/// A text of one's own on something else is not what is debated.
fn only(board: &Board, collision: &Collision, mut position: Position) -> Position {
    let text = collision.text(board);
    if position.proposal.as_ref().is_some_and(|own| *own != text) {
        position.proposal = None;
        position.stance = Stance::Agree;
    }
    position
}

fn proposes(board: &Board, speaker: &Speaker, issue: &IssueRecord, of: &Collision) -> bool {
    let lines = speaker.part().map(|part| board.lines(issue, part));
    let mut lines = lines.into_iter().flatten();
    lines.any(|line| line.text == of.mine)
}

/// Whoever proposed what gives way: holds on to it until somebody has objected, then takes
/// over the text that serves both.
fn answer(board: &Board, call: &CallId, issue: &IssueRecord, collision: &Collision) -> Position {
    let text = collision.text(board);
    let latest = issue.proposal_of(&call.member);
    let has_moved = latest.is_some_and(|p| p.proposal.as_deref() == Some(&text));
    let moves = !has_moved && collision.gives_way(board, issue);
    let accept = &collision.conflict.accept;
    Position {
        issue: issue.id.to_string(),
        stance: if moves { Stance::Refine } else { Stance::Agree },
        proposal: moves.then_some(text),
        why: match moves {
            true => accept.clone(),
            false => board.phrases.why_kept.clone(),
        },
        changed_because: moves.then(|| accept.clone()),
    }
}
