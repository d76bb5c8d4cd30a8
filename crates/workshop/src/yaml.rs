//! YAML as a tree with line numbers, or as a value of a type. Besides it, only
//! `edge/knowledge/manifests.rs` calls the parser.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_yaml::Spanned;

use crate::fault::{LineError, Message, texts};

texts! {
    TOO_LARGE: "the file is larger than {size} KiB", "文件超过 {size} KiB";
    TWICE: "the key `{key}` appears twice", "键 `{key}` 出现了两次";
    UNCLOSED: "the bracket `{bracket}` is not closed", "括号 `{bracket}` 没有闭合";
    UNKNOWN_KEY: "unknown key `{key}`; known are {keys}", "未知的键 `{key}`；已知的有 {keys}";
    UNKNOWN_VALUE: "unknown value `{value}`; known are {values}", "未知的值 `{value}`；已知的有 {values}";
    WHOLE_NUMBER: "this must be a whole number", "应为整数";
    MAPPING: "keys with values are wanted", "应为带值的键";
    ANCHORS: "anchors and aliases are not read", "不支持锚点与别名";
    MALFORMED: "the YAML does not fit ({why})", "YAML 有误（{why}）";
}

/// A value with its line.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// One-based line; 0 if the parser did not report it.
    pub line: u64,
    /// The value.
    pub value: Tree,
}

/// The value of a node. Numbers and booleans keep their text.
#[derive(Debug, Clone, PartialEq)]
pub enum Tree {
    /// Nothing.
    Null,
    /// A string, number or boolean, as text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A mapping in file order: key, line of the key, value.
    Map(Vec<(String, u64, Node)>),
}

/// Maximum nesting depth.
const MAX_DEPTH: usize = 12;

/// Parses one YAML (or JSON) document; an empty text is [`Tree::Null`].
///
/// # Errors
/// The text exceeds `cap` bytes, is malformed, repeats a key, or nests deeper or uses more anchors
/// than such a file needs.
pub fn read(text: &str, cap: usize) -> Result<Node, LineError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text
        .lines()
        .all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'))
    {
        return Ok(Node {
            line: 1,
            value: Tree::Null,
        });
    }
    Ok(node(parse(text, cap)?, text))
}

/// Parses one YAML (or JSON) document as a value of a type.
///
/// # Errors
/// As [`read`], or it does not fit the type.
pub fn parse<T: DeserializeOwned>(text: &str, cap: usize) -> Result<T, LineError> {
    if text.len() > cap {
        let what = TOO_LARGE.fill(&[("size", &(cap / 1024))]);
        return Err(LineError::new(1, what));
    }
    let options = serde_yaml::options! {
        budget: serde_yaml::budget! {
            max_events: 20_000,
            max_depth: MAX_DEPTH,
            max_aliases: 0,
            max_anchors: 0,
        },
    };
    serde_yaml::from_str_with_options(text, options).map_err(|error| {
        let line = error.location().map_or(1, |at| at.line());
        let what = reason(&in_one_line(&error.without_snippet().to_string()));
        LineError::new(line, what)
    })
}

/// Returns the parser's message, reworded where it mentions parser options and for the most common
/// mistakes.
fn reason(told: &str) -> Message {
    if let Some(rest) = told.strip_prefix("duplicate mapping key: ") {
        let key = rest.split(", set ").next().unwrap_or(rest);
        return TWICE.fill(&[("key", &key)]);
    }
    if let Some(bracket) = told.strip_prefix("unclosed bracket ") {
        let bracket = bracket.trim_matches('\'');
        return UNCLOSED.fill(&[("bracket", &bracket)]);
    }
    for (what, text, [one, all]) in [
        ("unknown field `", UNKNOWN_KEY, ["key", "keys"]),
        ("unknown variant `", UNKNOWN_VALUE, ["value", "values"]),
    ] {
        if let Some(rest) = told.strip_prefix(what) {
            let (name, known) = rest.split_once("`, expected ").unwrap_or((rest, ""));
            let known = known.trim_start_matches("one of ").replace('`', "");
            return text.fill(&[(one, &name), (all, &known)]);
        }
    }
    if let Some(key) = told.strip_prefix("duplicate field `") {
        return TWICE.fill(&[("key", &key.trim_end_matches('`'))]);
    }
    if told.starts_with("expected mapping start") {
        return MAPPING.into();
    }
    if told.starts_with("invalid u") || told.starts_with("invalid i") {
        return WHOLE_NUMBER.into();
    }
    if told.starts_with("budget breached: A") {
        return ANCHORS.into();
    }
    MALFORMED.fill(&[("why", &told)])
}

/// Returns the first line of a parser's message, without the position, which is shown elsewhere.
fn in_one_line(message: &str) -> String {
    let first = message.lines().next().unwrap_or_default();
    let first = first.split(" at line ").next().unwrap_or(first);
    match first.split_once(": ") {
        Some((place, rest)) if place.contains("line ") => rest.to_owned(),
        _ => first.to_owned(),
    }
}

/// A value from the parser, before values with an inferred type are restored to their text: `y`
/// must stay `y`, and `1.10` must not become `1.1`.
enum Raw {
    Null,
    /// A value that the parser took for a number or boolean.
    Inferred,
    Text(String),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<String>, Spanned<Raw>)>),
}

fn node(raw: Spanned<Raw>, text: &str) -> Node {
    let span = raw.referenced.span();
    let value = match raw.value {
        Raw::Null => Tree::Null,
        Raw::Text(text) => Tree::Text(text),
        Raw::Inferred => {
            let range = span
                .byte_offset()
                .zip(span.byte_len())
                .and_then(|(start, len)| {
                    let (start, len) = (usize::try_from(start).ok()?, usize::try_from(len).ok()?);
                    text.get(start..start.checked_add(len)?)
                });
            Tree::Text(range.unwrap_or_default().trim().to_owned())
        }
        Raw::List(items) => Tree::List(items.into_iter().map(|item| node(item, text)).collect()),
        Raw::Map(pairs) => Tree::Map(
            pairs
                .into_iter()
                .map(|(key, value)| (key.value, key.referenced.line(), node(value, text)))
                .collect(),
        ),
    };
    Node {
        line: raw.referenced.line(),
        value,
    }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value, a list or a mapping")
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_none<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Raw, E> {
        Ok(Raw::Inferred)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Raw, E> {
        Ok(Raw::Inferred)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Raw, E> {
        Ok(Raw::Inferred)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Raw, E> {
        Ok(Raw::Inferred)
    }

    fn visit_str<E>(self, value: &str) -> Result<Raw, E> {
        Ok(Raw::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Raw, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Raw::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Raw, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(Raw::Map(pairs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_keep_to_their_text_and_line() {
        let root = read(
            "é: x\na: y\nb: 1.10\nc: 007\nd: off # no\ne: \"2\"\nf: 1_0\n",
            1024,
        )
        .expect("yaml");
        let Tree::Map(pairs) = root.value else {
            panic!("no mapping");
        };
        let seen: Vec<_> = pairs
            .iter()
            .map(|(key, line, node)| (key.as_str(), *line, node.value.clone()))
            .collect();
        let expected = [
            ("é", "x"),
            ("a", "y"),
            ("b", "1.10"),
            ("c", "007"),
            ("d", "off"),
            ("e", "2"),
            ("f", "1_0"),
        ];
        for (i, (key, text)) in expected.into_iter().enumerate() {
            assert_eq!(seen[i], (key, i as u64 + 1, Tree::Text(text.to_owned())));
        }
    }

    #[test]
    fn a_key_that_stands_twice_is_refused() {
        assert!(read("a: 1\nb:\n  c: 1\n  c: 2\n", 1024).is_err());
    }
}
