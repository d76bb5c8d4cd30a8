//! Which lines of which files fit a question best.
//!
//! A requirement is looked for in whole files, a question in a few lines that hold its
//! words together: there its answer stands, if it stands anywhere.

use std::cmp::Reverse;
use std::collections::{BTreeSet, VecDeque};

use super::rank::{Candidate, Found, fold, is_named, look, occurs, score, shown, weights};
use crate::machine::Find;
use crate::machine::inquiry::MAX_FINDS;

/// Files that are read line by line, at most.
const MAX_READ: usize = 40;
/// Lines shown before the one that the place begins with.
const BEFORE: usize = 1;
/// Lines shown after it.
const AFTER: usize = 2;
/// Characters of one line, at most.
const MAX_LINE: usize = 400;
/// Characters of one place, at most.
const MAX_TEXT: usize = 480;
/// Words of the question that a place holds, at least, where the question has so many.
const LEAST_WORDS: usize = 2;
/// A place below this share of the best one was found by chance.
const CHANCE: f64 = 0.4;

/// Lines of one file that hold words of a question together.
struct Place {
    /// In thousandths, to sort by.
    figure: u64,
    /// Index of the line that holds most, from 0.
    at: usize,
    /// Index of the first line.
    from: usize,
    /// Index of the last one.
    to: usize,
}

/// Where which of many words stand in files: these are gone through once for all questions.
pub(super) struct Index<'a> {
    files: &'a [Candidate],
    words: Vec<String>,
    /// For each file, where each of the words was found.
    table: Vec<Vec<Found>>,
}

impl<'a> Index<'a> {
    /// Of the files that are gone through before it is stopped.
    pub(super) fn of(
        files: &'a [Candidate],
        words: BTreeSet<String>,
        stop: &dyn Fn() -> bool,
    ) -> Self {
        let words: Vec<String> = words.into_iter().collect();
        let table: Vec<_> = files
            .iter()
            .take_while(|_| !stop())
            .map(|file| look(file, &words))
            .collect();
        let files = &files[..table.len()];
        Self {
            files,
            words,
            table,
        }
    }

    /// What was found of some of the words; nothing of those it was not made of.
    fn of_terms(&self, terms: &[String]) -> Vec<Vec<Found>> {
        let places: Vec<_> = terms
            .iter()
            .map(|term| self.words.binary_search(term).ok())
            .collect();
        let of = |found: &Vec<Found>| {
            let own = places.iter();
            own.map(|place| place.map_or_else(Found::default, |place| found[place]))
                .collect()
        };
        self.table.iter().map(of).collect()
    }
}

/// The best place of each of the files that fit `text`, whose terms are given: best
/// first, equal ones in order of paths, as many as one inquiry holds.
/// Left out is what `is_new` does not want. Secrets are taken out of a file before
/// anything is cut from it: half of one would not be known for one.
pub(super) fn best(
    index: &Index<'_>,
    terms: &[String],
    text: &str,
    is_new: &dyn Fn(&Find) -> bool,
    redact: &dyn Fn(&str) -> String,
) -> Vec<Find> {
    let (files, table) = (index.files, index.of_terms(terms));
    let weights = weights(&table, terms.len());
    let mut ranked: Vec<(u64, usize)> = (0..files.len())
        .filter(|index| table[*index].iter().any(|found| found.in_text))
        .map(|index| {
            let figure = score(&files[index], &table[index], &weights);
            let named = is_named(text, &files[index].path);
            // A file that is named is meant.
            (if named { figure.max(1) * 10 } else { figure }, index)
        })
        .collect();
    ranked.sort_by_key(|(figure, index)| (Reverse(*figure), &files[*index].path));
    ranked.truncate(MAX_READ);

    let mut places: Vec<(Place, Candidate)> = ranked
        .into_iter()
        .filter_map(|(_, index)| {
            let file = Candidate {
                path: files[index].path.clone(),
                text: redact(&files[index].text),
            };
            let named = is_named(text, &file.path);
            let least = if named {
                1
            } else {
                terms.len().min(LEAST_WORDS)
            };
            let mut place = place(&file.text, terms, &weights, least.max(1))?;
            if named {
                place.figure *= 2;
            }
            Some((place, file))
        })
        .collect();
    places.sort_by_cached_key(|(place, file)| (Reverse(place.figure), file.path.clone()));
    let least = places
        .first()
        .map_or(0.0, |(best, _)| best.figure as f64 * CHANCE);
    places.retain(|(place, _)| place.figure as f64 >= least);
    places
        .iter()
        .map(|(place, file)| find(place, file, terms, &weights))
        .filter(is_new)
        .take(MAX_FINDS)
        .collect()
}

/// The lines with the greatest weight of different terms, the first of equal ones; none
/// where no lines hold `least` of them.
fn place(text: &str, terms: &[String], weights: &[f64], least: usize) -> Option<Place> {
    let lines: Vec<&str> = text.lines().collect();
    let held: Vec<Vec<usize>> = lines
        .iter()
        .map(|line| {
            let line = fold(line);
            (0..terms.len())
                .filter(|term| weights[*term] > 0.0 && occurs(&line, &terms[*term]))
                .collect()
        })
        .collect();
    let mut best: Option<Place> = None;
    for at in (0..lines.len()).filter(|at| !held[*at].is_empty()) {
        let (from, to) = (at.saturating_sub(BEFORE), (at + AFTER).min(lines.len() - 1));
        let mut together: Vec<usize> = held[from..=to].concat();
        together.sort_unstable();
        together.dedup();
        let around: f64 = together.iter().map(|term| weights[*term]).sum();
        let own: f64 = held[at].iter().map(|term| weights[*term]).sum();
        // Of lines with the same words around them the one that holds most is meant.
        let figure = ((around + own / 4.0) * 1000.0) as u64;
        if together.len() >= least && best.as_ref().is_none_or(|best| figure > best.figure) {
            best = Some(Place {
                figure,
                at,
                from,
                to,
            });
        }
    }
    best
}

/// What is shown of a place: its lines, less blank ones at either end and as many as
/// are too much, the one that holds most last of all.
fn find(place: &Place, file: &Candidate, terms: &[String], weights: &[f64]) -> Find {
    let mut lines: VecDeque<(usize, String)> = file
        .text
        .lines()
        .enumerate()
        .skip(place.from)
        .take(place.to - place.from + 1)
        .map(|(at, line)| (at, shown(telling(line, terms, weights), MAX_LINE)))
        .collect();
    let is_over = |line: Option<&(usize, String)>, all: usize| {
        line.is_some_and(|(at, text)| *at != place.at && (text.is_empty() || all > MAX_TEXT))
    };
    while is_over(lines.back(), length(&lines)) {
        lines.pop_back();
    }
    while is_over(lines.front(), length(&lines)) {
        lines.pop_front();
    }
    let number = |line: Option<&(usize, String)>| {
        let at = line.map_or(place.at, |(at, _)| *at);
        u32::try_from(at + 1).unwrap_or(u32::MAX)
    };
    let (from, to) = (number(lines.front()), number(lines.back()));
    let texts: Vec<String> = lines.into_iter().map(|(_, line)| line).collect();
    Find {
        path: file.path.clone(),
        from,
        to,
        text: texts.join("\n"),
    }
}

/// A line, from its most telling sentence on if it is too long to be shown whole.
fn telling<'a>(line: &'a str, terms: &[String], weights: &[f64]) -> &'a str {
    if line.chars().count() <= MAX_LINE {
        return line;
    }
    let weight = |sentence: &str| -> u64 {
        let folded = fold(sentence);
        let held = terms.iter().zip(weights);
        let held = held.filter(|(term, weight)| **weight > 0.0 && occurs(&folded, term));
        (held.map(|(_, weight)| weight).sum::<f64>() * 1000.0) as u64
    };
    let (mut best, mut from, mut at) = (0, 0, 0);
    for sentence in line.split_inclusive(['.', '!', '?', ';', '。', '！', '？', '；']) {
        let figure = weight(sentence);
        if figure > best {
            (best, from) = (figure, at);
        }
        at += sentence.len();
    }
    &line[from..]
}

/// Characters of lines that are shown, with the breaks between them.
fn length(lines: &VecDeque<(usize, String)>) -> usize {
    lines.iter().map(|(_, line)| line.chars().count() + 1).sum()
}

#[cfg(test)]
mod tests;
