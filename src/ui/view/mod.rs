//! What people see in a terminal: one event as lines, and the pages of `status`, `list`,
//! `questions` and `show`. Pure: text in, text out.
//!
//! Everything that members or files said passes [`clean()`] before it is part of a line, so that no
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
mod speech;
mod status;
mod text;

use crate::machine::Lang;

pub use crate::artifact::{document_markdown, document_name};
pub use crate::clean::{WIDEST, clean, clean_json, clean_page, gist};
pub use closing::{Next, closing, demo_command, demo_notice, demo_steps};
pub use document::document_page;
pub use ending::{end_question, menu, standing};
pub use event::line;
pub use layout::{columns, hanging, hung, table_of};
pub use log::log_lines;
pub use markdown::markdown;
pub use questions::{
    QuestionsDocument, Sent, answer_prompt, question_text, questions_document, questions_text,
};
pub use show::{RoundDocument, issue_text, round_document, round_text, trial_text};
pub use status::{StatusDocument, VersionLine, list_text, stage, status_document, status_text};

/// How to write for one terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Columns to keep to; Chinese characters take two.
    pub width: usize,
    /// Whether colours may be used.
    pub color: bool,
    /// Words in place of symbols.
    pub plain: bool,
    /// Language of the interface.
    pub lang: Lang,
    /// 0 for what matters, 1 for calls as they start too.
    pub verbose: u8,
}

impl Style {
    /// The same in so many columns.
    pub fn with_width(self, width: usize) -> Self {
        Self { width, ..self }
    }
}

/// One event as the transcript has it, for `--output-format stream-json`.
///
/// # Errors
/// The entry cannot be written as JSON, which no event of the engine does.
pub fn json_line(entry: &crate::machine::Entry) -> serde_json::Result<String> {
    Ok(clean_json(&serde_json::to_string(entry)?))
}

#[cfg(test)]
mod tests;
