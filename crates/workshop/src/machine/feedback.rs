//! How the user's words become points of feedback.

use super::inputs::{Counters, FeedbackItem};
use super::visible_text::shown;
use crate::fence::Fence;
use crate::ids::FeedbackId;

/// Splits the user's feedback into points: each list item with the lines that continue it, and each
/// sentence of the paragraphs. Ids continue from `counters`.
///
/// A text without letters and digits is one point: "👎" is feedback, too.
pub fn split_feedback(text: &str, counters: &Counters) -> Vec<FeedbackItem> {
    let text = shown(text);
    let mut points = points(&text);
    points.retain(|point| point.chars().any(char::is_alphanumeric));
    let whole = text.trim();
    if points.is_empty() && !whole.is_empty() {
        points.push(whole.to_owned());
    }
    points
        .into_iter()
        .zip(counters.feedback.saturating_add(1)..)
        .map(|(point, n)| {
            let text = point.trim().trim_end_matches([';', '；']);
            FeedbackItem::said(FeedbackId(n), text.to_owned())
        })
        .collect()
}

/// Part of a text that a blank line or another part ends.
enum Block {
    Item(String),
    Paragraph(String),
    /// A block of code or a table, line by line.
    Verbatim(String),
}

/// Returns the list items of a text and the sentences of its paragraphs. Code and tables are kept
/// as they are, with the point before them.
pub(super) fn points(text: &str) -> Vec<String> {
    let mut points: Vec<String> = Vec::new();
    for part in parts(text) {
        match (part, points.last_mut()) {
            (Block::Item(item), _) => points.push(item),
            (Block::Paragraph(text), _) => {
                points.extend(sentences(&text).into_iter().map(str::to_owned));
            }
            (Block::Verbatim(block), Some(point)) => {
                point.push('\n');
                point.push_str(&block);
            }
            (Block::Verbatim(block), None) => points.push(block),
        }
    }
    points
}

fn parts(text: &str) -> Vec<Block> {
    let mut parts: Vec<Block> = Vec::new();
    let mut fence = Fence::default();
    let (mut before, mut in_item) = ("", false);
    for line in text.lines() {
        let words = line.trim();
        let item = list_item(line);
        let inner = item.unwrap_or(words);
        let is_row = words.starts_with('|');
        let is_code = !in_item && (line.starts_with("    ") || line.starts_with('\t'));
        let is_more = in_item && line.starts_with(char::is_whitespace);
        let in_code = fence.is_open();
        let is_fenced = fence.holds(if in_code { line } else { inner });
        match parts.last_mut() {
            Some(Block::Verbatim(block)) if in_code || (is_row && !before.is_empty()) => {
                block.push('\n');
                block.push_str(line);
            }
            _ if is_fenced => {
                if item.is_some() {
                    parts.push(Block::Item(String::new()));
                    in_item = true;
                }
                parts.push(Block::Verbatim(item.unwrap_or(line).to_owned()));
            }
            _ if is_row => parts.push(Block::Verbatim(line.to_owned())),
            // A blank line, or one that underlines or separates.
            _ if !words.chars().any(|c| !"=-*_#".contains(c)) => {}
            _ if item.is_some() && !is_code => {
                parts.push(Block::Item(inner.to_owned()));
                in_item = true;
            }
            Some(Block::Verbatim(block)) if is_more || is_code => {
                block.push('\n');
                block.push_str(line);
            }
            Some(Block::Item(text)) if is_more || goes_on(before, words) => continued(text, words),
            Some(Block::Paragraph(text)) if goes_on(before, words) => continued(text, words),
            _ if is_code && before.is_empty() => parts.push(Block::Verbatim(line.to_owned())),
            _ => {
                let heading = words.trim_start_matches('#').trim_start();
                parts.push(Block::Paragraph(heading.to_owned()));
                in_item = false;
            }
        }
        before = words;
    }
    parts
}

/// Returns whether the sentence of a line goes on in the next: the line ends with a comma, or the
/// next begins in lower case. Short lines are points of their own, since some people write them so.
fn goes_on(line: &str, next: &str) -> bool {
    let end = line.trim_end_matches(|c: char| ")\"'”’」』）*_`".contains(c));
    let ends_sentence = end.ends_with(|c: char| ".!?;:…。！？；：".contains(c));
    let is_long = line.chars().count() >= 30;
    line.ends_with([',', '，', '、'])
        || (is_long && !ends_sentence && next.starts_with(char::is_lowercase))
}

/// Adds a line to a text that goes on in it. Chinese and Japanese have no space there.
fn continued(text: &mut String, line: &str) {
    let is_wide = |c: char| {
        matches!(c, '\u{3000}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
            | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
    };
    let ends_wide = text.chars().next_back().is_some_and(is_wide);
    if !(ends_wide && line.chars().next().is_some_and(is_wide)) {
        text.push(' ');
    }
    text.push_str(line);
}

/// Returns the text of a list item after its marker: `-`, `*`, `+`, `•`, `·`, or a number.
fn list_item(line: &str) -> Option<&str> {
    let line = line.trim();
    let bulleted = line.trim_start_matches(['-', '*', '+', '•', '·']);
    let is_mark = bulleted.len() < line.len() && bulleted.starts_with(char::is_whitespace);
    let text = without_ordinal(bulleted.trim());
    let is_item = is_mark || text.len() < bulleted.trim().len();
    is_item.then_some(text)
}

/// Returns the text of a numbered list item after `1.`, `2)`, `3、`, `（4）`.
fn without_ordinal(line: &str) -> &str {
    let inner = line.trim_start_matches(['(', '（']);
    let rest = inner.trim_start_matches(|c: char| c.is_ascii_digit());
    let mark = rest.chars().next().filter(|c| ".)）、．".contains(*c));
    let Some(mark) = mark.filter(|_| rest.len() < inner.len()) else {
        return line;
    };
    let text = &rest[mark.len_utf8()..];
    // `1.5 seconds` is not a list item.
    let is_item = text.starts_with(char::is_whitespace) || "）、．".contains(mark);
    match is_item && !text.trim().is_empty() {
        true => text.trim(),
        false => line,
    }
}

/// Returns whether the full stop between `before` and `after` belongs to an abbreviation.
fn is_abbreviation(before: &str, after: &str) -> bool {
    const ALWAYS: [&str; 9] = ["e.g", "i.e", "vs", "cf", "mr", "mrs", "ms", "dr", "approx"];
    const BEFORE_FIGURES: [&str; 7] = ["no", "sec", "fig", "max", "min", "ca", "art"];
    let word = before
        .rsplit(char::is_whitespace)
        .next()
        .unwrap_or_default();
    let word = word.trim_start_matches(['(', '"', '\'']).to_lowercase();
    let next = after.trim_start().chars().next();
    ALWAYS.contains(&word.as_str())
        || (word == "etc" && next.is_some_and(char::is_lowercase))
        || (BEFORE_FIGURES.contains(&word.as_str()) && next.is_some_and(|c| c.is_ascii_digit()))
}

/// Returns the sentences of a line. A full stop ends a sentence only before a space, so that
/// numbers, versions and file names stay whole; in code between backticks nothing does.
fn sentences(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut in_code = false;
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let spaced = chars.peek().is_none_or(|(_, next)| next.is_whitespace());
        let ends = matches!(c, '。' | '；' | '！' | '？')
            || (matches!(c, '.' | ';' | '!' | '?') && spaced);
        let end = at + c.len_utf8();
        if c == '`' {
            // A backtick without its partner begins no code.
            in_code = !in_code && line[end..].contains('`');
        }
        if ends && !in_code && !(c == '.' && is_abbreviation(&line[start..at], &line[end..])) {
            parts.push(line[start..end].trim());
            start = end;
        }
    }
    parts.push(line[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feedback_is_split_where_a_point_ends_and_nothing_of_it_is_lost() {
        for (text, points) in [
            (
                "1. Use XLSX instead of CSV\n2. Add totals, e.g. per month",
                &["Use XLSX instead of CSV", "Add totals, e.g. per month"][..],
            ),
            (
                "1) Drop the log\n（2）改用 XLSX\n3、加上合计",
                &["Drop the log", "改用 XLSX", "加上合计"],
            ),
            (
                "Ask Mr. Smith. See sec. 3. No. Keep it",
                &["Ask Mr. Smith.", "See sec. 3.", "No.", "Keep it"],
            ),
            ("no csv. use xlsx", &["no csv.", "use xlsx"]),
            (
                "Thanks. Two things:\n\n- No CSV; it is read\n  by nobody. Use XLSX.\n* **Bold** is kept.\n\nThe rest stays. All of it.",
                &[
                    "Thanks.",
                    "Two things:",
                    "No CSV; it is read by nobody. Use XLSX.",
                    "**Bold** is kept.",
                    "The rest stays.",
                    "All of it.",
                ],
            ),
            (
                "- A.\n\n  More of A.\nB. C.\n  D.",
                &["A. More of A.", "B.", "C.", "D."],
            ),
            (
                "The export must be XLSX, and support\nstaff may use it, too.\nno csv\nuse xlsx",
                &[
                    "The export must be XLSX, and support staff may use it, too.",
                    "no csv",
                    "use xlsx",
                ],
            ),
            (
                "导出文件必须使用 XLSX 格式，\n并且客服人员也可以使用它",
                &["导出文件必须使用 XLSX 格式，并且客服人员也可以使用它"],
            ),
            (
                "导出文件必须使用 XLSX 格式，不再使用 CSV 格式，每月一份\n只有管理员可以导出",
                &[
                    "导出文件必须使用 XLSX 格式，不再使用 CSV 格式，每月一份",
                    "只有管理员可以导出",
                ],
            ),
            (
                "Export the customer list as XLSX instead of CSV, please\nAdd a totals row\n\
                 It says (in the last line of the help.)\nno more",
                &[
                    "Export the customer list as XLSX instead of CSV, please",
                    "Add a totals row",
                    "It says (in the last line of the help.)",
                    "no more",
                ],
            ),
            (
                "```--json``` must go\nUse XLSX.\n```\nA; never closed.",
                &["```--json``` must go", "Use XLSX.\n```\nA; never closed."],
            ),
            (
                "- ```sql\n  SELECT 1;\n  ```\n- Use XLSX\n- Rename it to\n  ````\n  ```sql\n  \
                 a; b\n  ```\n  ````\n  everywhere\n- Add totals",
                &[
                    "```sql\n  SELECT 1;\n  ```",
                    "Use XLSX",
                    "Rename it to\n  ````\n  ```sql\n  a; b\n  ```\n  ````\n  everywhere",
                    "Add totals",
                ],
            ),
            (
                "Run this:\n\n    aitc plan x; echo 1. 2\n    - no item\n\nThen stop.",
                &[
                    "Run this:\n    aitc plan x; echo 1. 2\n    - no item",
                    "Then stop.",
                ],
            ),
            (
                "- Every list of more than a hundred customers is\nsplit into pages.\nThanks",
                &[
                    "Every list of more than a hundred customers is split into pages.",
                    "Thanks",
                ],
            ),
            (
                "Use `a; b. c` as the key. Done; or `not",
                &["Use `a; b. c` as the key.", "Done", "or `not"],
            ),
            (
                "# Export\n\nDo this.\n\n```sql\nSELECT 1;\n\nC. D\n```\nAnd that.\n---\n\
                 | a | b |\n|---|---|\n| 1 | 2 |",
                &[
                    "Export",
                    "Do this.\n```sql\nSELECT 1;\n\nC. D\n```",
                    "And that.\n| a | b |\n|---|---|\n| 1 | 2 |",
                ],
            ),
            ("```\nA; B\n```", &["```\nA; B\n```"]),
            ("**Bold** is no list.", &["**Bold** is no list."]),
            (
                "-5 degrees are too cold. No",
                &["-5 degrees are too cold.", "No"],
            ),
            ("1.5 seconds is too slow", &["1.5 seconds is too slow"]),
            ("👎", &["👎"]),
            ("...", &["..."]),
            ("", &[]),
        ] {
            let split = split_feedback(text, &Counters::default());
            let split: Vec<&str> = split.iter().map(|item| item.text.as_str()).collect();
            assert_eq!(split, points, "{text}");
        }
    }
}
