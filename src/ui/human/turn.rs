//! For whom a typed line is, by what stood on the screen when it was ended.
//!
//! ```text
//! no question ──asks──▶ a question stands ──line──▶ answered ──a breath──▶ no question
//!   │ line: for the run     line: the answer          line: for nobody
//! ```
//!
//! A line that comes in the same breath as an answer was pasted along with it: nobody has
//! read by then what it would answer, or whom it would be said to. A command says so by
//! itself (`/answer Q-2 …`), and is for the run.

/// Within so many milliseconds nobody who types has ended another line.
const BREATH: u64 = 50;

/// For whom a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum For {
    /// The question that was on the screen when it was ended.
    Question,
    /// The run: nothing was asked.
    Run,
}

/// A line that was typed, without its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What it says.
    pub text: String,
    /// For whom it is.
    pub to: For,
}

/// Whose turn it is at a terminal. Times are milliseconds from any moment.
#[derive(Debug, Default)]
pub struct Turn {
    stands: bool,
    answered_ms: Option<u64>,
}

impl Turn {
    /// A question is on the screen.
    pub fn asks(&mut self) {
        self.stands = true;
    }

    /// It is asked no more.
    pub fn withdraws(&mut self) {
        self.stands = false;
    }

    /// Returns whether a question is on the screen.
    pub fn stands(&self) -> bool {
        self.stands
    }

    /// Returns whether what came at this moment belongs to the answer before it.
    pub fn is_behind(&self, now: u64) -> bool {
        let answered = self.answered_ms.filter(|_| !self.stands);
        answered.is_some_and(|at| now.saturating_sub(at) < BREATH)
    }

    /// For whom a line is that is ended at this moment; `None` for one that is for nobody.
    pub fn line(&mut self, text: &str, now: u64) -> Option<For> {
        match (self.stands, self.is_behind(now)) {
            (true, _) => {
                *self = Self {
                    stands: false,
                    answered_ms: Some(now),
                };
                Some(For::Question)
            }
            (false, true) => {
                self.answered_ms = Some(now);
                text.trim_start().starts_with('/').then_some(For::Run)
            }
            (false, false) => Some(For::Run),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_answers_and_those_in_its_breath_are_for_nobody() {
        let mut turn = Turn::default();
        assert_eq!(turn.line("x", 0), Some(For::Run));
        turn.asks();
        let came = [100, 110, 140, 180, 1_000].map(|now| turn.line("x", now));
        let expected = [Some(For::Question), None, None, None, Some(For::Run)];
        assert_eq!(came, expected);
        turn.asks();
        let came = ["ten", "eleven", "/answer Q-2 twelve"].map(|text| turn.line(text, 2_000));
        assert_eq!(came, [Some(For::Question), None, Some(For::Run)]);
    }

    #[test]
    fn a_question_can_be_answered_as_soon_as_it_stands() {
        let mut turn = Turn::default();
        turn.asks();
        assert_eq!(turn.line("x", 100), Some(For::Question));
        turn.asks();
        assert_eq!(turn.line("x", 101), Some(For::Question));
        turn.asks();
        turn.withdraws();
        assert_eq!(turn.line("x", 500), Some(For::Run));
    }
}
