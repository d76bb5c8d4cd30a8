//! Finds and parses the JSON object in a model's reply.
//!
//! Valid JSON is taken as it is. Otherwise the parser looks for the object behind reasoning, prose
//! and code fences, and parses it leniently: it accepts comments, trailing commas, single or
//! typographic quotes, bare keys, full-width punctuation, raw line feeds and unescaped quotes in
//! strings, and Python's `True`, `False`, `None`. A truncated value is never completed: half an
//! answer is no answer. Missing closing brackets are added only if everything before them is
//! complete.

use serde_json::Value;

use super::ReplyError;
use super::lenient::{LenientError, ParsedValue, read_leniently};

/// Tags that enclose a model's reasoning.
const THOUGHTS: [(&str, &str); 5] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("◁think▷", "◁/think▷"),
];

/// Maximum number of braces tried as the start of the object.
const MAX_CANDIDATES: usize = 64;

/// Returns the object in a reply. If only its last brackets are missing, it is accepted when
/// `says_all` holds: then the brackets were forgotten, and nothing was cut off.
///
/// # Errors
/// The text contains no object, or the object is cut off.
pub(super) fn object(text: &str, says_all: &dyn Fn(&Value) -> bool) -> Result<Value, ReplyError> {
    // A fence that closes after the object would be read as a quote inside it.
    let search = |text: &str| search(text.trim_end_matches(['`', '~', '\n', '\r']), says_all);
    let text = text.trim();
    match serde_json::from_str(text) {
        Ok(value @ Value::Object(_)) => return Ok(value),
        // The object was sent as a JSON string.
        Ok(Value::String(inner)) if inner.contains('{') => return search(&inner),
        _ => {}
    }
    let brace = text.find('{').unwrap_or(text.len());
    for (opening, closing) in THOUGHTS {
        let (open, close) = (text.find(opening), text.rfind(closing));
        let Some(close) = close else { continue };
        let after = &text[close + closing.len()..];
        match open {
            // Inside the answer the tags are ordinary text.
            Some(open) if open < close && open < brace => return search(after),
            // Some servers drop the opening tag.
            None if !spans(text, brace, close) => {
                if let Ok(found) = search(after) {
                    return Ok(found);
                }
            }
            _ => {}
        }
    }
    search(text).or_else(|fault| unescaped(text).ok_or(fault))
}

/// Returns whether a valid object begins at `brace` and ends after `at`.
fn spans(text: &str, brace: usize, at: usize) -> bool {
    let mut strict = serde_json::Deserializer::from_str(&text[brace..]).into_iter::<Value>();
    matches!(strict.next(), Some(Ok(_))) && brace + strict.byte_offset() > at
}

/// Parses the object of a text in which every quote was escaped once too often.
fn unescaped(text: &str) -> Option<Value> {
    let from = text.find('{')?;
    let to = text.rfind('}')?;
    let inner = text
        .get(from..=to)?
        .replace('\n', "\\n")
        .replace('\t', "\\t");
    let plain: String = serde_json::from_str(&format!("\"{inner}\"")).ok()?;
    serde_json::from_str(&plain).ok()
}

/// Returns the longest object among those that begin at a brace of the text.
fn search(text: &str, says_all: &dyn Fn(&Value) -> bool) -> Result<Value, ReplyError> {
    let mut best: Option<(usize, Value)> = None;
    let mut first_fault = None;
    let mut from = 0;
    for _ in 0..MAX_CANDIDATES {
        let Some(at) = text[from..].find(['{', '｛']).map(|found| from + found) else {
            break;
        };
        match read_at(&text[at..]) {
            Ok(ParsedValue { value, is_open, .. }) if is_open && !says_all(&value) => {
                if best.is_none() {
                    return Err(cut_off());
                }
                break;
            }
            Ok(ParsedValue { value, length, .. }) => {
                if best.as_ref().is_none_or(|(longest, _)| length > *longest) {
                    best = Some((length, value));
                }
                from = at + length;
            }
            // The objects inside it are no answer either.
            Err(LenientError::CutOff) if best.is_none() => return Err(cut_off()),
            Err(fault) => {
                first_fault.get_or_insert(fault.describe());
                from = at + text[at..].chars().next().map_or(1, char::len_utf8);
            }
        }
    }
    match best {
        Some((_, value)) => Ok(value),
        None => Err(ReplyError::NoJson(
            first_fault.unwrap_or_else(|| "there is no `{`".to_owned()),
        )),
    }
}

fn cut_off() -> ReplyError {
    ReplyError::NoJson("the object is not closed: the reply was cut off".to_owned())
}

/// Parses one object strictly, or leniently if that fails.
fn read_at(text: &str) -> Result<ParsedValue, LenientError> {
    let mut strict = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    if let Some(Ok(value)) = strict.next() {
        return Ok(ParsedValue {
            value,
            length: strict.byte_offset(),
            is_open: false,
        });
    }
    read_leniently(text)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;

    fn never(_: &Value) -> bool {
        false
    }

    #[test]
    fn what_models_write_around_and_into_an_object_is_read() {
        let wanted = json!({"a": "x", "b": [1, null]});
        let cases = [
            r#"{"a":"x","b":[1,null]}"#,
            "<think>Let {me} see {\"a\": 1}</think>\n{\"a\":\"x\",\"b\":[1,null]}",
            "let me see</think>{\"a\":\"x\",\"b\":[1,null]}",
            "Here it is:\n```json\n{\"a\":\"x\",\"b\":[1,null]}\n```\nHope it helps {}!",
            "{'a': 'x', 'b': [1, None],}",
            "{a: \"x\", // the a\n \"b\": [1, /* none */ null,],}",
            "｛“a”：“x”，\"b\"：[1，null]｝",
            "The set {it's} aside: {\"a\":\"x\",\"b\":[1,null,]}",
        ];
        for case in cases {
            assert_eq!(object(case, &never).unwrap(), wanted, "{case}");
        }
    }

    #[test]
    fn strings_keep_what_they_say() {
        let text = "{\"a\": \"he said \"no\" to it,\nand 3，4：5 // no comment\", 'b': 'it\\'s \\d \\u4f60\\ud83d\\ude00',}";
        let value = object(text, &never).unwrap();
        assert_eq!(
            value["a"],
            "he said \"no\" to it,\nand 3，4：5 // no comment"
        );
        assert_eq!(value["b"], "it's \\d 你😀");
    }

    #[test]
    fn valid_json_is_never_altered() {
        let text = r#"{"a":"</think> {not: 'this'} <think>","b":"，“”","c":1.50}"#;
        assert_eq!(
            object(text, &never).unwrap(),
            serde_json::from_str::<Value>(text).unwrap()
        );
        let wrapped = format!("```json\n{text}\n```");
        assert_eq!(
            object(&wrapped, &never).unwrap(),
            serde_json::from_str::<Value>(text).unwrap()
        );
    }

    #[test]
    fn what_was_cut_off_is_no_answer() {
        let whole = r#"{"a":"x","b":[{"c":"y"},{"c":"z"}]}"#;
        for end in 1..whole.len() {
            let error = object(&whole[..end], &never).unwrap_err();
            assert!(error.to_string().contains("cut off"), "{end}: {error}");
        }
    }

    #[test]
    fn only_brackets_that_were_forgotten_are_closed() {
        let both = |value: &Value| value.get("a").is_some() && value.get("b").is_some();
        for (text, b) in [
            (r#"{"a":"x","b":[{"c":"y"}]"#, json!([{"c": "y"}])),
            (r#"{"a":"x","b":[{"c":"y"}"#, json!([{"c": "y"}])),
            ("```json\n{\"a\":\"x\",\"b\":\"y\"\n```", json!("y")),
        ] {
            assert_eq!(object(text, &both).unwrap()["b"], b, "{text}");
        }
        for text in [
            r#"{"a":"x""#,
            r#"{"a":"x","b"#,
            r#"{"a":"x","b":"#,
            r#"{"a":"x","b":"y"#,
            r#"{"a":"x","b":1"#,
            r#"{"a":"x","b":tru"#,
        ] {
            assert!(object(text, &both).is_err(), "{text}");
        }
    }

    #[test]
    fn no_object_and_bottomless_nesting_are_errors() {
        assert!(object("I would rather not.", &never).is_err());
        assert!(object("[1, 2]", &never).is_err());
        assert!(object(&"{\"a\":[".repeat(5_000), &never).is_err());
        assert!(object(&"{".repeat(100_000), &never).is_err());
    }
}
