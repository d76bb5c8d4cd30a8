//! Encodes the redrawn part of a terminal as bytes.
//!
//! Permanent output is above and is written once, so that it scrolls back like any other output.
//! Below it is the region, which is moved down, changed line by line, and erased. A frame is one
//! sequence of bytes, marked as such for terminals that support it (mode 2026; others ignore the
//! marks). If nothing changed, there is no frame.

use unicode_width::UnicodeWidthStr;

const BEGIN: &str = "\x1b[?2026h";
const END: &str = "\x1b[?2026l";
/// Cuts lines that are too long instead of wrapping them (mode 7).
const CUT: &str = "\x1b[?7l";
const FLOW: &str = "\x1b[?7h";
const TO_END_OF_LINE: &str = "\x1b[K";
const TO_END_OF_SCREEN: &str = "\x1b[J";

/// The content of the region.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Region {
    /// Its lines, each narrower than the terminal.
    pub(super) lines: Vec<String>,
    /// Column of the cursor in the last line.
    pub(super) column: usize,
}

/// What is on the screen.
#[derive(Debug, Default)]
pub(super) struct Painter {
    drawn: Region,
    /// Whether the terminal wraps lines that become too long when it is made narrower.
    reflows: bool,
}

impl Painter {
    pub(super) fn new(reflows: bool) -> Self {
        Self {
            drawn: Region::default(),
            reflows,
        }
    }

    /// The bytes that print `above` permanently and show `region` below it, on a terminal with this
    /// many columns; empty if nothing changes.
    pub(super) fn frame(&mut self, above: &str, region: Region, columns: usize) -> String {
        if above.is_empty() && region == self.drawn {
            return String::new();
        }
        let mut bytes = BEGIN.to_owned();
        bytes.push('\r');
        let up = self.rows_above_cursor(columns);
        if up > 0 {
            bytes.push_str(&format!("\x1b[{up}A"));
        }
        let as_drawn = up + 1 == self.drawn.lines.len() && above.is_empty();
        if !as_drawn {
            bytes.push_str(TO_END_OF_SCREEN);
            for line in above.lines() {
                bytes.push_str(line);
                bytes.push_str("\r\n");
            }
        }
        let old = if as_drawn { &self.drawn.lines[..] } else { &[] };
        // The terminal may become narrower between reading its size and this write. If it wraps
        // lines, the rows of a wrapped line are counted as usual. If it cuts them, a line wrapped
        // by this write would be a row that is not counted.
        if !self.reflows {
            bytes.push_str(CUT);
        }
        for (n, line) in region.lines.iter().enumerate() {
            if n > 0 {
                bytes.push_str("\r\n");
            }
            if old.get(n) != Some(line) {
                bytes.push_str(line);
                bytes.push_str(TO_END_OF_LINE);
            }
        }
        if old.len() > region.lines.len() {
            // If the region is empty, the cursor is already at the start of the rest.
            if !region.lines.is_empty() {
                bytes.push_str("\r\n");
            }
            bytes.push_str(TO_END_OF_SCREEN);
            if !region.lines.is_empty() {
                bytes.push_str("\x1b[A");
            }
        }
        if !self.reflows {
            bytes.push_str(FLOW);
        }
        bytes.push('\r');
        if region.column > 0 && !region.lines.is_empty() {
            bytes.push_str(&format!("\x1b[{}C", region.column));
        }
        bytes.push_str(END);
        self.drawn = region;
        bytes
    }

    /// Another program wrote to the screen: the drawn region stays there, and the next frame starts
    /// below.
    pub(super) fn forget(&mut self) {
        self.drawn = Region::default();
    }

    /// Number of rows between the region's first row and the cursor.
    fn rows_above_cursor(&self, columns: usize) -> usize {
        let Some((_, before)) = self.drawn.lines.split_last() else {
            return 0;
        };
        let rows = |line: &String| match self.reflows {
            true => visible_width(line).div_ceil(columns.max(1)).max(1),
            false => 1,
        };
        let within = match self.reflows {
            true => self.drawn.column / columns.max(1),
            false => 0,
        };
        before.iter().map(rows).sum::<usize>() + within
    }
}

fn visible_width(line: &str) -> usize {
    anstream::adapter::strip_str(line).to_string().width()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn region(lines: &[&str]) -> Region {
        Region {
            lines: lines.iter().map(|line| (*line).to_owned()).collect(),
            column: 0,
        }
    }

    /// The rows of a screen that are not empty, including those scrolled off.
    fn rows(screen: &mut vt100::Parser) -> Vec<String> {
        screen.screen_mut().set_scrollback(usize::MAX);
        let gone = screen.screen().scrollback();
        let mut rows = Vec::new();
        let (height, width) = screen.screen().size();
        for offset in (1..=gone).rev() {
            screen.screen_mut().set_scrollback(offset);
            rows.extend(screen.screen().rows(0, width).next());
        }
        screen.screen_mut().set_scrollback(0);
        rows.extend(screen.screen().rows(0, width).take(usize::from(height)));
        while rows.last().is_some_and(|row| row.is_empty()) {
            rows.pop();
        }
        rows
    }

    #[test]
    fn what_is_printed_stays_and_the_region_follows_below() {
        let mut screen = vt100::Parser::new(5, 20, 100);
        let mut painter = Painter::new(true);
        for n in 0..9 {
            let above = format!("line {n}");
            let live = region(&["one", &format!("two {n}")]);
            screen.process(painter.frame(&above, live, 20).as_bytes());
        }
        let mut expected: Vec<String> = (0..9).map(|n| format!("line {n}")).collect();
        expected.extend(["one".to_owned(), "two 8".to_owned()]);
        assert_eq!(rows(&mut screen), expected);
        screen.process(painter.frame("", region(&[]), 20).as_bytes());
        expected.truncate(9);
        assert_eq!(rows(&mut screen), expected, "nothing of it is left");
    }

    #[test]
    fn the_region_grows_and_shrinks_in_place() {
        let mut screen = vt100::Parser::new(6, 20, 100);
        let mut painter = Painter::new(true);
        for lines in [
            &["a"][..],
            &["a", "b", "c", "d"],
            &["a", "x", "c"],
            &["导出 \u{1f600}", "y"],
            &["z"],
            &["1", "2"],
        ] {
            screen.process(painter.frame("", region(lines), 20).as_bytes());
            assert_eq!(rows(&mut screen), lines, "{lines:?}");
        }
        screen.process(painter.frame("done", region(&[]), 20).as_bytes());
        assert_eq!(rows(&mut screen), ["done"]);
    }

    #[test]
    fn nothing_is_written_when_nothing_changed_and_little_when_little_did() {
        let mut painter = Painter::new(true);
        let wide = "x".repeat(70);
        painter.frame("", region(&[&wide, "a"]), 80);
        assert_eq!(painter.frame("", region(&[&wide, "a"]), 80), "");
        let bytes = painter.frame("", region(&[&wide, "b"]), 80);
        assert!(bytes.len() < 40, "{bytes:?}");
    }

    #[test]
    fn a_narrower_terminal_loses_nothing_that_was_printed() {
        // A terminal that cuts its lines when it becomes narrower …
        let mut screen = vt100::Parser::new(8, 40, 100);
        let mut painter = Painter::new(false);
        let long = "y".repeat(39);
        screen.process(
            painter
                .frame("kept", region(&[&long, &long]), 40)
                .as_bytes(),
        );
        screen.screen_mut().set_size(8, 20);
        screen.process(painter.frame("too", region(&["z"]), 20).as_bytes());
        assert_eq!(rows(&mut screen), ["kept", "too", "z"]);
        // … and one that wraps them, where two lines become four rows.
        let mut painter = Painter::new(true);
        painter.frame("kept", region(&[&long, &long]), 40);
        let bytes = painter.frame("", region(&["z"]), 20);
        assert!(bytes.contains("\x1b[2A"), "{bytes:?}");
    }

    /// The window became narrower after its size was read and before the frame was drawn.
    #[test]
    fn a_frame_that_comes_too_late_is_cut_where_lines_are_cut() {
        let long = "y".repeat(39);
        for reflows in [false, true] {
            let bytes = Painter::new(reflows).frame("kept", region(&[&long]), 40);
            let cut = format!("kept\r\n{CUT}{long}{TO_END_OF_LINE}{FLOW}");
            assert_eq!(bytes.contains(&cut), !reflows, "{bytes:?}");
            assert_eq!(bytes.contains(CUT) || bytes.contains(FLOW), !reflows);
        }
    }

    #[test]
    fn after_a_foreign_word_the_region_begins_below() {
        let mut screen = vt100::Parser::new(8, 20, 100);
        let mut painter = Painter::new(true);
        screen.process(painter.frame("", region(&["a", "b"]), 20).as_bytes());
        screen.process(b"\r\nshell\r\n");
        painter.forget();
        screen.process(painter.frame("", region(&["c"]), 20).as_bytes());
        assert_eq!(rows(&mut screen), ["a", "b", "shell", "c"]);
    }
}
