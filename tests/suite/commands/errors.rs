//! The error catalogue: every error is produced in both languages, with its code and exit code.
//!
//! The pages below `tests/typed` produce those that a simple command can trigger.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use aitc::edge::fs::failed;
use aitc::edge::journal::{Damage, JournalError};
use aitc::fault::models::{
    BASE_URL, ENDPOINT_UNTRUSTED, KEY_MALFORMED, KEY_REFUSED, PROVIDER_NOT_RUNNING, ROUTE, TLS,
};
use aitc::fault::plans::{INBOX_FULL, INBOX_NO_RUN, MESSAGE_TOO_LARGE, RUN_HELD};
use aitc::fault::storage::{
    DRAFT_MISSING, PATH_UNFIT, TRANSCRIPT_CLOSED, TRANSCRIPT_EXISTS, TRANSCRIPT_FOREIGN,
    TRANSCRIPT_OTHER_END, VERSION_EXISTS,
};
use aitc::fault::{Fault, Text, ToFault, kinds};
use aitc::machine::Lang;

use crate::support::binary::Place;

/// Errors that no command can trigger reliably: constructed as their modules do.
fn of_rooms() -> Vec<Fault> {
    let path = || PathBuf::from("v1/planning_transcript.jsonl");
    let storage = |cause: std::io::ErrorKind| failed("write", &path())(cause.into());
    let damaged = |what| JournalError::Damaged {
        path: path(),
        line: 3,
        offset: 70,
        what,
    };
    let shown = path().display().to_string();
    let untrusted = Text(
        "`openai` at https://gateway: the server's certificate is not trusted",
        "位于 https://gateway 的 `openai`：服务器的证书不受信任",
    );
    vec![
        storage(std::io::ErrorKind::StorageFull),
        storage(std::io::ErrorKind::ReadOnlyFilesystem),
        storage(std::io::ErrorKind::PermissionDenied),
        storage(std::io::ErrorKind::NotFound),
        storage(std::io::ErrorKind::IsADirectory),
        damaged(Damage::OtherFormat(9)).to_fault(),
        damaged(Damage::OtherFormat(0)).to_fault(),
        damaged(Damage::Refused("no such issue".to_owned())).to_fault(),
        TRANSCRIPT_EXISTS.with(&[("path", &shown)]),
        TRANSCRIPT_FOREIGN.with(&[("path", &shown), ("expected", &1), ("found", &2)]),
        TRANSCRIPT_CLOSED.with(&[("path", &shown)]),
        VERSION_EXISTS.with(&[("path", &shown)]),
        DRAFT_MISSING.with(&[("path", &shown)]),
        PATH_UNFIT.with(&[
            ("path", &"x"),
            ("why", &Text("it is no folder", "它不是目录")),
        ]),
        TRANSCRIPT_OTHER_END.with(&[("expected", &"aa"), ("found", &"bb")]),
        RUN_HELD.with(&[
            ("pid", &7),
            ("host", &"host"),
            ("since", &"2026-01-02T03:04:05Z"),
        ]),
        INBOX_FULL.with(&[("capacity", &64)]),
        INBOX_NO_RUN.with(&[("path", &shown)]),
        MESSAGE_TOO_LARGE.with(&[("largest", &(1 << 20)), ("bytes", &(1 << 20))]),
        KEY_REFUSED.with(&[
            ("provider", &"openai"),
            ("status", &401),
            ("variables", &"OPENAI_API_KEY"),
        ]),
        PROVIDER_NOT_RUNNING.with(&[
            ("provider", &"ollama"),
            ("address", &"http://127.0.0.1:11434"),
        ]),
        ENDPOINT_UNTRUSTED.with(&[("provider", &"openai"), ("why", &untrusted)]),
        BASE_URL.with(&[
            ("provider", &"openai"),
            ("why", &Text("it has no host", "它没有主机名")),
        ]),
        KEY_MALFORMED.with(&[("provider", &"openai")]),
        ROUTE.with(&[
            ("provider", &"openai"),
            ("what", &Text("no proxy", "没有代理")),
        ]),
        TLS.with(&[("provider", &"openai"), ("why", &"no roots")]),
        aitc::fault::line::INTERNAL.with(&[("what", &"an event that may not follow")]),
        aitc::fault::settings::TEMPLATE_MISSING.with(&[("name", &"report/report.j2")]),
        aitc::fault::plans::DOCUMENT_MISSING.with(&[("document", &"test_plan")]),
        aitc::fault::settings::TEMPLATE_MISSING.with(&[("name", &"report/report.j2")]),
        aitc::fault::models::PROVIDER_NOT_CONFIGURED.with(&[("name", &"openai")]),
        aitc::fault::line::TERMINAL.with(&[("what", &"the terminal is gone")]),
        aitc::fault::models::PROVIDER_NOT_CONFIGURED.with(&[("name", &"openai")]),
    ]
}

/// Errors caused by the environment: variables, arguments that are not text, a full device.
#[test]
fn errors_of_the_surroundings_are_produced() {
    use std::os::unix::ffi::OsStrExt as _;
    let place = Place::new();
    place.configure("providers:\n  mine:\n    command: [sh]\n");
    let told = |code: &str, exit: i32, mut command: Command| {
        for (lang, label) in [("en", "error"), ("zh", "错误")] {
            let output = command.env("AITC_LANG", lang).output().unwrap();
            let text = String::from_utf8(output.stderr).unwrap();
            assert!(text.contains(&format!("{label}[{code}]")), "{code}: {text}");
            assert_eq!(output.status.code(), Some(exit), "{text}");
        }
    };
    let mut homeless = place.command(&["config", "set", "--user", "questions", "pause"]);
    homeless.env_remove("HOME");
    told("E-config-no-place", 3, homeless);
    for line in ["list", "plan --help", "--version", "help all"] {
        let mut full = place.command(&line.split(' ').collect::<Vec<_>>());
        full.stdout(std::fs::File::create("/dev/full").unwrap());
        told("E-stdout", 11, full);
    }
    let mut odd = place.command(&["plan"]);
    odd.arg(std::ffi::OsStr::from_bytes(b"caf\xe9"));
    told("E-arguments", 2, odd);
    let mut crowded = place.command(&["plan", "x", "--provider", "mine"]);
    crowded
        .env("PATH", "/usr/bin:/bin")
        .env("TMPDIR", "/nowhere");
    told("E-program-folder", 11, crowded);
}

/// Errors produced by other tests, with the files that check for their code.
fn elsewhere() -> Vec<(&'static str, String)> {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite");
    let lines = include_str!("errors/elsewhere.txt").lines();
    let pairs = lines.map(|line| line.split_once(' ').unwrap());
    let read = |file: &str| std::fs::read_to_string(suite.join(file)).unwrap();
    pairs.map(|(code, file)| (code, read(file))).collect()
}

/// Codes that a page shows after a label.
fn shown(page: &str, label: &str) -> BTreeSet<String> {
    let label = format!("{label}[");
    let found = page.split(&label).skip(1);
    let codes = found.filter_map(|rest| rest.split(']').next());
    codes.map(str::to_owned).collect()
}

#[test]
fn every_error_is_produced_in_both_languages() {
    let rooms = of_rooms();
    let told = rooms
        .iter()
        .flat_map(|fault| [Lang::En, Lang::Zh].map(|lang| format!("{}\n", fault.text(lang))));
    insta::assert_snapshot!(told.collect::<String>());
    let pages = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/typed"));
    let pages = pages
        .unwrap()
        .map(|page| std::fs::read_to_string(page.unwrap().path()));
    let page: String = pages.map(Result::unwrap).collect();
    let (english, chinese) = (shown(&page, "error"), shown(&page, "错误"));
    let all = elsewhere();
    for kind in kinds() {
        let elsewhere = all.iter().filter(|(code, _)| *code == kind.code);
        assert!(
            elsewhere.clone().all(|(code, test)| test.contains(code)),
            "{} is produced by no test",
            kind.code
        );
        let is_shown = english.contains(kind.code) && chinese.contains(kind.code);
        let is_made = rooms.iter().any(|fault| fault.code == kind.code);
        assert!(
            (is_shown || is_made) != (elsewhere.count() > 0),
            "{} is shown: {is_shown}, made: {is_made}",
            kind.code
        );
    }
    let known = |code: &str| kinds().any(|kind| kind.code == code);
    let gone = all.iter().find(|(code, _)| !known(code));
    assert_eq!(
        gone.map(|(code, _)| code),
        None,
        "no longer a kind of error"
    );
}
