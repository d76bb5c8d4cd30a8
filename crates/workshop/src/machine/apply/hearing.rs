//! Speeches: taken in at once, or side by side at a barrier, in order of turns.

use std::collections::BTreeSet;

use crate::ids::{QuestionId, TextId};
use crate::machine::Positions;
use crate::machine::call::Purpose;
use crate::machine::issue::{IssueRecord, IssueStatus, Origin};
use crate::machine::question::{Question, QuestionStatus};
use crate::machine::remark::{left_out, whole};
use crate::machine::state::{PassedOver, Said, SpeechRecord, Stage, State};
use crate::reply::{Contribution, Position};

impl State {
    /// Takes side-by-side speeches in once everybody is accounted for, in order
    /// of turns: ids do not depend on who answered first.
    pub(in crate::machine) fn reach_barrier(&mut self) {
        let blind = self.is_blind_round();
        if blind && !self.next_speakers().is_empty() {
            return;
        }
        self.take_waiting();
        if blind {
            let of_this_round = self.passed_over_in(self.round).count();
            let all = self.passed_over.len();
            self.said
                .extend((all - of_this_round..all).map(Said::PassedOver));
        }
        let works = self.team.as_ref().is_some_and(|team| team.is_working());
        if !works && self.next_speakers().is_empty() {
            self.stage = Stage::Summarising;
        }
    }

    /// An end that is decided cuts the round: what was said side by side is taken in once
    /// nobody is being asked any more, and what the human answered so far stands, so that
    /// both can be summed up.
    pub(in crate::machine) fn hear_out(&mut self) {
        let rounds = Stage::Between..=Stage::Summarising;
        if self.ending.decided.is_none() || !rounds.contains(&self.stage) {
            return;
        }
        let is_asked = |state: &Self, purpose| {
            let mut open = state.calls.open.keys();
            open.any(|call| call.purpose == purpose)
        };
        if self.stage == Stage::Speaking && !is_asked(self, Purpose::Speech) {
            self.take_waiting();
        }
        if !is_asked(self, Purpose::FollowUp) {
            self.close_what_was_answered();
        }
    }

    pub(in crate::machine) fn take_waiting(&mut self) {
        for (_, record) in std::mem::take(&mut self.waiting_speeches) {
            self.take_speech(record);
        }
    }

    pub(in crate::machine) fn take_speech(&mut self, mut record: SpeechRecord) {
        let blind = self.inputs.is_blind(record.round);
        if blind {
            self.join_looks(&record.member.clone(), record.round);
            self.leave_out_doubles(&mut record);
        }
        let at = self.turns.take([&record.member].into_iter(), blind);
        for position in &record.speech.positions {
            self.take_position((&record.member, record.round, at), position);
        }
        for new in &record.speech.new_issues {
            let id = self.counters.next_issue();
            record.issues.push(id);
            self.ledger.enter(IssueRecord {
                left_by: None,
                held_in: None,
                id,
                title: new.title.clone(),
                detail: new.detail.clone(),
                severity: new.severity,
                origin: Origin::Member {
                    member: record.member.clone(),
                },
                round: record.round,
                status: IssueStatus::Open,
                positions: Positions::default(),
                history: Vec::new(),
                texts: Vec::new(),
            });
        }
        self.claim(&record.member.clone(), &record.speech.evidence);
        record.questions = self.ask(&record.member.clone(), &record.speech.clone());
        self.speeches.push(record);
        self.said.push(Said::Speech(self.speeches.len() - 1));
    }

    /// What another member said in the same round, in the same words, is not entered or asked
    /// once more: members who speak side by side cannot know. A title twice is one issue, as
    /// grave as the graver of the two, with what either says of it.
    fn leave_out_doubles(&mut self, record: &mut SpeechRecord) {
        let round = record.round;
        let mut notes = Vec::new();
        record.speech.new_issues.retain(|new| {
            let is_same = |issue: &&IssueRecord| {
                let of_now = issue.round == round && issue.is_open();
                of_now && issue.title.trim() == new.title.trim()
            };
            let same = self.ledger.iter().find(is_same);
            let Some(id) = same.map(|issue| issue.id) else {
                return true;
            };
            if let Some(issue) = self.ledger.find_mut(id) {
                issue.join(&new.detail, new.severity);
            }
            let text = format!("raised in the same round; it is `{id}`");
            notes.push(left_out(&new.title, &text, &whole(new)));
            false
        });
        record.speech.questions.retain(|asked| {
            let mut questions = self.questions.iter_mut();
            let Some(same) = questions.find(|one| one.text == asked.question) else {
                return true;
            };
            // One issue can wait for it: the first that is named.
            let blocks = asked.blocks.as_deref().and_then(|id| id.parse().ok());
            same.blocks = same.blocks.or(blocks);
            let text = format!("asked in the same round; it is `{}`", same.id);
            notes.push(left_out(&asked.question, &text, &whole(asked)));
            false
        });
        record.notes.extend(notes);
    }

    /// Takes in a position of a turn on its issue.
    pub(in crate::machine) fn take_position(
        &mut self,
        who: (&crate::role::RoleId, u32, u32),
        position: &Position,
    ) {
        let issue = position.issue.parse().ok();
        let counters = &mut self.counters;
        if let Some(issue) = issue.and_then(|id| self.ledger.find_mut(id)) {
            issue.hear(who, position, || TextId::Proposed(counters.next_text()));
        }
    }

    pub(in crate::machine) fn ask(
        &mut self,
        member: &crate::role::RoleId,
        contribution: &Contribution,
    ) -> Vec<QuestionId> {
        let mut ids = Vec::new();
        for asked in &contribution.questions {
            let id = self.counters.next_question();
            ids.push(id);
            self.questions.push(Question {
                id,
                asked_by: member.clone(),
                round: self.round,
                of: asked.of,
                text: asked.question.clone(),
                why: asked.why.clone(),
                blocks: asked.blocks.as_deref().and_then(|id| id.parse().ok()),
                options: asked.options.clone(),
                recommended: asked.recommended.clone(),
                status: QuestionStatus::Raised,
                further: None,
                dialogue: Vec::new(),
            });
        }
        ids
    }

    /// Is this a round that is spoken side by side?
    pub fn is_blind_round(&self) -> bool {
        self.inputs.is_blind(self.round)
    }

    /// Members without a usable answer in one round.
    pub fn passed_over_in(&self, round: u32) -> impl Iterator<Item = &PassedOver> {
        self.passed_over
            .iter()
            .rev()
            .take_while(move |passed| passed.round >= round)
            .filter(move |passed| passed.round == round)
    }

    /// Who still has to speak in the current round, with their turns, in order.
    pub fn next_speakers(&self) -> Vec<(u32, crate::role::RoleId)> {
        // In a team nobody speaks: members work on phases.
        if self.team.is_some() {
            return Vec::new();
        }
        let spoken: BTreeSet<u32> = self
            .speeches
            .iter()
            .rev()
            .take_while(|speech| speech.round == self.round)
            .map(|speech| speech.turn)
            .chain(self.waiting_speeches.keys().copied())
            .collect();
        self.speakers(self.round)
            .into_iter()
            .zip(1u32..)
            .filter(|(member, turn)| {
                !spoken.contains(turn)
                    && !self
                        .passed_over_in(self.round)
                        .any(|passed| &passed.member == *member)
            })
            .map(|(member, turn)| (turn, member.clone()))
            .collect()
    }
}
