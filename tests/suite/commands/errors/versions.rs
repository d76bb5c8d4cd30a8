//! Errors about versions, and about runs that wait.

use std::path::Path;

use aitc::edge::journal::TRANSCRIPT;

use super::{OUTPUTS, Row, Sandbox, Seen, all, produces, status};

/// Errors about a version that is there, whole or damaged.
pub(super) fn of_versions(seen: &mut Seen) {
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
    let of_boards = sandbox
        .folder
        .path()
        .join("work/.ai-tools-chain/board_outputs");
    let of_board = std::fs::read_to_string(of_boards.join("v2").join(TRANSCRIPT)).unwrap();
    std::fs::remove_dir_all(of_boards).unwrap();
    let inside = ".ai-tools-chain/planning_outputs/x";
    let rows: &[Row<'_>] = &[
        (&["show", "v7"], "E-version-missing", "2"),
        (&["diff"], "E-version-first", "2"),
        (&["verify", "v1", "--repair"], "E-version-published", "2"),
        (&["verify", "--out", "there"], "E-out-exists", "2"),
        (
            &["export", "csv", "--out", "there/planning_report.md"],
            "E-out-exists",
            "2",
        ),
        (&["verify", "--out", inside], "E-out-among-versions", "2"),
        (&["show", "I-99"], "E-issue-missing", "2"),
        (&["show", "round", "99"], "E-round-missing", "2"),
        (&["show", "D-9"], "E-debate-missing", "2"),
        (&["why", "AC-99"], "E-id-unknown", "2"),
        (&["say", "x", "--run", "v1"], "E-run-complete", "2"),
        (&["resume", "v1"], "E-run-complete", "2"),
        (&["resume", "v9"], "E-version-missing", "2"),
    ];
    all(&sandbox, rows, seen);
    let outputs = sandbox.folder.path().join(OUTPUTS);
    let transcript = |version: &str| outputs.join(version).join(TRANSCRIPT);
    let whole = std::fs::read_to_string(transcript("v1")).unwrap();
    copied_and_renamed(&sandbox, &outputs, seen);
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
    let rows: &[Row<'_>] = &[
        (&["status", "v2"], "E-transcript-missing", "10"),
        (&["status", "v3"], "E-transcript-empty", "10"),
        (&["status", "v4"], "E-transcript-damaged", "10"),
    ];
    all(&sandbox, rows, seen);
    for gone in ["v3", "v4"] {
        std::fs::remove_dir_all(outputs.join(gone)).unwrap();
    }
    let report = std::fs::read(outputs.join("v1/planning_report.md")).unwrap();
    std::fs::write(outputs.join("v1/planning_report.md"), "mine").unwrap();
    let revise: Row<'_> = (&["revise", "v1", "more"], "E-version-tampered", "10");
    all(&sandbox, &[revise], seen);
    std::fs::write(outputs.join("v1/planning_report.md"), report).unwrap();
    std::fs::write(transcript("v1"), lines[..lines.len() - 1].concat()).unwrap();
    let rows: &[Row<'_>] = &[
        (&["revise", "v1", "more"], "E-version-cut", "10"),
        (&["status", "v1"], "E-version-cut", "10"),
    ];
    all(&sandbox, rows, seen);
    // The transcript of a board gives no report of a plan.
    with("v2", Some(&of_board));
    let export: Row<'_> = (&["export", "md", "v2"], "E-version-incomplete", "10");
    all(&sandbox, &[export], seen);
}

/// A version under another number is none of that number, whoever asks.
fn copied_and_renamed(sandbox: &Sandbox, outputs: &Path, seen: &mut Seen) {
    copy(&outputs.join("v1"), &outputs.join("v5"));
    let rows: &[Row<'_>] = &[
        (&["status", "v5"], "E-version-renamed", "10"),
        (&["diff", "v1", "v5"], "E-version-renamed", "10"),
        (&["revise", "v5", "more"], "E-version-renamed", "10"),
    ];
    all(sandbox, rows, seen);
    for line in [["check", "v5"], ["show", "v5"]] {
        let told = sandbox.run(&line);
        assert_eq!(status(&told), "10", "{told}");
    }
    let listed = sandbox.run(&["list"]);
    assert_eq!(status(&listed), "10", "{listed}");
    assert!(listed.contains("v5 holds v1, not v5"), "{listed}");
    let verified = sandbox.run(&["verify", "v5"]);
    assert_eq!(status(&verified), "12", "{verified}");
    assert!(
        verified.contains("it is that of v1, the folder is called v5"),
        "{verified}"
    );
    // Whoever changes the manifest, too, has not changed the first line.
    let manifest = outputs.join("v5/manifest.json");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, text.replace("\"version\": 1", "\"version\": 5")).unwrap();
    let verified = sandbox.run(&["verify", "v5"]);
    assert_eq!(status(&verified), "12", "{verified}");
    assert!(verified.contains("holds v1, not v5"), "{verified}");
    std::fs::remove_dir_all(outputs.join("v5")).unwrap();
    // Renamed: the way out is to give it its name back.
    std::fs::rename(outputs.join("v1"), outputs.join("v6")).unwrap();
    all(
        sandbox,
        &[(&["status", "v6"], "E-version-renamed", "10")],
        seen,
    );
    std::fs::rename(outputs.join("v6"), outputs.join("v1")).unwrap();
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

/// With two drafts a hint that names none would only be refused.
fn names_the_run(sandbox: &Sandbox) {
    for (line, hint) in [
        (&["status", "v2"][..], "\" --run v2"),
        (&["questions", "v2"], "\" --run v2"),
        (&["status", "v2", "--json"], "\\\" --run v2"),
        (
            &["resume", "v2", "--questions", "pause"],
            "\" --run v2`, then: aitc resume v2",
        ),
        (&["resume"], "fix: name it: aitc resume v1"),
        (
            &["answer", "Q-1", "x"],
            "fix: name it: aitc answer Q-1 \"…\" --run v1",
        ),
        (
            &["answer", "--recommended", "--all"],
            "fix: name it: aitc answer --recommended --all --run v1",
        ),
        (&["say", "x"], "fix: name it: aitc say \"…\" --run v1"),
        (&["debate", "x"], "fix: name it: aitc debate \"…\" --run v1"),
        (&["stop"], "fix: name it: aitc stop --run v1"),
    ] {
        let told = sandbox.run(line);
        assert!(told.contains(hint), "{line:?}: {told}");
    }
}

/// Errors about a run that waits.
pub(super) fn of_runs(seen: &mut Seen) {
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
        (
            &["say", "/show report", "--run", "v1"],
            "E-slash-elsewhere",
            "2",
        ),
        (
            &["say", "@board[PP] Which store?", "--run", "v1"],
            "E-format-elsewhere",
            "2",
        ),
        (&["debate", "x", "--run", "v2"], "E-debate-no-room", "2"),
        (
            &["debate", "I-99 why", "--run", "v2"],
            "E-debate-not-open",
            "2",
        ),
        (&["show", "v1", "design"], "E-part-not-written", "2"),
        (&["show", "v1", "report", "more"], "E-part-unknown", "2"),
    ];
    all(&sandbox, one, seen);
    names_the_run(&sandbox);
    let outputs = sandbox.folder.path().join(OUTPUTS);
    std::fs::create_dir(outputs.join("v9.draft")).unwrap();
    produces(&sandbox, &["status", "v9"], "E-draft-empty", "2", seen);
    for words in [&["revise", "v9", "x"][..], &["export", "md", "v9"]] {
        produces(&sandbox, words, "E-version-draft", "2", seen);
    }
    // What was cut off is there still, and stays whatever is asked for.
    let draft = sandbox.folder.path().join(OUTPUTS).join("v8.draft");
    std::fs::create_dir_all(&draft).unwrap();
    std::fs::write(draft.join("planning_transcript.damaged-1"), "said").unwrap();
    std::fs::write(draft.join(TRANSCRIPT), "").unwrap();
    for line in [&["status", "v8"][..], &["verify", "v8", "--repair"]] {
        produces(&sandbox, line, "E-transcript-lost", "10", seen);
    }
    let kept = std::fs::read_to_string(draft.join("planning_transcript.damaged-1"));
    assert_eq!(kept.unwrap(), "said");
    std::fs::write(outputs.join("v1.draft/questions.md"), "## Q-1\n\n").unwrap();
    produces(&sandbox, &["resume", "v1"], "E-questions-file", "3", seen);
    sandbox.write("work/.ai-tools-chain/diligence.md", "Go on.");
    produces(&sandbox, &["resume", "v2"], "E-inputs-drifted", "10", seen);
    left_open(plan, seen);
}

/// A question that a stop left without an answer waits nowhere any more.
fn left_open(plan: &[&str], seen: &mut Seen) {
    let sandbox = Sandbox::new();
    for (line, code) in [(plan, 8), (&["stop"], 0), (&["resume", "-q"], 7)] {
        let done = sandbox.command(line).output().unwrap();
        assert_eq!(done.status.code(), Some(code), "{line:?}: {done:?}");
    }
    let answer: &[&str] = &["answer", "Q-1", "As rows."];
    produces(&sandbox, answer, "E-question-left-open", "2", seen);
    for (line, told) in [("list", "no answer Q-1"), ("status", "no answer Q-1")] {
        let told_now = sandbox.command(&[line]).output().unwrap();
        let text = String::from_utf8(told_now.stdout).unwrap();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(told) && !text.contains("waiting"), "{text}");
    }
}
