//! Fenced code in Markdown.

/// Tracks fenced code in a text; takes one line after another.
#[derive(Debug, Clone, Copy, Default)]
pub struct Fence {
    /// Number of backticks of the open fence; 0 outside of code.
    ticks: usize,
}

impl Fence {
    /// Whether the line is code, or a fence around it. A fence ends with at least as many backticks
    /// as it began with.
    pub fn holds(&mut self, line: &str) -> bool {
        let line = line.trim();
        let rest = line.trim_start_matches('`');
        let ticks = line.len() - rest.len();
        if self.ticks == 0 {
            let opens = ticks >= 3 && !rest.contains('`');
            self.ticks = if opens { ticks } else { 0 };
            return opens;
        }
        if ticks >= self.ticks && rest.is_empty() {
            self.ticks = 0;
        }
        true
    }

    /// Whether a fence is open after the last line.
    pub fn is_open(self) -> bool {
        self.ticks > 0
    }
}
