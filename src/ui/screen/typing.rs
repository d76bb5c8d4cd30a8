//! A line that is being typed.
//!
//! While the region is drawn the terminal does not echo, so that nothing that
//! is typed is torn apart by a frame: the bytes come here, and the line stands
//! in the region. It knows what the terminal's own line editing knows:
//! Backspace, Ctrl-W for a word, Ctrl-U for all of it, Ctrl-D for the end. Ctrl-Z
//! comes here as well, so that the screen is put in order before the job stops.
//!
//! What is pasted comes between two marks (mode 2004): its line breaks end no line. What
//! was begun for the members when a question is put is kept aside until it is answered.

use unicode_segmentation::UnicodeSegmentation;

/// Longest line that is taken, in bytes: several may be pasted as one.
const LONGEST: usize = 64 * 1024;
/// Longest part of a sequence that is kept to know it by.
const MARK: usize = 8;
/// Where something pasted begins and ends, as a sequence without its introducer.
const PASTE: &[u8] = b"200~";
const PASTED: &[u8] = b"201~";

/// What a key completed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Typed {
    /// A line, without its end.
    Line(String),
    /// Nothing more comes.
    End,
    /// The job is to be stopped.
    Suspend,
}

/// The line so far.
#[derive(Debug, Default)]
pub(super) struct Typing {
    text: String,
    /// Bytes of a character that is not whole yet.
    partial: Vec<u8>,
    escape: Escape,
    /// The sequence that comes, without its introducer.
    sequence: Vec<u8>,
    /// Where pasted text goes, and where it started.
    paste: Option<Paste>,
    /// Whether its last byte ended a line. One that follows may be the rest of that end.
    after_return: bool,
    /// Text typed before the current question.
    aside: String,
}

#[derive(Debug)]
enum Paste {
    Here(usize),
    /// It began before the question did.
    Aside,
}

/// A key that is sent as a sequence, such as an arrow: passed over.
#[derive(Debug, Default)]
enum Escape {
    #[default]
    None,
    Begun,
    Sequence,
}

impl Typing {
    /// The line as far as it is typed.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Takes the line as far as it is typed away.
    pub(super) fn take(&mut self) -> String {
        self.partial.clear();
        std::mem::take(&mut self.text)
    }

    /// Keeps the line as far as it is typed aside: what is typed from now on is another.
    pub(super) fn put_aside(&mut self) {
        let text = self.take();
        append(&mut self.aside, &text);
        if self.paste.is_some() {
            self.paste = Some(Paste::Aside);
        }
    }

    /// Brings back what was kept aside, before what is typed by now.
    pub(super) fn bring_back(&mut self) {
        let mut whole = std::mem::take(&mut self.aside);
        append(&mut whole, &self.text);
        if matches!(self.paste, Some(Paste::Aside)) {
            self.paste = Some(Paste::Here(whole.len()));
        }
        self.text = whole;
    }

    /// Nothing came for a while: Escape alone was a key, and begins nothing.
    pub(super) fn rests(&mut self) {
        if self.paste.is_none() {
            self.escape = Escape::None;
        }
    }

    /// Takes a byte as the terminal sends it.
    pub(super) fn byte(&mut self, byte: u8) -> Option<Typed> {
        if self.paste.is_some() && matches!(self.escape, Escape::None) {
            self.pasted(byte);
            return None;
        }
        match (&self.escape, byte) {
            (Escape::Begun, b'[' | b'O') => {
                self.escape = Escape::Sequence;
                self.sequence.clear();
            }
            (Escape::Begun, _) => self.escape = Escape::None,
            (Escape::Sequence, byte) => self.sequence(byte),
            (Escape::None, 0x1b) => self.escape = Escape::Begun,
            (Escape::None, b'\r' | b'\n') => {
                self.partial.clear();
                return Some(Typed::Line(std::mem::take(&mut self.text)));
            }
            // At the end of words it hands over what there is; alone it is the end.
            (Escape::None, 0x04) if self.text.is_empty() => return Some(Typed::End),
            (Escape::None, 0x04) => return Some(Typed::Line(std::mem::take(&mut self.text))),
            (Escape::None, 0x1a) => return Some(Typed::Suspend),
            (Escape::None, 0x08 | 0x7f) => self.keep(last_grapheme),
            (Escape::None, 0x15) => self.text.clear(),
            (Escape::None, 0x17) => self.keep(last_word),
            (Escape::None, b'\t') => self.push(' '),
            (Escape::None, 0..0x20) => {}
            (Escape::None, byte) => self.part(byte),
        }
        None
    }

    /// Takes a byte of a sequence, of which only the marks of a paste mean anything.
    fn sequence(&mut self, byte: u8) {
        if self.sequence.len() < MARK {
            self.sequence.push(byte);
        }
        if !(0x40..=0x7e).contains(&byte) {
            return;
        }
        self.escape = Escape::None;
        match (&self.sequence[..], &self.paste) {
            (PASTE, None) => self.paste = Some(Paste::Here(self.text.len())),
            (PASTED, Some(paste)) => {
                // Copying whole lines copies the end of the last one.
                let (text, begun) = match *paste {
                    Paste::Here(begun) => (&mut self.text, begun),
                    Paste::Aside => (&mut self.aside, 0),
                };
                text.truncate(text.trim_end_matches('\n').len().max(begun.min(text.len())));
                self.paste = None;
            }
            _ => {}
        }
    }

    /// Takes a byte of what is being pasted.
    fn pasted(&mut self, byte: u8) {
        let after_return = std::mem::replace(&mut self.after_return, byte == b'\r');
        match byte {
            0x1b => self.escape = Escape::Begun,
            b'\n' if after_return => {}
            b'\r' | b'\n' => self.push('\n'),
            b'\t' => self.push(' '),
            0..0x20 | 0x7f => {}
            byte => self.part(byte),
        }
    }

    fn keep(&mut self, upto: impl FnOnce(&str) -> usize) {
        self.text.truncate(upto(&self.text));
    }

    fn part(&mut self, byte: u8) {
        self.partial.push(byte);
        match std::str::from_utf8(&self.partial) {
            Ok(whole) => {
                let typed: Vec<char> = whole.chars().collect();
                self.partial.clear();
                typed.into_iter().for_each(|c| self.push(c));
            }
            Err(error) if error.error_len().is_some() || self.partial.len() > 4 => {
                self.partial.clear();
            }
            Err(_) => {}
        }
    }

    fn push(&mut self, c: char) {
        let text = match self.paste {
            Some(Paste::Aside) => &mut self.aside,
            _ => &mut self.text,
        };
        if text.len() + c.len_utf8() <= LONGEST {
            text.push(c);
        }
    }
}

/// Puts `more` behind a text, apart from it.
fn append(text: &mut String, more: &str) {
    if !text.is_empty() && !text.ends_with(' ') && !more.is_empty() {
        text.push(' ');
    }
    text.push_str(more);
}

/// Where the last character, as people count them, begins.
fn last_grapheme(text: &str) -> usize {
    text.grapheme_indices(true)
        .next_back()
        .map_or(0, |(at, _)| at)
}

/// Where the last word begins.
fn last_word(text: &str) -> usize {
    let words = text.trim_end();
    words
        .char_indices()
        .rev()
        .find(|(_, c)| c.is_whitespace())
        .map_or(0, |(at, c)| at + c.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(bytes: &[u8]) -> (Vec<Typed>, String) {
        let mut typing = Typing::default();
        let done = bytes.iter().filter_map(|byte| typing.byte(*byte)).collect();
        (done, typing.text().to_owned())
    }

    fn line(text: &str) -> Typed {
        Typed::Line(text.to_owned())
    }

    #[test]
    fn lines_end_with_either_key_and_several_may_come_at_once() {
        let (done, left) = typed("one\rtwo\n\n三".as_bytes());
        assert_eq!(done, [line("one"), line("two"), line("")]);
        assert_eq!(left, "三");
    }

    #[test]
    fn keys_that_edit() {
        for (bytes, left) in [
            ("导出x\x7f\x7f", "导"),
            ("e\u{301}a\x08\x08", ""),
            ("\u{1f469}\u{200d}\u{1f52c}\x7f", ""),
            ("one two  \x17", "one "),
            ("one\x17", ""),
            ("one two\x15x", "x"),
            ("a\x1b[A\x1b[1;5Cb\x1bOPc\x1bxd", "abcd"),
            ("a\tb\x01c", "a bc"),
        ] {
            assert_eq!(typed(bytes.as_bytes()).1, left, "{bytes:?}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_left_out() {
        assert_eq!(typed(b"a\xff\xfeb\xe5\xafz").1, "ab");
        assert_eq!(typed(b"a\xffbc").1, "abc");
    }

    #[test]
    fn the_end_is_told_alone_only() {
        assert_eq!(typed(b"\x04").0, [Typed::End]);
        assert_eq!(typed(b"ab\x04").0, [line("ab")]);
    }

    #[test]
    fn a_stop_leaves_the_line_as_it_is() {
        let (done, left) = typed(b"ab\x1ac");
        assert_eq!((done, left.as_str()), (vec![Typed::Suspend], "abc"));
    }

    #[test]
    fn a_line_is_bounded() {
        assert_eq!(typed(&[b'x'; 2 * LONGEST]).1.len(), LONGEST);
    }

    #[test]
    fn what_is_pasted_is_one_line_however_many_it_has() {
        for (bytes, done, left) in [
            (
                "\x1b[200~one\rtwo\r\nthree\n\x1b[201~",
                None,
                "one\ntwo\nthree",
            ),
            (
                "a \x1b[200~b\tc\x04\x1a\x1b[A\n\x1b[201~d\r",
                Some("a b cd"),
                "",
            ),
            (
                "\x1b[200~导出\n\x1b[201~\x1b[200~x\n\x1b[201~",
                None,
                "导出x",
            ),
            ("\x1b[200~one\n\ntwo\x1b[201~\x15", None, ""),
            ("\x1b[201~one", None, "one"),
        ] {
            let expected: Vec<Typed> = done.map(line).into_iter().collect();
            assert_eq!(
                typed(bytes.as_bytes()),
                (expected, left.to_owned()),
                "{bytes:?}"
            );
        }
    }

    #[test]
    fn what_is_put_aside_comes_back_and_a_paste_goes_on_where_it_began() {
        let mut typing = Typing::default();
        let takes = |typing: &mut Typing, text: &str| {
            let done: Vec<_> = text.bytes().filter_map(|byte| typing.byte(byte)).collect();
            done
        };
        takes(&mut typing, "half \x1b[200~one\ntwo");
        typing.put_aside();
        takes(&mut typing, " three\x1b[201~");
        assert_eq!(takes(&mut typing, "ten\r"), [line("ten")]);
        takes(&mut typing, "more");
        typing.bring_back();
        assert_eq!(typing.text(), "half one\ntwo three more");
    }
}
