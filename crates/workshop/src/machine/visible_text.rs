//! The visible part of a text: without comments and invisible characters.

use super::state::State;
use crate::clean::is_hidden;

impl State {
    /// Returns the visible part of the requirement.
    pub fn subject(&self) -> String {
        shown(&self.task.requirement)
    }
}

/// Removes what a reader of the rendered text does not see.
///
/// HTML comments (except in code spans, where they are visible), control characters other than line
/// feed and tab, invisible and direction-changing marks, and Unicode tags are removed. The result
/// is trimmed.
pub fn shown(text: &str) -> String {
    let is_plain = |byte| matches!(byte, b'\n' | b'\t' | b' '..=b'~');
    // Most texts hide nothing and need no further work.
    if text.bytes().all(is_plain) && !text.contains("<!--") {
        return text.trim().to_owned();
    }
    let mut shown: String = text
        .chars()
        .map(|c| {
            if matches!(c, '\u{2028}' | '\u{2029}') {
                '\n'
            } else {
                c
            }
        })
        .filter(|c| !is_hidden(*c))
        .collect();
    // Removing a comment may join the text around it into another comment.
    loop {
        let less = without_comments(&shown);
        if less.len() == shown.len() {
            break;
        }
        shown = less;
    }
    let trimmed = shown.trim();
    if trimmed.len() < shown.len() {
        return trimmed.to_owned();
    }
    shown
}

/// Removes `<!-- … -->`. An unclosed comment hides the rest of the text from readers, so that is
/// removed too.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['`', '<']) {
        kept.push_str(&rest[..at]);
        rest = &rest[at..];
        let taken = if rest.starts_with('`') {
            code_span(rest)
        } else if rest.starts_with("<!--") {
            rest = rest.find("-->").map_or("", |end| &rest[end + 3..]);
            0
        } else {
            1
        };
        kept.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    kept.push_str(rest);
    kept
}

/// Returns the length of the code span at the beginning of a text, or of its backticks if it is not
/// closed.
fn code_span(text: &str) -> usize {
    let ticks = text.bytes().take_while(|b| *b == b'`').count();
    let mut at = ticks;
    while let Some(found) = text[at..].find('`') {
        let start = at + found;
        let run = text[start..].bytes().take_while(|b| *b == b'`').count();
        at = start + run;
        if run == ticks {
            return at;
        }
    }
    ticks
}
