//! Makes untrusted text safe for a terminal.

use serde_json::Value;

/// Maximum width in columns unless more are requested. On a wider terminal, the end of a line would
/// be too far from its beginning.
pub const WIDEST: usize = 120;

/// Returns one line without anything that could move the cursor, change colours, change the
/// direction of writing, or hide text: escape sequences, control characters of both ranges,
/// bidirectional marks, zero-width and other invisible characters. Each run of white space becomes
/// one space.
pub fn clean(text: &str) -> String {
    let visible = anstream::adapter::strip_str(text).to_string();
    let mut line = String::with_capacity(visible.len());
    for c in visible.chars() {
        if c.is_whitespace() {
            if !line.ends_with(' ') && !line.is_empty() {
                line.push(' ');
            }
        } else if !c.is_control() && !is_invisible(c) {
            line.push(c);
        }
    }
    line.truncate(line.trim_end().len());
    line
}

/// Returns the whole text on one line, each run of white space as one space.
pub(crate) fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns several lines without anything that could control a terminal; line breaks and spaces are
/// kept, a tab becomes a space.
pub fn clean_page(text: &str) -> String {
    let visible = anstream::adapter::strip_str(text).to_string();
    let shown = visible.chars().filter_map(|c| match c {
        '\n' => Some(c),
        '\t' | '\u{2028}' | '\u{2029}' => Some(' '),
        c if c.is_control() || is_invisible(c) => None,
        c => Some(c),
    });
    shown.collect()
}

/// Returns JSON text with the same meaning that cannot control a terminal: control characters that
/// JSON allows, bidirectional marks and invisible characters are escaped. Line breaks between its
/// parts are kept.
pub fn clean_json(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for c in json.chars() {
        if c != '\n' && (c.is_control() || is_invisible(c) || matches!(c, '\u{2028}' | '\u{2029}'))
        {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                shown.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Returns whether a character shows nothing, or changes the direction of writing.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Returns whether a character that does not end a line hides something or can reverse a line. The
/// joiners inside words and pictures do neither.
pub(crate) fn is_hidden(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Calls `change` with each text of a JSON value; names of fields are none.
pub(crate) fn each_text(value: &mut Value, change: &mut impl FnMut(&mut String)) {
    match value {
        Value::String(text) => change(text),
        Value::Array(items) => items.iter_mut().for_each(|item| each_text(item, change)),
        Value::Object(fields) => fields.values_mut().for_each(|item| each_text(item, change)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Returns the letters and digits of a text, in lower case: `newIssues` and `New-Issues` are the
/// same.
pub(crate) fn letters(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Returns the first sentence of a Markdown text, as one clean line without markup. A heading is
/// used only if nothing but tables follows it, a table row only if there is nothing else.
pub fn gist(markdown: &str) -> String {
    let lines = || {
        let rows = markdown.lines().map(str::trim);
        rows.filter(|row| row.chars().any(char::is_alphanumeric) && !row.starts_with("```"))
    };
    let row = lines()
        .find(|row| !row.starts_with(['#', '|']))
        .or_else(|| lines().find(|row| !row.starts_with('|')))
        .or_else(|| lines().next())
        .unwrap_or_default();
    let row = without_list_mark(row.trim_start_matches(['#', '>', ' ']));
    let row = clean(&row.replace("**", "").replace('`', ""));
    first_sentence(&row).to_owned()
}

fn without_list_mark(row: &str) -> &str {
    let numbered = row.trim_start_matches(|c: char| c.is_ascii_digit());
    for rest in [numbered.strip_prefix(". "), numbered.strip_prefix(") ")] {
        if let Some(rest) = rest.filter(|_| numbered.len() < row.len()) {
            return rest;
        }
    }
    ["- ", "* ", "+ "]
        .into_iter()
        .find_map(|mark| row.strip_prefix(mark))
        .unwrap_or(row)
}

/// Returns the text up to and including the first character that ends a sentence.
fn first_sentence(row: &str) -> &str {
    let mut chars = row.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let followed_by_blank = chars.peek().is_none_or(|(_, next)| next.is_whitespace());
        let ends = match c {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => followed_by_blank,
            _ => false,
        };
        if ends {
            return &row[..at + c.len_utf8()];
        }
    }
    row
}

/// Escapes text for an attribute or element. Characters that XML 1.0 does not allow are left out.
pub fn for_xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_moves_hides_or_colours_is_left() {
        for (text, expected) in [
            ("a\x1b[31mred\x1b[0m b", "ared b"),
            ("a\x1b]0;title\x07b", "ab"),
            ("over\rwritten\x08\x7f", "over written"),
            ("c1 \u{9b}31m \u{85}x", "c1 31m x"),
            ("bidi \u{202e}txt\u{2066}.exe\u{200f}", "bidi txt.exe"),
            ("zero\u{200b}\u{200d}\u{feff}\u{ad}width", "zerowidth"),
            ("tag\u{e0041}\u{e0042}s", "tags"),
            ("  many\n\n lines\u{2028}\tand tabs ", "many lines and tabs"),
            ("导出\u{3000}列", "导出 列"),
        ] {
            assert_eq!(clean(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_page_keeps_its_lines_and_nothing_else_that_steers() {
        let page = "  a\x1b[2J\n\tb\r\u{202e}c\u{9b}1m\n";
        assert_eq!(clean_page(page), "  a\n bc1m\n");
    }

    #[test]
    fn every_control_character_is_taken_out() {
        let all: String = (0..0x2100u32)
            .chain(0xe0000..0xe1000)
            .filter_map(char::from_u32)
            .collect();
        // One character at a time, so that an escape sequence does not swallow the next ones.
        for c in all.chars() {
            let cleaned = clean(&format!("x{c}y"));
            assert!(
                cleaned.chars().all(|c| !c.is_control() && !is_invisible(c)),
                "{c:?}"
            );
        }
    }

    #[test]
    fn the_gist_is_the_first_sentence_without_markup() {
        for (text, expected) in [
            (
                "# Title\n\n**Columns** are `id, name`. More.",
                "Columns are id, name.",
            ),
            ("- 1.5 MB is the limit! Yes.", "1.5 MB is the limit!"),
            ("2. second", "second"),
            ("导出需要权限。其余待定。", "导出需要权限。"),
            ("# Only a title", "Only a title"),
            (
                "## Ways\n\n| way | days |\n| - | - |\n\nTwo are left. More.",
                "Two are left.",
            ),
            ("## Ways\n\n| way | days |\n| - | - |\n", "Ways"),
            ("| way | days |", "| way | days |"),
            ("```\n---\n", ""),
            ("", ""),
        ] {
            assert_eq!(gist(text), expected, "{text:?}");
        }
    }
}
