//! The catalogue of errors: every kind is produced, in both languages, with its
//! code and its exit code.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use aitc::driver::DriverError;
use aitc::edge::fs::{StorageError, StorageErrorKind};
use aitc::edge::inbox::InboxError;
use aitc::edge::journal::{Damage, JournalError};
use aitc::edge::lock::LockError;
use aitc::edge::model::{DiscoverError, ModelSetupError};
use aitc::edge::store::StoreError;
use aitc::fault::{Fault, Tell, Text, kinds};
use aitc::workshop::Lang;

use super::{Sandbox, status};

/// Runs a line in both languages; each says the code, in its own words.
fn produces(sandbox: &Sandbox, line: &[&str], code: &str, exit: &str, seen: &mut Seen) {
    for (lang, label) in [("en", "error"), ("zh", "错误")] {
        let mut command = sandbox.command(line);
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
        (&["plan", "--ronds", "3"], "E-argument-unknown", "2"),
        (&["why"], "E-argument-missing", "2"),
        (&["status", "latest"], "E-argument-value", "2"),
        (&["answer", "C-1", "x"], "E-argument-value", "2"),
        (&["list", "--color", "blue"], "E-argument-value", "2"),
        (&["plan", "x", "--rounds"], "E-argument-no-value", "2"),
        (&["list", "-q", "-v"], "E-argument-conflict", "2"),
        (&["-C", "nowhere", "list"], "E-folder-missing", "2"),
        (&["plan", "-", "-f", "-"], "E-stdin-twice", "2"),
        (&["plan", "-f", "missing.md"], "E-input-unreadable", "2"),
        (&["plan", "  "], "E-text-missing", "2"),
        (&["plan", "@board"], "E-format-alone", "2"),
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
        (&["plan", "x", "--record", "r"], "E-record-nothing", "2"),
        (&["demo", "--out", "nothing"], "E-demo-folder", "2"),
        (&["show", "v7"], "E-version-none", "2"),
        (&["resume"], "E-run-none", "2"),
        (&["resume", "v3"], "E-run-complete", "2"),
        (&["answer", "Q-1", "x"], "E-question-none", "2"),
        (&["show", "desing"], "E-part-unknown", "2"),
    ];
    all(&sandbox, rows, seen);
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

/// Errors of roles, templates and prepared answers.
fn of_roles(seen: &mut Seen) {
    let role = |id: &str, code: &str| {
        format!("---\nid: {id}\ncode: {code}\norder: 9\nsummary: Looks.\n---\n\nLook.\n")
    };
    let chain = "work/.ai-tools-chain";
    let sandbox = Sandbox::new();
    sandbox.write("work/answers.yaml", "Q-1:\n");
    let rows: &[Row<'_>] = &[
        (
            &["plan", "x", "--answers", "answers.yaml"],
            "E-answers",
            "3",
        ),
        (
            &["plan", "x", "--roles", "TestPlaner"],
            "E-role-unknown",
            "3",
        ),
        (&["plan", "x", "--roles", "Coach"], "E-roles-none", "3"),
        (&["roles", "show", "Nobody"], "E-role-unknown", "2"),
        (&["roles", "new", "TestPlanner"], "E-role-taken", "2"),
        (&["roles", "new", "9x"], "E-role-name", "2"),
    ];
    all(&sandbox, rows, seen);
    for (file, text, code) in [
        ("roles/a.md", "no frontmatter".to_owned(), "E-role-file"),
        ("roles/a.md", role("Twin", "TP"), "E-role-code-shared"),
        ("team.yaml", "team: x\n".to_owned(), "E-asset-unfit"),
        (
            "templates/prompt/shared.j2",
            "{% if".to_owned(),
            "E-template",
        ),
        (
            "templates/checklists/general.yaml",
            "[".to_owned(),
            "E-checklist",
        ),
        ("diligence.md/x", String::new(), "E-asset-unreadable"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.write(&format!("{chain}/{file}"), &text);
        produces(&sandbox, &["plan", "x"], code, "3", seen);
    }
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.folder.path().join("elsewhere")).unwrap();
    let link = sandbox.folder.path().join(chain);
    std::os::unix::fs::symlink(sandbox.folder.path().join("elsewhere"), link).unwrap();
    let set: &[&str] = &["config", "set", "questions", "pause"];
    produces(&sandbox, set, "E-path-outside", "3", seen);
}

/// Errors of models that are looked for and not had.
fn of_models(seen: &mut Seen) {
    let sandbox = Sandbox::new();
    sandbox.write("work/recorded/a.json", "7");
    sandbox.user(
        "providers:\n  mine:\n    command: [no-such-program]\n  \
         sealed:\n    base_url: http://127.0.0.1:9/v1\n    model: m\n    ca_file: missing.pem\n",
    );
    let local: &[&str] = &["--base-url", "http://127.0.0.1:9/v1"];
    let rows: &[Row<'_>] = &[
        (&["plan", "x", "--provider", "openai"], "E-key-missing", "4"),
        (
            &["plan", "x", "--provider", "opnai"],
            "E-provider-unknown",
            "2",
        ),
        (
            &["plan", "x", "--provider", "command"],
            "E-program-unnamed",
            "2",
        ),
        (
            &["plan", "x", "--provider", "mine"],
            "E-program-missing",
            "5",
        ),
        (
            &["plan", "x", "--provider", "sealed"],
            "E-certificates",
            "3",
        ),
        (
            &["plan", "x", "--model", "RP=m"],
            "E-model-without-provider",
            "2",
        ),
        (&["plan", "x", local[0], local[1]], "E-model-unnamed", "2"),
        (
            &[
                "plan",
                "x",
                local[0],
                local[1],
                "--model",
                "m",
                "--budget-usd",
                "1",
            ],
            "E-price-unknown",
            "3",
        ),
        (
            &["plan", "x", "--provider", "scripted"],
            "E-fixtures-missing",
            "2",
        ),
        (
            &[
                "plan",
                "x",
                "--provider",
                "scripted",
                "--fixtures",
                "nowhere",
            ],
            "E-fixtures-unreadable",
            "3",
        ),
        (
            &[
                "plan",
                "x",
                "--provider",
                "scripted",
                "--fixtures",
                "recorded",
            ],
            "E-fixture-malformed",
            "3",
        ),
    ];
    all(&sandbox, rows, seen);
    for (similarity, code) in [
        ("provider: offline", "E-similarity-half"),
        ("provider: offline\n  model: m", "E-similarity-endpoint"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.user(&format!("similarity:\n  {similarity}\n"));
        produces(&sandbox, &["plan", "x"], code, "3", seen);
    }
}

const OUTPUTS: &str = "work/.ai-tools-chain/planning_outputs";

/// Errors about a version that is there, whole or damaged.
fn of_versions(seen: &mut Seen) {
    let sandbox = Sandbox::new();
    sandbox.write("work/there/planning_report.md", "mine");
    let planned = sandbox.run(&[
        "plan",
        "Fix a typo",
        "--light",
        "--questions",
        "assume",
        "-q",
    ]);
    assert!(["0", "7"].contains(&status(&planned)), "{planned}");
    let board = ["board", "Fix it?", "--questions", "assume", "-q"];
    let held = sandbox.run(&board);
    assert!(["0", "7"].contains(&status(&held)), "{held}");
    produces(&sandbox, &["check", "v2"], "E-version-no-plan", "2", seen);
    let of_board = sandbox
        .folder
        .path()
        .join("work/.ai-tools-chain/board_outputs");
    std::fs::remove_dir_all(of_board).unwrap();
    let inside = ".ai-tools-chain/planning_outputs/x";
    let rows: &[Row<'_>] = &[
        (&["show", "v7"], "E-version-missing", "2"),
        (&["diff"], "E-version-first", "2"),
        (&["repair", "v1"], "E-version-published", "2"),
        (&["render", "--out", "there"], "E-out-exists", "2"),
        (
            &["export", "csv", "--out", "there/planning_report.md"],
            "E-out-exists",
            "2",
        ),
        (&["render", "--out", inside], "E-out-among-versions", "2"),
        (&["show", "I-99"], "E-issue-missing", "2"),
        (&["show", "round", "99"], "E-round-missing", "2"),
        (&["show", "D-9"], "E-debate-missing", "2"),
        (&["why", "AC-99"], "E-id-unknown", "2"),
        (&["say", "x", "--run", "v1"], "E-run-complete", "2"),
    ];
    all(&sandbox, rows, seen);
    let outputs = sandbox.folder.path().join(OUTPUTS);
    let transcript = |version: &str| outputs.join(version).join("planning_transcript.jsonl");
    let whole = std::fs::read_to_string(transcript("v1")).unwrap();
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let with = |version: &str, text: Option<&str>| {
        copy(&outputs.join("v1"), &outputs.join(version));
        match text {
            Some(text) => std::fs::write(transcript(version), text).unwrap(),
            None => std::fs::remove_file(transcript(version)).unwrap(),
        }
    };
    with("v2", None);
    with("v3", Some(""));
    with("v4", Some(&whole.replacen("\"round\":", "\"round\" :", 1)));
    with("v5", Some(&lines[..lines.len() - 1].concat()));
    let rows: &[Row<'_>] = &[
        (&["status", "v2"], "E-transcript-missing", "10"),
        (&["status", "v3"], "E-transcript-empty", "10"),
        (&["status", "v4"], "E-transcript-damaged", "10"),
        (&["revise", "v5", "more"], "E-version-tampered", "10"),
    ];
    all(&sandbox, rows, seen);
}

fn copy(from: &Path, to: &Path) {
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

/// Errors about a run that waits.
fn of_runs(seen: &mut Seen) {
    let sandbox = Sandbox::new();
    let plan: &[&str] = &[
        "plan",
        "Export the customer list as CSV",
        "--questions",
        "pause",
        "--debates",
        "0",
        "-q",
    ];
    produces(&sandbox, plan, "E-human-needed", "8", seen);
    let one: &[Row<'_>] = &[
        (&["resume"], "E-run-ambiguous", "2"),
        (&["answer", "Q-1", "x"], "E-run-ambiguous", "2"),
        (
            &["answer", "Q-99", "x", "--run", "v1"],
            "E-question-not-waiting",
            "2",
        ),
        (&["say", "/stpo", "--run", "v1"], "E-slash-unknown", "2"),
        (&["debate", "x", "--run", "v2"], "E-debate-no-room", "2"),
        (&["show", "v1", "design"], "E-part-not-written", "2"),
        (&["show", "v1", "report", "more"], "E-part-unknown", "2"),
    ];
    all(&sandbox, one, seen);
    let outputs = sandbox.folder.path().join(OUTPUTS);
    std::fs::create_dir(outputs.join("v9.draft")).unwrap();
    produces(&sandbox, &["status", "v9"], "E-draft-empty", "2", seen);
    std::fs::write(outputs.join("v1.draft/questions.md"), "## Q-1\n\n").unwrap();
    produces(&sandbox, &["resume", "v1"], "E-questions-file", "3", seen);
    sandbox.write("work/.ai-tools-chain/diligence.md", "Go on.");
    produces(&sandbox, &["resume", "v2"], "E-inputs-drifted", "10", seen);
}

/// Errors that no line produces at will: each is made as its room makes it.
fn of_rooms() -> Vec<Fault> {
    let path = || PathBuf::from("v1/planning_transcript.jsonl");
    let storage = |kind, error: std::io::ErrorKind| StorageError {
        kind,
        doing: "write",
        path: path(),
        cause: error.into(),
    };
    let damaged = |what| JournalError::Damaged {
        path: path(),
        line: 3,
        offset: 70,
        what,
    };
    let provider = || "openai".to_owned();
    vec![
        storage(StorageErrorKind::Full, std::io::ErrorKind::StorageFull).told(),
        storage(
            StorageErrorKind::ReadOnly,
            std::io::ErrorKind::ReadOnlyFilesystem,
        )
        .told(),
        storage(
            StorageErrorKind::Permission,
            std::io::ErrorKind::PermissionDenied,
        )
        .told(),
        storage(StorageErrorKind::Missing, std::io::ErrorKind::NotFound).told(),
        storage(StorageErrorKind::Other, std::io::ErrorKind::IsADirectory).told(),
        damaged(Damage::UnknownVersion(9)).told(),
        damaged(Damage::Refused("no such issue".to_owned())).told(),
        JournalError::AlreadyThere { path: path() }.told(),
        JournalError::OtherWriter {
            path: path(),
            expected: 1,
            found: 2,
        }
        .told(),
        JournalError::Poisoned { path: path() }.told(),
        StoreError::VersionExists { path: path() }.told(),
        StoreError::NoDraft { path: path() }.told(),
        StoreError::BadPath {
            path: "x".to_owned(),
            why: Text("it is no folder", "它不是目录"),
        }
        .told(),
        StoreError::NotTheHead {
            expected: "aa".to_owned(),
            found: "bb".to_owned(),
        }
        .told(),
        LockError::Held {
            pid: 7,
            host: "host".to_owned(),
            since: "2026-01-02T03:04:05Z".to_owned(),
        }
        .told(),
        InboxError::Full.told(),
        InboxError::NoRun { path: path() }.told(),
        InboxError::TooLarge { bytes: 1 << 20 }.told(),
        DiscoverError::NoCredentials {
            provider: provider(),
            refused: Some(401),
            variables: &["OPENAI_API_KEY"],
        }
        .told(),
        DiscoverError::NotRunning {
            provider: "ollama".to_owned(),
            address: "http://127.0.0.1:11434".to_owned(),
        }
        .told(),
        ModelSetupError::BadUrl {
            provider: provider(),
            why: Text("it has no host", "它没有主机名").into(),
        }
        .told(),
        ModelSetupError::BadKey {
            provider: provider(),
        }
        .told(),
        ModelSetupError::BadRoute {
            provider: provider(),
            what: Text("no proxy", "没有代理").into(),
        }
        .told(),
        ModelSetupError::Tls {
            provider: provider(),
            why: "no roots".to_owned(),
        }
        .told(),
        DriverError::NoProvider(provider()).told(),
        DriverError::Answers("the terminal is gone".to_owned()).told(),
        DriverError::Illegal(aitc::workshop::Illegal("no such issue".to_owned())).told(),
        aitc::artifact::ArtifactError::MissingTemplate("report/report.j2").told(),
        aitc::export::ExportError::NoDocument("test_plan").told(),
    ]
}

/// Produced by tests of their own, which look for the code.
const ELSEWHERE: &[&str] = &[
    "E-pager",
    "E-provider-unavailable",
    "E-reply-unusable",
    "E-program-not-chosen",
    // The end is decided for a moment only, before the run goes on to its documents.
    "E-debate-too-late",
    // A version gives a file less only if its own transcript is another's.
    "E-version-incomplete",
];

/// Errors of the surroundings: variables, words that are no text, a full device.
fn of_surroundings(seen: &mut Seen) {
    use std::os::unix::ffi::OsStrExt as _;
    let sandbox = Sandbox::new();
    sandbox.user("providers:\n  mine:\n    command: [sh]\n");
    let told = |code: &str, exit: i32, command: &mut std::process::Command, seen: &mut Seen| {
        let output = command.output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(&format!("[{code}]")), "{code}: {text}");
        assert_eq!(output.status.code(), Some(exit), "{text}");
        seen.entry(code.to_owned()).or_default().push(text);
    };
    for lang in ["en", "zh"] {
        let aitc = |line: &[&str]| {
            let own = sandbox.command(line);
            let mut command = std::process::Command::new(own.get_program());
            command
                .env_clear()
                .env("AITC_LANG", lang)
                .args(own.get_args());
            command
                .env("AITC_DISCOVER", "off")
                .env("PATH", "/usr/bin:/bin");
            command.current_dir(sandbox.folder.path().join("work"));
            command
        };
        let mut homeless = aitc(&["config", "set", "--user", "questions", "pause"]);
        told("E-config-no-place", 3, &mut homeless, seen);
        let mut full = aitc(&["list"]);
        full.stdout(std::fs::File::create("/dev/full").unwrap());
        told("E-stdout", 11, &mut full, seen);
        let mut odd = aitc(&["plan"]);
        odd.arg(std::ffi::OsStr::from_bytes(b"caf\xe9"));
        told("E-arguments", 2, &mut odd, seen);
        let mut crowded = aitc(&["plan", "x", "--provider", "mine"]);
        crowded.env("HOME", sandbox.folder.path().join("home"));
        crowded.env("TMPDIR", "/nowhere");
        told("E-program-folder", 11, &mut crowded, seen);
    }
}

#[test]
fn every_error_is_produced_in_both_languages() {
    let mut seen = Seen::new();
    of_lines(&mut seen);
    of_settings(&mut seen);
    of_roles(&mut seen);
    of_models(&mut seen);
    of_versions(&mut seen);
    of_runs(&mut seen);
    of_surroundings(&mut seen);
    for fault in of_rooms() {
        let told = [Lang::En, Lang::Zh].map(|lang| fault.text(lang));
        seen.entry(fault.code.to_owned()).or_default().extend(told);
    }
    for kind in kinds() {
        let produced = seen.contains_key(kind.code);
        assert!(
            produced != ELSEWHERE.contains(&kind.code),
            "{} is produced: {produced}",
            kind.code
        );
    }
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
