//! How well files fit the words of a question.

/// How much more a name counts than a line.
const NAME_WEIGHT: f64 = 4.0;
/// How much more a folder counts than a line: all its files share it.
const FOLDER_WEIGHT: f64 = 3.0;
/// A term in more than this share of the files says nothing about any of them.
const COMMON: f64 = 0.5;

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
