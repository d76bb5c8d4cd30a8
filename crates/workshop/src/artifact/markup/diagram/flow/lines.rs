//! Lines of a flow chart: where statements, labels and halves of links end.

use super::arrow::{Arrow, arrow};

/// Brackets of other scripts, and those they replace.
const WIDE: [(char, char, char, char); 5] = [
    ('【', '】', '[', ']'),
    ('［', '］', '[', ']'),
    ('「', '」', '[', ']'),
    ('（', '）', '(', ')'),
    ('｛', '｝', '{', '}'),
];

/// Lines that a label or a link may be continued on.
const MOST: usize = 6;

/// Returns whether a bracket of another script opens a label here that ends on the line.
pub(super) fn is_wide_open(text: &str) -> bool {
    let first = text.chars().next();
    first.is_some_and(|first| WIDE.iter().any(|(open, ..)| *open == first))
        && closing_of(text).is_some()
}

/// A label with its outer brackets as Mermaid's.
pub(super) fn narrow(whole: &str) -> String {
    let mut chars: Vec<char> = whole.chars().collect();
    let ascii = |c: char, is_open: bool| {
        let mut all = WIDE.iter();
        all.find_map(|(open, close, a, b)| match is_open {
            true => (*open == c).then_some(*a),
            false => (*close == c).then_some(*b),
        })
    };
    if let Some(first) = chars.first_mut() {
        *first = ascii(*first, true).unwrap_or(*first);
    }
    if let Some(last) = chars.last_mut() {
        *last = ascii(*last, false).unwrap_or(*last);
    }
    chars.into_iter().collect()
}

/// Where the label that begins here is closed, in bytes: by nesting, else by the first sign
/// that closes it. None where it is not.
pub(super) fn closing_of(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    if first == '"' {
        let end = text[1..].find('"')? + 2;
        return Some(end);
    }
    let end = nested(text).or_else(|| {
        let closes = |c: char| close_of(first).contains(c);
        let (at, c) = text.char_indices().find(|(_, c)| closes(*c))?;
        let end = at + c.len_utf8();
        // Half of another label is none of its own.
        (!has_arrow(&text[first.len_utf8()..at])).then_some(end)
    })?;
    // `[a]]`
    let more = text[end..]
        .chars()
        .take_while(|c| close_of(first).contains(*c));
    Some(end + more.map(char::len_utf8).sum::<usize>())
}

fn nested(text: &str) -> Option<usize> {
    let mut open: Vec<char> = Vec::new();
    let mut is_quoted = false;
    for (at, c) in text.char_indices() {
        let is_wide = WIDE.iter().any(|(open, ..)| *open == c);
        match c {
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '[' | '(' | '{' => open.push(c),
            '>' if at == 0 => open.push(c),
            _ if is_wide => open.push(c),
            _ => {
                let closes = open.last().is_some_and(|last| closes(*last, c));
                let is_close = "])}】］」）｝".contains(c);
                if closes {
                    open.pop();
                } else if is_close && c.is_ascii() {
                    return None;
                }
            }
        }
        if open.is_empty() && at > 0 {
            return Some(at + c.len_utf8());
        }
    }
    None
}

/// Returns whether the sign closes what that one opened.
fn closes(open: char, c: char) -> bool {
    let wide = WIDE.iter().find(|(wide, ..)| *wide == open);
    match (open, wide) {
        (_, Some((_, close, ..))) => *close == c,
        ('[' | '>', _) => c == ']',
        ('(', _) => c == ')',
        _ => c == '}',
    }
}

/// All signs that may close what that one opened, where none does by the rules.
fn close_of(open: char) -> &'static str {
    match open {
        '[' | '>' | '【' | '［' | '「' => "]】］」",
        '(' | '（' => ")）",
        _ => "}｝",
    }
}

/// Statements of a line: what is between semicolons, but for those within labels.
pub(super) fn statements(line: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let (mut begin, mut skip) = (0, 0);
    for (at, c) in line.char_indices() {
        if at < skip {
            continue;
        }
        match c {
            '[' | '(' | '{' | '"' => skip = closing_of(&line[at..]).map_or(0, |end| at + end),
            _ if is_wide_open(&line[at..]) => {
                skip = closing_of(&line[at..]).map_or(0, |end| at + end);
            }
            '|' | '｜' if is_behind_link(&line[..at]) => {
                let inner = &line[at + c.len_utf8()..];
                skip = bar_of(inner).map_or(0, |end| at + c.len_utf8() + end + 1);
            }
            ';' | '；' => {
                out.push(&line[begin..at]);
                begin = at + c.len_utf8();
            }
            _ => {}
        }
    }
    out.push(&line[begin..]);
    out.retain(|one| !one.trim().is_empty());
    out
}

/// Where the words of a link end that begin behind a bar: at the next bar outside quotes.
pub(super) fn bar_of(text: &str) -> Option<usize> {
    let quoted = text.trim_start().starts_with('"').then(|| {
        let ends = text.match_indices(['|', '｜']);
        let mut ends = ends.map(|(at, _)| at);
        ends.find(|at| text[..*at].trim().len() > 1 && text[..*at].trim_end().ends_with('"'))
    });
    quoted.flatten().or_else(|| text.find(['|', '｜']))
}

/// Returns whether a link ends here that words may follow.
fn is_behind_link(text: &str) -> bool {
    text.trim_end()
        .ends_with(['-', '>', '=', '.', 'x', 'o', '→'])
}

/// Returns whether there is a link in the text, outside of labels.
pub(super) fn has_arrow(text: &str) -> bool {
    arrow_at(text).is_some()
}

/// Where the first link of a text begins, outside of labels.
pub(super) fn arrow_at(text: &str) -> Option<usize> {
    let (mut before, mut skip) = (' ', 0);
    for (at, c) in text.char_indices() {
        if at < skip {
            continue;
        }
        if matches!(c, '[' | '(' | '{' | '"') {
            skip = nested(&text[at..]).map_or(0, |end| at + end);
        } else if arrow(&text[at..], before)
            .is_some_and(|_| c != '<' || !text[at..].starts_with("<br"))
        {
            return Some(at);
        }
        before = c;
    }
    None
}

/// The second half of a link: where it begins, what it is, and its length. Words in quotes
/// hold none, and an arrow of another kind is one only where no other follows.
pub(super) fn second_half(text: &str, first: &Arrow) -> Option<(usize, Arrow, usize)> {
    let mut other = None;
    let (mut is_quoted, mut skip) = (false, 0);
    for (at, c) in text.char_indices() {
        is_quoted ^= c == '"';
        if is_quoted || at < skip {
            continue;
        }
        // `.-` may end words, and a letter before an arrow is none of its own.
        let before = if c == '.' { ' ' } else { 'a' };
        let Some((found, length)) = arrow(&text[at..], before) else {
            continue;
        };
        skip = at + length;
        if found.is_whole && found.line == first.line && found.is_long {
            return Some((at, found, length));
        }
        if found.is_whole && other.is_none() {
            other = Some((at, found, length));
        }
    }
    other
}

/// The lines with those that only continue a label or a link behind what they continue.
pub(super) fn whole(lines: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut rest = lines;
    while let Some((line, after)) = rest.split_first() {
        rest = after;
        let ends = |text: &str| {
            let text = text.trim_end();
            let end = text.rfind(|c: char| c.is_alphanumeric() || "])}|\"".contains(c));
            let end = end.map_or(0, |at| {
                at + text[at..].chars().next().map_or(0, char::len_utf8)
            });
            arrow(text[end..].trim_start(), ' ').is_some_and(|(arrow, length)| {
                arrow.is_whole && length == text[end..].trim_start().len()
            })
        };
        let goes_on = out.last().is_some_and(|last| {
            let text = line.trim_start();
            let is_link = !text.starts_with(['x', 'o', '.']) && arrow(text, ' ').is_some();
            (is_link || ends(last)) && is_balanced(last)
        });
        match (goes_on, out.last_mut()) {
            (true, Some(last)) => *last = format!("{last} {}", line.trim()),
            _ => out.push(line.clone()),
        }
        let Some(last) = out.last_mut().filter(|last| !is_balanced(last)) else {
            continue;
        };
        // A label over several lines.
        let joined = |n: usize| {
            let more = rest[..n].iter().map(|line| line.trim());
            [last.as_str()]
                .into_iter()
                .chain(more)
                .collect::<Vec<_>>()
                .join(super::BREAK)
        };
        let found = (1..=rest.len().min(MOST)).find(|n| is_balanced(&joined(*n)));
        if let Some(n) = found {
            *last = joined(n);
            rest = &rest[n..];
        }
    }
    out
}

/// Returns whether all labels of the line are closed on it.
fn is_balanced(line: &str) -> bool {
    let mut skip = 0;
    for (at, c) in line.char_indices() {
        if at < skip || !matches!(c, '[' | '(' | '{' | '"') {
            continue;
        }
        match closing_of(&line[at..]) {
            Some(end) => skip = at + end,
            None => return false,
        }
    }
    true
}
