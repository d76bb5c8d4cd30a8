//! Chunks as they stand on the wire, with everything that the family of endpoints writes differently.
//!
//! Texts are borrowed from the bytes of the stream wherever they hold no escape.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::chat::Usage;

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
    pub(super) usage: Option<WireUsage>,
    #[serde(borrow, default)]
    pub(super) error: Option<WireError<'a>>,
}

#[derive(serde::Deserialize)]
pub(super) struct Choice<'a> {
    #[serde(borrow, default, alias = "message")]
    pub(super) delta: Option<Delta<'a>>,
    #[serde(borrow, default)]
    pub(super) finish_reason: Words<'a>,
    // Moonshot counts here.
    #[serde(default)]
    pub(super) usage: Option<WireUsage>,
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
}

#[derive(serde::Deserialize, Default, Clone, Copy)]
pub(super) struct WireUsage {
    #[serde(default)]
    prompt_tokens: Option<u64>,
    #[serde(default)]
    completion_tokens: Option<u64>,
    #[serde(default)]
    total_tokens: Option<u64>,
    #[serde(default)]
    prompt_tokens_details: Option<InputDetails>,
    #[serde(default)]
    completion_tokens_details: Option<OutputDetails>,
    /// DeepSeek.
    #[serde(default)]
    prompt_cache_hit_tokens: Option<u64>,
    /// Moonshot.
    #[serde(default)]
    cached_tokens: Option<u64>,
}

#[derive(serde::Deserialize, Default, Clone, Copy)]
struct InputDetails {
    #[serde(default)]
    cached_tokens: Option<u64>,
}

#[derive(serde::Deserialize, Default, Clone, Copy)]
struct OutputDetails {
    #[serde(default)]
    reasoning_tokens: Option<u64>,
}

impl WireUsage {
    pub(super) fn usage(self) -> Option<Usage> {
        let input = self.prompt_tokens?;
        let mut output = self.completion_tokens?;
        let reasoning = self
            .completion_tokens_details
            .and_then(|details| details.reasoning_tokens)
            .unwrap_or(0);
        // xAI counts reasoning beside the answer; everybody else within it.
        if self.total_tokens == Some(input.saturating_add(output).saturating_add(reasoning)) {
            output = output.saturating_add(reasoning);
        }
        let cached = self
            .prompt_tokens_details
            .and_then(|details| details.cached_tokens)
            .or(self.prompt_cache_hit_tokens)
            .or(self.cached_tokens)
            .unwrap_or(0);
        Some(Usage {
            input,
            cached_input: cached.min(input),
            output,
            reasoning: reasoning.min(output),
        })
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
