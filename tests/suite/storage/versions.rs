//! Versions: numbers, drafts, publishing, the manifest, the lock.

use std::collections::BTreeSet;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aitc::edge::fs::{Fs, RealFs, StorageErrorKind};
use aitc::edge::inbox::{Inbox, MessageBody};
use aitc::edge::journal::{Journal, JournalError, read};
use aitc::edge::lock::{LockError, RunLock};
use aitc::edge::store::{Draft, Outputs, Problem, StoreError, verify};

use crate::support::fault::{Fault, FaultFs};
use crate::support::sample::rounds;

fn real() -> Arc<dyn Fs> {
    Arc::new(RealFs)
}

fn desk() -> (tempfile::TempDir, Outputs) {
    let dir = tempfile::tempdir().unwrap();
    let outputs = Outputs::at(real(), dir.path());
    (dir, outputs)
}

#[derive(Debug)]
enum Failure {
    Store(StoreError),
    Journal(JournalError),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Self {
        Self::Journal(error)
    }
}

/// A journal and a few files, as a run leaves them; returns the head.
fn fill(fs: Arc<dyn Fs>, draft: &Draft) -> Result<String, Failure> {
    let mut journal = Journal::create(fs, &draft.transcript_path())?;
    for entry in rounds(0, 3) {
        journal.stage(&entry)?;
        journal.commit()?;
        draft.write("state.md", format!("round {}\n", entry.seq).as_bytes())?;
    }
    draft.write("speeches/PP_speak_r1.txt", b"I agree\n")?;
    draft.write("questions.md", b"# Questions\n")?;
    draft.write("feedback.md", b"smaller\n")?;
    draft.remove("feedback.md")?;
    Ok(journal.head().to_owned())
}

fn run(fs: Arc<dyn Fs>, workspace: &Path) -> Result<PathBuf, Failure> {
    let draft = Outputs::at(fs.clone(), workspace).take()?;
    let head = fill(fs, &draft)?;
    Ok(draft.publish(&head)?)
}

fn names(dir: &Path) -> Vec<String> {
    RealFs.list(dir).unwrap()
}

#[test]
fn a_run_becomes_a_version_with_all_its_files() {
    let (dir, outputs) = desk();
    assert_eq!(
        (outputs.versions().unwrap(), outputs.drafts().unwrap()),
        (vec![], vec![])
    );
    let draft = outputs.take().unwrap();
    assert_eq!(
        (outputs.versions().unwrap(), outputs.drafts().unwrap()),
        (vec![], vec![1])
    );
    let head = fill(real(), &draft).unwrap();
    Inbox::at(real(), draft.dir())
        .send(MessageBody::Stop)
        .unwrap();
    std::fs::write(draft.dir().join("state.md.tmp"), "half").unwrap();
    std::fs::write(draft.dir().join("planning_transcript.torn-2"), "{\"").unwrap();
    let version = draft.publish(&head).unwrap();
    assert_eq!(
        version,
        dir.path().join(".ai-tools-chain/planning_outputs/v1")
    );
    assert_eq!(
        (outputs.versions().unwrap(), outputs.drafts().unwrap()),
        (vec![1], vec![])
    );
    assert_eq!(
        names(&version),
        [
            "manifest.json",
            "planning_transcript.jsonl",
            "planning_transcript.torn-2",
            "speeches",
            "state.md"
        ]
    );
    let report = verify(&RealFs, &version).unwrap();
    assert!(report.is_clean(), "{report:?}");
    assert_eq!(
        (report.files, report.lines, report.head),
        (3, 3, head.clone())
    );

    let manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(version.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["head"], head);
    let files: Vec<_> = manifest["files"].as_object().unwrap().keys().collect();
    assert_eq!(
        files,
        [
            "planning_transcript.jsonl",
            "speeches/PP_speak_r1.txt",
            "state.md"
        ]
    );
    assert_eq!(manifest["files"]["state.md"]["size"], 8);
    assert!(manifest["note"].as_str().unwrap().contains("not forgery"));
    let mode = std::fs::metadata(version.join("state.md"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o644 & mode);

    let next = outputs.take().unwrap();
    assert_eq!(next.version(), 2, "numbers go on");
}

#[test]
fn git_is_told_once_and_the_users_words_stay() {
    let (dir, outputs) = desk();
    outputs.take().unwrap();
    let home = dir.path().join(".ai-tools-chain");
    assert_eq!(
        names(&home),
        [".gitattributes", ".gitignore", "planning_outputs"]
    );
    std::fs::write(home.join(".gitignore"), "mine\n").unwrap();
    outputs.take().unwrap();
    assert_eq!(
        std::fs::read_to_string(home.join(".gitignore")).unwrap(),
        "mine\n"
    );
}

/// What git is told is what git understands; skipped by name where there is no git.
#[test]
fn git_ignores_locks_torn_tails_and_halves_and_leaves_bytes_alone() {
    let (dir, outputs) = desk();
    let git = |arguments: &[&str]| {
        let output = std::process::Command::new("git")
            .current_dir(dir.path())
            .args(arguments)
            .output()
            .ok()?;
        Some(String::from_utf8(output.stdout).unwrap())
    };
    if git(&["init", "-q"]).is_none() {
        eprintln!("skipped: no git");
        return;
    }
    let draft = outputs.take().unwrap();
    fill(real(), &draft).unwrap();
    for ignored in [
        "x.tmp",
        "planning_transcript.torn-3",
        "planning_transcript.damaged-3",
    ] {
        std::fs::write(draft.dir().join(ignored), "").unwrap();
    }
    let _lock = RunLock::acquire(&outputs.lock_path(1)).unwrap();
    let seen = git(&["ls-files", "--others", "--exclude-standard"]).unwrap();
    let seen: BTreeSet<&str> = seen
        .lines()
        .map(|l| l.rsplit('/').next().unwrap())
        .collect();
    let wanted = [
        ".gitattributes",
        ".gitignore",
        "PP_speak_r1.txt",
        "planning_transcript.jsonl",
        "questions.md",
        "state.md",
    ];
    assert_eq!(seen, BTreeSet::from(wanted));
    let attributes = |file: &str| {
        let path = format!(".ai-tools-chain/planning_outputs/v1.draft/{file}");
        git(&["check-attr", "text", "merge", "--", &path]).unwrap()
    };
    let transcript = attributes("planning_transcript.jsonl");
    assert!(transcript.contains("text: unset") && transcript.contains("merge: unset"));
    assert!(attributes("speeches/PP_speak_r1.txt").contains("text: unset"));
}

#[test]
fn a_number_is_taken_by_one_of_sixteen() {
    let (dir, _) = desk();
    let numbers: Vec<u32> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..16)
            .map(|n| {
                let workspace = dir.path();
                scope.spawn(move || {
                    let draft = Outputs::at(real(), workspace).take().unwrap();
                    let number = draft.version();
                    if n % 2 == 0 {
                        // Half of them publish at once, so that numbers are looked for meanwhile.
                        let head = fill(real(), &draft).unwrap();
                        draft.publish(&head).unwrap();
                    }
                    number
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    assert_eq!(BTreeSet::from_iter(numbers), BTreeSet::from_iter(1..=16));
    let outputs = Outputs::at(real(), dir.path());
    assert_eq!(
        (
            outputs.versions().unwrap().len(),
            outputs.drafts().unwrap().len()
        ),
        (8, 8)
    );
    assert_eq!(
        names(&dir.path().join(".ai-tools-chain")).len(),
        3,
        "nothing half-written stays"
    );
}

#[test]
fn a_version_is_never_replaced() {
    let (_dir, outputs) = desk();
    let draft = outputs.take().unwrap();
    let head = fill(real(), &draft).unwrap();
    let version = outputs.version_dir(1);
    std::fs::create_dir(&version).unwrap();
    std::fs::write(version.join("planning_report.md"), "theirs").unwrap();
    assert!(matches!(
        draft.publish(&head),
        Err(StoreError::VersionExists { .. })
    ));
    assert_eq!(names(&version), ["planning_report.md"]);
    assert_eq!(outputs.drafts().unwrap(), [1], "the draft stays");
    assert!(outputs.open_draft(1).is_ok());
    assert!(matches!(
        outputs.open_draft(7).map(|_| ()),
        Err(StoreError::NoDraft { .. })
    ));
}

#[test]
fn what_is_not_on_disk_is_not_published() {
    let (_dir, outputs) = desk();
    let draft = outputs.take().unwrap();
    fill(real(), &draft).unwrap();
    assert!(matches!(
        draft.publish("feed"),
        Err(StoreError::NotTheHead { .. })
    ));
    let draft = outputs.open_draft(1).unwrap();
    let mut file = RealFs.open_append(&draft.transcript_path()).unwrap();
    file.append(b"{\"v\":1").unwrap();
    assert!(matches!(draft.publish("feed"), Err(StoreError::Journal(_))));
    assert!(outputs.versions().unwrap().is_empty());
}

/// Before, in the middle of and after every operation of a whole run.
#[test]
fn a_crash_anywhere_leaves_the_version_absent_or_whole() {
    let (dir, _) = desk();
    let clean = FaultFs::new(Fault::None).without_syncs();
    run(Arc::new(clean.clone()), dir.path()).unwrap();
    let operations = clean.operations();
    assert!(operations >= 80, "{operations}");
    let (mut absent, mut whole) = (0, 0);
    for at in 0..operations {
        for fault in [
            Fault::CrashBefore(at),
            Fault::CrashMiddle(at),
            Fault::CrashAfter(at),
        ] {
            let (dir, outputs) = desk();
            let fs = FaultFs::new(fault).without_syncs();
            run(Arc::new(fs.clone()), dir.path()).expect_err("the crash is noticed");
            assert!(fs.crashed());
            match outputs.versions().unwrap()[..] {
                [] => {
                    absent += 1;
                    finish(&outputs, fault);
                }
                [1] => whole += 1,
                ref other => panic!("{other:?} after {fault:?}"),
            }
            for n in outputs.versions().unwrap() {
                let report = verify(&RealFs, &outputs.version_dir(n)).unwrap();
                assert!(report.is_clean(), "{report:?} after {fault:?}");
            }
        }
    }
    assert!(absent > 0 && whole > 0, "{absent} {whole}");
}

/// The next process takes up what the crash left and publishes it.
fn finish(outputs: &Outputs, fault: Fault) {
    let [n] = outputs.drafts().unwrap()[..] else {
        assert_eq!(outputs.take().unwrap().version(), 1, "{fault:?}");
        return;
    };
    let draft = outputs.open_draft(n).unwrap();
    let path = draft.transcript_path();
    if !path.exists() {
        return;
    }
    let (mut journal, _) = Journal::open(real(), &path, &mut |_| Ok(())).unwrap();
    for entry in rounds(journal.seq(), 3 - journal.seq()) {
        journal.stage(&entry).unwrap();
    }
    journal.commit().unwrap();
    draft.write("state.md", b"round 3\n").unwrap();
    draft
        .write("speeches/PP_speak_r1.txt", b"I agree\n")
        .unwrap();
    draft.remove("feedback.md").unwrap();
    draft.publish(journal.head()).unwrap();
    let dir = outputs.version_dir(n);
    assert_eq!(
        names(&dir),
        names_without_torn(
            &[
                "manifest.json",
                "planning_transcript.jsonl",
                "speeches",
                "state.md"
            ],
            &dir
        ),
        "{fault:?}"
    );
    assert_eq!(std::fs::read(dir.join("state.md")).unwrap(), b"round 3\n");
}

fn names_without_torn(wanted: &[&str], dir: &Path) -> Vec<String> {
    let torn = names(dir)
        .into_iter()
        .filter(|name| name.contains(".torn-"));
    let mut all: Vec<String> = wanted
        .iter()
        .map(|name| (*name).to_owned())
        .chain(torn)
        .collect();
    all.sort();
    all
}

/// A single failed operation anywhere: an error of the right kind, or one that did not matter.
#[test]
fn a_full_disk_anywhere_is_told_as_such_and_harms_nothing() {
    let (dir, _) = desk();
    let clean = FaultFs::new(Fault::None).without_syncs();
    run(Arc::new(clean.clone()), dir.path()).unwrap();
    for (errno, kind) in [
        (rustix::io::Errno::NOSPC, StorageErrorKind::Full),
        (rustix::io::Errno::ROFS, StorageErrorKind::ReadOnly),
    ] {
        for at in 0..clean.operations() {
            let (dir, outputs) = desk();
            let fault = Fault::FailFrom {
                at,
                errno: errno.raw_os_error(),
            };
            let fs = FaultFs::new(fault).without_syncs();
            match run(Arc::new(fs), dir.path()) {
                Ok(version) => assert!(verify(&RealFs, &version).unwrap().is_clean()),
                Err(
                    Failure::Store(StoreError::Storage(error))
                    | Failure::Journal(JournalError::Storage(error)),
                ) => {
                    assert_eq!(error.kind, kind, "{error}");
                    assert!(error.hint().is_some());
                    assert!(outputs.versions().unwrap().is_empty());
                }
                Err(other) => panic!("{other:?} at {at}"),
            }
            for n in outputs.drafts().unwrap() {
                let path = outputs.draft_dir(n).join("planning_transcript.jsonl");
                if path.exists() {
                    read(&RealFs, &path, &mut |_| Ok(())).unwrap();
                }
                let files = names(&outputs.draft_dir(n));
                assert!(
                    !files.iter().any(|name| name.ends_with(".tmp")),
                    "{files:?}"
                );
            }
        }
    }
}

#[test]
fn a_failed_operation_of_any_kind_never_breaks_a_version() {
    let (dir, _) = desk();
    let clean = FaultFs::new(Fault::None).without_syncs();
    run(Arc::new(clean.clone()), dir.path()).unwrap();
    for at in 0..clean.operations() {
        let (dir, outputs) = desk();
        let errno = rustix::io::Errno::IO.raw_os_error();
        let fs = FaultFs::new(Fault::Fail { at, errno }).without_syncs();
        let result = run(Arc::new(fs), dir.path());
        let operation = clean.log()[at];
        assert!(
            result.is_err(),
            "the failure of `{operation}` ({at}) was swallowed"
        );
        for n in outputs.versions().unwrap() {
            assert!(verify(&RealFs, &outputs.version_dir(n)).unwrap().is_clean());
        }
    }
}

#[test]
fn a_file_is_written_only_when_its_bytes_differ() {
    let (_dir, outputs) = desk();
    outputs.take().unwrap();
    let fs = FaultFs::new(Fault::None);
    let draft = Outputs::at(Arc::new(fs.clone()), _dir.path())
        .open_draft(1)
        .unwrap();
    assert!(draft.write("a/b.txt", b"1").unwrap());
    let before = fs.operations();
    assert!(!draft.write("a/b.txt", b"1").unwrap());
    assert_eq!(fs.operations(), before, "nothing is read again");
    assert!(draft.write("a/b.txt", b"2").unwrap());
    assert_eq!(
        fs.log()[before..],
        ["write_new", "rename"],
        "one write, no sync"
    );
    assert_eq!(std::fs::read(draft.dir().join("a/b.txt")).unwrap(), b"2");
    // Another process knows nothing yet: it reads once.
    let again = outputs.open_draft(1).unwrap();
    assert!(!again.write("a/b.txt", b"2").unwrap());
    again.remove("a/b.txt").unwrap();
    again.remove("a/b.txt").unwrap();
    again.remove("nowhere/b.txt").unwrap();
    assert!(again.write("a/b.txt", b"2").unwrap());
}

#[test]
fn nothing_is_written_through_a_link_out_of_the_draft() {
    let (dir, outputs) = desk();
    let outside = dir.path().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("x"), "theirs").unwrap();
    let draft = outputs.take().unwrap();
    symlink(&outside, draft.dir().join("speeches")).unwrap();
    symlink(outside.join("x"), draft.dir().join("state.md")).unwrap();
    symlink(outside.join("x"), draft.transcript_path()).unwrap();
    symlink(&outside, draft.dir().join("inbox")).unwrap();
    assert!(matches!(
        draft.write("speeches/x", b"ours"),
        Err(StoreError::BadPath { .. })
    ));
    assert!(draft.remove("speeches/x").is_err());
    assert!(
        draft.write("state.md", b"ours").unwrap(),
        "the link itself is replaced"
    );
    assert!(Journal::open(real(), &draft.transcript_path(), &mut |_| Ok(())).is_err());
    assert!(Journal::create(real(), &draft.transcript_path()).is_err());
    assert!(
        Inbox::at(real(), draft.dir())
            .send(MessageBody::Stop)
            .is_err()
    );
    assert!(Inbox::at(real(), draft.dir()).receive().is_err());
    assert!(draft.publish("").is_err());
    assert_eq!(names(&outside), ["x"]);
    assert_eq!(std::fs::read(outside.join("x")).unwrap(), b"theirs");

    let other = tempfile::tempdir().unwrap();
    symlink(&outside, other.path().join(".ai-tools-chain")).unwrap();
    assert!(matches!(
        Outputs::at(real(), other.path()).take().map(|_| ()),
        Err(StoreError::BadPath { .. })
    ));
    assert_eq!(names(&outside), ["x"]);
}

#[test]
fn verify_names_what_is_missing_changed_or_extra() {
    let (dir, _) = desk();
    let version = run(real(), dir.path()).unwrap();
    let path = |name: &str| name.to_owned();
    std::fs::write(version.join("state.md"), "round 4\n").unwrap();
    std::fs::remove_file(version.join("speeches/PP_speak_r1.txt")).unwrap();
    std::fs::write(version.join("more.md"), "").unwrap();
    symlink("/", version.join("root")).unwrap();
    std::fs::write(version.join("planning_transcript.torn-9"), "").unwrap();
    let report = verify(&RealFs, &version).unwrap();
    assert_eq!(
        report.problems,
        [
            Problem::Extra {
                path: path("more.md")
            },
            Problem::Extra { path: path("root") },
            Problem::Missing {
                path: path("speeches/PP_speak_r1.txt")
            },
            Problem::Changed {
                path: path("state.md")
            },
        ]
    );

    // One flipped bit in the transcript: found by digest and by chain.
    let transcript = version.join("planning_transcript.jsonl");
    let mut bytes = std::fs::read(&transcript).unwrap();
    bytes[10] ^= 1;
    std::fs::write(&transcript, bytes).unwrap();
    let problems = verify(&RealFs, &version).unwrap().problems;
    assert!(problems.contains(&Problem::Changed {
        path: path("planning_transcript.jsonl")
    }));
    assert!(
        problems
            .iter()
            .any(|p| p.to_string().contains("line 1 (byte 0)")),
        "{problems:?}"
    );

    std::fs::write(version.join("manifest.json"), "{}").unwrap();
    let problems = verify(&RealFs, &version).unwrap().problems;
    assert!(matches!(problems[0], Problem::Manifest { .. }));
}

/// A transcript cut at a line's end is a valid chain: the manifest's head tells.
#[test]
fn verify_notices_a_transcript_that_lost_its_last_line() {
    let (dir, _) = desk();
    let version = run(real(), dir.path()).unwrap();
    let transcript = version.join("planning_transcript.jsonl");
    let text = std::fs::read_to_string(&transcript).unwrap();
    let shorter: String = text.split_inclusive('\n').take(2).collect();
    std::fs::write(&transcript, &shorter).unwrap();
    let problems = verify(&RealFs, &version).unwrap().problems;
    assert!(
        problems
            .iter()
            .any(|p| p.to_string().contains("the manifest says")),
        "{problems:?}"
    );
}

#[test]
fn a_run_is_held_by_one_and_free_when_it_ends() {
    let (_dir, outputs) = desk();
    outputs.take().unwrap();
    let path = outputs.lock_path(1);
    let lock = RunLock::acquire(&path).unwrap();
    assert!(lock.is_enforced());
    match RunLock::acquire(&path) {
        Err(LockError::Held { pid, host, since }) => {
            assert_eq!(pid, std::process::id());
            assert!(!host.is_empty() && since.ends_with('Z'), "{host} {since}");
        }
        other => panic!("{other:?}"),
    }
    drop(lock);
    assert!(!path.exists(), "nothing is left behind");
    // What a killed process leaves is no obstacle, whatever stands in it.
    std::fs::write(
        &path,
        "{\"pid\":1,\"host\":\"elsewhere\",\"since\":\"long ago and longer\"}",
    )
    .unwrap();
    let lock = RunLock::acquire(&path).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(
        text.ends_with("}\n") && !text.contains("elsewhere"),
        "{text}"
    );
    drop(lock);
    // A link planted in a repository does not make us write elsewhere.
    let victim = path.with_file_name("victim");
    std::fs::write(&victim, "theirs").unwrap();
    symlink(&victim, &path).unwrap();
    assert!(matches!(
        RunLock::acquire(&path),
        Err(LockError::Storage(_))
    ));
    assert_eq!(std::fs::read(&victim).unwrap(), b"theirs");
}

#[test]
fn a_lock_raced_by_many_is_held_by_one_at_a_time() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let (_dir, outputs) = desk();
    outputs.take().unwrap();
    let path = outputs.lock_path(1);
    let (holders, got) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..200 {
                    match RunLock::acquire(&path) {
                        Ok(lock) => {
                            assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                            got.fetch_add(1, Ordering::SeqCst);
                            holders.fetch_sub(1, Ordering::SeqCst);
                            drop(lock);
                        }
                        Err(LockError::Held { .. }) => {}
                        Err(error) => panic!("{error}"),
                    }
                }
            });
        }
    });
    assert!(got.into_inner() > 0);
}
