//! Ranks files and their chunks for a query.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use super::tokens::{Counts, Query};
use super::{Commit, Scanned, SourceFile};
use crate::edge::model::pattern;

/// Commits that touch more files than this are ignored.
const MAX_TOUCHED: usize = 60;

/// Number of lines at the start of a text in which it may say that it is generated.
const HEAD: usize = 30;

/// The role of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Code.
    Source,
    /// Tests.
    Test,
    /// Documentation.
    Docs,
    /// Settings, manifests, data.
    Other,
    /// Generated files: lock files, test recordings, minified code.
    Made,
}

/// File extensions of code, of languages that are parsed and of others.
const CODE: &str = " rs py pyi js jsx mjs cjs ts tsx mts cts go java c h cc cpp cxx hh hpp hxx \
     cs rb rake php kt kts scala swift m mm vue svelte astro html css scss sass less sql sh bash \
     zsh fish ps1 lua pl pm ex exs erl hs ml mli clj dart zig nim r jl proto graphql tf j2 tera \
     erb ejs hbs s asm cu groovy gradle ";
const DOCS: &str = " md markdown mdx rst txt adoc asciidoc org tex ";
/// Folders of test inputs and recorded outputs.
const RECORDINGS: &str = " fixtures fixture testdata test-data snapshots __snapshots__ golden \
     recordings cassettes ";

impl Class {
    /// Determines the class from the path alone.
    pub fn of(path: &str) -> Self {
        let path = path.to_lowercase();
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
        let is_one =
            |list: &str, word: &str| !word.is_empty() && list.contains(&format!(" {word} "));
        let mut folders = folders.split('/');
        let is_lock = ending == "lock" || stem.ends_with("-lock") || name == "go.sum";
        let is_recorded = folders.clone().any(|folder| is_one(RECORDINGS, folder));
        let is_made = is_lock
            || is_recorded
            || stem.ends_with(".min")
            || matches!(ending, "snap" | "svg" | "map" | "csv" | "jsonl" | "log");
        let is_test = |word: &str| matches!(word, "test" | "tests" | "spec" | "specs" | "testing");
        let in_tests = folders.any(|folder| is_test(folder.trim_matches('_')));
        let named = stem.split(['_', '.', '-']).any(is_test) || stem == "conftest";
        match () {
            () if is_made => Self::Made,
            () if is_one(DOCS, ending) => Self::Docs,
            () if !is_one(CODE, ending) => Self::Other,
            () if in_tests || named || stem.ends_with("test") || stem.ends_with("tests") => {
                Self::Test
            }
            () => Self::Source,
        }
    }

    /// The weight of a file of this class.
    pub const fn of_file(self) -> f64 {
        match self {
            Self::Source => 1.0,
            Self::Test => 0.7,
            Self::Docs => 0.6,
            Self::Other => 0.5,
            Self::Made => 0.1,
        }
    }

    const fn of_chunk(self) -> f64 {
        match self {
            Self::Source => 1.0,
            Self::Test => 0.8,
            Self::Docs => 0.6,
            Self::Other => 0.4,
            Self::Made => 0.1,
        }
    }
}

struct Bm25<'q> {
    query: &'q Query,
    idf: Vec<f64>,
    mean: f64,
    k1: f64,
    b: f64,
}

impl<'q> Bm25<'q> {
    fn of<'c>(
        query: &'q Query,
        texts: impl Iterator<Item = &'c Counts> + Clone,
        (k1, b): (f64, f64),
    ) -> Self {
        let mut holders: Vec<f64> = vec![0.0; query.weights.len()];
        let (mut count, mut words): (f64, f64) = (0.0, 0.0);
        for text in texts {
            count += 1.0;
            words += f64::from(text.words);
            for (place, _) in &text.of {
                holders[usize::from(*place)] += 1.0;
            }
        }
        let idf = holders
            .iter()
            .map(|held| (1.0 + (count - held + 0.5) / (held + 0.5)).ln());
        Self {
            query,
            idf: idf.collect(),
            mean: f64::max(words / f64::max(count, 1.0), 1.0),
            k1,
            b,
        }
    }

    /// The score of a text with several fields, each with the weight of its words; the length is
    /// that of the first field.
    fn score(&self, fields: &[(&Counts, f64)]) -> f64 {
        let mut often: Vec<f64> = vec![0.0; self.idf.len()];
        for (field, weight) in fields {
            for (place, count) in &field.of {
                often[usize::from(*place)] += f64::from(*count) * weight;
            }
        }
        let length = fields.first().map_or(0, |(body, _)| body.words);
        let length = 1.0 - self.b + self.b * f64::from(length) / self.mean;
        let scores = often.iter().zip(&self.idf).zip(&self.query.weights);
        scores
            .filter(|((often, _), _)| **often > 0.0)
            .map(|((often, idf), weight)| {
                weight * idf * often * (self.k1 + 1.0) / (often + self.k1 * length)
            })
            .sum()
    }
}

/// Divides all figures by the largest.
fn norm(figures: &mut [f64]) {
    let most = figures.iter().copied().fold(0.0, f64::max);
    if most > 0.0 {
        figures.iter_mut().for_each(|figure| *figure /= most);
    }
}

/// The result: files and chunks in order.
#[derive(Debug, Default)]
pub struct Ranked {
    /// Files with a score above 0, best first; equal ones sorted by path.
    pub files: Vec<usize>,
    /// Indexes of file and chunk, best first.
    pub chunks: Vec<(usize, usize)>,
}

struct FileCounts {
    class: Class,
    path: Counts,
    stem: Counts,
    names: Counts,
    body: Counts,
    chunks: Vec<(Counts, Counts)>,
}

fn count(query: &Query, file: &SourceFile) -> FileCounts {
    let lines: Vec<usize> = std::iter::once(0)
        .chain(file.text.match_indices('\n').map(|(at, _)| at + 1))
        .chain([file.text.len()])
        .collect();
    let mut body = vec![0; query.weights.len()];
    let mut words = 0;
    let chunks: Vec<(Counts, Counts)> = file
        .outline
        .chunks
        .iter()
        .map(|chunk| {
            let at = |line: u32| lines.get(line as usize).copied().unwrap_or(file.text.len());
            let text = file.text.get(at(chunk.from - 1)..at(chunk.to));
            let text = query.count(text.unwrap_or_default());
            words += text.words;
            for (place, often) in &text.of {
                body[usize::from(*place)] += often;
            }
            (text, query.count(&chunk.name))
        })
        .collect();
    let of = (0..).zip(body).filter(|(_, often)| *often > 0);
    FileCounts {
        class: match is_generated(&file.text) {
            true => Class::Made,
            false => Class::of(&file.path),
        },
        path: query.count(&file.path),
        stem: query.count(stem(&file.path)),
        names: query.count(&file.outline.names),
        body: Counts {
            words,
            of: of.collect(),
        },
        chunks,
    }
}

/// Whether the start of a text says that it is generated.
pub fn is_generated(text: &str) -> bool {
    text.lines().take(HEAD).any(|line| GENERATED.is_match(line))
}

/// A remark that says so.
static GENERATED: LazyLock<Regex> = LazyLock::new(|| {
    const REMARK: &str = r#"^\s*(//|#|/?\*|--|;|<!--|""")"#;
    const BY: &str = "(code |file |auto-?|automatically )generated by";
    const ALONE: &str = "do not (edit|modify)";
    pattern(&format!(
        "(?i){REMARK}.*(@generated|{BY}|generated.*{ALONE}|{ALONE}.*generated)"
    ))
});

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').find(|part| !part.is_empty());
    stem.unwrap_or(name)
}

/// The files worth parsing, best first, at most `most`: all files of a small tree, otherwise those
/// that fit best by words, path and history.
pub fn candidates(query: &Query, files: &[Scanned], history: &[Commit], most: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..files.len()).collect();
    if files.len() <= most {
        return order;
    }
    let scoring = Bm25::of(query, files.iter().map(|file| &file.body), (1.5, 0.5));
    let score = |file: &Scanned| {
        let (path, stem) = (query.count(&file.path), query.count(stem(&file.path)));
        scoring.score(&[(&file.body, 1.0), (&path, 4.0), (&stem, 4.0)])
    };
    let mut figures: Vec<f64> = files.iter().map(score).collect();
    norm(&mut figures);
    let (like, recent) = past(query, files.iter().map(|file| file.path.as_str()), history);
    for (at, figure) in figures.iter_mut().enumerate() {
        *figure += 0.3 * like[at] + 0.3 * recent[at];
        if query.names(&files[at].path) {
            *figure += 1.0;
        }
    }
    order.sort_by(|a, b| figures[*b].total_cmp(&figures[*a]).then(a.cmp(b)));
    order.truncate(most);
    order
}

/// Ranks files and their chunks; `history` is newest first.
pub fn rank(query: &Query, files: &[SourceFile], history: &[Commit]) -> Ranked {
    let counted: Vec<FileCounts> = files.iter().map(|file| count(query, file)).collect();
    let fits = chunk_scores(query, &counted);
    let prior = file_scores(query, files, &counted, &fits, history);
    let mut chunks: Vec<(f64, usize, usize)> = Vec::new();
    for (file, own) in fits.iter().enumerate() {
        let weight = match query.names(&files[file].path) {
            true => 1.0,
            false => counted[file].class.of_chunk(),
        };
        let own: Vec<f64> = own
            .iter()
            .map(|c| (c + 0.6 * prior[file]) * weight)
            .collect();
        for at in 0..own.len() {
            let before = at.checked_sub(1).map_or(0.0, |before| own[before]);
            let after = own.get(at + 1).copied().unwrap_or_default();
            chunks.push((own[at] + 0.35 * before.max(after), file, at));
        }
    }
    let mut order: Vec<usize> = (0..files.len()).filter(|file| prior[*file] > 0.0).collect();
    order.sort_by(|a, b| prior[*b].total_cmp(&prior[*a]).then(a.cmp(b)));
    chunks.retain(|(figure, ..)| *figure > 0.0);
    chunks.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    Ranked {
        files: order,
        chunks: chunks.into_iter().map(|(_, file, at)| (file, at)).collect(),
    }
}

/// The score of each chunk by its own words; the best one is 1.
fn chunk_scores(query: &Query, files: &[FileCounts]) -> Vec<Vec<f64>> {
    let texts = files
        .iter()
        .flat_map(|file| &file.chunks)
        .map(|(body, _)| body);
    let scoring = Bm25::of(query, texts, (1.2, 0.75));
    let mut all: Vec<f64> = Vec::new();
    for file in files {
        for (body, name) in &file.chunks {
            let fields = [
                (body, 1.0),
                (name, 8.0),
                (&file.path, 2.0),
                (&file.stem, 0.5),
            ];
            all.push(scoring.score(&fields));
        }
    }
    norm(&mut all);
    let mut all = all.into_iter();
    let of_file = |file: &FileCounts| all.by_ref().take(file.chunks.len()).collect();
    files.iter().map(of_file).collect()
}

/// The score of each file, by its words, its best chunk and the history.
fn file_scores(
    query: &Query,
    files: &[SourceFile],
    counted: &[FileCounts],
    fits: &[Vec<f64>],
    history: &[Commit],
) -> Vec<f64> {
    let scoring = Bm25::of(query, counted.iter().map(|file| &file.body), (1.5, 0.5));
    let score = |file: &FileCounts| {
        let (path, stem) = ((&file.path, 4.0), (&file.stem, 4.0));
        scoring.score(&[(&file.body, 1.0), (&file.names, 0.9), path, stem])
    };
    let mut words: Vec<f64> = counted.iter().map(score).collect();
    norm(&mut words);
    let best = fits
        .iter()
        .map(|own| own.iter().copied().fold(0.0, f64::max));
    let paths = files.iter().map(|file| file.path.as_str());
    let (like, recent) = past(query, paths, history);
    let mut figures: Vec<f64> = words
        .iter()
        .zip(best)
        .zip(like.iter().zip(&recent))
        .map(
            |((words, best), (like, recent))| match words + best + 0.3 * like {
                // A recent change alone says nothing about the query.
                0.0 => 0.0,
                fits => fits + 0.3 * recent,
            },
        )
        .collect();
    norm(&mut figures);
    for (figure, file) in figures.iter_mut().zip(counted) {
        *figure *= file.class.of_file();
    }
    pair(files, counted, &mut figures);
    for (figure, file) in figures.iter_mut().zip(files) {
        // A file that the query names gets a higher score.
        if query.names(&file.path) {
            *figure += 1.0;
        }
    }
    figures
}

/// The score of each path by similar commit messages, and by recent changes.
fn past<'p>(
    query: &Query,
    paths: impl Iterator<Item = &'p str>,
    history: &[Commit],
) -> (Vec<f64>, Vec<f64>) {
    let places: HashMap<&str, usize> = paths.zip(0..).collect();
    let messages: Vec<Counts> = history
        .iter()
        .map(|commit| query.count(&commit.message))
        .collect();
    let scoring = Bm25::of(query, messages.iter(), (1.2, 0.4));
    let mut likeness: Vec<f64> = messages
        .iter()
        .map(|message| scoring.score(&[(message, 1.0)]))
        .collect();
    norm(&mut likeness);
    let (mut like, mut recent) = (vec![0.0; places.len()], vec![0.0; places.len()]);
    for (age, (commit, likeness)) in history.iter().zip(likeness).enumerate() {
        if commit.paths.len() > MAX_TOUCHED {
            continue;
        }
        let share = (commit.paths.len() as f64).sqrt();
        for path in &commit.paths {
            if let Some(file) = places.get(path.as_str()) {
                let age = age as f64;
                like[*file] += likeness * likeness * (-age / 2000.0).exp() / share;
                recent[*file] += (-age / 60.0).exp() / share;
            }
        }
    }
    norm(&mut like);
    norm(&mut recent);
    (like, recent)
}

/// Raises the score of a test by that of the file it tests, and vice versa.
fn pair(files: &[SourceFile], counted: &[FileCounts], figures: &mut [f64]) {
    let mut sources: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, file) in files.iter().enumerate() {
        if counted[at].class == Class::Source {
            sources.entry(subject(&file.path)).or_default().push(at);
        }
    }
    let before = figures.to_vec();
    for (at, file) in files.iter().enumerate() {
        if counted[at].class != Class::Test {
            continue;
        }
        let own = sources
            .get(&subject(&file.path))
            .map_or(&[][..], Vec::as_slice);
        let near = |source: &usize| match own.len() {
            1 => 1.0,
            _ => nearness(&file.path, &files[*source].path),
        };
        for source in own {
            let lent = 0.6 * near(source) * before[*source];
            if lent > 0.7 * before[at] {
                figures[at] = figures[at].max(lent + 0.3 * before[at]);
            }
            let back = 0.48 * near(source) * before[at];
            figures[*source] = figures[*source].max(back);
        }
    }
}

/// The subject of a file, by its name: `list` of `test_list.py` and of `list.test.ts`.
pub fn subject(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let stem = name.split('.').next().unwrap_or(&name);
    let parts = stem.split(['_', '-']);
    let parts = parts.filter(|part| !matches!(*part, "test" | "tests" | "spec" | ""));
    let stem = parts.collect::<Vec<_>>().join("_");
    let stem = stem
        .strip_suffix("tests")
        .or_else(|| stem.strip_suffix("test"))
        .unwrap_or(&stem);
    stem.to_owned()
}

/// The share of folders that two paths have in common; 1 in the same folder.
fn nearness(one: &str, other: &str) -> f64 {
    let folders = |path: &str| -> Vec<String> {
        let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
        folders.split('/').map(str::to_owned).collect()
    };
    let (one, other) = (folders(one), folders(other));
    let same = one.iter().filter(|folder| other.contains(folder)).count();
    same as f64 / one.len().max(other.len()).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_says_what_a_file_is_for() {
        for (path, class) in [
            ("src/a.rs", Class::Source),
            ("src/attest.rs", Class::Test),
            ("tests/a.rs", Class::Test),
            ("pkg/a_test.go", Class::Test),
            ("src/__tests__/a.js", Class::Test),
            ("a/b.spec.ts", Class::Test),
            ("src/test/java/ATest.java", Class::Test),
            ("conftest.py", Class::Test),
            ("docs/tests/a.md", Class::Docs),
            ("Cargo.toml", Class::Other),
            ("Makefile", Class::Other),
            ("Cargo.lock", Class::Made),
            ("package-lock.json", Class::Made),
            ("tests/fixtures/a.rs", Class::Made),
            ("a.min.js", Class::Made),
        ] {
            assert_eq!(Class::of(path), class, "{path}");
        }
    }

    #[test]
    fn a_text_says_at_its_head_that_a_program_writes_it() {
        for (text, is_so) in [
            (
                "// Code generated by informer-gen. DO NOT EDIT.\n\npackage v1\n",
                true,
            ),
            (
                "/*\nCopyright\n*/\n\n// Code generated by mockery v2; DO NOT EDIT.\n",
                true,
            ),
            (
                "# Generated by the protocol buffer compiler.  DO NOT EDIT!\n",
                true,
            ),
            (
                "/* eslint-disable */\n/**\n * This file is automatically generated by x.\n */\n",
                true,
            ),
            ("// @generated by protobuf-ts\n", true),
            ("; AUTO-GENERATED FILE, DO NOT EDIT\n", true),
            ("// The order matters: do not edit.\n", false),
            ("//! Writes a file that says `Generated by us`.\n", false),
            (
                "const HEAD = \"// Code generated by us. DO NOT EDIT.\";\n",
                false,
            ),
            ("// The report is generated from the state.\n", false),
            ("", false),
        ] {
            assert_eq!(is_generated(text), is_so, "{text}");
        }
        let late = format!(
            "{}// Code generated by x. DO NOT EDIT.\n",
            "x\n".repeat(HEAD)
        );
        assert!(!is_generated(&late));
    }

    #[test]
    fn a_test_has_the_subject_of_its_source() {
        for path in [
            "a/list.py",
            "b/test_list.py",
            "list_test.go",
            "list.test.ts",
            "ListTest.java",
            "list-spec.js",
        ] {
            assert_eq!(subject(path), "list", "{path}");
        }
    }
}
