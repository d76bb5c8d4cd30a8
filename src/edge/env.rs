//! The environment of a command: variables, folders, terminals, standard input.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use super::safe_open::{self, FileUse};
use crate::clean::WIDEST;
use crate::machine::Lang;

/// The environment of a command, captured once at its start.
#[derive(Debug, Clone, Default)]
pub struct Env {
    /// Environment variables that are valid UTF-8.
    pub variables: BTreeMap<String, String>,
    /// Canonical path of the current folder; `None` if it was deleted or cannot be read.
    pub folder: Option<PathBuf>,
    /// Whether standard input is a terminal.
    pub stdin_terminal: bool,
    /// Whether standard output is a terminal.
    pub stdout_terminal: bool,
    /// Whether standard error is a terminal.
    pub stderr_terminal: bool,
    /// Width from `COLUMNS`, 40 to 200 columns; `None` without it.
    pub told_width: Option<usize>,
}

impl Env {
    /// Captures the environment of this process.
    pub fn capture() -> Self {
        let variables: BTreeMap<String, String> = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        let told = variables.get("COLUMNS").and_then(|told| told.parse().ok());
        let told_width = told.map(|columns: usize| columns.clamp(40, 200));
        Self {
            folder: PathBuf::from(".").canonicalize().ok(),
            stdin_terminal: std::io::stdin().is_terminal(),
            stdout_terminal: std::io::stdout().is_terminal(),
            stderr_terminal: std::io::stderr().is_terminal(),
            told_width,
            variables,
        }
    }

    /// Output width in columns: from `COLUMNS`, otherwise the terminal's current width (40 to
    /// [`WIDEST`]), otherwise 80.
    pub fn width(&self) -> usize {
        let found = || terminal_size::terminal_size_of(std::io::stderr()).map(|(w, _)| w.0);
        let now = || found().map_or(80, usize::from).clamp(40, WIDEST);
        self.told_width.unwrap_or_else(now)
    }

    /// The value of a variable that is set and not empty.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    /// Path of the user's configuration file, which may not exist; `None` without a home.
    pub fn user_config(&self) -> Option<PathBuf> {
        let folder = self.user_folder("XDG_CONFIG_HOME", ".config", "Application Support");
        Some(folder?.join("config.yaml"))
    }

    /// Folder for data that can be derived again; `None` without a home.
    pub fn user_cache(&self) -> Option<PathBuf> {
        self.user_folder("XDG_CACHE_HOME", ".cache", "Caches")
    }

    /// The folder of `aitc` inside the folder that `variable` names, otherwise inside the default
    /// one of the home.
    fn user_folder(&self, variable: &str, usual: &str, on_mac: &str) -> Option<PathBuf> {
        let home = || self.variable("HOME").map(PathBuf::from);
        let folder = match self.variable(variable).map(PathBuf::from) {
            // The XDG specification says to ignore relative paths.
            Some(folder) if folder.is_absolute() => folder,
            _ if cfg!(target_os = "macos") => home()?.join("Library").join(on_mac),
            _ => home()?.join(usual),
        };
        Some(folder.join("aitc"))
    }

    /// Whether to use colour by default: not with `NO_COLOR`, always with `CLICOLOR_FORCE`,
    /// otherwise only for a terminal.
    pub fn wants_color(&self, terminal: bool) -> bool {
        let on = |name| self.variable(name).is_some_and(|value| value != "0");
        let off = self.variable("NO_COLOR").is_some() || self.variable("CLICOLOR") == Some("0");
        let forced = on("CLICOLOR_FORCE");
        self.variable("NO_COLOR").is_none() && (forced || (terminal && !off))
    }

    /// Whether this is a continuous integration job, where no user is present. Some services give
    /// their jobs a terminal.
    pub fn is_ci(&self) -> bool {
        self.variable("CI")
            .is_some_and(|value| !["0", "false"].contains(&value))
    }

    /// The interface language of the locale.
    pub fn locale_lang(&self) -> Lang {
        let chinese = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .find_map(|name| self.variable(name))
            .is_some_and(|locale| locale.starts_with("zh"));
        if chinese { Lang::Zh } else { Lang::En }
    }
}

/// The workspace of a command: inside a git repository the nearest parent folder that contains
/// `.ai-tools-chain` or `.git`, elsewhere `start`.
///
/// # Errors
/// `start` is not an accessible folder.
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

/// Whether the path exists and is not a folder.
pub fn is_no_folder(path: &Path) -> bool {
    path.exists() && !path.is_dir()
}

/// Whether `folder`, which may not exist, is inside `root`.
pub fn lies_in(folder: &Path, root: &Path) -> bool {
    let Ok(root) = root.canonicalize() else {
        return false;
    };
    let there = folder.ancestors().find_map(|one| one.canonicalize().ok());
    there.is_some_and(|there| there.starts_with(root))
}

/// Files below a folder by relative path, sorted, without hidden ones; links are not followed.
/// `None` if `path` is not a folder.
pub fn files_in(path: &Path) -> std::io::Result<Option<Vec<PathBuf>>> {
    if !path.is_dir() {
        return Ok(None);
    }
    let visible = |entry: &walkdir::DirEntry| {
        entry.depth() == 0 || !entry.file_name().to_string_lossy().starts_with('.')
    };
    let mut files = Vec::new();
    for entry in walkdir::WalkDir::new(path)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(visible)
    {
        let entry = entry?;
        if entry.file_type().is_file() {
            let below = entry.path().strip_prefix(path).unwrap_or(entry.path());
            files.push(below.to_path_buf());
        }
    }
    Ok(Some(files))
}

/// Reads standard input to its end, with the size limit of [`safe_open::read_named`].
pub fn read_stdin(kind: FileUse) -> std::io::Result<Vec<u8>> {
    safe_open::read_at_most(std::io::stdin().lock(), kind.most())
}

/// Replaces a file atomically, creating its folders; a link is followed, so that a file stored
/// elsewhere stays there.
///
/// # Errors
/// The system's error; the file is unchanged then.
pub fn replace_file(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let Some(name) = path.file_name().map(|name| name.to_string_lossy()) else {
        return Err(std::io::ErrorKind::InvalidInput.into());
    };
    let fresh = folder.join(format!(".{name}.{}.new", std::process::id()));
    let written = write_synced(&fresh, &path, bytes).and_then(|()| std::fs::rename(&fresh, &path));
    if written.is_err() {
        // The error is reported; only the temporary file is removed.
        let _ = std::fs::remove_file(&fresh);
    }
    written
}

fn write_synced(fresh: &Path, old: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = safe_open::created(fresh)?;
    if let Ok(found) = std::fs::metadata(old) {
        file.set_permissions(found.permissions())?;
    }
    file.write_all(bytes)?;
    file.sync_all()
}

/// A new run id: a UUID, version 7.
pub fn new_run_id() -> String {
    uuid::Uuid::now_v7().to_string()
}

/// 128 random bits for a secret, in hexadecimal digits.
pub fn new_secret() -> std::io::Result<String> {
    let mut bytes = [0; 16];
    let provider = rustls::crypto::ring::default_provider();
    let filled = provider.secure_random.fill(&mut bytes);
    filled.map_err(|_| std::io::Error::other("no random bytes"))?;
    Ok(super::journal::hex(&bytes))
}

/// Whether the process ignores the end of its terminal, as with `nohup`. Assumed if it cannot be
/// determined.
pub fn outlives_the_terminal() -> bool {
    const HANGUP: u64 = 1;
    let status =
        safe_open::read_named(Path::new("/proc/self/status"), FileUse::Words).unwrap_or_default();
    let status = String::from_utf8_lossy(&status);
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_none_or(|mask| mask & HANGUP != 0)
}
