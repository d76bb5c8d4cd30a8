//! Chunks as they stand on the wire, with everything that the family of endpoints writes differently.
//!
//! Texts are borrowed from the bytes of the stream wherever they hold no escape.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::edge::model::answer::Counts;
use crate::edge::model::providers::COUNTS;

/// A chunk of a stream, or a whole completion: they differ in the name of one field.
#[derive(serde::Deserialize)]
pub(super) struct Chunk<'a> {
    #[serde(borrow, default)]
    pub(super) id: Words<'a>,
    #[serde(borrow, default)]
    pub(super) model: Words<'a>,
    #[serde(borrow, default)]
    pub(super) choices: Option<Vec<Choice<'a>>>,
    #[serde(default)]
    pub(super) usage: Option<Value>,
    #[serde(borrow, default)]
    pub(super) error: Option<WireError<'a>>,
}

#[derive(serde::Deserialize)]
pub(super) struct Choice<'a> {
    #[serde(borrow, default, alias = "message")]
    pub(super) delta: Option<Delta<'a>>,
    #[serde(borrow, default)]
    pub(super) finish_reason: Words<'a>,
    #[serde(default)]
    pub(super) usage: Option<Value>,
}

#[derive(serde::Deserialize)]
pub(super) struct Delta<'a> {
    #[serde(borrow, default)]
    pub(super) content: Words<'a>,
    #[serde(borrow, default)]
    pub(super) reasoning_content: Words<'a>,
    #[serde(borrow, default)]
    pub(super) reasoning: Words<'a>,
    #[serde(borrow, default)]
    pub(super) refusal: Words<'a>,
    #[serde(default)]
    pub(super) tool_calls: Option<Vec<ToolCall>>,
}

#[derive(serde::Deserialize)]
pub(super) struct ToolCall {
    #[serde(default)]
    function: Option<Function>,
}

#[derive(serde::Deserialize)]
struct Function {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    arguments: Value,
}

impl ToolCall {
    /// Which tool; told once in a stream.
    pub(super) fn name(&self) -> &str {
        let function = self.function.as_ref();
        function
            .and_then(|function| function.name.as_deref())
            .unwrap_or_default()
    }

    /// The arguments as text: a piece of it in a stream, and of some servers an object.
    pub(super) fn arguments(self) -> String {
        match self.function.map(|function| function.arguments) {
            Some(Value::String(text)) => text,
            Some(object @ Value::Object(_)) => object.to_string(),
            _ => String::new(),
        }
    }
}

/// Reads counts wherever the family of endpoints puts them.
pub(super) fn counts(usage: &Value) -> Counts {
    let count = |fields: &[&str]| {
        fields
            .iter()
            .find_map(|field| usage.pointer(field)?.as_u64())
    };
    let (input, mut output) = (count(COUNTS.input), count(COUNTS.output));
    let reasoning = count(COUNTS.reasoning);
    // xAI counts reasoning beside the answer; everybody else within it.
    if let (Some(sent), Some(written), Some(thought)) = (input, output, reasoning)
        && count(COUNTS.total) == Some(sent.saturating_add(written).saturating_add(thought))
    {
        output = Some(written.saturating_add(thought));
    }
    Counts {
        input,
        cached: count(COUNTS.cached),
        output,
        reasoning,
    }
}

#[derive(serde::Deserialize)]
#[serde(untagged)]
pub(super) enum WireError<'a> {
    Object {
        #[serde(borrow, default)]
        message: Words<'a>,
        #[serde(default)]
        code: Option<Code>,
    },
    Text(#[serde(borrow)] Words<'a>),
}

#[derive(serde::Deserialize)]
#[serde(untagged)]
pub(super) enum Code {
    Number(u16),
    Text(String),
    Other(IgnoredAny),
}

/// Text wherever a provider may put it: a string, null, or a list of parts with texts.
#[derive(Default)]
pub(super) struct Words<'a>(pub(super) Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Words<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct WordsVisitor;

        impl<'de> Visitor<'de> for WordsVisitor {
            type Value = Words<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text, null, or a list of parts")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Words(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Words(Cow::Owned(text.to_owned())))
            }

            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Words::default())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Self::Value, A::Error> {
                #[derive(serde::Deserialize)]
                struct Part<'a> {
                    #[serde(borrow, default)]
                    text: Words<'a>,
                }
                let mut text = String::new();
                while let Some(part) = parts.next_element::<Part<'de>>()? {
                    text.push_str(&part.text.0);
                }
                Ok(Words(Cow::Owned(text)))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Words::default())
            }
        }

        deserializer.deserialize_any(WordsVisitor)
    }
}

impl WireError<'_> {
    /// Status and message; some write the status as text, most write none.
    pub(super) fn parts(self) -> (Option<u16>, String) {
        match self {
            Self::Object { message, code } => {
                let code = code.and_then(|code| match code {
                    Code::Number(code) => Some(code),
                    Code::Text(code) => code.parse().ok(),
                    Code::Other(_) => None,
                });
                (code, message.0.into_owned())
            }
            Self::Text(message) => (None, message.0.into_owned()),
        }
    }
}
