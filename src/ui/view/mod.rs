//! What users see in a terminal: events as lines, and the pages of `status`, `list`, `questions`
//! and `show`. Pure: text in, text out.
//!
//! Every text of members or files passes [`clean()`] before it becomes part of a line, so that no
//! control character reaches the terminal.

mod closing;
mod document;
mod ending;
mod event;
mod layout;
mod lines;
pub mod live;
mod log;
mod markdown;
mod questions;
#[cfg(test)]
pub(crate) mod samples;
mod show;
mod status;
mod text;

use crate::machine::Lang;

pub use crate::artifact::document_name;
pub use crate::clean::{WIDEST, clean, clean_json, clean_page, gist};
pub use closing::{Next, closing, demo_command, demo_notice, demo_steps};
pub use document::document_page;
pub use ending::{end_question, menu, standing};
pub use event::line;
pub use layout::{columns, fit, hanging, hung};
pub use lines::list;
pub use log::log_lines;
pub use markdown::markdown;
pub use questions::{
    QuestionsDocument, SentAnswer, answer_prompt, question_text, questions_document, questions_text,
};
pub use show::{RoundDocument, issue_text, round_document, round_text, trial_text};
pub use status::{StatusDocument, VersionLine, stage, status_document, status_text};

/// How to format output for one terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Width in columns; Chinese characters take two.
    pub width: usize,
    /// Whether colours are allowed.
    pub color: bool,
    /// Whether to use words instead of symbols.
    pub plain: bool,
    /// Language of the interface.
    pub lang: Lang,
    /// 0 for important events, 1 also for the start of each call.
    pub verbose: u8,
}

impl Style {
    /// The same style with this width.
    pub fn with_width(self, width: usize) -> Self {
        Self { width, ..self }
    }
}

/// One event as in the transcript, for `--output-format stream-json`.
///
/// # Errors
/// The entry cannot be written as JSON, which does not happen for events of the engine.
pub fn json_line(entry: &crate::machine::Entry) -> serde_json::Result<String> {
    Ok(clean_json(&serde_json::to_string(entry)?))
}

#[cfg(test)]
mod tests;
