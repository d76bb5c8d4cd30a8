//! The prompt of `aitc chat`: a line editor on a terminal, otherwise lines from a pipe.
//!
//! Nothing is read here while a run is in progress: the screen reads the keyboard then. History and
//! completion last as long as the process. Typed text is stored only in inboxes and transcripts,
//! after secrets were removed.

use std::io::{self, BufRead as _, ErrorKind, Read as _, Write as _};

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Editor, Helper};

use crate::edge::safe_open::FileUse;
use crate::ui::view::live::Completions;

/// Maximum length of an unedited line in bytes: that of a requirement.
const LONGEST: u64 = FileUse::Words.most() as u64;

/// Result of reading the prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PromptResult {
    /// A line; it contains several if all but the last ended in a backslash.
    Line(String),
    /// Ctrl-C was pressed; the line is discarded.
    Interrupted,
    /// End of input.
    Ended,
}

/// The source of a chat's lines.
pub struct Console(LineSource);

enum LineSource {
    Edited(Box<Editor<Assistant, MemHistory>>),
    Plain,
}

impl Console {
    /// A line editor with history and completion, if standard input and output are terminals.
    pub fn edited() -> io::Result<Self> {
        let config = Config::builder()
            .auto_add_history(true)
            .completion_type(CompletionType::List)
            .build();
        let history = MemHistory::with_config(&config);
        let mut editor = Editor::with_history(config, history).map_err(io::Error::other)?;
        editor.set_helper(Some(Assistant(Completions::default())));
        Ok(Self(LineSource::Edited(Box::new(editor))))
    }

    /// Reads lines without editing: from a pipe, or a terminal that does not support drawing.
    pub fn plain() -> Self {
        Self(LineSource::Plain)
    }

    /// Sets the words that can be completed from now on.
    pub fn knows(&mut self, known: Completions) {
        if let LineSource::Edited(editor) = &mut self.0 {
            editor.set_helper(Some(Assistant(known)));
        }
    }

    /// Waits for the next line. `prompt`, which may be empty, is shown before it; on standard error
    /// if the line is not edited.
    pub fn line(&mut self, prompt: &str) -> io::Result<PromptResult> {
        match &mut self.0 {
            LineSource::Edited(editor) => match editor.readline(prompt) {
                Ok(line) => Ok(PromptResult::Line(line.replace("\\\n", "\n"))),
                Err(ReadlineError::Interrupted) => Ok(PromptResult::Interrupted),
                Err(ReadlineError::Eof) => Ok(PromptResult::Ended),
                Err(error) => Err(io::Error::other(error)),
            },
            LineSource::Plain => {
                let mut whole = String::new();
                loop {
                    let mut stderr = io::stderr().lock();
                    stderr.write_all(prompt.as_bytes())?;
                    stderr.flush()?;
                    drop(stderr);
                    let Some(line) = read_line()? else {
                        let is_cut = !whole.is_empty();
                        return Ok(if is_cut {
                            PromptResult::Line(whole)
                        } else {
                            PromptResult::Ended
                        });
                    };
                    match line.strip_suffix('\\') {
                        Some(part) => whole.extend([part, "\n"]),
                        None => return Ok(PromptResult::Line(whole + &line)),
                    }
                }
            }
        }
    }
}

/// Waits for the next line and returns it without its line break. `None` if the input has ended.
///
/// # Errors
/// The system's error. For a line that is not valid UTF-8 it is `InvalidData`, for one that is too
/// long `FileTooLarge`; the lines after it can be read.
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

/// Completes known words, and continues a line that ends in a backslash.
struct Assistant(Completions);

impl Helper for Assistant {}

impl Hinter for Assistant {
    type Hint = String;
}

impl Highlighter for Assistant {}

impl Completer for Assistant {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &rustyline::Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.0.complete(line, at))
    }
}

impl Validator for Assistant {
    fn validate(&self, typed: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(match typed.input().ends_with('\\') {
            true => ValidationResult::Incomplete,
            false => ValidationResult::Valid(None),
        })
    }
}
