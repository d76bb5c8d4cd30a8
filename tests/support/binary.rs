//! Runs the built binary in isolation: its own workspace and home, no inherited environment, a
//! timeout for every wait, and no process left behind.

use std::fmt::Display;
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

pub use super::fake::KEY;
use super::fake::{Fake, members, settings};
use serde_json::Value;

/// Timeout of a command; one that takes longer has hung.
const PATIENCE: Duration = Duration::from_secs(150);

/// The program that is tested: the one built with the tests, or the one that `TESTED_PROGRAM`
/// names.
pub fn program() -> &'static Path {
    static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
        let other = std::env::var_os("TESTED_PROGRAM").map(PathBuf::from);
        other.unwrap_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_aitc")))
    });
    &PROGRAM
}

/// A workspace and a home.
pub struct Place {
    folder: tempfile::TempDir,
    work: PathBuf,
}

impl Default for Place {
    fn default() -> Self {
        Self::new()
    }
}

impl Place {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("home")).unwrap();
        std::fs::create_dir(folder.path().join("work")).unwrap();
        let work = folder.path().join("work");
        Self { folder, work }
    }

    /// The same home with another working folder.
    pub fn elsewhere(mut self, work: &Path) -> Self {
        self.work = work.to_owned();
        self
    }

    /// The working folder.
    pub fn work(&self) -> &Path {
        &self.work
    }

    pub fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// The path of `planning_outputs`, or of something in it.
    pub fn outputs(&self, path: &str) -> PathBuf {
        let outputs = self.work.join(".ai-tools-chain/planning_outputs");
        if path.is_empty() {
            outputs
        } else {
            outputs.join(path)
        }
    }

    /// The text of a file below `planning_outputs`.
    pub fn text(&self, path: &str) -> String {
        let path = self.outputs(path);
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    /// The complete lines of a transcript.
    pub fn transcript(&self, version: &str) -> Vec<Value> {
        json_lines(&self.text(&format!("{version}/planning_transcript.jsonl")))
    }

    /// The lines of a transcript with this phase.
    pub fn events(&self, version: &str, phase: &str) -> Vec<Value> {
        let mut lines = self.transcript(version);
        lines.retain(|line| line["phase"] == phase);
        lines
    }

    /// `planning.ai.json` of the first version.
    pub fn plan(&self) -> Value {
        serde_json::from_str(&self.text("v1/planning.ai.json")).unwrap()
    }

    /// Number of lines of a transcript; 0 while there is no file.
    pub fn lines(&self, version: &str) -> usize {
        let path = self.outputs(version).join("planning_transcript.jsonl");
        std::fs::read(path).map_or(0, |b| b.iter().filter(|b| **b == b'\n').count())
    }

    /// Writes a file of the workspace, creating its folders.
    pub fn write(&self, path: &str, text: &str) {
        let full = self.work.join(path);
        std::fs::create_dir_all(full.parent().unwrap()).unwrap();
        std::fs::write(full, text).unwrap();
    }

    /// Writes the project's configuration.
    pub fn configure_project(&self, yaml: &str) {
        self.write(".ai-tools-chain/config.yaml", yaml);
    }

    /// The entries of `planning_outputs`, sorted, without hidden files.
    pub fn versions(&self) -> Vec<String> {
        let Ok(folder) = std::fs::read_dir(self.outputs("")) else {
            return Vec::new();
        };
        let mut names: Vec<String> = folder
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| !name.starts_with('.'))
            .collect();
        names.sort();
        names
    }

    /// A command with [`members`] as its model.
    pub fn command(&self, arguments: &[&str]) -> Command {
        self.command_with(members(), arguments)
    }

    /// A command without a model.
    pub fn command_without_model(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(program());
        command
            .env_clear()
            .env("HOME", self.home())
            .env("AITC_DISCOVER", "off")
            .env("COLUMNS", "80")
            .current_dir(&self.work)
            .args(arguments);
        command
    }

    /// A command with `fake` as its model, configured by variables only. Plans are not reviewed
    /// unless `--review on` is given.
    pub fn command_with(&self, fake: &Fake, arguments: &[&str]) -> Command {
        let mut command = self.command_without_model(arguments);
        command.envs(settings(fake)).env("AITC_REVIEW", "off");
        command
    }

    /// Writes the user's configuration.
    pub fn configure(&self, yaml: &str) {
        let folder = self.home().join(".config/aitc");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("config.yaml"), yaml).unwrap();
    }

    /// Runs a command to its end with a provider at an address, configured by variables only.
    pub fn run_at(&self, provider: &str, base_url: &str, arguments: &[&str]) -> Ran {
        Going::start(self.command_at(provider, base_url, arguments)).end()
    }

    /// A command with a provider at an address, configured by variables only.
    pub fn command_at(&self, provider: &str, base_url: &str, arguments: &[&str]) -> Command {
        let mut command = self.command_without_model(arguments);
        command
            .env("AITC_PROVIDER", provider)
            .env("AITC_BASE_URL", base_url)
            .env("AITC_MODEL", "fake-1")
            .env("AITC_REVIEW", "off")
            .env("AITC_API_KEY", KEY);
        command
    }

    /// Runs a command to its end with [`members`].
    pub fn run(&self, arguments: &[&str]) -> Ran {
        Going::start(self.command(arguments)).end()
    }

    /// Runs a command to its end without a model.
    pub fn run_without_model(&self, arguments: &[&str]) -> Ran {
        Going::start(self.command_without_model(arguments)).end()
    }

    /// Runs a command to its end with `fake`.
    pub fn run_with(&self, fake: &Fake, arguments: &[&str]) -> Ran {
        Going::start(self.command_with(fake, arguments)).end()
    }

    /// Starts a command with `fake` without waiting.
    pub fn start_with(&self, fake: &Fake, arguments: &[&str]) -> Going {
        Going::start(self.command_with(fake, arguments))
    }
}

/// Parses every complete line of JSON; an incomplete last line is ignored.
pub fn json_lines(text: &str) -> Vec<Value> {
    let lines = text
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n'));
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The complete lines of the transcript in a folder.
pub fn transcript_in(folder: &Path) -> Vec<Value> {
    json_lines(&std::fs::read_to_string(folder.join("planning_transcript.jsonl")).unwrap())
}

/// The result of a command.
#[derive(Debug)]
pub struct Ran {
    /// The exit code, or the negative number of the signal that killed it.
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Asserts this exit code.
    #[track_caller]
    pub fn ends(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }

    /// Asserts an error with this code: stdout is empty and stderr contains all these parts.
    #[track_caller]
    pub fn fails(self, code: i32, parts: &[&str]) -> Self {
        let ran = self.ends(code);
        assert_eq!(ran.out, "", "{ran:#?}");
        assert!(ran.err.contains("error[E-"), "{ran:#?}");
        ran.says(parts)
    }

    /// Asserts that stderr contains all these parts.
    #[track_caller]
    pub fn says(self, parts: &[&str]) -> Self {
        for part in parts {
            assert!(self.err.contains(part), "no `{part}` in {self:#?}");
        }
        self
    }
}

/// A running command; killed when dropped.
pub struct Going {
    child: Child,
    streams: Option<[JoinHandle<String>; 2]>,
}

impl Going {
    pub fn start(mut command: Command) -> Self {
        command.stdin(Stdio::null());
        Self::spawned(command)
    }

    /// Starts with these lines on standard input, which is then closed.
    pub fn fed(command: Command, lines: &[&str]) -> Self {
        let mut going = Self::told(command, lines);
        drop(going.child.stdin.take());
        going
    }

    /// Starts with these lines on standard input, which stays open.
    pub fn told(mut command: Command, lines: &[impl Display]) -> Self {
        command.stdin(Stdio::piped());
        let going = Self::spawned(command);
        let mut input = going.child.stdin.as_ref().unwrap();
        for line in lines {
            // A process that has ended reads no more.
            let _ = writeln!(input, "{line}");
        }
        going
    }

    /// Starts with standard output redirected to a file, to read it while the command runs.
    pub fn into_file(mut command: Command, out: std::fs::File) -> Self {
        command
            .stdin(Stdio::null())
            .stdout(out)
            .stderr(Stdio::null());
        let child = command.spawn().unwrap();
        Self {
            child,
            streams: None,
        }
    }

    fn spawned(mut command: Command) -> Self {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let out = child.stdout.take().unwrap();
        let err = child.stderr.take().unwrap();
        let streams = Some([collect(out), collect(err)]);
        Self { child, streams }
    }

    /// Whether it has ended.
    pub fn is_over(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Sends a signal by name, such as `INT`.
    pub fn signal(&self, name: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args(["-s", name, &pid]).status();
        assert!(sent.unwrap().success());
    }

    /// Waits until it ends; returns the exit code.
    pub fn code(mut self) -> i32 {
        self.child.wait().unwrap().code().unwrap()
    }

    /// Waits until it ends.
    pub fn end(self) -> Ran {
        self.end_within(PATIENCE)
    }

    /// As [`end`](Self::end), with another timeout, for commands that take longer.
    pub fn end_within(mut self, patience: Duration) -> Ran {
        let late = Instant::now() + patience;
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(Instant::now() < late, "it hangs");
            std::thread::sleep(Duration::from_millis(4));
        };
        let [out, err] = self.streams.take().unwrap().map(|one| one.join().unwrap());
        use std::os::unix::process::ExitStatusExt;
        let code = status.code().or(status.signal().map(|signal| -signal));
        Ran {
            code: code.unwrap(),
            out,
            err,
        }
    }

    /// Kills it at once, like a power failure.
    pub fn kill(mut self) -> Ran {
        // It may have ended just now.
        let _ = self.child.kill();
        self.end()
    }
}

impl Drop for Going {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn collect(mut stream: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    })
}

/// Waits until the condition holds, with the timeout of a command.
#[track_caller]
pub fn wait_until(what: &str, done: impl FnMut() -> bool) {
    wait_within(PATIENCE, what, done);
}

/// As [`wait_until`], with another timeout.
#[track_caller]
pub fn wait_within(patience: Duration, what: &str, mut done: impl FnMut() -> bool) {
    let late = Instant::now() + patience;
    while !done() {
        assert!(Instant::now() < late, "{what} never came");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// All files below a folder, by path, including hidden ones but no lock files, since one left by a
/// killed process is reused and removed by the next.
pub fn files_below(folder: &Path) -> Vec<(String, Vec<u8>)> {
    walkdir::WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter()
        .map(Result::unwrap)
        .filter(|entry| entry.file_type().is_file())
        .filter(|entry| entry.path().extension().is_none_or(|it| it != "lock"))
        .map(|entry| {
            let path = entry.path().strip_prefix(folder).unwrap();
            let bytes = std::fs::read(entry.path()).unwrap();
            (path.display().to_string(), bytes)
        })
        .collect()
}

/// Copies everything below a folder.
pub fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.unwrap();
        let target = to.join(entry.path().strip_prefix(from).unwrap());
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(target).unwrap();
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Creates a named pipe.
pub fn mkfifo(at: &Path) {
    let made = Command::new("mkfifo").arg(at).status();
    assert!(made.unwrap().success());
}

/// Runs git in a folder without any configuration of the user or system; returns its output.
pub fn git(folder: &Path, words: &[&str]) -> String {
    let ran = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(words)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .envs(["AUTHOR", "COMMITTER"].map(|it| (format!("GIT_{it}_NAME"), "n")))
        .envs(["AUTHOR", "COMMITTER"].map(|it| (format!("GIT_{it}_EMAIL"), "e")))
        .output()
        .unwrap();
    assert!(ran.status.success(), "{words:?} {ran:?}");
    String::from_utf8(ran.stdout).unwrap()
}
