//! Golden runs: workshops of every format are run again with scripted members, and their
//! transcripts and files must equal those in `fixtures/golden/`.
//!
//! Each run is checked in two ways: its new transcript is compared with the stored one, and the
//! files generated from the stored transcript, without a model, with the stored files. A folder of
//! `fixtures/golden/` contains
//!
//! - `transcript.jsonl`: the lines, without what differs from run to run (see [`normal`]),
//! - `prompts.txt`: size in bytes and digest of the prompt of each call,
//! - `files.txt`: a digest of every file of the version,
//! - the most important files, complete.
//!
//! `AITC_BLESS=1` writes everything again; check the diff before committing it.

mod normal;
pub mod runs;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use aitc::artifact;
use aitc::driver::Replay;
use sha2::{Digest, Sha256};

use crate::support::binary::Place;

/// The content of a folder of `fixtures/golden/`, by path.
type Golden = BTreeMap<String, String>;

const TRANSCRIPT: &str = "transcript.jsonl";

#[test]
fn a_plan_of_two_rounds() {
    is_golden("plan", runs::plan());
}

#[test]
fn a_plan_that_waits_for_an_answer() {
    is_golden("question", runs::question());
}

#[test]
fn a_plan_with_debates() {
    is_golden("debate", runs::debate());
}

#[test]
fn a_plan_whose_members_look_at_the_code() {
    is_golden("looks", runs::looks());
}

#[test]
fn a_plan_that_is_reviewed() {
    is_golden("review", runs::review());
}

#[test]
fn a_revision() {
    is_golden("revision", runs::revision());
}

#[test]
fn a_plan_that_ends_at_its_round_limit() {
    is_golden("unresolved", runs::unresolved());
}

#[test]
fn a_plan_with_faults_and_bad_replies() {
    is_golden("faults", runs::faults());
}

#[test]
fn a_team_with_a_debate() {
    is_golden("team", runs::team());
}

#[test]
fn a_board() {
    is_golden("board", runs::board());
}

#[test]
fn a_party_that_goes_on() {
    is_golden("party", runs::party());
}

/// Compares a newly published version with the stored one.
#[track_caller]
fn is_golden(name: &str, (place, version): (Place, PathBuf)) {
    place.run(&["verify"]).ends(0);
    let recorded = std::fs::read_to_string(version.join("planning_transcript.jsonl")).unwrap();
    let (transcript, prompts) = normal::transcript(&recorded);
    let mut now = files(&transcript);
    now.insert(TRANSCRIPT.to_owned(), transcript);
    now.insert("prompts.txt".to_owned(), prompts);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/golden")
        .join(name);
    if std::env::var_os("AITC_BLESS").is_some() {
        write(&folder, &now);
    }
    let kept = read(&folder);
    same(&kept, &now, &format!("the run `{name}`, held now"));
    // Generate the files again from the stored transcript alone.
    let again = files(&kept[TRANSCRIPT]);
    let made = kept
        .into_iter()
        .filter(|(path, _)| path != TRANSCRIPT && path != "prompts.txt")
        .collect();
    same(&made, &again, &format!("the files of `{name}`, made again"));
}

/// The files generated from a transcript: all digests, and the most important files complete.
fn files(transcript: &str) -> Golden {
    let mut replay = Replay::default();
    for line in normal::whole(transcript).lines() {
        replay.apply(&serde_json::from_str(line).unwrap()).unwrap();
    }
    let made = artifact::render(&replay.state.unwrap()).unwrap();
    let digests: String = made
        .iter()
        .map(|file| format!("{}  {}\n", digest(&file.bytes), file.path))
        .collect();
    let is_read = |path: &str| path.ends_with(".md") || path.ends_with(".ai.json");
    let mut files: Golden = made
        .into_iter()
        .filter(|file| is_read(&file.path))
        .map(|file| (file.path, String::from_utf8(file.bytes).unwrap()))
        .collect();
    files.insert("files.txt".to_owned(), digests);
    files
}

/// The first half of a SHA-256 in hexadecimal.
fn digest(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    hash.iter().take(16).map(|b| format!("{b:02x}")).collect()
}

fn write(folder: &Path, files: &Golden) {
    // Remove files that are no longer generated.
    let _ = std::fs::remove_dir_all(folder);
    for (path, text) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

fn read(folder: &Path) -> Golden {
    let files = crate::support::binary::files_below(folder).into_iter();
    files
        .map(|(path, bytes)| (path, String::from_utf8(bytes).unwrap()))
        .collect()
}

/// Compares the files and names the first line that differs.
#[track_caller]
fn same(kept: &Golden, now: &Golden, what: &str) {
    let names = |files: &Golden| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(kept), names(now), "{what}: other files than kept");
    for (path, text) in kept {
        let (kept, now) = (text.lines(), now[path].lines());
        let mut pairs = (1..).zip(kept.clone().zip(now.clone()));
        if let Some((n, (kept, now))) = pairs.find(|(_, (kept, now))| kept != now) {
            panic!(
                "{what}: `{path}`, line {n}\nkept: {kept}\nnow:  {now}\nAITC_BLESS=1 accepts it"
            );
        }
        let counts = (kept.count(), now.count());
        assert_eq!(counts.0, counts.1, "{what}: lines of `{path}`");
    }
}
