//! Escapes untrusted text for Markdown.
//!
//! Texts of models and people are data: they must not become headings, table cells, HTML or links.

mod text;

pub use text::text;
use unicode_segmentation::UnicodeSegmentation;

use crate::clean::{folded, is_hidden};
use crate::fence::Fence;
use crate::machine::words;

/// The text without control, bidirectional and invisible characters; lines end in `\n`.
pub fn plain(text: &str) -> String {
    // Every value of a page passes through here, and nearly all are printable ASCII.
    let is_printable = |byte| matches!(byte, b'\n' | b'\t' | b' '..=b'~');
    if text.bytes().all(is_printable) {
        return text.to_owned();
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let is_kept = |c: &char| !is_hidden(*c) && !matches!(c, '\u{2028}' | '\u{2029}');
    text.chars().filter(is_kept).collect()
}

/// The text on one line, each run of white space as one space.
pub fn one_line(text: &str) -> String {
    folded(&plain(text))
}

/// The text as part of a paragraph: one line, all Markdown syntax escaped except simple code spans.
pub fn inline(text: &str) -> String {
    escape(&one_line(text), false, false)
}

/// The text as a table cell; a dash if it is empty.
pub fn cell(text: &str) -> String {
    let text = one_line(text);
    if text.is_empty() {
        return "–".to_owned();
    }
    escape(&text, true, false)
}

/// The text as a code span, for paths and names.
pub fn code(text: &str) -> String {
    let text = one_line(text).replace('`', "'").replace('|', "¦");
    if text.is_empty() {
        return "–".to_owned();
    }
    format!("`{text}`")
}

/// The text with one sentence per line; lists and paragraphs are kept, everything else is escaped.
pub fn sentences(text: &str) -> String {
    let text = plain(text);
    let mut out: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim) {
        let bullet = line
            .strip_prefix("- ")
            .or_else(|| line.strip_prefix("* "))
            .map(str::trim);
        match (bullet, line) {
            (_, "") if out.last().is_none_or(String::is_empty) => {}
            (_, "") => out.push(String::new()),
            (Some(item), _) => out.push(format!("- {}", inline(item))),
            (None, line) => {
                if out.last().is_some_and(|last| last.starts_with("- ")) {
                    out.push(String::new());
                }
                out.extend(split_sentences(line).map(|sentence| escape(sentence, false, false)));
            }
        }
    }
    while out.last().is_some_and(String::is_empty) {
        out.pop();
    }
    out.join("\n")
}

/// The text as a list item: as [`inline`], but fenced code stays fenced code inside the item.
pub fn item(text: &str) -> String {
    let text = plain(text);
    let mut lines = text.lines();
    let (mut out, mut prose) = (String::new(), Vec::new());
    while let Some(line) = lines.next() {
        let Some(language) = line.trim().strip_prefix("```") else {
            prose.push(line);
            continue;
        };
        out.push_str(&inline(&std::mem::take(&mut prose).join(" ")));
        let code = lines.by_ref().take_while(|line| line.trim() != "```");
        let code = block(language, &code.collect::<Vec<_>>(), "  ");
        out.push_str(&format!("\n\n{code}\n\n"));
        out.push_str("  ");
    }
    out.push_str(&inline(&prose.join(" ")));
    out.truncate(out.trim_end().len());
    out
}

/// A command, a file or an output, unchanged in a code block of its own.
pub fn listing(text: &str) -> String {
    let text = plain(text);
    block("text", &text.lines().collect::<Vec<_>>(), "")
}

/// Lines in a code fence, each after the indentation. The fence is longer than any run of backticks
/// in them.
fn block(language: &str, code: &[&str], indent: &str) -> String {
    let is_name = |c: &char| c.is_ascii_alphanumeric() || "+-_".contains(*c);
    let language: String = language.chars().take_while(is_name).collect();
    let ticks = |line: &&str| line.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(code.iter().map(ticks).max().unwrap_or(0).max(2) + 1);
    let mut block = format!("{indent}{fence}{language}\n");
    for line in code {
        block.push_str(format!("{indent}{line}").trim_end());
        block.push('\n');
    }
    block + indent + &fence
}

/// The user's text as a quotation: unchanged, each line marked.
pub fn quote(text: &str) -> String {
    let text = plain(text);
    let lines: Vec<String> = text
        .trim()
        .lines()
        .map(|line| format!("> {line}"))
        .collect();
    lines.join("\n")
}

/// Splits at sentence ends, but not after abbreviations such as `e.g.`.
pub fn split_sentences(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut end = 0;
        for part in rest.split_sentence_bounds() {
            end += part.len();
            let so_far = rest[..end].trim_end();
            if !["e.g.", "i.e.", "etc.", "vs.", "cf.", "No."]
                .iter()
                .any(|short| so_far.ends_with(short))
            {
                break;
            }
        }
        let (sentence, tail) = rest.split_at(end);
        rest = tail.trim_start();
        Some(sentence.trim_end())
    })
}

/// Escapes one line; with `in_table` also pipes inside code spans, with `keeps_ids` all but ids in
/// square brackets.
fn escape(line: &str, in_table: bool, keeps_ids: bool) -> String {
    let mut out = String::with_capacity(line.len() + 8);
    let mut rest = escape_start(line, &mut out);
    let mut previous = ' ';
    while let Some(c) = rest.chars().next() {
        if c == '`'
            && let Some((span, tail)) = code_span(rest)
        {
            if in_table {
                out.push_str(&span.replace('|', "\\|"));
            } else {
                out.push_str(span);
            }
            (rest, previous) = (tail, '`');
            continue;
        }
        let tail = &rest[c.len_utf8()..];
        if keeps_ids
            && c == '['
            && let Some((ids, tail)) = ids_in_front(tail)
        {
            out.push_str(&format!("[{ids}]"));
            (rest, previous) = (tail, ']');
            continue;
        }
        if must_escape(c, previous, tail) || (c == '.' && ends_like_an_address(&out)) {
            out.push('\\');
        }
        out.push(c);
        (rest, previous) = (tail, c);
    }
    out
}

/// The ids at the start of a text up to their closing bracket, and the text after it. In brackets
/// they are no link unless an address follows.
fn ids_in_front(text: &str) -> Option<(&str, &str)> {
    let is_part = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || "-, ".contains(c);
    let (ids, tail) = text.split_at(text.find(|c| !is_part(c))?);
    let tail = tail.strip_prefix(']')?;
    (!tail.starts_with(['(', '[', ':']) && ids.contains('-')).then_some((ids, tail))
}

/// A code span with single backticks at the start of `text`, and the text after it.
fn code_span(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('`')?;
    let end = inner.find('`')?;
    let tail = &inner[end + 1..];
    // Runs of several backticks have other rules and are simply escaped.
    let simple = end > 0 && !tail.starts_with('`') && !inner[..end].trim().is_empty();
    simple.then(|| text.split_at(end + 2))
}

/// Escapes what would start a heading, list, quotation or rule at the start of a line; returns the
/// rest.
fn escape_start<'a>(line: &'a str, out: &mut String) -> &'a str {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, after) = line.split_at(digits);
    let Some(mark) = after.chars().next() else {
        return line;
    };
    let next = after[mark.len_utf8()..].chars().next().unwrap_or(' ');
    let starts = match mark {
        '.' | ')' => digits > 0 && next == ' ',
        '#' | '-' | '+' | '=' => digits == 0 && (next == ' ' || next == mark),
        '>' => digits == 0,
        _ => false,
    };
    if !starts {
        return line;
    }
    out.push_str(number);
    out.push('\\');
    out.push(mark);
    &after[mark.len_utf8()..]
}

/// Whether the text ends in `www`, so that a full stop after it would start a link.
fn ends_like_an_address(text: &str) -> bool {
    text.bytes()
        .rev()
        .take(3)
        .filter(|b| b.eq_ignore_ascii_case(&b'w'))
        .count()
        == 3
}

/// Whether the character could be Markdown syntax at this place.
fn must_escape(c: char, previous: char, tail: &str) -> bool {
    let next = tail.chars().next().unwrap_or(' ');
    match c {
        '\\' | '`' | '*' | '[' | ']' | '<' | '|' | '~' | '$' | '@' => true,
        // An underscore inside a word is not syntax.
        '_' => !(previous.is_alphanumeric() && next.is_alphanumeric()),
        '&' => next == '#' || next.is_ascii_alphabetic(),
        // Addresses become links even without markup.
        ':' => tail.starts_with("//"),
        _ => false,
    }
}

/// [`inline`] without the final full stop or semicolon, for a text that is followed by something.
pub fn bare(text: &str) -> String {
    inline(text.trim_end().trim_end_matches(['.', '。', ';', '；']))
}

/// At most `limit` characters of a text, with an ellipsis if something is missing.
pub fn clip(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let head: String = text.chars().take(limit.saturating_sub(1)).collect();
    format!("{}…", head.trim_end())
}

/// The number of words outside of `<details>`, counted by [`words`].
pub fn open_words(page: &str) -> usize {
    let mut folded = 0usize;
    let mut fence = Fence::default();
    let open = page.lines().filter(|line| {
        let is_code = fence.holds(line);
        folded += usize::from(!is_code && *line == "<details>");
        let is_open = folded == 0;
        folded = folded.saturating_sub(usize::from(!is_code && *line == "</details>"));
        is_open
    });
    words(&open.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_of_an_item_stays_in_its_fence_and_in_the_item() {
        for (text, expected) in [
            ("a\n# b", "a # b"),
            (
                "Before:\n```rust\nlet a = 1;\n\n  <b>\n```\n# after",
                "Before:\n\n  ```rust\n  let a = 1;\n\n    <b>\n  ```\n\n  \\# after",
            ),
            // An open fence ends with the text, and no fence ends early.
            ("```\na\n</details>", "\n\n  ```\n  a\n  </details>\n  ```"),
            (
                "```a b<\nx ``` y\n````\n```",
                "\n\n  `````a\n  x ``` y\n  ````\n  `````",
            ),
        ] {
            assert_eq!(item(text), expected, "{text}");
        }
    }

    #[test]
    fn markup_is_shown_and_not_obeyed() {
        assert_eq!(inline("# Heading"), "\\# Heading");
        assert_eq!(inline("a | b <script>"), "a \\| b \\<script>");
        assert_eq!(
            inline("[x](javascript:alert(1))"),
            "\\[x\\](javascript:alert(1))"
        );
        assert_eq!(inline("two\n\n# lines"), "two # lines");
        assert_eq!(inline("1. x"), "1\\. x");
        assert_eq!(inline("- x"), "\\- x");
        assert_eq!(inline("==="), "\\===");
        assert_eq!(inline("0.1 #5 -x"), "0.1 #5 -x");
        assert_eq!(inline("a_b _c_"), "a_b \\_c\\_");
        assert_eq!(inline("https://x www.x"), "https\\://x www\\.x");
        assert_eq!(inline("WwW.x nobody knew."), "WwW\\.x nobody knew.");
        assert_eq!(inline("\u{1b}[31mred\u{202e}"), "\\[31mred");
    }

    #[test]
    fn code_spans_stay_code_and_cannot_break_out() {
        assert_eq!(inline("use `a|b` now"), "use `a|b` now");
        assert_eq!(cell("use `a|b` now"), "use `a\\|b` now");
        assert_eq!(inline("``x`` <b>"), "\\`\\`x\\`\\` \\<b>");
        assert_eq!(inline("one ` only <b>"), "one \\` only \\<b>");
        assert_eq!(inline("\\`x` <b>"), "\\\\`x` \\<b>");
    }

    #[test]
    fn a_sentence_a_line() {
        assert_eq!(
            sentences("One. Two, e.g. Three. 3.5 is a number."),
            "One.\nTwo, e.g. Three.\n3.5 is a number."
        );
        assert_eq!(sentences("甲。乙!丙"), "甲。\n乙!\n丙");
        assert_eq!(sentences("a\n- b\nc\n\n\n# d"), "a\n- b\n\nc\n\n\\# d");
    }

    #[test]
    fn what_is_folded_is_not_counted() {
        let page = "one two\n<details>\n<summary>x</summary>\n\nthree\n\n</details>\nfour";
        assert_eq!(open_words(page), 3);
    }
}
