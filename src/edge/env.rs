//! The process around a command: variables, folders, terminals, standard input.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use super::doors::{self, Kind};
use crate::clean::WIDEST;
use crate::machine::Lang;

/// What a command sees of the machine, taken once at its start.
#[derive(Debug, Clone, Default)]
pub struct Env {
    /// Variables that are valid text.
    pub variables: BTreeMap<String, String>,
    /// Folder it was typed in, without links; `None` if that is gone or may not be read.
    pub folder: Option<PathBuf>,
    /// Is standard input a terminal?
    pub stdin_terminal: bool,
    /// Is standard output a terminal?
    pub stdout_terminal: bool,
    /// Is standard error a terminal?
    pub stderr_terminal: bool,
    /// Columns to write in as `COLUMNS` has them, 40 to 200; none without it.
    pub told_width: Option<usize>,
}

impl Env {
    /// Takes the picture.
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

    /// Columns to write in: those told, else the terminal's as it is now, 40 to
    /// [`WIDEST`], else 80.
    pub fn width(&self) -> usize {
        let found = || terminal_size::terminal_size_of(std::io::stderr()).map(|(w, _)| w.0);
        let now = || found().map_or(80, usize::from).clamp(40, WIDEST);
        self.told_width.unwrap_or_else(now)
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
        let folder = self.user_folder("XDG_CONFIG_HOME", ".config", "Application Support");
        Some(folder?.join("config.yaml"))
    }

    /// The folder for what can be made again; none without a home.
    pub fn user_cache(&self) -> Option<PathBuf> {
        self.user_folder("XDG_CACHE_HOME", ".cache", "Caches")
    }

    /// The folder of `aitc` in the one that `variable` names, else in the usual one of the home.
    fn user_folder(&self, variable: &str, usual: &str, on_mac: &str) -> Option<PathBuf> {
        let home = || self.variable("HOME").map(PathBuf::from);
        let folder = match self.variable(variable).map(PathBuf::from) {
            // A relative path is to be ignored, says the specification.
            Some(folder) if folder.is_absolute() => folder,
            _ if cfg!(target_os = "macos") => home()?.join("Library").join(on_mac),
            _ => home()?.join(usual),
        };
        Some(folder.join("aitc"))
    }

    /// Is colour wanted where the user said nothing? `NO_COLOR` says no,
    /// `CLICOLOR_FORCE` yes, even to a file; else it is for terminals.
    pub fn wants_color(&self, terminal: bool) -> bool {
        let on = |name| self.variable(name).is_some_and(|value| value != "0");
        let off = self.variable("NO_COLOR").is_some() || self.variable("CLICOLOR") == Some("0");
        let forced = on("CLICOLOR_FORCE");
        self.variable("NO_COLOR").is_none() && (forced || (terminal && !off))
    }

    /// Is this a job of continuous integration, where nobody sits? Some of
    /// these give their jobs a terminal.
    pub fn is_ci(&self) -> bool {
        self.variable("CI")
            .is_some_and(|value| !["0", "false"].contains(&value))
    }

    /// Does the locale ask for Chinese?
    pub fn locale_lang(&self) -> Lang {
        let chinese = ["LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .find_map(|name| self.variable(name))
            .is_some_and(|locale| locale.starts_with("zh"));
        if chinese { Lang::Zh } else { Lang::En }
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

/// Is there a file, or anything else that is no folder?
pub fn is_no_folder(path: &Path) -> bool {
    path.exists() && !path.is_dir()
}

/// Is `folder`, there or not, inside of `root`?
pub fn lies_in(folder: &Path, root: &Path) -> bool {
    let Ok(root) = root.canonicalize() else {
        return false;
    };
    let there = folder.ancestors().find_map(|one| one.canonicalize().ok());
    there.is_some_and(|there| there.starts_with(root))
}

/// Files below a folder by their paths from it, in order of names, hidden ones
/// left out and links not followed; `None` if `path` is no folder.
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

/// Reads standard input to its end, as [`doors::named`] does a file.
pub fn read_stdin(kind: Kind) -> std::io::Result<Vec<u8>> {
    doors::taken(std::io::stdin().lock(), kind.most())
}

/// Puts a file's new bytes in the place of the old ones at once, folders
/// included; a link is followed, so that a file kept elsewhere stays there.
///
/// # Errors
/// Whatever the system says; the old bytes are then still there.
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
        // What went wrong is told; a leftover would only be in the way.
        let _ = std::fs::remove_file(&fresh);
    }
    written
}

fn write_synced(fresh: &Path, old: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = doors::created(fresh)?;
    if let Ok(found) = std::fs::metadata(old) {
        file.set_permissions(found.permissions())?;
    }
    file.write_all(bytes)?;
    file.sync_all()
}

/// Makes a file in `folder` and removes it again, to see whether that can be done.
pub fn try_writing(folder: &Path) -> std::io::Result<()> {
    let file = folder.join(format!(".aitc-{}", uuid::Uuid::now_v7()));
    doors::created(&file)?.write_all(b"x")?;
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

/// 128 random bits nobody guesses, in hexadecimal digits.
pub fn new_secret() -> std::io::Result<String> {
    let mut bytes = [0; 16];
    let provider = rustls::crypto::ring::default_provider();
    let filled = provider.secure_random.fill(&mut bytes);
    filled.map_err(|_| std::io::Error::other("no random bytes"))?;
    Ok(super::journal::hex(&bytes))
}

/// Was this process begun so that the end of its terminal is nothing to it, as `nohup` does?
/// If that is unknown, it is assumed to be so.
pub fn outlives_the_terminal() -> bool {
    const HANGUP: u64 = 1;
    let status = doors::named(Path::new("/proc/self/status"), Kind::Words).unwrap_or_default();
    let status = String::from_utf8_lossy(&status);
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_none_or(|mask| mask & HANGUP != 0)
}
