//! Display names of recorded values, and the words of the page, in both languages. They are the
//! rows of `words.txt`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::fault::{Text, table};
use crate::lang::Lang;

static WORDS: LazyLock<BTreeMap<&str, Text>> = LazyLock::new(|| {
    let words = table(include_str!("words.txt"));
    words.map(|[name, en, zh]| (name, Text(en, zh))).collect()
});

/// Returns the text with that name, such as `stance.agree`, or an empty text.
pub fn word(name: &str) -> Text {
    WORDS.get(name).copied().unwrap_or(Text::NONE)
}

/// Returns the display name of a recorded value within its group, or an empty text if the value is
/// not a plain string in JSON or has no name.
pub fn name_of(group: &str, value: &impl Serialize) -> Text {
    let value = serde_json::to_value(value).unwrap_or_default();
    let key = value.as_str().unwrap_or_default();
    word(&format!("{group}.{key}"))
}

/// Returns the display name of `key` within its group, or `key` itself if it has none.
pub fn name_or_key<'k>(group: &str, key: &'k str, lang: Lang) -> &'k str {
    match word(&format!("{group}.{key}")) {
        Text::NONE => key,
        name => name.of(lang),
    }
}

/// Returns all words of a language for the templates of the page, with groups as mappings.
pub(crate) fn all(lang: Lang) -> Value {
    let mut words = Map::new();
    for (name, text) in WORDS.iter() {
        let word = Value::from(text.of(lang));
        match name.split_once('.') {
            None => words.insert((*name).to_owned(), word),
            Some((group, name)) => {
                let group = words.entry(group).or_insert_with(|| Map::new().into());
                group[name] = word;
                None
            }
        };
    }
    words.into()
}

#[cfg(test)]
mod tests {
    use schemars::{JsonSchema, schema_for};

    use super::*;
    use crate::check::ChangeStatus;
    use crate::machine::debate::{NoRulingReason, RequestRefusal};
    use crate::machine::review::{FindingFate, NoReviewReason};
    use crate::machine::{
        AnswerSource, Ballot, DecidedBy, FailureKind, Format, IdleReason, LedgerRule, Stage,
        StopReason, StopSign,
    };
    use crate::reply::{Change, Decision, DocumentKind, Stance, SymbolChange};

    #[test]
    fn both_languages_say_the_same_with_the_same_places() {
        for (name, text) in WORDS.iter() {
            assert_eq!(text.places(Lang::En), text.places(Lang::Zh), "{name}");
            assert!(!text.0.is_empty() && !text.1.is_empty(), "{name}");
        }
        let table = include_str!("words.txt").lines();
        let rows = table.filter(|row| !row.is_empty() && !row.starts_with('#'));
        assert_eq!(rows.count(), WORDS.len(), "a row is none, or stands twice");
    }

    fn has_names<T: JsonSchema>(group: &str) {
        let schema = schema_for!(T).to_value();
        let plain = schema["enum"].as_array().into_iter().flatten();
        let told = schema["oneOf"].as_array().into_iter().flatten();
        let told = told.map(|one| &one["const"]);
        let names: Vec<&str> = plain.chain(told).filter_map(Value::as_str).collect();
        assert!(!names.is_empty(), "{group}");
        for name in names {
            assert_ne!(
                word(&format!("{group}.{name}")),
                Text::NONE,
                "{group}.{name}"
            );
        }
    }

    #[test]
    fn every_value_has_a_name() {
        has_names::<StopReason>("ended");
        has_names::<crate::thread::ThreadStatus>("thread");
        has_names::<StopSign>("sign");
        has_names::<DecidedBy>("decided_by");
        has_names::<IdleReason>("idle");
        has_names::<Decision>("decision");
        has_names::<Stance>("stance");
        has_names::<Stance>("stands");
        has_names::<LedgerRule>("rule");
        has_names::<AnswerSource>("source");
        has_names::<FailureKind>("failure");
        has_names::<Stage>("stage");
        has_names::<DocumentKind>("document");
        has_names::<SymbolChange>("symbol");
        has_names::<Change>("value");
        has_names::<FindingFate>("found");
        has_names::<ChangeStatus>("done");
        has_names::<NoReviewReason>("unreviewed");
        has_names::<NoRulingReason>("unruled");
        has_names::<RequestRefusal>("unheld");
        has_names::<Ballot>("votes");
        has_names::<StopSign>("seen");
        has_names::<Format>("meeting");
    }
}
