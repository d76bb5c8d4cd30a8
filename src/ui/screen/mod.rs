//! The terminal of a run: what is printed for good, the lines below it that
//! are drawn again and again, and the line that is typed there.
//!
//! ```text
//! events ──▶ print ─┐                              ┌─▶ stderr, one write a frame
//! pieces ──▶ hear ──┼─▶ ScreenState ─▶ Painter ────┘
//! keys ────▶ type ──┘     ▲ ten times a second
//! ```
//!
//! Pieces of answers never draw anything: they change the board, and the next
//! frame shows it, however many there were. On a terminal that cannot be drawn
//! on (`--plain`, `TERM=dumb`, `CI`, a file) lines are printed as they come, with
//! a line as a sign of life when nothing else was printed for a while.

mod keyboard;
mod painter;
mod state;
#[cfg(test)]
mod tests;
mod typing;

use std::sync::mpsc::{Receiver, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use self::keyboard::{Input, Keys, Modes};
pub use self::keyboard::{Kept, drop_line, restore};
use self::state::{Done, ScreenState};
use super::human::{Line, Reader, Terminal};
use crate::edge::clock::SystemClock;
use crate::edge::inbox::{self, CAPACITY};
use crate::edge::model::{Listener, Piece};
use crate::edge::ports::Clock;
use crate::machine::{CallId, State};
use crate::ui::view::Style;
use crate::ui::view::live::LiveBoard;

/// Returns whether the terminal holds a line, or typed text, that nobody has read yet.
pub fn holds_line() -> bool {
    keyboard::in_foreground() && keyboard::lacks(0).is_none()
}

/// What is typed within a tenth of a second; empty without anything, none when nothing will
/// come any more.
pub fn typed() -> Option<Vec<u8>> {
    match keyboard::lacks(100) {
        Some(keyboard::Input::Ended) => None,
        Some(_) => Some(Vec::new()),
        None => match keyboard::read() {
            keyboard::Input::Bytes(bytes) => Some(bytes),
            keyboard::Input::Nothing => Some(Vec::new()),
            keyboard::Input::Ended => None,
        },
    }
}

/// Between two frames, in milliseconds: ten a second.
const FRAME: u64 = 100;

/// How a run is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Show {
    /// Lines as they come, and what goes on below them.
    Live,
    /// Lines as they come.
    Lines,
    /// Nothing but notices.
    Quiet,
}

/// How the terminal is, and who sits there.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// How a run is shown.
    pub show: Show,
    /// How lines are written. Its width holds where the terminal does not say its own.
    pub style: Style,
    /// Keep to the width of `style`, whatever the terminal says.
    pub fixed_width: bool,
    /// Whether something may be typed.
    pub asks: bool,
    /// Silence after which a line says that it goes on, where nothing is drawn, in
    /// milliseconds.
    pub heartbeat_ms: u64,
    /// Whether long lines flow into the next one when the terminal is made narrower.
    pub reflows: bool,
}

/// The screen of one run. When it is dropped the region is erased and the
/// terminal is as it was.
pub struct Screen {
    shared: Arc<Shared>,
    lines: Arc<Mutex<Receiver<Line>>>,
    /// Who reads the keyboard.
    attendant: Option<JoinHandle<()>>,
}

/// What the threads share. The board has a lock of its own: a terminal that takes
/// no more bytes (Ctrl-S) must not hold up the answers.
struct Shared {
    board: Arc<Mutex<LiveBoard>>,
    screen: Mutex<ScreenState>,
    clock: SystemClock,
    /// Whether members' words are drawn, or only how much of them has come.
    draws: bool,
}

impl Screen {
    /// A screen on stderr; what is typed comes from standard input.
    pub fn new(setting: Setting) -> Self {
        let foreground = keyboard::in_foreground();
        let live = setting.show == Show::Live && foreground;
        let show = match setting.show {
            Show::Live if !live => Show::Lines,
            show => show,
        };
        let asks = setting.asks && live;
        let modes = live
            .then(|| Modes::set(if asks { Keys::Ours } else { Keys::Kept }))
            .flatten();
        let setting = Setting {
            show,
            asks,
            ..setting
        };
        let mut screen = ScreenState::new(setting, Box::new(std::io::stderr()), Box::new(size));
        screen.modes = modes;
        screen.marks_pastes();
        let (sender, lines) = sync_channel(CAPACITY);
        screen.to = asks.then_some(sender);
        let shared = Arc::new(Shared {
            board: Arc::clone(&screen.board),
            screen: Mutex::new(screen),
            clock: SystemClock::new(),
            draws: show == Show::Live,
        });
        let attendant = (show != Show::Quiet).then(|| {
            let weak = Arc::downgrade(&shared);
            std::thread::spawn(move || attend(&weak, asks))
        });
        Self {
            shared,
            // Nobody has to wait for one that reads nothing.
            attendant: attendant.filter(|_| asks),
            lines: Arc::new(Mutex::new(lines)),
        }
    }

    /// Prints lines for good.
    pub fn print(&self, text: &str) {
        let now = self.shared.clock.monotonic_ms();
        self.shared.screen().print(text, now);
    }

    /// Takes in the state of the run.
    pub fn follow(&self, state: &State) {
        let now = self.shared.clock.monotonic_ms();
        hold(&self.shared.board).follow(state, now);
    }

    /// How lines that are printed now are to be written.
    pub fn style(&self) -> Style {
        self.shared.screen().style()
    }

    /// Hears what members say while they say it.
    pub fn listener(&self) -> Arc<dyn Listener> {
        Arc::clone(&self.shared) as _
    }

    /// Where questions are asked, if typed lines come here.
    pub fn terminal(&self) -> Option<Box<dyn Terminal>> {
        let asks = self.shared.screen().setting.asks;
        asks.then(|| {
            Box::new(Prompt {
                shared: Arc::clone(&self.shared),
                lines: Arc::clone(&self.lines),
            }) as _
        })
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.shared.screen().close();
        if let Some(attendant) = self.attendant.take() {
            // Two who read the keyboard would take keys from each other. One that broke
            // off reads no more either.
            let _ = attendant.join();
        }
    }
}

impl Shared {
    fn screen(&self) -> MutexGuard<'_, ScreenState> {
        hold(&self.screen)
    }
}

/// What is shared; a frame that was cut short is drawn over by the next one.
fn hold<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Listener for Shared {
    fn hears(&self, call: &CallId, piece: Piece<'_>) {
        let now = self.clock.monotonic_ms();
        hold(&self.board).hear(call, now, |heard| match piece {
            Piece::Text(text) if self.draws => heard.take(text),
            Piece::Text(text) => heard.count(text),
            Piece::Thought(text) => heard.think(text),
        });
    }
}

/// Questions and answers below what is printed.
struct Prompt {
    shared: Arc<Shared>,
    lines: Arc<Mutex<Receiver<Line>>>,
}

impl Terminal for Prompt {
    fn show(&self, text: &str) -> std::io::Result<()> {
        let mut screen = self.shared.screen();
        // What the keyboard holds by now was typed before.
        while screen.to.is_some() && holds_line() {
            if !hear(&mut screen, self.shared.clock.monotonic_ms()) {
                break;
            }
        }
        screen.ask(text, self.shared.clock.monotonic_ms());
        Ok(())
    }

    fn tell(&self, text: &str) -> std::io::Result<()> {
        let now = self.shared.clock.monotonic_ms();
        self.shared.screen().print(text, now);
        Ok(())
    }

    fn withdraw(&self, why: &str, dropped: &str) -> std::io::Result<()> {
        let now = self.shared.clock.monotonic_ms();
        self.shared.screen().withdraw(why, dropped, now);
        Ok(())
    }

    fn reader(&self) -> Reader {
        let lines = Arc::clone(&self.lines);
        Box::new(move || Ok(hold(&lines).recv().ok()))
    }

    fn width(&self) -> Option<usize> {
        Some(self.shared.screen().style().width)
    }
}

/// Draws frames and reads the keyboard until the screen is gone.
fn attend(shared: &Weak<Shared>, mut hears: bool) {
    loop {
        let lacks = match hears {
            true => keyboard::lacks(FRAME),
            false => {
                std::thread::sleep(Duration::from_millis(FRAME));
                Some(Input::Nothing)
            }
        };
        let Some(shared) = shared.upgrade() else {
            return;
        };
        let mut screen = shared.screen();
        // What is typed from now on is for the next reader.
        if screen.is_closed {
            return;
        }
        match lacks {
            Some(Input::Ended) => screen.to = None,
            Some(_) => {}
            // Who puts a question may have read it meanwhile, and nobody waits here for more.
            None if keyboard::lacks(0).is_some() => {}
            None => drop(hear(&mut screen, shared.clock.monotonic_ms())),
        }
        hears = screen.to.is_some();
        screen.tick(shared.clock.monotonic_ms(), keyboard::in_foreground());
    }
}

/// Reads what the keyboard holds; returns whether there may be more.
fn hear(screen: &mut ScreenState, now: u64) -> bool {
    let bytes = match keyboard::read() {
        Input::Bytes(bytes) => bytes,
        Input::Nothing => return false,
        Input::Ended => {
            screen.to = None;
            return false;
        }
    };
    for what in screen.take(&bytes, now) {
        match (what, &screen.to) {
            (Done::Suspend, _) => {
                // The screen stays held: nothing is drawn before the job goes on.
                screen.pause();
                keyboard::stop();
            }
            (Done::Line(line), Some(to)) => match to.try_send(line) {
                Ok(()) => {}
                Err(TrySendError::Full(_)) => screen.refuse(&inbox::full(), now),
                Err(TrySendError::Disconnected(_)) => screen.to = None,
            },
            (Done::Line(_) | Done::End, _) => screen.to = None,
        }
    }
    true
}

/// Columns and rows of the terminal behind stderr.
fn size() -> Option<(usize, usize)> {
    let (columns, rows) = terminal_size::terminal_size_of(std::io::stderr())?;
    Some((usize::from(columns.0), usize::from(rows.0)))
}
