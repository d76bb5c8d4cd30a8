//! The task: a requirement, or a version and the changes wanted in it.

use crate::ids::FeedbackId;
use crate::machine::inputs::{FeedbackItem, PreviousVersion};

/// The user's task.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Task {
    /// The requirement, word for word.
    pub requirement: String,
    /// The version that is revised.
    pub previous: Option<PreviousVersion>,
    /// The user's feedback on it, point by point.
    pub feedback: Vec<FeedbackItem>,
}

impl Task {
    /// Returns the point of the feedback with this id.
    pub fn feedback_item(&self, id: FeedbackId) -> Option<&FeedbackItem> {
        self.feedback.iter().find(|item| item.id == id)
    }
}
