//! Errors that no line produces at will, and those of the surroundings.

use std::path::PathBuf;

use aitc::edge::fs::{StorageError, StorageErrorKind};
use aitc::edge::inbox::InboxError;
use aitc::edge::journal::{Damage, JournalError};
use aitc::edge::lock::LockError;
use aitc::edge::model::{DiscoverError, ModelSetupError};
use aitc::edge::store::StoreError;
use aitc::fault::{Fault, Tell, Text};

use super::{Sandbox, Seen};

/// Errors that no line produces at will: each is made as its room makes it.
pub(super) fn of_rooms() -> Vec<Fault> {
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
        damaged(Damage::BuiltInMembers).told(),
        damaged(Damage::OtherEdition(1)).told(),
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
        DiscoverError::Untrusted {
            provider: provider(),
            why: Text(
                "`openai` at https://gateway: the server's certificate is not trusted",
                "位于 https://gateway 的 `openai`：服务器的证书不受信任",
            )
            .into(),
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
        aitc::fault::line::TERMINAL.with(&[("what", &"the terminal is gone")]),
    ]
}

/// Errors of the surroundings: variables, words that are no text, a full device.
pub(super) fn of_surroundings(seen: &mut Seen) {
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
        for line in [
            &["list"][..],
            &["plan", "--help"],
            &["--version"],
            &["help", "all"],
        ] {
            let mut full = aitc(line);
            full.stdout(std::fs::File::create("/dev/full").unwrap());
            told("E-stdout", 11, &mut full, seen);
        }
        let mut odd = aitc(&["plan"]);
        odd.arg(std::ffi::OsStr::from_bytes(b"caf\xe9"));
        told("E-arguments", 2, &mut odd, seen);
        let mut crowded = aitc(&["plan", "x", "--provider", "mine"]);
        crowded.env("HOME", sandbox.folder.path().join("home"));
        crowded.env("TMPDIR", "/nowhere");
        told("E-program-folder", 11, &mut crowded, seen);
    }
}
