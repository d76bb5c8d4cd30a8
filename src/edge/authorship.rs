//! Asks git for the user's name and for the commit of a file. The program is run because its
//! configuration has includes and conditions. It does not run programs that a repository's
//! configuration names, and does not fetch.

use std::io::{Seek as _, SeekFrom};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::env::Env;
use super::safe_open;
use crate::machine::shown;
use crate::thread::MAX_NAME;

/// Fixed programs to verify signatures, overriding the repository's configuration.
const PROGRAMS: [&str; 6] = [
    "log.showSignature=false",
    "gpg.program=gpg",
    "gpg.openpgp.program=gpg",
    "gpg.x509.program=gpgsm",
    "gpg.ssh.program=ssh-keygen",
    "core.fsmonitor=false",
];

/// The commit that added the current version of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its hash.
    pub hash: String,
    /// The author's name.
    pub author: String,
    /// The state of its signature.
    pub signature: Signature,
}

/// The state of a commit's signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signature {
    /// There is no signature, or it cannot be verified here: no key, no program.
    Unknown,
    /// Valid; the signer's name.
    Good(String),
    /// Invalid for this commit, or made with a revoked key.
    Bad,
}

/// The user's name: `GIT_AUTHOR_NAME`, otherwise git's `user.name`; `None` without git or a
/// configured name.
pub fn user(root: &Path, env: &Env) -> Option<String> {
    let told = env.variable("GIT_AUTHOR_NAME").map(str::to_owned);
    let name = told.or_else(|| git(root, &["config", "--get", "user.name"]))?;
    let name: String = shown(&name.replace('\n', " "))
        .chars()
        .take(MAX_NAME)
        .collect();
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}

/// The last commit that changed the file at `path`, relative to `root`. The author is as recorded
/// in the commit, regardless of a `.mailmap`. `None` if the file has uncommitted changes, outside
/// of a repository, and without git.
pub fn commit_of(root: &Path, path: &Path) -> Option<Commit> {
    let path = path.to_str()?;
    let committed = git(root, &["rev-parse", "--verify", &format!("HEAD:./{path}")])?;
    let is_it = git(root, &["hash-object", "--no-filters", "--", path])? == committed;
    let form = "--format=%H%x00%an%x00%G?%x00%GS";
    let log = git(root, &["log", "-1", form, "HEAD", "--", path]).filter(|_| is_it)?;
    let mut parts = log.trim_end_matches('\n').split('\0');
    let (hash, author) = (parts.next()?.to_owned(), parts.next()?.to_owned());
    let signature = match parts.next()? {
        "G" | "U" => Signature::Good(parts.next()?.to_owned()),
        "B" | "R" => Signature::Bad,
        _ => Signature::Unknown,
    };
    Some(Commit {
        hash,
        author,
        signature,
    })
}

/// The output of git; `None` if it fails.
fn git(root: &Path, words: &[&str]) -> Option<String> {
    git_within(Duration::from_secs(60), root, words)
}

/// Git waits for ever where a file of its own is a pipe.
fn git_within(patience: Duration, root: &Path, words: &[&str]) -> Option<String> {
    let mut said = tempfile::tempfile().ok()?;
    let mut command = Command::new("git");
    command.arg("--no-pager").arg("-C").arg(root);
    for setting in PROGRAMS {
        command.args(["-c", setting]);
    }
    let mut ran = command
        .args(words)
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .stdout(said.try_clone().ok()?)
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let begun = Instant::now();
    while ran.try_wait().ok()?.is_none() {
        if begun.elapsed() > patience {
            ran.kill().ok()?;
        }
        sleep(Duration::from_millis(5));
    }
    said.seek(SeekFrom::Start(0)).ok()?;
    let said = safe_open::read_at_most(&mut said, 64 << 10).ok()?;
    let is_good = ran.wait().ok()?.success();
    is_good.then(|| String::from_utf8_lossy(&said).into_owned())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn git_that_waits_is_ended() {
        let root = tempfile::tempdir().unwrap();
        for folder in [".git/objects", ".git/refs"] {
            std::fs::create_dir_all(root.path().join(folder)).unwrap();
        }
        let head = root.path().join(".git/HEAD");
        let made = Command::new("mkfifo").arg(&head).status();
        assert!(made.unwrap().success());
        let words = ["rev-parse", "--verify", "HEAD"];
        assert_eq!(
            git_within(Duration::from_millis(300), root.path(), &words),
            None
        );
    }
}
