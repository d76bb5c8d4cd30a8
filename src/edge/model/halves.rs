//! Joins characters that were split on the wire.
//!
//! A server that splits its answer by bytes or by UTF-16 units sends one half of a character in one
//! piece and the other in the next: single bytes, or a single escape such as `\ud83d`. JSON parsers
//! reject both. So each half is replaced by an unused code point at the end of the last private
//! plane, and joined with its neighbour once the pieces are together. A half that stays alone becomes
//! U+FFFD.

use std::borrow::Cow;

/// Offset for a single byte, 0x80 to 0xff.
const BYTES: u32 = 0x10_F700;
/// Offset for a single UTF-16 unit, 0xd800 to 0xdfff.
const UNITS: u32 = 0x10_F800 - 0xD800;

const HIGH: std::ops::RangeInclusive<u32> = 0xD800..=0xDBFF;
const LOW: std::ops::RangeInclusive<u32> = 0xDC00..=0xDFFF;

/// The offset of a half; `None` for any other character.
fn offset(c: char) -> Option<u32> {
    match c {
        '\u{10f780}'..='\u{10f7ff}' => Some(BYTES),
        '\u{10f800}'.. => Some(UNITS),
        _ => None,
    }
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

/// Joins neighbouring halves; incomplete ones become U+FFFD.
pub(super) fn joined(text: &str) -> Cow<'_, str> {
    if !text.contains(|c| offset(c).is_some()) {
        return Cow::Borrowed(text);
    }
    let chars: Vec<char> = text.chars().collect();
    let mut joined = String::new();
    for run in chars.chunk_by(|one, next| offset(*one) == offset(*next)) {
        let halves = |from: u32| run.iter().map(move |half| u32::from(*half) - from);
        match offset(run[0]) {
            Some(BYTES) => {
                let bytes = halves(BYTES).filter_map(|half| u8::try_from(half).ok());
                joined += &String::from_utf8_lossy(&bytes.collect::<Vec<u8>>());
            }
            Some(units) => {
                let units = halves(units).filter_map(|half| u16::try_from(half).ok());
                joined += &String::from_utf16_lossy(&units.collect::<Vec<u16>>());
            }
            None => joined.extend(run),
        }
    }
    Cow::Owned(joined)
}

/// The part of a text that can be shown: up to a half whose other half may still arrive.
pub(super) fn tellable(text: &str) -> &str {
    text.trim_end_matches(|c| offset(c).is_some())
}

/// The final text: halves are joined or replaced, also their escapes, which would make the model's
/// JSON invalid.
pub(super) fn settled(text: &str) -> String {
    joined(&readable(text.as_bytes())).into_owned()
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
                text += &read;
                assert!(!tellable(&text).ends_with(|c| offset(c).is_some()));
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
                text += &readable(piece);
            }
            assert_eq!(settled(&text), whole, "cut at {at}");
        }
        let text = readable(b"a\xffb\xf0\x9f");
        assert_eq!(settled(&text), "a\u{fffd}b\u{fffd}");
    }
}
