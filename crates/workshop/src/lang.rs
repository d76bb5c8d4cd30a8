//! The languages of documents, prompts and the interface.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Language of documents and prompts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Chinese.
    Zh,
}

impl Lang {
    /// `en` or `zh`.
    pub fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Zh => "zh",
        }
    }

    /// The language a text is written in: Chinese when at least a fifth of its
    /// letters are Han characters.
    pub fn of(text: &str) -> Self {
        let (mut han, mut letters) = (0usize, 0usize);
        for c in text.chars().filter(|c| c.is_alphabetic()) {
            letters += 1;
            han += usize::from(matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'));
        }
        if han * 5 >= letters && han > 0 {
            Self::Zh
        } else {
            Self::En
        }
    }
}

/// Returns whether `c` is a Han character.
pub fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// Returns the words and pairs of Han characters by which a text can be compared with
/// another: words in lower case with three letters or more, a plural's `s` taken off.
pub fn terms(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    let words = lower
        .split(|c: char| !c.is_alphanumeric() || is_han(c))
        .filter(|word| word.chars().count() >= 3)
        .map(|word| word.strip_suffix('s').unwrap_or(word).to_owned());
    let mut terms: BTreeSet<String> = words.collect();
    let chars: Vec<char> = lower.chars().collect();
    let pairs = chars
        .windows(2)
        .filter(|pair| pair.iter().all(|c| is_han(*c)));
    terms.extend(pairs.map(|pair| pair.iter().collect::<String>()));
    terms
}
