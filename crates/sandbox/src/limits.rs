//! Resource limits of a trial.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Resource limits of a trial. Exceeding one ends the trial, and [`crate::Exit`] says which.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Wall-clock time from start to end. Default: 120 s.
    pub time: Duration,
    /// Bytes of memory of all processes together, excluding files they only read. Default: 4 GiB.
    pub memory: u64,
    /// Concurrent processes and threads. Default: 512.
    pub processes: u64,
    /// Bytes the command may print in total, including standard error. Default: 64 MiB.
    pub output: u64,
    /// Bytes kept from the beginning of the output, and as many from its end. Default: 16 KiB.
    pub kept: usize,
    /// Bytes written to disk, including its home, `/tmp` and `/dev/shm` but not the copied files.
    /// Default: 4 GiB.
    pub disk: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(120),
            memory: 4 << 30,
            processes: 512,
            output: 64 << 20,
            kept: 16 << 10,
            disk: 4 << 30,
        }
    }
}
