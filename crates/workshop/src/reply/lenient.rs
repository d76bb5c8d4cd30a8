//! A lenient JSON parser. It accepts the mistakes that models make and never completes a value.

use serde_json::{Map, Value};

/// Maximum nesting depth; real answers have four levels.
const MAX_DEPTH: usize = 32;

/// The result of parsing a text.
pub(super) struct ParsedValue {
    /// The value at the start of the text.
    pub(super) value: Value,
    /// Length of that value, in bytes.
    pub(super) length: usize,
    /// Whether the text ended after a complete value, with brackets still open.
    pub(super) is_open: bool,
}

/// Parses the value at the start of a text.
pub(super) fn read_leniently(text: &str) -> Result<ParsedValue, LenientError> {
    let mut reader = Lenient {
        text,
        rest: text,
        is_open: false,
    };
    let value = reader.value(0)?;
    Ok(ParsedValue {
        value,
        length: reader.read(),
        is_open: reader.is_open,
    })
}

/// Why the lenient parser stopped.
#[derive(Debug)]
pub(super) enum LenientError {
    /// The text ended inside the object.
    CutOff,
    /// A character is in the wrong place.
    Wrong { expected: &'static str, at: usize },
}

impl LenientError {
    /// The error message sent to the model.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::CutOff => "the object is cut off".to_owned(),
            Self::Wrong { expected, at } => {
                format!("{expected} expected {at} bytes into the object")
            }
        }
    }
}

struct Lenient<'a> {
    text: &'a str,
    /// What is still to be read of the text.
    rest: &'a str,
    /// Whether the text ended before every bracket was closed.
    is_open: bool,
}

impl<'a> Lenient<'a> {
    /// Bytes read so far.
    fn read(&self) -> usize {
        self.text.len() - self.rest.len()
    }

    fn next(&mut self) -> Result<char, LenientError> {
        let mut chars = self.rest.chars();
        let c = chars.next().ok_or(LenientError::CutOff)?;
        self.rest = chars.as_str();
        Ok(c)
    }

    /// Takes everything before the first character that `ends` the piece.
    fn take_until(&mut self, ends: impl Fn(char) -> bool) -> &'a str {
        let (taken, rest) = self
            .rest
            .split_at(self.rest.find(ends).unwrap_or(self.rest.len()));
        self.rest = rest;
        taken
    }

    fn wrong<T>(&self, expected: &'static str) -> Result<T, LenientError> {
        let at = self.read();
        Err(LenientError::Wrong { expected, at })
    }

    /// Peeks at the next character after white space and comments, in its half-width form.
    fn peek(&mut self) -> Result<char, LenientError> {
        self.skip_blank();
        first(self.rest).ok_or(LenientError::CutOff)
    }

    /// Returns whether the text ends after a complete value. Brackets that are still open count as
    /// forgotten; the caller must check whether anything else is missing.
    fn ends_open(&mut self) -> bool {
        self.skip_blank();
        self.is_open |= self.rest.is_empty();
        self.is_open
    }

    fn skip_blank(&mut self) {
        loop {
            self.rest = unblank(self.rest);
            let comment = if self.rest.starts_with('#') || self.rest.starts_with("//") {
                self.rest.split_once('\n')
            } else if let Some(comment) = self.rest.strip_prefix("/*") {
                comment.split_once("*/")
            } else {
                return;
            };
            self.rest = comment.map_or("", |(_, after)| after);
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, LenientError> {
        if depth > MAX_DEPTH {
            return self.wrong("less nesting");
        }
        match self.peek()? {
            '{' => self.object(depth),
            '[' => self.array(depth),
            c if closing_quote(c).is_some() => self.string().map(Value::String),
            c if c == '-' || c.is_ascii_digit() => self.number(),
            _ => {
                let word = self.bare();
                word_value(word).map_or_else(|| self.wrong("a value"), Ok)
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, LenientError> {
        self.next()?;
        let mut map = Map::new();
        loop {
            if !map.is_empty() && self.ends_open() {
                return Ok(Value::Object(map));
            }
            let key = match self.peek()? {
                ',' => {
                    self.next()?;
                    continue;
                }
                '}' => {
                    self.next()?;
                    return Ok(Value::Object(map));
                }
                // The closing quote of the key is missing.
                '"' if opens_bare_key(self.rest) => {
                    self.next()?;
                    self.bare().to_owned()
                }
                c if closing_quote(c).is_some() => self.string()?,
                c if c.is_alphabetic() || c == '_' => {
                    let key = self.bare().to_owned();
                    // The opening quote of the key is missing.
                    self.rest = self.rest.strip_prefix('"').unwrap_or(self.rest);
                    key
                }
                _ => return self.wrong("a key"),
            };
            if self.peek()? != ':' {
                return self.wrong("`:`");
            }
            self.next()?;
            map.insert(key, self.value(depth + 1)?);
            // Before a quote, the comma is missing.
            let goes_on = |c| matches!(c, ',' | '}') || closing_quote(c).is_some();
            if !self.ends_open() && !goes_on(self.peek()?) {
                return self.wrong("`,` or `}`");
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<Value, LenientError> {
        self.next()?;
        let mut items = Vec::new();
        loop {
            if !items.is_empty() && self.ends_open() {
                return Ok(Value::Array(items));
            }
            match self.peek()? {
                ',' => {
                    self.next()?;
                    continue;
                }
                ']' => {
                    self.next()?;
                    return Ok(Value::Array(items));
                }
                // The list is closed with the wrong bracket, or not at all.
                '}' if !items.is_empty() => {
                    if precedes_entry(self.rest) {
                        self.next()?;
                    }
                    return Ok(Value::Array(items));
                }
                _ => items.push(self.value(depth + 1)?),
            }
            // A closing bracket of either kind, or a missing comma.
            if !self.ends_open() && !matches!(self.peek()?, ',' | ']' | '}' | '{') {
                return self.wrong("`,` or `]`");
            }
        }
    }

    /// Parses a string. A quote that is not followed by JSON syntax belongs to the text.
    fn string(&mut self) -> Result<String, LenientError> {
        let close = closing_quote(self.next()?).ok_or(LenientError::CutOff)?;
        let triple = String::from(close).repeat(3);
        let opened = self.rest.strip_prefix(&triple[close.len_utf8()..]);
        // A Python triple-quoted string; two quotes before JSON syntax are an empty one.
        let opened =
            opened.filter(|text| !text.is_empty() && !text.starts_with([',', ':', '}', ']']));
        self.rest = opened.unwrap_or(self.rest);
        let mut text = String::new();
        loop {
            match self.next()? {
                '\\' => self.escape(&mut text)?,
                c if c == close && opened.is_none() && self.string_ends() => return Ok(text),
                c => text.push(c),
            }
            if opened.is_some() && text.ends_with(&triple) {
                text.truncate(text.len() - triple.len());
                return Ok(text);
            }
        }
    }

    /// Returns whether the characters after a quote show that the string ends here.
    fn string_ends(&self) -> bool {
        let ahead = unblank(self.rest);
        match first(ahead) {
            None => true,
            Some(',') => goes_on(after_first(ahead)),
            // A key on a new line: the comma before it is missing.
            Some('"') => {
                let blank = &self.rest[..self.rest.len() - ahead.len()];
                blank.contains('\n') && begins_with_key(ahead)
            }
            Some(c) => matches!(c, ':' | '}' | ']' | '/' | '#'),
        }
    }

    fn escape(&mut self, text: &mut String) -> Result<(), LenientError> {
        match self.next()? {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            'u' => text.push(self.unicode()?),
            c @ ('"' | '\\' | '/' | '\'') => text.push(c),
            // Not a JSON escape: an unescaped backslash in a path or a regular expression.
            c => text.extend(['\\', c]),
        }
        Ok(())
    }

    /// Parses the character of `\uXXXX`, or of a surrogate pair; half a pair is replaced.
    fn unicode(&mut self) -> Result<char, LenientError> {
        let escapes = &self.text[self.read() - 2..];
        for length in [12, 6] {
            let escape = escapes.get(..length).map(|escape| format!("\"{escape}\""));
            let read = escape.and_then(|escape| serde_json::from_str::<char>(&escape).ok());
            if let Some(c) = read {
                self.rest = &escapes[length..];
                return Ok(c);
            }
        }
        for _ in 0..4 {
            if !self.next()?.is_ascii_hexdigit() {
                return self.wrong("four hexadecimal digits");
            }
        }
        Ok(char::REPLACEMENT_CHARACTER)
    }

    fn number(&mut self) -> Result<Value, LenientError> {
        let text = self.take_until(|c| !(c.is_ascii_alphanumeric() || "+-.".contains(c)));
        if self.rest.is_empty() {
            // The number may have been cut off.
            return Err(LenientError::CutOff);
        }
        serde_json::from_str(text).or_else(|_| self.wrong("a number"))
    }

    fn bare(&mut self) -> &'a str {
        self.take_until(|c| !is_of_word(c))
    }
}

/// The value of a bare word of JSON, Python or JavaScript.
fn word_value(word: &str) -> Option<Value> {
    Some(match word.to_ascii_lowercase().as_str() {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "null" | "none" | "nil" | "undefined" | "nan" => Value::Null,
        _ => return None,
    })
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}'..='\u{200d}' | '\u{2060}')
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '-'
}

fn is_of_key(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn unblank(text: &str) -> &str {
    text.trim_start_matches(is_blank)
}

fn after_first(text: &str) -> &str {
    let mut chars = text.chars();
    chars.next();
    chars.as_str()
}

/// The first character, in its half-width form.
fn first(text: &str) -> Option<char> {
    text.chars().next().map(half_width)
}

/// Returns whether a key or value can follow the comma. A bare word counts only if it is a key or a
/// constant; otherwise the comma is part of a sentence.
fn goes_on(after_comma: &str) -> bool {
    let ahead = unblank(after_comma);
    if !ahead.starts_with(char::is_alphabetic) {
        return true;
    }
    let after = ahead.trim_start_matches(is_of_word);
    let word = &ahead[..ahead.len() - after.len()];
    // The quote before a key may be missing, but not the one after it.
    let after = unblank(after.strip_prefix('"').unwrap_or(after));
    word_value(word).is_some() || first(after).is_none_or(|c| c == ':')
}

/// Returns whether a quote is followed by a name and a colon, with no quote between them.
fn opens_bare_key(text: &str) -> bool {
    let name = after_first(text);
    let after = name.trim_start_matches(is_of_key);
    after.len() < name.len() && after.starts_with(':')
}

/// Returns whether a bracket, a comma and then a quoted key with its colon follow.
fn precedes_entry(text: &str) -> bool {
    let ahead = unblank(after_first(text));
    first(ahead) == Some(',') && begins_with_key(unblank(after_first(ahead)))
}

/// Returns whether a quoted key with its colon comes first.
fn begins_with_key(text: &str) -> bool {
    let key = text.strip_prefix('"').and_then(|text| text.split_once('"'));
    key.is_some_and(|(key, after)| key.chars().all(is_of_key) && unblank(after).starts_with(':'))
}

/// Maps punctuation typed with a Chinese input method to the ASCII characters of JSON.
fn half_width(c: char) -> char {
    match c {
        '｛' => '{',
        '｝' => '}',
        '［' | '【' => '[',
        '］' | '】' => ']',
        '，' | '、' => ',',
        '：' => ':',
        c => c,
    }
}

/// The quote that closes a string opened by `c`, if `c` is a quote.
fn closing_quote(c: char) -> Option<char> {
    match c {
        '"' | '\'' | '＂' | '`' => Some(c),
        '“' => Some('”'),
        '‘' => Some('’'),
        _ => None,
    }
}
