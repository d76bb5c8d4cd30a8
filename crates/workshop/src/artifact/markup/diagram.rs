//! Diagrams of members, made safe for a page.

mod chart;
mod flow;
mod sequence;

pub(crate) use chart::{Chart, Edge, MOST, Node, Shape, letters};

use super::plain;
use crate::clean::clean_page;

/// First words of the diagrams that are shown: flow charts, and sequence diagrams.
const KINDS: [&str; 3] = ["flowchart", "graph", "sequenceDiagram"];

/// First words of Mermaid's other diagrams that members are given to writing.
const OTHER_KINDS: [&str; 10] = [
    "stateDiagram",
    "stateDiagram-v2",
    "classDiagram",
    "erDiagram",
    "journey",
    "timeline",
    "mindmap",
    "gantt",
    "pie",
    "gitGraph",
];

/// Longest diagram shown, in characters.
const DIAGRAM_LIMIT: usize = 4000;

/// A Mermaid diagram without directives, links, callbacks and HTML, in words that Mermaid
/// reads; `None` if it [`is_undrawable`].
pub fn diagram(source: &str) -> Option<String> {
    read(source).ok().map(|read| read.written)
}

/// Why a diagram cannot be drawn: it is neither flow chart nor sequence diagram, has a
/// statement without a meaning, or is too large to read. None where it can be, or where there is none.
pub fn is_undrawable(source: &str) -> Option<String> {
    match source.trim().is_empty() {
        true => None,
        false => read(source).err(),
    }
}

/// A diagram that was read.
struct Read {
    written: String,
    /// What it holds, if it is a flow chart.
    flow: Option<flow::Flow>,
}

fn read(source: &str) -> Result<Read, String> {
    let too_long = || format!("it is longer than {DIAGRAM_LIMIT} characters");
    // Comments and what is left out are not counted, within bounds.
    if source.len() > 8 * DIAGRAM_LIMIT {
        return Err(too_long());
    }
    let (kind, header, lines) = lines_of(&plain(&clean_page(source)))?;
    let is_flow = matches!(kind, "flowchart" | "graph");
    let (body, flow) = match is_flow {
        true => {
            let flow = flow::Flow::read(&header, &lines)?;
            let written = flow.written();
            // A direction goes on the first line.
            (
                if flow.direction.is_empty() {
                    format!("\n{written}")
                } else {
                    format!(" {written}")
                },
                Some(flow),
            )
        }
        false => (format!("\n{}", sequence::written(&header, &lines)?), None),
    };
    let written = format!("{kind}{body}");
    match written.chars().count() <= DIAGRAM_LIMIT {
        true => Ok(Read { written, flow }),
        false => Err(too_long()),
    }
}

/// The kind of a diagram, what stands behind it on its line, and its further lines, without
/// what stands around it, comments and tags.
///
/// # Errors
/// It is of another kind, or of none.
fn lines_of(source: &str) -> Result<(&'static str, String, Vec<String>), String> {
    // A text on one line, with line breaks escaped as in JSON.
    let source = match source.trim().contains('\n') {
        true => source.to_owned(),
        false => source.replace("\\n", "\n"),
    };
    let is_fence = |line: &str| line.starts_with("```") || line.starts_with("~~~");
    let mut lines = source.lines().map(str::trim_end);
    let found = lines.by_ref().find_map(|line| {
        let line = line.trim_start_matches(['`', '~', ' ', '\t']);
        let line = line.strip_prefix("mermaid ").unwrap_or(line).trim_start();
        header(&without_comment(line))
    });
    const INSTEAD: &str = "begin it with `flowchart LR` or `sequenceDiagram`";
    let (kind, header) = found.ok_or_else(|| format!("it is of no known kind; {INSTEAD}"))?;
    if OTHER_KINDS.contains(&kind) {
        return Err(format!("`{kind}` is not drawn here; {INSTEAD}"));
    }
    let inner = lines.take_while(|line| !is_fence(line.trim_start()));
    let inner = inner.map(|line| without_tags(&without_comment(&line.replace('`', ""))));
    let inner = inner.filter(|line| !line.trim().is_empty());
    Ok((kind, header, inner.collect()))
}

/// The kind that a line begins with, and what follows.
fn header(line: &str) -> Option<(&'static str, String)> {
    let is_end = |c: char| c.is_whitespace() || ";:".contains(c);
    let end = line.find(is_end).unwrap_or(line.len());
    let (word, rest) = line.split_at(end);
    let word = word.strip_suffix("-elk").unwrap_or(word);
    let mut kinds = KINDS.iter().chain(&OTHER_KINDS);
    let kind = kinds.find(|kind| kind.eq_ignore_ascii_case(word))?;
    // A sentence may begin with such a word.
    let second = rest.trim_matches(is_end).split(is_end).next().unwrap_or("");
    let is_flow = matches!(*kind, "flowchart" | "graph");
    let is_direction = ["", "lr", "rl", "tb", "td", "bt"].contains(&&*second.to_lowercase());
    let is_header = match is_flow {
        true => is_direction || rest.contains("--"),
        false => rest.trim_matches(is_end).is_empty() || rest.trim_start().starts_with(';'),
    };
    is_header.then(|| (*kind, rest.to_owned()))
}

/// The line without a comment: inside a label `%%` is none, and is halved, so that it can be
/// no directive either.
fn without_comment(line: &str) -> String {
    let (mut depth, mut is_quoted) = (0i32, false);
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let is_free = depth <= 0 && !is_quoted;
        if rest.starts_with("%%") {
            if is_free {
                break;
            }
            rest = rest.trim_start_matches('%');
            out.push('%');
            continue;
        }
        // As in other languages: behind a blank, and before one.
        let is_foreign = rest.starts_with("// ") || rest.starts_with("# ");
        if is_foreign && is_free && out.ends_with(char::is_whitespace) {
            break;
        }
        match c {
            '"' => is_quoted = !is_quoted,
            '[' | '(' | '{' if !is_quoted => depth += 1,
            ']' | ')' | '}' if !is_quoted => depth -= 1,
            _ => {}
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out.truncate(out.trim_end().len());
    out
}

/// Drops HTML tags but for line breaks; arrows such as `<-->` stay.
fn without_tags(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        let tail = &rest[at + 1..];
        let is_tag = tail.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!');
        // `<<interface>>`
        let is_tag = is_tag && !out.ends_with('<');
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
