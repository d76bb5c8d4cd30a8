//! Whose support a text has: agreement is counted by text, not by issue.
//!
//! An agreement without words of its own is to the text that lay on the table when it was
//! given, and to no text that came later.

use super::consensus::Supporter;
use super::issue::{IssueRecord, PositionRecord};
use crate::reply::{Position, Stance};
use crate::role::RoleId;

impl PositionRecord {
    /// The text it stands for: its own, else the one that it found on the table.
    pub(super) fn stands_for(&self) -> Option<&str> {
        let text = self.proposal.as_deref().or(self.backs.as_deref());
        text.filter(|_| self.stance.supports()).map(str::trim)
    }
}

impl IssueRecord {
    /// Who supports one text on it, with the round of that support, in order of names: whose
    /// latest stand is support and has this text, or was given without one while this was the
    /// latest; and who proposed it while in favour, has proposed nothing else and never
    /// objected since.
    pub fn support_of(&self, text: &str) -> Vec<Supporter> {
        let text = text.trim();
        self.positions
            .stands()
            .filter(|p| p.stance.supports())
            .filter(|p| p.stands_for() == Some(text) || self.still_offers(&p.member, text))
            .map(|p| Supporter {
                member: p.member.clone(),
                round: p.round,
            })
            .collect()
    }

    /// Did the member propose the text in favour of it, as its latest, without objecting since?
    fn still_offers(&self, member: &RoleId, text: &str) -> bool {
        let mut taken = self.positions.iter().rev().filter(|p| &p.member == member);
        taken
            .find(|p| p.proposal.is_some() || p.stance == Stance::Object)
            .is_some_and(|p| p.stands_for() == Some(text))
    }

    /// The latest text on it that somebody who speaks now has heard. What is said side by side
    /// in one round is not heard in that round.
    fn on_the_table(&self, blind_round: Option<u32>) -> Option<&str> {
        let heard = |round: u32| blind_round.is_none_or(|now| round < now);
        let mut proposals = self.positions.iter().rev();
        let proposed = proposals.find(|p| p.proposal.is_some() && heard(p.round));
        let concluded = self.conclusions.last().filter(|c| heard(c.round));
        match (proposed, concluded) {
            (Some(position), Some(ruled)) if position.round > ruled.round => {
                position.proposal.as_deref()
            }
            (_, Some(ruled)) => Some(&ruled.text),
            (position, None) => position.and_then(|p| p.proposal.as_deref()),
        }
    }

    /// A position as it enters the record, with the text it is to.
    fn heard(
        &self,
        (member, round): (&RoleId, u32),
        said: &Position,
        blind: bool,
    ) -> PositionRecord {
        let is_bare = said.stance.supports() && said.proposal.is_none();
        let text = self.on_the_table(blind.then_some(round));
        PositionRecord {
            member: member.clone(),
            round,
            stance: said.stance,
            proposal: said.proposal.clone(),
            backs: text.filter(|_| is_bare).map(str::to_owned),
            why: said.why.clone(),
            changed_because: said.changed_because.clone(),
        }
    }

    /// Takes in what one member said in a round.
    pub(super) fn hear(&mut self, (member, round): (&RoleId, u32), said: &Position, blind: bool) {
        let position = self.heard((member, round), said, blind);
        self.positions.push(position);
    }

    /// Takes in what several said side by side, in the order given: none of them heard another.
    pub(super) fn hear_all<'a>(
        &mut self,
        round: u32,
        said: impl Iterator<Item = (&'a RoleId, &'a Position)>,
    ) {
        let positions = said.map(|(member, position)| self.heard((member, round), position, false));
        let positions: Vec<_> = positions.collect();
        self.positions.extend(positions);
    }
}
