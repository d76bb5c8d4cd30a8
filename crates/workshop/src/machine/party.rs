//! The speakers of a party: two or three members, chosen by the coach.
//!
//! This and [`as_requirement`] are all that is specific to a party. The coach names the speakers in
//! its first answer; if it names too few, the next members in the order of roles are invited as
//! well, so that somebody can disagree.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::consensus::DraftLine;
use super::event::{LedgerRefusal, LedgerRule};
use super::illegal::{Verdict, ensure};
use super::issue::IssueOrigin;
use super::notes::{folded, refusal};
use super::state::State;
use crate::fault::texts;
use crate::reply::Reminder;
use crate::role::{RoleId, RoleSpec};

/// Minimum and maximum number of speakers in a party; all members if there are fewer.
const SPEAKERS: (usize, usize) = (2, 3);

/// A member the coach asks to speak.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Invitation {
    /// Full role name of the member.
    pub member: RoleId,
    /// What the coach wants to hear, one line; empty if it did not say.
    pub asked: String,
}

/// Returns the members that the coach named, in its order, filled up to the minimum; empty in
/// formats where everybody speaks.
pub(super) fn invited(
    state: &State,
    named: &[Reminder],
    refused: &mut Vec<LedgerRefusal>,
) -> Vec<Invitation> {
    let mut invited: Vec<Invitation> = Vec::new();
    if !state.inputs.format.invites_speakers() {
        return invited;
    }
    let is_new =
        |invited: &[Invitation], role: &RoleSpec| invited.iter().all(|one| one.member != role.id);
    let members = &state.inputs.roles.members;
    for reminder in named {
        let name = reminder.member.trim();
        match members.iter().find(|role| role.is_meant_by(name)) {
            Some(role) if is_new(&invited, role) && invited.len() < SPEAKERS.1 => {
                invited.push(Invitation {
                    member: role.id.clone(),
                    asked: folded(&reminder.text),
                });
            }
            Some(_) => {}
            None => refused.push(refusal(LedgerRule::UnknownId, name, "no such member")),
        }
    }
    for role in members {
        if invited.len() < SPEAKERS.0 && is_new(&invited, role) {
            invited.push(Invitation {
                member: role.id.clone(),
                asked: String::new(),
            });
        }
    }
    invited
}

/// Checks that two or three different members are invited, or all if there are fewer; in other
/// formats nobody.
pub(super) fn check_invited(state: &State, invited: &[Invitation]) -> Verdict {
    if !state.inputs.format.invites_speakers() {
        let is_nobody = invited.is_empty();
        ensure!(is_nobody, "somebody is invited where everybody speaks");
        return Ok(());
    }
    let members = &state.inputs.roles.members;
    let (least, given) = (SPEAKERS.0.min(members.len()), invited.len());
    let is_fit = (least..=SPEAKERS.1).contains(&given);
    ensure!(is_fit, "{given} members are invited");
    for (nth, one) in invited.iter().enumerate() {
        let is_member = members.iter().any(|role| role.id == one.member);
        let is_new = invited[..nth]
            .iter()
            .all(|other| other.member != one.member);
        ensure!(is_member && is_new, "`{}` cannot be invited", one.member);
    }
    Ok(())
}

impl State {
    /// Returns whether this member speaks in the discussion: everybody does, except in a party,
    /// where only invited members do.
    pub fn takes_part(&self, member: &RoleId) -> bool {
        self.judgment.invited.is_empty()
            || self
                .judgment
                .invited
                .iter()
                .any(|one| one.member == *member)
    }
}

/// Returns the conversation as the requirement of a plan: what the user said, what was agreed and
/// answered, and what is open.
pub fn as_requirement(state: &State) -> String {
    let lang = state.inputs.doc_lang;
    let mut parts = vec![state.task.requirement.trim().to_owned()];
    let asked = state
        .ledger
        .iter()
        .filter(|issue| matches!(issue.origin, IssueOrigin::Feedback { .. }));
    parts.extend(asked.map(|issue| issue.detail.trim().to_owned()));
    let words = state.ending.words.iter();
    parts.extend(words.map(|words| words.text.clone()));
    let agreed = state.draft.lines().iter().filter_map(|one| match one {
        DraftLine::Agreed { item } if state.draft.standing().any(|other| other.id == item.id) => {
            Some(item.text.trim().to_owned())
        }
        DraftLine::Answered { text, answer, .. } => {
            Some(format!("{} {}", folded(text), folded(answer)))
        }
        DraftLine::Assumed { text, .. } => Some(folded(text)),
        _ => None,
    });
    parts.extend(listed(AGREED.of(lang), agreed));
    let open = state
        .ledger
        .open()
        .map(|issue| issue.whole_title().to_owned());
    parts.extend(listed(OPEN.of(lang), open));
    parts.join("\n\n")
}

texts! {
    AGREED: "Agreed in conversation:", "交谈中已经谈定：";
    OPEN: "Left open:", "尚未谈定：";
}

/// Returns a list under its heading; `None` if the list is empty.
fn listed(heading: &str, items: impl Iterator<Item = String>) -> Option<String> {
    let items: Vec<String> = items.map(|item| format!("- {item}")).collect();
    (!items.is_empty()).then(|| format!("{heading}\n\n{}", items.join("\n")))
}
