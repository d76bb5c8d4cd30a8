//! Decides what a typed line is used for, by what was on the screen when Enter was pressed.
//!
//! ```text
//! no question ──asks──▶ question on screen ──line──▶ answered ──50 ms──▶ no question
//!   │ line: to the run     line: the answer            line: not used
//! ```
//!
//! A line that follows an answer within 50 ms was pasted together with it: the user cannot have
//! read what it would answer. A command (`/answer Q-2 …`) says itself what it is for, so it goes to
//! the run.

/// Minimum time in milliseconds between two lines typed by a person.
const BREATH: u64 = 50;

/// What a line is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineUse {
    /// To answer the question that was on the screen.
    Question,
    /// As a message to the run, because no question was on the screen.
    Run,
}

/// A typed line, without its line break.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedLine {
    /// Text of the line.
    pub text: String,
    /// What it is used for.
    pub to: LineUse,
}

/// Whether a question is on the screen of a terminal. Times are milliseconds since any fixed
/// moment.
#[derive(Debug, Default)]
pub struct QuestionState {
    stands: bool,
    answered_ms: Option<u64>,
}

impl QuestionState {
    /// A question is on the screen.
    pub fn asks(&mut self) {
        self.stands = true;
    }

    /// The question was withdrawn.
    pub fn withdraws(&mut self) {
        self.stands = false;
    }

    /// Whether a question is on the screen.
    pub fn stands(&self) -> bool {
        self.stands
    }

    /// Whether input at this time was pasted together with the answer before it.
    pub fn is_behind(&self, now: u64) -> bool {
        let answered = self.answered_ms.filter(|_| !self.stands);
        answered.is_some_and(|at| now.saturating_sub(at) < BREATH)
    }

    /// What a line ended at this time is used for; `None` if it must not be used.
    pub fn line(&mut self, text: &str, now: u64) -> Option<LineUse> {
        match (self.stands, self.is_behind(now)) {
            (true, _) => {
                *self = Self {
                    stands: false,
                    answered_ms: Some(now),
                };
                Some(LineUse::Question)
            }
            (false, true) => {
                self.answered_ms = Some(now);
                text.trim_start().starts_with('/').then_some(LineUse::Run)
            }
            (false, false) => Some(LineUse::Run),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_answers_and_those_in_its_breath_are_for_nobody() {
        let mut turn = QuestionState::default();
        assert_eq!(turn.line("x", 0), Some(LineUse::Run));
        turn.asks();
        let came = [100, 110, 140, 180, 1_000].map(|now| turn.line("x", now));
        let expected = [
            Some(LineUse::Question),
            None,
            None,
            None,
            Some(LineUse::Run),
        ];
        assert_eq!(came, expected);
        turn.asks();
        let came = ["ten", "eleven", "/answer Q-2 twelve"].map(|text| turn.line(text, 2_000));
        assert_eq!(came, [Some(LineUse::Question), None, Some(LineUse::Run)]);
    }

    #[test]
    fn a_question_can_be_answered_as_soon_as_it_stands() {
        let mut turn = QuestionState::default();
        turn.asks();
        assert_eq!(turn.line("x", 100), Some(LineUse::Question));
        turn.asks();
        assert_eq!(turn.line("x", 101), Some(LineUse::Question));
        turn.asks();
        turn.withdraws();
        assert_eq!(turn.line("x", 500), Some(LineUse::Run));
    }
}
