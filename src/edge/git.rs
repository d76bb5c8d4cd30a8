//! The commit that a repository is at, read from its files: `git` is not needed.

use std::path::{Path, PathBuf};

use super::safe_open::{self, FileUse};

/// The commit of `HEAD` in the repository around `folder`; `None` outside of a repository, before
/// its first commit, and if it cannot be read.
pub fn head(folder: &Path) -> Option<String> {
    let (_, git) = around(folder)?;
    let head = text(&git.join("HEAD"))?;
    match head.strip_prefix("ref:").map(str::trim) {
        Some(name) => reference(&git, name),
        None => hash(&head),
    }
}

/// The commit or tag of a name: a full hash, `HEAD`, a tag, a branch or a remote branch, tried in
/// this order; `None` if it cannot be read.
pub(super) fn resolve_ref(folder: &Path, name: &str) -> Option<String> {
    if name == "HEAD" {
        return head(folder);
    }
    let (_, git) = around(folder)?;
    let places = ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"];
    let mut named = places.iter().map(|place| format!("{place}{name}"));
    hash(name).or_else(|| named.find_map(|name| reference(&git, &name)))
}

fn reference(git: &Path, name: &str) -> Option<String> {
    let plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    if !name.starts_with("refs/") || !name.split('/').all(plain) {
        return None;
    }
    // A linked work tree keeps its branches in the main repository.
    let common = text(&git.join("commondir")).map_or_else(|| git.to_owned(), |to| git.join(to));
    [git, &common]
        .into_iter()
        .find_map(|folder| hash(&text(&folder.join(name))?))
        .or_else(|| packed(&text(&common.join("packed-refs"))?, name))
}

/// The root of the work tree around `folder`, and the git folder that all work trees of its
/// repository share.
pub(super) fn common(folder: &Path) -> Option<(PathBuf, PathBuf)> {
    let (top, git) = around(folder)?;
    let shared = text(&git.join("commondir")).map(|to| git.join(to));
    Some((top, shared.unwrap_or(git)))
}

/// The root of the work tree around `folder`, and its `.git`.
fn around(folder: &Path) -> Option<(PathBuf, PathBuf)> {
    let is_top = |folder: &&Path| folder.join(".git").exists();
    let top = folder.ancestors().find(is_top)?;
    let git = top.join(".git");
    let git = if git.is_dir() { git } else { elsewhere(&git)? };
    Some((top.to_owned(), git))
}

/// The folder that a `.git` file points to, in linked work trees and submodules.
fn elsewhere(file: &Path) -> Option<PathBuf> {
    let text = text(file)?;
    let to = text.strip_prefix("gitdir:")?.trim();
    Some(file.parent()?.join(to))
}

fn packed(lines: &str, name: &str) -> Option<String> {
    let mut pairs = lines.lines().filter_map(|line| line.split_once(' '));
    pairs
        .find(|(_, one)| *one == name)
        .and_then(|(id, _)| hash(id))
}

/// A full SHA-1 or SHA-256 hash; anything else is refused, so that no other text of a file gets
/// out.
fn hash(text: &str) -> Option<String> {
    let hex = text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    (hex && matches!(text.len(), 40 | 64)).then(|| text.to_owned())
}

/// The text of a git file. The file may be anywhere, but only hashes from it are passed on.
fn text(path: &Path) -> Option<String> {
    let bytes = safe_open::read_named(path, FileUse::Git).ok()?;
    let fits = bytes.len() <= FileUse::Git.most();
    let text = String::from_utf8(bytes).ok().filter(|_| fits)?;
    Some(text.trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::fs;

    use super::*;

    const A: &str = "0123456789abcdef0123456789abcdef01234567";
    const B: &str = "89abcdef0123456789abcdef0123456789abcdef";

    fn write(root: &Path, path: &str, text: &str) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn every_way_to_name_a_commit() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        assert_eq!(head(root), None, "no repository");
        write(root, ".git/HEAD", "ref: refs/heads/main\n");
        assert_eq!(head(root), None, "no commit yet");
        let refs = format!("# pack-refs with: peeled\n{A} refs/heads/main\n^{B}\n");
        write(root, ".git/packed-refs", &refs);
        assert_eq!(head(root).as_deref(), Some(A), "packed");
        write(root, ".git/refs/heads/main", &format!("{B}\n"));
        assert_eq!(head(root).as_deref(), Some(B), "loose goes before packed");
        fs::create_dir(root.join("inner")).unwrap();
        assert_eq!(head(&root.join("inner")).as_deref(), Some(B));
        write(root, ".git/HEAD", &format!("{A}\n"));
        assert_eq!(head(root).as_deref(), Some(A), "detached");
    }

    #[test]
    fn a_second_work_tree_has_its_own_head() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        write(root, "one/.git/HEAD", "ref: refs/heads/main\n");
        write(root, "one/.git/refs/heads/two", &format!("{B}\n"));
        write(root, "one/.git/worktrees/two/HEAD", "ref: refs/heads/two\n");
        write(root, "one/.git/worktrees/two/commondir", "../..\n");
        write(root, "two/.git", "gitdir: ../one/.git/worktrees/two\n");
        assert_eq!(head(&root.join("two")).as_deref(), Some(B));
    }

    #[test]
    fn nothing_but_a_hash_gets_out() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        write(root, "secret", A);
        for line in [
            "ref: ../secret",
            "ref: refs/../../secret",
            "ref: /secret",
            "a secret",
        ] {
            write(root, ".git/HEAD", line);
            assert_eq!(head(root), None, "{line}");
        }
    }
}
