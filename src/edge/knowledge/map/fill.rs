//! Selects from the ranking what fits into the available space.

use std::collections::BTreeMap;

use super::{Ranked, SourceFile};

/// Share of the space for paths.
const PATHS: f64 = 0.16;
/// Maximum share of the space for one file.
const ONE_FILE: f64 = 0.6;
/// Characters of a block's heading and line breaks, without its name.
const HEADING: usize = 12;

/// First and last line in a file, counted from 1, and the name of their chunk.
pub type Lines = (u32, u32, String);

/// Selects the files to show and the lines of each. First come files with lines, best first, then
/// those that are only named. `length` is the space that a text takes.
pub fn fill(
    ranked: &Ranked,
    files: &[SourceFile],
    room: usize,
    length: &dyn Fn(&str) -> usize,
) -> Vec<(usize, Vec<Lines>)> {
    let share = |share: f64| (room as f64 * share) as usize;
    let mut used = 0;
    let mut shown: BTreeMap<usize, (usize, Vec<Lines>)> = BTreeMap::new();
    for (place, file) in ranked.files.iter().enumerate() {
        let cost = length(&files[*file].path) + 1;
        if used + cost > share(PATHS) {
            break;
        }
        used += cost;
        shown.insert(*file, (place, Vec::new()));
    }
    let mut of_file: BTreeMap<usize, usize> = BTreeMap::new();
    let mut tight = 0;
    for (file, chunk) in &ranked.chunks {
        let source = &files[*file];
        let Some(chunk) = source.outline.chunks.get(*chunk) else {
            continue;
        };
        let path = match shown.contains_key(file) {
            true => 0,
            false => length(&source.path) + 1,
        };
        let text = lines_of(&source.text, chunk.from, chunk.to);
        let cost = length(&text) + length(&chunk.name) + HEADING;
        let own = of_file.entry(*file).or_default();
        if used + path + cost > room || *own + cost > share(ONE_FILE) {
            tight += 1;
            // Hardly anything else would fit.
            if tight > 400 {
                break;
            }
            continue;
        }
        *own += cost;
        used += path + cost;
        let place = ranked.files.len();
        let (_, lines) = shown.entry(*file).or_insert((place, Vec::new()));
        lines.push((chunk.from, chunk.to, chunk.name.clone()));
    }
    let mut shown: Vec<(usize, usize, Vec<Lines>)> = shown
        .into_iter()
        .map(|(file, (place, lines))| (place, file, joined(&files[file].text, lines)))
        .collect();
    shown.sort_by_key(|(place, file, lines)| (lines.is_empty(), *place, *file));
    shown
        .into_iter()
        .map(|(_, file, lines)| (file, lines))
        .collect()
}

/// Sorts the ranges and joins adjacent ones under the first name.
fn joined(text: &str, mut lines: Vec<Lines>) -> Vec<Lines> {
    lines.sort_unstable();
    let mut joined: Vec<Lines> = Vec::new();
    for (from, to, name) in lines {
        match joined.last_mut() {
            Some((_, last, _)) if lines_of(text, *last + 1, from - 1).is_empty() => *last = to,
            _ => joined.push((from, to, name)),
        }
    }
    joined
}

/// The lines of a text, counted from 1, without blank ones and common indentation.
pub fn lines_of(text: &str, from: u32, to: u32) -> String {
    let skipped = from.saturating_sub(1) as usize;
    let count = (to + 1).saturating_sub(from) as usize;
    let lines = text.lines().skip(skipped).take(count);
    let lines: Vec<&str> = lines.filter(|line| !line.trim().is_empty()).collect();
    // Common indentation carries no information and takes space.
    let white = |line: &&str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let all = lines.iter().map(white).min().unwrap_or(0);
    let lines: Vec<&str> = lines.iter().filter_map(|line| line.get(all..)).collect();
    lines.join("\n")
}
