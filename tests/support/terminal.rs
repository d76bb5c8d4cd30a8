//! Runs the built binary on a pseudo-terminal: types input and emulates the screen.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};

use super::binary::wait_until;

/// Lines of scrollback.
const SCROLLBACK: usize = 2_000;

/// A command whose standard input and error are a terminal; its standard output is the same
/// terminal, or discarded.
pub struct OnTerminal {
    child: Child,
    keyboard: File,
    path: PathBuf,
    shown: Arc<Mutex<Shown>>,
    reader: Option<JoinHandle<()>>,
}

/// The received bytes, and the emulated screen.
struct Shown {
    bytes: Vec<u8>,
    screen: vt100::Parser,
    /// Columns and rows.
    size: (u16, u16),
    /// The start of an incomplete escape sequence.
    held: Vec<u8>,
}

/// Turns automatic line wrapping off; [`FLOW`] turns it on.
const CUT: &[u8] = b"\x1b[?7l";
const FLOW: &[u8] = b"\x1b[?7h";

impl Shown {
    /// Processes output. The emulated screen always wraps, so while wrapping is off it is made
    /// wider than any line; afterwards columns beyond the real width are discarded.
    fn take(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.held.extend_from_slice(bytes);
        let held = std::mem::take(&mut self.held);
        let mut rest = &held[..];
        while let Some(at) = rest.iter().position(|byte| *byte == 0x1b) {
            self.screen.process(&rest[..at]);
            rest = &rest[at..];
            let (columns, rows) = self.size;
            let width = match rest {
                rest if rest.starts_with(CUT) => 1_000,
                rest if rest.starts_with(FLOW) => columns,
                rest if CUT.starts_with(rest) || FLOW.starts_with(rest) => {
                    self.held = rest.to_vec();
                    return;
                }
                _ => {
                    self.screen.process(&rest[..1]);
                    rest = &rest[1..];
                    continue;
                }
            };
            self.screen.screen_mut().set_size(rows, width);
            rest = &rest[CUT.len()..];
        }
        self.screen.process(rest);
    }
}

impl OnTerminal {
    /// A terminal of unknown size.
    pub fn start(command: Command) -> Self {
        Self::begin(command, None, false)
    }

    /// A terminal of this size with the features of `xterm`.
    pub fn sized(mut command: Command, size: (u16, u16)) -> Self {
        command.env("TERM", "xterm-256color").env_remove("COLUMNS");
        Self::begin(command, Some(size), false)
    }

    /// As [`sized`](Self::sized), but without setting variables, and with standard output on the
    /// terminal too.
    pub fn all_of(command: Command, size: (u16, u16)) -> Self {
        Self::begin(command, Some(size), true)
    }

    fn begin(mut command: Command, size: Option<(u16, u16)>, with_stdout: bool) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let path = PathBuf::from(std::ffi::OsStr::from_bytes(name.as_bytes()));
        let open = || {
            OpenOptions::new()
                .read(true)
                .write(true)
                .open(&path)
                .unwrap()
        };
        let (columns, rows) = size.unwrap_or((80, 24));
        if size.is_some() {
            tcsetwinsize(&master, window(columns, rows)).unwrap();
        }
        command
            // The emulated screen cuts its lines when it becomes narrower, as xterm does.
            .env("XTERM_VERSION", "vt100")
            .stdin(Stdio::from(open()))
            .stderr(Stdio::from(open()))
            .stdout(if with_stdout {
                Stdio::from(open())
            } else {
                Stdio::null()
            });
        let child = command.spawn().unwrap();
        // The command holds copies of the terminal's other end, which would keep the screen open.
        drop(command);
        let shown = Arc::new(Mutex::new(Shown {
            bytes: Vec::new(),
            screen: vt100::Parser::new(rows, columns, SCROLLBACK),
            size: (columns, rows),
            held: Vec::new(),
        }));
        let reader: OwnedFd = master.try_clone().unwrap();
        let kept = Arc::clone(&shown);
        let reader = std::thread::spawn(move || {
            let (mut file, mut bytes) = (File::from(reader), [0; 4096]);
            while let Ok(n @ 1..) = file.read(&mut bytes) {
                let mut shown = kept.lock().unwrap();
                shown.take(&bytes[..n]);
            }
        });
        Self {
            child,
            keyboard: File::from(master),
            path,
            shown,
            reader: Some(reader),
        }
    }

    /// Changes the size of the window.
    pub fn resize(&self, columns: u16, rows: u16) {
        let mut shown = self.shown.lock().unwrap();
        shown.size = (columns, rows);
        shown.screen.screen_mut().set_size(rows, columns);
        tcsetwinsize(&self.keyboard, window(columns, rows)).unwrap();
    }

    /// Waits until the screen has shown a text.
    #[track_caller]
    pub fn sees(&self, text: &str) {
        wait_until(text, || self.screen().contains(text));
    }

    /// Waits until a row of the current screen satisfies the condition.
    #[track_caller]
    pub fn has(&self, what: &str, wanted: impl Fn(&str) -> bool) {
        wait_until(what, || self.rows().iter().any(|row| wanted(row)));
    }

    /// Everything shown so far, including echoed input.
    pub fn screen(&self) -> String {
        String::from_utf8_lossy(&self.shown.lock().unwrap().bytes).into_owned()
    }

    /// The rows of the screen and the scrollback above it, without empty ones at the end.
    pub fn rows(&self) -> Vec<String> {
        rows(&mut self.shown.lock().unwrap().screen)
    }

    /// Types a line and Enter.
    pub fn types(&mut self, line: &str) {
        self.presses(&format!("{line}\n"));
    }

    /// Waits until the command has read and processed all input, so that the test can trigger what
    /// must happen afterwards.
    #[track_caller]
    pub fn is_heard(&self) {
        let other_end = File::open(&self.path).unwrap();
        // Polling makes the system deliver input that is still buffered.
        wait_until("what was typed to be read", || {
            let mut looked = [PollFd::new(&other_end, PollFlags::IN)];
            poll(&mut looked, Some(&Timespec::default())).unwrap() == 0
        });
        // The input must also be processed: on a busy machine the process may have read it without
        // having run since.
        let mut rests = 0;
        wait_until("what was read to be taken in", || {
            rests = if self.rests() { rests + 1 } else { 0 };
            rests == 3
        });
    }

    /// Whether all threads of the command are sleeping; true if that cannot be determined.
    fn rests(&self) -> bool {
        let tasks = format!("/proc/{}/task", self.child.id());
        let Ok(tasks) = std::fs::read_dir(tasks) else {
            return true;
        };
        tasks.flatten().all(|task| {
            let stat = std::fs::read_to_string(task.path().join("stat")).unwrap_or_default();
            let state = stat
                .rsplit(") ")
                .next()
                .and_then(|rest| rest.chars().next());
            state.is_none_or(|state| state == 'S')
        })
    }

    /// Presses keys.
    pub fn presses(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }

    /// Whether the terminal echoes input and delivers it by line.
    pub fn is_as_it_was(&self) -> bool {
        let modes = tcgetattr(&self.keyboard).unwrap().local_modes;
        modes.contains(LocalModes::ECHO | LocalModes::ICANON)
    }

    /// Whether bracketed paste is on.
    pub fn marks_pastes(&self) -> bool {
        self.shown.lock().unwrap().screen.screen().bracketed_paste()
    }

    /// Sends a signal by name, such as `INT`.
    pub fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &pid]).status();
        assert!(sent.unwrap().success());
    }

    /// Waits until it ends with this code; returns the screen.
    #[track_caller]
    pub fn ends(self, code: i32) -> String {
        let ended = self.closes();
        assert_eq!(ended.code, code, "{}", ended.bytes);
        ended.bytes
    }

    /// As [`closes`](Self::closes), with this code.
    #[track_caller]
    pub fn closes_with(self, code: i32) -> Closed {
        let closed = self.closes();
        assert_eq!(closed.code, code, "{:#?}", closed.rows);
        closed
    }

    /// Waits until it ends; returns all results.
    #[track_caller]
    pub fn closes(mut self) -> Closed {
        let mut code = None;
        wait_until("the end", || {
            code = self.child.try_wait().unwrap();
            code.is_some()
        });
        let was_restored = self.is_as_it_was();
        let reader = self.reader.take().unwrap();
        wait_until("the last byte", || reader.is_finished());
        Closed {
            code: code.unwrap().code().unwrap_or(-1),
            bytes: self.screen(),
            rows: self.rows(),
            was_restored,
            marks_pastes: self.marks_pastes(),
        }
    }
}

/// The results of a command that has ended.
#[derive(Debug)]
pub struct Closed {
    pub code: i32,
    /// Everything that was shown.
    pub bytes: String,
    /// The rows of the screen and the scrollback.
    pub rows: Vec<String>,
    /// Whether the terminal's modes were restored.
    pub was_restored: bool,
    /// Whether bracketed paste is still on.
    pub marks_pastes: bool,
}

impl Closed {
    /// Number of times the live region was drawn.
    pub fn frames(&self) -> usize {
        frames(&self.bytes)
    }

    /// Rows that contain a text.
    pub fn holding(&self, text: &str) -> Vec<&String> {
        self.rows.iter().filter(|row| row.contains(text)).collect()
    }
}

/// Number of times the live region was drawn in this output.
pub fn frames(shown: &str) -> usize {
    shown.matches("\x1b[?2026h").count()
}

fn window(columns: u16, rows: u16) -> Winsize {
    Winsize {
        ws_col: columns,
        ws_row: rows,
        ws_xpixel: 0,
        ws_ypixel: 0,
    }
}

fn rows(terminal: &mut vt100::Parser) -> Vec<String> {
    let (height, width) = terminal.screen().size();
    terminal.screen_mut().set_scrollback(usize::MAX);
    let gone = terminal.screen().scrollback();
    let mut rows = Vec::new();
    for above in (1..=gone).rev() {
        terminal.screen_mut().set_scrollback(above);
        rows.extend(terminal.screen().rows(0, width).next());
    }
    terminal.screen_mut().set_scrollback(0);
    rows.extend(terminal.screen().rows(0, width).take(usize::from(height)));
    while rows.last().is_some_and(|row| row.trim().is_empty()) {
        rows.pop();
    }
    rows
}

impl Drop for OnTerminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
