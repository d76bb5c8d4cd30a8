//! The input from a client, one message per line, with a limit on the length of a line.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, ReadBuf};

/// Maximum length of a line in bytes: a reply of 1 MiB with every character escaped, and some room.
const MOST: usize = 8 << 20;
/// The same, for messages.
pub const MOST_SHOWN: &str = "8 MiB";

/// An input that fails if a line is too long. The SDK would drop the line without an answer, and
/// the client would wait.
pub struct Lines<R> {
    input: R,
    /// Bytes since the last end of a line.
    length: usize,
    is_too_long: Arc<AtomicBool>,
}

impl<R> Lines<R> {
    /// Returns the input, and a flag that is set if it failed because of a line's length.
    pub fn of(input: R) -> (Self, Arc<AtomicBool>) {
        let is_too_long = Arc::new(AtomicBool::new(false));
        let lines = Self {
            input,
            length: 0,
            is_too_long: Arc::clone(&is_too_long),
        };
        (lines, is_too_long)
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Lines<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.input).poll_read(context, buffer))?;
        let read = &buffer.filled()[before..];
        self.length = match read.iter().rposition(|byte| *byte == b'\n') {
            Some(end) => read.len() - end - 1,
            None => self.length + read.len(),
        };
        if self.length > MOST {
            self.is_too_long.store(true, Ordering::Relaxed);
            return Poll::Ready(Err(io::ErrorKind::FileTooLarge.into()));
        }
        Poll::Ready(Ok(()))
    }
}
