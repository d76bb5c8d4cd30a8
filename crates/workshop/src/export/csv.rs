//! CSV that spreadsheets open without evaluating any formula.

/// Formats rows as CSV (RFC 4180, UTF-8, line feed between rows).
pub(super) fn rows(rows: &[Vec<String>]) -> String {
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> = row.iter().map(|cell| quoted(cell)).collect();
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

/// Formats one cell. Text that a spreadsheet would evaluate as a formula gets an apostrophe, which
/// marks it as text. Quotes alone do not prevent evaluation.
fn quoted(cell: &str) -> String {
    let cell = cell.replace("\r\n", "\n").replace('\r', "\n");
    let cell = cell.replace(|c: char| c.is_control() && c != '\n' && c != '\t', "");
    let first = cell
        .trim_start_matches([' ', '\t', '\n', '\u{feff}'])
        .chars()
        .next();
    let formula = matches!(
        first,
        Some('=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠')
    ) || cell.starts_with(['\t', '\n']);
    let cell = if formula { format!("'{cell}") } else { cell };
    if cell.contains(['"', ',', ';', '\n', '\t', '\'']) || cell != cell.trim() {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_begins_a_formula() {
        for (cell, expected) in [
            ("plain", "plain"),
            ("a,b", "\"a,b\""),
            ("say \"x\"", "\"say \"\"x\"\"\""),
            ("=1+1", "\"'=1+1\""),
            ("+x", "\"'+x\""),
            ("-x", "\"'-x\""),
            ("@SUM(A1)", "\"'@SUM(A1)\""),
            ("  =HYPERLINK(1)", "\"'  =HYPERLINK(1)\""),
            ("\t=1", "\"'\t=1\""),
            ("\r=1", "\"'\n=1\""),
            ("＝1", "\"'＝1\""),
            ("a\u{1b}[2J", "a[2J"),
        ] {
            assert_eq!(quoted(cell), expected, "{cell:?}");
        }
        assert_eq!(
            rows(&[vec!["a".into(), String::new()], vec!["1\n2".into()]]),
            "a,\n\"1\n2\"\n"
        );
    }
}
