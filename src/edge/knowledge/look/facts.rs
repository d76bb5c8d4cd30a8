//! Facts from the repository about the files, symbols and tests that a design names.

use std::collections::{BTreeMap, BTreeSet};

use super::{Search, SearchTree};
use crate::check::{FileFacts, SymbolFacts};
use crate::edge::knowledge::map::{Class, subject};
use crate::edge::knowledge::parse::{DefKind, Definition, identifiers, mentions, parse};
use crate::machine::Lang;
use crate::reply::{Change, FileImpact, Symbol, SymbolChange};

/// Minimum length of a name that is searched in other files.
const LEAST_NAME: usize = 3;

impl Search<'_> {
    /// Facts about these files, one for each; `exists` says whether a path exists.
    pub fn facts(&self, impacts: &[FileImpact], exists: &dyn Fn(&str) -> bool) -> Vec<FileFacts> {
        if impacts.is_empty() {
            return Vec::new();
        }
        let tree = SearchTree::of(self, Lang::En);
        let named = tree.mention_index(impacts);
        let facts = impacts.iter().map(|impact| FileFacts {
            is_there: exists(&impact.path),
            is_taken: impact.to.as_deref().is_some_and(exists),
            symbols: impact
                .symbols
                .iter()
                .map(|symbol| named.facts(&impact.path, symbol))
                .collect(),
            tests: match impact.change {
                Change::Create => Vec::new(),
                Change::Modify | Change::Delete | Change::Rename => tree.tests_of(&impact.path),
            },
        });
        facts.collect()
    }
}

struct MentioningFile<'t> {
    path: &'t str,
    class: Class,
    definitions: Vec<Definition>,
}

/// Files by the symbols they mention; the key is the last word of a symbol's name.
#[derive(Default)]
struct MentionIndex<'t> {
    files: BTreeMap<String, Vec<MentioningFile<'t>>>,
    read: Vec<&'t str>,
    is_whole: bool,
}

impl SearchTree<'_> {
    fn mention_index(&self, impacts: &[FileImpact]) -> MentionIndex<'_> {
        let symbols = impacts.iter().flat_map(|impact| &impact.symbols);
        let names = symbols.filter_map(|symbol| identifiers(&symbol.name).last());
        let mut named = MentionIndex {
            files: names.map(|name| (name.to_owned(), Vec::new())).collect(),
            is_whole: true,
            ..MentionIndex::default()
        };
        if named.files.is_empty() {
            return named;
        }
        for file in &self.files {
            let class = Class::of(&file.name);
            let is_meant = impacts.iter().any(|impact| impact.path == file.name);
            if !is_meant && !matches!(class, Class::Source | Class::Test) {
                continue;
            }
            if self.is_out_of_time() {
                named.is_whole = false;
                break;
            }
            let Some(text) = self.text(file) else {
                continue;
            };
            if is_meant {
                named.read.push(&file.name);
            }
            let mut parsed = None;
            for (name, files) in &mut named.files {
                if !text.contains(name.as_str()) || mentions(&text, name).next().is_none() {
                    continue;
                }
                let parsed = parsed.get_or_insert_with(|| parse(&file.name, &text));
                let own = parsed.definitions.iter();
                let own = own.filter(|one| one.name == *name && one.kind != DefKind::Impl);
                files.push(MentioningFile {
                    path: &file.name,
                    class,
                    definitions: own.cloned().collect(),
                });
            }
        }
        named
    }

    /// Tests named after a file, unless another file of that name is nearer to the test.
    fn tests_of(&self, path: &str) -> Vec<String> {
        let about = subject(path);
        if Class::of(path) != Class::Source || about.is_empty() {
            return Vec::new();
        }
        let of_class = |class: Class| {
            let files = self.files.iter().map(|file| file.name.as_str());
            files.filter(move |name| Class::of(name) == class)
        };
        let own = of_class(Class::Test).filter(|test| {
            let is_inside = subject(test).is_empty()
                && test
                    .rsplit('/')
                    .nth(1)
                    .is_some_and(|folder| folder == about);
            let others = of_class(Class::Source).filter(|other| {
                *other != path && subject(other) == about && apart(test, other) <= apart(test, path)
            });
            (is_inside || subject(test) == about) && others.count() == 0
        });
        own.map(str::to_owned).collect()
    }
}

/// Number of folders that only one of two paths has.
fn apart(one: &str, other: &str) -> usize {
    let folders = |path: &str| -> BTreeSet<String> {
        let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
        folders.split('/').map(str::to_owned).collect()
    };
    folders(one).symmetric_difference(&folders(other)).count()
}

impl MentionIndex<'_> {
    fn facts(&self, path: &str, symbol: &Symbol) -> SymbolFacts {
        let words: Vec<&str> = identifiers(&symbol.name).collect();
        let Some(name) = words.last() else {
            return SymbolFacts::default();
        };
        let files = self.files.get(*name).map_or(&[][..], Vec::as_slice);
        let qualified = words.join(".");
        let is_it = |one: &&Definition| {
            let before = one.qualified.strip_suffix(&qualified);
            before.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        // A function with that name elsewhere is a different one; a type may be the same.
        let counts = |one: &&Definition| {
            symbol.change != SymbolChange::New
                || !matches!(one.kind, DefKind::Function | DefKind::Module)
        };
        let place =
            |file: &MentioningFile<'_>, one: &Definition| format!("{}:{}", file.path, one.at);
        let (here, others): (Vec<_>, Vec<_>) = files.iter().partition(|file| file.path == path);
        let own = here.iter().find_map(|file| {
            let found = file.definitions.iter().find(is_it)?;
            Some((file, found))
        });
        let defined_here = own.map(|(file, found)| place(file, found));
        let sources = others.iter().filter(|file| file.class == Class::Source);
        let elsewhere = sources.clone().find_map(|file| {
            let found = file.definitions.iter().filter(counts).find(is_it)?;
            Some(place(file, found))
        });
        // A method, a function and another class's method may share a name, and it is unknown which
        // of them a file uses.
        let definitions: usize = files.iter().map(|file| file.definitions.len()).sum();
        let is_alone = self.is_whole && own.is_some() && definitions == 1;
        // Users of a class or struct rarely have to change for an additional field, and there are
        // many of them.
        let is_minded = match symbol.change {
            SymbolChange::New => false,
            SymbolChange::Modify => own.is_some_and(|(_, found)| found.kind != DefKind::Class),
            SymbolChange::Remove => true,
        };
        let is_called = is_minded && is_alone && name.chars().count() >= LEAST_NAME;
        let tests = others.iter().filter(|file| file.class == Class::Test);
        let callers = sources.chain(tests).filter(|_| is_called);
        SymbolFacts {
            is_named: self.read.contains(&path).then_some(!here.is_empty()),
            defined: defined_here.or(elsewhere),
            callers: callers.map(|file| file.path.to_owned()).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
