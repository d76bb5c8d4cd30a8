//! Diagrams of members, as they may stand in a page.

mod chart;
mod flow;
mod labels;

pub(crate) use chart::{Chart, Edge, MOST, Node, Shape, letters};

use super::plain;

/// Kinds of diagram that are shown.
const DIAGRAMS: [&str; 10] = [
    "flowchart",
    "graph",
    "sequenceDiagram",
    "stateDiagram",
    "stateDiagram-v2",
    "classDiagram",
    "erDiagram",
    "journey",
    "timeline",
    "mindmap",
];

/// Statements that act instead of showing.
const ACTIVE: [&str; 6] = ["click", "href", "link", "links", "callback", "call"];

/// Longest diagram shown, in characters.
const DIAGRAM_LIMIT: usize = 4000;

/// A Mermaid diagram without directives, links, callbacks and HTML, its labels quoted
/// where they have to be; none when nothing of a known kind is left, or when it is too
/// large to read.
pub fn diagram(source: &str) -> Option<String> {
    // Comments and what is left out are not counted, within bounds.
    if source.len() > 8 * DIAGRAM_LIMIT {
        return None;
    }
    let source = plain(source).replace('`', "");
    let mut lines = source
        .lines()
        .map(flow::without_comment)
        .filter(|line| !line.trim().is_empty())
        .skip_while(|line| !is_header(line));
    let header = without_tags(&lines.next().filter(|line| !is_active("", line))?);
    // What stands behind the kind on its line: `graph TD; A-->B;`.
    let (header, first) = header.split_once(';').unwrap_or((&header, ""));
    let kind = header.split_whitespace().next()?;
    let first = Some(first.trim().to_owned()).filter(|first| !first.is_empty());
    let is_flow = is_flow(kind);
    let lines = first.into_iter().chain(lines);
    let lines: Vec<String> = lines
        .flat_map(|line| match is_flow {
            true => flow::statements(&line)
                .into_iter()
                .map(str::to_owned)
                .collect(),
            false => vec![line],
        })
        .map(|line| flow::arrowed(kind, &line))
        .filter_map(|line| inactive(kind, &line))
        .map(|line| without_tags(&line))
        .collect();
    let labelled = flow::labelled(kind, &lines);
    let named = lines.iter().map(|line| flow::named(kind, line, &labelled));
    let body: Vec<String> = named.map(|line| labels::readable(kind, &line)).collect();
    if body.is_empty() {
        return None;
    }
    let text = format!("{}\n{}", header.trim(), body.join("\n"));
    (text.chars().count() <= DIAGRAM_LIMIT).then_some(text)
}

fn is_flow(kind: &str) -> bool {
    matches!(kind, "flowchart" | "graph")
}

fn is_header(line: &str) -> bool {
    let mut words = line.split([' ', ';']).filter(|word| !word.is_empty());
    words.next().is_some_and(|word| DIAGRAMS.contains(&word))
}

/// What only shows of a line with several statements; none where nothing does.
fn inactive(kind: &str, line: &str) -> Option<String> {
    if !is_active(kind, line) {
        return Some(line.to_owned());
    }
    let statements = line.split(';').filter(|one| !is_active(kind, one));
    let shows: Vec<&str> = statements.collect();
    let is_empty = shows.iter().all(|one| one.trim().is_empty());
    (!is_empty).then(|| shows.join(";"))
}

fn is_active(kind: &str, line: &str) -> bool {
    let is_flow = is_flow(kind);
    let low = line.to_lowercase();
    let statements = || low.split(';').map(str::trim_start);
    low.contains("%%")
        || low.contains("javascript:")
        || low.contains("@{")
        || low.contains("url(")
        || low.trim_start().starts_with(['#', '|'])
        || low.trim() == "---"
        || low.contains("~~~~")
        || statements().any(|one| {
            let first = one.split_whitespace().next().unwrap_or("");
            // A node may have such a name.
            ACTIVE.contains(&first) && !(is_flow && flow::is_node_first(one))
        })
}

/// Drops HTML tags but for line breaks; arrows such as `<-->` stay.
fn without_tags(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        let tail = &rest[at + 1..];
        let is_tag = tail.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!');
        let end = tail.find('>');
        match (is_tag, end) {
            (true, Some(end)) => {
                if matches!(&tail[..end], "br" | "br/" | "br /") {
                    out.push_str("<br/>");
                }
                rest = &tail[end + 1..];
            }
            (true, None) => rest = tail,
            (false, _) => {
                out.push('<');
                rest = tail;
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagrams_only_show() {
        let source = "%%{init: {'x': 1}}%%\n```mermaid\nflowchart LR\n  A --> B<br/>\n  click A \"javascript:x\"\n  B --> C; click B call x()\n  C@{ img: \"http://x\" }\n  style C fill:url(http://x)\n  C[<img src=x>] <--> D\n```";
        assert_eq!(
            diagram(source).as_deref(),
            Some("flowchart LR\n  A --> B\n  B --> C\n  C <--> D")
        );
        assert_eq!(
            diagram("graph TD; A-->B; B-->C[x (y)];").as_deref(),
            Some("graph TD\nA-->B\n B-->C[\"x (y)\"]")
        );
        assert_eq!(diagram("nothing known\nA --> B"), None);
    }
}
