//! The record of a debate, and its next step.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::motion::{DebateObjection, Motion, NoRulingReason};
use crate::ids::{DebateId, IssueId, TextId};
use crate::machine::decide::parse_id;
use crate::machine::event::Note;
use crate::machine::proposed_text::parse_text_id;
use crate::reply::{Contribution, Position, Ruling, Stance};
use crate::role::RoleId;

/// What a participant did in one round.
#[derive(Debug, Clone, PartialEq)]
pub enum DebateTurn {
    /// It gave an argument.
    Argued(Box<Argument>),
    /// It gave no usable argument.
    Missing {
        /// Reason for which nothing was argued.
        reason: String,
    },
}

/// A recorded argument.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// The answer without what had to be left out.
    pub said: Contribution,
    /// Notes on what was left out, with reasons.
    pub notes: Vec<Note>,
}

impl Argument {
    /// Returns the stance it takes in the debate, if any.
    pub fn position(&self) -> Option<&Position> {
        self.said.positions.first()
    }
}

/// One round of a debate.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DebateRound {
    /// Each participant's turn, by its index among the participants.
    pub turns: BTreeMap<usize, DebateTurn>,
    /// The coach's summary; `None` until it is written.
    pub summary: Option<String>,
}

/// How a debate ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Resolution {
    /// The ruling of the coach.
    pub ruling: Ruling,
    /// Participants that still objected.
    pub dissent: Vec<DebateObjection>,
    /// Why a fixed text stands in for the coach's ruling, if one does.
    pub plain: Option<NoRulingReason>,
}

/// A debate of this run.
#[derive(Debug, Clone, PartialEq)]
pub struct Debate {
    /// Id of the debate, `D-n`.
    pub id: DebateId,
    /// What it is about.
    pub motion: Motion,
    /// The round of the workshop it follows; 0 before the first.
    pub after_round: u32,
    /// Opening of the debate by the coach, Markdown.
    pub opening: String,
    /// Its rounds so far; the last one may still be in progress.
    pub rounds: Vec<DebateRound>,
    /// A ruling that the coach gave early, in the opening or a summary.
    pub early: Option<Ruling>,
    /// How it ended; `None` while it is in progress.
    pub resolution: Option<Resolution>,
}

/// The next step of a debate.
#[derive(Debug, Clone, PartialEq)]
pub enum DebateStep {
    /// These participants argue in this round, in parallel.
    Argue {
        /// Round number, from 1.
        round: u32,
        /// Their indices among the participants.
        places: Vec<usize>,
    },
    /// The coach summarises the round.
    Summarise {
        /// Round number.
        round: u32,
    },
    /// The coach rules.
    Rule,
    /// The coach has already ruled, in its opening or a summary.
    Resolve(Ruling),
    /// The debate is to be skipped.
    Skip,
    /// It has ended.
    Done,
}

impl Debate {
    /// Returns the next step. Rounds end early once nobody objects any more and at most one text is
    /// left.
    pub fn next(&self) -> DebateStep {
        let config = &self.motion.debate_config;
        if self.resolution.is_some() {
            return DebateStep::Done;
        }
        if config.skip {
            return DebateStep::Skip;
        }
        if let Some(ruling) = &self.early {
            return DebateStep::Resolve(ruling.clone());
        }
        if config.participants.is_empty() {
            return DebateStep::Rule;
        }
        let held = self.rounds.len() as u32;
        match self.rounds.last() {
            Some(round) if round.summary.is_none() => {
                let places = self.still_to_argue(round);
                if places.is_empty() {
                    DebateStep::Summarise { round: held }
                } else {
                    DebateStep::Argue {
                        round: held,
                        places,
                    }
                }
            }
            Some(_) if held >= config.rounds() || self.is_settled() => DebateStep::Rule,
            _ => DebateStep::Argue {
                round: held + 1,
                places: (0..config.participants.len()).collect(),
            },
        }
    }

    /// Returns the id that positions refer to: the issue's, or the debate's own.
    pub fn subject(&self) -> String {
        let about = self.motion.about.map(|issue| issue.to_string());
        about.unwrap_or_else(|| self.id.to_string())
    }

    /// Returns whether an id, as models spell it, names the subject of the debate.
    pub fn is_about(&self, id: &str) -> bool {
        match self.motion.about {
            Some(issue) => parse_id::<IssueId>(id) == Some(issue),
            None => self.is_named(id),
        }
    }

    /// Returns whether the text is the debate's own id. In the calls of a debate that id means its
    /// subject, unless something else is named.
    pub fn is_named(&self, id: &str) -> bool {
        parse_text_id(id) == Some(TextId::Concluded(self.id))
    }

    /// Returns whether it is still in progress.
    pub fn is_open(&self) -> bool {
        self.resolution.is_none()
    }

    /// Returns the participants, in speaking order.
    pub fn participants(&self) -> &[RoleId] {
        &self.motion.debate_config.participants
    }

    /// Returns the latest position that a participant took in the debate.
    pub fn latest_of(&self, place: usize) -> Option<&Position> {
        self.rounds
            .iter()
            .rev()
            .find_map(|round| match round.turns.get(&place) {
                Some(DebateTurn::Argued(argument)) => argument.position(),
                _ => None,
            })
    }

    /// Records a participant's turn; the first turn of a round begins the round.
    pub(super) fn take_turn(&mut self, round: u32, place: usize, turn: DebateTurn) {
        if self.rounds.len() < round as usize {
            self.rounds.push(DebateRound::default());
        }
        if let Some(last) = self.rounds.last_mut() {
            last.turns.insert(place, turn);
        }
    }

    /// Returns whether everybody has had a turn in the last round.
    pub(super) fn is_round_complete(&self) -> bool {
        self.rounds
            .last()
            .is_some_and(|round| self.still_to_argue(round).is_empty())
    }

    fn still_to_argue(&self, round: &DebateRound) -> Vec<usize> {
        (0..self.participants().len())
            .filter(|place| !round.turns.contains_key(place))
            .collect()
    }

    fn argued(&self, place: usize) -> bool {
        let turns = self.rounds.iter().map(|round| round.turns.get(&place));
        turns
            .flatten()
            .any(|turn| matches!(turn, DebateTurn::Argued(_)))
    }

    fn is_settled(&self) -> bool {
        let places = 0..self.participants().len();
        // A member that argued without taking a position keeps its earlier one.
        if places
            .clone()
            .any(|p| self.argued(p) && self.latest_of(p).is_none())
        {
            return false;
        }
        let latest: Vec<&Position> = places.filter_map(|place| self.latest_of(place)).collect();
        let mut texts: Vec<&str> = latest
            .iter()
            .filter_map(|position| position.proposal.as_deref())
            .collect();
        texts.sort_unstable();
        texts.dedup();
        !latest.is_empty() && texts.len() <= 1 && latest.iter().all(|p| p.stance != Stance::Object)
    }
}
