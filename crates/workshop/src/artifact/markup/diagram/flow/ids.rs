//! Names of nodes as ids that Mermaid takes for ids.

use std::collections::{BTreeMap, BTreeSet};

use super::{Flow, Kind, Node, labelled};

/// Words that a flowchart reserves and that cannot be ids.
const RESERVED: [&str; 20] = [
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
    "interpolate",
    "_self",
    "_blank",
    "_parent",
    "_top",
    "flowchart-elk",
];

/// The ids of a chart: one for each name.
pub(super) struct Names {
    ids: BTreeMap<String, String>,
    taken: BTreeSet<String>,
    /// Names that have a label somewhere.
    labelled: BTreeSet<String>,
    /// Groups, by their statement, that hold a node of their name.
    around: BTreeSet<usize>,
}

impl Names {
    pub(super) fn of(flow: &Flow) -> Self {
        let mut names = Self {
            ids: BTreeMap::new(),
            taken: BTreeSet::new(),
            labelled: BTreeSet::new(),
            around: BTreeSet::new(),
        };
        let mut all: Vec<&str> = Vec::new();
        let mut open: Vec<(usize, &str)> = Vec::new();
        for (at, statement) in flow.statements.iter().enumerate() {
            match &statement.kind {
                Kind::Chain(steps) => {
                    for node in steps.iter().flat_map(|step| &step.nodes) {
                        all.push(&node.name);
                        if node.label.is_some() {
                            names.labelled.insert(node.name.clone());
                        }
                        let same = open.iter().filter(|(_, name)| *name == node.name);
                        names.around.extend(same.map(|(at, _)| *at));
                    }
                }
                Kind::Group { name, .. } => open.push((at, name)),
                Kind::End => drop(open.pop()),
                _ => {}
            }
        }
        // A name that is an id keeps it, whatever others become.
        let (own, others): (Vec<&str>, Vec<&str>) =
            all.iter().partition(|name| id_of(name) == **name);
        for name in own.into_iter().chain(others) {
            names.id(name);
        }
        names
    }

    /// The id of a name.
    fn id(&mut self, name: &str) -> String {
        if let Some(id) = self.ids.get(name) {
            return id.clone();
        }
        let id = self.free(id_of(name));
        self.ids.insert(name.to_owned(), id.clone());
        id
    }

    /// The id, with a number where it is another's.
    fn free(&mut self, id: String) -> String {
        let mut free = id.clone();
        let mut n = 2;
        while !self.taken.insert(free.clone()) {
            free = format!("{id}_{n}");
            n += 1;
        }
        free
    }

    /// The id of a group: that of its name, so that links find it, unless it holds a node of
    /// that name.
    pub(super) fn group(&mut self, at: usize, name: &str) -> String {
        match self.around.contains(&at) || name.is_empty() {
            true => self.free(format!("{}_group", id_of(name))),
            false => self.id(name),
        }
    }

    /// The id of a name that is in the chart, or of a class.
    pub(super) fn known(&self, name: &str) -> Option<String> {
        self.ids.get(name.trim()).cloned()
    }

    /// The node, with its name as its label where its id is another and no label is given.
    pub(super) fn node(&mut self, node: &Node) -> String {
        let id = self.id(&node.name);
        let label = match &node.label {
            Some((open, label, close)) if *label != id || *open != "[" => {
                labelled(open, label, close)
            }
            None if id != node.name && !self.labelled.contains(&node.name) => {
                labelled("[", &node.name, "]")
            }
            _ => String::new(),
        };
        let class = match node.class.is_empty() {
            true => String::new(),
            false => format!(":::{}", class_of(&node.class)),
        };
        format!("{id}{label}{class}")
    }
}

/// The id of a node of that name: the name, where Mermaid takes it for one.
fn id_of(name: &str) -> String {
    let is_sign = |c: char| is_of_id(c) || c.is_ascii() && "!$%'*+./\\?:,-".contains(c);
    let is_id = name.chars().all(is_sign) && !name.starts_with('-');
    if is_id && !is_reserved(name) {
        return name.to_owned();
    }
    let mut id = String::with_capacity(name.len() + 8);
    for c in name.replace(super::BREAK, " ").chars() {
        match c {
            _ if is_of_id(c) => id.push(c),
            _ if c == '-' || c.is_whitespace() || is_id => id.push('_'),
            _ => id.push_str(&format!("u{:x}", u32::from(c))),
        }
    }
    match is_reserved(&id) || is_id {
        true => id + "_",
        false => id,
    }
}

/// A class, by a name without signs.
pub(super) fn class_of(name: &str) -> String {
    let name = name.replace(
        |c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-',
        "_",
    );
    match RESERVED.contains(&&*name) && name != "default" {
        true => name + "_",
        false => name,
    }
}

/// A letter, digit or `_` of the scripts that Mermaid knows whole.
fn is_of_id(c: char) -> bool {
    let is_known =
        matches!(c, '\0'..='\u{52f}' | '\u{3041}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}');
    c == '_' || is_known && c.is_alphanumeric()
}

/// A word of Mermaid, or one that begins with it and a sign.
pub(super) fn is_reserved(id: &str) -> bool {
    let word = id.split(|c| !is_of_id(c)).next();
    RESERVED.contains(&word.unwrap_or(id))
}
