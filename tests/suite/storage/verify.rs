//! `verify`: changes to a version after it was published.

use std::os::unix::fs::symlink;

use aitc::edge::fs::RealFs;
use aitc::edge::store::{Problem, verify};

use super::{desk, real, run};

#[test]
fn verify_names_what_is_missing_changed_or_extra() {
    let (dir, _) = desk();
    let version = run(real(), dir.path()).unwrap();
    std::fs::write(version.join("state.md"), "round 4\n").unwrap();
    std::fs::remove_file(version.join("speeches/PP_speak_r1.txt")).unwrap();
    std::fs::write(version.join("more.md"), "").unwrap();
    symlink("/", version.join("root")).unwrap();
    std::fs::write(version.join("planning_transcript.torn-9"), "").unwrap();
    let report = verify(&RealFs, &version).unwrap();
    let told: Vec<_> = report
        .problems
        .iter()
        .map(|one| one.message.en.as_str())
        .collect();
    assert_eq!(
        told,
        [
            "`more.md` was not published",
            "`root` was not published",
            "`speeches/PP_speak_r1.txt` is missing",
            "`state.md` was changed",
        ]
    );

    // One flipped bit in the transcript is detected by its digest and by its chain.
    let transcript = version.join("planning_transcript.jsonl");
    let mut bytes = std::fs::read(&transcript).unwrap();
    bytes[10] ^= 1;
    std::fs::write(&transcript, bytes).unwrap();
    let problems = verify(&RealFs, &version).unwrap().problems;
    let changed = "`planning_transcript.jsonl` was changed";
    assert!(problems.iter().any(|one| one.message.en == changed));
    assert!(
        problems
            .iter()
            .any(|p| p.message.en.contains("line 1 (byte 0)")),
        "{problems:?}"
    );

    std::fs::write(version.join("manifest.json"), "{}").unwrap();
    let problems = verify(&RealFs, &version).unwrap().problems;
    assert_eq!(problems[0].path, "manifest.json");
}

#[test]
fn verify_guards_every_byte_of_the_manifest() {
    let (dir, _) = desk();
    let version = run(real(), dir.path()).unwrap();
    let manifest = version.join("manifest.json");
    let whole = std::fs::read_to_string(&manifest).unwrap();
    for changed in [
        whole.replace("not forgery", "all there is"),
        whole.replace("  \"v\"", "   \"v\""),
        format!("{whole}\n"),
    ] {
        std::fs::write(&manifest, &changed).unwrap();
        let problems = verify(&RealFs, &version).unwrap().problems;
        assert!(
            problems.len() == 1 && problems[0].path == "manifest.json",
            "{problems:?}"
        );
    }
    std::fs::write(&manifest, whole).unwrap();
    assert!(verify(&RealFs, &version).unwrap().problems.is_empty());
}

/// A transcript without its last line is a valid chain, but differs from the head in the manifest.
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
            .any(|p| p.message.en.contains("the manifest says")),
        "{problems:?}"
    );
    std::fs::write(&transcript, "").unwrap();
    let told = |one: &Problem| one.message.en.clone();
    let problems = verify(&RealFs, &version).unwrap().problems;
    let empty = "`planning_transcript.jsonl`: it is empty";
    assert!(
        problems.iter().map(told).any(|one| one == empty),
        "{problems:?}"
    );
    // Reported once.
    std::fs::remove_file(&transcript).unwrap();
    let problems = verify(&RealFs, &version).unwrap().problems;
    let [gone] = &problems[..] else {
        panic!("{problems:?}")
    };
    assert_eq!(told(gone), "`planning_transcript.jsonl` is missing");
}
