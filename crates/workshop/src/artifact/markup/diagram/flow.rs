//! Lines of a diagram in the words of Mermaid: without comments, with arrows it knows, and
//! with no id that is a word of its own.

use std::collections::BTreeSet;

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

/// What breaks a line within a label.
const BREAK: &str = "<br/>";

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

/// The statements of a line: what is between semicolons, but for those within labels.
pub(super) fn statements(line: &str) -> Vec<&str> {
    let (mut depth, mut is_quoted) = (0i32, false);
    let parts = line.split(|c| {
        match c {
            '"' => is_quoted = !is_quoted,
            '[' | '(' | '{' if !is_quoted => depth += 1,
            ']' | ')' | '}' if !is_quoted => depth -= 1,
            _ => {}
        }
        c == ';' && depth <= 0 && !is_quoted
    });
    parts.filter(|one| !one.trim().is_empty()).collect()
}

/// The line with arrows of that kind of diagram.
pub(super) fn arrowed(kind: &str, line: &str) -> String {
    match kind {
        "flowchart" | "graph" => arrows(line, "-->"),
        "stateDiagram" | "stateDiagram-v2" => before_colon(line, |head| arrows(head, "-->")),
        "sequenceDiagram" => before_colon(line, |head| arrows(head, "->>")),
        _ => line.to_owned(),
    }
}

/// The line, its arrows known, with names that Mermaid takes for names; `labelled` are the
/// nodes whose label stands elsewhere.
pub(super) fn named(kind: &str, line: &str, labelled: &BTreeSet<String>) -> String {
    match kind {
        "flowchart" | "graph" => ids(line, labelled),
        "sequenceDiagram" => before_colon(line, participants),
        "erDiagram" => entities(line),
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
fn outside_labels(line: &str, change: impl Fn(&str) -> String) -> String {
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
                let text = change(&std::mem::take(&mut plain));
                out.push_str(&text);
            }
            out.push(c);
        } else {
            plain.push(c);
        }
    }
    let text = change(&plain);
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
    outside_labels(&line, |text| {
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

/// Names of nodes that have a label of their own somewhere in the lines of a flowchart.
pub(super) fn labelled(kind: &str, lines: &[String]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    if matches!(kind, "flowchart" | "graph") {
        for line in lines.iter().filter(|line| !is_directive(line)) {
            for part in parts(line).unwrap_or_default() {
                if let Part::Node(text) = part
                    && let node = Node::of(text.trim())
                    && !node.shape.is_empty()
                {
                    names.insert(node.name.to_owned());
                }
            }
        }
    }
    names
}

/// Does the line of a flowchart say something of nodes or of the whole, and links none?
pub(super) fn is_directive(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    RESERVED.contains(&first) && !is_node_first(line)
}

/// Is the first word of a line of a flowchart the name of a node, by what follows it?
pub(super) fn is_node_first(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    let rest = line.trim_start()[first.len()..].trim_start();
    rest.starts_with(['-', '=', '~', '<', '&', '[', '(', '{', '>', ':'])
}

/// Every node by an id that Mermaid takes for one: words of its own, blanks and other signs
/// get another, with the name as the label. Those that are `labelled` keep that.
fn ids(line: &str, labelled: &BTreeSet<String>) -> String {
    if is_directive(line) {
        return directive(line);
    }
    let Some(parts) = parts(line) else {
        return line.to_owned();
    };
    let mut out = String::with_capacity(line.len() + 8);
    // Where words of the link before would stand.
    let mut free = None;
    for part in parts {
        let text = match part {
            Part::Node(text) => text,
            Part::And => {
                out.push('&');
                continue;
            }
            Part::Link(link) => {
                free = (link.words.is_empty()).then_some(out.len() + link.whole.len());
                out.push_str(link.whole);
                continue;
            }
        };
        let bare = text.trim();
        // `A e1@--> B` names a link.
        if bare.is_empty() || bare.ends_with('@') {
            out.push_str(text);
            continue;
        }
        let (node, words) = Node::of(bare).without_words();
        // `A --> B: words` says the words of the link.
        if let Some(at) = free.take().filter(|_| !words.is_empty()) {
            out.insert_str(at, &format!("|{words}|"));
        }
        out.push_str(&text.replacen(bare, &node.shown(labelled), 1));
    }
    out
}

/// A line about nodes that are there: their ids are those that links have.
fn directive(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["style" | "class", named, ..] => {
            let new: Vec<String> = named.split(',').map(id_of).collect();
            line.replacen(named, &new.join(","), 1)
        }
        ["subgraph", title, ..] if is_reserved(title.split('[').next().unwrap_or(title)) => {
            let id = title.split('[').next().unwrap_or(title);
            line.replacen(&format!("subgraph {id}"), &format!("subgraph {id}_"), 1)
        }
        _ => line.to_owned(),
    }
}

/// A node as it is written: `name[Label]:::class`.
pub(super) struct Node<'a> {
    pub name: &'a str,
    /// Its label in the brackets of its shape.
    pub shape: &'a str,
    class: &'a str,
}

impl<'a> Node<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let (text, class) = text.split_at(text.rfind(":::").unwrap_or(text.len()));
        // What breaks a line is none.
        let is_open = |(at, c): &(usize, char)| {
            "[({\"".contains(*c) || *c == '>' && !text[..*at].ends_with("<br/")
        };
        let at = text.char_indices().find(is_open);
        let (name, shape) = text.split_at(at.map_or(text.len(), |(at, _)| at));
        Self {
            name: name.trim_end_matches(BREAK).trim(),
            shape: shape.trim_end(),
            class,
        }
    }

    /// The node, and words behind a colon that are none of its name.
    fn without_words(mut self) -> (Self, &'a str) {
        let behind = self.name.split_once(": ").or(self.name.split_once(" :"));
        match behind.filter(|_| self.shape.is_empty()) {
            Some((name, words)) => {
                self.name = name.trim();
                (self, words.trim_matches([' ', ':']))
            }
            None => (self, ""),
        }
    }

    /// The node with an id, and with its name as its label where that is another and none is
    /// given anywhere.
    fn shown(&self, labelled: &BTreeSet<String>) -> String {
        // A label alone: `[Order service]`, or a name in quotes.
        let inner = self.shape.trim_matches(|c| "[](){}\"".contains(c)).trim();
        let name = if self.name.is_empty() {
            inner
        } else {
            self.name
        };
        let id = id_of(name);
        let is_shape = self.shape.ends_with([']', ')', '}']);
        let label = match is_shape || self.shape.starts_with('>') {
            true => self.shape.to_owned(),
            false if id == name && self.shape.is_empty() || labelled.contains(name) => {
                String::new()
            }
            false => format!("[\"{}\"]", name.replace('"', "#quot;")),
        };
        format!("{id}{label}{}", self.class)
    }
}

/// A part of a line of a flowchart.
pub(super) enum Part<'a> {
    /// A node, with blanks around it.
    Node(&'a str),
    /// `&`
    And,
    Link(Link<'a>),
}

/// A link such as `-->`, `-->|words|` or `-- words -->`.
pub(super) struct Link<'a> {
    whole: &'a str,
    /// What it begins and ends with: two halves, or the same arrow.
    pub ends: (&'a str, &'a str),
    pub words: &'a str,
}

/// The parts of a line that is one statement, in order. None where a link or a label does not
/// end.
pub(super) fn parts(line: &str) -> Option<Vec<Part<'_>>> {
    let mut parts = Vec::new();
    let (mut begin, mut at, mut before) = (0, 0, ' ');
    let mut closing: Vec<char> = Vec::new();
    while let Some(c) = line[at..].chars().next() {
        let rest = &line[at..];
        let joint = match closing.is_empty() {
            true if c == '&' && before.is_whitespace() && rest[1..].starts_with(' ') => {
                Some((1, Part::And))
            }
            true => link(rest, before)?.map(|link| (link.whole.len(), Part::Link(link))),
            false => None,
        };
        if let Some((length, part)) = joint {
            parts.extend([Part::Node(&line[begin..at]), part]);
            at += length;
            (begin, before) = (at, ' ');
            continue;
        }
        if closing.last() == Some(&c) {
            closing.pop();
        } else if closing.last() != Some(&'"') {
            closing.extend(match c {
                '[' => Some(']'),
                '(' => Some(')'),
                '{' => Some('}'),
                '"' => Some('"'),
                _ => None,
            });
        }
        (at, before) = (at + c.len_utf8(), c);
    }
    parts.push(Part::Node(&line[begin..]));
    closing.is_empty().then_some(parts)
}

/// The link at the start, if there is one; none where it does not end.
fn link(text: &str, before: char) -> Option<Option<Link<'_>>> {
    let Some((length, is_whole)) = arrow(text, before) else {
        return Some(None);
    };
    let (first, rest) = text.split_at(length);
    if is_whole {
        let words = rest.trim_start().strip_prefix('|');
        let words = words.map(|words| words.split_once('|').map(|(words, _)| words));
        let (end, words) = match words {
            // From the arrow to the bar behind the words.
            Some(words) => (rest.find('|')? + words?.len() + 2, words?),
            None => (0, ""),
        };
        let whole = &text[..length + end];
        let ends = (first, first);
        return Some(Some(Link { whole, ends, words }));
    }
    // Words between its halves: `-- yes -->`.
    let mut at = 0;
    loop {
        let c = rest[at..].chars().next()?;
        match arrow(&rest[at..], 'a') {
            Some((more, true)) => {
                return Some(Some(Link {
                    whole: &text[..length + at + more],
                    ends: (first, &rest[at..at + more]),
                    words: &rest[..at],
                }));
            }
            Some((more, false)) => at += more,
            None => at += c.len_utf8(),
        }
    }
}

/// Length of the arrow at the start, and whether it is a whole one; none where it is none.
fn arrow(text: &str, before: char) -> Option<(usize, bool)> {
    let ends = |rest: &str| rest.is_empty() || rest.starts_with([' ', '|']);
    let is_head = text.starts_with('<') || before.is_whitespace() && text.starts_with(['x', 'o']);
    let from = usize::from(is_head);
    let body = &text[from..];
    let run = |text: &str, c: char| text.len() - text.trim_start_matches(c).len();
    let (length, is_long) = match body.chars().next()? {
        '~' => (run(body, '~'), run(body, '~') > 2),
        c @ ('-' | '=') if run(body, c) > 1 => (run(body, c), run(body, c) > 2),
        '-' | '.' => {
            let dash = usize::from(body.starts_with('-'));
            let dots = run(&body[dash..], '.');
            let end = usize::from(body[dash + dots..].starts_with('-'));
            (if dots > 0 { dash + dots + end } else { 0 }, end > 0)
        }
        _ => (0, false),
    };
    if length < 2 || body.starts_with('~') && !is_long {
        return None;
    }
    let tail = &body[length..];
    let is_pointed = tail.starts_with('>') || tail.starts_with(['x', 'o']) && ends(&tail[1..]);
    // A half begins with a dash: `.-` within a name is none.
    (is_pointed || is_long || !body.starts_with('.')).then_some((
        from + length + usize::from(is_pointed),
        is_pointed || is_long,
    ))
}

/// The id of a node of that name: the name, where Mermaid takes it for one.
pub(super) fn id_of(name: &str) -> String {
    let is_sign = |c: char| is_of_id(c) || c.is_ascii() && "!#$%&'*+./\\?:,-".contains(c);
    if !name.chars().all(is_sign) {
        let mut id = String::with_capacity(name.len() + 8);
        for c in name.replace(BREAK, " ").chars() {
            match c {
                _ if is_of_id(c) => id.push(c),
                '-' => id.push('_'),
                _ if c.is_whitespace() => id.push('_'),
                _ => id.push_str(&format!("u{:x}", u32::from(c))),
            }
        }
        return if is_reserved(&id) { id + "_" } else { id };
    }
    match is_reserved(name) {
        true => format!("{}_", name.replace(|c| !is_of_id(c), "_")),
        false => name.to_owned(),
    }
}

/// A letter, digit or `_` of the scripts that Mermaid knows whole.
fn is_of_id(c: char) -> bool {
    let is_known =
        matches!(c, '\0'..='\u{52f}' | '\u{3041}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}');
    c == '_' || is_known && c.is_alphanumeric()
}

/// A word of Mermaid, or one that begins with it and a sign.
fn is_reserved(id: &str) -> bool {
    let word = id.split(|c| !is_of_id(c)).next();
    RESERVED.contains(&word.unwrap_or(id))
}

/// Names of several words in quotes, and a word for a relation that has none.
fn entities(line: &str) -> String {
    let (head, label) = match line.split_once(':') {
        Some((head, label)) => (head, Some(label)),
        None => (line, None),
    };
    let is_link = |word: &&str| word.contains("--") || word.contains("..");
    let Some(link) = head.split_whitespace().find(is_link) else {
        return line.to_owned();
    };
    let Some((from, to)) = head.split_once(link) else {
        return line.to_owned();
    };
    let indent = &from[..from.len() - from.trim_start().len()];
    let quoted = |name: &str| match name.contains(' ') && !name.contains('"') {
        true => format!("\"{name}\""),
        false => name.to_owned(),
    };
    let (from, to) = (quoted(from.trim()), quoted(to.trim()));
    let label = label.filter(|label| !label.trim().is_empty());
    format!("{indent}{from} {link} {to} :{}", label.unwrap_or(" \"\""))
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

    fn understood(kind: &str, line: &str) -> String {
        named(kind, &arrowed(kind, line), &BTreeSet::new())
    }

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
        for (kind, line, shown) in [
            ("stateDiagram-v2", "[*] → Idle", "[*] --> Idle"),
            ("erDiagram", "A ||--o{ B : has", "A ||--o{ B : has"),
            (
                "erDiagram",
                "  Order Service ||--o{ Line Item : is made of",
                "  \"Order Service\" ||--o{ \"Line Item\" : is made of",
            ),
            ("erDiagram", "A }|..|{ B", "A }|..|{ B : \"\""),
            ("erDiagram", "Order Service {", "Order Service {"),
        ] {
            assert_eq!(understood(kind, line), shown);
        }
    }

    #[test]
    fn a_node_of_any_name_is_one_node() {
        for (line, shown) in [
            (
                "Order Service --> Queue",
                "Order_Service[\"Order Service\"] --> Queue",
            ),
            (
                "订单 服务 -- 已付款 的 --> 队列",
                "订单_服务[\"订单 服务\"] -- 已付款 的 --> 队列",
            ),
            (
                "Line Item -->|is paid| A & Big One",
                "Line_Item[\"Line Item\"] -->|is paid| A & Big_One[\"Big One\"]",
            ),
            (
                "A -. now and then .-> B C ==> D E",
                "A -. now and then .-> B_C[\"B C\"] ==> D_E[\"D E\"]",
            ),
            ("A --x B C", "A --x B_C[\"B C\"]"),
            ("A x--x B C:::big", "A x--x B_C[\"B C\"]:::big"),
            (
                "Order Service[Orders (new)] --> B",
                "Order_Service[Orders (new)] --> B",
            ),
            ("A [x] --> B (y)", "A[x] --> B(y)"),
            (
                "[Order Service] --> \"the queue\"",
                "Order_Service[Order Service] --> the_queue[\"the queue\"]",
            ),
            ("a@b --> c=d", "au40b[\"a@b\"] --> cu3dd[\"c=d\"]"),
            ("😀 --> 😁", "u1f600[\"😀\"] --> u1f601[\"😁\"]"),
            (
                "A、B --> （c）",
                "Au3001B[\"A、B\"] --> uff08cuff09[\"（c）\"]",
            ),
            (
                "end.x --> graph/y",
                "end_x_[\"end.x\"] --> graph_y_[\"graph/y\"]",
            ),
            ("A --> B: some words", "A -->|some words| B"),
            ("A --> B : words", "A -->|words| B"),
            ("A -- x --> B: y", "A -- x --> B"),
            (
                "src/a.py --> std::io & user's",
                "src/a.py --> std::io & user's",
            ),
            ("A e1@--> B", "A e1@--> B"),
            ("A<br/>B --> C<br/>", "A_B[\"A<br/>B\"] --> C"),
            ("A --- B ~~~ C <--> D", "A --- B ~~~ C <--> D"),
            // What does not end is left as it stands.
            ("A B --> C[x", "A B --> C[x"),
            ("A B -- x", "A B -- x"),
        ] {
            assert_eq!(understood("flowchart", line), shown);
        }
        // A label that stands elsewhere is the node's.
        let lines = [
            "Order Service[Orders] --> end[Finish]",
            "Order Service --> end",
        ];
        let lines = lines.map(str::to_owned);
        let labelled = labelled("flowchart", &lines);
        assert_eq!(
            lines.map(|line| named("flowchart", &line, &labelled)),
            [
                "Order_Service[Orders] --> end_[Finish]",
                "Order_Service --> end_"
            ]
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
