//! The same issue left open again while nobody says anything new on it.

use super::issue::{IssueRecord, PositionRecord};
use super::state::State;

/// Was the issue left open by the last summary too, with nothing new said on it
/// since: no conclusion of a debate, and no position that is not word for word
/// the one the member took before?
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

/// Did the member say just this in an earlier round?
fn is_said_again(issue: &IssueRecord, position: &PositionRecord) -> bool {
    let same = |a: &str, b: &str| a == b || a.split_whitespace().eq(b.split_whitespace());
    let mut earlier = issue.positions.iter().filter(|p| {
        p.member == position.member && p.stance == position.stance && p.round < position.round
    });
    earlier.any(|p| {
        let proposes = match (&position.proposal, &p.proposal) {
            // Who proposes nothing stands by what it proposed.
            (None, _) => true,
            (Some(now), Some(then)) => same(now, then),
            (Some(_), None) => false,
        };
        proposes && same(&p.why, &position.why)
    })
}
