//! What a summary cites: whose text, or which debate's.

use super::consensus::Supporter;
use super::debate;
use super::issue::IssueRecord;
use super::state::State;
use crate::ids::DebateId;
use crate::role::{RoleId, RoleSpec};

/// A proposal that a summary cites.
pub(super) struct Cited<'a> {
    pub(super) by: &'a RoleId,
    pub(super) round: u32,
    pub(super) debate: Option<DebateId>,
    pub(super) text: &'a String,
}

/// The latest proposal of the member a citation names, or the conclusion of
/// the debate it names.
pub(super) fn cited<'a>(
    state: &'a State,
    issue: &'a IssueRecord,
    cites: &str,
) -> Option<Cited<'a>> {
    if let Some(id) = debate::parse_debate_id(cites) {
        let concluded = issue.conclusions.iter().find(|c| c.debate == id)?;
        return Some(Cited {
            by: &state.inputs.roles.coach.id,
            round: concluded.round,
            debate: Some(id),
            text: &concluded.text,
        });
    }
    let position = issue.proposal_of(&cited_role(state, cites)?.id)?;
    Some(Cited {
        by: &position.member,
        round: position.round,
        debate: None,
        text: position.proposal.as_ref()?,
    })
}

/// Does somebody support it; for a debate's conclusion, since it was ruled?
pub(super) fn has_support(
    supporters: &[Supporter],
    debate: Option<DebateId>,
    proposed_round: u32,
) -> bool {
    let counts = |s: &Supporter| debate.is_none() || s.round > proposed_round;
    supporters.iter().any(counts)
}

/// The member a citation names: by code or name in any case, or as the only
/// member named in something like `PP (round 2)`. Small models take a code for the id of
/// an item and write `C-PP`.
pub(super) fn cited_role<'a>(state: &'a State, cites: &str) -> Option<&'a RoleSpec> {
    let roles = &state.inputs.roles;
    let is = |role: &RoleSpec, word: &str| {
        role.code.eq_ignore_ascii_case(word) || role.id.as_str().eq_ignore_ascii_case(word)
    };
    roles.find(cites).or_else(|| {
        let words = || {
            let words = cites.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_');
            words.map(|word| word.strip_prefix("C-").unwrap_or(word))
        };
        let mut named = roles
            .members
            .iter()
            .filter(|role| words().any(|word| is(role, word)));
        named.next().filter(|_| named.next().is_none())
    })
}
