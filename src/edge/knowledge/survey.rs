//! Makes the survey: walks the tree, reads every text once to count the words of the requirement,
//! reads and parses the files that fit best, and ranks them.

use std::collections::BTreeSet;
use std::io;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::{iter, thread};

use super::cache::Cache;
use super::history::history;
use super::map::{self, Commit, Outline, Query, Scanned, SourceFile, lines_of};
use super::{
    Candidate, ReadableFile, SKIPPED, Search, SearchResult, UnreadPaths, manifests, parse,
    without_private_keys,
};
use crate::clean::clean_page;
use crate::edge::safe_open::{self, FileUse};
use crate::fault::said_by_system;
use crate::machine::{KnowledgePassage, Survey, SurveyFile, SurveyLines};
use crate::prompt::quarter_tokens;

/// Maximum number of bytes read in total.
const MAX_TOTAL: u64 = 1 << 30;
const MAX_PARSED: usize = 2_500;
/// Maximum total size of the parsed files in bytes.
const MAX_KEPT: usize = 48 << 20;
/// Number of files between checks for an interrupt.
const BATCH: usize = 512;
const MAX_THREADS: usize = 8;
const MAX_TREE: usize = 80;
const MAX_MANIFESTS: usize = 100;
const MAX_PASSAGES: usize = 5;
/// Maximum length of a passage in characters.
const MAX_PASSAGE: usize = 800;
/// Divisor of the map's tokens: the additional space for the repository's own rules.
const RULES_SHARE: u64 = 6;
/// Files with rules for contributors.
const RULES: [&str; 7] = [
    "AGENTS.md",
    "CLAUDE.md",
    "CONTRIBUTING.md",
    "CONTRIBUTING.rst",
    "CONTRIBUTING",
    ".cursorrules",
    ".github/copilot-instructions.md",
];
const CURSOR_RULES: &str = ".cursor/rules";

impl Search<'_> {
    /// Finds the files that fit `requirement`, and general facts about the repository, in about
    /// `tokens`; `None` if it was stopped.
    ///
    /// Deterministic for the same files. Never fails: what cannot be read is left out and reported.
    pub fn survey(&self, requirement: &str, tokens: u64) -> Option<SearchResult> {
        let mut unread = UnreadPaths::default();
        let query = Query::of(requirement);
        let room = usize::try_from(tokens.saturating_mul(4)).unwrap_or(usize::MAX);
        let mut listed = self.files(iter::once(Path::new("")), &mut unread);
        bound(&mut listed);
        let mut survey = self.of_repository(&query, room, &listed, &mut unread)?;
        let knowledge = self.knowledge.iter().map(PathBuf::as_path);
        let knowledge = self.files(knowledge, &mut unread);
        let texts = self.texts(knowledge, &mut unread);
        survey.knowledge_files = u32::try_from(texts.len()).unwrap_or(u32::MAX);
        survey.knowledge = self.passages(&query, texts);
        let searched = SearchResult {
            survey,
            unread: unread.into_notices(),
        };
        (!(self.stop)()).then_some(searched)
    }

    fn of_repository(
        &self,
        query: &Query,
        room: usize,
        listed: &[ReadableFile],
        unread: &mut UnreadPaths,
    ) -> Option<Survey> {
        let scanned = self.scan(query, listed, unread)?;
        let manifests = listed.iter().filter(|file| {
            let name = file.name.rsplit('/').next().unwrap_or(&file.name);
            file.is_read && manifests::is_manifest(name)
        });
        let manifests: Vec<Candidate> = manifests
            .take(MAX_MANIFESTS)
            .filter_map(|file| {
                let (path, text) = (file.name.clone(), text(file).ok()?);
                Some(Candidate { path, text })
            })
            .collect();
        let history = history(self.root, self.stop);
        let hits = self.hits(query, room, listed, &scanned, &history)?;
        Some(Survey {
            files: u32::try_from(listed.len()).unwrap_or(u32::MAX),
            hits,
            tree: tree(listed),
            uses: manifests::uses(&manifests),
            builds: manifests::builds(&manifests),
            rules: self.rules(listed, room / RULES_SHARE as usize),
            ..Survey::default()
        })
    }

    /// Counts the words of the query in every text.
    fn scan(
        &self,
        query: &Query,
        listed: &[ReadableFile],
        unread: &mut UnreadPaths,
    ) -> Option<Vec<Scanned>> {
        let read = |file: &ReadableFile| text(file).map(|text| query.count(&text));
        let mut scanned = Vec::with_capacity(listed.len());
        for batch in listed.chunks(BATCH) {
            if (self.stop)() {
                return None;
            }
            for (file, counts) in batch.iter().zip(in_parallel(batch, &read)) {
                let body = counts.unwrap_or_else(|error| {
                    unread.note(self.root, &file.path, &said_by_system(&error));
                    map::Counts::default()
                });
                let path = file.name.clone();
                scanned.push(Scanned { path, body });
            }
        }
        Some(scanned)
    }

    /// The files that fit, with their best places.
    fn hits(
        &self,
        query: &Query,
        room: usize,
        listed: &[ReadableFile],
        scanned: &[Scanned],
        history: &[Commit],
    ) -> Option<Vec<SurveyFile>> {
        let mut chosen = map::candidates(query, scanned, history, MAX_PARSED);
        // Equal scores are ordered by index.
        chosen.sort_unstable();
        let mut cache = Cache::of(self.cache, self.root);
        let mut sources: Vec<SourceFile> = Vec::with_capacity(chosen.len());
        let mut kept = 0;
        for batch in chosen.chunks(BATCH) {
            if (self.stop)() {
                return None;
            }
            let read = |at: &usize| {
                let file = &listed[*at];
                let text = without_private_keys(text(file).unwrap_or_default());
                let digest = Cache::digest(&file.name, &text);
                match cache.outline(&digest) {
                    Some(outline) => (text, outline.clone(), digest),
                    None => {
                        let outline = Outline::from(parse::parse(&file.name, &text));
                        (text, outline, digest)
                    }
                }
            };
            for (at, (text, outline, digest)) in batch.iter().zip(in_parallel(batch, &read)) {
                kept += text.len();
                let is_kept = kept <= MAX_KEPT;
                if is_kept && cache.outline(&digest).is_none() {
                    cache.put(digest, &outline);
                }
                sources.push(SourceFile {
                    path: listed[*at].name.clone(),
                    text: if is_kept { text } else { String::new() },
                    outline: if is_kept { outline } else { Outline::default() },
                });
            }
        }
        cache.keep();
        let ranked = map::rank(query, &sources, history);
        let length = |text: &str| usize::try_from(quarter_tokens(text)).unwrap_or(usize::MAX);
        let shown = map::fill(&ranked, &sources, room, &length);
        let hits = shown.into_iter().map(|(file, lines)| {
            let source = &sources[file];
            let text = (!lines.is_empty()).then(|| self.cleared(&source.text));
            let blocks = lines.into_iter().map(|(from, to, name)| SurveyLines {
                from,
                to,
                name: clean_page(&name),
                text: lines_of(text.as_deref().unwrap_or_default(), from, to),
            });
            SurveyFile {
                path: source.path.clone(),
                blocks: blocks.collect(),
            }
        });
        Some(hits.collect())
    }

    /// The best passage of each of the files that fit best.
    fn passages(&self, query: &Query, texts: Vec<Candidate>) -> Vec<KnowledgePassage> {
        let sources: Vec<SourceFile> = texts
            .into_iter()
            .map(|file| SourceFile {
                outline: parse::parse(&file.path, &file.text).into(),
                path: file.path,
                text: file.text,
            })
            .collect();
        let ranked = map::rank(query, &sources, &[]);
        let mut passages: Vec<KnowledgePassage> = Vec::new();
        let mut seen = BTreeSet::new();
        for (file, chunk) in ranked.chunks {
            let source = &sources[file];
            let fits = ranked.files.contains(&file) && seen.insert(file);
            if let Some(chunk) = source.outline.chunks.get(chunk).filter(|_| fits) {
                let text = self.cleared(&source.text);
                let lines = text.lines().skip(chunk.from as usize - 1);
                let lines: Vec<&str> = lines.take((chunk.to + 1 - chunk.from) as usize).collect();
                passages.push(KnowledgePassage {
                    path: source.path.clone(),
                    text: passage(query, &lines.join("\n")),
                });
            }
            if passages.len() == MAX_PASSAGES {
                break;
            }
        }
        passages
    }

    /// The beginnings of the repository's own rules, `room` characters in total.
    fn rules(&self, listed: &[ReadableFile], room: usize) -> Vec<KnowledgePassage> {
        let cursor = safe_open::place_beneath(self.root, Path::new(CURSOR_RULES));
        let cursor = cursor.and_then(|folder| safe_open::names_in(&folder));
        let cursor = cursor.unwrap_or_default().into_iter();
        let cursor = cursor.filter(|name| name.ends_with(".md") || name.ends_with(".mdc"));
        let cursor = cursor.map(|name| format!("{CURSOR_RULES}/{name}"));
        // Hidden files are not in `listed`; any other file that is missing there is ignored by git.
        let is_there =
            |path: &String| path.starts_with('.') || listed.iter().any(|file| file.name == *path);
        let paths = RULES.iter().map(|path| (*path).to_owned()).chain(cursor);
        let texts = paths.filter(is_there).filter_map(|path| {
            let bytes = safe_open::beneath(self.root, Path::new(&path), FileUse::Searched).ok()?;
            let text = String::from_utf8(bytes).ok()?;
            (!text.trim().is_empty()).then_some((path, text))
        });
        let mut texts: Vec<(String, String)> = texts.collect();
        let mut seen = BTreeSet::new();
        texts.retain(|(_, text)| seen.insert(text.clone()));
        let share = room / texts.len().max(1);
        let rules = texts.into_iter().map(|(path, text)| {
            let text = self.cleared(&without_private_keys(text));
            let mut shown = String::new();
            for line in text.lines() {
                if shown.chars().count() + line.chars().count() > share {
                    shown.push('…');
                    break;
                }
                shown += line;
                shown.push('\n');
            }
            let text = shown.trim().to_owned();
            KnowledgePassage { path, text }
        });
        rules.collect()
    }
}

/// Leaves those unread that are too large, or beyond the limit of all together. They can still be
/// found by their names.
fn bound(listed: &mut [ReadableFile]) {
    let mut left = MAX_TOTAL;
    for file in listed {
        let length = file.path.symlink_metadata().map_or(0, |found| found.len());
        file.is_read = length <= FileUse::Searched.most() as u64 && length <= left;
        left -= if file.is_read { length } else { 0 };
    }
}

/// The text of a file; empty if it is not read or not text.
fn text(file: &ReadableFile) -> io::Result<String> {
    Ok(file.text(FileUse::Searched.most())?.unwrap_or_default())
}

/// Applies a function to all items on several threads and returns the results in order.
fn in_parallel<T: Sync, R: Send>(items: &[T], act: &(impl Fn(&T) -> R + Sync)) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, |threads| threads.get());
    let each = items.len().div_ceil(threads.min(MAX_THREADS)).max(16);
    thread::scope(|scope| {
        let parts = items.chunks(each);
        let parts: Vec<_> = parts
            .map(|part| scope.spawn(move || part.iter().map(act).collect::<Vec<R>>()))
            .collect();
        let done = parts.into_iter();
        done.flat_map(|part| part.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    })
}

/// A short text as a whole; otherwise the paragraph with the most matching words.
fn passage(query: &Query, text: &str) -> String {
    if text.chars().count() <= MAX_PASSAGE {
        return text.trim().to_owned();
    }
    let weight = |paragraph: &&str| -> u64 {
        let counts = query.count(paragraph);
        let words = counts
            .of
            .iter()
            .map(|(word, _)| query.weights[usize::from(*word)]);
        (words.sum::<f64>() * 1000.0) as u64
    };
    let best = text.split("\n\n").max_by_key(weight).unwrap_or(text);
    best.trim().chars().take(MAX_PASSAGE).collect()
}

/// Folders and files of the first level, then the folders of the second.
fn tree(listed: &[ReadableFile]) -> Vec<String> {
    let mut first = BTreeSet::new();
    let mut second = BTreeSet::new();
    for file in listed {
        let mut parts = file.name.split('/');
        match (parts.next(), parts.next(), parts.next()) {
            (Some(name), None, _) => {
                first.insert(name.to_owned());
            }
            (Some(folder), Some(inner), rest) if !SKIPPED.contains(&folder) => {
                first.insert(format!("{folder}/"));
                if rest.is_some() {
                    second.insert(format!("{folder}/{inner}/"));
                }
            }
            _ => {}
        }
    }
    let all = first.into_iter().chain(second);
    all.take(MAX_TREE).collect()
}
