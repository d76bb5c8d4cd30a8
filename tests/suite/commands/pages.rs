//! Completions and manual pages: of every command, and usable.

use std::io::Write as _;
use std::process::{Command, Stdio};

use super::{Sandbox, assert_fails, status};

/// Names of all commands, nested ones with a blank.
fn commands(sandbox: &Sandbox) -> Vec<String> {
    let all = sandbox.run(&["help", "all"]);
    let listed = all.split("Commands:\n").nth(1).unwrap();
    let listed = listed.split("\n\n").next().unwrap();
    listed
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .map(|line| line.split_whitespace().next().unwrap().to_owned())
        .collect()
}

#[test]
fn completions_name_every_command_in_five_shells() {
    let sandbox = Sandbox::new();
    let commands = commands(&sandbox);
    assert!(commands.len() > 15, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let block = sandbox.run(&["completions", shell]);
        assert_eq!(status(&block), "0", "{block}");
        for command in &commands {
            assert!(block.contains(command), "{shell} lacks {command}");
        }
        assert!(block.contains("questions"), "{shell}");
    }
    assert_fails(&sandbox.run(&["completions", "tcsh"]), "2", &["tcsh"]);
}

/// Bash takes the script and completes a word with it.
#[test]
fn bash_completes_with_the_script() {
    let sandbox = Sandbox::new();
    let output = sandbox.command(&["completions", "bash"]).output().unwrap();
    let mut bash = Command::new("bash")
        .args(["--noprofile", "--norc"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = bash.stdin.take().unwrap();
    stdin.write_all(&output.stdout).unwrap();
    let ask = "\nCOMP_WORDS=(aitc conf) COMP_CWORD=1\n_aitc aitc conf aitc\n\
               printf '%s\\n' \"${COMPREPLY[@]}\"\n";
    stdin.write_all(ask.as_bytes()).unwrap();
    drop(stdin);
    let said = String::from_utf8(bash.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(said, "config\n");
}

#[test]
fn every_command_has_its_page() {
    let sandbox = Sandbox::new();
    let block = sandbox.run(&["man", "--out", "pages"]);
    assert_eq!(status(&block), "0", "{block}");
    let folder = sandbox.folder.path().join("work/pages");
    for command in commands(&sandbox) {
        let page = folder.join(format!("aitc-{command}.1"));
        let text =
            std::fs::read_to_string(&page).unwrap_or_else(|_| panic!("no page of {command}"));
        assert!(text.contains(".SH NAME"), "{text}");
        assert!(text.contains(&format!("aitc\\-{command}")), "{text}");
        let alone = sandbox.command(&["man", &command]).output().unwrap();
        assert_eq!(alone.stdout, text.as_bytes(), "{command}");
    }
    for nested in ["config-set", "config-show", "roles-new"] {
        assert!(folder.join(format!("aitc-{nested}.1")).exists(), "{nested}");
    }
    assert!(folder.join("aitc.1").exists());
    assert_fails(
        &sandbox.run(&["man", "nothing"]),
        "2",
        &["there is no command `nothing`"],
    );
}
