//! Lines of standard input, read by one thread for the whole process.
//!
//! Whoever waits for a line may give up, as a run does that ends while it listens:
//! then the line is left for the next one who asks. A thread of each run's own, once
//! it reads, would take a line that is not meant for it any more.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

use super::{Reader, Terminal};
use crate::edge::screen;

/// Lines read ahead, at most.
const AHEAD: usize = 64;
/// Longest line, in bytes: a requirement may be as long.
const LONGEST: u64 = 256 * 1024;

static STDIN: OnceLock<Lines> = OnceLock::new();

/// What was read and nobody has taken yet.
#[derive(Default)]
struct Lines {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    lines: VecDeque<io::Result<String>>,
    has_ended: bool,
}

/// Questions on stderr, answers from standard input; only for a real terminal.
#[derive(Debug, Default)]
pub struct StandardTerminal(Wait);

impl Terminal for StandardTerminal {
    fn show(&self, text: &str) -> std::io::Result<()> {
        let mut stderr = std::io::stderr().lock();
        stderr.write_all(text.as_bytes())?;
        stderr.flush()
    }

    fn withdraw(&self, why: &str, dropped: &str) -> std::io::Result<()> {
        screen::drop_line();
        self.show(&format!("\n{why}\n{dropped}\n"))
    }

    fn reader(&self) -> Reader {
        let wait = self.0.clone();
        Box::new(move || wait.next())
    }

    fn leave(&self) {
        self.0.give_up();
    }
}

/// A wait for lines that can be given up; shared by its copies.
#[derive(Debug, Clone, Default)]
pub struct Wait(Arc<AtomicBool>);

impl Wait {
    /// Brings the next line without its line break; none when the input has ended or the
    /// wait was given up. Blocks.
    ///
    /// # Errors
    /// Whatever the system says; a line that is too long, or no text.
    pub fn next(&self) -> io::Result<Option<String>> {
        let shared = stdin();
        let is_over = || self.0.load(Ordering::SeqCst);
        let waits = |queue: &mut Queue| queue.lines.is_empty() && !queue.has_ended && !is_over();
        let queue = shared.changed.wait_while(shared.hold(), waits);
        let mut queue = queue.unwrap_or_else(PoisonError::into_inner);
        if is_over() {
            return Ok(None);
        }
        let line = queue.lines.pop_front();
        drop(queue);
        shared.changed.notify_all();
        line.transpose()
    }

    /// Nobody waits any more: what is read from now on is for others.
    pub fn give_up(&self) {
        self.0.store(true, Ordering::SeqCst);
        if let Some(shared) = STDIN.get() {
            // Between its look and its sleep a waiter holds the queue.
            drop(shared.hold());
            shared.changed.notify_all();
        }
    }
}

impl Lines {
    fn hold(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn stdin() -> &'static Lines {
    STDIN.get_or_init(|| {
        std::thread::spawn(read_all);
        Lines::default()
    })
}

/// Reads until the end, a little ahead of those who ask.
fn read_all() {
    let shared = stdin();
    loop {
        let line = read_line();
        let ends = !matches!(line, Ok(Some(_)));
        let mut queue = shared.hold();
        queue.lines.extend(line.transpose());
        queue.has_ended |= ends;
        shared.changed.notify_all();
        if ends {
            return;
        }
        let full = |queue: &mut Queue| queue.lines.len() >= AHEAD;
        drop(shared.changed.wait_while(queue, full));
    }
}

fn read_line() -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let mut stdin = io::stdin().lock().take(LONGEST + 1);
    stdin.read_until(b'\n', &mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        let why = format!("a line has more than {} KiB", LONGEST / 1024);
        return Err(io::Error::new(io::ErrorKind::InvalidData, why));
    }
    if bytes.is_empty() {
        return Ok(None);
    }
    let line = String::from_utf8(bytes).map_err(io::Error::other)?;
    Ok(Some(line.trim_end_matches(['\r', '\n']).to_owned()))
}
