//! Replaces ids of proposed texts with names that make sense to a reader outside the workshop.

use std::collections::BTreeMap;

use crate::fault::Text;
use crate::ids::TextId;
use crate::machine::state::State;

const OF: Text = Text("{code}'s text", "{code} 的文本");

/// What replaces an id such as `X-3`, which plans do not contain: the id of the item agreed in this
/// wording, or else the author of the text.
#[derive(Debug, Default)]
pub struct TextNames {
    names: BTreeMap<String, String>,
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
                Some(item) => item.id.to_string(),
                None => {
                    let code = state.inputs.roles.code(text.author());
                    OF.with(lang, &[("code", code)])
                }
            };
            (text.id.to_string(), name)
        });
        Self {
            names: named.collect(),
        }
    }

    /// Returns the sentence with names in place of text ids.
    pub fn put(&self, sentence: &str) -> String {
        self.told(sentence).unwrap_or_else(|| sentence.to_owned())
    }

    /// Returns the sentence with names in place of text ids; `None` if it has no such id.
    pub(super) fn told(&self, sentence: &str) -> Option<String> {
        let mut has_id = false;
        let mut out = String::with_capacity(sentence.len());
        let mut rest = sentence;
        while let Some(at) = rest.find("X-") {
            let (before, from) = rest.split_at(at);
            let digits = from[2..].find(|c: char| !c.is_ascii_digit());
            let (id, after) = from.split_at(digits.map_or(from.len(), |n| n + 2));
            out.push_str(before);
            rest = after;
            match self
                .names
                .get(id)
                .filter(|_| begins_word(&out) && ends_word(after))
            {
                Some(name) => {
                    // A name is no code, as an id is.
                    if out.ends_with('`')
                        && let Some(more) = after.strip_prefix('`')
                    {
                        out.pop();
                        rest = more;
                    }
                    out.push_str(name);
                    has_id = true;
                }
                None => out.push_str(id),
            }
        }
        out.push_str(rest);
        has_id.then_some(out)
    }
}

/// Returns whether a word may begin after `before`. It may not inside a path, a name or a number.
fn begins_word(before: &str) -> bool {
    let last = before.chars().next_back();
    !last.is_some_and(|c| c.is_ascii_alphanumeric() || "_-/.@#$".contains(c))
}

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
    use crate::lang::Lang;

    fn names(lang: Lang) -> TextNames {
        let of = OF.with(lang, &[("code", "SD")]);
        TextNames {
            names: BTreeMap::from([
                ("X-1".to_owned(), "C-2".to_owned()),
                ("X-12".to_owned(), of),
            ]),
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
            ("(X-12)", "(SD's text)"),
            // Neither a text of this run nor a separate word.
            (
                "X-2, MAX-1, a/X-1, X-1.5, X-1-b and X-1a",
                "X-2, MAX-1, a/X-1, X-1.5, X-1-b and X-1a",
            ),
        ] {
            assert_eq!(names(Lang::En).put(said), told);
        }
        let told = names(Lang::Zh).put("按X-1而不是 X-12。");
        assert_eq!(told, "按C-2而不是 SD 的文本。");
    }
}
