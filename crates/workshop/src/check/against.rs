//! Compares a plan with commits: what was planned and done, and what was not.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use crate::export::junit::{JunitCase, written};
use crate::ids::words_like_ids;
use crate::machine::State;
use crate::reply::{Change, FileImpact, SymbolChange};

/// Folder that holds the plans. Changes in it do not count as unplanned.
const PLANS: &str = ".ai-tools-chain/";

/// What commits changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommitChanges {
    /// The full name of the commit that is compared from.
    pub base: String,
    /// The commit that is compared to.
    pub head: String,
    /// Files that differ, in order of paths.
    pub files: Vec<TouchedFile>,
    /// Whether `files` holds all files that differ.
    pub is_whole: bool,
    /// Whether no common ancestor is known. Then the two commits themselves are compared.
    pub are_tips: bool,
}

/// A file that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TouchedFile {
    /// Path from the workspace's root.
    pub path: String,
    /// Change of the file in the commits.
    pub change: Change,
    /// Whether its path marks it as a test file.
    pub is_test: bool,
    /// What it defined before.
    pub before: Vec<SourceDefinition>,
    /// What it defines now.
    pub after: Vec<SourceDefinition>,
}

/// A definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceDefinition {
    /// Its qualified name, joined with `.`; for a test with a title, the title.
    pub name: String,
    /// The line that holds its name.
    pub line: u32,
    /// Whether it is a function.
    pub is_function: bool,
    /// Its source, with the comment right above it.
    pub text: String,
}

/// A plan beside what commits changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CommitComparison {
    /// The commit that is compared from.
    pub base: String,
    /// The commit that is compared to.
    pub head: String,
    /// Planned files that were touched.
    pub done: Vec<FileDone>,
    /// Planned files that were not.
    pub not_touched: Vec<FilePlanned>,
    /// Files that were touched and that no plan names.
    pub not_planned: Vec<FileTouched>,
    /// Symbols that the plan names, with what the commits hold of them.
    pub symbols: Vec<SymbolDone>,
    /// Criteria, each with the new tests that prove it.
    pub criteria: Vec<CriterionTests>,
    /// New tests that belong to no criterion, as far as can be told.
    pub other_tests: Vec<NewTest>,
    /// Whether there were more files than are compared.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// Whether no common ancestor is known, so that the two themselves are compared.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub tips: bool,
}

/// A planned file that was touched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FileDone {
    /// Path from the workspace's root.
    pub path: String,
    /// Change of the file that the plan names.
    pub planned: Change,
    /// The new path that was planned for one that is renamed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Change of the file in the commits.
    pub was: Change,
}

/// A planned file that was not touched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FilePlanned {
    /// Path from the workspace's root.
    pub path: String,
    /// Change of the file that the plan names.
    pub planned: Change,
    /// The new path that was planned for one that is renamed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

/// A file that was touched and not planned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FileTouched {
    /// Path from the workspace's root.
    pub path: String,
    /// Change of the file in the commits.
    pub was: Change,
}

/// A planned symbol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SymbolDone {
    /// The file it was planned in.
    pub path: String,
    /// Its name, as in the plan.
    pub name: String,
    /// Change of the symbol that the plan names.
    pub planned: SymbolChange,
    /// Whether the commits hold that change.
    pub state: ChangeStatus,
}

/// What came of something planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChangeStatus {
    /// The commits hold the change.
    Done,
    /// The commits do not hold the change.
    NotDone,
    /// It cannot be told: the file defines nothing of that name, before or after.
    Unknown,
}

/// A criterion with its new tests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CriterionTests {
    /// Id of the criterion, `AC-n`.
    pub id: String,
    /// The test cases of the plan that cover it.
    pub cases: Vec<String>,
    /// New tests that name it or one of them.
    pub tests: Vec<NewTest>,
}

/// A test that was not there before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NewTest {
    /// The file it is in.
    pub path: String,
    /// The line on which it is named.
    pub line: u32,
    /// Name or title of the test.
    pub name: String,
}

impl CommitComparison {
    /// Returns whether the changes differ from the plan, in files or symbols. Tests never count,
    /// because a test need not name its criterion.
    pub fn differs(&self) -> bool {
        let not_done = |one: &SymbolDone| one.state == ChangeStatus::NotDone;
        !self.not_touched.is_empty()
            || !self.not_planned.is_empty()
            || self.symbols.iter().any(not_done)
    }
}

/// A path, and the planned new path if it is to be renamed.
pub fn moved(path: &str, to: Option<&str>) -> String {
    to.map_or_else(|| path.to_owned(), |to| format!("{path} -> {to}"))
}

/// Merges two files into one where the design renames a file and the commits remove the old path
/// and add the new one. The merged file is listed at its new path.
fn put_together(files: &mut Vec<TouchedFile>, impacts: &[FileImpact]) {
    for impact in impacts {
        let at = |path: &str, change: Change| {
            let is_it = |file: &TouchedFile| file.path == path && file.change == change;
            files.iter().position(is_it)
        };
        let old = at(&impact.path, Change::Delete);
        let new = impact.to.as_deref().and_then(|to| at(to, Change::Create));
        if let (Some(old), Some(new)) = (old, new) {
            files[new].before = std::mem::take(&mut files[old].before);
            files[new].change = Change::Rename;
            files.remove(old);
        }
    }
}

/// Compares a plan with what commits changed.
pub fn against(state: &State, mut touched: CommitChanges) -> CommitComparison {
    let documents = &state.documents;
    let design = documents.system_design();
    let impacts = design.map_or(&[][..], |design| &design.file_impacts);
    let tests = documents.test_plan();
    let cases = tests.map_or(&[][..], |plan| &plan.cases);
    let product = documents.product_plan().into_iter();
    let criteria = product.flat_map(|plan| &plan.criteria);
    let criteria: Vec<String> = criteria.map(|one| one.id.clone()).collect();
    put_together(&mut touched.files, impacts);
    let file = |path: &str| touched.files.iter().find(|file| file.path == path);
    let (mut done, mut not_touched, mut symbols) = (Vec::new(), Vec::new(), Vec::new());
    for impact in impacts {
        let (path, planned, to) = (impact.path.clone(), impact.change, impact.to.clone());
        let found = file(&path).or_else(|| file(to.as_deref()?));
        match found {
            Some(found) => done.push(FileDone {
                path: path.clone(),
                planned,
                to,
                was: found.change,
            }),
            None => not_touched.push(FilePlanned {
                path: path.clone(),
                planned,
                to,
            }),
        }
        symbols.extend(impact.symbols.iter().map(|symbol| SymbolDone {
            path: path.clone(),
            name: symbol.name.clone(),
            planned: symbol.change,
            state: found.map_or(ChangeStatus::NotDone, |file| {
                state_of(file, &symbol.name, symbol.change)
            }),
        }));
    }
    let is_planned = |path: &str| {
        let is_it = |impact: &FileImpact| impact.path == path || impact.to.as_deref() == Some(path);
        impacts.iter().any(is_it)
    };
    let not_planned = touched
        .files
        .iter()
        .filter(|file| !is_planned(&file.path) && !file.path.starts_with(PLANS));
    let not_planned = not_planned.map(|file| FileTouched {
        path: file.path.clone(),
        was: file.change,
    });
    let mut criteria: Vec<CriterionTests> = criteria
        .into_iter()
        .map(|id| CriterionTests {
            cases: cases
                .iter()
                .filter(|case| case.covers.contains(&id))
                .map(|case| case.id.clone())
                .collect(),
            tests: Vec::new(),
            id,
        })
        .collect();
    let mut other_tests = Vec::new();
    for (test, text) in new_tests(&touched.files) {
        let own = proved(&criteria, &test.name, text);
        if own.is_empty() {
            other_tests.push(test.clone());
        }
        for at in own {
            criteria[at].tests.push(test.clone());
        }
    }
    CommitComparison {
        done,
        not_touched,
        not_planned: not_planned.collect(),
        symbols,
        criteria,
        other_tests,
        cut: !touched.is_whole,
        tips: touched.are_tips,
        base: touched.base,
        head: touched.head,
    }
}

fn state_of(file: &TouchedFile, name: &str, change: SymbolChange) -> ChangeStatus {
    let parts: Vec<&str> = words_of(name).collect();
    let name = parts.join(".");
    let texts = |all: &[SourceDefinition]| -> Vec<String> {
        let is_it = |one: &&SourceDefinition| {
            let before = one.name.strip_suffix(&name);
            before.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        all.iter()
            .filter(is_it)
            .map(|one| one.text.clone())
            .collect()
    };
    let (before, after) = (texts(&file.before), texts(&file.after));
    let is_done = match change {
        _ if before.is_empty() && after.is_empty() => return ChangeStatus::Unknown,
        SymbolChange::New => after.len() > before.len(),
        SymbolChange::Modify => !after.is_empty() && before != after,
        SymbolChange::Remove => after.len() < before.len(),
    };
    if is_done {
        ChangeStatus::Done
    } else {
        ChangeStatus::NotDone
    }
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
}

/// New functions in test files, in modules named `test` or `tests`, or with names that start with
/// `test_`; each with its text.
fn new_tests(files: &[TouchedFile]) -> impl Iterator<Item = (NewTest, &str)> {
    files.iter().flat_map(|file| {
        let is_new = |one: &&SourceDefinition| file.before.iter().all(|old| old.name != one.name);
        let is_test = |one: &&SourceDefinition| {
            let mut parts = one.name.split('.');
            let own = parts.next_back().unwrap_or_default();
            let within = parts.any(|part| part == "tests" || part == "test");
            one.is_function && (within || file.is_test || own.starts_with("test_"))
        };
        let tests = file.after.iter().filter(is_new).filter(is_test);
        tests.map(|one| {
            let test = NewTest {
                path: file.path.clone(),
                line: one.line,
                name: one.name.clone(),
            };
            (test, one.text.as_str())
        })
    })
}

/// The criteria that a test proves: those that it names directly or by one of their cases.
fn proved(criteria: &[CriterionTests], name: &str, text: &str) -> Vec<usize> {
    let upper = format!("{name}\n{text}").to_uppercase().replace('_', "-");
    let ids: BTreeSet<&str> = words_like_ids(&upper).collect();
    // In a function's name the id is part of a longer word: `test_ac_3_keeps_order`.
    let names = |id: &String| {
        let inside = format!("-{id}-");
        ids.iter().any(|word| format!("-{word}-").contains(&inside))
    };
    let all = criteria.iter().enumerate();
    all.filter(|(_, one)| names(&one.id) || one.cases.iter().any(names))
        .map(|(at, _)| at)
        .collect()
}

/// The comparison as JUnit XML. Planned work passes if it was done and fails if not, unplanned work
/// fails, and anything undecidable is skipped.
pub fn junit(against: &CommitComparison, version: u32) -> String {
    let case = |about: String, failed| JunitCase {
        about,
        failed,
        ..JunitCase::default()
    };
    let done = against.done.iter();
    let done = done.map(|one| case(moved(&one.path, one.to.as_deref()), None));
    let planned = against.not_touched.iter().map(|one| {
        let path = moved(&one.path, one.to.as_deref());
        case(path, Some("planned, not touched"))
    });
    let other = against.not_planned.iter();
    let other = other.map(|one| case(one.path.clone(), Some("touched, not planned")));
    let symbols = against.symbols.iter().map(|one| JunitCase {
        about: format!("{} {}", one.path, one.name),
        failed: (one.state == ChangeStatus::NotDone).then_some("planned, not done"),
        skipped: (one.state == ChangeStatus::Unknown).then_some("not found before or after"),
        ..JunitCase::default()
    });
    let criteria = against.criteria.iter().map(|one| JunitCase {
        about: one.id.clone(),
        skipped: one.tests.is_empty().then_some("no new test was recognised"),
        ..JunitCase::default()
    });
    let suites = [
        ("files", done.chain(planned).chain(other).collect()),
        ("symbols", symbols.collect()),
        ("criteria", criteria.collect()),
    ];
    written(&format!("aitc v{version} against commits"), &suites)
}
