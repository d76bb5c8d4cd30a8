//! The keyboard behind a terminal: its modes, and the bytes that come from it.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{
    LocalModes, OptionalActions, QueueSelector, SpecialCodeIndex, Termios, tcflush, tcgetattr,
    tcgetpgrp, tcsetattr,
};

use rustix::process::{Signal, getpgrp, kill_process_group};

use super::state::PASTE_OFF;

/// How the terminal treats what is typed while the region is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keys {
    /// Every key comes at once and is not echoed: the line is drawn here.
    Ours,
    /// Nothing is echoed; what is typed waits for the next reader.
    Kept,
}

/// What came from the keyboard.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Input {
    Bytes(Vec<u8>),
    /// Nothing in time.
    Nothing,
    /// Nothing will come any more.
    Ended,
}

/// A special character that no key sends.
const NO_KEY: u8 = if cfg!(target_os = "linux") { 0 } else { 0xff };
/// Within this time a signal to stop has reached every thread.
const STOPPING: Duration = Duration::from_millis(100);

/// The modes as they were, while others hold.
static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

/// Restores the terminal where no destructor runs any more: a panic ends the program at once. Does
/// nothing if nothing was set.
pub fn restore() {
    // The holder of the lock is setting or restoring them.
    let before = BEFORE.try_lock().ok().and_then(|mut before| before.take());
    if let Some(before) = before.filter(|_| in_foreground()) {
        let _ = rustix::io::write(rustix::stdio::stderr(), PASTE_OFF.as_bytes());
        apply(&before);
    }
}

/// How the terminal treats what is typed at a moment, to have it again; nothing where
/// standard input is no terminal.
pub struct Kept(Option<Termios>);

impl Kept {
    /// As it is now.
    pub fn now() -> Self {
        Self(tcgetattr(rustix::stdio::stdin()).ok())
    }

    /// As it was then.
    pub fn restore(self) {
        if let Some(before) = self.0.filter(|_| in_foreground()) {
            apply(&before);
        }
    }
}

fn remember(modes: Option<&Termios>) {
    let mut before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner);
    *before = modes.cloned();
}

/// Modes that hold until it is dropped; then the earlier ones are back.
pub(super) struct Modes {
    before: Termios,
    ours: Termios,
}

impl Modes {
    /// Sets the modes; `None` if standard input is no terminal.
    pub(super) fn set(keys: Keys) -> Option<Self> {
        let before = tcgetattr(rustix::stdio::stdin()).ok()?;
        let mut ours = before.clone();
        ours.local_modes.remove(LocalModes::ECHO);
        if keys == Keys::Ours {
            ours.local_modes.remove(LocalModes::ICANON);
            ours.special_codes[SpecialCodeIndex::VMIN] = 1;
            ours.special_codes[SpecialCodeIndex::VTIME] = 0;
            // Ctrl-Z comes as a key: the screen is put in order before the stop.
            ours.special_codes[SpecialCodeIndex::VSUSP] = NO_KEY;
        }
        remember(Some(&before));
        apply(&ours)?;
        Some(Self { before, ours })
    }

    /// Brings the earlier modes back for as long as the job is stopped;
    /// [`renew`](Self::renew) sets them again.
    pub(super) fn pause(&self) {
        if in_foreground() {
            apply(&self.before);
        }
    }

    /// Sets the modes again if somebody else has changed them, as a shell
    /// does whose job is stopped and goes on; says whether that was so.
    pub(super) fn renew(&self) -> bool {
        let now = tcgetattr(rustix::stdio::stdin());
        let changed = now.is_ok_and(|now| now.local_modes != self.ours.local_modes);
        changed && apply(&self.ours).is_some()
    }
}

impl Drop for Modes {
    fn drop(&mut self) {
        // In the background the terminal is the shell's, and touching it stops us.
        if in_foreground() {
            apply(&self.before);
        }
        remember(None);
    }
}

fn apply(modes: &Termios) -> Option<()> {
    tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, modes).ok()
}

/// Drops a line that was begun and not ended, where the terminal itself edits it: what
/// was typed stays on the screen and is handed to nobody.
pub fn drop_line() {
    // In the background it would stop the job, and nothing is typed to it there.
    if in_foreground() {
        // Standard input that is no terminal holds no line that was begun.
        let _ = tcflush(rustix::stdio::stdin(), QueueSelector::IFlush);
    }
}

/// Returns whether this process is in the terminal's foreground.
pub(super) fn in_foreground() -> bool {
    // Not the terminal that controls us: nobody else's either.
    tcgetpgrp(rustix::stdio::stderr()).map_or(true, |group| group == getpgrp())
}

/// Stops the job, as Ctrl-Z does; returns when it goes on. Where nobody could let
/// it go on, the system leaves it running.
pub(super) fn stop() {
    // The whole group, as the terminal would: `cargo run`, for instance, waits for a job that stops
    // as one.
    if kill_process_group(getpgrp(), Signal::TSTP).is_ok() {
        std::thread::sleep(STOPPING);
    }
}

/// Waits for bytes, so many milliseconds at most; what there is in their place, or
/// none if some are there to be read.
pub(super) fn lacks(wait_ms: u64) -> Option<Input> {
    let stdin = rustix::stdio::stdin();
    let wait = Timespec {
        tv_sec: 0,
        tv_nsec: i64::try_from(wait_ms.min(999) * 1_000_000).unwrap_or_default(),
    };
    let mut files = [PollFd::new(&stdin, PollFlags::IN)];
    match poll(&mut files, Some(&wait)) {
        Ok(0) | Err(rustix::io::Errno::INTR) => Some(Input::Nothing),
        Ok(_) => None,
        Err(_) => Some(Input::Ended),
    }
}

/// Reads the bytes that are there; without any it waits for them.
pub(super) fn read() -> Input {
    let mut bytes = [0; 1024];
    match rustix::io::read(rustix::stdio::stdin(), &mut bytes) {
        Ok(0) => Input::Ended,
        Ok(n) => Input::Bytes(bytes[..n].to_vec()),
        Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => Input::Nothing,
        Err(_) => Input::Ended,
    }
}
