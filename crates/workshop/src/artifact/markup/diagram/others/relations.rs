//! Diagrams of states, classes and entities.

use super::names::bare;
use super::{Aliases, unread};

/// Arrows between states of other scripts, and `-->`.
const TO: [&str; 10] = ["-->", "—>", "->", "=>", "→", "⟶", "➔", "➜", "⇒", "➡"];

const OF_STATES: [&str; 16] = [
    "click",
    "href",
    "scale",
    "state",
    "note",
    "end",
    "class",
    "classdef",
    "direction",
    "default",
    "fork",
    "join",
    "choice",
    "style",
    "as",
    "hide",
];

/// A line that is read by itself: braces, directions, notes, colours.
fn is_frame(line: &str, words: &[&str]) -> bool {
    let first = line.split_whitespace().next().unwrap_or("");
    words.contains(&first) || line == "}"
}

fn is_sentence(line: &str) -> bool {
    line.ends_with(['.', '。', ':', '：']) && line.split_whitespace().count() > 2
}

fn balanced(out: &mut Vec<String>, mut depth: usize) {
    while depth > 0 {
        out.push("}".to_owned());
        depth -= 1;
    }
}

/// `A --> B : words`
pub(super) fn states(lines: &[&str]) -> Result<Vec<String>, String> {
    let mut names = Aliases::of(&OF_STATES);
    let (mut out, mut depth, mut in_note) = (Vec::new(), 0usize, false);
    for line in lines {
        let text = line.trim().trim_end_matches(';');
        let indent = &line[..line.len() - line.trim_start().len()];
        if in_note {
            in_note = text != "end note";
            out.push(format!("{indent}{text}"));
            continue;
        }
        let text = &without_classes(text);
        let (head, words) = text.split_once([':', '：']).unwrap_or((text, ""));
        let words = words.trim().replace([';', '#'], " ");
        if let Some((at, sign)) = TO
            .iter()
            .filter_map(|sign| Some((head.find(sign)?, *sign)))
            .min()
        {
            let mut ids = Vec::new();
            for name in [&head[..at], &head[at + sign.len()..]] {
                let name = bare_state(name);
                if name.is_empty() {
                    return Err(unread(line, "a link leads from or to nothing"));
                }
                if TO.iter().any(|sign| name.contains(sign)) {
                    return Err(unread(line, "one link stands on a line"));
                }
                ids.push(state_id(&mut names, name, indent, &mut out));
            }
            let words = if words.is_empty() {
                words
            } else {
                format!(" : {words}")
            };
            out.push(format!("{indent}{} --> {}{words}", ids[0], ids[1]));
        } else if let Some(rest) = text.strip_prefix("state ") {
            let is_open = rest.trim_end().ends_with('{');
            depth += usize::from(is_open);
            let rest = rest.trim_end().trim_end_matches('{').trim();
            let open = if is_open { " {" } else { "" };
            let (name, label, kind) = match (rest.split_once(" as "), rest.split_once("<<")) {
                (Some((label, name)), _) => (name.trim(), bare(label), ""),
                (_, Some((name, kind))) => (name.trim(), "", kind),
                _ => (bare(rest), "", ""),
            };
            let (id, is_new) = names.id(name);
            let label = if label.is_empty() && is_new {
                name
            } else {
                label
            };
            let declared = match (label, kind) {
                ("", "") => id,
                ("", kind) => format!("{id} <<{kind}"),
                (label, _) => format!("\"{}\" as {id}", label.replace('"', "'")),
            };
            out.push(format!("{indent}state {declared}{open}"));
        } else if text == "}" {
            depth = depth
                .checked_sub(1)
                .ok_or_else(|| unread(line, "it closes nothing"))?;
            out.push(format!("{indent}}}"));
        } else if let Some(rest) = text.strip_prefix("note ") {
            let place = rest
                .split_once(" of ")
                .map(|(side, name)| (side, name.split(':').next().unwrap_or(name).trim()));
            let (side, name) = place
                .filter(|(side, _)| matches!(*side, "left" | "right"))
                .ok_or_else(|| unread(line, "a note stands `left of` or `right of` a state"))?;
            let id = state_id(&mut names, bare_state(name), indent, &mut out);
            in_note = !rest.contains(':');
            let words = if in_note {
                String::new()
            } else {
                format!(" : {words}")
            };
            out.push(format!("{indent}note {side} of {id}{words}"));
        } else if is_frame(text, &["direction", "--"]) {
            out.push(format!("{indent}{text}"));
        } else if is_frame(text, &["classDef", "class", "style", "hide", "title"])
            || is_sentence(text)
        {
            // Colours, and sentences beside the diagram.
        } else if !head.trim().is_empty() {
            let id = state_id(&mut names, bare_state(head), indent, &mut out);
            let words = if words.is_empty() {
                words
            } else {
                format!(" : {words}")
            };
            out.push(format!("{indent}{id}{words}"));
        }
    }
    balanced(&mut out, depth);
    Ok(out)
}

/// `[*]` is no name.
fn bare_state(name: &str) -> &str {
    let name = name.trim();
    if name == "[*]" { name } else { bare(name) }
}

/// The line without `:::class`.
fn without_classes(line: &str) -> String {
    let mut parts = line.split(":::");
    let first = parts.next().unwrap_or("").to_owned();
    parts.fold(first, |out, part| {
        let is_sign = |c: char| !(c.is_alphanumeric() || c == '_');
        out + &part[part.find(is_sign).unwrap_or(part.len())..]
    })
}

fn state_id(names: &mut Aliases, name: &str, indent: &str, out: &mut Vec<String>) -> String {
    if name == "[*]" {
        return name.to_owned();
    }
    let (id, is_new) = names.id(name);
    if is_new {
        out.push(format!(
            "{indent}state \"{}\" as {id}",
            name.replace('"', "'")
        ));
    }
    id
}

const OF_CLASSES: [&str; 15] = [
    "call",
    "href",
    "o",
    "class",
    "namespace",
    "note",
    "direction",
    "style",
    "classdef",
    "click",
    "link",
    "callback",
    "end",
    "default",
    "cssclass",
];

/// `A "1" <|-- "n" B : words`, and classes with what they hold.
pub(super) fn classes(lines: &[&str]) -> Result<Vec<String>, String> {
    let mut names = Aliases::of(&OF_CLASSES);
    let mut out: Vec<String> = Vec::new();
    // What is open: a class, whose lines are members, or what holds classes.
    let mut open: Vec<bool> = Vec::new();
    for line in lines {
        let text = line.trim().trim_end_matches(';');
        let indent = &line[..line.len() - line.trim_start().len()];
        if text == "}" {
            open.pop()
                .ok_or_else(|| unread(line, "it closes nothing"))?;
            out.push(format!("{indent}}}"));
        } else if open.last() == Some(&true) {
            out.push(format!("{indent}{}", text.replace(['{', '}', '"'], "")));
        } else if let Some(rest) = declared("namespace ", text) {
            open.push(false);
            let name = rest.trim_end_matches('{').trim();
            out.push(format!("{indent}namespace {} {{", names.id(name).0));
        } else if let Some(rest) = declared("class ", text) {
            let whole = rest.trim_end().ends_with('}');
            let (name, members) = rest.split_once('{').unwrap_or((rest, ""));
            let members = members.trim_end_matches('}').trim();
            let is_open = rest.contains('{') && !whole;
            let (name, label) = match name.split_once('[') {
                Some((name, label)) => (name.trim(), bare(label.trim_end().trim_end_matches(']'))),
                None => (bare(name), ""),
            };
            let kind = name.split_once("<<").map(|(_, kind)| kind);
            let name = name.split("<<").next().unwrap_or(name).trim();
            let name = name.split(":::").next().unwrap_or(name).trim();
            let (id, generic, is_new) = class_id(&mut names, name);
            let label = if label.is_empty() && is_new {
                name
            } else {
                label
            };
            let label = match label.is_empty() {
                true => String::new(),
                false => format!("[\"{}\"]", label.replace('"', "'")),
            };
            let brace = if is_open { " {" } else { "" };
            out.push(format!("{indent}class {id}{generic}{label}{brace}"));
            if let Some(kind) = kind {
                out.push(format!("{indent}<<{kind} {id}"));
            }
            let members = members
                .split([';', ','])
                .map(str::trim)
                .filter(|one| !one.is_empty());
            out.extend(members.map(|member| format!("{indent}{id} : {member}")));
            if is_open {
                open.push(true);
            }
        } else if let Some((from, link, to, words)) = class_link(text) {
            let ends = [from, to].map(end_of_class);
            let mut said = Vec::new();
            for (name, count) in ends {
                if name.is_empty() {
                    return Err(unread(line, "a link leads from or to nothing"));
                }
                let (id, _, is_new) = class_id(&mut names, name);
                if is_new {
                    out.push(format!("{indent}class {id}[\"{name}\"]"));
                }
                said.push((id, count));
            }
            let count = |count: &str| match count {
                "" => String::new(),
                count => format!("\"{count}\" "),
            };
            let words = if words.is_empty() {
                String::new()
            } else {
                format!(" : {words}")
            };
            let ([(from, many), (to, few)], link) = (&said[..], link) else {
                continue;
            };
            out.push(format!(
                "{indent}{from} {}{link} {}{to}{words}",
                count(many),
                count(few)
            ));
        } else if let Some((name, member)) = text
            .split_once(':')
            .filter(|(name, _)| !name.trim().contains(' '))
        {
            let (id, _, is_new) = class_id(&mut names, name.trim());
            if is_new {
                out.push(format!("{indent}class {id}[\"{}\"]", name.trim()));
            }
            out.push(format!(
                "{indent}{id} : {}",
                member.trim().replace(['{', '}'], "")
            ));
        } else if let Some(rest) = text.strip_prefix("<<") {
            let (kind, name) = rest
                .split_once(">>")
                .ok_or_else(|| unread(line, "`<<` does not end"))?;
            let (id, _, _) = class_id(&mut names, bare(name));
            out.push(format!("{indent}<<{}>> {id}", kind.trim()));
        } else if is_frame(text, &["direction"]) {
            out.push(format!("{indent}{text}"));
        } else if is_frame(text, &["note", "classDef", "style", "cssClass", "title"])
            || is_sentence(text)
        {
            // Remarks, colours, and sentences beside the diagram.
        } else if !text.contains(' ') {
            out.push(format!("{indent}class {}", class_id(&mut names, text).0));
        } else {
            return Err(unread(line, "it is no line of a class diagram"));
        }
    }
    balanced(&mut out, open.len());
    Ok(out)
}

/// What stands behind a word that declares, which may also be the name of a class.
fn declared<'a>(word: &str, text: &'a str) -> Option<&'a str> {
    let is_name = class_link(text).is_some_and(|(from, ..)| from.trim() == word.trim());
    text.strip_prefix(word).filter(|_| !is_name)
}

/// The id, what it is generic in, and whether it is not the name and new.
fn class_id(names: &mut Aliases, name: &str) -> (String, String, bool) {
    let (name, generic) = match name.split_once('~') {
        Some((name, generic)) => (name, format!("~{generic}")),
        None => (name, String::new()),
    };
    let (id, is_new) = names.id(name);
    (id, generic, is_new)
}

/// `Name "1"`
fn end_of_class(text: &str) -> (&str, &str) {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix('"')
        && let Some((count, name)) = rest.split_once('"')
        && !name.trim().is_empty()
    {
        return (name.trim(), count);
    }
    match text
        .strip_suffix('"')
        .and_then(|rest| rest.rsplit_once('"'))
    {
        Some((name, count)) if !name.trim().is_empty() => (name.trim(), count),
        _ => (bare(text), ""),
    }
}

/// Ends, link and words of a relation of classes.
fn class_link(text: &str) -> Option<(&str, String, &str, String)> {
    let (head, words) = text.split_once([':', '：']).unwrap_or((text, ""));
    let bodies = ["--", ".."].into_iter().chain(TO);
    let (at, body) = bodies
        .filter_map(|body| Some((head.find(body)?, body)))
        .min()?;
    let (from, to) = (&head[..at], &head[at + body.len()..]);
    if !matches!(body, "--" | "..") {
        return Some((from, "-->".to_owned(), to, words.trim().to_owned()));
    }
    let heads = ["<|", "|>", "<", ">", "*", "()"];
    let first = heads
        .iter()
        .find(|head| from.trim_end().ends_with(**head))
        .copied();
    let first = first.or(from.ends_with(" o").then_some("o")).unwrap_or("");
    let from = from.trim_end().strip_suffix(first).unwrap_or(from);
    let to = to.trim_start_matches(['-', '.']);
    let last = heads.iter().find(|head| to.starts_with(**head)).copied();
    let last = last.or(to.starts_with("o ").then_some("o")).unwrap_or("");
    let to = &to[last.len()..];
    Some((
        from,
        format!("{first}{body}{last}"),
        to,
        words.trim().replace([';', '#'], " "),
    ))
}

/// `A ||--o{ B : words`, and entities with their attributes.
pub(super) fn entities(lines: &[&str]) -> Result<Vec<String>, String> {
    let (mut out, mut is_open): (Vec<String>, bool) = (Vec::new(), false);
    for line in lines {
        let text = line.trim().trim_end_matches(';');
        let indent = &line[..line.len() - line.trim_start().len()];
        if is_open {
            is_open = text != "}";
            match attribute(text) {
                Some(text) => out.push(format!("{indent}{text}")),
                None => return Err(unread(line, "an attribute is a type and a name")),
            }
            continue;
        }
        let (head, words) = text.split_once([':', '：']).unwrap_or((text, ""));
        let is_link = |word: &&str| (word.contains("--") || word.contains("..")) && word.len() >= 6;
        if let Some(link) = head.split_whitespace().find(is_link) {
            if !is_relation(link) {
                return Err(unread(line, "a relation is written like `||--o{`"));
            }
            let (from, to) = head.split_once(link).unwrap_or((head, ""));
            let (from, to) = (entity(from), entity(to));
            let (Some(from), Some(to)) = (from, to) else {
                return Err(unread(line, "a relation leads from or to nothing"));
            };
            let words = bare(words).replace('"', "'");
            let words = match words.is_empty() || words.contains(|c: char| !c.is_alphanumeric()) {
                true => format!("\"{words}\""),
                false => words,
            };
            out.push(format!("{indent}{from} {link} {to} : {words}"));
        } else if let Some(name) = text.strip_suffix('{') {
            let name = entity(name).ok_or_else(|| unread(line, "it has no name"))?;
            is_open = true;
            out.push(format!("{indent}{name} {{"));
        } else if let Some((name, rest)) = text.split_once('{').filter(|_| text.ends_with('}')) {
            let name = entity(name).ok_or_else(|| unread(line, "it has no name"))?;
            out.push(format!("{indent}{name} {{"));
            let inner = rest.trim_end_matches('}').split([',', ';']).map(str::trim);
            for one in inner.filter(|one| !one.is_empty()) {
                let one = attribute(one)
                    .ok_or_else(|| unread(line, "an attribute is a type and a name"))?;
                out.push(format!("{indent}  {one}"));
            }
            out.push(format!("{indent}}}"));
        } else if is_sentence(text)
            || is_frame(text, &["direction", "title", "style", "classDef", "class"])
        {
            // Beside the diagram.
        } else if !text.contains(['-', '→', '>']) {
            let name = entity(text).ok_or_else(|| unread(line, "it has no name"))?;
            out.push(format!("{indent}{name}"));
        } else {
            return Err(unread(line, "a relation is written like `||--o{`"));
        }
    }
    if is_open {
        out.push("}".to_owned());
    }
    Ok(out)
}

/// `||--o{`, by its two ends and its line.
fn is_relation(link: &str) -> bool {
    let Some((first, last)) = link.split_once("--").or(link.split_once("..")) else {
        return false;
    };
    ["|o", "||", "}o", "}|"].contains(&first) && ["o|", "||", "o{", "|{"].contains(&last)
}

/// The name of an entity, in quotes where it is no word of Latin letters.
fn entity(name: &str) -> Option<String> {
    let name = name.trim();
    let (name, label) = match name.split_once('[').filter(|(id, _)| !id.is_empty()) {
        Some((name, label)) => (name, bare(label.trim_end_matches(']'))),
        None => (name, ""),
    };
    let name = bare(name).replace(['"', '%', '\\'], " ");
    let is_word = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let is_begun = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let reserved = [
        "title",
        "direction",
        "style",
        "class",
        "classdef",
        "end",
        "subgraph",
        "acctitle",
        "accdescr",
        "erdiagram",
        "one",
        "many",
        "only",
        "zero",
        "to",
        "u",
        "o",
    ];
    let is_free = !reserved.contains(&&*name.to_lowercase());
    let name = match is_word && is_begun && is_free {
        true => name,
        false => format!("\"{name}\""),
    };
    let label = match label.is_empty() {
        true => String::new(),
        false => format!("[\"{label}\"]"),
    };
    (name != "\"\"").then(|| name + &label)
}

/// `type name PK "comment"`; a name alone is of any type.
fn attribute(text: &str) -> Option<String> {
    if text == "}" {
        return Some(text.to_owned());
    }
    let (head, comment) = match text.split_once('"') {
        Some((head, comment)) => (head, Some(comment.trim_end_matches('"'))),
        None => (text, None),
    };
    // `FK,PK`, and no `decimal(10,2)`.
    let head = head.replace(", ", " ").replace("K,", "K ");
    let mut words: Vec<String> = head.split_whitespace().map(str::to_owned).collect();
    let is_key = |word: &str| matches!(word, "PK" | "FK" | "UK");
    let keys: Vec<String> = words.iter().filter(|word| is_key(word)).cloned().collect();
    words.retain(|word| !is_key(word));
    let sign = |c: char| !(c.is_alphanumeric() || "_-[]()".contains(c));
    let mut words = words.iter().map(|word| word.replace(sign, "_"));
    let (first, second) = (words.next()?, words.next());
    let more: Vec<String> = words.collect();
    let (kind, name) = match second {
        Some(name) => (first, name),
        None => ("any".to_owned(), first),
    };
    let more = more.join(" ");
    let comment = [more.as_str(), comment.unwrap_or("")].join(" ");
    let comment = match comment.trim() {
        "" => String::new(),
        comment => format!(" \"{comment}\""),
    };
    let keys = if keys.is_empty() {
        String::new()
    } else {
        format!(" {}", keys.join(", "))
    };
    Some(format!("{kind} {name}{keys}{comment}"))
}
