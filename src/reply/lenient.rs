//! A reader of JSON that forgives what models do to it, and completes nothing.

use std::iter::Peekable;
use std::str::Chars;

use serde_json::{Map, Value};

/// Deepest nesting read; real answers have four levels.
const MAX_DEPTH: usize = 32;

/// Reads the value a text begins with; also says how long it is in bytes.
pub(super) fn read_leniently(text: &str) -> Result<(usize, Value), Fault> {
    let mut reader = Lenient {
        rest: text.chars().peekable(),
        read: 0,
    };
    let value = reader.value(0)?;
    Ok((reader.read, value))
}

/// Why the lenient reader stopped.
#[derive(Debug)]
pub(super) enum Fault {
    /// The text ended inside the object.
    CutOff,
    /// Something stands where it cannot.
    Wrong { expected: &'static str, at: usize },
}

impl Fault {
    /// In words for the model.
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

    /// The next character that means something, in its half-width form, not taken.
    fn peek(&mut self) -> Result<char, Fault> {
        self.skip_blank();
        self.rest
            .peek()
            .copied()
            .map(half_width)
            .ok_or(Fault::CutOff)
    }

    fn skip_blank(&mut self) {
        loop {
            match self.rest.peek() {
                Some(c) if c.is_whitespace() || *c == '\u{feff}' => {
                    self.next();
                }
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
            match self.peek()? {
                '}' => {
                    self.next();
                    return Ok(Value::Object(map));
                }
                c if closing_quote(c).is_some() => {
                    let key = self.string()?;
                    self.entry(key, depth, &mut map)?;
                }
                c if c.is_alphabetic() || c == '_' => {
                    let key = self.bare();
                    self.entry(key, depth, &mut map)?;
                }
                _ => return self.wrong("a key"),
            }
        }
    }

    /// Value of a key, and the comma after it unless the object ends.
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
        match self.peek()? {
            ',' => {
                self.next();
                Ok(())
            }
            '}' => Ok(()),
            _ => self.wrong("`,` or `}`"),
        }
    }

    fn array(&mut self, depth: usize) -> Result<Value, Fault> {
        self.next();
        let mut items = Vec::new();
        loop {
            if self.peek()? == ']' {
                self.next();
                return Ok(Value::Array(items));
            }
            items.push(self.value(depth + 1)?);
            match self.peek()? {
                ',' => {
                    self.next();
                }
                ']' => {}
                _ => return self.wrong("`,` or `]`"),
            }
        }
    }

    /// A string; a quote that nothing of JSON's grammar follows belongs to the text.
    fn string(&mut self) -> Result<String, Fault> {
        let close = self.next().and_then(closing_quote).ok_or(Fault::CutOff)?;
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

    /// Does what follows a quote show that the string ends here?
    fn string_ends(&mut self) -> Result<bool, Fault> {
        let mut ahead = self.rest.clone();
        loop {
            match ahead.next() {
                None => return Err(Fault::CutOff),
                Some(c) if c.is_whitespace() => {}
                Some(c) => return Ok(matches!(half_width(c), ',' | ':' | '}' | ']' | '/')),
            }
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
            // No escape of JSON: a path or a pattern somebody forgot to escape.
            c => text.extend(['\\', c]),
        }
        Ok(())
    }

    /// The character of `\uXXXX`, of a surrogate pair if it is one.
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
        match serde_json::from_str(&text) {
            Ok(value) => Ok(value),
            Err(_) => self.wrong("a number"),
        }
    }

    fn word(&mut self) -> Result<Value, Fault> {
        match self.bare().as_str() {
            "true" | "True" => Ok(Value::Bool(true)),
            "false" | "False" => Ok(Value::Bool(false)),
            "null" | "None" => Ok(Value::Null),
            _ => self.wrong("a value"),
        }
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

/// Punctuation of JSON as an input method for Chinese types it.
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

/// The quote that closes what a quote opens.
fn closing_quote(c: char) -> Option<char> {
    match c {
        '"' | '\'' | '＂' => Some(c),
        '“' => Some('”'),
        '‘' => Some('’'),
        _ => None,
    }
}
