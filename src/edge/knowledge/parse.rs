//! What a file is made of: its definitions, and the chunks it is shown in.
//!
//! A text of a known language is parsed, one with headings is cut at these, and any other
//! into blocks of about 20 lines. Nothing fails: what cannot be parsed is cut into blocks.

mod blocks;
mod languages;

use std::ops::ControlFlow;

use tree_sitter::{Node, ParseOptions, Parser};

use blocks::{blocks, is_blank, sections};
use languages::Language;

/// Bytes of a file that is parsed, at most.
const MAX_BYTES: usize = 512 << 10;
/// Times a parser may report before it is stopped; it does so every hundred steps.
const MAX_REPORTS: u32 = 200_000;
/// Definitions within one another that are looked into, at most.
const MAX_DEPTH: usize = 12;
/// Lines of a definition with members that is a chunk of its own, at most.
const WHOLE_CONTAINER: usize = 25;
/// Lines of any other one, at most.
const WHOLE: usize = 40;

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A function or method.
    Function,
    /// A class, struct, union, record or enum.
    Class,
    /// A trait or interface.
    Interface,
    /// Members of a type, apart from its definition.
    Impl,
    /// A module or namespace.
    Module,
    /// A name for a type.
    Type,
    /// A constant or variable of a whole file.
    Constant,
    /// A macro.
    Macro,
    /// The heading of a section.
    Heading,
}

impl Kind {
    /// The word for it in a listing.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Class => "class",
            Self::Interface => "interface",
            Self::Impl => "impl",
            Self::Module => "module",
            Self::Type => "type",
            Self::Constant => "constant",
            Self::Macro => "macro",
            Self::Heading => "section",
        }
    }

    /// May it hold definitions of its own?
    const fn is_container(self) -> bool {
        matches!(
            self,
            Self::Class | Self::Interface | Self::Impl | Self::Module
        )
    }
}

/// A name that is defined in a file. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// Its own name, such as `load`.
    pub name: String,
    /// The name with those around it, such as `Config.load`.
    pub qualified: String,
    /// What it is.
    pub kind: Kind,
    /// First line, leading comments and attributes with it.
    pub from: u32,
    /// The line on which it is named.
    pub at: u32,
    /// Last line.
    pub to: u32,
}

/// Lines that are ranked and shown together. They do not overlap, and every line that is
/// not blank is in one. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Qualified name of the definition or section it is of; empty outside of any.
    pub name: String,
    /// First line.
    pub from: u32,
    /// Last line.
    pub to: u32,
}

/// What a file is made of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parsed {
    /// Definitions in the order in which they begin, outer ones first.
    pub definitions: Vec<Definition>,
    /// Chunks in order.
    pub chunks: Vec<Chunk>,
}

/// A definition with those in it; lines count from 0.
struct Item {
    name: String,
    kind: Kind,
    from: usize,
    at: usize,
    to: usize,
    members: Vec<Item>,
}

/// Reads a text as what its path says it is.
pub fn parse(path: &str, text: &str) -> Parsed {
    let lines: Vec<&str> = text.lines().collect();
    let items = match Language::of(path) {
        Some(language) => syntax(language, text).unwrap_or_default(),
        None => sections(path, &lines),
    };
    let mut parsed = Parsed::default();
    let mut writing = Writing {
        lines: &lines,
        parsed: &mut parsed,
    };
    writing.between(&items, 0, lines.len(), "");
    parsed
}

/// The numbers of the lines on which a name stands as a word of its own, counted from 1.
pub fn mentions<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = u32> + 'a {
    let lines = (1..).zip(text.lines());
    let holds = move |line: &str| identifiers(line).any(|word| word == name);
    lines.filter_map(move |(number, line)| holds(line).then_some(number))
}

/// The words of a text that can be names: letters, figures and `_`, no figure first.
pub fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// The definitions of a text by its syntax; `None` if it is too much to be parsed.
fn syntax(language: Language, text: &str) -> Option<Vec<Item>> {
    if text.len() > MAX_BYTES {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_language(&language.grammar()).ok()?;
    let mut reports = 0;
    // Steps, and not seconds, so that the same text is always read the same way.
    let mut goes_on = |_: &_| {
        reports += 1;
        match reports > MAX_REPORTS {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let options = ParseOptions::new().progress_callback(&mut goes_on);
    let bytes = text.as_bytes();
    let mut rest = |at: usize, _| bytes.get(at..).unwrap_or_default();
    let tree = parser.parse_with_options(&mut rest, None, Some(options))?;
    let reading = Reading { language, text };
    let mut items = Vec::new();
    reading.members(tree.root_node(), None, MAX_DEPTH, &mut items);
    Some(items)
}

/// A tree that is read for definitions.
struct Reading<'a> {
    language: Language,
    text: &'a str,
}

impl Reading<'_> {
    /// Definitions right below `node`; `outer` is what they begin with.
    fn members(&self, node: Node<'_>, outer: Option<Node<'_>>, depth: usize, to: &mut Vec<Item>) {
        if depth == 0 {
            return;
        }
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
        for child in children {
            let whole = outer.unwrap_or(child);
            if let Some((kind, name, named)) = self.language.defined(child, self.text) {
                let mut members = Vec::new();
                if kind.is_container() {
                    self.members(child, None, depth - 1, &mut members);
                }
                to.push(Item {
                    name,
                    kind,
                    from: first_row(whole),
                    at: named.start_position().row,
                    to: last_row(whole),
                    members,
                });
            } else if self.language.wraps(child.kind()) {
                self.members(child, Some(whole), depth - 1, to);
            } else if self.language.passes(child.kind()) {
                self.members(child, None, depth - 1, to);
            }
        }
    }
}

/// The row on which a node begins, or what is said of it right above.
fn first_row(node: Node<'_>) -> usize {
    let mut row = node.start_position().row;
    // The first of a body has what stands above it above the body.
    let body = node
        .parent()
        .filter(|body| body.start_byte() == node.start_byte());
    let mut above = node
        .prev_sibling()
        .or_else(|| body.and_then(|body| body.prev_sibling()));
    while let Some(one) = above {
        let before = one.prev_sibling();
        let begins = one.start_position().row;
        let is_about = one.kind().contains("comment") || one.kind().starts_with("attribute");
        let is_alone = before.is_none_or(|before| last_row(before) < begins);
        if !is_about || !is_alone || last_row(one) + 1 < row {
            break;
        }
        row = begins;
        above = before;
    }
    row
}

fn last_row(node: Node<'_>) -> usize {
    let end = node.end_position();
    match end.column {
        0 => end.row.saturating_sub(1).max(node.start_position().row),
        _ => end.row,
    }
}

/// Writes down definitions and chunks.
struct Writing<'a> {
    lines: &'a [&'a str],
    parsed: &'a mut Parsed,
}

impl Writing<'_> {
    /// The lines from `from` to before `end`, of which `items` are definitions.
    fn between(&mut self, items: &[Item], from: usize, end: usize, around: &str) {
        let mut at = from;
        for item in items {
            let begins = item.from.max(at);
            let ends = (item.to + 1).min(end);
            if begins >= ends {
                continue;
            }
            self.cut(at, begins, around);
            self.item(item, begins, ends, around);
            at = ends;
        }
        self.cut(at, end, around);
    }

    fn item(&mut self, item: &Item, from: usize, end: usize, outside: &str) {
        let name = match outside {
            "" => item.name.clone(),
            outside => format!("{outside}.{}", item.name),
        };
        self.parsed.definitions.push(Definition {
            name: item.name.clone(),
            qualified: name.clone(),
            kind: item.kind,
            from: number(from),
            at: number(item.at.clamp(from, end - 1)),
            to: number(end - 1),
        });
        let around = name.as_str();
        let most = match item.members.is_empty() {
            true => WHOLE,
            false => WHOLE_CONTAINER,
        };
        if end - from > most {
            self.between(&item.members, from, end, around);
            return;
        }
        self.chunk(from, end, around);
        // What it holds is shown with it, and can be found by name all the same.
        let chunks = self.parsed.chunks.len();
        self.between(&item.members, from, end, around);
        self.parsed.chunks.truncate(chunks);
    }

    /// Blocks of the lines, less blank ones at either end.
    fn cut(&mut self, from: usize, end: usize, around: &str) {
        let blank = |line: usize| is_blank(self.lines[line]);
        let Some(first) = (from..end).find(|line| !blank(*line)) else {
            return;
        };
        let last = (first..end).rfind(|line| !blank(*line)).unwrap_or(first);
        // A bracket alone is what is left of the definition around it.
        let is_rest =
            !around.is_empty() && (first..=last).all(|line| self.lines[line].trim().len() < 3);
        if is_rest {
            return;
        }
        let whole = match around {
            "" => blocks::ABOUT,
            _ => WHOLE,
        };
        if last + 1 - first <= whole {
            self.chunk(first, last + 1, around);
            return;
        }
        for (from, end) in blocks(self.lines, first, last + 1) {
            self.chunk(from, end, around);
        }
    }

    fn chunk(&mut self, from: usize, end: usize, name: &str) {
        self.parsed.chunks.push(Chunk {
            name: name.to_owned(),
            from: number(from),
            to: number(end - 1),
        });
    }
}

fn number(row: usize) -> u32 {
    u32::try_from(row + 1).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
