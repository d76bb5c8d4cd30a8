//! Tracks a process and all its descendants, where no namespace groups them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::process::Command;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

/// Resource usage of all of them at one moment.
pub(super) struct ResourceUsage {
    /// Bytes in memory, including files that are only read.
    pub memory: u64,
    pub processes: u64,
}

/// A process as listed by `ps`.
struct Process {
    parent: u32,
    group: u32,
    /// Resident memory in bytes.
    memory: u64,
    /// Start time, because process ids are reused.
    began: String,
}

/// Known processes with their start times. A process that leaves both its group and its parent
/// stays known if it was seen before.
pub(super) struct Family {
    /// The first process. Its id, also as a group id, cannot be reused until it is waited for.
    first: u32,
    known: BTreeMap<u32, String>,
}

impl Family {
    pub fn of(first: u32) -> Self {
        let known = BTreeMap::new();
        Self { first, known }
    }

    /// Lists all of them and measures their usage.
    pub fn look(&mut self) -> io::Result<ResourceUsage> {
        let told = Command::new("/bin/ps")
            .args(["-axo", "pid=,ppid=,pgid=,rss=,stat=,lstart="])
            .env_clear()
            .env("LC_ALL", "C")
            .output()?;
        if !told.status.success() {
            return Err(io::Error::other(format!("ps: {}", told.status)));
        }
        Ok(self.follow(&read(&String::from_utf8_lossy(&told.stdout))))
    }

    fn follow(&mut self, all: &BTreeMap<u32, Process>) -> ResourceUsage {
        self.known
            .retain(|pid, began| all.get(pid).is_some_and(|it| it.began == *began));
        let own = std::process::id();
        loop {
            let mut groups: BTreeSet<u32> = self
                .known
                .keys()
                .filter_map(|pid| all.get(pid))
                .map(|it| it.group)
                // The first process is in a group of others until it has its own session.
                .filter(|group| self.known.contains_key(group))
                .collect();
            groups.insert(self.first);
            let found: Vec<(u32, String)> = all
                .iter()
                .filter(|(pid, it)| {
                    **pid != own
                        && !self.known.contains_key(pid)
                        && (**pid == self.first
                            || self.known.contains_key(&it.parent)
                            || groups.contains(&it.group))
                })
                .map(|(pid, it)| (*pid, it.began.clone()))
                .collect();
            if found.is_empty() {
                break;
            }
            self.known.extend(found);
        }
        let members = self.known.keys().filter_map(|pid| all.get(pid));
        ResourceUsage {
            memory: members.map(|it| it.memory).sum(),
            processes: self.known.len() as u64,
        }
    }

    /// Kills all of them, and those that start meanwhile.
    pub fn end(&mut self) -> io::Result<()> {
        for _ in 0..100 {
            if self.look()?.processes == 0 {
                return Ok(());
            }
            for pid in self.known.keys() {
                let pid = i32::try_from(*pid).ok().and_then(Pid::from_raw);
                // Fails for a process that has already ended.
                let _ = pid.map(|pid| kill_process(pid, Signal::KILL));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Err(io::Error::other("processes of the trial cannot be ended"))
    }
}

/// Parses lines of process id, parent, group, kibibytes in memory, state and start time; zombies
/// are left out.
fn read(told: &str) -> BTreeMap<u32, Process> {
    let lines = told.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let mut number = || words.next()?.parse::<u32>().ok();
        let (pid, parent, group, memory) = (number()?, number()?, number()?, number()?);
        let state = words.next()?;
        let process = Process {
            parent,
            group,
            memory: u64::from(memory) << 10,
            began: words.collect::<Vec<_>>().join(" "),
        };
        (!state.starts_with('Z')).then_some((pid, process))
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: &str = "Thu Nov 26 22:00:0";

    fn table(rows: &[(u32, u32, u32, u32)]) -> BTreeMap<u32, Process> {
        let lines = rows.iter().map(|(pid, parent, group, second)| {
            format!("{pid} {parent} {group} 1024 S {DAY}{second} 2026\n")
        });
        read(&lines.collect::<String>())
    }

    #[test]
    fn who_leaves_is_known_still_and_who_gets_its_number_is_not() {
        let mut family = Family::of(10);
        // While it has no group of its own, other processes are in its group; it has a child and a
        // grandchild.
        let used = family.follow(&table(&[
            (1, 0, 1, 1),
            (9, 1, 9, 1),
            (10, 9, 9, 2),
            (11, 10, 10, 3),
            (12, 11, 12, 3),
        ]));
        assert_eq!((used.processes, used.memory), (3, 3 << 20));
        // 11 has ended; 12 has lost its parent and has a child; 10 has its own group, with a
        // process that was not seen before.
        let used = family.follow(&table(&[
            (1, 0, 1, 1),
            (9, 1, 9, 1),
            (10, 9, 10, 2),
            (12, 1, 12, 3),
            (13, 12, 13, 4),
            (14, 1, 10, 4),
        ]));
        assert_eq!(used.processes, 4);
        // The id 12 was reused; a process in the first one's group counts although the first one is
        // gone.
        let rows = [(9, 1, 9, 1), (12, 1, 12, 5), (13, 1, 13, 4), (15, 1, 10, 5)];
        assert_eq!(family.follow(&table(&rows)).processes, 2);
        assert!(read("10 9 10 0 Z+ Thu Nov 26 22:00:02 2026").is_empty());
    }
}
