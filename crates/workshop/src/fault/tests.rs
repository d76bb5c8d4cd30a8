//! Checks that the catalogue is complete. `tests/typed/errors.md` shows what produces each error.

use std::collections::BTreeSet;

use super::{CATALOGUE, FaultKind, Text, kinds};
use crate::machine::Lang;

fn texts(kind: &FaultKind) -> [Text; 3] {
    let words = kind.words();
    [words.what, words.why, words.fix]
}

#[test]
fn both_languages_say_the_same_with_the_same_places() {
    for kind in kinds() {
        for text in texts(kind) {
            let (en, zh) = (text.of(Lang::En), text.of(Lang::Zh));
            assert_eq!(en.is_empty(), zh.is_empty(), "{}", kind.code);
            assert_eq!(
                text.places(Lang::En),
                text.places(Lang::Zh),
                "{}: {en} / {zh}",
                kind.code
            );
        }
        assert!(!kind.words().what.0.is_empty(), "{}", kind.code);
        assert!(
            !kind.words().why.0.is_empty(),
            "{} does not say why",
            kind.code
        );
    }
}

#[test]
fn every_code_is_one_of_a_kind() {
    let mut seen = BTreeSet::new();
    for kind in kinds() {
        assert!(seen.insert(kind.code), "{} stands twice", kind.code);
        let rest = kind.code.strip_prefix("E-").unwrap_or_default();
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        assert!(!rest.is_empty() && rest.chars().all(plain), "{}", kind.code);
    }
    for code in CATALOGUE.keys() {
        assert!(seen.contains(code), "nothing is called {code}");
    }
}

#[test]
fn a_sentence_has_no_full_stop_and_begins_in_lower_case() {
    for kind in kinds() {
        for Text(en, zh) in texts(kind) {
            assert!(!en.ends_with('.') && !zh.ends_with('。'), "{}", kind.code);
            let begins = en.split_whitespace().next().unwrap_or_default();
            let is_name = begins
                .chars()
                .all(|c| c.is_uppercase() || !c.is_alphabetic())
                || begins.contains('_')
                || begins.contains('{');
            let first = en.chars().next().unwrap_or('a');
            assert!(is_name || !first.is_uppercase(), "{}: {en}", kind.code);
        }
    }
}

/// Words of a command line that are not flags, placeholders, names in capitals, paths or quoted.
const WORDS: &str = "\
    aitc all approve batch brief checkout comment config demo design doctor git hand help \
    list mv new next pause plan questions reply resume revise rm roles say set show status \
    transcript unset verify why";

/// Returns whether it is a word of a command line, and not of a sentence about one.
fn is_of_command(word: &str) -> bool {
    if word.ends_with([',', ';']) || word.contains(['，', '；', '。', '（']) {
        return false;
    }
    let is_version = word
        .strip_prefix('v')
        .is_some_and(|n| n.parse::<u32>().is_ok());
    WORDS.split(' ').any(|known| known == word)
        || is_version
        || word.starts_with(|c: char| c.is_ascii_uppercase())
        || word.starts_with(['-', '"'])
        || word.contains(['{', '.', '/'])
}

/// The text without its parts in backquotes, and with each quoted argument as one word.
fn bare(text: &str) -> String {
    let outside: Vec<&str> = text.split('`').step_by(2).collect();
    let outside = outside.join("");
    let mut parts = outside.split('"').enumerate();
    let quoted = parts.by_ref().map(|(n, part)| match n % 2 {
        0 => part.to_owned(),
        _ => "\"…\"".to_owned(),
    });
    quoted.collect()
}

/// Users paste a fix from the start of the command to the end of the line, so any other command is
/// in backquotes.
#[test]
fn a_command_that_is_no_fix_to_the_end_of_its_line_stands_in_backquotes() {
    let starts = ["aitc ", "git checkout ", "rm ", "mv ", "unset "];
    let mut wrong = Vec::new();
    for kind in kinds() {
        for lang in [Lang::En, Lang::Zh] {
            let fix = bare(kind.words().fix.of(lang));
            let begins = |start: &&str| {
                let mut found = fix.match_indices(*start);
                found.find(|(at, _)| !fix[..*at].ends_with(|c: char| c.is_ascii_alphanumeric()))
            };
            let Some(at) = starts.iter().filter_map(begins).map(|(at, _)| at).min() else {
                continue;
            };
            if !fix[at..].split_whitespace().all(is_of_command) {
                wrong.push(format!("{}: {}", kind.code, kind.words().fix.of(lang)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
