//! Detects an issue that is left open again while nobody says anything new about it.

use super::issue::{IssueRecord, PositionRecord};
use super::proposed_text::same_words;
use super::state::State;

/// Returns whether the last summary left the issue open too, with nothing new since: no conclusion
/// of a debate, and only positions that repeat the member's earlier one word for word.
pub fn is_stalled(state: &State, issue: &IssueRecord) -> bool {
    let before = state
        .discussion
        .summaries
        .last()
        .is_some_and(|summary| summary.left_open.contains(&issue.id));
    let now = state.round;
    before
        && issue.conclusions().all(|text| text.round() + 1 < now)
        && issue
            .positions
            .iter()
            .filter(|position| position.round == now)
            .all(|position| is_said_again(issue, position))
}

/// Returns whether the member said exactly this in an earlier round.
fn is_said_again(issue: &IssueRecord, position: &PositionRecord) -> bool {
    let mut earlier = issue.positions.iter().filter(|p| {
        p.member == position.member && p.stance == position.stance && p.round < position.round
    });
    earlier.any(|p| {
        let proposes = match (&position.proposal, &p.proposal) {
            // A member that proposes nothing still supports its earlier proposal.
            (None, _) => true,
            (Some(now), Some(then)) => same_words(now, then),
            (Some(_), None) => false,
        };
        proposes && same_words(&p.why, &position.why)
    })
}
