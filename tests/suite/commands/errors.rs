//! The catalogue of errors: every kind is produced, in both languages, with its
//! code and its exit code.

mod members;
mod rooms;
mod versions;

use std::collections::BTreeMap;

use aitc::fault::kinds;
use aitc::machine::Lang;

use self::members::{of_models, of_roles};
use self::rooms::{of_rooms, of_surroundings};
use self::versions::{of_runs, of_versions};
use super::{Command, Sandbox, status};

/// Runs a line in both languages; each says the code, in its own words.
fn produces(sandbox: &Sandbox, line: &[&str], code: &str, exit: &str, seen: &mut Seen) {
    produces_by(|| sandbox.command(line), sandbox, (line, code, exit), seen);
}

/// The same without a model, with these variables.
fn produces_with(
    variables: &[(&str, &str)],
    sandbox: &Sandbox,
    line: &[&str],
    code: &str,
    exit: &str,
    seen: &mut Seen,
) {
    let command = || {
        let mut command = sandbox.command_without_model(line);
        command.envs(variables.iter().copied());
        command
    };
    produces_by(command, sandbox, (line, code, exit), seen);
}

fn produces_by(
    command: impl Fn() -> Command,
    sandbox: &Sandbox,
    (line, code, exit): Row<'_>,
    seen: &mut Seen,
) {
    for (lang, label) in [("en", "error"), ("zh", "错误")] {
        let mut command = command();
        command.env("AITC_LANG", lang);
        let block = sandbox.block(command);
        assert!(
            block.contains(&format!("{label}[{code}]")),
            "{line:?} is no {code}: {block}"
        );
        assert_eq!(status(&block), exit, "{line:?}: {block}");
        let told = block.split("--- stderr\n").nth(1).unwrap();
        let told: Vec<&str> = told
            .lines()
            .skip_while(|line| !line.starts_with(label))
            .collect();
        seen.entry(code.to_owned()).or_default().push(format!(
            "$ aitc {}\n{}\n",
            line.join(" "),
            told.join("\n")
        ));
    }
}

/// What was told, by code.
type Seen = BTreeMap<String, Vec<String>>;

/// A line, the code it ends with, the exit code.
type Row<'a> = (&'a [&'a str], &'a str, &'a str);

fn all(sandbox: &Sandbox, rows: &[Row<'_>], seen: &mut Seen) {
    for (line, code, exit) in rows {
        produces(sandbox, line, code, exit, seen);
    }
}

/// Errors of lines and texts, in an empty workspace.
fn of_lines(seen: &mut Seen) {
    let sandbox = Sandbox::new();
    sandbox.write("work/large.md", &"x".repeat(256 * 1024 + 1));
    sandbox.write("work/nul.md", "a\0b");
    sandbox.write("work/bad.jsonl", "7\n");
    sandbox.write("work/a.md", "Export the list");
    sandbox.write("work/nothing/readme", "");
    std::fs::write(sandbox.folder.path().join("work/latin.md"), b"caf\xe9").unwrap();
    let rows: &[Row<'_>] = &[
        (&["pln"], "E-command-unknown", "2"),
        (&["help", "pln"], "E-command-unknown", "2"),
        (&["render", "v1"], "E-command-unknown", "2"),
        (&["repair"], "E-command-unknown", "2"),
        (&["plan", "Export", "it"], "E-argument-unknown", "2"),
        (&["plan", "--ronds", "3"], "E-argument-unknown", "2"),
        (&["why"], "E-argument-missing", "2"),
        (
            &["plan", "x", "--feedback", "no CSV"],
            "E-feedback-alone",
            "2",
        ),
        (&["status", "latest"], "E-argument-value", "2"),
        (&["answer", "C-1", "x"], "E-argument-value", "2"),
        (&["plan", "x", "--seed", "x"], "E-argument-value", "2"),
        (&["show", "v1", "round"], "E-part-unknown", "2"),
        (&["list", "--color", "blue"], "E-argument-value", "2"),
        (&["plan", "x", "--rounds"], "E-argument-no-value", "2"),
        (&["list", "-q", "-v"], "E-argument-conflict", "2"),
        (&["-C", "nowhere", "list"], "E-folder-missing", "2"),
        (&["plan", "-", "-f", "-"], "E-stdin-twice", "2"),
        (&["plan", "-f", "missing.md"], "E-input-unreadable", "2"),
        (&["plan", "  "], "E-text-missing", "2"),
        (&["plan", "@board"], "E-format-alone", "2"),
        (&["@team"], "E-format-alone", "2"),
        (&["@tema", "Port it"], "E-format-unknown", "2"),
        (&["plan", "@board[] Which?"], "E-format-nobody", "2"),
        (&["plan", "@tema Port it"], "E-format-unknown", "2"),
        (&["board", "x", "--order", "rotate"], "E-flag-in-vain", "2"),
        (&["plan", "-f", "large.md"], "E-text-too-large", "2"),
        (&["plan", "-f", "latin.md"], "E-text-not-utf8", "2"),
        (&["plan", "-f", "nul.md"], "E-text-nul", "2"),
        (&["revise", "not", "quoted"], "E-version-word", "2"),
        (
            &["plan", "x", "--questions", "ask"],
            "E-ask-without-terminal",
            "2",
        ),
        (&["batch", "nothing"], "E-batch-empty", "2"),
        (&["batch", "bad.jsonl"], "E-batch-line", "2"),
        (&["batch", "a.md", "--record", "r"], "E-record-batch", "2"),
        (
            &["plan", "x", "--record", "r", "--provider", "hand"],
            "E-record-nothing",
            "2",
        ),
        (&["demo", "--out", "nothing"], "E-demo-folder", "2"),
        (&["show", "v7"], "E-version-none", "2"),
        (&["resume"], "E-run-none", "2"),
        (&["resume", "v3"], "E-version-none", "2"),
        (&["answer", "Q-1", "x"], "E-question-none", "2"),
        (
            &["answer", "Q-1", "x", "--run", "v9"],
            "E-version-none",
            "2",
        ),
        (&["show", "desing"], "E-part-unknown", "2"),
    ];
    all(&sandbox, rows, seen);
}

/// Errors of calls that are answered by hand.
fn of_hands(seen: &mut Seen) {
    let sandbox = Sandbox::new();
    sandbox.write("work/a.md", "Fine weather.");
    produces(&sandbox, &["next"], "E-reply-none", "2", seen);
    let plan: &[&str] = &["plan", "x", "--provider", "hand", "-q"];
    for lang in ["en", "zh"] {
        let mut command = sandbox.command(plan);
        command.env("AITC_LANG", lang);
        let block = sandbox.block(command);
        assert_eq!(status(&block), "8", "{block}");
        // Each begins a run; one is looked at.
        let told = block.split("--- stderr\n").nth(1).unwrap();
        let told = format!("$ aitc {}\n{}\n", plan.join(" "), told.trim_end());
        seen.entry("E-replies-needed".to_owned())
            .or_default()
            .push(told);
        let drafts = sandbox.folder.path().join(OUTPUTS);
        let _ = std::fs::remove_dir_all(drafts.join("v2.draft"));
    }
    let rows: &[Row<'_>] = &[
        (&["reply", "1", "-f", "a.md"], "E-reply-bad", "3"),
        (&["reply", "7", "-f", "a.md"], "E-reply-not-due", "2"),
        (
            &["reply", "1", "--as", "<x>", "-f", "a.md"],
            "E-reply-name",
            "2",
        ),
    ];
    all(&sandbox, rows, seen);
    sandbox.write(
        "work/.ai-tools-chain/planning_outputs/v1.draft/calls/001.reply.md",
        "",
    );
    produces(&sandbox, &["resume"], "E-reply-file", "3", seen);
}

/// Errors of configuration files: the project's, then the user's own.
fn of_settings(seen: &mut Seen) {
    let show: &[&str] = &["config", "show"];
    for (project, code) in [
        ("a: [", "E-config-yaml"),
        ("- a\n", "E-config-not-mapping"),
        ("limits:\n  max_ronds: 3\n", "E-config-key"),
        ("order: sideways\n", "E-config-value"),
        ("lang: en\nlanguage: en\n", "E-config-twice"),
        ("base_url: http://h/v1\n", "E-config-forbidden"),
        ("knowledge: [docs, ../other]\n", "E-config-outside"),
        ("provider: command\n", "E-config-program"),
        (
            "profiles:\n  quick:\n    profile: slow\n",
            "E-config-profile-inside",
        ),
        ("profile: quick\n", "E-config-profile"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.project(project);
        produces(&sandbox, show, code, "3", seen);
    }
    for (user, code) in [
        ("providers:\n  openai:\n    api_key: x\n", "E-config-secret"),
        (
            "providers:\n  \"a b\":\n    model: x\n",
            "E-config-provider-name",
        ),
        (
            "providers:\n  openai:\n    prices:\n      m: {input: 1}\n",
            "E-config-price",
        ),
    ] {
        let sandbox = Sandbox::new();
        sandbox.user(user);
        produces(&sandbox, show, code, "3", seen);
    }
    let sandbox = Sandbox::new();
    sandbox.write("work/.ai-tools-chain", "");
    for line in [
        &["status"][..],
        &["list"],
        &["init"],
        &["config", "show"],
        &["plan", "x"],
    ] {
        produces(&sandbox, line, "E-workspace-file", "11", seen);
    }
    let secret = [("AITC_PROVIDERS_OPENAI_API_KEY", "sk-1")];
    let (sandbox, code) = (Sandbox::new(), "E-config-secret-variable");
    produces_with(&secret, &sandbox, show, code, "3", seen);
    let sandbox = Sandbox::new();
    sandbox.project("limits: {max_rounds: 3}\n");
    std::fs::write(
        sandbox.folder.path().join("work/latin.yaml"),
        b"model: \xe9",
    )
    .unwrap();
    let rows: &[Row<'_>] = &[
        (
            &["config", "show", "--config", "missing.yaml"],
            "E-config-unreadable",
            "3",
        ),
        (
            &["config", "show", "--config", "latin.yaml"],
            "E-config-not-utf8",
            "3",
        ),
        (&["config", "get", "ronds"], "E-config-key", "2"),
        (
            &["config", "set", "questions", "maybe"],
            "E-config-value",
            "2",
        ),
        (
            &["config", "set", "role_models", "x"],
            "E-config-table",
            "2",
        ),
        (
            &["config", "set", "base_url", "http://h/v1"],
            "E-config-not-in-files",
            "2",
        ),
        (
            &["config", "set", "providers.local.model", "m"],
            "E-config-forbidden",
            "3",
        ),
        (
            &["config", "set", "limits.max_rounds", "4"],
            "E-config-form",
            "3",
        ),
    ];
    all(&sandbox, rows, seen);
}

const OUTPUTS: &str = "work/.ai-tools-chain/planning_outputs";

/// Produced by tests of their own, in these files, which look for the code.
const ELSEWHERE: &[(&str, &str)] = &[
    ("E-version-twice", include_str!("both.rs")),
    ("E-debate-too-late", include_str!("../debates/commands.rs")),
    ("E-debate-no-result", include_str!("../teams/endpoint.rs")),
    ("E-said-too-late", include_str!("too_late.rs")),
    ("E-question-assumed", include_str!("interventions.rs")),
    ("E-option-none", include_str!("../exits/human.rs")),
    ("E-editor", include_str!("../terminal/editor.rs")),
    ("E-chat-empty", include_str!("../chat/small.rs")),
    ("E-pager", include_str!("../terminal/pages.rs")),
    (
        "E-provider-unavailable",
        include_str!("../exits/provider.rs"),
    ),
    ("E-model-missing", include_str!("../exits/provider.rs")),
    ("E-call-refused", include_str!("../exits/provider.rs")),
    ("E-reply-unusable", include_str!("../exits/provider.rs")),
    (
        "E-program-not-chosen",
        include_str!("../providers/command.rs"),
    ),
];

#[test]
fn every_error_is_produced_in_both_languages() {
    let mut seen = Seen::new();
    of_lines(&mut seen);
    of_settings(&mut seen);
    of_roles(&mut seen);
    of_models(&mut seen);
    of_versions(&mut seen);
    of_runs(&mut seen);
    of_hands(&mut seen);
    of_surroundings(&mut seen);
    for fault in of_rooms() {
        let told = [Lang::En, Lang::Zh].map(|lang| fault.text(lang));
        seen.entry(fault.code.to_owned()).or_default().extend(told);
    }
    for kind in kinds() {
        let elsewhere = ELSEWHERE.iter().find(|(code, _)| *code == kind.code);
        let produced = seen.contains_key(kind.code);
        assert!(
            produced != elsewhere.is_some(),
            "{} is produced: {produced}",
            kind.code
        );
        assert!(
            elsewhere.is_none_or(|(code, test)| test.contains(code)),
            "{} is produced by no test",
            kind.code
        );
    }
    let known = |code: &str| kinds().any(|kind| kind.code == code);
    let gone = ELSEWHERE.iter().find(|(code, _)| !known(code));
    assert_eq!(
        gone.map(|(code, _)| code),
        None,
        "no longer a kind of error"
    );
    let catalogue: Vec<String> = seen.values().flatten().cloned().collect();
    insta::assert_snapshot!(without_hashes(&catalogue.join("\n")));
}

/// Hashes of a transcript differ from run to run with its times.
fn without_hashes(text: &str) -> String {
    let is_hash = |word: &&str| word.len() == 64 && word.chars().all(|c| c.is_ascii_hexdigit());
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let mut hashes: Vec<&str> = words.filter(is_hash).collect();
    hashes.sort_unstable();
    hashes.dedup();
    let blank = |text: String, hash: &&str| text.replace(*hash, "[hash]");
    hashes.iter().fold(text.to_owned(), blank)
}

/// A requirement that begins with a dash is told from a flag, with the line that works.
#[test]
fn a_text_that_begins_with_a_dash_is_told_how_to_be_given() {
    let place = crate::support::binary::Place::new();
    let ran = place.run(&["plan", "--level sets the log level"]).ends(2);
    let fix = "aitc plan -- \"--level sets the log level\"";
    assert!(ran.err.contains(fix), "{ran:#?}");
    let line = [
        "plan",
        "--questions",
        "assume",
        "--",
        "--level sets the log level",
    ];
    place.run(&line).ends(0);
    let ran = place.run(&["plan", "--levle"]).ends(2);
    assert!(!ran.err.contains("aitc plan --"), "{ran:#?}");
}
