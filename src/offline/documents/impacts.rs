//! File impacts: which files of the repository a change would touch, and new ones.

use super::super::board::Board;
use super::super::text::{Matcher, cut, fill};
use super::design::Part;
use crate::reply::{Change, FileImpact};
use crate::workshop::{Hit, IssueId};

/// Existing files named as changing, at most.
const MAX_MODIFY: usize = 6;
/// New files proposed, at most.
const MAX_CREATE: usize = 2;

/// Files found for the agreed needs, and new ones for parts that want one of their own.
pub fn files(board: &Board, parts: &[Part]) -> Vec<FileImpact> {
    let found = found(board, parts);
    let hits: Vec<&Hit> = found.iter().map(|(hit, _)| *hit).collect();
    let mut impacts: Vec<FileImpact> = found
        .iter()
        .map(|(hit, issues)| FileImpact {
            path: hit.path.clone(),
            change: Change::Modify,
            what: what_changes(board, hit),
            modules: modules_of(parts, hit, issues),
        })
        .collect();
    let Some(nearest) = hits.iter().find(|hit| !is_test(&hit.path)) else {
        return impacts;
    };
    let (folder, name) = nearest.path.rsplit_once('/').unwrap_or(("", &nearest.path));
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let new = parts
        .iter()
        .filter_map(|part| Some((part, part.hint?.file.as_ref()?)));
    for (part, file) in new.take(MAX_CREATE) {
        let name = format!("{file}.{ending}");
        let path = if folder.is_empty() {
            name.clone()
        } else {
            format!("{folder}/{name}")
        };
        let exists = hits
            .iter()
            .any(|hit| hit.path.rsplit('/').next() == Some(name.as_str()))
            || board
                .state
                .survey
                .iter()
                .any(|survey| survey.tree.contains(&path));
        if !exists {
            impacts.push(FileImpact {
                path,
                change: Change::Create,
                what: fill(&board.phrases.file_create, &[("module", &part.module.name)]),
                modules: vec![part.module.id.clone()],
            });
        }
    }
    impacts
}

fn what_changes(board: &Board, hit: &Hit) -> String {
    let terms = board.join(&hit.terms);
    if hit.number == 0 {
        return fill(&board.phrases.file_what, &[("terms", &terms)]);
    }
    let number = hit.number.to_string();
    fill(
        &board.phrases.file_what_line,
        &[
            ("terms", &terms),
            ("number", &number),
            ("line", &cut(&hit.line, 70)),
        ],
    )
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
        for hit in board.files_for(&text) {
            match found.iter_mut().find(|(known, _)| known.path == hit.path) {
                Some((_, of)) => of.push(issue),
                None if is_source(&hit.path) => found.push((hit, vec![issue])),
                None => {}
            }
        }
    }
    found.truncate(MAX_MODIFY);
    found
}

/// Parts of the needs a file was found for: those whose words it speaks, else
/// the part that holds the change itself, else the first.
fn modules_of(parts: &[Part], hit: &Hit, issues: &[IssueId]) -> Vec<String> {
    let text = Matcher::new(&format!(
        "{} {}",
        hit.path.replace(['/', '_', '-', '.'], " "),
        hit.line
    ));
    let mine: Vec<&Part> = parts
        .iter()
        .filter(|part| issues.iter().any(|issue| part.issues.contains(issue)))
        .collect();
    let speaks = |part: &&&Part| {
        let name = part.hint.map(|hint| hint.name.as_str());
        name.is_some_and(|name| super::super::text::stems(name).iter().any(|w| text.has(w)))
    };
    let speaking: Vec<String> = mine
        .iter()
        .filter(speaks)
        .map(|p| p.module.id.clone())
        .collect();
    if !speaking.is_empty() {
        return speaking;
    }
    let core = mine.iter().find(|part| part.hint.is_none());
    let part = core.or(mine.first()).copied().or(parts.last());
    part.map(|part| part.module.id.clone())
        .into_iter()
        .collect()
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
