//! Resource usage of all processes of a trial, measured by the first of them.

use std::collections::BTreeSet;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Resource usage at one moment.
#[derive(Default)]
pub(super) struct ResourceUsage {
    /// Bytes, excluding files that are only read.
    pub memory: u64,
    pub threads: u64,
    /// Bytes of open files that no longer have a name.
    pub nameless: u64,
}

pub(super) fn measure() -> io::Result<ResourceUsage> {
    let mut all = ResourceUsage::default();
    let mut seen = BTreeSet::new();
    for entry in std::fs::read_dir("/proc")? {
        let entry = entry?;
        let name = entry.file_name();
        let pid = name.to_str().and_then(|it| it.parse::<u32>().ok());
        // This process does not count.
        if pid.is_some_and(|it| it != 1) {
            all.add_process(&entry.path());
            all.add_nameless(&entry.path(), &mut seen);
        }
    }
    // System V shared memory exists without a process; the last two columns are its size in memory
    // and in swap.
    let shared = std::fs::read_to_string("/proc/sysvipc/shm").unwrap_or_default();
    for line in shared.lines().skip(1) {
        let numbers = line.split_whitespace().rev().take(2);
        all.memory += numbers.filter_map(|it| it.parse::<u64>().ok()).sum::<u64>();
    }
    Ok(all)
}

impl ResourceUsage {
    /// Adds a process; one that has ended meanwhile, or a zombie, uses nothing.
    fn add_process(&mut self, process: &Path) {
        let status = std::fs::read_to_string(process.join("status")).unwrap_or_default();
        for line in status.lines() {
            let mut words = line.split_whitespace();
            let (Some(name), Some(number)) = (words.next(), words.next()) else {
                continue;
            };
            let number: u64 = number.parse().unwrap_or(0);
            match name {
                "RssAnon:" | "RssShmem:" | "VmSwap:" => self.memory += number << 10,
                "Threads:" => self.threads += number,
                _ => {}
            }
        }
    }

    fn add_nameless(&mut self, process: &Path, seen: &mut BTreeSet<(u64, u64)>) {
        let open = std::fs::read_dir(process.join("fd")).into_iter().flatten();
        for file in open.flatten() {
            let Ok(about) = std::fs::metadata(file.path()) else {
                continue;
            };
            if about.is_file() && about.nlink() == 0 && seen.insert((about.dev(), about.ino())) {
                self.nameless += about.blocks() * 512;
            }
        }
    }
}

/// Returns whether the machine has almost no memory left. Memory that the kernel uses for a trial,
/// such as pipe buffers, is not visible anywhere else.
pub(super) fn little_is_left() -> io::Result<bool> {
    let all = std::fs::read_to_string("/proc/meminfo")?;
    let of = |name: &str| {
        let line = all.lines().find_map(|it| it.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let (left, total) = (of("MemAvailable:"), of("MemTotal:"));
    Ok(matches!((left, total), (Some(left), Some(total)) if left < total / 64))
}
