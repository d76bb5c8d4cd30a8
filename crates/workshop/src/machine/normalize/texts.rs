//! Replaces ids of proposed texts with names that make sense to a reader outside the workshop.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::spelling::with_sentences;
use crate::fault::Text;
use crate::ids::TextId;
use crate::lang::Lang;
use crate::machine::state::State;

const OF: Text = Text("{code}'s text", "{code} 的文本");

/// What replaces an id such as `X-3`, which plans do not contain: the id of the item agreed in this
/// wording, or else the author of the text.
#[derive(Debug, Default)]
pub struct TextNames {
    names: BTreeMap<String, Name>,
    lang: Lang,
}

#[derive(Debug)]
struct Name {
    text: String,
    /// The author of the text; `None` if the name is that of an agreed item.
    code: Option<String>,
}

impl TextNames {
    /// Returns the names of all texts proposed so far, in the language of the documents.
    pub fn of(state: &State) -> Self {
        let lang = state.inputs.doc_lang;
        let texts = state.ledger.iter().flat_map(|issue| &issue.texts);
        let proposed = texts.filter(|text| matches!(text.id, TextId::Proposed(_)));
        let named = proposed.map(|text| {
            let agreed = state.draft.standing().find(|item| item.text_id == text.id);
            let name = match agreed {
                Some(item) => Name {
                    text: item.id.to_string(),
                    code: None,
                },
                None => {
                    let code = state.inputs.roles.code(text.author());
                    Name {
                        text: OF.with(lang, &[("code", code)]),
                        code: Some(code.to_owned()),
                    }
                }
            };
            (text.id.to_string(), name)
        });
        Self {
            names: named.collect(),
            lang,
        }
    }

    /// Returns the sentence with names in place of text ids.
    pub fn put(&self, sentence: &str) -> String {
        self.told(sentence).unwrap_or_else(|| sentence.to_owned())
    }

    /// Returns a record with names in place of text ids in its sentences. An id alone is none.
    pub fn put_in<T: Serialize + DeserializeOwned>(&self, record: T) -> T {
        let told = |text: &str| self.told(text).filter(|_| text.parse::<TextId>().is_err());
        with_sentences(record, &told)
    }

    /// Returns the sentence with names in place of text ids; `None` if it has no such id.
    pub(super) fn told(&self, sentence: &str) -> Option<String> {
        let mut has_id = false;
        let mut out = String::with_capacity(sentence.len());
        let mut rest = sentence;
        let mut follows_name = false;
        while let Some(at) = rest.find("X-") {
            let (before, from) = rest.split_at(at);
            let digits = from[2..].find(|c: char| !c.is_ascii_digit());
            let (id, after) = from.split_at(digits.map_or(from.len(), |n| n + 2));
            out.push_str(before);
            let begins = begins_word(&out) || (follows_name && before == "/");
            match self.names.get(id).filter(|_| begins && ends_word(after)) {
                Some(name) => {
                    rest = after;
                    if out.ends_with('`')
                        && let Some(more) = after.strip_prefix('`')
                    {
                        out.pop();
                        rest = more;
                    }
                    self.cut_whose(&mut out, name);
                    out.push_str(&name.text);
                    (follows_name, has_id) = (true, true);
                }
                None => {
                    out.push_str(id);
                    rest = after;
                    follows_name = false;
                }
            }
        }
        out.push_str(rest);
        has_id.then_some(out)
    }

    /// Removes what the name would repeat: "SD's" or "the text" before the id.
    fn cut_whose(&self, out: &mut String, name: &Name) {
        let Some(code) = &name.code else { return };
        let said = match self.lang {
            Lang::En => [
                format!("{code}'s text "),
                format!("{code}'s "),
                "the text ".to_owned(),
                "The text ".to_owned(),
            ],
            Lang::Zh => [
                format!("{code} 的文本 "),
                format!("{code} 的 "),
                "文本 ".to_owned(),
                "文本".to_owned(),
            ],
        };
        if let Some(whose) = said.iter().find(|whose| out.ends_with(whose.as_str())) {
            out.truncate(out.len() - whose.len());
        }
    }
}

/// Returns whether a word may begin after `before`. It may not inside a path, a name or a number.
fn begins_word(before: &str) -> bool {
    let last = before.chars().next_back();
    !last.is_some_and(|c| c.is_ascii_alphanumeric() || "_-/.@#$".contains(c))
}

/// Returns whether a word ends where `after` begins.
fn ends_word(after: &str) -> bool {
    let mut after = after.chars();
    match after.next() {
        Some('.') => !after.next().is_some_and(char::is_alphanumeric),
        Some(c) => !(c.is_ascii_alphanumeric() || "_-".contains(c)),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(lang: Lang) -> TextNames {
        let name = |text: &str, code: Option<&str>| Name {
            text: text.to_owned(),
            code: code.map(str::to_owned),
        };
        let of = OF.with(lang, &[("code", "SD")]);
        TextNames {
            names: BTreeMap::from([
                ("X-1".to_owned(), name("C-2", None)),
                ("X-12".to_owned(), name(&of, Some("SD"))),
            ]),
            lang,
        }
    }

    #[test]
    fn an_id_becomes_the_agreed_item_or_whose_text_it_is() {
        for (said, told) in [
            ("X-12 would let it start.", "SD's text would let it start."),
            (
                "It follows from X-1, not from `X-12`.",
                "It follows from C-2, not from SD's text.",
            ),
            ("SD's X-12 and the text X-12", "SD's text and SD's text"),
            ("X-1/X-12: both", "C-2/SD's text: both"),
            ("(X-12)", "(SD's text)"),
            // Neither a text of this run nor a separate word.
            (
                "X-2, MAX-1, a/X-1, X-1.5, X-1-b and X-1a",
                "X-2, MAX-1, a/X-1, X-1.5, X-1-b and X-1a",
            ),
        ] {
            assert_eq!(names(Lang::En).put(said), told);
        }
        let told = names(Lang::Zh).put("按X-1而不是 SD 的 X-12，也不是文本 X-12。");
        assert_eq!(told, "按C-2而不是 SD 的文本，也不是SD 的文本。");
        let record = ["X-1", "按X-1。"].map(str::to_owned).to_vec();
        assert_eq!(names(Lang::Zh).put_in(record), ["X-1", "按C-2。"]);
    }
}
