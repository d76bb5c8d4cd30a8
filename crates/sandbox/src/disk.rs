//! How much a trial has written to disk.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::TreeCopy;
use crate::copies::WRITTEN;

/// New files and folders at most: an empty one takes room too.
const ENTRIES: u64 = 1_000_000;

/// What is measured anew however little room has gone: somebody else may have made some.
const EVERY: Duration = Duration::from_secs(5);

/// Watches the folders of a copy. Measuring them takes time, so it is done when the file
/// system has lost so much room that the bound may be passed.
pub(crate) struct Disk {
    parts: [PathBuf; WRITTEN.len()],
    bound: u64,
    at_start: Used,
    free_at_start: Free,
    /// Room that must go before the parts are measured anew.
    next: u64,
    measured: Instant,
}

struct Free {
    total: u64,
    bytes: u64,
    entries: u64,
}

#[derive(Clone, Copy, Default)]
struct Used {
    bytes: u64,
    entries: u64,
    /// A folder was so deep that its path cannot be named.
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

    /// Has it written more than it may? Files that have no name any more are seen by the
    /// first process of the trial.
    pub fn is_over(&mut self) -> io::Result<bool> {
        let now = free(&self.parts[0])?;
        let gone = self.free_at_start.bytes.saturating_sub(now.bytes);
        let entries = self.free_at_start.entries.saturating_sub(now.entries);
        // Whoever is to blame, a machine whose disk is full is of no use to anybody.
        if gone > self.bound && now.bytes < now.total / 64 {
            return Ok(true);
        }
        if gone < self.next && entries < ENTRIES && self.measured.elapsed() < EVERY {
            return Ok(false);
        }
        let used = used(&self.parts);
        self.measured = Instant::now();
        let written = used.bytes.saturating_sub(self.at_start.bytes);
        // Room that others took must not make every look a measurement.
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

/// What stands in the folders by blocks; what cannot be read is left to the room that goes.
fn used(parts: &[PathBuf]) -> Used {
    let mut used = Used::default();
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
