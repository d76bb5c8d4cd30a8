//! Lines of a diagram in the words of Mermaid: without comments, with arrows it knows, and
//! with no id that is a word of its own.

/// Words that a flowchart takes for its own where an id stands.
const RESERVED: [&str; 14] = [
    "end",
    "graph",
    "flowchart",
    "subgraph",
    "default",
    "style",
    "class",
    "classDef",
    "linkStyle",
    "click",
    "call",
    "href",
    "link",
    "direction",
];

/// Characters that stand for an arrow, alone or with dashes before them.
const ARROWS: [char; 12] = ['→', '⟶', '➔', '➜', '➝', '➞', '➡', '⇒', '⟹', '⇨', '＞', '↦'];

/// The line without a comment at its end. Inside a label `%%` is no comment, and is halved,
/// so that it can be no directive either.
pub(super) fn without_comment(line: &str) -> String {
    let (mut depth, mut is_quoted) = (0i32, false);
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("%%") {
            let is_free = out.is_empty() || out.ends_with(char::is_whitespace);
            if is_free && depth <= 0 && !is_quoted {
                break;
            }
            rest = rest.trim_start_matches('%');
            out.push('%');
            continue;
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

/// The line with arrows of that kind of diagram, and ids that it takes for ids.
pub(super) fn understood(kind: &str, line: &str) -> String {
    match kind {
        "flowchart" | "graph" => ids(&arrows(line, "-->")),
        "stateDiagram" | "stateDiagram-v2" => before_colon(line, |head| arrows(head, "-->")),
        "sequenceDiagram" => before_colon(line, |head| participants(&arrows(head, "->>"))),
        _ => line.to_owned(),
    }
}

fn before_colon(line: &str, change: impl Fn(&str) -> String) -> String {
    match line.split_once(':') {
        Some((head, text)) => format!("{}:{text}", change(head)),
        None => change(line),
    }
}

/// Parts of a line: what stands in brackets, bars or quotes is a label, and stays.
fn outside_labels(line: &str, mut change: impl FnMut(&str, &str) -> String) -> String {
    let (mut out, mut plain) = (String::with_capacity(line.len()), String::new());
    let mut closing: Vec<char> = Vec::new();
    for c in line.chars() {
        let is_label = !closing.is_empty();
        if is_label && closing.last() == Some(&c) {
            closing.pop();
        } else if closing.last() != Some(&'"') {
            closing.extend(match c {
                '[' => Some(']'),
                '(' => Some(')'),
                '{' => Some('}'),
                '"' => Some('"'),
                '|' if !is_label => Some('|'),
                _ => None,
            });
        }
        if is_label || !closing.is_empty() {
            if !plain.is_empty() {
                let text = change(&std::mem::take(&mut plain), &c.to_string());
                out.push_str(&text);
            }
            out.push(c);
        } else {
            plain.push(c);
        }
    }
    let text = change(&plain, "");
    out + &text
}

/// Arrows of other scripts, and those with one dash, as `arrow`; one that points back turns
/// its edge around.
fn arrows(line: &str, arrow: &str) -> String {
    let line = match line.split_once(['←', '⟵', '⇐']) {
        Some((to, from)) if !has_arrow(to) && !has_arrow(from) => {
            let indent = &to[..to.len() - to.trim_start().len()];
            format!("{indent}{} → {}", from.trim(), to.trim())
        }
        _ => line.replace(
            ['↔', '⇔', '⟷'],
            if arrow == "-->" { "<-->" } else { "<<->>" },
        ),
    };
    let is_flow = arrow == "-->";
    outside_labels(&line, |text, _| {
        let mut out = String::with_capacity(text.len() + 4);
        let mut run = String::new();
        // Words between the halves of a link: `-- yes → no -->`.
        let mut is_label = false;
        for (at, c) in text.char_indices().chain([(text.len(), '\n')]) {
            if ARROWS.contains(&c) || "-–—－=>".contains(c) {
                run.push(c);
                continue;
            }
            let is_foreign = !run.is_ascii() && !run.ends_with(['–', '—', '－']);
            let is_short = is_flow && ["->", "=>"].contains(&&*run) && !out.ends_with('.');
            let was_label = is_label;
            is_label = match &*run {
                "--" | "==" => {
                    is_flow
                        && !is_label
                        && text[at..].contains([run.as_str(), ">"].concat().as_str())
                }
                _ => is_label && !run.starts_with("--") && !run.starts_with("=="),
            };
            match (is_foreign || is_short) && !was_label {
                true => out.push_str(arrow),
                false => out.push_str(&run),
            }
            run.clear();
            out.push(c);
        }
        out.pop();
        out
    })
}

fn has_arrow(text: &str) -> bool {
    text.contains(ARROWS) || text.contains("--") || text.contains("->")
}

/// Ids that are words of Mermaid get another name, and keep the one that is shown.
fn ids(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let rest = line
        .trim_start()
        .get(words.first().map_or(0, |word| word.len())..);
    let rest = rest.unwrap_or_default().trim_start();
    let begins_edge = rest.starts_with(['-', '=', '~', '<', '&', '[', '(', '{', '>', ':']);
    match words[..] {
        ["style" | "class", named, ..] if !begins_edge => {
            let new: Vec<String> = named.split(',').map(renamed).collect();
            return line.replacen(named, &new.join(","), 1);
        }
        ["subgraph", title, ..] if is_reserved(title.split('[').next().unwrap_or(title)) => {
            let id = title.split('[').next().unwrap_or(title);
            return line.replacen(&format!("subgraph {id}"), &format!("subgraph {id}_"), 1);
        }
        [first, ..] if RESERVED.contains(&first) && !begins_edge => return line.to_owned(),
        _ => {}
    }
    let mut before = String::new();
    outside_labels(line, |text, label| {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            if !is_of_id(c) {
                out.push(c);
                before.push(c);
                rest = &rest[c.len_utf8()..];
                continue;
            }
            let id = &rest[..id_length(rest)];
            rest = &rest[id.len()..];
            let follows = if rest.is_empty() { label } else { rest };
            if is_reserved(id) && is_place_of_id(&before, follows) {
                out.push_str(&renamed(id));
                if !follows.starts_with(['[', '(', '{']) {
                    out.push_str(&format!("[\"{id}\"]"));
                }
            } else {
                out.push_str(id);
            }
            before.push_str(id);
        }
        before.push_str(label);
        out
    })
}

/// Does an id stand between these: behind the beginning, a link or `&`, and before a link,
/// a label or the end?
fn is_place_of_id(before: &str, follows: &str) -> bool {
    let (before, follows) = (before.trim_end(), follows.trim_start());
    let links = [">", "---", "===", "-.-", "--x", "--o", "~~~", "&", ";", "|"];
    let begins = before.is_empty() || links.iter().any(|link| before.ends_with(link));
    let ends = [
        "--", "==", "-.", "~~~", "<", "&", ";", ":::", "[", "(", "{", "@",
    ];
    begins && (follows.is_empty() || ends.iter().any(|one| follows.starts_with(one)))
}

fn is_of_id(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Length of the id at the start; a single dash belongs to it where letters follow.
fn id_length(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let goes_on = c == '-' && chars.peek().is_some_and(|(_, next)| is_of_id(*next));
        if !is_of_id(c) && !goes_on {
            return at;
        }
    }
    text.len()
}

/// A word of Mermaid, or one that begins with it and a dash.
fn is_reserved(id: &str) -> bool {
    RESERVED.contains(&id.split('-').next().unwrap_or(id))
}

fn renamed(id: &str) -> String {
    match is_reserved(id) {
        true => format!("{}_", id.replace('-', "_")),
        false => id.to_owned(),
    }
}

/// `end` closes a block of a sequence diagram, wherever it stands.
fn participants(head: &str) -> String {
    let words: Vec<&str> = head.split_whitespace().collect();
    if let ["participant" | "actor", "end", rest @ ..] = &words[..] {
        let name = if rest.is_empty() { " as End" } else { "" };
        return head.replacen("end", &format!("end_{name}"), 1);
    }
    let Some(at) = head.find("->").or_else(|| head.find("--")) else {
        return head.to_owned();
    };
    let end = head[at..].find(|c: char| is_of_id(c) || c == ' ');
    let (from, rest) = head.split_at(at);
    let (arrow, to) = rest.split_at(end.unwrap_or(rest.len()));
    let named = |one: &str| match one.trim() == "end" {
        true => one.replace("end", "end_"),
        false => one.to_owned(),
    };
    format!("{}{arrow}{}", named(from), named(to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flowchart_is_written_in_words_mermaid_knows() {
        for (line, shown) in [
            ("begin[B] --> end[Finish]", "begin[B] --> end_[Finish]"),
            ("begin --> graph[Store]", "begin --> graph_[Store]"),
            ("begin --> end", "begin --> end_[\"end\"]"),
            ("end --> start", "end_[\"end\"] --> start"),
            (
                "class --> style & end",
                "class_[\"class\"] --> style_[\"style\"] & end_[\"end\"]",
            ),
            ("A -->|yes| end", "A -->|yes| end_[\"end\"]"),
            ("click --> call(Call)", "click_[\"click\"] --> call_(Call)"),
            ("A --> end-node[x]", "A --> end_node_[x]"),
            ("A --- default", "A --- default_[\"default\"]"),
            ("style end fill:#fff", "style end_ fill:#fff"),
            ("class a,end big", "class a,end_ big"),
            ("  end", "  end"),
            ("A[the end] --> B[graph]", "A[the end] --> B[graph]"),
            ("A -- end of day --> B", "A -- end of day --> B"),
            ("endpoint --> backend", "endpoint --> backend"),
            ("classDef big fill:#fff", "classDef big fill:#fff"),
            ("subgraph end[Last]", "subgraph end_[Last]"),
            ("shop → queue", "shop --> queue"),
            ("shop→queue→store", "shop-->queue-->store"),
            ("shop --→ queue", "shop --> queue"),
            ("shop —> queue", "shop --> queue"),
            ("A -- yes → no --> B → C", "A -- yes → no --> B --> C"),
            ("A == a -> b ==> B", "A == a -> b ==> B"),
            ("shop ⇒ queue", "shop --> queue"),
            ("shop -> queue => store", "shop --> queue --> store"),
            ("shop ← queue", "queue --> shop"),
            ("shop ↔ queue", "shop <--> queue"),
            (
                "A[in → out] --> B[\"a -> b\"]",
                "A[in → out] --> B[\"a -> b\"]",
            ),
            ("A -.-> B ==> C <--> D --x E", "A -.-> B ==> C <--> D --x E"),
            ("A -- 甲—乙 --> B", "A -- 甲—乙 --> B"),
        ] {
            assert_eq!(understood("flowchart", line), shown);
        }
        for (line, shown) in [
            ("A → B: go → on", "A ->> B: go → on"),
            ("A->>end: stop", "A->>end_: stop"),
            ("participant end", "participant end_ as End"),
            ("end", "end"),
        ] {
            assert_eq!(understood("sequenceDiagram", line), shown);
        }
        assert_eq!(understood("stateDiagram-v2", "[*] → Idle"), "[*] --> Idle");
        assert_eq!(
            understood("erDiagram", "A ||--o{ B : has"),
            "A ||--o{ B : has"
        );
    }

    #[test]
    fn a_comment_ends_a_line_and_a_label_holds_none() {
        for (line, shown) in [
            ("  a --> b %% async", "  a --> b"),
            ("%% alone", ""),
            ("%%{init: {}}%%", ""),
            ("a --> b %%{init: {}}%%", "a --> b"),
            ("a[100%% sure] --> b", "a[100% sure] --> b"),
            ("a[\"x %% y\"] --> b %% z", "a[\"x % y\"] --> b"),
            ("a(5 %% more)", "a(5 % more)"),
        ] {
            assert_eq!(without_comment(line), shown);
        }
    }
}
