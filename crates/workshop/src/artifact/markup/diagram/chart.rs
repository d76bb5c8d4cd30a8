//! Flow charts of Mermaid, read.

use std::collections::BTreeMap;

use super::flow::{self, Link, Part};
use super::labels::in_brackets;

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
    /// Reads it as [`diagram`](super::diagram) shows it; none where it is no flow chart or not
    /// all of it is understood.
    pub fn read(source: &str) -> Option<Self> {
        let source = super::diagram(source)?;
        let mut lines = source.lines();
        let mut words = lines.next()?.split_whitespace();
        let is_flow = super::is_flow(words.next()?);
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
        for line in lines {
            chart.take(line.trim())?;
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

    fn take(&mut self, line: &str) -> Option<()> {
        if flow::is_directive(line) {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "end" => return self.groups.pop().map(|_| ()),
                "subgraph" => {
                    let group = flow::Node::of(rest.trim());
                    let title = match in_brackets(group.shape) {
                        Some((_, label, ..)) => label,
                        None if group.name.is_empty() => group.shape,
                        None => group.name,
                    };
                    self.groups.push(words(title).join(" "));
                    self.group_ids.push(flow::id_of(group.name));
                }
                _ => {}
            }
            return Some(());
        }
        let (mut from, mut to, mut link) = (Vec::new(), Vec::new(), None);
        for part in flow::parts(line)? {
            match part {
                Part::Node(text) => to.push(self.node(text.trim())?),
                Part::And => {}
                Part::Link(next) => {
                    self.connect(&from, link.as_ref(), &to)?;
                    (from, link) = (std::mem::take(&mut to), Some(next));
                }
            }
        }
        self.connect(&from, link.as_ref(), &to)
    }

    /// `A[text]:::class`
    fn node(&mut self, text: &str) -> Option<usize> {
        let node = flow::Node::of(text);
        if node.name.is_empty() || flow::id_of(node.name) != node.name {
            return None;
        }
        let next = self.ids.len();
        let at = *self.ids.entry(node.name.to_owned()).or_insert(next);
        if at == self.nodes.len() {
            self.nodes.push(Node {
                lines: vec![node.name.to_owned()],
                group: self.groups.last().cloned(),
                ..Node::default()
            });
        }
        if !node.shape.is_empty() {
            let (_, label, _, shape) = in_brackets(node.shape)?;
            (self.nodes[at].shape, self.nodes[at].lines) = (shape, words(label));
        }
        Some(at)
    }

    /// Links each box with each.
    fn connect(&mut self, from: &[usize], link: Option<&Link<'_>>, to: &[usize]) -> Option<()> {
        let Some(Link {
            ends: (first, last),
            words: label,
            ..
        }) = link
        else {
            return Some(());
        };
        if self.edges.len() + from.len() * to.len() > MOST_EDGES {
            return None;
        }
        let looks = [('.', "dotted"), ('=', "thick"), ('~', "hidden")];
        let look = looks.iter().find(|(sign, _)| first.contains(*sign));
        for (a, b) in from.iter().flat_map(|a| to.iter().map(move |b| (*a, *b))) {
            // A box that leads to itself is left to those who read the source.
            (a != b).then_some(())?;
            self.edges.push(Edge {
                from: a,
                to: b,
                heads: (
                    first.starts_with(['<', 'x', 'o']),
                    last.ends_with(['>', 'x', 'o']),
                ),
                look: look.map_or("plain", |look| look.1),
                label: words(label),
            });
        }
        Some(())
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
            (
                "graph LR; style --> Big One; style A fill:#fff; A -> B",
                "style → Big One; A → B",
            ),
            ("flowchart LR\nA e -- no-->B", "A e → B (no)"),
        ] {
            assert_eq!(edges(source), expected, "{source}");
        }
    }
}
