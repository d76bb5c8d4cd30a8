//! Runs the commands of a page in one shell, in a separate folder.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use snapbox::IntoData;
use snapbox::filter::NormalizeToExpected;

use super::server;
use crate::support::fake::{Fake, KEY, members, settings};
use crate::support::programs::script;

/// The result of one command.
#[derive(Debug)]
pub struct Done {
    /// Its exit code.
    pub status: i32,
    /// Its output on stdout and stderr, as a terminal would show it.
    pub printed: String,
}

/// Repeats a command until it succeeds.
const AWAITS: &str = r#"for _ in {1..1200}; do
    "$@" > /dev/null 2>&1 && exit
    sleep 0.05
done
echo "never: $*"; exit 1"#;

/// Runs a command on a terminal, with standard input as what the user does, and prints the screen,
/// which is also in `~/screen`, as its process is in `~/pid`. `sees` waits for a text, `types` types
/// a line, `presses` only keys, both after the pause that a person makes: the terminal would echo
/// them into a prompt half printed, and what follows an answer at once is not taken. `heard` waits
/// until so many messages lie in an inbox. In a `WINDOW` of so many columns the program may draw.
const ON_TERMINAL: &str = r#"ended=${0%/*}/ended; rm -f "$ended"; : > ~/screen
export NO_COLOR=${NO_COLOR-1}
awaits() { "${0%/*}/awaits" "$@" >&2 || exit; }
sees() { awaits grep -qF -- "$*" ~/screen; }
types() { sleep 0.5; printf '%s\r' "$*"; }
presses() { sleep 0.5; printf '%b' "$*"; }
heard() { awaits eval "[ \$(find .ai-tools-chain -path '*/inbox/*.json' | wc -l) = $1 ]"; }
steps=$(cat); command="echo \$\$ > ~/pid; exec $(printf '%q ' "$@")"
[ -z "$WINDOW" ] || command="stty cols $WINDOW rows 40; unset COLUMNS; export TERM=xterm-256color; $command"
{ eval "$steps"; until [ -e "$ended" ]; do sleep 0.02; done; } |
    { timeout --foreground 150 script -qefc "$command" /dev/null > ~/screen; code=$?; touch "$ended"; exit $code; }
code=$?
tr -d '\r' < ~/screen
exit $code"#;

/// How long the commands of one session may take.
pub const LIMIT: Duration = Duration::from_secs(300);

/// Marks the line that a shell prints after each command.
const MARK: char = '\u{1e}';

/// Who answers the commands of a block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// The shared test members.
    Members,
    /// The server of this session: see `docs/server.rs`.
    Server,
    /// Nobody: no model is configured.
    Nobody,
}

/// Runs `commands` in one shell in an empty folder, each with who answers it. `program` is the
/// folder of `aitc`.
pub fn run(program: &Path, commands: &[&str], answered: &[Who]) -> Vec<Done> {
    let mut shell = Shell::new(program);
    let own = answered.contains(&Who::Server);
    let own = own.then(|| server::start(&shell.home(), commands));
    let unset: String = settings(members())
        .map(|(name, _)| format!("unset {name}\n"))
        .concat();
    let mut before = Who::Nobody;
    let mut typed = Vec::new();
    for (command, who) in commands.iter().zip(answered) {
        let fake = match who {
            Who::Members => Some(members()),
            Who::Server => own.as_ref(),
            Who::Nobody => None,
        };
        let change = match fake {
            _ if before == *who => String::new(),
            None => unset.clone(),
            Some(fake) => settings(fake)
                .map(|(name, value)| {
                    format!("export {name}={}\n", value.replace("fake-1", "gpt-6-luna"))
                })
                .concat(),
        };
        before = *who;
        typed.push(change + command);
    }
    shell.servers.extend(own.iter().map(Fake::port));
    let untrusted = std::fs::read_to_string(shell.home().join("untrusted")).unwrap_or_default();
    let port = untrusted.trim_end_matches("/v1").rsplit(':').next();
    shell
        .servers
        .extend(port.and_then(|port| port.parse::<u16>().ok()));
    let typed: Vec<&str> = typed.iter().map(String::as_str).collect();
    let done = shell.run(&typed);
    let told = done.iter().find(|done| done.printed.contains(KEY));
    assert!(told.is_none(), "the key is printed: {told:?}");
    done
}

/// An isolated shell: an empty working folder, no terminal, no model, its own home, 80 columns.
pub struct Shell {
    place: tempfile::TempDir,
    /// Folders with programs, in order of precedence.
    path: String,
    variables: Vec<(String, String)>,
    /// Ports of servers, all printed as 8000.
    servers: Vec<u16>,
}

impl Shell {
    pub fn new(program: &Path) -> Self {
        let place = tempfile::tempdir().unwrap();
        for name in ["home", "work", "tools"] {
            std::fs::create_dir(place.path().join(name)).unwrap();
        }
        let tools = place.path().join("tools");
        for (name, text) in [("awaits", AWAITS), ("on-terminal", ON_TERMINAL)] {
            script(&tools, name, text);
        }
        let inherited = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{}:{inherited}", tools.display(), program.display());
        let variables = Vec::new();
        Self {
            place,
            path,
            variables,
            servers: vec![members().port()],
        }
    }

    /// The home folder; programs in it have precedence.
    pub fn home(&self) -> PathBuf {
        self.place.path().join("home")
    }

    /// The working folder.
    pub fn work(&self) -> PathBuf {
        self.place.path().join("work")
    }

    /// Sets a variable for all following commands.
    pub fn set(&mut self, name: &str, value: &str) {
        self.variables.push((name.to_owned(), value.to_owned()));
    }

    /// A program with the environment of the shell.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let home = self.home();
        command
            .env_clear()
            .env("PATH", format!("{}:{}", home.display(), self.path))
            .env("HOME", &home)
            .env("XDG_CONFIG_HOME", home.join(".config"))
            .env("LC_ALL", "C.UTF-8")
            .env("COLUMNS", "80")
            .env("AITC_DISCOVER", "off")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_NAME", "You")
            .env("GIT_AUTHOR_EMAIL", "you@example.com")
            .env("GIT_COMMITTER_NAME", "You")
            .env("GIT_COMMITTER_EMAIL", "you@example.com")
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(self.work());
        command
    }

    /// Runs commands one after the other.
    pub fn run(&self, commands: &[&str]) -> Vec<Done> {
        let mut script = String::from("exec 2>&1\n");
        for command in commands {
            // The next command can still read this one's exit code as `$?`.
            script.push_str(command);
            script.push_str("\n( code=$?; printf '\\036%s\\n' $code; exit $code )\n");
        }
        let file = self.place.path().join("script");
        std::fs::write(&file, script).unwrap();
        let mut shell = self.command("sh");
        shell.arg(&file).stdin(Stdio::null()).stdout(Stdio::piped());
        let shell = shell.process_group(0).spawn().unwrap();
        let group = Pid::from_child(&shell);
        let (ended, end) = std::sync::mpsc::channel::<()>();
        // What hangs, or is left in the background, ends with the shell.
        let watch = std::thread::spawn(move || {
            let _ = end.recv_timeout(LIMIT);
            let _ = kill_process_group(group, Signal::KILL);
        });
        let output = shell.wait_with_output().unwrap();
        drop(ended);
        watch.join().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let mut text = text
            .replace(&self.work().display().to_string(), "/home/you/work")
            .replace(&self.home().display().to_string(), "/home/you");
        for port in &self.servers {
            text = text.replace(&format!("127.0.0.1:{port}"), "127.0.0.1:8000");
        }
        taken_apart(&text, commands.len())
    }
}

/// Whether the program exists.
pub fn has(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdout(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn taken_apart(text: &str, count: usize) -> Vec<Done> {
    let mut rest = text;
    let mut all = Vec::new();
    while let Some((printed, after)) = rest.split_once(MARK) {
        let (status, next) = after.split_once('\n').unwrap_or((after, ""));
        all.push(Done {
            status: status.parse().unwrap(),
            printed: printed.to_owned(),
        });
        rest = next;
    }
    assert_eq!(all.len(), count, "the shell stopped early:\n{text}");
    all
}

/// The output as the page would show it: text that matches an omission on the page (`...` for
/// lines, `[..]` within a line) is replaced by it.
pub fn as_shown(printed: &str, shown: &str) -> String {
    let shown = shown.to_owned().raw();
    let actual = printed.to_owned().raw();
    let normal = NormalizeToExpected::new()
        .redact()
        .normalize(actual, &shown);
    normal.render().unwrap()
}
