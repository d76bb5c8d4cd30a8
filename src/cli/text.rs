//! Words of commands in both languages; each command keeps its own in one block.

use crate::workshop::Lang;

/// One text: English, Chinese; `{name}` stands for what [`Text::with`] puts in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text(pub &'static str, pub &'static str);

impl Text {
    /// The text in that language.
    pub fn of(self, lang: Lang) -> &'static str {
        match lang {
            Lang::En => self.0,
            Lang::Zh => self.1,
        }
    }

    /// The text with its places filled; what is put in is not looked at again.
    pub fn with(self, lang: Lang, values: &[(&str, &str)]) -> String {
        let (mut rest, mut whole) = (self.of(lang), String::new());
        while let Some((before, after)) = rest.split_once('{') {
            whole.push_str(before);
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            let value = values.iter().find(|(key, _)| *key == name);
            whole.push_str(value.map_or(name, |(_, value)| value));
            rest = after;
        }
        whole.push_str(rest);
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_not_filled_again() {
        let text = Text("{a} of {b}.", "{b} 的 {a}。");
        let values = [("a", "{b}"), ("b", "x")];
        assert_eq!(text.with(Lang::En, &values), "{b} of x.");
        assert_eq!(text.with(Lang::Zh, &values), "x 的 {b}。");
    }
}
