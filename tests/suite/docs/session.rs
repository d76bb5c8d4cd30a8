//! Runs the commands of a page in one shell, in a place of its own.

use std::path::Path;
use std::process::{Command, Stdio};

use snapbox::IntoData;
use snapbox::filter::NormalizeToExpected;

/// What one command did.
#[derive(Debug)]
pub struct Done {
    /// Its exit code.
    pub status: i32,
    /// What it wrote on stdout and stderr, as a terminal would show it.
    pub printed: String,
}

/// Begins the line that a shell writes after each command.
const MARK: char = '\u{1e}';

/// Types `commands` into one shell, one after the other, in an empty folder: no
/// terminal, no model, a home of its own, 80 columns. `program` is the folder
/// of `aitc`.
pub fn run(program: &Path, commands: &[&str]) -> Vec<Done> {
    let place = tempfile::tempdir().unwrap();
    let (home, work) = (place.path().join("home"), place.path().join("work"));
    std::fs::create_dir(&home).unwrap();
    std::fs::create_dir(&work).unwrap();
    let mut script = String::from("exec 2>&1\n");
    for command in commands {
        // The next command still sees the code of this one as `$?`.
        script.push_str(command);
        script.push_str("\n( code=$?; printf '\\036%s\\n' $code; exit $code )\n");
    }
    let file = place.path().join("script");
    std::fs::write(&file, script).unwrap();
    let inherited = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .arg(&file)
        .env_clear()
        .env("PATH", format!("{}:{inherited}", program.display()))
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
        .current_dir(&work)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let text = text
        .replace(&work.display().to_string(), "/home/you/work")
        .replace(&home.display().to_string(), "/home/you");
    taken_apart(&text, commands.len())
}

/// Is there such a program?
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

/// What was printed, as the page would show it: where the page leaves something
/// out (`...` for lines, `[..]` within one) and the rest fits, so does this.
pub fn as_shown(printed: &str, shown: &str) -> String {
    let shown = shown.to_owned().raw();
    let actual = printed.to_owned().raw();
    let normal = NormalizeToExpected::new()
        .redact()
        .normalize(actual, &shown);
    normal.render().unwrap()
}
