//! Why the store refused.

use std::path::PathBuf;

use crate::edge::fs::StorageError;
use crate::edge::journal::JournalError;
use crate::fault::line::INTERNAL;
use crate::fault::storage::{DRAFT_MISSING, PATH_UNFIT, TRANSCRIPT_OTHER_END, VERSION_EXISTS};
use crate::fault::{Fault, Tell, Text};

/// Why a draft or version cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.told())]
pub enum StoreError {
    /// A file operation failed; its kind tells full, read-only, permission and the rest.
    Storage(#[from] StorageError),
    /// The version is there already; versions are never replaced.
    VersionExists {
        /// Its folder.
        path: PathBuf,
    },
    /// The version is published and whole, and its name may not outlast a power failure.
    Unsynced {
        /// Its folder.
        path: PathBuf,
        /// What the storage says.
        error: StorageError,
    },
    /// No run works for that number.
    NoDraft {
        /// The folder that is missing.
        path: PathBuf,
    },
    /// A path that nothing may be written to.
    BadPath {
        /// The path as it was given, or as found in the draft.
        path: String,
        /// What is wrong with it.
        why: Text,
    },
    /// The transcript does not end as the run believes.
    NotTheHead {
        /// Hash of the run's last line.
        expected: String,
        /// Hash of the transcript's last line.
        found: String,
    },
    /// The manifest cannot be written as JSON: a fault of the program.
    Manifest(#[source] serde_json::Error),
    /// The transcript is damaged.
    Journal(#[from] JournalError),
}

impl Tell for StoreError {
    fn told(&self) -> Fault {
        match self {
            Self::Storage(error) | Self::Unsynced { error, .. } => error.told(),
            Self::Journal(error) => error.told(),
            Self::VersionExists { path } => VERSION_EXISTS.with(&[("path", &path.display())]),
            Self::NoDraft { path } => DRAFT_MISSING.with(&[("path", &path.display())]),
            Self::BadPath { path, why } => PATH_UNFIT.with(&[("path", path), ("why", why)]),
            Self::NotTheHead { expected, found } => {
                TRANSCRIPT_OTHER_END.with(&[("expected", expected), ("found", found)])
            }
            Self::Manifest(error) => {
                let what = format!("the manifest has no JSON form: {error}");
                INTERNAL.with(&[("what", &what)])
            }
        }
    }
}
