//! Review in git: threads and approvals beside a version, what a revision makes of them, the
//! gate, and how branches merge.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::support::binary::{Place, Ran, git};

/// A place in git with a plan that Ann may review.
fn reviewed() -> Place {
    let place = Place::new();
    git(place.work(), &["init", "-q", "-b", "main"]);
    git(place.work(), &["config", "user.name", "Ann"]);
    git(place.work(), &["config", "user.email", "ann@example.com"]);
    let wish = "Add CSV export of orders with a date filter; only admins may export";
    place
        .run(&["plan", wish, "--questions", "assume", "-q"])
        .ends(0);
    commit(&place, "Ann", "Plan");
    place
}

/// Commits everything as somebody.
fn commit(place: &Place, author: &str, message: &str) {
    git(place.work(), &["add", "-A"]);
    let author = format!("{author} <{author}@example.com>");
    git(
        place.work(),
        &["commit", "-q", "-m", message, "--author", &author],
    );
}

fn json(ran: Ran) -> Value {
    serde_json::from_str(&ran.ends(0).out).unwrap()
}

/// Comments and returns the thread's id.
fn comment(place: &Place, words: &[&str]) -> String {
    let told = json(place.run_without_model(&[&["comment", "--json"], words].concat()));
    told["threads"][0]["thread"]["id"]
        .as_str()
        .unwrap()
        .to_owned()
}

fn threads(place: &Place, version: &str) -> Vec<Value> {
    let told = json(place.run_without_model(&["comment", "--list", version, "--json"]));
    told["threads"].as_array().unwrap().clone()
}

fn of<'v>(threads: &'v [Value], id: &str) -> &'v Value {
    let is_it = |one: &&Value| one["thread"]["id"] == id;
    threads.iter().find(is_it).unwrap()
}

fn review_file(place: &Place, version: &str, id: &str) -> PathBuf {
    place.outputs(&format!("{version}.review/{id}.yaml"))
}

#[test]
fn a_comment_is_a_file_and_what_is_done_to_it_a_line() {
    let place = reviewed();
    let id = comment(
        &place,
        &[
            "v1",
            "ac1",
            "Which accounts?",
            "--quote",
            "CSV export of orders",
        ],
    );
    let path = review_file(&place, "v1", &id);
    let before = std::fs::read_to_string(&path).unwrap();
    assert!(before.contains("item: \"AC-1\"\nquote: \"CSV export of orders\"\nauthor: \"Ann\"\n"));
    place
        .run_without_model(&["comment", "--reply", &id, "All of them", "--as", "Bob"])
        .ends(0);
    place
        .run_without_model(&["comment", "v1", "--decline", &id])
        .ends(0);
    let after = std::fs::read_to_string(&path).unwrap();
    assert_eq!(after.strip_prefix(&*before).unwrap().lines().count(), 2);
    let shown = threads(&place, "v1");
    assert_eq!(of(&shown, &id)["standing"], "declined");
    place
        .run_without_model(&["comment", "--reopen", &id])
        .ends(0);
    assert_eq!(threads(&place, "v1")[0]["standing"], "open");
    // An editor is as good as a command.
    let by_hand = "author: Cy\ntext: |\n  What of refunds?\n  Nobody says.\n";
    std::fs::write(place.outputs("v1.review/refunds.yaml"), by_hand).unwrap();
    let text = place.run_without_model(&["comment", "--list"]).ends(0).out;
    assert!(text.contains("refunds · open · the plan\n  Cy: What of refunds? Nobody says."));
    assert!(text.contains("AC-1 “CSV export of orders”") && text.contains("  Bob: All of them"));
    // The version itself is as it was.
    place.run_without_model(&["verify", "v1"]).ends(0);
}

#[test]
fn what_is_no_comment_is_told_and_nothing_is_written() {
    let place = reviewed();
    place
        .run_without_model(&["comment", "v1", "AC-99", "Why?"])
        .fails(2, &["E-item-unknown", "`AC-99`"]);
    place
        .run_without_model(&["comment", "v1", "AC-1", &"x".repeat(4001)])
        .fails(2, &["E-comment-long"]);
    place
        .run_without_model(&["comment", "v1", "AC-1", " "])
        .fails(2, &["E-text-missing"]);
    place
        .run_without_model(&["comment", "--reply", "../v1/manifest", "x"])
        .fails(2, &["E-thread-unknown"]);
    place
        .run_without_model(&["comment", "v7", "AC-1", "x"])
        .fails(2, &["E-version-missing"]);
    git(place.work(), &["config", "--unset", "user.name"]);
    place
        .run_without_model(&["comment", "v1", "Why?"])
        .fails(2, &["E-author-unknown", "--as"]);
    assert!(!place.outputs("v1.review").exists());
    // A file that nobody can read is not passed over, neither in the list nor by the gate.
    place.write(
        ".ai-tools-chain/planning_outputs/v1.review/odd.yaml",
        "author: a\ntext: b\nblock: yes\n",
    );
    for arguments in [
        &["comment", "--list"][..],
        &["check", "--approved"],
        &["revise", "v1"],
    ] {
        place
            .run(arguments)
            .fails(3, &["E-thread-file", "v1.review/odd.yaml:3"]);
    }
}

/// The plan is read all the same; who approved it and what blocks it is not made up.
#[test]
fn beside_comments_that_cannot_be_read_the_page_shows_the_plan() {
    let place = reviewed();
    comment(&place, &["v1", "AC-1", "Which encoding?"]);
    let odd = place.outputs("v1.review/odd.yaml");
    std::fs::write(odd, "comment: x\nauthor: [\n").unwrap();
    let page = place
        .run_without_model(&["export", "html", "v1"])
        .ends(0)
        .out;
    for shown in ["E-thread-file", "odd.yaml:", "Acceptance criteria"] {
        assert!(page.contains(shown), "{shown}");
    }
    for made_up in ["Which encoding?", "Nobody has approved"] {
        assert!(!page.contains(made_up), "{made_up}");
    }
    place
        .run_without_model(&["check", "v1", "--approved"])
        .fails(3, &["E-thread-file"]);
}

#[test]
fn secrets_and_what_nobody_sees_reach_no_file() {
    let place = reviewed();
    let key = "sk-proj-0123456789abcdefghijABCDEFGHIJ0123456789";
    let said = format!("It is {key}\u{1b}[31m\u{202e}, <!-- do as I say -->see?");
    let id = comment(&place, &["v1", "AC-1", &said]);
    let text = std::fs::read_to_string(review_file(&place, "v1", &id)).unwrap();
    for bad in [key, "\u{1b}", "\u{202e}", "do as I say"] {
        assert!(!text.contains(bad), "{bad:?} in {text}");
    }
}

#[test]
fn a_revision_takes_the_open_threads_and_each_shows_what_became_of_it() {
    let place = reviewed();
    let whole = comment(&place, &["v1", "Use XLSX: nobody reads CSV"]);
    let item = comment(&place, &["v1", "AC-2", "Support staff may export, too"]);
    let gone = comment(&place, &["v1", "Never mind"]);
    place
        .run_without_model(&["comment", "--withdraw", &gone])
        .ends(0);
    place
        .run(&["revise", "v1", "--questions", "assume", "-q"])
        .ends(0);
    let begun = &place.transcript("v2")[0];
    let feedback = begun["feedback"].as_array().unwrap();
    let taken: Vec<(&str, &str)> = feedback
        .iter()
        .map(|one| {
            (
                one["thread"].as_str().unwrap(),
                one["text"].as_str().unwrap(),
            )
        })
        .collect();
    // In the order of the plan: what stands on an item before what is about all of it.
    assert_eq!(
        taken,
        [
            (&*item, "Support staff may export, too (on AC-2)"),
            (&*whole, "Use XLSX: nobody reads CSV"),
        ]
    );
    let shown = threads(&place, "v1");
    for id in [&whole, &item] {
        let thread = of(&shown, id);
        assert_eq!(thread["standing"], "taken", "{thread:#}");
        assert_eq!(thread["answers"][0]["version"], "v2");
        assert_eq!(thread["answers"][0]["fate"], "changed");
    }
    assert_eq!(of(&shown, &gone)["standing"], "withdrawn");
    // Written once: the file says nothing of it.
    let text = std::fs::read_to_string(review_file(&place, "v1", &item)).unwrap();
    assert!(
        !text.contains("v2") && text.ends_with("replies:\n"),
        "{text}"
    );
    // What was taken is not taken again; what became of it is told.
    let told = [
        "E-threads-ended",
        "on v1",
        "2 addressed, 1 withdrawn",
        "--list",
    ];
    place.run(&["revise", "v1"]).fails(2, &told);
    place.run(&["revise", "v2"]).fails(2, &["E-text-missing"]);
    // With words of its own: both.
    let id = comment(&place, &["v2", "AC-1", "Log it"]);
    place
        .run(&[
            "revise",
            "v2",
            "Name the file.",
            "--questions",
            "assume",
            "-q",
        ])
        .ends(0);
    let begun = &place.transcript("v3")[0];
    let feedback = begun["feedback"].as_array().unwrap();
    assert_eq!(feedback.len(), 2, "{feedback:#?}");
    assert!(feedback[0].get("thread").is_none());
    assert_eq!(feedback[1]["thread"], *id);
    place.run_without_model(&["verify", "v3"]).ends(0);
}

/// The demo's plan, v1 and v2.
fn demo() -> Place {
    let place = Place::new();
    place
        .run_without_model(&["demo", "--no-input", "-q"])
        .ends(0);
    let work = place.work().join("aitc-demo");
    place.elsewhere(&work)
}

#[test]
fn a_row_takes_one_answer_however_often_it_is_named() {
    let place = demo();
    let revise = |more: &[&str]| {
        let words = ["revise", "v1", "--questions", "assume", "-q"];
        place.run(&[&words, more].concat())
    };
    revise(&["--decide", "1=b", "--decide", "1=c"]).fails(2, &["E-decide-twice", "row 1"]);
    revise(&["--decide", "1=b", "--decide", "1=B,1=b"]).ends(0);
    let begun = &place.transcript("v3")[0];
    assert_eq!(begun["feedback"].as_array().unwrap().len(), 1, "{begun:#}");
}

#[test]
fn a_thread_on_an_item_that_went_away_says_so() {
    let place = demo();
    let gone = comment(&place, &["v1", "C-3", "Is 14 days enough?", "--as", "Ann"]);
    let stays = comment(&place, &["v1", "C-1", "Who says so?", "--as", "Ann"]);
    let shown = threads(&place, "v1");
    assert_eq!(of(&shown, &gone)["gone_in"], "v2");
    assert!(of(&shown, &stays).get("gone_in").is_none());
    let listed = place
        .run_without_model(&["comment", "--list", "v1"])
        .ends(0)
        .out;
    assert!(listed.contains("  C-3 is gone in v2"), "{listed}");
}

#[test]
fn a_gate_wants_an_approval_of_these_bytes_and_no_thread_that_blocks() {
    let place = reviewed();
    let gate = || place.run_without_model(&["check", "v1", "--approved"]);
    assert!(gate().ends(12).out.contains("nobody has approved v1"));
    let id = comment(&place, &["v1", "AC-1", "Who?", "--blocking"]);
    place
        .run_without_model(&["approve", "v1", "--note", "Fine", "--as", "Bob"])
        .ends(0)
        .says(&["still fails", &id]);
    assert!(gate().ends(12).out.contains(&format!("thread {id} on v1")));
    place
        .run_without_model(&["comment", "--resolve", &id, "Admins"])
        .ends(0);
    assert!(gate().ends(0).out.contains("is not committed"));
    place
        .run_without_model(&["check", "v1", "--approved", "--strict"])
        .ends(12);
    commit(&place, "Bob", "Approve");
    let told = place
        .run_without_model(&["check", "v1", "--approved", "--strict"])
        .ends(0);
    assert!(
        told.out.contains("approved by Bob, committed by Bob"),
        "{told:#?}"
    );
    // Another byte, though the manifest is made to fit, is another plan.
    let report = place.outputs("v1/planning_report.md");
    let text = std::fs::read_to_string(&report).unwrap();
    std::fs::write(&report, format!("{text}More.\n")).unwrap();
    assert!(gate().ends(12).out.contains("not as it was published"));
    std::fs::write(&report, &text).unwrap();
    let manifest = place.outputs("v1/manifest.json");
    let bytes = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, bytes.replace("show damage", "shew damage")).unwrap();
    assert!(
        gate()
            .ends(12)
            .out
            .contains("has changed since Bob approved it")
    );
    std::fs::write(&manifest, bytes).unwrap();
    gate().ends(0);
    // A revision asks anew, and what blocks its origin blocks it as well.
    let id = comment(&place, &["v1", "Not yet", "--blocking"]);
    place
        .run(&["revise", "v1", "Log it", "--questions", "assume", "-q"])
        .ends(0);
    let late = comment(&place, &["v1", "And this", "--blocking"]);
    let told = place
        .run_without_model(&["check", "v2", "--approved"])
        .ends(12);
    assert!(told.out.contains("nobody has approved v2"), "{told:#?}");
    assert!(
        told.out.contains(&late) && !told.out.contains(&id),
        "{told:#?}"
    );
    place.run_without_model(&["approve", "v2"]).ends(0);
    // Threads that block do not go away with the version that they are on.
    let (v1, aside) = (place.outputs("v1"), place.outputs("aside"));
    std::fs::rename(&v1, &aside).unwrap();
    place
        .run_without_model(&["check", "v2", "--approved"])
        .fails(2, &["E-version-missing", "there is no v1"]);
    std::fs::rename(&aside, &v1).unwrap();
    place
        .run_without_model(&["comment", "--resolve", &late])
        .ends(0);
    let told = json(place.run_without_model(&["check", "v2", "--approved", "--json"]));
    assert_eq!(told["approval"]["approved"], true);
    assert_eq!(told["approval"]["approvals"][0]["by"], "Ann");
}

#[test]
fn an_approval_that_somebody_else_committed_is_told() {
    let place = reviewed();
    place
        .run_without_model(&["approve", "--as", "The boss"])
        .ends(0);
    commit(&place, "Mallory", "Approve");
    let told = place.run_without_model(&["check", "--approved"]).ends(0);
    assert!(told.out.contains("committed by Mallory"), "{told:#?}");
    // Nor does the repository itself say who somebody is.
    let renamed = "The boss <Mallory@example.com>\n";
    std::fs::write(place.work().join(".mailmap"), renamed).unwrap();
    let told = place.run_without_model(&["check", "--approved", "--strict"]);
    let told = told.ends(12);
    assert!(
        told.out.contains("not approved: the approval of The boss"),
        "{told:#?}"
    );
}

/// Nobody closes the gate for others by an approval that is worth nothing.
#[test]
fn one_approval_that_counts_is_enough_and_the_others_are_told() {
    let place = reviewed();
    place
        .run_without_model(&["approve", "--as", "The boss"])
        .ends(0);
    let older = format!("by: Cy\ntime: 2026-01-01\ndigest: \"{}\"\n", "0".repeat(64));
    place.write(
        ".ai-tools-chain/planning_outputs/v1.review/approved-cy.yaml",
        &older,
    );
    commit(&place, "Mallory", "Approve");
    let gate = || place.run_without_model(&["check", "--approved", "--strict"]);
    let told = gate().ends(12).out;
    let bad = [
        "the approval of The boss was committed by Mallory",
        "v1 has changed since Cy approved it",
    ];
    for bad in bad {
        assert!(told.contains(&format!("not approved: {bad}")), "{told}");
    }
    place.run_without_model(&["approve"]).ends(0);
    commit(&place, "Ann", "Approve");
    let told = gate().ends(0).out;
    assert!(told.contains("note: approved by Ann"), "{told}");
    for bad in bad {
        assert!(told.contains(&format!("note: {bad}")), "{told}");
    }
}

#[test]
fn only_its_author_takes_a_comment_back() {
    let place = reviewed();
    let id = comment(&place, &["v1", "AC-1", "Why?", "--as", "Bob", "--blocking"]);
    let file = review_file(&place, "v1", &id);
    let before = std::fs::read(&file).unwrap();
    let told = ["E-thread-of-other", "Bob", "not of Ann", "--reply"];
    let withdraw = |more: &[&str]| {
        let words = [&["comment", "v1", "--withdraw", &id], more].concat();
        place.run_without_model(&words)
    };
    withdraw(&[]).fails(2, &told);
    withdraw(&["Not so", "--as", "bob"]).fails(2, &told[..2]);
    assert_eq!(std::fs::read(&file).unwrap(), before);
    withdraw(&["--as", "Bob"]).ends(0);
    assert_eq!(of(&threads(&place, "v1"), &id)["standing"], "withdrawn");
}

#[test]
fn quoted_words_stand_in_the_plan() {
    let place = reviewed();
    let quoted = |words: &str| {
        let words = ["comment", "v1", "AC-1", "Which?", "--quote", words];
        place.run_without_model(&words)
    };
    quoted("nobody wrote this").fails(2, &["E-quote-unknown", "v1", "aitc show v1"]);
    quoted("…").fails(2, &["E-quote-unknown"]);
    assert!(!place.outputs("v1.review").exists());
    // As it lies in a file, as a reader sees it, and as the page alone has it.
    let report = place.text("v1/planning_report.md");
    let line = report
        .lines()
        .find(|line| line.contains("**AC-1**"))
        .unwrap();
    let read = line.replace("**", "").replace('|', "\t");
    for words in [line, &read, "Supported by PP"] {
        quoted(words).ends(0);
    }
    // By hand and from elsewhere it is kept, and told.
    place.write(
        ".ai-tools-chain/planning_outputs/v1.review/odd.yaml",
        "author: Cy\nquote: nobody wrote this\ntext: Why?\n",
    );
    let all = threads(&place, "v1");
    let missing = all.iter().filter(|one| one["quote_missing"] == true);
    let ids: Vec<&Value> = missing.map(|one| &one["thread"]["id"]).collect();
    assert_eq!(ids, ["odd"]);
    let listed = place.run_without_model(&["comment", "--list"]).ends(0).out;
    let page = place
        .run_without_model(&["export", "html", "v1"])
        .ends(0)
        .out;
    for text in [listed, page] {
        let count = text.matches("the quoted words do not stand in v1").count();
        assert_eq!(count, 1, "{text}");
    }
}

/// A commit whose signature does not fit what is in it.
#[test]
fn an_approval_with_a_bad_signature_does_not_count() {
    let place = reviewed();
    let key = place.home().join("key");
    let keygen = Command::new("ssh-keygen")
        .args(["-q", "-t", "ed25519", "-N", "", "-f"])
        .arg(&key)
        .status();
    if !keygen.is_ok_and(|ran| ran.success()) {
        eprintln!("skipped: no ssh-keygen");
        return;
    }
    let public = std::fs::read_to_string(key.with_extension("pub")).unwrap();
    let signers = place.home().join("signers");
    std::fs::write(&signers, format!("Ann@example.com {public}")).unwrap();
    for (name, value) in [
        ("gpg.format", "ssh"),
        ("user.signingkey", key.to_str().unwrap()),
        ("gpg.ssh.allowedSignersFile", signers.to_str().unwrap()),
        // What a repository says is run is not.
        ("gpg.ssh.program", "/bin/false"),
    ] {
        git(place.work(), &["config", name, value]);
    }
    place.run_without_model(&["approve"]).ends(0);
    git(place.work(), &["add", "-A"]);
    let author = "--author=Ann <Ann@example.com>";
    let sign = [
        "-c",
        "gpg.ssh.program=ssh-keygen",
        "commit",
        "-q",
        "-S",
        "-m",
        "Approve",
    ];
    git(place.work(), &[&sign[..], &[author]].concat());
    let told = place
        .run_without_model(&["check", "--approved", "--strict"])
        .ends(0);
    assert!(told.out.contains("signed by Ann@example.com"), "{told:#?}");
    // The same commit with other words has a signature that is not its own.
    let commit = git(place.work(), &["cat-file", "commit", "HEAD"]);
    let forged = place.home().join("commit");
    std::fs::write(&forged, commit.replace("Approve", "Forge it")).unwrap();
    let hash = git(
        place.work(),
        &[
            "hash-object",
            "-t",
            "commit",
            "-w",
            forged.to_str().unwrap(),
        ],
    );
    git(place.work(), &["reset", "-q", "--soft", hash.trim()]);
    let told = place.run_without_model(&["check", "--approved"]).ends(12);
    assert!(told.out.contains("bad signature"), "{told:#?}");
}

#[test]
fn branches_with_threads_and_approvals_merge_clean() {
    let place = reviewed();
    let shared = comment(&place, &["v1", "AC-1", "Which?"]);
    commit(&place, "Ann", "Ask");
    for who in ["Bob", "Cy"] {
        git(place.work(), &["switch", "-q", "-c", who, "main"]);
        for text in ["The first.\n\nOf all.", "And the second."] {
            place
                .run_without_model(&["comment", "--reply", &shared, text, "--as", who])
                .ends(0);
        }
        comment(&place, &["v1", "AC-1", "The same words", "--as", who]);
        place.run_without_model(&["approve", "--as", who]).ends(0);
        commit(&place, who, "Review");
    }
    git(place.work(), &["switch", "-q", "main"]);
    git(place.work(), &["merge", "-q", "Bob", "-m", "One"]);
    git(place.work(), &["merge", "-q", "Cy", "-m", "Other"]);
    let all = threads(&place, "v1");
    assert_eq!(all.len(), 3);
    let replies = of(&all, &shared)["thread"]["replies"].as_array().unwrap();
    let who: Vec<&str> = replies
        .iter()
        .map(|it| it["author"].as_str().unwrap())
        .collect();
    assert_eq!(who, ["Bob", "Bob", "Cy", "Cy"], "{replies:#?}");
    assert_eq!(replies[0]["text"], "The first.\n\nOf all.");
    let told = json(place.run_without_model(&["check", "--approved", "--strict", "--json"]));
    assert_eq!(told["approval"]["approvals"].as_array().unwrap().len(), 2);
}

#[test]
fn comments_of_a_pull_request_become_threads_once() {
    let place = reviewed();
    let report = place.text("v1/planning_report.md");
    let at = |word: &str| 1 + report.lines().position(|line| line.contains(word)).unwrap();
    let path = ".ai-tools-chain/planning_outputs/v1/planning_report.md";
    let mut comments = serde_json::json!([
        {"id": 1, "user": {"login": "bob"}, "body": "Which <b>one</b>?", "path": path,
         "line": at("**AC-1**"), "side": "RIGHT", "created_at": "2026-01-01T00:00:00Z"},
        {"id": 2, "user": {"login": "cy"}, "body": "Both.", "in_reply_to_id": 1,
         "path": path, "created_at": "2026-01-02T00:00:00Z"},
        {"id": 3, "user": {"login": "bob"}, "body": "A nit.", "path": "src/main.rs", "line": 1},
        {"id": 4, "user": {"login": "bob"}, "body": "Ask the lawyers.",
         "state": "CHANGES_REQUESTED", "submitted_at": "2026-01-03T00:00:00Z"},
    ]);
    let import = |comments: &Value| {
        place.write("review.json", &comments.to_string());
        let arguments = ["comment", "v1", "--from-review", "review.json"];
        place.run_without_model(&arguments).ends(0).out
    };
    assert!(import(&comments).starts_with("2 taken, 0 there already, 1 on other"));
    let all = threads(&place, "v1");
    let first = &of(&all, "gh-1")["thread"];
    assert_eq!(
        (&first["item"], &first["author"]),
        (&"AC-1".into(), &"bob".into())
    );
    assert!(first["quote"].as_str().unwrap().contains("**AC-1**"));
    assert_eq!(first["replies"][0]["text"], "Both.");
    assert_eq!(of(&all, "gh-4")["thread"]["blocking"], true);
    let more = serde_json::json!({"id": 5, "user": {"login": "ann"}, "body": "So be it.",
        "in_reply_to_id": 1, "path": path, "created_at": "2026-01-04T00:00:00Z"});
    comments.as_array_mut().unwrap().push(more);
    assert!(import(&comments).starts_with("0 taken, 2 there already"));
    let all = threads(&place, "v1");
    let replies = of(&all, "gh-1")["thread"]["replies"].as_array().unwrap();
    assert_eq!(replies.len(), 2, "{replies:#?}");
    place.write("review.json", "{\"message\": \"Not Found\"}");
    place
        .run_without_model(&["comment", "--from-review", "review.json"])
        .fails(3, &["E-comments-foreign", "no list"]);
}

#[test]
fn comments_that_nobody_could_read_are_not_taken_and_no_other_is_lost() {
    let place = reviewed();
    let long = "9".repeat(300);
    let comments = serde_json::json!([
        {"id": 1, "user": {"login": "eve"}, "body": "\u{200b}"},
        {"id": 2, "user": {"login": ""}, "body": "Why?", "created_at": long},
        {"id": 3, "user": {"login": "eve"}, "body": " \u{feff}", "in_reply_to_id": 2},
        {"id": 4, "user": {"login": "bob"}, "body": "To what is gone.", "in_reply_to_id": 77},
        {"user": {"login": "cy"}, "body": "It has no id."},
        {"user": {"login": "cy"}, "body": "Nor has this."},
    ]);
    place.write("review.json", &comments.to_string());
    let arguments = ["comment", "v1", "--from-review", "review.json"];
    let told = place.run_without_model(&arguments).ends(0).out;
    assert!(told.starts_with("4 taken, 0 there already"), "{told}");
    let told = place.run_without_model(&arguments).ends(0).out;
    assert!(told.starts_with("0 taken, 4 there already"), "{told}");
    let all = threads(&place, "v1");
    let thread = &of(&all, "gh-2")["thread"];
    assert_eq!(thread["author"], "gh");
    assert_eq!(thread["replies"], serde_json::json!([]));
    assert_eq!(of(&all, "gh-4")["thread"]["text"], "To what is gone.");
}

#[test]
fn a_version_takes_no_more_threads_than_are_read() {
    let place = reviewed();
    for n in 0..500 {
        let path = format!("v1.review/t{n}.yaml");
        place.write(
            &format!(".ai-tools-chain/planning_outputs/{path}"),
            "author: a\ntext: b\n",
        );
    }
    place
        .run_without_model(&["comment", "v1", "One more"])
        .fails(3, &["E-thread-file", "500 files at most"]);
    assert_eq!(threads(&place, "v1").len(), 500);
    let folder = review_file(&place, "v1", "t0");
    std::fs::rename(&folder, folder.with_extension("yml")).unwrap();
    place
        .run_without_model(&["check", "v1", "--approved"])
        .fails(3, &["E-thread-file", "v1.review/t0.yml"]);
}

#[test]
fn what_is_said_now_comes_last_whatever_other_clocks_say() {
    let place = reviewed();
    let id = comment(&place, &["v1", "--blocking", "Ask the lawyers"]);
    let file = review_file(&place, "v1", &id);
    let ahead = "- {author: x, time: \"2099-01-01T00:00:00Z\", state: taken}\n";
    std::fs::write(&file, std::fs::read_to_string(&file).unwrap() + ahead).unwrap();
    assert_eq!(of(&threads(&place, "v1"), &id)["standing"], "taken");
    let arguments = ["comment", "v1", "--reopen", &id];
    place.run_without_model(&arguments).ends(0);
    assert_eq!(of(&threads(&place, "v1"), &id)["standing"], "open");
}

#[test]
fn replies_of_many_at_once_are_all_kept() {
    let place = reviewed();
    let id = comment(&place, &["v1", "AC-1 is not enough"]);
    assert_eq!(
        of(&threads(&place, "v1"), &id)["thread"]["item"],
        Value::Null
    );
    std::thread::scope(|scope| {
        for n in 0..8 {
            let (place, id) = (&place, &id);
            scope.spawn(move || {
                let text = format!("Reply {n}");
                let arguments = ["comment", "v1", "--reply", id, &text];
                place.run_without_model(&arguments).ends(0);
            });
        }
    });
    let all = threads(&place, "v1");
    let replies = of(&all, &id)["thread"]["replies"].as_array().unwrap();
    assert_eq!(replies.len(), 8, "{replies:#?}");
}

#[test]
fn two_branches_that_made_the_same_version_are_told_what_to_do() {
    let place = reviewed();
    for who in ["Bob", "Cy"] {
        git(place.work(), &["switch", "-q", "-c", who, "main"]);
        let wish = format!("Do it as {who} wants");
        place
            .run(&["revise", "v1", &wish, "--questions", "assume", "-q"])
            .ends(0);
        commit(&place, who, "Revise");
    }
    let merge = Command::new("git")
        .current_dir(place.work())
        .args(["merge", "-q", "Bob"])
        .output()
        .unwrap();
    assert!(!merge.status.success(), "two plans are no plan");
    let told = [
        "two branches each made a v2",
        "git restore --source=HEAD",
        "--series",
    ];
    place.run_without_model(&["status"]).says(&told);
    let checked = place
        .run_without_model(&["check", "v2", "--approved"])
        .ends(12);
    let verified = place.run_without_model(&["verify", "v2"]).ends(12);
    for part in told {
        assert!(checked.out.contains(part), "{checked:#?}");
        assert!(verified.out.contains(part), "{verified:#?}");
    }
    place
        .run_without_model(&["approve", "v2"])
        .fails(2, &["E-approve-other", told[0]]);
    // What is told helps.
    let folder = ".ai-tools-chain/planning_outputs/v2";
    let keep = ["restore", "--source=HEAD", "--staged", "--worktree", folder];
    git(place.work(), &keep);
    git(place.work(), &["commit", "-q", "-m", "Keep one"]);
    place.run_without_model(&["verify", "v2"]).ends(0);
    place
        .run(&[
            "revise",
            "v2",
            "Do it as Bob wants",
            "--questions",
            "assume",
            "-q",
        ])
        .ends(0);
}

#[test]
fn a_series_counts_apart_and_is_named_everywhere() {
    let place = reviewed();
    let wish = "Bill each order once";
    for (branch, series) in [("billing", "billing"), ("search", "search")] {
        git(place.work(), &["switch", "-q", "-c", branch, "main"]);
        let told = place
            .run(&["plan", wish, "--series", series, "--questions", "assume"])
            .ends(0);
        let path = format!(".ai-tools-chain/planning_outputs/{series}/v1");
        assert!(told.out.contains(&path), "{told:#?}");
        let heading = format!("Workshop {series}/v1");
        assert!(told.err.contains(&heading), "{told:#?}");
        let state = place.text(&format!("{series}/v1/state.md"));
        assert!(state.contains(&format!("# {heading}: ")), "{state}");
        commit(&place, "Ann", "Plan apart");
    }
    git(place.work(), &["merge", "-q", "billing", "-m", "Both"]);
    let status = place.run_without_model(&["status"]).ends(0).out;
    for name in ["billing/v1", "search/v1", "\nv1"] {
        assert!(format!("\n{status}").contains(name), "{status}");
    }
    place.run_without_model(&["verify", "billing/v1"]).ends(0);
    let report = place.text("billing/v1/planning_report.md");
    assert!(report.contains("`aitc revise billing/v1 "), "{report}");
    let id = comment(&place, &["billing/v1", "AC-1", "Twice is a crime"]);
    assert!(review_file(&place, "billing/v1", &id).exists());
    place.run_without_model(&["approve", "billing/v1"]).ends(0);
    place
        .run_without_model(&["check", "billing/v1", "--approved"])
        .ends(0);
    let revised = place
        .run(&["revise", "billing/v1", "--questions", "assume", "-q"])
        .ends(0);
    assert_eq!(revised.out, ".ai-tools-chain/planning_outputs/billing/v2\n");
    let shown = threads(&place, "billing/v1");
    assert_eq!(of(&shown, &id)["answers"][0]["version"], "billing/v2");
    // It is compared with the plan that it revises, not with one of the same number.
    let diff = json(place.run_without_model(&["diff", "billing/v2", "--json"]));
    assert_eq!(diff["diff"]["one_line"], true, "{diff:#}");
    // The plans beside it are counted as before.
    let plain = place
        .run(&["plan", wish, "--questions", "assume", "-q"])
        .ends(0);
    assert_eq!(plain.out, ".ai-tools-chain/planning_outputs/v2\n");
    for name in ["team", "v1", "Pay", "a/b", "2nd", ""] {
        place
            .run(&["plan", wish, "--series", name])
            .fails(2, &["E-argument-value"]);
    }
    place
        .run(&["plan", "@board Which?", "--series", "billing"])
        .fails(2, &["--series"]);
}
