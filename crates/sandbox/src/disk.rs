//! Measures how much a trial has written to disk.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::TreeCopy;
use crate::copies::WRITTEN;

/// Maximum number of new files and folders: even empty ones take space.
const ENTRIES: u64 = 1_000_000;

/// Maximum interval between measurements: free space that another process releases can hide what
/// the trial writes.
const EVERY: Duration = Duration::from_secs(5);

/// Monitors the folders of a copy. Measuring them takes time, so it is done only when free space
/// has decreased so much that the limit may be exceeded.
pub(crate) struct Disk {
    parts: [PathBuf; WRITTEN.len()],
    bound: u64,
    at_start: DiskUsage,
    free_at_start: Free,
    /// Decrease of free space that triggers the next measurement.
    next: u64,
    measured: Instant,
}

struct Free {
    total: u64,
    bytes: u64,
    entries: u64,
}

#[derive(Clone, Copy, Default)]
struct DiskUsage {
    bytes: u64,
    entries: u64,
    /// Whether a folder is too deep for its path to be used.
    too_deep: bool,
}

impl Disk {
    pub fn watch(copy: &TreeCopy, bound: u64) -> io::Result<Self> {
        let parts = WRITTEN.map(|it| copy.part(it));
        Ok(Self {
            at_start: used(&parts),
            free_at_start: free(&parts[0])?,
            parts,
            bound,
            next: bound,
            measured: Instant::now(),
        })
    }

    /// Returns whether it has written more than allowed. Files without a name are measured by the
    /// first process of the trial instead.
    pub fn is_over(&mut self) -> io::Result<bool> {
        let now = free(&self.parts[0])?;
        let gone = self.free_at_start.bytes.saturating_sub(now.bytes);
        let entries = self.free_at_start.entries.saturating_sub(now.entries);
        // End the trial when the disk is nearly full, whichever process filled it.
        if gone > self.bound && now.bytes < now.total / 64 {
            return Ok(true);
        }
        if gone < self.next && entries < ENTRIES && self.measured.elapsed() < EVERY {
            return Ok(false);
        }
        let used = used(&self.parts);
        self.measured = Instant::now();
        let written = used.bytes.saturating_sub(self.at_start.bytes);
        // At least a sixteenth of the limit, so that space used by other processes does not trigger
        // a measurement every time.
        let step = (self.bound - written.min(self.bound)).max(self.bound / 16);
        self.next = gone.saturating_add(step);
        let made = used.entries.saturating_sub(self.at_start.entries);
        Ok(used.too_deep || written > self.bound || made > ENTRIES)
    }
}

fn free(path: &Path) -> io::Result<Free> {
    let about = rustix::fs::statvfs(path)?;
    Ok(Free {
        total: about.f_blocks.saturating_mul(about.f_frsize),
        bytes: about.f_bfree.saturating_mul(about.f_frsize),
        entries: about.f_ffree,
    })
}

/// Returns the disk usage of the folders in blocks. Unreadable files show only in the
/// free space.
fn used(parts: &[PathBuf]) -> DiskUsage {
    let mut used = DiskUsage::default();
    let mut waiting = parts.to_vec();
    while let Some(folder) = waiting.pop() {
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                used.too_deep |= error.kind() == io::ErrorKind::InvalidFilename;
                continue;
            }
        };
        for entry in entries.flatten() {
            let Ok(about) = entry.metadata() else {
                continue;
            };
            used.entries += 1;
            used.bytes += about.blocks() * 512;
            if about.is_dir() {
                waiting.push(entry.path());
            }
        }
    }
    used
}
