//! Makes untrusted text inert in trackers and forges: it notifies nobody and refers to nothing.

use crate::artifact::{inline, one_line};

/// A zero-width space. A name or number after it is plain text.
const NO_WIDTH: char = '\u{200b}';

/// Minimum length of a hexadecimal word that forges take for a commit.
const COMMIT: usize = 7;

/// Returns the text as Markdown without mentions and references: `@app`, `#12`, `GH-12`, addresses
/// and commit hashes are put in code spans, because a backslash does not prevent the link.
pub(super) fn unreferenced(text: &str) -> String {
    inline(&spanned(text))
}

/// The same for a title, in which code spans are the only Markdown.
pub(super) fn spanned(text: &str) -> String {
    let text = one_line(text);
    let mut out = String::with_capacity(text.len() + 8);
    let (mut previous, mut rest) = (' ', text.as_str());
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        if c == '`' {
            let end = after.find('`').filter(|end| *end > 0);
            match end.filter(|end| !after[end + 1..].starts_with('`')) {
                Some(end) => {
                    out.push_str(&rest[..end + 2]);
                    rest = &after[end + 1..];
                }
                // A backtick that opens no code span could only close the span around a name.
                None => {
                    out.push('\'');
                    rest = after;
                }
            }
            previous = ' ';
            continue;
        }
        let Some(length) = reference(rest, previous) else {
            out.push(c);
            (rest, previous) = (after, c);
            continue;
        };
        let name = rest[..length].trim_end_matches(['.', '-', '/', ',', ':']);
        if out.ends_with('`') {
            out.push(' ');
        }
        out.push_str(&format!("`{name}`"));
        (rest, previous) = (&rest[name.len()..], ' ');
    }
    out
}

/// Length of what a forge would turn into a link at the start of `text`, which follows `previous`.
fn reference(text: &str, previous: char) -> Option<usize> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_/.".contains(c);
    let run = |from: usize, is: &dyn Fn(char) -> bool| {
        let rest = &text[from..];
        from + rest.find(|c| !is(c)).unwrap_or(rest.len())
    };
    let has = |at: usize, is: fn(&char) -> bool| {
        text.get(at..)
            .is_some_and(|rest| rest.chars().next().as_ref().is_some_and(is))
    };
    let is_free = !previous.is_ascii_alphanumeric();
    let is_address = ["https://", "http://", "ftp://", "mailto:", "www."]
        .iter()
        .any(|scheme| begins(text, scheme));
    if is_free && is_address {
        return Some(run(0, &|c| c.is_ascii_graphic() && !"`<>\"'()".contains(c)));
    }
    if let Some(length) = mailbox(text).filter(|_| is_free) {
        return Some(length);
    }
    match text.chars().next()? {
        '@' if is_free && has(1, char::is_ascii_alphanumeric) => Some(run(1, &is_name)),
        '#' if has(1, char::is_ascii_digit) => Some(run(1, &is_name)),
        'G' | 'g' if is_free && begins(text, "gh-") && has(3, char::is_ascii_digit) => {
            Some(run(3, &is_name))
        }
        c if is_free && c.is_ascii_hexdigit() => {
            let end = run(0, &|c| c.is_ascii_alphanumeric());
            // A code span would cut a decimal number at its point.
            let has_point = previous == '.' || text[end..].starts_with('.');
            let is_decimal = has_point && text[..end].bytes().all(|byte| byte.is_ascii_digit());
            let is_commit = text[..end].bytes().all(|byte| byte.is_ascii_hexdigit());
            (is_commit && !is_decimal && (COMMIT..=40).contains(&end)).then_some(end)
        }
        _ => None,
    }
}

/// Length of an e-mail address at the start of a text.
fn mailbox(text: &str) -> Option<usize> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
    let (name, behind) = text.split_at(text.find(|c| !is_name(c))?);
    let host = behind.strip_prefix('@').filter(|_| !name.is_empty())?;
    let host = &host[..host.find(|c| !is_name(c)).unwrap_or(host.len())];
    let host = host.trim_end_matches(['.', '-', '_']);
    host.contains('.').then(|| name.len() + 1 + host.len())
}

/// Plain text for a tracker with its own markup: a zero-width space follows every character that
/// would start a mention, a link, a picture, an address or an issue number.
pub(super) fn unlinked(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for (at, c) in text.char_indices() {
        let after = &text[at + c.len_utf8()..];
        let next = after.chars().next().unwrap_or(' ');
        let before = &text[..at];
        let is_mark = match c {
            '@' => next.is_alphanumeric(),
            '#' => next.is_ascii_digit(),
            '[' => !next.is_whitespace(),
            ']' => next == '(',
            '!' => !next.is_whitespace(),
            '{' => ["adf", "anchor"].iter().any(|name| begins(after, name)),
            ':' => after.starts_with("//") || before.ends_with("mailto"),
            'w' | 'W' => begins(&text[at..], "www.") && !before.ends_with(char::is_alphanumeric),
            // As in `AC-1`: any word in capitals may be a project key.
            '-' if next.is_ascii_digit() => {
                let is_key = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
                let key = before.trim_end_matches(is_key).len();
                before[key..].starts_with(|c: char| c.is_ascii_uppercase())
            }
            _ => false,
        };
        // One of Jira's renderers needs the zero-width space after the `!`, the other one before
        // it.
        if is_mark && c == '!' {
            out.push(NO_WIDTH);
        }
        out.push(c);
        if is_mark {
            out.push(NO_WIDTH);
        }
    }
    out
}

/// Returns whether a text begins with the word, ignoring case.
fn begins(text: &str, word: &str) -> bool {
    let head = text.get(..word.len());
    head.is_some_and(|head| head.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_mentioned_and_nothing_referred_to() {
        for (text, shown) in [
            ("Add @types/node, see #12.", "Add `@types/node`, see `#12`."),
            ("(@app) and @org/team!", "(`@app`) and `@org/team`!"),
            ("owner/repo#12 and GH-7", "owner/repo`#12` and `GH-7`"),
            ("fixes #1, closes GH-2", "fixes `#1`, closes `GH-2`"),
            ("见#12和@app装饰器", "见`#12`和`@app`装饰器"),
            ("见me.x@example.org.", "见`me.x@example.org`."),
            ("react@18 and react@18.2", "react\\@18 and `react@18.2`"),
            ("`@app` stays", "`@app` stays"),
            ("C# and # 5, a @ b", "C# and # 5, a \\@ b"),
            ("@a@b", "`@a` `@b`"),
            ("a ` and @b", "a ' and `@b`"),
            ("``@a``", "''`@a`''"),
            (
                "Closes https://github.com/a/b/issues/5. (www.example.com)",
                "Closes `https://github.com/a/b/issues/5`. (`www.example.com`)",
            ),
            (
                "as of 3F2a91c, a/b@1234567, not decade, 123456 or 12345678.1234567",
                "as of `3F2a91c`, a/b\\@`1234567`, not decade, 123456 or 12345678.1234567",
            ),
        ] {
            assert_eq!(unreferenced(text), shown, "{text}");
        }
        // `·` stands for a zero-width space.
        for shown in [
            "See @·app, #·12, GH-·7, [·~jo], https:·//x.example and w·ww.x.example; C# 5",
            "AC-·1, (AC2_X-·34), UTF-·8, on 2026-11-26, top-10, -1, A-B",
            "me@·x.example, mailto:·me@·x.example",
            "·!·[·the map]·(x) and ·!·map.png·!·, a ·!·= b, done!",
            "{·adf}{}{·adf}",
            "{·anchor:x} /users/{id}",
        ] {
            let plain = shown.replace('·', "");
            assert_eq!(unlinked(&plain), shown.replace('·', "\u{200b}"), "{plain}");
        }
    }
}
