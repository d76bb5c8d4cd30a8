//! Sentences that stand in transcripts, told in the reader's language.
//!
//! A transcript has one language for the reasons the program itself gives: English, so
//! that one run reads the same wherever it is resumed, and so that a model that is
//! asked again is told in the words the journal holds. Whoever shows such a reason
//! looks it up here: a [`Text`] is recognised by what stands between its places, and
//! what stood in them is put into the same sentence of the other language.
//!
//! What no sentence is like, a provider's own words first of all, stays as it is.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::{Message, Text, table};
use crate::machine::Lang;

/// Places that hold such a sentence themselves.
const NESTED: [&str; 3] = ["what", "why", "expected"];

/// How deep sentences may be nested.
const DEEPEST: usize = 4;

/// Every sentence, the more particular ones first.
static ALL: LazyLock<Vec<Text>> = LazyLock::new(|| {
    table(include_str!("recorded.txt"))
        .map(|[en, zh]| Text(en, zh))
        .collect()
});

/// A recorded reason in that language.
pub fn told(recorded: &str, lang: Lang) -> Cow<'_, str> {
    match lang {
        Lang::En => Cow::Borrowed(recorded),
        Lang::Zh => chinese(recorded, DEEPEST).map_or(Cow::Borrowed(recorded), Cow::Owned),
    }
}

/// A recorded reason in both languages, for an error that holds it.
pub fn message(recorded: &str) -> Message {
    Message {
        en: recorded.to_owned(),
        zh: told(recorded, Lang::Zh).into_owned(),
    }
}

/// What a provider refused so that the same call would be refused again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The key: 401 or 403.
    Key,
    /// The model, or the path it is asked on: 404.
    Model,
}

/// What was refused, by the record of a failed call: the program's own words come before the
/// provider's.
pub fn refusal(recorded: &str) -> Option<Refusal> {
    let said = recorded.split_once(": ").map_or(recorded, |(_, said)| said);
    match said {
        _ if said.starts_with("the key was refused (") => Some(Refusal::Key),
        _ if said.starts_with("no such model or path (") => Some(Refusal::Model),
        _ => None,
    }
}

/// Returns whether it is one of the recorded sentences.
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
            (name, own.map_or(Cow::Borrowed(value), Cow::Owned))
        })
        .collect();
    let values: Vec<(&str, &str)> = values.iter().map(|(name, v)| (*name, &**v)).collect();
    Some(text.with(Lang::Zh, &values))
}

/// The values in the places of `template` if `text` is that sentence.
///
/// Words between two places are looked for from the left, the last ones from the
/// right, so that only the last place may hold words of the sentence itself.
fn read<'a>(template: &'static str, text: &'a str) -> Option<Vec<(&'static str, &'a str)>> {
    let mut values = Vec::new();
    // Braces that are no placeholder occur in such sentences only.
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
