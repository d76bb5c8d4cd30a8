//! A part of a plan that one author wrote: lists, tables, code and lesser headings are what
//! they are, everything else shows itself.

use super::{block, code_span, escape, inline, one_line, plain};

/// The text with its lists, tables, fenced code, bold words and headings, these all of the
/// third level. HTML, links, pictures and whatever else Markdown knows are shown, not obeyed.
pub fn text(text: &str) -> String {
    let text = plain(text);
    let mut lines = text.lines().peekable();
    let mut out = Out::default();
    while let Some(line) = lines.next() {
        let said = line.trim();
        let depth = (line.len() - line.trim_start().len()).min(MAX_INDENT);
        if let Some(language) = said.strip_prefix("```") {
            let code = lines.by_ref().take_while(|line| line.trim() != "```");
            out.code(language, &code.collect::<Vec<_>>(), depth);
        } else if said.starts_with('|') {
            let mut rows = vec![said];
            while let Some(row) = lines.next_if(|line| line.trim_start().starts_with('|')) {
                rows.push(row.trim());
            }
            out.table(&rows);
        } else if let Some((mark, item)) = list_item(said) {
            out.item(mark, item, depth);
        } else if let Some(heading) = heading(said) {
            out.block(&format!("### {}", inline(heading)));
        } else {
            out.line(said, depth);
        }
    }
    out.text.truncate(out.text.trim_end().len());
    out.text
}

/// Deepest indent of an item that is kept, in blanks: three levels.
const MAX_INDENT: usize = 6;

/// The text of a heading.
fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    (1..=6).contains(&level).then_some(text)?.strip_prefix(' ')
}

/// Mark and text of an item of a list.
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

#[derive(Default)]
struct Out {
    text: String,
    /// Where text of the items goes on that are open, in blanks.
    items: Vec<usize>,
}

impl Out {
    /// Something that stands by itself, between empty lines.
    fn block(&mut self, text: &str) {
        self.items.clear();
        self.text.push_str(&format!("\n{text}\n\n"));
    }

    fn code(&mut self, language: &str, code: &[&str], depth: usize) {
        let is_name = |c: &char| c.is_ascii_alphanumeric() || "+-_".contains(*c);
        let language: String = language.chars().take_while(is_name).collect();
        let indent = self.within(depth);
        let code: Vec<&str> = code.iter().map(|line| without(line, depth)).collect();
        let block = block(&language, &code, &" ".repeat(indent));
        self.text.push_str(&format!("\n{block}\n\n"));
    }

    fn item(&mut self, mark: &str, item: &str, depth: usize) {
        // Before the first item of a list stands an empty line, or some take it for prose.
        if self.items.is_empty() {
            self.text.push('\n');
        }
        while self.items.last().is_some_and(|inner| *inner > depth) {
            self.items.pop();
        }
        let indent = self.items.last().copied().unwrap_or_default();
        self.items.push(indent + mark.len() + 1);
        let text = emphasised(item, false);
        self.text
            .push_str(&format!("{}{mark} {text}\n", " ".repeat(indent)));
    }

    fn line(&mut self, said: &str, depth: usize) {
        if said.is_empty() {
            self.text.push('\n');
            return;
        }
        let indent = self.within(depth);
        self.text.push_str(&format!(
            "{}{}\n",
            " ".repeat(indent),
            emphasised(said, false)
        ));
    }

    /// The indent of what belongs to an open item by its own; an item is closed by what
    /// stands further left.
    fn within(&mut self, depth: usize) -> usize {
        if depth == 0 && self.text.ends_with("\n\n") {
            self.items.clear();
        }
        self.items.last().copied().unwrap_or_default()
    }

    fn table(&mut self, rows: &[&str]) {
        let mut rows = rows.iter().map(|row| cells(row)).peekable();
        let head = rows.next().unwrap_or_default();
        let width = head.len();
        let is_rule = |cells: &Vec<String>| cells.iter().all(|cell| is_rule(cell));
        rows.next_if(is_rule);
        let row = |cells: &[String]| {
            let cell = |at: usize| cells.get(at).map_or("", String::as_str);
            let cells = (0..width).map(|at| format!(" {} |", emphasised(cell(at), true)));
            format!("|{}\n", cells.collect::<String>())
        };
        let mut table = row(&head) + "|" + &" --- |".repeat(width) + "\n";
        for mut cells in rows {
            // What stands beside the last column is told in it.
            let beside = cells.split_off(width.min(cells.len()));
            if let Some(last) = cells.last_mut() {
                beside.iter().for_each(|cell| *last += &format!(" {cell}"));
            }
            table.push_str(&row(&cells));
        }
        self.block(table.trim_end());
    }
}

/// Is it the line below the head of a table?
fn is_rule(cell: &str) -> bool {
    cell.contains('-') && cell.chars().all(|c| matches!(c, '-' | ':' | ' '))
}

/// The cells of a row, with pipes that are escaped or in code as part of them.
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

/// One line of text, with what stands between pairs of two asterisks in bold.
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
    let is_bold = |part: &String| part.trim() == part && !part.is_empty();
    let are_bold = parts.len() % 2 == 1 && parts.iter().skip(1).step_by(2).all(is_bold);
    if !are_bold {
        return with_ids(&escape(&text, in_table));
    }
    let told = parts.iter().enumerate().map(|(at, part)| match at % 2 {
        0 if at > 0 && part.is_empty() => String::new(),
        0 => escape(part, in_table),
        _ => format!("**{}**", escape(part, in_table)),
    });
    with_ids(&told.collect::<String>())
}

/// Ids in square brackets as they are written: they can be no link where no address follows.
fn with_ids(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\\[") {
        let (before, from) = rest.split_at(at);
        let inner = &from[2..];
        let is_part = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || "-, ".contains(c);
        let end = inner.find(|c: char| !is_part(c)).unwrap_or(inner.len());
        let tail = inner[end..].strip_prefix("\\]");
        let tail = tail.filter(|tail| !tail.starts_with(['(', '[', ':', '\\']));
        out.push_str(before);
        match tail.filter(|_| inner[..end].contains('-')) {
            Some(tail) => {
                out.push_str(&format!("[{}]", &inner[..end]));
                rest = tail;
            }
            None => {
                out.push_str("\\[");
                rest = inner;
            }
        }
    }
    out + rest
}

/// The line without so many blanks at its beginning.
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
            (
                "| A | B |\n|---|:--|\n| `x|y` | a \\| b |\n| 1 |\n| 1 | 2 | 3 |",
                "\n| A | B |\n| --- | --- |\n| `x\\|y` | a \\| b |\n| 1 |  |\n| 1 | 2 3 |",
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
