//! Changes between commits: the changed files of two trees, with their definitions.

use std::collections::{BTreeMap, BinaryHeap};
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use super::{BLOB, Id, Objects, TAG, find, name};
use crate::check::{CommitChanges, SourceDefinition, TouchedFile};
use crate::edge::git;
use crate::edge::journal::hex;
use crate::edge::knowledge::map::Class;
use crate::edge::knowledge::parse::{DefKind, identifiers, parse};
use crate::edge::model::pattern;
use crate::reply::Change;

const MAX_FILES: usize = 5_000;
/// Maximum number of commits searched for a merge base.
const MAX_BACK: usize = 100_000;
const LEAST_HEX: usize = 4;

/// A name that does not resolve to a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoCommit(pub String);

/// The changes of `range`, which is `BASE..HEAD`, `BASE..` or `BASE`: from the merge base of the
/// two to the second. If the merge base is unknown, as in a shallow clone, the two commits are
/// compared directly. Paths are relative to `folder`.
///
/// # Errors
/// The name that does not resolve.
pub fn between(folder: &Path, range: &str) -> Result<CommitChanges, NoCommit> {
    let (base, head) = match range.split_once("..") {
        Some((base, head)) => (base, head.strip_prefix('.').unwrap_or(head)),
        None => (range, ""),
    };
    let or_head = |name: &str| match name.trim() {
        "" => "HEAD".to_owned(),
        name => name.to_owned(),
    };
    let (base, head) = (or_head(base), or_head(head));
    let Some((place, _, prefix)) = find(folder) else {
        return Err(NoCommit(base));
    };
    let mut objects = Objects::of(place);
    let mut commit = |name: &str| {
        let id = objects.resolve_revision(folder, name);
        id.ok_or_else(|| NoCommit(name.to_owned()))
    };
    let (from, to) = (commit(&base)?, commit(&head)?);
    let merge_base = objects.merge_base(from, to);
    let from = merge_base.unwrap_or(from);
    let mut tree = |id: Id, name: &str| {
        let read = objects.commit(&id).map(|commit| commit.tree);
        read.ok_or_else(|| NoCommit(name.to_owned()))
    };
    let trees = (Some(tree(from, &base)?), Some(tree(to, &head)?));
    let mut files = objects.differ(trees, &prefix, MAX_FILES);
    let is_whole = files.len() <= MAX_FILES;
    files.truncate(MAX_FILES);
    let files = files.into_iter().map(|(path, before, after)| TouchedFile {
        change: match (before, after) {
            (None, _) => Change::Create,
            (_, None) => Change::Delete,
            _ => Change::Modify,
        },
        is_test: Class::of(&path) == Class::Test,
        before: objects.defined(before, &path),
        after: objects.defined(after, &path),
        path,
    });
    Ok(CommitChanges {
        files: files.collect(),
        base: hex(&from),
        head: hex(&to),
        is_whole,
        are_tips: merge_base.is_none(),
    })
}

/// A test named by a title, as in JavaScript.
static TITLE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r#"^\s*(?:it|test)(?:\.\w+)*\(\s*["'`](.+?)["'`]\s*,"#));

impl Objects {
    /// Resolves a branch, a tag, `HEAD` or a (shortened) hash, with suffixes such as `~2` and `^`.
    fn resolve_revision(&mut self, folder: &Path, text: &str) -> Option<Id> {
        let end = text.find(['~', '^']).unwrap_or(text.len());
        let (own, mut back) = text.split_at(end);
        let own = if own == "@" { "HEAD" } else { own };
        let given = git::resolve_ref(folder, own);
        let mut id = match given.and_then(|hex| name(&hex)) {
            Some(id) => id,
            None => self.beginning_with(own)?,
        };
        // An annotated tag points to its object.
        while let Some((TAG, bytes)) = self.object(&id, 0) {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            id = name(text.lines().next()?.strip_prefix("object ")?)?;
        }
        while let Some(sign) = back.chars().next() {
            back = back.strip_prefix(['~', '^'])?;
            let figures = back.chars().take_while(char::is_ascii_digit).count();
            let (n, rest) = back.split_at(figures);
            let n = if n.is_empty() { 1 } else { n.parse().ok()? };
            back = rest;
            for _ in 0..if sign == '~' { n } else { n.min(1) } {
                let nth = if sign == '~' { 1 } else { n };
                id = *self.commit(&id)?.parents.get(nth - 1)?;
            }
        }
        self.commit(&id).map(|_| id)
    }

    /// The object whose id starts with this text, if there is exactly one.
    fn beginning_with(&self, text: &str) -> Option<Id> {
        let is_hex = text.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_hex || !(LEAST_HEX..=40).contains(&text.len()) {
            return None;
        }
        let text = text.to_ascii_lowercase();
        let packed = self.packs.iter().flat_map(super::Pack::names);
        let loose = crate::edge::safe_open::names_in(&self.folder.join(&text[..2]));
        let loose = loose.unwrap_or_default().into_iter();
        let loose = loose.filter_map(|rest| name(&format!("{}{rest}", &text[..2])));
        let mut found = packed.chain(loose).filter(|id| hex(id).starts_with(&text));
        let first = found.next()?;
        found.all(|other| other == first).then_some(first)
    }

    /// The merge base: the newest common ancestor.
    fn merge_base(&mut self, one: Id, other: Id) -> Option<Id> {
        let mut marks: BTreeMap<Id, u8> = BTreeMap::new();
        let mut queue = BinaryHeap::new();
        for (id, mark) in [(one, 1), (other, 2)] {
            *marks.entry(id).or_default() |= mark;
            queue.push((self.commit(&id)?.seconds, id));
        }
        for _ in 0..MAX_BACK {
            let (_, id) = queue.pop()?;
            let mark = marks[&id];
            if mark == 3 {
                return Some(id);
            }
            for parent in self.commit(&id)?.parents {
                let known = marks.entry(parent).or_default();
                if *known | mark != *known {
                    *known |= mark;
                    if let Some(commit) = self.commit(&parent) {
                        queue.push((commit.seconds, parent));
                    }
                }
            }
        }
        None
    }

    /// The definitions of a file; empty if it is not text.
    fn defined(&mut self, id: Option<Id>, path: &str) -> Vec<SourceDefinition> {
        let Some((BLOB, bytes)) = id.and_then(|id| self.object(&id, 0)) else {
            return Vec::new();
        };
        if bytes.contains(&0) {
            return Vec::new();
        }
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().collect();
        let definitions = parse(path, &text).definitions.into_iter();
        let definitions = definitions.filter(|one| one.kind != DefKind::Heading);
        let mut all: Vec<SourceDefinition> = definitions
            .map(|one| SourceDefinition {
                is_function: one.kind == DefKind::Function,
                line: one.at,
                text: lines[one.from as usize - 1..one.to as usize].join("\n"),
                name: one.qualified,
            })
            .collect();
        let titled = lines.iter().zip(1..).filter_map(|(line, at)| {
            let title = TITLE.captures(line)?.get(1)?.as_str();
            (identifiers(title).next().is_some()).then(|| SourceDefinition {
                is_function: true,
                line: at,
                text: (*line).to_owned(),
                name: title.to_owned(),
            })
        });
        all.extend(titled.filter(|_| Class::of(path) == Class::Test));
        all
    }
}
