//! Who watches a run from the terminal: lines on stderr, or events on stdout.

use std::io::Write as _;

use super::context::{Context, Format};
use crate::edge::ports::Observer;
use crate::view::{self, Style};
use crate::workshop::{Entry, State};

/// Shows every event as the user asked for.
pub struct Watcher {
    style: Style,
    stream: bool,
    quiet: bool,
}

impl Watcher {
    /// A watcher for the flags of `context`.
    pub fn new(context: &Context, style: Style) -> Self {
        Self {
            style,
            stream: context.format() == Format::StreamJson,
            quiet: context.global.quiet || context.format() == Format::Json,
        }
    }
}

impl Observer for Watcher {
    // A stream that nobody reads any more must not stop a run.
    fn entry(&mut self, state: &State, entry: &Entry) {
        if self.stream {
            match view::json_line(entry) {
                Ok(line) => {
                    let _ = writeln!(std::io::stdout(), "{line}");
                }
                Err(error) => self.notice(&format!("line {} is not shown: {error}", entry.seq)),
            }
        } else if !self.quiet
            && let Some(lines) = view::line(state, entry, &self.style)
        {
            let _ = writeln!(std::io::stderr(), "{lines}");
        }
    }

    fn notice(&mut self, text: &str) {
        let _ = writeln!(std::io::stderr(), "note: {}", view::clean(text));
    }
}
