//! Versions: numbers, drafts, publishing.

use std::collections::BTreeSet;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::sync::Arc;

use aitc::edge::fs::{Fs, RealFs};
use aitc::edge::inbox::{Inbox, MessageBody};
use aitc::edge::journal::Journal;
use aitc::edge::store::{Outputs, verify};

use super::{desk, fill, names, real, refused};
use crate::support::fault::{Fault, FaultFs};

#[test]
fn a_run_becomes_a_version_with_all_its_files() {
    let (dir, outputs) = desk();
    assert_eq!(
        (outputs.versions().unwrap(), outputs.drafts().unwrap()),
        (vec![], vec![])
    );
    let draft = outputs.reserve().unwrap();
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
    let (version, _) = draft.publish(&head).unwrap();
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
    assert_eq!((report.lines, report.problems), (3, Vec::new()));

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

    let next = outputs.reserve().unwrap();
    assert_eq!(next.version(), 2, "numbers go on");
}

#[test]
fn git_is_told_once_and_the_users_words_stay() {
    let (dir, outputs) = desk();
    outputs.reserve().unwrap();
    let home = dir.path().join(".ai-tools-chain");
    assert_eq!(
        names(&home),
        [".gitattributes", ".gitignore", "planning_outputs"]
    );
    std::fs::write(home.join(".gitignore"), "mine\n").unwrap();
    outputs.reserve().unwrap();
    assert_eq!(
        std::fs::read_to_string(home.join(".gitignore")).unwrap(),
        "mine\n"
    );
}

#[test]
fn a_number_is_taken_by_one_of_sixteen() {
    let (dir, _) = desk();
    let numbers: Vec<u32> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..16)
            .map(|n| {
                let workspace = dir.path();
                scope.spawn(move || {
                    let draft = Outputs::at(real(), workspace).reserve().unwrap();
                    let number = draft.version();
                    if n % 2 == 0 {
                        // Half of the runs publish at once, while others look for a number.
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
    let draft = outputs.reserve().unwrap();
    let head = fill(real(), &draft).unwrap();
    let version = outputs.version_dir(1);
    std::fs::create_dir(&version).unwrap();
    std::fs::write(version.join("planning_report.md"), "theirs").unwrap();
    assert_eq!(refused(draft.publish(&head)), "E-version-exists");
    assert_eq!(names(&version), ["planning_report.md"]);
    assert_eq!(outputs.drafts().unwrap(), [1], "the draft stays");
    assert!(outputs.open_draft(1).is_ok());
    assert_eq!(refused(outputs.open_draft(7)), "E-draft-missing");
}

#[test]
fn what_is_not_on_disk_is_not_published() {
    let (_dir, outputs) = desk();
    let draft = outputs.reserve().unwrap();
    fill(real(), &draft).unwrap();
    assert_eq!(refused(draft.publish("feed")), "E-transcript-other-end");
    let draft = outputs.open_draft(1).unwrap();
    let mut file = RealFs.open_append(&draft.transcript_path()).unwrap();
    file.append(b"{\"v\":1").unwrap();
    assert_eq!(refused(draft.publish("feed")), "E-transcript-damaged");
    assert!(outputs.versions().unwrap().is_empty());
}

#[test]
fn a_file_is_written_only_when_its_bytes_differ() {
    let (_dir, outputs) = desk();
    outputs.reserve().unwrap();
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
    // Another process has to read the file once.
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
    let draft = outputs.reserve().unwrap();
    symlink(&outside, draft.dir().join("speeches")).unwrap();
    symlink(outside.join("x"), draft.dir().join("state.md")).unwrap();
    symlink(outside.join("x"), draft.transcript_path()).unwrap();
    symlink(&outside, draft.dir().join("inbox")).unwrap();
    assert_eq!(refused(draft.write("speeches/x", b"ours")), "E-path-unfit");
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
    assert_eq!(
        refused(Outputs::at(real(), other.path()).reserve()),
        "E-path-unfit"
    );
    assert_eq!(names(&outside), ["x"]);
}

/// Another run publishes the number that is about to be reserved, and its draft's name becomes
/// free.
#[test]
fn a_number_published_meanwhile_is_not_taken() {
    let (dir, outputs) = desk();
    outputs.reserve().unwrap();
    std::fs::remove_dir(outputs.draft_dir(1)).unwrap();
    let version = outputs.version_dir(1);
    let fs = FaultFs::new(Fault::None)
        .before("create_dir", move || std::fs::create_dir(version).unwrap());
    let draft = Outputs::at(Arc::new(fs), dir.path()).reserve().unwrap();
    assert_eq!(draft.version(), 2);
    assert_eq!(
        outputs.drafts().unwrap(),
        [2],
        "nothing is left of the first try"
    );
}

#[test]
fn a_version_that_appears_while_publishing_is_not_replaced() {
    let (dir, outputs) = desk();
    let head = fill(real(), &outputs.reserve().unwrap()).unwrap();
    let version = outputs.version_dir(1);
    // An empty folder, which a plain rename would replace.
    let fs = FaultFs::new(Fault::None)
        .before("rename_new", move || std::fs::create_dir(version).unwrap());
    let draft = Outputs::at(Arc::new(fs), dir.path()).open_draft(1).unwrap();
    assert_eq!(refused(draft.publish(&head)), "E-version-exists");
    assert!(names(&outputs.version_dir(1)).is_empty());
    assert!(names(&outputs.draft_dir(1)).contains(&"state.md".to_owned()));
}

#[test]
fn everything_is_on_disk_before_the_version_appears() {
    let (dir, outputs) = desk();
    let head = fill(real(), &outputs.reserve().unwrap()).unwrap();
    let fs = FaultFs::new(Fault::None);
    let draft = Outputs::at(Arc::new(fs.clone()), dir.path())
        .open_draft(1)
        .unwrap();
    draft.publish(&head).unwrap();
    let log = fs.log();
    // Three files and the manifest, the folder of speeches, the draft; then the parent folder.
    let tail = [
        "sync_file",
        "sync_file",
        "sync_file",
        "sync_file",
        "sync_dir",
        "sync_dir",
        // Removes an inbox that was created again meanwhile; usually there is none.
        "remove_dir_all",
        "rename_new",
        "sync_dir",
    ];
    assert_eq!(log[log.len() - tail.len()..], tail);
}
