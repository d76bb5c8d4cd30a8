//! The terminal of a run: permanent output, the lines below it that are redrawn, and the line that
//! is typed there.
//!
//! ```text
//! events ──▶ print ─┐                              ┌─▶ stderr, one write per frame
//! pieces ──▶ hear ──┼─▶ ScreenState ─▶ Painter ────┘
//! keys ────▶ type ──┘     ▲ ten times a second
//! ```
//!
//! Pieces of answers do not draw anything themselves: they change the live view, and the next frame
//! shows it. If the terminal does not support drawing (`--plain`, `TERM=dumb`, `CI`, a file), lines
//! are printed as they come, and the terminal's own line editor echoes what is typed. If nothing was
//! printed for a while, a line says that the run is still going on.

mod keyboard;
mod painter;
mod state;
#[cfg(test)]
mod tests;
mod typing;

use std::io::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

use self::keyboard::Modes;
pub use self::keyboard::{drop_line, remember, restore, typed_line};
use self::state::{RoutedEvent, ScreenState};
use super::human::{LineHandler, Terminal};
use crate::edge::clock::SystemClock;
use crate::edge::env::outlives_the_terminal;
use crate::edge::model::{AnswerPiece, Listener};
use crate::edge::ports::Clock;
use crate::machine::{CallId, State};
use crate::ui::view::Style;
use crate::ui::view::live::LiveView;

/// Time between two frames in milliseconds.
const FRAME: u64 = 100;

/// How a run is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DisplayMode {
    /// Lines as they come, and a redrawn region below them.
    Live,
    /// Lines as they come.
    Lines,
    /// Only notices.
    Quiet,
}

/// Properties of the terminal and of its user.
#[derive(Debug, Clone, Copy)]
pub struct ScreenSettings {
    /// How the run is shown.
    pub show: DisplayMode,
    /// Style of the lines. Its width applies if the terminal does not report its own.
    pub style: Style,
    /// Whether to keep the width of `style` even if the terminal is wider.
    pub fixed_width: bool,
    /// Whether typed lines are read.
    pub asks: bool,
    /// Whether questions and the end of the run ring the terminal's bell, if a region is drawn.
    pub rings: bool,
    /// Time in milliseconds without output after which a line says that the run is still going on;
    /// only if nothing is drawn.
    pub heartbeat_ms: u64,
    /// Whether the terminal wraps long lines into the next row when it becomes narrower.
    pub reflows: bool,
}

/// The screen of one run. Dropping it erases the region and restores the terminal.
pub struct Screen {
    shared: Arc<Shared>,
    /// The thread that draws and reads the keyboard.
    attendant: Option<JoinHandle<()>>,
}

/// State shared by the threads. The live view has its own lock, so that a blocked terminal (Ctrl-S)
/// does not delay the answers.
struct Shared {
    live_view: Arc<Mutex<LiveView>>,
    screen: Mutex<ScreenState>,
    clock: SystemClock,
    /// Whether the members' words are drawn, or only counted.
    draws: bool,
    /// Whether the bell rings.
    rings: bool,
}

impl Screen {
    /// Creates a screen on standard error; keys are read from standard input.
    pub fn new(setting: ScreenSettings) -> Self {
        let foreground = keyboard::in_foreground();
        let live = setting.show == DisplayMode::Live && foreground;
        let show = match setting.show {
            DisplayMode::Live if !live => DisplayMode::Lines,
            show => show,
        };
        let asks = setting.asks;
        let modes = live.then(|| Modes::set(asks)).flatten();
        let setting = ScreenSettings { show, ..setting };
        let mut screen = ScreenState::new(setting, Box::new(std::io::stderr()), Box::new(size));
        screen.modes = modes;
        screen.marks_pastes();
        let shared = Arc::new(Shared {
            live_view: Arc::clone(&screen.live_view),
            screen: Mutex::new(screen),
            clock: SystemClock::new(),
            draws: show == DisplayMode::Live,
            rings: setting.rings && show == DisplayMode::Live,
        });
        let attendant = (asks || show != DisplayMode::Quiet).then(|| {
            let weak = Arc::downgrade(&shared);
            std::thread::spawn(move || attend(&weak, asks))
        });
        Self {
            shared,
            // The thread is only waited for if it reads the keyboard.
            attendant: attendant.filter(|_| asks),
        }
    }

    /// Prints lines permanently.
    pub fn print(&self, text: &str) {
        let now = self.shared.clock.monotonic_ms();
        self.shared.screen().print(text, now);
    }

    /// Updates the screen with the state of the run.
    pub fn follow(&self, state: &State) {
        let now = self.shared.clock.monotonic_ms();
        hold(&self.shared.live_view).follow(state, now);
    }

    /// The style for lines that are printed now.
    pub fn style(&self) -> Style {
        self.shared.screen().style()
    }

    /// Receives the members' answers while they arrive.
    pub fn listener(&self) -> Arc<dyn Listener> {
        Arc::clone(&self.shared) as _
    }

    /// The terminal for questions, if typed lines are read here.
    pub fn terminal(&self) -> Option<Arc<dyn Terminal>> {
        let asks = self.shared.screen().setting.asks;
        asks.then(|| Arc::clone(&self.shared) as _)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.shared.screen().close();
        self.shared.ring();
        if let Some(attendant) = self.attendant.take() {
            // Wait for the thread, because two readers of the keyboard would take keys from each
            // other. A thread that panicked does not read any more either.
            let _ = attendant.join();
        }
    }
}

impl Shared {
    fn screen(&self) -> MutexGuard<'_, ScreenState> {
        hold(&self.screen)
    }
}

/// Locks shared state. After a panic the next frame draws over an incomplete one.
fn hold<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Listener for Shared {
    fn on_piece(&self, call: &CallId, piece: AnswerPiece<'_>) {
        let now = self.clock.monotonic_ms();
        hold(&self.live_view).add_piece(call, now, |heard| match piece {
            AnswerPiece::Text(text) if self.draws => heard.take(text),
            AnswerPiece::Text(text) => heard.count(text),
            AnswerPiece::Thought(text) => heard.think(text),
        });
    }
}

impl Terminal for Shared {
    fn show(&self, text: &str) -> std::io::Result<()> {
        let mut screen = self.screen();
        // Keys that the terminal holds now were typed before the question was shown.
        while screen.reads_keys && keyboard::is_typed(0) {
            read_keys(&mut screen, self.clock.monotonic_ms());
        }
        screen.ask(text, self.clock.monotonic_ms());
        Ok(())
    }

    fn ring(&self) {
        if self.rings {
            // A byte that draws nothing may stand between any two frames. The run goes on if nobody
            // can hear it.
            let _ = std::io::stderr().write_all(b"\x07");
        }
    }

    fn on_line(&self, line_handler: LineHandler) {
        let now = self.clock.monotonic_ms();
        self.screen().pass_to(line_handler, now);
    }

    fn withdraw(&self, why: &str, dropped: &str) -> std::io::Result<()> {
        let now = self.clock.monotonic_ms();
        self.screen().withdraw(why, dropped, now);
        Ok(())
    }

    fn width(&self) -> Option<usize> {
        Some(self.screen().style().width)
    }
}

/// Draws frames and reads the keyboard until the screen is dropped.
fn attend(shared: &Weak<Shared>, mut reads_keys: bool) {
    loop {
        let is_typed = reads_keys && keyboard::is_typed(FRAME);
        if !reads_keys {
            std::thread::sleep(Duration::from_millis(FRAME));
        }
        let Some(shared) = shared.upgrade() else {
            return;
        };
        let mut screen = shared.screen();
        // Keys typed from now on are for the next reader.
        if screen.is_closed {
            return;
        }
        // The thread that shows a question may have read the keys meanwhile; then this one must not
        // wait for more.
        if is_typed && keyboard::is_typed(0) {
            read_keys(&mut screen, shared.clock.monotonic_ms());
        }
        reads_keys = screen.reads_keys;
        screen.tick(shared.clock.monotonic_ms(), keyboard::in_foreground());
    }
}

/// Ctrl-D, as it is typed.
const END_OF_INPUT: u8 = 0x04;

/// Reads the available keys and passes on what they complete.
fn read_keys(screen: &mut ScreenState, now: u64) {
    let bytes = match keyboard::read() {
        Some(bytes) => bytes,
        // Nobody has ended the input: the signal that comes with a hang-up ends the run.
        None if keyboard::has_hung_up() && !outlives_the_terminal() => {
            screen.reads_keys = false;
            return;
        }
        // The end of input ends a line that was begun first.
        None => vec![END_OF_INPUT],
    };
    for what in screen.handle_keys(&bytes, now) {
        match what {
            RoutedEvent::Suspend => {
                // The lock on the screen is kept, so that nothing is drawn before the job
                // continues.
                screen.pause();
                keyboard::stop();
            }
            RoutedEvent::Line(line) => screen.pass(Some(line), now),
            RoutedEvent::End => screen.pass(None, now),
        }
    }
}

/// Columns and rows of the terminal on standard error.
fn size() -> Option<(usize, usize)> {
    let (columns, rows) = terminal_size::terminal_size_of(std::io::stderr())?;
    Some((usize::from(columns.0), usize::from(rows.0)))
}
