//! Shows a run: lines on stderr, or events on stdout.

use std::io::Write as _;
use std::sync::Arc;

use super::context::{Context, OutputFormat, note};
use crate::config::Config;
use crate::edge::model::Listener;
use crate::edge::ports::Observer;
use crate::fault::{Message, Text, values};
use crate::machine::{Entry, State};
use crate::ui::screen::{DisplayMode, Screen, ScreenSettings};
use crate::ui::view::{self, Style};

const NOT_SHOWN: Text = Text("line {n} is not shown: {why}", "第 {n} 行未能显示：{why}");

/// Shows every event in the form that the user asked for.
pub struct Watcher {
    screen: Screen,
    stream: bool,
    quiet: bool,
    live: bool,
}

impl Watcher {
    /// Creates a watcher for the flags of `context` and the settings of a run; `asks` says whether
    /// questions are put on the terminal.
    pub fn new(context: &Context, style: Style, asks: bool, config: &Config) -> Self {
        let setting = setting(context, style, asks, config);
        let screen = Screen::new(setting);
        Self {
            screen,
            stream: context.format() == OutputFormat::StreamJson,
            quiet: setting.show == DisplayMode::Quiet,
            live: setting.show == DisplayMode::Live,
        }
    }

    /// Returns its screen.
    pub fn screen(&self) -> &Screen {
        &self.screen
    }
}

/// Returns how the terminal is used.
fn setting(context: &Context, style: Style, asks: bool, config: &Config) -> ScreenSettings {
    let env = &context.env;
    let quiet = context.global.quiet || context.format().is_json();
    let show = match (quiet, draws(context, style)) {
        (true, _) => DisplayMode::Quiet,
        (false, true) => DisplayMode::Live,
        (false, false) => DisplayMode::Lines,
    };
    // These cut long lines instead of wrapping them.
    let cuts = ["XTERM_VERSION", "STY"]
        .into_iter()
        .any(|name| env.variable(name).is_some());
    ScreenSettings {
        show,
        style,
        fixed_width: env.variable("COLUMNS").is_some(),
        asks,
        rings: config.bell,
        heartbeat_ms: config.heartbeat_ms,
        reflows: !cuts && env.variable("TERM") != Some("linux"),
    }
}

/// Returns whether progress is drawn: only on a terminal with a type, outside of CI.
pub fn draws(context: &Context, style: Style) -> bool {
    let env = &context.env;
    let quiet = context.global.quiet || context.format().is_json();
    let drawable = env.stderr_terminal && env.variable("TERM").is_some() && !env.is_ci();
    drawable && !style.plain && !quiet
}

impl Observer for Watcher {
    // A closed stream must not stop a run.
    fn entry(&mut self, state: &State, entry: &Entry) {
        self.screen.follow(state);
        if self.stream {
            match view::json_line(entry) {
                Ok(line) => {
                    let _ = writeln!(std::io::stdout(), "{line}");
                }
                Err(error) => {
                    self.notice(&NOT_SHOWN.fill(values![n = entry.seq, why = error]));
                }
            }
        } else if !self.quiet
            && let Some(lines) = view::line(state, entry, &self.screen.style())
        {
            self.screen.print(&lines);
        }
        for line in view::log_lines(state, entry, self.screen.style().verbose) {
            self.screen.print(&line);
        }
    }

    fn notice(&mut self, text: &Message) {
        let style = self.screen.style();
        let note = note(text, style.lang);
        match self.live {
            true => self.screen.print(&view::hung(&note, &style)),
            false => self.screen.print(&note),
        }
    }

    fn listener(&self) -> Arc<dyn Listener> {
        self.screen.listener()
    }
}
