//! Finds keys and tokens in a text by their form alone, and passwords by their context.
//!
//! Precision comes before recall: only unique forms are used. A placeholder (`sk-…`,
//! `AKIAIOSFODNN7EXAMPLE`) is not a secret, and neither are words joined by hyphens. Every form is
//! checked once in a run of its characters, so that the time is linear in the text.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use memchr::memmem;
use regex::Regex;

use super::forms::{FORMS, Form};
use super::passwords::passwords;

/// A secret in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Secret {
    /// Its kind, such as `AWS access key`.
    pub kind: &'static str,
    /// Start offset, in bytes.
    pub start: usize,
    /// End offset, in bytes, exclusive.
    pub end: usize,
}

/// Fewest bytes of a text that can hold one. Most texts that are searched are ids and words.
const SHORTEST: usize = 8;
/// Only this many characters of a key are examined.
const TELLING: usize = 256;
/// Fewest letters and digits without a break after a bare `sk-`: if both occur, and if only one of
/// them does. Many other things start with `sk-`.
const MIXED_RUN: usize = 16;
const PLAIN_RUN: usize = 32;

/// Finds all prefixes at once. `None` only if there were too many of them.
static FINDER: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::new(FORMS.iter().map(|form| &form.prefix)).ok());

/// All secrets in a text, in order, without any that starts inside another.
pub fn secrets(text: &str) -> Vec<Secret> {
    if text.len() < SHORTEST {
        return Vec::new();
    }
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
    // For each form, the end of the run that was checked last.
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
        // A dot at the end belongs to the sentence.
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

/// Returns whether a word or name comes right before. An escape (`\n`, `%3A`, a colour) does not
/// count.
fn is_joined(before: &str) -> bool {
    // Chinese text comes before a key without a space, so its characters do not join.
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

/// Returns whether the bytes end in a terminal's colour sequence, without its final `m`.
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

/// The runs of letters and digits.
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

/// Returns whether it is a camel-case name in code: every word but the first has two letters or
/// more and starts with a capital, and only a number may follow.
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

/// Returns whether it consists of words and short numbers. A single word counts only if
/// `may_be_one`, that is, if the prefix ends in a space.
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

/// Returns whether it is a JWT without its prefix: three parts, of which the second is a base64
/// object too, or the five parts of an encrypted one.
fn is_jwt(body: &str) -> bool {
    let parts: Vec<&str> = body.split('.').collect();
    let is_long = parts.iter().all(|part| part.len() >= 8);
    is_long && (parts.len() == 5 || parts.len() == 3 && parts[1].starts_with("eyJ"))
}

/// Fewest and most characters.
type Lengths = (usize, usize);

/// Keys that are recognised by a mark inside them, with the lengths before and after it.
const MARKED: &[(&str, &str, Lengths, Lengths)] = &[
    ("Azure client secret", "Q~", (4, 4), (31, 34)),
    ("Telegram token", ":AA", (8, 10), (33, 33)),
    ("Mailchimp key", "-us", (32, 32), (1, 2)),
    ("MaxMind key", "_mmk", (36, 36), (0, 0)),
];
static MARKS: LazyLock<Vec<memmem::Finder<'static>>> = LazyLock::new(|| {
    let marks = MARKED.iter().map(|(_, mark, ..)| mark);
    marks.map(memmem::Finder::new).collect()
});

fn around_marks(text: &str) -> Vec<Secret> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "-_~.".contains(c);
    let mut found = Vec::new();
    for ((kind, mark, before, after), finder) in MARKED.iter().zip(&*MARKS) {
        for at in finder.find_iter(text.as_bytes()) {
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

/// Finds tokens of Discord bots: a number in base64, six characters and a signature.
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

/// First and last lines of private keys, whichever program wrote them; none is longer than 80
/// characters. `None` only if the expression were malformed.
static KEY_LINES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"-----(?:BEGIN|END) [^\n]{0,53}?PRIVATE KEY(?: BLOCK)?-----").ok()
});

/// Finds private keys: each block to its end if there is one, otherwise only its first line.
fn private_keys(text: &str) -> Vec<Secret> {
    let mut found: Vec<Secret> = Vec::new();
    let mut ended = 0;
    for line in KEY_LINES.iter().flat_map(|lines| lines.find_iter(text)) {
        if line.as_str().starts_with("-----BEGIN") {
            found.push(Secret {
                kind: "private key",
                start: line.start(),
                end: line.end(),
            });
        } else {
            let open = found.iter_mut().skip(ended);
            open.for_each(|block| block.end = line.end());
            ended = found.len();
        }
    }
    found
}
