//! Replaces characters that were cut apart on the wire.
//!
//! A server that splits its answer by bytes or by UTF-16 units sends single bytes, or a single
//! escape such as `\ud83d`. JSON parsers reject both.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::address::pattern;

/// Escapes in JSON; group 1 is half of a character.
static ESCAPE: LazyLock<Regex> = LazyLock::new(|| {
    const PAIR: &str = "u[dD][89abAB]..\\\\u[dD][c-fC-F]..";
    pattern(&format!(r"(?s)\\(?:{PAIR}|(u[dD][89a-fA-F]..)|.)"))
});

/// The text, with U+FFFD for each half of a character, escaped or not.
pub(super) fn readable(data: &[u8]) -> String {
    let text = String::from_utf8_lossy(data);
    // Most pieces of an answer have no escape, and an answer has a piece for each word.
    if !text.contains("\\u") {
        return text.into_owned();
    }
    let put = |escape: &Captures<'_>| match escape.get(1) {
        Some(_) => "\\ufffd".to_owned(),
        None => escape[0].to_owned(),
    };
    ESCAPE.replace_all(&text, put).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_characters_stay_and_halves_are_replaced() {
        for (text, wanted) in [
            (&br#""a\ud83d\uDE80b""#[..], "a\u{1f680}b"),
            (br#""a\ud83d""#, "a\u{fffd}"),
            (br#""\ude80b""#, "\u{fffd}b"),
            (br#""\ud83d\ud83d\ude80""#, "\u{fffd}\u{1f680}"),
            (br#""\\ud83d \\\ud83d""#, "\\ud83d \\\u{fffd}"),
            (br#""\n\u0041\ud83dx""#, "\nA\u{fffd}x"),
            (b"\"a\xffb\xf0\x9f\"", "a\u{fffd}b\u{fffd}"),
        ] {
            let read: String = serde_json::from_str(&readable(text)).unwrap();
            assert_eq!(read, wanted);
        }
    }
}
