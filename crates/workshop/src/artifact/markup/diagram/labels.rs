//! Labels of a diagram, quoted where Mermaid could not read them otherwise.
//!
//! Brackets and quotes inside a label are what breaks a model's diagram most often:
//! `A[Export (CSV)]` is no flowchart, `A["Export (CSV)"]` is. A label that can be read
//! as it stands stays as it is, and so does what is not understood here.

use super::chart::Shape;
use super::flow::is_directive;

/// What a label must not hold without quotes.
const SPECIAL: [char; 8] = ['(', ')', '[', ']', '{', '}', '"', '|'];

/// Shapes of nodes by their brackets, those with more brackets first.
const SHAPES: [(&str, &str, Shape); 12] = [
    ("(((", ")))", Shape::Round),
    ("((", "))", Shape::Round),
    ("([", "])", Shape::Round),
    ("[[", "]]", Shape::Box),
    ("[(", ")]", Shape::Store),
    ("{{", "}}", Shape::Choice),
    ("[/", "/]", Shape::Box),
    ("[\\", "\\]", Shape::Box),
    ("[", "]", Shape::Box),
    ("(", ")", Shape::Round),
    ("{", "}", Shape::Choice),
    (">", "]", Shape::Box),
];

/// A label in brackets: what opens it, the label, what closes it, and the shape.
pub(super) fn in_brackets(whole: &str) -> Option<(&str, &str, &str, Shape)> {
    SHAPES.iter().find_map(|(open, close, shape)| {
        let inner = whole.strip_prefix(open)?.strip_suffix(close)?;
        Some((*open, inner.trim(), *close, *shape))
    })
}

/// A line of a diagram of that kind, with labels that can be read.
pub(super) fn readable(kind: &str, line: &str) -> String {
    match kind {
        "flowchart" | "graph" => flowchart(line),
        "sequenceDiagram" => message(line),
        _ => line.to_owned(),
    }
}

/// A semicolon ends a message, and what stands behind it is no statement.
fn message(line: &str) -> String {
    let Some((head, text)) = line.split_once(':') else {
        return line.to_owned();
    };
    let text = text.trim_end().trim_end_matches(';');
    format!("{head}:{}", text.replace(';', ","))
}

fn flowchart(line: &str) -> String {
    if is_directive(line) {
        return match line.trim_start().starts_with("subgraph") {
            true => subgraph(line),
            false => line.to_owned(),
        };
    }
    let mut out = String::with_capacity(line.len() + 8);
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let before = out.chars().next_back();
        let (text, taken) = match c {
            '"' => quoted_text(rest),
            '[' | '(' | '{' if before.is_some_and(is_of_id) => node(rest),
            '|' if is_behind_link(&out) => edge(rest),
            _ => None,
        }
        .unwrap_or_else(|| (c.to_string(), c.len_utf8()));
        out.push_str(&text);
        rest = &rest[taken..];
    }
    out
}

fn is_of_id(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Does a link end here, whose words may follow?
fn is_behind_link(text: &str) -> bool {
    text.trim_end().ends_with(['-', '>', '=', '.', 'x', 'o'])
}

/// `subgraph Title (more)`: quoted as a whole; one with an id and a label is as a node.
fn subgraph(line: &str) -> String {
    let (head, title) = line.split_at(line.find("subgraph").map_or(0, |at| at + 8));
    let title = title.trim();
    let named = title.split_once('[').filter(|(id, _)| {
        title.ends_with(']') && !id.is_empty() && id.trim().chars().all(is_of_id)
    });
    if let Some((id, _)) = named {
        let label = &title[id.len()..];
        let node = node(label).map_or(label.to_owned(), |(text, _)| text);
        return format!("{head} {}{node}", id.trim());
    }
    if title.starts_with('"') || !title.contains(SPECIAL) {
        return line.to_owned();
    }
    format!("{head} {}", in_quotes(title))
}

/// A quoted text at the start, as it is, and its length.
fn quoted_text(text: &str) -> Option<(String, usize)> {
    let end = text[1..].find('"')? + 2;
    Some((text[..end].to_owned(), end))
}

/// A node's brackets and label at the start, the label quoted if it must be, and the
/// length of what was read; none where the brackets do not close on this line.
fn node(text: &str) -> Option<(String, usize)> {
    let end = closing(text)?;
    let whole = &text[..end];
    let (open, label, close, _) = in_brackets(whole)?;
    let text = if label.is_empty() {
        String::new()
    } else if is_readable(label) {
        whole.to_owned()
    } else {
        format!("{open}{}{close}", in_quotes(label))
    };
    Some((text, end))
}

/// A link's words between bars.
fn edge(text: &str) -> Option<(String, usize)> {
    let end = text[1..].find('|')? + 2;
    let label = text[1..end - 1].trim();
    let text = if label.is_empty() {
        String::new()
    } else if is_readable(label) {
        text[..end].to_owned()
    } else {
        format!("|{}|", in_quotes(label))
    };
    Some((text, end))
}

fn is_readable(label: &str) -> bool {
    let inner = label.strip_prefix('"').and_then(|l| l.strip_suffix('"'));
    match inner {
        Some(inner) => !inner.contains('"'),
        None => !label.contains(SPECIAL) && !label.starts_with(['/', '\\']),
    }
}

/// The label as Mermaid takes any text; quotes of its own are written as their entity.
fn in_quotes(label: &str) -> String {
    let inner = label.strip_prefix('"').and_then(|l| l.strip_suffix('"'));
    format!("\"{}\"", inner.unwrap_or(label).replace('"', "#quot;"))
}

/// Where the bracket at the start is closed, in bytes from there: by nesting, else by the
/// first bracket of its kind.
fn closing(text: &str) -> Option<usize> {
    let mut open = Vec::new();
    let mut is_quoted = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '[' | '(' | '{' => open.push(other(c)),
            ']' | ')' | '}' => {
                if open.pop() != Some(c) {
                    break;
                }
                if open.is_empty() {
                    return Some(at + c.len_utf8());
                }
            }
            _ => {}
        }
    }
    let close = other(text.chars().next()?);
    Some(text.find(close)? + close.len_utf8())
}

fn other(open: char) -> char {
    match open {
        '[' => ']',
        '(' => ')',
        _ => '}',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_quoted_where_they_must_be() {
        for (line, shown) in [
            ("A[Export (CSV)] --> B", "A[\"Export (CSV)\"] --> B"),
            ("A --> B([r (s)])", "A --> B([\"r (s)\"])"),
            ("A(foo [x]) --> B((y))", "A(\"foo [x]\") --> B((y))"),
            ("A{is it \"ok\"?}", "A{\"is it #quot;ok#quot;?\"}"),
            ("A[/v1/orders] --> B", "A[\"/v1/orders\"] --> B"),
            ("A -->|x (y)| B", "A -->|\"x (y)\"| B"),
            ("A[1) first]", "A[\"1) first\"]"),
            ("A[] --> B", "A --> B"),
            ("  subgraph My Group (x)", "  subgraph \"My Group (x)\""),
            ("  subgraph g1[Group (x)]", "  subgraph g1[\"Group (x)\"]"),
            ("  subgraph g1 [Group]", "  subgraph g1[Group]"),
        ] {
            assert_eq!(readable("flowchart", line), shown);
        }
        assert_eq!(readable("sequenceDiagram", "A->>B: x; y;"), "A->>B: x, y");
    }

    #[test]
    fn what_can_be_read_or_is_not_understood_stays() {
        for line in [
            "A[\"foo (bar)\"] --> B[(\"DB (x)\")]",
            "A[/slanted/] --> B[\\other\\]",
            "A -- text (x) --> B",
            "A[foo] --> B[bar",
            "A[\"two lines",
            "A[x]:::big --> B & C",
            "style A fill:#f9f,stroke:rgb(1,2,3)",
            "A <--> B; B --> C",
        ] {
            assert_eq!(readable("graph", line), line);
        }
        assert_eq!(readable("mindmap", "  root((x (y)))"), "  root((x (y)))");
    }
}
