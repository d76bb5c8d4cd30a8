//! The content of the screen and how it changes: printed lines, questions, keys, time.

use std::io::Write;
use std::sync::{Arc, Mutex};

use super::keyboard::{Modes, PASTE_OFF, PASTE_ON, drop_line};
use super::painter::{Painter, Region};
use super::typing::{InputEvent, LineEditor};
use super::{DisplayMode, ScreenSettings, hold};
use crate::edge::inbox::{self, CAPACITY};
use crate::ui::human::{LineHandler, QuestionState, TypedLine, behind};
use crate::ui::view::live::{self, LiveView};
use crate::ui::view::{self, Style, WIDEST};

/// Maximum rows of the region, even on a high terminal.
const ROWS: usize = 12;

/// Maximum time in milliseconds between the bytes of one key.
const SEQUENCE: u64 = 50;

/// Reads the columns and rows of the terminal.
pub(super) type Size = Box<dyn Fn() -> Option<(usize, usize)> + Send>;

/// What a key completed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RoutedEvent {
    /// A line, and what it is used for.
    Line(TypedLine),
    /// End of input.
    End,
    /// The user wants to stop the job.
    Suspend,
}

/// The content of the screen. Times are milliseconds since any fixed moment.
pub(super) struct ScreenState {
    pub(super) setting: ScreenSettings,
    out: Box<dyn Write + Send>,
    pub(super) size: Size,
    painter: Painter,
    pub(super) live_view: Arc<Mutex<LiveView>>,
    typing: LineEditor,
    /// The prompt of the current question; empty if there is none.
    prompt: String,
    question_state: QuestionState,
    /// Time of the last key.
    pressed_ms: u64,
    /// Whether keys are read: not after the end of input.
    pub(super) reads_keys: bool,
    line_handler: Option<LineHandler>,
    /// Lines typed before there was a handler, at most [`CAPACITY`].
    early: Vec<TypedLine>,
    pub(super) modes: Option<Modes>,
    in_background: bool,
    printed_ms: u64,
    pub(super) is_closed: bool,
}

impl ScreenState {
    pub(super) fn new(setting: ScreenSettings, out: Box<dyn Write + Send>, size: Size) -> Self {
        Self {
            painter: Painter::new(setting.reflows),
            reads_keys: setting.asks,
            setting,
            out,
            size,
            live_view: Arc::default(),
            typing: LineEditor::default(),
            prompt: String::new(),
            question_state: QuestionState::default(),
            pressed_ms: 0,
            line_handler: None,
            early: Vec::new(),
            modes: None,
            in_background: false,
            printed_ms: 0,
            is_closed: false,
        }
    }

    /// Whether the terminal itself edits and echoes what is typed.
    fn is_echoed(&self) -> bool {
        self.setting.show != DisplayMode::Live
    }

    fn is_live(&self) -> bool {
        self.setting.show == DisplayMode::Live && !self.in_background && !self.is_closed
    }

    /// Prints lines permanently.
    pub(super) fn print(&mut self, text: &str, now: u64) {
        self.printed_ms = now;
        self.draw(text, now);
    }

    /// Shows a question; the text after the last line break is the prompt.
    pub(super) fn ask(&mut self, text: &str, now: u64) {
        let (above, prompt) = text.rsplit_once('\n').unwrap_or(("", text));
        // Text begun before the question is not its answer, but a question shown again keeps its
        // text.
        if !prompt.is_empty() && !self.question_state.stands() {
            self.typing.put_aside();
            self.question_state.asks();
            if self.is_echoed() {
                drop_line();
            }
        }
        let left = std::mem::replace(&mut self.prompt, prompt.to_owned());
        if self.is_echoed() {
            // The cursor is still behind the earlier prompt.
            let end = if left.is_empty() { "" } else { "\n" };
            self.write(&format!("{end}{}", text.trim_start_matches('\n')));
            return;
        }
        // An earlier question that was answered elsewhere stays readable.
        let left = (!left.is_empty()).then(|| view::hung(&left, &self.style()));
        let lines: Vec<_> = left.iter().map(String::as_str).chain([above]).collect();
        let above = lines.join("\n");
        self.draw(above.trim_matches('\n'), now);
    }

    /// Removes the question from the screen and says why. A line begun for it stays readable after
    /// the question, and `dropped` says that it is discarded.
    pub(super) fn withdraw(&mut self, why: &str, dropped: &str, now: u64) {
        let (prompt, begun) = (std::mem::take(&mut self.prompt), self.typing.take());
        self.question_state.withdraws();
        if self.is_echoed() {
            // Only the terminal knows whether a line was begun behind the prompt; it has echoed it.
            drop_line();
            let told = match prompt.is_empty() {
                true => format!("{why}\n"),
                false => format!("\n{why}\n{dropped}\n"),
            };
            self.write(&told);
            return;
        }
        let stood = live::echo(&prompt, &begun, &self.style());
        let lines = match (prompt.is_empty(), begun.is_empty()) {
            (true, true) => vec![why],
            (false, true) => vec![&*stood, why],
            (_, false) => vec![&*stood, why, dropped],
        };
        self.draw(&lines.join("\n"), now);
    }

    /// Passes lines to `line_handler` from now on, first those that were typed so far.
    pub(super) fn pass_to(&mut self, line_handler: LineHandler, now: u64) {
        self.line_handler = Some(line_handler);
        for line in std::mem::take(&mut self.early) {
            self.pass(Some(line), now);
        }
        if !self.reads_keys {
            self.pass(None, now);
        }
    }

    /// Passes on a line, or the end of input (`None`), and shows what is said about it.
    pub(super) fn pass(&mut self, line: Option<TypedLine>, now: u64) {
        self.reads_keys &= line.is_some();
        let style = self.style();
        let told = match (&self.line_handler, line) {
            (Some(line_handler), line) => line_handler(line, &style),
            (None, Some(_)) if self.early.len() == CAPACITY => {
                let full = inbox::full();
                Some(view::hung(full.what().of(style.lang), &style))
            }
            (None, line) => {
                self.early.extend(line);
                None
            }
        };
        if let Some(told) = told {
            self.print(&told, now);
        }
    }

    /// Handles typed bytes and returns what they completed.
    pub(super) fn handle_keys(&mut self, bytes: &[u8], now: u64) -> Vec<RoutedEvent> {
        let mut done = Vec::new();
        if now.saturating_sub(self.pressed_ms) >= SEQUENCE {
            self.typing.rests();
        }
        self.pressed_ms = now;
        for byte in bytes {
            match self.typing.byte(*byte) {
                Some(InputEvent::Line(line)) => {
                    done.extend(self.line(line, now).map(RoutedEvent::Line))
                }
                Some(InputEvent::End) => {
                    done.push(RoutedEvent::End);
                    break;
                }
                Some(InputEvent::Suspend) => {
                    done.push(RoutedEvent::Suspend);
                    // Keys after Ctrl-Z are for the shell; those already read are lost, as in any
                    // program.
                    break;
                }
                None => {}
            }
        }
        self.draw("", now);
        done
    }

    /// Keeps a finished line on the screen; `None` if it must not be used.
    fn line(&mut self, text: String, now: u64) -> Option<TypedLine> {
        let (prompt, style) = (std::mem::take(&mut self.prompt), self.style());
        if prompt.is_empty() && text.trim().is_empty() {
            // The menu is shown at once, even while a member speaks.
            self.draw(&live::menu(&style), now);
            return None;
        }
        let to = self.question_state.line(&text, now);
        match to {
            None => self.draw(&behind(&text, &style), now),
            Some(_) if self.is_echoed() => {}
            Some(_) => self.draw(&live::echo(&prompt, &text, &style), now),
        }
        to.map(|to| TypedLine { text, to })
    }

    /// Does what is due at this time: draws a frame, or prints that the run is still going on.
    pub(super) fn tick(&mut self, now: u64, in_foreground: bool) {
        if !self.question_state.stands() && !self.question_state.is_behind(now) {
            self.typing.bring_back();
        }
        match self.setting.show {
            DisplayMode::Live => {
                if self.in_background == in_foreground {
                    self.painter.forget();
                }
                self.in_background = !in_foreground;
                if in_foreground {
                    self.draw("", now);
                }
            }
            DisplayMode::Lines
                if now.saturating_sub(self.printed_ms) >= self.setting.heartbeat_ms =>
            {
                let line = hold(&self.live_view).heartbeat(now, &self.style());
                if let Some(line) = line {
                    self.print(&line, now);
                }
            }
            DisplayMode::Lines | DisplayMode::Quiet => {}
        }
    }

    fn draw(&mut self, above: &str, now: u64) {
        if !self.is_live() {
            let end = if above.is_empty() { "" } else { "\n" };
            self.write(&format!("{above}{end}"));
            return;
        }
        // A stopped job continues below what the shell has written meanwhile.
        if self.modes.as_ref().is_some_and(Modes::renew) {
            self.painter.forget();
            self.marks_pastes();
        }
        let size = (self.size)();
        let (columns, rows) = size.unwrap_or((self.setting.style.width, 24));
        let region = self.region(now, rows, self.style_at(size));
        let frame = self.painter.frame(above, region, columns);
        self.write(&frame);
    }

    /// The redrawn lines below the log, in this style.
    pub(super) fn region(&self, now: u64, rows: usize, style: Style) -> Region {
        // The last column stays free, because terminals differ in wrapping a line that fills it.
        let style = style.with_width(style.width.saturating_sub(1));
        let typed = self.typing.text();
        let (lines, column) = if self.prompt.is_empty() {
            let room = ROWS.min(rows / 2).max(1);
            let lines = hold(&self.live_view).lines(now, room, &style);
            match self.setting.asks && !(lines.is_empty() && typed.is_empty()) {
                true => {
                    live::with_typed_line(lines, typed, hold(&self.live_view).is_over(), &style)
                }
                false => (lines, 0),
            }
        } else {
            live::with_question(&self.prompt, typed, &style)
        };
        Region { lines, column }
    }

    /// The style with the terminal's current width.
    pub(super) fn style(&self) -> Style {
        self.style_at((self.size)())
    }

    /// The style for a terminal of that size.
    fn style_at(&self, size: Option<(usize, usize)>) -> Style {
        let given = self.setting.style;
        let width = match (size, self.setting.show) {
            (Some((columns, _)), DisplayMode::Live) if self.setting.fixed_width => {
                given.width.min(columns)
            }
            (Some((columns, _)), DisplayMode::Live) => columns.min(WIDEST),
            _ => given.width,
        };
        given.with_width(width.max(20))
    }

    /// Erases the region and restores the terminal until the next frame.
    pub(super) fn pause(&mut self) {
        if self.is_live() {
            let frame = self.painter.frame("", Region::default(), usize::MAX);
            self.write(&frame);
        }
        if let Some(modes) = &self.modes {
            modes.pause();
            if self.setting.asks && self.is_live() {
                self.write(PASTE_OFF);
            }
        }
    }

    /// Asks the terminal to mark pasted text, if typed lines are read here.
    pub(super) fn marks_pastes(&mut self) {
        if self.setting.asks && self.modes.is_some() {
            self.write(PASTE_ON);
        }
    }

    /// Erases the region and restores the terminal.
    pub(super) fn close(&mut self) {
        self.pause();
        self.modes = None;
        self.reads_keys = false;
        self.is_closed = true;
    }

    fn write(&mut self, bytes: &str) {
        // A closed terminal must not stop a run.
        if !bytes.is_empty() {
            let _ = self.out.write_all(bytes.as_bytes());
            let _ = self.out.flush();
        }
    }
}
