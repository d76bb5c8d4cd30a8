//! The command line: help, usage, configuration, errors, and where texts come from.
//!
//! Every test runs the built binary with a cleared environment and looks at
//! exit status, stdout and stderr as one block.

use std::path::{Path, PathBuf};

use assert_cmd::Command;

use crate::support::fake::{members, settings};

mod addresses;
mod both;
mod chinese;
mod errors;
mod feedback;
mod init;
mod interventions;
mod mail;
mod pages;
mod passed_over;
mod pasted;
mod roles;
mod runs;
mod settings;
mod settings_files;
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

    fn user(&self, text: &str) {
        self.write("home/.config/aitc/config.yaml", text);
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

#[test]
fn help_shows_the_commands_of_everyday_use() {
    insta::assert_snapshot!(Sandbox::new().run(&["--help"]));
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

/// Commands that are gone say what does their work.
#[test]
fn a_command_that_is_gone_names_the_one_to_use() {
    let sandbox = Sandbox::new();
    for (line, told) in [
        (&["render", "v1"][..], "aitc verify --out DIR"),
        (&["repair", "--dry-run"], "aitc verify --repair"),
        (&["help", "repair"], "aitc verify --repair"),
    ] {
        assert_fails(&sandbox.run(line), "2", &[told]);
    }
    let chinese = sandbox.run(&["--lang", "zh", "render"]);
    assert!(
        chinese.contains("要写到别处：aitc verify --out DIR"),
        "{chinese}"
    );
}

#[test]
fn version_is_on_stdout() {
    let own = env!("CARGO_PKG_VERSION");
    let short = format!("status: 0\n--- stdout\naitc {own}\n--- stderr\n");
    assert_eq!(Sandbox::new().run(&["-V"]), short);
    let long = Sandbox::new().run(&["--version"]);
    let lines: Vec<&str> = long.lines().collect();
    assert_eq!(lines[2], format!("aitc {own}"), "{long}");
    for (line, label) in lines[3..6]
        .iter()
        .zip(["commit: ", "target: ", "features: "])
    {
        let said = line.strip_prefix(label).unwrap_or_default();
        assert!(!said.is_empty(), "{long}");
    }
}

#[test]
fn a_line_that_makes_no_sense_ends_with_2() {
    let sandbox = Sandbox::new();
    for (arguments, part) in [
        (&["pln", "x"][..], "did you mean `plan`?"),
        (&["plan", "x", "--ruonds", "3"], "did you mean `--rounds`?"),
        (&["plan", "--from", "v1"], "feedback"),
        (
            &["plan", "x", "--from", "v1", "--feedback", "y"],
            "there is no version yet",
        ),
        (
            &["plan", "--from", "vx", "--feedback", "y"],
            "a version is written `v1`",
        ),
        (&["show", "desgin"], "`desgin` is no part of a version"),
        (&["answer"], "Q-N"),
        (&["answer", "I-1", "yes"], "an id is written like `Q-1`"),
        (&["help", "nothing"], "there is no command `nothing`"),
        (
            &["plan", "x", "--quiet", "--verbose"],
            "cannot be given together",
        ),
        (&["-C", "nowhere", "list"], "cannot work in `nowhere`"),
        (
            &["plan", "x", "--questions", "ask"],
            "`--questions ask` needs a terminal",
        ),
        (
            &["plan", "x", "--rounds", "0"],
            "a whole number from 1 to 100, not `0`",
        ),
        (
            &["plan", "x", "--base-url", "ftp://h"],
            "`base_url` must be an address",
        ),
        (
            &["plan", "x", "--knowledge", ""],
            "`knowledge` must be a list of texts",
        ),
    ] {
        assert_fails(&sandbox.run(arguments), "2", &[part]);
    }
}

#[test]
fn a_usage_error_of_ours_in_full() {
    insta::assert_snapshot!(Sandbox::new().run(&["plan"]));
}

#[test]
fn a_configuration_error_in_full() {
    let sandbox = Sandbox::new();
    sandbox.project("order: fixed\nlimits:\n  max_ronds: 3\n");
    insta::assert_snapshot!(sandbox.run(&["plan", "x"]));
}

#[test]
fn errors_for_programs_are_documents_on_stdout() {
    let sandbox = Sandbox::new();
    sandbox.project("order: sideways\n");
    for (arguments, code) in [
        (&["plan", "--json"][..], 2),
        (&["plan", "x", "--json"], 3),
        (&["--output-format", "json", "plan", "x"], 3),
        (&["plan", "x", "--output-format=stream-json"], 3),
        (&["pln", "--json"], 2),
        (&["plan", "x", "--nonsense", "--output-format", "json"], 2),
    ] {
        let output = sandbox.command(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(output.stderr.is_empty(), "{arguments:?}");
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(document["v"], 1);
        assert_eq!(document["exit_code"], code);
        let own = document["error"]["code"].as_str().unwrap();
        assert!(own.starts_with("E-"), "{own}");
        for part in ["what", "why", "fix"] {
            assert!(document["error"][part].is_string(), "{document}");
        }
        assert!(!document["error"]["what"].as_str().unwrap().is_empty());
    }
    // After `--` the words are text, not flags.
    let block = sandbox.run(&["plan", "--nonsense", "--", "--json"]);
    assert_fails(&block, "2", &[]);
}

#[test]
fn a_requirement_that_is_none() {
    let sandbox = Sandbox::new();
    sandbox.write("work/empty.md", " \n\n");
    let nul = sandbox.write("work/nul.md", "a\0b");
    let large = sandbox.write("work/large.md", &"x".repeat(256 * 1024 + 1));
    let half = "y".repeat(200 * 1024);
    sandbox.write("work/half.md", &half);
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    for (arguments, part) in [
        (&["plan", "  "][..], "there is no requirement"),
        (&["plan", "-f", "empty.md"], "there is no requirement"),
        (&["plan", "-f", "missing.md"], "`missing.md` cannot be read"),
        (
            &["plan", "-f", &name(&nul)],
            "`nul.md` holds a NUL character",
        ),
        (
            &["plan", "-f", &name(&large)],
            "`large.md` is larger than 256 KiB",
        ),
        (
            &["plan", "-f", "half.md", "-f", "half.md"],
            "all of it together is larger",
        ),
        (
            &["plan", "--from", "v1", "--feedback", "@nul.md"],
            "`nul.md` holds a NUL character",
        ),
        (&["revise", "v1"], "there is no feedback"),
        (&["revise", "not", "quoted"], "`not` is no version"),
    ] {
        assert_fails(&sandbox.run(arguments), "2", &[part]);
    }
    std::fs::write(sandbox.folder.path().join("work/latin.md"), b"caf\xe9").unwrap();
    assert_fails(
        &sandbox.run(&["plan", "-f", "latin.md"]),
        "2",
        &["`latin.md` is not valid UTF-8"],
    );
}

#[test]
fn standard_input_is_read_for_a_dash_only() {
    let sandbox = Sandbox::new();
    let with_input = |arguments: &[&str], input: &'static [u8]| {
        let mut command = sandbox.command(arguments);
        command.write_stdin(input);
        sandbox.block(command)
    };
    assert_fails(
        &with_input(&["plan", "-"], b"a\0b"),
        "2",
        &["standard input holds a NUL"],
    );
    assert_fails(
        &with_input(&["plan", "-f", "-"], b"a\0b"),
        "2",
        &["standard input holds a NUL"],
    );
    assert_fails(
        &with_input(&["plan", "-"], b""),
        "2",
        &["there is no requirement"],
    );
    assert_fails(
        &with_input(&["plan", "-", "-f", "-"], b"x"),
        "2",
        &["`-` is given twice"],
    );
    assert_fails(
        &with_input(&["plan"], b"a\0b"),
        "2",
        &["there is no requirement"],
    );
}

#[test]
fn a_malformed_answer_file_names_its_line() {
    let sandbox = Sandbox::new();
    sandbox.write("work/answers.yaml", "Q-1: yes\nX-1: no\n");
    let block = sandbox.run(&["plan", "x", "--answers", "answers.yaml"]);
    assert_fails(&block, "3", &["answers.yaml:2: `X-1` is no id like `Q-1`"]);
    let block = sandbox.run(&["resume", "--answers", "missing.yaml"]);
    assert_fails(&block, "3", &["missing.yaml: "]);
}

#[test]
fn hostile_words_do_not_reach_the_terminal() {
    let sandbox = Sandbox::new();
    sandbox.project("\"a\\e[2Jb\\u202e\": 1\n");
    let block = sandbox.run(&["plan", "x"]);
    assert_eq!(status(&block), "3");
    assert!(
        !block
            .chars()
            .any(|c| (c.is_control() && c != '\n') || c == '\u{202e}'),
        "{block:?}"
    );
}

#[test]
fn a_run_pauses_is_answered_and_published() {
    let sandbox = Sandbox::new();
    let block = sandbox.run(&["plan", "Delete users", "--json"]);
    assert_eq!(status(&block), "8", "{block}");
    assert!(
        block.contains("{\"v\":1,\"error\":{\"code\":\"E-human-needed\","),
        "{block}"
    );
    let block = sandbox.run(&[
        "answer",
        "Q-1",
        "Soft delete, for administrators",
        "--quiet",
    ]);
    assert_eq!(block, "status: 0\n--- stdout\naitc resume v1\n--- stderr\n");
    let block = sandbox.run(&["resume", "--quiet", "--questions", "assume"]);
    assert!(matches!(status(&block), "0" | "8"), "{block}");
    let transcript = "work/.ai-tools-chain/planning_outputs";
    let folders = std::fs::read_dir(sandbox.folder.path().join(transcript)).unwrap();
    let texts: String = folders
        .filter_map(|entry| {
            std::fs::read_to_string(entry.unwrap().path().join("planning_transcript.jsonl")).ok()
        })
        .collect();
    assert!(
        texts.contains("Soft delete, for administrators"),
        "the answer is on record"
    );
    assert!(texts.contains("\"source\":\"command\""), "with its way");
}

#[test]
fn what_a_published_version_shows() {
    let sandbox = Sandbox::new();
    let requirement = "Export the customer list as CSV. Only administrators may export.";
    let block = sandbox.run(&["plan", requirement, "--questions", "assume", "--quiet"]);
    let path = ".ai-tools-chain/planning_outputs/v1";
    assert_eq!(status(&block), "0", "{block}");
    assert!(
        block.contains(&format!("--- stdout\n{path}\n--- stderr\n")),
        "{block}"
    );
    for arguments in [
        &["list"][..],
        &["status"],
        &["show"],
        &["show", "design"],
        &["show", "round", "1"],
        &["show", "I-1"],
        &["why", "AC-1"],
        &["verify"],
        &["verify", "--out", "again"],
        &["check"],
        &["questions", "--all"],
    ] {
        let block = sandbox.run(arguments);
        assert_eq!(status(&block), "0", "{arguments:?}\n{block}");
        let mut json = arguments.to_vec();
        if json == ["verify", "--out", "again"] {
            json[2] = "once-more";
        }
        json.push("--json");
        let output = sandbox.command(&json).output().unwrap();
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(document["v"], 1, "{arguments:?}");
    }
    assert_fails(&sandbox.run(&["show", "I-99"]), "2", &["has no issue I-99"]);
    assert_fails(
        &sandbox.run(&["verify", "--repair"]),
        "2",
        &["is published"],
    );
    let report = sandbox
        .folder
        .path()
        .join("work")
        .join(path)
        .join("planning_report.md");
    std::fs::write(report, "changed").unwrap();
    assert_eq!(status(&sandbox.run(&["verify"])), "12");
}
