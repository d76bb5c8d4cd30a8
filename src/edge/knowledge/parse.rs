//! Splits a file into definitions and chunks.
//!
//! A text in a known language is parsed, a document is split at its headings, and any other text
//! into blocks of about 20 lines. It never fails: a text that cannot be parsed is split into
//! blocks.

mod blocks;
mod languages;

use std::ops::ControlFlow;

use tree_sitter::{Node, ParseOptions, Parser};

use blocks::{blocks, is_blank, sections};
use languages::Language;

/// Maximum size of a parsed file in bytes.
const MAX_BYTES: usize = 512 << 10;
/// Maximum number of progress reports of a parser, one every hundred steps, before it is stopped.
const MAX_REPORTS: u32 = 200_000;
const MAX_DEPTH: usize = 12;
/// Maximum lines of a definition with members that is shown as one chunk.
const WHOLE_CONTAINER: usize = 25;
/// Maximum lines of any other definition that is shown as one chunk.
const WHOLE: usize = 40;

/// The kind of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefKind {
    /// A function or method.
    Function,
    /// A class, struct, union, record or enum.
    Class,
    /// A trait or interface.
    Interface,
    /// An implementation block: members of a type, separate from its definition.
    Impl,
    /// A module or namespace.
    Module,
    /// A type alias.
    Type,
    /// A constant or variable at file level.
    Constant,
    /// A macro.
    Macro,
    /// The heading of a section.
    Heading,
}

impl DefKind {
    const fn is_container(self) -> bool {
        matches!(
            self,
            Self::Class | Self::Interface | Self::Impl | Self::Module
        )
    }
}

/// A definition in a file. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// Its name, such as `load`.
    pub name: String,
    /// The name with the enclosing ones, such as `Config.load`.
    pub qualified: String,
    /// Its kind.
    pub kind: DefKind,
    /// First line, including comments and attributes before it.
    pub from: u32,
    /// The line with its name.
    pub at: u32,
    /// Last line.
    pub to: u32,
}

/// Lines that are ranked and shown together. Chunks do not overlap, and every line that is not
/// blank is in one. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Qualified name of the definition or section that contains it; empty outside of any.
    pub name: String,
    /// First line.
    pub from: u32,
    /// Last line.
    pub to: u32,
}

/// The definitions and chunks of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Parsed {
    /// Definitions by start, outer ones first.
    pub definitions: Vec<Definition>,
    /// Chunks in order.
    pub chunks: Vec<Chunk>,
}

/// A definition with nested ones; lines count from 0.
struct NestedDefinition {
    name: String,
    kind: DefKind,
    from: usize,
    at: usize,
    to: usize,
    members: Vec<NestedDefinition>,
}

/// Parses a text according to the extension of its path.
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

/// The lines with a name as a separate word, counted from 1.
pub fn mentions<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = u32> + 'a {
    let lines = (1..).zip(text.lines());
    let holds = move |line: &str| identifiers(line).any(|word| word == name);
    lines.filter_map(move |(number, line)| holds(line).then_some(number))
}

/// The words of a text that can be identifiers: letters, digits and `_`, not starting with a digit.
pub fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// The definitions of a text by its syntax; `None` if it is too large or complex.
fn syntax(language: Language, text: &str) -> Option<Vec<NestedDefinition>> {
    if text.len() > MAX_BYTES {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_language(&language.grammar()).ok()?;
    let mut reports = 0;
    // Limited by steps rather than time, so that the result is deterministic.
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
    let reading = SyntaxReader { language, text };
    let mut items = Vec::new();
    reading.members(tree.root_node(), None, MAX_DEPTH, &mut items);
    Some(items)
}

/// A syntax tree from which definitions are read.
struct SyntaxReader<'a> {
    language: Language,
    text: &'a str,
}

impl SyntaxReader<'_> {
    /// Adds the definitions directly below `node`; `outer` is a wrapper that starts before them.
    fn members(
        &self,
        node: Node<'_>,
        outer: Option<Node<'_>>,
        depth: usize,
        to: &mut Vec<NestedDefinition>,
    ) {
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
                to.push(NestedDefinition {
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

/// The first row of a node, including comments directly above it.
fn first_row(node: Node<'_>) -> usize {
    let mut row = node.start_position().row;
    // Comments above the first node of a body are above the body itself.
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

struct Writing<'a> {
    lines: &'a [&'a str],
    parsed: &'a mut Parsed,
}

impl Writing<'_> {
    /// Adds the lines from `from` to before `end`; `items` are the definitions in them.
    fn between(&mut self, items: &[NestedDefinition], from: usize, end: usize, around: &str) {
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

    fn item(&mut self, item: &NestedDefinition, from: usize, end: usize, outside: &str) {
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
        // Its members are in the same chunk, but can still be found by name.
        let chunks = self.parsed.chunks.len();
        self.between(&item.members, from, end, around);
        self.parsed.chunks.truncate(chunks);
    }

    /// Splits the lines into blocks, without blank lines at the ends.
    fn cut(&mut self, from: usize, end: usize, around: &str) {
        let blank = |line: usize| is_blank(self.lines[line]);
        let Some(first) = (from..end).find(|line| !blank(*line)) else {
            return;
        };
        let last = (first..end).rfind(|line| !blank(*line)).unwrap_or(first);
        // A lone bracket belongs to the enclosing definition.
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
