//! Flow charts of Mermaid: read as loosely as models write them, and written so that Mermaid
//! reads the same.
//!
//! Brackets and arrows of other scripts, words of Mermaid's own as names, labels with quotes
//! and brackets, links that are continued: each has one reading here. What has none is an
//! error with the statement, and nothing of it is left out in silence.

mod arrow;
mod ids;
mod lines;

use ids::Names;
use lines::{closing_of, statements};

pub(super) use arrow::Line;
use arrow::{Arrow, arrow};

/// What breaks a line within a label.
const BREAK: &str = "<br/>";

/// A flow chart.
#[derive(Debug, Default)]
pub(super) struct Flow {
    /// `LR`, `RL`, `TB`, `TD` or `BT`.
    pub direction: String,
    pub statements: Vec<Statement>,
}

/// A statement, with what comes before it on its line.
#[derive(Debug)]
pub(super) struct Statement {
    indent: String,
    pub kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    /// Nodes, and what links them with those of the next step.
    Chain(Vec<Step>),
    /// A group begins. `name` is what links lead to.
    Group { name: String, title: String },
    /// The last group that is open ends.
    End,
    /// A direction within a group.
    Direction(String),
    /// Colours: the word, whom they are for, and how they look.
    Look {
        word: String,
        whom: String,
        how: String,
    },
}

/// `A & B -->`
#[derive(Debug)]
pub(super) struct Step {
    pub nodes: Vec<Node>,
    pub link: Option<Link>,
}

/// `name[Label]:::class`
#[derive(Debug, Default)]
pub(super) struct Node {
    pub name: String,
    /// What opens its label, the label, and what closes it.
    pub label: Option<(&'static str, String, &'static str)>,
    class: String,
}

/// A link such as `-->|words|`.
#[derive(Debug)]
pub(super) struct Link {
    pub arrow: Arrow,
    pub words: String,
}

/// Brackets of nodes, those with more of them first.
const SHAPES: [(&str, &str); 12] = [
    ("(((", ")))"),
    ("((", "))"),
    ("([", "])"),
    ("[[", "]]"),
    ("[(", ")]"),
    ("{{", "}}"),
    ("[/", "/]"),
    ("[\\", "\\]"),
    ("[", "]"),
    ("(", ")"),
    ("{", "}"),
    (">", "]"),
];

/// Directions of a chart.
const DIRECTIONS: [&str; 5] = ["LR", "RL", "TB", "TD", "BT"];

impl Flow {
    /// Reads what follows the kind on the first line, and the lines below it.
    ///
    /// # Errors
    /// The first statement that has no reading, and why; or nothing is drawn.
    pub(super) fn read(header: &str, lines: &[String]) -> Result<Self, String> {
        let header = header.trim().trim_start_matches([':', ';']);
        let (first, rest) = match header.split_once([' ', ';', ':']) {
            Some((first, rest)) => (first, rest.trim()),
            None => (header, ""),
        };
        let direction = first.to_uppercase();
        let mut flow = Self::default();
        let rest = match DIRECTIONS.contains(&&*direction) {
            true => {
                flow.direction = direction;
                rest
            }
            false => header,
        };
        let first = Some(rest.to_owned()).filter(|rest| !rest.is_empty());
        let lines: Vec<String> = first.into_iter().chain(lines.iter().cloned()).collect();
        for line in lines::whole(&lines) {
            for statement in statements(&line) {
                flow.take(statement)
                    .map_err(|why| format!("`{}`: {why}", statement.trim()))?;
            }
        }
        let is_drawn = |one: &Statement| matches!(one.kind, Kind::Chain(_));
        match flow.statements.iter().any(is_drawn) {
            true => Ok(flow),
            false => Err("it holds no node".to_owned()),
        }
    }

    fn take(&mut self, text: &str) -> Result<(), String> {
        let trimmed = text.trim_start();
        let indent = text[..text.len() - trimmed.len()].replace('\t', "  ");
        let trimmed = trimmed.trim_end();
        let kind = match directive(trimmed) {
            Some(word) => self.directive(word, trimmed[word.len()..].trim())?,
            None if is_remark(trimmed) => None,
            None => {
                // An item of a list.
                let bare = trimmed.strip_prefix("- ").or(trimmed.strip_prefix("* "));
                let steps = chain(bare.unwrap_or(trimmed))?;
                (!steps.is_empty()).then_some(Kind::Chain(steps))
            }
        };
        self.statements
            .extend(kind.map(|kind| Statement { indent, kind }));
        Ok(())
    }

    /// A statement about nodes, or about the whole; `None` if it only acts, as a link does.
    fn directive(&mut self, word: &str, rest: &str) -> Result<Option<Kind>, String> {
        let mut words = rest.splitn(2, ' ');
        let (first, last) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        Ok(match word {
            "subgraph" => Some(group(rest)?),
            "direction" => {
                let direction = first.to_uppercase();
                (DIRECTIONS.contains(&&*direction)).then_some(Kind::Direction(direction))
            }
            "style" | "class" | "classDef" | "linkStyle" => {
                let last = last.trim();
                let is_safe = |c: char| c.is_alphanumeric() || " #:,.%-_".contains(c);
                let has_look = !last.is_empty() && last.chars().all(is_safe);
                let is_pairs = word == "class" || last.contains(':');
                (has_look && is_pairs).then(|| Kind::Look {
                    word: word.to_owned(),
                    whom: first.to_owned(),
                    how: last.to_owned(),
                })
            }
            "end" => {
                let count = |is: fn(&Kind) -> bool| {
                    self.statements.iter().filter(|one| is(&one.kind)).count()
                };
                let open = count(|kind| matches!(kind, Kind::Group { .. }));
                if open <= count(|kind| matches!(kind, Kind::End)) {
                    return Err("it ends no group".to_owned());
                }
                Some(Kind::End)
            }
            _ => None,
        })
    }

    /// The chart in words that Mermaid reads, one statement a line.
    pub(super) fn written(&self) -> String {
        let mut names = Names::of(self);
        let mut out = match self.direction.as_str() {
            "" => Vec::new(),
            direction => vec![direction.to_owned()],
        };
        let mut open = 0usize;
        let mut looks = Vec::new();
        for (at, Statement { indent, kind }) in self.statements.iter().enumerate() {
            let lines = match kind {
                Kind::Chain(steps) => steps_written(steps, &mut names),
                Kind::Group { name, title } => {
                    open += 1;
                    let id = names.group(at, name);
                    let title = match id == *title {
                        true => String::new(),
                        false => labelled("[", title, "]"),
                    };
                    vec![format!("subgraph {id}{title}")]
                }
                Kind::End => {
                    open -= 1;
                    vec!["end".to_owned()]
                }
                Kind::Direction(direction) => vec![format!("direction {direction}")],
                // Behind all that they are about.
                Kind::Look { word, whom, how } => {
                    looks.extend(self.look(word, whom, how, &names));
                    continue;
                }
            };
            out.extend(lines.into_iter().map(|line| format!("{indent}{line}")));
        }
        // Its end is missing: all that follows belongs to it.
        out.extend((0..open).map(|_| "end".to_owned()));
        out.extend(looks);
        out.join("\n")
    }

    /// A line of colours; `None` for nodes or links that are not there, which Mermaid refuses.
    fn look(&self, word: &str, whom: &str, how: &str, names: &Names) -> Option<String> {
        let edges = self.edges();
        let is_link = |n: &str| n == "default" || n.parse::<usize>().is_ok_and(|n| n < edges);
        let whom: Vec<String> = match word {
            "linkStyle" => {
                let links = whom.split(',').filter(|n| is_link(n));
                links.map(str::to_owned).collect()
            }
            "classDef" => whom.split(',').map(ids::class_of).collect(),
            _ => whom
                .split(',')
                .filter_map(|name| names.known(name))
                .collect(),
        };
        (!whom.is_empty()).then(|| format!("{word} {} {how}", whom.join(",")))
    }

    fn edges(&self) -> usize {
        let chains = self.statements.iter().filter_map(|one| match &one.kind {
            Kind::Chain(steps) => Some(steps),
            _ => None,
        });
        let pairs = chains.flat_map(|steps| steps.windows(2));
        pairs
            .map(|two| two[0].nodes.len() * two[1].nodes.len())
            .sum()
    }
}

/// Words that begin a statement about nodes or about the whole.
const DIRECTIVES: [&str; 12] = [
    "subgraph",
    "end",
    "direction",
    "style",
    "class",
    "classDef",
    "linkStyle",
    "click",
    "href",
    "link",
    "links",
    "callback",
];

/// The word that a statement begins with, if it is no node of that name.
fn directive(statement: &str) -> Option<&str> {
    let first = statement.split_whitespace().next()?;
    let rest = statement[first.len()..].trim_start();
    if first.eq_ignore_ascii_case("end") && rest.is_empty() {
        return Some(&first[..3])
            .filter(|_| first.len() == 3)
            .map(|_| "end");
    }
    let is_node = rest.starts_with(['&', '[', '(', '{', '>', ':']) || lines::has_arrow(rest);
    // A title may be in brackets.
    let is_titled = first == "subgraph" && rest.starts_with(['[', '(', '{']);
    let word = DIRECTIVES.iter().find(|word| **word == first)?;
    (is_titled || !is_node).then_some(*word)
}

/// Returns whether a line is no statement: a sentence, a title, a row of a table, a comment of
/// other languages.
fn is_remark(line: &str) -> bool {
    let title = ["title ", "accTitle", "accDescr"];
    if title.iter().any(|word| line.starts_with(word)) && !lines::has_arrow(line) {
        return true;
    }
    let marks = ["# ", "//", "/*", "*/", "|", "##", "---"];
    if line == "#" || marks.iter().any(|mark| line.starts_with(mark)) {
        return true;
    }
    let ends = ['.', '。', ':', '：', '!', '！', '?', '？'];
    let is_sentence = line.ends_with(ends) || line.split_whitespace().count() > 5;
    let has_words = line.contains(char::is_whitespace) || line.ends_with(['。', '：']);
    let is_closed = line.ends_with([']', ')', '}']);
    let is_said = is_sentence && has_words || line.contains(": ");
    is_said && !is_closed && !lines::has_arrow(line)
}

/// `id [Title]`, `"Title"` or `Title`
fn group(rest: &str) -> Result<Kind, String> {
    if lines::has_arrow(rest) {
        return Err("a link stands on the line of its group".to_owned());
    }
    let rest = rest.trim_end_matches(['{', ':', '：']).trim();
    let at = rest.find(['[', '【', '［']).filter(|at| *at > 0);
    let split = at.and_then(|at| {
        let (id, shape) = rest.split_at(at);
        let end = closing_of(shape)?;
        let is_id = !id.trim().contains(' ');
        (is_id && end == shape.len()).then(|| (id.trim(), in_brackets(shape)))
    });
    let (name, title) = match split {
        Some((id, Some((_, title, _)))) => (id.to_owned(), title),
        _ => {
            let title = text_of(rest);
            (title.clone(), title)
        }
    };
    let title = match title.is_empty() {
        true => " ".to_owned(),
        false => title,
    };
    Ok(Kind::Group { name, title })
}

/// The steps of a statement; none for a line that only says how something looks.
fn chain(text: &str) -> Result<Vec<Step>, String> {
    let mut steps: Vec<Step> = Vec::new();
    let mut rest = text;
    loop {
        let (nodes, words, after) = nodes(rest)?;
        // `A --> B: words` says the words of the link.
        let before = steps.last_mut().and_then(|step| step.link.as_mut());
        if let Some(link) = before.filter(|link| link.words.is_empty()) {
            link.words = words;
        }
        let found = link(after)?;
        let Some((link, after)) = found else {
            steps.push(Step { nodes, link: None });
            break;
        };
        steps.push(Step {
            nodes,
            link: Some(link),
        });
        rest = after;
    }
    // `A@{ … }` by itself, which may be of a link.
    let only = steps.iter().flat_map(|step| &step.nodes).next();
    let is_bare = only.is_some_and(|node| node.label.is_none() && text.contains("@{"));
    Ok(match steps.len() == 1 && is_bare {
        true => Vec::new(),
        false => steps,
    })
}

/// `A & B`, words behind a colon, and what follows.
fn nodes(text: &str) -> Result<(Vec<Node>, String, &str), String> {
    let mut nodes = Vec::new();
    let mut rest = text;
    loop {
        let (node, words, after) = node(rest)?;
        nodes.push(node);
        match after.strip_prefix('&') {
            Some(after) => rest = after,
            None => return Ok((nodes, words, after)),
        }
    }
}

/// A node at the start, words behind a colon, and what follows, blanks left out.
fn node(text: &str) -> Result<(Node, String, &str), String> {
    let text = text.trim_start();
    let end = name_end(text);
    let (name, mut rest) = text.split_at(end);
    let (name, words) = without_words(name.trim());
    let mut node = Node {
        name: text_of(without_end(link_named(name))),
        ..Node::default()
    };
    let mut words = words.to_owned();
    if rest.starts_with(['[', '(', '{', '"', '>']) || lines::is_wide_open(rest) {
        let end = closing_of(rest).ok_or("a label does not end")?;
        let (shape, after) = rest.split_at(end);
        node.label = in_brackets(shape).filter(|(_, label, _)| !label.is_empty());
        rest = after;
    }
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix(":::") {
            let is_end = |c: char| !(c.is_alphanumeric() || c == '_' || c == '-');
            let end = after.find(is_end).unwrap_or(after.len());
            // A link begins with two dashes.
            let end = after[..end].find("--").unwrap_or(end);
            node.class = after[..end].to_owned();
            rest = &after[end..];
        } else if let Some(after) = rest.strip_prefix("@{") {
            let (data, after) = after.split_once('}').ok_or("`@{` does not end")?;
            let label = data.split_once("label:").map(|(_, label)| label.trim());
            let label = label.map(|label| match label.strip_prefix('"') {
                Some(quoted) => quoted.split('"').next().unwrap_or(quoted),
                None => label.split(',').next().unwrap_or(label),
            });
            if let Some(label) = label {
                node.label = Some(("[", text_of(label), "]"));
            }
            rest = after;
        } else if let Some(after) = rest.strip_prefix([':', '：']) {
            // All that follows, up to a link.
            let end = lines::arrow_at(after).unwrap_or(after.len());
            words = after[..end].trim().to_owned();
            rest = &after[end..];
        } else {
            break;
        }
    }
    let rest = if without_end(rest).is_empty() {
        ""
    } else {
        rest
    };
    check_name(&node)?;
    if node.name.is_empty() {
        let label = node.label.as_ref().map(|(_, label, _)| label.clone());
        node.name = label.ok_or("a link leads from or to nothing")?;
    }
    Ok((node, text_of(&words), rest))
}

/// Where the name of a node ends: at a label, a link, an `&` between blanks.
fn name_end(text: &str) -> usize {
    let (mut before, mut is_id) = (' ', true);
    for (at, c) in text.char_indices() {
        let rest = &text[at..];
        let is_named = !text[..at].trim().is_empty();
        let is_break = rest.starts_with(BREAK) || text[..at].ends_with("<br/");
        let is_label = "[({\"".contains(c) || c == '>' && rest.contains(']');
        // Behind a name in letters of such a script its brackets are part of it.
        let is_wide = is_id && lines::is_wide_open(rest);
        let is_and = c == '&' && before.is_whitespace() && rest[1..].starts_with(' ');
        let is_data = rest.starts_with(":::") || rest.starts_with("@{");
        // A head of letters belongs to no link where a name would begin.
        let is_head = is_named || !matches!(c, 'x' | 'o');
        let is_link = is_head && arrow(rest, before).is_some();
        if !is_break && (is_label || is_wide) || is_and || is_data || is_link {
            return at;
        }
        is_id &= c.is_ascii();
        before = c;
    }
    text.len()
}

/// The name of a node without that of the link behind it: `A e1@-->`.
fn link_named(name: &str) -> &str {
    match name.rsplit_once(' ') {
        Some((node, link)) if link.ends_with('@') => node.trim_end(),
        _ => name,
    }
}

/// Without what ends a sentence or an entry of a list.
fn without_end(text: &str) -> &str {
    text.strip_suffix([',', '，', '。', '.']).unwrap_or(text)
}

/// `name: words`
fn without_words(name: &str) -> (&str, &str) {
    let colon = [": ", " :", "：", "；"]
        .iter()
        .find_map(|sign| name.split_once(sign));
    match colon {
        Some((name, words)) if !name.is_empty() => (name.trim(), words.trim_matches([' ', ':'])),
        _ => (name, ""),
    }
}

fn check_name(node: &Node) -> Result<(), String> {
    let name = node.name.replace(BREAK, " ");
    let said = |what: &str| Err(format!("`{name}` is no name of a node: {what}"));
    if name.contains(['|', '<', '>', '[', ']', '(', ')', '{', '}', '"']) {
        return said("it holds a sign of a label or of a link");
    }
    if name.contains(", ") || name.contains('，') {
        return said("several nodes are joined by `&`");
    }
    let is_dash = |c: char| arrow::DASHES.contains(&c);
    let words: Vec<&str> = name.split_whitespace().collect();
    if words.iter().any(|word| word.chars().all(is_dash)) {
        return said("a link is written `-->`");
    }
    let ends = words
        .iter()
        .any(|word| word.len() > 1 && word.starts_with(is_dash));
    match words.len() > 1 && ends || name.contains(arrow::UNREAD) {
        true => said("a link is written `-->`, its words `-->|words|`"),
        false => Ok(()),
    }
}

/// A link at the start, and what follows; `None` if nothing does.
fn link(text: &str) -> Result<Option<(Link, &str)>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let (arrow, length) = arrow(text, ' ').ok_or("behind a node stands neither link nor end")?;
    let after = text[length..].trim_start();
    if let Some(inner) = after.strip_prefix(['|', '｜']) {
        let end = lines::bar_of(inner).ok_or("the words of a link do not end")?;
        let (words, after) = inner.split_at(end);
        let after = after.trim_start_matches(['|', '｜']).trim_start();
        // `-->|words|>` and `--|words|-->`
        let after = after.strip_prefix('>').unwrap_or(after);
        let (arrow, after) = match arrow::arrow(after, 'a') {
            Some((last, length)) => (arrow.with_end(&last), &after[length..]),
            None => (arrow.pointed(), after),
        };
        let words = text_of(words);
        return Ok(Some((Link { arrow, words }, after)));
    }
    if arrow.is_whole {
        let words = String::new();
        return Ok(Some((Link { arrow, words }, after)));
    }
    // Words between its halves: `-- yes -->`.
    match lines::second_half(after, &arrow) {
        Some((at, last, length)) => {
            let words = text_of(&after[..at]);
            let arrow = arrow.with_end(&last);
            Ok(Some((Link { arrow, words }, &after[at + length..])))
        }
        None if arrow.head == "<" => {
            let words = String::new();
            Ok(Some((Link { arrow, words }, after)))
        }
        // `--oB`
        None => match arrow.headed(after) {
            Some(arrow) => {
                let words = String::new();
                Ok(Some((Link { arrow, words }, &after[1..])))
            }
            None => Err("the words of a link do not end".to_owned()),
        },
    }
}

/// A label in its brackets: what opens and closes it, and the label.
fn in_brackets(whole: &str) -> Option<(&'static str, String, &'static str)> {
    let whole = lines::narrow(whole);
    if whole.starts_with('"') {
        return Some(("[", text_of(&whole), "]"));
    }
    let found = SHAPES.iter().find_map(|(open, close)| {
        let inner = whole.strip_prefix(open)?.strip_suffix(close)?;
        Some((*open, *close, inner))
    });
    let (open, close, label) = found?;
    Some((open, text_of(label), close))
}

/// A text as it is meant, without the quotes around it.
fn text_of(text: &str) -> String {
    let text = text.trim().replace("#quot;", "\"");
    let pairs = [('"', '"'), ('“', '”')];
    let inner = |(open, close)| text.strip_prefix(open)?.strip_suffix(close);
    let inner = pairs.into_iter().find_map(inner).unwrap_or(&text);
    inner.trim().to_owned()
}

/// A chain, or each of its links by itself where one points back.
fn steps_written(steps: &[Step], names: &mut Names) -> Vec<String> {
    let group = |step: &Step, names: &mut Names| -> String {
        let nodes: Vec<String> = step.nodes.iter().map(|node| names.node(node)).collect();
        nodes.join(" & ")
    };
    let is_back = |step: &Step| step.link.as_ref().is_some_and(|link| link.arrow.is_back());
    let mut out = Vec::new();
    if !steps.iter().any(is_back) {
        let mut line = String::new();
        for step in steps {
            line.push_str(&group(step, names));
            if let Some(link) = &step.link {
                line.push_str(&format!(" {} ", link_written(link)));
            }
        }
        out.push(line);
        return out;
    }
    for two in steps.windows(2) {
        let Some(link) = &two[0].link else { continue };
        let (first, last) = match link.arrow.is_back() {
            true => (&two[1], &two[0]),
            false => (&two[0], &two[1]),
        };
        let first = group(first, names);
        let last = group(last, names);
        out.push(format!("{first} {} {last}", link_written(link)));
    }
    out
}

fn link_written(link: &Link) -> String {
    let words = match link.words.is_empty() {
        true => String::new(),
        false => labelled("|", &link.words, "|"),
    };
    format!("{}{words}", link.arrow)
}

/// What a label must not hold without quotes.
const SPECIAL: [char; 14] = [
    '(', ')', '[', ']', '{', '}', '"', '|', '@', ';', '#', '<', '>', '\\',
];

/// A label between what opens and closes it, in quotes where Mermaid could not read it.
fn labelled(open: &str, label: &str, close: &str) -> String {
    let bare = label.replace(BREAK, "");
    let ends = ['/', '-', '“'];
    let is_plain = !bare.contains(SPECIAL) && !bare.starts_with(ends) && !bare.ends_with(ends);
    match is_plain && !ids::is_reserved(&bare) && !label.trim().is_empty() {
        true => format!("{open}{label}{close}"),
        false => format!("{open}\"{}\"{close}", label.replace('"', "#quot;")),
    }
}
