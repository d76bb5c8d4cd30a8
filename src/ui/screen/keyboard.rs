//! The keyboard of a terminal: its modes, and the bytes read from it.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{
    LocalModes, OptionalActions, QueueSelector, SpecialCodeIndex, Termios, isatty, tcflush,
    tcgetattr, tcgetpgrp, tcsetattr,
};

use rustix::process::{Signal, getpgrp, kill_process_group};

/// Switches the marks around pasted text on and off.
pub(super) const PASTE_ON: &str = "\x1b[?2004h";
pub(super) const PASTE_OFF: &str = "\x1b[?2004l";

/// A special character that no key sends.
const NO_KEY: u8 = if cfg!(target_os = "linux") { 0 } else { 0xff };
/// Time after which a stop signal has surely reached every thread.
const STOPPING: Duration = Duration::from_millis(100);

/// The original modes, while others are set.
static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

/// Keeps the current modes for [`restore`], for the time in which a line editor sets others; keeps
/// none if standard input is not a terminal.
pub fn remember() {
    keep(tcgetattr(rustix::stdio::stdin()).ok());
}

fn keep(modes: Option<Termios>) {
    *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = modes;
}

/// Restores the terminal when no destructors run: a panic or a signal at the prompt of a chat ends
/// the program at once. Does nothing if no modes are kept.
pub fn restore() {
    // If the lock is taken, its holder is setting or restoring the modes right now.
    let before = BEFORE.try_lock().ok().and_then(|mut before| before.take());
    if let Some(before) = before.filter(|_| in_foreground()) {
        if isatty(rustix::stdio::stderr()) {
            let _ = rustix::io::write(rustix::stdio::stderr(), PASTE_OFF.as_bytes());
        }
        apply(&before);
    }
}

/// Sets modes until dropped, then restores the earlier ones.
pub(super) struct Modes {
    before: Termios,
    ours: Termios,
}

impl Modes {
    /// Sets the modes in which typed text is not echoed. Where keys are `read` for the line that the
    /// screen draws, each is delivered at once; otherwise typed text waits for the next reader.
    /// `None` if standard input is not a terminal.
    pub(super) fn set(read: bool) -> Option<Self> {
        let before = tcgetattr(rustix::stdio::stdin()).ok()?;
        let mut ours = before.clone();
        ours.local_modes.remove(LocalModes::ECHO);
        if read {
            ours.local_modes.remove(LocalModes::ICANON);
            ours.special_codes[SpecialCodeIndex::VMIN] = 1;
            ours.special_codes[SpecialCodeIndex::VTIME] = 0;
            // Ctrl-Z is read as a key, so that the screen can be cleaned up before the job stops.
            ours.special_codes[SpecialCodeIndex::VSUSP] = NO_KEY;
        }
        keep(Some(before.clone()));
        apply(&ours)?;
        Some(Self { before, ours })
    }

    /// Restores the earlier modes while the job is stopped; [`renew`](Self::renew) sets them again.
    pub(super) fn pause(&self) {
        if in_foreground() {
            apply(&self.before);
        }
    }

    /// Sets the modes again if they were changed, as a shell does when it continues a stopped job.
    /// Returns whether they were.
    pub(super) fn renew(&self) -> bool {
        let now = tcgetattr(rustix::stdio::stdin());
        let changed = now.is_ok_and(|now| now.local_modes != self.ours.local_modes);
        changed && apply(&self.ours).is_some()
    }
}

impl Drop for Modes {
    fn drop(&mut self) {
        // In the background the terminal belongs to the shell; changing its modes would stop this
        // process.
        if in_foreground() {
            apply(&self.before);
        }
        keep(None);
    }
}

fn apply(modes: &Termios) -> Option<()> {
    tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, modes).ok()
}

/// Discards the unfinished line in the terminal's own line editor. Its text stays on the screen.
pub fn drop_line() {
    // In the background this would stop the job, and nobody types to it there.
    if in_foreground() {
        // An error means that standard input is not a terminal and so holds no unfinished line.
        let _ = tcflush(rustix::stdio::stdin(), QueueSelector::IFlush);
    }
}

/// Whether this process is in the terminal's foreground.
pub(super) fn in_foreground() -> bool {
    // An error means that this is not the controlling terminal, so no other job can be in its
    // foreground.
    tcgetpgrp(rustix::stdio::stderr()).map_or(true, |group| group == getpgrp())
}

/// Stops the job, as Ctrl-Z does, and returns when it continues. The system ignores the signal if
/// no shell could continue the job.
pub(super) fn stop() {
    // Stops the whole process group, as the terminal would: `cargo run`, for instance, expects its
    // job to stop as a whole.
    if kill_process_group(getpgrp(), Signal::TSTP).is_ok() {
        std::thread::sleep(STOPPING);
    }
}

/// Waits at most this many milliseconds (less than a second) until there are bytes to read, or the
/// end of input; returns whether there are.
pub(super) fn is_typed(wait_ms: u64) -> bool {
    // In the background keys are for the shell, and reading them would stop the job.
    if !in_foreground() {
        std::thread::sleep(Duration::from_millis(wait_ms));
        return false;
    }
    let stdin = rustix::stdio::stdin();
    let wait = Timespec {
        tv_sec: 0,
        tv_nsec: i64::try_from(wait_ms.min(999) * 1_000_000).unwrap_or_default(),
    };
    let mut files = [PollFd::new(&stdin, PollFlags::IN)];
    let polled = poll(&mut files, Some(&wait));
    !matches!(polled, Ok(0) | Err(rustix::io::Errno::INTR))
}

/// Whether the terminal is gone.
pub(super) fn has_hung_up() -> bool {
    let stdin = rustix::stdio::stdin();
    let mut files = [PollFd::new(&stdin, PollFlags::IN)];
    let polled = poll(&mut files, Some(&Timespec::default()));
    polled.is_ok() && files[0].revents().contains(PollFlags::HUP)
}

/// Reads the available bytes, or waits for some; `None` at the end of input. Where the terminal edits
/// lines, at most one line.
pub(super) fn read() -> Option<Vec<u8>> {
    let mut bytes = [0; 1024];
    match rustix::io::read(rustix::stdio::stdin(), &mut bytes) {
        Ok(n @ 1..) => Some(bytes[..n].to_vec()),
        Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => Some(Vec::new()),
        Ok(0) | Err(_) => None,
    }
}

/// Waits for the next typed line and returns it without its line break, while the terminal edits
/// lines; further keys are for the next reader. `None` if the input has ended or `is_over` returns
/// true.
///
/// # Errors
/// The line is not valid UTF-8.
pub fn typed_line(is_over: &dyn Fn() -> bool) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    while !is_over() {
        if !is_typed(100) {
            continue;
        }
        match read() {
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
