//! Edits the line that is being typed.
//!
//! While the region is drawn the terminal does not echo, because a frame would tear typed text
//! apart. The keys are read here, and the line is part of the region. The keys are those of the
//! terminal's own line editor: Backspace, Ctrl-W for a word, Ctrl-U for the whole line, Ctrl-D for
//! the end. Ctrl-Z is handled here too, so that the screen can be cleaned up before the job stops.
//!
//! Pasted text is between two marks (mode 2004), and its line breaks do not end the line. A line
//! begun for the members is kept aside while a question is asked.

use unicode_segmentation::UnicodeSegmentation;

/// Maximum length of a line in bytes; pasted text may contain several lines.
const LONGEST: usize = 64 * 1024;
/// Maximum length kept of an escape sequence, enough to recognise it.
const MARK: usize = 8;
/// The start and end of pasted text, as sequences without their introducer.
const PASTE: &[u8] = b"200~";
const PASTED: &[u8] = b"201~";

/// What a key completed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum InputEvent {
    /// A line, without its line break.
    Line(String),
    /// End of input.
    End,
    /// The user wants to stop the job.
    Suspend,
}

/// The line typed so far.
#[derive(Debug, Default)]
pub(super) struct LineEditor {
    text: String,
    /// Bytes of an incomplete character.
    partial: Vec<u8>,
    escape: Escape,
    /// The current escape sequence, without its introducer.
    sequence: Vec<u8>,
    /// Where pasted text is inserted, while it arrives.
    paste: Option<Paste>,
    /// Whether its last byte was a carriage return; a line feed after that belongs to the same line
    /// break.
    after_return: bool,
    /// Text typed before the current question.
    aside: String,
}

#[derive(Debug)]
enum Paste {
    Here(usize),
    /// It started before the question was shown.
    Aside,
}

/// State of parsing an escape sequence, such as an arrow key; such keys are ignored.
#[derive(Debug, Default)]
enum Escape {
    #[default]
    None,
    Begun,
    Sequence,
}

impl LineEditor {
    /// The line typed so far.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Removes and returns the line typed so far.
    pub(super) fn take(&mut self) -> String {
        self.partial.clear();
        std::mem::take(&mut self.text)
    }

    /// Keeps the line typed so far aside and starts an empty one.
    pub(super) fn put_aside(&mut self) {
        let text = self.take();
        append(&mut self.aside, &text);
        if self.paste.is_some() {
            self.paste = Some(Paste::Aside);
        }
    }

    /// Restores the text kept aside, before the text typed since.
    pub(super) fn bring_back(&mut self) {
        let mut whole = std::mem::take(&mut self.aside);
        append(&mut whole, &self.text);
        if matches!(self.paste, Some(Paste::Aside)) {
            self.paste = Some(Paste::Here(whole.len()));
        }
        self.text = whole;
    }

    /// No key came for a while: an Escape byte was the key Escape, not the start of a sequence.
    pub(super) fn rests(&mut self) {
        if self.paste.is_none() {
            self.escape = Escape::None;
        }
    }

    /// Handles one byte from the terminal.
    pub(super) fn byte(&mut self, byte: u8) -> Option<InputEvent> {
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
                return Some(InputEvent::Line(std::mem::take(&mut self.text)));
            }
            // Ctrl-D ends the input if the line is empty, otherwise the line.
            (Escape::None, 0x04) if self.text.is_empty() => return Some(InputEvent::End),
            (Escape::None, 0x04) => return Some(InputEvent::Line(std::mem::take(&mut self.text))),
            (Escape::None, 0x1a) => return Some(InputEvent::Suspend),
            (Escape::None, 0x08 | 0x7f) => self.delete_back_to(last_grapheme),
            (Escape::None, 0x15) => self.text.clear(),
            (Escape::None, 0x17) => self.delete_back_to(last_word),
            (Escape::None, b'\t') => self.push(' '),
            (Escape::None, 0..0x20) => {}
            (Escape::None, byte) => self.part(byte),
        }
        None
    }

    /// Handles a byte of an escape sequence; only the marks of pasted text have an effect.
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
                // Copied lines usually include the last line break.
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

    /// Handles a byte of pasted text.
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

    fn delete_back_to(&mut self, upto: impl FnOnce(&str) -> usize) {
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

/// Appends `more`, separated by a space.
fn append(text: &mut String, more: &str) {
    if !text.is_empty() && !text.ends_with(' ') && !more.is_empty() {
        text.push(' ');
    }
    text.push_str(more);
}

/// Byte offset of the last grapheme.
fn last_grapheme(text: &str) -> usize {
    text.grapheme_indices(true)
        .next_back()
        .map_or(0, |(at, _)| at)
}

/// Byte offset of the last word.
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

    fn typed(bytes: &[u8]) -> (Vec<InputEvent>, String) {
        let mut typing = LineEditor::default();
        let done = bytes.iter().filter_map(|byte| typing.byte(*byte)).collect();
        (done, typing.text().to_owned())
    }

    fn line(text: &str) -> InputEvent {
        InputEvent::Line(text.to_owned())
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
        assert_eq!(typed(b"\x04").0, [InputEvent::End]);
        assert_eq!(typed(b"ab\x04").0, [line("ab")]);
    }

    #[test]
    fn a_stop_leaves_the_line_as_it_is() {
        let (done, left) = typed(b"ab\x1ac");
        assert_eq!((done, left.as_str()), (vec![InputEvent::Suspend], "abc"));
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
            let expected: Vec<InputEvent> = done.map(line).into_iter().collect();
            assert_eq!(
                typed(bytes.as_bytes()),
                (expected, left.to_owned()),
                "{bytes:?}"
            );
        }
    }

    #[test]
    fn what_is_put_aside_comes_back_and_a_paste_goes_on_where_it_began() {
        let mut typing = LineEditor::default();
        let takes = |typing: &mut LineEditor, text: &str| {
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
