#![allow(clippy::unwrap_used)]
use std::fs;
use std::path::Path;
use std::process::Command;

use super::*;
use crate::edge::knowledge::UnreadPaths;
use crate::edge::knowledge::walk::{FolderWalk as Files, SearchPath};

fn git(root: &Path, line: &[&str]) {
    let mut command = Command::new("git");
    let command = command.arg("-C").arg(root).args(line);
    let command = command
        .env_clear()
        .env("PATH", std::env::var("PATH").unwrap());
    for name in ["GIT_AUTHOR", "GIT_COMMITTER"] {
        command
            .env(format!("{name}_NAME"), "n")
            .env(format!("{name}_EMAIL"), "e");
    }
    let ran = command.output().unwrap();
    assert!(ran.status.success(), "{line:?}: {ran:?}");
}

/// Thirty commits, each changing a line of a long file and adding another file.
fn repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    git(root, &["init", "-q", "-b", "main"]);
    for n in 0..30 {
        fs::create_dir_all(root.join("src/deep")).unwrap();
        let long: String = (0..400)
            .map(|line| format!("line {line} of {}\n", n * line))
            .collect();
        fs::write(root.join("src/long.txt"), long).unwrap();
        fs::write(root.join(format!("src/deep/f{n}.txt")), "x\n").unwrap();
        git(root, &["add", "."]);
        git(
            root,
            &["commit", "-q", "-m", &format!("Change {n}\n\nWhy {n}.")],
        );
    }
    folder
}

/// A hidden file is included if it is tracked by git.
#[test]
fn hidden_files_are_seen_that_git_holds() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let put = |path: &str| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "the deploy job\n").unwrap();
    };
    let held = [
        ".cargo/config.toml",
        ".github/workflows/ci.yml",
        "app/.config/nextest.toml",
        "app/src/lib.rs",
    ];
    held.into_iter().for_each(put);
    // Private files are left out even if they are tracked.
    let private = [
        ".ai-tools-chain/config.yaml",
        ".aws/config",
        ".env",
        ".env.d/values",
        ".github/secrets.yml",
        ".npmrc",
        ".ssh/config",
        ".yarn/releases/yarn.js",
        "app/.docker/config.json",
    ];
    private.into_iter().for_each(put);
    git(root, &["init", "-q"]);
    git(root, &["add", "-A", "-f"]);
    git(root, &["commit", "-q", "-m", "all"]);
    for path in [
        ".cache/x.txt",
        ".github/workflows/mine.yml",
        "app/.idea/x.xml",
    ] {
        put(path);
    }
    let seen = |root: &Path| -> Vec<String> {
        let place = SearchPath::of(root, Path::new("")).unwrap();
        let (mut walk, mut unread) = (Files::of(&place), UnreadPaths::default());
        std::iter::from_fn(|| Some(walk.next_file(root, &mut unread)?.1)).collect()
    };
    assert_eq!(seen(root), held);
    // A part of the repository can be the workspace too.
    assert_eq!(
        seen(&root.join("app")),
        [".config/nextest.toml", "src/lib.rs"]
    );
    // Without a commit no file is tracked.
    fs::remove_dir_all(root.join(".git")).unwrap();
    assert_eq!(seen(root), ["app/src/lib.rs"]);
}

fn seen(root: &Path) -> Vec<(String, Vec<String>)> {
    let commits = history(root, &|| false).into_iter();
    commits
        .map(|commit| (commit.message, commit.paths))
        .collect()
}

#[test]
fn messages_and_paths_are_read_from_single_files_and_from_packs() {
    let folder = repository();
    let root = folder.path();
    let loose = seen(root);
    assert_eq!(loose.len(), 30);
    // All commits are of the same second, so only their parents give the order.
    let (message, paths) = loose
        .iter()
        .find(|(it, _)| it.starts_with("Change 7\n"))
        .unwrap();
    assert_eq!(message, "Change 7\n\nWhy 7.\n");
    assert_eq!(*paths, ["src/deep/f7.txt", "src/long.txt"]);
    git(root, &["gc", "-q", "--aggressive"]);
    assert_eq!(seen(root), loose, "packed");
    let inner = seen(&root.join("src/deep"));
    let (_, paths) = inner
        .iter()
        .find(|(it, _)| it.starts_with("Change 7\n"))
        .unwrap();
    assert_eq!(*paths, ["f7.txt"], "named from the folder");
}

#[test]
fn merges_are_left_out_and_what_they_join_is_not() {
    let folder = repository();
    let root = folder.path();
    git(root, &["checkout", "-q", "-b", "side", "HEAD~1"]);
    fs::write(root.join("side.txt"), "x\n").unwrap();
    git(root, &["add", "."]);
    git(root, &["commit", "-q", "-m", "On the side"]);
    git(root, &["checkout", "-q", "main"]);
    git(root, &["merge", "-q", "--no-ff", "-m", "Joined", "side"]);
    let seen = seen(root);
    assert_eq!(seen.len(), 31);
    let side = seen
        .iter()
        .find(|(it, _)| it.starts_with("On the side"))
        .unwrap();
    assert_eq!(side.1, ["side.txt"]);
}

/// Damage ends the history or leaves out a commit, with no other effect.
#[test]
fn what_is_damaged_or_strange_is_no_history() {
    let folder = repository();
    let root = folder.path();
    git(root, &["gc", "-q"]);
    let packs = root.join(".git/objects/pack");
    let files: Vec<_> = fs::read_dir(&packs)
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    for file in files {
        let whole = fs::read(&file).unwrap();
        fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
        for at in (0..whole.len()).step_by(whole.len() / 29 + 1) {
            let mut torn = whole.clone();
            torn[at] ^= 0x5a;
            fs::write(&file, &torn).unwrap();
            assert!(seen(root).len() <= 30);
            fs::write(&file, &whole[..at]).unwrap();
            assert!(seen(root).len() <= 30);
        }
        fs::write(&file, &whole).unwrap();
    }
    assert_eq!(seen(root).len(), 30);
    // A pipe in place of a pack must not block.
    for file in fs::read_dir(&packs).unwrap() {
        let file = file.unwrap().path();
        fs::remove_file(&file).unwrap();
        let made = Command::new("mkfifo").arg(&file).status();
        assert!(made.unwrap().success());
    }
    assert_eq!(seen(root), []);
    assert_eq!(seen(tempfile::tempdir().unwrap().path()), []);
}

/// The main branch, and a branch that left it two commits ago.
fn parted() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let commit = |path: &str, text: &str| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        git(root, &["add", "-A"]);
        git(root, &["commit", "-q", "-m", "x"]);
    };
    git(root, &["init", "-q", "-b", "main"]);
    commit(
        "src/a.py",
        "def kept():\n    return 1\n\n\ndef gone():\n    pass\n",
    );
    commit("old.bin", "\0");
    git(root, &["tag", "plain"]);
    git(root, &["tag", "-a", "-m", "words", "v1.0"]);
    git(root, &["checkout", "-q", "-b", "side/one"]);
    commit("src/a.py", "def kept():\n    return 2\n");
    fs::remove_file(root.join("old.bin")).unwrap();
    commit("tests/a.test.js", "// AC-1\ntest('keeps one', () => {});\n");
    git(root, &["checkout", "-q", "main"]);
    commit("elsewhere.txt", "of nobody's concern\n");
    git(root, &["checkout", "-q", "side/one"]);
    folder
}

#[test]
fn commits_are_named_in_every_usual_way_and_compared_from_where_they_parted() {
    let folder = parted();
    let root = folder.path();
    let whole = between(root, "main..side/one").unwrap();
    let names = |all: &[crate::check::SourceDefinition]| {
        let names = all.iter().map(|one| format!("{}:{}", one.line, one.name));
        names.collect::<Vec<_>>().join(" ")
    };
    let seen: Vec<String> = whole
        .files
        .iter()
        .map(|file| {
            let (before, after) = (names(&file.before), names(&file.after));
            format!(
                "{:?} {} [{before}] [{after}] {}",
                file.change, file.path, file.is_test
            )
        })
        .collect();
    let expected = [
        "Delete old.bin [] [] false",
        "Modify src/a.py [1:kept 5:gone] [1:kept] false",
        "Create tests/a.test.js [] [2:keeps one] true",
    ];
    assert_eq!(seen, expected);
    let short = |id: &str| id[..9].to_owned();
    let (base, head) = (short(&whole.base), short(&whole.head));
    let ranges = [
        "main".to_owned(),
        "main..".to_owned(),
        "main...HEAD".to_owned(),
        "main~1..@".to_owned(),
        "main^..refs/heads/side/one".to_owned(),
        "plain..side/one".to_owned(),
        "v1.0..side/one".to_owned(),
        "HEAD~2..HEAD".to_owned(),
        format!("{base}..{head}"),
        format!("{}..{}", whole.base, whole.head),
    ];
    for is_packed in [false, true] {
        if is_packed {
            git(root, &["gc", "-q"]);
            git(root, &["pack-refs", "--all"]);
        }
        for range in &ranges {
            assert_eq!(
                between(root, range).as_ref(),
                Ok(&whole),
                "{range} {is_packed}"
            );
        }
        let inner = between(&root.join("src"), "main").unwrap();
        let paths: Vec<&str> = inner.files.iter().map(|file| &*file.path).collect();
        assert_eq!(paths, ["a.py"], "named from the folder");
        for (range, unknown) in [
            ("nowhere..HEAD", "nowhere"),
            ("main..HEAD~9", "HEAD~9"),
            ("main..HEAD~é", "HEAD~é"),
            ("main..HEAD^{commit}", "HEAD^{commit}"),
            ("main..HEAD^2", "HEAD^2"),
            ("main..HEAD^{tree}", "HEAD^{tree}"),
            ("../../main..", "/../main.."),
            ("dead", "dead"),
        ] {
            let found = between(root, range);
            assert!(found.is_err(), "{range}");
            if !range.starts_with("..") {
                assert_eq!(found, Err(NoCommit(unknown.to_owned())), "{range}");
            }
        }
    }
    let nothing = tempfile::tempdir().unwrap();
    assert_eq!(
        between(nothing.path(), "a..b"),
        Err(NoCommit("a".to_owned()))
    );
}

#[test]
fn a_path_has_the_commits_that_touched_it() {
    let folder = repository();
    let root = folder.path();
    let subjects = |folder: &Path, path: &str| {
        let found = touching(folder, path, 10, &|| false).into_iter();
        let day = jiff::Timestamp::now().strftime("%Y-%m-%d").to_string();
        found
            .map(|(on, subject)| {
                assert!(on.len() == day.len() && on <= day, "{on}");
                subject
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(subjects(root, "src/deep/f7.txt"), ["Change 7"]);
    assert_eq!(subjects(&root.join("src"), "deep/f7.txt"), ["Change 7"]);
    assert_eq!(subjects(root, "src/long.txt").len(), 10);
    assert_eq!(subjects(root, "src/deep/").len(), 10);
    assert_eq!(subjects(root, "src/none.txt"), [""; 0]);
    git(root, &["gc", "-q"]);
    assert_eq!(subjects(root, "src/deep/f7.txt"), ["Change 7"], "packed");
    fs::remove_file(root.join("src/deep/f7.txt")).unwrap();
    git(root, &["commit", "-q", "-a", "-m", "Remove it"]);
    assert_eq!(subjects(root, "src/deep/f7.txt").len(), 2, "removed");
    let nowhere = tempfile::tempdir().unwrap();
    assert_eq!(subjects(nowhere.path(), "a"), [""; 0]);
}
