//! Keys and tokens in a text, found by their form alone, and passwords by their place.
//!
//! Precision before recall: only forms that nothing else has. A placeholder
//! (`sk-…`, `AKIAIOSFODNN7EXAMPLE`) is no secret, nor are words joined by hyphens. Every
//! form is judged once in a run of its characters, so that the time grows with the text.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use memchr::memmem;

use super::forms::{FORMS, Form};
use super::passwords::passwords;

/// A secret in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Secret {
    /// What it is, such as `AWS access key`.
    pub kind: &'static str,
    /// Byte at which it starts.
    pub start: usize,
    /// Byte after its last.
    pub end: usize,
}

/// As many characters of a key tell whether it is one.
const TELLING: usize = 256;
/// Fewest letters and digits without a break after a bare `sk-`, where they are mixed, and
/// where they are not: many things begin so.
const MIXED_RUN: usize = 16;
const PLAIN_RUN: usize = 32;

/// Finds all beginnings at once; none only where their number were beyond all bounds.
static FINDER: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::new(FORMS.iter().map(|form| &form.prefix)).ok());

/// Every secret in a text, in order, none inside another.
pub fn secrets(text: &str) -> Vec<Secret> {
    let mut found: Vec<Secret> = of_forms(text);
    found.extend(around_marks(text));
    found.extend(discord_tokens(text));
    found.extend(private_keys(text));
    found.extend(passwords(text));
    found.sort_by_key(|secret| (secret.start, usize::MAX - secret.end));
    let mut end = 0;
    found.retain(|secret| {
        let apart = secret.start >= end;
        end = end.max(secret.end);
        apart
    });
    found
}

fn of_forms(text: &str) -> Vec<Secret> {
    let mut found = Vec::new();
    // Where the run ends that each form was judged in last.
    let mut judged = vec![0; FORMS.len()];
    let Some(finder) = FINDER.as_ref() else {
        return found;
    };
    for hit in finder.find_overlapping_iter(text) {
        let form = &FORMS[hit.pattern().as_usize()];
        let judged = &mut judged[hit.pattern().as_usize()];
        if hit.start() < *judged || is_joined(&text[..hit.start()]) {
            continue;
        }
        let run = run_of(&text[hit.end()..], form);
        *judged = hit.end() + run.len();
        // A dot at the end is that of the sentence.
        let body = run.trim_end_matches('.');
        let goes_on = text[*judged..].starts_with('_');
        if !goes_on && fits(form, body) {
            found.push(Secret {
                kind: form.kind,
                start: hit.start(),
                end: hit.end() + body.len(),
            });
        }
    }
    found
}

/// Returns whether a word or name comes right before. An escape (`\n`, `%3A`, a colour) is none.
fn is_joined(before: &str) -> bool {
    // Chinese text comes before a key without a space.
    let joins = |c: u8| c.is_ascii_alphanumeric() || c == b'_';
    match before.as_bytes() {
        [.., b'\\', b'n' | b'r' | b't'] => false,
        [.., b'%', a, b] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => false,
        [.., b'\\', b'u', a, b, c, d] if [a, b, c, d].iter().all(|c| c.is_ascii_hexdigit()) => {
            false
        }
        [rest @ .., b'm'] => !ends_in_colour(rest),
        [.., last] => joins(*last),
        [] => false,
    }
}

/// Returns whether the bytes end in a terminal's colour sequence, up to its `m`.
fn ends_in_colour(bytes: &[u8]) -> bool {
    let is_figure = |c: &&u8| c.is_ascii_digit() || **c == b';';
    let figures = bytes.iter().rev().take_while(is_figure).count();
    bytes[..bytes.len() - figures].ends_with(b"\x1b[")
}

fn run_of<'t>(text: &'t str, form: &Form) -> &'t str {
    let end = text.find(|c| !form.has(c)).unwrap_or(text.len());
    &text[..end]
}

fn fits(form: &Form, body: &str) -> bool {
    if !form.is_length(body.len()) {
        return false;
    }
    let telling = &body[..body.len().min(TELLING)];
    let is_one = match form.prefix.as_str() {
        "re_" => body.split('_').map(str::len).eq([8, 24]),
        "SG." => body.split('.').count() == 2,
        "eyJ" => is_jwt(body),
        "sk-" => holds_run(telling),
        "s." => !is_name(body),
        _ => true,
    };
    is_one && !stands_for_one(telling) && !is_words(telling, form.prefix.ends_with(' '))
}

/// Runs of letters and digits.
fn runs(body: &str) -> impl Iterator<Item = &str> {
    body.split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|run| !run.is_empty())
}

fn holds_run(body: &str) -> bool {
    runs(body).any(|run| {
        let has = |is: fn(&u8) -> bool| run.as_bytes().iter().any(is);
        let is_mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic);
        run.len() >= PLAIN_RUN || (run.len() >= MIXED_RUN && is_mixed)
    })
}

/// Returns whether it is a placeholder for a key, such as `XXXXXXXX`.
fn stands_for_one(body: &str) -> bool {
    let longest = runs(body).max_by_key(|run| run.len()).unwrap_or_default();
    let first = longest.bytes().next();
    let mut others = longest.bytes().filter(|byte| Some(*byte) != first);
    let second = others.next();
    body.contains("EXAMPLE") || others.all(|byte| Some(byte) == second)
}

/// Returns whether it is a name in code: words of two letters or more, each but the first with a
/// capital, and at most a number at the end.
fn is_name(body: &str) -> bool {
    let letters = body.trim_end_matches(|c: char| c.is_ascii_digit());
    let starts = letters.match_indices(|c: char| c.is_ascii_uppercase());
    let starts = starts.map(|(at, _)| at).chain([letters.len()]);
    let mut last = 0;
    let lengths = starts.map(|at| at - std::mem::replace(&mut last, at));
    letters.bytes().all(|byte| byte.is_ascii_alphabetic())
        && lengths.skip(1).all(|length| length >= 2)
        && body.starts_with(|c: char| c.is_ascii_lowercase())
}

/// Words and short numbers, joined; a single one if a space comes before it.
fn is_words(body: &str, may_be_one: bool) -> bool {
    let is_word = |run: &str| {
        let all = |is: fn(&u8) -> bool| run.as_bytes().iter().all(is);
        let is_number = run.len() <= 4 && all(u8::is_ascii_digit);
        let tail = run.get(1..).unwrap_or_default();
        is_number || all(u8::is_ascii_lowercase) || {
            let is_name = run.starts_with(|c: char| c.is_ascii_uppercase());
            is_name && tail.bytes().all(|byte| byte.is_ascii_lowercase())
        }
    };
    runs(body).all(is_word) && (may_be_one || runs(body).nth(1).is_some())
}

/// Three parts, the second an object in base64 as the first is, or the five of an encrypted
/// one.
fn is_jwt(body: &str) -> bool {
    let parts: Vec<&str> = body.split('.').collect();
    let is_long = parts.iter().all(|part| part.len() >= 8);
    is_long && (parts.len() == 5 || parts.len() == 3 && parts[1].starts_with("eyJ"))
}

/// Fewest and most characters.
type Lengths = (usize, usize);

/// Keys that are recognised by a mark within them, with the lengths before and after it.
const MARKED: &[(&str, &str, Lengths, Lengths)] = &[
    ("Azure client secret", "Q~", (4, 4), (31, 34)),
    ("Telegram token", ":AA", (8, 10), (33, 33)),
    ("Mailchimp key", "-us", (32, 32), (1, 2)),
    ("MaxMind key", "_mmk", (36, 36), (0, 0)),
];

fn around_marks(text: &str) -> Vec<Secret> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-_~.".contains(c);
    let mut found = Vec::new();
    for (kind, mark, before, after) in MARKED {
        for at in memmem::find_iter(text.as_bytes(), mark) {
            let end = at + mark.len();
            let most = |text: &'_ str, most| {
                let mut end = text.len().min(most);
                while !text.is_char_boundary(end) {
                    end -= 1;
                }
                end
            };
            let rest = &text[end..];
            let rest = &rest[..most(rest, after.1 + 1)];
            let tail = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            let head = text[..at].bytes().rev().take(before.1 + 1);
            let head = head.take_while(|byte| match *mark {
                ":AA" => byte.is_ascii_digit(),
                "_mmk" => byte.is_ascii_alphanumeric() || *byte == b'_',
                "-us" => byte.is_ascii_hexdigit(),
                _ => is_part(char::from(*byte)),
            });
            let head = head.count();
            let tail = rest[..tail].trim_end_matches('.').len();
            let is_digit = |at: usize| text.as_bytes()[at].is_ascii_digit();
            let fits = (before.0..=before.1).contains(&head)
                && (after.0..=after.1).contains(&tail)
                && match *mark {
                    "Q~" => is_digit(at - 1),
                    "_mmk" => text.as_bytes()[at - 30] == b'_',
                    "-us" => (end..end + tail).all(is_digit),
                    _ => true,
                };
            if fits {
                found.push(Secret {
                    kind,
                    start: at - head,
                    end: end + tail,
                });
            }
        }
    }
    found
}

/// Tokens of Discord's bots: a number in base64, six characters and a signature.
fn discord_tokens(text: &str) -> impl Iterator<Item = Secret> {
    const MIDDLE: usize = 6;
    const MOST: usize = 41;
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_".contains(*byte);
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'.', bytes).filter_map(move |at| {
        let middle = bytes.get(at + 1..)?;
        let tail = middle.get(MIDDLE..)?.strip_prefix(b".")?;
        let head = bytes[..at].iter().rev().take(MOST).take_while(is_part);
        let start = at - head.count();
        let end = at + MIDDLE + 2 + tail.iter().take(MOST).take_while(is_part).count();
        let fits = (23..=28).contains(&(at - start))
            && middle.iter().take(MIDDLE).all(|byte| is_part(&byte))
            && (27..MOST).contains(&(end - at - MIDDLE - 2))
            && b"MNO".contains(&bytes[start]);
        fits.then_some(Secret {
            kind: "Discord token",
            start,
            end,
        })
    })
}

fn private_keys(text: &str) -> Vec<Secret> {
    let mut found = Vec::new();
    let mut ends = memmem::find_iter(text.as_bytes(), "-----END ").peekable();
    for start in memmem::find_iter(text.as_bytes(), "-----BEGIN ") {
        let Some(header) = marked(&text[start..]) else {
            continue;
        };
        while ends.next_if(|end| *end < start).is_some() {}
        // The block's own end, if it is there; else the header alone.
        let block = ends
            .peek()
            .and_then(|end| Some(end + marked(&text[*end..])?));
        found.push(Secret {
            kind: "private key",
            start,
            end: block.unwrap_or(start + header),
        });
    }
    found
}

/// Byte behind the mark of a private key in the line a text begins with, of whatever
/// program it is.
fn marked(text: &str) -> Option<usize> {
    const MARKS: [&str; 2] = ["PRIVATE KEY-----", "PRIVATE KEY BLOCK-----"];
    /// No program's name is longer.
    const LONGEST: usize = 80;
    let line = text.as_bytes();
    let line = &line[..line.len().min(LONGEST)];
    let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
    let ends = MARKS
        .iter()
        .filter_map(|mark| Some(memmem::find(line, mark.as_bytes())? + mark.len()));
    ends.min()
}
