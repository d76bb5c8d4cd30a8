//! Fenced code in Markdown.

/// Tracks fenced code in a text; takes one line after another.
#[derive(Debug, Clone, Copy, Default)]
pub struct Fence {
    /// The mark of the open fence, a backtick or a tilde, and how often it stands there.
    open: Option<(char, usize)>,
}

impl Fence {
    /// Whether the line is code, or a fence around it. A fence ends with at least as many of its
    /// marks as it began with.
    pub fn holds(&mut self, line: &str) -> bool {
        let line = line.trim();
        let mark = line.chars().next().filter(|c| "`~".contains(*c));
        let rest = mark.map_or(line, |mark| line.trim_start_matches(mark));
        let run = line.len() - rest.len();
        match self.open {
            // Code within a sentence may have such marks, too.
            None => {
                let opened = mark.filter(|_| run >= 3 && !rest.contains('`'));
                self.open = opened.map(|mark| (mark, run));
                self.open.is_some()
            }
            Some((opened, least)) => {
                if mark == Some(opened) && run >= least && rest.is_empty() {
                    self.open = None;
                }
                true
            }
        }
    }

    /// Whether a fence is open after the last line.
    pub fn is_open(self) -> bool {
        self.open.is_some()
    }
}
