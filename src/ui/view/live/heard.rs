//! What is being said, taken out of an answer that is still arriving.
//!
//! An answer is one JSON object that comes in pieces; what a person wants to
//! read in it are its texts: first the `analysis`, then proposals and reasons.
//! The reader follows the object piece by piece, with no more memory than the
//! end of one text, and never fails: what is no JSON is shown as it stands.

/// Most bytes of a text that are kept.
const KEPT: usize = 2048;
/// Deepest nesting that is told apart; below it everything counts as a value.
const DEEPEST: usize = 64;
/// Letters outside ASCII that make a text without blanks a sentence.
const LETTERS: usize = 4;

/// The end of the text that is being said, and how much has come.
#[derive(Debug, Default)]
pub struct Heard {
    bytes: u64,
    thoughts: u64,
    containers: Vec<Container>,
    in_string: Option<Text>,
    shown: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Container {
    Array,
    /// An object; is a name what comes next?
    Object {
        at_name: bool,
    },
}

/// A string that is being read.
#[derive(Debug, Default)]
struct Text {
    is_name: bool,
    /// Did it turn out to be something to read?
    is_shown: bool,
    /// Its beginning, while that is not known.
    begun: String,
    escape: Escape,
    /// First half of a character written as two escapes.
    high: Option<u32>,
}

#[derive(Debug, Default)]
enum Escape {
    #[default]
    None,
    Begun,
    /// Digits of `\uXXXX`: how many there are, and their value.
    Unicode(u8, u32),
}

impl Heard {
    /// Takes the next piece of an answer.
    pub fn take(&mut self, piece: &str) {
        self.bytes += piece.len() as u64;
        for c in piece.chars() {
            match self.in_string.take() {
                Some(text) => self.in_string = self.within(text, c),
                None => self.between(c),
            }
        }
        if self.shown.len() > 2 * KEPT {
            let from = self.shown.len() - KEPT;
            let at = (from..).find(|at| self.shown.is_char_boundary(*at));
            self.shown.drain(..at.unwrap_or(from));
        }
    }

    /// Takes the next piece of an answer whose words nobody looks at.
    pub fn count(&mut self, piece: &str) {
        self.bytes += piece.len() as u64;
    }

    /// Takes a piece of what the model thinks before it answers; only its size counts.
    pub fn think(&mut self, piece: &str) {
        self.thoughts += piece.len() as u64;
    }

    /// The end of the text that is being said; raw, as the model wrote it.
    pub fn said(&self) -> &str {
        &self.shown
    }

    /// Bytes of the answer so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Bytes of thoughts so far.
    pub fn thoughts(&self) -> u64 {
        self.thoughts
    }

    /// A character outside of strings.
    fn between(&mut self, c: char) {
        let object = |at_name| Container::Object { at_name };
        match (c, self.containers.last_mut()) {
            ('"', Some(inside)) => {
                self.in_string = Some(Text {
                    is_name: *inside == object(true),
                    ..Text::default()
                });
            }
            ('{', _) => self.enter(object(true)),
            ('[', Some(_)) => self.enter(Container::Array),
            ('}' | ']', Some(_)) => {
                self.containers.pop();
            }
            (',', Some(Container::Object { at_name })) => *at_name = true,
            (':', Some(Container::Object { at_name })) => *at_name = false,
            (_, Some(_)) => {}
            // Some models say a few words before the object.
            (c, None) => self.shown.push(c),
        }
    }

    fn enter(&mut self, container: Container) {
        if self.containers.len() < DEEPEST {
            self.containers.push(container);
        }
    }

    /// A character within a string; gives the string back unless it ended.
    fn within(&mut self, mut text: Text, c: char) -> Option<Text> {
        match (&mut text.escape, c) {
            (Escape::None, '"') => return None,
            (Escape::None, '\\') => text.escape = Escape::Begun,
            (Escape::None, c) => self.say(&mut text, c),
            (Escape::Begun, 'u') => text.escape = Escape::Unicode(0, 0),
            (Escape::Begun, c) => {
                text.escape = Escape::None;
                let meant = match c {
                    'n' | 'r' | 't' => ' ',
                    'b' | 'f' => return Some(text),
                    other => other,
                };
                self.say(&mut text, meant);
            }
            (Escape::Unicode(digits, value), c) => {
                *value = (*value << 4) | c.to_digit(16).unwrap_or_default();
                *digits += 1;
                if *digits == 4 {
                    let unit = *value;
                    text.escape = Escape::None;
                    if let Some(c) = text.unit(unit) {
                        self.say(&mut text, c);
                    }
                }
            }
        }
        Some(text)
    }

    /// A character of a text: shown from where the text is known to be one.
    fn say(&mut self, text: &mut Text, c: char) {
        if text.is_name {
            return;
        }
        if text.is_shown {
            self.shown.push(c);
            return;
        }
        text.begun.push(c);
        let letters = text.begun.chars().filter(|c| !c.is_ascii()).count();
        let inner_blank = text.begun.trim().contains(' ') || (c == ' ' && text.begun.len() > 1);
        if letters >= LETTERS || inner_blank {
            text.is_shown = true;
            self.shown = std::mem::take(&mut text.begun);
        }
    }
}

impl Text {
    /// The character that a UTF-16 unit completes, if it does.
    fn unit(&mut self, unit: u32) -> Option<char> {
        match (self.high.take(), unit) {
            (_, 0xd800..0xdc00) => {
                self.high = Some(unit);
                None
            }
            (Some(high), 0xdc00..0xe000) => {
                char::from_u32(0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00))
            }
            _ => char::from_u32(unit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(pieces: &[&str]) -> String {
        let mut heard = Heard::default();
        for piece in pieces {
            heard.take(piece);
        }
        heard.said().to_owned()
    }

    #[test]
    fn the_analysis_is_read_as_it_comes() {
        for (pieces, expected) in [
            (&[r#"{"analysis":"Rows are str"#][..], "Rows are str"),
            (&[r#"{"ana"#, r#"lysis": "#, r#""two wo"#], "two wo"),
            (&[r#"{"analysis":"a \"b\" c\\d"#], r#"a "b" c\d"#),
            (&[r#"{"analysis":"one\ntwo "#], "one two "),
            (&[r#"{"analysis":"导出需要权限"#], "导出需要权限"),
            (&[r#"{"analysis":"a \u5bfc"#, r"\u51fa"], "a 导出"),
            (&[r#"{"analysis":"a \ud83d\ude00"#], "a \u{1f600}"),
        ] {
            assert_eq!(heard(pieces), expected, "{pieces:?}");
        }
    }

    #[test]
    fn any_split_reads_the_same() {
        let text = r#"{"analysis":"导出 \"CSV\"\n\ud83d\ude00 x","positions":[{"issue":"I-1","why":"it is small"}]}"#;
        let whole = heard(&[text]);
        assert_eq!(whole, "it is small");
        for (at, _) in text.char_indices() {
            let (a, b) = text.split_at(at);
            assert_eq!(heard(&[a, b]), whole, "split at {at}");
        }
    }

    #[test]
    fn names_ids_and_stances_do_not_take_the_place_of_what_is_said() {
        let before = r#"{"analysis":"It is clear.","positions":[{"issue":"I-1","stance":"agree","#;
        assert_eq!(heard(&[before]), "It is clear.");
        let named = r#""其他补充说明":{"a name with blanks":3,"#;
        assert_eq!(heard(&[before, named]), "It is clear.");
        let then = r#""proposal":"Stream the rows"#;
        assert_eq!(heard(&[before, then]), "Stream the rows");
    }

    #[test]
    fn words_outside_of_json_are_shown_as_they_stand() {
        assert_eq!(heard(&["Sure! Here", " it is"]), "Sure! Here it is");
        assert_eq!(heard(&["}]\"\\x,:"]), "}]\"\\x,:");
        assert_eq!(heard(&["Sure: {\"analysis\":\"a b"]), "a b");
    }

    #[test]
    fn what_is_kept_is_bounded_and_what_came_is_counted() {
        let mut heard = Heard::default();
        heard.take("{\"analysis\":\"");
        for _ in 0..10_000 {
            heard.take("导出 ");
        }
        assert!(heard.said().len() <= 2 * KEPT + 8, "{}", heard.said().len());
        assert!(heard.said().ends_with("导出 "));
        assert_eq!(heard.bytes(), 13 + 10_000 * 7);
        heard.think("hm");
        assert_eq!(heard.thoughts(), 2);
        heard.take(&"[".repeat(100_000));
        assert!(heard.containers.len() <= DEEPEST);
    }
}
