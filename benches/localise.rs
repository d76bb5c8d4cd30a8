//! Measures how much of a real change the repository map shows before the change is made.
//!
//! `cargo bench --bench localise -- [--commits N] [--tokens N] [--other-half] DIR...`
//! takes folders with a git history. It uses every second of the last commits that change code. The
//! requirement is the commit's message without issue numbers, the tree is that of its parent. The
//! benchmark counts which of the changed files the map names and which of the changed places it
//! shows. `--other-half` takes the other commits, on which the ranking was tuned. Nothing is
//! fetched, and the folders are not modified.
//!
//! A place is a hunk of the old side with three lines around it; it is shown if at least half of
//! its lines of more than 8 characters are in what the map shows of that file.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    missing_docs
)]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use aitc::edge::knowledge::Search;
use aitc::edge::knowledge::map::{Class, Query};
use aitc::machine::Survey;

/// Maximum number of files a commit changes: the message of a larger one is not a requirement.
const MAX_FILES: usize = 12;
/// Minimum number of different searchable words in a message.
const MIN_WORDS: usize = 3;
/// First words of subjects of commits that nobody plans.
const CHORES: [&str; 7] = [
    "bump",
    "release",
    "merge",
    "revert",
    "build(deps",
    "chore(deps",
    "prepare for release",
];

/// Number found and number expected: source, tests, docs.
type Shares = [(usize, usize); 3];

#[derive(Default)]
struct Tally {
    commits: usize,
    files: Shares,
    places: Shares,
}

fn main() {
    let mut arguments = std::env::args().skip(1).peekable();
    let (mut commits, mut tokens, mut half, mut folders) = (25, 8_000, 0, Vec::new());
    let mut measures = false;
    while let Some(argument) = arguments.next() {
        let mut number = || {
            arguments
                .next()
                .and_then(|it| it.parse().ok())
                .expect("a number")
        };
        match argument.as_str() {
            "--bench" => measures = true,
            "--commits" => commits = number(),
            "--tokens" => tokens = number(),
            "--other-half" => half = 1,
            folder => folders.push(folder.to_owned()),
        }
    }
    if !measures || folders.is_empty() {
        println!("nothing measured: cargo bench --bench localise -- DIR...");
        return;
    }
    let mut all = Tally::default();
    for folder in &folders {
        let tally = measure(folder, commits, tokens as u64, half);
        tell(folder, &tally);
        all.commits += tally.commits;
        for kind in 0..3 {
            add(&mut all.files[kind], tally.files[kind]);
            add(&mut all.places[kind], tally.places[kind]);
        }
    }
    tell("all", &all);
}

fn add(sum: &mut (usize, usize), more: (usize, usize)) {
    *sum = (sum.0 + more.0, sum.1 + more.1);
}

fn tell(name: &str, tally: &Tally) {
    let share = |(found, all): (usize, usize)| match all {
        0 => "none".to_owned(),
        _ => format!("{:.0} % of {all}", 100.0 * found as f64 / all as f64),
    };
    let shares = |shares: &Shares| shares.map(share).join(" / ");
    println!(
        "{name}: {} commits; files named, source / tests / docs: {}; places shown: {}",
        tally.commits,
        shares(&tally.files),
        shares(&tally.places),
    );
}

fn git(folder: &Path, line: &[&str]) -> String {
    let ran = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args([
            "-c",
            "core.hooksPath=/dev/null",
            "-c",
            "advice.detachedHead=false",
        ])
        .args(line)
        .output()
        .expect("git runs");
    assert!(
        ran.status.success(),
        "git {line:?}: {}",
        String::from_utf8_lossy(&ran.stderr)
    );
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

fn measure(folder: &str, commits: usize, tokens: u64, half: usize) -> Tally {
    let place = tempfile::tempdir().unwrap();
    let tree = place.path().join("tree");
    let (from, to) = (
        Path::new(folder).canonicalize().unwrap(),
        tree.to_str().unwrap(),
    );
    let from = from.to_str().unwrap();
    git(place.path(), &["clone", "-q", "--no-checkout", from, to]);
    let form = "--format=%x01%H%n%B%x02";
    let log = git(
        &tree,
        &[
            "log",
            "--no-merges",
            "-n",
            "3000",
            "--no-renames",
            "--name-status",
            form,
        ],
    );
    let mut tally = Tally::default();
    let mut eligible = 0;
    for commit in log.split('\u{1}').skip(1) {
        let (head, changes) = commit.split_once('\u{2}').unwrap();
        let (id, message) = head.split_once('\n').unwrap();
        let changes: Vec<(&str, &str)> = changes
            .lines()
            .filter_map(|line| line.split_once('\t'))
            .filter(|(_, path)| !path.split('/').any(|part| part.starts_with('.')))
            .collect();
        let wish = wish(message);
        if !is_requirement(&wish, &changes) {
            continue;
        }
        eligible += 1;
        if eligible % 2 == half {
            continue;
        }
        let parent = format!("{id}^");
        git(&tree, &["checkout", "-q", "-f", "--detach", &parent]);
        let search = Search {
            root: &tree,
            knowledge: &[],
            redact: &str::to_owned,
            stop: &|| false,
            cache: None,
        };
        let survey = search.survey(&wish, tokens).unwrap().survey;
        count(&survey, &tree, id, &changes, &mut tally);
        tally.commits += 1;
        if tally.commits == commits {
            break;
        }
    }
    tally
}

/// The message without issue numbers, addresses and trailers.
fn wish(message: &str) -> String {
    let is_number = |word: &&str| {
        let word = word.trim_matches(|c: char| "()[],.:;".contains(c));
        let digits = word.strip_prefix('#').unwrap_or("x");
        digits.chars().all(|c| c.is_ascii_digit()) || word.starts_with("http")
    };
    let lines = message.lines().filter(|line| !line.contains("-by: "));
    let lines = lines.filter(|line| !line.starts_with("Change-Id"));
    let lines: Vec<String> = lines
        .map(|line| {
            let words: Vec<&str> = line.split(' ').filter(|word| !is_number(word)).collect();
            words.join(" ")
        })
        .collect();
    lines.join("\n").trim().to_owned()
}

fn is_requirement(wish: &str, changes: &[(&str, &str)]) -> bool {
    let subject = wish.to_lowercase();
    let code = changes
        .iter()
        .any(|(how, path)| *how == "M" && Class::of(path) == Class::Source);
    code && changes.len() <= MAX_FILES
        && !CHORES.iter().any(|chore| subject.starts_with(chore))
        && Query::of(wish).weights.len() >= MIN_WORDS
}

fn kind(path: &str) -> Option<usize> {
    match Class::of(path) {
        Class::Source => Some(0),
        Class::Test => Some(1),
        Class::Docs => Some(2),
        Class::Other | Class::Made => None,
    }
}

fn count(survey: &Survey, tree: &Path, id: &str, changes: &[(&str, &str)], tally: &mut Tally) {
    for (how, path) in changes {
        if let (true, Some(kind)) = (*how != "A", kind(path)) {
            let is_named = survey.hits.iter().any(|hit| hit.path == *path);
            add(&mut tally.files[kind], (usize::from(is_named), 1));
        }
    }
    let diff = git(
        tree,
        &["diff", "--no-renames", "-U3", &format!("{id}^"), id],
    );
    for (path, lines) in hunks(&diff) {
        let Some(kind) = kind(&path).filter(|_| changes.iter().any(|(_, it)| *it == path)) else {
            continue;
        };
        let long: Vec<&str> = lines
            .into_iter()
            .filter(|it| it.chars().count() > 8)
            .collect();
        if long.is_empty() {
            continue;
        }
        let hits = survey.hits.iter().filter(|hit| hit.path == path);
        let shown: BTreeSet<&str> = hits
            .flat_map(|hit| &hit.blocks)
            .flat_map(|block| block.text.lines().map(str::trim))
            .collect();
        let found = long.iter().filter(|line| shown.contains(**line)).count();
        let is_shown = found * 2 >= long.len();
        add(&mut tally.places[kind], (usize::from(is_shown), 1));
    }
}

/// The old side of each hunk, for files that existed before.
fn hunks(diff: &str) -> Vec<(String, Vec<&str>)> {
    let mut hunks: Vec<(String, Vec<&str>)> = Vec::new();
    let mut path = None;
    let mut within = false;
    for line in diff.lines() {
        if line.starts_with("diff --git ") {
            (path, within) = (None, false);
        } else if let (false, Some(old)) = (within, line.strip_prefix("--- a/")) {
            path = Some(old.to_owned());
        } else if line.starts_with("@@ ") {
            within = true;
            hunks.extend(path.clone().map(|path| (path, Vec::new())));
        } else if let (true, Some(line)) = (path.is_some(), line.strip_prefix([' ', '-']))
            && let Some((_, lines)) = hunks.last_mut().filter(|_| within)
        {
            lines.push(line.trim());
        }
    }
    hunks
}
