//! The prompt of `aitc chat`: a line edited on a terminal, or the next one of a pipe.
//!
//! While a run goes on nothing is read here: the line below what goes on is the
//! screen's. History and completion last as long as the process; what was typed is
//! written nowhere but into inboxes and transcripts, where secrets are taken out first.

use std::io::{self, Write as _};

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Editor, Helper};

use super::human::Wait;
use crate::ui::view::live::Completions;

/// What came from the prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    /// A line; several where each but the last ended in a backslash.
    Line(String),
    /// Ctrl-C: the line is dropped.
    Interrupted,
    /// Nothing more comes.
    Ended,
}

/// Where the lines of a chat come from.
pub struct Console(Source);

enum Source {
    Edited(Box<Editor<Assistant, MemHistory>>),
    Plain(Wait),
}

impl Console {
    /// A line that can be edited, with history and completion: where standard input and
    /// output are a terminal.
    pub fn edited() -> io::Result<Self> {
        let config = Config::builder()
            .auto_add_history(true)
            .completion_type(CompletionType::List)
            .build();
        let history = MemHistory::with_config(&config);
        let mut editor = Editor::with_history(config, history).map_err(io::Error::other)?;
        editor.set_helper(Some(Assistant(Completions::default())));
        Ok(Self(Source::Edited(Box::new(editor))))
    }

    /// Lines as they come: for a pipe, or a terminal that cannot be drawn on.
    pub fn plain() -> Self {
        Self(Source::Plain(Wait::default()))
    }

    /// From now on this may be completed.
    pub fn knows(&mut self, known: Completions) {
        if let Source::Edited(editor) = &mut self.0 {
            editor.set_helper(Some(Assistant(known)));
        }
    }

    /// Waits for the next line behind `prompt`, which is shown on standard error where
    /// the line is not edited; empty for none.
    pub fn line(&mut self, prompt: &str) -> io::Result<Given> {
        match &mut self.0 {
            Source::Edited(editor) => match editor.readline(prompt) {
                Ok(line) => Ok(Given::Line(line.replace("\\\n", "\n"))),
                Err(ReadlineError::Interrupted) => Ok(Given::Interrupted),
                Err(ReadlineError::Eof) => Ok(Given::Ended),
                Err(error) => Err(io::Error::other(error)),
            },
            Source::Plain(wait) => {
                let mut whole = String::new();
                loop {
                    let mut stderr = io::stderr().lock();
                    stderr.write_all(prompt.as_bytes())?;
                    stderr.flush()?;
                    drop(stderr);
                    let Some(line) = wait.next()? else {
                        let is_cut = !whole.is_empty();
                        return Ok(if is_cut {
                            Given::Line(whole)
                        } else {
                            Given::Ended
                        });
                    };
                    match line.strip_suffix('\\') {
                        Some(part) => whole.extend([part, "\n"]),
                        None => return Ok(Given::Line(whole + &line)),
                    }
                }
            }
        }
    }
}

/// Completes what is known, and lets a line go on after a backslash.
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
