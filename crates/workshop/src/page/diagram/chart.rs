//! Flow charts of Mermaid, read.

use std::collections::BTreeMap;

/// Most boxes of a chart that is drawn.
pub const MOST: usize = 120;
/// Edges of a chart that is drawn, at most.
const MOST_EDGES: usize = 4 * MOST;
/// Widest line of a label, in letters of Latin script.
const WRAP: f64 = 26.0;

/// What a box looks like.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Shape {
    #[default]
    Box,
    Round,
    Choice,
    Store,
}

/// A box.
#[derive(Debug, Default)]
pub struct Node {
    pub shape: Shape,
    pub lines: Vec<String>,
    /// The title of what it stands in.
    pub group: Option<String>,
}

/// A line from box to box.
#[derive(Debug)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    /// Has it an arrow at its beginning, and at its end?
    pub heads: (bool, bool),
    pub look: &'static str,
    pub label: Vec<String>,
}

/// A flow chart as it is meant.
#[derive(Debug, Default)]
pub struct Chart {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// Do layers follow one another from left to right?
    pub is_wide: bool,
    /// Do they begin at the far end?
    pub is_turned: bool,
    ids: BTreeMap<String, usize>,
    /// The groups that are open, by title.
    groups: Vec<String>,
    group_ids: Vec<String>,
}

impl Chart {
    /// Reads it; none where it is no flow chart or not all of it is understood.
    pub fn read(source: &str) -> Option<Self> {
        let mut statements = statements(source).into_iter();
        let head = statements.next()?;
        let mut words = head.split_whitespace();
        let is_flow = matches!(words.next()?, "flowchart" | "graph");
        let direction = words.next().unwrap_or("TB");
        let mut chart = Self {
            is_wide: matches!(direction, "LR" | "RL"),
            is_turned: matches!(direction, "RL" | "BT"),
            ..Self::default()
        };
        let is_known = matches!(direction, "LR" | "RL" | "TB" | "TD" | "BT");
        if !is_flow || !is_known {
            return None;
        }
        for statement in statements {
            chart.take(&statement)?;
        }
        // An edge to a group is none to a box of its name.
        let to_group = chart.group_ids.iter().any(|id| chart.ids.contains_key(id));
        let is_whole = chart.groups.is_empty() && !to_group;
        let is_fit = is_whole && !chart.nodes.is_empty() && chart.nodes.len() <= MOST;
        is_fit.then_some(chart)
    }

    /// The chart in words, for those who do not see it.
    pub fn told(&self) -> String {
        let name = |at: usize| self.nodes[at].lines.join(" ");
        let edges = self.edges.iter().map(|edge| {
            let label = match edge.label.is_empty() {
                true => String::new(),
                false => format!(" ({})", edge.label.join(" ")),
            };
            format!("{} → {}{label}", name(edge.from), name(edge.to))
        });
        let alone = (0..self.nodes.len()).filter(|at| {
            let mut ends = self.edges.iter().flat_map(|edge| [edge.from, edge.to]);
            !ends.any(|end| end == *at)
        });
        edges.chain(alone.map(name)).collect::<Vec<_>>().join("; ")
    }

    fn take(&mut self, statement: &str) -> Option<()> {
        let (word, rest) = statement.split_once(' ').unwrap_or((statement, ""));
        match word {
            "style" | "classDef" | "class" | "linkStyle" | "direction" => return Some(()),
            "end" if rest.is_empty() => return self.groups.pop().map(|_| ()),
            "subgraph" => {
                let mut reader = Reader(rest);
                let id = reader.id();
                let titled = reader.shape().map(|(_, label)| label.join(" "));
                self.group_ids.push(id.clone());
                let title = titled.unwrap_or_else(|| words(rest).join(" "));
                self.groups.push(if title.is_empty() { id } else { title });
                return Some(());
            }
            _ => {}
        }
        let mut reader = Reader(statement);
        let mut from = self.boxes(&mut reader)?;
        while !reader.rest().is_empty() {
            let (heads, look, label) = reader.link()?;
            let to = self.boxes(&mut reader)?;
            if self.edges.len() + from.len() * to.len() > MOST_EDGES {
                return None;
            }
            for (a, b) in from.iter().flat_map(|a| to.iter().map(move |b| (*a, *b))) {
                // A box that leads to itself is left to those who read the source.
                let label = (a != b).then(|| label.clone())?;
                self.edges.push(Edge {
                    from: a,
                    to: b,
                    heads,
                    look,
                    label,
                });
            }
            from = to;
        }
        Some(())
    }

    /// `A[text] & B`
    fn boxes(&mut self, reader: &mut Reader<'_>) -> Option<Vec<usize>> {
        let mut all = Vec::new();
        loop {
            let id = reader.id();
            if id.is_empty() {
                return None;
            }
            let next = self.ids.len();
            let at = *self.ids.entry(id.clone()).or_insert(next);
            if at == self.nodes.len() {
                self.nodes.push(Node {
                    lines: vec![id],
                    group: self.groups.last().cloned(),
                    ..Node::default()
                });
            }
            if let Some((shape, lines)) = reader.shape() {
                (self.nodes[at].shape, self.nodes[at].lines) = (shape, lines);
            }
            if reader.takes(":::") {
                reader.id();
            }
            all.push(at);
            if all.len() > MOST {
                return None;
            }
            if !reader.takes("&") {
                return Some(all);
            }
        }
    }
}

/// Lines and what is between semicolons, but for those within labels.
fn statements(source: &str) -> Vec<String> {
    let (mut all, mut one) = (Vec::new(), String::new());
    let (mut depth, mut is_quoted) = (0, false);
    for c in source.chars().chain(['\n']) {
        match c {
            '"' => is_quoted = !is_quoted,
            '[' | '(' | '{' if !is_quoted => depth += 1,
            ']' | ')' | '}' if !is_quoted => depth -= 1,
            _ => {}
        }
        if c == '\n' || (c == ';' && depth <= 0 && !is_quoted) {
            (depth, is_quoted) = (0, false);
            let text = std::mem::take(&mut one);
            all.extend(Some(text.trim().to_owned()).filter(|text| !text.is_empty()));
        } else {
            one.push(c);
        }
    }
    all
}

/// What is left to read of a statement.
struct Reader<'s>(&'s str);

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.0.trim_start()
    }

    fn takes(&mut self, start: &str) -> bool {
        let rest = self.0.trim_start().strip_prefix(start);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    /// Letters, digits and `_`, with single dashes, dots or slashes between them.
    fn id(&mut self) -> String {
        let text = self.0.trim_start();
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let mut chars = text.char_indices().peekable();
        let mut end = text.len();
        while let Some((at, c)) = chars.next() {
            let joins = "-./".contains(c) && chars.peek().is_some_and(|(_, next)| is_part(*next));
            if !(is_part(c) || joins && at > 0) {
                end = at;
                break;
            }
        }
        self.0 = &text[end..];
        text[..end].to_owned()
    }

    /// A label in brackets, with the shape that they stand for.
    fn shape(&mut self) -> Option<(Shape, Vec<String>)> {
        let shapes = [
            ("([", "])", Shape::Round),
            ("((", "))", Shape::Round),
            ("[(", ")]", Shape::Store),
            ("[[", "]]", Shape::Box),
            ("[/", "/]", Shape::Box),
            ("[\\", "\\]", Shape::Box),
            ("{{", "}}", Shape::Choice),
            ("[", "]", Shape::Box),
            ("(", ")", Shape::Round),
            ("{", "}", Shape::Choice),
            (">", "]", Shape::Box),
        ];
        for (open, close, shape) in shapes {
            let Some(inner) = self.0.strip_prefix(open) else {
                continue;
            };
            let end = match inner.trim_start().strip_prefix('"') {
                Some(quoted) => {
                    let quote = quoted.find('"')? + inner.len() - quoted.len();
                    quote + inner[quote..].find(close)?
                }
                None => inner.find(close)?,
            };
            self.0 = &inner[end + close.len()..];
            return Some((shape, words(&inner[..end])));
        }
        None
    }

    /// `-->`, `-- text -->`, `-.->|text|` and the like: arrows, look and label.
    fn link(&mut self) -> Option<((bool, bool), &'static str, Vec<String>)> {
        let halves = |text: &str| text.find(|c| !"-=.~".contains(c)).unwrap_or(text.len());
        let is_tip = |rest: &str| {
            let crossed = rest.strip_prefix(['x', 'o']);
            rest.starts_with('>') || crossed.is_some_and(|rest| rest.starts_with([' ', '|']))
        };
        let text = self.0.trim_start();
        let back = text.strip_prefix('<');
        let text = back.unwrap_or(text);
        let (mut line, mut rest) = text.split_at(halves(text));
        let mut label = Vec::new();
        if line.len() == 2 && !is_tip(rest) {
            // Words between the halves of a link.
            let ways = ["--", "==", "-.", ".-"];
            let close = ways.iter().filter_map(|half| rest.find(half)).min()?;
            label = words(&rest[..close]);
            (line, rest) = rest[close..].split_at(halves(&rest[close..]));
        }
        if line.len() < 2 {
            return None;
        }
        let has_tip = is_tip(rest);
        rest = &rest[usize::from(has_tip)..];
        if let Some(inner) = rest.trim_start().strip_prefix('|') {
            let (text, after) = inner.split_once('|')?;
            (label, rest) = (words(text), after);
        }
        let looks = [('.', "dotted"), ('=', "thick"), ('~', "hidden")];
        let look = looks.iter().find(|(sign, _)| line.contains(*sign));
        self.0 = rest;
        Some((
            (back.is_some(), has_tip),
            look.map_or("plain", |look| look.1),
            label,
        ))
    }
}

/// The lines of a label, broken at blanks and between letters of Chinese.
fn words(label: &str) -> Vec<String> {
    let label = label.trim().trim_matches('"').replace("<br/>", "\n");
    let label = label.replace("#quot;", "\"");
    let label = label.replace("<br>", "\n").replace("\\n", "\n");
    let (mut lines, mut line) = (Vec::new(), String::new());
    for part in label.lines() {
        for piece in part.split_inclusive(|c| c == ' ' || c >= '\u{2e80}') {
            if letters(&line) + letters(piece.trim_end()) > WRAP {
                lines.push(std::mem::take(&mut line));
            }
            line.push_str(piece);
        }
        lines.push(std::mem::take(&mut line));
    }
    let lines = lines.iter().map(|line| line.trim().to_owned());
    lines.filter(|line| !line.is_empty()).collect()
}

/// Width in letters of Latin script, of which one of Chinese has nearly two.
pub fn letters(text: &str) -> f64 {
    text.chars()
        .map(|c| if c < '\u{2e80}' { 1.0 } else { 1.85 })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(source: &str) -> String {
        Chart::read(source).expect(source).told()
    }

    #[test]
    fn what_members_write_is_read() {
        for (source, expected) in [
            ("flowchart LR\n  User --> Core", "User → Core"),
            ("graph TD; A-->B; B-->C[\"x (y)\"];", "A → B; B → x (y)"),
            (
                "flowchart TB\nA & B --> C & D",
                "A → C; A → D; B → C; B → D",
            ),
            (
                "flowchart LR\nA -->|yes| B -- no way --> C",
                "A → B (yes); B → C (no way)",
            ),
            (
                "flowchart LR\nA -. later .-> B == now ==> C",
                "A → B (later); B → C (now)",
            ),
            (
                "flowchart LR\nA --- B -.- C === D --x E --o F",
                "A → B; B → C; C → D; D → E; E → F",
            ),
            ("flowchart LR\na-b.rs --> src/c", "a-b.rs → src/c"),
            (
                "flowchart LR\nA{ok?} --> B[(store)]:::big\nclassDef big fill:#fff",
                "ok? → store",
            ),
            (
                "flowchart LR\nsubgraph S[Shop]\n A --> B\nend\nB <--> C",
                "A → B; B → C",
            ),
            (
                "flowchart LR\n客户 --> 导出[导出; 列表]",
                "客户 → 导出; 列表",
            ),
            ("flowchart LR\nA[one<br/>two]", "one two"),
        ] {
            assert_eq!(edges(source), expected, "{source}");
        }
    }
}
