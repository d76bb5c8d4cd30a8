//! The terminal of a run: what is printed for good, the lines below it that
//! are drawn again and again, and the line that is typed there.
//!
//! ```text
//! events ──▶ print ─┐                       ┌─▶ stderr, one write a frame
//! pieces ──▶ hear ──┼─▶ Desk ─▶ Painter ────┘
//! keys ────▶ type ──┘     ▲ ten times a second
//! ```
//!
//! Pieces of answers never draw anything: they change the board, and the next
//! frame shows it, however many there were. On a terminal that cannot be drawn
//! on (`--plain`, `TERM=dumb`, `CI`, a file) lines are printed as they come, with
//! a line as a sign of life when nothing else was printed for a while.

mod keyboard;
mod painter;
#[cfg(test)]
mod tests;
mod typing;

use std::io::Write;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use self::keyboard::{Input, Keys, Modes};
use self::painter::{Painter, Region};
use self::typing::{Typed, Typing};
use super::clock::SystemClock;
use super::human::{Reader, Terminal};
use super::model::{Listener, Piece};
use super::ports::Clock;
use crate::view::live::{self, Board};
use crate::view::{self, Style};
use crate::workshop::{CallId, State};

/// Between two frames, in milliseconds: ten a second.
const FRAME: u64 = 100;
/// Silence after which a sign of life is printed where nothing is drawn, in milliseconds.
const HEARTBEAT: u64 = 30_000;
/// Rows of the region at most, however high the terminal is.
const ROWS: usize = 12;

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
    /// May something be typed?
    pub asks: bool,
    /// Do long lines flow into the next one when the terminal is made narrower?
    pub reflows: bool,
}

/// The screen of one run. When it is dropped the region is erased and the
/// terminal is as it was.
pub struct Screen {
    shared: Arc<Shared>,
    lines: Arc<Mutex<Receiver<String>>>,
}

/// What the threads share. The board has a lock of its own: a terminal that takes
/// no more bytes (Ctrl-S) must not hold up the answers.
struct Shared {
    board: Arc<Mutex<Board>>,
    desk: Mutex<Desk>,
    clock: SystemClock,
}

impl Screen {
    /// A screen on stderr; what is typed comes from standard input.
    pub fn new(setting: Setting) -> Self {
        let foreground = keyboard::in_foreground();
        let live = setting.show == Show::Live && foreground && cfg!(unix);
        let show = match setting.show {
            Show::Live if !live => Show::Lines,
            show => show,
        };
        let asks = setting.asks && live;
        let modes = live
            .then(|| Modes::set(if asks { Keys::Ours } else { Keys::Kept }))
            .flatten();
        let desk = Desk {
            modes,
            ..Desk::new(
                Setting {
                    show,
                    asks,
                    ..setting
                },
                Box::new(std::io::stderr()),
                Box::new(size),
            )
        };
        let shared = Arc::new(Shared {
            board: Arc::clone(&desk.board),
            desk: Mutex::new(desk),
            clock: SystemClock::new(),
        });
        let (sender, lines) = channel();
        if show != Show::Quiet {
            let weak = Arc::downgrade(&shared);
            std::thread::spawn(move || attend(&weak, asks.then_some(sender)));
        }
        Self {
            shared,
            lines: Arc::new(Mutex::new(lines)),
        }
    }

    /// Prints lines for good.
    pub fn print(&self, text: &str) {
        let now = self.shared.clock.monotonic_ms();
        self.shared.desk().print(text, now);
    }

    /// Takes in how the run stands.
    pub fn follow(&self, state: &State) {
        let now = self.shared.clock.monotonic_ms();
        hold(&self.shared.board).follow(state, now);
    }

    /// How lines that are printed now are to be written.
    pub fn style(&self) -> Style {
        self.shared.desk().style()
    }

    /// Hears what members say while they say it.
    pub fn listener(&self) -> Arc<dyn Listener> {
        Arc::clone(&self.shared) as _
    }

    /// Where questions are put, if what is typed comes here.
    pub fn terminal(&self) -> Option<Box<dyn Terminal>> {
        let asks = self.shared.desk().setting.asks;
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
        self.shared.desk().close();
    }
}

impl Shared {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        hold(&self.desk)
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
            Piece::Text(text) => heard.take(text),
            Piece::Thought(text) => heard.think(text),
        });
    }
}

/// Questions and answers below what is printed.
struct Prompt {
    shared: Arc<Shared>,
    lines: Arc<Mutex<Receiver<String>>>,
}

impl Terminal for Prompt {
    fn show(&mut self, text: &str) -> std::io::Result<()> {
        let now = self.shared.clock.monotonic_ms();
        self.shared.desk().ask(text, now);
        Ok(())
    }

    fn reader(&self) -> Reader {
        let lines = Arc::clone(&self.lines);
        Box::new(move || Ok(hold(&lines).recv().ok()))
    }
}

/// Draws frames and reads the keyboard until the screen is gone.
fn attend(shared: &Weak<Shared>, mut typed: Option<Sender<String>>) {
    loop {
        let input = match &typed {
            Some(_) => keyboard::read(FRAME),
            None => {
                std::thread::sleep(Duration::from_millis(FRAME));
                Input::Nothing
            }
        };
        let Some(shared) = shared.upgrade() else {
            return;
        };
        let now = shared.clock.monotonic_ms();
        let mut desk = shared.desk();
        if desk.is_closed {
            return;
        }
        if let Input::Bytes(bytes) = &input {
            for what in desk.take(bytes, now) {
                let told = match (what, &typed) {
                    (Typed::Line(line), Some(typed)) => typed.send(line).is_ok(),
                    _ => false,
                };
                if !told {
                    typed = None;
                }
            }
        }
        if input == Input::Ended {
            typed = None;
        }
        desk.tick(now, keyboard::in_foreground());
    }
}

/// Columns and rows of the terminal behind stderr.
fn size() -> Option<(usize, usize)> {
    let (columns, rows) = terminal_size::terminal_size_of(std::io::stderr())?;
    Some((usize::from(columns.0), usize::from(rows.0)))
}

type Size = Box<dyn Fn() -> Option<(usize, usize)> + Send>;

/// Everything that stands on the screen. Times are milliseconds from any moment.
struct Desk {
    setting: Setting,
    out: Box<dyn Write + Send>,
    size: Size,
    painter: Painter,
    board: Arc<Mutex<Board>>,
    typing: Typing,
    /// What is asked right now; empty if nothing is.
    prompt: String,
    modes: Option<Modes>,
    in_background: bool,
    printed_ms: u64,
    is_closed: bool,
}

impl Desk {
    fn new(setting: Setting, out: Box<dyn Write + Send>, size: Size) -> Self {
        Self {
            painter: Painter::new(setting.reflows),
            setting,
            out,
            size,
            board: Arc::default(),
            typing: Typing::default(),
            prompt: String::new(),
            modes: None,
            in_background: false,
            printed_ms: 0,
            is_closed: false,
        }
    }

    fn is_live(&self) -> bool {
        self.setting.show == Show::Live && !self.in_background && !self.is_closed
    }

    /// Prints lines for good.
    fn print(&mut self, text: &str, now: u64) {
        self.printed_ms = now;
        if self.is_live() {
            self.draw(text, now);
        } else {
            self.write(&format!("{text}\n"));
        }
    }

    /// Puts a question: what stands after the last line break waits for an answer.
    fn ask(&mut self, text: &str, now: u64) {
        let (above, prompt) = text.rsplit_once('\n').unwrap_or(("", text));
        // An earlier question that was answered from elsewhere stays readable.
        let left = std::mem::replace(&mut self.prompt, prompt.to_owned());
        let left = (!left.is_empty()).then(|| view::hung(&left, &self.style()));
        let lines: Vec<_> = left.iter().map(String::as_str).chain([above]).collect();
        let above = lines.join("\n");
        self.draw(above.trim_matches('\n'), now);
    }

    /// Takes what was typed and says what it completed.
    fn take(&mut self, bytes: &[u8], now: u64) -> Vec<Typed> {
        let mut done = Vec::new();
        for byte in bytes {
            let Some(typed) = self.typing.byte(*byte) else {
                continue;
            };
            let Typed::Line(line) = &typed else {
                done.push(typed);
                continue;
            };
            let (prompt, style) = (std::mem::take(&mut self.prompt), self.style());
            if prompt.is_empty() && line.trim().is_empty() {
                // Asked for at once, not when the member who speaks is done.
                self.draw(&live::menu(&style), now);
            } else {
                self.draw(&live::echo(&prompt, line, &style), now);
                done.push(typed);
            }
        }
        self.draw("", now);
        done
    }

    /// What is due at this moment: a frame, or a sign of life.
    fn tick(&mut self, now: u64, in_foreground: bool) {
        match self.setting.show {
            Show::Live => {
                if self.in_background == in_foreground {
                    self.painter.forget();
                }
                self.in_background = !in_foreground;
                if in_foreground {
                    self.draw("", now);
                }
            }
            Show::Lines if now.saturating_sub(self.printed_ms) >= HEARTBEAT => {
                let line = hold(&self.board).heartbeat(now, &self.style());
                if let Some(line) = line {
                    self.print(&line, now);
                }
            }
            Show::Lines | Show::Quiet => {}
        }
    }

    fn draw(&mut self, above: &str, now: u64) {
        if self.is_live() {
            // A job that was stopped goes on below what the shell wrote meanwhile.
            if self.modes.as_ref().is_some_and(Modes::renew) {
                self.painter.forget();
            }
            let (columns, rows) = (self.size)().unwrap_or((self.setting.style.width, 24));
            let region = self.region(now, rows);
            let frame = self.painter.frame(above, region, columns);
            self.write(&frame);
        }
    }

    fn region(&self, now: u64, rows: usize) -> Region {
        let style = self.style();
        // The last column stays free: a line that fills it may or may not wrap.
        let style = Style {
            width: style.width.saturating_sub(1),
            ..style
        };
        let typed = self.typing.text();
        let (lines, column) = if self.prompt.is_empty() {
            let room = ROWS.min(rows / 2).max(1);
            let lines = hold(&self.board).lines(now, room, &style);
            match self.setting.asks && !(lines.is_empty() && typed.is_empty()) {
                true => live::typed(lines, typed, &style),
                false => (lines, 0),
            }
        } else {
            live::asked(&self.prompt, typed, &style)
        };
        Region { lines, column }
    }

    /// How lines are written at the width the terminal has now.
    fn style(&self) -> Style {
        let given = self.setting.style;
        let width = match ((self.size)(), self.setting.show) {
            (Some((columns, _)), Show::Live) if self.setting.fixed_width => {
                given.width.min(columns)
            }
            (Some((columns, _)), Show::Live) => columns.min(200),
            _ => given.width,
        };
        Style {
            width: width.max(20),
            ..given
        }
    }

    /// Erases the region and gives the terminal back.
    fn close(&mut self) {
        if self.is_live() {
            let frame = self.painter.frame("", Region::default(), usize::MAX);
            self.write(&frame);
        }
        self.modes = None;
        self.is_closed = true;
    }

    fn write(&mut self, bytes: &str) {
        // A terminal that is gone must not stop a run.
        if !bytes.is_empty() {
            let _ = self.out.write_all(bytes.as_bytes());
            let _ = self.out.flush();
        }
    }
}
