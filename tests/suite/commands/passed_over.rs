//! A wrong configuration and the commands that need none of it.

use super::{Sandbox, assert_fails, status};

/// Commands that look at what is there.
const LOOKING: &[&[&str]] = &[
    &["status"],
    &["list"],
    &["list", "--json"],
    &["list", "-q"],
    &["roles", "check"],
    &["show"],
    &["check"],
    &["verify"],
    &["stop"],
    &["answer", "--decline", "Q-1"],
    &["questions"],
];

#[test]
fn a_named_configuration_that_is_not_there_is_an_error_for_every_command() {
    let sandbox = Sandbox::new();
    for arguments in [&["status"], &["list"], &["verify"], &["check"], &["show"]] {
        let mut arguments = arguments.to_vec();
        arguments.extend(["--config", "missing.yaml"]);
        assert_fails(&sandbox.run(&arguments), "3", &["missing.yaml: "]);
    }
    // Only who writes it may name one that is not there.
    let set = ["config", "set", "--user", "order", "rotate"];
    let block = sandbox.run(&[&set[..], &["--config", "new.yaml"]].concat());
    assert_eq!(status(&block), "0", "{block}");
    let block = sandbox.run(&["list", "--config", "new.yaml"]);
    assert!(block.ends_with("--- stderr\n"), "{block}");
}

#[test]
fn a_broken_file_that_is_not_needed_is_warned_of_and_stops_nobody() {
    let sound = Sandbox::new();
    let broken = Sandbox::new();
    broken.project("order: fixed\nquestions: never\n");
    broken.user("ordr: fixed\n");
    let ends = [
        "warning: .ai-tools-chain/config.yaml:2: `questions` must be one of",
        "warning: [DIR]/home/.config/aitc/config.yaml:1: unknown key `ordr`",
    ];
    for arguments in LOOKING {
        let (whole, block) = (sound.run(arguments), broken.run(arguments));
        assert_eq!(status(&block), status(&whole), "{arguments:?}\n{block}");
        assert_eq!(stdout(&block), stdout(&whole), "{arguments:?}");
        let errors = block.split("--- stderr\n").nth(1).unwrap();
        for end in ends {
            let mut told = errors.lines().filter(|line| line.starts_with(end));
            let line = told.next().unwrap_or_else(|| panic!("{block}"));
            assert!(line.contains("`aitc config show` says more"), "{line}");
            assert_eq!(told.next(), None, "{block}");
        }
    }
}

#[test]
fn a_fault_that_ends_a_command_is_told_once() {
    let sandbox = Sandbox::new();
    sandbox.project("questions: never\n");
    for arguments in [
        &["config", "show"][..],
        &["plan", "x"],
        &["config", "set", "order", "fixed"],
    ] {
        let block = sandbox.run(arguments);
        assert!(!block.contains("warning: "), "{block}");
    }
}

fn stdout(block: &str) -> &str {
    let (before, _) = block.split_once("--- stderr\n").unwrap();
    before
}

#[test]
fn json_of_a_chat_without_a_line_is_an_error_and_a_version_is_a_text() {
    let sandbox = Sandbox::new();
    let mut chat = sandbox.command(&["chat", "--json"]);
    chat.write_stdin("");
    let block = sandbox.block(chat);
    let error = "status: 2\n--- stdout\n{\"v\":1,\"error\":{\"code\":\"E-chat-empty\"";
    assert!(block.starts_with(error), "{block}");
    let version = sandbox.run(&["--version"]);
    assert!(version.contains("--- stdout\naitc "), "{version}");
    for line in [["--version", "--json"], ["--json", "--version"]] {
        assert_eq!(sandbox.run(&line), version);
    }
}
