//! Questions for the user, and the assumptions made in place of answers.

use crate::ids::QuestionId;
use crate::machine::question::{Assumption, Question, QuestionStatus};

/// Every question and assumption of a run, including those of the version it revises.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Questions {
    /// Every question, in the order in which they were asked.
    pub asked: Vec<Question>,
    /// Assumptions, oldest first.
    pub assumptions: Vec<Assumption>,
}

impl Questions {
    /// Returns the question with this id.
    pub fn find(&self, id: QuestionId) -> Option<&Question> {
        self.asked.iter().find(|question| question.id == id)
    }

    pub(in crate::machine) fn find_mut(&mut self, id: QuestionId) -> Option<&mut Question> {
        self.asked.iter_mut().find(|question| question.id == id)
    }

    /// Returns the questions that are not closed, in order.
    pub fn pending(&self) -> impl Iterator<Item = &Question> {
        self.asked.iter().filter(|question| !question.is_closed())
    }

    /// Returns the questions that wait for the user, in order.
    pub fn waiting(&self) -> impl Iterator<Item = &Question> {
        let waits = |status: &QuestionStatus| matches!(status, QuestionStatus::Waiting { .. });
        let all = self.asked.iter();
        all.filter(move |question| waits(&question.status))
    }
}
