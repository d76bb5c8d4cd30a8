//! Shapes of what `questions` and `answer` print with `--json`.
#![allow(dead_code, reason = "shapes are read by the schema generator only")]

use schemars::JsonSchema;
use serde::Serialize;

use crate::machine::{Question, QuestionId};

/// `questions`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuestionsShape {
    /// Version of this format.
    v: u32,
    /// `N` of `vN`.
    version: u32,
    /// Those that wait, or all.
    questions: Vec<QuestionShape>,
}

/// A question and what is asked right now.
#[derive(Serialize, JsonSchema)]
struct QuestionShape {
    #[serde(flatten)]
    question: Question,
    /// The question, or the follow-up that waits.
    asked_now: String,
    /// Is there an answer that no process has taken up?
    answer_waits: bool,
    /// What it says, as it was sent; none if there is none, or if it declines.
    answer_sent: Option<String>,
    /// Places that were looked at before it was asked, such as `docs/limits.md:3-5`.
    looked_at: Vec<String>,
}

/// `answer`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerShape {
    /// Version of this format.
    v: u32,
    /// `N` of `vN`.
    version: u32,
    /// Questions that were answered.
    answered: Vec<QuestionId>,
    /// Does the run go on right now, and take them in?
    running: bool,
    /// The command that goes on; null if it runs.
    next: Option<String>,
}
