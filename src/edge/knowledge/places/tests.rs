#![allow(clippy::unwrap_used, clippy::expect_used)]
use std::fs;
use std::path::{Path, PathBuf};

use super::super::tests::search;
use super::super::{InquiryResult, Search};
use crate::machine::inquiry::MAX_FINDS;
use crate::machine::{Excerpt, Inquiry, InquiryId, IssueId, QuestionId, Survey};
use crate::role::RoleId;

fn put(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn raised<'s>(n: u32, by: &'s RoleId, text: &'s str, why: &'s str) -> Inquiry<'s> {
    Inquiry {
        id: InquiryId::Question(QuestionId(n)),
        by,
        texts: [text, why],
    }
}

fn inquire(
    root: &Path,
    knowledge: &[PathBuf],
    survey: Option<&Survey>,
    raised: &[Inquiry<'_>],
    redact: &dyn Fn(&str) -> String,
) -> InquiryResult {
    let search = Search {
        redact,
        ..search(root, knowledge)
    };
    search.inquire(survey, raised).unwrap()
}

/// Search results for one question, with no earlier results.
fn found(root: &Path, text: &str, why: &str) -> Vec<Excerpt> {
    let by = RoleId::from("PP");
    inquire(
        root,
        &[],
        None,
        &[raised(1, &by, text, why)],
        &str::to_owned,
    )
    .looked
    .remove(0)
    .finds
}

const UPLOADS: &str = "\
# Operations

Backups run at night.

## Uploads

A file that is uploaded may hold at most 20 MB.
Larger ones are refused with 413.

## Mail
";

fn shop() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "docs/operations.md", UPLOADS);
    put(
        folder.path(),
        "src/mail.rs",
        "fn send() {}\nfn large() {}\n",
    );
    put(folder.path(), ".env", "UPLOAD_MAX=20 MB\n");
    folder
}

#[test]
fn the_lines_that_hold_the_words_of_a_question_together_are_found() {
    let folder = shop();
    let found = found(
        folder.path(),
        "How large may an uploaded file be?",
        "Decides where it is checked.",
    );
    let lines = "A file that is uploaded may hold at most 20 MB.\n\
                 Larger ones are refused with 413.";
    let wanted = Excerpt {
        path: "docs/operations.md".to_owned(),
        from: 7,
        to: 8,
        text: lines.to_owned(),
    };
    assert_eq!(found, [wanted]);
}

/// `large` is in `src/mail.rs`, which has nothing to do with uploads.
#[test]
fn one_word_in_common_is_no_find_unless_its_file_is_named() {
    let folder = shop();
    let root = folder.path();
    assert_eq!(found(root, "Is a large pool needed?", "For swimmers."), []);
    let named = found(root, "Is mail.rs large enough?", "For swimmers.");
    assert_eq!(named[0].path, "src/mail.rs");
    let chinese = "# 上传\n\n单个上传文件的大小上限为 20 MB。\n";
    put(root, "docs/上传.md", chinese);
    let found = found(root, "上传文件的大小上限是多少？", "决定在哪里检查。");
    assert_eq!(found[0].path, "docs/上传.md");
    assert!(found[0].text.contains("上限为 20 MB"), "{found:?}");
}

#[test]
fn a_long_line_is_shown_from_its_telling_sentence_on_and_no_place_is_long() {
    let folder = tempfile::tempdir().unwrap();
    let filler = "Nothing of it matters here at all. ".repeat(40);
    let line = format!("{filler}An uploaded file holds 20 MB. {filler}\n");
    put(
        folder.path(),
        "a.md",
        &format!("{filler}\n{line}{filler}\n"),
    );
    let found = found(folder.path(), "How many MB may an uploaded file hold?", "");
    assert_eq!((found[0].from, found[0].to), (2, 2));
    assert!(found[0].text.starts_with("An uploaded file holds 20 MB."));
    assert!(found[0].text.chars().count() <= 480, "{}", found[0].text);
}

#[test]
fn what_the_survey_shows_whole_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    put(root, "src/upload.rs", "fn upload_limit() {}\n");
    put(root, "notes/upload.md", "The upload limit is 20 MB.\n");
    let by = RoleId::from("PP");
    let asked = raised(1, &by, "What is the upload limit?", "");
    let finds = |requirement: &str| {
        let notes = [PathBuf::from("notes")];
        let known = search(root, &notes)
            .survey(requirement, 2_000)
            .unwrap()
            .survey;
        let found = inquire(
            root,
            &[PathBuf::from("notes")],
            Some(&known),
            &[asked],
            &str::to_owned,
        );
        assert_eq!(found.files, 2, "a folder in the repository counts once");
        let finds = &found.looked[0].finds;
        let paths: Vec<String> = finds.iter().map(|find| find.path.clone()).collect();
        paths
    };
    let mut all = finds("Send mails");
    all.sort();
    assert_eq!(all, ["notes/upload.md", "src/upload.rs"]);
    assert_eq!(finds("Raise the upload limit"), [] as [&str; 0]);
}

/// The best find of each topic comes first, so that a question does not crowd out an issue.
#[test]
fn the_topics_of_a_member_share_what_one_inquiry_holds() {
    let folder = tempfile::tempdir().unwrap();
    for n in 0..9 {
        let text = format!("Uploaded files are limited, {n}.\nBackup files are kept {n} days.\n");
        put(folder.path(), &format!("docs/{n}.md"), &text);
    }
    let [first, second] = ["PP", "SD"].map(RoleId::from);
    let issue = Inquiry {
        id: InquiryId::Issue(IssueId(2)),
        ..raised(2, &first, "How many days are backup files kept?", "")
    };
    let topics = [
        raised(1, &first, "Are uploaded files limited?", ""),
        issue,
        raised(3, &second, "Are uploaded files limited?", ""),
    ];
    let found = inquire(folder.path(), &[], None, &topics, &str::to_owned);
    let counts: Vec<usize> = found.looked.iter().map(|one| one.finds.len()).collect();
    assert_eq!(counts, [3, 2, MAX_FINDS]);
    assert_eq!(
        found,
        inquire(folder.path(), &[], None, &topics, &str::to_owned)
    );
}

#[test]
fn files_of_secrets_are_not_looked_into() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), ".env", "UPLOAD_LIMIT=20\n");
    put(folder.path(), "upload.pem", "upload limit\n");
    assert_eq!(found(folder.path(), "What is the upload limit?", ""), []);
}

/// Excerpts are cut, and half a secret would not be recognised.
#[test]
fn secrets_go_before_anything_is_cut() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let token = format!("ghp_{}", "a1B2".repeat(9));
    let body = "MIIEowIBAAKCAQEAsecretbody1secretbody2secretbody3\n".repeat(3);
    put(
        root,
        "docs/key.md",
        &format!(
            "Nightly missed runs are joined.\n-----BEGIN RSA PRIVATE KEY-----\n{body}c2hvcnQ=\n\
             -----END RSA PRIVATE KEY-----\nAnother missed nightly run.\n"
        ),
    );
    put(
        root,
        "docs/cut.md",
        &format!("-----BEGIN PRIVATE KEY-----\n{body}nightly missed runs, and no end\n"),
    );
    let padding = "x ".repeat(180);
    put(
        root,
        "docs/long.md",
        &format!("Nightly missed runs. {padding} {token} and more words to come\n"),
    );
    let redact = |text: &str| text.replace(&token, "[redacted]");
    let by = RoleId::from("PP");
    let question = raised(1, &by, "Are nightly missed runs joined?", "");
    let found = inquire(root, &[], None, &[question], &redact);
    let texts: Vec<_> = found.looked[0].finds.iter().map(|f| &f.text).collect();
    assert_eq!(texts.len(), 3, "{texts:#?}");
    let all = format!("{texts:?}");
    for part in ["secretbody", "c2hvcnQ", "ghp_", "a1B2"] {
        assert!(!all.contains(part), "{part} in {all}");
    }
    assert!(all.contains("private key"), "{all}");
    // Lines keep their numbers.
    let whole = std::fs::read_to_string(root.join("docs/key.md")).unwrap();
    let masked = super::super::without_private_keys(whole.clone());
    assert_eq!(masked.lines().count(), whole.lines().count());
    assert!(masked.ends_with("Another missed nightly run.\n"));
}
