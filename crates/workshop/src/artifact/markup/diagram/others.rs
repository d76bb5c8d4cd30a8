//! Diagrams that are no flow charts: each line is read by its kind, and one that is none of it
//! is an error.

mod names;
mod relations;
mod sequence;

use names::Aliases;

/// The lines of a diagram as Mermaid reads them.
///
/// # Errors
/// The first line that has no reading; or nothing is drawn.
pub(super) fn written(kind: &str, header: &str, lines: &[String]) -> Result<String, String> {
    let first = header.trim_matches([' ', ':', ';']).to_owned();
    let first = Some(first).filter(|first| !first.is_empty());
    let lines: Vec<&str> = first
        .iter()
        .map(String::as_str)
        .chain(lines.iter().map(String::as_str))
        .collect();
    let lines: Vec<&str> = lines
        .into_iter()
        .filter(|line| !is_left_out(line))
        .collect();
    let out = match kind {
        "sequenceDiagram" => sequence::written(&lines),
        "stateDiagram" | "stateDiagram-v2" => relations::states(&lines),
        "classDiagram" => relations::classes(&lines),
        "erDiagram" => relations::entities(&lines),
        "journey" => each(&lines, journey),
        "timeline" => each(&lines, timeline),
        _ => mindmap(&lines),
    }?;
    match out.iter().any(|line| !line.trim().is_empty()) {
        true => Ok(out.join("\n")),
        false => Err("it holds nothing".to_owned()),
    }
}

/// A line that acts instead of showing, or that is of another language.
fn is_left_out(line: &str) -> bool {
    let line = line.trim();
    let first = line.split([' ', ':']).next().unwrap_or("");
    let acts = [
        "click",
        "href",
        "link",
        "links",
        "callback",
        "properties",
        "details",
        "accTitle",
        "accDescr",
    ];
    // Behind a name stands the sign of a link.
    let rest = line[first.len()..].trim_start();
    let is_name = rest.starts_with(|c: char| !c.is_alphanumeric() && !"\"':_".contains(c))
        || rest.starts_with("o-");
    let low = line.to_lowercase();
    acts.contains(&first) && !is_name
        || ["javascript:", "@{", "url("]
            .iter()
            .any(|sign| low.contains(sign))
        || line.starts_with(['#', '|'])
        || line.starts_with("//")
        || line == "---"
}

fn unread(line: &str, what: &str) -> String {
    format!("`{}`: {what}", line.trim())
}

fn each(lines: &[&str], read: impl Fn(&str) -> Option<String>) -> Result<Vec<String>, String> {
    let one = |line: &&str| read(line).ok_or_else(|| unread(line, "it is no line of this kind"));
    lines.iter().map(one).collect()
}

fn headed(line: &str) -> bool {
    let words = ["title ", "section "];
    words.iter().any(|word| line.trim_start().starts_with(word)) && !line.contains(';')
}

/// `Task: 5: Me, You`
fn journey(line: &str) -> Option<String> {
    if headed(line) {
        return Some(line.replace(':', " "));
    }
    let parts: Vec<&str> = line.split([':', '：']).collect();
    let [task, score, who @ ..] = &parts[..] else {
        return None;
    };
    let score: u32 = score.trim().parse().ok()?;
    let who = who.join(" ");
    let task = task.replace([';', '#'], " ");
    Some(format!(
        "{task}: {score}: {}",
        who.trim().replace([';', '#'], " ")
    ))
}

/// `2020 : event : event`
fn timeline(line: &str) -> Option<String> {
    let line = line.replace('：', ":").replace([';', '#'], ",");
    let has_period = headed(&line) || line.contains(':') || !line.trim().is_empty();
    has_period.then_some(line)
}

/// Indented lines below one root.
fn mindmap(lines: &[&str]) -> Result<Vec<String>, String> {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let (first, rest) = lines.split_first().ok_or("it holds nothing")?;
    if let Some(other) = rest.iter().find(|line| depth(line) <= depth(first)) {
        return Err(unread(
            other,
            "a mind map has one root, and all else stands deeper",
        ));
    }
    let text = |line: &&str| {
        let (indent, text) = line.split_at(depth(line));
        let text = text.trim_end().trim_start_matches("- ");
        let signs = ['(', ')', '[', ']', '{', '}', '"', '`'];
        // A label in brackets of its own, or plain words.
        let brackets = [("((", "))"), ("[", "]"), ("{{", "}}"), ("(", ")")];
        let found = brackets.iter().find_map(|(open, close)| {
            let (id, inner) = text.split_once(open)?;
            let inner = inner.strip_suffix(close)?;
            let is_id = id.chars().all(|c| c.is_alphanumeric() || c == '_');
            is_id.then(|| {
                format!(
                    "{id}{open}\"{}\"{close}",
                    inner.trim().trim_matches('"').replace('"', "'")
                )
            })
        });
        let is_plain = !text.contains(signs) && !text.starts_with("::") && !text.contains(';');
        let text = match (found, is_plain) {
            (Some(found), _) => found,
            (None, true) => text.to_owned(),
            (None, false) => format!("[\"{}\"]", text.replace('"', "'")),
        };
        format!("{indent}{text}")
    };
    let icons = |line: &&&str| !line.trim_start().starts_with("::icon");
    Ok(lines.iter().filter(icons).map(text).collect())
}
