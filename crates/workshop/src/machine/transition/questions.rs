//! Questions: from the asker to an answer in the draft.

use std::collections::BTreeSet;

use super::BEFORE_CLOSING;
use crate::call::{CallId, Purpose, Scope};
use crate::ids::QuestionId;
use crate::machine::event::RelayDecision;
use crate::machine::illegal::{Verdict, ensure, refuse};
use crate::machine::question::{AnswerSource, Assumption, Exchange, QuestionStatus};
use crate::machine::state::{DiscussionItem, Stage, State};
use crate::reply::AskedQuestion;

impl State {
    /// Records the coach's decisions: each question once, and answers only with a citation.
    pub(super) fn take_relayed(&mut self, decisions: &[RelayDecision]) -> Verdict {
        let mut seen = BTreeSet::new();
        for decision in decisions {
            let id = decision.id;
            self.ensure_status(id, |status| *status == QuestionStatus::Raised)?;
            ensure!(seen.insert(id), "`{id}` is decided twice");
            let cites = decision.cites.as_deref().unwrap_or_default();
            let is_cited = decision.answer.is_none() || !cites.trim().is_empty();
            ensure!(is_cited, "`{id}` is answered without a citation");
        }
        for decision in decisions {
            match &decision.answer {
                _ if decision.looked_up => self.answer_from_files(decision.id),
                Some(answer) => {
                    self.close_question(decision.id, AnswerSource::Discussion, answer);
                }
                None => {
                    let status = QuestionStatus::Passed { follow_up: None };
                    self.set_question(decision.id, status);
                }
            }
        }
        Ok(())
    }

    /// Continues the dialogue without a call that gave no usable answer.
    pub(super) fn skip_clarification(&mut self, call: &CallId) {
        self.calls.troubled.remove(&call.first());
        match (call.purpose, &call.scope) {
            (Purpose::FollowUp, Scope::Question(n)) => self.close_replied(QuestionId(*n)),
            _ => {
                let raised = self.questions.asked.iter_mut().filter(|question| {
                    question.status == QuestionStatus::Raised && !question.asked_by.is_coach()
                });
                for question in raised {
                    question.status = QuestionStatus::Passed { follow_up: None };
                }
            }
        }
    }

    pub(super) fn put_to_user(&mut self, id: QuestionId) {
        let follow_up = match self.questions.find(id).map(|question| &question.status) {
            Some(QuestionStatus::Passed { follow_up }) => follow_up.clone(),
            _ => None,
        };
        self.set_question(id, QuestionStatus::Waiting { follow_up });
        self.ending.diligence.used.clear();
    }

    /// Records that the member who asked is satisfied, or has a follow-up.
    pub(super) fn follow_up(
        &mut self,
        id: QuestionId,
        text: Option<&String>,
        asked: Option<&AskedQuestion>,
    ) {
        if text.is_none() {
            return self.close_replied(id);
        }
        if let Some(question) = self.questions.find_mut(id) {
            let follow_up = text.cloned();
            question.status = QuestionStatus::Passed { follow_up };
            question.further = asked.cloned();
        }
    }

    pub(in crate::machine) fn set_question(&mut self, id: QuestionId, status: QuestionStatus) {
        if let Some(question) = self.questions.find_mut(id) {
            question.status = status;
        }
    }

    fn ensure_status(&self, id: QuestionId, fits: impl Fn(&QuestionStatus) -> bool) -> Verdict {
        match self.questions.find(id) {
            Some(question) if fits(&question.status) => Ok(()),
            Some(question) => refuse!("`{id}` is at {:?}", question.status),
            None => refuse!("there is no `{id}`"),
        }
    }

    /// Checks that the message was not processed before.
    pub(in crate::machine) fn ensure_new(&self, message: Option<&String>) -> Verdict {
        let is_known = message.is_some_and(|message| self.run.messages.contains(message));
        ensure!(!is_known, "this message was taken already");
        Ok(())
    }

    pub(super) fn take_reply(
        &mut self,
        id: QuestionId,
        asked: &str,
        reply: &str,
        source: AnswerSource,
        message: Option<&String>,
    ) -> Verdict {
        self.ensure_at(&BEFORE_CLOSING)?;
        self.ensure_status(id, |status| {
            matches!(status, QuestionStatus::Waiting { .. })
        })?;
        let is_it = self
            .questions
            .find(id)
            .is_some_and(|question| question.current_text() == asked);
        ensure!(is_it, "`{id}` asks something else");
        let by_engine = [AnswerSource::Discussion, AnswerSource::Repository];
        ensure!(
            !by_engine.contains(&source),
            "`{id}` cannot be answered by {source:?}"
        );
        self.ensure_new(message)?;
        self.run.messages.extend(message.cloned());
        if self.ending.diligence.forced.contains_key(&id) {
            self.take_go_on(id, reply, source);
        } else {
            self.take_answer(id, asked, reply, source);
        }
        Ok(())
    }

    fn take_answer(&mut self, id: QuestionId, asked: &str, reply: &str, source: AnswerSource) {
        let follow_ups = self.inputs.rules.limits.max_follow_ups as usize;
        let Some(question) = self.questions.find_mut(id) else {
            return;
        };
        let recommended = question.current_recommended().to_owned();
        let further = question.further.take();
        question.dialogue.push(Exchange {
            question: asked.to_owned(),
            reply: reply.to_owned(),
            source,
        });
        let own_words = source.is_own_words();
        if own_words && !question.asked_by.is_coach() && question.dialogue.len() <= follow_ups {
            question.status = QuestionStatus::Replied;
            return;
        }
        if own_words {
            self.close_replied(id);
            return;
        }
        if question
            .dialogue
            .iter()
            .any(|turn| turn.source.is_own_words())
        {
            // The user's own words count. The recommended answer of a follow-up is added to them,
            // unless the user declined it.
            match (source, further) {
                (AnswerSource::Recommended, Some(_)) => self.close_with(id, &recommended),
                (AnswerSource::Assumed, Some(_)) => {
                    self.assume(id, &recommended, source);
                    self.close_replied(id);
                }
                _ => self.close_replied(id),
            }
            return;
        }
        if source != AnswerSource::Recommended {
            self.assume(id, &recommended, source);
        }
        let answer = if reply.is_empty() {
            &recommended
        } else {
            reply
        };
        self.close_question(id, source, answer);
    }

    /// Closes the pending questions that the user has answered in their own words; their follow-ups
    /// are not asked.
    pub(in crate::machine) fn close_what_was_answered(&mut self) {
        let pending: Vec<QuestionId> = self.questions.pending().map(|q| q.id).collect();
        for id in pending {
            self.close_replied(id);
        }
    }

    /// Closes a question with everything the user said about it in their own words.
    pub(in crate::machine) fn close_replied(&mut self, id: QuestionId) {
        self.close_with(id, "");
    }

    /// Closes a question with the user's own words and one more answer; empty if there is none.
    fn close_with(&mut self, id: QuestionId, more: &str) {
        let Some(question) = self.questions.find(id) else {
            return;
        };
        let said = || {
            let turns = question.dialogue.iter();
            turns.filter(|turn| turn.source.is_own_words())
        };
        let Some(source) = said().next_back().map(|turn| turn.source) else {
            return;
        };
        let answer = said()
            .map(|exchange| exchange.reply.as_str())
            .chain(Some(more).filter(|more| !more.is_empty()))
            .collect::<Vec<_>>()
            .join("\n");
        self.close_question(id, source, &answer);
    }

    pub(in crate::machine) fn close_question(
        &mut self,
        id: QuestionId,
        source: AnswerSource,
        answer: &str,
    ) {
        let status = QuestionStatus::Closed {
            source,
            answer: answer.to_owned(),
        };
        self.set_question(id, status);
        if let Some(question) = self.questions.find(id).cloned() {
            let assumptions = std::mem::take(&mut self.questions.assumptions);
            self.draft_answer(&question, &assumptions);
            self.questions.assumptions = assumptions;
        }
        if self.stage >= Stage::Speaking {
            self.discussion.said.push(DiscussionItem::Answer(id));
        }
    }

    pub(in crate::machine) fn assume(
        &mut self,
        question: QuestionId,
        text: &str,
        source: AnswerSource,
    ) {
        let id = self.run.counters.next_assumption();
        let why = match source {
            AnswerSource::Declined => "declined",
            _ => "not asked",
        };
        self.questions.assumptions.push(Assumption {
            id,
            question,
            text: text.to_owned(),
            why: why.to_owned(),
            round: self.round,
        });
    }
}
