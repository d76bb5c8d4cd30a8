//! Translates sentences recorded in transcripts into the reader's language.
//!
//! The program's own reasons are recorded in English only. A run then reads the same wherever it is
//! resumed, and a model that is asked again gets the words in the journal. Code that displays such
//! a reason translates it here: a [`Text`] is recognised by the words between its placeholders, and
//! the values of these are inserted into the same sentence of the other language.
//!
//! Text that matches no sentence, such as a provider's own words, is left unchanged.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::{Message, Text, table};
use crate::lang::Lang;

/// Placeholders that may hold such a sentence themselves.
const NESTED: [&str; 3] = ["what", "why", "expected"];

/// Maximum nesting depth of sentences.
const DEEPEST: usize = 4;

/// All sentences, more specific ones first.
static ALL: LazyLock<Vec<Text>> = LazyLock::new(|| {
    table(include_str!("recorded.txt"))
        .map(|[en, zh]| Text(en, zh))
        .collect()
});

/// A recorded reason in the given language.
pub fn translated(recorded: &str, lang: Lang) -> Cow<'_, str> {
    match lang {
        Lang::En => Cow::Borrowed(recorded),
        Lang::Zh => chinese(recorded, DEEPEST).map_or(Cow::Borrowed(recorded), Cow::Owned),
    }
}

/// A recorded reason in both languages, for use in an error.
pub fn message(recorded: &str) -> Message {
    Message {
        en: recorded.to_owned(),
        zh: translated(recorded, Lang::Zh).into_owned(),
    }
}

/// What a provider refused in a way that makes a retry pointless.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProviderRefusal {
    /// The key: 401 or 403.
    Key,
    /// The model, or the path that it was requested on: 404.
    Model,
}

/// Returns what was refused, from the record of a failed call. Only the program's own words are
/// checked, which come before the provider's.
pub fn refusal(recorded: &str) -> Option<ProviderRefusal> {
    let said = recorded.split_once(": ").map_or(recorded, |(_, said)| said);
    match said {
        _ if said.starts_with("the key was refused (") => Some(ProviderRefusal::Key),
        _ if said.starts_with("no such model or path (") => Some(ProviderRefusal::Model),
        _ => None,
    }
}

/// Returns whether a text is one of the recorded sentences.
pub fn is_known(recorded: &str) -> bool {
    ALL.iter().any(|text| read(text.0, recorded).is_some())
}

fn chinese(recorded: &str, deeper: usize) -> Option<String> {
    let (text, values) = ALL
        .iter()
        .find_map(|text| Some((text, read(text.0, recorded)?)))?;
    let values: Vec<(&str, Cow<'_, str>)> = values
        .into_iter()
        .map(|(name, value)| {
            let nested = NESTED.contains(&name) && deeper > 0;
            let own = nested.then(|| chinese(value, deeper - 1)).flatten();
            let own = own.or_else(|| (name == "names").then(|| value.replace(", ", "、")));
            (name, own.map_or(Cow::Borrowed(value), Cow::Owned))
        })
        .collect();
    let values: Vec<(&str, &str)> = values.iter().map(|(name, v)| (*name, &**v)).collect();
    Some(text.with(Lang::Zh, &values))
}

/// The values of the placeholders in `template`, if `text` is that sentence.
///
/// Words between two placeholders are searched from the left, the last ones from the right, so that
/// only the last placeholder may contain words of the sentence itself.
fn read<'a>(template: &'static str, text: &'a str) -> Option<Vec<(&'static str, &'a str)>> {
    let mut values = Vec::new();
    // A sentence without placeholders may contain braces, so it is compared as a whole.
    if template == text {
        return Some(values);
    }
    let (first, mut template) = template.split_once('{')?;
    let mut rest = text.strip_prefix(first)?;
    loop {
        let (name, after) = template.split_once('}')?;
        let (between, next) = match after.split_once('{') {
            Some((between, next)) => (between, Some(next)),
            None => (after, None),
        };
        let Some(next) = next else {
            let value = rest.strip_suffix(between)?;
            values.push((name, value));
            return (!value.is_empty()).then_some(values);
        };
        let (value, left) = rest.split_once(between)?;
        if value.is_empty() {
            return None;
        }
        values.push((name, value));
        (rest, template) = (left, next);
    }
}

#[cfg(test)]
mod tests;
