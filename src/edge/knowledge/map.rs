//! The map: the files that fit a requirement, and the places in them that fit best.
//!
//! It works on the given files, their chunks and the history, and reads nothing itself. The same
//! input gives the same output, byte for byte. docs/design/map.md says what each part of the
//! ranking contributes.

mod fill;
mod rank;
mod tokens;

pub use fill::{fill, lines_of};
pub use rank::{Class, Ranked, candidates, is_generated, rank, subject};
pub use tokens::{Counts, Query};

use super::parse::{Chunk, Parsed};

/// A file to be ranked.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// Path relative to the root, with `/` between parts.
    pub path: String,
    /// Its text; empty if it was not read.
    pub text: String,
    /// Its definitions and chunks.
    pub outline: Outline,
}

/// The parts of a parsed file that ranking needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// Names of its definitions, separated by spaces.
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

/// A file of which only word counts are known so far.
#[derive(Debug)]
pub struct Scanned {
    /// Path relative to the root.
    pub path: String,
    /// Counts of the query's words in its text.
    pub body: Counts,
}

/// A commit of the past.
#[derive(Debug)]
pub struct Commit {
    /// The commit message.
    pub message: String,
    /// Paths that it changed.
    pub paths: Vec<String>,
}

#[cfg(test)]
mod tests;
