//! Stances are about texts: what was proposed on an issue, the support of each text, and what may
//! join the draft.
//!
//! A member supports at most one text of an issue: the one that its latest stance backs. Only texts
//! and positions are stored; who backs what, which texts stand and whose objection holds follows
//! from them. docs/design/consensus.md gives the rules.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::consensus::Supporter;
use super::event::Rule;
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
    /// Word for word.
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

/// Who has had a turn since when: a count of turns, and how far each member has heard.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Turns {
    /// Turns taken in this run.
    count: u32,
    /// Turns taken when the current round began.
    at_round: u32,
    /// Turns each member had heard when it last had one of its own.
    heard: BTreeMap<RoleId, u32>,
}

impl Turns {
    pub(super) fn begin_round(&mut self) {
        self.at_round = self.count;
    }

    /// Counts a turn of members that did not hear one another; returns its number. Those who
    /// speak side by side have heard what was said before the round alone.
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

    /// Returns how far a member who speaks now has heard.
    pub(super) fn hearing(&self, blind: bool) -> u32 {
        if blind { self.at_round } else { self.count }
    }

    /// Returns whether the member has had a turn since turn `at`, and saw what was said there.
    pub(super) fn has_heard(&self, member: &RoleId, at: u32) -> bool {
        self.heard.get(member).is_some_and(|heard| *heard >= at)
    }
}

fn same_words(a: &str, b: &str) -> bool {
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

    /// The text and everything it is made from, directly or not.
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

    /// Returns the texts that a text prevails over where it is agreed: all that it is not
    /// made from.
    pub fn others_than<'a>(&'a self, text: &IssueText) -> impl Iterator<Item = &'a IssueText> {
        let made_from = self.lineage(text);
        let others = self.texts.iter();
        others.filter(move |other| !made_from.contains(&other.id))
    }

    /// Returns whether both belong to one chain: a text and its refinements.
    pub(super) fn is_one_chain(&self, a: &IssueText, b: &IssueText) -> bool {
        same_words(&a.text, &b.text) || !self.lineage(a).is_disjoint(&self.lineage(b))
    }

    /// Returns whether a stance still counts for a text after the ruling of a debate. A ruling
    /// answers for all texts before it: only a later stance counts.
    fn is_current(&self, position: &PositionRecord) -> bool {
        let ruled = self.conclusions().map(|ruling| ruling.at).max();
        // Of an earlier version nobody knows which came first.
        ruled.is_none_or(|at| at == 0 || position.at > at)
    }

    /// Returns who backs a text by its latest stance, with the round of that stance, in order
    /// of names. An abstention takes no earlier support back. Equal words are one text, even
    /// where a merge or a ruling gave them two ids.
    pub fn backers(&self, text: &IssueText) -> Vec<Supporter> {
        let is_it = |id| {
            let other = self.text(id);
            id == text.id || other.is_some_and(|other| same_words(&other.text, &text.text))
        };
        let stands = self.positions.stands();
        let backing = stands.filter(|p| p.backs.is_some_and(is_it) && self.is_current(p));
        backing
            .map(|p| Supporter {
                member: p.member.clone(),
                round: p.round,
            })
            .collect()
    }

    /// Returns the texts that stand, oldest first: somebody backs them, and no author of
    /// theirs has moved on to a refinement while none is left with it.
    pub fn standing_texts(&self) -> impl Iterator<Item = &IssueText> {
        self.texts.iter().filter(|text| self.does_stand(text))
    }

    fn does_stand(&self, text: &IssueText) -> bool {
        let is_replaced = || {
            self.positions.stands().any(|p| {
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

    /// Returns whether an objection holds against a text: it is to this text, to one that this is
    /// made from, or to all. It spares the objector's own texts, except one that it names and does
    /// not support.
    pub(super) fn holds_against(&self, objection: &PositionRecord, text: &IssueText) -> bool {
        if objection.stance != Stance::Object {
            return false;
        }
        let is_own = text.is_by(&objection.member);
        // After a merge its target is unknown: it counts against all.
        let Some(against) = objection.against.and_then(|id| self.text(id)) else {
            return !is_own;
        };
        if !same_words(&against.text, &text.text) {
            return !is_own && self.lineage(text).contains(&against.id);
        }
        let backed = objection.backs.and_then(|id| self.text(id));
        !(is_own && backed.is_some_and(|backed| same_words(&backed.text, &text.text)))
    }

    /// Returns members whose latest stance is an objection that holds against a text, in
    /// order of names.
    pub fn objectors_to(&self, text: &IssueText) -> Vec<&RoleId> {
        let latest = self.positions.latest();
        let against = latest.filter(|p| self.holds_against(p, text));
        against.map(|p| &p.member).collect()
    }

    /// Members that once objected to some text of the issue, wrote another than this one and
    /// have had no turn since it was there.
    fn unheard<'a>(&'a self, text: &'a IssueText, turns: &'a Turns) -> BTreeSet<&'a RoleId> {
        let objected = self.positions.iter().filter(|p| p.stance == Stance::Object);
        let members = objected.map(|p| &p.member).filter(|m| !text.is_by(m));
        members.filter(|m| !turns.has_heard(m, text.at)).collect()
    }

    /// Texts of other chains that compete with this one: backed as well, and opposed only by being
    /// another answer.
    pub fn rivals<'a>(&'a self, text: &'a IssueText) -> impl Iterator<Item = &'a IssueText> {
        self.standing_texts()
            .filter(move |other| other.id != text.id && !self.is_one_chain(text, other))
    }

    /// Returns the texts that an agreement without a name may mean, for somebody who has heard
    /// everything up to turn `heard`: the newest of each chain that stands, and a conclusion that
    /// nobody has answered yet; if none stands, the latest text.
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

    /// Takes in what somebody said in a turn, with ids as [`resolve`] left them. A proposal
    /// gets the next id of `counter`, or that of the text with the same words.
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

    /// Leaves behind when its texts and positions came: turns are counted anew in each run.
    pub(super) fn forget_turns(&mut self) {
        for text in &mut self.texts {
            text.at = 0;
        }
        let positions = self.positions.iter().cloned();
        let positions = positions.map(|position| PositionRecord { at: 0, ..position });
        self.positions = positions.collect::<Vec<_>>().into();
    }

    /// Takes in what a debate concluded. An objection to the adopted text counts against it; if the
    /// ruling's words are nobody's, it may be to any text that stands.
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

    /// The text that a member who objects without one supported before, unless it objects to that
    /// text or there is nothing else to object to.
    fn held_before(&self, objection: &PositionRecord) -> Option<TextId> {
        let held = self.positions.stand_of(&objection.member)?.backs?;
        let text = self.text(held)?;
        let mut others = self
            .texts
            .iter()
            .filter(|text| !text.is_by(&objection.member));
        let objects_to_it = self.holds_against(objection, text) || others.next().is_none();
        (!objects_to_it).then_some(held)
    }
}

/// What a stance lacks so that it counts for one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unclear {
    /// Several texts stand and it names none of them.
    Several(Vec<TextId>),
    /// It names a text that is not there, or was not heard.
    Unknown(String),
}

/// Puts ids into a stance in place of codes and of what it leaves out: an agreement goes to
/// the newest text of the only chain, a refinement is made from it. Returns what is unclear;
/// the stance then counts for no text.
pub(super) fn resolve(
    state: &State,
    issue: &IssueRecord,
    (member, blind): (&RoleId, bool),
    position: &mut Position,
) -> Vec<Unclear> {
    let proposal = position.proposal.take();
    position.proposal = proposal.filter(|text| !text.trim().is_empty());
    let heard = state.discussion.turns.hearing(blind);
    let mut unclear = Vec::new();
    let mut find = |named: Option<String>| {
        let named = named.filter(|name| !name.trim().is_empty())?;
        let text = named_text(state, issue, &named).filter(|text| text.at <= heard);
        if text.is_none() {
            unclear.push(Unclear::Unknown(named));
        }
        text.map(|text| text.id)
    };
    let stance = position.stance;
    let mut against = find(position.against.take()).filter(|_| stance == Stance::Object);
    let mut backs = find(position.backs.take()).filter(|_| stance != Stance::Abstain);
    if backs.is_none() && stance.supports() {
        let mut on_the_table = issue.candidates(heard);
        // A text of one's own names itself; what it is made from is left open.
        let is_needed = position.proposal.is_none() || stance == Stance::Refine;
        match on_the_table.as_slice() {
            [only] => backs = Some(only.id),
            [] => {}
            _ if is_needed => {
                on_the_table.sort_by_key(|text| text.at);
                let ids = on_the_table.iter().map(|text| text.id);
                unclear.push(Unclear::Several(ids.collect()));
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
    // Who objects where there is nothing but a text of its own objects to that.
    if stance == Stance::Object && is_bare && issue.texts.iter().all(|text| text.is_by(member)) {
        let held = issue.positions.stand_of(member);
        against = held.and_then(|held| held.backs);
    }
    position.against = against.map(|id| id.to_string());
    position.backs = backs.map(|id| id.to_string());
    unclear
}

/// The text of an issue that a member or the coach names: by id, or by the code or name of
/// the member for that member's latest.
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

/// An id of a text as models spell it: `X-3`, `x3`, `[D-1]`.
fn parse_text_id(name: &str) -> Option<TextId> {
    let bare = name.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let (kind, number) = bare.split_at_checked(1)?;
    let number = number.trim_start_matches('-');
    let is_plain = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    let id = format!("{}-{number}", kind.to_ascii_uppercase());
    id.parse().ok().filter(|_| is_plain)
}

/// Whether a text may join the draft, rivals aside: who backs it, or the rule it fails and why.
/// `against` are members that object to what is merged into the issue.
pub fn admissible(
    state: &State,
    issue: &IssueRecord,
    text: &IssueText,
    against: &BTreeSet<&RoleId>,
) -> Result<Vec<Supporter>, (Rule, String)> {
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
        return Err((Rule::ObjectionStands, detail));
    }
    let unheard = issue.unheard(text, &state.discussion.turns);
    if !unheard.is_empty() {
        let detail = format!(
            "{} objected before and had no turn since this text was proposed",
            codes(&unheard)
        );
        return Err((Rule::Unheard, detail));
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
        return Err((Rule::NoSupport, detail));
    }
    // Who wrote the same words independently backs the other's text.
    let is_shared = backers.len() > 1 || backers.iter().any(|b| !text.is_by(&b.member));
    if !is_shared && !is_left_to(&backers, state, issue, text) {
        let detail = "only its author backs it, and not everybody has had a turn since and left it to the author".to_owned();
        return Err((Rule::NoSupport, detail));
    }
    Ok(backers)
}

/// Returns whether everybody but these had a turn since the text was there, without a position on
/// the issue. A member that left behind the same words has one.
fn is_left_to(backers: &[Supporter], state: &State, issue: &IssueRecord, text: &IssueText) -> bool {
    let is_other = |id: &RoleId| backers.iter().all(|backer| backer.member != *id);
    let others = state.inputs.roles.members.iter();
    let mut others = others.filter(|role| state.takes_part(&role.id) && is_other(&role.id));
    others.all(|role| {
        let stand = issue.positions.stand_of(&role.id);
        let latest = issue.latest_of(&role.id);
        let has_position = stand.is_some_and(|p| p.backs.is_some())
            || latest.is_some_and(|p| p.stance != Stance::Abstain);
        !has_position && state.discussion.turns.has_heard(&role.id, text.at)
    })
}

/// A text that has to give way before this one can join: of another chain of its issue that
/// does not join `beside` it, or in other words of an issue that is `merged` into its own.
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

/// The issues that a summary's changes merge into `target`.
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
