//! The languages of documents, prompts and the user interface.

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

    /// Detects the language of a text: Chinese if at least a fifth of its letters are Han
    /// characters.
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
