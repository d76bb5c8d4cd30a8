//! Kinds of values: type, range, and how a text is parsed.

use serde_json::Value as Json;

use super::Value;
use crate::fault::{Message, Value as Said, texts};
use crate::machine::Lang;
use crate::machine::similarity::Score;

texts! {
    ONE_OF: "one of {words}", "下列之一：{words}";
    WHOLE_NUMBER: "a whole number from {min} to {max}", " {min} 到 {max} 的整数";
    RATIO: "a number from 0.001 to 1", " 0.001 到 1 的数";
    TEMPERATURE: "a number from 0 to 2 with at most two decimals", " 0 到 2 的数，最多两位小数";
    MARKER: "a line with a letter in it", "一行至少含一个字母或汉字的文本";
    TEXT: "a text that is not empty", "非空的文本";
    TEXTS: "a list of texts, at least one", "至少含一项的文本列表";
    PROXY: "an address that begins with `http://`, `https://` or `socks5://` and holds no password (a proxy that wants one is named in `HTTPS_PROXY`)", "以 `http://`、`https://` 或 `socks5://` 开头且不含密码的地址（需要密码的代理请写在 `HTTPS_PROXY` 中）";
    URL: "an address that begins with `http://` or `https://` and holds no password", "以 `http://` 或 `https://` 开头且不含密码的地址";
    VARIABLE: "the name of an environment variable, never a key itself", "环境变量的名称，绝不是密钥本身";
    USD: "an amount of dollars such as `2.50`, with at most nine decimals and up to 1000000", "形如 `2.50` 的美元金额，最多九位小数，不超过 1000000";
    NOT: ", not `{given}`", "，而不是 `{given}`";
}

/// Type and range of a key's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A whole number within the range, ends included.
    Number {
        /// Minimum.
        min: u64,
        /// Maximum.
        max: u64,
    },
    /// A ratio greater than 0 and at most 1, with up to three decimals.
    Ratio,
    /// A sampling temperature from 0 to 2, with up to two decimals.
    Temperature,
    /// A line of text that contains a letter, so that a quote, fence or bracket at the end of every
    /// answer cannot match it.
    Marker,
    /// Any non-empty text.
    Text,
    /// A list of texts; in a variable or flag separated by commas.
    Texts,
    /// Texts by name; the name follows the key after a dot.
    Table,
    /// A [`Kind::Temperature`] by name; the name follows the key after a dot.
    Temperatures,
    /// An `http` or `https` address without user name or password.
    Url,
    /// The address of a proxy, with the same restrictions.
    Proxy,
    /// The path of a file or folder.
    Path,
    /// A program and its arguments.
    Program,
    /// The name of an environment variable; its value is never shown.
    Variable,
    /// An amount of US dollars.
    Usd,
}

impl Kind {
    /// The kind that a cell of `keys.txt` names: a range such as `1..100`, one of the words below,
    /// or else words with `/` between them.
    pub(super) fn named(cell: &'static str) -> Self {
        if let Some((min, max)) = cell.split_once("..")
            && let (Ok(min), Ok(max)) = (min.parse(), max.parse())
        {
            return Self::Number { min, max };
        }
        match cell {
            "ratio" => Self::Ratio,
            "temperature" => Self::Temperature,
            "marker" => Self::Marker,
            "text" => Self::Text,
            "texts" => Self::Texts,
            "table" => Self::Table,
            "temperatures" => Self::Temperatures,
            "url" => Self::Url,
            "proxy" => Self::Proxy,
            "path" => Self::Path,
            "program" => Self::Program,
            "variable" => Self::Variable,
            "usd" => Self::Usd,
            // The table is read once.
            words => Self::Choice(words.split('/').collect::<Vec<_>>().leak()),
        }
    }

    /// Parses a text as a value of this kind.
    ///
    /// # Errors
    /// What a valid value is, as a phrase that follows "must be".
    pub fn read(self, text: &str) -> Result<Value, Message> {
        let text = text.trim();
        let plain = || Value::Text(text.to_owned());
        match self {
            Self::Choice(words) if words.contains(&text) => Ok(plain()),
            Self::Number { min, max } => text
                .replace('_', "")
                .parse()
                .ok()
                .filter(|n| (min..=max).contains(n))
                .map(Value::Number)
                .ok_or_else(|| self.wanted()),
            Self::Ratio => text
                .parse()
                .ok()
                .filter(|ratio| (0.001..=1.0).contains(ratio))
                .map(|ratio| Value::Ratio(Score::from_ratio(ratio)))
                .ok_or_else(|| self.wanted()),
            Self::Temperature | Self::Temperatures => {
                Value::temperature(text).ok_or_else(|| self.wanted())
            }
            Self::Text | Self::Table | Self::Path if is_plain(text) => Ok(plain()),
            Self::Marker if is_plain(text) && text.chars().any(is_letter) => Ok(plain()),
            Self::Texts | Self::Program => {
                let parts = text
                    .split(',')
                    .map(str::trim)
                    .filter(|part| !part.is_empty());
                Self::list(parts.map(str::to_owned).collect())
            }
            Self::Usd => text.parse().map(Value::Usd).map_err(|_| self.wanted()),
            Self::Url if is_url(text) => Ok(plain()),
            Self::Proxy if is_proxy(text) => Ok(plain()),
            Self::Variable if is_variable(text) => Ok(plain()),
            _ => Err(self.wanted()),
        }
    }

    /// Checks a list.
    ///
    /// # Errors
    /// As [`Kind::read`].
    pub fn list(items: Vec<String>) -> Result<Value, Message> {
        let right = !items.is_empty() && items.iter().all(|item| is_plain(item));
        right
            .then_some(Value::Texts(items))
            .ok_or_else(|| Self::Texts.wanted())
    }

    /// What a valid value is, as a phrase that follows "must be".
    pub fn wanted(self) -> Message {
        match self {
            Self::Choice(words) => {
                let quoted: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
                ONE_OF.fill(&[("words", &quoted.join(", "))])
            }
            Self::Number { min, max } => WHOLE_NUMBER.fill(&[("min", &min), ("max", &max)]),
            Self::Ratio => RATIO.into(),
            Self::Temperature | Self::Temperatures => TEMPERATURE.into(),
            Self::Marker => MARKER.into(),
            Self::Text | Self::Table | Self::Path => TEXT.into(),
            Self::Texts | Self::Program => TEXTS.into(),
            Self::Proxy => PROXY.into(),
            Self::Url => URL.into(),
            Self::Variable => VARIABLE.into(),
            Self::Usd => USD.into(),
        }
    }

    /// The part of a message that repeats the invalid value; empty if the value may be a secret.
    pub fn not(self, given: &dyn Said) -> Message {
        if !self.may_be_shown() {
            return Message::default();
        }
        let shown = |lang| {
            let short: String = given.in_lang(lang).chars().take(60).collect();
            short.escape_debug().to_string()
        };
        let given = Message {
            en: shown(Lang::En),
            zh: shown(Lang::Zh),
        };
        NOT.fill(&[("given", &given)])
    }

    /// A valid value.
    pub fn example(self) -> String {
        match self {
            Self::Choice(words) => words.first().copied().unwrap_or_default().to_owned(),
            // Ten milliseconds or requests a minute would be of no use.
            Self::Number { min: 1, max } if max >= 100_000 => (max / 10).to_string(),
            Self::Number { min, max } => (min.max(1) * 10).min(max).to_string(),
            Self::Ratio => "0.85".to_owned(),
            Self::Temperature => "0.7".to_owned(),
            Self::Marker => "[DONE]".to_owned(),
            Self::Text => "name".to_owned(),
            Self::Table => "RP=name".to_owned(),
            Self::Temperatures => "RP=0.2".to_owned(),
            Self::Texts => "PP,SD".to_owned(),
            Self::Url => "https://example.com/v1".to_owned(),
            Self::Proxy => "http://proxy.example:3128".to_owned(),
            Self::Path => "roots.pem".to_owned(),
            Self::Program => "agent,--print".to_owned(),
            Self::Variable => "MY_API_KEY".to_owned(),
            Self::Usd => "2.50".to_owned(),
        }
    }

    /// The value as JSON for the field that it sets: a choice of yes or no becomes a boolean.
    pub(super) fn to_json(self, value: &Value) -> Json {
        match (self, value) {
            (Self::Choice([yes @ ("true" | "on"), _]), Value::Text(word)) => (word == yes).into(),
            _ => value.to_json(),
        }
    }

    /// The reverse of [`to_json`](Self::to_json): a field's JSON as a setting's; `None` if it is
    /// null.
    pub(super) fn setting(self, held: &Json) -> Option<Json> {
        match (self, held) {
            (Self::Choice([yes, no]), Json::Bool(is_so)) => {
                Some((if *is_so { *yes } else { *no }).into())
            }
            (_, Json::Null) => None,
            _ => Some(held.clone()),
        }
    }

    /// Whether the key contains values by name.
    pub fn is_table(self) -> bool {
        matches!(self, Self::Table | Self::Temperatures)
    }

    /// Whether a message may repeat an invalid value: not if it may be a secret.
    pub fn may_be_shown(self) -> bool {
        !matches!(self, Self::Url | Self::Proxy | Self::Variable)
    }
}

fn is_plain(text: &str) -> bool {
    !text.trim().is_empty() && !text.chars().any(char::is_control)
}

/// Whether it is neither whitespace nor an ASCII digit or punctuation.
fn is_letter(c: char) -> bool {
    !(c.is_whitespace() || c.is_ascii_digit() || c.is_ascii_punctuation())
}

fn is_variable(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_url(text: &str) -> bool {
    is_address(text, &["http", "https"])
}

fn is_proxy(text: &str) -> bool {
    let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"];
    is_address(text, &schemes)
}

fn is_address(text: &str, schemes: &[&str]) -> bool {
    let (scheme, rest) = text.split_once("://").unwrap_or_default();
    schemes.contains(&scheme) && {
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        !authority.is_empty()
            && !authority.contains('@')
            && !text.chars().any(|c| c.is_control() || c.is_whitespace())
    }
}
