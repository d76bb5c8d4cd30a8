//! A vote to end: every member is asked once, in parallel; more than half of those asked must
//! agree.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::debate::RequestRefusal;
use super::event::{Event, Receipt};
use super::issue::{IssueChange, IssueRecord};
use super::notes::{note, unused, words_of_its_own};
use super::state::State;
use super::transition::DISCUSSION;
use crate::ids::IssueId;
use crate::reply::{Contribution, Position, Stance};
use crate::role::RoleId;

/// The id of the end in a member's positions.
pub const END: &str = "END";
const BALLOT_ONLY: &str = "a vote takes in one stance on `END` and why; left out";

/// The vote of a member on the end of the discussion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ballot {
    /// The discussion is to end.
    End,
    /// The discussion is to go on.
    GoOn,
    /// The member abstained, or gave no usable answer.
    Abstain,
}

/// Who called for a vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoteCaller {
    /// The user: if it passes, the user ends the discussion.
    User,
    /// The coach: if it passes, it is a proposal for the user to confirm; if nobody can be asked,
    /// the vote itself confirms it.
    Coach,
}

/// How a vote that ended the discussion went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VoteFigures {
    /// Members that wanted the end.
    pub end: u32,
    /// Number of members that were asked to vote.
    pub asked: u32,
}

/// A vote in progress.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vote {
    /// Who called for it.
    pub caller: VoteCaller,
    /// Its number in the run, from 1.
    pub number: u32,
    /// Members asked, in order.
    pub asked: Vec<RoleId>,
    /// Members that have voted.
    pub cast: BTreeMap<RoleId, Ballot>,
}

impl Vote {
    /// Members that have not voted yet, in order.
    pub fn missing(&self) -> impl Iterator<Item = &RoleId> {
        self.asked.iter().filter(|id| !self.cast.contains_key(*id))
    }

    /// Returns how many voted this way.
    pub fn count(&self, ballot: Ballot) -> usize {
        self.cast.values().filter(|cast| **cast == ballot).count()
    }
}

/// The first round after which the coach may call for a vote.
const FIRST_ROUND: u32 = 2;
/// Minimum number of rounds between two votes called by the coach.
pub const ROUNDS_BETWEEN: u32 = 2;

/// Returns why the coach wants the members to vote, from its own position on `END` in a summary. It
/// is refused while a vote or an ending is in progress, and too soon after the last vote. Without a
/// blocking issue there is nothing to vote on.
pub(super) fn called_by_coach(
    state: &State,
    answer: &Contribution,
    changes: &BTreeMap<IssueId, IssueChange>,
) -> Option<Result<String, &'static str>> {
    let (ballot, why) = ballot(answer).ok()?;
    let left = |issue: &&IssueRecord| !changes.contains_key(&issue.id);
    if ballot != Ballot::End || state.ledger.blocking().filter(left).count() == 0 {
        return None;
    }
    // In the first round nobody has answered anybody yet.
    if state.round < FIRST_ROUND {
        return Some(Err("the members vote on the end from the second round on"));
    }
    Some(may_call(state).map(|()| why))
}

/// Checks whether the coach may call for a vote now.
///
/// # Errors
/// Why not, as text.
pub fn may_call(state: &State) -> Result<(), &'static str> {
    if state.ending.vote.is_some() || state.ending.decided.is_some() {
        return Err("the end is already being decided");
    }
    let last = state.ending.voted_in;
    if last.is_some_and(|round| state.round < round + ROUNDS_BETWEEN) {
        return Err("the members have just voted on the end");
    }
    Ok(())
}

/// Returns why a vote that the user asks for now would not be held; `None` if it would.
pub fn refusal(state: &State) -> Option<RequestRefusal> {
    if state.ending.decided.is_some() {
        return Some(RequestRefusal::Ending);
    }
    state.ending.vote.as_ref().map(|_| RequestRefusal::Voting)
}

/// Returns the members to ask now; none if no vote is in progress, or if the end is already
/// decided.
pub(super) fn due_from(state: &State) -> Vec<RoleId> {
    let held = DISCUSSION.contains(&state.stage) && state.ending.decided.is_none();
    let vote = state.ending.vote.as_ref().filter(|_| held);
    vote.map(|vote| vote.missing().cloned().collect())
        .unwrap_or_default()
}

/// Returns the result, once everybody has voted.
pub(super) fn result(state: &State) -> Option<Event> {
    let vote = state.ending.vote.as_ref()?;
    if vote.missing().next().is_some() {
        return None;
    }
    let end = vote.count(Ballot::End);
    Some(Event::VoteClosed {
        number: vote.number,
        end: end as u32,
        go_on: vote.count(Ballot::GoOn) as u32,
        asked: vote.asked.len() as u32,
        carried: end * 2 > vote.asked.len(),
    })
}

/// Returns the event of a member's answer: its ballot, and notes on everything else it said.
///
/// # Errors
/// It contains no ballot.
pub(super) fn cast(receipt: Receipt, mut answer: Contribution) -> Result<Event, String> {
    let (ballot, why) = ballot(&answer)?;
    let mut notes = Vec::new();
    let given = std::mem::take(&mut answer.positions);
    let (mut ballots, beside): (Vec<_>, Vec<_>) = given.into_iter().partition(is_ballot);
    let counted = ballots.pop();
    for _ in &ballots {
        notes.push(note(END, "given twice; the last one counts"));
    }
    let filled = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.trim().is_empty());
    let says_more = |p: &Position| filled(&p.proposal) || filled(&p.changed_because);
    if counted.as_ref().is_some_and(says_more) {
        notes.push(note(END, BALLOT_ONLY));
    }
    answer.positions = beside;
    notes.extend(unused(&answer, BALLOT_ONLY));
    Ok(Event::VoteCast {
        member: receipt.call.member.clone(),
        receipt,
        ballot,
        output: words_of_its_own(&answer.analysis, &[&why]),
        why,
        notes,
    })
}

fn is_ballot(position: &Position) -> bool {
    position.issue.trim().eq_ignore_ascii_case(END)
}

/// Returns the ballot in a member's answer: its last position on `END`.
fn ballot(answer: &Contribution) -> Result<(Ballot, String), String> {
    let Some(position) = answer.positions.iter().rfind(|one| is_ballot(one)) else {
        return Err(format!(
            "`positions` holds no position on `{END}`: `agree` to end, `object` to go on, or `abstain`"
        ));
    };
    let ballot = match position.stance {
        Stance::Agree => Ballot::End,
        // A member that first wants a change wants to continue.
        Stance::Object | Stance::Refine => Ballot::GoOn,
        Stance::Abstain => Ballot::Abstain,
    };
    Ok((ballot, position.why.clone()))
}
