//! What is asked for: a requirement, or a version and what is to change in it.

use crate::ids::FeedbackId;
use crate::machine::inputs::{FeedbackItem, Previous};

/// What the user asks for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Task {
    /// The requirement, word for word.
    pub requirement: String,
    /// The version that is revised.
    pub previous: Option<Previous>,
    /// The user's feedback on it, point by point.
    pub feedback: Vec<FeedbackItem>,
}

impl Task {
    /// One point of the feedback.
    pub fn feedback_item(&self, id: FeedbackId) -> Option<&FeedbackItem> {
        self.feedback.iter().find(|item| item.id == id)
    }
}
