//! Lines of standard input, read by one thread for the whole process.
//!
//! A reader that waits for a line can give up, as when a run ends while it waits; the line is then
//! left for the next reader. A thread of each run, once it blocks in a read, would take a line that
//! is no longer meant for it.

use std::collections::VecDeque;
use std::io::{self, BufRead, ErrorKind, Read, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::input::behind;
use super::{For, Line, Reader, Terminal, Turn};
use crate::edge::doors::Kind;
use crate::ui::screen;
use crate::ui::view::Style;

/// Maximum number of lines read ahead.
const AHEAD: usize = 64;
/// Maximum length of a line in bytes: that of a requirement.
const LONGEST: u64 = Kind::Words.most() as u64;
/// How often to check whether the terminal still holds a line, and the pause between checks.
const LOOKS: u32 = 100;
const PAUSE: Duration = Duration::from_millis(1);

static STDIN: OnceLock<Lines> = OnceLock::new();

/// Lines that were read but not taken yet.
struct Lines {
    queue: Mutex<Queue>,
    changed: Condvar,
    /// Start of the clock for times in milliseconds.
    begun: Instant,
}

#[derive(Default)]
struct Queue {
    lines: VecDeque<io::Result<Came>>,
    has_ended: bool,
    turn: Turn,
}

/// A line, and what it is used for; `None` if it was pasted together with an answer and must not be
/// used.
struct Came {
    text: String,
    to: Option<For>,
}

/// Questions on standard error, answers from standard input; only for a real terminal.
#[derive(Debug)]
pub struct StandardTerminal {
    wait: Wait,
    style: Style,
}

impl StandardTerminal {
    /// Creates a terminal that writes its messages in this style.
    pub fn new(style: Style) -> Self {
        let wait = Wait::default();
        Self { wait, style }
    }
}

impl Terminal for StandardTerminal {
    fn show(&self, text: &str) -> io::Result<()> {
        if text.ends_with('\n') {
            return write(text);
        }
        let mut queue = stdin().lock();
        let mut early = Vec::new();
        // A question that is shown again keeps the text begun for it.
        if !queue.turn.stands() {
            drop(queue);
            queue = stdin().settled();
            early = queue.take_behind();
            screen::drop_line();
        }
        queue.turn.asks();
        drop(queue);
        if !early.is_empty() {
            // The current row may contain text typed after those lines.
            write("\n")?;
        }
        self.tell_behind(&early)?;
        write(text)
    }

    fn withdraw(&self, why: &str, dropped: &str) -> io::Result<()> {
        screen::drop_line();
        stdin().lock().turn.withdraws();
        write(&format!("\n{why}\n{dropped}\n"))
    }

    fn reader(&self) -> Reader {
        let (wait, style) = (self.wait.clone(), self.style);
        Box::new(move || {
            while let Some(Came { text, to }) = wait.take()? {
                match to {
                    Some(to) => return Ok(Some(Line { text, to })),
                    None => write(&format!("{}\n", behind(&text, &style)))?,
                }
            }
            Ok(None)
        })
    }

    fn leave(&self) {
        self.wait.give_up();
        let mut queue = stdin().lock();
        queue.turn = Turn::default();
        let early = queue.take_behind();
        drop(queue);
        // A closed terminal must not stop a run.
        let _ = self.tell_behind(&early);
    }
}

impl StandardTerminal {
    fn tell_behind(&self, lines: &[String]) -> io::Result<()> {
        let mut lines = lines.iter();
        lines.try_for_each(|line| write(&format!("{}\n", behind(line, &self.style))))
    }
}

fn write(text: &str) -> io::Result<()> {
    let mut stderr = io::stderr().lock();
    stderr.write_all(text.as_bytes())?;
    stderr.flush()
}

/// A wait for lines that can be given up; clones share it.
#[derive(Debug, Clone, Default)]
pub struct Wait(Arc<AtomicBool>);

impl Wait {
    /// Waits for the next line and returns it without its line break. `None` if the input has ended
    /// or the wait was given up.
    ///
    /// # Errors
    /// The system's error. For a line that is not valid UTF-8 it is `InvalidData`, for one that is
    /// too long `FileTooLarge`; the lines after it can be read.
    pub fn next(&self) -> io::Result<Option<String>> {
        Ok(self.take()?.map(|came| came.text))
    }

    fn take(&self) -> io::Result<Option<Came>> {
        let shared = stdin();
        let is_over = || self.0.load(Ordering::SeqCst);
        let waits = |queue: &mut Queue| queue.lines.is_empty() && !queue.has_ended && !is_over();
        let queue = shared.changed.wait_while(shared.lock(), waits);
        let mut queue = queue.unwrap_or_else(PoisonError::into_inner);
        if is_over() {
            return Ok(None);
        }
        let line = queue.lines.pop_front();
        drop(queue);
        shared.changed.notify_all();
        line.transpose()
    }

    /// Gives up the wait: later lines are for other readers.
    pub fn give_up(&self) {
        self.0.store(true, Ordering::SeqCst);
        if let Some(shared) = STDIN.get() {
            // A waiter holds the lock between its check and its sleep, so it cannot miss this.
            drop(shared.lock());
            shared.changed.notify_all();
        }
    }
}

/// Waits for the next typed line and returns it without its line break. `None` if the input has
/// ended or `is_over` returns true. Nothing beyond the line is read, so that a screen drawn
/// afterwards gets all further keys.
///
/// # Errors
/// The system's error; a line that is not valid UTF-8.
pub fn typed_line(is_over: &dyn Fn() -> bool) -> io::Result<Option<String>> {
    if STDIN.get().is_some() {
        return typed_to_all(is_over);
    }
    let mut bytes = Vec::new();
    while !is_over() {
        match screen::typed() {
            None => return Ok(None),
            Some(more) => bytes.extend(more),
        }
        if bytes.ends_with(b"\n") {
            let line = String::from_utf8(bytes).map_err(io::Error::other)?;
            return Ok(Some(line.trim_end_matches(['\r', '\n']).to_owned()));
        }
    }
    Ok(None)
}

/// As [`typed_line`], if the process already has a thread that reads all lines.
fn typed_to_all(is_over: &dyn Fn() -> bool) -> io::Result<Option<String>> {
    let shared = stdin();
    loop {
        let mut queue = shared.lock();
        if let Some(line) = queue.lines.pop_front() {
            return line.map(|came| Some(came.text));
        }
        if queue.has_ended || is_over() {
            return Ok(None);
        }
        let waited = shared.changed.wait_timeout(queue, PAUSE * LOOKS);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }
}

impl Lines {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the queue after every line that the terminal holds at this moment was read.
    fn settled(&self) -> MutexGuard<'_, Queue> {
        for _ in 0..LOOKS {
            let queue = self.lock();
            let is_read = queue.has_ended || queue.lines.len() >= AHEAD || !screen::holds_line();
            drop(queue);
            // A line that was just read may not be in the queue yet.
            std::thread::sleep(PAUSE);
            if is_read {
                break;
            }
        }
        self.lock()
    }
}

impl Queue {
    /// Removes and returns the lines that must not be used.
    fn take_behind(&mut self) -> Vec<String> {
        let lines = std::mem::take(&mut self.lines).into_iter();
        let (behind, others) = lines.partition(|line| matches!(line, Ok(Came { to: None, .. })));
        self.lines = others;
        let behind: VecDeque<io::Result<Came>> = behind;
        behind.into_iter().flatten().map(|came| came.text).collect()
    }
}

fn stdin() -> &'static Lines {
    STDIN.get_or_init(|| {
        std::thread::spawn(read_all);
        Lines {
            queue: Mutex::default(),
            changed: Condvar::new(),
            begun: Instant::now(),
        }
    })
}

/// Reads lines to the end of input, at most [`AHEAD`] more than were taken.
fn read_all() {
    let shared = stdin();
    loop {
        let line = read_line();
        let ends = match &line {
            Ok(line) => line.is_none(),
            Err(error) => !is_about_line(error),
        };
        let mut queue = shared.lock();
        let now = u64::try_from(shared.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let came = line.map(|line| {
            line.map(|text| Came {
                to: queue.turn.line(&text, now),
                text,
            })
        });
        queue.lines.extend(came.transpose());
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
    let mut stdin = io::stdin().lock();
    stdin
        .by_ref()
        .take(LONGEST + 1)
        .read_until(b'\n', &mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        if !bytes.ends_with(b"\n") {
            stdin.skip_until(b'\n')?;
        }
        let why = format!("a line has more than {} KiB", LONGEST / 1024);
        return Err(io::Error::new(ErrorKind::FileTooLarge, why));
    }
    if bytes.is_empty() {
        return Ok(None);
    }
    let line =
        String::from_utf8(bytes).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))?;
    Ok(Some(line.trim_end_matches(['\r', '\n']).to_owned()))
}

/// Returns whether the error is about a single line, so that the next one can be read.
pub(super) fn is_about_line(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::FileTooLarge | ErrorKind::InvalidData
    )
}
