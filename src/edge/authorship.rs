//! What git itself is asked: what the user is called, and who committed a file. It is run,
//! since its configuration has includes and conditions; nothing that the configuration of a
//! repository names is run by it, and nothing is fetched.

use std::path::Path;
use std::process::{Command, Stdio};

use super::env::Env;
use crate::machine::shown;
use crate::thread::MAX_NAME;

/// Programs that check signatures, whatever the configuration of the repository names.
const PROGRAMS: [&str; 6] = [
    "log.showSignature=false",
    "gpg.program=gpg",
    "gpg.openpgp.program=gpg",
    "gpg.x509.program=gpgsm",
    "gpg.ssh.program=ssh-keygen",
    "core.fsmonitor=false",
];

/// The commit that brought a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// Its hash.
    pub hash: String,
    /// Who wrote it.
    pub author: String,
    /// Whether it is signed, and how that stands.
    pub signature: Signature,
}

/// How the signature of a commit stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signature {
    /// There is none, or it cannot be checked here: no key, no program.
    Unknown,
    /// It holds, by the key of that name.
    Good(String),
    /// It does not fit the commit, or its key was revoked.
    Bad,
}

/// What the user is called: `GIT_AUTHOR_NAME`, else git's `user.name`; `None` if git is not
/// there or knows no name.
pub fn user(root: &Path, env: &Env) -> Option<String> {
    let told = env.variable("GIT_AUTHOR_NAME").map(str::to_owned);
    let name = told.or_else(|| git(root, &["config", "--get", "user.name"]))?;
    let name: String = shown(&name.replace('\n', " "))
        .chars()
        .take(MAX_NAME)
        .collect();
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}

/// The last commit that changed that file, a path from `root`, with its author as it stands
/// there, whatever a `.mailmap` calls them; `None` if it was not committed as it is, outside of
/// a repository, and without git.
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

/// What git prints; `None` if it fails.
fn git(root: &Path, words: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    command.arg("--no-pager").arg("-C").arg(root);
    for setting in PROGRAMS {
        command.args(["-c", setting]);
    }
    let ran = command
        .args(words)
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    ran.status
        .success()
        .then(|| String::from_utf8_lossy(&ran.stdout).into_owned())
}
