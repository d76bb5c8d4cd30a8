//! The copy of the repository that an agent works in, and the settings of the agent's sandbox for
//! it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use sandbox::TreeCopy;
use serde_json::Value;

use super::agents::{CopyMode, TMP};
use super::{plain, readable};
use crate::edge::safe_open::{self, FileUse};
use crate::edge::trial::TrialTree;

/// Variables passed to the commands an agent runs; names that start with `LC_` are passed too.
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

/// The variables that the user's own settings of a program set for its commands; empty without such
/// a file.
///
/// # Errors
/// The settings allow more than its switches can restrict, or cannot be read.
fn own_settings([variable, folder, file]: [&str; 3]) -> Result<Vec<String>, String> {
    let home = std::env::var_os("HOME").map(|home| Path::new(&home).join(folder));
    let named = std::env::var_os(variable).map(PathBuf::from);
    let Some(folder) = named.or(home) else {
        return Ok(Vec::new());
    };
    let path = folder.join(file);
    let told = |what: &str| {
        let path = path.display();
        format!("{what} ({path}); without `--trials` it reads the repository and changes nothing")
    };
    let text = match safe_open::read_named(&path, FileUse::Settings) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(told(&format!("its settings cannot be read: {error}"))),
    };
    let settings: Value = serde_json::from_slice(&text)
        .map_err(|error| told(&format!("its settings cannot be read: {error}")))?;
    match opens(&settings) {
        Some(what) => Err(told(&format!("its settings open more with `{what}`"))),
        None => Ok(settings["env"]
            .as_object()
            .map(|env| env.keys().cloned().collect())
            .unwrap_or_default()),
    }
}

/// A setting that makes folders or hosts accessible to the sandbox, or runs commands outside of it.
fn opens(settings: &Value) -> Option<&'static str> {
    let permissions = &settings["permissions"];
    let rules = permissions["allow"].as_array().into_iter().flatten();
    let writes = |rule: &Value| {
        let rule = rule.as_str().unwrap_or_default();
        ["Edit", "Write", "MultiEdit", "NotebookEdit"]
            .iter()
            .any(|tool| rule.starts_with(tool))
    };
    let is_there = |value: &Value| !value.is_null();
    match () {
        () if is_there(&settings["sandbox"]) => Some("sandbox"),
        () if is_there(&permissions["additionalDirectories"]) => {
            Some("permissions.additionalDirectories")
        }
        () if rules.into_iter().any(writes) => Some("permissions.allow"),
        () => None,
    }
}

/// A copy of the tree for one call; removed when dropped.
pub(super) struct OwnCopy {
    /// How the agent works in it.
    pub(super) in_copy: CopyMode,
    pub(super) tree: String,
    tmp: String,
    /// Replacements of the lists in arguments.
    lists: [(&'static str, String); 3],
    _held: TreeCopy,
}

impl OwnCopy {
    /// Creates a copy; the time depends on the size of the tree.
    ///
    /// # Errors
    /// The reason in words if it cannot be created.
    pub(super) fn of(tree: &TrialTree, in_copy: CopyMode) -> Result<Self, String> {
        let own = in_copy.settings.map(own_settings).transpose()?;
        let copy = tree.copy(&[])?;
        let named = |folder| readable(folder).ok_or("its path would be taken for another");
        let all = tree.readable();
        let read: Vec<PathBuf> = match in_copy.knows_system {
            true => all.besides_system().collect(),
            false => all.folders().to_vec(),
        };
        // By its own path and by its canonical one: the parent folder may be given either way.
        let real = all
            .masked()
            .iter()
            .filter_map(|path| path.canonicalize().ok());
        let masked: BTreeSet<PathBuf> = all.masked().iter().cloned().chain(real).collect();
        // If a masked path cannot be written in the agent's list, its folder is not made readable
        // at all.
        let is_unkept = |folder: &PathBuf| {
            let unnamed = |path: &&PathBuf| plain((*path).clone()).is_none();
            let mut unnamed = masked.iter().filter(unnamed);
            unnamed.any(|path| path.starts_with(folder))
        };
        let read = read.into_iter().filter(|folder| !is_unkept(folder));
        let listed = |paths: Vec<PathBuf>, form: &str| {
            let paths = paths.into_iter().filter_map(plain);
            paths
                .map(|path| form.replace('*', &path))
                .collect::<String>()
        };
        let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        let names = names.chain(own.into_iter().flatten());
        let is_kept = |name: &String| HANDED_ON.contains(&&**name) || name.starts_with("LC_");
        let hidden = names.filter(|name| !is_kept(name) && !name.contains(['"', '\\']));
        Ok(Self {
            tree: named(&copy.tree())?,
            tmp: named(&copy.temporary())?,
            lists: [
                ("{read}", listed(read.collect(), in_copy.read)),
                (
                    "{masked}",
                    listed(masked.iter().cloned().collect(), in_copy.masked),
                ),
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

    /// An argument with its placeholders replaced.
    pub(super) fn fill(&self, word: &str) -> String {
        let lists = self.lists.iter();
        let word = word.replace(TMP, &self.tmp);
        lists.fold(word, |word, (name, list)| word.replace(name, list))
    }

    /// The variable for the folder of temporary files.
    pub(super) fn variable(&self) -> (String, String) {
        ("TMPDIR".to_owned(), self.tmp.clone())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::opens;

    #[test]
    fn settings_that_open_more_than_the_copy_are_named() {
        for (settings, what) in [
            (json!({}), None),
            (json!({"env": {"A": "1"}, "model": "x"}), None),
            (
                json!({"permissions": {"allow": ["Bash(npm run *)", "Read"]}}),
                None,
            ),
            (
                json!({"permissions": {"allow": ["Read", "Edit(//home/u/**)"]}}),
                Some("permissions.allow"),
            ),
            (
                json!({"permissions": {"additionalDirectories": ["/data"]}}),
                Some("permissions.additionalDirectories"),
            ),
            (
                json!({"sandbox": {"network": {"allowedDomains": ["github.com"]}}}),
                Some("sandbox"),
            ),
        ] {
            assert_eq!(opens(&settings), what, "{settings}");
        }
    }
}
