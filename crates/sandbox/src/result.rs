//! The result of a trial.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How a trial ended, and its output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrialResult {
    /// Why it ended.
    pub exit: Exit,
    /// The beginning of the output, with standard error interleaved; at most
    /// [`crate::Limits::kept`] bytes. Control characters are not removed.
    pub head: String,
    /// The end of the output, if it is longer than `head`.
    pub tail: String,
    /// Number of bytes between `head` and `tail`.
    pub left_out: u64,
    /// Wall-clock time from start to end.
    pub took: Duration,
}

/// Why a trial ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exit {
    /// The command exited with this status.
    Code(i32),
    /// A signal that the sandbox did not send ended the command.
    Signal(i32),
    /// The command could not be started.
    NotStarted {
        /// Reason for which it was not started.
        why: String,
        /// Whether its program does not exist.
        missing: bool,
    },
    /// It exceeded the time limit.
    Time,
    /// It exceeded the memory limit.
    Memory,
    /// It exceeded the limit of processes.
    Processes,
    /// It exceeded the output limit.
    Output,
    /// It exceeded the disk limit.
    Disk,
    /// The caller stopped it.
    Stopped,
}
