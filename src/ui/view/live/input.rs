//! Formats the line that is being typed: below the live lines, or after a question.

use unicode_width::UnicodeWidthStr;

use crate::ui::view::layout::{answer, dimmed, ending_in, fit, note, wrap};
use crate::ui::view::{Style, clean, text};

/// Shown before typed text.
const SIGN: &str = "› ";
/// Minimum columns for typed text beside a question.
const LEAST: usize = 12;

/// Shown for a line break in pasted text.
const BREAK: &str = " ↵ ";

/// Typed text as one row.
fn row(text: &str) -> String {
    match text.contains('\n') {
        true => clean(&text.replace('\n', BREAK)),
        false => clean(text),
    }
}

/// `lines` with the typed line below them, and the column of the cursor in it. If nothing is typed,
/// the line shows a hint; once the discussion `is_over`, the hint that nobody reads it.
pub fn with_typed_line(
    mut lines: Vec<String>,
    text: &str,
    is_over: bool,
    style: &Style,
) -> (Vec<String>, usize) {
    let room = style.width.saturating_sub(SIGN.width());
    let text = ending_in(&row(text), room, style);
    if text.is_empty() {
        let hint = match is_over {
            true => text::NOBODY_HEARS,
            false => text::TYPE_HERE,
        };
        let hint = fit(hint.of(style.lang), room, style);
        lines.push(format!("{SIGN}{}", dimmed(&hint, style)));
    } else {
        lines.push(format!("{SIGN}{text}"));
    }
    (lines, SIGN.width() + text.width())
}

/// A question followed by the typed text, and the column of the cursor in the last line.
pub fn with_question(prompt: &str, text: &str, style: &Style) -> (Vec<String>, usize) {
    let wrapped = wrap(prompt.trim_end(), "", style);
    let mut lines: Vec<_> = wrapped.lines().map(str::to_owned).collect();
    let mut last = lines.pop().unwrap_or_default();
    let text = row(text);
    let beside = style.width.saturating_sub(last.width() + 1);
    if beside < text.width().max(LEAST) {
        lines.push(std::mem::replace(&mut last, SIGN.to_owned()));
    } else {
        last.push(' ');
    }
    let room = style.width.saturating_sub(last.width());
    last.push_str(&ending_in(&text, room, style));
    let column = last.width();
    lines.push(last);
    (lines, column)
}

/// A finished line, after its question if there was one, to stay on the screen.
pub fn echo(prompt: &str, text: &str, style: &Style) -> String {
    let text = row(text);
    match prompt.is_empty() {
        true => answer(&text, style),
        false => wrap(&format!("{prompt}{text}"), "", style),
    }
}

/// The menu, shown for an empty line.
pub fn menu(style: &Style) -> String {
    note(&crate::ui::view::menu(style), style)
}
