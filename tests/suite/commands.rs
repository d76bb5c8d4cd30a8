//! The command line: help, usage, configuration, errors, and where texts come from.
//!
//! Every test runs the built binary with a cleared environment and looks at
//! exit status, stdout and stderr as one block.

use std::path::PathBuf;

use assert_cmd::Command;

use crate::support::fake::{members, settings};

mod addresses;
mod chinese;
mod errors;
mod init;
mod interventions;
mod mail;
mod pages;
mod pasted;
mod runs;
mod settings;
mod surroundings;
mod too_late;

/// A workspace and a home of its own.
struct Sandbox {
    folder: tempfile::TempDir,
}

impl Sandbox {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["home", "work"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        Self { folder }
    }

    /// Writes a file below the sandbox, folders included.
    fn write(&self, path: &str, text: &str) -> PathBuf {
        let full = self.folder.path().join(path);
        std::fs::create_dir_all(full.parent().unwrap()).unwrap();
        std::fs::write(&full, text).unwrap();
        full
    }

    fn project(&self, text: &str) {
        self.write("work/.ai-tools-chain/config.yaml", text);
    }

    /// A command whose members are those of every test.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.command_without_model(arguments);
        command.envs(settings(members()));
        command
    }

    /// A command that knows of no model.
    fn command_without_model(&self, arguments: &[&str]) -> Command {
        let mut command = Command::cargo_bin("aitc").unwrap();
        command
            .env_clear()
            .env("HOME", self.folder.path().join("home"))
            .env("AITC_DISCOVER", "off")
            .env("COLUMNS", "80")
            .current_dir(self.folder.path().join("work"))
            .args(arguments);
        command
    }

    fn run(&self, arguments: &[&str]) -> String {
        self.block(self.command(arguments))
    }

    /// Status, stdout and stderr in one text, without the sandbox's own paths.
    fn block(&self, mut command: Command) -> String {
        let output = command.output().unwrap();
        let text = format!(
            "status: {}\n--- stdout\n{}--- stderr\n{}",
            output.status.code().unwrap(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        );
        let given = self.folder.path().to_path_buf();
        let folders = [given.canonicalize().unwrap(), given];
        folders.iter().fold(text, |text, folder| {
            text.replace(folder.join("work").to_str().unwrap(), "[WORKSPACE]")
                .replace(folder.to_str().unwrap(), "[DIR]")
        })
    }
}

/// The block begins with that status.
fn status(block: &str) -> &str {
    block
        .lines()
        .next()
        .unwrap()
        .strip_prefix("status: ")
        .unwrap()
}

fn assert_fails(block: &str, code: &str, parts: &[&str]) {
    assert_eq!(status(block), code, "{block}");
    assert!(
        block.contains("--- stdout\n--- stderr\nerror[E-"),
        "{block}"
    );
    for part in parts {
        assert!(block.contains(part), "no `{part}` in\n{block}");
    }
}

/// Names of the commands that a help page lists.
fn listed(help: &str) -> Vec<String> {
    let list = ["\nCommands:\n", "\n命令:\n"].iter();
    let Some((_, list)) = list.filter_map(|head| help.split_once(head)).next() else {
        return Vec::new();
    };
    let entries = list.lines().take_while(|line| !line.is_empty());
    let entries = entries.filter_map(|line| line.strip_prefix("  "));
    let names = entries.filter(|line| !line.starts_with(' '));
    names
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn help_of_every_command() {
    let sandbox = Sandbox::new();
    let mut all = String::new();
    let mut topics = listed(&sandbox.run(&["help", "all"]));
    assert!(topics.len() > 25, "{topics:?}");
    topics.reverse();
    while let Some(topic) = topics.pop() {
        let words = std::iter::once("help").chain(topic.split(' '));
        let block = sandbox.run(&words.collect::<Vec<_>>());
        assert_eq!(status(&block), "0", "{block}");
        let own = block.split("\nEverywhere:").next().unwrap();
        all.push_str(&format!("===== {topic}\n{own}\n"));
        let below = listed(&block).into_iter().rev();
        topics.extend(below.map(|name| format!("{topic} {name}")));
    }
    insta::assert_snapshot!(all);
}

/// What a command refuses whatever it is given does not stand in its help, and what
/// stands there is read.
#[test]
fn help_shows_no_flag_that_is_refused() {
    let sandbox = Sandbox::new();
    for (command, hidden) in [
        ("board", &["--first-round", "--order"][..]),
        ("team", &["--first-round", "--order"]),
        ("batch", &["--record"]),
        ("chat", &["--record"]),
    ] {
        for lang in ["en", "zh"] {
            let help = sandbox.run(&[command, "--help", "--lang", lang]);
            for flag in hidden {
                assert!(!help.contains(flag), "{command} {flag}: {help}");
            }
        }
        for flag in hidden {
            let block = sandbox.run(&[command, "x", flag, "blind"][..]);
            assert_ne!(status(&block), "0", "{command} {flag}: {block}");
        }
    }
}

/// What only tests need stands on a page of its own.
#[test]
fn help_leaves_out_what_is_for_tests() {
    let sandbox = Sandbox::new();
    let page = include_str!("../../docs/guide/testing.md");
    for command in ["plan", "revise", "team", "board", "chat", "batch", "resume"] {
        for lang in ["en", "zh"] {
            let help = sandbox.run(&[command, "--help", "--lang", lang]);
            for flag in [
                "--seed",
                "--record",
                "--fixtures",
                "--order",
                "--first-round",
            ] {
                assert!(!help.contains(flag), "{command} {flag}: {help}");
                assert!(page.contains(&format!("`{flag} ")), "{flag}");
            }
        }
    }
}
