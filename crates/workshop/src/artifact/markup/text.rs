//! Converts the plan text of one author: lists, tables, code and lower headings are kept,
//! everything else is escaped.

use crate::fence::Fence;

use super::{block, code_span, escape, inline, one_line, plain};

/// The text with its lists, tables, fenced code, bold words and headings; all headings become
/// third-level ones. HTML, links, pictures and any other Markdown are escaped.
pub fn text(text: &str) -> String {
    let text = plain(text);
    let mut lines = text.lines().peekable();
    let mut out = Out::default();
    while let Some(line) = lines.next() {
        let mut said = line.trim();
        let mut column = column(line);
        let mut fence = Fence::default();
        if let Some((mark, item)) = list_item(said)
            && fence.holds(item)
        {
            out.item(mark, "", column);
            (said, column) = (item, column + mark.len() + 1);
        }
        if fence.is_open() || fence.holds(said) {
            let code = lines.by_ref().take_while(|line| {
                fence.holds(line);
                fence.is_open()
            });
            out.code(
                said.trim_start_matches(['`', '~']),
                &code.collect::<Vec<_>>(),
                column,
            );
        } else if said.starts_with('|') {
            let mut rows = vec![said];
            while let Some(row) = lines.next_if(|line| line.trim_start().starts_with('|')) {
                rows.push(row.trim());
            }
            out.table(&rows);
        } else if let Some((mark, item)) = list_item(said) {
            out.item(mark, item, column);
        } else if let Some(heading) = heading(said) {
            out.block(&format!("### {}", inline(heading)));
        } else {
            out.line(said, column);
        }
    }
    out.text.truncate(out.text.trim_end().len());
    out.text
}

/// The column in which a line's text starts, from 0; a tab advances to the next multiple of 4.
fn column(line: &str) -> usize {
    let blanks = line.chars().take_while(|c| matches!(c, ' ' | '\t'));
    blanks.fold(0, |column, c| match c {
        '\t' => column / 4 * 4 + 4,
        _ => column + 1,
    })
}

fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    (1..=6).contains(&level).then_some(text)?.strip_prefix(' ')
}

/// Marker and text of a list item.
fn list_item(line: &str) -> Option<(&str, &str)> {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (mark, item) = line.split_once(' ')?;
    let is_mark = match digits {
        0 => mark == "-" || mark == "*",
        1..=3 => mark.len() == digits + 1 && mark.ends_with('.'),
        _ => false,
    };
    let mark = if digits == 0 { "-" } else { mark };
    is_mark.then_some((mark, item.trim()))
}

struct ListItem {
    /// The column in which it was written.
    column: usize,
    /// Indentation, in spaces, of text that belongs to it.
    inner: usize,
}

/// Maximum indentation of an item, in spaces.
const MAX_INDENT: usize = 8;

#[derive(Default)]
struct Out {
    text: String,
    items: Vec<ListItem>,
}

impl Out {
    /// Writes a block between empty lines.
    fn block(&mut self, text: &str) {
        self.items.clear();
        self.text.push_str(&format!("\n{text}\n\n"));
    }

    fn code(&mut self, language: &str, code: &[&str], column: usize) {
        let indent = self.within(column);
        let code: Vec<&str> = code.iter().map(|line| without(line, column)).collect();
        let block = block(language, &code, &" ".repeat(indent));
        self.text.push_str(&format!("\n{block}\n\n"));
    }

    fn item(&mut self, mark: &str, item: &str, column: usize) {
        // Without an empty line before a list, some renderers would take its first item for prose.
        if self.items.is_empty() {
            self.text.push('\n');
        }
        while self.items.last().is_some_and(|open| open.column >= column) {
            self.items.pop();
        }
        let indent = self
            .items
            .last()
            .map_or(0, |open| open.inner.min(MAX_INDENT));
        let inner = indent + mark.len() + 1;
        self.items.push(ListItem { column, inner });
        let text = format!("{mark} {}", emphasised(item, false));
        let text = text.trim_end();
        self.text
            .push_str(&format!("{}{text}\n", " ".repeat(indent)));
    }

    fn line(&mut self, said: &str, column: usize) {
        if said.is_empty() {
            self.text.push('\n');
            return;
        }
        let indent = self.within(column);
        let text = emphasised(said, false);
        self.text
            .push_str(&format!("{}{text}\n", " ".repeat(indent)));
    }

    /// The indentation for text that belongs to an open item: its next line, or after an empty line
    /// a line that is indented further than the item.
    fn within(&mut self, column: usize) -> usize {
        if self.text.ends_with("\n\n") {
            while self.items.last().is_some_and(|open| open.column >= column) {
                self.items.pop();
            }
        }
        self.items.last().map_or(0, |open| open.inner)
    }

    fn table(&mut self, rows: &[&str]) {
        let rows: Vec<Vec<String>> = rows.iter().map(|row| cells(row)).collect();
        let width = rows.iter().map(Vec::len).max().unwrap_or_default();
        if width == 0 {
            return;
        }
        let row = |cells: &Vec<String>| {
            let cell = |at: usize| cells.get(at).map_or("", String::as_str);
            let cells = (0..width).map(|at| format!(" {} |", emphasised(cell(at), true)));
            format!("|{}\n", cells.collect::<String>())
        };
        let (head, rest) = rows.split_at(1);
        let is_rule = |cells: &Vec<String>| cells.iter().all(|cell| is_rule(cell));
        let rule = rest.first().is_some_and(is_rule);
        let mut table: String = head.iter().map(row).collect();
        table += &format!("|{}\n", " --- |".repeat(width));
        table.extend(rest.iter().skip(usize::from(rule)).map(row));
        self.block(table.trim_end());
    }
}

/// Whether the cell is part of the line below a table's header.
fn is_rule(cell: &str) -> bool {
    cell.contains('-') && cell.chars().all(|c| matches!(c, '-' | ':' | ' '))
}

/// The cells of a row; escaped pipes and those in code are part of a cell.
fn cells(row: &str) -> Vec<String> {
    let row = row.strip_prefix('|').unwrap_or(row);
    let (mut cells, mut cell) = (Vec::new(), String::new());
    let mut rest = row;
    while let Some(c) = rest.chars().next() {
        if let Some((span, tail)) = code_span(rest) {
            cell.push_str(&span.replace("\\|", "|"));
            rest = tail;
        } else if let Some(tail) = rest.strip_prefix("\\|") {
            cell.push('|');
            rest = tail;
        } else {
            match c {
                '|' => cells.push(std::mem::take(&mut cell).trim().to_owned()),
                _ => cell.push(c),
            }
            rest = &rest[c.len_utf8()..];
        }
    }
    if !cell.trim().is_empty() {
        cells.push(cell.trim().to_owned());
    }
    cells
}

/// One line of text; text between pairs of `**` becomes bold.
fn emphasised(text: &str, in_table: bool) -> String {
    let text = one_line(text);
    let mut parts = vec![String::new()];
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        let last = parts.len() - 1;
        if let Some((span, tail)) = code_span(rest) {
            parts[last].push_str(span);
            rest = tail;
        } else if let Some(tail) = rest.strip_prefix("**") {
            parts.push(String::new());
            rest = tail;
        } else {
            parts[last].push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    // CommonMark does not accept `**` between a letter and a punctuation mark of the bold text.
    // Chinese, which has no spaces between words, often has this.
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let is_bold = |at: usize| {
        let part = &parts[at];
        let (before, after) = (parts[at - 1].chars().last(), parts[at + 1].chars().next());
        let (first, last) = (part.chars().next(), part.chars().last());
        part.trim() == part
            && !part.is_empty()
            && (is_letter(first) || !is_letter(before))
            && (is_letter(last) || !is_letter(after))
    };
    let are_bold = parts.len() % 2 == 1 && (1..parts.len()).step_by(2).all(is_bold);
    if !are_bold {
        return escape(&text, in_table, true);
    }
    let told = parts.iter().enumerate().map(|(at, part)| match at % 2 {
        0 if at > 0 && part.is_empty() => String::new(),
        0 => escape(part, in_table, true),
        _ => format!("**{}**", escape(part, in_table, true)),
    });
    told.collect()
}

/// The line without its first spaces, at most `indent`.
fn without(line: &str, indent: usize) -> &str {
    let blanks = line.len() - line.trim_start_matches(' ').len();
    &line[blanks.min(indent)..]
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn parts_of_a_plan_keep_their_lists_tables_and_code() {
        for (written, shown) in [
            ("# One\n## Two", "\n### One\n\n\n### Two"),
            ("#tag", "#tag"),
            (
                "- **Bold.** `**kw` [C-1, T-2]",
                "\n- **Bold.** `**kw` [C-1, T-2]",
            ),
            ("- a\n  - b\n- c", "\n- a\n  - b\n- c"),
            ("1. a\n   more\n2. b", "\n1. a\n   more\n2. b"),
            (
                "1. a\n\n   ```rs\n   x\n   ```\n2. b",
                "\n1. a\n\n\n   ```rs\n   x\n   ```\n\n2. b",
            ),
            ("said\n- a", "said\n\n- a"),
            ("- a\n\nafter", "\n- a\n\nafter"),
            ("  - a\n  - b", "\n- a\n- b"),
            ("- a\n    - b\n    - c", "\n- a\n  - b\n  - c"),
            ("1. a\n\t- b\n2. c", "\n1. a\n   - b\n2. c"),
            ("- 规则\n\n　　接下来", "\n- 规则\n\n接下来"),
            (
                "- ```py\n  x\n  ```\n- b",
                "\n-\n\n  ```py\n  x\n  ```\n\n- b",
            ),
            (
                "````md\n```\nx\n```\n````\n- a",
                "\n````md\n```\nx\n```\n````\n\n\n- a",
            ),
            ("```x``` y", "\\`\\`\\`x\\`\\`\\` y"),
            ("`\\[A-Z\\]` [A-1]", "`\\[A-Z\\]` [A-1]"),
            (
                "**锁定。**账户 **锁**定",
                "\\*\\*锁定。\\*\\*账户 \\*\\*锁\\*\\*定",
            ),
            ("**锁定**账户", "**锁定**账户"),
            ("|\n| a | b |", "\n|  |  |\n| --- | --- |\n| a | b |"),
            (
                "| A | B |\n|---|:--|\n| `x|y` | a \\| b |\n| 1 |\n| 1 | 2 | 3 |",
                "\n| A | B |  |\n| --- | --- | --- |\n| `x\\|y` | a \\| b |  |\n| 1 |  |  |\n| 1 | 2 | 3 |",
            ),
            ("| A |\n| 1 |", "\n| A |\n| --- |\n| 1 |"),
            ("```\n# a\n</details>", "\n```\n# a\n</details>\n```"),
        ] {
            assert_eq!(text(written), shown, "{written}");
        }
    }

    #[test]
    fn markup_that_is_none_of_these_is_shown_and_not_obeyed() {
        for (written, shown) in [
            ("<b>x</b> [a](http://b)", "\\<b>x\\</b> \\[a\\](http\\://b)"),
            ("> quoted", "\\> quoted"),
            (
                "[C-1](x) [C-1][C-2]: x",
                "\\[C-1\\](x) \\[C-1\\]\\[C-2\\]: x",
            ),
            ("***", "\\*\\*\\*"),
            ("a ** b", "a \\*\\* b"),
            ("** a **", "\\*\\* a \\*\\*"),
            ("- <details>", "\n- \\<details>"),
            (
                "| <i> | **<u>** |",
                "\n| \\<i> | **\\<u>** |\n| --- | --- |",
            ),
            ("===", "\\==="),
        ] {
            assert_eq!(text(written), shown, "{written}");
        }
    }
}
