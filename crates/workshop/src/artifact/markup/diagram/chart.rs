//! Flow charts of Mermaid, read.

use std::collections::BTreeMap;

use super::flow::{self, Kind, Line, Link, Step};

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
    /// The title of the group that holds it.
    pub group: Option<String>,
}

/// A line from box to box.
#[derive(Debug)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    /// Whether it has an arrow at its beginning, and at its end.
    pub heads: (bool, bool),
    pub look: &'static str,
    pub label: Vec<String>,
}

/// A flow chart as it is meant.
#[derive(Debug, Default)]
pub struct Chart {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// Whether layers follow one another from left to right.
    pub is_wide: bool,
    /// Whether they begin at the far end.
    pub is_turned: bool,
    ids: BTreeMap<String, usize>,
    /// The groups that are open, by title.
    groups: Vec<String>,
    group_ids: Vec<String>,
}

impl Chart {
    /// Reads it as [`diagram`](super::diagram) shows it; `None` if it is no flow chart, or is
    /// drawn better by others.
    pub fn read(source: &str) -> Option<Self> {
        let flow = super::read(source).ok()?.flow?;
        let direction = flow.direction.as_str();
        let mut chart = Self {
            is_wide: matches!(direction, "LR" | "RL"),
            is_turned: matches!(direction, "RL" | "BT"),
            ..Self::default()
        };
        for statement in &flow.statements {
            match &statement.kind {
                Kind::Chain(steps) => chart.take(steps)?,
                Kind::Group { name, title } => {
                    chart.groups.push(words(title).join(" "));
                    chart.group_ids.push(name.clone());
                }
                Kind::End => drop(chart.groups.pop()),
                Kind::Direction(_) | Kind::Look { .. } => {}
            }
        }
        // An edge to a group is none to a box of its name.
        let to_group = chart.group_ids.iter().any(|id| chart.ids.contains_key(id));
        (!to_group && chart.nodes.len() <= MOST).then_some(chart)
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

    fn take(&mut self, steps: &[Step]) -> Option<()> {
        let mut before: Option<(Vec<usize>, &Link)> = None;
        for step in steps {
            let nodes: Vec<usize> = step.nodes.iter().map(|node| self.node(node)).collect();
            if let Some((from, link)) = before {
                self.connect(&from, link, &nodes)?;
            }
            before = step.link.as_ref().map(|link| (nodes, link));
        }
        Some(())
    }

    /// `A[text]:::class`
    fn node(&mut self, node: &flow::Node) -> usize {
        let next = self.ids.len();
        let at = *self.ids.entry(node.name.clone()).or_insert(next);
        if at == self.nodes.len() {
            self.nodes.push(Node {
                lines: words(&node.name),
                group: self.groups.last().cloned(),
                ..Node::default()
            });
        }
        if let Some((open, label, _)) = &node.label {
            self.nodes[at].lines = words(label);
            self.nodes[at].shape = match *open {
                "[(" => Shape::Store,
                "{" | "{{" => Shape::Choice,
                "(" | "((" | "(((" | "([" => Shape::Round,
                _ => Shape::Box,
            };
        }
        at
    }

    /// Links each box with each.
    fn connect(&mut self, from: &[usize], link: &Link, to: &[usize]) -> Option<()> {
        if self.edges.len() + from.len() * to.len() > MOST_EDGES {
            return None;
        }
        let look = match link.arrow.line {
            Line::Plain => "plain",
            Line::Dotted => "dotted",
            Line::Thick => "thick",
            Line::Hidden => "hidden",
        };
        let heads = (!link.arrow.head.is_empty(), !link.arrow.tail.is_empty());
        for (a, b) in from.iter().flat_map(|a| to.iter().map(move |b| (*a, *b))) {
            // A box that leads to itself is left to those who read the source.
            (a != b).then_some(())?;
            let is_back = link.arrow.is_back();
            self.edges.push(Edge {
                from: if is_back { b } else { a },
                to: if is_back { a } else { b },
                heads: if is_back { (false, true) } else { heads },
                look,
                label: words(&link.words),
            });
        }
        Some(())
    }
}

/// The lines of a label, broken at blanks and between letters of Chinese.
fn words(label: &str) -> Vec<String> {
    let label = label.replace("<br/>", "\n").replace("\\n", "\n");
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
