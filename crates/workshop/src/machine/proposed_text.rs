//! Stances are about texts: which texts are proposed on an issue, who supports each, and which may
//! join the draft.
//!
//! A member supports at most one text of an issue: the one that its latest stance backs. Only texts
//! and positions are stored; who backs what, which texts are in force and which objections hold is
//! derived from them. docs/design/consensus.md gives the rules.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::consensus::Supporter;
use super::event::LedgerRule;
use super::issue::{IssueChange, IssueRecord, IssueStatus, PositionRecord};
use super::state::State;
use crate::ids::{DebateId, IssueId, TextId};
use crate::reply::{Decision, Position, Stance};
use crate::role::RoleId;

/// A text proposed on an issue, by a member or as the conclusion of a debate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IssueText {
    /// Its id; equal words on one issue share it.
    pub id: TextId,
    /// The text, word for word.
    pub text: String,
    /// Who wrote it, with the round, in order of the transcript; the coach for a conclusion.
    pub authors: Vec<Supporter>,
    /// The texts it is made from: refined by a member, or adopted by a ruling.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<TextId>,
    /// When it was there, in turns of this run; 0 if it comes from an earlier version.
    #[serde(skip)]
    pub at: u32,
}

impl IssueText {
    /// Returns who wrote it first.
    pub fn author(&self) -> &RoleId {
        &self.authors[0].member
    }

    /// Returns the round in which it was first written.
    pub fn round(&self) -> u32 {
        self.authors[0].round
    }

    /// Returns whether the member wrote it, alone or in the same words as another.
    pub fn is_by(&self, member: &RoleId) -> bool {
        self.authors.iter().any(|author| author.member == *member)
    }
}

/// Counts turns, and records which turns each member has seen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SeenTurns {
    /// Number of turns taken in this run.
    count: u32,
    /// Number of turns when the current round began.
    at_round: u32,
    /// How many turns each member had seen when it last had one itself.
    heard: BTreeMap<RoleId, u32>,
}

impl SeenTurns {
    pub(super) fn begin_round(&mut self) {
        self.at_round = self.count;
    }

    /// Counts a turn of members that did not see each other's words, and returns its number.
    /// Parallel speakers have seen only what was said before the round.
    pub(super) fn take<'a>(
        &mut self,
        members: impl Iterator<Item = &'a RoleId>,
        blind: bool,
    ) -> u32 {
        let heard = if blind { self.at_round } else { self.count };
        self.count += 1;
        self.heard
            .extend(members.map(|member| (member.clone(), heard)));
        self.count
    }

    /// Returns how many turns a member who speaks now has seen.
    pub(super) fn turns_seen(&self, blind: bool) -> u32 {
        if blind { self.at_round } else { self.count }
    }

    /// Returns whether the member has had a turn after turn `at` in which it saw that turn.
    pub(super) fn has_heard(&self, member: &RoleId, at: u32) -> bool {
        self.heard.get(member).is_some_and(|heard| *heard >= at)
    }
}

/// Returns whether two texts differ in white space alone.
pub(super) fn same_words(a: &str, b: &str) -> bool {
    a == b || a.split_whitespace().eq(b.split_whitespace())
}

impl IssueRecord {
    /// Returns one of its texts.
    pub fn text(&self, id: TextId) -> Option<&IssueText> {
        self.texts.iter().find(|text| text.id == id)
    }

    /// Returns the text with the same words, if there is one.
    pub fn same_text(&self, words: &str) -> Option<&IssueText> {
        self.texts.iter().find(|text| same_words(&text.text, words))
    }

    /// Returns what debates concluded on it, oldest first.
    pub fn conclusions(&self) -> impl Iterator<Item = &IssueText> {
        self.texts.iter().filter(|text| text.id.debate().is_some())
    }

    /// Returns the latest text that the member proposed.
    pub fn latest_text_of(&self, member: &RoleId) -> Option<&IssueText> {
        let proposed = self.positions.iter().rev();
        let mut proposed = proposed.filter(|p| p.member == *member);
        self.same_text(proposed.find_map(|p| p.proposal.as_deref())?)
    }

    /// Returns the text and everything it is made from, directly or not.
    pub fn lineage(&self, text: &IssueText) -> BTreeSet<TextId> {
        let mut known = BTreeSet::from([text.id]);
        let mut left = text.from.clone();
        while let Some(id) = left.pop() {
            if known.insert(id) {
                left.extend(self.text(id).iter().flat_map(|text| &text.from));
            }
        }
        known
    }

    /// Returns the texts that an agreed text prevails over: all that it is not made from.
    pub fn others_than<'a>(&'a self, text: &IssueText) -> impl Iterator<Item = &'a IssueText> {
        let made_from = self.lineage(text);
        let others = self.texts.iter();
        others.filter(move |other| !made_from.contains(&other.id))
    }

    /// Returns whether both belong to one chain: a text and its refinements.
    pub(super) fn is_one_chain(&self, a: &IssueText, b: &IssueText) -> bool {
        same_words(&a.text, &b.text) || !self.lineage(a).is_disjoint(&self.lineage(b))
    }

    /// Returns whether a stance still counts after the ruling of a debate. A ruling replaces all
    /// texts before it, so only later stances count.
    fn is_current(&self, position: &PositionRecord) -> bool {
        let ruled = self.conclusions().map(|ruling| ruling.at).max();
        // The order of positions from an earlier version is unknown.
        ruled.is_none_or(|at| at == 0 || position.at > at)
    }

    /// Returns who backs a text by the latest stance, with the round of that stance, in order of
    /// names. An abstention does not withdraw earlier support. Equal words are one text, even if a
    /// merge or a ruling gave them two ids.
    pub fn backers(&self, text: &IssueText) -> Vec<Supporter> {
        let is_it = |id| {
            let other = self.text(id);
            id == text.id || other.is_some_and(|other| same_words(&other.text, &text.text))
        };
        let stands = self.stands();
        let backing = stands.filter(|p| p.backs.is_some_and(is_it) && self.is_current(p));
        backing
            .map(|p| Supporter {
                member: p.member.clone(),
                round: p.round,
            })
            .collect()
    }

    /// Returns the texts in force, oldest first: an author still backs it, or somebody else does
    /// and no author has moved on to a refinement.
    pub fn standing_texts(&self) -> impl Iterator<Item = &IssueText> {
        self.texts.iter().filter(|text| self.does_stand(text))
    }

    fn does_stand(&self, text: &IssueText) -> bool {
        let is_replaced = || {
            self.stands().any(|p| {
                let backed = p.backs.and_then(|id| self.text(id));
                let refined = backed.filter(|b| !same_words(&b.text, &text.text));
                text.is_by(&p.member) && refined.is_some_and(|b| self.lineage(b).contains(&text.id))
            })
        };
        let backers = self.backers(text);
        let is_kept = backers.iter().any(|backer| text.is_by(&backer.member));
        is_kept || !backers.is_empty() && !is_replaced()
    }

    /// Returns whether a text repeats the other in the same words, or is made from it, directly or
    /// not.
    pub(super) fn is_made_from(&self, text: &IssueText, other: &IssueText) -> bool {
        same_words(&text.text, &other.text) || self.lineage(text).contains(&other.id)
    }

    /// Returns whether an objection holds against a text: it is about this text, about one that
    /// this is made from, or about all. It does not apply to the objector's own texts, except one
    /// that it names and does not support.
    pub(super) fn holds_against(&self, objection: &PositionRecord, text: &IssueText) -> bool {
        if objection.stance != Stance::Object {
            return false;
        }
        let is_own = text.is_by(&objection.member);
        // After a merge the opposed text is unknown, so the objection counts against all.
        let Some(against) = objection.against.and_then(|id| self.text(id)) else {
            return !is_own;
        };
        if !same_words(&against.text, &text.text) {
            return !is_own && self.lineage(text).contains(&against.id);
        }
        let backed = objection.backs.and_then(|id| self.text(id));
        !(is_own && backed.is_some_and(|backed| same_words(&backed.text, &text.text)))
    }

    /// Returns the members whose latest stance is an objection that holds against a text, in order
    /// of names.
    pub fn objectors_to(&self, text: &IssueText) -> Vec<&RoleId> {
        let latest = self.latest();
        let against = latest.filter(|p| self.holds_against(p, text));
        against.map(|p| &p.member).collect()
    }

    /// Returns the members that once objected to some text of the issue, did not write this one,
    /// and have had no turn since it was proposed.
    fn unheard<'a>(&'a self, text: &'a IssueText, turns: &'a SeenTurns) -> BTreeSet<&'a RoleId> {
        let objected = self.positions.iter().filter(|p| p.stance == Stance::Object);
        let members = objected.map(|p| &p.member).filter(|m| !text.is_by(m));
        members.filter(|m| !turns.has_heard(m, text.at)).collect()
    }

    /// Returns the texts of other chains that compete with this one: they are backed too, and
    /// conflict with it only as another answer.
    pub fn rivals<'a>(&'a self, text: &'a IssueText) -> impl Iterator<Item = &'a IssueText> {
        self.standing_texts()
            .filter(move |other| other.id != text.id && !self.is_one_chain(text, other))
    }

    /// Returns the texts that an agreement without a name may mean, for a member that has seen
    /// everything up to turn `heard`: the newest text in force of each chain, and a conclusion
    /// without any later text; if there is none, the latest text.
    pub(super) fn candidates(&self, heard: u32) -> Vec<&IssueText> {
        let mut newest: Vec<&IssueText> = Vec::new();
        let is_last_ruling = |text: &IssueText| {
            let later = self.texts.iter().filter(|t| t.at > text.at);
            text.id.debate().is_some() && later.count() == 0
        };
        let heard = || self.texts.iter().filter(|text| text.at <= heard);
        for text in heard().filter(|text| self.does_stand(text) || is_last_ruling(text)) {
            newest.retain(|older| !self.is_one_chain(older, text));
            newest.push(text);
        }
        if newest.is_empty() {
            newest.extend(heard().next_back());
        }
        newest
    }

    /// Records what a member said in a turn, with ids as [`resolve`] left them. A proposal gets the
    /// next id of `counter`, or the id of the text with the same words.
    pub(super) fn hear(
        &mut self,
        (member, round, at): (&RoleId, u32, u32),
        said: &Position,
        counter: impl FnOnce() -> TextId,
    ) {
        let named = |id: &Option<String>| id.as_ref().and_then(|id| id.parse().ok());
        let mut backs: Option<TextId> = named(&said.backs);
        if let Some(words) = &said.proposal {
            let author = Supporter {
                member: member.clone(),
                round,
            };
            let same = self.same_text(words).map(|text| text.id);
            let from = backs.filter(|from| same != Some(*from));
            let id = same.unwrap_or_else(counter);
            match self.texts.iter_mut().find(|text| text.id == id) {
                Some(text) if id.debate().is_some() || text.is_by(member) => {}
                Some(text) => text.authors.push(author),
                None => self.texts.push(IssueText {
                    id,
                    text: words.clone(),
                    authors: vec![author],
                    from: from.into_iter().collect(),
                    at,
                }),
            }
            backs = Some(id);
        }
        let mut position = PositionRecord {
            member: member.clone(),
            round,
            stance: said.stance,
            proposal: said.proposal.clone(),
            backs: backs.filter(|_| said.stance != Stance::Abstain),
            against: named(&said.against),
            why: said.why.clone(),
            changed_because: said.changed_because.clone(),
            at,
        };
        if said.stance == Stance::Object && position.backs.is_none() {
            position.backs = self.held_before(&position);
        }
        self.positions.push(position);
    }

    /// Resets the turns of its texts and positions, because each run counts turns from the start.
    pub(super) fn forget_turns(&mut self) {
        for text in &mut self.texts {
            text.at = 0;
        }
        for position in &mut self.positions {
            position.at = 0;
        }
    }

    /// Records the conclusion of a debate. An objection to the adopted text counts against it; if
    /// nobody proposed the ruling's words, so does an objection to any text in force.
    pub(super) fn conclude(
        &mut self,
        debate: DebateId,
        round: u32,
        decision: Decision,
        words: &str,
        at: u32,
    ) {
        let same = self.same_text(words).map(|text| vec![text.id]);
        let from = match decision {
            Decision::Adopt => {
                same.unwrap_or_else(|| self.standing_texts().map(|t| t.id).collect())
            }
            _ => same.unwrap_or_default(),
        };
        self.texts.push(IssueText {
            id: TextId::Concluded(debate),
            text: words.to_owned(),
            authors: vec![Supporter {
                member: RoleId::coach(),
                round,
            }],
            from,
            at,
        });
    }

    /// Returns the text that a member supported before it objected without a text of its own,
    /// unless the objection is to that text or there is nothing else to object to.
    fn held_before(&self, objection: &PositionRecord) -> Option<TextId> {
        let held = self.stand_of(&objection.member)?.backs?;
        let text = self.text(held)?;
        let mut others = self
            .texts
            .iter()
            .filter(|text| !text.is_by(&objection.member));
        let objects_to_it = self.holds_against(objection, text) || others.next().is_none();
        (!objects_to_it).then_some(held)
    }
}

/// Why a stance does not count for a single text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum UnclearStance {
    /// Several texts are in force, and it names none of them.
    Several(Vec<TextId>),
    /// It names a text that does not exist, or that the member has not seen.
    Unknown(String),
}

/// Puts ids into a stance, for codes and for what it leaves out: an agreement refers to the newest
/// text of the only chain, a refinement is made from it. Returns what is unclear; the stance then
/// counts for no text.
pub(super) fn resolve(
    state: &State,
    issue: &IssueRecord,
    (member, blind): (&RoleId, bool),
    position: &mut Position,
) -> Vec<UnclearStance> {
    let proposal = position.proposal.take();
    position.proposal = proposal.filter(|text| !text.trim().is_empty());
    let heard = state.discussion.turns.turns_seen(blind);
    let mut unclear = Vec::new();
    let mut find = |named: Option<String>| {
        let named = named.filter(|name| !name.trim().is_empty())?;
        let text = named_text(state, issue, &named).filter(|text| text.at <= heard);
        if text.is_none() {
            unclear.push(UnclearStance::Unknown(named));
        }
        text.map(|text| text.id)
    };
    let stance = position.stance;
    let mut against = find(position.against.take()).filter(|_| stance == Stance::Object);
    let mut backs = find(position.backs.take()).filter(|_| stance != Stance::Abstain);
    if backs.is_none() && stance.supports() {
        let mut on_the_table = issue.candidates(heard);
        // A proposal counts for itself; what it is made from may stay open, except in a refinement.
        let is_needed = position.proposal.is_none() || stance == Stance::Refine;
        match on_the_table.as_slice() {
            [only] => backs = Some(only.id),
            [] => {}
            _ if is_needed => {
                on_the_table.sort_by_key(|text| text.at);
                let ids = on_the_table.iter().map(|text| text.id);
                unclear.push(UnclearStance::Several(ids.collect()));
            }
            _ => {}
        }
    }
    // A member does not support a text that it objects to.
    let own_words = || {
        issue
            .same_text(position.proposal.as_ref()?)
            .map(|text| text.id)
    };
    if against.is_some() && own_words() == against {
        position.proposal = None;
    }
    backs = backs.filter(|id| against != Some(*id) || position.proposal.is_some());
    let is_bare = against.is_none() && backs.is_none() && position.proposal.is_none();
    // If there are only texts of its own, its objection is to the one it supported.
    if stance == Stance::Object && is_bare && issue.texts.iter().all(|text| text.is_by(member)) {
        let held = issue.stand_of(member);
        against = held.and_then(|held| held.backs);
    }
    position.against = against.map(|id| id.to_string());
    position.backs = backs.map(|id| id.to_string());
    unclear
}

/// Returns the text of an issue that a member or the coach names: by id, or by a member's code or
/// name, which means that member's latest text.
pub(super) fn named_text<'a>(
    state: &State,
    issue: &'a IssueRecord,
    name: &str,
) -> Option<&'a IssueText> {
    if let Some(id) = parse_text_id(name) {
        return issue.text(id);
    }
    issue.latest_text_of(&super::cited::cited_role(state, name)?.id)
}

/// Parses the id of a text, or of a debate, as models spell it: `X-3`, `x3`, `[D-1]`.
pub fn parse_text_id(name: &str) -> Option<TextId> {
    let bare = name.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let (kind, number) = bare.split_at_checked(1)?;
    let number = number.trim_start_matches('-');
    let is_plain = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    let id = format!("{}-{number}", kind.to_ascii_uppercase());
    id.parse().ok().filter(|_| is_plain)
}

/// Returns who backs a text if it may join the draft, leaving rivals aside, or else the rule that
/// it fails and why. `against` are members that object to what is merged into the issue.
pub fn admissible(
    state: &State,
    issue: &IssueRecord,
    text: &IssueText,
    against: &BTreeSet<&RoleId>,
) -> Result<Vec<Supporter>, (LedgerRule, String)> {
    let roles = &state.inputs.roles;
    let codes = |members: &BTreeSet<&RoleId>| -> String {
        let codes: Vec<&str> = members.iter().map(|member| roles.code(member)).collect();
        codes.join(", ")
    };
    let mut objectors: BTreeSet<&RoleId> = issue.objectors_to(text).into_iter().collect();
    objectors.extend(against);
    if !objectors.is_empty() {
        let verb = if objectors.len() == 1 {
            "objects"
        } else {
            "object"
        };
        let detail = format!("agreement was claimed, but {} {verb}", codes(&objectors));
        return Err((LedgerRule::ObjectionStands, detail));
    }
    let unheard = issue.unheard(text, &state.discussion.turns);
    if !unheard.is_empty() {
        let detail = format!(
            "{} objected before and had no turn since this text was proposed",
            codes(&unheard)
        );
        return Err((LedgerRule::Unheard, detail));
    }
    let backers = issue.backers(text);
    if !issue.does_stand(text) {
        let detail = match text.id.debate() {
            Some(id) => format!("nobody agreed to it or refined it since `{id}` was ruled on"),
            None => {
                "nobody backs this text: support was given to another, or before it was proposed"
                    .to_owned()
            }
        };
        return Err((LedgerRule::NoSupport, detail));
    }
    // A member who wrote the same words independently backs the other's text.
    let is_shared = backers.len() > 1 || backers.iter().any(|b| !text.is_by(&b.member));
    if !is_shared && !is_left_to(&backers, state, issue, text) {
        let detail = "only its author backs it, and not everybody has had a turn since and left it to the author".to_owned();
        return Err((LedgerRule::NoSupport, detail));
    }
    Ok(backers)
}

/// Returns whether everybody except `backers` had a turn since the text was proposed and took no
/// position on the issue. Support before a later abstention counts as a position.
fn is_left_to(backers: &[Supporter], state: &State, issue: &IssueRecord, text: &IssueText) -> bool {
    let is_other = |id: &&RoleId| backers.iter().all(|backer| backer.member != **id);
    let mut others = state.participants().filter(is_other);
    others.all(|id| {
        let stand = issue.stand_of(id);
        let latest = issue.latest_of(id);
        let has_position = stand.is_some_and(|p| p.backs.is_some())
            || latest.is_some_and(|p| p.stance != Stance::Abstain);
        !has_position && state.discussion.turns.has_heard(id, text.at)
    })
}

/// Returns a text that prevents this one from joining the draft: one of another chain of its issue
/// that does not join `beside` it, or a different one of an issue that is `merged` into its own.
pub(super) fn rival<'a>(
    issue: &'a IssueRecord,
    text: &'a IssueText,
    beside: &[&IssueText],
    merged: impl Iterator<Item = &'a IssueRecord>,
) -> Option<&'a IssueText> {
    let joins = |rival: &&IssueText| beside.iter().any(|one| issue.is_one_chain(one, rival));
    let brought = merged.flat_map(IssueRecord::standing_texts);
    let brought = brought.filter(|other| !same_words(&other.text, &text.text));
    let own = issue.rivals(text).filter(|rival| !joins(rival));
    own.chain(brought).next()
}

/// Returns the issues that a summary's changes merge into `target`.
pub(super) fn merged_into<'a>(
    state: &'a State,
    changes: impl IntoIterator<Item = &'a IssueChange>,
    target: IssueId,
) -> impl Iterator<Item = &'a IssueRecord> {
    let changes = changes.into_iter();
    changes.filter_map(move |change| match change.to {
        IssueStatus::Merged { into } if into == target => state.ledger.find(change.issue),
        _ => None,
    })
}
