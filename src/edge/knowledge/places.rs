//! Finds the lines that fit a question best.
//!
//! A requirement is matched with whole files, a question with a few lines that contain several of
//! its words: the answer is most likely there. Words are those of the map's [`Query`].

use std::cmp::Reverse;

use super::Candidate;
use super::look::{cut, excerpt};
use super::map::{Class, Counts, Query};
use crate::machine::Excerpt;
use crate::machine::inquiry::MAX_FINDS;

/// Maximum number of files searched line by line.
const MAX_READ: usize = 40;
/// Lines shown before the first matching one.
const BEFORE: usize = 1;
/// Lines shown after it.
const AFTER: usize = 2;
/// Maximum length of an excerpt in characters.
const MAX_TEXT: usize = 480;
/// Minimum number of the question's words in a place, if the question has so many.
const LEAST_WORDS: usize = 2;
/// Minimum score relative to the best place; lower ones are chance matches.
const CHANCE: f64 = 0.4;
/// Words that occur in a larger share of the files are ignored.
const COMMON: f64 = 0.5;

/// The words of a question with their weights: rare words weigh more.
struct WeightedQuery<'q> {
    query: &'q Query,
    worth: Vec<f64>,
}

impl<'q> WeightedQuery<'q> {
    fn of(query: &'q Query, files: &[Counts]) -> Self {
        let all = files.len() as f64;
        let worth = |(at, weight): (usize, &f64)| {
            let holds =
                |counts: &&Counts| counts.of.iter().any(|(word, _)| usize::from(*word) == at);
            let holders = files.iter().filter(holds).count() as f64;
            let says_nothing = holders / all > COMMON && all > 10.0;
            match says_nothing {
                true => 0.0,
                false => weight * (1.0 + all / holders.max(1.0)).ln(),
            }
        };
        let worth = query.weights.iter().enumerate().map(worth).collect();
        Self { query, worth }
    }

    /// The words of a text that have a weight.
    fn weighted_words(&self, text: &str) -> Vec<usize> {
        let words = self.query.count(text).of.into_iter();
        let words = words.map(|(word, _)| usize::from(word));
        words.filter(|word| self.worth[*word] > 0.0).collect()
    }

    fn sum(&self, words: &[usize]) -> f64 {
        words.iter().map(|word| self.worth[*word]).sum()
    }
}

/// The best place of each of the files that fit the query, best first, equal ones sorted by path,
/// as many as one inquiry may have. Places refused by `is_new` are left out. Secrets are removed
/// from a file before it is cut, because half a secret would not be recognised.
pub(super) fn best(
    files: &[Candidate],
    query: &Query,
    is_new: &dyn Fn(&Excerpt) -> bool,
    redact: &dyn Fn(&str) -> String,
    stop: &dyn Fn() -> bool,
) -> Vec<Excerpt> {
    let running = files.iter().take_while(|_| !stop());
    let counts: Vec<Counts> = running.map(|file| query.count(&file.text)).collect();
    let asked = WeightedQuery::of(query, &counts);
    let mut ranked: Vec<(f64, &Candidate)> = Vec::new();
    for (file, counts) in files.iter().zip(&counts) {
        let words: Vec<usize> = counts
            .of
            .iter()
            .map(|(word, _)| usize::from(*word))
            .collect();
        let in_path = asked.weighted_words(&file.path);
        let figure = (asked.sum(&words) + asked.sum(&in_path)) * Class::of(&file.path).of_file();
        if figure > 0.0 && !words.is_empty() {
            // A file that the query names gets a higher score.
            let times = if query.names(&file.path) { 10.0 } else { 1.0 };
            ranked.push((figure * times, file));
        }
    }
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.path.cmp(&b.1.path)));
    ranked.truncate(MAX_READ);
    let mut places: Vec<(f64, Excerpt)> = ranked
        .into_iter()
        .filter_map(|(_, file)| place(&asked, &file.path, &redact(&file.text)))
        .collect();
    places.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.path.cmp(&b.1.path)));
    let least = places.first().map_or(0.0, |(best, _)| best * CHANCE);
    let near = places.into_iter().filter(|(figure, _)| *figure >= least);
    near.map(|(_, find)| find)
        .filter(is_new)
        .take(MAX_FINDS)
        .collect()
}

/// The lines with the highest total weight of different words, the first of equal ones; `None` if
/// no lines contain enough words.
fn place(asked: &WeightedQuery<'_>, path: &str, text: &str) -> Option<(f64, Excerpt)> {
    let is_named = asked.query.names(path);
    let least = match is_named {
        true => 1,
        false => asked.worth.len().clamp(1, LEAST_WORDS),
    };
    let mut lines: Vec<&str> = text.lines().collect();
    let held: Vec<Vec<usize>> = lines
        .iter()
        .map(|line| asked.weighted_words(line))
        .collect();
    let around = |at: usize| at.saturating_sub(BEFORE)..(at + AFTER + 1).min(held.len());
    let figures = (0..held.len()).filter(|at| !held[*at].is_empty());
    let figures = figures.filter_map(|at| {
        let mut together: Vec<usize> = held[around(at)].concat();
        together.sort_unstable();
        together.dedup();
        // Among lines with the same words around them, prefer the one with the most words itself.
        let figure = asked.sum(&together) + asked.sum(&held[at]) / 4.0;
        (together.len() >= least).then_some((figure, at))
    });
    let (figure, at) = figures.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))?;
    let mut shown = around(at);
    let blank = |line: usize| lines[line].trim().is_empty();
    while blank(shown.start) && shown.start < at {
        shown.start += 1;
    }
    while blank(shown.end - 1) && shown.end - 1 > at {
        shown.end -= 1;
    }
    if shown
        .clone()
        .map(|line| lines[line].chars().count())
        .sum::<usize>()
        > MAX_TEXT
    {
        shown = at..at + 1;
    }
    lines[at] = best_part(asked, lines[at]);
    let find = excerpt(path, &lines, shown.start + 1, shown.end);
    Some((if is_named { figure * 2.0 } else { figure }, find))
}

/// The line, starting at its best sentence if it is too long to be shown completely.
fn best_part<'l>(asked: &WeightedQuery<'_>, line: &'l str) -> &'l str {
    if cut(line) == line {
        return line;
    }
    let mut at = 0;
    let sentences = line.split_inclusive(['.', '!', '?', ';', '。', '！', '？', '；']);
    let weighed = sentences.map(|sentence| {
        at += sentence.len();
        let worth = (asked.sum(&asked.weighted_words(sentence)) * 1000.0) as u64;
        (worth, Reverse(at - sentence.len()))
    });
    let from = weighed.max().map_or(0, |(_, Reverse(from))| from);
    line[from..].trim_start()
}

#[cfg(test)]
mod tests;
