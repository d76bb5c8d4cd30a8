//! Head and tail of what a trial prints.

use std::collections::VecDeque;

/// Keeps the beginning and the end of a stream and counts the bytes between them.
pub(crate) struct Output {
    room: usize,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    /// Total number of bytes received.
    pub seen: u64,
}

impl Output {
    pub fn new(room: usize) -> Self {
        Self {
            room,
            head: Vec::new(),
            tail: VecDeque::new(),
            seen: 0,
        }
    }

    pub fn push(&mut self, bytes: &[u8]) {
        self.seen += bytes.len() as u64;
        let (first, rest) = bytes.split_at(bytes.len().min(self.room - self.head.len()));
        self.head.extend_from_slice(first);
        // Only the last `room` bytes can be kept.
        let last = &rest[rest.len().saturating_sub(self.room)..];
        let over = (self.tail.len() + last.len()).saturating_sub(self.room);
        self.tail.drain(..over);
        self.tail.extend(last);
    }

    /// Head, tail, and the number of bytes between them.
    pub fn parts(self) -> (String, String, u64) {
        let left_out = self.seen - self.head.len() as u64 - self.tail.len() as u64;
        let tail = Vec::from(self.tail);
        if left_out == 0 {
            // Joined before decoding: a character may span the boundary.
            let whole = [self.head, tail].concat();
            return (
                String::from_utf8_lossy(&whole).into_owned(),
                String::new(),
                0,
            );
        }
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(&self.head), text(&tail), left_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(room: usize, pieces: &[&str]) -> (String, String, u64) {
        let mut output = Output::new(room);
        pieces.iter().for_each(|it| output.push(it.as_bytes()));
        output.parts()
    }

    #[test]
    fn keeps_head_and_tail_and_counts_the_middle() {
        assert_eq!(parts(4, &["abc"]), ("abc".into(), String::new(), 0));
        assert_eq!(parts(4, &["abcdef"]), ("abcdef".into(), String::new(), 0));
        assert_eq!(
            parts(4, &["abcdefgh", "ij"]),
            ("abcd".into(), "ghij".into(), 2)
        );
        assert_eq!(
            parts(2, &["a", "b", "c", "d", "e"]),
            ("ab".into(), "de".into(), 1)
        );
    }

    #[test]
    fn a_character_across_the_seam_stays_whole() {
        assert_eq!(parts(4, &["abc计d"]), ("abc计d".into(), String::new(), 0));
    }
}
