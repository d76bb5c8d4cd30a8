//! Joins characters that were split on the wire.
//!
//! A server that splits its answer by bytes or by UTF-16 units sends one half of a character in one
//! piece and the other in the next: single bytes, or a single escape such as `\ud83d`. JSON parsers
//! reject both. So each half is replaced by an unused code point at the end of the last private
//! plane, and joined with its neighbour when pieces are put together. A half that stays alone
//! becomes U+FFFD.

use std::borrow::Cow;

/// Offset for a single byte, 0x80 to 0xff.
const BYTES: u32 = 0x10_F700;
/// Offset for a single UTF-16 unit, 0xd800 to 0xdfff.
const UNITS: u32 = 0x10_F800 - 0xD800;

const HIGH: std::ops::RangeInclusive<u32> = 0xD800..=0xDBFF;
const LOW: std::ops::RangeInclusive<u32> = 0xDC00..=0xDFFF;

fn is_half(c: char) -> bool {
    c >= '\u{10f780}'
}

/// Replaces halves in a piece of JSON by code points, so that it can be parsed.
pub(super) fn readable(data: &[u8]) -> Cow<'_, str> {
    let mut text = match std::str::from_utf8(data) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => {
            let mut text = String::with_capacity(data.len());
            for chunk in data.utf8_chunks() {
                text.push_str(chunk.valid());
                let bytes = chunk.invalid().iter().copied().map(u32::from);
                text.extend(bytes.filter_map(|byte| char::from_u32(BYTES + byte)));
            }
            Cow::Owned(text)
        }
    };
    if text.contains("\\ud") || text.contains("\\uD") {
        text = Cow::Owned(with_lone_units(&text));
    }
    text
}

fn with_lone_units(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let next = unit(escape.get(6..).unwrap_or_default());
        let (whole, length) = match unit(escape) {
            Some(first) if HIGH.contains(&first) && next.is_some_and(|it| LOW.contains(&it)) => {
                (None, 12)
            }
            Some(lone) => (char::from_u32(UNITS + lone), 6),
            // The escape of one character, which may be a backslash.
            None => (
                None,
                1 + escape[1..].chars().next().map_or(0, char::len_utf8),
            ),
        };
        match whole {
            Some(half) => out.push(half),
            None => out.push_str(&escape[..length]),
        }
        rest = &escape[length..];
    }
    out + rest
}

/// The half that the escape at the beginning of `text` represents.
fn unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let unit = u32::from_str_radix(digits, 16).ok()?;
    (HIGH.contains(&unit) || LOW.contains(&unit)).then_some(unit)
}

/// Appends a piece to a text. A half at the end is kept: the other may still arrive.
pub(super) fn add(text: &mut String, piece: &str) {
    if !text.ends_with(is_half) && !piece.contains(is_half) {
        text.push_str(piece);
        return;
    }
    let begun = text.split_off(text.trim_end_matches(is_half).len());
    let whole = begun + piece;
    let open = whole.trim_end_matches(is_half).len();
    let mut halves = Vec::new();
    for c in whole[..open].chars() {
        match is_half(c) {
            true => halves.push(u32::from(c)),
            false => {
                join(&std::mem::take(&mut halves), false, text);
                text.push(c);
            }
        }
    }
    join(&halves, false, text);
    let last: Vec<u32> = whole[open..].chars().map(u32::from).collect();
    join(&last, true, text);
}

/// Joins neighbouring halves; if `open`, incomplete ones at the end are kept.
fn join(halves: &[u32], open: bool, text: &mut String) {
    let mut rest = halves;
    while let Some(&first) = rest.first() {
        let units = |at: usize| rest.get(at).and_then(|half| half.checked_sub(UNITS));
        let bytes: Vec<u8> = rest
            .iter()
            .map_while(|half| u8::try_from(half.checked_sub(BYTES)?).ok())
            .collect();
        if !bytes.is_empty() {
            push_bytes(&bytes, open && bytes.len() == rest.len(), text);
            rest = &rest[bytes.len()..];
            continue;
        }
        let pair = [units(0), units(1)].map(|unit| unit.and_then(|it| u16::try_from(it).ok()));
        let joined = match pair {
            [Some(high), Some(low)] => String::from_utf16(&[high, low]).ok(),
            _ => None,
        };
        if let Some(c) = joined {
            text.push_str(&c);
            rest = &rest[2..];
        } else {
            let waits = open && rest.len() == 1 && HIGH.contains(&units(0).unwrap_or_default());
            text.extend(char::from_u32(first).filter(|_| waits).or(Some('\u{fffd}')));
            rest = &rest[1..];
        }
    }
}

fn push_bytes(bytes: &[u8], may_go_on: bool, text: &mut String) {
    let mut rest = bytes;
    loop {
        match std::str::from_utf8(rest) {
            Ok(valid) => return text.push_str(valid),
            Err(error) => {
                let (valid, bad) = rest.split_at(error.valid_up_to());
                text.push_str(&String::from_utf8_lossy(valid));
                match error.error_len() {
                    None if may_go_on => {
                        let halves = bad.iter().map(|byte| BYTES + u32::from(*byte));
                        return text.extend(halves.filter_map(char::from_u32));
                    }
                    length => {
                        text.push('\u{fffd}');
                        rest = &bad[length.unwrap_or(bad.len())..];
                    }
                }
            }
        }
    }
}

/// The part of a text that can be shown: up to a half whose other half may still arrive.
pub(super) fn tellable(text: &str) -> &str {
    text.trim_end_matches(is_half)
}

/// The final text: remaining halves are replaced, also their escapes, which would make the model's
/// JSON invalid.
pub(super) fn settled(text: &str) -> String {
    let text = readable(text.as_bytes());
    text.replace(is_half, "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_joined_over_any_cut_and_replaced_where_they_stay_alone() {
        for (pieces, wanted) in [
            (&[r#""a\ud83d""#, r#""\ude80b""#][..], "a\u{1f680}b"),
            (&[r#""\uD83D""#, r#""""#, r#""\uDE80""#], "\u{1f680}"),
            (
                &[r#""\ud83d\ude80\ud83d""#, r#""\ude80""#],
                "\u{1f680}\u{1f680}",
            ),
            (&[r#""a\ud83d""#, r#""b""#], "a\u{fffd}b"),
            (&[r#""a\ude80b""#], "a\u{fffd}b"),
            (&[r#""\ud83d\ud83d""#, r#""\ude80""#], "\u{fffd}\u{1f680}"),
            (&[r#""a\ud83d""#], "a\u{fffd}"),
            (
                &[r#""\\ud83d \\\ud83d""#, r#""\ude80""#],
                "\u{fffd} \\\u{1f680}",
            ),
            (&[r#""\n\u0041\ud83dx""#], "\nA\u{fffd}x"),
        ] {
            let mut text = String::new();
            for piece in pieces {
                let read: String = serde_json::from_str(&readable(piece.as_bytes())).unwrap();
                add(&mut text, &read);
                assert!(!tellable(&text).contains(is_half));
            }
            assert_eq!(settled(&text), wanted, "{pieces:?}");
        }
    }

    #[test]
    fn characters_are_whole_wherever_their_bytes_are_cut() {
        let whole = "a\u{1f680}é计";
        for at in 0..=whole.len() {
            let (first, second) = whole.as_bytes().split_at(at);
            let mut text = String::new();
            for piece in [first, second] {
                add(&mut text, &readable(piece));
            }
            assert_eq!(settled(&text), whole, "cut at {at}");
        }
        let mut text = String::new();
        add(&mut text, &readable(b"a\xffb\xf0\x9f"));
        assert_eq!(settled(&text), "a\u{fffd}b\u{fffd}\u{fffd}");
    }
}
