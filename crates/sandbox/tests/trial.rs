//! Trials through the public interface.
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sandbox::{
    Copies, CopyError, Edit, Exit, Laid, Limits, Means, Readable, TreeCopy, Trial, TrialResult,
};

fn means() -> Option<Means> {
    let means = sandbox::means_through(Path::new(env!("CARGO_BIN_EXE_sandbox-stage")));
    if let Err(missing) = &means {
        eprintln!("SKIPPED: {missing}");
        assert!(std::env::var_os("AITC_SANDBOX_MUST_WORK").is_none());
    }
    means.ok()
}

/// A tree, with its copies beside it.
struct Fixture {
    folder: tempfile::TempDir,
    copies: Copies,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("tree/src")).unwrap();
        let copies = Copies::open(&folder.path().join("copies")).unwrap();
        let place = Self { folder, copies };
        place.write("src/a.txt", "a\n");
        place.write("tool", "#!/bin/sh\necho tool\n");
        std::fs::set_permissions(place.at("tool"), PermissionsExt::from_mode(0o700)).unwrap();
        place
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join("tree").join(path)
    }

    fn write(&self, path: &str, text: &str) {
        std::fs::write(self.at(path), text).unwrap();
    }

    fn copy(&self, files: &[&str], laid: &[(&str, &str)]) -> Result<TreeCopy, CopyError> {
        let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
        let laid = laid.iter().map(|(path, text)| Laid {
            path: path.into(),
            text: Some((*text).to_owned()),
            edits: Vec::new(),
        });
        let laid: Vec<Laid> = laid.collect();
        TreeCopy::new(&self.copies, &self.at(""), &files, &laid)
    }

    fn entries(&self) -> usize {
        let entries = std::fs::read_dir(self.folder.path().join("copies")).unwrap();
        entries.flatten().filter(|it| it.path().is_dir()).count()
    }
}

fn run(copy: TreeCopy, means: &Means, command: &[&str], limits: &Limits) -> TrialResult {
    let command: Vec<String> = command.iter().map(ToString::to_string).collect();
    let trial = Trial {
        copy,
        command: &command,
        limits,
        readable: &Readable::detect(&[]),
        means,
    };
    sandbox::run(trial, &AtomicBool::new(false)).unwrap()
}

fn sh(copy: TreeCopy, means: &Means, script: &str) -> TrialResult {
    run(copy, means, &["/bin/sh", "-c", script], &Limits::default())
}

#[test]
fn a_command_sees_the_copy_and_what_is_laid_over_it() {
    let Some(means) = means() else { return };
    let place = Fixture::new();
    let laid = [
        ("new/b.txt", "old\n"),
        ("src/a.txt", "A\n"),
        ("new/b.txt", "b\n"),
    ];
    let copy = place
        .copy(&["src/a.txt", "tool", "gone.txt"], &laid)
        .unwrap();
    let ended = sh(
        copy,
        &means,
        "cat src/a.txt new/b.txt; ./tool; pwd; echo c > out; exit 3",
    );
    let root = place.at("").canonicalize().unwrap();
    assert_eq!(ended.head, format!("A\nb\ntool\n{}\n", root.display()));
    assert_eq!(ended.exit, Exit::Code(3));
    assert_eq!(
        std::fs::read_to_string(place.at("src/a.txt")).unwrap(),
        "a\n"
    );
    assert!(!place.at("out").exists() && !place.at("new").exists());
    assert_eq!(place.entries(), 0);
}

/// Each edit replaces the one place it names, in the file as it is by then.
#[test]
fn a_file_is_edited_where_an_edit_fits_exactly_once() {
    let place = Fixture::new();
    let copy = |text: Option<&str>, path: &str, edits: &[(&str, &str)]| {
        let edits = edits.iter().map(|(old, new)| Edit {
            old: (*old).to_owned(),
            new: (*new).to_owned(),
        });
        let laid = Laid {
            path: path.into(),
            text: text.map(str::to_owned),
            edits: edits.collect(),
        };
        let files = ["src/a.txt", "tool"].map(PathBuf::from);
        let copy = TreeCopy::new(&place.copies, &place.at(""), &files, &[laid]);
        copy.map(|copy| std::fs::read_to_string(copy.tree().join(path)).unwrap())
            .map_err(|error| error.to_string())
    };
    let twice = [("a", "b a"), ("b a", "c")];
    assert_eq!(copy(None, "src/a.txt", &twice).unwrap(), "c\n");
    assert_eq!(copy(Some("x a"), "new.txt", &twice).unwrap(), "x c");
    for (path, edits, told) in [
        (
            "src/a.txt",
            &[("a", "a a"), ("a", "b")][..],
            "begins `a`, occurs 2 times",
        ),
        (
            "src/a.txt",
            &[("gone\nline", "b")],
            "begins `gone`, occurs 0 times",
        ),
        ("new.txt", &[("a", "b")], "no such file"),
    ] {
        let why = copy(None, path, edits).unwrap_err();
        assert!(
            why.starts_with(&format!("an edit of `{path}` does not fit")),
            "{why}"
        );
        assert!(why.contains(told), "{why}");
    }
}

/// A file with other line ends in it is edited word for word.
#[test]
fn an_edit_of_several_lines_takes_on_the_line_ends_of_the_file() {
    let place = Fixture::new();
    for (text, old, edited) in [
        ("a\r\nb\r\nc\r\n", "a\nb\n", Some("x\r\ny\r\nc\r\n")),
        ("a\r\nb\r\nc\r\n", "a\r\nb\r\n", Some("x\r\ny\r\nc\r\n")),
        ("a\r\nb\r\nc\n", "a\nb\n", None),
    ] {
        std::fs::write(place.at("src/a.txt"), text).unwrap();
        let laid = Laid {
            path: "src/a.txt".into(),
            text: None,
            edits: vec![Edit {
                old: old.to_owned(),
                new: "x\ny\n".to_owned(),
            }],
        };
        let files = [PathBuf::from("src/a.txt")];
        let copy = TreeCopy::new(&place.copies, &place.at(""), &files, &[laid]).ok();
        let found = copy.map(|it| std::fs::read_to_string(it.tree().join("src/a.txt")).unwrap());
        assert_eq!(found.as_deref(), edited, "{text:?}");
    }
}

#[test]
fn what_python_prints_is_not_kept_back() {
    let Some(means) = means() else { return };
    let place = Fixture::new();
    let copy = place.copy(&["src/a.txt"], &[]).unwrap();
    let ended = sh(copy, &means, "echo $PYTHONUNBUFFERED");
    assert_eq!(ended.head, "1\n");
}

#[test]
fn arguments_reach_the_program_as_they_are() {
    let Some(means) = means() else { return };
    let place = Fixture::new();
    let command = ["printf", "%s|", "a b", "$HOME", "*", "", "\u{8ba1}\n"];
    let ended = run(
        place.copy(&[], &[]).unwrap(),
        &means,
        &command,
        &Limits::default(),
    );
    assert_eq!(ended.head, "a b|$HOME|*||\u{8ba1}\n|");
}

#[test]
fn a_program_that_is_not_there_is_no_failure_of_the_sandbox() {
    let Some(means) = means() else { return };
    let place = Fixture::new();
    let copy = place.copy(&["src/a.txt"], &[]).unwrap();
    let ended = run(copy, &means, &["no-such-program"], &Limits::default());
    let Exit::NotStarted { why, missing: true } = ended.exit else {
        panic!("{ended:?}")
    };
    assert!(why.starts_with("`no-such-program`: No such file"), "{why}");
    // A file that is not executable exists, so it is not missing.
    let copy = place.copy(&["src/a.txt"], &[]).unwrap();
    let ended = run(copy, &means, &["src/a.txt"], &Limits::default());
    let there = |exit: &Exit| matches!(exit, Exit::NotStarted { missing: false, .. });
    assert!(there(&ended.exit), "{ended:?}");
    // A script exists although its interpreter does not.
    let laid = [("tool", "#!/no/such/interpreter\n")];
    let copy = place.copy(&["tool"], &laid).unwrap();
    let tool = place.at("tool").canonicalize().unwrap();
    let ended = run(copy, &means, &[tool.to_str().unwrap()], &Limits::default());
    assert!(there(&ended.exit), "{ended:?}");
}

#[test]
fn head_and_tail_of_a_long_output_are_kept() {
    let Some(means) = means() else { return };
    let place = Fixture::new();
    let limits = Limits {
        kept: 8,
        ..Limits::default()
    };
    let script = "printf 'first---'; head -c 1000000 /dev/zero; echo last >&2";
    let copy = place.copy(&[], &[]).unwrap();
    let ended = run(copy, &means, &["/bin/sh", "-c", script], &limits);
    assert_eq!(ended.exit, Exit::Code(0));
    assert_eq!(ended.head, "first---");
    assert_eq!(ended.tail, "\0\0\0last\n");
    assert_eq!(ended.left_out, 1_000_000 - 3);
}

#[test]
fn it_is_stopped_when_asked() {
    let Some(means) = means() else { return };
    let place = Fixture::new();
    let stop = AtomicBool::new(false);
    let trial = Trial {
        copy: place.copy(&[], &[]).unwrap(),
        command: &["/bin/sleep".into(), "600".into()],
        limits: &Limits::default(),
        readable: &Readable::detect(&[]),
        means: &means,
    };
    let ended = std::thread::scope(|scope| {
        let running = scope.spawn(|| sandbox::run(trial, &stop));
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        running.join().unwrap().unwrap()
    });
    assert_eq!(ended.exit, Exit::Stopped);
    assert!(ended.took < Duration::from_secs(60));
    assert_eq!(place.entries(), 0);
}

#[test]
fn an_empty_command_is_refused() {
    let Some(means) = means() else { return };
    let place = Fixture::new();
    let trial = Trial {
        copy: place.copy(&[], &[]).unwrap(),
        command: &[],
        limits: &Limits::default(),
        readable: &Readable::detect(&[]),
        means: &means,
    };
    let error = sandbox::run(trial, &AtomicBool::new(false)).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
}

#[test]
fn paths_that_lead_out_are_refused() {
    let place = Fixture::new();
    symlink("/tmp", place.at("out")).unwrap();
    for path in [
        "../x",
        "/etc/passwd",
        "src/../../x",
        ".git/config",
        "a/.git/hooks/x",
        "",
        ".",
    ] {
        let listed = place.copy(&[path], &[]);
        assert!(matches!(listed, Err(CopyError::Outside(_))), "{path}");
        let laid = place.copy(&[], &[(path, "x")]);
        assert!(matches!(laid, Err(CopyError::Outside(_))), "{path}");
    }
    let through = place.copy(&["out"], &[("out/escaped", "x")]);
    assert!(matches!(through, Err(CopyError::Outside(_))));
    // A link itself is replaced.
    assert!(place.copy(&["out"], &[("out", "x")]).is_ok());
    assert!(Path::new("/tmp").is_dir());
    let many = vec![("a", "x"); 201];
    assert!(matches!(
        place.copy(&[], &many),
        Err(CopyError::TooLarge(_))
    ));
    let long = "x".repeat((4 << 20) + 1);
    assert!(matches!(
        place.copy(&[], &[("a", &long)]),
        Err(CopyError::TooLarge(_))
    ));
    assert_eq!(place.entries(), 0);
}

#[test]
fn a_link_in_place_of_a_folder_is_not_followed() {
    let Some(means) = means() else { return };
    let place = Fixture::new();
    std::fs::write(place.folder.path().join("secret"), "secret\n").unwrap();
    symlink("..", place.at("up")).unwrap();
    symlink("../secret", place.at("leaf")).unwrap();
    symlink("src/a.txt", place.at("inside")).unwrap();
    std::os::unix::net::UnixListener::bind(place.at("socket")).unwrap();
    let files = ["up/secret", "leaf", "inside", "socket", "src/a.txt"];
    let copy = place.copy(&files, &[]).unwrap();
    let ended = sh(copy, &means, "cat inside; cat up/secret leaf; ls");
    assert!(ended.head.starts_with("a\n"), "{ended:?}");
    assert!(!ended.head.contains("secret\n"), "{ended:?}");
    assert!(ended.head.ends_with("inside\nleaf\nsrc\n"), "{ended:?}");
}

#[test]
fn folders_of_dependencies_are_there_unless_the_tree_brings_them() {
    let Some(means) = means() else { return };
    let place = Fixture::new();
    for folder in [".venv", "app/node_modules/.bin", "web/node_modules"] {
        std::fs::create_dir_all(place.at(folder)).unwrap();
    }
    place.write(".venv/a", "venv\n");
    place.write("app/node_modules/b", "modules\n");
    place.write("app/node_modules/.npmrc", "token\n");
    place.write("app/node_modules/.bin/.env", "token\n");
    place.write("app/index", "x\n");
    place.write("web/node_modules/tracked", "tracked\n");
    place.write("web/node_modules/untracked", "untracked\n");
    // A link is not followed: it could lead anywhere.
    symlink("/etc", place.at("src/vendor")).unwrap();
    // Nor is a link on the path, even if it is listed as a folder.
    std::fs::create_dir(place.folder.path().join("node_modules")).unwrap();
    std::fs::write(place.folder.path().join("node_modules/x"), "out\n").unwrap();
    symlink("..", place.at("up")).unwrap();
    let files = ["src/a.txt", "app/index", "web/node_modules/tracked", "up/x"];
    let copy = place.copy(&files, &[]).unwrap();
    let script = "cat .venv/a app/node_modules/b web/node_modules/* app/node_modules/.npmrc app/node_modules/.bin/.env; ls src; cat up/node_modules/x";
    let ended = sh(copy, &means, script);
    assert_eq!(
        ended.head,
        "venv\nmodules\ntracked\na.txt\n\
         cat: up/node_modules/x: No such file or directory\n"
    );
    // Files cannot be laid over an untracked folder that is shown.
    let laid = place.copy(&files, &[("app/node_modules/b", "x")]);
    assert!(matches!(laid, Err(CopyError::Covered(_))));
}

/// Writes over dependencies and build results stay in the trial.
#[test]
fn what_is_built_is_gone_on_with() {
    let Some(means) = means() else { return };
    let place = Fixture::new();
    for folder in ["target/debug", "node_modules"] {
        std::fs::create_dir_all(place.at(folder)).unwrap();
        std::fs::write(place.at(folder).join("made"), "made\n").unwrap();
    }
    let script = "echo x > target/debug/made && cat target/debug/made; echo y > target/new && \
                  cat target/new node_modules/made";
    let ended = sh(place.copy(&["src/a.txt"], &[]).unwrap(), &means, script);
    assert_eq!(ended.head, "x\ny\nmade\n");
    for folder in ["target/debug", "node_modules"] {
        let made = std::fs::read_to_string(place.at(folder).join("made")).unwrap();
        assert_eq!(made, "made\n");
    }
    assert!(!place.at("target/new").exists());
    assert_eq!(place.entries(), 0);
}

#[test]
fn a_tree_in_the_temporary_folder_or_in_shared_memory_is_found() {
    let Some(means) = means() else { return };
    for folder in ["/tmp", "/dev/shm"] {
        let tree = tempfile::tempdir_in(folder).unwrap();
        std::fs::write(tree.path().join("a"), "a\n").unwrap();
        let place = Fixture::new();
        let copy = TreeCopy::new(&place.copies, tree.path(), &["a".into()], &[]).unwrap();
        let ended = sh(
            copy,
            &means,
            "cat a && echo x > /tmp/x && echo x > /dev/shm/x",
        );
        assert_eq!((ended.head.as_str(), &ended.exit), ("a\n", &Exit::Code(0)));
    }
}

#[test]
fn the_root_of_the_machine_is_no_tree() {
    let place = Fixture::new();
    let copy = TreeCopy::new(&place.copies, Path::new("/"), &[], &[]);
    assert!(matches!(copy, Err(CopyError::Outside(_))));
}

#[test]
fn what_may_be_read_is_listed() {
    let named = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(named.path().join("a/.ssh")).unwrap();
    std::fs::write(named.path().join("a/.env"), "x").unwrap();
    std::fs::write(named.path().join("a/.env.example"), "x").unwrap();
    let relative = PathBuf::from("relative");
    let refused = ["/", "/proc", "/run", "/etc/shadow.d", "/root/..", "/dev"].map(PathBuf::from);
    let home = std::env::home_dir().unwrap();
    let mut all = vec![named.path().to_owned(), relative.clone(), home.clone()];
    all.extend(refused.clone());
    let readable = Readable::detect(&all);
    let shown = readable.folders();
    assert!(shown.contains(&named.path().to_owned()));
    assert!(shown.contains(&"/usr".into()) && shown.contains(&"/etc/passwd".into()));
    assert!(!shown.contains(&"/etc".into()) && !shown.contains(&home));
    assert!(
        refused
            .iter()
            .chain([&relative])
            .all(|it| !shown.contains(it))
    );
    let masked = readable.masked();
    assert!(masked.contains(&named.path().join("a/.env")));
    assert!(masked.contains(&named.path().join("a/.ssh")));
    assert!(!masked.contains(&named.path().join("a/.env.example")));
}

#[test]
fn copies_are_removed_beside_one_another_and_after_an_earlier_failure() {
    let place = Fixture::new();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..25 {
                    // Opening the folder also removes what others left in it.
                    let copies = Copies::open(&place.folder.path().join("copies")).unwrap();
                    let files = ["src/a.txt".into(), "tool".into()];
                    drop(TreeCopy::new(&copies, &place.at(""), &files, &[]).unwrap());
                }
            });
        }
    });
    // Remains of an interrupted removal.
    let copies = place.folder.path().join("copies");
    for path in ["copy-cut/lifted-0/a", "copy-cut/tree/b/c"] {
        std::fs::create_dir_all(copies.join(path)).unwrap();
    }
    Copies::open(&copies).unwrap();
    assert_eq!(place.entries(), 0);
}

#[test]
fn copies_are_for_their_owner_only() {
    let place = Fixture::new();
    let about = place.folder.path().join("copies").metadata().unwrap();
    assert_eq!(about.mode() & 0o777, 0o700);
}

#[cfg(target_os = "linux")]
mod macos {
    use sandbox::Wall;

    use super::*;

    /// Replaces the macOS sandbox elsewhere: bubblewrap binds what the profile allows and nothing
    /// else.
    const SANDBOX_EXEC: &str = r#"#!/bin/sh
profile=$2
shift 2
while IFS= read -r rule; do
    path=${rule#*\"}
    path=${path%\"*}
    case $rule in
    *file-write\**) set -- --bind "$path" "$path" "$@" ;;
    *metadata* | *literal*) ;;
    "(deny file"*) if [ -d "$path" ]; then set -- --tmpfs "$path" "$@"; else set -- --ro-bind /dev/null "$path" "$@"; fi ;;
    "(allow file-read"*) set -- --ro-bind "$path" "$path" "$@" ;;
    esac
done <<END
$(printf '%s\n' "$profile" | tac)
END
exec /usr/bin/bwrap --unshare-net --dev /dev --proc /proc --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 "$@"
"#;

    /// Everything around the macOS sandbox works without a Mac.
    #[test]
    fn a_trial_of_macos_is_watched_and_ended() {
        let place = Fixture::new();
        place.write("sandbox-exec", SANDBOX_EXEC);
        let program = place.at("sandbox-exec");
        std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
        let stage = Path::new(env!("CARGO_BIN_EXE_sandbox-stage"));
        let means = match Wall::SandboxExec(program).prove(stage) {
            Ok(means) => means,
            Err(why) => {
                eprintln!("SKIPPED: {why}");
                let there = Path::new("/usr/bin/bwrap").exists();
                assert!(!there || std::env::var_os("AITC_SANDBOX_MUST_WORK").is_none());
                return;
            }
        };
        std::fs::create_dir_all(place.at("target/debug")).unwrap();
        place.write("target/debug/made", "made\n");
        place.write("target/.npmrc", "token\n");
        symlink("made", place.at("target/debug/link")).unwrap();
        let copy = || place.copy(&["src/a.txt", "tool"], &[("b", "b\n")]).unwrap();
        let script = "cat src/a.txt b target/debug/link; ./tool; ls -A target; \
                  cat \"$0\"; echo x > target/debug/made && echo y > \"$HOME/y\" && \
                  echo z > \"$TMPDIR/z\" && exit 3";
        let original = place.at("src/a.txt").display().to_string();
        let command = ["/bin/sh", "-c", script, &original];
        let ended = run(copy(), &means, &command, &Limits::default());
        assert_eq!(ended.exit, Exit::Code(3), "{ended:?}");
        let said = format!("a\nb\nmade\ntool\ndebug\ncat: {original}: No such file or directory\n");
        assert_eq!(ended.head, said);
        let made = std::fs::read_to_string(place.at("target/debug/made")).unwrap();
        assert_eq!(made, "made\n");

        let missing = run(copy(), &means, &["no-such-program"], &Limits::default());
        let is_told = matches!(missing.exit, Exit::NotStarted { missing: true, .. });
        assert!(is_told, "{missing:?}");

        // A process that leaves the session is killed with the others.
        let left = "setsid perl -e 'sleep 86400' left-by-a-trial & sleep 1";
        let ended = run(copy(), &means, &["/bin/sh", "-c", left], &Limits::default());
        assert_eq!(ended.exit, Exit::Code(0), "{ended:?}");
        let all = std::process::Command::new("ps")
            .args(["-axo", "args"])
            .output();
        let all = String::from_utf8_lossy(&all.unwrap().stdout).into_owned();
        assert!(!all.contains("sleep 86400 left-by-a-trial"), "{all}");

        let limits = Limits {
            processes: 8,
            memory: 256 << 20,
            ..Limits::default()
        };
        for (script, exit) in [
            (
                "for i in 1 2 3 4 5 6 7 8; do sleep 86400 & done; wait",
                Exit::Processes,
            ),
            (
                "perl -e '$x = \"x\" x (1 << 29); sleep 86400'",
                Exit::Memory,
            ),
        ] {
            let ended = run(copy(), &means, &["/bin/sh", "-c", script], &limits);
            assert_eq!(ended.exit, exit, "{ended:?}");
        }
        let limits = Limits {
            time: Duration::from_millis(300),
            ..Limits::default()
        };
        let ended = run(copy(), &means, &["sleep", "86400"], &limits);
        assert_eq!(ended.exit, Exit::Time, "{ended:?}");
        assert_eq!(place.entries(), 0);
    }
}
