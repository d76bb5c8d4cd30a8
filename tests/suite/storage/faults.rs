//! A whole run with a fault at every file operation: crashes, full disks, failures.

use std::path::Path;
use std::sync::Arc;

use aitc::edge::fs::RealFs;
use aitc::edge::journal::{Journal, read};
use aitc::edge::store::{Outputs, verify};

use super::{desk, names, real, run};
use crate::support::fault::{Fault, FaultFs};
use crate::support::sample::rounds;

/// Crashes before, during and after every operation of a whole run.
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
                assert!(report.problems.is_empty(), "{report:?} after {fault:?}");
            }
        }
    }
    assert!(absent > 0 && whole > 0, "{absent} {whole}");
}

/// The next process continues what the crash left and publishes it.
fn finish(outputs: &Outputs, fault: Fault) {
    let [n] = outputs.drafts().unwrap()[..] else {
        assert_eq!(outputs.reserve().unwrap().version(), 1, "{fault:?}");
        return;
    };
    let draft = outputs.open_draft(n).unwrap();
    let path = draft.transcript_path();
    if !path.exists() {
        return;
    }
    let (mut journal, _) = Journal::open(real(), &path, &mut |_| Ok(())).unwrap();
    for entry in rounds(journal.seq(), 3 - journal.seq()) {
        journal.add(&entry).unwrap();
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

/// If the disk is full from any operation on, the run reports that, or it succeeds.
#[test]
fn a_full_disk_anywhere_is_told_as_such_and_harms_nothing() {
    let (dir, _) = desk();
    let clean = FaultFs::new(Fault::None).without_syncs();
    run(Arc::new(clean.clone()), dir.path()).unwrap();
    for (errno, code) in [
        (rustix::io::Errno::NOSPC, "E-storage-full"),
        (rustix::io::Errno::ROFS, "E-storage-read-only"),
    ] {
        for at in 0..clean.operations() {
            let (dir, outputs) = desk();
            let fault = Fault::FailFrom {
                at,
                errno: errno.raw_os_error(),
            };
            let fs = FaultFs::new(fault).without_syncs();
            match run(Arc::new(fs), dir.path()) {
                Ok(version) => assert!(verify(&RealFs, &version).unwrap().problems.is_empty()),
                Err(error) => {
                    assert_eq!(error.code, code, "{error} at {at}");
                    assert!(!error.fix().is_empty());
                    assert!(outputs.versions().unwrap().is_empty());
                }
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
            assert!(
                verify(&RealFs, &outputs.version_dir(n))
                    .unwrap()
                    .problems
                    .is_empty()
            );
        }
    }
}
