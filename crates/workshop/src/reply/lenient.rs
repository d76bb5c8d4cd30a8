//! A lenient JSON parser. It accepts the mistakes that models make and never completes a value.

use std::iter::Peekable;
use std::str::Chars;

use serde_json::{Map, Value};

/// Maximum nesting depth; real answers have four levels.
const MAX_DEPTH: usize = 32;

/// The result of parsing a text.
pub(super) struct Reading {
    /// The value at the start of the text.
    pub(super) value: Value,
    /// Length of that value, in bytes.
    pub(super) length: usize,
    /// Whether the text ended after a complete value, with brackets still open.
    pub(super) is_open: bool,
}

/// Parses the value at the start of a text.
pub(super) fn read_leniently(text: &str) -> Result<Reading, Fault> {
    let mut reader = Lenient {
        rest: text.chars().peekable(),
        read: 0,
        is_open: false,
    };
    let value = reader.value(0)?;
    Ok(Reading {
        value,
        length: reader.read,
        is_open: reader.is_open,
    })
}

/// Why the lenient parser stopped.
#[derive(Debug)]
pub(super) enum Fault {
    /// The text ended inside the object.
    CutOff,
    /// A character is in the wrong place.
    Wrong { expected: &'static str, at: usize },
}

impl Fault {
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
    rest: Peekable<Chars<'a>>,
    /// Bytes read so far.
    read: usize,
    /// Whether the text ended before every bracket was closed.
    is_open: bool,
}

impl Lenient<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        self.read += c.len_utf8();
        Some(c)
    }

    fn wrong<T>(&self, expected: &'static str) -> Result<T, Fault> {
        let at = self.read;
        Err(Fault::Wrong { expected, at })
    }

    /// Peeks at the next character after white space and comments, in its half-width form.
    fn peek(&mut self) -> Result<char, Fault> {
        self.skip_blank();
        self.rest
            .peek()
            .copied()
            .map(half_width)
            .ok_or(Fault::CutOff)
    }

    /// Returns whether the text ends after a complete value. Brackets that are still open count as
    /// forgotten; the caller must check whether anything else is missing.
    fn ends_open(&mut self) -> bool {
        self.skip_blank();
        self.is_open |= self.rest.peek().is_none();
        self.is_open
    }

    fn skip_blank(&mut self) {
        loop {
            match self.rest.peek() {
                Some(c) if is_blank(*c) => {
                    self.next();
                }
                Some('#') => while self.next().is_some_and(|c| c != '\n') {},
                Some('/') => {
                    let mut ahead = self.rest.clone();
                    ahead.next();
                    match ahead.next() {
                        Some('/') => while self.next().is_some_and(|c| c != '\n') {},
                        Some('*') => self.skip_block_comment(),
                        _ => return,
                    }
                }
                _ => return,
            }
        }
    }

    fn skip_block_comment(&mut self) {
        self.next();
        self.next();
        let mut star = false;
        while let Some(c) = self.next() {
            if star && c == '/' {
                return;
            }
            star = c == '*';
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, Fault> {
        if depth > MAX_DEPTH {
            return self.wrong("less nesting");
        }
        match self.peek()? {
            '{' => self.object(depth),
            '[' => self.array(depth),
            c if closing_quote(c).is_some() => self.string().map(Value::String),
            c if c == '-' || c.is_ascii_digit() => self.number(),
            _ => self.word(),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, Fault> {
        self.next();
        let mut map = Map::new();
        loop {
            if !map.is_empty() && self.ends_open() {
                return Ok(Value::Object(map));
            }
            match self.peek()? {
                '}' => {
                    self.next();
                    return Ok(Value::Object(map));
                }
                ',' => {
                    self.next();
                }
                // The closing quote of the key is missing.
                '"' if opens_bare_key(&self.rest) => {
                    self.next();
                    let key = self.bare();
                    self.entry(key, depth, &mut map)?;
                }
                c if closing_quote(c).is_some() => {
                    let key = self.string()?;
                    self.entry(key, depth, &mut map)?;
                }
                c if c.is_alphabetic() || c == '_' => {
                    let key = self.bare();
                    // The opening quote of the key is missing.
                    self.rest.next_if(|c| *c == '"').inspect(|_| self.read += 1);
                    self.entry(key, depth, &mut map)?;
                }
                _ => return self.wrong("a key"),
            }
        }
    }

    /// Parses the value of a key, and the comma after it unless the object ends.
    fn entry(
        &mut self,
        key: String,
        depth: usize,
        map: &mut Map<String, Value>,
    ) -> Result<(), Fault> {
        if self.peek()? != ':' {
            return self.wrong("`:`");
        }
        self.next();
        let value = self.value(depth + 1)?;
        map.insert(key, value);
        if self.ends_open() {
            return Ok(());
        }
        match self.peek()? {
            ',' => {
                self.next();
                Ok(())
            }
            '}' => Ok(()),
            // The comma is missing.
            c if closing_quote(c).is_some() => Ok(()),
            _ => self.wrong("`,` or `}`"),
        }
    }

    fn array(&mut self, depth: usize) -> Result<Value, Fault> {
        self.next();
        let mut items = Vec::new();
        loop {
            if !items.is_empty() && self.ends_open() {
                return Ok(Value::Array(items));
            }
            match self.peek()? {
                ']' => {
                    self.next();
                    return Ok(Value::Array(items));
                }
                // The list is closed with the wrong bracket, or not at all.
                '}' if !items.is_empty() => {
                    if precedes_entry(&self.rest) {
                        self.next();
                    }
                    return Ok(Value::Array(items));
                }
                ',' => {
                    self.next();
                    continue;
                }
                _ => {}
            }
            items.push(self.value(depth + 1)?);
            if self.ends_open() {
                continue;
            }
            match self.peek()? {
                ',' => {
                    self.next();
                }
                // A closing bracket of either kind, or a missing comma.
                ']' | '}' | '{' => {}
                _ => return self.wrong("`,` or `]`"),
            }
        }
    }

    /// Parses a string. A quote that is not followed by JSON syntax belongs to the text.
    fn string(&mut self) -> Result<String, Fault> {
        let close = self.next().and_then(closing_quote).ok_or(Fault::CutOff)?;
        if self.takes_triple(close) {
            return self.triple(close);
        }
        let mut text = String::new();
        loop {
            match self.next().ok_or(Fault::CutOff)? {
                '\\' => self.escape(&mut text)?,
                c if c == close => {
                    if self.string_ends()? {
                        return Ok(text);
                    }
                    text.push(c);
                }
                c => text.push(c),
            }
        }
    }

    /// Consumes two more quotes if a Python triple-quoted string opens here.
    fn takes_triple(&mut self, quote: char) -> bool {
        let mut ahead = self.rest.clone();
        let opens = (ahead.next(), ahead.next()) == (Some(quote), Some(quote));
        let long = opens && !matches!(ahead.peek(), Some(',' | ':' | '}' | ']') | None);
        if long {
            self.next();
            self.next();
        }
        long
    }

    fn triple(&mut self, quote: char) -> Result<String, Fault> {
        let mut text = String::new();
        let end = String::from(quote).repeat(3);
        while !text.ends_with(&end) {
            match self.next().ok_or(Fault::CutOff)? {
                '\\' => self.escape(&mut text)?,
                c => text.push(c),
            }
        }
        text.truncate(text.len() - end.len());
        Ok(text)
    }

    /// Returns whether the characters after a quote show that the string ends here.
    fn string_ends(&mut self) -> Result<bool, Fault> {
        let mut ahead = self.rest.clone();
        match next_told(&mut ahead).map(half_width) {
            None => Ok(true),
            Some(',') => Ok(goes_on(&mut ahead)),
            // A key on a new line: the comma before it is missing.
            Some('"') => Ok(begins_entry(&self.rest)),
            Some(c) => Ok(matches!(c, ':' | '}' | ']' | '/' | '#')),
        }
    }

    fn escape(&mut self, text: &mut String) -> Result<(), Fault> {
        match self.next().ok_or(Fault::CutOff)? {
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

    /// Parses the character of `\uXXXX`, or of a surrogate pair.
    fn unicode(&mut self) -> Result<char, Fault> {
        let first = self.hex4()?;
        if !(0xd800..0xdc00).contains(&first) {
            return Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        let mut ahead = self.rest.clone();
        if (ahead.next(), ahead.next()) != (Some('\\'), Some('u')) {
            return Ok(char::REPLACEMENT_CHARACTER);
        }
        self.next();
        self.next();
        let second = self.hex4()?;
        let joined = 0x10000 + ((first - 0xd800) << 10) + (second.wrapping_sub(0xdc00) & 0x3ff);
        Ok(char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex4(&mut self) -> Result<u32, Fault> {
        let mut code = 0;
        for _ in 0..4 {
            match self.next().ok_or(Fault::CutOff)?.to_digit(16) {
                Some(digit) => code = code * 16 + digit,
                None => return self.wrong("four hexadecimal digits"),
            }
        }
        Ok(code)
    }

    fn number(&mut self) -> Result<Value, Fault> {
        let mut text = String::new();
        while let Some(c) = self.rest.peek().copied() {
            if !(c.is_ascii_alphanumeric() || "+-.".contains(c)) {
                break;
            }
            text.push(c);
            self.next();
        }
        if self.rest.peek().is_none() {
            // The number may have been cut off.
            return Err(Fault::CutOff);
        }
        match serde_json::from_str(&text) {
            Ok(value) => Ok(value),
            Err(_) => self.wrong("a number"),
        }
    }

    fn word(&mut self) -> Result<Value, Fault> {
        word_value(&self.bare()).map_or_else(|| self.wrong("a value"), Ok)
    }

    fn bare(&mut self) -> String {
        let mut text = String::new();
        while let Some(c) = self.rest.peek().copied() {
            if !(c.is_alphanumeric() || c == '_' || c == '-') {
                break;
            }
            text.push(c);
            self.next();
        }
        text
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

fn next_told(ahead: &mut Peekable<Chars<'_>>) -> Option<char> {
    ahead.find(|c| !is_blank(*c))
}

/// Returns whether a key or value can follow the comma. A bare word counts only if it is a key or a
/// constant; otherwise the comma is part of a sentence.
fn goes_on(ahead: &mut Peekable<Chars<'_>>) -> bool {
    let Some(first) = next_told(ahead) else {
        return true;
    };
    if !first.is_alphabetic() {
        return true;
    }
    let mut word = String::from(first);
    while let Some(c) = ahead.next_if(|c| c.is_alphanumeric() || *c == '_' || *c == '-') {
        word.push(c);
    }
    // The quote before a key may be missing, but not the one after it.
    let _ = ahead.next_if(|c| *c == '"');
    word_value(&word).is_some() || next_told(ahead).is_none_or(|c| half_width(c) == ':')
}

/// Returns whether a quote is followed by a name and a colon, with no quote between them.
fn opens_bare_key(rest: &Peekable<Chars<'_>>) -> bool {
    let mut ahead = rest.clone();
    ahead.next();
    let mut named = false;
    while ahead
        .next_if(|c| c.is_ascii_alphanumeric() || *c == '_')
        .is_some()
    {
        named = true;
    }
    named && ahead.next() == Some(':')
}

/// Returns whether a bracket, a comma and then a quoted key with its colon follow.
fn precedes_entry(rest: &Peekable<Chars<'_>>) -> bool {
    let mut ahead = rest.clone();
    ahead.next();
    if next_told(&mut ahead).map(half_width) != Some(',') {
        return false;
    }
    if next_told(&mut ahead) != Some('"') {
        return false;
    }
    let mut key = ahead.by_ref().take_while(|c| *c != '"');
    key.by_ref().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && next_told(&mut ahead) == Some(':')
}

/// Returns whether a line break and then a quoted key with its colon follow.
fn begins_entry(rest: &Peekable<Chars<'_>>) -> bool {
    let mut ahead = rest.clone();
    let mut broken = false;
    while let Some(c) = ahead.next_if(|c| is_blank(*c)) {
        broken |= c == '\n';
    }
    ahead.next();
    let mut key = ahead.by_ref().take_while(|c| *c != '"');
    let plain = key.by_ref().all(|c| c.is_ascii_alphanumeric() || c == '_');
    broken && plain && next_told(&mut ahead) == Some(':')
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
