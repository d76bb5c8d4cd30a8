//! The map: which files fit a requirement, and the places in them that fit best.
//!
//! Pure: it is given files, their chunks and the history, and reads nothing. The same is
//! given for the same, to the byte. What each part of the ranking brings is in
//! docs/design/map.md.

mod fill;
mod rank;
mod tokens;

pub use fill::{fill, lines_of};
pub use rank::{Class, Ranked, candidates, is_generated, rank, subject};
pub use tokens::{Counts, Query};

use super::parse::{Chunk, Parsed};

/// A file that is ranked.
#[derive(Debug, Clone)]
pub struct Source {
    /// Path from the root, `/` between parts.
    pub path: String,
    /// Its text; empty if it was not read.
    pub text: String,
    /// What it is made of.
    pub outline: Outline,
}

/// What the ranking needs of a file that was parsed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// Names of its definitions, a space between them.
    pub names: String,
    /// Its chunks.
    pub chunks: Vec<Chunk>,
}

impl From<Parsed> for Outline {
    fn from(parsed: Parsed) -> Self {
        let names = parsed.definitions.iter().map(|one| one.name.as_str());
        Self {
            names: names.collect::<Vec<_>>().join(" "),
            chunks: parsed.chunks,
        }
    }
}

/// A file of which only the words are known yet.
#[derive(Debug)]
pub struct Scanned {
    /// Path from the root.
    pub path: String,
    /// The words of the query in its text.
    pub body: Counts,
}

/// A commit of the past.
#[derive(Debug)]
pub struct Commit {
    /// What was said of it.
    pub message: String,
    /// Paths it touched.
    pub paths: Vec<String>,
}

#[cfg(test)]
mod tests;
