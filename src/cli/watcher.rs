//! Who watches a run from the terminal: lines on stderr, or events on stdout.

use std::io::Write as _;

use super::context::{Context, Format, note};
use super::text::{Message, Text};
use crate::edge::ports::Observer;
use crate::fault::Value;
use crate::view::{self, Style};
use crate::workshop::{Entry, State};

const NOT_SHOWN: Text = Text("line {n} is not shown: {why}", "第 {n} 行未能显示：{why}");

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
                Err(error) => {
                    let places: [(&str, &dyn Value); 2] = [("n", &entry.seq), ("why", &error)];
                    self.notice(&NOT_SHOWN.fill(&places));
                }
            }
        } else if !self.quiet
            && let Some(lines) = view::line(state, entry, &self.style)
        {
            let _ = writeln!(std::io::stderr(), "{lines}");
        }
    }

    fn notice(&mut self, text: &Message) {
        let _ = writeln!(std::io::stderr(), "{}", note(text, self.style.lang));
    }
}
