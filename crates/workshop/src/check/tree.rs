//! Rules about files and their content, checked against facts that the edge collects.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use super::CheckContext;
use super::finding::{Findings, Rule};
use crate::fault::{Message, MessageValue, texts};
use crate::machine::State;
use crate::reply::{Change, FileImpact, SymbolChange, SystemDesign};

/// Maximum number of files that a finding names; it gives the number of the others.
const MAX_NAMED: usize = 10;

texts! {
    AND_MORE: "{named} and {n} more", "{named}，另有 {n} 个";
}

/// Returns facts about the files a design names, in the same order.
pub type Facts<'a> = dyn Fn(&[FileImpact]) -> Vec<FileFacts> + 'a;

/// Facts about a file that is to change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileFacts {
    /// Whether a file or folder exists at that path.
    pub is_there: bool,
    /// For a rename: whether something exists at the new path.
    pub is_taken: bool,
    /// Facts about each symbol that the design names in the file, in the same order; empty if
    /// nothing was looked up.
    pub symbols: Vec<SymbolFacts>,
    /// Paths of existing tests for it.
    pub tests: Vec<String>,
}

/// Facts about a symbol.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SymbolFacts {
    /// Whether the file names it; `None` if the file cannot be read.
    pub is_named: Option<bool>,
    /// Where it is defined, as path and line: in the file itself, or else the first place
    /// elsewhere.
    pub defined: Option<String>,
    /// Other files that refer to this symbol; empty if its name is not defined exactly once.
    pub callers: Vec<String>,
}

/// Facts from a tree in which only the paths are checked.
pub fn paths_alone(exists: impl Fn(&str) -> bool) -> impl Fn(&[FileImpact]) -> Vec<FileFacts> {
    move |impacts| {
        let facts = impacts.iter().map(|impact| FileFacts {
            is_there: exists(&impact.path),
            is_taken: impact.to.as_deref().is_some_and(&exists),
            ..FileFacts::default()
        });
        facts.collect()
    }
}

pub(super) fn find(
    state: &State,
    design: &SystemDesign,
    world: &CheckContext<'_>,
    findings: &mut Findings<'_>,
) {
    let impacts = &design.file_impacts;
    let facts = (world.tree)(impacts);
    let mut texts = Vec::new();
    for record in state.documents.written.values() {
        let content = serde_json::to_value(&record.content).unwrap_or_default();
        strings(content, &mut texts);
    }
    // A sentence may give a file's name without its folder, and that on the architecture a folder
    // for all its files.
    let is_named = |path: &str| {
        let file = path.rsplit('/').next().unwrap_or(path);
        let mut folders = path.match_indices('/').map(|(at, _)| &path[..=at]);
        let is_prose = |text: &str| text.contains(' ') || !text.is_ascii();
        let is_said = |text: &String| names(text, path) || is_prose(text) && names(text, file);
        texts.iter().any(is_said) || folders.any(|folder| names(&design.architecture, folder))
    };
    let unnamed = |paths: &mut dyn Iterator<Item = &String>| -> BTreeSet<String> {
        paths.filter(|path| !is_named(path)).cloned().collect()
    };
    for (impact, facts) in impacts.iter().zip(&facts) {
        let path = impact.path.as_str();
        // A rename's target may be listed a second time as changed.
        let is_new_path = impacts.iter().any(|one| one.to.as_deref() == Some(path));
        match (impact.change, facts.is_there || is_new_path) {
            (Change::Create, _) if facts.is_there => findings.add(Rule::FileExists, path, &[]),
            (Change::Modify | Change::Delete | Change::Rename, false) => {
                let rule = match was_there(state, path) {
                    true => Rule::FileGone,
                    false => Rule::FileMissing,
                };
                findings.add(rule, path, &[]);
            }
            _ => {}
        }
        if let Some(to) = impact.to.as_ref().filter(|_| facts.is_taken) {
            findings.add(Rule::FileExists, to, &[]);
        }
        let (mut changed, mut callers) = (Vec::new(), BTreeSet::new());
        for (symbol, facts) in impact.symbols.iter().zip(&facts.symbols) {
            let name = &symbol.name;
            let place = facts.defined.as_ref();
            if symbol.change == SymbolChange::New {
                if let Some(place) = place {
                    findings.add(
                        Rule::SymbolExists,
                        path,
                        &[("name", name), ("place", place)],
                    );
                }
                continue;
            }
            if facts.is_named == Some(false) {
                let rule = match place {
                    Some(_) => Rule::SymbolElsewhere,
                    None => Rule::SymbolMissing,
                };
                let place = place.cloned().unwrap_or_default();
                findings.add(rule, path, &[("name", name), ("place", &place)]);
            }
            let of_it = unnamed(&mut facts.callers.iter());
            if !of_it.is_empty() {
                changed.push(name.as_str());
                callers.extend(of_it);
            }
        }
        if !callers.is_empty() {
            let names: Vec<String> = changed.iter().map(|name| format!("`{name}`")).collect();
            let values: [(&str, &dyn MessageValue); 2] =
                [("names", &names.join(", ")), ("callers", &listed(&callers))];
            findings.add(Rule::CallersUnnamed, path, &values);
        }
        let tests = unnamed(&mut facts.tests.iter());
        if !tests.is_empty() && impact.change != Change::Create {
            let values: [(&str, &dyn MessageValue); 1] = [("tests", &listed(&tests))];
            findings.add(Rule::TestsUnnamed, path, &values);
        }
    }
}

/// Returns the first paths of a list, and how many more there are.
fn listed(paths: &BTreeSet<String>) -> Message {
    let named: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
    let left_out = named.len().saturating_sub(MAX_NAMED);
    let named = named[..named.len() - left_out].join(", ");
    match left_out {
        0 => named.into(),
        n => AND_MORE.fill(&[("named", &named), ("n", &n)]),
    }
}

/// Returns whether the record shows that the file exists: the map or a lookup found it, or
/// evidence names it.
fn was_there(state: &State, path: &str) -> bool {
    let mut hits = state
        .grounding
        .survey
        .iter()
        .flat_map(|survey| &survey.hits);
    let seen = state.grounding.looks.seen();
    let mut finds = seen.flat_map(|seen| &seen.found);
    let mut grounds = state
        .grounding
        .evidence
        .iter()
        .filter_map(|one| one.ground.as_ref());
    hits.any(|hit| hit.path == path)
        || finds.any(|find| find.path == path)
        || grounds.any(|ground| ground.path == path)
}

/// Returns whether a text contains the path, and not as a part of a longer one.
fn names(text: &str, path: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/');
    text.match_indices(path).any(|(at, _)| {
        let before = text[..at].strip_suffix("./").unwrap_or(&text[..at]);
        let after = &text[at + path.len()..];
        !before.ends_with(is_part) && !after.starts_with(is_part)
    })
}

fn strings(value: Json, all: &mut Vec<String>) {
    match value {
        Json::String(text) => all.push(text),
        Json::Array(list) => list.into_iter().for_each(|one| strings(one, all)),
        Json::Object(fields) => fields.into_values().for_each(|one| strings(one, all)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_a_long_list_leaves_out_is_counted() {
        let paths = |n: usize| (10..10 + n).map(|n| format!("t/{n}.py")).collect();
        let [ten, twelve] = [10, 12].map(|n| super::listed(&paths(n)));
        assert!(ten.en.ends_with(", `t/19.py`"), "{}", ten.en);
        assert_eq!(twelve.en, format!("{} and 2 more", ten.en));
    }

    #[test]
    fn a_path_is_named_as_a_whole() {
        for (text, expected) in [
            ("src/a.rs", true),
            ("`src/a.rs:3` calls it", true),
            ("调用方 ./src/a.rs。", true),
            ("not looked at: src/a.rs, src/b.rs.", true),
            ("lib/src/a.rs", false),
            ("src/a.rst", false),
            ("a.rs", false),
        ] {
            assert_eq!(super::names(text, "src/a.rs"), expected, "{text}");
        }
    }
}
