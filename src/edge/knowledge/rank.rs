//! Which files fit the terms best, and by which line.

use std::cmp::Reverse;

use super::Search;
use crate::machine::{Hit, Passage};

/// Characters of a line that is shown, at most.
const MAX_LINE: usize = 120;
/// How much more a name counts than a line.
const NAME_WEIGHT: f64 = 4.0;
/// How much more a folder counts than a line: all its files share it.
const FOLDER_WEIGHT: f64 = 3.0;
/// A term in more than this share of the files says nothing about any of them.
const COMMON: f64 = 0.5;
/// A file below this share of the best score was found by chance.
const CHANCE: f64 = 0.08;

/// A file with its text; empty when it was not read.
pub struct Candidate {
    /// Path as it is shown.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// Where a term was found in one file.
#[derive(Clone, Copy, Default)]
pub(super) struct Found {
    in_name: bool,
    in_folder: bool,
    pub(super) in_text: bool,
}

impl Found {
    fn is_any(self) -> bool {
        self.in_name || self.in_folder || self.in_text
    }
}

/// The `max` files that fit best, best first, equal ones in order of paths.
///
/// A term counts the more the fewer files hold it, and a name more than a line.
pub fn best(
    files: &[Candidate],
    terms: &[String],
    requirement: &str,
    max: usize,
    search: &Search<'_>,
) -> Vec<Hit> {
    let table = table(files, terms, search);
    let weights = weights(&table, terms.len());
    let mut ranked: Vec<(u64, usize)> = table
        .iter()
        .enumerate()
        .map(|(index, found)| {
            let named = is_named(requirement, &files[index].path);
            let score = score(&files[index], found, &weights);
            // A file that is named is meant.
            (if named { score.max(1) * 10 } else { score }, index)
        })
        .filter(|(score, _)| *score > 0)
        .collect();
    ranked.sort_by_key(|(score, index)| (Reverse(*score), *index));
    let least = ranked
        .first()
        .map_or(0.0, |(score, _)| *score as f64 * CHANCE);
    ranked.retain(|(score, _)| *score as f64 >= least);
    ranked.truncate(max);
    ranked
        .into_iter()
        .map(|(_, index)| {
            let file = Candidate {
                path: files[index].path.clone(),
                text: (search.redact)(&files[index].text),
            };
            hit(&file, &table[index], terms, &weights)
        })
        .collect()
}

/// Where each term was found in each file, as far as the search got.
fn table(files: &[Candidate], terms: &[String], search: &Search<'_>) -> Vec<Vec<Found>> {
    let files = files.iter().take_while(|_| !(search.stop)());
    files.map(|file| look(file, terms)).collect()
}

/// Does the text name the file, with its ending?
pub(super) fn is_named(text: &str, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.contains('.') && name.len() > 3 && text.contains(name)
}

/// Lower case, with the parts of `CamelCase` apart.
pub(super) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len() + text.len() / 16);
    let mut was_lower = false;
    for c in text.chars() {
        if was_lower && c.is_ascii_uppercase() {
            folded.push('_');
        }
        was_lower = c.is_ascii_lowercase();
        folded.extend(c.to_lowercase());
    }
    folded
}

pub(super) fn look(file: &Candidate, terms: &[String]) -> Vec<Found> {
    let path = fold(&file.path);
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let text = fold(&file.text);
    terms
        .iter()
        .map(|term| Found {
            in_name: occurs(name, term),
            // An empty file is nothing but its place.
            in_folder: !text.trim().is_empty() && occurs(folder, term),
            in_text: occurs(&text, term),
        })
        .collect()
}

/// Does a word that begins with the term occur? Han terms occur anywhere.
pub(super) fn occurs(text: &str, term: &str) -> bool {
    if !term.is_ascii() {
        return text.contains(term);
    }
    text.match_indices(term).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let rest: usize = text[at + term.len()..]
            .chars()
            .take_while(char::is_ascii_lowercase)
            .count();
        let ending = &text[at + term.len()..at + term.len() + rest];
        // `log` is not `logic`, nor `mode` `model`: a term may only take an ending.
        !before.is_some_and(|c| c.is_ascii_alphabetic()) && is_form(term, ending)
    })
}

/// May a word be the term with this ending: a long term any, a short one that of a form?
fn is_form(term: &str, ending: &str) -> bool {
    const ROOTS: [&str; 3] = ["auth", "admin", "config"];
    const ENDINGS: [&str; 19] = [
        "s", "es", "e", "ed", "er", "ers", "d", "r", "rs", "or", "ors", "ing", "ings", "ion",
        "ions", "able", "y", "ies", "ment",
    ];
    match term.len() {
        _ if ending.is_empty() => true,
        0..4 => ending == "s",
        4 | 5 => ENDINGS.contains(&ending) || ROOTS.contains(&term),
        _ => true,
    }
}

/// Inverse document frequency of each term; 0 for one that is nowhere or nearly everywhere.
pub(super) fn weights(table: &[Vec<Found>], terms: usize) -> Vec<f64> {
    let total = table.len().max(1) as f64;
    (0..terms)
        .map(|term| {
            let holders = table.iter().filter(|found| found[term].is_any()).count() as f64;
            let common = holders / total > COMMON && total > 10.0;
            if holders == 0.0 || common {
                0.0
            } else {
                (1.0 + total / holders).ln()
            }
        })
        .collect()
}

/// A figure to sort by, in thousandths: no order hangs on the last bit of a float.
pub(super) fn score(file: &Candidate, found: &[Found], weights: &[f64]) -> u64 {
    let sum: f64 = found
        .iter()
        .zip(weights)
        .map(|(found, weight)| {
            let name = match found {
                Found { in_name: true, .. } => NAME_WEIGHT,
                Found {
                    in_folder: true, ..
                } => FOLDER_WEIGHT,
                _ => 0.0,
            };
            let text = if found.in_text { 1.0 } else { 0.0 };
            weight * (name + text)
        })
        .sum();
    let kinds = found.iter().filter(|found| found.is_any()).count() as f64;
    // Several terms together tell more than one term often.
    let unread = if file.text.trim().is_empty() {
        0.2
    } else {
        1.0
    };
    (sum * (1.0 + kinds / 4.0) * kind_weight(&file.path) * unread * 1000.0) as u64
}

/// Folders of what tests are fed with and what they once gave: they name everything and
/// are changed with the code, never instead of it.
const RECORDINGS: [&str; 9] = [
    "fixtures",
    "fixture",
    "testdata",
    "test-data",
    "snapshots",
    "__snapshots__",
    "golden",
    "recordings",
    "cassettes",
];

/// Code first, then its tests, then texts; lock files, data and recordings last.
fn kind_weight(path: &str) -> f64 {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_lock = name.ends_with(".lock")
        || name.contains("-lock.")
        || name.ends_with(".min.js")
        || name == "go.sum";
    let test = path.to_lowercase().split('/').any(|part| {
        part.starts_with("test") || part.starts_with("spec") || part.contains("_test.")
    });
    let mut folders = path.split('/').rev().skip(1);
    let is_recording = folders.any(|part| RECORDINGS.contains(&part.to_lowercase().as_str()));
    match ending {
        _ if is_lock => 0.1,
        _ if is_recording => 0.2,
        "md" | "rst" | "txt" | "adoc" => 0.5,
        "json" | "csv" | "svg" | "xml" | "snap" | "log" | "jsonl" => 0.3,
        "yml" | "yaml" | "toml" | "ini" => 0.4,
        _ if test => 0.7,
        "html" | "css" | "scss" => 0.8,
        _ => 1.0,
    }
}

fn hit(file: &Candidate, found: &[Found], terms: &[String], weights: &[f64]) -> Hit {
    let names: Vec<String> = terms
        .iter()
        .zip(found)
        .zip(weights)
        .filter(|((_, found), weight)| **weight > 0.0 && found.is_any())
        .map(|((term, _), _)| term.clone())
        .collect();
    let (number, line) = telling_line(&file.text, terms, weights).unwrap_or_default();
    Hit {
        path: file.path.clone(),
        terms: names,
        line,
        number,
    }
}

/// The first line with the greatest weight of terms, shown safely; definitions win ties.
fn telling_line(text: &str, terms: &[String], weights: &[f64]) -> Option<(u32, String)> {
    let mut best: Option<(u64, u32, &str)> = None;
    for (index, line) in text.lines().enumerate() {
        let lower = fold(line);
        let sum: f64 = terms
            .iter()
            .zip(weights)
            .filter(|(term, weight)| **weight > 0.0 && occurs(&lower, term))
            .map(|(_, weight)| *weight)
            .sum();
        let defines = [
            "fn ",
            "def ",
            "class ",
            "struct ",
            "func ",
            "function ",
            "interface ",
            "create table",
            "export ",
        ]
        .iter()
        .any(|word| lower.contains(word));
        let lead = lower.trim_start();
        let imports = ["use ", "import ", "from ", "#include", "require"];
        let kind = match imports.iter().any(|word| lead.starts_with(word)) {
            true => 0.3,
            false if defines => 1.5,
            false => 1.0,
        };
        let figure = (sum * kind * 1000.0) as u64;
        if figure > 0 && best.is_none_or(|(most, _, _)| figure > most) {
            best = Some((figure, u32::try_from(index + 1).unwrap_or(u32::MAX), line));
        }
    }
    best.map(|(_, number, line)| (number, shown(line, MAX_LINE)))
}

/// A text without control and direction characters, white space joined, at most `max` characters.
pub(super) fn shown(text: &str, max: usize) -> String {
    let clean: String = text
        .chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(|c| !c.is_control() && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'))
        .collect();
    let joined = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    if joined.chars().count() <= max {
        return joined;
    }
    let kept: String = joined.chars().take(max - 1).collect();
    format!("{}…", kept.trim_end())
}

/// The best paragraph of each of the best files.
pub fn best_passages(
    files: &[Candidate],
    terms: &[String],
    max: usize,
    characters: usize,
    search: &Search<'_>,
) -> Vec<Passage> {
    let table = table(files, terms, search);
    let weights = weights(&table, terms.len());
    best(files, terms, "", max, search)
        .into_iter()
        .filter_map(|hit| {
            let file = files.iter().find(|file| file.path == hit.path)?;
            let text = (search.redact)(&file.text);
            let paragraph = text
                .split("\n\n")
                .map(|paragraph| (weight_of(paragraph, terms, &weights), paragraph))
                .filter(|(figure, _)| *figure > 0)
                .reduce(|best, next| if next.0 > best.0 { next } else { best })?
                .1;
            let lines: Vec<String> = paragraph
                .lines()
                .map(|line| shown(line, characters))
                .collect();
            let text: String = lines.join("\n").trim().chars().take(characters).collect();
            Some(Passage {
                path: hit.path,
                text,
            })
        })
        .collect()
}

fn weight_of(text: &str, terms: &[String], weights: &[f64]) -> u64 {
    let lower = fold(text);
    let sum: f64 = terms
        .iter()
        .zip(weights)
        .filter(|(term, _)| occurs(&lower, term))
        .map(|(_, weight)| weight.max(0.1))
        .sum();
    (sum * 1000.0) as u64
}
