#![allow(clippy::unwrap_used)]
use std::fs;
use std::path::Path;
use std::process::Command;

use super::*;

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

/// Thirty commits, each of which changes a line of a long file and adds one.
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
    // All of one second, so that only what each says tells the order.
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

/// Damage ends the history or leaves out a commit, and nothing else.
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
    // A pipe in the place of a pack: nobody waits for it.
    for file in fs::read_dir(&packs).unwrap() {
        let file = file.unwrap().path();
        fs::remove_file(&file).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, &file, rustix::fs::Mode::RUSR).unwrap();
    }
    assert_eq!(seen(root), []);
    assert_eq!(seen(tempfile::tempdir().unwrap().path()), []);
}
