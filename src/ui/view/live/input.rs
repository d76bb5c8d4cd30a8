//! The line that is typed: below what goes on, or behind a question.

use unicode_width::UnicodeWidthStr;

use crate::ui::view::layout::{answer, dimmed, ending_in, fit, note, wrap};
use crate::ui::view::{Style, clean, text};

/// Before what is typed.
const SIGN: &str = "› ";
/// Columns that what is typed has at least, beside a question.
const LEAST: usize = 12;

/// Where a line that was pasted ends.
const BREAK: &str = " ↵ ";

/// What is typed, in one row.
fn row(text: &str) -> String {
    match text.contains('\n') {
        true => clean(&text.replace('\n', BREAK)),
        false => clean(text),
    }
}

/// `lines` with the line that is being typed below them, and the column of the cursor in it. While
/// nothing is typed it says what may be; once the discussion `is_over` nobody reads it.
pub fn typed(
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

/// A question with what is typed behind it, and the column of the cursor in the
/// last line.
pub fn asked(prompt: &str, text: &str, style: &Style) -> (Vec<String>, usize) {
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

/// A line that was typed, behind its question if there was one, to stay on the screen.
pub fn echo(prompt: &str, text: &str, style: &Style) -> String {
    let text = row(text);
    match prompt.is_empty() {
        true => answer(&text, style),
        false => wrap(&format!("{prompt}{text}"), "", style),
    }
}

/// What may be typed, shown for Enter alone.
pub fn menu(style: &Style) -> String {
    note(&crate::ui::view::menu(style), style)
}
