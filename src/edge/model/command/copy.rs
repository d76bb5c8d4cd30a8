//! The copy of the repository that an agent works in, and what its own sandbox is told of it.

use std::path::PathBuf;

use sandbox::TreeCopy;

use super::agents::{InCopy, TMP};
use super::{plain, readable};
use crate::edge::trial::Tree;

/// Variables that what an agent runs is given; those whose names begin with `LC_` besides.
const HANDED_ON: [&str; 19] = [
    "CARGO_HOME",
    "GOPATH",
    "GOROOT",
    "HOME",
    "JAVA_HOME",
    "LANG",
    "LOGNAME",
    "NVM_DIR",
    "PATH",
    "PWD",
    "PYENV_ROOT",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "SHELL",
    "SHLVL",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
];

/// A copy of the tree for one call; removed when dropped.
pub(super) struct OwnCopy {
    /// How the agent works in it.
    pub(super) in_copy: InCopy,
    /// The folder it is started in.
    pub(super) tree: String,
    tmp: String,
    /// What stands in place of words in arguments.
    lists: [(&'static str, String); 3],
    _held: TreeCopy,
}

impl OwnCopy {
    /// Makes one; takes as long as the tree is large.
    ///
    /// # Errors
    /// Why there is none, in words.
    pub(super) fn of(tree: &Tree, in_copy: InCopy) -> Result<Self, String> {
        let copy = tree.copy(&[])?;
        let named = |folder| readable(folder).ok_or("its path would be taken for another");
        let all = tree.readable();
        let read: Vec<PathBuf> = match in_copy.knows_system {
            true => all.besides_system().collect(),
            false => all.folders().to_vec(),
        };
        let paths = |paths: &[PathBuf], form: &str| {
            let paths = paths.iter().cloned().filter_map(plain);
            paths
                .map(|path| form.replace('*', &path))
                .collect::<String>()
        };
        let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        let is_kept = |name: &String| HANDED_ON.contains(&&**name) || name.starts_with("LC_");
        let hidden = names.filter(|name| !is_kept(name) && !name.contains(['"', '\\']));
        Ok(Self {
            tree: named(&copy.tree())?,
            tmp: named(&copy.temporary())?,
            lists: [
                ("{read}", paths(&read, in_copy.read)),
                ("{masked}", paths(all.masked(), in_copy.masked)),
                (
                    "{hidden}",
                    hidden
                        .map(|name| in_copy.hidden.replace('*', &name))
                        .collect(),
                ),
            ],
            in_copy,
            _held: copy,
        })
    }

    /// An argument with what stands in it for the copy.
    pub(super) fn fill(&self, word: &str) -> String {
        let lists = self.lists.iter();
        let word = word.replace(TMP, &self.tmp);
        lists.fold(word, |word, (name, list)| word.replace(name, list))
    }

    /// Where what it runs puts its temporary files.
    pub(super) fn variable(&self) -> (String, String) {
        ("TMPDIR".to_owned(), self.tmp.clone())
    }
}
