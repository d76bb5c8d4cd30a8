//! Questions: from the reply of the human to an answer in the draft.

use crate::ids::QuestionId;
use crate::machine::call::{CallId, Purpose, Scope};
use crate::machine::question::{AnswerSource, Assumption, Exchange, Question, QuestionStatus};
use crate::machine::state::{Said, Stage, State};
use crate::reply::AskedQuestion;

impl State {
    /// The dialogue goes on without a call that brought nothing.
    pub(in crate::machine) fn skip_clarification(&mut self, call: &CallId) {
        self.calls.troubled.remove(&call.first());
        match (call.purpose, &call.scope) {
            (Purpose::FollowUp, Scope::Question(n)) => self.close_replied(QuestionId(*n)),
            _ => {
                let raised = self.questions.iter_mut().filter(|question| {
                    question.status == QuestionStatus::Raised && !question.asked_by.is_coach()
                });
                for question in raised {
                    question.status = QuestionStatus::Passed { follow_up: None };
                }
            }
        }
    }

    pub(in crate::machine) fn set_question(&mut self, id: QuestionId, status: QuestionStatus) {
        if let Some(question) = self.questions.iter_mut().find(|q| q.id == id) {
            question.status = status;
        }
    }

    pub(in crate::machine) fn take_reply(
        &mut self,
        id: QuestionId,
        asked: &str,
        reply: &str,
        source: AnswerSource,
    ) {
        if self.ending.diligence.forced.contains_key(&id) {
            return self.take_go_on(id, reply, source);
        }
        let follow_ups = self.inputs.limits.max_follow_ups as usize;
        let Some(question) = self.questions.iter_mut().find(|q| q.id == id) else {
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
            // What was said before holds. The answer that a follow-up recommends is taken
            // beside it, unless the human declined it.
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

    /// Closes the questions to which the human has said something in own words; what else
    /// the member wanted to know stays unasked.
    pub(in crate::machine) fn close_what_was_answered(&mut self) {
        let open = |question: &&Question| !matches!(question.status, QuestionStatus::Closed { .. });
        let pending: Vec<QuestionId> = self.questions.iter().filter(open).map(|q| q.id).collect();
        for id in pending {
            self.close_replied(id);
        }
    }

    /// Closes a question with everything the human said to it in own words.
    pub(in crate::machine) fn close_replied(&mut self, id: QuestionId) {
        self.close_with(id, "");
    }

    /// A follow-up of a question, with what it brings of its own.
    pub(in crate::machine) fn ask_further(
        &mut self,
        id: QuestionId,
        further: Option<AskedQuestion>,
    ) {
        if let Some(question) = self.questions.iter_mut().find(|q| q.id == id) {
            question.further = further;
        }
    }

    /// Closes a question with what the human said to it, and one answer more; empty for none.
    fn close_with(&mut self, id: QuestionId, more: &str) {
        let Some(question) = self.question(id) else {
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
        if let Some(question) = self.question(id).cloned() {
            let assumptions = std::mem::take(&mut self.assumptions);
            self.draft_answer(&question, &assumptions);
            self.assumptions = assumptions;
        }
        if self.stage >= Stage::Speaking {
            self.said.push(Said::Answer(id));
        }
    }

    pub(in crate::machine) fn assume(
        &mut self,
        question: QuestionId,
        text: &str,
        source: AnswerSource,
    ) {
        let id = self.counters.next_assumption();
        let why = match source {
            AnswerSource::Declined => "declined",
            _ => "not asked",
        };
        self.assumptions.push(Assumption {
            id,
            question,
            text: text.to_owned(),
            why: why.to_owned(),
            round: self.round,
        });
    }
}
