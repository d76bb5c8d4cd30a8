//! Exit codes and the one form every error takes.

use serde_json::json;

use crate::artifact::ArtifactError;
use crate::config::{ConfigError, Origin};
use crate::driver::DriverError;
use crate::edge::assets::AssetError;
use crate::edge::fs::{StorageError, StorageErrorKind};
use crate::edge::inbox::InboxError;
use crate::edge::journal::JournalError;
use crate::edge::lock::LockError;
use crate::edge::store::StoreError;
use crate::view::clean;

/// What a command ends with; the numbers are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Done; for a run: a version with no blocking issue open was published.
    Done = 0,
    /// A fault of the program.
    Internal = 1,
    /// The command line makes no sense.
    Usage = 2,
    /// Configuration, role, template or answer file invalid, or a forbidden key.
    Config = 3,
    /// No or refused credentials.
    Credentials = 4,
    /// The provider cannot be had.
    Provider = 5,
    /// The model's replies are unusable.
    Unusable = 6,
    /// A version was published, but unresolved.
    Unresolved = 7,
    /// A human is needed.
    HumanNeeded = 8,
    /// Another process holds the run.
    Held = 9,
    /// Journal damaged, inputs drifted, or a version tampered with.
    Damaged = 10,
    /// Storage full, read-only, or not permitted.
    Storage = 11,
    /// `check`, `verify` or `diff --exit-code` found something.
    Found = 12,
    /// Interrupted by Ctrl-C; resumable.
    Interrupted = 130,
    /// Ended by SIGTERM; resumable.
    Terminated = 143,
}

impl Exit {
    /// The code of that number; an unknown one is a fault of the program.
    pub fn of(number: u8) -> Self {
        Self::ALL
            .into_iter()
            .find(|exit| exit.code() == number)
            .unwrap_or(Self::Internal)
    }

    /// Every code, in order of numbers.
    pub const ALL: [Self; 15] = [
        Self::Done,
        Self::Internal,
        Self::Usage,
        Self::Config,
        Self::Credentials,
        Self::Provider,
        Self::Unusable,
        Self::Unresolved,
        Self::HumanNeeded,
        Self::Held,
        Self::Damaged,
        Self::Storage,
        Self::Found,
        Self::Interrupted,
        Self::Terminated,
    ];

    /// The number.
    pub fn code(self) -> u8 {
        self as u8
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// Why a command could not do what it was asked to.
///
/// On stderr it is three lines, `error:`, `  why:` and `  fix:`, of which the
/// last two may be missing; with `--json` it is a document on stdout instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct CliError {
    /// The exit code.
    pub exit: Exit,
    /// What went wrong, in one sentence.
    pub what: String,
    /// Why it is an error; empty when there is nothing to add.
    pub why: String,
    /// What to do, best a command; empty when nothing can be done.
    pub fix: String,
}

impl CliError {
    /// An error with its three parts.
    pub fn new(
        exit: Exit,
        what: impl Into<String>,
        why: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self {
            exit,
            what: what.into(),
            why: why.into(),
            fix: fix.into(),
        }
    }

    /// A command line that makes no sense.
    pub fn usage(what: impl Into<String>, why: impl Into<String>, fix: impl Into<String>) -> Self {
        Self::new(Exit::Usage, what, why, fix)
    }

    /// The lines for stderr, ending in a line break and fit for a terminal.
    pub fn text(&self) -> String {
        let mut text = format!("error: {}\n", clean(&self.what));
        for (label, part) in [("why", &self.why), ("fix", &self.fix)] {
            if !part.is_empty() {
                text.push_str(&format!("  {label}: {}\n", clean(part)));
            }
        }
        text
    }

    /// The document for stdout.
    pub fn json(&self) -> serde_json::Value {
        json!({"v": 1, "error": {
            "code": self.exit.code(),
            "what": self.what,
            "why": self.why,
            "fix": self.fix,
        }, "exit_code": self.exit.code()})
    }
}

/// The exit code for trouble with the storage or a journal.
fn exit_of_journal(error: &JournalError) -> Exit {
    match error {
        // A transcript that is gone is damage, not trouble with the disk.
        JournalError::Storage(error) if error.kind == StorageErrorKind::Missing => Exit::Damaged,
        JournalError::Damaged { .. } => Exit::Damaged,
        JournalError::OtherWriter { .. } | JournalError::AlreadyThere { .. } => Exit::Held,
        JournalError::Storage(_) | JournalError::Poisoned { .. } => Exit::Storage,
        JournalError::BadEntry { .. } => Exit::Internal,
    }
}

impl From<JournalError> for CliError {
    fn from(error: JournalError) -> Self {
        let why = match exit_of_journal(&error) {
            Exit::Damaged => "a damaged transcript is never read past its first bad line",
            _ => "",
        };
        let fix = error.hint().unwrap_or_default();
        Self::new(exit_of_journal(&error), error.to_string(), why, fix)
    }
}

impl From<StoreError> for CliError {
    fn from(error: StoreError) -> Self {
        let fix = error.hint().unwrap_or_default().to_owned();
        let exit = match error {
            StoreError::Journal(error) => return error.into(),
            StoreError::Storage(_) | StoreError::BadPath { .. } => Exit::Storage,
            StoreError::VersionExists { .. } => Exit::Held,
            StoreError::NoDraft { .. } => Exit::Usage,
            StoreError::NotTheHead { .. } => Exit::Damaged,
            StoreError::Manifest(_) => Exit::Internal,
        };
        Self::new(exit, error.to_string(), "", fix)
    }
}

impl From<LockError> for CliError {
    fn from(error: LockError) -> Self {
        let exit = match error {
            LockError::Held { .. } => Exit::Held,
            LockError::Storage(_) => Exit::Storage,
        };
        Self::new(
            exit,
            error.to_string(),
            "",
            error.hint().unwrap_or_default(),
        )
    }
}

impl From<InboxError> for CliError {
    fn from(error: InboxError) -> Self {
        let exit = match error {
            InboxError::Full => Exit::Held,
            InboxError::NoRun { .. } | InboxError::TooLarge { .. } => Exit::Usage,
            InboxError::Storage(_) => Exit::Storage,
        };
        Self::new(
            exit,
            error.to_string(),
            "",
            error.hint().unwrap_or_default(),
        )
    }
}

impl From<StorageError> for CliError {
    fn from(error: StorageError) -> Self {
        Self::new(
            Exit::Storage,
            error.to_string(),
            "",
            error.hint().unwrap_or_default(),
        )
    }
}

impl From<ArtifactError> for CliError {
    fn from(error: ArtifactError) -> Self {
        let exit = match error {
            ArtifactError::MissingTemplate(_) | ArtifactError::Template { .. } => Exit::Config,
            ArtifactError::Json { .. } => Exit::Internal,
        };
        let fix = if exit == Exit::Config {
            "correct the file below .ai-tools-chain/templates, or remove it; then begin anew"
        } else {
            ""
        };
        Self::new(exit, error.to_string(), "", fix)
    }
}

impl From<DriverError> for CliError {
    fn from(error: DriverError) -> Self {
        let exit = match error {
            DriverError::Journal(error) => return error.into(),
            DriverError::Inbox(error) => return error.into(),
            DriverError::Store(error) => return error.into(),
            DriverError::Artifact(error) => return error.into(),
            DriverError::Prompt(_) | DriverError::Offline(_) | DriverError::Answers(_) => {
                Exit::Config
            }
            DriverError::NoProvider(_) => Exit::Credentials,
            DriverError::EmptyJournal => Exit::Damaged,
            DriverError::Illegal(_) => Exit::Internal,
        };
        let fix = match exit {
            Exit::Config => {
                "correct the file below .ai-tools-chain, or remove it; then run the command again"
            }
            Exit::Credentials => "name it with AITC_PROVIDER and set its key, then aitc resume",
            _ => "",
        };
        Self::new(exit, error.to_string(), "", fix)
    }
}

impl From<AssetError> for CliError {
    fn from(error: AssetError) -> Self {
        Self::new(
            Exit::Config,
            error.to_string(),
            "roles and templates are used as they stand, or not at all",
            "correct the file, or remove it to use the built-in one; then run the command again",
        )
    }
}

impl From<ConfigError> for CliError {
    fn from(error: ConfigError) -> Self {
        let exit = match error.origin {
            Origin::Flag(_) => Exit::Usage,
            Origin::File { .. } | Origin::Env(_) => Exit::Config,
        };
        Self::new(exit, error.to_string(), error.why, error.fix)
    }
}
