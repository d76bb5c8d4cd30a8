//! What all processes of a trial use, seen by the first of them.

use std::collections::BTreeSet;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// What is used at one moment.
#[derive(Default)]
pub(super) struct Used {
    /// Bytes, without those of files that are only read.
    pub memory: u64,
    pub threads: u64,
    /// Bytes of open files that have no name any more.
    pub nameless: u64,
}

pub(super) fn measure() -> io::Result<Used> {
    let mut all = Used::default();
    let mut seen = BTreeSet::new();
    for entry in std::fs::read_dir("/proc")? {
        let entry = entry?;
        let name = entry.file_name();
        let pid = name.to_str().and_then(|it| it.parse::<u32>().ok());
        // This process is none of the trial's.
        if pid.is_some_and(|it| it != 1) {
            all.add_process(&entry.path());
            all.add_nameless(&entry.path(), &mut seen);
        }
    }
    // Shared memory of System V is there without a process that has it: the last two columns
    // say how much in memory and how much swapped out.
    let shared = std::fs::read_to_string("/proc/sysvipc/shm").unwrap_or_default();
    for line in shared.lines().skip(1) {
        let numbers = line.split_whitespace().rev().take(2);
        all.memory += numbers.filter_map(|it| it.parse::<u64>().ok()).sum::<u64>();
    }
    Ok(all)
}

impl Used {
    /// A process that is gone meanwhile uses nothing, and so does a zombie.
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

/// Has the machine nearly no memory left? What the kernel holds for a trial, such as what
/// stands in its pipes, is nowhere else to be seen.
pub(super) fn little_is_left() -> io::Result<bool> {
    let all = std::fs::read_to_string("/proc/meminfo")?;
    let of = |name: &str| {
        let line = all.lines().find_map(|it| it.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    let (left, total) = (of("MemAvailable:"), of("MemTotal:"));
    Ok(matches!((left, total), (Some(left), Some(total)) if left < total / 64))
}
