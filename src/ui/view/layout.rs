//! Columns, wrapping and colour.

use anstyle::AnsiColor;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::Style;
use super::text;
use crate::chat::Usage;
use crate::fault::MessageValue;

/// Maximum width in columns of a cell to which others are aligned.
const WIDEST_CELL: usize = 40;

/// The kind of a line; determines symbol, word and colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Done,
    Note,
    Asked,
    Answered,
    Warning,
    Ruled,
}

impl Mark {
    /// The mark as shown before a line.
    pub(super) fn shown(self, style: &Style) -> String {
        let (symbol, word, color) = match self {
            Self::Done => ("✓", text::MARK_DONE, AnsiColor::Green),
            Self::Note => ("·", text::MARK_NOTE, AnsiColor::BrightBlack),
            Self::Asked => ("?", text::MARK_ASKED, AnsiColor::Cyan),
            Self::Answered => ("›", text::MARK_ANSWERED, AnsiColor::Cyan),
            Self::Warning => ("!", text::MARK_WARNING, AnsiColor::Yellow),
            Self::Ruled => ("◆", text::MARK_RULED, AnsiColor::Green),
        };
        if style.plain {
            format!("{}:", word.of(style.lang))
        } else {
            paint(symbol, color.on_default(), style)
        }
    }

    fn columns(self, style: &Style) -> usize {
        let plain = Style {
            color: false,
            ..*style
        };
        self.shown(&plain).width()
    }
}

/// `text` in this style, if colours are allowed.
pub(super) fn paint(text: &str, with: anstyle::Style, style: &Style) -> String {
    if style.color {
        format!("{with}{text}{with:#}")
    } else {
        text.to_owned()
    }
}

/// `text` in bold, if colours are allowed.
pub(super) fn bold(text: &str, style: &Style) -> String {
    paint(text, anstyle::Style::new().bold(), style)
}

/// `text` dimmed, if colours are allowed.
pub(super) fn dimmed(text: &str, style: &Style) -> String {
    paint(text, anstyle::Style::new().dimmed(), style)
}

/// Minimum width of the column with the member's code.
const WHO: usize = 5;

/// Columns left in a [`row`] for its text.
fn room(mark: Mark, who: &str, figure: &str, style: &Style) -> usize {
    let before = mark.columns(style) + 1 + who.width().max(WHO) + 1;
    let after = if figure.is_empty() {
        0
    } else {
        figure.width() + 2
    };
    style.width.saturating_sub(before + after).max(10)
}

/// One line: mark, member, text (cut to fit) and a figure at the right edge.
pub(super) fn row(mark: Mark, who: &str, what: &str, figure: &str, style: &Style) -> String {
    let room = room(mark, who, figure, style);
    let who = pad(who, WHO);
    let what = fit(what, room, style);
    let mut line = format!("{} {} {what}", mark.shown(style), bold(&who, style));
    if !figure.is_empty() {
        let gap = room.saturating_sub(what.width()) + 2;
        line.push_str(&" ".repeat(gap));
        line.push_str(&dimmed(figure, style));
    }
    line.truncate(line.trim_end().len());
    line
}

/// A marked text, which may take several lines.
pub(super) fn marked(mark: Mark, text: &str, style: &Style) -> String {
    wrap(text.trim_start(), &format!("{} ", mark.shown(style)), style)
}

/// `text` wrapped to the width behind `prefix`; continuation lines start below the text.
pub(super) fn wrap(text: &str, prefix: &str, style: &Style) -> String {
    if text.is_empty() {
        return prefix.trim_end().to_owned();
    }
    let least = textwrap::core::display_width(prefix) + 10;
    wrapped(text, prefix, style.width.max(least))
}

/// `text` wrapped to the width, even if it is very narrow.
pub(super) fn wrap_narrow(text: &str, style: &Style) -> String {
    wrapped(text, "", style.width.max(1))
}

fn wrapped(text: &str, prefix: &str, width: usize) -> String {
    let indent = " ".repeat(textwrap::core::display_width(prefix));
    let options = textwrap::Options::new(width)
        .initial_indent(prefix)
        .subsequent_indent(&indent)
        .word_separator(textwrap::WordSeparator::Custom(words_of))
        // Does not break an id such as I-1 at its hyphen.
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .break_words(true);
    textwrap::wrap(text, options).join("\n")
}

/// A text of others, wrapped to the width; continuation lines are indented like the start of their
/// line. Control characters are removed.
pub fn hung(page: &str, style: &Style) -> String {
    let rows = page.lines().map(|row| {
        let text = super::clean(row);
        let own = row.len() - row.trim_start_matches(' ').len();
        let indent = " ".repeat(own.min(style.width / 2));
        let mark = ["- ", "* "].iter().find(|mark| text.starts_with(**mark));
        match mark {
            Some(mark) => {
                let text = text.trim_start_matches(['-', '*', ' ']);
                wrap(text, &format!("{indent}{mark}"), style)
            }
            None => wrap(&text, &indent, style),
        }
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// A page of marked rows (`+ `, `- `, `~ ` after spaces, perhaps in colour), wrapped to the width;
/// continuation lines start below the row's text.
pub fn hanging(page: &str, style: &Style) -> String {
    let rows = page.lines().map(|row| {
        let (colour, row) = match row.strip_prefix("\u{1b}[").and_then(|rest| rest.find('m')) {
            Some(end) => row.split_at("\u{1b}[".len() + end + 1),
            None => ("", row),
        };
        let (row, reset) = match row.find('\u{1b}') {
            Some(at) => row.split_at(at),
            None => (row, ""),
        };
        let text = row.trim_start_matches(' ');
        let marks = ["+ ", "- ", "~ "];
        let mark = marks.into_iter().find(|mark| text.starts_with(mark));
        let mark = mark.unwrap_or_default();
        let own = " ".repeat(row.len() - text.len());
        let wrapped = wrap(&text[mark.len()..], &format!("{colour}{own}{mark}"), style);
        wrapped + reset
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// A page of our own, wrapped to the width. Text after two or more spaces is a column, whose
/// continuation lines start below its beginning.
pub fn columns(page: &str, style: &Style) -> String {
    let rows = page.lines().map(|row| {
        let own = row.len() - row.trim_start_matches(' ').len();
        let gap = row[own..].find("  ").map(|at| own + at);
        let begins = gap.map_or(own, |at| {
            at + row[at..].len() - row[at..].trim_start().len()
        });
        let (before, text) = row.split_at(begins);
        // There is no room for a column, so the row is wrapped as a whole.
        if before.width() > style.width / 2 {
            return wrap(row.trim_start(), &" ".repeat(own), style);
        }
        wrap(text, before, style)
    });
    rows.collect::<Vec<_>>().join("\n")
}

/// Splits a line into words at spaces. A Chinese character is a word of its own, together with
/// punctuation that must not start a line.
fn words_of(line: &str) -> Box<dyn Iterator<Item = textwrap::core::Word<'_>> + '_> {
    let mut starts = vec![0];
    let mut before = None;
    for (at, c) in line.char_indices() {
        let may_break = before.is_some_and(|before: char| {
            let blank = before == ' ' && c != ' ';
            blank || (c != ' ' && (is_wide(before) || is_wide(c)) && !hangs(before, c))
        });
        if may_break {
            starts.push(at);
        }
        before = Some(c);
    }
    starts.push(line.len());
    let pairs: Vec<_> = starts.windows(2).map(|pair| (pair[0], pair[1])).collect();
    Box::new(
        pairs
            .into_iter()
            .map(|(from, to)| textwrap::core::Word::from(&line[from..to])),
    )
}

fn is_wide(c: char) -> bool {
    unicode_width::UnicodeWidthChar::width(c) == Some(2)
}

/// Whether `c` must stay with the character before it.
fn hangs(before: char, c: char) -> bool {
    "，。、；：？！）》」』】”’,.;:?!)".contains(c) || "（《「『【“‘(".contains(before)
}

/// A label and a text beside it; continuation lines start below the text.
pub(super) fn labelled(label: impl MessageValue, text: &str, style: &Style) -> String {
    let label = bold(&pad(&label.in_lang(style.lang), 8), style);
    wrap(text.trim_start(), &format!("  {label} "), style)
}

/// `text` padded with spaces to `columns`.
pub(super) fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(text.width())))
}

/// `text` cut to `columns`, with an ellipsis if something was cut off.
pub fn fit(text: &str, columns: usize, style: &Style) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let sign = if style.plain { "..." } else { "…" };
    let whole = text.graphemes(true);
    let kept = fitting(whole, columns.saturating_sub(sign.width()));
    format!("{}{sign}", text[..kept].trim_end())
}

/// The end of `text` in `columns`, with an ellipsis if the beginning was cut off.
pub(super) fn ending_in(text: &str, columns: usize, style: &Style) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let sign = if style.plain { "..." } else { "…" };
    let backwards = text.graphemes(true).rev();
    let kept = fitting(backwards, columns.saturating_sub(sign.width()));
    format!("{sign}{}", text[text.len() - kept..].trim_start())
}

/// Length in bytes of the first characters that fit in this many columns.
fn fitting<'t>(characters: impl Iterator<Item = &'t str>, columns: usize) -> usize {
    let (mut bytes, mut used) = (0, 0);
    for character in characters {
        used += character.width();
        if used > columns {
            break;
        }
        bytes += character.len();
    }
    bytes
}

/// The last `lines` lines of `text`, wrapped to `columns`. It is wrapped from its beginning, so
/// that existing lines stay the same while the text grows.
pub(super) fn tail(text: &str, columns: usize, lines: usize, style: &Style) -> Vec<String> {
    let wrapped = wrap(text, "", &style.with_width(columns.max(1)));
    let all: Vec<_> = wrapped.lines().map(str::to_owned).collect();
    all[all.len().saturating_sub(lines)..].to_vec()
}

/// A text of the program, marked as a note.
pub(super) fn note(text: &str, style: &Style) -> String {
    marked(Mark::Note, text, style)
}

/// An answer or message of the user.
pub(super) fn answer(text: &str, style: &Style) -> String {
    marked(Mark::Answered, text, style)
}

/// The separator between the parts of a line.
pub(super) fn dot(style: &Style) -> &'static str {
    if style.plain { ", " } else { " · " }
}

/// A heading that fills the line.
pub(super) fn heading(text: &str, style: &Style) -> String {
    if style.plain {
        return fit(text, style.width, style);
    }
    let text = fit(text, style.width.saturating_sub(6), style);
    let rest = style.width.saturating_sub(text.width() + 4);
    format!("── {} {}", bold(&text, style), "─".repeat(rest))
}

/// A token count in few columns: `812`, `12.3k`, `1.2M`.
pub(super) fn tokens(count: u64) -> String {
    match count {
        0..1_000 => count.to_string(),
        1_000..100_000 => format!("{}.{}k", count / 1_000, count % 1_000 / 100),
        100_000..1_000_000 => format!("{}k", count / 1_000),
        _ => format!("{}.{}M", count / 1_000_000, count % 1_000_000 / 100_000),
    }
}

/// The mark before a figure that is partly an estimate.
pub(super) fn about(usage: &Usage) -> &'static str {
    if usage.estimated { "~" } else { "" }
}

/// Ids as a list: `I-1, I-2`.
pub(super) fn ids<T: std::fmt::Display>(ids: impl IntoIterator<Item = T>) -> String {
    ids.into_iter()
        .map(|id| id.to_string())
        .collect::<Vec<_>>()
        .join(", ")
}

/// Rows in aligned columns, one line each. A column is as wide as its widest cell, but at most
/// `WIDEST_CELL`; the last column is not padded.
pub(super) fn table_of<'t, R: Iterator<Item = &'t str>>(rows: impl Iterator<Item = R>) -> String {
    let rows: Vec<Vec<&str>> = rows.map(Iterator::collect).collect();
    let mut widths: Vec<usize> = Vec::new();
    for row in &rows {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.width().min(WIDEST_CELL));
        }
    }
    let lines = rows.iter().map(|row| {
        let cells = row.iter().zip(&widths);
        let line: Vec<String> = cells.map(|(cell, width)| pad(cell, *width)).collect();
        line.join("  ").trim_end().to_owned() + "\n"
    });
    lines.collect()
}
