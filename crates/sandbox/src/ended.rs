//! How a trial ended.

use std::time::Duration;

/// How a trial ended, and what it printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Why it is over.
    pub exit: Exit,
    /// The beginning of what it printed, errors in between as they came; at most
    /// [`crate::Bounds::kept`] bytes. Control characters are still in it.
    pub head: String,
    /// The end of what it printed, where it is longer than `head`.
    pub tail: String,
    /// Bytes left out between `head` and `tail`.
    pub left_out: u64,
    /// From start to end.
    pub took: Duration,
}

/// Why a trial is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exit {
    /// The command ended by itself with this status.
    Code(i32),
    /// A signal that was not ours ended the command.
    Signal(i32),
    /// The command could not be started.
    NotStarted {
        /// Why.
        why: String,
        /// Is its program not there?
        missing: bool,
    },
    /// It ran out of time and was ended.
    Time,
    /// Its processes used more memory than they may.
    Memory,
    /// It had more processes than it may.
    Processes,
    /// It printed more than it may.
    Output,
    /// It wrote more to disk than it may.
    Disk,
    /// Whoever started it asked for its end.
    Stopped,
}
