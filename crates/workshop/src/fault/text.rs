//! Texts in both languages, side by side, so that neither can be missing.

use std::borrow::Borrow;
use std::fmt::Display;
use std::io;

use crate::lang::Lang;

/// A text in English and Chinese; `{name}` is a placeholder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Text(pub &'static str, pub &'static str);

/// Defines the texts of a file, one row each: `NAME: English, Chinese;`, with optional comments and
/// visibility. Both languages have the same placeholders.
#[macro_export]
macro_rules! texts {
    ($($(#[$about:meta])* $visible:vis $name:ident: $en:literal, $zh:literal;)*) => {
        $(
            $(#[$about])*
            $visible const $name: $crate::fault::Text = $crate::fault::Text($en, $zh);
        )*
    };
}
pub use texts;

/// Values for the placeholders of a text: `values![name, n = items.len()]`. A value that is a
/// message itself is inserted in the requested language.
#[macro_export]
macro_rules! values {
    ($($name:ident $(= $value:expr)?),* $(,)?) => {
        &[$($crate::values!(@one $name $(= $value)?)),*]
    };
    (@one $name:ident) => {
        (stringify!($name), &$name as &dyn $crate::fault::MessageValue)
    };
    (@one $name:ident = $value:expr) => {
        (stringify!($name), &$value as &dyn $crate::fault::MessageValue)
    };
}
pub use values;

/// A text in both languages with its placeholders filled. The language is chosen when it is
/// displayed.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Message {
    /// The message in English.
    pub en: String,
    /// The message in Chinese.
    pub zh: String,
}

/// A value for a placeholder: anything that is the same in both languages, or a message.
pub trait MessageValue {
    /// The value in the given language.
    fn in_lang(&self, lang: Lang) -> String;
}

impl<T: Display + ?Sized> MessageValue for T {
    fn in_lang(&self, _: Lang) -> String {
        self.to_string()
    }
}

impl MessageValue for Message {
    fn in_lang(&self, lang: Lang) -> String {
        self.of(lang).to_owned()
    }
}

impl MessageValue for Text {
    fn in_lang(&self, lang: Lang) -> String {
        self.of(lang).to_owned()
    }
}

impl MessageValue for &Message {
    fn in_lang(&self, lang: Lang) -> String {
        self.of(lang).to_owned()
    }
}

impl MessageValue for &dyn MessageValue {
    fn in_lang(&self, lang: Lang) -> String {
        (**self).in_lang(lang)
    }
}

/// The rows of a table file next to the code: cells are separated by ` | `, and lines that are
/// blank or begin with `#` are skipped.
pub fn table<const N: usize>(text: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    let is_row = |row: &&str| !row.is_empty() && !row.starts_with('#');
    text.lines().filter(is_row).filter_map(|row| {
        let cells = row.split(" | ").collect::<Vec<_>>().try_into();
        debug_assert!(cells.is_ok(), "a row without {N} cells: {row}");
        cells.ok()
    })
}

impl Text {
    /// The empty text.
    pub const NONE: Self = Self("", "");
    /// What stands between the items of a list.
    pub const COMMA: Self = Self(", ", "、");

    /// The text in the given language.
    pub fn of(self, lang: Lang) -> &'static str {
        match lang {
            Lang::En => self.0,
            Lang::Zh => self.1,
        }
    }

    /// The text in one language, with its placeholders filled. Placeholders in the values are not
    /// replaced.
    pub fn with<V: MessageValue>(self, lang: Lang, values: &[(&str, V)]) -> String {
        fill(self.of(lang), lang, values)
    }

    /// The text in both languages, with its placeholders filled. Placeholders in the values are not
    /// replaced.
    pub fn fill(self, values: &[(&str, &dyn MessageValue)]) -> Message {
        debug_assert_eq!(self.places(Lang::En), self.places(Lang::Zh), "{}", self.0);
        Message {
            en: self.with(Lang::En, values),
            zh: self.with(Lang::Zh, values),
        }
    }

    /// Joins names that are the same in both languages with this text between them.
    pub fn join<S: Borrow<str>>(self, names: &[S]) -> Message {
        Message {
            en: names.join(self.0),
            zh: names.join(self.1),
        }
    }

    /// The names of its placeholders in one language, sorted.
    pub fn places(self, lang: Lang) -> Vec<&'static str> {
        let parts = self.of(lang).split('{').skip(1);
        let mut names: Vec<_> = parts
            .filter_map(|part| part.split_once('}'))
            .map(|(name, _)| name)
            .filter(|name| is_place(name))
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// Returns whether braces around the name make a placeholder. Braces as in `{"id": …}` are literal.
fn is_place(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_')
}

/// Fills the placeholders of a text that was changed at run time.
pub fn fill<V: MessageValue>(text: &str, lang: Lang, values: &[(&str, V)]) -> String {
    let (mut rest, mut whole) = (text, String::new());
    while let Some((before, after)) = rest.split_once('{') {
        whole.push_str(before);
        match after.split_once('}') {
            Some((name, after)) if is_place(name) => {
                let value = values.iter().find(|(key, _)| *key == name);
                let value = value.map(|(_, value)| value.in_lang(lang));
                debug_assert!(value.is_some(), "nothing for `{name}` of `{text}`");
                whole.push_str(value.as_deref().unwrap_or(name));
                rest = after;
            }
            _ => {
                whole.push('{');
                rest = after;
            }
        }
    }
    whole.push_str(rest);
    whole
}

impl Message {
    /// Applies `so` to each language.
    pub fn put(&self, so: impl Fn(&str) -> String) -> Self {
        Self {
            en: so(&self.en),
            zh: so(&self.zh),
        }
    }

    /// The message in the given language.
    pub fn of(&self, lang: Lang) -> &str {
        match lang {
            Lang::En => &self.en,
            Lang::Zh => &self.zh,
        }
    }

    /// Returns whether the message is empty.
    pub fn is_empty(&self) -> bool {
        self.en.is_empty()
    }

    /// Joins messages, with `en` or `zh` between them.
    pub fn joined(parts: &[Self], Text(en, zh): Text) -> Self {
        let join = |lang, between| {
            let parts: Vec<&str> = parts.iter().map(|part| part.of(lang)).collect();
            parts.join(between)
        };
        Self {
            en: join(Lang::En, en),
            zh: join(Lang::Zh, zh),
        }
    }
}

impl From<Text> for Message {
    fn from(text: Text) -> Self {
        text.fill(&[])
    }
}

impl From<String> for Message {
    /// A text that is the same in both languages: a name, a path, a command.
    fn from(text: String) -> Self {
        Self {
            zh: text.clone(),
            en: text,
        }
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

/// Why this program refuses to open a file, carried inside an `io::Error`.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.en)]
pub struct OpenRefusal(pub Message);

impl From<OpenRefusal> for io::Error {
    fn from(refusal: OpenRefusal) -> Self {
        Self::new(io::ErrorKind::InvalidInput, refusal)
    }
}

/// The message of an operating system error, translated if it is a common one.
pub fn said_by_system(error: &io::Error) -> Message {
    let own = error.get_ref().and_then(|own| own.downcast_ref());
    if let Some(OpenRefusal(why)) = own {
        return why.clone();
    }
    let zh = match error.kind() {
        io::ErrorKind::NotFound => "没有这样的文件或目录",
        io::ErrorKind::PermissionDenied => "没有权限",
        io::ErrorKind::AlreadyExists => "已经存在",
        io::ErrorKind::IsADirectory => "这是一个目录",
        io::ErrorKind::NotADirectory => "这不是目录",
        io::ErrorKind::DirectoryNotEmpty => "目录不为空",
        io::ErrorKind::StorageFull => "磁盘空间不足",
        io::ErrorKind::QuotaExceeded => "超出磁盘配额",
        io::ErrorKind::FileTooLarge => "文件过大",
        io::ErrorKind::ReadOnlyFilesystem => "文件系统只读",
        io::ErrorKind::InvalidData => "内容不是有效的文本",
        io::ErrorKind::TimedOut => "超时",
        io::ErrorKind::BrokenPipe => "管道已关闭",
        _ => return error.to_string().into(),
    };
    let code = error.raw_os_error();
    Message {
        en: error.to_string(),
        zh: code.map_or_else(|| zh.to_owned(), |code| format!("{zh}（os error {code}）")),
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

    #[test]
    fn a_message_within_a_message_keeps_its_languages() {
        let inner = Message::from(Text("two words", "两个词"));
        let outer = Text("{n}: {what} {\"id\": 1}", "{n}：{what} {\"id\": 1}");
        let said = outer.fill(&[("n", &7), ("what", &inner)]);
        assert_eq!(said.en, "7: two words {\"id\": 1}");
        assert_eq!(said.zh, "7：两个词 {\"id\": 1}");
        assert_eq!(outer.places(Lang::Zh), ["n", "what"]);
    }

    #[test]
    fn a_place_that_one_language_lacks_is_found() {
        for (en, zh, same) in [
            ("{a} of {b}", "{b} 的 {a}", true),
            ("{\"id\": 1} {a} {", "{a} {\"id\": 2}", true),
            ("{a} of {b}", "{a}", false),
            ("{a}", "{a} {b}", false),
            ("{a}", "{ab}", false),
        ] {
            let text = Text(en, zh);
            let is_same = text.places(Lang::En) == text.places(Lang::Zh);
            assert_eq!(is_same, same, "{en} / {zh}");
        }
    }
}
