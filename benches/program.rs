//! Runs the built program in a workspace of its own and measures it from outside.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Number of last output lines shown if the program fails.
const LAST_WORDS: usize = 20;

/// What one run of the program cost.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    /// From start to end.
    pub wall: Duration,
    /// Largest resident memory, in KiB: `VmHWM`, read every 2 ms.
    pub peak_kib: u64,
}

/// A workspace and a home without anything of the user's.
pub struct Sandbox {
    folder: tempfile::TempDir,
}

impl Sandbox {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("work")).unwrap();
        Self { folder }
    }

    pub fn work(&self) -> std::path::PathBuf {
        self.folder.path().join("work")
    }

    /// The program in this workspace, with its output discarded.
    pub fn program(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(path());
        command
            .env_clear()
            .env("HOME", self.folder.path())
            .env("AITC_DISCOVER", "off")
            .current_dir(self.work())
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    /// Runs the program, which must succeed.
    pub fn run(&self, arguments: &[&str]) -> Duration {
        let begun = Instant::now();
        let status = self.program(arguments).status().unwrap();
        let wall = begun.elapsed();
        assert!(status.success(), "aitc {arguments:?} ended with {status}");
        wall
    }

    /// As [`run`](Self::run), on a terminal of 80 columns, made by `script` of util-linux.
    pub fn run_on_terminal(&self, arguments: &[&str]) -> Duration {
        let line = format!(
            "stty cols 80 && exec '{}' {}",
            path().display(),
            arguments.join(" ")
        );
        let mut command = Command::new("script");
        command
            .args(["--quiet", "--return", "--command", &line, "/dev/null"])
            .env_clear()
            .env("HOME", self.folder.path())
            .env("TERM", "xterm-256color")
            .env("AITC_DISCOVER", "off")
            .current_dir(self.work())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let begun = Instant::now();
        let status = command.status().unwrap();
        let wall = begun.elapsed();
        assert!(status.success(), "aitc {arguments:?} ended with {status}");
        wall
    }

    /// As [`run`](Self::run), with its memory measured. If it fails, its last output is shown.
    pub fn watch(&self, arguments: &[&str]) -> Cost {
        let said = self.folder.path().join("said");
        let file = std::fs::File::create(&said).unwrap();
        let begun = Instant::now();
        let mut command = self.program(arguments);
        command.stdout(file.try_clone().unwrap()).stderr(file);
        let mut child = command.spawn().unwrap();
        let mut peak_kib = 0;
        let status = loop {
            peak_kib = peak_kib.max(high_water(&child).unwrap_or(0));
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        if !status.success() {
            let said = std::fs::read_to_string(&said).unwrap();
            let last: Vec<&str> = said.lines().rev().take(LAST_WORDS).collect();
            let last: Vec<&str> = last.into_iter().rev().collect();
            panic!(
                "aitc {arguments:?} ended with {status}:\n{}",
                last.join("\n")
            );
        }
        Cost {
            wall: begun.elapsed(),
            peak_kib,
        }
    }
}

/// `VmHWM` of a running process, in KiB; `None` without `/proc`.
fn high_water(child: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Processor time, user and system, of all programs that have ended so far.
///
/// The kernel sums it in nanoseconds and reports it in hundredths of a second: the difference over
/// many runs is off by 10 ms at most.
pub fn children_cpu() -> Duration {
    ticks("self", [13, 14])
}

/// Processor time of a running process, user and system.
pub fn cpu_of(pid: u32) -> Duration {
    ticks(&pid.to_string(), [11, 12])
}

fn ticks(process: &str, fields: [usize; 2]) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    // The second field may contain spaces, so start after its closing bracket.
    let all: Vec<&str> = stat[stat.rfind(')').unwrap() + 2..].split(' ').collect();
    let ticks: u64 = fields
        .iter()
        .map(|field| all[*field].parse::<u64>().unwrap())
        .sum();
    Duration::from_millis(ticks * 10)
}

/// Size of the program's file, in bytes.
pub fn size() -> u64 {
    std::fs::metadata(path()).unwrap().len()
}

/// The program this benchmark was built with, or the one in `BENCH_PROGRAM`.
fn path() -> PathBuf {
    let other = std::env::var_os("BENCH_PROGRAM").map(PathBuf::from);
    other.unwrap_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_aitc")))
}
