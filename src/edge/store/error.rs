//! Why the store refused.

use std::path::PathBuf;

use crate::edge::fs::StorageError;
use crate::edge::journal::JournalError;

/// Why a draft or version cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file operation failed; its kind tells full, read-only, permission and the rest.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// The version is there already; versions are never replaced.
    #[error("`{}` is already there", path.display())]
    VersionExists {
        /// Its folder.
        path: PathBuf,
    },
    /// No run works for that number.
    #[error("there is no draft `{}`", path.display())]
    NoDraft {
        /// The folder that is missing.
        path: PathBuf,
    },
    /// A path that nothing may be written to.
    #[error("`{path}` cannot be written: {why}")]
    BadPath {
        /// The path as it was given, or as found in the draft.
        path: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The transcript does not end as the run believes.
    #[error("the transcript ends in {found:?}, the run in {expected:?}")]
    NotTheHead {
        /// Hash of the run's last line.
        expected: String,
        /// Hash of the transcript's last line.
        found: String,
    },
    /// The manifest cannot be written as JSON: a fault of the program.
    #[error("the manifest has no JSON form: {0}")]
    Manifest(#[source] serde_json::Error),
    /// The transcript is damaged.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl StoreError {
    /// What to do about it, if that can be said.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Storage(error) => error.hint(),
            Self::Journal(error) => error.hint(),
            Self::VersionExists { .. } => {
                Some("a version never changes: `aitc revise` makes the next one")
            }
            Self::NoDraft { .. } => Some("`aitc list` shows versions and drafts"),
            Self::BadPath { .. } => {
                Some("remove what does not belong there, then run `aitc resume`")
            }
            Self::Manifest(_) => None,
            Self::NotTheHead { .. } => Some("run `aitc verify`, then `aitc resume`"),
        }
    }
}
