//! The process around a command: variables, folders, terminals, standard input.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

/// What a command sees of the machine, taken once at its start.
#[derive(Debug, Clone, Default)]
pub struct Env {
    /// Variables that are valid text.
    pub variables: BTreeMap<String, String>,
    /// Is standard input a terminal?
    pub stdin_terminal: bool,
    /// Is standard output a terminal?
    pub stdout_terminal: bool,
    /// Is standard error a terminal?
    pub stderr_terminal: bool,
    /// Columns to write in: `COLUMNS`, the terminal's, else 80; 40 to 200.
    pub width: usize,
}

impl Env {
    /// Takes the picture.
    pub fn capture() -> Self {
        let variables: BTreeMap<String, String> = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        let width = variables
            .get("COLUMNS")
            .and_then(|columns| columns.parse().ok())
            .or_else(|| terminal_size::terminal_size_of(std::io::stderr()).map(|(w, _)| w.0))
            .unwrap_or(80);
        Self {
            stdin_terminal: std::io::stdin().is_terminal(),
            stdout_terminal: std::io::stdout().is_terminal(),
            stderr_terminal: std::io::stderr().is_terminal(),
            width: usize::from(width).clamp(40, 200),
            variables,
        }
    }

    /// A variable that is set and not empty.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    /// The user's configuration file, there or not; none without a home.
    pub fn user_config(&self) -> Option<PathBuf> {
        let home = || self.variable("HOME").map(PathBuf::from);
        let folder = match self.variable("XDG_CONFIG_HOME").map(PathBuf::from) {
            // A relative path is to be ignored, says the specification.
            Some(folder) if folder.is_absolute() => folder,
            _ if cfg!(target_os = "macos") => home()?.join("Library").join("Application Support"),
            _ if cfg!(windows) => PathBuf::from(self.variable("APPDATA")?),
            _ => home()?.join(".config"),
        };
        Some(folder.join("aitc").join("config.yaml"))
    }

    /// Does the locale ask for Chinese?
    pub fn speaks_chinese(&self) -> bool {
        ["LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .find_map(|name| self.variable(name))
            .is_some_and(|locale| locale.starts_with("zh"))
    }
}

/// The workspace a command works for: within a git repository the nearest
/// folder upwards that holds `.ai-tools-chain` or `.git`, elsewhere `start`.
///
/// # Errors
/// `start` is no folder that can be reached.
pub fn workspace(start: &Path) -> std::io::Result<PathBuf> {
    let start = start.canonicalize()?;
    if !start.is_dir() {
        return Err(std::io::ErrorKind::NotADirectory.into());
    }
    let repository = start
        .ancestors()
        .find(|folder| folder.join(".git").exists());
    let found = repository.and_then(|top| {
        start
            .ancestors()
            .take_while(|folder| folder.starts_with(top))
            .find(|folder| *folder == top || folder.join(".ai-tools-chain").is_dir())
    });
    Ok(found.map_or_else(|| start.clone(), Path::to_path_buf))
}

/// Reads a whole file, at most `cap` bytes and one more, so that the caller
/// sees that it was larger.
///
/// # Errors
/// Whatever the system says.
pub fn read_capped(path: &Path, cap: usize) -> std::io::Result<Vec<u8>> {
    take(std::fs::File::open(path)?, cap)
}

/// Is `folder`, there or not, inside of `root`?
pub fn lies_in(folder: &Path, root: &Path) -> bool {
    let Ok(root) = root.canonicalize() else {
        return false;
    };
    let there = folder.ancestors().find_map(|one| one.canonicalize().ok());
    there.is_some_and(|there| there.starts_with(root))
}

/// Reads standard input to its end, as [`read_capped`] does.
///
/// # Errors
/// Whatever the system says.
pub fn read_stdin(cap: usize) -> std::io::Result<Vec<u8>> {
    take(std::io::stdin().lock(), cap)
}

fn take(source: impl Read, cap: usize) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(cap as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Makes a file in `folder` and removes it again, to see whether that can be done.
///
/// # Errors
/// Whatever the system says.
pub fn try_writing(folder: &Path) -> std::io::Result<()> {
    let file = folder.join(format!(".aitc-{}", uuid::Uuid::now_v7()));
    std::fs::write(&file, b"x")?;
    std::fs::remove_file(&file)
}

/// The nearest folder upwards from `path` that is there.
pub fn nearest_folder(path: &Path) -> Option<&Path> {
    path.ancestors().find(|folder| folder.is_dir())
}

/// A name for a new run: a UUID, version 7.
pub fn new_run_id() -> String {
    uuid::Uuid::now_v7().to_string()
}
