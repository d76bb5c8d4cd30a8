//! Why an item was agreed: who backs it for which reason, and what it prevailed over.

use super::consensus::{ConsensusItem, DraftLine};
use super::issue::PositionRecord;
use super::state::State;
use crate::ids::{DebateId, QuestionId, TextId};
use crate::reply::Stance;

/// Returns the reasons why members back an agreed item, each in its first wording. The reason of an
/// objection only says what would lift it, so it is used only if there is no other reason.
pub fn reasons<'a>(
    state: &'a State,
    item: &ConsensusItem,
) -> impl Iterator<Item = &'a PositionRecord> {
    let text = item.text_id;
    let backs = move |p: &&PositionRecord| p.backs == Some(text);
    let issue = state.ledger.find(item.issue).into_iter();
    let said = issue.flat_map(move |issue| {
        let latest = issue.latest().filter(backs);
        latest.filter_map(move |latest| {
            let own = || {
                let own = issue.positions.iter().filter(backs);
                own.filter(|p| p.member == latest.member && !p.why.trim().is_empty())
            };
            let is_for_it = |p: &&PositionRecord| p.stance != Stance::Object;
            own().find(is_for_it).or_else(|| own().next())
        })
    });
    let (against, mut reasons): (Vec<_>, Vec<_>) = said.partition(|p| p.stance == Stance::Object);
    if reasons.is_empty() {
        reasons = against;
    }
    reasons.into_iter()
}

/// Returns what an agreed item prevailed over: texts of other members with their reasons, and
/// objections. Texts that were agreed as well, or that it is made from, are not among them.
pub fn losers<'a>(
    state: &'a State,
    item: &ConsensusItem,
) -> impl Iterator<Item = &'a PositionRecord> {
    let (issue_id, own) = (item.issue, item.text_id);
    let is_agreed = move |id: TextId| {
        let mut standing = state.draft.standing();
        standing.any(|other| other.issue == issue_id && other.text_id == id)
    };
    let issue = state.ledger.find(issue_id).into_iter();
    issue.flat_map(move |issue| {
        let made_from = issue.text(own).map(|text| issue.lineage(text));
        let said = issue.positions.iter().enumerate();
        let said = said.filter(move |(place, position)| {
            let objects = issue.latest_of(&position.member) == Some(*position)
                && position.stance == Stance::Object;
            let is_made_from = |id| made_from.as_ref().is_some_and(|ids| ids.contains(&id));
            let is_last_for_its_text = || {
                let mut later = issue.positions[place + 1..].iter();
                position
                    .backs
                    .is_some_and(|id| !is_agreed(id) && !is_made_from(id))
                    && !later.any(|p| p.member == position.member && p.backs == position.backs)
            };
            let is_text = || is_last_for_its_text() && position.proposal.is_some();
            let has_reason = !position.why.trim().is_empty();
            has_reason && position.backs != Some(own) && (is_text() || objects)
        });
        said.map(|(_, position)| position)
    })
}

/// Returns the ids of the answered questions, or of the assumptions in their place, that held up the
/// issue of an agreed item.
pub fn answers_under(state: &State, item: &ConsensusItem) -> impl Iterator<Item = String> {
    let holds_up = |id: QuestionId| {
        let question = state.questions.find(id);
        question.is_some_and(|question| question.blocks == Some(item.issue))
    };
    state
        .draft
        .lines()
        .iter()
        .filter_map(move |line| match line {
            DraftLine::Answered { question, .. } => {
                holds_up(*question).then(|| question.to_string())
            }
            DraftLine::Assumed {
                assumption,
                question,
                ..
            } => holds_up(*question).then(|| assumption.to_string()),
            _ => None,
        })
}

/// Returns the debates whose conclusion an agreed item is, or is made from.
pub fn rulings_behind(state: &State, item: &ConsensusItem) -> impl Iterator<Item = DebateId> {
    let issue = state.ledger.find(item.issue);
    let made_from = issue.and_then(|issue| Some(issue.lineage(issue.text(item.text_id)?)));
    let texts = made_from.unwrap_or_else(|| [item.text_id].into());
    texts.into_iter().filter_map(TextId::debate)
}
