//! What can be wrong with a journal, with the place and a hint.

use std::path::PathBuf;

use crate::edge::fs::StorageError;
use crate::workshop::FORMAT;

/// What is wrong with one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// The line does not end in `,"h":"…"}`.
    #[error("the line does not end with its hash")]
    NoHash,
    /// The hash is not that of the line and what stands before it.
    #[error("the hash does not fit this line and the lines before it")]
    HashMismatch,
    /// The last line is whole, but something else stands in the place of its newline.
    #[error("the newline after this line was changed into something else")]
    LineEnd,
    /// The line is longer than any line that is written.
    #[error("the line is longer than {} MiB", super::chain::MAX_LINE >> 20)]
    TooLong,
    /// The hash fits, and yet this is no entry.
    #[error("the line is no entry: {0}")]
    BadJson(String),
    /// A line is missing, doubled or out of order.
    #[error("the line has number {found} where {expected} is due")]
    SeqGap {
        /// The number that is due.
        expected: u64,
        /// The number it has.
        found: u64,
    },
    /// Written by a later program.
    #[error("the line has format {0}, this program reads format {FORMAT}")]
    UnknownVersion(u32),
    /// The line does not follow from those before it.
    #[error("the line does not follow from those before it: {0}")]
    Refused(String),
}

/// Why a journal cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A line before the end is wrong. It is never skipped.
    #[error("`{}` is damaged at line {line} (byte {offset}): {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: u64,
        /// Where the line begins, in bytes from 0.
        offset: u64,
        /// What is wrong.
        what: Damage,
    },
    /// A new journal was wanted where one is.
    #[error("`{}` is already there", path.display())]
    AlreadyThere {
        /// The file.
        path: PathBuf,
    },
    /// Somebody else wrote to the file: it is not as long as this process left it.
    #[error("another process writes to `{}`: it has {found} bytes instead of {expected}", path.display())]
    OtherWriter {
        /// The file.
        path: PathBuf,
        /// Bytes this process knows of.
        expected: u64,
        /// Bytes found.
        found: u64,
    },
    /// An earlier write failed; nothing more is written until the file is opened again.
    #[error("`{}` takes no more lines: an earlier write failed", path.display())]
    Poisoned {
        /// The file.
        path: PathBuf,
    },
    /// The entry cannot be written as a line.
    #[error("entry {seq} cannot be written: {why}")]
    BadEntry {
        /// Its number.
        seq: u64,
        /// Why.
        why: String,
    },
    /// A file operation failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl JournalError {
    /// What to do about it, if that can be said.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Damaged { what, .. } => Some(match what {
                Damage::UnknownVersion(_) => "use the `aitc` that wrote it, or a later one",
                Damage::Refused(_) => {
                    "`aitc verify` tells whether bytes were changed; if not, use the `aitc` that wrote it"
                }
                _ => {
                    "`aitc verify` shows what is damaged, `aitc repair --dry-run` what can be saved; \
                     or take the file from git"
                }
            }),
            Self::OtherWriter { .. } => {
                Some("let one process finish, then run `aitc verify` and `aitc resume`")
            }
            Self::Poisoned { .. } => Some("run `aitc resume`"),
            Self::Storage(error) => error.hint(),
            Self::AlreadyThere { .. } => Some("run `aitc resume` to go on with it"),
            Self::BadEntry { .. } => None,
        }
    }
}
