//! Formats a table, fitted to the width.

use textwrap::core::display_width;

use super::whole_looks;
use crate::ui::view::Style;
use crate::ui::view::layout::{bold, dimmed, wrap};

/// Minimum width of a readable cell; if there is less, every row becomes a list.
const NARROWEST: usize = 9;
/// Spaces between two cells.
const BETWEEN: usize = 2;

/// Rows of cells; the first row is the header.
#[derive(Debug, Default)]
pub(super) struct Table {
    rows: Vec<Vec<String>>,
    row: Vec<String>,
}

impl Table {
    /// Adds a cell to the current row.
    pub(super) fn cell(&mut self, text: String) {
        self.row.push(text.trim().to_owned());
    }

    /// Ends the current row.
    pub(super) fn end_row(&mut self) {
        self.rows.push(std::mem::take(&mut self.row));
    }

    /// The lines of the table, none wider than `room`.
    pub(super) fn lines(&self, room: usize, style: &Style) -> Vec<String> {
        match self.widths(room) {
            Some(widths) if !style.plain => self.grid(&widths, style),
            _ => self.list(room, style),
        }
    }

    /// The width of each column: narrow columns keep their natural width, the others share the
    /// rest. `None` if that is too little.
    fn widths(&self, room: usize) -> Option<Vec<usize>> {
        let columns = self.rows.iter().map(Vec::len).max()?;
        let natural: Vec<usize> = (0..columns)
            .map(|n| {
                let cells = self.rows.iter().filter_map(|row| row.get(n));
                let lines = cells.flat_map(|cell| cell.lines().map(display_width));
                lines.max().unwrap_or_default().max(1)
            })
            .collect();
        let mut left = room.checked_sub(BETWEEN * columns.saturating_sub(1))?;
        let mut widths = vec![0; columns];
        let mut order: Vec<usize> = (0..columns).collect();
        order.sort_by_key(|n| natural[*n]);
        for (place, n) in order.into_iter().enumerate() {
            let share = left / (columns - place);
            widths[n] = natural[n].min(share);
            left -= widths[n];
        }
        let readable = |n: usize| widths[n] >= natural[n].min(NARROWEST);
        (0..columns).all(readable).then_some(widths)
    }

    fn grid(&self, widths: &[usize], style: &Style) -> Vec<String> {
        let mut lines = Vec::new();
        let tall = self
            .rows
            .iter()
            .skip(1)
            .any(|row| height(row, widths, style) > 1);
        for (n, row) in self.rows.iter().enumerate() {
            // If rows have several lines, an empty line separates them.
            if tall && n > 1 {
                lines.push(String::new());
            }
            lines.extend(grid_row(row, widths, n == 0, style));
            if n == 0 {
                let rules: Vec<_> = widths.iter().map(|width| "─".repeat(*width)).collect();
                let rule = rules.join(&" ".repeat(BETWEEN));
                lines.push(dimmed(&rule, style));
            }
        }
        lines
    }

    /// Every row as a list of its cells, each after the header of its column.
    fn list(&self, room: usize, style: &Style) -> Vec<String> {
        let Some((heads, rows)) = self.rows.split_first() else {
            return Vec::new();
        };
        let narrow = style.with_width(room);
        let mut lines = Vec::new();
        for (n, row) in rows.iter().enumerate() {
            if n > 0 {
                lines.push(String::new());
            }
            for (head, cell) in heads.iter().zip(row).filter(|(_, cell)| !cell.is_empty()) {
                let text = match head.is_empty() {
                    true => cell.clone(),
                    false => format!("{}: {cell}", bold(head, style)),
                };
                let wrapped = wrap(&text, "  ", &narrow);
                let wrapped = wrapped.strip_prefix("  ").unwrap_or(&wrapped);
                lines.extend(whole_looks(wrapped.lines()));
            }
        }
        lines
    }
}

fn cell_lines(cell: &str, width: usize, style: &Style) -> Vec<String> {
    let narrow = style.with_width(width);
    whole_looks(super::super::layout::wrap_narrow(cell, &narrow).lines())
}

fn height(row: &[String], widths: &[usize], style: &Style) -> usize {
    let heights = row.iter().zip(widths);
    heights
        .map(|(cell, width)| cell_lines(cell, *width, style).len())
        .max()
        .unwrap_or_default()
}

fn grid_row(row: &[String], widths: &[usize], is_head: bool, style: &Style) -> Vec<String> {
    let cells: Vec<Vec<String>> = row
        .iter()
        .zip(widths)
        .map(|(cell, width)| cell_lines(cell, *width, style))
        .collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or_default();
    let line = |n: usize| {
        let parts = cells.iter().zip(widths).map(|(lines, width)| {
            let text = lines.get(n).map_or("", String::as_str);
            let gap = " ".repeat(width.saturating_sub(display_width(text)));
            match is_head {
                true => format!("{}{gap}", bold(text, style)),
                false => format!("{text}{gap}"),
            }
        });
        let joined = parts.collect::<Vec<_>>().join(&" ".repeat(BETWEEN));
        joined.trim_end().to_owned()
    };
    (0..height).map(line).collect()
}
