//! Rules about files and their content, checked against facts that the edge collects.

use serde_json::Value as Json;

use super::World;
use super::finding::{Findings, Rule};
use crate::machine::State;
use crate::reply::{Change, FileImpact, SymbolChange, SystemDesign};

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
    /// Other files that clearly refer to this symbol.
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
    world: &World<'_>,
    findings: &mut Findings<'_>,
) {
    let impacts = &design.file_impacts;
    let facts = (world.tree)(impacts);
    let mut texts = Vec::new();
    for record in state.documents.written.values() {
        let content = serde_json::to_value(&record.content).unwrap_or_default();
        strings(content, &mut texts);
    }
    // A sentence may give a file's name without its folder.
    let is_named = |path: &str| {
        let file = path.rsplit('/').next().unwrap_or(path);
        let is_prose = |text: &str| text.contains(' ') || !text.is_ascii();
        let named = |text: &String| names(text, path) || is_prose(text) && names(text, file);
        texts.iter().any(named)
    };
    let is_unnamed = |path: &&String| !is_named(path);
    let listed = |paths: &[String]| {
        let paths: Vec<String> = paths
            .iter()
            .filter(is_unnamed)
            .map(|path| format!("`{path}`"))
            .collect();
        (!paths.is_empty()).then(|| paths.join(", "))
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
            if let Some(callers) = listed(&facts.callers) {
                let values: [(&str, &dyn crate::fault::Value); 2] =
                    [("name", name), ("callers", &callers)];
                findings.add(Rule::CallersUnnamed, path, &values);
            }
        }
        if let Some(tests) = listed(&facts.tests).filter(|_| impact.change != Change::Create) {
            findings.add(Rule::TestsUnnamed, path, &[("tests", &tests)]);
        }
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
