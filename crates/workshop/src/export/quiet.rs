//! Text of others in trackers and forges: it notifies nobody and refers to nothing.

use crate::artifact::{inline, one_line};

/// A sign without width: a name or number behind it is plain text.
const NO_WIDTH: char = '\u{200b}';

/// Letters of a commit's name from which on forges take it for one.
const COMMIT: usize = 7;

/// The text as Markdown in which nobody is mentioned and nothing referred to: `@app`, `#12`,
/// `GH-12`, addresses and names of commits stand in code spans, which a backslash does not do.
pub(super) fn unreferenced(text: &str) -> String {
    inline(&spanned(text))
}

/// The same for a title, in which Markdown knows code and nothing else.
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
                // One that begins no code would only end that of a name.
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

/// Length of what a forge would make a link of at the start of a text, behind that sign.
fn reference(text: &str, previous: char) -> Option<usize> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_/.".contains(c);
    let run = |from: usize, is: &dyn Fn(char) -> bool| {
        let rest = &text[from..];
        from + rest.find(|c| !is(c)).unwrap_or(rest.len())
    };
    let begins = |from: usize, is: fn(&char) -> bool| {
        text.get(from..)
            .is_some_and(|rest| rest.chars().next().as_ref().is_some_and(is))
    };
    let is_free = !previous.is_ascii_alphanumeric();
    let low = |length: usize| text.get(..length).map(str::to_ascii_lowercase);
    let is_address = ["https://", "http://", "ftp://", "mailto:", "www."]
        .iter()
        .any(|scheme| low(scheme.len()).as_deref() == Some(*scheme));
    if is_free && is_address {
        return Some(run(0, &|c| c.is_ascii_graphic() && !"`<>\"'()".contains(c)));
    }
    match text.chars().next()? {
        '@' if is_free && begins(1, char::is_ascii_alphanumeric) => Some(run(1, &is_name)),
        '#' if begins(1, char::is_ascii_digit) => Some(run(1, &is_name)),
        'G' | 'g'
            if is_free && low(3).as_deref() == Some("gh-") && begins(3, char::is_ascii_digit) =>
        {
            Some(run(3, &is_name))
        }
        c if is_free && c.is_ascii_hexdigit() => {
            let end = run(0, &|c| c.is_ascii_alphanumeric());
            let word = &text[..end];
            let is_commit = word.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'))
                && word.contains(|c: char| c.is_ascii_digit())
                && word.contains(|c: char| c.is_ascii_alphabetic());
            (is_commit && (COMMIT..=40).contains(&end)).then_some(end)
        }
        _ => None,
    }
}

/// Plain text for a tracker that knows marks of its own: a sign without width stands behind
/// what would begin a mention, a number or an address.
pub(super) fn unlinked(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let (mut previous, mut rest) = (' ', text);
    while let Some(c) = rest.chars().next() {
        out.push(c);
        let after = &rest[c.len_utf8()..];
        let is_mark = match c {
            '[' => after.starts_with('~'),
            '@' | '#' => reference(rest, previous).is_some(),
            ':' => after.starts_with("//"),
            'H' | 'h' => {
                let is_number = after
                    .strip_prefix('-')
                    .is_some_and(|n| n.starts_with(|c: char| c.is_ascii_digit()));
                is_number && matches!(previous, 'G' | 'g')
            }
            'w' | 'W' => {
                let is_address = rest
                    .get(..4)
                    .is_some_and(|four| four.eq_ignore_ascii_case("www."));
                is_address && !previous.is_ascii_alphanumeric()
            }
            _ => false,
        };
        if is_mark {
            out.push(NO_WIDTH);
        }
        (rest, previous) = (after, c);
    }
    out
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
            ("me@example.org", "me\\@example.org"),
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
                "as of 3f2a91c, not decade or 1234567",
                "as of `3f2a91c`, not decade or 1234567",
            ),
        ] {
            assert_eq!(unreferenced(text), shown, "{text}");
        }
        let plain =
            unlinked("See @app, #12, GH-7, [~jo], https://x.example and www.x.example; C# 5");
        let shown = "See @.app, #.12, GH.-7, [.~jo], https:.//x.example and w.ww.x.example; C# 5";
        assert_eq!(
            plain,
            shown
                .replace("@.", "@\u{200b}")
                .replace("#.", "#\u{200b}")
                .replace("[.", "[\u{200b}")
                .replace("GH.", "GH\u{200b}")
                .replace(":.", ":\u{200b}")
                .replace("w.w", "w\u{200b}w")
        );
    }
}
