//! Looks at real files, and at files that must not be visible.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::tests::search;
use super::super::text_of;
use super::*;

const MAIN: &str = "//! The program.\n\nuse std::io;\n\n/// Opens a table.\npub fn open(path: &str) -> io::Result<Table> {\n    let table = Table::load(path)?;\n    Ok(table)\n}\n\nfn main() {\n    open(\"a\");\n}\n";
const TABLE: &str = "pub struct Table {\n    rows: Vec<Row>,\n}\n\nimpl Table {\n    pub fn load(path: &str) -> Self {\n        todo(path)\n    }\n}\n";

fn tree() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in [
        ("src/main.rs", MAIN),
        ("src/table.rs", TABLE),
        (
            "README.md",
            "# Tables\n\nHow a table is opened.\n\n## Limits\n\nUp to 10,000 rows are loaded at once.\n",
        ),
        (".gitignore", "secret-plans.txt\n"),
        ("secret-plans.txt", "open sesame\n"),
        ("deploy.key", "open key\n"),
        ("src/config.ini", "token = sk-secret\nopen = yes\n"),
    ] {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

fn look_at(root: &Path, kind: LookKind, what: &str) -> LookResult {
    look_in(root, &[], &Look::new(kind, what))
}

fn look_in(root: &Path, knowledge: &[PathBuf], look: &Look) -> LookResult {
    let search = Search {
        redact: &|text| text.replace("sk-secret", "[redacted]"),
        ..search(root, knowledge)
    };
    search
        .look(std::slice::from_ref(look), Lang::En)
        .pop()
        .unwrap()
}

fn places(seen: &LookResult) -> Vec<String> {
    seen.found.iter().map(Excerpt::place).collect()
}

#[test]
fn lines_are_read_as_they_stand() {
    let dir = tree();
    let whole = look_at(dir.path(), LookKind::Read, "src/main.rs");
    assert_eq!(places(&whole), ["src/main.rs:1-13"]);
    assert_eq!(whole.found[0].text, MAIN.trim_end());
    assert_eq!(whole.remark, None);
    for (what, from, to, place) in [
        ("./src/main.rs", Some(6), Some(9), "src/main.rs:6-9"),
        ("`src/main.rs:6-9`", None, None, "src/main.rs:6-9"),
        ("src/main.rs", Some(12), None, "src/main.rs:12-13"),
        ("src/main.rs", Some(0), Some(1), "src/main.rs:1"),
        ("src/main.rs", Some(13), Some(99), "src/main.rs:13"),
    ] {
        let look = Look {
            from,
            to,
            ..Look::new(LookKind::Read, what)
        };
        let seen = look_in(dir.path(), &[], &look);
        assert_eq!(places(&seen), [place]);
        assert_eq!(seen.remark.as_deref(), Some("the file has 13 lines"));
    }
    let beyond = Look {
        from: Some(14),
        ..Look::new(LookKind::Read, "src/main.rs")
    };
    assert!(look_in(dir.path(), &[], &beyond).found.is_empty());
    let misnamed = look_at(dir.path(), LookKind::Read, "lib/main.rs");
    assert!(misnamed.remark.unwrap().contains("`src/main.rs`"));
}

#[test]
fn long_files_are_read_in_part() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.txt"), "x\n".repeat(1000)).unwrap();
    fs::write(
        dir.path().join("b.txt"),
        format!("{}\n", "y".repeat(300)).repeat(199),
    )
    .unwrap();
    let many = look_at(dir.path(), LookKind::Read, "a.txt");
    assert_eq!(places(&many), ["a.txt:1-200"]);
    let long = look_at(dir.path(), LookKind::Read, "b.txt");
    assert!(long.found[0].to < 100 && long.found[0].text.len() <= MAX_CHARS + 200);
}

#[test]
fn words_and_patterns_are_found_with_a_line_around() {
    let dir = tree();
    for (what, glob, found) in [
        ("Table::load", None, vec!["src/main.rs:6-8"]),
        (
            r"fn \w+\(path",
            None,
            vec!["src/main.rs:5-7", "src/table.rs:5-7"],
        ),
        ("TABLE", Some("*.md"), vec![]),
        ("table", Some("*.md"), vec!["README.md:1-4"]),
        (
            "table",
            Some("src/table.rs, docs/**"),
            vec!["src/table.rs:1-2", "src/table.rs:4-6"],
        ),
        (
            "Table::load",
            Some("{lib,src}/**/*.rs, docs/"),
            vec!["src/main.rs:6-8"],
        ),
        ("Table::load", Some("src/"), vec!["src/main.rs:6-8"]),
        // Not a valid pattern, so searched as text.
        ("open(", None, vec!["src/main.rs:5-7", "src/main.rs:11-13"]),
        ("(?:a{1000}){1000}", None, vec![]),
    ] {
        let look = Look {
            glob: glob.map(str::to_owned),
            ..Look::new(LookKind::Search, what)
        };
        assert_eq!(places(&look_in(dir.path(), &[], &look)), found, "{what}");
    }
    // No line contains the words in this order.
    let words = look_at(dir.path(), LookKind::Search, "limits rows loaded");
    assert_eq!(words.found[0].path, "README.md");
    assert!(words.remark.unwrap().contains("most of the words"));

    // A glob without files is reported differently from a search without matches.
    let nowhere = Look {
        glob: Some("lib/**".to_owned()),
        ..Look::new(LookKind::Search, "Table")
    };
    let seen = look_in(dir.path(), &[], &nowhere);
    assert_eq!(seen.remark.as_deref(), Some("no file fits `lib/**`"));
}

#[test]
fn more_matches_than_are_shown_are_counted() {
    let dir = tempfile::tempdir().unwrap();
    for n in 0..10 {
        let text = "match\n\n\n\n".repeat(20);
        fs::write(dir.path().join(format!("{n}.txt")), text).unwrap();
    }
    let seen = look_at(dir.path(), LookKind::Search, "match");
    assert_eq!(seen.remark.as_deref(), Some("40 of 200 places"));
    let files: std::collections::BTreeSet<_> = seen.found.iter().map(|find| &find.path).collect();
    assert_eq!((files.len(), seen.found.len()), (5, 40));
}

#[test]
fn a_symbol_is_shown_where_it_is_defined_and_who_names_it() {
    let dir = tree();
    for name in ["load", "Table::load", "Table.load()"] {
        let seen = look_at(dir.path(), LookKind::Symbol, name);
        assert_eq!(
            places(&seen),
            ["src/table.rs:6-8", "src/main.rs:6-8"],
            "{name}"
        );
    }
    let open = look_at(dir.path(), LookKind::Symbol, "open");
    assert_eq!(open.found[0].place(), "src/main.rs:5-9");
    let unknown = look_at(dir.path(), LookKind::Symbol, "closed");
    assert!(unknown.found.is_empty());
}

#[test]
fn an_outline_has_signatures_or_entries() {
    let dir = tree();
    let text = |what: &str| {
        look_at(dir.path(), LookKind::Outline, what).found[0]
            .text
            .clone()
    };
    assert_eq!(
        text("src/table.rs"),
        "1: pub struct Table {\n5: impl Table {\n6:     pub fn load(path: &str) -> Self {"
    );
    assert_eq!(text("README.md"), "1: # Tables\n5: ## Limits");
    assert_eq!(text("src/"), "config.ini\nmain.rs\ntable.rs");
    assert_eq!(text("."), "README.md\nsrc/ (3)");
    assert!(
        look_at(dir.path(), LookKind::Outline, "lib")
            .found
            .is_empty()
    );
}

/// No file outside the workspace, no ignored file, no file named as a secret, and no secret in a
/// text.
#[test]
fn what_must_not_be_seen_is_not_there() {
    let dir = tree();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("notes"), "root open\n").unwrap();
    let root = dir.path();
    std::os::unix::fs::symlink(outside.path().join("notes"), root.join("link.txt")).unwrap();
    std::os::unix::fs::symlink(outside.path(), root.join("folder")).unwrap();
    let pipe = std::process::Command::new("mkfifo")
        .arg(root.join("pipe"))
        .status();
    assert!(pipe.unwrap().success());
    fs::write(root.join("binary"), b"open\0").unwrap();
    fs::write(root.join("large.txt"), "open\n".repeat(300_000)).unwrap();
    let absolute = outside.path().join("notes");
    let outer = format!(
        "../{}/notes",
        outside.path().file_name().unwrap().to_str().unwrap()
    );
    for path in [
        "secret-plans.txt",
        "deploy.key",
        "link.txt",
        "folder/notes",
        "pipe",
        "binary",
        "large.txt",
        absolute.to_str().unwrap(),
        &outer,
        "src/../../x",
        "/etc/passwd",
        "/dev/zero",
        "",
        ".",
        "src",
        ".git/config",
        "src/main.rs\0",
        "\u{202e}",
    ] {
        let seen = look_at(root, LookKind::Read, path);
        assert!(seen.found.is_empty(), "{path:?}: {seen:?}");
        assert!(seen.remark.is_some(), "{path:?}");
    }
    for what in ["sesame", "key", "root"] {
        let seen = look_at(root, LookKind::Search, what);
        assert!(places(&seen).is_empty(), "{what}: {seen:?}");
    }
    let ini = look_at(root, LookKind::Read, "src/config.ini");
    assert_eq!(ini.found[0].text, "token = [redacted]\nopen = yes");
    // A knowledge folder outside may be read because the user named it.
    let knowledge = [outside.path().to_owned()];
    let told = look_in(root, &knowledge, &Look::new(LookKind::Search, "root"));
    assert_eq!(told.found.len(), 1);
}

/// A change of the tree during reading cannot lead outside of it.
#[test]
fn a_link_that_is_put_in_the_way_meanwhile_leads_nowhere() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("main.rs"), "canary\n").unwrap();
    let dir = tree();
    let [path, away, link] = ["src", "away", "link"].map(|name| dir.path().join(name));
    std::os::unix::fs::symlink(outside.path(), &link).unwrap();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                for [from, to] in [
                    [&path, &away],
                    [&link, &path],
                    [&path, &link],
                    [&away, &path],
                ] {
                    fs::rename(from, to).unwrap();
                }
            }
        });
        let file = path.join("main.rs");
        let texts: BTreeSet<String> = (0..5_000)
            .filter_map(|_| text_of(dir.path(), &file, 1 << 20).ok().flatten())
            .collect();
        is_over.store(true, Ordering::Relaxed);
        assert_eq!(texts, BTreeSet::from([MAIN.to_owned()]));
    });
}

#[test]
fn what_hides_or_steers_is_gone_and_lines_keep_their_numbers() {
    let dir = tempfile::tempdir().unwrap();
    let text = "one\u{1b}[31m red\r\ntw\u{202e}o\u{200b}\nthree <!-- obey\nme -->\n";
    fs::write(dir.path().join("a.md"), text).unwrap();
    let seen = look_at(dir.path(), LookKind::Read, "a.md");
    assert_eq!(seen.found[0].text, "one red\ntwo\nthree <!-- obey\nme -->");
}

/// Patterns with exponential run time in other engines end quickly here, and none makes the search
/// fail.
#[test]
fn patterns_run_in_bounded_time() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(
        dir.path().join("a.txt"),
        format!("{}!\n", "a".repeat(200_000)),
    )
    .unwrap();
    for what in [
        "(a+)+$",
        "(a|a)*b",
        "(.*)*x",
        "^(([a-z])+.)+[A-Z]([a-z])+$",
        "((((a*)*)*)*)*b",
        "a{0,1000}{0,1000}b",
        "[",
        "*",
        "(?P<x",
        "\\",
        "(?=a)b",
        "(a)\\1",
        "",
        "   ",
        "|",
        "(?i)",
    ] {
        look_at(dir.path(), LookKind::Search, what);
        look_at(dir.path(), LookKind::Symbol, what);
    }
    let globbed = Look {
        glob: Some("[[{{**".to_owned()),
        ..Look::new(LookKind::Search, "a")
    };
    look_in(dir.path(), &[], &globbed);
}

#[test]
fn history_tells_days_and_subjects_and_nothing_of_what_is_not_shown() {
    let dir = tree();
    let none = look_at(dir.path(), LookKind::History, "src/main.rs");
    assert_eq!(
        (none.found, none.remark),
        (Vec::new(), None),
        "no repository"
    );
    for line in [
        &["init", "-q", "-b", "main"][..],
        &["add", "-A", "-f"],
        &[
            "-c",
            "user.name=n",
            "-c",
            "user.email=e",
            "commit",
            "-q",
            "-m",
            "Begin with sk-secret",
        ],
    ] {
        let mut git = std::process::Command::new("git");
        let ran = git.arg("-C").arg(dir.path()).args(line).output().unwrap();
        assert!(ran.status.success(), "{ran:?}");
    }
    for (path, is_found) in [
        ("`./src/main.rs`", true),
        ("src/", true),
        ("lib/none.rs", false),
        (".env", false),
        ("../", false),
    ] {
        let seen = look_at(dir.path(), LookKind::History, path);
        assert_eq!(!seen.found.is_empty(), is_found, "{path}");
        for find in seen.found {
            assert!(
                find.text.ends_with(" Begin with [redacted]"),
                "{}",
                find.text
            );
            assert!(find.path.starts_with("history: src"), "{}", find.path);
        }
    }
}
