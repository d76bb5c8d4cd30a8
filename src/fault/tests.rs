//! The catalogue is whole: see `tests/suite/errors.rs` for what produces each error.

use std::collections::BTreeSet;

use super::{Kind, Text, kinds};
use crate::workshop::Lang;

fn texts(kind: &Kind) -> [Text; 3] {
    [kind.what, kind.why, kind.fix]
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
        assert!(!kind.what.0.is_empty(), "{}", kind.code);
        assert!(!kind.why.0.is_empty(), "{} does not say why", kind.code);
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
