//! The positions on one issue, with an index of the latest ones.
//!
//! The rules need a member's latest position at every speech and summary. Searching all positions
//! each time would make the work quadratic in the number of rounds.

use std::collections::BTreeMap;
use std::ops::Deref;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::issue::PositionRecord;
use crate::reply::Stance;
use crate::role::RoleId;

/// Every position ever taken on an issue, in order of the transcript; a plain
/// list in JSON. Reads as a slice, grows only at its end.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "Vec<PositionRecord>", into = "Vec<PositionRecord>")]
#[schemars(with = "Vec<PositionRecord>")]
pub struct Positions {
    taken: Vec<PositionRecord>,
    /// Index of each member's latest position.
    latest: BTreeMap<RoleId, usize>,
    /// Index of each member's latest position that is no abstention.
    stands: BTreeMap<RoleId, usize>,
}

impl Positions {
    /// Adds a position at the end.
    pub(super) fn push(&mut self, position: PositionRecord) {
        let place = self.taken.len();
        self.latest.insert(position.member.clone(), place);
        if position.stance != Stance::Abstain {
            self.stands.insert(position.member.clone(), place);
        }
        self.taken.push(position);
    }

    /// Returns the latest position of every member that took one, in order of names.
    pub fn latest(&self) -> impl Iterator<Item = &PositionRecord> {
        self.latest.values().filter_map(|at| self.taken.get(*at))
    }

    /// Returns the latest position of every member other than abstentions, in order of names.
    pub fn stands(&self) -> impl Iterator<Item = &PositionRecord> {
        self.stands.values().filter_map(|at| self.taken.get(*at))
    }

    /// Returns the latest position of a member.
    pub fn latest_of(&self, member: &RoleId) -> Option<&PositionRecord> {
        self.taken.get(*self.latest.get(member)?)
    }

    /// Returns the latest position of a member other than an abstention.
    pub fn stand_of(&self, member: &RoleId) -> Option<&PositionRecord> {
        self.taken.get(*self.stands.get(member)?)
    }
}

impl Deref for Positions {
    type Target = [PositionRecord];

    fn deref(&self) -> &[PositionRecord] {
        &self.taken
    }
}

impl Extend<PositionRecord> for Positions {
    fn extend<I: IntoIterator<Item = PositionRecord>>(&mut self, positions: I) {
        for position in positions {
            self.push(position);
        }
    }
}

impl From<Vec<PositionRecord>> for Positions {
    fn from(taken: Vec<PositionRecord>) -> Self {
        let mut positions = Self::default();
        positions.extend(taken);
        positions
    }
}

impl From<Positions> for Vec<PositionRecord> {
    fn from(positions: Positions) -> Self {
        positions.taken
    }
}

impl<'a> IntoIterator for &'a Positions {
    type Item = &'a PositionRecord;
    type IntoIter = std::slice::Iter<'a, PositionRecord>;

    fn into_iter(self) -> Self::IntoIter {
        self.taken.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(member: &str, round: u32, stance: Stance) -> PositionRecord {
        PositionRecord {
            member: RoleId(member.to_owned()),
            round,
            stance,
            proposal: None,
            backs: None,
            against: None,
            at: 0,
            why: String::new(),
            changed_because: None,
        }
    }

    #[test]
    fn what_is_kept_at_hand_is_what_the_list_says() {
        use Stance::{Abstain, Agree, Object};
        let mut positions = Positions::default();
        positions.extend([
            position("A", 1, Agree),
            position("B", 1, Abstain),
            position("A", 2, Abstain),
            position("B", 2, Object),
        ]);
        let rounds = |found: Vec<&PositionRecord>| -> Vec<(String, u32)> {
            let name = |p: &&PositionRecord| (p.member.to_string(), p.round);
            found.iter().map(name).collect()
        };
        assert_eq!(
            rounds(positions.latest().collect()),
            [("A".to_owned(), 2), ("B".to_owned(), 2)]
        );
        assert_eq!(
            rounds(positions.stands().collect()),
            [("A".to_owned(), 1), ("B".to_owned(), 2)]
        );
        let member = RoleId("A".to_owned());
        assert_eq!(positions.latest_of(&member).map(|p| p.round), Some(2));
        assert_eq!(positions.stand_of(&member).map(|p| p.round), Some(1));
    }

    #[test]
    fn in_json_it_is_a_plain_list() {
        let positions = Positions::from(vec![position("A", 1, Stance::Object)]);
        let json = serde_json::to_value(&positions).unwrap();
        assert!(json.is_array());
        let back: Positions = serde_json::from_value(json).unwrap();
        assert_eq!(back, positions);
    }
}
