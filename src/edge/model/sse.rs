//! An incremental parser of server-sent events.
//!
//! It handles lines, `data` fields and blank lines; other fields and comments are skipped. It can
//! also return every line as an event, for streams of JSON lines. It works on bytes, so a character
//! split between two network packets is no problem. Its memory is bounded.

/// Maximum length of a line in bytes: 1 MiB.
pub const MAX_LINE: usize = 1 << 20;
/// Maximum length of a stream in bytes: 8 MiB.
pub const MAX_STREAM: usize = 8 << 20;

/// The stream is too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TooLarge {
    /// One line exceeds its limit.
    #[error("a line of the stream is longer than {MAX_LINE} bytes")]
    Line,
    /// The whole stream exceeds its limit.
    #[error("the stream is longer than {MAX_STREAM} bytes")]
    Stream,
}

/// The state between two pieces of a stream.
#[derive(Debug, Default)]
pub struct SseParser {
    line: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
    after_cr: bool,
    begun: bool,
    read: usize,
    every_line: bool,
}

impl SseParser {
    /// A parser at the beginning of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// A parser for which every line that is not empty is an event.
    pub fn lines() -> Self {
        Self {
            every_line: true,
            ..Self::default()
        }
    }

    /// Parses the next bytes and passes the data of every completed event to `sink`.
    ///
    /// # Errors
    /// A line or the stream is too long, or `sink` failed.
    pub fn push<E: From<TooLarge>>(
        &mut self,
        mut bytes: &[u8],
        mut sink: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.read = self.read.saturating_add(bytes.len());
        if self.read > MAX_STREAM {
            return Err(TooLarge::Stream.into());
        }
        while !bytes.is_empty() {
            if std::mem::take(&mut self.after_cr) && bytes[0] == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let end = bytes.iter().position(|b| matches!(b, b'\n' | b'\r'));
            let part = &bytes[..end.unwrap_or(bytes.len())];
            if self.line.len() + part.len() > MAX_LINE {
                return Err(TooLarge::Line.into());
            }
            self.line.extend_from_slice(part);
            let Some(end) = end else { break };
            self.after_cr = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            self.end_line(&mut sink)?;
        }
        Ok(())
    }

    /// Ends the stream: passes on an event whose final blank line is missing.
    ///
    /// # Errors
    /// `sink` failed.
    pub fn finish<E>(mut self, mut sink: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        if !self.line.is_empty() {
            self.end_line(&mut sink)?;
        }
        self.end_event(&mut sink)
    }

    /// Whether nothing was read yet.
    pub fn is_untouched(&self) -> bool {
        self.read == 0
    }

    fn end_line<E>(&mut self, sink: &mut impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        let line = std::mem::take(&mut self.line);
        let mut text = line.as_slice();
        if !std::mem::replace(&mut self.begun, true) {
            text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        }
        if self.every_line {
            if !text.trim_ascii().is_empty() {
                sink(text)?;
            }
        } else if text.is_empty() {
            self.end_event(sink)?;
        } else if let Some(value) = data_of(text) {
            if std::mem::replace(&mut self.has_data, true) {
                self.data.push(b'\n');
            }
            self.data.extend_from_slice(value);
        }
        // The allocation is reused for the next line.
        self.line = line;
        self.line.clear();
        Ok(())
    }

    fn end_event<E>(&mut self, sink: &mut impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        if std::mem::take(&mut self.has_data) {
            let result = sink(&self.data);
            self.data.clear();
            result?;
        }
        Ok(())
    }
}

/// The value of a `data` field; one space after the colon is ignored.
fn data_of(line: &[u8]) -> Option<&[u8]> {
    let rest = line.strip_prefix(b"data")?;
    if rest.is_empty() {
        return Some(rest);
    }
    let value = rest.strip_prefix(b":")?;
    Some(value.strip_prefix(b" ").unwrap_or(value))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    fn read(pieces: &[&[u8]]) -> Vec<String> {
        let mut events = Vec::new();
        let mut parser = SseParser::new();
        let mut sink = |data: &[u8]| {
            events.push(String::from_utf8(data.to_vec()).unwrap());
            Ok::<(), TooLarge>(())
        };
        for piece in pieces {
            parser.push(piece, &mut sink).unwrap();
        }
        parser.finish(&mut sink).unwrap();
        events
    }

    #[test]
    fn every_way_to_end_a_line() {
        for text in [
            "data: a\n\ndata: b\n\n",
            "data: a\r\n\r\ndata: b\r\n\r\n",
            "data: a\r\rdata: b\r\r",
        ] {
            assert_eq!(read(&[text.as_bytes()]), ["a", "b"], "{text:?}");
        }
    }

    #[test]
    fn lines_of_one_event_are_joined() {
        assert_eq!(
            read(&[b"data: a\ndata:\ndata:  b\ndata\n\n"]),
            ["a\n\n b\n"]
        );
    }

    #[test]
    fn comments_and_other_fields_are_passed_over() {
        assert_eq!(
            read(&[b": ping\n\nevent: x\nid: 1\nretry: 5\ndatabase: no\ndata: a\n\n"]),
            ["a"]
        );
    }

    #[test]
    fn any_split_gives_the_same_events() {
        let text = "\u{feff}data: {\"a\":\"计划\u{1f600}\"}\r\n\r\n: c\r\n\r\ndata: b\ndata: c\n\ndata: [DONE]\n\n";
        let whole = read(&[text.as_bytes()]);
        assert_eq!(whole, ["{\"a\":\"计划\u{1f600}\"}", "b\nc", "[DONE]"]);
        for at in 0..text.len() {
            let (a, b) = text.as_bytes().split_at(at);
            assert_eq!(read(&[a, b]), whole, "split at {at}");
        }
        let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        assert_eq!(read(&bytes), whole);
    }

    #[test]
    fn lines_of_their_own_need_no_field() {
        let text = "{\"a\":\"计划\"}\r\n\n{\"b\":1}\n{\"c\":2}".as_bytes();
        for size in 1..=text.len() {
            let mut events = Vec::new();
            let mut parser = SseParser::lines();
            let mut sink = |data: &[u8]| {
                events.push(String::from_utf8(data.to_vec()).unwrap());
                Ok::<(), TooLarge>(())
            };
            for piece in text.chunks(size) {
                parser.push(piece, &mut sink).unwrap();
            }
            parser.finish(&mut sink).unwrap();
            assert_eq!(
                events,
                ["{\"a\":\"计划\"}", "{\"b\":1}", "{\"c\":2}"],
                "{size}"
            );
        }
    }

    #[test]
    fn an_event_without_its_blank_line_still_counts() {
        assert_eq!(read(&[b"data: a\n\ndata: b\n"]), ["a", "b"]);
        assert_eq!(read(&[b"data: a\n\ndata: b"]), ["a", "b"]);
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let mut parser = SseParser::new();
        let mut push = |bytes: &[u8]| parser.push(bytes, |_| Ok::<(), TooLarge>(()));
        let piece = vec![b'x'; MAX_LINE / 2];
        assert_eq!(push(&piece), Ok(()));
        assert_eq!(push(&piece), Ok(()));
        assert_eq!(push(b"x"), Err(TooLarge::Line));

        let mut parser = SseParser::new();
        let mut push = |bytes: &[u8]| parser.push(bytes, |_| Ok::<(), TooLarge>(()));
        let piece = vec![b'\n'; MAX_STREAM / 2];
        assert_eq!(push(&piece), Ok(()));
        assert_eq!(push(&piece), Ok(()));
        assert_eq!(push(b"\n"), Err(TooLarge::Stream));
    }
}
