//! File impacts: which files of the repository a change would touch, and new ones.

use super::super::board::Board;
use super::super::text::{Matcher, cut, fill};
use super::super::topics;
use super::design::Part;
use crate::machine::{Hit, IssueId};
use crate::reply::{Change, FileImpact};

/// Existing files named as changing, at most.
const MAX_MODIFY: usize = 6;
/// Terms named for a file, at most.
const MAX_TERMS: usize = 5;
/// New files proposed, at most.
const MAX_CREATE: usize = 2;

/// Files found for the agreed needs, and new ones for parts that want one of their own.
pub fn files(board: &Board, parts: &[Part]) -> Vec<FileImpact> {
    let found = found(board, parts);
    let mut impacts: Vec<FileImpact> = found
        .iter()
        .map(|(hit, issues)| FileImpact {
            path: hit.path.clone(),
            change: Change::Modify,
            what: what_changes(board, hit),
            modules: modules_of(parts, hit, issues),
        })
        .collect();
    for part in parts {
        if impacts
            .iter()
            .filter(|i| i.change == Change::Create)
            .count()
            == MAX_CREATE
        {
            break;
        }
        impacts.extend(new_file(board, part, &found).filter(|new| !exists(board, &new.path)));
    }
    impacts
}

/// Where the file fits; its line is shown as code.
fn what_changes(board: &Board, hit: &Hit) -> String {
    let terms = board.join(&telling(hit));
    if hit.number == 0 {
        return fill(&board.phrases.file_what, &[("terms", &terms)]);
    }
    let number = hit.number.to_string();
    let line = hit.line.replace('`', "'");
    let values = [
        ("terms", terms.as_str()),
        ("number", &number),
        ("line", &format!("`{}`", cut(&line, 70))),
    ];
    fill(&board.phrases.file_what_line, &values)
}

/// The terms a reader sees at once, in the path or on the line that is shown; where
/// there are none, the first of those found. A large file holds many by chance.
fn telling(hit: &Hit) -> Vec<&String> {
    let seen = format!("{} {}", hit.path, hit.line).to_lowercase();
    let (mut shown, rest): (Vec<_>, Vec<_>) = hit
        .terms
        .iter()
        .partition(|term| seen.contains(term.as_str()));
    if shown.is_empty() {
        shown = rest;
    }
    shown.truncate(MAX_TERMS);
    shown
}

/// A new file for a part that wants one and for which none was found, beside the
/// code found for its need.
fn new_file(board: &Board, part: &Part, found: &[(&Hit, Vec<IssueId>)]) -> Option<FileImpact> {
    let file = part.hint?.file.as_ref()?;
    if found.iter().any(|(hit, _)| part.is_named_by(hit)) {
        return None;
    }
    let near = |(_, of): &&(&Hit, Vec<IssueId>)| of.iter().any(|i| part.issues.contains(i));
    let (beside, _) = found
        .iter()
        .filter(near)
        .find(|(hit, _)| is_code(&hit.path) && !is_test(&hit.path))?;
    let (folder, name) = beside.path.rsplit_once('/').unwrap_or(("", &beside.path));
    let (_, ending) = name.rsplit_once('.')?;
    let path = match folder {
        "" => format!("{file}.{ending}"),
        _ => format!("{folder}/{file}.{ending}"),
    };
    Some(FileImpact {
        path,
        change: Change::Create,
        what: fill(&board.phrases.file_create, &[("module", &part.module.name)]),
        modules: vec![part.module.id.clone()],
    })
}

fn exists(board: &Board, path: &str) -> bool {
    let mut surveys = board.state.survey.iter();
    surveys.any(|s| s.hits.iter().any(|hit| hit.path == path) || s.tree.iter().any(|p| p == path))
}

/// The source files closest to each need, a few a need, with the needs they were found for.
fn found<'b>(board: &Board<'b>, parts: &[Part]) -> Vec<(&'b Hit, Vec<IssueId>)> {
    let mut found: Vec<(&Hit, Vec<IssueId>)> = Vec::new();
    let mut issues: Vec<IssueId> = parts.iter().flat_map(|p| p.issues.clone()).collect();
    issues.sort();
    issues.dedup();
    for issue in issues {
        let text = match board.state.ledger.find(issue) {
            Some(record) => board.issue_text(record),
            None => board.title_of(issue).unwrap_or_default(),
        };
        let rule = topics::general_item(&board.general, &Matcher::new(&text), false);
        let rule = rule.map_or("", |item| item.key.as_str());
        for hit in board.files_for(&text) {
            match found.iter_mut().find(|(known, _)| known.path == hit.path) {
                Some((_, of)) => of.push(issue),
                None if is_edited(hit, rule) => found.push((hit, vec![issue])),
                None => {}
            }
        }
    }
    // Tests follow the code they hold; alone they are better than nothing.
    found.sort_by_key(|(hit, _)| is_test(&hit.path));
    let code = found.iter().filter(|(hit, _)| !is_test(&hit.path)).count();
    found.truncate(if code > 0 {
        code.min(MAX_MODIFY)
    } else {
        MAX_MODIFY
    });
    found
}

/// Parts of the needs a file was found for: those whose words it speaks, else
/// the part that holds the change itself, else the first.
fn modules_of(parts: &[Part], hit: &Hit, issues: &[IssueId]) -> Vec<String> {
    let mine: Vec<&Part> = parts
        .iter()
        .filter(|part| issues.iter().any(|issue| part.issues.contains(issue)))
        .collect();
    let named = mine.iter().filter(|part| part.is_named_by(hit));
    let speaking: Vec<String> = named.map(|part| part.module.id.clone()).collect();
    if !speaking.is_empty() {
        return speaking;
    }
    let core = mine.iter().find(|part| part.hint.is_none());
    let part = core.or(mine.first()).copied().or(parts.last());
    part.map(|part| part.module.id.clone())
        .into_iter()
        .collect()
}

impl Part<'_> {
    /// Does the file's name speak of the part's topic?
    fn is_named_by(&self, hit: &Hit) -> bool {
        let name = hit.path.rsplit('/').next().unwrap_or_default();
        let words = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let matcher = Matcher::new(&words.replace(['_', '-', '.'], " "));
        matcher.any(self.triggers)
    }
}

/// Is it a file that a change by this general rule would edit?
fn is_edited(hit: &Hit, rule: &str) -> bool {
    const PROSE: [&str; 5] = ["md", "mdx", "rst", "adoc", "txt"];
    const MANIFESTS: [&str; 10] = [
        "Cargo.toml",
        "package.json",
        "requirements.txt",
        "pyproject.toml",
        "go.mod",
        "pom.xml",
        "build.gradle",
        "build.gradle.kts",
        "Gemfile",
        "composer.json",
    ];
    let name = hit.path.rsplit('/').next().unwrap_or_default();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    // Its manifest tells what a program rests on; a page that names it is no part of it.
    let is_manifest = MANIFESTS.contains(&name);
    let on_the_line = || {
        let line = hit.line.to_lowercase();
        hit.terms.iter().any(|term| line.contains(term.as_str()))
    };
    match rule {
        "document" => PROSE.contains(&ending) && !is_manifest,
        "change" if is_manifest => on_the_line(),
        _ => is_source(&hit.path),
    }
}

/// Is it program code, beside which more of it can stand?
fn is_code(path: &str) -> bool {
    const NOT_CODE: [&str; 11] = [
        "html", "css", "scss", "sql", "sh", "graphql", "proto", "tf", "j2", "erb", "prisma",
    ];
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    is_source(path) && !NOT_CODE.contains(&ending)
}

/// Is it a file a change like this would edit: code or a template, no lock file, log or picture?
fn is_source(path: &str) -> bool {
    const ENDINGS: [&str; 44] = [
        "rs", "go", "py", "rb", "php", "java", "kt", "kts", "scala", "cs", "fs", "swift", "m", "c",
        "h", "cc", "cpp", "hpp", "js", "mjs", "cjs", "ts", "tsx", "jsx", "vue", "svelte", "html",
        "css", "scss", "sql", "ex", "exs", "erl", "clj", "dart", "lua", "sh", "graphql", "proto",
        "tf", "j2", "erb", "prisma", "hs",
    ];
    path.rsplit_once('.')
        .is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

fn is_test(path: &str) -> bool {
    path.split('/').any(|part| {
        part.starts_with("test")
            || part == "spec"
            || part == "specs"
            || part.contains("_test.")
            || part.contains(".test.")
            || part.contains(".spec.")
    })
}
