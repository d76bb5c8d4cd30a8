//! Answers broken in the ways in which models break them, in English and Chinese.
//!
//! Each line of `fixtures/repair/broken.jsonl` has the way in which it is broken, the kind of
//! answer, the broken text, and the intended object. The parsed answer is compared, not the
//! repaired text. The intended object is null if the answer is incomplete.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use workshop::reply::{DocumentKind, read_contribution, read_document, read_report};

const BROKEN: &str = include_str!("../../../../fixtures/repair/broken.jsonl");

#[derive(Deserialize)]
struct Case {
    shape: String,
    answer: String,
    language: String,
    broken: String,
    /// Null if the answer is incomplete: then parsing must fail.
    meant: Value,
}

fn cases() -> Vec<Case> {
    BROKEN
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Parses an answer of any kind.
fn read(answer: &str, text: &str) -> Result<String, String> {
    let document = DocumentKind::ALL
        .into_iter()
        .find(|kind| kind.name() == answer);
    let read = match (answer, document) {
        ("contribution", _) => read_contribution(text).map(|read| format!("{read:?}")),
        ("report", _) => read_report(text).map(|read| format!("{read:?}")),
        (_, Some(kind)) => read_document(kind, text).map(|read| format!("{read:?}")),
        _ => panic!("no answer is called `{answer}`"),
    };
    read.map_err(|error| error.to_string())
}

#[test]
fn broken_answers_are_read_as_they_were_meant() {
    let cases = cases();
    assert!(cases.len() >= 200, "{}", cases.len());
    for language in ["en", "zh"] {
        let n = cases.iter().filter(|one| one.language == language).count();
        assert!(n >= 100, "{n} in {language}");
    }
    let mut wrong: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let whole = cases.iter().filter(|case| !case.meant.is_null());
    for case in whole.clone() {
        let meant = read(&case.answer, &case.meant.to_string()).unwrap();
        match read(&case.answer, &case.broken) {
            Ok(read) if read == meant => {}
            Ok(read) => wrong
                .entry(&case.shape)
                .or_default()
                .push(format!("misread: {read}")),
            Err(why) => wrong.entry(&case.shape).or_default().push(why),
        }
    }
    let failed: usize = wrong.values().map(Vec::len).sum();
    let whole = whole.count();
    assert!(
        failed * 100 <= whole * 5,
        "{failed} of {whole} not read: {wrong:#?}"
    );
    // Failing to parse an answer is acceptable; parsing it as something else is not.
    let misread = wrong
        .values()
        .flatten()
        .filter(|why| why.starts_with("misread"));
    assert_eq!(misread.count(), 0, "{wrong:#?}");
}

#[test]
fn half_an_answer_is_never_read() {
    let halves = cases().into_iter().filter(|case| case.meant.is_null());
    for case in halves {
        let read = read(&case.answer, &case.broken);
        assert!(
            read.is_err(),
            "{}: {read:?} from {}",
            case.shape,
            case.broken
        );
    }
}
