//! A draft and a published version of one number, as branches that meet bring them, and
//! drafts whose record is lost.

use std::fs;

use super::*;

const REQUIREMENT: &str = "Export the customer list as CSV. Only administrators may export.";
const OUTPUTS: &str = "work/.ai-tools-chain/planning_outputs";

/// A workspace whose v1 is published, and a draft of the same number from another branch
/// that waits for answers.
fn both() -> (Sandbox, std::path::PathBuf) {
    let (here, there) = (Sandbox::new(), Sandbox::new());
    here.run(&["plan", REQUIREMENT, "--questions", "assume", "-q"]);
    there.run(&[
        "plan",
        "Send reminders for invoices",
        "--questions",
        "pause",
        "-q",
    ]);
    let draft = there.folder.path().join(OUTPUTS).join("v1.draft");
    let outputs = here.folder.path().join(OUTPUTS);
    copy(&draft, &outputs.join("v1.draft"));
    (here, outputs)
}

fn copy(from: &std::path::Path, to: &std::path::Path) {
    for file in walkdir::WalkDir::new(from) {
        let file = file.unwrap();
        let target = to.join(file.path().strip_prefix(from).unwrap());
        match file.file_type().is_dir() {
            true => fs::create_dir_all(target).unwrap(),
            false => drop(fs::copy(file.path(), target).unwrap()),
        }
    }
}

#[test]
fn who_names_a_version_means_the_published_one() {
    let (sandbox, outputs) = both();
    let report = outputs.join("v1/planning_report.md");
    let text = fs::read_to_string(&report).unwrap();
    assert!(sandbox.run(&["show", "v1"]).contains("# "));
    fs::write(&report, text.replace("agreed", "AGREED")).unwrap();
    for command in ["verify", "check"] {
        let block = sandbox.run(&[command, "v1"]);
        assert_eq!(status(&block), "12", "{command}: {block}");
    }
    // Without a name what is published is judged, too.
    let block = sandbox.run(&["check"]);
    assert_eq!(status(&block), "12", "{block}");
    let list = sandbox.run(&["list"]);
    assert!(list.contains("draft"), "{list}");
}

#[test]
fn an_unfinished_run_does_not_stand_in_for_what_is_published() {
    let sandbox = Sandbox::new();
    sandbox.run(&["plan", REQUIREMENT, "--questions", "assume", "-q"]);
    sandbox.run(&[
        "plan",
        "Send reminders for invoices",
        "--questions",
        "pause",
        "-q",
    ]);
    let checked = sandbox.run(&["check", "--json"]);
    assert!(
        checked.contains("\"version\":1") || checked.contains("\"version\": 1"),
        "{checked}"
    );
    let named = sandbox.run(&["check", "v2", "--json"]);
    assert!(
        named.contains("\"draft\":true") || named.contains("\"draft\": true"),
        "{named}"
    );
}

/// What is paid for has to have a place to go: the run is refused before it asks anything.
#[test]
fn a_draft_whose_number_is_taken_is_not_gone_on_with() {
    let (sandbox, outputs) = both();
    let transcript = outputs.join("v1.draft/planning_transcript.jsonl");
    let before = fs::read(&transcript).unwrap();
    let block = sandbox.run(&["resume", "--questions", "assume"]);
    assert_fails(&block, "2", &["E-version-twice", "aitc revise v1", "mv "]);
    assert_eq!(fs::read(&transcript).unwrap(), before);
}

/// A draft whose record is lost still holds what was said and what somebody filled in.
#[test]
fn repair_removes_no_speech_and_no_answer() {
    for lost in ["", "{\"v\":1,\"seq\":1,\"ts\":\"20"] {
        let sandbox = Sandbox::new();
        sandbox.run(&["plan", REQUIREMENT, "--questions", "pause", "-q"]);
        let draft = sandbox.folder.path().join(OUTPUTS).join("v1.draft");
        fs::write(draft.join("planning_transcript.jsonl"), lost).unwrap();
        for arguments in [
            &["verify", "--repair"][..],
            &["verify", "v1"],
            &["verify", "v1", "--repair"],
            &["resume", "v1"],
        ] {
            let block = sandbox.run(arguments);
            assert_fails(
                &block,
                "10",
                &["E-transcript-lost", "questions.md", "speeches"],
            );
        }
        // Nor does a new run clear it away.
        let list = sandbox.run(&["list"]);
        assert!(
            list.contains("questions.md") && !list.contains("removes it"),
            "{list}"
        );
        sandbox.run(&["plan", REQUIREMENT, "--questions", "assume", "-q"]);
        assert!(draft.join("questions.md").exists());
    }
}
